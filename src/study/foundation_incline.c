/* A cylinder on a slope: total force, stationary speeds, folds.
 *
 * At every speed there is one slope that keeps it: the total force grows with the slope. So the
 * stationary states of all slopes are one curve alpha(v) over the speed, without folds in this
 * direction, and continuation is a walk along v. A state is stable where alpha rises with v, the
 * folds of the diagram are the extrema of alpha(v), and between two of them a slope has at most one
 * stationary speed.
 */
#include "base/env.h"
#include "study/foundation.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

scri_incline scri_incline_of(const scree_foundation_def* def)
{
    return (scri_incline){.ground = scri_ground_of(def),
                          .weight = def->mass * def->gravity,
                          .inertia = def->mass * (1.0 + def->inertia),
                          .drag_linear = def->drag_linear,
                          .drag_square = def->drag_square};
}

int scri_incline_force(const scri_incline* incline, double slope, double speed, double* force,
                       double* by_speed, double* by_slope)
{
    scri_ground_state contact;
    double v = fabs(speed), sign = speed < 0.0 ? -1.0 : 1.0;
    double down = incline->weight * sin(slope), load = incline->weight * cos(slope);
    if (!scri_ground_contact(&incline->ground, load, v, &contact)) return 0;
    double drag = (incline->drag_linear + incline->drag_square * v) * v;
    *force = down - sign * (contact.resistance + drag);
    *by_speed =
        -contact.resistance_by_speed - incline->drag_linear - 2.0 * incline->drag_square * v;
    if (by_slope) *by_slope = load + sign * contact.resistance_by_load * down;
    return 1;
}

scree_status scree_foundation_drive(const scree_env* env, const scree_foundation_def* def,
                                    double speed, double* force, double* force_by_speed)
{
    if (!def || !force || !force_by_speed) return SCREE_ERROR_ARGUMENT;
    *force = *force_by_speed = SCREE_NAN;
    scree_foundation_contact contact; /* for its message where there is no contact */
    scree_status status = scree_foundation_resist(env, def, speed, &contact);
    if (status) return status;
    scri_incline incline = scri_incline_of(def);
    scri_incline_force(&incline, def->slope, speed, force, force_by_speed, NULL);
    return SCREE_OK;
}

/* ---- the curve alpha(v) ---- */

/* By Newton's method. */
int scri_incline_slope(const scri_incline* incline, double speed, double* slope, double* by_speed)
{
    enum { MOST = 60 };
    double x = 0.0, force, by_slope;
    for (int i = 0; i < MOST; ++i) {
        if (!scri_incline_force(incline, x, speed, &force, by_speed, &by_slope)) return 0;
        double step = -force / by_slope;
        /* too far would be past vertical, where no load is left: half of the way is tried first */
        while (x + step >= 0.5 * SCREE_PI && step > DBL_EPSILON) step *= 0.5;
        x = fmax(x + step, 0.0);
        if (x >= 0.5 * SCREE_PI - 1e-6) return 0;
        if (fabs(step) <= 4.0 * DBL_EPSILON * x) break;
    }
    *slope = x;
    return scri_incline_force(incline, x, speed, &force, by_speed, &by_slope);
}

/* dF/dv along the curve: negative where it is stable. */
static double steepness(const void* context, double speed)
{
    double slope, by_speed;
    return scri_incline_slope(context, speed, &slope, &by_speed) ? by_speed : SCREE_NAN;
}

/* The curve in pieces on which the slope rises or falls throughout. */
typedef struct pieces {
    int32_t n;                               /* of them */
    double speed[SCREE_FOUNDATION_MOST + 2]; /* [n + 1] their ends */
} pieces;

