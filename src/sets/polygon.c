/* Polygons, convex or only star-shaped about the origin.
 *
 * The table holds for every vertex x, y, and the gradient of the gauge over the edge that begins
 * there: in the sector of an edge the gauge is linear. */
#include "base/env.h"
#include "math/constants.h"
#include "sets/kind.h"

#define SLIVER 1e-12 /* least sine of the angle under which the origin sees an edge */

enum { WIDTH = 4 };

static const double* vertex(const scree_set* set, int32_t i)
{
    return set->table + (size_t)WIDTH * (size_t)(i < set->n ? i : i - set->n);
}

static void edge(const double* from, const double* to, double out[2])
{
    out[0] = to[0] - from[0];
    out[1] = to[1] - from[1];
}

/* ---- creation ---- */

static scree_status check_sizes(const scree_env* env, const scree_set* set)
{
    for (int32_t i = 0; i < set->n; ++i) {
        double length = scri_length2(vertex(set, i));
        if (length >= SCRI_SET_SMALLEST && length <= SCRI_SET_LARGEST) continue;
        return scri_fail(env, SCREE_ERROR_INPUT,
                         "polygon: vertex %d is %g from the origin (with its scale), not %g .. %g",
                         (int)i, length, SCRI_SET_SMALLEST, SCRI_SET_LARGEST);
    }
    return SCREE_OK;
}

/* Every edge must be seen from the origin under a positive angle, and all of them make one turn. */
static scree_status check_star(const scree_env* env, const scree_set* set)
{
    double turn = 0.0;
    for (int32_t i = 0; i < set->n; ++i) {
        const double *p = vertex(set, i), *q = vertex(set, i + 1);
        double area = scri_cross2(p, q), size = scri_length2(p) * scri_length2(q);
        if (!(area > SLIVER * size)) {
            return scri_fail(env, SCREE_ERROR_INPUT,
                             "polygon: the edge from vertex %d (%g, %g) to (%g, %g) does not run "
                             "counter-clockwise about the origin",
                             (int)i, p[0], p[1], q[0], q[1]);
        }
        turn += atan2(area, scri_dot2(p, q));
    }
    if (turn > SCRI_PI && turn < 3.0 * SCRI_PI) return SCREE_OK;
    return scri_fail(env, SCREE_ERROR_INPUT,
                     "polygon: it goes %.0f times around the origin, not once",
                     turn / (2.0 * SCRI_PI));
}

/* Rounding may bend a straight line of vertices by as much as SLIVER. */
static int is_convex(const scree_set* set)
{
    for (int32_t i = 0; i < set->n; ++i) {
        double in[2], out[2];
        edge(vertex(set, i), vertex(set, i + 1), in);
        edge(vertex(set, i + 1), vertex(set, (i + 2) % set->n), out);
        double size = scri_length2(in) * scri_length2(out);
        if (!(scri_cross2(in, out) >= -SLIVER * size)) return 0;
    }
    return 1;
}

static scree_status init(const scree_env* env, const scree_set_def* def, double scale,
                         scree_set* set)
{
    double* table = set->table;
    for (int32_t i = 0; i < def->n; ++i) {
        table[WIDTH * i] = scale * def->points[2 * i];
        table[WIDTH * i + 1] = scale * def->points[2 * i + 1];
    }
    scree_status status = check_sizes(env, set);
    if (!status) status = check_star(env, set);
    if (status) return status;
    for (int32_t i = 0; i < def->n; ++i) {
        double along[2];
        const double *p = vertex(set, i), *q = vertex(set, i + 1);
        edge(p, q, along);
        double area = scri_cross2(p, q);
        table[WIDTH * i + 2] = along[1] / area;
        table[WIDTH * i + 3] = -along[0] / area;
    }
    set->is_convex = is_convex(set);
    return SCREE_OK;
}

/* ---- gauge ---- */

