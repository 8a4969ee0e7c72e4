/* Whether a large part rests, as far as its tolerance can tell. */
#ifndef SCRI_STEP_REST_H
#define SCRI_STEP_REST_H

#include "step/islands.h"

/* Whether rest of this part is decided here. */
int scri_rest_is_open(const scree_world* world, const scri_part* part);

/* Writes the velocities that the impulses at hand leave to those of the members. */
void scri_rest_reach(const scree_world* world, const scri_part* part);

/* Takes a large part to rest that slows down, and whose tolerance cannot tell its motion from none;
 * parts.held says so. */
scree_status scri_rest_come(scree_world* world, const scri_part* part, scree_report* report);

/* A large part at rest, whose first guess is right to the tolerance, stays there unless it is found
 * to move: sweeps go on from step to step until that is decided or nothing more can be gained. */
scree_status scri_rest_stay(scree_world* world, const scri_part* part, scree_report* report,
                            int* rests);

/* What rest has done to the energy of all parts, J, and the largest speed it has left out. */
double scri_rest_work(const scree_world* world);
double scri_rest_most(const scree_world* world);

#endif
