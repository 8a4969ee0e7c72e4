/* Several single-precision numbers at once: four, or as many as a file that includes this first
 * says by SCRI_LANES: eight or sixteen, for processors that have AVX2 and AVX-512. With
 * math/doubles.h the only file that knows the processor's vector instructions; everything else is
 * GCC's and Clang's vector arithmetic. */
#ifndef SCRI_WIDE_H
#define SCRI_WIDE_H

#include "base/compiler.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#if defined(__aarch64__)
#include <arm_neon.h>
#elif defined(__x86_64__)
#include <immintrin.h>
#endif

#if !defined(SCRI_LANES)
#define SCRI_LANES 4
#endif

typedef float scri_wide __attribute__((vector_size(4 * SCRI_LANES)));
typedef int32_t scri_wide_mask __attribute__((vector_size(4 * SCRI_LANES))); /* 0 or -1 */

/* The same wherever it lies: compilers take a memcpy() of so many bytes through other registers. */
typedef float scri_wide_anywhere
    __attribute__((vector_size(4 * SCRI_LANES), aligned(4), may_alias));

SCREE_FN scri_wide scri_wide_all(float x)
{
    scri_wide zero = {0.0f};
    return zero + x;
}

SCREE_FN scri_wide scri_wide_sqrt(scri_wide x)
{
#if SCRI_LANES == 16 && defined(__x86_64__)
    return (scri_wide)_mm512_sqrt_ps((__m512)x);
#elif SCRI_LANES == 8 && defined(__x86_64__)
    return (scri_wide)_mm256_sqrt_ps((__m256)x);
#elif SCRI_LANES == 4 && defined(__x86_64__)
    return (scri_wide)_mm_sqrt_ps((__m128)x);
#elif SCRI_LANES == 4 && defined(__aarch64__)
    return (scri_wide)vsqrtq_f32((float32x4_t)x);
#else
    for (int i = 0; i < SCRI_LANES; ++i) x[i] = sqrtf(x[i]);
    return x;
#endif
}

/* yes where the mask is set, no elsewhere. */
SCREE_FN scri_wide scri_wide_select(scri_wide_mask mask, scri_wide yes, scri_wide no)
{
    return (scri_wide)((mask & (scri_wide_mask)yes) | (~mask & (scri_wide_mask)no));
}

SCREE_FN int scri_wide_any(scri_wide_mask mask)
{
#if SCRI_LANES == 16 && defined(__x86_64__)
    return _mm512_movepi32_mask((__m512i)mask) != 0;
#elif SCRI_LANES == 8 && defined(__x86_64__)
    return _mm256_movemask_ps((__m256)mask) != 0;
#elif SCRI_LANES == 4 && defined(__x86_64__)
    return _mm_movemask_ps((__m128)mask) != 0;
#elif SCRI_LANES == 4 && defined(__aarch64__)
    return vmaxvq_u32((uint32x4_t)mask) != 0;
#else
    int32_t any = 0;
    for (int i = 0; i < SCRI_LANES; ++i) any |= mask[i];
    return any != 0;
#endif
}

SCREE_FN scri_wide scri_wide_load(const float* p)
{
    return *(const scri_wide_anywhere*)p;
}

SCREE_FN void scri_wide_store(scri_wide x, float* p)
{
    *(scri_wide_anywhere*)p = x;
}

#if SCRI_LANES > 4

