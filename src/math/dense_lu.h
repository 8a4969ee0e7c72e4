/* Factorisation of small dense matrices, symmetric ones by LAPACK, for scri_sparse_lu. */
#ifndef SCRI_DENSE_LU_H
#define SCRI_DENSE_LU_H

#include "math/sparse_lu.h"

#include <stddef.h>

/* Doubles of work that the factorisation of n rows needs. */
size_t scri_dense_lu_work(int32_t n);

/* Factors a[n*n] (column-major; its lower triangle where it is symmetric) in place; pivot[n] out.
 * The determinant has the sign of (-1)^negative; for symmetric matrices that is the number of
 * negative eigenvalues. SCREE_ERROR_INPUT when a pivot is zero or not finite, or when a matrix is
 * not positive definite that should be. */
scree_status scri_dense_lu_factor(scri_sparse_kind kind, int32_t n, double* a, int32_t* pivot,
                                  double* work, int32_t* negative);

/* x[n]: right-hand side in, solution out. */
void scri_dense_lu_solve(scri_sparse_kind kind, int32_t n, const double* a, const int32_t* pivot,
                         double* x);

#endif
