/* Gauge, support and projection of a set: the way from the caller's axes and sizes to the kinds'
 * own. sets/set.h says what the functions return. */
#ifndef SCRI_SET_KERNEL_H
#define SCRI_SET_KERNEL_H

#include "sets/curve_kernel.h"
#include "sets/ellipse_kernel.h"
#include "sets/polygon_kernel.h"
#include "sets/rectangle_kernel.h"
#include "sets/runner_kernel.h"
#include "sets/superellipse_kernel.h"

#include <float.h>

/* A point farther away than this, in units of the set, is brought here along its ray. */
#define SCRI_SET_FARTHEST 1e250

/* ---- kinds ---- */

/* Gauge, gradient and bend at a unit vector. The gauge k is homogeneous of degree 1, so on unit
 * vectors u it says everything: the boundary is at u / k(u), its normal is along the gradient, and
 * the second derivatives are bend / |x| * e e^T with e the unit vector across x. */
SCREE_FN double scri_kind_gauge(scri_set set, const double u[2], double gradient[2], double* bend)
{
    switch (set.v->kind) {
    case SCREE_SET_DISC:
        return scri_disc_gauge(set, u, gradient, bend);
    case SCREE_SET_ELLIPSE:
        return scri_ellipse_gauge(set, u, gradient, bend);
    case SCREE_SET_RECTANGLE:
        return scri_rectangle_gauge(set, u, gradient, bend);
    case SCREE_SET_SUPERELLIPSE:
        return scri_superellipse_gauge(set, u, gradient, bend);
    case SCREE_SET_RUNNER:
        return scri_runner_gauge(set, u, gradient, bend);
    case SCREE_SET_POLYGON:
        return scri_polygon_gauge(set, u, gradient, bend);
    default: /* asperity, polar */
        return scri_curve_gauge(set, u, gradient, bend);
    }
}

/* Support of a convex set in the direction of a unit vector, a point that attains it, and the
 * radius of curvature there. */
SCREE_FN double scri_kind_support(scri_set set, const double v[2], double point[2], double* radius)
{
    switch (set.v->kind) {
    case SCREE_SET_DISC:
        return scri_disc_support(set, v, point, radius);
    case SCREE_SET_ELLIPSE:
        return scri_ellipse_support(set, v, point, radius);
    case SCREE_SET_RECTANGLE:
        return scri_rectangle_support(set, v, point, radius);
    case SCREE_SET_SUPERELLIPSE:
        return scri_superellipse_support(set, v, point, radius);
    case SCREE_SET_RUNNER:
        return scri_runner_support(set, v, point, radius);
    case SCREE_SET_POLYGON:
        return scri_polygon_support(set, v, point, radius);
    default:
        return scri_curve_support(set, v, point, radius);
    }
}

/* The closest point to a z that lies outside a convex set; `edge` may be NULL. */
SCREE_FN void scri_kind_project(scri_set set, const double z[2], double point[2], scri_edge* edge)
{
    switch (set.v->kind) {
    case SCREE_SET_DISC:
        scri_disc_project(set, z, point, edge);
        break;
    case SCREE_SET_ELLIPSE:
        scri_ellipse_project(set.v->a, set.v->b, z, point, edge);
        break;
    case SCREE_SET_RECTANGLE:
        scri_rectangle_project(set, z, point, edge);
        break;
    case SCREE_SET_SUPERELLIPSE:
        scri_superellipse_project(set, z, point, edge);
        break;
    case SCREE_SET_RUNNER:
        scri_runner_project(set, z, point, edge);
        break;
    case SCREE_SET_POLYGON:
        scri_polygon_project(set, z, point, edge);
        break;
    default:
        scri_curve_project(set, z, point, edge);
        break;
    }
}

/* ---- turning ---- */

SCREE_FN void scri_set_turn_in(scri_set set, const double x[2], double out[2])
{
    double c = set.v->turn[0], s = set.v->turn[1];
    out[0] = c * x[0] + s * x[1];
    out[1] = c * x[1] - s * x[0];
}

SCREE_FN void scri_set_turn_out(scri_set set, const double x[2], double out[2])
{
    double c = set.v->turn[0], s = set.v->turn[1], first = c * x[0] - s * x[1];
    out[1] = s * x[0] + c * x[1];
    out[0] = first;
}

SCREE_FN void scri_set_fill(int n, double* x, double value)
{
    for (int i = 0; x && i < n; ++i) x[i] = value;
}

/* Splits x into its length and its direction in the set's axes. 0 when x is 0 or not finite: then
 * every value asked for is 0 or NaN, and `value` says which. */
SCREE_FN int scri_set_split(scri_set set, const double x[2], double* length, double u[2],
                            double* value)
{
    *length = scri_length2(x);
    *value = isfinite(*length) ? 0.0 : SCREE_NAN;
    if (!(*length > 0.0 && *length <= DBL_MAX)) return 0;
    double scaled[2] = {x[0] / *length, x[1] / *length};
    scri_set_turn_in(set, scaled, u);
    return 1;
}

/* ---- gauge, support ---- */

