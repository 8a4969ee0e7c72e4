/* Superellipses |x/a|^s + |y/b|^s <= 1.
 *
 * Powers are taken of the ratio of the smaller to the larger term only, so nothing overflows. On
 * the boundary in the first quadrant, x = a X and y = b Y, the unknown of the projection is
 * w = ln(Y / X): point and normal are simple functions of it, and it resolves both the corners of
 * large s and the neighbourhood of the axes, where the boundary is flat (s > 2) or pointed (s < 2).
 */
#include "base/env.h"
#include "sets/kind.h"

enum { MAX_STEPS = 200 };

#define FARTHEST 800.0 /* exp(-w) is 0 beyond it */
#define BESIDE 36.0    /* exp(-w) is a rounding error */
#define STEEPEST 1e150 /* stands for infinite derivatives */
#define LEAST_S 0.01
#define LARGEST_S 1e4

static scree_status init(const scree_env* env, const scree_set_def* def, double scale,
                         scree_set* set)
{
    set->a = def->a * scale;
    set->b = def->b * scale;
    set->s = def->s;
    set->is_convex = def->s >= 1.0;
    scree_status status = scri_set_check_size(env, "superellipse", "a", set->a);
    if (!status) status = scri_set_check_size(env, "superellipse", "b", set->b);
    if (status) return status;
    if (!(def->s >= LEAST_S && def->s <= LARGEST_S)) {
        return scri_fail(env, SCREE_ERROR_INPUT, "superellipse: s is %g, not within %g .. %g",
                         def->s, LEAST_S, LARGEST_S);
    }
    /* With s = 2 it is an ellipse, which needs no powers. */
    if (def->s == 2.0) set->kind = SCREE_SET_ELLIPSE;
    return SCREE_OK;
}

/* ---- gauge ---- */

static double gauge(const scree_set* set, const double u[2], double gradient[2], double* bend)
{
    double s = set->s, x = fabs(u[0]) / set->a, y = fabs(u[1]) / set->b;
    double most = fmax(x, y), q = fmin(x, y) / most, sum = 1.0 + pow(q, s);
    double f = most * pow(sum, 1.0 / s), steep = pow(sum, 1.0 / s - 1.0);
    /* At the tips of s < 1 the derivative across is infinite to both sides: take the one between.
     */
    double flat = s < 1.0 && !(q > 0.0) ? 0.0 : fmin(pow(q, s - 1.0), STEEPEST);
    double dx = x >= y ? steep : flat * steep, dy = x >= y ? flat * steep : steep;
    gradient[0] = copysign(dx / set->a, u[0]);
    gradient[1] = copysign(dy / set->b, u[1]);
    double r = 1.0 / (set->a * set->b * most);
    *bend = 0.0;
    if (s != 1.0) {
        double bent = fmin(pow(q, s - 2.0), STEEPEST) * pow(sum, 1.0 / s - 2.0);
        *bend = (s - 1.0) * r * r / most * bent;
    }
    return f;
}

/* ---- support: the norm with the conjugate exponent ---- */

static double rhombus_support(const scree_set* set, const double v[2], double point[2],
                              double* radius)
{
    double x = set->a * fabs(v[0]), y = set->b * fabs(v[1]);
    point[0] = x >= y ? copysign(set->a, v[0]) : 0.0;
    point[1] = x >= y ? 0.0 : copysign(set->b, v[1]);
    *radius = x == y ? SCREE_INFINITY : 0.0;
    return fmax(x, y);
}

static double support(const scree_set* set, const double v[2], double point[2], double* radius)
{
    if (set->s == 1.0) return rhombus_support(set, v, point, radius);
    double s = set->s, power = s / (s - 1.0);
    double x = set->a * fabs(v[0]), y = set->b * fabs(v[1]);
    double most = fmax(x, y), q = fmin(x, y) / most, sum = 1.0 + pow(q, power);
    double big = pow(sum, -1.0 / s), small = big * pow(q, 1.0 / (s - 1.0));
    point[0] = copysign(set->a * (x >= y ? big : small), v[0]);
    point[1] = copysign(set->b * (x >= y ? small : big), v[1]);
    double r = set->a * set->b / most;
    *radius = r * r / most * pow(q, power - 2.0) * pow(sum, 1.0 / power - 2.0) / (s - 1.0);
    return most * pow(sum, 1.0 / power);
}

/* ---- projection ---- */

/* The boundary at w: X, Y, the unit normal, and ln of the larger of X and Y. */
typedef struct place {
    double at[2], normal[2], log_most;
} place;

static place place_of(const scree_set* set, double w)
{
    double s = set->s, ratio = exp(-fabs(w)), log_most = -log1p(exp(-s * fabs(w))) / s;
    double most = exp(log_most), least = ratio * most;
    double lean = (s - 1.0) * w + log(set->a / set->b); /* ln of the normal's slope */
    double slope = exp(-fabs(lean)), length = sqrt(1.0 + slope * slope);
    place p = {.log_most = log_most};
    p.at[0] = w <= 0.0 ? most : least;
    p.at[1] = w <= 0.0 ? least : most;
    p.normal[0] = (lean <= 0.0 ? 1.0 : slope) / length;
    p.normal[1] = (lean <= 0.0 ? slope : 1.0) / length;
    return p;
}

