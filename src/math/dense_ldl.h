/* A = P L D L^T P^T of a symmetric dense matrix of any inertia, with blocks of one or two rows in
 * D; what scri_dense_lu calls for them. */
#ifndef SCRI_DENSE_LDL_H
#define SCRI_DENSE_LDL_H

#include <stdint.h>

/* Factors the lower triangle of a[rows * rows] (column-major) in place. pivot[k] > 0: row k was
 * exchanged with row pivot[k] - 1. pivot[k] = pivot[k + 1] < 0: rows k and k + 1 are a block, and
 * row k + 1 was exchanged with row -pivot[k] - 1. Returns 0 when the matrix is singular. */
int scri_dense_ldl_factor(int32_t rows, double* a, int32_t* pivot);

/* Number of negative eigenvalues. */
int32_t scri_dense_ldl_negative(int32_t n, const double* a, const int32_t* pivot);

/* x[n]: right-hand side in, solution out. */
void scri_dense_ldl_solve(int32_t n, const double* a, const int32_t* pivot, double* x);

#endif
