/* Convex parts of a closed mesh. The part whose hull holds most that is not its own is cut in two,
 * by the plane among a few candidates that leaves the least of that, until little is left. */
#include "shapes/split.h"

#include "base/env.h"
#include "shapes/hull.h"
#include "shapes/mesh.h"

#include <stdlib.h>
#include <string.h>

/* Relative to the extent: points that are on a plane. Relative to the volume: parts and gains that
 * are none. */
#define SAME 1e-9
#define LITTLE 1e-9

/* What an uneven cut must be better by: a ring cut in halves has hulls as large as before, and yet
 * that is the way to its parts. */
#define BALANCE 0.05

/* Edges that are tried, each with the planes of its two faces and the one between. */
enum { MOST_EDGES = 8, MOST_CUTS = 3 * MOST_EDGES + 3 };

/* An edge where the surface bends inwards. */
typedef struct bend {
    scri_vec at[2], normal[2];
} bend;

typedef struct piece {
    scri_chain chain;
    scree_hull* hull;
    double volume, excess; /* of the chain, and what the hull holds more */
    int is_done;           /* no cut helps */
} piece;

typedef struct work {
    scree_env env; /* without a log: points in a plane are no error here */
    scri_chain whole;
    double extent, volume;
    int32_t n_bends;
    bend* bends;
    int32_t n, most;
    piece* pieces;
} work;

static void release_piece(work* w, piece* p)
{
    scri_release(&w->env, p->chain.triangle);
    scree_hull_destroy(p->hull);
    *p = (piece){.hull = NULL};
}

/* ---- hulls of parts ---- */

static int compare_points(const void* a, const void* b)
{
    const double *x = a, *y = b;
    for (int k = 0; k < 3; ++k) {
        if (x[k] != y[k]) return x[k] < y[k] ? -1 : 1;
    }
    return 0;
}

/* Corners of the part; those of caps alone only if they lie in the mesh. Returns their number. */
static int32_t gather_points(const work* w, const scri_chain* chain, double* x)
{
    size_t n = 0, kept = 0;
    for (int32_t i = 0; i < chain->n; ++i) {
        for (int k = 0; k < 3; ++k) {
            scri_vec at = chain->triangle[i].at[k];
            if (chain->triangle[i].is_cap && !(scri_chain_winding(&w->whole, at) > 0.1)) continue;
            scri_vec_store(at, x + 3 * n++);
        }
    }
    qsort(x, n, 3 * sizeof *x, compare_points);
    for (size_t i = 0; i < n; ++i) {
        if (kept > 0 && compare_points(x + 3 * i, x + 3 * (kept - 1)) == 0) continue;
        memmove(x + 3 * kept++, x + 3 * i, 3 * sizeof *x);
    }
    return (int32_t)kept;
}

/* Measures a chain; the piece has no hull where there is nothing to speak of. */
static scree_status measure(work* w, piece* p)
{
    p->volume = scri_chain_volume(&p->chain);
    p->excess = 0.0;
    if (!(p->volume > LITTLE * w->volume)) return SCREE_OK;
    double* points = scri_alloc(&w->env, 9 * (size_t)p->chain.n * sizeof *points);
    if (!points) return SCREE_ERROR_MEMORY;
    int32_t n = gather_points(w, &p->chain, points);
    scree_status status = scree_hull_create(&w->env, n, points, &p->hull);
    scri_release(&w->env, points);
    if (status == SCREE_ERROR_INPUT) p->volume = 0.0; /* flat but for rounding */
    if (!status) p->excess = p->hull->view.volume - p->volume;
    return status == SCREE_ERROR_INPUT ? SCREE_OK : status;
}

static scree_status cut_piece(work* w, const piece* p, scri_cut cut, piece out[2])
{
    size_t n = 4 * (size_t)p->chain.n + 4;
    scri_vec* rim = scri_alloc(&w->env, 3 * n * sizeof *rim);
    scree_status status = rim ? SCREE_OK : SCREE_ERROR_MEMORY;
    out[0] = out[1] = (piece){.hull = NULL};
    for (int k = 0; k < 2 && !status; ++k) {
        out[k].chain.triangle = scri_alloc(&w->env, n * sizeof *out[k].chain.triangle);
        if (!out[k].chain.triangle) {
            status = SCREE_ERROR_MEMORY;
            break;
        }
        scri_chain_clip(&p->chain, &cut, SAME * w->extent, rim, &out[k].chain);
        status = measure(w, &out[k]);
        cut.normal = scri_vec_scale(-1.0, cut.normal);
        cut.offset = -cut.offset;
    }
    scri_release(&w->env, rim);
    return status;
}

/* ---- candidates ---- */

static scri_cut cut_through(scri_vec x, scri_vec normal)
{
    scri_vec n = scri_vec_scale(1.0 / scri_vec_length(normal), normal);
    return (scri_cut){n, scri_vec_dot(n, x)};
}

