/* The mass on the belt: its equilibrium and for which directions and sets that is unstable. */
#include "study/belt.h"

#include "base/env.h"
#include "base/fill.h"
#include "study/planar_block.h"
#include "study/stability.h"

#include <math.h>

void scree_belt_def_init(scree_belt_def* def)
{
    if (!def) return;
    const scree_belt_def usual = {.struct_size = sizeof usual,
                                  .mass = 1.0,
                                  .stiffness = 1.0,
                                  .gravity = 9.81,
                                  .speed = 1.0,
                                  .phi = 50.0 * SCREE_PI / 180.0,
                                  .semi_axis = {30.0, 10.0},
                                  .zeta = 30.0 * SCREE_PI / 180.0,
                                  .ratio = 3.0,
                                  .start = {1e-5, 0.0},
                                  .step = 5e-4,
                                  .end = 10000.0,
                                  .discard = 10,
                                  .measure = 4};
    scri_fill(def, def->struct_size, &usual, sizeof usual);
}

scree_status scri_belt_check(const scree_env* env, const scree_belt_def* def)
{
    scree_status status =
        scri_check_size(env, def->struct_size, sizeof *def, "scree_default_belt_def");
    if (status) return status;
    const struct {
        const char* name;
        double value;
    } positive[] = {
        {"mass", def->mass},
        {"stiffness", def->stiffness},
        {"gravity", def->gravity},
        {"speed", def->speed},
        {"semi-axis", def->semi_axis[0]},
        {"semi-axis", def->semi_axis[1]},
        {"ratio", def->ratio},
        {"step", def->step},
        {"end", def->end},
    };
    for (size_t i = 0; i < sizeof positive / sizeof *positive; ++i) {
        if (positive[i].value > 0.0 && isfinite(positive[i].value)) continue;
        return scri_fail(env, SCREE_ERROR_INPUT, "%s = %g must be positive and finite",
                         positive[i].name, positive[i].value);
    }
    if (!isfinite(def->phi) || !isfinite(def->zeta) || !isfinite(def->start[0]) ||
        !isfinite(def->start[1])) {
        return scri_fail(env, SCREE_ERROR_INPUT, "phi, zeta or the start is not finite");
    }
    if (def->discard < 0 || def->measure < 1) {
        return scri_fail(env, SCREE_ERROR_INPUT,
                         "discard = %d must not be negative, measure = %d be at least 1",
                         (int)def->discard, (int)def->measure);
    }
    return SCREE_OK;
}

scree_status scri_belt_make_sets(const scree_env* env, const scree_belt_def* def,
                                 scri_belt_sets* out)
{
    double load = def->mass * def->gravity;
    const double forces[2] = {def->semi_axis[0] / load, def->semi_axis[1] / load};
    const double flow[2] = {def->ratio, 1.0};
    scree_set_def shape = scri_planar_shape(forces, 2.0, def->zeta);
    *out = (scri_belt_sets){NULL, NULL};
    scree_status status = scree_set_create(env, &shape, &out->forces);
    if (status) return status;
    return scri_planar_fit(env, scri_planar_shape(flow, 2.0, 0.0), out->forces, &out->flow);
}

void scri_belt_release_sets(scri_belt_sets* sets)
{
    scree_set_destroy(sets->forces);
    scree_set_destroy(sets->flow);
}

/* ---- analysis -------------------------------------------------------------------------------- */

typedef struct matrices {
    double mass[4], stiffness[4], directions[4];
} matrices;

static scree_sliding describe(const scree_belt_def* def, const scri_belt_sets* sets, matrices* m)
{
    *m = (matrices){.mass = {def->mass, 0.0, 0.0, def->mass},
                    .stiffness = {def->stiffness, 0.0, 0.0, def->stiffness},
                    .directions = {1.0, 0.0, 0.0, 1.0}};
    return (scree_sliding){.n = 2,
                           .mass = m->mass,
                           .stiffness = m->stiffness,
                           .directions = m->directions,
                           .chi = {-def->speed * cos(def->phi), -def->speed * sin(def->phi)},
                           .load = def->mass * def->gravity,
                           .forces = sets->forces,
                           .flow = sets->flow};
}

static scree_status analyse(const scree_env* env, const scree_sliding* sliding,
                            scree_belt_equilibrium* out)
{
    scree_sliding_report report;
    scree_status status = scree_sliding_analyse(env, sliding, out->position, &report);
    if (status) return status;
    out->slope = report.slope;
    out->growth = report.mode.growth;
    out->frequency = report.mode.frequency;
    out->trace = report.trace;
    out->is_unstable = report.is_unstable;
    out->by_trace = report.by_trace;
    out->by_slope = report.by_slope;
    out->by_tangent = report.by_tangent;
    out->damping[0] = report.damping[0];
    out->damping[1] = report.damping[1];
    out->gyroscopic = report.gyroscopic;
    out->tangency = report.tangency;
    out->zero_multiplicity = report.zero_multiplicity;
    return SCREE_OK;
}

