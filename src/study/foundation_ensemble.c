/* Many cylinders under random forces.
 *
 * Each cylinder's random numbers are a function of seed, cylinder and step, its sums are its own
 * and are added in the order of the cylinders; what workers add up for themselves are counts. So
 * results do not depend on the number of workers. Cylinders are advanced side by side in blocks:
 * a step is a chain of dependent operations, and those of a block overlap.
 */
#include "base/arena.h"
#include "base/env.h"
#include "base/fill.h"
#include "base/random.h"
#include "base/team.h"
#include "study/foundation.h"
#include "study/foundation_kernel.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum {
    BLOCK = 16,  /* cylinders side by side */
    WORDS = 4,   /* random words, and so steps, of one counter */
    LISTED = 32, /* jumps of a cylinder that are kept */
    MOST_WORKERS = 1024,
    ROUND_STEPS = 4000000 /* of all cylinders between two calls of the progress function */
};

void scree_ensemble_def_init(scree_ensemble_def* def)
{
    if (!def) return;
    scree_ensemble_def usual = {.struct_size = sizeof usual, .workers = 1};
#define SCREE_X(type, name, value, meaning) usual.name = value;
    SCREE_ENSEMBLE_FIELDS(SCREE_X)
#undef SCREE_X
    scri_fill(def, def->struct_size, &usual, sizeof usual);
}

/* ---- normal numbers ---- */

/* The z with the probability p of anything above it, p up to 1/2, by Newton's method on log Q(z);
 * that function is concave and falls, so that all iterates but the first lie above the root. */
static double tail_quantile(double p)
{
    enum { MOST = 40 };
    double z = 0.0;
    for (int i = 0; i < MOST; ++i) {
        double q = 0.5 * erfc(z / sqrt(2.0));
        double density = exp(-0.5 * z * z) / sqrt(2.0 * SCREE_PI);
        double step = log(q / p) * q / density;
        z += step;
        if (fabs(step) <= 1e-15 * z) break;
    }
    return z;
}

/* dz/dp = -1 / density. */
static double tail_slope(double z)
{
    return -sqrt(2.0 * SCREE_PI) * exp(0.5 * z * z);
}

void scri_normal_prepare(scri_normal* normal)
{
    double p = 0x1p-33, z = tail_quantile(p);
    for (int octave = 0; octave < SCRI_NORMAL_OCTAVES; ++octave) {
        double width = ldexp(1.0, octave - 33) / SCRI_NORMAL_PARTS;
        for (int i = 0; i < SCRI_NORMAL_PARTS; ++i) {
            double* c = normal->part[octave * SCRI_NORMAL_PARTS + i];
            double next = p + width, end = tail_quantile(next);
            double d0 = tail_slope(z) * width, d1 = tail_slope(end) * width;
            c[0] = z;
            c[1] = d0;
            c[2] = 3.0 * (end - z) - 2.0 * d0 - d1;
            c[3] = 2.0 * (z - end) + d0 + d1;
            p = next;
            z = end;
        }
    }
}

/* ---- the state ---- */

/* A cylinder between its steps. */
typedef struct cylinder {
    double x;         /* place in the grid, cells */
    double goal, way; /* it jumps when (x - goal) * way is above 0; way is 1, -1, or 0 for never */
    double sum, square; /* of the samples, counted from the mean of the density */
    int64_t stays[2];   /* that ended, of those near the lowest and near the highest stable speed */
    int64_t dwelled[2]; /* steps in them */
    int64_t since;      /* step with which this one began, or the statistics if that is later */
    int64_t n_jumps;
    int64_t jumps[LISTED]; /* steps of the first ones */
} cylinder;

typedef struct ensemble {
    const scree_ensemble_def* def;
    const scree_foundation_density* density;
    scri_walk walk;
    double step; /* s */
    scri_normal* normal;
    cylinder* cylinders; /* [def->cylinders] */
    int64_t* counts;     /* [workers * n] samples in each cell */
    double low, high;    /* places of the lowest and the highest stable speed */
    double mean;         /* place of the density's mean */
    double* trace;
    int64_t from, to; /* steps of this round */
    scri_team* team;
} ensemble;

