#define _DEFAULT_SOURCE /* madvise */
#include "base/pages.h"

#include <stdlib.h>

#ifdef __linux__
#include <sys/mman.h>
#endif

#if defined(__linux__) && defined(MADV_HUGEPAGE)

/* The advice may not be taken: that costs time alone. */
void* scri_pages_take(size_t size)
{
    const size_t page = SCRI_LARGE_PAGE;
    if (size < SCRI_MANY_BYTES || size > (size_t)-1 - page) return malloc(size);
    size_t whole = (size + page - 1) / page * page;
    void* memory = aligned_alloc(page, whole);
    if (memory) (void)madvise(memory, whole, MADV_HUGEPAGE);
    return memory;
}

#else

void* scri_pages_take(size_t size)
{
    return malloc(size);
}

#endif
