/* Superellipses |x/a|^s + |y/b|^s <= 1.
 *
 * Powers are taken of the ratio of the smaller to the larger term only, so nothing overflows. On
 * the boundary in the first quadrant, x = a X and y = b Y, the unknown of the projection is
 * w = ln(Y / X): point and normal are simple functions of it, and it resolves both the corners of
 * large s and the neighbourhood of the axes, where the boundary is flat (s > 2) or pointed (s < 2).
 */
#ifndef SCRI_SUPERELLIPSE_KERNEL_H
#define SCRI_SUPERELLIPSE_KERNEL_H

#include "sets/value_kernel.h"

enum { SCRI_SUPERELLIPSE_STEPS = 200 };

#define SCRI_FARTHEST_W 800.0 /* exp(-w) is 0 beyond it */
#define SCRI_BESIDE_W 36.0    /* exp(-w) is a rounding error */
#define SCRI_STEEPEST 1e150   /* stands for infinite derivatives */

/* ---- gauge ---- */

SCRI_KERNEL double scri_superellipse_gauge(scri_set set, const double u[2], double gradient[2],
                                           double* bend)
{
    double s = set.v->s, x = fabs(u[0]) / set.v->a, y = fabs(u[1]) / set.v->b;
    double most = fmax(x, y), q = fmin(x, y) / most, sum = 1.0 + pow(q, s);
    double f = most * pow(sum, 1.0 / s), steep = pow(sum, 1.0 / s - 1.0);
    /* At the tips of s < 1 the derivative across is infinite to both sides: take the one between.
     */
    double flat = s < 1.0 && !(q > 0.0) ? 0.0 : fmin(pow(q, s - 1.0), SCRI_STEEPEST);
    double dx = x >= y ? steep : flat * steep, dy = x >= y ? flat * steep : steep;
    gradient[0] = copysign(dx / set.v->a, u[0]);
    gradient[1] = copysign(dy / set.v->b, u[1]);
    double r = 1.0 / (set.v->a * set.v->b * most);
    *bend = 0.0;
    if (s != 1.0) {
        double bent = fmin(pow(q, s - 2.0), SCRI_STEEPEST) * pow(sum, 1.0 / s - 2.0);
        *bend = (s - 1.0) * r * r / most * bent;
    }
    return f;
}

/* ---- support: the norm with the conjugate exponent ---- */

SCRI_KERNEL double scri_superellipse_rhombus_support(scri_set set, const double v[2],
                                                     double point[2], double* radius)
{
    double x = set.v->a * fabs(v[0]), y = set.v->b * fabs(v[1]);
    point[0] = x >= y ? copysign(set.v->a, v[0]) : 0.0;
    point[1] = x >= y ? 0.0 : copysign(set.v->b, v[1]);
    *radius = x == y ? SCREE_INFINITY : 0.0;
    return fmax(x, y);
}

SCRI_KERNEL double scri_superellipse_support(scri_set set, const double v[2], double point[2],
                                             double* radius)
{
    if (set.v->s == 1.0) return scri_superellipse_rhombus_support(set, v, point, radius);
    double s = set.v->s, power = s / (s - 1.0);
    double x = set.v->a * fabs(v[0]), y = set.v->b * fabs(v[1]);
    double most = fmax(x, y), q = fmin(x, y) / most, sum = 1.0 + pow(q, power);
    double big = pow(sum, -1.0 / s), small = big * pow(q, 1.0 / (s - 1.0));
    point[0] = copysign(set.v->a * (x >= y ? big : small), v[0]);
    point[1] = copysign(set.v->b * (x >= y ? small : big), v[1]);
    double r = set.v->a * set.v->b / most;
    *radius = r * r / most * pow(q, power - 2.0) * pow(sum, 1.0 / power - 2.0) / (s - 1.0);
    return most * pow(sum, 1.0 / power);
}

/* ---- projection ---- */

