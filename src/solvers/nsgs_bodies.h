/* The sweeps of nsgs-bodies, for methods that build on them; bodies form alone. */
#ifndef SCRI_NSGS_BODIES_H
#define SCRI_NSGS_BODIES_H

#include "solvers/bundles.h"
#include "solvers/coloured.h"
#include "solvers/round_contacts.h"
#include "solvers/round_lanes.h"
#include "solvers/sweeping.h"

/* How a contact is updated: by the law that it has; as one of bodies of any inertia that rub; or as
 * one of round bodies, with rolling rows, with ellipses, with both or with neither, or under the
 * convex law. */
enum {
    SCRI_IS_ROUND = 0,
    SCRI_ROLLS = 1,
    SCRI_HAS_ELLIPSES = 2,
    SCRI_LIFTS = 4,
    SCRI_IS_GENERAL = 8,
    SCRI_IS_SOLID = 16
};

typedef struct scri_nsgs_bodies {
    scri_relax relax;
    scri_bundles bundles;
    scri_round_lanes* update;
    scri_solid_lanes* update_solids;
    uint8_t* kind;             /* [n_contacts] in the order of the bundles */
    scri_round_contact* round; /* [n_contacts] as `kind`; nothing where that is not round */
    scri_round_solid* solid;   /* [n_contacts] the same for solid; NULL: all are round */
    scri_round_ellipses* sets; /* [2 n_contacts] of `round`; NULL where the problem has none */
    int32_t n_odd;             /* contacts that are not of round bodies */
    double* change; /* [n_contacts] in the last update of each, squared and weighed; as `round` */
    double* weight; /* [n_contacts] 1 over the square of its size (run.h); as `round` */
    scri_chunks chunks;
} scri_nsgs_bodies;

/* Lay out, then begin, which hands out the sweeps. */
scri_nsgs_bodies scri_nsgs_bodies_create(const scri_run* run, scri_bump* bump);
scri_sweeping scri_nsgs_bodies_begin(scri_run* run, scri_nsgs_bodies* m);

#endif
