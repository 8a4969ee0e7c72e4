/* Polygons are made and checked. */
#include "base/env.h"
#include "sets/kind.h"
#include "sets/polygon_kernel.h"

#define SLIVER 1e-12 /* least sine of the angle under which the origin sees an edge */

static scree_status fill(const scree_env* env, const scree_set_def* def, double scale,
                         scree_set* set)
{
    (void)env;
    for (int32_t i = 0; i < def->n; ++i) {
        double* at = set->table + (size_t)SCRI_POLYGON_WIDTH * (size_t)i;
        at[0] = scale * def->points[2 * i];
        at[1] = scale * def->points[2 * i + 1];
    }
    return SCREE_OK;
}

static scree_status check_sizes(const scree_env* env, scri_set set)
{
    for (int32_t i = 0; i < set.v->n; ++i) {
        double length = scri_length2(scri_polygon_vertex(set, i));
        if (length >= SCRI_SET_SMALLEST && length <= SCRI_SET_LARGEST) continue;
        return scri_fail(env, SCREE_ERROR_INPUT,
                         "polygon: vertex %d is %g from the origin (with its scale), not %g .. %g",
                         (int)i, length, SCRI_SET_SMALLEST, SCRI_SET_LARGEST);
    }
    return SCREE_OK;
}

/* Every edge must be seen from the origin under a positive angle, and all of them make one turn. */
static scree_status check_star(const scree_env* env, scri_set set)
{
    double turn = 0.0;
    for (int32_t i = 0; i < set.v->n; ++i) {
        const double *p = scri_polygon_vertex(set, i), *q = scri_polygon_vertex(set, i + 1);
        double area = scri_cross2(p, q), size = scri_length2(p) * scri_length2(q);
        if (!(area > SLIVER * size)) {
            return scri_fail(env, SCREE_ERROR_INPUT,
                             "polygon: the edge from vertex %d (%g, %g) to (%g, %g) does not run "
                             "counter-clockwise about the origin",
                             (int)i, p[0], p[1], q[0], q[1]);
        }
        turn += atan2(area, scri_dot2(p, q));
    }
    if (turn > SCREE_PI && turn < 3.0 * SCREE_PI) return SCREE_OK;
    return scri_fail(env, SCREE_ERROR_INPUT,
                     "polygon: it goes %.0f times around the origin, not once",
                     turn / (2.0 * SCREE_PI));
}

/* Rounding may bend a straight line of vertices by as much as SLIVER. */
static int is_convex(scri_set set)
{
    for (int32_t i = 0; i < set.v->n; ++i) {
        double in[2], out[2];
        scri_polygon_edge(scri_polygon_vertex(set, i), scri_polygon_vertex(set, i + 1), in);
        scri_polygon_edge(scri_polygon_vertex(set, i + 1),
                          scri_polygon_vertex(set, (i + 2) % set.v->n), out);
        double size = scri_length2(in) * scri_length2(out);
        if (!(scri_cross2(in, out) >= -SLIVER * size)) return 0;
    }
    return 1;
}

static scree_status check(const scree_env* env, scri_set set)
{
    scree_status status = check_sizes(env, set);
    return status ? status : check_star(env, set);
}

/* The gradient of the gauge over the edge that begins at vertex i. */
static void gradient_of(scri_set set, int32_t i, double out[2])
{
    const double *p = scri_polygon_vertex(set, i), *q = scri_polygon_vertex(set, i + 1);
    double along[2], area = scri_cross2(p, q);
    scri_polygon_edge(p, q, along);
    out[0] = along[1] / area;
    out[1] = -along[0] / area;
}

static scree_status derive(const scree_env* env, scree_set* set)
{
    (void)env;
    for (int32_t i = 0; i < set->value.n; ++i) {
        gradient_of(scri_set_of(set), i, set->table + (size_t)SCRI_POLYGON_WIDTH * (size_t)i + 2);
    }
    set->value.is_convex = is_convex(scri_set_of(set));
    return SCREE_OK;
}

static int is_derived(scri_set set)
{
    for (int32_t i = 0; i < set.v->n; ++i) {
        const double* given = scri_polygon_vertex(set, i) + 2;
        double own[2];
        gradient_of(set, i, own);
        if (!(given[0] == own[0] && given[1] == own[1])) return 0;
    }
    return set.v->is_convex == is_convex(set);
}

double scri_polygon_next_knot(scri_set set, double angle)
{
    double u[2] = {cos(angle), sin(angle)};
    const double* p = scri_polygon_vertex(set, scri_polygon_sector(set, u) + 1);
    double step = atan2(scri_cross2(u, p), scri_dot2(u, p));
    if (step < 0.0) step += 2.0 * SCREE_PI;
    if (step > 1e-14) return angle + step;
    const double* q = scri_polygon_vertex(set, (scri_polygon_sector(set, u) + 2) % set.v->n);
    return angle + step + atan2(scri_cross2(p, q), scri_dot2(p, q));
}

const scri_set_kind scri_set_polygon = {
    .name = "polygon",
    .table_width = SCRI_POLYGON_WIDTH,
    .fill = fill,
    .check = check,
    .derive = derive,
    .is_derived = is_derived,
};
