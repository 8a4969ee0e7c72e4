/* A number that stands for the bits of many. */
#ifndef SUPPORT_BITS_H
#define SUPPORT_BITS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define BITS_BEGIN 0xcbf29ce484222325u

/* FNV-1a over the bits of numbers. */
static inline uint64_t mix_bits(uint64_t hash, const double* x, size_t n)
{
    for (size_t i = 0; i < n; ++i) {
        uint64_t bits;
        memcpy(&bits, &x[i], sizeof bits);
        for (int k = 0; k < 8; ++k) hash = (hash ^ (bits >> (8 * k) & 0xff)) * 0x100000001b3u;
    }
    return hash;
}

#endif