/* Rows become columns, in every eight lanes. */
SCREE_FN void scri_wide_transpose(scri_wide* row)
{
#if SCRI_LANES == 16 && defined(__x86_64__)
    __m512 pair[8], four[8];
    __m512i low = _mm512_setr_epi32(0, 1, 2, 3, 16, 17, 18, 19, 8, 9, 10, 11, 24, 25, 26, 27);
    __m512i high = _mm512_setr_epi32(4, 5, 6, 7, 20, 21, 22, 23, 12, 13, 14, 15, 28, 29, 30, 31);
    for (int i = 0; i < 8; i += 2) {
        pair[i] = _mm512_unpacklo_ps((__m512)row[i], (__m512)row[i + 1]);
        pair[i + 1] = _mm512_unpackhi_ps((__m512)row[i], (__m512)row[i + 1]);
    }
    for (int i = 0; i < 8; i += 4) {
        four[i] = _mm512_shuffle_ps(pair[i], pair[i + 2], 0x44);
        four[i + 1] = _mm512_shuffle_ps(pair[i], pair[i + 2], 0xee);
        four[i + 2] = _mm512_shuffle_ps(pair[i + 1], pair[i + 3], 0x44);
        four[i + 3] = _mm512_shuffle_ps(pair[i + 1], pair[i + 3], 0xee);
    }
    for (int i = 0; i < 4; ++i) {
        row[i] = (scri_wide)_mm512_permutex2var_ps(four[i], low, four[i + 4]);
        row[i + 4] = (scri_wide)_mm512_permutex2var_ps(four[i], high, four[i + 4]);
    }
#elif SCRI_LANES == 8 && defined(__x86_64__)
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
#else
    scri_wide old[8];
    memcpy(old, row, sizeof old);
    for (int i = 0; i < 8 * SCRI_LANES; ++i) {
        int lane = i % SCRI_LANES, part = lane - lane % 8;
        row[i / SCRI_LANES][lane] = old[lane % 8][part + i / SCRI_LANES];
    }
#endif
}

/* Eight numbers behind each of `from`, SCRI_LANES / 8 addresses eight apart, side by side. */
SCREE_FN scri_wide scri_wide_load_eights(const float* const* from)
{
#if SCRI_LANES == 16 && defined(__x86_64__)
    __m512 low = _mm512_castps256_ps512(_mm256_loadu_ps(from[0]));
    return (scri_wide)_mm512_insertf32x8(low, _mm256_loadu_ps(from[8]), 1);
#else
    scri_wide x;
    for (int i = 0; i < SCRI_LANES; i += 8) memcpy((float*)&x + i, from[i], 8 * sizeof(float));
    return x;
#endif
}

/* Those of lanes `part` to `part` + 7. */
SCREE_FN void scri_wide_store_eight(scri_wide x, const int part, float* to)
{
#if SCRI_LANES == 16 && defined(__x86_64__)
    __m256 half = part ? _mm512_extractf32x8_ps((__m512)x, 1) : _mm512_castps512_ps256((__m512)x);
    _mm256_storeu_ps(to, half);
#else
    memcpy(to, (const float*)&x + part, 8 * sizeof(float));
#endif
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

/* Vectors of four, SCRI_LANES / 4 of them, side by side, and each of them again. */
SCREE_FN scri_wide scri_wide_join(const float* const* from)
{
#if SCRI_LANES == 16 && defined(__x86_64__)
    __m512 x = _mm512_castps128_ps512(_mm_loadu_ps(from[0]));
    x = _mm512_insertf32x4(x, _mm_loadu_ps(from[1]), 1);
    x = _mm512_insertf32x4(x, _mm_loadu_ps(from[2]), 2);
    return (scri_wide)_mm512_insertf32x4(x, _mm_loadu_ps(from[3]), 3);
#elif SCRI_LANES == 8 && defined(__x86_64__)
    __m256 low = _mm256_castps128_ps256(_mm_loadu_ps(from[0]));
    return (scri_wide)_mm256_insertf128_ps(low, _mm_loadu_ps(from[1]), 1);
#else
    scri_wide x;
    for (int i = 0; i < SCRI_LANES; i += 4) memcpy((float*)&x + i, from[i / 4], 4 * sizeof(float));
    return x;
#endif
}

SCREE_FN void scri_wide_split(scri_wide x, float* const* to)
{
    float all[SCRI_LANES];
    memcpy(all, &x, sizeof x);
    for (int i = 0; i < SCRI_LANES / 4; ++i) memcpy(to[i], all + 4 * i, 4 * sizeof(float));
}

#endif
