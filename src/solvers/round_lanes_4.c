/* Four lanes: AVX2 on x86-64. */
#if defined(__x86_64__) && defined(__GNUC__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2")
#endif
#endif

#define SCRI_DOUBLES 4
#include "solvers/lanes_kernel.h"

void scri_round_lanes_4(const scri_round_list* list, double* change, double* impulse)
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
