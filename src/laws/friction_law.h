/* What the laws with a friction cone share. */
#ifndef SCRI_FRICTION_LAW_H
#define SCRI_FRICTION_LAW_H

#include "laws/law.h"
#include "laws/one_contact_kernel.h"

/* Rows from N alone to N, T1, T2, R1, R2, S and the planar ones. */
#define SCRI_ALL_ROWS ((1u << SCREE_ROWS_END) - 2u)

/* Friction coefficient; lengths that say how much moment a normal force of 1 lets roll and spin. */
#define SCRI_FRICTION_COEF   \
    {                        \
        "mu", "mu_r", "mu_s" \
    }

/* mu_k s_k / s_N: discs stay discs when the rows of a channel share their scale. */
void scri_friction_scale(scri_terms t, const double* s, double* out);

/* The state that belongs to a guess p[width]: slip rates from the work that p does. */
scri_slip scri_friction_guess(const scri_slip_contact* c, const double* p);

/* Solves a contact that does not take off: Newton, then the fail-safe. `s` holds the first guess.
 */
scree_one_contact_way scri_friction_solve(const scri_slip_contact* c, scri_slip* s, double* p);

#endif
