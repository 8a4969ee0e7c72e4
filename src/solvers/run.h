/* What every method shares while it runs: the problem in equilibrated variables, the best iterate,
 * and the decision to stop. */
#ifndef SCRI_RUN_H
#define SCRI_RUN_H

#include "base/arena.h"
#include "problem/natural_map.h"
#include "scree/solver.h"

typedef struct scri_run {
    const scree_problem* problem; /* the caller's, or `relaxed` */
    const scree_solver_def* def;
    scri_operator op;
    scri_scaling scaling;
    int32_t n_rows;
    double* p;    /* [n_rows] the caller's: first guess; the methods' iterate */
    double* best; /* [n_rows] impulses with the smallest residual seen */
    double* y;    /* [n_rows] velocities at the last check */

    struct scri_newton_system* newton; /* NULL until a method asks, see scri_run_newton() */

    scree_report report;  /* residual is that of `best` */
    double size;          /* of the contacts at the last check, see scri_natural_map; 0: unknown */
    double last_residual; /* of the last check, not necessarily the best */
    int refused;          /* a residual not above the tolerance was met by no solution */

    /* Contradictions, see solvers/give_way.h. NULL, but for the numbers, until one is looked for.
     */
    scri_arena* memory;
    scree_problem relaxed;  /* the caller's with q + give */
    double *q, *give;       /* [n_rows] of it */
    double* found;          /* [n_rows] share of `give` of the last proof */
    int gave_way;           /* a proof has been found: the method must begin anew */
    double most_p;          /* largest |p| of an iterate to keep once contacts have given way */
    int64_t next_look;      /* iterations at which to look next */
    double approach_before; /* worst approach at the last look, relative */

    double started, next_progress;
    double ticked;           /* when scri_run_tick() last looked at the clock; infinity before */
    int is_slow;             /* the iterations since then were */
    int64_t iteration_limit; /* of the method that runs now */
    int64_t began, patience; /* iterations at its beginning; see scri_run_begin() */
    double own;              /* best residual of that method alone */
    double mark;             /* `own` at `marked`: progress is judged from there */
    int64_t marked;
    int brief;    /* it may end where it becomes slow, although it would go on: others follow */
    int64_t hope; /* iterations that may be foreseen before the method is given up; 0: any */
    double rate_residual; /* at `rate_at` iterations after its beginning, for that forecast */
    int64_t rate_at;
} scri_run;

/* A method: the body of one file. */
typedef struct scri_solver {
    const char* name;
    const char* summary; /* what it is, one line */
    const char* fits;    /* which problems it is for, one line */

    /* Why it cannot solve an assembled or bodies problem as `def` asks, as a clause to follow "does
     * not fit: "; NULL when it can. A method for everything has no such function. */
    const char* (*unfit)(const scree_problem* problem, const scree_solver_def* def);

    /* Called for what fits. Takes its arrays from `bump` and returns at once while bump only
     * counts; otherwise changes run->p until scri_run_check() or scri_run_tick() says stop. It
     * never calls another method: the report names who made the impulses. */
    void (*solve)(scri_run* run, scri_bump* bump);
} scri_solver;

/* Evaluates run->p after run->report.iterations iterations, keeps it if it is the best so far.
 * Afterwards run->y holds its velocities and the operator is in step with it.
 * Nonzero: stop, with the reason in run->report.outcome. */
int scri_run_check(scri_run* run);

/* The same for p[n_rows] in scaled variables, which becomes run->p after projection: what is handed
 * on is admissible, though rounding may have brought it a little outside. */
int scri_run_check_scaled(scri_run* run, const double* p);

/* Counts one more iteration; looks at the clock now and then. Nonzero: stop. */
int scri_run_tick(scri_run* run);

/* Judges the best iterate after the last method: it may be a solution found before min_iter, or
 * show that there is none. */
void scri_run_end(scri_run* run);

/* Gives back what a run has taken. */
void scri_run_release(scri_run* run);

/* Begins with a method: no more than `iterations` of it. It stalls when `patience` iterations, and
 * as many as it took to come so far, lower the best residual by less than a tenth. */
void scri_run_begin(scri_run* run, const char* name, int64_t iterations, int64_t patience);

/* Lets the method that has begun stall as soon as the rate at which it converges foresees more than
 * `iterations` further ones. */
void scri_run_hope(scri_run* run, int64_t iterations);

/* The linear system that Newton methods share, so that its pattern is analysed once. NULL when
 * memory is short. */
struct scri_newton_system* scri_run_newton(scri_run* run);

/* Patience of a method that runs alone: Gauss-Seidel may converge like a small power of 1/k. */
enum { SCRI_PATIENCE = 10000 };

#endif
