/* Chooses methods and hands the best iterate from one to the next.
 *
 * Gauss-Seidel comes first, accelerated for a small tolerance: it solves most problems before a
 * Newton method has factored its first matrices. A few rigid bodies go to the dense Newton method
 * after some sweeps, which have found out what slides; many round ones begin in single precision
 * where the tolerance allows. Where sweeps converge too slowly, interior point and then proximal
 * Newton go on: their steps cost more, and ever more as problems grow, so large problems get more
 * sweeps first, and sweeps again from where interior point ends: far from every edge of the laws,
 * where most contacts keep their state, they often converge fast.
 */
#include "base/clock.h"
#include "solvers/interior_contacts.h"
#include "solvers/newton_system.h"
#include "solvers/projection_step.h"
#include "solvers/solver.h"

#include <math.h>
#include <string.h>

typedef struct auto_stage {
    const scri_solver* solver;
    int64_t iterations; /* at most; 0: what is left */
    int64_t hope;       /* see scri_run_hope() */
    int64_t patience;   /* see scri_run_begin() */
    int afresh;         /* begins at zero, not at the best iterate */
    int onward;         /* begins at the last iterate of the stage before, best or not */
    int brief;          /* see scri_run.brief */
    double below;       /* only when the best residual is below this */
} auto_stage;

typedef struct auto_plan {
    int count;
    auto_stage stages[SCREE_STAGES_MAX];
} auto_plan;

/* A residual from which the proximal Newton method often needs only a few steps; interior point
 * would begin afresh. */
#define NEAR 1e-6

/* The same after a first guess that was good: what slides is known. */
#define NEAR_WARM 1e-3

enum { PATIENCE = 2000, NEWTON_PATIENCE = 400 };

static void add(auto_plan* plan, const scri_solver* solver, int64_t iterations, int64_t hope)
{
    plan->stages[plan->count++] = (auto_stage){.solver = solver,
                                               .iterations = iterations,
                                               .hope = hope,
                                               .patience = PATIENCE,
                                               .below = SCREE_INFINITY};
}

/* Sweeps worth as much as the dozen or two factorisations that solve the same problem. With bodies
 * a factorisation costs about sqrt(n) / 2 sweeps over n contacts, in contact space, where matrices
 * are larger, about n / 20 (both measured from 400 to 10,000 contacts). A time step, whose
 * tolerance is loose and whose first guess is good, is left to sweeps for longer. */
static int64_t sweeps_before_newton(const scree_problem* problem, int is_tight)
{
    enum { LEAST = 200, LEAST_OTHER = 400 };
    int64_t n = problem->n_contacts;
    if (problem->form != SCREE_FORM_BODIES || !is_tight) return n > LEAST_OTHER ? n : LEAST_OTHER;
    int64_t sweeps = (int64_t)(10.0 * sqrt((double)n));
    return sweeps > LEAST ? sweeps : LEAST;
}

/* Whether the caller gave impulses to begin with. While only counting there are none to look at,
 * and the stages are the same. */
static int has_guess(const scri_run* run)
{
    for (int32_t i = 0; run->p && i < run->n_rows; ++i) {
        if (run->p[i] != 0.0) return 1;
    }
    return 0;
}