/* ---- steps ---- */

/* Time up to `step` counts for the stay that the cylinder is in. */
static void stay(const ensemble* e, cylinder* c, int64_t step)
{
    if (step <= e->def->discard) return;
    c->dwelled[c->way < 0.0] += step - c->since;
    c->since = step;
}

/* The cylinder has reached the other stable speed with step `step`. */
static void jump(const ensemble* e, cylinder* c, int64_t step)
{
    int high = c->way < 0.0; /* the stay that ends */
    stay(e, c, step);
    if (step > e->def->discard) ++c->stays[high];
    if (c->n_jumps < LISTED) c->jumps[c->n_jumps] = step;
    ++c->n_jumps;
    c->way = -c->way;
    c->goal = high ? e->high : e->low;
}

/* Cylinders side by side, with what every step needs close together. */
typedef struct block {
    cylinder* cylinders; /* [n] */
    int n;
    double x[BLOCK], goal[BLOCK], way[BLOCK];
} block;

static void sample(const ensemble* e, block* b, int64_t* counts)
{
    int32_t last = (int32_t)e->walk.n - 1;
    for (int j = 0; j < b->n; ++j) {
        double off = b->x[j] - e->mean;
        int32_t cell = (int32_t)b->x[j];
        b->cylinders[j].sum += off;
        b->cylinders[j].square += off * off;
        ++counts[cell < last ? cell : last];
    }
}

static void draw(const ensemble* e, int32_t first, int n_cylinders, int64_t step,
                 double z[WORDS][BLOCK])
{
    for (int j = 0; j < n_cylinders; ++j) {
        uint32_t bits[WORDS];
        scri_random random = {.key = e->def->seed,
                              .stream = (uint64_t)(first + j),
                              .counter = (uint64_t)step / WORDS};
        scri_random_block(&random, bits);
        for (int i = 0; i < WORDS; ++i) z[i][j] = scri_normal_from(e->normal, bits[i]);
    }
}

/* One step of a block: the hot loop. */
static void step_block(const ensemble* e, block* b, const double z[BLOCK], int64_t step)
{
    scri_walk walk = e->walk;
    for (int j = 0; j < b->n; ++j) {
        b->x[j] = scri_walk_step(&walk, b->x[j], z[j]);
        if ((b->x[j] - b->goal[j]) * b->way[j] > 0.0) {
            jump(e, &b->cylinders[j], step);
            b->goal[j] = b->cylinders[j].goal;
            b->way[j] = b->cylinders[j].way;
        }
    }
}

/* One round of a block. It begins with the first step of a counter. */
static void advance(const ensemble* e, int32_t first, int n_cylinders, int64_t* counts)
{
    const scree_ensemble_def* def = e->def;
    block b = {.cylinders = e->cylinders + first, .n = n_cylinders};
    for (int j = 0; j < b.n; ++j) {
        b.x[j] = b.cylinders[j].x;
        b.goal[j] = b.cylinders[j].goal;
        b.way[j] = b.cylinders[j].way;
    }
    double z[WORDS][BLOCK] = {{0.0}};
    int64_t step = e->from;
    while (step < e->to) {
        draw(e, first, b.n, step, z);
        for (int i = 0; i < WORDS && step < e->to; ++i) {
            step_block(e, &b, z[i], ++step);
            if (step % def->sample) continue;
            if (first == 0) e->trace[step / def->sample - 1] = b.x[0];
            if (step > def->discard) sample(e, &b, counts);
        }
    }
    for (int j = 0; j < b.n; ++j) b.cylinders[j].x = b.x[j];
}

static void work(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const ensemble* e = context;
    int64_t* counts = e->counts + (size_t)worker * (size_t)e->density->n;
    for (int32_t first = begin; first < end; first += BLOCK) {
        advance(e, first, end - first < BLOCK ? end - first : BLOCK, counts);
    }
}

