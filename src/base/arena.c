#include "base/arena.h"

#include "base/env.h"
#include "base/moat.h"

#include <string.h>

/* Small requests share blocks of this size; a larger one gets a block of its own. */
enum { BLOCK_SIZE = 1 << 16, ALIGNMENT = 16 };

typedef struct block {
    struct block* next;
    size_t used, size; /* of the bytes behind the header */
} block;

struct scri_arena {
    scree_env env;
    block* blocks;
};

static size_t round_up(size_t size)
{
    return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static unsigned char* bytes_of(block* b)
{
    return (unsigned char*)b + round_up(sizeof *b);
}

scri_arena* scri_arena_create(const scree_env* env)
{
    scri_arena* arena = scri_alloc(env, sizeof *arena);
    if (!arena) return NULL;
    *arena = (scri_arena){.env = env ? *env : (scree_env){0}};
    return arena;
}

static block* add_block(scri_arena* arena, size_t size)
{
    block* b = scri_alloc(&arena->env, round_up(sizeof *b) + size);
    if (!b) return NULL;
    *b = (block){.next = arena->blocks, .size = size};
    arena->blocks = b;
    return b;
}

void* scri_arena_take_raw(scri_arena* arena, size_t count, size_t size)
{
    if (size && count > (SIZE_MAX / 2 - BLOCK_SIZE) / size) return NULL;
    size_t need = round_up(count * size) + SCRI_MOAT;
    block* b = arena->blocks;
    if (!b || b->size - b->used < need) b = add_block(arena, need > BLOCK_SIZE ? need : BLOCK_SIZE);
    if (!b) return NULL;
    unsigned char* memory = bytes_of(b) + b->used;
    b->used += need;
    scri_moat_dig(memory, count * size, need);
    return memory;
}

void* scri_arena_take(scri_arena* arena, size_t count, size_t size)
{
    void* memory = scri_arena_take_raw(arena, count, size);
    if (memory) memset(memory, 0, count * size);
    return memory;
}

void scri_arena_destroy(scri_arena* arena)
{
    if (!arena) return;
    scree_env env = arena->env;
    for (block* b = arena->blocks; b;) {
        block* next = b->next;
        scri_release(&env, b);
        b = next;
    }
    scri_release(&env, arena);
}
