/* Load balance and resistance at one speed.
 *
 * The force density under the cylinder, eq. (4), is a quadratic in xi, so that the integrals of
 * eqs. (9) and (10) are polynomials in the ends of the contact. With its centre c, its half length
 * e and its front end a = c + e = sqrt(2 R h),
 *
 *     R N   = 2 e (k e (c + e / 3) + gamma v c - m v^2) + m v^2 a
 *     R^2 F = 2 k c^2 e^2 - 2 m v^2 c e + 2 gamma v e (c^2 + e^2 / 3) + i m v^2 a^2 / 2
 *
 * where i is 2 (consistent) or 1 (printed). Written so, nothing large cancels: F keeps all its
 * digits for v -> 0, where the pressure before and behind the centre balances. The load grows with
 * h, dN/dh = 2 k e + gamma v, and is convex in a, so that Newton's method comes down to the root
 * from its second iterate on.
 */
#include "laws/foundation.h"

#include "base/compiler.h"
#include "base/env.h"
#include "laws/foundation_circle.h"

#include <float.h>
#include <math.h>

/* ---- conditions ---- */

scree_status scri_ground_check_numbers(const scree_env* env, const scri_ground_number* numbers,
                                       size_t n)
{
    for (size_t i = 0; i < n; ++i) {
        const scri_ground_number* x = &numbers[i];
        if (isfinite(x->value) && (x->positive ? x->value > 0.0 : x->value >= 0.0)) continue;
        return scri_fail(env, SCREE_ERROR_INPUT, "foundation: %s must be finite and %s: %s = %g %s",
                         x->meaning, x->positive ? "positive" : "not negative", x->symbol, x->value,
                         x->unit);
    }
    return SCREE_OK;
}

scree_status scri_ground_check(const scree_env* env, const scri_ground* g)
{
    const scri_ground_number numbers[] = {
        {"k", "stiffness of the ground", "kg/m^2/s^2", g->k, 1},
        {"gamma", "damping of the ground", "kg/m^2/s", g->gamma, 1},
        {"m", "mass of the ground", "kg/m^2", g->m, 0},
    };
    scree_status status = scri_ground_check_numbers(env, numbers, sizeof numbers / sizeof *numbers);
    if (status) return status;
    double most = 0.25 * g->gamma * g->gamma / g->k;
    if (g->m < most) return SCREE_OK;
    return scri_fail(env, SCREE_ERROR_INPUT,
                     "foundation: the ground would swing and the contact tear: m = %g kg/m^2 must "
                     "be below gamma^2 / (4 k) = %g",
                     g->m, most);
}

/* ---- resistance ---- */

/* At rest N = 2 k a^3 / (3 R). */
double scri_ground_rest_length(const scri_ground* g, double load)
{
    return cbrt(1.5 * g->radius * load / g->k);
}

double scri_ground_most_load(const scri_ground* g)
{
    return g->k * g->radius * g->radius / 12.0;
}

/* There e = 0, so that N = m v^2 a / R, and a = m v / gamma. */
double scri_ground_lift_speed(const scri_ground* g, double load)
{
    if (g->m == 0.0 || g->model == SCRI_GROUND_APPROXIMATE) return SCREE_INFINITY;
    if (g->model == SCRI_GROUND_CIRCLE) return scri_circle_lift_speed(g, load);
    return cbrt(g->gamma * g->radius * load / (g->m * g->m));
}

typedef struct ends {
    double centre, half;
} ends;

/* Eqs. (5) and (6) for the front end a: the rear one is gamma v / k - w. */
static ends find_ends(const scri_ground* g, double v, double a)
{
    double lag = g->gamma * v / g->k, swing = 2.0 * g->m * v * v / g->k;
    double excess = lag * lag - swing; /* not negative where the contact is continuous */
    double w = sqrt(a * a + excess), sum = lag + w;
    return (ends){.centre = (a * lag + a * excess / (w + a) + swing) / (2.0 * sum),
                  .half = (a * (sum + a) - swing) / (2.0 * sum)};
}

static double find_load(const scri_ground* g, double v, double a, ends s)
{
    double c = s.centre, e = s.half, inertia = g->m * v * v;
    double spread = 2.0 * e * (g->k * e * (c + e / 3.0) + g->gamma * v * c - inertia);
    return (spread + inertia * a) / g->radius;
}

