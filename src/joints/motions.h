/* How one body of a joint moves against the other: what its constraints hold, and what they leave
 * free. */
#ifndef SCRI_JOINT_MOTIONS_H
#define SCRI_JOINT_MOTIONS_H

#include "joints/joint_kernel.h"

/* Six motions (velocity of the centre of mass, angular velocity) of the body on `side` while the
 * other stands: for each rigid row of scri_joint_constraints(), in its order, one whose rate is 1
 * in that row and 0 in the other rigid ones; then those whose rate is 0 in all of them. Returns how
 * many the first are. Of hinges, sliders, cylindrical, universal, planar and screw joints the
 * others are the freedoms in their order, with the rate 1 of their coordinates. rigid[k]: the rows
 * along lines, of turns, of both are; those that are not, or are not there, hold nothing. For kinds
 * whose rows push both bodies with the same force: all but gear and rack. */
int scri_joint_motions(scree_joint_kind kind, const scri_joint_side s[2],
                       const scri_joint_terms* terms, const int rigid[3], int side,
                       double basis[36]);

/* The rate of change of the free motions times their rates u: d/dt(S) u, with the motions v[12] of
 * A and B. For joints with rigid rows whose freedoms are those of axes: not distance, rope, gear,
 * rack and curve. */
void scri_joint_motions_change(scree_joint_kind kind, const scri_joint_side s[2],
                               const scri_joint_terms* terms, int side, const double* u,
                               const double v[12], double out[6]);

#endif
