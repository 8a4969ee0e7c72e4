/* Per-channel equilibration of a whole problem: p' = s p, y' = y / s. */
#ifndef SCRI_SCALING_H
#define SCRI_SCALING_H

#include "laws/law.h"
#include "problem/operator.h"

typedef struct scri_scaling {
    double* scale; /* [n_rows] s */
    double* coef;  /* [3 n_contacts] coefficients of the laws in scaled variables */
} scri_scaling;

scri_scaling scri_scaling_create(const scree_problem* problem, scri_bump* bump);

/* Fills the arrays from the diagonal of the operator. */
void scri_scaling_compute(const scri_operator* op, scri_scaling* scaling);

/* The same from diagonal[n_rows] of W + C. */
void scri_scaling_from_diagonal(const scree_problem* problem, const double* diagonal,
                                scri_scaling* scaling);

#endif
