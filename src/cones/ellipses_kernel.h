/* A force that sticks or slips under two ellipses with the same axes. Host and device.
 *
 * C = { f^T c f <= size^2 } holds the forces, D = { f^T d f <= 1 } gives the direction: what is
 * asked for is f = g inside C and otherwise, on its boundary, f with g - f along the normal d f of
 * D. So f = (1 + lambda d)^-1 g, lambda >= 0, with f^T c f = size^2: a secular equation, one root,
 * and size / |f|_c is nearly linear in lambda, so that Newton's method needs few steps. With c = d
 * this is the Euclidean projection. */
#ifndef SCRI_ELLIPSES_KERNEL_H
#define SCRI_ELLIPSES_KERNEL_H

#include "base/compiler.h"

#include <math.h>

typedef struct scri_ellipses {
    double c[3], d[3]; /* xx, xy, yy */
} scri_ellipses;

enum { SCRI_SECULAR_STEPS = 60 };

/* Whether c and d have the same axes. */
SCREE_FN int scri_ellipses_share_axes(const scri_ellipses* e)
{
    double difference = e->c[1] * (e->d[0] - e->d[2]) - e->d[1] * (e->c[0] - e->c[2]);
    return fabs(difference) <= 1e-12 * (e->c[0] + e->c[2]) * (e->d[0] + e->d[2]);
}

/* f^T m f */
SCREE_FN double scri_quadratic(const double m[3], const double f[2])
{
    return m[0] * f[0] * f[0] + 2.0 * m[1] * f[0] * f[1] + m[2] * f[1] * f[1];
}

/* (1 + lambda m)^-1 x */
SCREE_FN void scri_quadratic_respond(double lambda, const double m[3], const double x[2],
                                     double out[2])
{
    double xx = 1.0 + lambda * m[0], xy = lambda * m[1], yy = 1.0 + lambda * m[2];
    double inverse = 1.0 / (xx * yy - xy * xy), first = (yy * x[0] - xy * x[1]) * inverse;
    out[1] = (xx * x[1] - xy * x[0]) * inverse;
    out[0] = first;
}

/* Draws f, which lies outside size * C, onto its boundary. size > 0. */
SCREE_FN void scri_ellipses_slip(const scri_ellipses* e, double size, double f[2])
{
    double g[2] = {f[0], f[1]}, low = 0.0, high = SCREE_INFINITY, lambda = 0.0;
    double length = sqrt(scri_quadratic(e->c, g));
    for (int i = 0; i < SCRI_SECULAR_STEPS; ++i) {
        double gap = size / length - 1.0, normal[2], slope[2];
        if (fabs(gap) <= 2e-16) break;
        if (gap < 0.0) {
            low = lambda;
        } else {
            high = lambda;
        }
        normal[0] = e->d[0] * f[0] + e->d[1] * f[1];
        normal[1] = e->d[1] * f[0] + e->d[2] * f[1];
        scri_quadratic_respond(lambda, e->d, normal, slope);
        double along = (e->c[0] * f[0] + e->c[1] * f[1]) * slope[0] +
                       (e->c[1] * f[0] + e->c[2] * f[1]) * slope[1];
        double next = lambda - gap * length * length * length / (size * along);
        if (!(next > low && next < high)) {
            next = isinf(high) ? 2.0 * low + 1.0 / (e->d[0] + e->d[2]) : 0.5 * (low + high);
        }
        if (!(next > low && next < high)) break;
        lambda = next;
        scri_quadratic_respond(lambda, e->d, g, f);
        length = sqrt(scri_quadratic(e->c, f));
    }
    f[0] *= size / length;
    f[1] *= size / length;
}

#endif
