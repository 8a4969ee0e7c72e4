/* Contacts on their way through the natural map, as many at once as the processor has lanes, with
 * the same bits as one by one: those of bodies under the exact law, with discs, that either slide
 * alone or slide, roll and spin. */
#ifndef SCRI_JUDGE_LANES_H
#define SCRI_JUDGE_LANES_H

#include "problem/scaling.h"

/* What is judged: see scri_natural_map_evaluate(). */
typedef struct scri_judge_list {
    const scree_problem* problem;
    const scri_scaling* scaling;
    const double *velocity, *p, *y;
    double* found; /* is y, which is written first, from the velocities; NULL: it is there */
} scri_judge_list;

/* Of so many contacts at most, in scaled variables: squares of the map, of p, y and q, of the
 * contact's size and of what its approach is beside nothing; then the first and the last by the
 * size. */
enum { SCRI_MOST_JUDGED = 64 };
typedef struct scri_judged_lanes {
    double map[SCRI_MOST_JUDGED], p[SCRI_MOST_JUDGED], y[SCRI_MOST_JUDGED], q[SCRI_MOST_JUDGED];
    double size[SCRI_MOST_JUDGED], local[SCRI_MOST_JUDGED], approach[SCRI_MOST_JUDGED];
} scri_judged_lanes;

/* Judges contacts from c on, n of them at most, and returns how many: fewer where the next is of
 * another kind, has variables that are not finite or whose squares vanish, or is among the last of
 * the problem. */
typedef int32_t scri_judge_lanes(const scri_judge_list* list, int32_t c, int32_t n,
                                 scri_judged_lanes* out);

scri_judge_lanes scri_judge_lanes_2, scri_judge_lanes_4, scri_judge_lanes_8;

/* The one that takes this processor the least time; that with 2, 4 or 8 lanes, NULL where the
 * processor cannot do that. */
scri_judge_lanes* scri_judge_lanes_best(void);
scri_judge_lanes* scri_judge_lanes_of(int lanes);

#endif
