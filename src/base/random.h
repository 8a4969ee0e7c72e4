/* Counter-based random numbers (Philox 4x32-10): a pure function of key and counter, so results do
 * not depend on who draws first. */
#ifndef SCRI_RANDOM_H
#define SCRI_RANDOM_H

#include "base/compiler.h"

#include <stdint.h>

typedef struct scri_random {
    uint64_t key, stream, counter;
} scri_random;

/* All 128 bits that belong to the counter; scri_random_bits() uses half of them.
 * Salmon, Moraes, Dror, Shaw (2011), Parallel random numbers: as easy as 1, 2, 3. */
SCREE_FN void scri_random_block(const scri_random* random, uint32_t x[4])
{
    uint32_t k0 = (uint32_t)random->key, k1 = (uint32_t)(random->key >> 32);
    x[0] = (uint32_t)random->counter;
    x[1] = (uint32_t)(random->counter >> 32);
    x[2] = (uint32_t)random->stream;
    x[3] = (uint32_t)(random->stream >> 32);
    for (int i = 0; i < 10; ++i) {
        uint64_t a = (uint64_t)0xD2511F53u * x[0], b = (uint64_t)0xCD9E8D57u * x[2];
        x[0] = (uint32_t)(b >> 32) ^ x[1] ^ k0;
        x[1] = (uint32_t)b;
        x[2] = (uint32_t)(a >> 32) ^ x[3] ^ k1;
        x[3] = (uint32_t)a;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
}

/* The next 64 random bits of the stream; advances the counter by one. */
SCRI_SISTERS uint64_t scri_random_bits(scri_random* random);

/* Uniform in [0, 1) with 53 bits. */
SCRI_SISTERS double scri_random_uniform(scri_random* random);

/* Uniform in 0 .. n - 1, without bias; n > 0. */
SCRI_SISTERS uint32_t scri_random_below(scri_random* random, uint32_t n);

#endif
