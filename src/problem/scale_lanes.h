/* Scales of contacts, as many at once as the processor has lanes, with the same bits as one by one:
 * those of round bodies under the exact law, with discs, that either slide alone or slide, roll and
 * spin. */
#ifndef SCRI_SCALE_LANES_H
#define SCRI_SCALE_LANES_H

#include "scree/problem.h"

/* See problem/scaling.h. */
typedef struct scri_scale_list {
    const scree_problem* problem; /* with bodies */
    double unit;
    double *scale, *coef; /* [n_rows], the diagonals first; [3 n_contacts] */
} scri_scale_list;

/* Contacts from c on, n of them at most; returns how many are done: fewer where the next one is of
 * another kind, has a channel that nothing moves, or is among the last of the problem. */
typedef int32_t scri_scale_work(const scri_scale_list* list, int32_t c, int32_t n);

/* The diagonals of W into `scale`, and then, from these, scales and coefficients. */
typedef struct scri_scale_lanes {
    scri_scale_work *diagonals, *scales;
} scri_scale_lanes;

scri_scale_work scri_diagonals_2, scri_diagonals_4, scri_diagonals_8;
scri_scale_work scri_scales_2, scri_scales_4, scri_scales_8;

/* Those that take this processor the least time; those with 2, 4 or 8 lanes, both NULL where the
 * processor cannot do that. */
scri_scale_lanes scri_scale_lanes_best(void);
scri_scale_lanes scri_scale_lanes_of(int lanes);

#endif
