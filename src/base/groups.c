#include "base/groups.h"

#include <math.h>

typedef struct group_values {
    scri_groups groups;
    scri_group_value* value;
    const void* context;
    double* of; /* [count] */
} group_values;

static void find_values(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const group_values* all = context;
    (void)worker;
    for (int32_t g = begin; g < end; ++g) {
        all->of[g] = all->value(all->context, scri_groups_begin(&all->groups, g),
                                scri_groups_begin(&all->groups, g + 1));
    }
}

static int32_t find_all(scri_team* team, int32_t n, scri_group_value* value, const void* context,
                        double* of)
{
    group_values all = {scri_groups_of(n), value, context, of};
    scri_team_for(team, all.groups.count, 1, find_values, &all);
    return all.groups.count;
}

double scri_groups_sum(scri_team* team, int32_t n, scri_group_value* value, const void* context)
{
    double of[SCRI_MOST_GROUPS], sum = 0.0;
    int32_t count = find_all(team, n, value, context, of);
    for (int32_t g = 0; g < count; ++g) sum += of[g];
    return sum;
}

double scri_groups_most(scri_team* team, int32_t n, scri_group_value* value, const void* context)
{
    double of[SCRI_MOST_GROUPS], most = 0.0;
    int32_t count = find_all(team, n, value, context, of);
    for (int32_t g = 0; g < count; ++g) most = fmax(most, of[g]);
    return most;
}