/* How deep a point lies in a hull; below 0 outside. */
static double depth_in(const scree_hull* h, scri_vec x)
{
    double least = SCREE_INFINITY;
    scri_vec d = scri_vec_sub(x, scri_vec_load(h->view.centre));
    for (int32_t f = 0; f < h->view.n_faces; ++f) {
        const double* plane = h->plane + 4 * (size_t)f;
        least = fmin(least, plane[3] - scri_vec_dot(scri_vec_load(plane), d));
    }
    return least;
}

/* The bends that lie deepest in the hull, of each as much as counts: depth times length. */
static int find_bends(const work* w, const piece* p, const bend* found[MOST_EDGES])
{
    double rank[MOST_EDGES];
    int n = 0;
    for (int32_t i = 0; i < w->n_bends; ++i) {
        const bend* b = &w->bends[i];
        scri_vec middle = scri_vec_scale(0.5, scri_vec_add(b->at[0], b->at[1]));
        double length = scri_vec_length(scri_vec_sub(b->at[1], b->at[0]));
        double own = depth_in(p->hull, middle) * length;
        if (!(own > SAME * w->extent * w->extent)) continue;
        if (n == MOST_EDGES && !(own > rank[n - 1])) continue;
        int k = n < MOST_EDGES ? n++ : n - 1;
        for (; k > 0 && own > rank[k - 1]; --k) {
            rank[k] = rank[k - 1];
            found[k] = found[k - 1];
        }
        rank[k] = own;
        found[k] = b;
    }
    return n;
}

static int find_cuts(const work* w, const piece* p, scri_cut cuts[MOST_CUTS])
{
    const bend* bends[MOST_EDGES];
    int n = 0, n_bends = find_bends(w, p, bends);
    for (int i = 0; i < n_bends; ++i) {
        const bend* b = bends[i];
        scri_vec across = scri_vec_sub(b->normal[0], b->normal[1]);
        cuts[n++] = cut_through(b->at[0], b->normal[0]);
        cuts[n++] = cut_through(b->at[0], b->normal[1]);
        cuts[n++] = cut_through(b->at[0], across); /* holds the edge and halves its angle */
    }
    scri_vec middle = scri_vec_load(p->hull->view.centre);
    for (int k = 0; k < 3; ++k) {
        scri_vec axis = {k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0};
        cuts[n++] = cut_through(middle, axis);
    }
    return n;
}

/* ---- all of it ---- */

/* Cuts a piece in two, or knows that no cut helps. */
static scree_status split_piece(work* w, int32_t i)
{
    piece* p = &w->pieces[i];
    piece best[2] = {{.hull = NULL}, {.hull = NULL}};
    scri_cut cuts[MOST_CUTS];
    double least = SCREE_INFINITY;
    int n = find_cuts(w, p, cuts), found = 0;
    scree_status status = SCREE_OK;
    for (int k = 0; k < n && !status; ++k) {
        piece two[2];
        status = cut_piece(w, p, cuts[k], two);
        double left = two[0].excess + two[1].excess, whole = two[0].volume + two[1].volume;
        double uneven = fabs(two[0].volume - two[1].volume) / whole;
        double rank = left + BALANCE * p->excess * uneven;
        int helps = two[0].hull && two[1].hull && left <= p->excess + LITTLE * w->volume;
        int is_better = !status && helps && rank < least;
        for (int e = 0; e < 2; ++e) release_piece(w, is_better ? &best[e] : &two[e]);
        if (!is_better) continue;
        memcpy(best, two, sizeof best);
        least = rank;
        found = 1;
    }
    if (!found) p->is_done = 1;
    if (!found) return status;
    release_piece(w, p);
    w->pieces[i] = best[0];
    w->pieces[w->n++] = best[1];
    return status;
}

static scree_status split_all(work* w, double error)
{
    for (;;) {
        double left = 0.0, most = 0.0;
        int32_t worst = -1;
        for (int32_t i = 0; i < w->n; ++i) {
            left += w->pieces[i].excess;
            if (w->pieces[i].is_done || !(w->pieces[i].excess > most)) continue;
            most = w->pieces[i].excess;
            worst = i;
        }
        if (left <= error * w->volume || worst < 0 || w->n == w->most) return SCREE_OK;
        scree_status status = split_piece(w, worst);
        if (status) return status;
    }
}

