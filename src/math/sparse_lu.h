/* Sparse factorisation: the one place that knows the library behind it (decision 9).
 *
 * The pattern is analysed once; numbers may then be factored any number of times. Row and column
 * patterns are symmetric (entry (i, j) stored whenever (j, i) is), values need not be.
 */
#ifndef SCRI_SPARSE_LU_H
#define SCRI_SPARSE_LU_H

#include "scree/base.h"

typedef struct scri_sparse_lu scri_sparse_lu;

typedef enum scri_sparse_kind {
    SCRI_SPARSE_GENERAL,  /* values of any kind */
    SCRI_SPARSE_POSITIVE, /* symmetric positive definite; only entries with row >= column are read
                           */
    SCRI_SPARSE_SYMMETRIC /* symmetric, any inertia; the same */
} scri_sparse_kind;

/* Compressed columns start[n + 1], row[start[n]] of the whole pattern, rows increasing, diagonal
 * present. The arrays are borrowed until destroy. SCREE_ERROR_MEMORY is the only failure. */
scree_status scri_sparse_lu_create(const scree_env* env, int32_t n, const int32_t* start,
                                   const int32_t* row, scri_sparse_kind kind, scri_sparse_lu** out);
void scri_sparse_lu_destroy(scri_sparse_lu* lu); /* NULL is allowed */

/* Factors value[start[n]]. SCREE_ERROR_INPUT when a pivot is zero, a number is not finite, or a
 * matrix is not positive definite that should be; a bad condition is no failure.
 * SCREE_ERROR_MEMORY when memory is short. Neither is logged, and after either one may factor
 * again, but not solve. */
scree_status scri_sparse_lu_factor(scri_sparse_lu* lu, const double* value);

/* x[n]: right-hand side in, solution of the last factored matrix out; NaN when memory is short. */
void scri_sparse_lu_solve(scri_sparse_lu* lu, double* x);

/* +1 or -1: sign of the determinant of the last factored matrix. */
int scri_sparse_lu_sign(const scri_sparse_lu* lu);

/* Number of negative eigenvalues of the last factored matrix; SCRI_SPARSE_SYMMETRIC only. */
int32_t scri_sparse_lu_negative(const scri_sparse_lu* lu);

/* Entries of the factors, from the analysis. */
int64_t scri_sparse_lu_entries(const scri_sparse_lu* lu);

#endif
