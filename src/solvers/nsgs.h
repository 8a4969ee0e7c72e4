/* The sweeps of nsgs, for methods that build on them. */
#ifndef SCRI_NSGS_H
#define SCRI_NSGS_H

#include "base/random.h"
#include "solvers/sweeping.h"

typedef struct scri_nsgs {
    scri_relax relax;
    int32_t* order; /* [n_contacts] */
    scri_random random;
} scri_nsgs;

/* Lay out, then begin, which hands out the sweeps. */
scri_nsgs scri_nsgs_create(const scri_run* run, scri_bump* bump);
scri_sweeping scri_nsgs_begin(scri_run* run, scri_nsgs* nsgs);

#endif
