/* Memory of many sizes that is given back all at once. */
#ifndef SCRI_ARENA_H
#define SCRI_ARENA_H

#include "base/compiler.h"
#include "scree/base.h"

typedef struct scri_arena scri_arena;

/* Copies `env` (NULL: the default one). NULL when memory is short. */
SCRI_SISTERS scri_arena* scri_arena_create(const scree_env* env);

/* Zeroed memory for `count` items of `size` bytes, aligned to 16; NULL when memory is short or the
 * product overflows. Never NULL for a count of 0. */
SCRI_SISTERS void* scri_arena_take(scri_arena* arena, size_t count, size_t size);

/* The same, not cleared. */
SCRI_SISTERS void* scri_arena_take_raw(scri_arena* arena, size_t count, size_t size);

/* Gives everything back, the arena itself included; NULL is allowed. */
SCRI_SISTERS void scri_arena_destroy(scri_arena* arena);

#endif
