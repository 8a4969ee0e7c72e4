#include "io/surface.h"

#include <math.h>
#include <string.h>

/* Corners of a circle, rings from equator to pole. */
enum { ROUND = 24, BENDS = 6, MOST_RINGS = 2 * BENDS + 4 };

/* A profile about the z axis, from below: rings of a radius at a height; at radius 0 a pole. */
typedef struct profile {
    int n;
    double radius[MOST_RINGS], height[MOST_RINGS];
} profile;

static void add_ring(profile* p, double radius, double height)
{
    p->radius[p->n] = radius;
    p->height[p->n++] = height;
}

/* Rings over a rim between two angles above the horizontal; of no radius: the rim. */
static void add_arc(profile* p, double rim, double height, double radius, double from, double to)
{
    for (int k = 0; k <= BENDS; ++k) {
        double angle = from + (to - from) * k / BENDS;
        int is_pole = rim == 0.0 && k == BENDS;
        add_ring(p, is_pole ? 0.0 : rim + radius * cos(angle), height + radius * sin(angle));
        if (!(radius > 0.0)) return;
    }
}

static profile profile_of(const scree_shape* shape)
{
    profile p = {.n = 0};
    double r = shape->half_size[0], half = shape->half_size[1], round = shape->rounding;
    if (shape->kind == SCREE_SHAPE_CYLINDER) {
        add_ring(&p, 0.0, -half - round);
        add_arc(&p, r, -half, round, -0.5 * SCREE_PI, 0.0);
        add_arc(&p, r, half, round, 0.0, 0.5 * SCREE_PI);
        add_ring(&p, 0.0, half + round);
        return p;
    }
    if (shape->kind == SCREE_SHAPE_TUBE) { /* round and back to the first ring */
        double inner = shape->half_size[2];
        add_ring(&p, inner, -half);
        add_ring(&p, r, -half);
        add_ring(&p, r, half);
        add_ring(&p, inner, half);
        add_ring(&p, inner, -half);
        return p;
    }
    if (shape->kind == SCREE_SHAPE_CONE) {
        double rise = atan2(r, 2.0 * half);
        add_ring(&p, 0.0, -0.5 * half - round);
        add_arc(&p, r, -0.5 * half, round, -0.5 * SCREE_PI, rise);
        add_arc(&p, 0.0, 1.5 * half, round, rise, 0.5 * SCREE_PI);
        return p;
    }
    if (shape->kind == SCREE_SHAPE_ELLIPSOID) r = 1.0;
    int is_capsule = shape->kind == SCREE_SHAPE_CAPSULE;
    double shift = is_capsule ? half : 0.0;
    for (int k = -BENDS; k <= BENDS; ++k) {
        double angle = 0.5 * SCREE_PI * k / BENDS;
        double radius = k == -BENDS || k == BENDS ? 0.0 : r * cos(angle);
        if (k <= 0) add_ring(&p, radius, r * sin(angle) - shift);
        if (k > 0 || (k == 0 && is_capsule)) add_ring(&p, radius, r * sin(angle) + shift);
    }
    return p;
}

/* ---- building -------------------------------------------------------------------------------- */

int scri_surface_reserve(scri_arena* arena, int32_t points, int32_t polygons, int32_t corners,
                         scri_surface* out)
{
    *out = (scri_surface){.point = scri_arena_take(arena, 3 * (size_t)points, sizeof *out->point),
                          .end = scri_arena_take(arena, (size_t)polygons, sizeof *out->end),
                          .corner = scri_arena_take(arena, (size_t)corners, sizeof *out->corner)};
    return out->point && out->end && out->corner;
}

static int32_t add_point(scri_surface* s, double x, double y, double z)
{
    double* point = s->point + 3 * (size_t)s->n_points;
    point[0] = x;
    point[1] = y;
    point[2] = z;
    return s->n_points++;
}

static void add_polygon(scri_surface* s, int n, const int32_t* corner)
{
    memcpy(s->corner + s->n_corners, corner, (size_t)n * sizeof *corner);
    s->n_corners += n;
    s->end[s->n_polygons++] = s->n_corners;
}

