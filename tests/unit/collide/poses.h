/* Pairs of shapes of all convex kinds in random poses, and how far planes keep them apart. */
#ifndef COLLIDE_POSES_H
#define COLLIDE_POSES_H

#include "collide/convex.h"
#include "unit/collide/scene.h"

static const scree_shape_kind kinds[] = {
    SCREE_SHAPE_SPHERE, SCREE_SHAPE_BOX,       SCREE_SHAPE_CAPSULE, SCREE_SHAPE_CYLINDER,
    SCREE_SHAPE_HULL,   SCREE_SHAPE_ELLIPSOID, SCREE_SHAPE_CONE};
enum { N_KINDS = sizeof kinds / sizeof *kinds, N_PAIRS = N_KINDS * N_KINDS };

static const scri_vec zero = {0.0, 0.0, 0.0};

/* ---- shapes by other formulas than the library's: how far they reach in a direction ---- */

/* A box, a tetrahedron, a prism with many sides, and two rocks. */
enum { N_HULLS = 5, MOST_POINTS = 40 };
static scree_hull* hulls[N_HULLS];

static inline void make_points(scri_random* random, int which, int* n, double* x)
{
    static const double corners[] = {1, 1, 1, -1, -1, 1, -1, 1, -1, 1, -1, -1};
    *n = which == 0 ? 8 : which == 1 ? 4 : which == 2 ? 24 : MOST_POINTS;
    for (int i = 0; i < *n; ++i) {
        double* p = x + 3 * i;
        if (which == 0) {
            for (int k = 0; k < 3; ++k) p[k] = i >> k & 1 ? 0.3 + 0.2 * k : -0.3 - 0.2 * k;
        } else if (which == 1) {
            for (int k = 0; k < 3; ++k) p[k] = corners[3 * i + k];
        } else if (which == 2) {
            double angle = SCREE_PI / 6.0 * (i / 2);
            p[0] = cos(angle), p[1] = sin(angle), p[2] = i % 2 ? 0.5 : -0.5;
        } else {
            draw_direction(random, p);
            for (int k = 0; k < 3; ++k) p[k] *= draw_between(random, 0.9, 1.0) - 0.25 * k;
        }
    }
}

static inline int make_hulls(void** state)
{
    (void)state;
    scri_random random = {.key = 40};
    for (int which = 0; which < N_HULLS; ++which) {
        double x[3 * MOST_POINTS];
        int n;
        make_points(&random, which, &n, x);
        if (scree_hull_create(NULL, n, x, &hulls[which])) return 1;
    }
    return 0;
}

static inline int free_hulls(void** state)
{
    (void)state;
    for (int which = 0; which < N_HULLS; ++which) scree_hull_destroy(hulls[which]);
    return 0;
}

static inline scri_vec hull_support(const scene* s, int i, scri_vec d)
{
    scree_hull_view view = scree_hull_get_view(s->hull[i]);
    scri_vec best = scri_vec_load(view.corners);
    for (int32_t k = 1; k < view.n_corners; ++k) {
        scri_vec x = scri_vec_load(view.corners + 3 * k);
        if (scri_vec_dot(d, x) > scri_vec_dot(d, best)) best = x;
    }
    return scri_vec_scale(s->size[3 * i], best);
}

