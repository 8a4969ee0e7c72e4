/* The loop around sweeps: how accurate they must be, when to look at the true residual, when to
 * stop. */
#ifndef SCRI_SWEEPING_H
#define SCRI_SWEEPING_H

#include "solvers/relax.h"

typedef struct scri_sweeping {
    void* method; /* handed to the functions */

    /* Sweep number `index` over all contacts, each solved to `tolerance`. */
    scri_sweep_size (*sweep)(scri_run* run, void* method, int64_t index, double tolerance);

    /* Brings run->at.p up to date before a check, and the method's own state afterwards; NULL where
     * the method works on run->at.p itself. */
    void (*store)(scri_run* run, void* method);
    void (*restore)(scri_run* run, void* method);
} scri_sweeping;

/* Sweeps until scri_run_check() or scri_run_tick() says stop. */
void scri_sweeping_run(scri_run* run, const scri_sweeping* sweeping);

#endif
