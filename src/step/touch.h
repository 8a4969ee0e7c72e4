/* A touch seen from its bodies: how fast it closes, how large they are. */
#ifndef SCRI_STEP_TOUCH_H
#define SCRI_STEP_TOUCH_H

#include "math/vec.h"
#include "shapes/bounds.h"
#include "world/world.h"

/* A linear and an angular motion per body, `stride` numbers apart. */
typedef struct scri_motion {
    const double *linear, *angular;
    size_t stride;
} scri_motion;

/* Linear and angular parts side by side, as the kernels and the paths of a step have them. */
SCREE_FN scri_motion scri_motion_of(const double* lines, size_t stride)
{
    return (scri_motion){lines, lines + 3, stride};
}

SCREE_FN int32_t scri_touch_body(const scree_world* world, const scri_touch* touch, int side)
{
    return world->shapes.body[side ? touch->b : touch->a];
}

SCREE_FN scri_vec scri_touch_arm(const scree_world* world, const scri_touch* touch, int side)
{
    size_t i = (size_t)scri_touch_body(world, touch, side);
    return scri_vec_sub(scri_vec_load(touch->point), scri_vec_load(world->bodies.position + 3 * i));
}

/* Motion of the point of side 0 relative to that of side 1. */
SCREE_FN scri_vec scri_touch_relative(const scree_world* world, const scri_touch* touch,
                                      scri_motion m)
{
    scri_vec at[2];
    for (int side = 0; side < 2; ++side) {
        size_t i = m.stride * (size_t)scri_touch_body(world, touch, side);
        scri_vec turn = scri_vec_load(m.angular + i);
        at[side] = scri_vec_add(scri_vec_load(m.linear + i),
                                scri_vec_cross(turn, scri_touch_arm(world, touch, side)));
    }
    return scri_vec_sub(at[0], at[1]);
}

/* Its part along the normal: u_N, positive where the gap opens. */
SCREE_FN double scri_touch_normal(const scree_world* world, const scri_touch* touch, scri_motion m)
{
    return scri_vec_dot(scri_touch_relative(world, touch, m), scri_vec_load(touch->normal));
}

SCREE_FN const scri_pair* scri_touch_pair(const scree_world* world, const scri_touch* touch)
{
    const int32_t shape[2] = {touch->a, touch->b};
    return scri_world_pair_at(world, shape, touch->zone);
}

/* What overlap is judged against: the radius of the smaller of the two shapes. */
SCREE_FN double scri_pair_size(const scree_world* world, int32_t a, int32_t b)
{
    const scri_shapes_table* s = &world->shapes;
    return fmin(scri_shapes_radius(s, a), scri_shapes_radius(s, b));
}

/* What rounding may do to a gap, which is a difference of coordinates. */
SCREE_FN double scri_touch_rounding(const scree_world* world, const scri_touch* touch)
{
    const double *a = world->shapes.position + 3 * (size_t)touch->a, *p = touch->point;
    double size = 0.0;
    for (int i = 0; i < 3; ++i) size += fabs(p[i]) + fabs(p[i] - a[i]);
    return 64.0 * 2.220446049250313e-16 * size;
}

/* Bodies that a sweep has brought together are at most this share of the size apart. */
#define SCRI_TOUCHING 1e-4

/* Where the bodies of two shapes met in this step, which then went along each other; NULL: they did
 * not, or were too slow to look. */
SCREE_FN const scri_meeting* scri_meeting_of(const scree_world* world, int32_t a, int32_t b)
{
    const int32_t body[2] = {world->shapes.body[a], world->shapes.body[b]};
    for (int side = 0; world->has_met && side < 2; ++side) {
        const scri_meeting* m = &world->bodies.met[body[side]];
        if (m->share < 1.0 && m->shape[0] == a && m->shape[1] == b) return m;
    }
    return NULL;
}

/* Whether bodies pass each other by so much in a time that the plane of the touch says little about
 * where they meet: by this share of the smaller one, half of it. A half-space is that plane,
 * whatever the speed. */
#define SCRI_FAST 0.5

SCREE_FN int scri_touch_is_fast(const scree_world* world, const scri_touch* touch, double time,
                                scri_motion m)
{
    if (world->shapes.kind[touch->b] == SCREE_SHAPE_HALF_SPACE) return 0;
    for (int side = 0; side < 2; ++side) { /* a body whose motion is given does not stop */
        int32_t body = scri_touch_body(world, touch, side);
        if (world->bodies.kind[body] == SCREE_BODY_KINEMATIC) return 0;
    }
    double way = time * scri_vec_length(scri_touch_relative(world, touch, m));
    return !(way <= SCRI_FAST * scri_pair_size(world, touch->a, touch->b));
}

#endif
