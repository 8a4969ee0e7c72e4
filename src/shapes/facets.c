/* Triangles around points, one point after the other: what a point outside sees of the surface so
 * far is taken away, and joined to it anew from the rim.
 *
 * A point sees a triangle when it is above it by more than a tolerance; points that see none are
 * left out. What is seen is gathered from the triangle that the point is highest above, from
 * neighbour to neighbour, so that it has one rim whatever rounding does. */
#include "base/env.h"
#include "shapes/hull.h"

#include <string.h>

void scri_facets_free(scri_facets* f)
{
    scri_release(&f->env, f->facet);
    scri_release(&f->env, f->stack);
    scri_release(&f->env, f->rim);
    scri_release(&f->env, f->at);
    *f = (scri_facets){0};
}

static int grow(const scree_env* env, void** memory, size_t used, size_t wanted)
{
    void* more = scri_alloc(env, wanted);
    if (!more) return 0;
    if (used > 0) memcpy(more, *memory, used);
    scri_release(env, *memory);
    *memory = more;
    return 1;
}

/* Room for `extra` facets more. */
static int reserve(scri_facets* f, int32_t extra)
{
    if (f->n + extra <= f->room) return 1;
    if (f->n > INT32_MAX / 8 - extra) return 0;
    size_t used = (size_t)f->n, room = 2 * (used + (size_t)extra), had = (size_t)f->room;
    int grown = grow(&f->env, (void**)&f->facet, used * sizeof *f->facet, room * sizeof *f->facet);
    grown = grown && grow(&f->env, (void**)&f->stack, 0, room * sizeof *f->stack);
    grown = grown &&
            grow(&f->env, (void**)&f->rim, 2 * had * sizeof *f->rim, 2 * room * sizeof *f->rim);
    if (grown) f->room = (int32_t)room;
    return grown;
}

static int32_t add_facet(scri_facets* f, const scri_vec* x, int32_t a, int32_t b, int32_t c)
{
    scri_facet* made = &f->facet[f->n];
    scri_vec e = scri_vec_sub(x[b], x[a]), g = scri_vec_sub(x[c], x[a]);
    scri_vec normal = scri_vec_cross(e, g);
    double length = scri_vec_length(normal);
    *made = (scri_facet){.corner = {a, b, c}, .next = {-1, -1, -1}, .face = -1};
    made->normal = scri_vec_scale(length > 0.0 ? 1.0 / length : 0.0, normal);
    made->offset = scri_vec_dot(made->normal, x[a]);
    return f->n++;
}

static double above(const scri_facet* f, scri_vec x)
{
    return scri_vec_dot(f->normal, x) - f->offset;
}

/* ---- the first four corners ---- */

/* The point farthest from corner 0, from the line 0-1, from the plane 0-1-2. */
static int32_t farthest(int32_t n, const scri_vec* x, const int32_t* chosen, int count,
                        double* most)
{
    scri_vec o = x[chosen[0]], e = {0}, normal = {0};
    if (count > 1) e = scri_vec_sub(x[chosen[1]], o);
    if (count > 2) normal = scri_vec_cross(e, scri_vec_sub(x[chosen[2]], o));
    double length = count == 2 ? scri_vec_length(e) : count == 3 ? scri_vec_length(normal) : 1.0;
    int32_t best = 0;
    *most = -1.0;
    for (int32_t i = 0; i < n; ++i) {
        scri_vec d = scri_vec_sub(x[i], o);
        double away = count == 1   ? scri_vec_length(d)
                      : count == 2 ? scri_vec_length(scri_vec_cross(e, d)) / length
                                   : fabs(scri_vec_dot(normal, d)) / length;
        if (!(away > *most)) continue;
        *most = away;
        best = i;
    }
    return best;
}

