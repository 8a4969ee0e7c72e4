/* Parallel wedges with inclination beta and friction mu on their sides, Walker and Leine eq. (50):
 * springs that slide over them feel
 *
 *     r(theta) = mu / cos(beta) sqrt(b cos^2 + sin^2) / (sin^2 + w cos^2),
 *     b = cos^2(beta), w = 1 - (1 + mu^2) sin^2(beta),
 *
 * so the gauge of (x, y) is (y^2 + w x^2) / (A sqrt(b x^2 + y^2)). The set keeps A, b and w in the
 * fields a, b and s. */
#include "base/env.h"
#include "sets/kind.h"

#define HALF_PI 1.57079632679489661923

/* A D^(5/2) times the bend where x^2 = c and y^2 = 1 - c: a polynomial of degree 2 in c. */
static double bend_polynomial(double b, double w, double c)
{
    double d = 1.0 - (1.0 - b) * c, n = 1.0 - (1.0 - w) * c;
    double first = 2.0 * (w + 1.0) * d - 4.0 * (1.0 - (1.0 - w * b) * c);
    return first * d + n * (3.0 * (1.0 - (1.0 - b * b) * c) - (b + 1.0) * d);
}

/* Whether the polynomial is nowhere negative for c in 0 .. 1. */
static int is_convex(double b, double w)
{
    double p0 = bend_polynomial(b, w, 0.0), p1 = bend_polynomial(b, w, 1.0);
    double middle = bend_polynomial(b, w, 0.5);
    double second = 2.0 * (p0 + p1 - 2.0 * middle), first = p1 - p0 - second;
    double c = -first / (2.0 * second);
    if (second > 0.0 && c > 0.0 && c < 1.0 && !(bend_polynomial(b, w, c) >= 0.0)) return 0;
    return p0 >= 0.0 && p1 >= 0.0;
}

static scree_status init(const scree_env* env, const scree_set_def* def, double scale,
                         scree_set* set)
{
    double mu = def->a, beta = def->s;
    if (!(beta >= 0.0 && beta < HALF_PI)) {
        return scri_fail(env, SCREE_ERROR_INPUT,
                         "asperity: the inclination s is %g rad, not within 0 .. pi/2", beta);
    }
    scree_status status = scri_set_check_size(env, "asperity", "a", mu * scale);
    if (status) return status;
    double c = cos(beta), s = sin(beta), w = (c - mu * s) * (c + mu * s);
    if (!(w > 0.0)) {
        return scri_fail(env, SCREE_ERROR_INPUT,
                         "asperity: the friction a is %g, but wedges of %g rad jam from %g on", mu,
                         beta, c / s);
    }
    set->a = scale * mu / c;
    set->b = c * c;
    set->s = w;
    set->is_convex = is_convex(set->b, w);
    return scri_set_check_size(env, "asperity", "the largest radius", scale * mu / w);
}

static double gauge(const scree_set* set, const double u[2], double gradient[2], double* bend)
{
    double b = set->b, w = set->s, x = u[0], y = u[1], xx = x * x, yy = y * y;
    double n = yy + w * xx, d = b * xx + yy, root = set->a * sqrt(d);
    gradient[0] = x * (2.0 * w - n / d * b) / root;
    gradient[1] = y * (2.0 - n / d) / root;
    *bend = (2.0 * (w + 1.0) - 4.0 * (w * b * xx + yy) / d +
             n / d * (3.0 * (b * b * xx + yy) / d - (b + 1.0))) /
            root;
    return n / root;
}

/* The spikes at theta = 0 and pi have about the width of those of an ellipse with these axes. */
static double next_knot(const scree_set* set, double angle)
{
    scree_set like = {.a = 1.0, .b = sqrt(set->s)};
    return scri_set_next_knot_ab(&like, angle);
}

const scri_set_kind scri_set_asperity = {
    .name = "asperity",
    .init = init,
    .gauge = gauge,
    .support = scri_curve_support,
    .project = scri_curve_project,
    .next_knot = next_knot,
};
