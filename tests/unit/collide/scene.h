/* Scenes of placed shapes for the tests of collision. */
#ifndef COLLIDE_SCENE_H
#define COLLIDE_SCENE_H

#include "collide/collide.h"
#include "shapes/bounds.h"
#include "support/draw.h"
#include "support/test.h"

typedef struct scene {
    int32_t n, capacity;
    scree_shape_kind* kind;
    double *size, *rounding, *position, *rotation;
    const scree_hull** hull;
    int32_t* body;
    uint8_t* responds;
    uint32_t *category, *collides;
    int32_t *rank, *by_rank;
    uint32_t ranking; /* 0: there are no ranks */
} scene;

static inline scene scene_make(int32_t capacity)
{
    size_t n = (size_t)capacity;
    return (scene){.capacity = capacity,
                   .kind = test_take(n, sizeof(scree_shape_kind)),
                   .size = test_take(3 * n, sizeof(double)),
                   .rounding = test_take(n, sizeof(double)),
                   .position = test_take(3 * n, sizeof(double)),
                   .rotation = test_take(4 * n, sizeof(double)),
                   .hull = test_take(n, sizeof(scree_hull*)),
                   .body = test_take(n, sizeof(int32_t)),
                   .responds = test_take(n, 1),
                   .category = test_take(n, sizeof(uint32_t)),
                   .collides = test_take(n, sizeof(uint32_t)),
                   .rank = test_take(n, sizeof(int32_t)),
                   .by_rank = test_take(n, sizeof(int32_t))};
}

static inline void scene_free(scene* s)
{
    free(s->kind);
    free(s->size);
    free(s->rounding);
    free(s->position);
    free(s->rotation);
    free(s->hull);
    free(s->body);
    free(s->responds);
    free(s->category);
    free(s->collides);
    free(s->rank);
    free(s->by_rank);
}

static inline scri_placed scene_placed(const scene* s)
{
    return (scri_placed){.n = s->n,
                         .kind = s->kind,
                         .size = s->size,
                         .rounding = s->rounding,
                         .hull = s->hull,
                         .position = s->position,
                         .rotation = s->rotation,
                         .body = s->body,
                         .responds = s->responds,
                         .category = s->category,
                         .collides = s->collides,
                         .rank = s->ranking ? s->rank : NULL,
                         .by_rank = s->by_rank,
                         .ranking = s->ranking};
}

/* A moving body of its own, not turned; its number. */
static inline int32_t scene_add(scene* s, scree_shape_kind kind, scri_vec size, scri_vec position)
{
    int32_t i = s->n++;
    assert_true(i < s->capacity);
    s->kind[i] = kind;
    scri_vec_store(size, s->size + 3 * i);
    s->rounding[i] = 0.0;
    scri_vec_store(position, s->position + 3 * i);
    scri_quat_store((scri_quat){1.0, 0.0, 0.0, 0.0}, s->rotation + 4 * i);
    s->hull[i] = NULL;
    s->body[i] = i;
    s->responds[i] = 1;
    s->category[i] = 1;
    s->collides[i] = UINT32_MAX;
    return i;
}

static inline scri_quat draw_rotation(scri_random* random)
{
    double axis[3];
    draw_direction(random, axis);
    return scri_quat_exp(scri_vec_scale(draw_between(random, 0.0, 3.1), scri_vec_load(axis)));
}

/* Any ranks, others than there were. */
static inline void scene_draw_ranks(scri_random* random, scene* s)
{
    for (int32_t i = 0; i < s->n; ++i) {
        int32_t at = draw_below(random, (int)i + 1);
        s->by_rank[i] = s->by_rank[at];
        s->by_rank[at] = i;
    }
    for (int32_t r = 0; r < s->n; ++r) s->rank[s->by_rank[r]] = r;
    s->ranking++;
}

static inline scri_vec draw_vec(scri_random* random, double lo, double hi)
{
    double x = draw_between(random, lo, hi), y = draw_between(random, lo, hi);
    return (scri_vec){x, y, draw_between(random, lo, hi)};
}

static inline void scene_turn(scene* s, int32_t i, scri_quat turn)
{
    scri_quat_store(turn, s->rotation + 4 * i);
}

static inline void scene_shift(scene* s, int32_t i, double length, const double* direction)
{
    for (int k = 0; k < 3; ++k) s->position[3 * i + k] += length * direction[k];
}

/* The same scene moved as a whole. */
static inline void scene_move(scene* s, scri_quat turn, scri_vec shift)
{
    for (int32_t i = 0; i < s->n; ++i) {
        scri_vec x = scri_quat_rotate(turn, scri_vec_load(s->position + 3 * i));
        scri_vec_store(scri_vec_add(x, shift), s->position + 3 * i);
        scri_quat q = scri_quat_multiply(turn, scri_quat_load(s->rotation + 4 * i));
        scri_quat_store(scri_quat_normalize(q), s->rotation + 4 * i);
    }
}

/* The same for a hull. */
static inline int32_t scene_add_hull(scene* s, const scree_hull* hull, double scale,
                                     scri_vec position)
{
    scree_shape shape = {.kind = SCREE_SHAPE_HULL, .half_size = {scale}, .hull = hull};
    int32_t i = scene_add(s, SCREE_SHAPE_HULL, (scri_vec){0.0, 0.0, 0.0}, position);
    s->hull[i] = hull;
    scri_shape_sizes(&shape, s->size + 3 * i);
    return i;
}

/* Exchanges the places of the first two shapes. */
static inline void scene_swap(scene* s)
{
    const scree_hull* hull = s->hull[0];
    s->hull[0] = s->hull[1];
    s->hull[1] = hull;
    scree_shape_kind kind = s->kind[0];
    s->kind[0] = s->kind[1];
    s->kind[1] = kind;
    for (int k = 0; k < 4; ++k) {
        double* lists[] = {s->rotation, s->size, s->position};
        for (int l = 0; l < (k < 3 ? 3 : 1); ++l) {
            int width = l == 0 ? 4 : 3;
            double kept = lists[l][k];
            lists[l][k] = lists[l][width + k];
            lists[l][width + k] = kept;
        }
    }
}

static inline int scene_pair(const scene* s, double margin, scri_touch out[SCRI_MAX_TOUCHES])
{
    scri_placed placed = scene_placed(s);
    return scri_collide_pair(&placed, 0, 1, margin, out);
}

#endif
