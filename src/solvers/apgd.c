/* Accelerated projected gradient (Nesterov) with an adaptive step and restarts (O'Donoghue &
 * Candes). For convex friction, joints and limits it minimises p W p / 2 + q p over the
 * cones. Under the exact law the De Saxce shift is that of the current velocities: no minimum, no
 * proof, and yet it solves many problems on which Gauss-Seidel is slow. There momentum may feed on
 * itself; the runs between restarts then become shorter until it does not.
 */
#include "solvers/projection_step.h"
#include "solvers/solver.h"

#include <math.h>
#include <string.h>

enum { CHECK_INTERVAL = 20, GROWTHS = 60 };

/* The curvature along the next step is first taken to be this much smaller than along the last. */
#define RELAXATION 0.9

/* And not below this; the diagonal of W is near 1 in scaled variables. */
#define LEAST_CURVATURE 1e-3

/* A residual this many times the best one ends the momentum. Under the exact law runs are then
 * halved; each new best residual makes them a little longer. */
#define MOST_GROWTH 3.0
#define LEAST_LENGTH 10.0
#define LENGTHENING 1.05

typedef struct apgd {
    scri_projection s;     /* x: the extrapolated point; trial: the step from there */
    double *last, *f_last; /* [n_rows] the step before, and F there */
    double curvature;      /* 1 / rho */
    double inertia;        /* Nesterov's t: 1 without momentum */
    double length;         /* steps since the last restart */
    double most_length;    /* restart after so many */
} apgd;

/* The projected step from x, with a curvature not below that of F along it. */
static void step(scri_run* run, apgd* m)
{
    scri_projection* s = &m->s;
    m->curvature = fmax(RELAXATION * m->curvature, LEAST_CURVATURE);
    for (int i = 0; i < GROWTHS; ++i) {
        double moved = 0.0, bent = 0.0;
        s->rho = 1.0 / m->curvature;
        scri_projection_project(run, s, s->f, s->trial);
        scri_projection_evaluate(run, s, s->trial, s->f_trial);
        for (int32_t j = 0; j < run->at.n_rows; ++j) {
            double d = s->trial[j] - s->x[j];
            moved += d * d;
            bent += d * (s->f_trial[j] - s->f[j]);
        }
        if (!(bent > m->curvature * moved)) return;
        m->curvature = fmax(2.0 * m->curvature, bent / moved);
    }
}

/* Whether the step points against the momentum that led to x. */
static int turns_back(const scri_run* run, const apgd* m)
{
    const scri_projection* s = &m->s;
    double product = 0.0;
    for (int32_t i = 0; i < run->at.n_rows; ++i) {
        product += (s->x[i] - s->trial[i]) * (s->trial[i] - m->last[i]);
    }
    return product > 0.0;
}

/* x from the last two steps. F is linear but for the shift: it is combined, not evaluated. */
static void extrapolate(const scri_run* run, apgd* m, double momentum)
{
    scri_projection* s = &m->s;
    for (int32_t i = 0; i < run->at.n_rows; ++i) {
        s->x[i] = s->trial[i] + momentum * (s->trial[i] - m->last[i]);
        s->f[i] = s->f_trial[i] + momentum * (s->f_trial[i] - m->f_last[i]);
        m->last[i] = s->trial[i];
        m->f_last[i] = s->f_trial[i];
    }
}

static void restart(apgd* m)
{
    m->inertia = 1.0;
    m->length = 0.0;
}

static void advance(scri_run* run, apgd* m)
{
    step(run, m);
    if (turns_back(run, m) || m->length >= m->most_length) restart(m);
    double before = m->inertia;
    m->length += 1.0;
    m->inertia = 0.5 * (1.0 + sqrt(1.0 + 4.0 * before * before));
    extrapolate(run, m, (before - 1.0) / m->inertia);
}

static int has_shift(const scree_problem* problem)
{
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        if (!scri_law_is(scri_law_of(problem, c), SCREE_LAW_IS_ASSOCIATED)) return 1;
    }
    return 0;
}

/* After a check. */
static void adapt(const scri_run* run, apgd* m)
{
    if (run->monitor.residual <= run->at.residual) m->most_length *= LENGTHENING;
    if (!(run->monitor.residual > MOST_GROWTH * run->at.residual)) return;
    if (has_shift(run->problem)) {
        m->most_length = fmax(0.5 * fmin(m->length, m->most_length), LEAST_LENGTH);
    }
    restart(m);
}

static void solve(scri_run* run, scri_bump* bump)
{
    size_t n = (size_t)run->at.n_rows;
    apgd m = {.s = scri_projection_create(run, bump), .curvature = 1.0};
    m.last = scri_bump_take(bump, n, sizeof(double));
    m.f_last = scri_bump_take(bump, n, sizeof(double));
    if (!bump->memory) return;
    scri_projection_begin(run, &m.s);
    m.most_length = SCREE_INFINITY;
    restart(&m);
    memcpy(m.last, m.s.x, n * sizeof(double));
    memcpy(m.f_last, m.s.f, n * sizeof(double));
    for (;;) {
        advance(run, &m);
        int stop = scri_run_tick(run);
        if (!stop && run->budget.iterations % CHECK_INTERVAL &&
            run->budget.iterations < run->budget.limit) {
            continue;
        }
        scri_projection_store(run, m.last);
        if (scri_run_check(run) || stop) return;
        adapt(run, &m);
    }
}

const scri_solver scri_solver_apgd = {
    "apgd",
    "accelerated projected gradient, in equilibrated variables; best for the convex laws",
    SCRI_PROJECTION_FITS,
    scri_projection_unfit,
    solve,
};