/* Ring i begins at first[i]; a pole is one point. */
static int turn_profile(scri_arena* arena, const profile* p, scri_surface* s)
{
    int32_t first[MOST_RINGS];
    if (!scri_surface_reserve(arena, p->n * ROUND, p->n * ROUND, 4 * p->n * ROUND, s)) return 0;
    for (int i = 0; i < p->n; ++i) {
        first[i] = s->n_points;
        int is_closed = i > 1 && p->radius[i] == p->radius[0] && p->height[i] == p->height[0];
        if (is_closed) first[i] = first[0];
        if (is_closed) continue;
        int corners = p->radius[i] > 0.0 ? ROUND : 1;
        for (int k = 0; k < corners; ++k) {
            double angle = 2.0 * SCREE_PI * k / ROUND;
            add_point(s, p->radius[i] * cos(angle), p->radius[i] * sin(angle), p->height[i]);
        }
    }
    for (int i = 0; i + 1 < p->n; ++i) {
        for (int32_t k = 0; k < ROUND; ++k) {
            int32_t next = (k + 1) % ROUND, corner[4];
            int n = 0, below = p->radius[i] > 0.0, above = p->radius[i + 1] > 0.0;
            corner[n++] = first[i] + (below ? k : 0);
            if (below) corner[n++] = first[i] + next;
            corner[n++] = first[i + 1] + (above ? next : 0);
            if (above) corner[n++] = first[i + 1] + k;
            add_polygon(s, n, corner);
        }
    }
    return 1;
}

static int make_box(scri_arena* arena, const double half[3], scri_surface* s)
{
    static const int32_t face[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                       {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    if (!scri_surface_reserve(arena, 8, 6, 24, s)) return 0;
    for (int k = 0; k < 8; ++k) {
        add_point(s, k & 1 ? half[0] : -half[0], k & 2 ? half[1] : -half[1],
                  k & 4 ? half[2] : -half[2]);
    }
    for (int k = 0; k < 6; ++k) add_polygon(s, 4, face[k]);
    return 1;
}

static int make_square(scri_arena* arena, double reach, scri_surface* s)
{
    static const int32_t corner[4] = {0, 1, 2, 3};
    if (!scri_surface_reserve(arena, 4, 1, 4, s)) return 0;
    add_point(s, -reach, -reach, 0.0);
    add_point(s, reach, -reach, 0.0);
    add_point(s, reach, reach, 0.0);
    add_point(s, -reach, reach, 0.0);
    add_polygon(s, 4, corner);
    return 1;
}

static int make_hull(scri_arena* arena, const scree_shape* shape, scri_surface* s)
{
    scree_hull_view h = scree_hull_get_view(shape->hull);
    if (!scri_surface_reserve(arena, h.n_corners, h.n_faces, h.face_start[h.n_faces], s)) return 0;
    for (int32_t i = 0; i < h.n_corners; ++i) {
        const double *x = h.corners + 3 * (size_t)i, scale = shape->half_size[0];
        add_point(s, scale * x[0], scale * x[1], scale * x[2]);
    }
    for (int32_t f = 0; f < h.n_faces; ++f) {
        add_polygon(s, h.face_start[f + 1] - h.face_start[f], h.face_corners + h.face_start[f]);
    }
    return 1;
}

static int make_mesh(scri_arena* arena, const scree_mesh* mesh, scri_surface* s)
{
    scree_mesh_view v = scree_mesh_get_view(mesh);
    if (!scri_surface_reserve(arena, v.n_points, v.n_triangles, 3 * v.n_triangles, s)) return 0;
    for (int32_t i = 0; i < v.n_points; ++i) {
        double x[3];
        scree_mesh_point(mesh, i, x);
        add_point(s, x[0], x[1], x[2]);
    }
    for (int32_t t = 0; t < v.n_triangles; ++t) {
        int32_t corner[3];
        scree_mesh_triangle(mesh, t, corner);
        add_polygon(s, 3, corner);
    }
    return 1;
}

int scri_surface_make(scri_arena* arena, const scree_shape* shape, double reach, scri_surface* out)
{
    if (shape->kind == SCREE_SHAPE_MESH) return make_mesh(arena, shape->mesh, out);
    if (shape->kind == SCREE_SHAPE_HALF_SPACE) return make_square(arena, reach, out);
    if (shape->kind == SCREE_SHAPE_HULL || shape->kind == SCREE_SHAPE_BOX) {
        scri_surface core;
        int is_box = shape->kind == SCREE_SHAPE_BOX;
        if (!(is_box ? make_box(arena, shape->half_size, &core) : make_hull(arena, shape, &core))) {
            return 0;
        }
        if (shape->rounding > 0.0) return scri_surface_round(arena, &core, shape->rounding, out);
        *out = core;
        return 1;
    }
    profile turned = profile_of(shape);
    if (!turn_profile(arena, &turned, out)) return 0;
    if (shape->kind != SCREE_SHAPE_ELLIPSOID) return 1;
    for (int32_t i = 0; i < out->n_points; ++i) {
        double *u = out->point + 3 * (size_t)i, n[3], length = 0.0;
        for (int k = 0; k < 3; ++k) n[k] = u[k] / shape->half_size[k];
        for (int k = 0; k < 3; ++k) length += n[k] * n[k];
        for (int k = 0; k < 3; ++k) {
            u[k] = shape->half_size[k] * u[k] + shape->rounding * (n[k] / sqrt(length));
        }
    }
    return 1;
}
