/* The public entry: lays out the workspace, runs a method, hands back the best iterate. */
#include "solvers/solve.h"

#include "base/env.h"
#include "base/moat.h"
#include "solvers/nsgs_wide.h"
#include "solvers/solver.h"

#include <math.h>
#include <string.h>

void scree_solver_def_init(scree_solver_def* def, uint32_t cookie)
{
    if (!def) return;
    def->cookie = 0;
    if (cookie != SCREE_SOLVER_COOKIE) return;
    *def = (scree_solver_def){.cookie = cookie};
#define SCREE_X(type, name, value, meaning) def->name = value;
    SCREE_SOLVER_FIELDS(SCREE_X)
#undef SCREE_X
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

static scri_run begin_run(const scree_env* env, const scri_known* known,
                          const scree_solver_def* def, double* p)
{
    int32_t n_rows = scree_problem_n_rows(known->problem);
    return (scri_run){.env = env,
                      .problem = known->problem,
                      .def = def,
                      .team = known->team,
                      .facts = known->facts,
                      .op = known->op,
                      .scaling = known->scaling,
                      .size = known->size,
                      .wide = known->wide,
                      .colour = known->colour,
                      .at = scri_iterate_create(n_rows, known->team, p, known->best, known->y),
                      .outcome = SCREE_OUTCOME_STALLED};
}

size_t scri_solve_known_size(const scree_env* env, const scri_known* known,
                             const scree_solver_def* def)
{
    const scri_solver* solver = scri_solver_find(def->solver);
    if (!solver || scri_solver_unfit(env, solver, known->problem, def, &known->facts)) return 0;
    scri_bump bump = {NULL, 0};
    scri_run run = begin_run(env, known, def, NULL);
    solver->solve(&run, &bump);
    return bump.used;
}

/* What is known is there first. */
size_t scri_solve_work_size(const scree_env* env, const scree_problem* problem,
                            const scree_solver_def* def, scri_team* team)
{
    if (!problem || !def) return 0;
    scri_bump bump = {NULL, 0};
    scri_facts facts = scri_facts_find(problem, team);
    scri_known known = scri_known_create(problem, &facts, team, &bump);
    size_t rest = scri_solve_known_size(env, &known, def);
    return rest > 0 ? bump.used + rest : 0;
}

size_t scree_solve_work_size(const scree_env* env, const scree_problem* problem,
                             const scree_solver_def* def)
{
    return scri_solve_work_size(env, problem, def, NULL);
}

/* Judges the first guess, or zeros in its place if it is of no use. Nonzero: stop. */
static int begin(scri_run* run, int is_judged)
{
    int stop = is_judged ? scri_run_conclude(run) : scri_run_check(run);
    run->is_at_guess = 1;
    if (isfinite(run->at.residual)) return stop;
    scri_iterate_clear(&run->at);
    return scri_run_check(run);
}

/* Solves; where contacts contradict each other, lets them give way and solves again. */
static void solve_or_give_way(scri_run* run, const scri_solver* solver, int is_judged,
                              scri_bump bump)
{
    enum { ROUNDS = 8 };
    for (int round = 0;; ++round) {
        scri_bump rest = bump;
        run->n_stages = 0;
        const char* by = round == 0 ? "guess" : run->method; /* who made what is evaluated first */
        scri_run_begin(run, by, scri_budget_left(&run->budget), SCRI_PATIENCE, 0);
        if (!begin(run, is_judged && round == 0)) {
            run->method = solver->name;
            solver->solve(run, &rest);
        }
        if (round == ROUNDS) break; /* whatever is found now is not taken out any more */
        scri_run_end(run);
        if (!run->contradiction.gave_way) break;
        scri_give_way_begin_anew(run);
    }
    if (run->contradiction.all.n_contacts == 0) return;
    if (run->outcome == SCREE_OUTCOME_INTERRUPTED) return;
    run->outcome = SCREE_OUTCOME_INFEASIBLE;
}

static void hand_out(const scri_run* run, double* p, scree_report* report)
{
    size_t bytes = (size_t)run->at.n_rows * sizeof *p;
    const double* give = run->contradiction.give;
    scri_team_copy(run->team, p, run->at.best, bytes);
    *report = (scree_report){.outcome = run->outcome,
                             .residual = run->at.residual,
                             .infeasible = run->contradiction.all,
                             .iterations = run->budget.iterations,
                             .time_s = scri_budget_time(&run->budget),
                             .solver = run->at.by,
                             .updates = run->updates,
                             .fail_safe = run->fail_safe,
                             .n_stages = run->n_stages};
    if (!run->def->give) return;
    if (give) {
        scri_team_copy(run->team, run->def->give, give, bytes);
    } else {
        scri_team_clear(run->team, run->def->give, bytes);
    }
}

/* Contacts from which on a team is woken for a solve, whose colours have some dozens then. */
enum { WORTH_ROUSING = 500 };

static int def_is_valid(const scree_solver_def* def)
{
    return (int)def->measure >= 0 && def->measure < SCREE_MEASURE_COUNT && (int)def->sweep >= 0 &&
           def->sweep < SCREE_SWEEP_COUNT && def->tol >= 0.0 && def->tol < SCREE_INFINITY &&
           def->normal_tol >= 0.0 && def->speed >= 0.0 && def->max_iter >= 0 &&
           def->max_time >= 0.0 && (!def->stages || def->stages_room >= 0);
}

/* Whether the call makes sense; the reason why not goes to the log. */
static scree_status check_call(const scree_env* env, const scree_problem* problem,
                               const scree_solver_def* def, const scri_facts* facts)
{
    if (!def_is_valid(def)) {
        return scri_fail(env, SCREE_ERROR_ARGUMENT, "a solver option is out of range");
    }
    const scri_solver* solver = scri_solver_find(def->solver);
    if (!solver) {
        return scri_fail(env, SCREE_ERROR_ARGUMENT, "there is no solver \"%s\"",
                         def->solver ? def->solver : "");
    }
    const char* why = scri_solver_unfit(env, solver, problem, def, facts);
    if (why) {
        return scri_fail(env, SCREE_ERROR_UNSUPPORTED, "solver %s does not fit: %s", solver->name,
                         why);
    }
    return problem->n_contacts > 0
               ? SCREE_OK
               : scri_fail(env, SCREE_ERROR_INPUT, "there is no contact to solve");
}

/* Contacts that are judged by themselves get their sizes from the map. */
static void forget_sizes(scri_run* run)
{
    for (int32_t c = 0; c < run->problem->n_contacts; ++c) run->size[c] = 1.0;
}

static void solve(const scree_env* env, scri_known* known, const scree_solver_def* def, void* work,
                  double* p, scree_report* report)
{
    scri_run run = begin_run(env, known, def, p);
    if (run.problem->n_contacts >= WORTH_ROUSING) scri_team_rouse(run.team);
    run.budget = scri_budget_create(env, def, run.problem->n_contacts);
    run.monitor = scri_monitor_create(def);
    run.scaling.speed = fmax(run.scaling.speed, def->speed);
    run.map = known->map;
    if (!scri_run_is_local(&run)) forget_sizes(&run);
    int is_alike = scri_run_is_local(&run) && run.scaling.speed == known->scaling.speed;
    int is_judged = is_alike && scri_known_is_judged(known, p);
    solve_or_give_way(&run, scri_solver_find(def->solver), is_judged, (scri_bump){work, 0});
    hand_out(&run, p, report);
    known->is_judged = is_alike && run.kept && run.outcome != SCREE_OUTCOME_INTERRUPTED &&
                       run.contradiction.all.n_contacts == 0;
    known->map = run.map;
    if (run.contradiction.all.n_contacts > 0) scri_nsgs_wide_forget(run.wide);
    scri_run_release(&run);
}

scree_status scri_solve_known(const scree_env* env, scri_known* known, const scree_solver_def* def,
                              void* work, double* p, scree_report* report)
{
    scree_status status = check_call(env, known->problem, def, &known->facts);
    if (!status) solve(env, known, def, work, p, report);
    return status;
}

scree_status scri_solve(const scree_env* env, const scree_problem* problem,
                        const scree_solver_def* def, scri_team* team, void* work, double* p,
                        scree_report* report)
{
    if (!problem || !def || def->cookie != SCREE_SOLVER_COOKIE) return SCREE_ERROR_ARGUMENT;
    scri_facts facts = scri_facts_find(problem, team);
    scree_status status = check_call(env, problem, def, &facts);
    if (status) return status;
    if (!work || !p || !report) return SCREE_ERROR_ARGUMENT;
    scri_bump bump = {work, 0};
    scri_known known = scri_known_create(problem, &facts, team, &bump);
    scri_known_find(&known, NULL, def->speed);
    solve(env, &known, def, bump.memory + bump.used, p, report);
    return SCREE_OK;
}

void scri_solver_def_turn_to(scree_solver_def* def, const char* solver)
{
    scree_solver_def plain = scree_default_solver_def();
    def->solver = solver;
    def->rho = def->rho_slide = def->rho_roll = def->rho_spin = plain.rho;
    def->relaxation = plain.relaxation;
    def->local = plain.local;
    def->map = plain.map;
}

scree_status scree_solve(const scree_env* env, const scree_problem* problem,
                         const scree_solver_def* def, void* work, double* p, scree_report* report)
{
    scree_status status = scri_solve(env, problem, def, NULL, work, p, report);
    if (SCRI_MOAT > 0 && !status) scri_moat_fill(work, scree_solve_work_size(env, problem, def));
    return status;
}
