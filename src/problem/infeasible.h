/* Proof that a problem has no solution, and what is least violated instead.
 *
 * In scaled variables (problem/scaling.h) let K be the product of the cones of recession of the
 * laws (scri_law.recede), so that every solution has y in the dual of K. The velocities that
 * violate this least, among all that impulses of any sign can reach, minimise
 *
 *     f(x) = 1/2 |t|^2,   t = P_K(-y),   y = W x + q.
 *
 * At the minimum W t = 0, since W t is minus the gradient, and q t = -|t|^2: if t is not zero, it
 * is Farkas's proof that there is no solution; and q + t is the nearest free velocity for which y
 * in the dual of K can be reached. One vector says both. */
#ifndef SCRI_INFEASIBLE_H
#define SCRI_INFEASIBLE_H

#include "problem/scaling.h"
#include "scree/certificate.h"

/* How hard to look. */
typedef struct scri_search {
    double least;       /* ends without proof when no contact violates more than this times what the
                           first iterate did */
    int32_t iterations; /* over all contacts, before those that still violate are looked at alone */
    const double* y;    /* [n_rows] velocities to begin with */
    const scri_operator* op; /* of the same contacts, whose team helps; may be NULL */
} scri_search;

/* Looks for a proof (assembled or bodies form); give[n_rows] receives t in the units of q, zeros
 * without proof. SCREE_ERROR_MEMORY is the only failure. */
scree_status scri_infeasible_find(const scree_env* env, const scree_problem* problem,
                                  const scri_scaling* scaling, const scri_search* search,
                                  double* give, scree_infeasibility* out);

/* Whether give[n_rows], not zero, proves that there is no solution: judged from the problem alone.
 * Any solution satisfies 0 <= d y = d q + (W^T d) p, hence |p| >= -(q d) / |W^T d|; it is a proof
 * when that, rounding included, is SCRI_PROOF times the size of q where d is not zero, and no body
 * that can respond is left with an unbalanced impulse. Fills `out`; n_contacts is 0 when it is
 * none. */
#define SCRI_PROOF 1e9
scree_status scri_infeasible_verify(const scree_env* env, const scree_problem* problem,
                                    const scri_scaling* scaling, const double* give,
                                    scree_infeasibility* out);

#endif
