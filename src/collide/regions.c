#include "collide/regions.h"

typedef struct round_work {
    scri_regions* regions;
    const scri_region_work* work;
} round_work;

static void fill_regions(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const round_work* round = context;
    (void)worker;
    for (int32_t k = begin; k < end; ++k) {
        scri_region* region = &round->regions->region[k];
        region->n = round->work->fill(round->work->context, k, region->begin, region->room);
    }
}

/* New regions have no room yet. */
static int make(const scree_env* env, scri_regions* r, int32_t count)
{
    size_t kept = (size_t)r->most;
    if (!scri_buffer_reserve(env, &r->memory, (size_t)count, sizeof *r->region, kept)) return 0;
    r->region = r->memory.data;
    for (; r->most < count; ++r->most) r->region[r->most] = (scri_region){0, 0, 0, 0};
    r->count = count;
    return 1;
}

static void lay_out(scri_regions* r)
{
    r->total = 0;
    for (int32_t k = 0; k < r->count; ++k) {
        r->region[k].begin = r->total;
        r->total += r->region[k].room;
    }
}

/* Whether all have found room; those that have not get more. */
static int fits(scri_regions* r)
{
    int fit = 1;
    for (int32_t k = 0; k < r->count; ++k) {
        scri_region* region = &r->region[k];
        if (region->n <= region->room) continue;
        region->room = region->n + region->n / 4;
        fit = 0;
    }
    return fit;
}

scree_status scri_regions_run(const scree_env* env, scri_team* team, scri_regions* r, int32_t count,
                              const scri_region_work* work)
{
    round_work round = {r, work};
    if (!make(env, r, count)) return SCREE_ERROR_MEMORY;
    for (int32_t k = 0; k < count; ++k) {
        size_t expected = work->expect(work->context, k);
        if (expected > r->region[k].room) r->region[k].room = expected;
    }
    do {
        lay_out(r);
        if (!work->reserve(work->context, r->total)) return SCREE_ERROR_MEMORY;
        scri_team_for(team, count, 1, fill_regions, &round);
    } while (!fits(r));
    r->n_found = 0;
    for (int32_t k = 0; k < count; ++k) {
        r->region[k].place = r->n_found;
        r->n_found += r->region[k].n;
    }
    return SCREE_OK;
}
