#include "solvers/budget.h"

#include "base/clock.h"
#include "base/compiler.h"

#include <math.h>

#define PROGRESS_INTERVAL 0.1 /* seconds */

/* In the last part of the time limit, a step that is expected to end beyond it by more than some
 * share is not begun. After a step of SLOW seconds the clock is looked at every time. */
#define MOST_RESERVE 0.2
#define MOST_EXCESS 0.05
#define SLOW 1e-3

/* Small problems look at the clock once in about so many updates of a contact. */
enum { UPDATES = 256 };

scri_budget scri_budget_create(const scree_env* env, const scree_solver_def* def,
                               int32_t n_contacts)
{
    return (scri_budget){.env = env,
                         .most = def->max_iter,
                         .limit = def->max_iter,
                         .started = scri_clock_seconds(env),
                         .max_time = def->max_time,
                         .progress = def->progress,
                         .progress_user = def->progress_user,
                         .interval = 1 + UPDATES / n_contacts,
                         .looked = SCREE_INFINITY,
                         .why = SCREE_OUTCOME_STALLED};
}

void scri_budget_begin(scri_budget* budget, int64_t iterations)
{
    int64_t left = scri_budget_left(budget);
    budget->limit = budget->iterations + (iterations < left ? iterations : left);
    budget->looked = SCREE_INFINITY;
    budget->is_slow = 0;
}

static int stop(scri_budget* budget, scree_outcome why)
{
    budget->why = why;
    return 1;
}

/* Stops at the limit, or where the next `step` seconds would lead well beyond it. A caller who
 * asked to stop is not asked again by the check with which a method ends. */
static int look(scri_budget* budget, double now, double step, double residual)
{
    if (budget->why == SCREE_OUTCOME_INTERRUPTED) return 1;
    double limit = budget->max_time, used = now - budget->started;
    int ends = used >= (1.0 - MOST_RESERVE) * limit && used + step > (1.0 + MOST_EXCESS) * limit;
    if (used >= limit || ends) return stop(budget, SCREE_OUTCOME_TIME_LIMIT);
    if (!budget->progress || now < budget->next_progress) return 0;
    budget->next_progress = now + PROGRESS_INTERVAL;
    int wish = budget->progress(budget->progress_user, budget->iterations, residual);
    return wish ? stop(budget, SCREE_OUTCOME_INTERRUPTED) : 0;
}

int scri_budget_tick(scri_budget* budget, double residual)
{
    int64_t iterations = ++budget->iterations;
    if (iterations % (budget->is_slow ? 1 : budget->interval)) return 0;
    double now = scri_clock_seconds(budget->env);
    double step = now - budget->looked; /* -infinity at first */
    budget->looked = now;
    budget->is_slow = step > SLOW;
    return look(budget, now, step, residual);
}

int scri_budget_look(scri_budget* budget, double residual)
{
    return look(budget, scri_clock_seconds(budget->env), 0.0, residual);
}

int scri_budget_is_spent(const scri_budget* budget)
{
    return budget->iterations >= budget->limit;
}

int64_t scri_budget_left(const scri_budget* budget)
{
    return budget->most - budget->iterations;
}

double scri_budget_time(const scri_budget* budget)
{
    return scri_clock_seconds(budget->env) - budget->started;
}
