#include "solvers/run.h"

#include "base/clock.h"
#include "solvers/give_way.h"
#include "solvers/newton_system.h"

#include <math.h>
#include <string.h>

#define PROGRESS_INTERVAL 0.1 /* seconds */

/* A first guess as good as this needs no iteration, whatever min_iter says. */
#define AT_ROUNDING 1e-12

/* In the last part of the time limit, a step that is expected to end beyond it by more than some
 * share is not begun. After a step of SLOW seconds the clock is looked at every time. */
#define MOST_RESERVE 0.2
#define MOST_EXCESS 0.05
#define SLOW 1e-3

void scri_run_begin(scri_run* run, const char* name, int64_t iterations, int64_t patience)
{
    run->report.solver = name;
    run->patience = patience;
    run->began = run->report.iterations;
    run->iteration_limit = run->report.iterations + iterations;
    run->mark = SCREE_INFINITY;
    run->marked = run->report.iterations;
    run->ticked = SCREE_INFINITY;
    run->is_slow = 0;
    run->hope = 0;
    run->brief = 0;
    run->own = SCREE_INFINITY;
    run->rate_residual = run->last_residual;
    run->rate_at = 0;
}

void scri_run_hope(scri_run* run, int64_t iterations)
{
    run->hope = iterations;
}

scri_newton_system* scri_run_newton(scri_run* run)
{
    scree_status status = SCREE_OK;
    if (!run->newton) {
        status =
            scri_newton_system_create(run->def->env, run->problem, &run->scaling, &run->newton);
    }
    return status ? NULL : run->newton;
}

static int stop(scri_run* run, scree_outcome outcome)
{
    run->report.outcome = outcome;
    return 1;
}

/* Stops at the limit, or where the next `step` seconds would lead well beyond it. A caller who
 * asked to stop is not asked again by the check with which a method ends. */
static int look_at_clock(scri_run* run, double now, double step)
{
    if (run->report.outcome == SCREE_OUTCOME_INTERRUPTED) return 1;
    double limit = run->def->max_time, used = now - run->started;
    int ends = used >= (1.0 - MOST_RESERVE) * limit && used + step > (1.0 + MOST_EXCESS) * limit;
    if (used >= limit || ends) return stop(run, SCREE_OUTCOME_TIME_LIMIT);
    if (!run->def->progress || now < run->next_progress) return 0;
    run->next_progress = now + PROGRESS_INTERVAL;
    int wish =
        run->def->progress(run->def->progress_user, run->report.iterations, run->report.residual);
    return wish ? stop(run, SCREE_OUTCOME_INTERRUPTED) : 0;
}

int scri_run_tick(scri_run* run)
{
    int64_t iterations = ++run->report.iterations;
    int64_t interval = run->is_slow ? 1 : 1 + 256 / run->problem->n_contacts;
    if (iterations % interval) return 0;
    double now = scri_clock_seconds(run->def->env),
           step = now - run->ticked; /* -infinity at first */
    run->ticked = now;
    run->is_slow = step > SLOW;
    return look_at_clock(run, now, step);
}

/* Whether any contact approaches faster than the caller allows; y is that of the last check. */
static int approaches(const scri_run* run)
{
    const scree_problem* problem = run->problem;
    if (run->def->normal_tol >= 1e30) return 0;
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        if (!scri_law_is(scri_law_of(problem, c), SCREE_LAW_HAS_FRICTION)) continue;
        if (!(-run->y[problem->row[c]] <= run->def->normal_tol)) return 1;
    }
    return 0;
}

/* The maps at run->p and run->y; the one in scaled variables is not needed for the siconos measure
 * unless somebody asks. */
static scri_natural_map scaled_map(const scri_run* run)
{
    return scri_natural_map_evaluate(run->problem, &run->scaling, run->op.velocity, run->p, run->y);
}

static scri_natural_map asked_map(const scri_run* run)
{
    if (run->def->measure != SCREE_MEASURE_SICONOS) return scaled_map(run);
    return scri_natural_map_evaluate(run->problem, NULL, NULL, run->p, run->y);
}

/* Whether impulses are too large to be handed back: after contacts have given way they may press as
 * they like, and friction may still jam. The first iterate sets the limit. */
static int is_excessive(const scri_run* run, const scri_natural_map* map)
{
    return run->report.infeasible.n_contacts > 0 && !(map->norm_p <= run->most_p);
}

static int is_better(scri_run* run, double residual, const scri_natural_map* map)
{
    enum { MOST_GROWTH = 100 };
    if (isnan(run->report.residual)) {
        run->most_p = MOST_GROWTH * fmax(map->norm_p, map->norm_q);
        return 1;
    }
    return residual < run->report.residual && !is_excessive(run, map);
}

/* Whether impulses that meet the tolerance are a solution. Where there is none, they may grow until
 * they look like one: then the problem gives way, which the caller sees in run->gave_way. */
