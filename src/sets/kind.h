/* What each kind of set must know; set.c does the rest. Everything here is in the set's own axes,
 * before its turn.
 *
 * The gauge k is homogeneous of degree 1, so on unit vectors u it says everything: the boundary is
 * at u / k(u), its normal is along the gradient, and the second derivatives are
 * bend / |x| * e e^T with e the unit vector across x. */
#ifndef SCRI_SET_KIND_H
#define SCRI_SET_KIND_H

#include "base/compiler.h"
#include "sets/set.h"

#include <math.h>

#define SCRI_SET_SMALLEST 1e-15 /* semi-axes and radii */
#define SCRI_SET_LARGEST 1e15

/* How the boundary runs at a point of it. */
typedef struct scri_edge {
    double normal[2]; /* of length 1 */
    double curvature; /* infinite at a corner, 0 on a straight side */
} scri_edge;

typedef struct scri_set_kind {
    const char* name;
    int table_width; /* doubles per point of the def */

    /* Checks the def and fills a, b, s, n, is_convex and table[n * table_width]. `scale` is that of
     * the def. */
    scree_status (*init)(const scree_env* env, const scree_set_def* def, double scale,
                         scree_set* set);

    /* Gauge, gradient and bend at a unit vector. */
    double (*gauge)(const scree_set* set, const double u[2], double gradient[2], double* bend);

    /* Support of a convex set in the direction of a unit vector, a point that attains it, and the
     * radius of curvature there. */
    double (*support)(const scree_set* set, const double v[2], double point[2], double* radius);

    /* The closest point to a z that lies outside a convex set; `edge` may be NULL. */
    void (*project)(const scree_set* set, const double z[2], double point[2], scri_edge* edge);

    /* The next angle after `angle` (in [-pi, pi)) at which to look at the set; features that are
     * narrower than a degree or so, and all corners, must lie between such angles. */
    double (*next_knot)(const scree_set* set, double angle);
} scri_set_kind;

extern const scri_set_kind scri_set_disc, scri_set_ellipse, scri_set_rectangle,
    scri_set_superellipse, scri_set_runner, scri_set_polygon, scri_set_asperity, scri_set_polar;

const scri_set_kind* scri_set_kind_of(const scree_set* set);

/* Fails unless a size of a def, with its scale, lies within the bounds above. */
SCREE_MUST_USE scree_status scri_set_check_size(const scree_env* env, const char* kind,
                                                const char* name, double size);

/* The closest point of an ellipse in its own axes to a point outside; also for the runner. */
void scri_ellipse_project(double a, double b, const double z[2], double point[2], scri_edge* edge);

/* Support and projection of any convex set with a smooth boundary, from its gauge alone. */
double scri_curve_support(const scree_set* set, const double v[2], double point[2], double* radius);
void scri_curve_project(const scree_set* set, const double z[2], double point[2], scri_edge* edge);

/* next_knot for sets that have the shape of an ellipse with semi-axes a, b. */
double scri_set_next_knot_ab(const scree_set* set, double angle);

/* |x| without overflow. */
static inline double scri_length2(const double x[2])
{
    double square = x[0] * x[0] + x[1] * x[1];
    return square > 1e-280 && square < 1e280 ? sqrt(square) : hypot(x[0], x[1]);
}

static inline double scri_dot2(const double x[2], const double y[2])
{
    return x[0] * y[0] + x[1] * y[1];
}

static inline double scri_cross2(const double x[2], const double y[2])
{
    return x[0] * y[1] - x[1] * y[0];
}

#endif
