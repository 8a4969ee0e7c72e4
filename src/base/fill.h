/* Structs of a size that the program may know otherwise: see scree/world.h. */
#ifndef SCRI_FILL_H
#define SCRI_FILL_H

#include <stdint.h>
#include <string.h>

/* Copies what the program has room for; what it has beyond is zero. `size` stays in the first
 * member of what is copied. */
static inline void scri_fill(void* out, uint32_t size, const void* whole, size_t whole_size)
{
    if (size > whole_size) memset(out, 0, size);
    memcpy(out, whole, size < whole_size ? size : whole_size);
    if (size >= sizeof size) memcpy(out, &size, sizeof size);
}

#endif
