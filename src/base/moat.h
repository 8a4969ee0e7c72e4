/* Between the pieces of one block of memory: bytes that nobody may touch, in builds with the
 * address sanitizer, which sees an index that leaves its array only where something else begins.
 * Other builds have none. */
#ifndef SCRI_MOAT_H
#define SCRI_MOAT_H

#include <stddef.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SCRI_HAS_MOATS 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define SCRI_HAS_MOATS 1
#endif

#if defined(SCRI_HAS_MOATS)
#include <sanitizer/asan_interface.h>
enum { SCRI_MOAT = 16 }; /* bytes; a multiple of every piece's alignment */
#else
enum { SCRI_MOAT = 0 };
#endif

/* A piece of `size` bytes at `memory`, which holds `room` of them: the rest is the moat. */
static inline void scri_moat_dig(const unsigned char* memory, size_t size, size_t room)
{
#if defined(SCRI_HAS_MOATS)
    __asan_unpoison_memory_region(memory, size);
    __asan_poison_memory_region(memory + size, room - size);
#else
    (void)memory, (void)size, (void)room;
#endif
}

/* Memory that is used in another way from now on. */
static inline void scri_moat_fill(const void* memory, size_t size)
{
#if defined(SCRI_HAS_MOATS)
    __asan_unpoison_memory_region(memory, size);
#else
    (void)memory, (void)size;
#endif
}

#endif
