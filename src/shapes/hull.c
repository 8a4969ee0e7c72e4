/* From points to a convex polyhedron: triangles around them, faces of those that lie in one plane,
 * mass, and what the narrow phase wants to know. */
#include "shapes/hull.h"

#include "base/env.h"
#include "base/fill.h"

/* Relative to the extent of the points: what counts as in a plane. */
#define IN_SURFACE 1e-10
#define IN_FACE 1e-9

/* ---- faces ---- */

/* A hull being made. */
typedef struct builder {
    const scree_env* env;
    scree_hull* hull;
    scri_facets facets;
    scri_vec* points;
    int32_t n_points;
    int32_t* follower; /* [n_points] next corner around the face at hand */
    int32_t* number;   /* [n_points] corner that a point has become, -1 */
    double extent;
} builder;

/* Triangles from `first` on that lie in its plane, neighbour by neighbour. */
static void merge_from(builder* b, int32_t first, int32_t face)
{
    scri_facets* f = &b->facets;
    const scri_facet* seed = &f->facet[first];
    int32_t n_stack = 0;
    f->facet[first].face = face;
    f->stack[n_stack++] = first;
    while (n_stack > 0) {
        const scri_facet* t = &f->facet[f->stack[--n_stack]];
        for (int k = 0; k < 3; ++k) {
            scri_facet* other = &f->facet[t->next[k]];
            int flat = other->face < 0;
            for (int e = 0; e < 3 && flat; ++e) {
                double off = scri_vec_dot(seed->normal, b->points[other->corner[e]]) - seed->offset;
                flat = fabs(off) <= IN_FACE * b->extent;
            }
            if (!flat) continue;
            other->face = face;
            f->stack[n_stack++] = t->next[k];
        }
    }
}

static double area_of(const builder* b, const scri_facet* t)
{
    const scri_vec* x = b->points;
    scri_vec e = scri_vec_sub(x[t->corner[1]], x[t->corner[0]]);
    return scri_vec_length(scri_vec_cross(e, scri_vec_sub(x[t->corner[2]], x[t->corner[0]])));
}

/* Faces, the largest triangle that is left first: its plane is known best. */
static int32_t merge(builder* b)
{
    scri_facets* f = &b->facets;
    for (int32_t n = 0;; ++n) {
        int32_t best = -1;
        double most = -1.0;
        for (int32_t i = 0; i < f->n; ++i) {
            const scri_facet* t = &f->facet[i];
            if (t->is_gone || t->face >= 0 || !(area_of(b, t) > most)) continue;
            most = area_of(b, t);
            best = i;
        }
        if (best < 0) return n;
        merge_from(b, best, n);
    }
}

/* ---- corners ---- */

static int32_t corner_of(builder* b, int32_t point)
{
    scree_hull* h = b->hull;
    if (b->number[point] < 0) {
        b->number[point] = h->view.n_corners;
        h->corner[h->view.n_corners++] = b->points[point];
    }
    return b->number[point];
}

/* The corners around a face, in turn; returns their number. */
static int32_t walk_around(builder* b, int32_t face, int32_t* out)
{
    const scri_facets* f = &b->facets;
    int32_t first = -1, n = 0, sides = 0;
    for (int32_t i = 0; i < f->n; ++i) {
        const scri_facet* t = &f->facet[i];
        if (t->is_gone || t->face != face) continue;
        for (int k = 0; k < 3; ++k) {
            if (f->facet[t->next[k]].face == face) continue;
            b->follower[t->corner[k]] = t->corner[(k + 1) % 3];
            first = t->corner[k];
            ++sides;
        }
    }
    for (int32_t at = first; n < sides; at = b->follower[at]) {
        out[n++] = corner_of(b, at);
        if (b->follower[at] == first) break;
    }
    return n;
}

