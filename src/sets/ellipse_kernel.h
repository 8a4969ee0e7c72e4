/* Discs and ellipses.
 *
 * The closest point p of the ellipse to z outside is p_i = a_i^2 z_i / (t + a_i^2) with the t > 0
 * that puts it on the boundary: sum_i (a_i z_i / (t + a_i^2))^2 = 1. To the power -1/2 the sum is
 * a power mean of increasing affine functions of t, hence increasing, concave and nearly straight.
 * Halley's method from the left of the root takes two or three steps; multiplied out, each needs
 * one root and one division. */
#ifndef SCRI_ELLIPSE_SET_KERNEL_H
#define SCRI_ELLIPSE_SET_KERNEL_H

#include "sets/value_kernel.h"

enum { SCRI_ELLIPSE_STEPS = 60 }; /* more than five are not seen */

SCREE_FN double scri_disc_gauge(scri_set set, const double u[2], double gradient[2], double* bend)
{
    double f = 1.0 / set.v->a;
    gradient[0] = u[0] * f;
    gradient[1] = u[1] * f;
    *bend = f;
    return f;
}

SCREE_FN double scri_disc_support(scri_set set, const double v[2], double point[2], double* radius)
{
    point[0] = set.v->a * v[0];
    point[1] = set.v->a * v[1];
    *radius = set.v->a;
    return set.v->a;
}

SCREE_FN void scri_disc_project(scri_set set, const double z[2], double point[2], scri_edge* edge)
{
    double length = scri_length2(z);
    for (int i = 0; i < 2; ++i) {
        double u = z[i] / length;
        point[i] = set.v->a * u;
        if (edge) edge->normal[i] = u;
    }
    if (edge) edge->curvature = 1.0 / set.v->a;
}

SCREE_FN double scri_ellipse_gauge(scri_set set, const double u[2], double gradient[2],
                                   double* bend)
{
    double x = u[0] / set.v->a, y = u[1] / set.v->b, f = sqrt(x * x + y * y);
    double r = 1.0 / (set.v->a * set.v->b * f);
    gradient[0] = x / (set.v->a * f);
    gradient[1] = y / (set.v->b * f);
    *bend = r * r / f;
    return f;
}

SCREE_FN double scri_ellipse_support(scri_set set, const double v[2], double point[2],
                                     double* radius)
{
    double x = set.v->a * v[0], y = set.v->b * v[1], h = sqrt(x * x + y * y);
    double r = set.v->a * set.v->b / h;
    point[0] = set.v->a * x / h;
    point[1] = set.v->b * y / h;
    *radius = r * r / h;
    return h;
}

SCRI_KERNEL void scri_ellipse_project(double a, double b, const double z[2], double point[2],
                                      scri_edge* edge)
{
    double aa = a * a, bb = b * b, x = a * fabs(z[0]), y = b * fabs(z[1]);
    double unit = 1.0 / fmax(x + aa, y + bb); /* of t; now products neither overflow nor vanish */
    aa *= unit;
    bb *= unit;
    x *= unit;
    y *= unit;
    /* Left of the root lie the roots of the terms alone and of the tangent at infinity. */
    double xx = x * x, yy = y * y, square = xx + yy;
    double far = sqrt(square) - (xx * aa + yy * bb) / square;
    double t = fmax(fmax(far, 0.0), fmax(x - aa, y - bb));
    for (int step = 0; step < SCRI_ELLIPSE_STEPS; ++step) {
        double p = t + aa, q = t + bb, d = p * q, v = x * q, w = y * p, vv = v * v, ww = w * w;
        double sum = vv + ww, excess = sqrt(sum) - d, slope = vv * q + ww * p;
        double cross = v * w * (aa - bb), newton = slope * slope * d;
        double halley = newton - 1.5 * excess * cross * cross;
        t = fmax(t + sum * excess * slope * d / fmax(halley, 0.5 * newton), 0.0);
        if (!(fabs(excess) > 2e-7 * d)) break; /* that step reached rounding */
    }
    double v = x / (t + aa), w = y / (t + bb); /* the point before it is stretched by a and b */
    point[0] = copysign(a * v, z[0]);
    point[1] = copysign(b * w, z[1]);
    if (!edge) return;
    double nx = b * v, ny = a * w, length = sqrt(nx * nx + ny * ny);
    edge->normal[0] = copysign(nx / length, z[0]);
    edge->normal[1] = copysign(ny / length, z[1]);
    edge->curvature = a * b / (length * length * length);
}

#endif
