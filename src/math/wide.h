/* Four single-precision numbers at once. The only file that knows the processor's vector
 * instructions; everything else is GCC's and Clang's vector arithmetic. */
#ifndef SCRI_WIDE_H
#define SCRI_WIDE_H

#include "base/compiler.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#if defined(__aarch64__)
#include <arm_neon.h>
#elif defined(__SSE__)
#include <xmmintrin.h>
#endif

enum { SCRI_LANES = 4 };

typedef float scri_wide __attribute__((vector_size(16)));
typedef int32_t scri_wide_mask __attribute__((vector_size(16))); /* lanes are 0 or -1 */

SCREE_FN scri_wide scri_wide_sqrt(scri_wide x)
{
#if defined(__aarch64__)
    return (scri_wide)vsqrtq_f32((float32x4_t)x);
#elif defined(__SSE__)
    return (scri_wide)_mm_sqrt_ps((__m128)x);
#else
    return SCRI_OF(scri_wide, sqrtf(x[0]), sqrtf(x[1]), sqrtf(x[2]), sqrtf(x[3]));
#endif
}

/* yes where the mask is set, no elsewhere. */
SCREE_FN scri_wide scri_wide_select(scri_wide_mask mask, scri_wide yes, scri_wide no)
{
    return (scri_wide)((mask & (scri_wide_mask)yes) | (~mask & (scri_wide_mask)no));
}

SCREE_FN int scri_wide_any(scri_wide_mask mask)
{
#if defined(__aarch64__)
    return vmaxvq_u32((uint32x4_t)mask) != 0;
#else
    return (mask[0] | mask[1] | mask[2] | mask[3]) != 0;
#endif
}

SCREE_FN scri_wide scri_wide_load(const float* p)
{
    scri_wide x;
    memcpy(&x, p, sizeof x);
    return x;
}

SCREE_FN void scri_wide_store(scri_wide x, float* p)
{
    memcpy(p, &x, sizeof x);
}

/* Rows become columns. */
SCREE_FN void scri_wide_transpose(scri_wide* a, scri_wide* b, scri_wide* c, scri_wide* d)
{
#if defined(__clang__)
    scri_wide ab_low = __builtin_shufflevector(*a, *b, 0, 4, 1, 5);
    scri_wide ab_high = __builtin_shufflevector(*a, *b, 2, 6, 3, 7);
    scri_wide cd_low = __builtin_shufflevector(*c, *d, 0, 4, 1, 5);
    scri_wide cd_high = __builtin_shufflevector(*c, *d, 2, 6, 3, 7);
    *a = __builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5);
    *b = __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7);
    *c = __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5);
    *d = __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7);
#else
    scri_wide ab_low = __builtin_shuffle(*a, *b, SCRI_OF(scri_wide_mask, 0, 4, 1, 5));
    scri_wide ab_high = __builtin_shuffle(*a, *b, SCRI_OF(scri_wide_mask, 2, 6, 3, 7));
    scri_wide cd_low = __builtin_shuffle(*c, *d, SCRI_OF(scri_wide_mask, 0, 4, 1, 5));
    scri_wide cd_high = __builtin_shuffle(*c, *d, SCRI_OF(scri_wide_mask, 2, 6, 3, 7));
    *a = __builtin_shuffle(ab_low, cd_low, SCRI_OF(scri_wide_mask, 0, 1, 4, 5));
    *b = __builtin_shuffle(ab_low, cd_low, SCRI_OF(scri_wide_mask, 2, 3, 6, 7));
    *c = __builtin_shuffle(ab_high, cd_high, SCRI_OF(scri_wide_mask, 0, 1, 4, 5));
    *d = __builtin_shuffle(ab_high, cd_high, SCRI_OF(scri_wide_mask, 2, 3, 6, 7));
#endif
}

#endif
