/* Motions (velocity of a point, angular velocity) and loads (force, moment about it) of a rigid
 * body, six numbers each, in world axes, and how they are carried from one point of it to another.
 * Host and device. */
#ifndef SCRI_SIX_KERNEL_H
#define SCRI_SIX_KERNEL_H

#include "base/compiler.h"

#include <string.h>

SCREE_FN double scri_six_dot(const double* a, const double* b)
{
    double sum = 0.0;
    for (int i = 0; i < 6; ++i) sum += a[i] * b[i];
    return sum;
}

/* a += s b */
SCREE_FN void scri_six_add(double* a, double s, const double* b)
{
    for (int i = 0; i < 6; ++i) a[i] += s * b[i];
}

/* out = m x of a symmetric m[36] */
SCREE_FN void scri_six_multiply(const double* m, const double* x, double* out)
{
    memset(out, 0, 6 * sizeof *out);
    for (int k = 0; k < 6; ++k) scri_six_add(out, x[k], m + 6 * k);
}

/* What a load at the end of `arm` is at its beginning: X^T. */
SCREE_FN void scri_carry_load(const double* arm, double* f)
{
    f[3] += arm[1] * f[2] - arm[2] * f[1];
    f[4] += arm[2] * f[0] - arm[0] * f[2];
    f[5] += arm[0] * f[1] - arm[1] * f[0];
}

/* What a motion at the beginning of `arm` is at its end: X. */
SCREE_FN void scri_carry_motion(const double* arm, double* v)
{
    v[0] += v[4] * arm[2] - v[5] * arm[1];
    v[1] += v[5] * arm[0] - v[3] * arm[2];
    v[2] += v[3] * arm[1] - v[4] * arm[0];
}

/* m = X^T m X of a symmetric m[36] */
SCREE_FN void scri_carry_inertia(const double* arm, double* m)
{
    for (int k = 0; k < 6; ++k) scri_carry_load(arm, m + 6 * k);
    for (int k = 0; k < 6; ++k) {
        double f[6];
        for (int i = 0; i < 6; ++i) f[i] = m[6 * i + k];
        scri_carry_load(arm, f);
        for (int i = 3; i < 6; ++i) m[6 * i + k] = f[i];
    }
}

#endif
