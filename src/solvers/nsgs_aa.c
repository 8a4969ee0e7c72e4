/* Gauss-Seidel with Anderson acceleration: what the last sweeps did is combined so that the next
 * one changes as little as possible, in scaled variables; the combination is projected onto the
 * cones before the next sweep starts from it.
 *
 * Under the exact law sweeps need not contract: on the way to a solution their change may grow for
 * a while, along a direction in which they run away from a point where it is small, but not zero.
 * The combination would lead back to that point and stay there. It is recognised by its direction,
 * against the last sweep's change, and not taken; the sweeps then find their way themselves. A
 * combination from which a sweep changes far more than before is taken back, with its history.
 */
#include "math/anderson.h"
#include "solvers/nsgs.h"
#include "solvers/nsgs_bodies.h"
#include "solvers/solver.h"

#include <string.h>

/* Least cosine of the angle between the way to the combination and the last sweep's change.
 * Measured: 0.5 to 1 while the acceleration works, any sign where it does not. */
#define LEAST_COSINE 0.2

/* A sweep may change this many times what the one before did, squared. */
#define MOST_GROWTH 100.0

/* Sweeps without acceleration after a combination was taken back. */
enum { PLAIN_SWEEPS = 4 };

typedef struct nsgs_aa {
    scri_sweeping plain;
    scri_anderson history;
    double* start;    /* [n_rows] where the last sweep began */
    double change;    /* of the last sweep that was kept, squared */
    int plain_sweeps; /* to make before the next combination */
} nsgs_aa;

/* Goes on from `p`. */
static void move_to(scri_run* run, const nsgs_aa* m, const double* p)
{
    memcpy(run->at.p, p, (size_t)run->at.n_rows * sizeof *p);
    scri_operator_reset(&run->op, run->at.p);
    if (m->plain.restore) m->plain.restore(run, m->plain.method);
}

/* Onto the cones in scaled variables, where forces and moments are of one kind. */
static void project(const scri_run* run, double* p)
{
    const scree_problem* problem = run->problem;
    const scri_scaling* scaling = &run->scaling;
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        int32_t row = problem->row[c], end = problem->row[c + 1];
        scri_terms terms = scri_terms_of(problem, c, scaling->coef);
        for (int32_t i = row; i < end; ++i) p[i] *= scaling->unit * scaling->scale[i];
        scri_law_of(problem, c)->project(terms, p + row);
        for (int32_t i = row; i < end; ++i) p[i] /= scaling->unit * scaling->scale[i];
    }
}

/* Moves to the combination; 0 where there is none that helps. */
static int extrapolate(scri_run* run, nsgs_aa* m)
{
    if (m->history.used == 0 || m->plain_sweeps > 0) return 0;
    if (!(scri_anderson_mix(&m->history, m->start) >= LEAST_COSINE)) return 0;
    project(run, m->start);
    move_to(run, m, m->start);
    return 1;
}

static void take_back(scri_run* run, nsgs_aa* m)
{
    move_to(run, m, m->history.image);
    scri_anderson_forget(&m->history);
    m->plain_sweeps = PLAIN_SWEEPS;
}

static scri_sweep_size sweep(scri_run* run, void* method, int64_t index, double tolerance)
{
    nsgs_aa* m = method;
    int extrapolated = extrapolate(run, m);
    if (!extrapolated) memcpy(m->start, run->at.p, (size_t)run->at.n_rows * sizeof *m->start);
    scri_sweep_size size = m->plain.sweep(run, m->plain.method, index, tolerance);
    if (m->plain.store) m->plain.store(run, m->plain.method);
    if (extrapolated && !(size.change <= MOST_GROWTH * m->change)) {
        take_back(run, m);
        return size;
    }
    if (m->plain_sweeps > 0) m->plain_sweeps--;
    m->change = size.change;
    scri_anderson_take(&m->history, m->start, run->at.p);
    return size;
}

/* A combination of sweeps makes sense when each is the same map. */
static const char* unfit(const scree_problem* problem, const scree_solver_def* def)
{
    int changes = problem->form != SCREE_FORM_BODIES && def->sweep == SCREE_SWEEP_SHUFFLED;
    return changes ? "shuffled sweeps cannot be combined" : NULL;
}

static void solve(scri_run* run, scri_bump* bump)
{
    int bodies = run->problem->form == SCREE_FORM_BODIES;
    scri_nsgs nsgs = {.order = NULL};
    scri_nsgs_bodies nsgs_bodies = {.round = NULL};
    if (bodies) {
        nsgs_bodies = scri_nsgs_bodies_create(run, bump);
    } else {
        nsgs = scri_nsgs_create(run, bump);
    }
    nsgs_aa m = {.history = scri_anderson_create(run->at.n_rows, run->scaling.scale, bump)};
    m.start = scri_bump_take(bump, (size_t)run->at.n_rows, sizeof *m.start);
    if (!bump->memory) return;
    scri_anderson_begin(&m.history);
    m.plain = bodies ? scri_nsgs_bodies_begin(run, &nsgs_bodies) : scri_nsgs_begin(run, &nsgs);
    scri_sweeping_run(run, &(scri_sweeping){.method = &m, .sweep = sweep});
}

const scri_solver scri_solver_nsgs_aa = {
    "nsgs-aa",
    "nsgs, or nsgs-bodies for bodies, with safeguarded Anderson acceleration",
    "everything but shuffled sweeps",
    unfit,
    solve,
};
