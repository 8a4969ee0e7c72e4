#include "step/step.h"

typedef struct each {
    scree_world* world;
    void (*work)(scree_world* world, int32_t i);
} each;

static void do_range(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const each* all = context;
    (void)worker;
    for (int32_t i = begin; i < end; ++i) all->work(all->world, i);
}

void scri_step_each(scree_world* world, int32_t n, int32_t grain,
                    void (*work)(scree_world* world, int32_t i))
{
    scri_team_for(world->team, n, grain, do_range, &(each){world, work});
}
