/* Turns triplets in any order into compressed sparse columns. */
#ifndef SCRI_CSC_BUILD_H
#define SCRI_CSC_BUILD_H

#include "base/arena.h"
#include "scree/problem.h"

/* Sorts `n` triplets into columns with increasing rows; repeated ones are summed in their order.
 * Indices have been checked. Arrays of `out` and 4 bytes of scratch per triplet are taken from
 * `arena`. Fails with SCREE_ERROR_MEMORY, or with SCREE_ERROR_UNSUPPORTED beyond INT32_MAX
 * triplets. */
scree_status scri_csc_from_triplets(scri_arena* arena, int32_t n_rows, int32_t n_columns, int64_t n,
                                    const int32_t* row, const int32_t* column, const double* value,
                                    scree_csc* out);

#endif
