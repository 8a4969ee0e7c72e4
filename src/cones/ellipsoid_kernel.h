/* The coupled cone K_ell = { p_N >= 0, sum_k |p_k|^2 / mu_k^2 <= p_N^2 }. Host and device.
 *
 * With y the normal component of the projection of (n, l), stationarity gives
 * p_k = l_k mu_k^2 y / d_k, d_k = (1 + mu_k^2) y - n, and the boundary condition becomes
 *
 *     g(y) = ( sum_k (d_k / (mu_k |l_k|))^-2 )^(-1/2) - 1 = 0.
 *
 * g is a power mean of increasing affine functions, hence increasing and concave: Newton's method
 * from the left of the root approaches it monotonically. The root of each channel taken alone lies
 * to the left. The unknown is t = y - max(n, 0), in which d_k has no cancellation.
 */
#ifndef SCRI_ELLIPSOID_KERNEL_H
#define SCRI_ELLIPSOID_KERNEL_H

#include "cones/friction_kernel.h"

enum { SCRI_ELLIPSOID_STEPS = 60 };

/* d_k at t. */
SCREE_FN double scri_ellipsoid_denominator(double n, double mu, double t)
{
    double square = mu * mu;
    return (1.0 + square) * t + (n > 0.0 ? square * n : -n);
}

SCREE_FN double scri_ellipsoid_root(double n, const double mu[SCRI_CHANNELS],
                                    const double length[SCRI_CHANNELS])
{
    double t = 0.0;
    for (int k = 0; k < SCRI_CHANNELS; ++k) {
        double rest = mu[k] * length[k] - scri_ellipsoid_denominator(n, mu[k], 0.0);
        t = fmax(t, rest / (1.0 + mu[k] * mu[k]));
    }
    for (int step = 0; step < SCRI_ELLIPSOID_STEPS; ++step) {
        double sum = 0.0, slope = 0.0; /* of the squares, and half their derivative */
        for (int k = 0; k < SCRI_CHANNELS; ++k) {
            double c = mu[k] * length[k];
            if (!(c > 0.0)) continue;
            double v = c / scri_ellipsoid_denominator(n, mu[k], t);
            sum += v * v;
            slope += v * v * v * ((1.0 + mu[k] * mu[k]) / c);
        }
        /* g = sum^(-1/2) - 1 and g' = sum^(-3/2) slope */
        double next = t + (sum * sqrt(sum) - sum) / slope;
        if (!(next > t)) break;
        t = next;
    }
    return t;
}

/* Replaces p[width] by the closest point of K_ell. */
SCREE_FN void scri_ellipsoid_project(scri_layout layout, const double coef[SCRI_CHANNELS],
                                     double* p)
{
    double mu[SCRI_CHANNELS]; /* without those of channels that the layout lacks */
    for (int k = 0; k < SCRI_CHANNELS; ++k) mu[k] = layout.dim[k] ? coef[k] : 0.0;
    double scale = scri_norm(layout.width, p);
    if (isnan(scale)) scri_fill(layout.width, p, SCREE_NAN);
    if (!(scale > 0.0)) return;
    double n = p[0] / scale, inside = 0.0, polar = 0.0, length[SCRI_CHANNELS];
    for (int k = 0; k < SCRI_CHANNELS; ++k) {
        length[k] = scri_norm_channel(layout.dim[k], p + layout.first[k]) / scale;
        if (length[k] > 0.0) inside = scri_norm2(inside, length[k] / mu[k]);
        polar = scri_norm2(polar, mu[k] * length[k]);
    }
    if (n >= 0.0 && inside <= n) return;
    if (polar <= -n) {
        scri_fill(layout.width, p, 0.0);
        return;
    }
    double t = scri_ellipsoid_root(n, mu, length), y = fmax(n, 0.0) + t;
    p[0] = y * scale;
    for (int k = 0; k < SCRI_CHANNELS; ++k) {
        double square = mu[k] * mu[k];
        double shrink = square > 0.0 ? square * y / scri_ellipsoid_denominator(n, mu[k], t) : 0.0;
        for (int i = 0; i < layout.dim[k]; ++i) p[layout.first[k] + i] *= shrink;
    }
}

#endif