static auto_plan make_plan(const scri_run* run)
{
    enum { SWEEPS_FIRST = 30, NEWTON_STEPS = 50, INTERIOR_STEPS = 200 };
    enum { LAST_STEPS = 12, WARM_STEPS = 400, APGD_STEPS = 20000 };
    int is_warm = has_guess(run);
    auto_plan plan = {.count = 0};
    int has_bodies = run->problem->form == SCREE_FORM_BODIES;
    const scri_solver* sweeps = has_bodies ? &scri_solver_nsgs_bodies : &scri_solver_nsgs;
    int is_tight = run->def->tol < 1e-5;
    int64_t budget = sweeps_before_newton(run->problem, is_tight);
    int newton_fits =
        budget < run->def->max_iter && scri_newton_system_fits(run->def->env, run->problem);
    if (has_bodies && scri_newton_dense_fits(run->problem)) {
        add(&plan, sweeps, SWEEPS_FIRST, 0);
        add(&plan, &scri_solver_newton_dense, NEWTON_STEPS, 0);
    } else if (has_bodies && scri_nsgs_wide_fits(run->problem, run->def->tol)) {
        add(&plan, &scri_solver_nsgs_wide, newton_fits ? budget : 0, 0);
    }
    if (newton_fits) {
        add(&plan, is_tight ? &scri_solver_nsgs_aa : sweeps, budget, 2 * budget);
        add(&plan, &scri_solver_newton_prox, is_warm ? WARM_STEPS : LAST_STEPS, 0);
        plan.stages[plan.count - 1].below = is_warm ? NEAR_WARM : NEAR;
        if (scri_interior_fits(run->problem)) {
            add(&plan, &scri_solver_interior, INTERIOR_STEPS, 0);
            plan.stages[plan.count - 1].brief = !has_bodies;
            add(&plan, &scri_solver_nsgs_aa, budget, 0); /* their rate says little at first */
            plan.stages[plan.count - 1].onward = 1;
        }
        for (int again = 0; again < 2; ++again) {
            add(&plan, &scri_solver_newton_prox, 0, 0);
            plan.stages[plan.count - 1].patience = NEWTON_PATIENCE;
            plan.stages[plan.count - 1].onward = again;
            if (again || !scri_projection_fits(run->problem)) break;
            add(&plan, &scri_solver_apgd, APGD_STEPS, 0);
            plan.stages[plan.count - 1].afresh = 1; /* another way may lead elsewhere */
        }
    }
    add(&plan, sweeps, 0, 0);
    plan.stages[plan.count - 1].patience = SCRI_PATIENCE;
    return plan;
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

/* Where a stage begins. Before the first there is the caller's guess, and no best iterate. */
static void begin_at(scri_run* run, const auto_stage* stage)
{
    size_t bytes = (size_t)run->n_rows * sizeof *run->p;
    if (stage->afresh) {
        memset(run->p, 0, bytes);
    } else if (run->report.n_stages > 0 && !stage->onward) {
        memcpy(run->p, run->best, bytes);
    }
}

static void run_stage(scri_run* run, scri_bump* bump, const auto_stage* stage)
{
    int64_t before = run->report.iterations, left = run->def->max_iter - before;
    int64_t limit = stage->iterations && stage->iterations < left ? stage->iterations : left;
    double began = scri_clock_seconds(run->def->env);
    scri_run_begin(run, stage->solver->name, limit, stage->patience);
    scri_run_hope(run, stage->hope);
    run->brief = stage->brief;
    stage->solver->solve(run, bump);
    run->report.stages[run->report.n_stages++] =
        (scree_stage){stage->solver->name, run->report.iterations - before, run->report.residual,
                      scri_clock_seconds(run->def->env) - began};
}

static void solve(scri_run* run, scri_bump* bump)
{
    auto_plan plan = make_plan(run);
    if (!bump->memory) {
        count(run, bump, &plan);
        return;
    }
    size_t begin = bump->used;
    const char* found_by = plan.stages[0].solver->name;
    for (int i = 0; i < plan.count; ++i) {
        double before = run->report.residual;
        if (!(before < plan.stages[i].below)) continue;
        bump->used = begin;
        begin_at(run, &plan.stages[i]);
        run_stage(run, bump, &plan.stages[i]);
        if (run->report.residual < before) found_by = plan.stages[i].solver->name;
        run->report.solver = found_by;
        if (!goes_on(run)) return;
    }
}

const scri_solver scri_solver_auto = {
    "auto",
    "Gauss-Seidel first, then Newton methods where that is too slow; says what it did",
    solve,
};