static int is_solution(scri_run* run, const scri_natural_map* asked)
{
    if (approaches(run) || is_excessive(run, asked)) return 0;
    int is_raw = run->def->measure == SCREE_MEASURE_SICONOS;
    scri_natural_map scaled = is_raw ? scaled_map(run) : *asked;
    return !scri_give_way_is_in_doubt(run, &scaled) || !scri_give_way_look(run, &scaled, 1);
}

/* Looks for contradictions from time to time while the method goes on. */
static int contradicts(scri_run* run, const scri_natural_map* asked)
{
    if (run->report.iterations < run->next_look) return 0;
    int is_raw = run->def->measure == SCREE_MEASURE_SICONOS;
    scri_natural_map scaled = is_raw ? scaled_map(run) : *asked;
    return scri_give_way_is_due(run, &scaled) && scri_give_way_look(run, &scaled, 0);
}

/* Whether the rate foresees too many iterations. It is taken over the last half of those made, once
 * there are RATE_FIRST: before, a method still finds out what slides. */
static int is_hopeless(scri_run* run)
{
    enum { RATE_FIRST = 48 };
    int64_t made = run->report.iterations - run->began;
    if (run->hope == 0 || made < 2 * run->rate_at || made < RATE_FIRST) return 0;
    double fall = log(run->rate_residual / run->own);
    double rate = fall / (double)(made - run->rate_at);
    int first = run->rate_at == 0;
    run->rate_residual = run->own;
    run->rate_at = made;
    if (first) return 0;
    return !(log(run->own / run->def->tol) <= rate * (double)run->hope);
}

static void keep(scri_run* run, double residual)
{
    run->report.residual = residual;
    memcpy(run->best, run->p, (size_t)run->n_rows * sizeof *run->p);
}

int scri_run_check(scri_run* run)
{
    scri_operator_apply(&run->op, run->p, run->y);
    scri_natural_map map = asked_map(run);
    double residual = scri_residual(run->problem, run->def->measure, &map, &map);
    run->last_residual = residual;
    run->size = map.size;
    if (residual < run->own) run->own = residual;
    if (is_better(run, residual, &map)) keep(run, residual);
    int64_t iterations = run->report.iterations;
    int is_due = iterations >= run->def->min_iter || residual <= AT_ROUNDING;
    int is_small = residual <= run->def->tol && is_due;
    if (is_small && is_solution(run, &map)) {
        if (run->refused) keep(run, residual); /* the best so far may be no solution */
        return stop(run, SCREE_OUTCOME_CONVERGED);
    }
    run->refused |= is_small;
    if (run->gave_way || contradicts(run, &map)) return stop(run, SCREE_OUTCOME_INFEASIBLE);
    if (iterations >= run->iteration_limit) return stop(run, SCREE_OUTCOME_ITERATION_LIMIT);
    if (run->own <= 0.9 * run->mark) {
        run->mark = run->own;
        run->marked = iterations;
    }
    int64_t made = run->marked - run->began, since = iterations - run->marked;
    if (since > run->patience && since > made) return stop(run, SCREE_OUTCOME_STALLED);
    if (is_hopeless(run)) return stop(run, SCREE_OUTCOME_STALLED);
    return look_at_clock(run, scri_clock_seconds(run->def->env), 0.0);
}

void scri_run_end(scri_run* run)
{
    scree_report* report = &run->report;
    if (run->gave_way || report->outcome == SCREE_OUTCOME_CONVERGED) return;
    if (report->outcome == SCREE_OUTCOME_INTERRUPTED) return;
    memcpy(run->p, run->best, (size_t)run->n_rows * sizeof *run->p);
    scri_operator_apply(&run->op, run->p, run->y);
    scri_natural_map map = asked_map(run);
    int is_small = report->residual <= run->def->tol && report->iterations >= run->def->min_iter;
    if (is_small && is_solution(run, &map)) {
        report->outcome = SCREE_OUTCOME_CONVERGED;
    } else if (!is_small && report->outcome != SCREE_OUTCOME_TIME_LIMIT) {
        scri_natural_map scaled = scaled_map(run);
        if (scri_give_way_is_in_doubt(run, &scaled)) scri_give_way_look(run, &scaled, 1);
    }
}

void scri_run_release(scri_run* run)
{
    scri_newton_system_destroy(run->newton);
    scri_arena_destroy(run->memory);
}

int scri_run_check_scaled(scri_run* run, const double* p)
{
    const scree_problem* problem = run->problem;
    memcpy(run->p, p, (size_t)run->n_rows * sizeof *p);
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        scri_terms terms = scri_terms_of(problem, c, run->scaling.coef);
        scri_law_of(problem, c)->project(terms, run->p + problem->row[c]);
    }
    for (int32_t i = 0; i < run->n_rows; ++i)
        run->p[i] /= run->scaling.unit * run->scaling.scale[i];
    return scri_run_check(run);
}
