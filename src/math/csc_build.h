/* Turns triplets in any order into compressed sparse columns. */
#ifndef SCRI_CSC_BUILD_H
#define SCRI_CSC_BUILD_H

#include "base/arena.h"
#include "base/compiler.h"
#include "scree/problem.h"

/* A sparse matrix with its entries in any order, some of them perhaps repeated. */
typedef struct scri_triplets {
    int32_t n_rows, n_columns;
    int64_t count;
    int32_t* row;    /* [count] in [0, n_rows) */
    int32_t* column; /* [count] in [0, n_columns) */
    double* value;   /* [count] */
} scri_triplets;

/* Sorts triplets into columns with increasing rows; repeated ones are summed in their order. Arrays
 * of `out` and 4 bytes of scratch per triplet are taken from `arena`. Fails with
 * SCREE_ERROR_MEMORY, or with SCREE_ERROR_UNSUPPORTED beyond INT32_MAX triplets. */
SCRI_SISTERS scree_status scri_csc_from_triplets(scri_arena* arena, const scri_triplets* t,
                                                 scree_csc* out);

#endif