/* The last speed of the curve: the lift speed of its own slope, or the slope becomes vertical. */
static double find_end(const scri_incline* incline, double speed)
{
    enum { DOUBLINGS = 60, BISECTIONS = 60 };
    double slope, by_speed, good = speed, bad = 2.0 * speed;
    int i = 0;
    for (; i < DOUBLINGS && scri_incline_slope(incline, bad, &slope, &by_speed); ++i) {
        good = bad;
        bad *= 2.0;
    }
    if (i == DOUBLINGS) return good;
    for (i = 0; i < BISECTIONS && bad - good > 1e-12 * bad; ++i) {
        double middle = 0.5 * (good + bad);
        if (scri_incline_slope(incline, middle, &slope, &by_speed)) {
            good = middle;
        } else {
            bad = middle;
        }
    }
    return good;
}

/* Below the first speed the resistance is linear: there the springs follow without delay. */
void scri_incline_range(const scri_incline* incline, double range[2])
{
    const scri_ground* g = &incline->ground;
    double scale = g->k * scri_ground_rest_length(g, incline->weight) / g->gamma;
    range[0] = 1e-4 * scale;
    range[1] = find_end(incline, range[0]);
}

/* Walks along the curve in equal ratios of the speed and finds where it turns. */
static pieces find_pieces(const scri_incline* incline)
{
    enum { STEPS = 2000 };
    double range[2];
    scri_incline_range(incline, range);
    double v = range[0], end = range[1], ratio = pow(end / v, 1.0 / STEPS);
    double slope, by_speed, last = steepness(incline, v);
    pieces out = {.n = 0};
    for (int i = 1; i <= STEPS && out.n < SCREE_FOUNDATION_MOST; ++i) {
        double next = i < STEPS ? v * ratio : end;
        if (!scri_incline_slope(incline, next, &slope, &by_speed)) break;
        if ((by_speed < 0.0) != (last < 0.0)) {
            out.speed[++out.n] = scri_find_root(steepness, incline, v, next);
        }
        last = by_speed;
        v = next;
    }
    out.speed[++out.n] = v;
    return out;
}

static int by_rising_slope(const void* a, const void* b)
{
    const scree_foundation_fold *x = a, *y = b;
    return (x->slope > y->slope) - (x->slope < y->slope);
}

scree_status scree_foundation_folds(const scree_env* env, const scree_foundation_def* def,
                                    scree_foundation_fold out[SCREE_FOUNDATION_MOST], int32_t* n)
{
    if (!def || !out || !n) return SCREE_ERROR_ARGUMENT;
    *n = 0;
    scree_status status = scree_foundation_validate(env, def);
    if (status) return status;
    scri_incline incline = scri_incline_of(def);
    pieces p = find_pieces(&incline);
    for (int32_t i = 1; i < p.n; ++i) {
        double slope, by_speed;
        if (!scri_incline_slope(&incline, p.speed[i], &slope, &by_speed)) continue;
        out[(*n)++] = (scree_foundation_fold){.slope = slope, .speed = p.speed[i]};
    }
    qsort(out, (size_t)*n, sizeof *out, by_rising_slope);
    return SCREE_OK;
}

/* ---- stationary speeds of one slope ---- */

typedef struct on_slope {
    const scri_incline* incline;
    double slope;
} on_slope;

static double total_force(const void* context, double speed)
{
    const on_slope* c = context;
    double force, by_speed;
    int good = scri_incline_force(c->incline, c->slope, speed, &force, &by_speed, NULL);
    return good ? force : SCREE_NAN;
}

/* The last speed of the curve belongs to another slope; on this one the contact may end before. */
static double last_speed(const on_slope* c, double speed)
{
    double load = c->incline->weight * cos(c->slope);
    return fmin(speed, scri_ground_lift_speed(&c->incline->ground, load) * (1.0 - 1e-12));
}

