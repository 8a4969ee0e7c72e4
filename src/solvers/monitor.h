/* How well a solve goes: the residual in the measure asked for, whether it is small enough, and
 * whether the method that runs still gets closer. */
#ifndef SCRI_MONITOR_H
#define SCRI_MONITOR_H

#include "scree/solver.h"

typedef struct scri_monitor {
    double tol;       /* what is asked for */
    int64_t min_iter; /* and after how many iterations */
    double residual;  /* of the last check, not necessarily the best; NaN before the first */

    /* Of the method that runs. */
    int64_t began;        /* iterations at its beginning */
    int64_t patience;     /* see scri_monitor_begin() */
    int64_t hope;         /* iterations that may be foreseen before it is given up; 0: any */
    double own;           /* best residual of that method alone */
    double mark;          /* `own` at `marked`: progress is judged from there */
    int64_t marked;       /* iterations */
    double rate_residual; /* at `rate_at` iterations after its beginning, for the forecast */
    int64_t rate_at;
} scri_monitor;

/* Patience of a method that runs alone: Gauss-Seidel may converge like a small power of 1/k. */
enum { SCRI_PATIENCE = 10000 };

scri_monitor scri_monitor_create(const scree_solver_def* def);

/* A method begins after so many iterations. It stalls when `patience` iterations, and as many as it
 * took to come so far, lower its best residual by less than a tenth; and, unless `hope` is 0, as
 * soon as the rate at which it converges foresees more than `hope` further ones. */
void scri_monitor_begin(scri_monitor* monitor, int64_t iterations, int64_t patience, int64_t hope);

/* Takes the residual after so many iterations. */
void scri_monitor_take(scri_monitor* monitor, double residual);

/* Whether a residual is what the caller asked for, after so many iterations. */
int scri_monitor_is_small(const scri_monitor* monitor, double residual, int64_t iterations);

/* Whether the method no longer gets closer, or too slowly; once after every residual taken. */
int scri_monitor_has_stalled(scri_monitor* monitor, int64_t iterations);

#endif
