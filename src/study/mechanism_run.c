/* Mechanisms in time: how fast a small displacement from the equilibrium grows. */
#include "base/env.h"
#include "study/mechanism.h"

#include <math.h>
#include <string.h>

#define TOLERANCE 1e-12 /* of a step */

/* Stretches of two periods; growth is that of the largest displacement over the last half of them.
 * Until then faster decaying modes have died out. */
enum { PERIODS = 2, STRETCHES = 60, STEPS_PER_PERIOD = 500 };

/* The displacement may grow or shrink by this, to stay small and above rounding. */
#define LARGEST 1e3
#define SMALLEST 1e-3

scree_status scri_mechanism_create(const scree_env* env, const scri_mechanism* mechanism,
                                   double* value, double start, double step, double* rest,
                                   scree_system** out)
{
    const uint8_t rows = SCREE_ROWS_NT;
    const double coef[3] = {mechanism->friction(value)};
    double q[SCREE_MECHANISM_COORDINATES];
    scree_system_def def = scree_default_system_def();
    if (mechanism->equilibrium) mechanism->equilibrium(value, rest);
    memcpy(q, rest, sizeof q);
    q[0] += start;
    def.model = mechanism->model;
    def.model.user = value;
    def.n = mechanism->info.n_coordinates;
    def.n_contacts = 1;
    def.rows = &rows;
    def.coef = coef;
    def.step = step;
    def.tol = TOLERANCE;
    return scree_system_create(env, &def, 0.0, q, NULL, out);
}

/* The largest displacement of coordinate 0 in one stretch. */
static scree_status go_on(scree_system* system, double rest, int64_t steps, double* largest,
                          scree_mechanism_run* out)
{
    *largest = 0.0;
    for (int64_t i = 0; i < steps; ++i) {
        scree_system_report report;
        scree_status status = scree_system_step(system, &report);
        if (status) return status;
        *largest = fmax(*largest, fabs(scree_system_get_view(system).q[0] - rest));
        out->residual = fmax(out->residual, report.residual);
        out->not_converged += report.solve.outcome != SCREE_OUTCOME_CONVERGED;
        out->steps++;
    }
    return SCREE_OK;
}

static scree_status measure(scree_system* system, double start, double rest, double stretch,
                            int64_t steps, scree_mechanism_run* out)
{
    double log_size[STRETCHES];
    int n = 0;
    while (n < STRETCHES) {
        double largest;
        scree_status status = go_on(system, rest, steps, &largest, out);
        if (status) return status;
        log_size[n++] = log(largest / start);
        if (n > 2 && !(largest < LARGEST * start && largest > SMALLEST * start)) break;
    }
    int half = n / 2 - (n == 2);
    out->growth = (log_size[n - 1] - log_size[half]) / (stretch * (n - 1 - half));
    return SCREE_OK;
}

scree_status scree_mechanism_simulate(const scree_env* env, int index, const double* value,
                                      double step, scree_mechanism_run* out)
{
    if (!out) return SCREE_ERROR_ARGUMENT;
    *out = (scree_mechanism_run){.growth = SCREE_NAN};
    scree_mode mode;
    scree_status status = scree_mechanism_mode(env, index, value, &mode);
    if (status) return status;
    const scri_mechanism* mechanism = scri_mechanism_get(index);
    double own[SCREE_MECHANISM_PARAMETERS], rest[SCREE_MECHANISM_COORDINATES] = {0.0};
    memcpy(own, value, (size_t)mechanism->info.n_parameters * sizeof *own);
    double stretch = PERIODS * 2.0 * SCREE_PI / fmax(mode.frequency, fabs(mode.growth));
    if (step == 0.0) step = stretch / (PERIODS * STEPS_PER_PERIOD);
    if (!(step > 0.0) || !(stretch >= 2.0 * step)) {
        return scri_fail(env, SCREE_ERROR_INPUT, "step = %g s must be positive and below %g", step,
                         0.5 * stretch);
    }
    scree_system* system = NULL;
    int64_t steps = (int64_t)(stretch / step);
    status = scri_mechanism_create(env, mechanism, own, mechanism->start, step, rest, &system);
    if (!status) {
        status = measure(system, mechanism->start, rest[0], (double)steps * step, steps, out);
    }
    scree_system_destroy(system);
    return status;
}

/* ---- onset ----------------------------------------------------------------------------------- */

typedef struct search {
    int index;
    double value[SCREE_MECHANISM_PARAMETERS];
    double step;
    scree_mechanism_run* worst;
} search;

static scree_status growth_at(const scree_env* env, search* s, double at, double* growth)
{
    scree_mechanism_run run;
    s->value[scri_mechanism_get(s->index)->info.varied] = at;
    scree_status status = scree_mechanism_simulate(env, s->index, s->value, s->step, &run);
    *growth = run.growth;
    s->worst->residual = fmax(s->worst->residual, run.residual);
    s->worst->steps += run.steps;
    s->worst->not_converged += run.not_converged;
    return status;
}

/* Illinois' regula falsi between two places with growths of different sign. */
static scree_status find_zero(const scree_env* env, search* s, double place[2], double growth[2],
                              double* zero)
{
    enum { ROUNDS = 30 };
    double width = 1e-5 * fabs(place[1]);
    *zero = place[1];
    for (int i = 0, last = -1; i < ROUNDS; ++i) {
        double now, at = (place[0] * growth[1] - place[1] * growth[0]) / (growth[1] - growth[0]);
        scree_status status = growth_at(env, s, at, &now);
        if (status) return status;
        int side = (now > 0.0) == (growth[1] > 0.0);
        double moved = fabs(at - *zero);
        place[side] = at;
        growth[side] = now;
        if (side == last) growth[!side] *= 0.5;
        last = side;
        *zero = at;
        if (moved <= width || fabs(place[1] - place[0]) <= width) break;
    }
    return SCREE_OK;
}

scree_status scree_mechanism_onset_simulated(const scree_env* env, int index, const double* value,
                                             double step, double* onset, scree_mechanism_run* worst)
{
    if (!onset || !worst) return SCREE_ERROR_ARGUMENT;
    double linear, place[2], growth[2];
    *onset = SCREE_NAN;
    *worst = (scree_mechanism_run){.growth = SCREE_NAN};
    scree_status status = scree_mechanism_onset(env, index, value, &linear);
    if (status || isnan(linear)) return status;
    search s = {.index = index, .step = step, .worst = worst};
    int32_t n = scri_mechanism_get(index)->info.n_parameters;
    memcpy(s.value, value, (size_t)n * sizeof *value);
    for (int i = 0; i < 2; ++i) {
        place[i] = linear * (i == 0 ? 0.9 : 1.1);
        status = growth_at(env, &s, place[i], &growth[i]);
        if (status) return status;
    }
    if (!(growth[0] * growth[1] < 0.0)) return SCREE_OK;
    return find_zero(env, &s, place, growth, onset);
}
