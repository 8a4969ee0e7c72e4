/* The cone of dry friction, K = { p_N >= 0, |p_k| <= mu_k p_N }. Host and device.
 *
 * The normal component of the projection of (n, l) is the root of the increasing, concave,
 * piecewise linear function
 *
 *     f(y) = (y - n) - sum_k mu_k max(|l_k| - mu_k y, 0),
 *
 * clamped at zero. Its breakpoints |l_k| / mu_k are taken in falling order: the root of the piece
 * found so far either lies beyond the next one, and is the root of f, or that channel joins. No
 * case can fall through, and at a tie both answers agree to rounding.
 */
#ifndef SCRI_FRICTION_KERNEL_H
#define SCRI_FRICTION_KERNEL_H

#include "cones/layout_kernel.h"
#include "cones/norm_kernel.h"

/* Root of f, not clamped. `length` are the norms |l_k|; outside[k] tells whether channel k is drawn
 * onto its disc. */
SCREE_FN double scri_friction_root(scri_layout layout, double n, const double mu[SCRI_CHANNELS],
                                   const double length[SCRI_CHANNELS], int outside[SCRI_CHANNELS])
{
    double point[SCRI_CHANNELS], numerator = n, denominator = 1.0, y = n;
    for (int k = 0; k < SCRI_CHANNELS; ++k) {
        int counts = layout.dim[k] && length[k] > 0.0;
        point[k] = counts ? length[k] / mu[k] : -1.0; /* infinite for mu = 0 */
        outside[k] = 0;
    }
    for (int round = 0; round < SCRI_CHANNELS; ++round) {
        int next = 0;
        for (int k = 1; k < SCRI_CHANNELS; ++k) next = point[k] > point[next] ? k : next;
        if (!(point[next] > 0.0 && point[next] > y)) break;
        outside[next] = 1;
        point[next] = -1.0;
        numerator += mu[next] * length[next];
        denominator += mu[next] * mu[next];
        y = numerator / denominator;
    }
    return y;
}

SCREE_FN void scri_fill(int n, double* x, double value)
{
    for (int i = 0; i < n; ++i) x[i] = value;
}

/* Whether p is inside K, or inside its polar cone, by more than rounding: most impulses of a heap
 * are either, and can be told without dividing. */
#define SCRI_CLEARLY 1e-14
SCREE_FN int scri_friction_is_inside(scri_layout layout, double n, const double mu[SCRI_CHANNELS],
                                     const double length[SCRI_CHANNELS])
{
    int inside = n > 0.0;
    for (int k = 0; k < SCRI_CHANNELS; ++k) {
        if (layout.dim[k]) inside &= length[k] <= mu[k] * n * (1.0 - SCRI_CLEARLY);
    }
    return inside;
}

SCREE_FN int scri_friction_is_polar(scri_layout layout, double n, const double mu[SCRI_CHANNELS],
                                    const double length[SCRI_CHANNELS])
{
    double sum = n;
    for (int k = 0; k < SCRI_CHANNELS; ++k) {
        if (layout.dim[k]) sum += mu[k] * length[k];
    }
    return sum < SCRI_CLEARLY * n; /* n < 0 there */
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
    if (scri_friction_is_inside(layout, p[0], mu, length)) return;
    if (p[0] < 0.0 && scri_friction_is_polar(layout, p[0], mu, length)) {
        scri_fill(layout.width, p, 0.0);
        return;
    }
    int outside[SCRI_CHANNELS];
    double y = scri_friction_root(layout, p[0], mu, length, outside);
    if (!(y > 0.0)) {
        scri_fill(layout.width, p, 0.0);
        return;
    }
    p[0] = y;
    for (int k = 0; k < SCRI_CHANNELS; ++k) {
        if (!outside[k]) continue;
        double shrink = mu[k] * y / length[k];
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
