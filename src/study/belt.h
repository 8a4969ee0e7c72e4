/* The mass on the belt: what its analysis and its simulation share. */
#ifndef SCRI_BELT_H
#define SCRI_BELT_H

#include "scree/set.h"
#include "scree_study/belt.h"

/* Friction over normal force. */
typedef struct scri_belt_sets {
    scree_set *forces, *flow;
} scri_belt_sets;

scree_status scri_belt_check(const scree_env* env, const scree_belt_def* def);

/* Release them whatever the status. */
scree_status scri_belt_make_sets(const scree_env* env, const scree_belt_def* def,
                                 scri_belt_sets* out);
void scri_belt_release_sets(scri_belt_sets* sets);

/* belt_slip.c: the next slip after one at this angle; the first of a mass put on the belt where the
 * springs are slack. */
scree_belt_slip scri_belt_slip(const scree_belt_def* def, double tolerance, double angle);
double scri_belt_first_slip(const scree_belt_def* def);

#endif
