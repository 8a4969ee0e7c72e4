/* Sweeps with safeguarded Anderson acceleration, for methods that keep a history of their iterates
 * in a form of their own.
 *
 * Under the exact law sweeps need not contract: on the way to a solution their change may grow for
 * a while, along a direction in which they run away from a point where it is small, but not zero.
 * The combination would lead back to that point and stay there. It is recognised by its direction,
 * against the last sweep's change, and not taken; the sweeps then find their way themselves. A
 * combination from which a sweep changes far more than before is taken back, with its history. */
#ifndef SCRI_ACCELERATED_H
#define SCRI_ACCELERATED_H

#include "math/anderson.h"
#include "solvers/sweeping.h"

typedef struct scri_accelerated {
    scri_sweeping plain;
    scri_anderson_products* products; /* of the history */
    void* history;                    /* handed to the functions */

    /* Finds the combination; returns what scri_anderson_mix() does. */
    double (*mix)(scri_run* run, void* history);
    /* Goes on from the combination, or from where the last step of the history ended. */
    void (*go_on)(scri_run* run, void* history);
    void (*go_back)(scri_run* run, void* history);
    /* A step begins where the last one ended; it has ended, and comes into the history. */
    void (*begin)(scri_run* run, void* history);
    void (*take)(scri_run* run, void* history);

    int sweeps_per_step; /* of the history: more where keeping it costs as much as a sweep */
    int made;            /* of them since the step began */
    int extrapolated;    /* whether it began at a combination */
    double change;       /* of the last sweep that was kept, squared */
    int plain_steps;     /* to make before the next combination */
} scri_accelerated;

/* A sweep of scri_sweeping; the method is a scri_accelerated. */
scri_sweep_size scri_accelerated_sweep(scri_run* run, void* method, int64_t index,
                                       double tolerance);

#endif
