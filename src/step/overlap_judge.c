#include "base/groups.h"
#include "step/step.h"
#include "step/touch.h"

/* The worst overlap of some contacts at the end of the step, but for those that part. */
typedef struct worst_overlap {
    double share;
    int32_t touch;
} worst_overlap;

static void judge_touch(const scree_world* world, const scri_touch* t, int32_t i,
                        worst_overlap* worst)
{
    const scri_touch_table* s = &world->touch_state;
    if (!s->chosen[i] || !(s->end_gap[i] < SCREE_INFINITY)) return;
    double gap = t->gap;
    if (!s->lasting[i]) gap += scri_touch_normal(world, t, scri_motion_of(world->bodies.path, 6));
    if (world->is_shifted) {
        gap += scri_touch_normal(world, t, scri_motion_of(world->bodies.shift, 6));
    }
    double share = -gap / scri_pair_size(world, t->a, t->b);
    if (share > worst->share) *worst = (worst_overlap){share, i};
}

/* Groups of touches, whoever judges which; of equal overlaps the first counts. */
typedef struct judgement {
    const scree_world* world;
    const scri_touch* touches;
    scri_groups groups;
    worst_overlap* of;
} judgement;

static void judge_groups(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const judgement* all = context;
    (void)worker;
    for (int32_t g = begin; g < end; ++g) {
        int32_t last = scri_groups_begin(&all->groups, g + 1);
        all->of[g] = (worst_overlap){0.0, -1};
        for (int32_t i = scri_groups_begin(&all->groups, g); i < last; ++i) {
            judge_touch(all->world, &all->touches[i], i, &all->of[g]);
        }
    }
}

void scri_overlap_judge(const scree_world* world, const scri_touch* touches,
                        scree_step_report* report)
{
    worst_overlap of[SCRI_MOST_GROUPS];
    judgement all = {world, touches, scri_groups_of(world->touch_state.n), of};
    scri_team_for(world->team, all.groups.count, 1, judge_groups, &all);
    for (int32_t g = 0; g < all.groups.count; ++g) {
        if (!(of[g].share > report->overlap_share)) continue;
        report->overlap_share = of[g].share;
        for (int side = 0; side < 2; ++side) {
            report->overlap_body[side] = scri_touch_body(world, &touches[of[g].touch], side);
        }
    }
}
