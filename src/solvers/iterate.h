/* Where a solve stands: the impulses at hand, their velocities, and the best impulses so far. */
#ifndef SCRI_ITERATE_H
#define SCRI_ITERATE_H

#include "base/team.h"

#include <stdint.h>

typedef struct scri_iterate {
    int32_t n_rows;
    scri_team* team; /* who helps to copy; NULL: nobody */
    double* p;       /* [n_rows] the caller's: first guess, then what methods change */
    double* y;       /* [n_rows] velocities at the last check */
    double* best;    /* [n_rows] impulses with the smallest residual seen */
    double residual; /* of `best`; NaN before the first check */
    const char* by;  /* who made `best` */
} scri_iterate;

/* All are borrowed. */
scri_iterate scri_iterate_create(int32_t n_rows, scri_team* team, double* p, double* best,
                                 double* y);

/* p becomes the best, with this residual, made by `by`. */
void scri_iterate_keep(scri_iterate* at, double residual, const char* by);

/* p becomes the best again; p becomes zero. */
void scri_iterate_return(scri_iterate* at);
void scri_iterate_clear(scri_iterate* at);

/* Nothing is known of any impulses any more. */
void scri_iterate_forget(scri_iterate* at);

#endif
