/* Factorisation of small dense matrices. All of it our own: the rounding of a library differs from
 * machine to machine, and small worlds are to move by the same bits on all of them. */
#ifndef SCRI_DENSE_LU_H
#define SCRI_DENSE_LU_H

#include "base/compiler.h"
#include "scree/base.h"

/* The rows of a column in which there may be other numbers than 0: from `top` on, before `end`. */
typedef struct scri_extent {
    int32_t top, end;
} scri_extent;

/* Factors a[n*n] (column-major; its lower triangle where it is symmetric) in place; pivot[n] out,
 * which may be NULL for a positive definite one. Outside extent[n], which may be NULL, a general
 * one is known to be 0. SCREE_ERROR_INPUT when a pivot is zero or not finite, or when a matrix is
 * not positive definite that should be. */
SCRI_SISTERS scree_status scri_dense_lu_factor(scree_sparse_kind kind, int32_t n, double* a,
                                               const scri_extent* extent, int32_t* pivot);

/* x[n]: right-hand side in, solution out; with the extents that it was factored with. */
SCRI_SISTERS void scri_dense_lu_solve(scree_sparse_kind kind, int32_t n, const double* a,
                                      const scri_extent* extent, const int32_t* pivot, double* x);

#endif
