/* Chooses methods and hands the best iterate from one to the next.
 *
 * Gauss-Seidel comes first: it is the fastest on nearly all problems. A few rigid bodies go to the
 * dense Newton method after some sweeps, which have found out what slides; many round ones begin in
 * single precision where the tolerance allows; other problems on which
 * Gauss-Seidel stalls go to extragradient, and from what that finds back to Gauss-Seidel.
 */
#include "solvers/solver.h"

#include <string.h>

typedef struct auto_stage {
    const scri_solver* solver;
    int64_t iterations; /* at most; 0: what is left */
} auto_stage;

typedef struct auto_plan {
    int count;
    auto_stage stages[3];
} auto_plan;

static auto_plan make_plan(const scri_run* run)
{
    enum { SWEEPS_FIRST = 30, NEWTON_STEPS = 50 };
    auto_plan small = {3,
                       {{&scri_solver_nsgs_bodies, SWEEPS_FIRST},
                        {&scri_solver_newton_dense, NEWTON_STEPS},
                        {&scri_solver_nsgs_bodies, 0}}};
    auto_plan bodies = {1, {{&scri_solver_nsgs_bodies, 0}}};
    auto_plan round = {2, {{&scri_solver_nsgs_wide, 0}, {&scri_solver_nsgs_bodies, 0}}};
    auto_plan other = {
        3, {{&scri_solver_nsgs, 0}, {&scri_solver_extragradient, 0}, {&scri_solver_nsgs, 0}}};
    if (run->problem->form != SCREE_FORM_BODIES) return other;
    if (scri_newton_dense_fits(run->problem)) return small;
    return scri_nsgs_wide_fits(run->problem, run->def->tol) ? round : bodies;
}

/* Room for the largest of the stages: they share the workspace. */
static void count(scri_run* run, scri_bump* bump, const auto_plan* plan)
{
    size_t begin = bump->used, most = begin;
    for (int i = 0; i < plan->count; ++i) {
        bump->used = begin;
        plan->stages[i].solver->solve(run, bump);
        most = bump->used > most ? bump->used : most;
    }
    bump->used = most;
}

/* Whether the next stage may go on: this one gave up, and iterations are left. */
static int goes_on(const scri_run* run)
{
    scree_outcome outcome = run->report.outcome;
    if (run->report.iterations >= run->def->max_iter) return 0;
    return outcome == SCREE_OUTCOME_STALLED || outcome == SCREE_OUTCOME_ITERATION_LIMIT;
}

static void solve(scri_run* run, scri_bump* bump)
{
    enum { PATIENCE = 2000 };
    auto_plan plan = make_plan(run);
    if (!bump->memory) {
        count(run, bump, &plan);
        return;
    }
    size_t begin = bump->used;
    const char* found_by = plan.stages[0].solver->name;
    for (int i = 0; i < plan.count; ++i) {
        const auto_stage* stage = &plan.stages[i];
        double before = run->report.residual;
        int64_t left = run->def->max_iter - run->report.iterations;
        int64_t limit = stage->iterations && stage->iterations < left ? stage->iterations : left;
        bump->used = begin;
        scri_run_begin(run, stage->solver->name, limit,
                       i + 1 < plan.count ? PATIENCE : SCRI_PATIENCE);
        stage->solver->solve(run, bump);
        if (run->report.residual < before) found_by = stage->solver->name;
        run->report.solver = found_by;
        if (!goes_on(run)) return;
        memcpy(run->p, run->best, (size_t)run->n_rows * sizeof *run->p);
    }
}

const scri_solver scri_solver_auto = {
    "auto",
    "Gauss-Seidel first; dense Newton for few bodies, extragradient where it stalls",
    solve,
};
