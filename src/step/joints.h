/* Joints in a step: their system of equations, motion that keeps them, their rows in the problem of
 * the contacts, and what they carried. */
#ifndef SCRI_STEP_JOINTS_H
#define SCRI_STEP_JOINTS_H

#include "step/islands.h"
#include "world/world.h"

/* Whether joints can move a body (-1: the world). */
static inline int scri_joints_move(const scree_world* world, int32_t body)
{
    return body >= 0 && world->bodies.inv_mass[body] > 0.0;
}

/* Makes the system where joints have come, gone or changed. */
scree_status scri_joints_make(scree_world* world);

/* Makes one in a new arena, which the caller gives back even where it fails. */
scree_status scri_joints_make_system(const scree_world* world, scree_joints how,
                                     scri_joint_system* s);

/* Rows and errors of the poses at hand; the factors of the rigid rows, or of `all`. */
void scri_joints_place(scree_world* world);
void scri_joints_factor(scree_world* world, int all);

/* velocities += M^-1 J^T x of the rows in blocks. */
void scri_joints_push(scree_world* world, const double* x);

/* Adds an impulse x along a row to what a joint carries in this step; `arm` is that of the system.
 * The same for the rows of the system from `first` up to `end`. */
void scri_joint_note(scri_joint* joint, int is_constraint, const double* row, const double* arm,
                     double x);
void scri_joints_note(scree_world* world, int32_t first, int32_t end, const double* x);

/* Lets bodies with joints drift for a time on their constraints: joint_drift.c. With what undoes
 * overlap where `shifted`. Other bodies are left alone. */
void scri_joints_drift(scree_world* world, double time, int shifted);

/* Forces of motors that are given as such. */
void scri_joints_forces(scree_world* world);

/* Forgets the impulses of the last step. */
void scri_joints_begin(scree_world* world);

/* How many contacts the joints may be in this step; appends them to the contacts. After the system
 * has been placed in the middle of the step. */
int32_t scri_joints_most_contacts(const scree_world* world);
scree_status scri_joints_reserve_rows(scree_world* world);
void scri_joints_write(scree_world* world);

/* q of contact c, a joint. */
void scri_joints_write_free(scree_world* world, int32_t c);

/* Whether a part has joints, and whether its inequalities are few enough for a full matrix. */
int scri_joints_are_in(const scri_part* part);
int scri_joints_are_few(const scri_part* part);

/* Solves the equations of a part with joints given the other impulses, or all of it where the
 * inequalities are few: joint_solve.c. */
scree_status scri_joints_solve(scree_world* world, const scri_part* part, int equations,
                               scree_report* report);

/* Notes what the impulses of the step did, in its middle. */
void scri_joints_take(scree_world* world);

/* After the step: coordinates, what breaks, and the worst error. */
void scri_joints_end(scree_world* world, scree_step_report* report);

/* ---- trees: joint_trees.c -------------------------------------------------------------------- */

/* Nodes of each body: first[n_bodies + 1] into item, which has 2 node + side. */
typedef struct scri_body_lists {
    int32_t *first, *item;
} scri_body_lists;

/* Marks the nodes of mechanisms that have no loop, where they are wanted in trees. 0 when memory is
 * short. */
int scri_trees_choose(const scree_world* world, scree_joints how, scri_joint_system* s,
                      uint8_t* in_tree);

/* Links of the nodes behind those in blocks, which are listed. */
scree_status scri_trees_make(const scree_world* world, scri_joint_system* s,
                             const scri_body_lists* lists);

/* The motions of one joint, and masses, where bodies are now. */
void scri_trees_place_joint(scri_joint_system* s, const scri_joint* joint, int32_t node,
                            const scri_joint_side sides[2], const scri_joint_terms* terms);
void scri_trees_place(const scree_world* world, scri_joint_system* s);

/* velocities += M^-1 J^T x of the links, with the x of these rates. */
void scri_trees_push(scree_world* world, const double* b);

/* Factors with the rigid rows, or with `all`. */
void scri_trees_factor(scri_joint_system* s, int all);

#endif
