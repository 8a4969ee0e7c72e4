/* Inverse of a general sparse mass matrix, one connected component at a time.
 *
 * A mass matrix of rigid bodies falls apart into components of six unknowns or fewer; each is
 * factored densely with partial pivoting, so M need not be symmetric. */
#ifndef SCRI_MASS_MATRIX_H
#define SCRI_MASS_MATRIX_H

#include "base/arena.h"
#include "scree/problem.h"

typedef struct scri_mass_matrix {
    int32_t n, n_components;
    int32_t* component; /* [n] component of each unknown */
    int32_t* start;     /* [n_components + 1] first entry of each in `member` */
    int32_t* member;    /* [n] unknowns, component by component */
    int32_t* position;  /* [n] place of an unknown within its component */
    int64_t* offset;    /* [n_components] first entry of its factors */
    double* factor;     /* LU, row-major */
    int32_t* pivot;     /* [n] row exchanges */
} scri_mass_matrix;

/* SCREE_ERROR_INPUT when a component is singular (logged); SCREE_ERROR_MEMORY when memory is short
 * (left to the caller to log). */
scree_status scri_mass_matrix_create(const scree_env* env, scri_arena* arena, const scree_csc* m,
                                     scri_mass_matrix* out);

/* Solves with component k; x[size of k] holds the right-hand side, then the answer. */
void scri_mass_matrix_solve_component(const scri_mass_matrix* m, int32_t k, double* x);

/* x[n] = M^-1 x; work[n]. */
void scri_mass_matrix_solve(const scri_mass_matrix* m, double* x, double* work);

#endif
