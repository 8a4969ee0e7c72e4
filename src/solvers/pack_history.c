#include "solvers/pack_history.h"

#include <math.h>
#include <string.h>

enum { WINDOW = SCRI_ANDERSON_WINDOW, ROWS = SCRI_PACK_ROWS };

/* Packs whose sums are taken in single precision and belong together. Groups are added up in their
 * order, whoever worked on which. */
enum { GROUP = 16, GROUPS_GRAIN = 2, BODIES_GRAIN = 256 };

/* Products in single precision are good to about 1e-6 of the larger factor. */
#define LEAST_PIVOT 1e-5

/* The most of a step's way that the next one takes again: with more, heaps are left with motions
 * that grow under the exact law. */
#define MOST_MOMENTUM 0.8

scri_pack_history scri_pack_history_create(const scri_run* run, scri_nsgs_wide* of, scri_bump* bump)
{
    size_t packs = scri_nsgs_wide_most_packs(run->problem, &run->facts);
    scri_pack_history h = {.of = of, .team = run->team, .n_bodies = run->problem->bodies.n_bodies};
    h.pack = scri_bump_take_lines(bump, packs * sizeof *h.pack);
    h.body = scri_bump_take_lines(bump, (size_t)h.n_bodies * sizeof *h.body);
    h.sums = scri_bump_take(bump, packs / GROUP + 1, sizeof *h.sums);
    return h;
}

void scri_pack_history_begin(scri_pack_history* h)
{
    scri_anderson_forget(&h->products);
    h->steps = h->since = 0;
}

/* ---- packs, group by group ------------------------------------------------------------------- */

/* Something done with packs first .. last - 1, and the sums over them. */
typedef void each_group(scri_pack_history* h, int32_t first, int32_t last, scri_pack_sums* sums);

typedef struct pack_pass {
    scri_pack_history* h;
    each_group* work;
} pack_pass;

static void do_groups(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const pack_pass* pass = context;
    scri_pack_history* h = pass->h;
    int32_t packs = scri_nsgs_wide_packs(h->of);
    (void)worker;
    for (int32_t g = begin; g < end; ++g) {
        int32_t first = g * GROUP, last = first + GROUP;
        pass->work(h, first, last < packs ? last : packs, &h->sums[g]);
    }
}

static int32_t do_packs(scri_pack_history* h, each_group* work)
{
    pack_pass pass = {h, work};
    int32_t groups = (scri_nsgs_wide_packs(h->of) + GROUP - 1) / GROUP;
    scri_team_for(h->team, groups, GROUPS_GRAIN, do_groups, &pass);
    return groups;
}

static double add_lanes(scri_wide x)
{
    return (double)x[0] + (double)x[1] + (double)x[2] + (double)x[3];
}

SCREE_FN scri_wide impulses_of(const scri_pack_history* h, int32_t pack, int row)
{
    return scri_wide_load(scri_pack_vector(h->of->blocks, pack, SCRI_ROUND_P + row));
}

SCREE_FN void set_impulses(const scri_pack_history* h, int32_t pack, int row, scri_wide to)
{
    scri_wide_store(to, scri_pack_vector(h->of->blocks, pack, SCRI_ROUND_P + row));
}

/* The diagonal of W of all rows, which the products are weighted by. */
SCREE_FN void weights_of(const scri_pack_history* h, int32_t pack, scri_wide* w)
{
    static const uint8_t first[] = {0, 1, 3, ROWS}; /* of N, of T, of R and S */
    scri_wide zero = scri_wide_all(0.0f), one = scri_wide_all(1.0f);
    for (int k = 0; k < 3; ++k) {
        scri_wide inv_w =
            scri_wide_load(scri_pack_vector(h->of->blocks, pack, SCRI_PACK_INV_W + k));
        scri_wide_mask moves = inv_w > zero;
        scri_wide of = one / scri_wide_select(moves, inv_w, one);
        for (int r = first[k]; r < first[k + 1]; ++r) w[r] = scri_wide_select(moves, of, zero);
    }
}

/* Rows that carry impulses. */
static int rows_of(const scri_pack_history* h)
{
    return h->of->kind & SCRI_ROUND_ROLLS ? ROWS : 3;
}