static void write_plane(const scree_hull* h, int32_t face, double plane[4])
{
    scri_vec normal = {0.0, 0.0, 0.0}, o = h->corner[h->of_faces[h->start[face]]];
    double sum = 0.0;
    for (int32_t k = h->start[face] + 1; k + 1 < h->start[face + 1]; ++k) {
        scri_vec e = scri_vec_sub(h->corner[h->of_faces[k]], o);
        scri_vec g = scri_vec_sub(h->corner[h->of_faces[k + 1]], o);
        normal = scri_vec_add(normal, scri_vec_cross(e, g));
    }
    normal = scri_vec_scale(1.0 / scri_vec_length(normal), normal);
    for (int32_t k = h->start[face]; k < h->start[face + 1]; ++k) {
        sum += scri_vec_dot(normal, h->corner[h->of_faces[k]]);
    }
    scri_vec_store(normal, plane);
    plane[3] = sum / (h->start[face + 1] - h->start[face]);
}

/* Every edge once: from the face in which it runs to the higher corner. */
static void list_edges(scree_hull* h)
{
    for (int32_t f = 0; f < h->view.n_faces; ++f) {
        for (int32_t k = h->start[f]; k < h->start[f + 1]; ++k) {
            int32_t next = k + 1 < h->start[f + 1] ? k + 1 : h->start[f];
            int32_t from = h->of_faces[k], to = h->of_faces[next];
            if (from > to) continue;
            h->edge[2 * h->n_edges] = from;
            h->edge[2 * h->n_edges++ + 1] = to;
        }
    }
}

/* ---- mass ---- */

/* Volume, centre and inertia for density 1, as a sum over the pyramids from a point inside. */
static void weigh(builder* b)
{
    static const int row[] = {0, 1, 2, 0, 0, 1}, column[] = {0, 1, 2, 1, 2, 2};
    scree_hull* h = b->hull;
    double volume = 0.0, first[3] = {0.0}, second[6] = {0.0};
    scri_vec inside = {0.0, 0.0, 0.0};
    for (int32_t i = 0; i < h->view.n_corners; ++i) {
        inside = scri_vec_add_scaled(inside, 1.0 / h->view.n_corners, h->corner[i]);
    }
    for (int32_t i = 0; i < b->facets.n; ++i) {
        const scri_facet* t = &b->facets.facet[i];
        if (t->is_gone) continue;
        double x[4][3] = {{0.0}};
        for (int k = 0; k < 3; ++k) {
            scri_vec_store(scri_vec_sub(b->points[t->corner[k]], inside), x[k]);
            for (int e = 0; e < 3; ++e) x[3][e] += x[k][e];
        }
        scri_vec normal = scri_vec_cross(scri_vec_load(x[0]), scri_vec_load(x[1]));
        double part = scri_vec_dot(normal, scri_vec_load(x[2])) / 6.0;
        volume += part;
        for (int e = 0; e < 3; ++e) first[e] += 0.25 * part * x[3][e];
        for (int e = 0; e < 6; ++e) {
            double sum = 0.0;
            for (int k = 0; k < 4; ++k) sum += x[k][row[e]] * x[k][column[e]];
            second[e] += part / 20.0 * sum;
        }
    }
    double centre[3] = {first[0] / volume, first[1] / volume, first[2] / volume};
    for (int e = 0; e < 6; ++e) second[e] -= volume * centre[row[e]] * centre[column[e]];
    double trace = second[0] + second[1] + second[2];
    h->view.volume = volume;
    for (int e = 0; e < 6; ++e) h->view.inertia[e] = (e < 3 ? trace : 0.0) - second[e];
    scri_vec_store(scri_vec_add(inside, scri_vec_load(centre)), h->view.centre);
}

/* ---- the narrow phase ---- */

/* Solves the symmetric positive definite system m x = r, m as xx yy zz xy xz yz. */
static scri_vec solve(const double m[6], scri_vec r)
{
    scri_vec p = {m[0], m[3], m[4]}, q = {m[3], m[1], m[5]}, s = {m[4], m[5], m[2]};
    scri_vec qs = scri_vec_cross(q, s), sp = scri_vec_cross(s, p), pq = scri_vec_cross(p, q);
    double determinant = scri_vec_dot(p, qs);
    return (scri_vec){scri_vec_dot(qs, r) / determinant, scri_vec_dot(sp, r) / determinant,
                      scri_vec_dot(pq, r) / determinant};
}