/* Rounds of steps until all are made or the progress function stops them. */
static int64_t run_all(ensemble* e)
{
    const scree_ensemble_def* def = e->def;
    int64_t round = ROUND_STEPS / def->cylinders / WORDS * WORDS;
    if (round < WORDS) round = WORDS;
    for (int64_t step = 0; step < def->steps; step = e->to) {
        e->from = step;
        e->to = def->steps - step > round ? step + round : def->steps;
        scri_team_for(e->team, def->cylinders, BLOCK, work, e);
        if (def->progress && def->progress(def->progress_user, e->to)) break;
    }
    return e->to;
}

/* ---- before ---- */

/* The shortest time in which a small deviation fades, s. */
static double fastest_relaxation(const scree_foundation_density* d)
{
    double steepest = 0.0;
    for (int32_t i = 0; i <= d->n; ++i) steepest = fmax(steepest, fabs(d->force_by_speed[i]));
    return d->def.mass * (1.0 + d->def.inertia) / steepest;
}

static scree_status check(const scree_env* env, const scree_foundation_density* d,
                          const scree_ensemble_def* def)
{
    scree_status status =
        scri_check_size(env, def->struct_size, sizeof *def, "scree_default_ensemble_def");
    if (status) return status;
    if (def->cylinders < 1 || def->steps < 1 || def->sample < 1 || def->workers < 1 ||
        def->workers > MOST_WORKERS || def->discard < 0) {
        return scri_fail(env, SCREE_ERROR_INPUT,
                         "ensemble: cylinders, steps, sample and workers (at most %d) must be 1 or "
                         "more, discard not negative",
                         MOST_WORKERS);
    }
    if (def->discard >= def->steps) {
        return scri_fail(env, SCREE_ERROR_INPUT,
                         "ensemble: discard = %" PRId64 " must be below steps = %" PRId64
                         ", or nothing is left",
                         def->discard, def->steps);
    }
    double most = 0.5 * fastest_relaxation(d);
    if (!(def->step >= 0.0 && def->step <= most)) {
        return scri_fail(env, SCREE_ERROR_INPUT,
                         "ensemble: a step of %g s must not be negative and at most %g s, half of "
                         "the fastest relaxation",
                         def->step, most);
    }
    double end = d->begin + d->width * d->n;
    if (def->start < 0.0 || (def->start >= d->begin && def->start <= end)) return SCREE_OK;
    return scri_fail(env, SCREE_ERROR_INPUT,
                     "ensemble: start = %g m/s must lie from %g to %g, where speeds have a density",
                     def->start, d->begin, end);
}

static double place(const scree_foundation_density* d, double speed)
{
    return (speed - d->begin) / d->width;
}

/* Drift in cells per step, cubic in every cell. */
static void tabulate(const ensemble* e, double (*cell)[4])
{
    const scree_foundation_density* d = e->density;
    double inertia = d->def.mass * (1.0 + d->def.inertia);
    double scale = e->step / (inertia * d->width);
    for (int32_t i = 0; i < d->n; ++i) {
        double f0 = d->force[i], f1 = d->force[i + 1];
        double d0 = d->force_by_speed[i] * d->width, d1 = d->force_by_speed[i + 1] * d->width;
        cell[i][0] = scale * f0;
        cell[i][1] = scale * d0;
        cell[i][2] = scale * (3.0 * (f1 - f0) - 2.0 * d0 - d1);
        cell[i][3] = scale * (2.0 * (f0 - f1) + d0 + d1);
    }
    cell[d->n][0] = scale * d->force[d->n];
    cell[d->n][1] = cell[d->n][2] = cell[d->n][3] = 0.0;
}

