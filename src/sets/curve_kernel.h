/* Support and projection of convex sets with a smooth boundary, from the gauge alone.
 *
 * Both look for an angle between two others where a product with the unit tangent changes sign, by
 * Newton's method kept inside that interval; a bisection follows whenever three steps did not halve
 * it, so it ends. */
#ifndef SCRI_CURVE_KERNEL_H
#define SCRI_CURVE_KERNEL_H

#include "sets/asperity_kernel.h"
#include "sets/polar_kernel.h"

enum { SCRI_CURVE_STEPS = 200 };

/* The gauge of the kinds that have nothing but a gauge. */
SCRI_KERNEL double scri_curve_gauge(scri_set set, const double u[2], double gradient[2],
                                    double* bend)
{
    return set.v->kind == SCREE_SET_POLAR ? scri_polar_gauge(set, u, gradient, bend)
                                          : scri_asperity_gauge(set, u, gradient, bend);
}

typedef struct scri_curve_place {
    double point[2], speed; /* length of boundary per angle */
    scri_edge edge;
} scri_curve_place;

SCRI_KERNEL scri_curve_place scri_curve_place_at(scri_set set, double angle)
{
    scri_curve_place p;
    double u[2] = {cos(angle), sin(angle)}, gradient[2], bend;
    double f = scri_curve_gauge(set, u, gradient, &bend);
    double steep = scri_length2(gradient), ratio = f / steep; /* normal . u */
    for (int i = 0; i < 2; ++i) {
        p.point[i] = u[i] / f;
        p.edge.normal[i] = gradient[i] / steep;
    }
    p.edge.curvature = bend * ratio * ratio * ratio;
    p.speed = 1.0 / (f * ratio);
    return p;
}

/* The product to vanish and its derivative by the angle: of v with the tangent, or (`near`) of
 * v - point with it. */
SCRI_KERNEL double scri_curve_product(const scri_curve_place* p, const double v[2], int near,
                                      double* slope)
{
    double rest[2] = {v[0], v[1]};
    for (int i = 0; near && i < 2; ++i) rest[i] -= p->point[i];
    double depth = scri_dot2(rest, p->edge.normal);
    *slope = -p->speed * ((near ? 1.0 : 0.0) + p->edge.curvature * depth);
    return scri_cross2(p->edge.normal, rest);
}

/* The product is positive at `low` and negative at `high`. */
SCRI_KERNEL double scri_curve_find(scri_set set, const double v[2], int near, double low,
                                   double high)
{
    double angle = 0.5 * (low + high), before = 2.0 * (high - low);
    for (int step = 0; step < SCRI_CURVE_STEPS; ++step) {
        scri_curve_place p = scri_curve_place_at(set, angle);
        double slope, value = scri_curve_product(&p, v, near, &slope);
        if (value > 0.0) {
            low = angle;
        } else {
            high = angle;
        }
        double next = angle - value / slope;
        int slow = step % 3 == 2 && high - low > 0.5 * before;
        if (step % 3 == 2) before = high - low;
        if (!(next >= low && next <= high) || slow) next = 0.5 * (low + high);
        if (!(fabs(next - angle) > 2e-16 * fmax(1.0, fabs(angle)))) return next;
        angle = next;
    }
    return angle;
}

SCRI_KERNEL double scri_curve_find_support(scri_set set, const double v[2])
{
    double angle = atan2(v[1], v[0]);
    return scri_curve_find(set, v, 0, angle - 0.5 * SCREE_PI, angle + 0.5 * SCREE_PI);
}

SCRI_KERNEL double scri_curve_support(scri_set set, const double v[2], double point[2],
                                      double* radius)
{
    scri_curve_place p = scri_curve_place_at(set, scri_curve_find_support(set, v));
    point[0] = p.point[0];
    point[1] = p.point[1];
    *radius = 1.0 / p.edge.curvature;
    return scri_dot2(v, point);
}

/* The root lies between the point below z on its ray and the point that supports the direction of
 * z: the product has different signs there, and in between only one point has z on its normal. */
SCRI_KERNEL void scri_curve_project(scri_set set, const double z[2], double point[2],
                                    scri_edge* edge)
{
    double length = scri_length2(z), unit[2] = {z[0] / length, z[1] / length};
    double radial = atan2(z[1], z[0]), far = scri_curve_find_support(set, unit);
    scri_curve_place p =
        scri_curve_place_at(set, scri_curve_find(set, z, 1, fmin(radial, far), fmax(radial, far)));
    point[0] = p.point[0];
    point[1] = p.point[1];
    if (edge) *edge = p.edge;
}

#endif
