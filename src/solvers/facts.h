/* What methods ask of a problem before they take it: found in one pass over its contacts, once for
 * all who ask. */
#ifndef SCRI_FACTS_H
#define SCRI_FACTS_H

#include "base/team.h"
#include "scree/problem.h"

/* What packs of contacts count in: powers of two, so that nothing is lost, next to the largest of
 * the problem's mobilities, arms and free velocities, so that single precision reaches far enough.
 */
typedef struct scri_pack_units {
    double mobility, length, speed;
} scri_pack_units;

/* Of a problem with bodies; all 0 for others. */
typedef struct scri_facts {
    int32_t n_odd;       /* contacts of bodies that are not round, see solvers/round_contacts.h */
    int32_t n_strangers; /* of these, no guests of packs either, see solvers/pack_guests.h */
    int32_t n_lifting;   /* round contacts whose law lifts off */
    int32_t n_rolling;   /* contacts with rows of rolling or spinning */
    int32_t n_crowded;   /* contacts that may find no colour free; all of them, for who asks here: a
                            time step counts those of each body and knows better */
    scri_pack_units units;
    int is_extreme; /* a mass or an inertia is beyond single precision in these */
} scri_facts;

scri_facts scri_facts_find(const scree_problem* problem, scri_team* team);

#endif
