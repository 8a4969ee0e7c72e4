/* Parallel wedges with inclination beta and friction mu on their sides, Walker and Leine eq. (50):
 * springs that slide over them feel
 *
 *     r(theta) = mu / cos(beta) sqrt(b cos^2 + sin^2) / (sin^2 + w cos^2),
 *     b = cos^2(beta), w = 1 - (1 + mu^2) sin^2(beta),
 *
 * so the gauge of (x, y) is (y^2 + w x^2) / (A sqrt(b x^2 + y^2)). The set keeps A, b and w in the
 * fields a, b and s. */
#ifndef SCRI_ASPERITY_KERNEL_H
#define SCRI_ASPERITY_KERNEL_H

#include "sets/value_kernel.h"

SCRI_KERNEL double scri_asperity_gauge(scri_set set, const double u[2], double gradient[2],
                                       double* bend)
{
    double b = set.v->b, w = set.v->s, x = u[0], y = u[1], xx = x * x, yy = y * y;
    double n = yy + w * xx, d = b * xx + yy, root = set.v->a * sqrt(d);
    gradient[0] = x * (2.0 * w - n / d * b) / root;
    gradient[1] = y * (2.0 - n / d) / root;
    *bend = (2.0 * (w + 1.0) - 4.0 * (w * b * xx + yy) / d +
             n / d * (3.0 * (b * b * xx + yy) / d - (b + 1.0))) /
            root;
    return n / root;
}

#endif
