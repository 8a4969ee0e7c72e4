/* From the contacts of a problem to those of the kernel for round bodies. */
#ifndef SCRI_ROUND_CONTACTS_H
#define SCRI_ROUND_CONTACTS_H

#include "scree/problem.h"
#include "solvers/round_kernel.h"

/* Whether contact c fits the kernel: exact or extended law with discs or ellipses of the same axes,
 * or convex law with discs, both sides round, arms along the normal. */
int scri_round_fits(const scree_problem* problem, int32_t c);

/* Whether the law of a contact that fits is the convex one. */
int scri_round_lifts(const scree_problem* problem, int32_t c);

/* Everything but the impulses, which are zero. The ellipses of sliding and rolling go into room[2],
 * zeros where it has discs; NULL will do for a problem without sets. */
void scri_round_fill(const scree_problem* problem, int32_t c, scri_round_contact* out,
                     scri_round_ellipses* room);

/* The ellipses in `room`; NULL where it has been filled with discs. */
SCREE_FN scri_round_ellipses* scri_round_sets(scri_round_ellipses* room)
{
    return room && room->c[0] > 0.0 ? room : NULL;
}

/* Impulses between p[width] of a contact with these rows and the kernel's N T1 T2 R1 R2 S. */
void scri_round_load(int rows, const double* p, double round[6]);
void scri_round_store(int rows, const double round[6], double* p);

#endif
