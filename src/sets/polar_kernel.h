/* Measured curves: the radius as a periodic cubic spline of the angle, twice continuously
 * differentiable. The table holds for every node angle, radius, and second derivative. */
#ifndef SCRI_POLAR_KERNEL_H
#define SCRI_POLAR_KERNEL_H

#include "sets/value_kernel.h"

enum { SCRI_POLAR_WIDTH = 3 };

/* r, r' and r'' at an angle. */
typedef struct scri_jet {
    double r, r1, r2;
} scri_jet;

/* A piece between nodes i and i + 1. */
typedef struct scri_piece {
    double step, r[2], r2[2];
} scri_piece;

SCREE_FN scri_piece scri_polar_piece_of(scri_set set, int32_t i)
{
    const double* p = set.table + (size_t)SCRI_POLAR_WIDTH * (size_t)i;
    const double* q = i + 1 < set.v->n ? p + SCRI_POLAR_WIDTH : set.table;
    double step = i + 1 < set.v->n ? q[0] - p[0] : q[0] + (2.0 * SCREE_PI) - p[0];
    scri_piece out = {step, {p[1], q[1]}, {p[2], q[2]}};
    return out;
}

/* At the share t of the way. */
SCREE_FN scri_jet scri_polar_evaluate(const scri_piece* p, double t)
{
    double s = 1.0 - t, h = p->step;
    double m0 = p->r2[0], m1 = p->r2[1];
    scri_jet out;
    out.r = s * p->r[0] + t * p->r[1] - h * h / 6.0 * s * t * ((1.0 + s) * m0 + (1.0 + t) * m1);
    out.r1 =
        (p->r[1] - p->r[0]) / h + h / 6.0 * ((3.0 * t * t - 1.0) * m1 - (3.0 * s * s - 1.0) * m0);
    out.r2 = s * m0 + t * m1;
    return out;
}

/* The piece that holds an angle, and the share of it that lies before the angle. */
SCRI_KERNEL int32_t scri_polar_locate(scri_set set, double angle, double* share)
{
    double first = set.table[0], past = angle - first;
    past -= (2.0 * SCREE_PI) * floor(past / (2.0 * SCREE_PI));
    int32_t low = 0, high = set.v->n;
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        if (set.table[SCRI_POLAR_WIDTH * middle] - first <= past) {
            low = middle;
        } else {
            high = middle;
        }
    }
    double t =
        (past - (set.table[SCRI_POLAR_WIDTH * low] - first)) / scri_polar_piece_of(set, low).step;
    *share = fmax(0.0, fmin(1.0, t));
    return low;
}

SCRI_KERNEL double scri_polar_gauge(scri_set set, const double u[2], double gradient[2],
                                    double* bend)
{
    double share, angle = atan2(u[1], u[0]);
    scri_piece p = scri_polar_piece_of(set, scri_polar_locate(set, angle, &share));
    scri_jet j = scri_polar_evaluate(&p, share);
    double f = 1.0 / j.r, slope = j.r1 * f; /* d ln r / d angle */
    gradient[0] = f * (u[0] + slope * u[1]);
    gradient[1] = f * (u[1] - slope * u[0]);
    *bend = f * (1.0 + 2.0 * slope * slope - j.r2 * f);
    return f;
}

#endif
