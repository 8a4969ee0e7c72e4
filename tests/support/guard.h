/* Memory that is lent with a fence behind it and full of rubbish: what is read before it is written
 * changes numbers, what is written behind its end breaks the fence, what is not given back is
 * counted. Not only builds with sanitizers see such faults then. */
#ifndef SUPPORT_GUARD_H
#define SUPPORT_GUARD_H

#include "support/test.h"

#include <stdatomic.h>

typedef struct guard {
    atomic_long n_held, n_broken; /* pieces not given back, fences that were broken */
} guard;

/* The address sanitizer has better fences of its own. */
#ifdef __SANITIZE_ADDRESS__
enum { GUARD_FENCE = 0 };
#else
enum { GUARD_FENCE = 32 };
#endif
enum { GUARD_HEAD = 16, GUARD_RUBBISH = 0x6b };

static inline void* guard_alloc(void* user, size_t size)
{
    unsigned char* memory = malloc(GUARD_HEAD + size + GUARD_FENCE);
    if (!memory) return NULL;
    memcpy(memory, &size, sizeof size);
    memset(memory + GUARD_HEAD, GUARD_RUBBISH, size + GUARD_FENCE);
    ++((guard*)user)->n_held;
    return memory + GUARD_HEAD;
}

static inline void guard_release(void* user, void* memory)
{
    guard* own = user;
    size_t size;
    if (!memory) return;
    unsigned char *begin = (unsigned char*)memory - GUARD_HEAD, *fence;
    memcpy(&size, begin, sizeof size);
    fence = begin + GUARD_HEAD + size;
    for (int i = 0; i < GUARD_FENCE; ++i) {
        if (fence[i] == GUARD_RUBBISH) continue;
        ++own->n_broken;
        break;
    }
    --own->n_held;
    free(begin);
}

/* Without sparse factors, whose rounding belongs to a BLAS. */
static inline scree_env guard_env(guard* own)
{
    atomic_init(&own->n_held, 0);
    atomic_init(&own->n_broken, 0);
    return (scree_env){.alloc = guard_alloc, .release = guard_release, .user = own};
}

static inline void require_guarded(const guard* own)
{
    long held = own->n_held, broken = own->n_broken;
    require(held == 0, "%ld pieces of memory are kept", held);
    require(broken == 0, "%ld arrays were written behind their end", broken);
}

#endif
