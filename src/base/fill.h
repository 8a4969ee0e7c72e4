/* Structs of a size that the program may know otherwise: see scree/base.h. */
#ifndef SCRI_FILL_H
#define SCRI_FILL_H

#include <stdint.h>
#include <string.h>

/* Copies what there is room for; what there is beyond is zero. */
static inline void scri_copy_sized(void* out, size_t size, const void* whole, size_t whole_size)
{
    if (size > whole_size) memset(out, 0, size);
    memcpy(out, whole, size < whole_size ? size : whole_size);
}

/* The same to a struct of the program's that begins with its size, and goes on to. */
static inline void scri_fill(void* out, uint32_t size, const void* whole, size_t whole_size)
{
    scri_copy_sized(out, size, whole, whole_size);
    if (size >= sizeof size) memcpy(out, &size, sizeof size);
}

/* A struct that the program hands over, whose zeros are what is usual: 0 where it says something
 * beyond what is known here. */
static inline int scri_take_sized(void* own, size_t own_size, const void* given, size_t size)
{
    const unsigned char* byte = (const unsigned char*)given;
    int known = 1;
    for (size_t i = own_size; i < size; ++i) known &= byte[i] == 0;
    scri_copy_sized(own, own_size, given, size);
    return known;
}

#endif
