#include "solvers/run.h"

#include "base/groups.h"
#include "solvers/newton_system.h"

#include <math.h>
#include <string.h>

void scri_run_begin(scri_run* run, const char* method, int64_t iterations, int64_t patience,
                    int64_t hope)
{
    run->method = method;
    run->brief = 0;
    run->is_in_step = 0;
    scri_budget_begin(&run->budget, iterations);
    scri_monitor_begin(&run->monitor, run->budget.iterations, patience, hope);
}

scri_newton_system* scri_run_newton(scri_run* run)
{
    scree_status status = SCREE_OK;
    if (!run->newton) {
        status = scri_newton_system_create(run->env, run->problem, &run->scaling, &run->newton);
    }
    return status ? NULL : run->newton;
}

static int stop(scri_run* run, scree_outcome outcome)
{
    run->outcome = outcome;
    return 1;
}

int scri_run_tick(scri_run* run)
{
    return scri_budget_tick(&run->budget, run->at.residual) ? stop(run, run->budget.why) : 0;
}

/* The fastest approach of a contact of a range; without end where it is no number. */
static double fastest_approach(const void* context, int32_t begin, int32_t end)
{
    const scri_run* run = context;
    const scree_problem* problem = run->problem;
    double most = 0.0;
    for (int32_t c = begin; c < end; ++c) {
        if (!scri_law_is(scri_law_of(problem, c), SCREE_LAW_HAS_FRICTION)) continue;
        double approach = -run->at.y[problem->first_row[c]];
        if (!(approach <= most)) most = isnan(approach) ? SCREE_INFINITY : approach;
    }
    return most;
}

/* The fastest approach of a contact over what the caller allows; y is that of the last check. */
static double excess_of(const scri_run* run)
{
    enum { GRAIN = 2048 };
    if (run->def->normal_tol >= 1e30) return 0.0;
    double most =
        scri_groups_most(run->team, run->problem->n_contacts, GRAIN, fastest_approach, run);
    return most > 0.0 ? most / run->def->normal_tol : 0.0;
}

static int is_raw(const scri_run* run)
{
    return run->def->measure == SCREE_MEASURE_SICONOS;
}

/* What is asked for is in raw variables for the siconos measure; this is where somebody needs to
 * know more. */
static scri_natural_map scaled_map(const scri_run* run, const scri_natural_map* asked)
{
    if (!is_raw(run)) return *asked;
    return scri_natural_map_evaluate(run->team, run->problem, &run->scaling, run->op.velocity,
                                     run->at.p, run->at.y, NULL);
}

/* Velocities and the map of the impulses at hand. */
static void judge(scri_run* run)
{
    const scri_iterate* at = &run->at;
    if (is_raw(run)) {
        scri_operator_apply(&run->op, at->p, at->y);
        run->map =
            scri_natural_map_evaluate(run->team, run->problem, NULL, NULL, at->p, at->y, NULL);
    } else {
        run->map = scri_natural_map_apply(&run->op, &run->scaling, at->p, at->y,
                                          scri_run_is_local(run) ? run->size : NULL);
    }
}

/* Whether impulses are too large to be handed back: after contacts have given way they may press as
 * they like, and friction may still jam. The first iterate sets the limit. */
static int is_excessive(const scri_run* run, const scri_natural_map* map)
{
    const scri_contradiction* c = &run->contradiction;
    return c->all.n_contacts > 0 && !(map->norm_p <= c->most_p);
}

static int is_better(scri_run* run, double residual, const scri_natural_map* map)
{
    enum { MOST_GROWTH = 100 };
    if (isnan(run->at.residual)) {
        run->contradiction.most_p = MOST_GROWTH * fmax(map->norm_p, map->norm_q);
        return 1;
    }
    return residual < run->at.residual && !is_excessive(run, map);
}

/* Whether impulses that meet the tolerance are a solution. Where there is none, they may grow until
 * they look like one: then the problem gives way. */
static int is_solution(scri_run* run, const scri_natural_map* asked)
{
    run->excess = excess_of(run);
    if (!(run->excess <= 1.0) || is_excessive(run, asked)) return 0;
    scri_natural_map scaled = scaled_map(run, asked);
    return !scri_give_way_is_in_doubt(run, &scaled) || !scri_give_way_look(run, &scaled, 1);
}

