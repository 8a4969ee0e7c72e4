/* Several double-precision numbers at once: two, or as many as a file that includes this first says
 * by SCRI_DOUBLES: four or eight. With math/wide.h the only file that knows the processor's vector
 * instructions; where it has none for so many, the compiler takes several vectors. */
#ifndef SCRI_DOUBLES_H
#define SCRI_DOUBLES_H

#include "base/compiler.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#if defined(__aarch64__)
#include <arm_neon.h>
#elif defined(__SSE2__)
#include <immintrin.h>
#endif

#if !defined(SCRI_DOUBLES)
#define SCRI_DOUBLES 2
#endif

typedef double scri_doubles __attribute__((vector_size(8 * SCRI_DOUBLES)));
typedef int64_t scri_doubles_mask __attribute__((vector_size(8 * SCRI_DOUBLES))); /* 0 or -1 */

SCREE_FN scri_doubles scri_doubles_all(double x)
{
    scri_doubles zero = {0.0};
    return zero + x;
}

SCREE_FN scri_doubles scri_doubles_sqrt(scri_doubles x)
{
#if SCRI_DOUBLES == 8 && defined(__AVX512F__)
    return (scri_doubles)_mm512_sqrt_pd((__m512d)x);
#elif SCRI_DOUBLES == 4 && defined(__AVX__)
    return (scri_doubles)_mm256_sqrt_pd((__m256d)x);
#elif defined(__aarch64__)
    float64x2_t part[SCRI_DOUBLES / 2];
    memcpy(part, &x, sizeof x);
    for (int i = 0; i < SCRI_DOUBLES / 2; ++i) part[i] = vsqrtq_f64(part[i]);
    memcpy(&x, part, sizeof x);
    return x;
#elif SCRI_DOUBLES == 2 && defined(__SSE2__)
    return (scri_doubles)_mm_sqrt_pd((__m128d)x);
#else
    for (int i = 0; i < SCRI_DOUBLES; ++i) x[i] = sqrt(x[i]);
    return x;
#endif
}

/* yes where the mask is set, no elsewhere. */
SCREE_FN scri_doubles scri_doubles_select(scri_doubles_mask mask, scri_doubles yes, scri_doubles no)
{
    return (scri_doubles)((mask & (scri_doubles_mask)yes) | (~mask & (scri_doubles_mask)no));
}

SCREE_FN int scri_doubles_any(scri_doubles_mask mask)
{
#if SCRI_DOUBLES == 8 && defined(__AVX512DQ__)
    return _mm512_movepi64_mask((__m512i)mask) != 0;
#elif SCRI_DOUBLES == 4 && defined(__AVX__)
    return _mm256_movemask_pd((__m256d)mask) != 0;
#elif SCRI_DOUBLES == 2 && defined(__SSE2__)
    return _mm_movemask_pd((__m128d)mask) != 0;
#elif SCRI_DOUBLES == 2 && defined(__aarch64__)
    return vmaxvq_u32((uint32x4_t)mask) != 0;
#else
    int64_t any = 0;
    for (int i = 0; i < SCRI_DOUBLES; ++i) any |= mask[i];
    return any != 0;
#endif
}

SCREE_FN scri_doubles scri_doubles_load(const double* p)
{
    scri_doubles x;
    memcpy(&x, p, sizeof x);
    return x;
}

SCREE_FN void scri_doubles_store(scri_doubles x, double* p)
{
    memcpy(p, &x, sizeof x);
}

/* Numbers of a and, from SCRI_DOUBLES on, of b. */
#if defined(__clang__)
#define SCRI_DOUBLES_OF(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define SCRI_DOUBLES_OF(a, b, ...) __builtin_shuffle(a, b, SCRI_OF(scri_doubles_mask, __VA_ARGS__))
#endif

/* One stage of a transposition, for two rows. */
#define SCRI_DOUBLES_EXCHANGE(a, b, even, odd)              \
    do {                                                    \
        scri_doubles first = (a), second = (b);             \
        (a) = SCRI_DOUBLES_OF(first, second, SCRI_IS even); \
        (b) = SCRI_DOUBLES_OF(first, second, SCRI_IS odd);  \
    } while (0)
#define SCRI_IS(...) __VA_ARGS__

/* Rows become columns. */
SCREE_FN void scri_doubles_transpose(scri_doubles* row)
{
#if SCRI_DOUBLES == 2
    SCRI_DOUBLES_EXCHANGE(row[0], row[1], (0, 2), (1, 3));
#elif SCRI_DOUBLES == 4
    SCRI_UNROLL
    for (int i = 0; i < 2; ++i) {
        SCRI_DOUBLES_EXCHANGE(row[i], row[i + 2], (0, 1, 4, 5), (2, 3, 6, 7));
    }
    SCRI_UNROLL
    for (int i = 0; i < 4; i += 2) {
        SCRI_DOUBLES_EXCHANGE(row[i], row[i + 1], (0, 4, 2, 6), (1, 5, 3, 7));
    }
#else
    SCRI_UNROLL
    for (int i = 0; i < 4; ++i) {
        SCRI_DOUBLES_EXCHANGE(row[i], row[i + 4], (0, 1, 2, 3, 8, 9, 10, 11),
                              (4, 5, 6, 7, 12, 13, 14, 15));
    }
    SCRI_UNROLL
    for (int i = 0; i < 4; ++i) {
        int k = i + (i & 2); /* 0, 1, 4, 5 */
        SCRI_DOUBLES_EXCHANGE(row[k], row[k + 2], (0, 1, 8, 9, 4, 5, 12, 13),
                              (2, 3, 10, 11, 6, 7, 14, 15));
    }
    SCRI_UNROLL
    for (int i = 0; i < 8; i += 2) {
        SCRI_DOUBLES_EXCHANGE(row[i], row[i + 1], (0, 8, 2, 10, 4, 12, 6, 14),
                              (1, 9, 3, 11, 5, 13, 7, 15));
    }
#endif
}

#endif
