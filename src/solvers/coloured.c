#include "solvers/coloured.h"

#include "base/team.h"

#include <math.h>

/* What changes by less than this share of the tolerance, judged by itself, waits for the next sweep
 * over everything. Measured in gravel: 0.1 to 0.5 cost the same within 15 %. */
#define SMALL_SHARE 0.25

scri_chunks scri_chunks_create(size_t units, scri_bump* bump)
{
    size_t n = units / SCRI_CHUNK + SCRI_COLOURS + 1;
    scri_chunks chunks = {.size = scri_bump_take(bump, n, sizeof *chunks.size)};
    chunks.count = scri_bump_take(bump, n, sizeof *chunks.count);
    chunks.live = scri_bump_take(bump, n, sizeof *chunks.live);
    chunks.piece = scri_bump_take(bump, n + 1, sizeof *chunks.piece);
    return chunks;
}

/* Some chunks of one colour. */
typedef struct colour_chunks {
    const scri_coloured* sweep;
    int32_t begin, end;   /* units */
    int32_t chunk, n;     /* number of the first one, and how many there are */
    const int32_t* live;  /* numbers of those that are meant, counted from the first */
    const int32_t* piece; /* where in `live` pieces of about the same work begin */
} colour_chunks;

static scri_sweep_size sweep_chunk(const colour_chunks* colour, int32_t k)
{
    int32_t first = colour->begin + k * SCRI_CHUNK;
    int32_t last = first + SCRI_CHUNK < colour->end ? first + SCRI_CHUNK : colour->end;
    scri_sweep_size size;
    colour->sweep->work(colour->sweep, first, last, &size);
    colour->sweep->chunks.count[colour->chunk + k] = (scri_chunk_count){
        (int32_t)size.updates, (int32_t)size.fail_safe, (int32_t)(size.updates + size.dear)};
    return size;
}

static void sweep_chunks(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const colour_chunks* colour = context;
    (void)worker;
    for (int32_t k = begin; k < end; ++k) {
        colour->sweep->chunks.size[colour->chunk + k] = sweep_chunk(colour, k);
    }
}

static void sweep_pieces(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const colour_chunks* colour = context;
    (void)worker;
    for (int32_t k = colour->piece[begin]; k < colour->piece[end]; ++k) {
        sweep_chunk(colour, colour->live[k]);
    }
}

static colour_chunks chunks_of(const scri_coloured* sweep, int32_t colour, int32_t chunk)
{
    const int32_t* start = sweep->start;
    colour_chunks one = {.sweep = sweep, .begin = start[colour], .end = start[colour + 1]};
    one.chunk = chunk;
    one.n = (one.end - one.begin + SCRI_CHUNK - 1) / SCRI_CHUNK;
    return one;
}

/* The next colour that may have units: they are used from the first on, but for the last group. */
static int32_t next_colour(const scri_coloured* sweep, int32_t colour)
{
    const int32_t* start = sweep->start;
    int is_last = colour < SCRI_COLOURS && start[colour + 1] == start[SCRI_COLOURS];
    return is_last ? SCRI_COLOURS : colour + 1;
}

/* Units of a colour are shared; those of the last group have bodies in common, and are not. */
static scri_team* team_of(const scri_coloured* sweep, int32_t colour)
{
    return colour < SCRI_COLOURS ? sweep->run->team : NULL;
}

/* Sums over the chunks, of which there are n. */
static scri_sweep_size add_up(const scri_coloured* sweep, int32_t n)
{
    scri_sweep_size sum = {.change = 0.0};
    for (int32_t i = 0; i < n; ++i) {
        const scri_sweep_size* size = &sweep->chunks.size[i];
        sum.change += size->change;
        sum.impulse += size->impulse;
        if (size->most > sum.most) sum.most = size->most;
        sum.fail_safe += size->fail_safe;
        sum.updates += size->updates;
    }
    return sum;
}

/* What has been done alone: nobody asks how much sweeps over a part have changed. */
static scri_sweep_size count_up(const scri_coloured* sweep, int32_t n)
{
    scri_sweep_size sum = {.change = 0.0};
    for (int32_t i = 0; i < n; ++i) {
        sum.fail_safe += sweep->chunks.count[i].fail_safe;
        sum.updates += sweep->chunks.count[i].updates;
    }
    return sum;
}

static scri_sweep_size sweep_everything(const scri_coloured* sweep)
{
    int32_t grain = sweep->worth / (SCRI_CHUNK * sweep->lanes), chunk = 0;
    for (int32_t colour = 0; colour <= SCRI_COLOURS; colour = next_colour(sweep, colour)) {
        colour_chunks one = chunks_of(sweep, colour, chunk);
        scri_team_for(team_of(sweep, colour), one.n, grain, sweep_chunks, &one);
        chunk += one.n;
    }
    return add_up(sweep, chunk);
}

/* Lists the chunks in which the last sweep had something to do, by pieces that are worth handing to
 * another worker; returns how many pieces. What was passed over stays so until the next sweep over
 * everything. */
static int32_t list_live(const scri_coloured* sweep, const colour_chunks* one)
{
    const scri_chunk_count* count = sweep->chunks.count + one->chunk;
    int32_t *live = sweep->chunks.live, *piece = sweep->chunks.piece, n = 0, pieces = 0;
    int64_t work = 0;
    piece[0] = 0;
    for (int32_t k = 0; k < one->n; ++k) {
        if (count[k].updates == 0) continue;
        live[n++] = k;
        work += count[k].cost;
        if (work < sweep->worth) continue;
        piece[++pieces] = n;
        work = 0;
    }
    if (work > 0) piece[++pieces] = n;
    return pieces;
}

static scri_sweep_size sweep_live(const scri_coloured* sweep)
{
    int32_t chunk = 0;
    for (int32_t colour = 0; colour <= SCRI_COLOURS; colour = next_colour(sweep, colour)) {
        colour_chunks one = chunks_of(sweep, colour, chunk);
        one.live = sweep->chunks.live;
        one.piece = sweep->chunks.piece;
        scri_team_for(team_of(sweep, colour), list_live(sweep, &one), 1, sweep_pieces, &one);
        chunk += one.n;
    }
    return count_up(sweep, chunk);
}

scri_sweep_size scri_coloured_sweep_all(scri_coloured* sweep, int32_t n)
{
    double tol = sweep->run->def->tol, small = SMALL_SHARE * tol;
    sweep->least = 0.0;
    sweep->only_counts = 0;
    scri_sweep_size size = sweep_everything(sweep);
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
    sweep->only_counts = 1;
    for (int i = 0; i < parts; ++i) {
        scri_sweep_size part = sweep_live(sweep);
        if (part.updates == 0) break;
        size.fail_safe += part.fail_safe;
        size.updates += part.updates;
    }
    return size;
}