static void start_group(scri_pack_history* h, int32_t first, int32_t last, scri_pack_sums* sums)
{
    (void)sums;
    for (int32_t i = first; i < last; ++i) {
        for (int r = 0; r < ROWS; ++r) h->pack[i].start[r] = impulses_of(h, i, r);
    }
}

void scri_pack_history_start(scri_pack_history* h)
{
    do_packs(h, start_group);
}

/* ---- a sweep that has ended ------------------------------------------------------------------ */

/* A sweep that differs from none. */
static void take_first(scri_pack_history* h, int32_t first, int32_t last)
{
    int rows = rows_of(h);
    for (int32_t i = first; i < last; ++i) {
        scri_pack_past* past = &h->pack[i];
        for (int r = 0; r < rows; ++r) {
            past->image[r] = impulses_of(h, i, r);
            past->change[r] = past->image[r] - past->start[r];
        }
    }
}

/* So many differences are kept with this one. */
SCREE_FN void take_kept(scri_pack_history* h, int32_t first, int32_t last, int kept,
                        scri_pack_sums* sums)
{
    scri_wide with_last[WINDOW], with_change[WINDOW];
    int next = h->products.next, rows = rows_of(h);
    for (int k = 0; k < WINDOW; ++k) with_last[k] = with_change[k] = scri_wide_all(0.0f);
    for (int32_t i = first; i < last; ++i) {
        scri_pack_past* past = &h->pack[i];
        scri_wide w[ROWS];
        weights_of(h, i, w);
        for (int r = 0; r < rows; ++r) {
            scri_wide image = impulses_of(h, i, r), change = image - past->start[r];
            past->d_change[next][r] = change - past->change[r];
            past->d_image[next][r] = image - past->image[r];
            past->change[r] = change;
            past->image[r] = image;
            scri_wide last_w = w[r] * past->d_change[next][r], change_w = w[r] * change;
            for (int k = 0; k < kept; ++k) {
                with_last[k] += last_w * past->d_change[k][r];
                with_change[k] += change_w * past->d_change[k][r];
            }
        }
    }
    for (int k = 0; k < WINDOW; ++k) {
        sums->with_last[k] = add_lanes(with_last[k]);
        sums->with_change[k] = add_lanes(with_change[k]);
    }
}

static void take_group(scri_pack_history* h, int32_t first, int32_t last, scri_pack_sums* sums)
{
    int kept = scri_anderson_differences(&h->products);
    if (kept == WINDOW) { /* the usual case, with a length that is known here */
        take_kept(h, first, last, WINDOW, sums);
    } else if (kept > 0) {
        take_kept(h, first, last, kept, sums);
    } else {
        *sums = (scri_pack_sums){.with_last = {0.0}};
        take_first(h, first, last);
    }
}

static void take_bodies(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const scri_pack_history* h = context;
    int differs = h->products.has_last;
    (void)worker;
    for (int32_t i = begin; i < end; ++i) {
        const float* velocity = h->of->bodies[i].line;
        scri_body_past* past = &h->body[i];
        for (int j = 0; j < 6 && differs; ++j) {
            past->difference[h->products.next][j] = velocity[j] - past->image[j];
        }
        memcpy(past->image, velocity, sizeof past->image);
    }
}

void scri_pack_history_take(scri_pack_history* h)
{
    double with_last[WINDOW] = {0.0}, with_change[WINDOW] = {0.0};
    int32_t groups = do_packs(h, take_group);
    scri_team_for(h->team, h->n_bodies, BODIES_GRAIN, take_bodies, h);
    for (int32_t g = 0; g < groups; ++g) {
        for (int k = 0; k < WINDOW; ++k) {
            with_last[k] += h->sums[g].with_last[k];
            with_change[k] += h->sums[g].with_change[k];
        }
    }
    scri_anderson_note(&h->products, with_last, with_change);
}

/* ---- the combination ------------------------------------------------------------------------- */

SCREE_FN void mix_used(scri_pack_history* h, int32_t first, int32_t last, int used,
                       scri_pack_sums* sums)
{
    int rows = rows_of(h);
    scri_wide along = scri_wide_all(0.0f), way = along, size = along;
    for (int32_t i = first; i < last; ++i) {
        scri_pack_past* past = &h->pack[i];
        scri_wide w[ROWS];
        weights_of(h, i, w);
        for (int r = 0; r < rows; ++r) {
            scri_wide more = scri_wide_all(0.0f), change = past->change[r];
            for (int k = 0; k < used; ++k) more -= h->weight[k] * past->d_image[k][r];
            past->start[r] = past->image[r] + more;
            along += w[r] * (change + more) * change;
            way += w[r] * (change + more) * (change + more);
            size += w[r] * change * change;
        }
    }
    sums->along = add_lanes(along);
    sums->way = add_lanes(way);
    sums->size = add_lanes(size);
}