/* The boundary at w: X, Y, the unit normal, and ln of the larger of X and Y. */
typedef struct scri_superellipse_place {
    double at[2], normal[2], log_most;
} scri_superellipse_place;

SCRI_KERNEL scri_superellipse_place scri_superellipse_place_of(scri_set set, double w)
{
    double s = set.v->s, ratio = exp(-fabs(w)), log_most = -log1p(exp(-s * fabs(w))) / s;
    double most = exp(log_most), least = ratio * most;
    double lean = (s - 1.0) * w + log(set.v->a / set.v->b); /* ln of the normal's slope */
    double slope = exp(-fabs(lean)), length = sqrt(1.0 + slope * slope);
    scri_superellipse_place p;
    p.log_most = log_most;
    p.at[0] = w <= 0.0 ? most : least;
    p.at[1] = w <= 0.0 ? least : most;
    p.normal[0] = (lean <= 0.0 ? 1.0 : slope) / length;
    p.normal[1] = (lean <= 0.0 ? slope : 1.0) / length;
    return p;
}

SCRI_KERNEL double scri_superellipse_curvature_of(scri_set set, const scri_superellipse_place* p,
                                                  double w)
{
    double s = set.v->s, x = pow(p->at[0], s - 1.0) / set.v->a,
           y = pow(p->at[1], s - 1.0) / set.v->b;
    double steep = sqrt(x * x + y * y), ab = set.v->a * set.v->b;
    double product = exp((s - 2.0) * (2.0 * p->log_most - fabs(w)));
    return (s - 1.0) * product / (ab * steep) / (ab * steep) / steep;
}

/* Newton's step for the logarithm of stationarity, (z - p) parallel to the normal:
 *     (s - 1) w + ln(a / b) - ln(z_y - b Y) + ln(z_x - a X) = 0,
 * nearly straight for a z far away; NaN where p does not lie below z in both coordinates. */
SCRI_KERNEL double scri_superellipse_step_log(scri_set set, const scri_superellipse_place* p,
                                              const double rest[2], double w)
{
    if (!(rest[0] > 0.0 && rest[1] > 0.0)) return SCREE_NAN;
    double s = set.v->s, xs = pow(p->at[0], s), ys = pow(p->at[1], s);
    double value = (s - 1.0) * w + log(set.v->a / set.v->b) - log(rest[1] / rest[0]);
    double slope =
        s - 1.0 + set.v->b * p->at[1] * xs / rest[1] + set.v->a * p->at[0] * ys / rest[0];
    return -value / slope;
}

/* Newton's step for (z - p) . tangent = 0, nearly straight for a z close by. */
SCRI_KERNEL double scri_superellipse_step_near(scri_set set, const scri_superellipse_place* p,
                                               const double rest[2], double w)
{
    double s = set.v->s, xs = pow(p->at[0], s), ys = pow(p->at[1], s);
    double dx = set.v->a * p->at[0] * ys, dy = set.v->b * p->at[1] * xs; /* -dx/dw, dy/dw */
    double speed = sqrt(dx * dx + dy * dy), along = p->normal[0] * rest[1] - p->normal[1] * rest[0];
    double depth = fmax(scri_dot2(p->normal, rest), 0.0);
    return along / (speed * (1.0 + scri_superellipse_curvature_of(set, p, w) * depth));
}

/* The root lies between the point below z on its ray and the point that supports the direction of
 * z: the sign of (z - p) . tangent differs there, and in between only one p has z on its normal. */
