/* What a solver does about contacts that contradict each other: it looks for a proof where impulses
 * grow in vain, lets the contacts of the proof give way by as little as possible, and solves the
 * rest as if they had always done so. */
#ifndef SCRI_GIVE_WAY_H
#define SCRI_GIVE_WAY_H

#include "solvers/run.h"

/* Whether it is time to look: contacts approach, and no less than when half as many iterations had
 * been made. */
int scri_give_way_is_due(scri_run* run, const scri_natural_map* scaled);

/* Whether impulses that meet the tolerance need a proof that is not found: contacts approach faster
 * than it says, or impulses are so large that rounding hides whether they do. */
int scri_give_way_is_in_doubt(const scri_run* run, const scri_natural_map* scaled);

/* Looks from the last check, `thoroughly` or for a while. Nonzero when there is a proof: then
 * run->problem has given way, and the method must begin anew. */
int scri_give_way_look(scri_run* run, const scri_natural_map* scaled, int thoroughly);

/* After that: a first guess with bounded impulses, nothing known about it. */
void scri_give_way_begin_anew(scri_run* run);

#endif