/* Triangles of the mesh about the middle of its box, and its bends. SCREE_ERROR_INPUT for a rim. */
static scree_status load_mesh(const scree_env* env, work* w, const scree_mesh* mesh)
{
    int32_t n = mesh->view.n_triangles;
    w->whole.triangle = scri_alloc(&w->env, (size_t)n * sizeof *w->whole.triangle);
    w->bends = scri_alloc(&w->env, 3 * (size_t)n * sizeof *w->bends);
    if (!w->whole.triangle || !w->bends) return SCREE_ERROR_MEMORY;
    for (int32_t t = 0; t < n; ++t) {
        scri_triangle* out = &w->whole.triangle[w->whole.n++];
        int32_t corner[3];
        scri_mesh_corners(mesh, t, corner);
        out->is_cap = 0;
        for (int k = 0; k < 3; ++k) out->at[k] = scri_mesh_point(mesh, corner[k]);
    }
    for (int32_t side = 0; side < 3 * n; ++side) {
        int32_t twin = scri_mesh_twin(mesh, side);
        if (twin < 0 || scri_mesh_is_raster(mesh)) {
            return scri_fail(env, SCREE_ERROR_INPUT, "the mesh is not closed: it has a rim");
        }
        if (twin < side) continue;
        const scri_vec *p = w->whole.triangle[side / 3].at, *q = w->whole.triangle[twin / 3].at;
        scri_vec n1 = scri_vec_cross(scri_vec_sub(p[1], p[0]), scri_vec_sub(p[2], p[0]));
        scri_vec n2 = scri_vec_cross(scri_vec_sub(q[1], q[0]), scri_vec_sub(q[2], q[0]));
        bend b = {{p[side % 3], p[(side + 1) % 3]}, {n1, n2}};
        for (int k = 0; k < 2; ++k) {
            b.normal[k] = scri_vec_scale(1.0 / scri_vec_length(b.normal[k]), b.normal[k]);
        }
        double above = scri_vec_dot(b.normal[0], scri_vec_sub(q[(twin + 2) % 3], b.at[0]));
        if (above > SAME * w->extent) w->bends[w->n_bends++] = b;
    }
    return SCREE_OK;
}

static scree_status begin(const scree_env* env, work* w, const scree_mesh* mesh)
{
    const double *low = mesh->view.lower, *high = mesh->view.upper;
    for (int k = 0; k < 3; ++k) w->extent = fmax(w->extent, high[k] - low[k]);
    scree_status status = load_mesh(env, w, mesh);
    if (status) return status;
    w->volume = scri_chain_volume(&w->whole);
    double least = SAME * w->extent * w->extent * w->extent;
    if (!(w->volume > least)) {
        return scri_fail(env, SCREE_ERROR_INPUT, "the mesh holds %g m^3: %s", w->volume,
                         w->volume < -least ? "its triangles face in" : "it is flat");
    }
    return SCREE_OK;
}

static scree_status first_piece(work* w)
{
    w->pieces = scri_alloc(&w->env, (size_t)w->most * sizeof *w->pieces);
    if (!w->pieces) return SCREE_ERROR_MEMORY;
    size_t bytes = (size_t)w->whole.n * sizeof *w->whole.triangle;
    piece* p = &w->pieces[w->n++];
    *p = (piece){.chain = {w->whole.n, scri_alloc(&w->env, bytes)}};
    if (!p->chain.triangle) return SCREE_ERROR_MEMORY;
    memcpy(p->chain.triangle, w->whole.triangle, bytes);
    return measure(w, p);
}

scree_status scree_mesh_split(const scree_env* env, const scree_mesh* mesh, double error,
                              int32_t most, scree_hull** parts, int32_t* n_parts, double* left)
{
    if (!mesh || !parts || !n_parts || !left) {
        return scri_fail(env, SCREE_ERROR_ARGUMENT, "scree_mesh_split: a NULL pointer");
    }
    *n_parts = 0;
    *left = SCREE_NAN;
    if (!(error >= 0.0) || most < 1) {
        return scri_fail(env, SCREE_ERROR_INPUT, "an error of %g in %d parts", error, (int)most);
    }
    work w = {.most = most};
    if (env) w.env = *env;
    w.env.log = NULL;
    scree_status status = begin(env, &w, mesh);
    if (!status) status = first_piece(&w);
    if (!status) status = split_all(&w, error);
    double excess = 0.0;
    for (int32_t i = 0; i < w.n; ++i) {
        excess += w.pieces[i].excess;
        if (!status) parts[(*n_parts)++] = w.pieces[i].hull;
        if (!status) w.pieces[i].hull = NULL; /* the caller's from now on */
        release_piece(&w, &w.pieces[i]);
    }
    if (!status) *left = excess / w.volume;
    scri_release(&w.env, w.pieces);
    scri_release(&w.env, w.whole.triangle);
    scri_release(&w.env, w.bends);
    return status;
}

scree_status scree_mesh_mass(const scree_env* env, const scree_mesh* mesh, double density,
                             scree_mass* out)
{
    if (!mesh || !out) return scri_fail(env, SCREE_ERROR_ARGUMENT, "scree_mesh_mass: NULL");
    *out = (scree_mass){0};
    if (!(density > 0.0 && isfinite(density))) {
        return scri_fail(env, SCREE_ERROR_INPUT, "density %g must be positive and finite", density);
    }
    work w = {.n = 0};
    if (env) w.env = *env;
    scree_status status = begin(env, &w, mesh);
    scri_moments m = {0};
    if (!status) {
        scri_chain_moments(&w.whole, &m);
        scri_moments_to_mass(&m, density, out);
    }
    scri_release(&w.env, w.whole.triangle);
    scri_release(&w.env, w.bends);
    return status;
}