static void mix_group(scri_pack_history* h, int32_t first, int32_t last, scri_pack_sums* sums)
{
    if (h->products.used == WINDOW) {
        mix_used(h, first, last, WINDOW, sums);
    } else {
        mix_used(h, first, last, h->products.used, sums);
    }
}

/* Sums of the combination by the weights at hand. */
static scri_pack_sums combine(scri_pack_history* h)
{
    scri_pack_sums sum = {.along = 0.0};
    int32_t groups = do_packs(h, mix_group);
    for (int32_t g = 0; g < groups; ++g) {
        sum.along += h->sums[g].along;
        sum.way += h->sums[g].way;
        sum.size += h->sums[g].size;
    }
    return sum;
}

/* Nesterov's momentum: the way from the end of one step to that of the next is taken once more, by
 * a share that grows from step to step. Where it points against the last change it begins anew
 * (O'Donoghue & Candes), and this step goes without. */
static double go_along(scri_pack_history* h)
{
    int last = (h->products.next + WINDOW - 1) % WINDOW;
    double share = fmin(h->since / (h->since + 3.0), MOST_MOMENTUM);
    memset(h->weight, 0, sizeof h->weight);
    h->weight[last] = (float)-share;
    scri_pack_sums sum = combine(h);
    h->since = sum.along >= sum.size ? h->since + 1 : 0;
    return h->since > 0 ? 1.0 : -1.0;
}

double scri_pack_history_mix(scri_pack_history* h)
{
    double weight[WINDOW];
    int step = h->steps++;
    if (step >= SCRI_MOMENTUM_FROM && step < SCRI_MOMENTUM_END) return go_along(h);
    scri_anderson_weights(&h->products, LEAST_PIVOT, weight);
    for (int k = 0; k < WINDOW; ++k) h->weight[k] = (float)weight[k];
    scri_pack_sums sum = combine(h);
    return sum.way > 0.0 && sum.size > 0.0 ? sum.along / sqrt(sum.way * sum.size) : 1.0;
}

/* ---- moving there, and back ------------------------------------------------------------------ */

static void go_on_group(scri_pack_history* h, int32_t first, int32_t last, scri_pack_sums* sums)
{
    (void)sums;
    for (int32_t i = first; i < last; ++i) {
        for (int r = 0; r < ROWS; ++r) set_impulses(h, i, r, h->pack[i].start[r]);
    }
}

/* Nobody, and bodies that cannot respond, have no differences. */
static void move_bodies(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const scri_pack_history* h = context;
    int used = h->products.used;
    (void)worker;
    for (int32_t i = begin; i < end; ++i) {
        float* velocity = h->of->bodies[i].line;
        for (int j = 0; j < 6; ++j) {
            float more = 0.0f;
            for (int k = 0; k < used; ++k) more -= h->weight[k] * h->body[i].difference[k][j];
            velocity[j] += more;
        }
    }
}

void scri_pack_history_go_on(scri_pack_history* h)
{
    do_packs(h, go_on_group);
    scri_team_for(h->team, h->n_bodies, BODIES_GRAIN, move_bodies, h);
}

static void go_back_group(scri_pack_history* h, int32_t first, int32_t last, scri_pack_sums* sums)
{
    int rows = rows_of(h); /* the others are zeros */
    (void)sums;
    for (int32_t i = first; i < last; ++i) {
        for (int r = 0; r < rows; ++r) set_impulses(h, i, r, h->pack[i].image[r]);
    }
}

static void restore_bodies(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const scri_pack_history* h = context;
    (void)worker;
    for (int32_t i = begin; i < end; ++i) {
        memcpy(h->of->bodies[i].line, h->body[i].image, sizeof h->body[i].image);
    }
}

void scri_pack_history_go_back(scri_pack_history* h)
{
    h->since = 0;
    do_packs(h, go_back_group);
    scri_team_for(h->team, h->n_bodies, BODIES_GRAIN, restore_bodies, h);
}