static scree_status begin(scri_facets* f, int32_t n, const scri_vec* x, double tolerance)
{
    static const int around[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
    int32_t chosen[4] = {0};
    for (int32_t i = 1; i < n; ++i) {
        if (x[i].x < x[chosen[0]].x) chosen[0] = i;
    }
    for (int count = 1; count < 4; ++count) {
        double away;
        chosen[count] = farthest(n, x, chosen, count, &away);
        if (!(away > tolerance)) return SCREE_ERROR_INPUT;
    }
    scri_vec e = scri_vec_sub(x[chosen[1]], x[chosen[0]]),
             g = scri_vec_sub(x[chosen[2]], x[chosen[0]]);
    if (scri_vec_dot(scri_vec_cross(e, g), scri_vec_sub(x[chosen[3]], x[chosen[0]])) > 0.0) {
        int32_t kept = chosen[1];
        chosen[1] = chosen[2];
        chosen[2] = kept;
    }
    for (int k = 0; k < 4; ++k) {
        const int* c = around[k];
        add_facet(f, x, chosen[c[0]], chosen[c[1]], chosen[c[2]]);
    }
    for (int32_t i = 0; i < 4; ++i) { /* the side that has the same corners, the other way round */
        for (int k = 0; k < 3; ++k) {
            int32_t from = f->facet[i].corner[k], to = f->facet[i].corner[(k + 1) % 3];
            for (int32_t j = 0; j < 12; ++j) {
                const scri_facet* other = &f->facet[j / 3];
                if (other->corner[j % 3] == to && other->corner[(j + 1) % 3] == from) {
                    f->facet[i].next[k] = j / 3;
                }
            }
        }
    }
    return SCREE_OK;
}

/* ---- one more corner ---- */

/* The facet that x is highest above, if it is by more than the tolerance; -1 otherwise. */
static int32_t seen_most(const scri_facets* f, scri_vec x, double tolerance)
{
    int32_t best = -1;
    for (int32_t i = 0; i < f->n; ++i) {
        if (f->facet[i].is_gone) continue;
        double height = above(&f->facet[i], x);
        if (!(height > tolerance)) continue;
        tolerance = height;
        best = i;
    }
    return best;
}

/* Marks what x sees, beginning with `first`; returns the length of the rim. */
static int32_t gather(scri_facets* f, scri_vec x, int32_t first, double tolerance)
{
    int32_t n_stack = 0, n_rim = 0;
    f->stack[n_stack++] = first;
    f->facet[first].is_seen = 1;
    while (n_stack > 0) {
        int32_t i = f->stack[--n_stack];
        f->facet[i].is_gone = 1;
        for (int k = 0; k < 3; ++k) {
            int32_t j = f->facet[i].next[k];
            if (f->facet[j].is_seen) continue;
            if (above(&f->facet[j], x) > tolerance) {
                f->facet[j].is_seen = 1;
                f->stack[n_stack++] = j;
            } else {
                f->rim[2 * n_rim] = i;
                f->rim[2 * n_rim + 1] = k;
                ++n_rim;
            }
        }
    }
    return n_rim;
}

/* Joins the rim to the point. */
static void join(scri_facets* f, const scri_vec* x, int32_t point, int32_t n_rim)
{
    int32_t first = f->n;
    for (int32_t r = 0; r < n_rim; ++r) {
        int32_t old = f->rim[2 * r], k = f->rim[2 * r + 1];
        int32_t from = f->facet[old].corner[k], to = f->facet[old].corner[(k + 1) % 3];
        int32_t beyond = f->facet[old].next[k], made = add_facet(f, x, from, to, point);
        f->facet[made].next[0] = beyond;
        for (int e = 0; e < 3; ++e) {
            if (f->facet[beyond].corner[e] == to && f->facet[beyond].corner[(e + 1) % 3] == from) {
                f->facet[beyond].next[e] = made;
            }
        }
        f->at[from] = made;
    }
    for (int32_t i = first; i < f->n; ++i) {
        int32_t neighbour = f->at[f->facet[i].corner[1]];
        f->facet[i].next[1] = neighbour;
        f->facet[neighbour].next[2] = i;
    }
}

scree_status scri_facets_wrap(const scree_env* env, int32_t n, const scri_vec* points,
                              double tolerance, scri_facets* f)
{
    *f = (scri_facets){0};
    if (env) f->env = *env;
    f->at = scri_alloc(&f->env, (size_t)n * sizeof *f->at);
    if (!f->at || !reserve(f, 64)) return SCREE_ERROR_MEMORY;
    scree_status status = begin(f, n, points, tolerance);
    for (int32_t i = 0; !status && i < n; ++i) {
        int32_t seen = seen_most(f, points[i], tolerance);
        if (seen < 0) continue;
        int32_t n_rim = gather(f, points[i], seen, tolerance);
        if (!reserve(f, n_rim)) return SCREE_ERROR_MEMORY;
        join(f, points, i, n_rim);
    }
    return status;
}
