/* Updates of contacts in double precision, as many at once as the processor has
 * lanes, with the same bits for any number of them. */
#ifndef SCRI_ROUND_LANES_H
#define SCRI_ROUND_LANES_H

#include "solvers/round_kernel.h"

/* Contacts of one kind that share no movable body. */
typedef struct scri_round_list {
    scri_round_contact* contacts;
    scri_round_ellipses* sets; /* two for each of `contacts`; NULL: discs */
    scri_round_body* bodies;
    const int32_t* which; /* [n] of `contacts` */
    int32_t n;
    int rolls;  /* whether rolling and spinning rows exist */
    int convex; /* whether the law lifts off; then `sets` is NULL */
} scri_round_list;

/* change[n] and impulse[n] receive squares of those, as scri_round_size has them. */
typedef void scri_round_lanes(const scri_round_list* list, double* change, double* impulse);

scri_round_lanes scri_round_lanes_1, scri_round_lanes_2, scri_round_lanes_4, scri_round_lanes_8;

/* Contacts of bodies of any inertia that share no movable one. */
typedef struct scri_solid_list {
    scri_round_solid* contacts;
    scri_round_body* bodies;
    const int32_t* which; /* [n] of `contacts` */
    int32_t n;
    double tolerance; /* of one that slips */
} scri_solid_list;

/* The same for those; change[i] is -1 where no impulse was found. */
typedef void scri_solid_lanes(const scri_solid_list* list, double* change, double* impulse);

scri_solid_lanes scri_solid_lanes_1, scri_solid_lanes_2, scri_solid_lanes_4, scri_solid_lanes_8;

/* Lanes that take this processor the least time, and the updates with 1, 2, 4 or 8 of them; NULL
 * where it cannot do that. */
int scri_round_lanes_best(void);
scri_round_lanes* scri_round_lanes_of(int lanes);
scri_solid_lanes* scri_solid_lanes_of(int lanes);

/* One of a list, alone. */
SCREE_FN void scri_round_one(const scri_round_list* list, int32_t i, const int rolls,
                             const int has_sets, const int convex, double* change, double* impulse)
{
    int32_t c = list->which[i];
    scri_round_ellipses* sets = has_sets ? list->sets + 2 * (size_t)c : NULL;
    scri_round_size size = {0.0, 0.0};
    scri_round_update(list->contacts + c, sets, rolls, convex, list->bodies, &size);
    change[i] = size.change;
    impulse[i] = size.impulse;
}

SCREE_FN void scri_solid_one(const scri_solid_list* list, int32_t i, double* change,
                             double* impulse)
{
    scri_round_update_solid(list->contacts + list->which[i], list->tolerance, list->bodies,
                            change + i, impulse + i);
}

#endif