/* Where corners go when all faces move in: by least squares, as more than three may meet in one;
 * and no farther than when the whole is shrunk. */
static void find_slides(scree_hull* h)
{
    for (int32_t v = 0; v < h->view.n_corners; ++v) {
        double m[6] = {1e-6, 1e-6, 1e-6, 0.0, 0.0, 0.0};
        scri_vec sum = {0.0, 0.0, 0.0};
        for (int32_t f = 0; f < h->view.n_faces; ++f) {
            int meets = 0;
            for (int32_t k = h->start[f]; k < h->start[f + 1]; ++k) meets |= h->of_faces[k] == v;
            if (!meets) continue;
            const double* n = h->plane + 4 * (size_t)f;
            sum = scri_vec_add(sum, scri_vec_load(n));
            for (int e = 0; e < 3; ++e) m[e] += n[e] * n[e];
            m[3] += n[0] * n[1];
            m[4] += n[0] * n[2];
            m[5] += n[1] * n[2];
        }
        scri_vec slide = solve(m, sum), shrink = scri_vec_scale(1.0 / h->inner, h->corner[v]);
        if (!(scri_vec_length(slide) < scri_vec_length(shrink))) slide = shrink;
        h->slide[v] = slide;
        h->spike = fmax(h->spike, scri_vec_length(slide));
    }
}

/* Moves the origin to the centre of mass and measures from there. */
static void settle(scree_hull* h)
{
    scri_vec centre = scri_vec_load(h->view.centre);
    for (int32_t v = 0; v < h->view.n_corners; ++v) {
        h->corner[v] = scri_vec_sub(h->corner[v], centre);
        h->radius = fmax(h->radius, scri_vec_length(h->corner[v]));
    }
    h->inner = SCREE_INFINITY;
    for (int32_t f = 0; f < h->view.n_faces; ++f) {
        write_plane(h, f, h->plane + 4 * (size_t)f);
        h->inner = fmin(h->inner, h->plane[4 * (size_t)f + 3]);
    }
    list_edges(h);
    find_slides(h);
}

/* ---- creation ---- */

static void* take(const builder* b, size_t count, size_t item)
{
    return scri_alloc(b->env, (count > 0 ? count : 1) * item);
}

static scree_status no_memory(const scree_env* env, int32_t n)
{
    return scri_fail(env, SCREE_ERROR_MEMORY, "no memory for the hull of %d points", (int)n);
}

/* Points from the first one, so that digits are left where they lie far from the origin. */
static scree_status read_points(builder* b, const double* points)
{
    scri_vec origin = scri_vec_load(points);
    b->points = take(b, (size_t)b->n_points, sizeof *b->points);
    if (!b->points) return no_memory(b->env, b->n_points);
    for (int32_t i = 0; i < b->n_points; ++i) {
        scri_vec x = scri_vec_load(points + 3 * (size_t)i);
        if (!(isfinite(x.x) && isfinite(x.y) && isfinite(x.z))) {
            return scri_fail(b->env, SCREE_ERROR_INPUT, "hull: point %d is not finite", (int)i);
        }
        b->points[i] = scri_vec_sub(x, origin);
        b->extent = fmax(b->extent, scri_vec_length(b->points[i]));
    }
    return SCREE_OK;
}

static scree_status make_room(builder* b, int32_t n_facets, int32_t n_faces)
{
    scree_hull* h = b->hull;
    size_t n = (size_t)b->n_points, sides = 3 * (size_t)n_facets;
    b->follower = take(b, n, sizeof *b->follower);
    b->number = take(b, n, sizeof *b->number);
    h->corner = take(b, n, sizeof *h->corner);
    h->plane = take(b, 4 * (size_t)n_faces, sizeof *h->plane);
    h->start = take(b, (size_t)n_faces + 1, sizeof *h->start);
    h->of_faces = take(b, sides, sizeof *h->of_faces);
    h->edge = take(b, sides, sizeof *h->edge);
    if (!b->follower || !b->number || !h->corner || !h->plane || !h->start || !h->of_faces ||
        !h->edge) {
        return no_memory(b->env, b->n_points);
    }
    return SCREE_OK;
}

