/* Factorisation of sparse matrices, whoever does it: small ones are dense ones of our own, because
 * a sparse library costs tens of microseconds before it does anything; large ones go to the table
 * that the host lends (scree_env.sparse).
 */
#ifndef SCRI_SPARSE_LU_H
#define SCRI_SPARSE_LU_H

#include "base/compiler.h"
#include "scree/base.h"

typedef struct scri_sparse_lu scri_sparse_lu;

/* Whether matrices of n rows can be factored with what `env`, which may be NULL, lends. */
SCRI_SISTERS int scri_sparse_lu_fits(const scree_env* env, int32_t n);

/* The pattern as in scree_sparse.create; its arrays and env are borrowed until destroy.
 * SCREE_ERROR_MEMORY, or SCREE_ERROR_UNSUPPORTED where it does not fit. */
SCRI_SISTERS scree_status scri_sparse_lu_create(const scree_env* env, int32_t n,
                                                const int32_t* start, const int32_t* row,
                                                scree_sparse_kind kind, scri_sparse_lu** out);
SCRI_SISTERS void scri_sparse_lu_destroy(scri_sparse_lu* lu); /* NULL is allowed */

/* As scree_sparse.factor, but numbers that are not finite are SCREE_ERROR_INPUT. Failures are not
 * logged. */
SCRI_SISTERS scree_status scri_sparse_lu_factor(scri_sparse_lu* lu, const double* value);

/* As in scree_sparse. */
SCRI_SISTERS void scri_sparse_lu_solve(scri_sparse_lu* lu, double* x);
int32_t scri_sparse_lu_negative(const scri_sparse_lu* lu);

#endif
