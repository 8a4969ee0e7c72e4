#include "base/pool.h"

#include "base/env.h"
#include "base/threads.h"

/* Blocks come in powers of two from 64 bytes on, so that what grows and shrinks a little stays in
 * the same ones. A request is met by a free block of its own size or of the next two; else the host
 * is asked. */
enum { SIZES = 56, SEARCHED = 2 };

typedef union block {
    struct {
        union block* next; /* while it is free */
        int32_t size;      /* its number */
    } head;
    max_align_t alignment; /* of what follows */
} block;

struct scri_pool {
    scree_env host, env;
    scri_mutex mutex; /* of what follows, and of the host */
    block* free[SIZES];
};

static size_t bytes_of(int32_t size)
{
    return (size_t)64 << size;
}

static int32_t size_for(size_t bytes)
{
    int32_t size = 0;
    while (size < SIZES && bytes_of(size) < bytes) ++size;
    return size;
}

/* A free block; NULL where there is none. */
static block* find_free(scri_pool* pool, int32_t size)
{
    for (int32_t s = size; s < SIZES && s <= size + SEARCHED; ++s) {
        block* b = pool->free[s];
        if (!b) continue;
        pool->free[s] = b->head.next;
        return b;
    }
    return NULL;
}

static void* take(void* user, size_t bytes)
{
    scri_pool* pool = user;
    int32_t size = size_for(bytes);
    if (size == SIZES) return NULL;
    scri_mutex_lock(&pool->mutex);
    block* b = find_free(pool, size);
    if (!b && (b = scri_alloc(&pool->host, sizeof *b + bytes_of(size)))) b->head.size = size;
    scri_mutex_unlock(&pool->mutex);
    return b ? b + 1 : NULL;
}

static void give_back(void* user, void* memory)
{
    scri_pool* pool = user;
    block* b = (block*)memory - 1;
    scri_mutex_lock(&pool->mutex);
    b->head.next = pool->free[b->head.size];
    pool->free[b->head.size] = b;
    scri_mutex_unlock(&pool->mutex);
}

static void pass_on(void* user, scree_log_level level, const char* text)
{
    scri_pool* pool = user;
    scri_mutex_lock(&pool->mutex);
    pool->host.log(pool->host.user, level, text);
    scri_mutex_unlock(&pool->mutex);
}

static double read_clock(void* user)
{
    scri_pool* pool = user;
    scri_mutex_lock(&pool->mutex);
    double now = pool->host.clock(pool->host.user);
    scri_mutex_unlock(&pool->mutex);
    return now;
}

scree_status scri_pool_create(const scree_env* host, scri_pool** out)
{
    scri_pool* pool = *out = scri_alloc(host, sizeof *pool);
    if (!pool) return scri_fail(host, SCREE_ERROR_MEMORY, "out of memory for a pool");
    *pool = (scri_pool){.host = host ? *host : (scree_env){0}};
    pool->env = pool->host;
    pool->env.alloc = take;
    pool->env.release = give_back;
    pool->env.log = pool->host.log ? pass_on : NULL;
    pool->env.clock = pool->host.clock ? read_clock : NULL;
    pool->env.parallel_for = NULL;
    pool->env.user = pool;
    scri_mutex_init(&pool->mutex);
    return SCREE_OK;
}

void scri_pool_destroy(scri_pool* pool)
{
    if (!pool) return;
    scree_env host = pool->host;
    for (int32_t s = 0; s < SIZES; ++s) {
        for (block* b = pool->free[s]; b;) {
            block* next = b->head.next;
            scri_release(&host, b);
            b = next;
        }
    }
    scri_mutex_destroy(&pool->mutex);
    scri_release(&host, pool);
}

const scree_env* scri_pool_env(const scri_pool* pool)
{
    return &pool->env;
}