static int32_t find_stationary(const scri_incline* incline, double slope,
                               scree_foundation_rest out[SCREE_FOUNDATION_MOST])
{
    on_slope c = {incline, slope};
    if (slope == 0.0) {
        out[0] = (scree_foundation_rest){.speed = 0.0, .stable = 1};
        return 1;
    }
    pieces p = find_pieces(incline);
    int32_t n = 0;
    for (int32_t i = 0; i < p.n && n < SCREE_FOUNDATION_MOST; ++i) {
        double a = p.speed[i], b = last_speed(&c, p.speed[i + 1]);
        double fa = total_force(&c, a), fb = total_force(&c, b);
        if (!(a < b) || !(fa * fb <= 0.0)) continue;
        double force, by_speed, v = scri_find_root(total_force, &c, a, b);
        if (!scri_incline_force(incline, slope, v, &force, &by_speed, NULL)) continue;
        out[n++] = (scree_foundation_rest){.speed = v, .stable = by_speed < 0.0};
    }
    return n;
}

scree_status scree_foundation_stationary(const scree_env* env, const scree_foundation_def* def,
                                         scree_foundation_rest out[SCREE_FOUNDATION_MOST],
                                         int32_t* n)
{
    if (!def || !out || !n) return SCREE_ERROR_ARGUMENT;
    *n = 0;
    scree_status status = scree_foundation_validate(env, def);
    if (status) return status;
    scri_incline incline = scri_incline_of(def);
    *n = find_stationary(&incline, def->slope, out);
    return SCREE_OK;
}

/* ---- diagram ---- */

static scree_status check_window(const scree_env* env, const double window[2])
{
    if (window[0] > 0.0 && window[0] < window[1] && window[1] < 0.5 * SCREE_PI) return SCREE_OK;
    return scri_fail(env, SCREE_ERROR_INPUT,
                     "foundation: slopes from %g to %g degrees: they must rise, from above 0 to "
                     "below 90",
                     window[0] * 180.0 / SCREE_PI, window[1] * 180.0 / SCREE_PI);
}

scree_status scree_foundation_curve(const scree_env* env, const scree_foundation_def* def,
                                    const double window[2], int32_t n, double* slope, double* speed,
                                    uint8_t* stable)
{
    if (!def || !window || !slope || !speed || !stable) return SCREE_ERROR_ARGUMENT;
    scree_status status = scree_foundation_validate(env, def);
    if (!status) status = check_window(env, window);
    if (status) return status;
    if (n < 2) return scri_fail(env, SCREE_ERROR_ARGUMENT, "foundation: a curve has 2 points");
    scri_incline incline = scri_incline_of(def);
    scree_foundation_rest rest[SCREE_FOUNDATION_MOST];
    int32_t n_low = find_stationary(&incline, window[0], rest);
    pieces p = find_pieces(&incline);
    double low = n_low > 0 ? rest[0].speed : p.speed[p.n];
    int32_t n_high = find_stationary(&incline, window[1], rest);
    double high = n_high > 0 ? rest[n_high - 1].speed : p.speed[p.n];
    for (int32_t i = 0; i < n; ++i) {
        double by_speed = SCREE_NAN;
        speed[i] = i == n - 1 ? high : low * pow(high / low, i / (double)(n - 1));
        if (!scri_incline_slope(&incline, speed[i], &slope[i], &by_speed)) slope[i] = SCREE_NAN;
        stable[i] = by_speed < 0.0;
    }
    return SCREE_OK;
}

scree_status scree_foundation_window(const scree_env* env, const scree_foundation_def* def,
                                     double window[2])
{
    if (!def || !window) return SCREE_ERROR_ARGUMENT;
    scree_foundation_fold fold[SCREE_FOUNDATION_MOST];
    int32_t n;
    scree_status status = scree_foundation_folds(env, def, fold, &n);
    if (status) return status;
    double from = n > 0 ? fold[0].slope : 0.75 * def->slope;
    double to = n > 0 ? fold[n - 1].slope : 1.25 * def->slope;
    double margin = fmax(to - from, 1e-3 * to);
    window[0] = fmax(from - margin, 0.25 * from);
    window[1] = fmin(to + margin, 0.5 * (to + 0.5 * SCREE_PI));
    return SCREE_OK;
}
