#include "base/random.h"

/* Salmon, Moraes, Dror, Shaw (2011), Parallel random numbers: as easy as 1, 2, 3. */
static void philox_round(uint32_t x[4], uint32_t k0, uint32_t k1)
{
    uint64_t a = (uint64_t)0xD2511F53u * x[0], b = (uint64_t)0xCD9E8D57u * x[2];
    uint32_t y0 = (uint32_t)(b >> 32) ^ x[1] ^ k0, y2 = (uint32_t)(a >> 32) ^ x[3] ^ k1;
    x[0] = y0;
    x[1] = (uint32_t)b;
    x[2] = y2;
    x[3] = (uint32_t)a;
}

uint64_t scri_random_bits(scri_random* random)
{
    uint64_t counter = random->counter++;
    uint32_t x[4] = {(uint32_t)counter, (uint32_t)(counter >> 32), (uint32_t)random->stream,
                     (uint32_t)(random->stream >> 32)};
    uint32_t k0 = (uint32_t)random->key, k1 = (uint32_t)(random->key >> 32);
    for (int i = 0; i < 10; ++i) {
        philox_round(x, k0, k1);
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
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