/* The front end at which the ground carries the load. */
static double find_front(const scri_ground* g, double load, double v)
{
    enum { MOST = 60 };
    double least = g->m * v / g->gamma; /* e = 0 */
    double viscous = sqrt(2.0 * g->radius * load / (g->gamma * v));
    double a = fmax(fmin(scri_ground_rest_length(g, load), viscous), least);
    for (int i = 0; i < MOST; ++i) {
        ends s = find_ends(g, v, a);
        double by_front = (2.0 * g->k * s.half + g->gamma * v) * a / g->radius;
        double step = (load - find_load(g, v, a, s)) / by_front;
        a = fmax(a + step, least);
        if (fabs(step) <= 2.0 * DBL_EPSILON * a) break;
    }
    return a;
}

static void resist(const scri_ground* g, double v, double a, scri_ground_state* out)
{
    double impulse = g->model == SCRI_GROUND_PRINTED ? 1.0 : 2.0;
    double k = g->k, gamma = g->gamma, m = g->m, r = g->radius;
    ends s = find_ends(g, v, a);
    double c = s.centre, e = s.half, h = a * a / (2.0 * r);
    double moment = 2.0 * k * c * c * e * e - 2.0 * m * v * v * c * e +
                    2.0 * gamma * v * e * (c * c + e * e / 3.0);
    double load_by_depth = 2.0 * k * e + gamma * v;
    double load_by_speed = 2.0 * (gamma * c * e + m * v * (c - e)) / r;
    double force_by_depth = (2.0 * k * c * e + gamma * v * a + (impulse - 1.0) * m * v * v) / r;
    double force_by_speed =
        2.0 * (gamma * e * (c * c + e * e / 3.0) - 2.0 * m * v * c * e) / (r * r) +
        2.0 * impulse * m * v * h / r;
    *out = (scri_ground_state){.depth = h,
                               .xi_minus = c - e,
                               .xi_plus = a,
                               .resistance = moment / (r * r) + impulse * m * v * v * h / r,
                               .resistance_by_speed =
                                   force_by_speed - force_by_depth * load_by_speed / load_by_depth,
                               .resistance_by_load = force_by_depth / load_by_depth};
}

/* Eqs. (11) and (12), the former with its fraction expanded so that it holds at v = 0. */
static void approximate(const scri_ground* g, double load, double v, scri_ground_state* out)
{
    double k = g->k, m = g->m, r = g->radius, d = g->gamma * v;
    double spring = 2.0 / 3.0 * k * sqrt(2.0 * r * load), sum = d * sqrt(d) + spring;
    double h = load * sqrt(d) / sum, front = sqrt(2.0 * r * h);
    double force_by_depth = k * h + m * v * v / r + d * front / r;
    double depth_by_speed = d > 0.0 ? h * (0.5 / v - 1.5 * g->gamma * sqrt(d) / sum) : 0.0;
    double depth_by_load = h / load * (1.0 - 0.5 * spring / sum);
    double by_speed = 2.0 * h * (m * v + g->gamma * front / 3.0) / r;
    double at_rest = 0.5 * g->gamma * k * load * load / (spring * spring);
    *out = (scri_ground_state){
        .depth = h,
        .xi_plus = front,
        .resistance = h * (0.5 * k * h + m * v * v / r + 2.0 * d * front / (3.0 * r)),
        .resistance_by_speed = d > 0.0 ? by_speed + force_by_depth * depth_by_speed : at_rest,
        .resistance_by_load = force_by_depth * depth_by_load};
}

int scri_ground_contact(const scri_ground* g, double load, double speed, scri_ground_state* out)
{
    if (!(load > 0.0) || !(speed < scri_ground_lift_speed(g, load))) return 0;
    if (g->model == SCRI_GROUND_CIRCLE) return scri_circle_contact(g, load, speed, out);
    if (g->model == SCRI_GROUND_APPROXIMATE) {
        approximate(g, load, speed, out);
    } else {
        resist(g, speed, find_front(g, load, speed), out);
    }
    return 1;
}

double scri_ground_rolling(const scri_ground* g, double load, double speed)
{
    if (!(load > 0.0)) return 0.0;
    /* just below the lift speed: at it the contact has no length, and above it there is none */
    double fastest = scri_ground_lift_speed(g, load) * (1.0 - 1e-12);
    scri_ground_state contact;
    if (!scri_ground_contact(g, load, fmin(fabs(speed), fastest), &contact)) return 0.0;
    return contact.resistance * g->radius / load;
}
