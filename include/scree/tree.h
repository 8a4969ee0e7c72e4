/* A mechanism without loops in the rates of its joints: what a controller asks for.
 *
 *     scree_tree* arm = NULL;
 *     status = scree_tree_create(world, upper_arm, &arm);       // all that joints connect with it
 *     int32_t n = scree_tree_n_rates(arm);
 *     status = scree_tree_efforts(arm, acceleration, effort);   // [n]: inverse dynamics
 *     ...
 *     status = scree_tree_update(arm, world);                   // after a step
 *     scree_tree_destroy(arm);
 *
 * With u the rates of the freedoms,
 *
 *     M(q) u' + bias(q, u) = effort,
 *
 * bias being the centrifugal and gyroscopic forces and minus that of gravity. All of it belongs to
 * the bodies alone, where they are and as they move at the last update: contacts, limits, springs,
 * friction, motors and armatures are not in it, nor what the host applies. Constraints are taken as
 * rigid.
 *
 * Rates are those of the joints' freedoms (scree_joint_state.rate); a ball has three, the angular
 * velocity of A against B in the axes of frame B. Of a tree that hangs on nothing the first six are
 * those of its first body: the velocity of its centre of mass, and its angular velocity in world
 * axes.
 */
#ifndef SCREE_TREE_H
#define SCREE_TREE_H

#include "scree/joint.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct scree_tree scree_tree;

/* The mechanism of a body, with everything at hand now. SCREE_ERROR_UNSUPPORTED and a line in the
 * log: it has a loop (everything that does not respond counts as one body), a gear, a rack, a curve
 * or a distance. A body without joints is a tree of one. */
SCREE_API SCREE_MUST_USE scree_status scree_tree_create(const scree_world* world,
                                                        scree_body_id body, scree_tree** out);
SCREE_API void scree_tree_destroy(scree_tree* tree); /* NULL is allowed */

/* Takes poses, velocities and gravity from the same world. SCREE_ERROR_ARGUMENT: one of its bodies
 * or joints is gone. */
SCREE_API SCREE_MUST_USE scree_status scree_tree_update(scree_tree* tree, const scree_world* world);

/* Bodies, each after the one that it hangs on; {0} for a number that is none. */
SCREE_API int32_t scree_tree_n_bodies(const scree_tree* tree);
SCREE_API scree_body_id scree_tree_body(const scree_tree* tree, int32_t number);

/* Rates. */
SCREE_API int32_t scree_tree_n_rates(const scree_tree* tree);

/* Whose rate number k is: its joint ({0}: of the first body itself) and which of the freedoms. */
SCREE_API SCREE_MUST_USE scree_status scree_tree_rate_of(const scree_tree* tree, int32_t k,
                                                         scree_joint_id* joint, int32_t* freedom);

/* u[n_rates] */
SCREE_API SCREE_MUST_USE scree_status scree_tree_rates(const scree_tree* tree, double* u);

/* M[n_rates n_rates], symmetric. */
SCREE_API SCREE_MUST_USE scree_status scree_tree_mass_matrix(scree_tree* tree, double* m);

/* The efforts [n_rates] that accelerations [n_rates] need; without any (NULL) they hold what
 * gravity pulls at and motion throws off. */
SCREE_API SCREE_MUST_USE scree_status scree_tree_efforts(scree_tree* tree,
                                                         const double* acceleration,
                                                         double* effort);

/* The accelerations [n_rates] under efforts [n_rates] (NULL: none), in time proportional to the
 * number of bodies. */
SCREE_API SCREE_MUST_USE scree_status scree_tree_accelerations(scree_tree* tree,
                                                               const double* effort,
                                                               double* acceleration);

/* What an impulse (N s) at a point (m, world axes) of a body adds to the velocity of that point:
 * out[9] times it, 1/kg. Its inverse is the mass that is felt there. */
SCREE_API SCREE_MUST_USE scree_status scree_tree_response(scree_tree* tree, scree_body_id body,
                                                          const double point[3], double out[9]);

#ifdef __cplusplus
}
#endif

#endif
