/* Singular values, eigenvalues and the inverse of small dense matrices, by LAPACK. Symmetric or
 * transposed input makes no difference to the first two, so either order of storage will do. */
#ifndef SCRI_DENSE_SPECTRUM_H
#define SCRI_DENSE_SPECTRUM_H

#include "scree/base.h"

/* Doubles of work that any of the calls below needs for n rows and columns at most. */
size_t scri_dense_spectrum_work(int32_t n);

/* value[min(rows, columns)] in falling order; a[rows * columns] is overwritten.
 * SCREE_ERROR_INPUT when LAPACK does not converge, or something is not finite. */
scree_status scri_dense_singular_values(int32_t rows, int32_t columns, double* a, double* value,
                                        double* work);

/* value[n] in rising order of the symmetric a[n * n], which receives the eigenvectors where
 * `vectors` is not 0: vector j lies at a + j n. */
scree_status scri_dense_eigen(int32_t n, int vectors, double* a, double* value, double* work);

/* a[n * n] becomes its inverse; pivot[n]. SCREE_ERROR_INPUT when a pivot is zero. */
scree_status scri_dense_invert(int32_t n, double* a, int32_t* pivot, double* work);

#endif
