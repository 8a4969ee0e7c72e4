#include "solvers/coloured.h"

#include "base/team.h"

#include <math.h>

/* What changes by less than this share of the tolerance, judged by itself, waits for the next sweep
 * over everything. Measured in gravel: 0.1 to 0.5 cost the same within 15 %. */
#define SMALL_SHARE 0.25

size_t scri_coloured_chunks(size_t units)
{
    return units / SCRI_CHUNK + SCRI_COLOURS + 1;
}

/* The chunks of one colour. */
typedef struct colour_chunks {
    const scri_coloured* sweep;
    int32_t begin, end; /* units */
    int32_t chunk;      /* number of the first one */
} colour_chunks;

static void sweep_chunks(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const colour_chunks* colour = context;
    (void)worker;
    for (int32_t k = begin; k < end; ++k) {
        int32_t first = colour->begin + k * SCRI_CHUNK;
        int32_t last = first + SCRI_CHUNK < colour->end ? first + SCRI_CHUNK : colour->end;
        colour->sweep->work(colour->sweep, first, last, &colour->sweep->sizes[colour->chunk + k]);
    }
}

/* Chunks of a colour are shared; the last group, whose units share bodies, is not. */
static void sweep_colours(const scri_coloured* sweep)
{
    const int32_t* start = sweep->start;
    for (int32_t colour = 0, chunk = 0; colour <= SCRI_COLOURS; ++colour) {
        colour_chunks one = {sweep, start[colour], start[colour + 1], chunk};
        int32_t n = (one.end - one.begin + SCRI_CHUNK - 1) / SCRI_CHUNK;
        scri_team* team = colour < SCRI_COLOURS ? sweep->run->team : NULL;
        scri_team_for(team, n, sweep->grain, sweep_chunks, &one);
        chunk += n;
    }
}

static int32_t count_chunks(const int32_t* start)
{
    int32_t n = 0;
    for (int colour = 0; colour <= SCRI_COLOURS; ++colour) {
        n += (start[colour + 1] - start[colour] + SCRI_CHUNK - 1) / SCRI_CHUNK;
    }
    return n;
}

static scri_sweep_size sweep_once(scri_coloured* sweep)
{
    sweep_colours(sweep);
    scri_sweep_size sum = {.change = 0.0};
    int32_t n = count_chunks(sweep->start);
    for (int32_t i = 0; i < n; ++i) {
        sum.change += sweep->sizes[i].change;
        sum.impulse += sweep->sizes[i].impulse;
        sum.most = fmax(sum.most, sweep->sizes[i].most);
        sum.fail_safe += sweep->sizes[i].fail_safe;
        sum.updates += sweep->sizes[i].updates;
    }
    return sum;
}

scri_sweep_size scri_coloured_sweep_all(scri_coloured* sweep, int32_t n)
{
    double tol = sweep->run->def->tol, small = SMALL_SHARE * tol;
    sweep->least = 0.0;
    scri_sweep_size size = sweep_once(sweep);
    sweep->least = scri_run_is_local(sweep->run) ? small * small : tol * tol * size.impulse / n;
    return size;
}

/* Whether a sweep over everything has left enough to do for others over a part. */
static int is_worth_more(const scri_coloured* sweep, const scri_sweep_size* size, int32_t n)
{
    double tol = sweep->run->def->tol;
    return scri_run_is_local(sweep->run) ? size->most > tol * tol : size->change > sweep->least * n;
}

scri_sweep_size scri_coloured_sweep(scri_coloured* sweep, int32_t n)
{
    scri_sweep_size size = scri_coloured_sweep_all(sweep, n);
    int parts = is_worth_more(sweep, &size, n) ? sweep->partial : 0;
    for (int i = 0; i < parts; ++i) {
        scri_sweep_size part = sweep_once(sweep);
        size.fail_safe += part.fail_safe;
        size.updates += part.updates;
    }
    return size;
}
