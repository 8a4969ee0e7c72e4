/* Eight lanes: AVX-512 on x86-64. */
#if defined(__x86_64__) && defined(__GNUC__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512dq,avx512vl"))), \
                             apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f,avx512dq,avx512vl")
#endif
#endif

#define SCRI_DOUBLES 8
#include "solvers/lanes_kernel.h"

void scri_round_lanes_8(const scri_round_list* list, double* change, double* impulse)
{
    scri_lanes_update(list, change, impulse);
}

#if defined(__x86_64__) && defined(__GNUC__)
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif
