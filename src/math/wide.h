/* Several single-precision numbers at once: four, or as many as a file that includes this first
 * says by SCRI_LANES: eight, for processors that have AVX2. The only file that knows the
 * processor's vector instructions; everything else is GCC's and Clang's vector arithmetic. */
#ifndef SCRI_WIDE_H
#define SCRI_WIDE_H

#include "base/compiler.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#if defined(__aarch64__)
#include <arm_neon.h>
#elif defined(__SSE__)
#include <immintrin.h>
#endif

#if !defined(SCRI_LANES)
#define SCRI_LANES 4
#endif

typedef float scri_wide __attribute__((vector_size(4 * SCRI_LANES)));
typedef int32_t scri_wide_mask __attribute__((vector_size(4 * SCRI_LANES))); /* 0 or -1 */

SCREE_FN scri_wide scri_wide_all(float x)
{
    scri_wide zero = {0.0f};
    return zero + x;
}

SCREE_FN scri_wide scri_wide_sqrt(scri_wide x)
{
#if SCRI_LANES == 8
    return (scri_wide)_mm256_sqrt_ps((__m256)x);
#elif defined(__aarch64__)
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
#if SCRI_LANES == 8
    return _mm256_movemask_ps((__m256)mask) != 0;
#elif defined(__aarch64__)
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

#if SCRI_LANES == 8

/* Rows become columns. */
SCREE_FN void scri_wide_transpose(scri_wide* row)
{
    __m256 pair[8], four[8];
    for (int i = 0; i < 8; i += 2) {
        pair[i] = _mm256_unpacklo_ps((__m256)row[i], (__m256)row[i + 1]);
        pair[i + 1] = _mm256_unpackhi_ps((__m256)row[i], (__m256)row[i + 1]);
    }
    for (int i = 0; i < 8; i += 4) {
        four[i] = _mm256_shuffle_ps(pair[i], pair[i + 2], 0x44);
        four[i + 1] = _mm256_shuffle_ps(pair[i], pair[i + 2], 0xee);
        four[i + 2] = _mm256_shuffle_ps(pair[i + 1], pair[i + 3], 0x44);
        four[i + 3] = _mm256_shuffle_ps(pair[i + 1], pair[i + 3], 0xee);
    }
    for (int i = 0; i < 4; ++i) {
        row[i] = (scri_wide)_mm256_permute2f128_ps(four[i], four[i + 4], 0x20);
        row[i + 4] = (scri_wide)_mm256_permute2f128_ps(four[i], four[i + 4], 0x31);
    }
}

/* Two halves side by side, and one of them. */
SCREE_FN scri_wide scri_wide_join(const float* low, const float* high)
{
    return (scri_wide)_mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(low)),
                                           _mm_loadu_ps(high), 1);
}

SCREE_FN void scri_wide_split(scri_wide x, float* low, float* high)
{
    _mm_storeu_ps(low, _mm256_castps256_ps128((__m256)x));
    _mm_storeu_ps(high, _mm256_extractf128_ps((__m256)x, 1));
}

#else

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

#endif
