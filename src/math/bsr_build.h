/* Turns scalar sparse data into blocks. */
#ifndef SCRI_BSR_BUILD_H
#define SCRI_BSR_BUILD_H

#include "base/arena.h"
#include "base/compiler.h"
#include "scree/problem.h"

/* Blocks (one block row per contact, row[n_contacts + 1] first scalar rows) that hold every entry
 * of `matrix`, a square CSC matrix of order row[n_contacts]. Diagonal blocks always exist. Arrays
 * are taken from `arena`. Fails with SCREE_ERROR_MEMORY, or with SCREE_ERROR_UNSUPPORTED when there
 * are too many blocks to number with 32 bits. */
SCRI_SISTERS scree_status scri_bsr_from_csc(scri_arena* arena, int32_t n_contacts,
                                            const int32_t* row, const scree_csc* matrix,
                                            scree_bsr* out);

/* The same entries as scalar CSC, explicit zeros of the blocks included. Fails as above. */
SCRI_SISTERS scree_status scri_csc_from_bsr(scri_arena* arena, int32_t n_contacts,
                                            const int32_t* row, const scree_bsr* matrix,
                                            scree_csc* out);

#endif
