/* What the files that undo overlap share: overlap.c says which touches are off and who pays,
 * overlap_push.c lists them and moves bodies by sweeps over sets of them (overlap_sets.c),
 * overlap_exact.c does so where these do not end. */
#ifndef SCRI_STEP_OVERLAP_H
#define SCRI_STEP_OVERLAP_H

#include "problem/bodies_kernel.h"
#include "step/touch.h"

#include <math.h>

/* Gaps within this share of the size are left alone, so that rest is rest to the last bit. Others
 * are brought to half of what is allowed below zero: a contact brought to zero would be open by
 * rounding, and fall again. */
#define SCRI_TRIGGER 1e-6

/* What `listed` says of a touch: nothing, that it is in the list of those that are pushed, or that
 * its gap is off and it is due to be. */
enum { SCRI_NOT_LISTED, SCRI_LISTED, SCRI_DUE };

SCREE_FN double scri_overlap_tolerance(const scree_world* world, const scri_touch* touch)
{
    return SCRI_TRIGGER * scri_pair_size(world, touch->a, touch->b);
}

/* Overlap that nobody pushes apart: in the gap scheme all that the user lets a step leave, where
 * that is more, up to a share of the size: less than the share of deep overlap that a step takes
 * out. The law drives it out of contacts that last. */
#define SCRI_MOST_ALLOWED 0.045
SCREE_FN double scri_overlap_allowed(const scree_world* world, const scri_touch* touch)
{
    double size = scri_pair_size(world, touch->a, touch->b), most = SCRI_MOST_ALLOWED * size;
    if (world->def.scheme != SCREE_SCHEME_GAP) return SCRI_TRIGGER * size;
    return fmin(most, fmax(world->def.overlap, SCRI_TRIGGER * size));
}

SCREE_FN int scri_overlap_is_off(const scree_world* world, const scri_touch* touch, double gap,
                                 int32_t i)
{
    if (gap < -scri_overlap_allowed(world, touch)) return 1;
    return gap > scri_overlap_tolerance(world, touch) && world->touch_state.least_push[i] < 0.0;
}

/* A body of a touch that responds. */
SCREE_FN int32_t scri_overlap_mover(const scree_world* world, const scri_touch* touch)
{
    int32_t one = scri_touch_body(world, touch, 0);
    return world->bodies.inv_mass[one] > 0.0 ? one : scri_touch_body(world, touch, 1);
}

/* Calls work() for all touches, by the team of the world. */
void scri_overlap_each(scree_world* world, const scri_touch* touches,
                       void (*work)(scree_world* world, const scri_touch* touch, int32_t i));

/* Sets of bodies. Every body by itself; the dynamic bodies of a touch together, which several
 * workers may say at a time; and then bodies.island, the root of each. */
void scri_overlap_forget(scree_world* world);
void scri_overlap_join(scree_world* world, const scri_touch* touch);
void scri_overlap_find_roots(scree_world* world);

/* The roots of the contacts, in contacts.root. */
void scri_overlap_find_contact_roots(scree_world* world);

/* What the contacts of each set have lost in the step, at its root in bodies.lost, and how much of
 * that its shift may cost. */
void scri_overlap_find_losses(scree_world* world);
double scri_overlap_paid(const scree_world* world, int32_t root);

/* f . x of body i, force and torque. */
SCREE_FN double scri_overlap_force_times(const scri_bodies_table* b, size_t i, const double* x)
{
    return scri_dot3(b->force + 3 * i, x) + scri_dot3(b->torque + 3 * i, x + 3);
}

/* bodies.shift for the touches that are due, and for those that these pushes bring off. */
scree_status scri_overlap_push(scree_world* world, const scri_touch* touches);

/* Touches of a set that is small. Such sets are pushed apart to the end; of larger ones one looks
 * before whether that can be paid. */
enum { SCRI_SMALL_SET = 31 };

/* Projected Gauss-Seidel on the listed touches of the sets that have one listed since `before`:
 * overlap_sets.c. */
scree_status scri_overlap_sweep(scree_world* world, const scri_touch* touches, int32_t before);

/* The pushes of the listed touches of the sets with these roots, from where sweeps have left them,
 * without error. Leaves those of a set as they are where that cannot be had. */
void scri_overlap_solve(scree_world* world, const scri_touch* touches, const int32_t* root,
                        int32_t n);

#endif
