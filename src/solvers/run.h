/* One solve while it runs: the problem in equilibrated variables, where the solve stands, what it
 * may cost, and how well it goes. */
#ifndef SCRI_RUN_H
#define SCRI_RUN_H

#include "scree/solver.h"
#include "solvers/budget.h"
#include "solvers/facts.h"
#include "solvers/give_way.h"
#include "solvers/iterate.h"
#include "solvers/monitor.h"

typedef struct scri_run {
    const scree_env* env;         /* the caller's; NULL: the usual one */
    const scree_problem* problem; /* the caller's, or the relaxed one */
    const scree_solver_def* def;
    scri_team* team; /* who may help; NULL: the caller's thread alone */
    scri_facts facts;
    scri_operator op;
    scri_scaling scaling;
    double* size; /* [n_contacts] squares of their sizes at the last check (problem/natural_map.h),
                     by which a local measure judges them; 1 each in other measures */
    scri_iterate at;
    scri_budget budget;
    scri_monitor monitor;
    scri_contradiction contradiction;
    struct scri_newton_system* newton; /* NULL until a method asks, see scri_run_newton() */
    struct scri_nsgs_wide* wide;       /* as in scri_known */
    const int32_t* colour;             /* the same */
    const char* method;                /* who is at work */
    int brief; /* it may end where it becomes slow, although it would go on: others follow */
    scree_outcome outcome;
    scri_natural_map map; /* of the last check */
    int kept;             /* what it saw is the best so far */
    int is_in_step;  /* and nothing has changed since: impulses, velocities and map are of it */
    int is_at_guess; /* no method has begun: the operator is in step with what was judged first */
    double excess;   /* of the last check, where its residual was small: the fastest approach of a
                        contact over what the caller allows */
    int64_t updates, fail_safe; /* as in scree_report */
    int32_t n_stages;           /* methods that `auto` has tried */
} scri_run;

/* A method: the body of one file. */
typedef struct scri_solver {
    const char* name;
    const char* summary; /* what it is, one line */
    const char* fits;    /* which problems it is for, one line */

    /* Why it cannot solve an assembled or bodies problem as `def` asks, as a clause to follow "does
     * not fit: "; NULL when it can. A method for everything has no such function. */
    const char* (*unfit)(const scree_env* env, const scree_problem* problem,
                         const scree_solver_def* def, const scri_facts* facts);

    /* Called for what fits. Takes its arrays from `bump` and returns at once while bump only
     * counts; otherwise changes run->at.p until scri_run_check() or scri_run_tick() says stop. It
     * never calls another method: the report names who made the impulses. */
    void (*solve)(scri_run* run, scri_bump* bump);
} scri_solver;

/* Begins with a method: see scri_budget_begin() and scri_monitor_begin(). */
void scri_run_begin(scri_run* run, const char* method, int64_t iterations, int64_t patience,
                    int64_t hope);

/* Whether every contact is judged by itself. */
static inline int scri_run_is_local(const scri_run* run)
{
    return run->def->measure == SCREE_MEASURE_LOCAL;
}

/* Evaluates run->at.p and keeps it if it is the best so far. Afterwards run->at.y holds its
 * velocities and the operator is in step with it. Nonzero: stop, with the reason in run->outcome.
 */
int scri_run_check(scri_run* run);

/* The same where run->at.y, run->map and the operator are those of run->at.p already. */
int scri_run_conclude(scri_run* run);

/* The same as the first for p[n_rows] in scaled variables, which becomes run->at.p after
 * projection: what is handed on is admissible, though rounding may have brought it a little
 * outside. */
int scri_run_check_scaled(scri_run* run, const double* p);

/* Counts one more iteration; looks at the clock now and then. Nonzero: stop. */
int scri_run_tick(scri_run* run);

/* Judges the best iterate after the last method: it may be a solution found before min_iter, or
 * show that there is none. */
void scri_run_end(scri_run* run);

/* Gives back what a run has taken. */
void scri_run_release(scri_run* run);

/* The linear system that Newton methods share, so that its pattern is analysed once. NULL when
 * memory is short. */
struct scri_newton_system* scri_run_newton(scri_run* run);

#endif
