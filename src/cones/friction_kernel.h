/* The cone of dry friction, K = { p_N >= 0, |p_k| <= mu_k p_N }. Host and device.
 *
 * The normal component of the projection of (n, l) is the root of the increasing, concave,
 * piecewise linear function
 *
 *     f(y) = (y - n) - sum_k mu_k max(|l_k| - mu_k y, 0),
 *
 * clamped at zero. Newton's method from y = max(n, 0) approaches the root from the left and drops
 * at least one channel in each step, so it ends after at most four divisions; no case can fall
 * through.
 */
#ifndef SCRI_FRICTION_KERNEL_H
#define SCRI_FRICTION_KERNEL_H

#include "cones/layout_kernel.h"
#include "cones/norm_kernel.h"

/* Root of f, not clamped. `length` are the norms |l_k|. */
SCREE_FN double scri_friction_root(double n, const double mu[SCRI_CHANNELS],
                                   const double length[SCRI_CHANNELS])
{
    int outside[SCRI_CHANNELS];
    double y = n > 0.0 ? n : 0.0;
    for (int k = 0; k < SCRI_CHANNELS; ++k) outside[k] = length[k] > mu[k] * y;
    for (int again = 1; again;) {
        double numerator = n, denominator = 1.0;
        for (int k = 0; k < SCRI_CHANNELS; ++k) {
            if (!outside[k]) continue;
            numerator += mu[k] * length[k];
            denominator += mu[k] * mu[k];
        }
        y = numerator / denominator;
        again = 0;
        for (int k = 0; k < SCRI_CHANNELS; ++k) {
            if (!outside[k] || length[k] > mu[k] * y) continue;
            outside[k] = 0;
            again = 1;
        }
    }
    return y;
}

SCREE_FN void scri_fill(int n, double* x, double value)
{
    for (int i = 0; i < n; ++i) x[i] = value;
}

/* Replaces p[width] by the closest point of K. */
SCREE_FN void scri_friction_project(scri_layout layout, const double mu[SCRI_CHANNELS], double* p)
{
    double length[SCRI_CHANNELS];
    double sum = p[0];
    for (int k = 0; k < SCRI_CHANNELS; ++k) {
        length[k] = scri_norm_channel(layout.dim[k], p + layout.first[k]);
        sum += length[k];
    }
    if (isnan(sum)) {
        scri_fill(layout.width, p, SCREE_NAN);
        return;
    }
    double y = scri_friction_root(p[0], mu, length);
    if (!(y > 0.0)) {
        scri_fill(layout.width, p, 0.0);
        return;
    }
    p[0] = y;
    for (int k = 0; k < SCRI_CHANNELS; ++k) {
        double radius = mu[k] * y;
        if (length[k] <= radius) continue;
        double shrink = radius / length[k];
        for (int i = 0; i < layout.dim[k]; ++i) p[layout.first[k] + i] *= shrink;
    }
}

/* sum_k mu_k |y_k|: the De Saxce term, and the support function of the unit force set at -y. */
SCREE_FN double scri_friction_shift(scri_layout layout, const double mu[SCRI_CHANNELS],
                                    const double* y)
{
    double sum = 0.0;
    for (int k = 0; k < SCRI_CHANNELS; ++k) {
        if (layout.dim[k] == 0) continue;
        sum += mu[k] * scri_norm_channel(layout.dim[k], y + layout.first[k]);
    }
    return sum;
}

#endif
