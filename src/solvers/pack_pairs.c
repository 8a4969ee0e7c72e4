#include "solvers/pack_pairs.h"

#if defined(__x86_64__) && defined(__GNUC__)

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2")
#endif

#define SCRI_LANES 8
#include "solvers/pack_kernel.h"

/* A pack of four lanes as it lies in memory. */
typedef struct half {
    int32_t a[4], b[4];
    float vector[SCRI_ROUND_REALS][4];
} half;

_Static_assert(sizeof(half) == 4 * 4 * (2 + SCRI_ROUND_REALS) &&
                   sizeof(scri_pack) == 2 * sizeof(half),
               "vectors follow each other");

static void join(const half* low, const half* high, scri_pack* out)
{
    scri_wide* to = &out->n.x;
    memcpy(out->a, low->a, sizeof low->a);
    memcpy(out->a + 4, high->a, sizeof high->a);
    memcpy(out->b, low->b, sizeof low->b);
    memcpy(out->b + 4, high->b, sizeof high->b);
    for (int i = 0; i < SCRI_ROUND_REALS; ++i) {
        to[i] = scri_wide_join(low->vector[i], high->vector[i]);
    }
}

void scri_pack_pairs_update(void* first, void* second, void* bodies, float* change, float* impulse)
{
    half *low = first, *high = second;
    scri_pack pack;
    scri_wide changed = scri_wide_all(0.0f), pressed = changed;
    join(low, high, &pack);
    scri_pack_update(&pack, NULL, bodies, &changed, &pressed);
    for (int i = 0; i < 6; ++i) {
        scri_wide_split(pack.p[i], low->vector[SCRI_ROUND_P + i], high->vector[SCRI_ROUND_P + i]);
    }
    scri_wide_split(changed, change, change + 4);
    scri_wide_split(pressed, impulse, impulse + 4);
}

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

int scri_pack_pairs_fit(void)
{
    return __builtin_cpu_supports("avx2") != 0;
}

#else

void scri_pack_pairs_update(void* first, void* second, void* bodies, float* change, float* impulse)
{
    (void)first;
    (void)second;
    (void)bodies;
    change[0] = impulse[0] = 0.0f; /* nobody asks */
}

int scri_pack_pairs_fit(void)
{
    return 0;
}

#endif