/* Stable speeds are the first, the third, ...: cylinders take turns at them. */
static void place_cylinders(ensemble* e)
{
    const scree_foundation_density* d = e->density;
    int32_t n_stable = (d->n_rest + 1) / 2;
    int bistable = d->n_rest == 3;
    e->low = place(d, d->rest[0].speed);
    e->high = place(d, d->rest[d->n_rest - 1].speed);
    e->mean = place(d, d->mean);
    for (int32_t i = 0; i < e->def->cylinders; ++i) {
        cylinder* c = &e->cylinders[i];
        int32_t turn = 2 * (i % n_stable);
        double speed = e->def->start >= 0.0 ? e->def->start : d->rest[turn].speed;
        int high = bistable && speed > d->rest[1].speed;
        *c = (cylinder){.x = place(d, speed), .since = e->def->discard};
        c->way = bistable ? (high ? -1.0 : 1.0) : 0.0;
        c->goal = high ? e->low : e->high;
    }
}

static scree_status prepare(scri_arena* arena, ensemble* e, scree_ensemble* out)
{
    const scree_foundation_density* d = e->density;
    size_t n = (size_t)d->n, workers = (size_t)e->def->workers;
    size_t n_trace = (size_t)(e->def->steps / e->def->sample);
    double(*cell)[4] = scri_arena_take(arena, n + 1, sizeof *cell);
    e->normal = scri_arena_take(arena, 1, sizeof *e->normal);
    e->cylinders = scri_arena_take(arena, (size_t)e->def->cylinders, sizeof *e->cylinders);
    e->counts = scri_arena_take(arena, workers * n, sizeof *e->counts);
    out->histogram = scri_alloc(&out->env, n * sizeof *out->histogram);
    out->trace = scri_alloc(&out->env, (n_trace + 1) * sizeof *out->trace);
    out->speeds = scri_alloc(&out->env, (size_t)e->def->cylinders * sizeof *out->speeds);
    if (!cell || !e->normal || !e->cylinders || !e->counts || !out->histogram || !out->trace ||
        !out->speeds) {
        return SCREE_ERROR_MEMORY;
    }
    double inertia = d->def.mass * (1.0 + d->def.inertia);
    e->trace = out->trace;
    e->walk = (scri_walk){.n = d->n,
                          .cell = (const double(*)[4])cell,
                          .kick = sqrt(d->def.noise * e->step) / (inertia * d->width)};
    tabulate(e, cell);
    scri_normal_prepare(e->normal);
    place_cylinders(e);
    return scri_team_create(&out->env, e->def->workers, &e->team);
}

/* ---- after ---- */

static void merge_counts(const ensemble* e, scree_ensemble* out)
{
    size_t n = (size_t)e->density->n, workers = (size_t)e->def->workers;
    memset(out->histogram, 0, n * sizeof *out->histogram);
    for (size_t i = 0; i < workers * n; ++i) {
        out->histogram[i % n] += e->counts[i];
        out->n_samples += e->counts[i];
    }
}

/* The largest difference between the shares of samples and of probability below a node. */
static double find_distance(const ensemble* e, const scree_ensemble* out)
{
    double worst = 0.0;
    int64_t below = 0;
    for (int32_t i = 0; i < e->density->n; ++i) {
        below += out->histogram[i];
        double share = (double)below / (double)out->n_samples;
        worst = fmax(worst, fabs(share - e->density->cumulative[i + 1]));
    }
    return worst;
}

static void find_moments(const ensemble* e, scree_ensemble* out)
{
    double n = e->def->cylinders, each = (double)out->n_samples / n, sum = 0.0, square = 0.0;
    double spread = 0.0, width = e->density->width;
    for (int32_t i = 0; i < e->def->cylinders; ++i) {
        sum += e->cylinders[i].sum / each;
        square += e->cylinders[i].square / each;
    }
    double off = sum / n;
    for (int32_t i = 0; i < e->def->cylinders; ++i) {
        double d = e->cylinders[i].sum / each - off;
        spread += d * d;
    }
    out->mean = e->density->mean + width * off;
    out->variance = width * width * (square / n - off * off);
    out->mean_error = n > 1.0 ? width * sqrt(spread / (n * (n - 1.0))) : SCREE_NAN;
}