scree_status scree_belt_analyse(const scree_env* env, const scree_belt_def* def,
                                scree_belt_equilibrium* out)
{
    if (!def || !out) return SCREE_ERROR_ARGUMENT;
    scri_belt_sets sets;
    matrices m;
    *out = (scree_belt_equilibrium){.slope = 0.0};
    scree_status status = scri_belt_check(env, def);
    if (status) return status;
    status = scri_belt_make_sets(env, def, &sets);
    if (!status) {
        scree_sliding sliding = describe(def, &sets, &m);
        status = analyse(env, &sliding, out);
    }
    scri_belt_release_sets(&sets);
    return status;
}

/* Along the axes of the direction set force and velocity are parallel and the equilibrium is
 * stable, so that no range reaches across 0 or pi. */
scree_status scree_belt_ranges(const scree_env* env, const scree_belt_def* def, int32_t n_most,
                               double* range, int32_t* n)
{
    if (!def || !range || !n) return SCREE_ERROR_ARGUMENT;
    scri_belt_sets sets;
    matrices m;
    *n = 0;
    scree_status status = scri_belt_check(env, def);
    if (status) return status;
    status = scri_belt_make_sets(env, def, &sets);
    if (!status) {
        scree_sliding sliding = describe(def, &sets, &m);
        status = scree_sliding_ranges(env, &sliding, (double[]){0.0, SCREE_PI}, n_most, range, n);
    }
    scri_belt_release_sets(&sets);
    return status;
}

/* ---- critical zeta --------------------------------------------------------------------------- */

/* The smallest slope over all directions: a look around, then golden sections. */
static double least_slope(const scree_sliding* sliding)
{
    enum { LOOKS = 180 };
    const double golden = 0.6180339887498949, step = SCREE_PI / LOOKS;
    double best = SCREE_INFINITY, where = 0.0;
    for (int i = 0; i < LOOKS; ++i) {
        double slope = scri_sliding_slope(sliding, step * i);
        if (slope < best) {
            best = slope;
            where = step * i;
        }
    }
    double low = where - step, high = where + step;
    while (high - low > 1e-9) {
        double a = high - golden * (high - low), b = low + golden * (high - low);
        if (scri_sliding_slope(sliding, a) < scri_sliding_slope(sliding, b)) {
            high = b;
        } else {
            low = a;
        }
    }
    return scri_sliding_slope(sliding, 0.5 * (low + high));
}

/* Whether any direction is unstable when the force set is turned by zeta. */
static scree_status is_critical(const scree_env* env, const scree_belt_def* def, double zeta,
                                int* unstable)
{
    scree_belt_def turned = *def;
    scri_belt_sets sets;
    matrices m;
    turned.zeta = zeta;
    scree_status status = scri_belt_make_sets(env, &turned, &sets);
    if (!status) {
        scree_sliding sliding = describe(&turned, &sets, &m);
        *unstable = least_slope(&sliding) < 0.0;
    }
    scri_belt_release_sets(&sets);
    return status;
}

static scree_status find_critical(const scree_env* env, const scree_belt_def* def, double low,
                                  double high, double* zeta)
{
    int below = 0, unstable = 0;
    scree_status status = is_critical(env, def, low, &below);
    while (!status && high - low > 1e-11) {
        double middle = 0.5 * (low + high);
        status = is_critical(env, def, middle, &unstable);
        if (unstable == below) {
            low = middle;
        } else {
            high = middle;
        }
    }
    *zeta = 0.5 * (low + high);
    return status;
}

scree_status scree_belt_critical(const scree_env* env, const scree_belt_def* def, int32_t n_most,
                                 double* zeta, int32_t* n)
{
    enum { LOOKS = 90 };
    if (!def || !zeta || !n) return SCREE_ERROR_ARGUMENT;
    int before = 0, unstable = 0;
    *n = 0;
    scree_status status = scri_belt_check(env, def);
    for (int i = 0; i <= LOOKS && !status; ++i, before = unstable) {
        double width = 0.5 * SCREE_PI / LOOKS, at = width * i;
        status = is_critical(env, def, at, &unstable);
        if (status || i == 0 || unstable == before) continue;
        if (*n < n_most) status = find_critical(env, def, at - width, at, &zeta[*n]);
        ++*n;
    }
    return status;
}
