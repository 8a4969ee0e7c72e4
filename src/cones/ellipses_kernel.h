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

/* Of size / |f|_c: what is left is removed by making f longer or shorter. */
#define SCRI_SECULAR_TOLERANCE 4e-16

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

/* Draws f, which lies outside size * C, onto its boundary. size > 0. The search begins at *guess
 * >= 0, which receives lambda.
 *
 * (1 + lambda d)^-1 g = (g + lambda a) / D(lambda) with a = adj(d) g and D the determinant. With
 * N(lambda) = |g + lambda a|_c^2, of positive coefficients, the equation is size D / sqrt N = 1. */
SCREE_FN void scri_ellipses_slip(const double c[3], const double d[3], double size, double* guess,
                                 double f[2])
{
    double a[2] = {d[2] * f[0] - d[1] * f[1], d[0] * f[1] - d[1] * f[0]};
    double n_0 = scri_quadratic(c, f), n_2 = scri_quadratic(c, a);
    double n_1 = (c[0] * f[0] + c[1] * f[1]) * a[0] + (c[1] * f[0] + c[2] * f[1]) * a[1];
    double trace = d[0] + d[2], det = d[0] * d[2] - d[1] * d[1];
    double low = 0.0, high = SCREE_INFINITY, lambda = *guess, root = sqrt(n_0);
    for (int i = 0; i < SCRI_SECULAR_STEPS; ++i) {
        double n = n_0 + lambda * (2.0 * n_1 + lambda * n_2),
               volume = 1.0 + lambda * (trace + lambda * det);
        root = sqrt(n);
        double gap = volume - root / size;
        if (fabs(gap) <= SCRI_SECULAR_TOLERANCE * volume) break;
        if (gap < 0.0) {
            low = lambda;
        } else {
            high = lambda;
        }
        double slope = (trace + 2.0 * lambda * det) * n - volume * (n_1 + lambda * n_2);
        double next = lambda - gap * n / slope;
        if (!(next >= low && next < high)) {
            next = isinf(high) ? 2.0 * low + 1.0 / trace : 0.5 * (low + high);
        }
        if (next == lambda) break;
        lambda = next;
    }
    *guess = lambda;
    for (int i = 0; i < 2; ++i) f[i] = (f[i] + lambda * a[i]) * (size / root);
}

#endif