static double curvature_of(const scree_set* set, const place* p, double w)
{
    double s = set->s, x = pow(p->at[0], s - 1.0) / set->a, y = pow(p->at[1], s - 1.0) / set->b;
    double steep = sqrt(x * x + y * y), ab = set->a * set->b;
    double product = exp((s - 2.0) * (2.0 * p->log_most - fabs(w)));
    return (s - 1.0) * product / (ab * steep) / (ab * steep) / steep;
}

/* Newton's step for the logarithm of stationarity, (z - p) parallel to the normal:
 *     (s - 1) w + ln(a / b) - ln(z_y - b Y) + ln(z_x - a X) = 0,
 * nearly straight for a z far away; NaN where p does not lie below z in both coordinates. */
static double step_log(const scree_set* set, const place* p, const double rest[2], double w)
{
    if (!(rest[0] > 0.0 && rest[1] > 0.0)) return SCREE_NAN;
    double s = set->s, xs = pow(p->at[0], s), ys = pow(p->at[1], s);
    double value = (s - 1.0) * w + log(set->a / set->b) - log(rest[1] / rest[0]);
    double slope = s - 1.0 + set->b * p->at[1] * xs / rest[1] + set->a * p->at[0] * ys / rest[0];
    return -value / slope;
}

/* Newton's step for (z - p) . tangent = 0, nearly straight for a z close by. */
static double step_near(const scree_set* set, const place* p, const double rest[2], double w)
{
    double s = set->s, xs = pow(p->at[0], s), ys = pow(p->at[1], s);
    double dx = set->a * p->at[0] * ys, dy = set->b * p->at[1] * xs; /* -dx/dw, dy/dw */
    double speed = sqrt(dx * dx + dy * dy), along = p->normal[0] * rest[1] - p->normal[1] * rest[0];
    double depth = fmax(scri_dot2(p->normal, rest), 0.0);
    return along / (speed * (1.0 + curvature_of(set, p, w) * depth));
}

/* The root lies between the point below z on its ray and the point that supports the direction of
 * z: the sign of (z - p) . tangent differs there, and in between only one p has z on its normal. */
static double find(const scree_set* set, const double z[2])
{
    double zx = z[0] / set->a, zy = z[1] / set->b, most = fmax(zx, zy);
    double radial = fmax(-FARTHEST, fmin(FARTHEST, log(zy / zx)));
    double lean = log(set->b * z[1] / (set->a * z[0])) / (set->s - 1.0);
    double far = fmax(-FARTHEST, fmin(FARTHEST, lean));
    double low = fmin(radial, far), high = fmax(radial, far);
    double w = far + (radial - far) / fmax(most, 1.0);
    double before = 2.0 * (high - low);
    for (int step = 0; step < MAX_STEPS && low < high; ++step) {
        place p = place_of(set, w);
        double rest[2] = {z[0] - set->a * p.at[0], z[1] - set->b * p.at[1]};
        double along = p.normal[0] * rest[1] - p.normal[1] * rest[0];
        if (along > 0.0) {
            low = w;
        } else {
            high = w;
        }
        double next = w + step_log(set, &p, rest, w);
        if (!(next >= low && next <= high)) next = w + step_near(set, &p, rest, w);
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
static void tip(const scree_set* set, const double z[2], double point[2], scri_edge* edge)
{
    int y = z[0] == 0.0;
    point[0] = y ? 0.0 : copysign(set->a, z[0]);
    point[1] = y ? copysign(set->b, z[1]) : 0.0;
    edge->normal[0] = y ? 0.0 : copysign(1.0, z[0]);
    edge->normal[1] = y ? copysign(1.0, z[1]) : 0.0;
    double beside = y ? BESIDE : -BESIDE;
    place p = place_of(set, beside);
    edge->curvature = curvature_of(set, &p, beside);
}

static void rhombus_project(const scree_set* set, const double z[2], double point[2],
                            scri_edge* edge)
{
    double a = set->a, b = set->b, length = sqrt(a * a + b * b);
    double along = ((a - fabs(z[0])) * (a / length) + fabs(z[1]) * (b / length)) / length;
    double share = fmax(0.0, fmin(1.0, along)); /* of the way from (a, 0) to (0, b) */
    point[0] = copysign(a * (1.0 - share), z[0]);
    point[1] = copysign(b * share, z[1]);
    edge->normal[0] = copysign(b / length, z[0]);
    edge->normal[1] = copysign(a / length, z[1]);
    edge->curvature = along > 0.0 && along < 1.0 ? 0.0 : SCREE_INFINITY;
}

static void project(const scree_set* set, const double z[2], double point[2], scri_edge* edge)
{
    scri_edge unused;
    if (!edge) edge = &unused;
    double folded[2] = {fabs(z[0]), fabs(z[1])};
    if (set->s == 1.0) {
        rhombus_project(set, z, point, edge);
        return;
    }
    if (folded[0] == 0.0 || folded[1] == 0.0) {
        tip(set, z, point, edge);
        return;
    }
    double w = find(set, folded);
    place p = place_of(set, w);
    edge->curvature = curvature_of(set, &p, w);
    point[0] = copysign(set->a * p.at[0], z[0]);
    point[1] = copysign(set->b * p.at[1], z[1]);
    edge->normal[0] = copysign(p.normal[0], z[0]);
    edge->normal[1] = copysign(p.normal[1], z[1]);
}

const scri_set_kind scri_set_superellipse = {
    .name = "superellipse",
    .init = init,
    .gauge = gauge,
    .support = support,
    .project = project,
    .next_knot = scri_set_next_knot_ab,
};
