#include "solvers/round_lanes.h"

#include <stddef.h>

void scri_round_lanes_1(const scri_round_list* list, double* change, double* impulse)
{
    for (int32_t i = 0; i < list->n; ++i) {
        if (list->sets) {
            scri_round_one(list, i, list->rolls, 1, change, impulse);
        } else if (list->rolls) {
            scri_round_one(list, i, 1, 0, change, impulse);
        } else {
            scri_round_one(list, i, 0, 0, change, impulse);
        }
    }
}

#if defined(_WIN32)

/* Its compilers do not align wider vectors on the stack. */
static int most_lanes(void)
{
    return 2;
}

#elif defined(__x86_64__) && defined(__GNUC__)

static int most_lanes(void)
{
    int has_512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                  __builtin_cpu_supports("avx512vl");
    if (has_512) return 8;
    return __builtin_cpu_supports("avx2") ? 4 : 2;
}

#else

/* The compiler makes several vectors of what one cannot hold. */
static int most_lanes(void)
{
    return 8;
}

#endif

int scri_round_lanes_best(void)
{
#if defined(__x86_64__)
    return most_lanes();
#else
    return 2;
#endif
}

scri_round_lanes* scri_round_lanes_of(int lanes)
{
    if (lanes > most_lanes()) return NULL;
    if (lanes == 8) return scri_round_lanes_8;
    if (lanes == 4) return scri_round_lanes_4;
    return lanes == 2 ? scri_round_lanes_2 : scri_round_lanes_1;
}
