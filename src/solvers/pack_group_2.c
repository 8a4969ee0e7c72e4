/* Two packs in eight lanes: AVX2 on x86-64. */
#if defined(__x86_64__) && defined(__GNUC__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2")
#endif
#endif

#define SCRI_LANES 8
#include "solvers/pack_groups.h"
#include "solvers/pack_joined.h"

void scri_pack_group_2(void* const* pack, void* bodies, float* change, float* impulse)
{
    scri_pack_update_group(pack, bodies, change, impulse);
}

#if defined(__x86_64__) && defined(__GNUC__)
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif
