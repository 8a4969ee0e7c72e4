/* Numbers 0 .. n - 1 in groups that depend on n alone: what is found group by group and joined in
 * their order is the same, whoever has done which. */
#ifndef SCRI_GROUPS_H
#define SCRI_GROUPS_H

#include "base/team.h"

/* No smaller than this, and no more of them than fit on the stack. */
enum { SCRI_LEAST_GROUP = 64, SCRI_MOST_GROUPS = 256 };

typedef struct scri_groups {
    int32_t n, size, count;
} scri_groups;

SCREE_FN scri_groups scri_groups_of(int32_t n)
{
    int32_t size = (n + SCRI_MOST_GROUPS - 1) / SCRI_MOST_GROUPS;
    if (size < SCRI_LEAST_GROUP) size = SCRI_LEAST_GROUP;
    return SCRI_OF(scri_groups, n, size, (n + size - 1) / size);
}

/* The first number of group g, which may be `count`: the end of the last. */
SCREE_FN int32_t scri_groups_begin(const scri_groups* groups, int32_t g)
{
    return groups->n - g * groups->size < 0 ? groups->n : g * groups->size;
}

/* Groups that are worth handing to another worker where so many numbers are. */
SCREE_FN int32_t scri_groups_grain(const scri_groups* groups, int32_t numbers)
{
    return numbers > groups->size ? numbers / groups->size : 1;
}

/* The value of the numbers from `begin` to `end` - 1. */
typedef double scri_group_value(const void* context, int32_t begin, int32_t end);

/* The sum of the values of all groups in their order, and the largest, no less than 0. `grain` as
 * in scri_team_for(). */
double scri_groups_sum(scri_team* team, int32_t n, int32_t grain, scri_group_value* value,
                       const void* context);
double scri_groups_most(scri_team* team, int32_t n, int32_t grain, scri_group_value* value,
                        const void* context);

/* How many of the numbers of each group count, and then, with what this makes of it, the place of
 * its first among all that do. first[SCRI_MOST_GROUPS + 1]: entry g + 1 has the number of group g;
 * returns the number of all. */
SCREE_FN int32_t scri_groups_add_up(const scri_groups* groups, int32_t* first)
{
    first[0] = 0;
    for (int32_t g = 0; g < groups->count; ++g) first[g + 1] += first[g];
    return first[groups->count];
}

#endif
