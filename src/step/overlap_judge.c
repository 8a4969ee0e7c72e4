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
    int32_t group;
    worst_overlap* of;
} judgement;

static void judge_groups(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const judgement* all = context;
    (void)worker;
    for (int32_t g = begin; g < end; ++g) {
        int32_t first = g * all->group, last = first + all->group;
        all->of[g] = (worst_overlap){0.0, -1};
        for (int32_t i = first; i < last && i < all->world->touch_state.n; ++i) {
            judge_touch(all->world, &all->touches[i], i, &all->of[g]);
        }
    }
}

void scri_overlap_judge(const scree_world* world, const scri_touch* touches,
                        scree_step_report* report)
{
    enum { LEAST_GROUP = 64, MOST_GROUPS = 256 };
    worst_overlap of[MOST_GROUPS];
    int32_t n = world->touch_state.n, group = (n + MOST_GROUPS - 1) / MOST_GROUPS;
    judgement all = {world, touches, group > LEAST_GROUP ? group : LEAST_GROUP, of};
    int32_t n_groups = (n + all.group - 1) / all.group;
    scri_team_for(world->team, n_groups, 1, judge_groups, &all);
    for (int32_t g = 0; g < n_groups; ++g) {
        if (!(of[g].share > report->overlap_share)) continue;
        report->overlap_share = of[g].share;
        for (int side = 0; side < 2; ++side) {
            report->overlap_body[side] = scri_touch_body(world, &touches[of[g].touch], side);
        }
    }
}
