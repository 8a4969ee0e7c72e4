/* Mechanisms in time, beyond the onset: what a motion becomes when it has grown. */
#include "base/env.h"
#include "base/fill.h"
#include "study/mechanism.h"

#include <math.h>
#include <string.h>

#define STICKS 1e-9 /* times the largest slip so far: slower than that it sticks */

/* Without a duration of the caller's. */
enum { GROWTHS = 25, PERIODS = 50, MOST_PERIODS = 1000, STEPS_PER_PERIOD = 500 };

void scree_mechanism_motion_def_init(scree_mechanism_motion_def* def)
{
    if (!def) return;
    const scree_mechanism_motion_def usual = {.struct_size = sizeof usual, .start = 1e-3};
    scri_fill(def, def->struct_size, &usual, sizeof usual);
}

/* Of the last quarter. The middle is known once that has gone, so passages are counted through the
 * middle of the quarter before. */
typedef struct tracker {
    double least[2], most[2]; /* of the third quarter and of the last */
    double fastest, before;
    double first, last; /* passages, s */
    int64_t passages, steps, sticking, open;
} tracker;

static scree_mechanism_sample sample(const scree_system_view* view, double step, double fastest)
{
    scree_mechanism_sample s = {.time = view->time,
                                .normal = view->p[0] / step,
                                .friction = view->p[1] / step,
                                .slip = view->y[1],
                                .is_closed = view->closed[0]};
    memcpy(s.position, view->q, (size_t)view->n * sizeof *view->q);
    memcpy(s.velocity, view->u, (size_t)view->n * sizeof *view->u);
    s.sticks = s.is_closed && fabs(s.slip) <= STICKS * fastest;
    return s;
}

static void track(tracker* t, const scree_mechanism_sample* s, double step, double duration)
{
    double x = s->position[0], middle = 0.5 * (t->least[0] + t->most[0]);
    int late = s->time > 0.75 * duration;
    t->fastest = fmax(t->fastest, fabs(s->slip));
    if (s->time > 0.5 * duration) {
        t->least[late] = fmin(t->least[late], x);
        t->most[late] = fmax(t->most[late], x);
    }
    if (late) {
        t->steps++;
        t->sticking += s->sticks;
        t->open += !s->is_closed;
        if (t->before < middle && x >= middle) {
            double share = (middle - t->before) / (x - t->before);
            t->last = s->time - step * (1.0 - share);
            if (t->passages++ == 0) t->first = t->last;
        }
    }
    t->before = x;
}

static scree_status run(scree_system* system, const scree_mechanism_motion_def* def, tracker* t,
                        scree_mechanism_motion* out)
{
    for (int stop = 0; !stop && out->time < def->duration;) {
        scree_system_report report;
        scree_status status = scree_system_step(system, &report);
        if (status) return status;
        scree_system_view view = scree_system_get_view(system);
        scree_mechanism_sample s = sample(&view, def->step, t->fastest);
        track(t, &s, def->step, def->duration);
        out->time = s.time;
        out->steps++;
        out->residual = fmax(out->residual, report.residual);
        out->not_converged += report.solve.outcome != SCREE_OUTCOME_CONVERGED;
        stop = def->watch && def->watch(def->user, &s);
    }
    double late = t->steps > 0 ? (double)t->steps : 1.0;
    out->least = t->least[1];
    out->most = t->most[1];
    out->stick_fraction = (double)t->sticking / late;
    out->open_fraction = (double)t->open / late;
    if (t->passages > 2) out->period = (t->last - t->first) / (double)(t->passages - 1);
    return SCREE_OK;
}

static scree_status complete(const scree_env* env, const scree_mode* mode,
                             scree_mechanism_motion_def* def)
{
    double period = 2.0 * SCREE_PI / fmax(mode->frequency, fabs(mode->growth));
    if (def->duration == 0.0) {
        double grow = mode->growth > 0.0 ? GROWTHS / mode->growth : 0.0;
        def->duration = fmin(grow + PERIODS * period, MOST_PERIODS * period);
    }
    if (def->step == 0.0) def->step = period / STEPS_PER_PERIOD;
    int good = isfinite(def->start) && def->duration > 0.0 && isfinite(def->duration) &&
               def->step > 0.0 && def->step <= def->duration;
    if (good) return SCREE_OK;
    return scri_fail(env, SCREE_ERROR_INPUT,
                     "start = %g, duration = %g s, step = %g s: all must be finite, the duration "
                     "positive and not below the step",
                     def->start, def->duration, def->step);
}

scree_status scree_mechanism_follow(const scree_env* env, int index, const double* value,
                                    const scree_mechanism_motion_def* def,
                                    scree_mechanism_motion* out)
{
    if (!def || !out) return SCREE_ERROR_ARGUMENT;
    *out = (scree_mechanism_motion){.period = SCREE_NAN};
    scree_mode mode;
    scree_status status =
        scri_check_size(env, def->struct_size, sizeof *def, "scree_default_mechanism_motion_def");
    if (!status) status = scree_mechanism_mode(env, index, value, &mode);
    if (status) return status;
    scree_mechanism_motion_def own = *def;
    status = complete(env, &mode, &own);
    if (status) return status;
    const scri_mechanism* mechanism = scri_mechanism_get(index);
    double values[SCREE_MECHANISM_PARAMETERS], rest[SCREE_MECHANISM_COORDINATES] = {0.0};
    memcpy(values, value, (size_t)mechanism->info.n_parameters * sizeof *values);
    tracker t = {.least = {SCREE_INFINITY, SCREE_INFINITY},
                 .most = {-SCREE_INFINITY, -SCREE_INFINITY},
                 .before = SCREE_INFINITY};
    scree_system* system = NULL;
    status = scri_mechanism_create(env, mechanism, values, own.start, own.step, rest, &system);
    if (!status) status = run(system, &own, &t, out);
    scree_system_destroy(system);
    return status;
}