/* Looks for contradictions from time to time while the method goes on. */
static int contradicts(scri_run* run, const scri_natural_map* asked)
{
    if (run->budget.iterations < run->contradiction.next_look) return 0;
    scri_natural_map scaled = scaled_map(run, asked);
    return scri_give_way_is_due(run, &scaled) && scri_give_way_look(run, &scaled, 0);
}

static void tell(const scri_run* run)
{
    const scree_solver_def* def = run->def;
    if (!def->watch) return;
    def->watch(def->watch_user,
               &(scree_check){run->method, run->budget.iterations, run->monitor.residual,
                              run->at.residual, scri_budget_time(&run->budget)});
}

static void keep(scri_run* run, double residual)
{
    scri_iterate_keep(&run->at, residual, run->method);
    run->kept = 1;
}

int scri_run_check(scri_run* run)
{
    judge(run);
    return scri_run_conclude(run);
}

int scri_run_conclude(scri_run* run)
{
    scri_contradiction* c = &run->contradiction;
    const scri_natural_map map = run->map;
    run->excess = 0.0;
    double residual = scri_residual(run->problem, run->def->measure, &map, &map);
    c->norm_last = map.norm_p;
    scri_monitor_take(&run->monitor, residual);
    run->kept = 0;
    if (is_better(run, residual, &map)) keep(run, residual);
    tell(run);
    int64_t iterations = run->budget.iterations;
    int is_small = scri_monitor_is_small(&run->monitor, residual, iterations);
    if (is_small && is_solution(run, &map)) {
        if (c->refused) keep(run, residual); /* no solution before */
        return stop(run, SCREE_OUTCOME_CONVERGED);
    }
    int is_early = run->kept && !is_small && residual <= run->def->tol;
    c->refused |= is_small || (is_early && !(excess_of(run) <= 1.0));
    if (c->gave_way || contradicts(run, &map)) return stop(run, SCREE_OUTCOME_INFEASIBLE);
    if (scri_budget_is_spent(&run->budget)) return stop(run, SCREE_OUTCOME_ITERATION_LIMIT);
    if (scri_monitor_has_stalled(&run->monitor, iterations)) {
        return stop(run, SCREE_OUTCOME_STALLED);
    }
    return scri_budget_look(&run->budget, run->at.residual) ? stop(run, run->budget.why) : 0;
}

/* Who allows so few iterations wants an answer soon: the search is brief, too. In a large problem
 * they are few while a long search would take longer than they did. */
static int was_cut_short(const scri_run* run)
{
    enum { FEW_ITERATIONS = 96 };
    return run->outcome == SCREE_OUTCOME_ITERATION_LIMIT &&
           (run->budget.iterations < FEW_ITERATIONS || scri_give_way_is_dear(run));
}

void scri_run_end(scri_run* run)
{
    if (run->contradiction.gave_way || run->outcome == SCREE_OUTCOME_CONVERGED) return;
    if (run->outcome == SCREE_OUTCOME_INTERRUPTED) return;
    if (!run->is_in_step) {
        scri_iterate_return(&run->at);
        judge(run);
        run->kept = 1;
    }
    scri_natural_map map = run->map;
    int is_small = scri_monitor_is_small(&run->monitor, run->at.residual, run->budget.iterations);
    if (is_small && is_solution(run, &map)) {
        run->outcome = SCREE_OUTCOME_CONVERGED;
    } else if (!is_small && run->outcome != SCREE_OUTCOME_TIME_LIMIT) {
        scri_natural_map scaled = scaled_map(run, &map);
        int is_short = was_cut_short(run);
        int is_worth_it = !is_short || is_raw(run) || scri_give_way_grows(run);
        if (is_worth_it && scri_give_way_is_in_doubt(run, &scaled)) {
            scri_give_way_look(run, &scaled, !is_short);
        }
    }
}

void scri_run_release(scri_run* run)
{
    scri_newton_system_destroy(run->newton);
    scri_arena_destroy(run->contradiction.memory);
}

int scri_run_check_scaled(scri_run* run, const double* p)
{
    const scree_problem* problem = run->problem;
    double* own = run->at.p;
    memcpy(own, p, (size_t)run->at.n_rows * sizeof *p);
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        scri_terms terms = scri_terms_of(problem, c, run->scaling.coef);
        scri_law_of(problem, c)->project(terms, own + problem->first_row[c]);
    }
    for (int32_t i = 0; i < run->at.n_rows; ++i) {
        own[i] /= run->scaling.unit * run->scaling.scale[i];
    }
    return scri_run_check(run);
}
