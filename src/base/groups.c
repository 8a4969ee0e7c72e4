#include "base/groups.h"

typedef struct group_values {
    scri_groups groups;
    scri_group_value* value;
    const void* context;
    double of[SCRI_MOST_GROUPS];
} group_values;

static void find_values(void* context, int32_t begin, int32_t end, int32_t worker)
{
    group_values* all = context;
    (void)worker;
    for (int32_t g = begin; g < end; ++g) {
        all->of[g] = all->value(all->context, scri_groups_begin(&all->groups, g),
                                scri_groups_begin(&all->groups, g + 1));
    }
}

static void find_all(scri_team* team, int32_t n, int32_t grain, group_values* all)
{
    all->groups = scri_groups_of(n);
    scri_team_for(team, all->groups.count, scri_groups_grain(&all->groups, grain), find_values,
                  all);
}

double scri_groups_sum(scri_team* team, int32_t n, int32_t grain, scri_group_value* value,
                       const void* context)
{
    group_values all;
    all.value = value;
    all.context = context;
    find_all(team, n, grain, &all);
    double sum = 0.0;
    for (int32_t g = 0; g < all.groups.count; ++g) sum += all.of[g];
    return sum;
}

double scri_groups_most(scri_team* team, int32_t n, int32_t grain, scri_group_value* value,
                        const void* context)
{
    group_values all;
    all.value = value;
    all.context = context;
    find_all(team, n, grain, &all);
    double most = 0.0;
    for (int32_t g = 0; g < all.groups.count; ++g) {
        if (all.of[g] > most) most = all.of[g]; /* where fmax() is a call, it takes longer */
    }
    return most;
}