/* Largest product of a point of the shape with d. */
static inline double reach_along(const scene* s, int i, scri_vec direction)
{
    const double* h = s->size + 3 * i;
    scri_quat q = scri_quat_load(s->rotation + 4 * i);
    scri_quat back = {q.w, -q.x, -q.y, -q.z};
    scri_vec d = scri_quat_rotate(back, direction);
    double along = scri_vec_dot(direction, scri_vec_load(s->position + 3 * i));
    switch (s->kind[i]) {
    case SCREE_SHAPE_HULL:
        return along + scri_vec_dot(d, hull_support(s, i, d));
    case SCREE_SHAPE_BOX:
        return along + h[0] * fabs(d.x) + h[1] * fabs(d.y) + h[2] * fabs(d.z);
    case SCREE_SHAPE_CAPSULE:
        return along + h[0] * scri_vec_length(d) + h[1] * fabs(d.z);
    case SCREE_SHAPE_CYLINDER:
        return along + h[0] * hypot(d.x, d.y) + h[1] * fabs(d.z);
    case SCREE_SHAPE_ELLIPSOID:
        return along + hypot(h[0] * d.x, hypot(h[1] * d.y, h[2] * d.z));
    case SCREE_SHAPE_CONE:
        return along + fmax(1.5 * h[1] * d.z, h[0] * hypot(d.x, d.y) - 0.5 * h[1] * d.z);
    default:
        return along + h[0] * scri_vec_length(d);
    }
}

/* How far a plane across n keeps the two apart. */
static inline double apart_along(const scene* s, scri_vec n)
{
    return -reach_along(s, 0, scri_vec_scale(-1.0, n)) - reach_along(s, 1, n);
}

/* ---- poses ---- */

/* Sizes from needles to plates, and stout ones of down to a millionth of that. */
static inline scri_vec draw_size(scri_random* random, double scale)
{
    if (scale < 1.0 || draw_chance(random, 50.0))
        return scri_vec_scale(scale, draw_vec(random, 0.2, 1.0));
    double x = draw_power(random, -3.0, 0.0), y = draw_power(random, -3.0, 0.0);
    return scri_vec_scale(scale, (scri_vec){x, y, draw_power(random, -3.0, 0.0)});
}

/* Two shapes from deep in each other to a few lengths apart; often with parallel faces, some with
 * the same centre, and some of these the same in all. */
static inline void draw_poses(scri_random* random, scene* s, int pair)
{
    double direction[3], scale = draw_chance(random, 20.0) ? draw_power(random, -6.0, 0.0) : 1.0;
    s->n = 0;
    draw_direction(random, direction);
    for (int i = 0; i < 2; ++i) {
        scree_shape_kind kind = kinds[i ? pair / N_KINDS : pair % N_KINDS];
        if (kind == SCREE_SHAPE_HULL) {
            scene_add_hull(s, hulls[draw_below(random, N_HULLS)], i ? 1.0 : scale, zero);
        } else {
            scene_add(s, kind, draw_size(random, i ? 1.0 : scale), zero);
        }
    }
    scri_quat turn = draw_rotation(random);
    int aligned = draw_chance(random, 30.0);
    for (int i = 0; i < 2; ++i) {
        if (!aligned || draw_chance(random, 50.0)) turn = draw_rotation(random);
        scene_turn(s, i, turn);
    }
    scri_vec d = scri_vec_load(direction);
    double touching = reach_along(s, 1, d) + reach_along(s, 0, scri_vec_scale(-1.0, d));
    double apart = draw_chance(random, 20.0) ? 1.0 : draw_between(random, 0.0, 2.0);
    if (draw_chance(random, 2.0)) apart = 0.0;
    if (apart == 0.0 && s->kind[0] == s->kind[1]) {
        memcpy(s->size, s->size + 3, 3 * sizeof(double));
        s->hull[0] = s->hull[1];
        if (draw_chance(random, 50.0)) memcpy(s->rotation, s->rotation + 4, 4 * sizeof(double));
    }
    scri_vec_store(scri_vec_scale(apart * touching, d), s->position);
}

static inline scri_convex load(const scene* s, int i)
{
    scri_placed placed = scene_placed(s);
    scri_solid solid = scri_solid_load(&placed, i);
    return scri_convex_load(s->kind[i], &solid, zero);
}

static inline double size_of(const scene* s)
{
    double size = 0.0;
    for (int i = 0; i < 6; ++i) size = fmax(size, s->size[i]);
    return size;
}

#endif