SCRI_KERNEL double scri_superellipse_find(scri_set set, const double z[2])
{
    double zx = z[0] / set.v->a, zy = z[1] / set.v->b, most = fmax(zx, zy);
    double radial = fmax(-SCRI_FARTHEST_W, fmin(SCRI_FARTHEST_W, log(zy / zx)));
    double lean = log(set.v->b * z[1] / (set.v->a * z[0])) / (set.v->s - 1.0);
    double far = fmax(-SCRI_FARTHEST_W, fmin(SCRI_FARTHEST_W, lean));
    double low = fmin(radial, far), high = fmax(radial, far);
    double w = far + (radial - far) / fmax(most, 1.0);
    double before = 2.0 * (high - low);
    for (int step = 0; step < SCRI_SUPERELLIPSE_STEPS && low < high; ++step) {
        scri_superellipse_place p = scri_superellipse_place_of(set, w);
        double rest[2] = {z[0] - set.v->a * p.at[0], z[1] - set.v->b * p.at[1]};
        double along = p.normal[0] * rest[1] - p.normal[1] * rest[0];
        if (along > 0.0) {
            low = w;
        } else {
            high = w;
        }
        double next = w + scri_superellipse_step_log(set, &p, rest, w);
        if (!(next >= low && next <= high))
            next = w + scri_superellipse_step_near(set, &p, rest, w);
        int slow = step % 3 == 2 && high - low > 0.5 * before;
        if (step % 3 == 2) before = high - low;
        if (!(next >= low && next <= high) || slow) next = 0.5 * (low + high);
        if (!(fabs(next - w) > 2e-16 * fmax(1.0, fabs(w)))) return next;
        w = next;
    }
    return w;
}

/* Just at the tip the curvature is 0 or infinite, however close s is to 2; what a small motion
 * meets is the one beside it. */
SCRI_KERNEL void scri_superellipse_tip(scri_set set, const double z[2], double point[2],
                                       scri_edge* edge)
{
    int y = z[0] == 0.0;
    point[0] = y ? 0.0 : copysign(set.v->a, z[0]);
    point[1] = y ? copysign(set.v->b, z[1]) : 0.0;
    edge->normal[0] = y ? 0.0 : copysign(1.0, z[0]);
    edge->normal[1] = y ? copysign(1.0, z[1]) : 0.0;
    double beside = y ? SCRI_BESIDE_W : -SCRI_BESIDE_W;
    scri_superellipse_place p = scri_superellipse_place_of(set, beside);
    edge->curvature = scri_superellipse_curvature_of(set, &p, beside);
}

SCRI_KERNEL void scri_superellipse_rhombus_project(scri_set set, const double z[2], double point[2],
                                                   scri_edge* edge)
{
    double a = set.v->a, b = set.v->b, length = sqrt(a * a + b * b);
    double along = ((a - fabs(z[0])) * (a / length) + fabs(z[1]) * (b / length)) / length;
    double share = fmax(0.0, fmin(1.0, along)); /* of the way from (a, 0) to (0, b) */
    point[0] = copysign(a * (1.0 - share), z[0]);
    point[1] = copysign(b * share, z[1]);
    edge->normal[0] = copysign(b / length, z[0]);
    edge->normal[1] = copysign(a / length, z[1]);
    edge->curvature = along > 0.0 && along < 1.0 ? 0.0 : SCREE_INFINITY;
}

SCRI_KERNEL void scri_superellipse_project(scri_set set, const double z[2], double point[2],
                                           scri_edge* edge)
{
    scri_edge unused;
    if (!edge) edge = &unused;
    double folded[2] = {fabs(z[0]), fabs(z[1])};
    if (set.v->s == 1.0) {
        scri_superellipse_rhombus_project(set, z, point, edge);
        return;
    }
    if (folded[0] == 0.0 || folded[1] == 0.0) {
        scri_superellipse_tip(set, z, point, edge);
        return;
    }
    double w = scri_superellipse_find(set, folded);
    scri_superellipse_place p = scri_superellipse_place_of(set, w);
    edge->curvature = scri_superellipse_curvature_of(set, &p, w);
    point[0] = copysign(set.v->a * p.at[0], z[0]);
    point[1] = copysign(set.v->b * p.at[1], z[1]);
    edge->normal[0] = copysign(p.normal[0], z[0]);
    edge->normal[1] = copysign(p.normal[1], z[1]);
}

#endif
