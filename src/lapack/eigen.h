/* Eigenvalues of small dense matrices without symmetry, by LAPACK. */
#ifndef SCRI_EIGEN_H
#define SCRI_EIGEN_H

#include "scree/base.h"

/* Doubles of work that n rows need. */
size_t scri_eigen_work(int32_t n);

/* Eigenvalues of a[n*n] (column-major, destroyed): real parts in value[n], imaginary parts behind
 * them in value[n + i]; pairs of conjugate ones follow each other. SCREE_ERROR_INPUT when a number
 * is not finite or the iteration fails. */
scree_status scri_eigen(int32_t n, double* a, double* work, double* value);

#endif
