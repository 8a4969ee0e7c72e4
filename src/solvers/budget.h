/* What a solve may cost: iterations, time, and the caller's patience. */
#ifndef SCRI_BUDGET_H
#define SCRI_BUDGET_H

#include "scree/solver.h"

typedef struct scri_budget {
    const scree_env* env; /* whose clock */
    int64_t iterations;   /* made so far, by all methods */
    int64_t most;         /* for all methods */
    int64_t limit;        /* at which the method that runs now ends */
    double started, max_time;
    scree_progress* progress; /* may be NULL */
    void* progress_user;
    double next_progress; /* when to call it next */
    int64_t interval;     /* iterations between two looks at the clock while they are quick */
    double looked;        /* when scri_budget_tick() last looked; infinity before */
    int is_slow;          /* the iterations since then were */
    scree_outcome why;    /* what the last call that said stop ran into */
} scri_budget;

/* Starts the clock. */
scri_budget scri_budget_create(const scree_env* env, const scree_solver_def* def,
                               int32_t n_contacts);

/* A method begins that may make so many iterations, and no more than are left of all. */
void scri_budget_begin(scri_budget* budget, int64_t iterations);

/* Counts one more iteration; looks at the clock now and then. `residual` is the best, for the
 * caller's progress. Nonzero: stop. */
int scri_budget_tick(scri_budget* budget, double residual);

/* Looks at the clock. Nonzero: stop. */
int scri_budget_look(scri_budget* budget, double residual);

/* Whether the iterations of the method that runs are used up. */
int scri_budget_is_spent(const scri_budget* budget);

/* Iterations left to all methods together. */
int64_t scri_budget_left(const scri_budget* budget);

/* Seconds since the start. */
double scri_budget_time(const scri_budget* budget);

#endif