static scree_status build(builder* b, const double* points)
{
    scree_hull* h = b->hull;
    scree_status status = read_points(b, points);
    if (status) return status;
    status = scri_facets_wrap(b->env, b->n_points, b->points, IN_SURFACE * b->extent, &b->facets);
    if (status == SCREE_ERROR_MEMORY) return no_memory(b->env, b->n_points);
    if (status) {
        return scri_fail(b->env, SCREE_ERROR_INPUT,
                         "hull: all %d points lie in a plane: it has no volume", (int)b->n_points);
    }
    int32_t n_facets = 0, n_faces = merge(b);
    for (int32_t i = 0; i < b->facets.n; ++i) n_facets += !b->facets.facet[i].is_gone;
    status = make_room(b, n_facets, n_faces);
    if (status) return status;
    for (int32_t i = 0; i < b->n_points; ++i) b->number[i] = -1;
    h->start[0] = 0;
    for (int32_t f = 0; f < n_faces; ++f) {
        h->start[f + 1] = h->start[f] + walk_around(b, f, h->of_faces + h->start[f]);
    }
    if (h->view.n_corners > SCREE_HULL_CORNERS) {
        return scri_fail(b->env, SCREE_ERROR_INPUT, "hull: %d corners, more than %d",
                         (int)h->view.n_corners, (int)SCREE_HULL_CORNERS);
    }
    h->view.n_faces = n_faces;
    h->slide = take(b, (size_t)h->view.n_corners, sizeof *h->slide);
    if (!h->slide) return no_memory(b->env, b->n_points);
    weigh(b);
    settle(h);
    if (!(h->view.volume > 0.0 && h->inner > 0.0 && isfinite(h->view.volume))) {
        return scri_fail(b->env, SCREE_ERROR_INPUT, "hull: volume %g is out of range",
                         h->view.volume);
    }
    for (int k = 0; k < 3; ++k) h->view.centre[k] += points[k];
    h->view.corners = &h->corner[0].x;
    h->view.face_start = h->start;
    h->view.face_corners = h->of_faces;
    h->view.planes = h->plane;
    return SCREE_OK;
}

scree_status scree_hull_create(const scree_env* env, int32_t n, const double* points,
                               scree_hull** out)
{
    if (!out) return scri_fail(env, SCREE_ERROR_ARGUMENT, "no place for the hull");
    *out = NULL;
    if (n < 0 || (n > 0 && !points)) return scri_fail(env, SCREE_ERROR_ARGUMENT, "no points");
    if (n < 4) {
        return scri_fail(env, SCREE_ERROR_INPUT, "hull: %d points; it takes four at least", (int)n);
    }
    builder b = {.env = env, .n_points = n, .hull = scri_alloc(env, sizeof *b.hull)};
    if (!b.hull) return no_memory(env, n);
    *b.hull = (scree_hull){.view = {.struct_size = sizeof b.hull->view}};
    if (env) b.hull->env = *env;
    scree_status status = build(&b, points);
    scri_facets_free(&b.facets);
    scri_release(env, b.points);
    scri_release(env, b.follower);
    scri_release(env, b.number);
    if (status) {
        scree_hull_destroy(b.hull);
    } else {
        *out = b.hull;
    }
    return status;
}

void scree_hull_destroy(scree_hull* hull)
{
    if (!hull) return;
    scree_env env = hull->env;
    scri_release(&env, hull->corner);
    scri_release(&env, hull->slide);
    scri_release(&env, hull->plane);
    scri_release(&env, hull->start);
    scri_release(&env, hull->of_faces);
    scri_release(&env, hull->edge);
    scri_release(&env, hull);
}

void scree_hull_fill_view(const scree_hull* hull, scree_hull_view* view)
{
    if (!view) return;
    static const scree_hull_view none;
    scri_fill(view, view->struct_size, hull ? &hull->view : &none, sizeof none);
}
