/* Which contacts act on each other: those that touch a common group (a body, or a component of the
 * mass matrix). */
#ifndef SCRI_COUPLING_H
#define SCRI_COUPLING_H

#include "base/arena.h"
#include "scree/problem.h"

typedef struct scri_coupling {
    int32_t n_contacts, n_groups;
    int32_t* touch_start; /* [n_contacts + 1] */
    int32_t* touch;       /* groups of each contact, without repetition */
    int32_t* group_start; /* [n_groups + 1] */
    int32_t* member;      /* contacts of each group, increasing */
} scri_coupling;

/* From touch_start and touch: fills the rest, then the pattern and zeroed values of W in `w`, whose
 * value array the caller may write. SCREE_ERROR_MEMORY is the only failure. */
scree_status scri_coupling_pattern(scri_arena* arena, const int32_t* row, scri_coupling* coupling,
                                   scree_bsr* w, double** value);

/* First entry of the block of contacts (c, d), which must be in the pattern. */
int64_t scri_coupling_find(const scree_bsr* w, int32_t c, int32_t d);

#endif