/* Whether, turning counter-clockwise from vertex 0, u comes after p or at it. */
static int comes_after(const double* start, const double* p, const double u[2])
{
    double up = scri_cross2(start, u), pp = scri_cross2(start, p);
    int u_late = up < 0.0 || (up == 0.0 && scri_dot2(start, u) < 0.0);
    int p_late = pp < 0.0 || (pp == 0.0 && scri_dot2(start, p) < 0.0);
    return u_late != p_late ? u_late : scri_cross2(p, u) >= 0.0;
}

/* The vertex at which the edge in the direction u begins. */
static int32_t sector(const scree_set* set, const double u[2])
{
    int32_t low = 0, high = set->n;
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        if (comes_after(set->table, vertex(set, middle), u)) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

static double gauge(const scree_set* set, const double u[2], double gradient[2], double* bend)
{
    const double* p = vertex(set, sector(set, u));
    gradient[0] = p[2];
    gradient[1] = p[3];
    *bend = 0.0;
    return scri_dot2(gradient, u);
}

/* ---- support and projection ---- */

static double support(const scree_set* set, const double v[2], double point[2], double* radius)
{
    double most = -SCREE_INFINITY;
    int ties = 0;
    for (int32_t i = 0; i < set->n; ++i) {
        const double* p = vertex(set, i);
        double value = scri_dot2(p, v);
        ties = value == most ? 1 : (value > most ? 0 : ties);
        if (!(value > most)) continue;
        most = value;
        point[0] = p[0];
        point[1] = p[1];
    }
    *radius = ties ? SCREE_INFINITY : 0.0;
    return most;
}

static int sees(const scree_set* set, int32_t i, const double z[2])
{
    return scri_dot2(vertex(set, i) + 2, z) > 1.0;
}

/* The edges that z sees follow one another: the first of them. Where rounding lets a z on the
 * boundary see none, the edge it lies on. */
static int32_t first_seen(const scree_set* set, const double z[2])
{
    int32_t n = set->n, i = 0;
    if (sees(set, 0, z)) {
        for (i = n; i > 1 && sees(set, i - 1, z); --i) continue;
        return i % n;
    }
    while (i < n && !sees(set, i, z)) ++i;
    return i < n ? i : sector(set, z);
}

/* Along the edges that z sees, (z - p) . tangent falls. The closest point lies on the first that
 * ends with it negative, or else at the end of the last. */
static void project(const scree_set* set, const double z[2], double point[2], scri_edge* out)
{
    double length, share, along[2];
    const double* p;
    int32_t i = first_seen(set, z), n_edges = 0;
    do {
        p = vertex(set, i);
        edge(p, vertex(set, i + 1), along);
        length = scri_length2(along);
        double rest[2] = {z[0] - p[0], z[1] - p[1]};
        share = (along[0] / length * rest[0] + along[1] / length * rest[1]) / length;
        i = (i + 1) % set->n;
    } while (!(share < 1.0) && sees(set, i, z) && ++n_edges < set->n);
    double kept = fmax(0.0, fmin(1.0, share));
    for (int k = 0; k < 2; ++k) point[k] = p[k] + kept * along[k];
    if (!out) return;
    out->normal[0] = along[1] / length;
    out->normal[1] = -along[0] / length;
    out->curvature = share > 0.0 && share < 1.0 ? 0.0 : SCREE_INFINITY;
}

static double next_knot(const scree_set* set, double angle)
{
    double u[2] = {cos(angle), sin(angle)};
    const double* p = vertex(set, sector(set, u) + 1);
    double step = atan2(scri_cross2(u, p), scri_dot2(u, p));
    if (step < 0.0) step += 2.0 * SCRI_PI;
    if (step > 1e-14) return angle + step;
    const double* q = vertex(set, (sector(set, u) + 2) % set->n);
    return angle + step + atan2(scri_cross2(p, q), scri_dot2(p, q));
}

const scri_set_kind scri_set_polygon = {
    .name = "polygon",
    .table_width = WIDTH,
    .init = init,
    .gauge = gauge,
    .support = support,
    .project = project,
    .next_knot = next_knot,
};
