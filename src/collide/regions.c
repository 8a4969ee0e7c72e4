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

static void fill_short_regions(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const round_work* round = context;
    for (int32_t k = begin; k < end; ++k) {
        if (round->regions->region[k].is_short) fill_regions(context, k, k + 1, worker);
    }
}

/* New regions have no room yet. */
static int make(const scree_env* env, scri_regions* r, int32_t count)
{
    size_t kept = (size_t)r->most;
    if (!scri_buffer_reserve(env, &r->memory, (size_t)count, sizeof *r->region, kept)) return 0;
    r->region = r->memory.data;
    for (; r->most < count; ++r->most) r->region[r->most] = (scri_region){.room = 0};
    r->count = count;
    return 1;
}

static void lay_out(scri_regions* r, const scri_region_work* work)
{
    r->total = 0;
    for (int32_t k = 0; k < r->count; ++k) {
        scri_region* region = &r->region[k];
        size_t expected = work->expect(work->context, k);
        if (expected > region->room) region->room = expected;
        region->begin = r->total;
        r->total += region->room;
    }
}

/* Pieces that have not found room get more, behind all others, or in place of the only one; returns
 * whether there are any. */
static int extend(scri_regions* r, const scri_region_work* work)
{
    int any = 0;
    if (r->count == 1 && r->region[0].n > r->region[0].room) r->total = 0;
    for (int32_t k = 0; k < r->count; ++k) {
        scri_region* region = &r->region[k];
        region->is_short = region->n > region->room;
        if (!region->is_short) continue;
        if (work->leave) work->leave(work->context, region->begin, region->room);
        region->begin = r->total;
        region->room = region->n + region->n / 4;
        r->total += region->room;
        any = 1;
    }
    return any;
}

static void count_found(scri_regions* r)
{
    r->n_found = 0;
    for (int32_t k = 0; k < r->count; ++k) {
        r->region[k].place = r->n_found;
        r->n_found += r->region[k].n;
    }
}

scree_status scri_regions_run(const scree_env* env, scri_team* team, scri_regions* r, int32_t count,
                              const scri_region_work* work)
{
    round_work round = {r, work};
    if (!make(env, r, count)) return SCREE_ERROR_MEMORY;
    lay_out(r, work);
    if (!work->reserve(work->context, r->total, 0)) return SCREE_ERROR_MEMORY;
    scri_team_for(team, count, 1, fill_regions, &round);
    for (size_t kept = r->total; extend(r, work); kept = r->total) {
        if (!work->reserve(work->context, r->total, kept)) return SCREE_ERROR_MEMORY;
        scri_team_for(team, count, 1, fill_short_regions, &round);
    }
    count_found(r);
    return SCREE_OK;
}
