/* From the contacts of a problem to those of the kernel for round bodies. */
#ifndef SCRI_ROUND_CONTACTS_H
#define SCRI_ROUND_CONTACTS_H

#include "scree/problem.h"
#include "solvers/round_kernel.h"

/* Whether contact c fits the kernel: exact or extended law with discs or ellipses of the same axes,
 * both sides round, arms along the normal. */
int scri_round_fits(const scree_problem* problem, int32_t c);

/* Everything but the impulses, which are zero. `sets` is where the ellipses go that `out` then
 * points to; NULL will do for a problem without sets. */
void scri_round_fill(const scree_problem* problem, int32_t c, scri_round_sets* sets,
                     scri_round_contact* out);

/* Impulses between p[width] of a contact with these rows and the kernel's N T1 T2 R1 R2 S. */
void scri_round_load(int rows, const double* p, double round[6]);
void scri_round_store(int rows, const double round[6], double* p);

#endif
