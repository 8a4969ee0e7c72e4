/* The public entry: lays out the workspace, runs a method, hands back the best iterate. */
#include "base/clock.h"
#include "solvers/give_way.h"
#include "solvers/newton_system.h"
#include "solvers/solver.h"

#include <math.h>
#include <string.h>

enum { COOKIE = 0x5C4EE501 };

scree_solver_def scree_default_solver_def(void)
{
    scree_solver_def def = {.cookie = COOKIE};
#define SCREE_X(type, name, value, meaning) def.name = value;
    SCREE_SOLVER_FIELDS(SCREE_X)
#undef SCREE_X
    return def;
}

const char* scree_outcome_text(int outcome)
{
    static const char* const text[SCREE_OUTCOME_COUNT] = {
        [SCREE_OUTCOME_CONVERGED] = "converged",
        [SCREE_OUTCOME_STALLED] = "stalled",
        [SCREE_OUTCOME_ITERATION_LIMIT] = "iteration limit",
        [SCREE_OUTCOME_TIME_LIMIT] = "time limit",
        [SCREE_OUTCOME_INTERRUPTED] = "interrupted",
        [SCREE_OUTCOME_INFEASIBLE] = "no solution: contacts contradict each other",
    };
    return outcome >= 0 && outcome < SCREE_OUTCOME_COUNT ? text[outcome] : "unknown";
}

static void lay_out(scri_run* run, scri_bump* bump)
{
    size_t n_rows = (size_t)run->n_rows;
    run->op = scri_operator_create(run->problem, bump);
    run->scaling = scri_scaling_create(run->problem, bump);
    run->best = scri_bump_take(bump, n_rows, sizeof(double));
    run->y = scri_bump_take(bump, n_rows, sizeof(double));
}

size_t scree_solve_work_size(const scree_problem* problem, const scree_solver_def* def)
{
    const scri_solver* solver = scri_solver_find(def->solver);
    if (!solver || problem->form == SCREE_FORM_FACTORED) return 0;
    scri_bump bump = {NULL, 0};
    scri_run run = {.problem = problem, .def = def, .n_rows = scree_problem_n_rows(problem)};
    lay_out(&run, &bump);
    solver->solve(&run, &bump);
    return bump.used;
}

static int def_is_valid(const scree_solver_def* def)
{
    return def->cookie == COOKIE && (int)def->measure >= 0 && def->measure < SCREE_MEASURE_COUNT &&
           (int)def->sweep >= 0 && def->sweep < SCREE_SWEEP_COUNT && def->tol >= 0.0 &&
           def->normal_tol >= 0.0 && def->speed >= 0.0 && def->max_iter >= 0 &&
           def->max_time >= 0.0;
}

/* Evaluates the first guess, or zeros in its place if it is of no use. Nonzero: stop. */
static int begin(scri_run* run)
{
    int stop = scri_run_check(run);
    if (isfinite(run->report.residual)) return stop;
    memset(run->p, 0, (size_t)run->n_rows * sizeof *run->p);
    return scri_run_check(run);
}

/* Solves; where contacts contradict each other, lets them give way and solves again. */
static void solve_or_give_way(scri_run* run, const scri_solver* solver, scri_bump bump)
{
    enum { ROUNDS = 8 };
    for (int round = 0;; ++round) {
        int64_t left = run->def->max_iter - run->report.iterations;
        scri_bump rest = bump;
        run->report.n_stages = 0;
        scri_run_begin(run, solver->name, left, SCRI_PATIENCE);
        if (!begin(run)) solver->solve(run, &rest);
        if (round == ROUNDS) break; /* whatever is found now is not taken out any more */
        scri_run_end(run);
        if (!run->gave_way) break;
        scri_give_way_begin_anew(run);
    }
    if (run->report.infeasible.n_contacts == 0) return;
    if (run->report.outcome == SCREE_OUTCOME_INTERRUPTED) return;
    run->report.outcome = SCREE_OUTCOME_INFEASIBLE;
}

static void hand_out(const scri_run* run, double* p, scree_report* report)
{
    size_t bytes = (size_t)run->n_rows * sizeof *p;
    memcpy(p, run->best, bytes);
    *report = run->report;
    report->time_s = scri_clock_seconds(run->def->env) - run->started;
    if (!run->def->give) return;
    if (run->give) {
        memcpy(run->def->give, run->give, bytes);
    } else {
        memset(run->def->give, 0, bytes);
    }
}

static int factors(const scri_solver* solver)
{
    return solver == &scri_solver_newton_prox || solver == &scri_solver_interior;
}

scree_status scree_solve(const scree_problem* problem, const scree_solver_def* def, void* work,
                         double* p, scree_report* report)
{
    if (!problem || !def || !work || !p || !report || !def_is_valid(def)) {
        return SCREE_ERROR_ARGUMENT;
    }
    const scri_solver* solver = scri_solver_find(def->solver);
    if (!solver) return SCREE_ERROR_ARGUMENT;
    if (problem->form == SCREE_FORM_FACTORED) return SCREE_ERROR_UNSUPPORTED;
    if (problem->n_contacts == 0) return SCREE_ERROR_INPUT;
    if (factors(solver) && scri_newton_system_need(def->env, problem, solver->name)) {
        return SCREE_ERROR_UNSUPPORTED;
    }
    scri_bump bump = {work, 0};
    scri_run run = {.problem = problem, .def = def, .n_rows = scree_problem_n_rows(problem)};
    run.p = p;
    run.started = scri_clock_seconds(def->env);
    run.report = (scree_report){.outcome = SCREE_OUTCOME_STALLED, .residual = SCREE_NAN};
    lay_out(&run, &bump);
    scri_scaling_compute(&run.op, &run.scaling);
    run.scaling.speed = fmax(run.scaling.speed, def->speed);
    solve_or_give_way(&run, solver, bump);
    hand_out(&run, p, report);
    scri_run_release(&run);
    return SCREE_OK;
}
