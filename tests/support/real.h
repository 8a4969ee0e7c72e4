/* The arithmetic of references: IEEE binary128, so that a reference has the same digits, and a test
 * the same verdict, on every machine. `long double` is that on aarch64, but has 64 bits of mantissa
 * on x86-64, where compilers have __float128 for it. Print a real as (double)x. */
#ifndef SUPPORT_REAL_H
#define SUPPORT_REAL_H

#include <float.h>
#include <math.h>

#if LDBL_MANT_DIG == 113
typedef long double real;
#define REAL_FUNCTION(name) name##l
#elif defined(__SIZEOF_FLOAT128__)
__extension__ typedef __float128 real;
#if defined(__GLIBC__)
/* The C library has these, but its header shows them to some compilers only. */
#define REAL_FUNCTION(name) name##f128
#else
#define REAL_FUNCTION(name) name##q /* of libquadmath, which comes with GCC */
#endif
real REAL_FUNCTION(sqrt)(real), REAL_FUNCTION(fabs)(real), REAL_FUNCTION(floor)(real);
real REAL_FUNCTION(sin)(real), REAL_FUNCTION(cos)(real);
real REAL_FUNCTION(pow)(real, real), REAL_FUNCTION(atan2)(real, real);
real REAL_FUNCTION(hypot)(real, real), REAL_FUNCTION(copysign)(real, real);
#else
#error "the references of the tests need a compiler with 128-bit floating-point numbers"
#endif

/* To all its digits: a sum of doubles is the same to every compiler. */
#define REAL_PI \
    ((real)0x1.921fb54442d18p+1 + (real)0x1.1a62633145c07p-53 - (real)0x1.f1976b7ed8fbcp-109)

static inline real real_sqrt(real x)
{
    return REAL_FUNCTION(sqrt)(x);
}

static inline real real_abs(real x)
{
    return REAL_FUNCTION(fabs)(x);
}

static inline real real_floor(real x)
{
    return REAL_FUNCTION(floor)(x);
}

static inline real real_sin(real x)
{
    return REAL_FUNCTION(sin)(x);
}

static inline real real_cos(real x)
{
    return REAL_FUNCTION(cos)(x);
}

static inline real real_pow(real x, real y)
{
    return REAL_FUNCTION(pow)(x, y);
}

static inline real real_atan2(real y, real x)
{
    return REAL_FUNCTION(atan2)(y, x);
}

static inline real real_hypot(real x, real y)
{
    return REAL_FUNCTION(hypot)(x, y);
}

static inline real real_copysign(real x, real sign)
{
    return REAL_FUNCTION(copysign)(x, sign);
}

/* NaN where one of them is: the larger of two errors must not hide it. */
static inline real real_max(real x, real y)
{
    return x != x || x >= y ? x : y;
}

static inline real real_min(real x, real y)
{
    return x != x || x <= y ? x : y;
}

#endif