SCREE_FN double scri_set_kernel_gauge(scri_set set, const double x[2], double gradient[2],
                                      double hessian[3])
{
    double length, u[2], own[2], bend, value;
    if (!scri_set_split(set, x, &length, u, &value)) {
        scri_set_fill(2, gradient, value);
        scri_set_fill(3, hessian, value);
        return value;
    }
    double k = length * scri_kind_gauge(set, u, own, &bend);
    if (gradient) scri_set_turn_out(set, own, gradient);
    if (hessian) {
        double across[2] = {-u[1], u[0]}, by = bend / length;
        scri_set_turn_out(set, across, across);
        hessian[0] = by * across[0] * across[0];
        hessian[1] = by * across[0] * across[1];
        hessian[2] = by * across[1] * across[1];
    }
    return k;
}

SCREE_FN double scri_set_kernel_support(scri_set set, const double v[2], double point[2],
                                        double* radius)
{
    double length, u[2], own[2] = {0.0, 0.0}, bent = 0.0, value;
    if (!scri_set_split(set, v, &length, u, &value) || !set.v->is_convex) {
        if (!set.v->is_convex) value = SCREE_NAN;
        scri_set_fill(2, point, value);
        scri_set_fill(1, radius, value);
        return value;
    }
    double h = length * scri_kind_support(set, u, own, &bent);
    if (point) scri_set_turn_out(set, own, point);
    if (radius) *radius = bent;
    return h;
}

/* ---- projection ---- */

SCREE_FN int scri_set_is_inside(scri_set set, const double z[2])
{
    if (set.v->kind <= SCREE_SET_ELLIPSE) {
        double x = set.v->b * z[0], y = set.v->a * z[1], r = set.v->a * set.v->b;
        return x * x + y * y <= r * r;
    }
    double length = scri_length2(z), u[2], gradient[2], bend;
    if (!(length > 0.0)) return 1;
    for (int i = 0; i < 2; ++i) u[i] = z[i] / length;
    return length * scri_kind_gauge(set, u, gradient, &bend) <= 1.0;
}

/* P is homogeneous in (size, z), so size dP/dsize = P - dP/dz z; and dP/dz takes from a motion of z
 * its part along the boundary, shortened by rho / (rho + distance). */
SCREE_FN void scri_set_differentiate(scri_set set, const double z[2], const double p[2],
                                     const scri_edge* edge, double d[6])
{
    double rest[2] = {z[0] - p[0], z[1] - p[1]};
    double distance = fmax(scri_dot2(rest, edge->normal), 0.0);
    double keep = distance > 0.0 ? 1.0 / (1.0 + edge->curvature * distance) : 1.0;
    double tangent[2] = {-edge->normal[1], edge->normal[0]}, along = keep * scri_dot2(tangent, p);
    double by_size[2] = {p[0] - along * tangent[0], p[1] - along * tangent[1]};
    scri_set_turn_out(set, tangent, tangent);
    scri_set_turn_out(set, by_size, d + 4);
    d[0] = keep * tangent[0] * tangent[0];
    d[1] = d[2] = keep * tangent[0] * tangent[1];
    d[3] = keep * tangent[1] * tangent[1];
}

/* z in units of the set's axes and size. */
SCREE_FN void scri_set_bring(scri_set set, double size, const double z[2], double own[2])
{
    double by = 1.0 / size, scaled[2] = {by * z[0], by * z[1]};
    double most = fmax(fabs(scaled[0]), fabs(scaled[1]));
    if (!(most <= SCRI_SET_FARTHEST)) {
        double largest = fmax(fabs(z[0]), fabs(z[1]));
        for (int i = 0; i < 2; ++i) scaled[i] = SCRI_SET_FARTHEST * (z[i] / largest);
    }
    scri_set_turn_in(set, scaled, own);
}

SCREE_FN void scri_set_project_to_nothing(scri_set set, const double z[2], double out[2],
                                          double d[6])
{
    scri_set_fill(2, out, 0.0);
    if (!d) return;
    scri_set_fill(4, d, 0.0);
    scri_set_kernel_support(set, z, d + 4, NULL);
}

SCREE_FN void scri_set_kernel_project(scri_set set, double size, const double z[2], double out[2],
                                      double d[6])
{
    if (!set.v->is_convex || !isfinite(size) || !isfinite(z[0]) || !isfinite(z[1])) {
        scri_set_fill(2, out, SCREE_NAN);
        scri_set_fill(6, d, SCREE_NAN);
        return;
    }
    if (!(size > 0.0)) {
        scri_set_project_to_nothing(set, z, out, d);
        return;
    }
    double own[2];
    scri_set_bring(set, size, z, own);
    if (scri_set_is_inside(set, own)) {
        out[0] = z[0];
        out[1] = z[1];
        scri_set_fill(6, d, 0.0);
        if (d) d[0] = d[3] = 1.0;
        return;
    }
    double point[2];
    scri_edge edge;
    scri_kind_project(set, own, point, d ? &edge : NULL);
    scri_set_turn_out(set, point, out);
    out[0] *= size;
    out[1] *= size;
    if (d) scri_set_differentiate(set, own, point, &edge, d);
}

#endif
