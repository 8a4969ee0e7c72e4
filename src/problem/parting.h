/* Whether contacts can all be opened at once: then they cannot contradict each other.
 *
 * Where velocities v of the bodies open every contact, (H^T v)_N > 0, impulses t >= 0 along normals
 * that move nothing, H t = 0, satisfy 0 = v H t = t H^T v, so that t = 0: there is no proof in the
 * sense of problem/infeasible.h, whatever the free velocities are, and none has to be looked for.
 *
 * One motion is tried: all bodies away from each other, v = x + L g, with x their centres, g the
 * mean normal of what they stand on, and L as large as it takes. It opens heaps, stacks and
 * pyramids on open ground; between walls that face each other it does not. Bodies far heavier than
 * others count as ground. */
#ifndef SCRI_PARTING_H
#define SCRI_PARTING_H

#include "base/team.h"
#include "scree/problem.h"

/* 1 where that motion opens all contacts of `problem`; 0 says nothing. Asks for the bodies form
 * with centres, and contacts of which the normal alone is promised. The team, if there is one,
 * helps. */
int scri_parting_opens(const scree_problem* problem, scri_team* team);

#endif