/* Stays end like the decay of atoms: the most likely mean, given that some have not ended yet, is
 * all time over all ends, with a relative error of 1 / sqrt(ends). */
static void find_stays(const ensemble* e, int k, scree_dwell* out)
{
    int64_t steps = 0;
    for (int32_t i = 0; i < e->def->cylinders; ++i) {
        out->n += e->cylinders[i].stays[k];
        steps += e->cylinders[i].dwelled[k];
    }
    out->mean = out->n > 0 ? e->step * (double)steps / (double)out->n : SCREE_NAN;
    out->error = out->mean / sqrt((double)out->n);
}

/* Jumps alternate; the last one led to where the cylinder is now. */
static scree_status list_jumps(const ensemble* e, scree_ensemble* out)
{
    for (int32_t i = 0; i < e->def->cylinders; ++i) {
        int64_t n = e->cylinders[i].n_jumps;
        out->n_jumps += n;
        out->n_listed += n < LISTED ? n : LISTED;
    }
    out->jumps = scri_alloc(&out->env, (size_t)(out->n_listed + 1) * sizeof *out->jumps);
    if (!out->jumps) return SCREE_ERROR_MEMORY;
    scree_jump* next = out->jumps;
    for (int32_t i = 0; i < e->def->cylinders; ++i) {
        const cylinder* c = &e->cylinders[i];
        int last_up = c->way < 0.0;
        for (int64_t k = 0; k < c->n_jumps && k < LISTED; ++k) {
            *next++ = (scree_jump){.cylinder = i,
                                   .up = (c->n_jumps - 1 - k) % 2 ? !last_up : last_up,
                                   .time = e->step * (double)c->jumps[k]};
        }
    }
    return SCREE_OK;
}

static scree_status conclude(ensemble* e, scree_ensemble* out)
{
    const scree_foundation_density* d = e->density;
    merge_counts(e, out);
    out->mean = out->variance = out->mean_error = out->distance = SCREE_NAN;
    if (out->n_samples > 0) {
        find_moments(e, out);
        out->distance = find_distance(e, out);
    }
    for (int32_t i = 0; i < e->def->cylinders; ++i) stay(e, &e->cylinders[i], out->steps);
    for (int k = 0; k < 2; ++k) find_stays(e, k, &out->dwell[k]);
    out->n_trace = out->steps / e->def->sample;
    for (int64_t i = 0; i < out->n_trace; ++i) out->trace[i] = d->begin + d->width * out->trace[i];
    for (int32_t i = 0; i < e->def->cylinders; ++i) {
        out->speeds[i] = d->begin + d->width * e->cylinders[i].x;
    }
    return list_jumps(e, out);
}

void scree_ensemble_release(scree_ensemble* e)
{
    if (!e) return;
    scree_env env = e->env;
    scri_release(&env, e->histogram);
    scri_release(&env, e->trace);
    scri_release(&env, e->speeds);
    scri_release(&env, e->jumps);
    *e = (scree_ensemble){.env = env};
}

scree_status scree_ensemble_run(const scree_foundation_density* density,
                                const scree_ensemble_def* def, scree_ensemble* out)
{
    if (!density || !def || !out) return SCREE_ERROR_ARGUMENT;
    *out = (scree_ensemble){.env = density->env};
    scree_status status = check(&out->env, density, def);
    if (status) return status;
    ensemble e = {.def = def, .density = density};
    e.step = out->step = def->step > 0.0 ? def->step : 0.25 * fastest_relaxation(density);
    scri_arena* arena = scri_arena_create(&out->env);
    status = arena ? prepare(arena, &e, out) : SCREE_ERROR_MEMORY;
    if (!status) {
        out->steps = run_all(&e);
        status = conclude(&e, out);
    }
    if (status) scree_ensemble_release(out);
    scri_team_destroy(e.team);
    scri_arena_destroy(arena);
    return status;
}
