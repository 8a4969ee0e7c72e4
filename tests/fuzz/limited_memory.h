/* Memory for a fuzzer's environment: no input may ask for much more than its length explains. */
#ifndef FUZZ_LIMITED_MEMORY_H
#define FUZZ_LIMITED_MEMORY_H

#include <stddef.h>
#include <stdlib.h>

/* What `user` of the environment points to, or begins with. */
typedef struct limit {
    size_t left;
} limit;

static inline void* limited_alloc(void* user, size_t size)
{
    limit* l = user;
    if (size > l->left) abort();
    l->left -= size;
    return malloc(size);
}

static inline void limited_release(void* user, void* memory)
{
    (void)user;
    free(memory);
}

#endif
