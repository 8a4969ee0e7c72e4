/* Rectangles with half-ellipses at their ends: the sum of the segment |x| <= s and the ellipse with
 * semi-axes a, b. */
#ifndef SCRI_RUNNER_KERNEL_H
#define SCRI_RUNNER_KERNEL_H

#include "sets/ellipse_kernel.h"

/* On the half-ellipse the gauge k solves (x - k s)^2 / a^2 + y^2 / b^2 = k^2. */
SCRI_KERNEL double scri_runner_gauge(scri_set set, const double u[2], double gradient[2],
                                     double* bend)
{
    double a = set.v->a, s = set.v->s, x = fabs(u[0]), y = fabs(u[1]) / set.v->b;
    if (x <= s * y) { /* on a straight side */
        gradient[0] = 0.0;
        gradient[1] = copysign(1.0 / set.v->b, u[1]);
        *bend = 0.0;
        return y;
    }
    double root = sqrt((x - s * y) * (x + s * y) + a * a * y * y);
    double k = (x * x + a * a * y * y) / (x * s + a * root);
    /* x - k s = k a (x^2 - s^2 y^2) / (x root + a s y^2), without its cancellation */
    double across = k * (x - s * y) * (x + s * y) / (x * root + a * s * y * y);
    gradient[0] = copysign(across / root, u[0]);
    gradient[1] = copysign(a * y / (set.v->b * root), u[1]);
    *bend = a / (set.v->b * set.v->b * root * root * root);
    return k;
}

SCRI_KERNEL double scri_runner_support(scri_set set, const double v[2], double point[2],
                                       double* radius)
{
    double x = set.v->a * v[0], y = set.v->b * v[1], h = sqrt(x * x + y * y);
    double r = set.v->a * set.v->b / h;
    point[0] = set.v->a * x / h + copysign(set.v->s, v[0]);
    point[1] = set.v->b * y / h;
    *radius = v[0] == 0.0 ? SCREE_INFINITY : r * r / h;
    return h + set.v->s * fabs(v[0]);
}

SCRI_KERNEL void scri_runner_project(scri_set set, const double z[2], double point[2],
                                     scri_edge* edge)
{
    double beyond = fabs(z[0]) - set.v->s;
    if (beyond > 0.0) {
        double end[2] = {copysign(beyond, z[0]), z[1]};
        scri_ellipse_project(set.v->a, set.v->b, end, point, edge);
        point[0] += copysign(set.v->s, z[0]);
        return;
    }
    point[0] = z[0];
    point[1] = copysign(set.v->b, z[1]);
    if (!edge) return;
    edge->normal[0] = 0.0;
    edge->normal[1] = copysign(1.0, z[1]);
    edge->curvature = 0.0;
}

#endif
