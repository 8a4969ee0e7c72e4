#include "base/random.h"

uint64_t scri_random_bits(scri_random* random)
{
    uint32_t x[4];
    scri_random_block(random, x);
    ++random->counter;
    return (uint64_t)x[1] << 32 | x[0];
}

double scri_random_uniform(scri_random* random)
{
    return (double)(scri_random_bits(random) >> 11) * 0x1p-53;
}

uint32_t scri_random_below(scri_random* random, uint32_t n)
{
    uint64_t limit = ((uint64_t)1 << 32) / n * n;
    for (;;) {
        uint64_t bits = scri_random_bits(random) >> 32;
        if (bits < limit) return (uint32_t)(bits % n);
    }
}
