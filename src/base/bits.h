#ifndef SCRI_BITS_H
#define SCRI_BITS_H

#include <string.h>

/* Whether two pieces of memory hold the same bits: for numbers stricter than equality, and what
 * asks whether anything has changed at all. */
static inline int scri_same_bits(const void* a, const void* b, size_t bytes)
{
    return memcmp(a, b, bytes) == 0;
}

#endif
