/* The linear system that every Newton method here has to solve.
 *
 * In equilibrated variables, with one block D_c per contact,
 *
 *     dy = W dp + a,     dp = c - D dy,
 *
 * for dp and dy. Rigid bodies: (M + H^T D H) dv = H^T (c - D a) with six unknowns per body that
 * moves. Assembled operator: (I + D W) dp = c - D a. Both are one sparse matrix whose pattern is
 * analysed once, when the system is created.
 */
#ifndef SCRI_NEWTON_SYSTEM_H
#define SCRI_NEWTON_SYSTEM_H

#include "problem/scaling.h"

typedef struct scri_newton_system scri_newton_system;

/* Whether the system of a problem can be factored with what `env` lends (scri_sparse_lu_fits()). */
int scri_newton_system_fits(const scree_env* env, const scree_problem* problem);

/* The same for scri_solver.unfit. */
const char* scri_newton_system_unfit(const scree_env* env, const scree_problem* problem);

/* The same as a status, SCREE_OK or SCREE_ERROR_UNSUPPORTED, with a message that says who needs it.
 */
scree_status scri_newton_system_need(const scree_env* env, const scree_problem* problem,
                                     const char* who);

/* `problem` is assembled or bodies; both arguments are borrowed until destroy. SCREE_ERROR_MEMORY,
 * or SCREE_ERROR_UNSUPPORTED where it does not fit. */
scree_status scri_newton_system_create(const scree_env* env, const scree_problem* problem,
                                       const scri_scaling* scaling, scri_newton_system** out);
void scri_newton_system_destroy(scri_newton_system* system); /* NULL is allowed */

/* First entry of the block of contact c in an array of all blocks (row-major, width x width);
 * with c = n_contacts the length of that array. */
int64_t scri_newton_system_block(const scri_newton_system* system, int32_t c);

/* Factors the system for the blocks D. SCREE_ERROR_INPUT when it is singular or not finite. */
scree_status scri_newton_system_factor(scri_newton_system* system, const double* d);

/* Solves with the last factored D, which must still be where it was. c[n_rows], a[n_rows] (NULL:
 * zero) in; dp, dy [n_rows] out, neither overlapping c or a. `refine` steps of iterative
 * refinement on dy = W dp + a. */
void scri_newton_system_solve(scri_newton_system* system, const double* c, const double* a,
                              int refine, double* dp, double* dy);

/* out[n_rows] = W x, scaled, without q. */
void scri_newton_system_multiply(scri_newton_system* system, const double* x, double* out);

/* out[n_rows] = q, scaled. */
void scri_newton_system_free_velocity(const scri_newton_system* system, double* out);

#endif
