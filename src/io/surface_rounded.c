/* Rounded polyhedra as polygons: faces moved out, strips over edges, patches over corners. */
#include "io/surface.h"
#include "math/vec.h"

enum { STEPS = 4 }; /* of the arc over an edge */

typedef struct work {
    const scri_surface* core;
    scri_vec* normal; /* of the polygons of the core */
    scri_vec* middle; /* sums of normals at its points */
    double radius;
    scri_surface* out;
} work;

static scri_vec unit(scri_vec a)
{
    return scri_vec_scale(1.0 / scri_vec_length(a), a);
}

static scri_vec point_of(const scri_surface* s, int32_t i)
{
    return scri_vec_load(s->point + 3 * (size_t)i);
}

static int32_t first_of(const scri_surface* s, int32_t polygon)
{
    return polygon > 0 ? s->end[polygon - 1] : 0;
}

/* Corner number k of a polygon; the next of the last is the first. */
static int32_t corner_of(const scri_surface* s, int32_t polygon, int32_t k)
{
    int32_t begin = first_of(s, polygon);
    return s->corner[begin + k % (s->end[polygon] - begin)];
}

static void find_normals(work* w)
{
    const scri_surface* s = w->core;
    for (int32_t i = 0; i < s->n_points; ++i) w->middle[i] = (scri_vec){0.0, 0.0, 0.0};
    for (int32_t f = 0; f < s->n_polygons; ++f) {
        int32_t n = s->end[f] - first_of(s, f);
        scri_vec sum = {0.0, 0.0, 0.0}, o = point_of(s, corner_of(s, f, 0));
        for (int32_t k = 1; k + 1 < n; ++k) {
            scri_vec a = scri_vec_sub(point_of(s, corner_of(s, f, k)), o);
            scri_vec b = scri_vec_sub(point_of(s, corner_of(s, f, k + 1)), o);
            sum = scri_vec_add(sum, scri_vec_cross(a, b));
        }
        w->normal[f] = unit(sum);
        for (int32_t k = 0; k < n; ++k) {
            scri_vec* middle = &w->middle[corner_of(s, f, k)];
            *middle = scri_vec_add(*middle, w->normal[f]);
        }
    }
}

/* A corner of the polygon at hand: the point of the ball about a point of the core that looks along
 * `direction`. */
static void put_corner(const work* w, int32_t point, scri_vec direction)
{
    scri_surface* s = w->out;
    scri_vec x = scri_vec_add_scaled(point_of(w->core, point), w->radius, unit(direction));
    scri_vec_store(x, s->point + 3 * (size_t)s->n_points);
    s->corner[s->n_corners++] = s->n_points++;
}

static void end_polygon(const work* w)
{
    w->out->end[w->out->n_polygons++] = w->out->n_corners;
}

static scri_vec between(scri_vec a, scri_vec b, int k)
{
    double share = (double)k / STEPS;
    return scri_vec_add_scaled(scri_vec_scale(1.0 - share, a), share, b);
}

/* What of the ball at a point lies between its middle and the arc from u to v. */
static void put_patch(const work* w, int32_t point, scri_vec u, scri_vec v)
{
    scri_vec middle = unit(w->middle[point]);
    for (int i = 0; i < STEPS; ++i) {
        scri_vec a = between(u, v, i), b = between(u, v, i + 1);
        for (int k = 0; k < STEPS; ++k) {
            put_corner(w, point, between(middle, a, k));
            put_corner(w, point, between(middle, a, k + 1));
            put_corner(w, point, between(middle, b, k + 1));
            if (k > 0) put_corner(w, point, between(middle, b, k));
            end_polygon(w);
        }
    }
}

/* The strip over the edge from a to b, from the normal u of the polygon on its left to v. */
static void put_strip(const work* w, int32_t a, int32_t b, scri_vec u, scri_vec v)
{
    for (int i = 0; i < STEPS; ++i) {
        scri_vec from = between(u, v, i), to = between(u, v, i + 1);
        put_corner(w, b, from);
        put_corner(w, a, from);
        put_corner(w, a, to);
        put_corner(w, b, to);
        end_polygon(w);
    }
    put_patch(w, a, v, u);
    put_patch(w, b, u, v);
}

/* The polygon that has the side from a to b. */
static int32_t polygon_with(const scri_surface* s, int32_t a, int32_t b)
{
    for (int32_t f = 0; f < s->n_polygons; ++f) {
        int32_t n = s->end[f] - first_of(s, f);
        for (int32_t k = 0; k < n; ++k) {
            if (corner_of(s, f, k) == a && corner_of(s, f, k + 1) == b) return f;
        }
    }
    return -1;
}

static void put_face(const work* w, int32_t f)
{
    const scri_surface* s = w->core;
    int32_t n = s->end[f] - first_of(s, f);
    for (int32_t k = 0; k < n; ++k) put_corner(w, corner_of(s, f, k), w->normal[f]);
    end_polygon(w);
    for (int32_t k = 0; k < n; ++k) {
        int32_t a = corner_of(s, f, k), b = corner_of(s, f, k + 1), other = polygon_with(s, b, a);
        if (other > f) put_strip(w, a, b, w->normal[f], w->normal[other]);
    }
}

int scri_surface_round(scri_arena* arena, const scri_surface* core, double radius,
                       scri_surface* out)
{
    int32_t edges = core->n_corners / 2;
    int32_t polygons = core->n_polygons + edges * (STEPS + 2 * STEPS * STEPS);
    int32_t corners = core->n_corners + 4 * (polygons - core->n_polygons);
    work w = {.core = core, .radius = radius, .out = out};
    w.normal = scri_arena_take(arena, (size_t)core->n_polygons, sizeof *w.normal);
    w.middle = scri_arena_take(arena, (size_t)core->n_points, sizeof *w.middle);
    if (!w.normal || !w.middle || !scri_surface_reserve(arena, corners, polygons, corners, out)) {
        return 0;
    }
    find_normals(&w);
    for (int32_t f = 0; f < core->n_polygons; ++f) put_face(&w, f);
    return 1;
}
