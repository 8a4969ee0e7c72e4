/* Lays out a caller's workspace. The same layout function, run once without memory, gives its size.
 */
#ifndef SCRI_BUMP_H
#define SCRI_BUMP_H

#include "base/moat.h"

#include <stddef.h>
#include <stdint.h>

typedef struct scri_bump {
    unsigned char* memory; /* NULL: only count */
    size_t used;
} scri_bump;

/* Room for `count` items of `size` bytes, aligned to 16; NULL while only counting. */
static inline void* scri_bump_take(scri_bump* bump, size_t count, size_t size)
{
    size_t at = bump->used, room = (count * size + 15) / 16 * 16 + SCRI_MOAT;
    bump->used += room;
    if (!bump->memory) return NULL;
    scri_moat_dig(bump->memory + at, count * size, room);
    return bump->memory + at;
}

/* `size` bytes that begin at a cache line (64 bytes). */
static inline void* scri_bump_take_lines(scri_bump* bump, size_t size)
{
    unsigned char* memory = scri_bump_take(bump, size + 64, 1);
    return memory ? memory + (64 - (uintptr_t)memory % 64) % 64 : NULL;
}

#endif
