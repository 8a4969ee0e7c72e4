/* The potential of the speed, F = -dU/dv, and what its wells say: which way noise moves the mean
 * speed, and how much friction rolling needs. */
#include "base/env.h"
#include "study/foundation.h"

#include <math.h>

/* d2F/dv2 from the exact dF/dv: central differences of two widths, without the error of either's
 * second order. */
static double force_bend(const scri_incline* incline, double slope, double v)
{
    double d[2];
    for (int i = 0; i < 2; ++i) {
        double e = (i ? 5e-4 : 1e-3) * v, force, up, down;
        if (!scri_incline_force(incline, slope, v + e, &force, &up, NULL)) return SCREE_NAN;
        if (!scri_incline_force(incline, slope, v - e, &force, &down, NULL)) return SCREE_NAN;
        d[i] = (up - down) / (2.0 * e);
    }
    return (4.0 * d[1] - d[0]) / 3.0;
}

/* The integral of F from a to b, by the trapezoidal rule with its end correction: order 4, and the
 * cells are short. */
static double work_between(const scri_incline* incline, double slope, double a, double b)
{
    enum { CELLS = 512 };
    double h = (b - a) / CELLS, sum = 0.0, ends[2], force, by_speed;
    for (int i = 0; i <= CELLS; ++i) {
        double v = i == CELLS ? b : a + h * i;
        if (!scri_incline_force(incline, slope, v, &force, &by_speed, NULL)) return SCREE_NAN;
        if (i == 0 || i == CELLS) ends[i == CELLS] = by_speed;
        sum += (i == 0 || i == CELLS ? 0.5 : 1.0) * force;
    }
    return h * sum + h * h / 12.0 * (ends[0] - ends[1]);
}

/* T / N with the total force F at a speed. */
static double friction_at(const scree_foundation_def* def, double slope, double resistance,
                          double force)
{
    double turning = def->inertia / (1.0 + def->inertia);
    return (resistance + turning * force) / (def->mass * def->gravity * cos(slope));
}

scree_status scree_foundation_friction(const scree_env* env, const scree_foundation_def* def,
                                       double speed, double* out)
{
    if (!def || !out) return SCREE_ERROR_ARGUMENT;
    scree_foundation_contact contact;
    double force, by_speed;
    *out = SCREE_NAN;
    scree_status status = scree_foundation_resist(env, def, speed, &contact);
    if (!status) status = scree_foundation_drive(env, def, speed, &force, &by_speed);
    if (!status) *out = friction_at(def, def->slope, contact.resistance, force);
    return status;
}

scree_status scree_foundation_wells(const scree_env* env, const scree_foundation_def* def,
                                    scree_foundation_well out[SCREE_FOUNDATION_MOST], int32_t* n)
{
    if (!def || !out || !n) return SCREE_ERROR_ARGUMENT;
    scree_foundation_rest rest[SCREE_FOUNDATION_MOST];
    scree_status status = scree_foundation_stationary(env, def, rest, n);
    if (status) return status;
    scri_incline incline = scri_incline_of(def);
    for (int32_t i = 0; i < *n; ++i) {
        double v = rest[i].speed, force, by_speed, friction;
        status = scree_foundation_drive(env, def, v, &force, &by_speed);
        if (!status) status = scree_foundation_friction(env, def, v, &friction);
        if (status) return status;
        double curvature = -by_speed, bend = v > 0.0 ? -force_bend(&incline, def->slope, v) : 0.0;
        double drift = -bend / (4.0 * incline.inertia * curvature * curvature);
        double rise = i > 0 ? -work_between(&incline, def->slope, rest[i - 1].speed, v) : 0.0;
        out[i] = (scree_foundation_well){.speed = v,
                                         .stable = rest[i].stable,
                                         .potential = i > 0 ? out[i - 1].potential + rise : 0.0,
                                         .curvature = curvature,
                                         .bend = bend,
                                         .drift = rest[i].stable ? drift : SCREE_NAN,
                                         .friction = friction};
    }
    return SCREE_OK;
}

scree_status scree_foundation_potential(const scree_env* env, const scree_foundation_def* def,
                                        int32_t n, const double* speed, double* potential)
{
    if (!def || !speed || !potential) return SCREE_ERROR_ARGUMENT;
    scree_foundation_rest rest[SCREE_FOUNDATION_MOST];
    int32_t n_rest;
    scree_status status = scree_foundation_stationary(env, def, rest, &n_rest);
    if (status) return status;
    scri_incline incline = scri_incline_of(def);
    double last = n_rest > 0 ? rest[0].speed : 0.0, u = 0.0;
    for (int32_t i = 0; i < n; ++i) {
        u -= work_between(&incline, def->slope, last, speed[i]);
        potential[i] = u;
        last = speed[i];
    }
    if (n == 0 || isfinite(u)) return SCREE_OK;
    return scri_fail(env, SCREE_ERROR_INPUT,
                     "foundation: no potential up to %g m/s: the cylinder leaves the ground at %g",
                     speed[n - 1], scree_foundation_lift_speed(def));
}
