/* Signs that a problem has no solution. */
#ifndef SCRI_FEASIBLE_H
#define SCRI_FEASIBLE_H

#include "problem/scaling.h"

/* Whether impulses p, which lead to velocities y, press without holding: over all contacts their
 * work against the velocities that remain is more than half of that against the free ones,
 *
 *     sum p_N y_N <= 1/2 sum p_N q_N < 0,
 *
 * the last not by rounding alone; in joints, where impulses have either sign, the same for the
 * absolute values. In a solution p_N y_N is not negative in any contact, and 0 in joints, so none
 * is ever refused. Where there is no
 * solution, contacts can press against each other without limit (W d = 0 for an admissible d with
 * q d < 0, Farkas): as p grows along d, the residual, which is relative to p, tends to 0, but p y
 * to p q. If the residual is below a tolerance as well, any solution has impulses larger than the
 * free velocities by a factor of about 1 / tolerance, in scaled variables. */
int scri_press_in_vain(const scree_problem* problem, const scri_scaling* scaling, const double* p,
                       const double* y);

/* Whether a contact approaches that no impulse changes: between immovable bodies. Speeds up to tol
 * times the largest free normal velocity are rounding. */
int scri_immovable_approach(const scri_operator* op, const double* y, double tol);

#endif
