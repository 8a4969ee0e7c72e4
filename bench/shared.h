/* What several benchmarks of worlds need. */
#ifndef BENCH_SHARED_H
#define BENCH_SHARED_H

#include "scree/world.h"

#include <stdio.h>
#include <stdlib.h>

/* The log of an environment. */
static inline void print_log(void* user, scree_log_level level, const char* text)
{
    (void)user;
    (void)level;
    fprintf(stderr, "%s\n", text);
}

/* From -1 to 1, the same for the same i. */
static inline double draw(int32_t i)
{
    uint32_t x = (uint32_t)i * 2654435761u;
    x ^= x >> 15;
    x *= 2246822519u;
    x ^= x >> 13;
    return (double)x / 2147483648.0 - 1.0;
}

/* A half-space that does not move; `turn` may be NULL. */
static inline scree_status add_plane(scree_world* world, double x, double y, double z,
                                     const double* turn)
{
    scree_shape shape = scree_default_shape();
    scree_body_def body = scree_default_body_def();
    scree_body_id id;
    body.kind = SCREE_BODY_STATIC;
    shape.kind = SCREE_SHAPE_HALF_SPACE;
    body.position[0] = x;
    body.position[1] = y;
    body.position[2] = z;
    for (int i = 0; turn && i < 4; ++i) body.rotation[i] = turn[i];
    return scree_world_add_body(world, &body, 1, &shape, &id);
}

/* Of where all bodies are: equal motions have equal ones. */
static inline unsigned hash_of(const scree_world* world)
{
    scree_world_view view = scree_world_get_view(world);
    const unsigned char* at = (const unsigned char*)view.position;
    unsigned hash = 2166136261u;
    for (size_t i = 0; i < 3 * (size_t)view.n_bodies * sizeof(double); ++i) {
        hash = (hash ^ at[i]) * 16777619u;
    }
    return hash;
}

/* "N,N,..." of positive numbers, `most` at most; how many, or 0 where the text is something else.
 */
static inline int read_list(const char* text, int most, int32_t* list)
{
    int n = 0;
    for (char* end; *text && n < most; text = *end ? end + 1 : end) {
        list[n++] = (int32_t)strtol(text, &end, 10);
        if (end == text || list[n - 1] < 1) return 0;
    }
    return n;
}

#endif
