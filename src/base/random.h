/* Counter-based random numbers (Philox 4x32-10): a pure function of key and counter, so results do
 * not depend on who draws first. */
#ifndef SCRI_RANDOM_H
#define SCRI_RANDOM_H

#include <stdint.h>

typedef struct scri_random {
    uint64_t key, stream, counter;
} scri_random;

/* The next 64 random bits of the stream; advances the counter by one. */
uint64_t scri_random_bits(scri_random* random);

/* Uniform in [0, 1) with 53 bits. */
double scri_random_uniform(scri_random* random);

/* Uniform in 0 .. n - 1, without bias; n > 0. */
uint32_t scri_random_below(scri_random* random, uint32_t n);

#endif
