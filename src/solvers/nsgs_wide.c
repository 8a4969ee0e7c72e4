/* nsgs-bodies for round bodies, four contacts at a time in single precision: several times as
 * many updates per second, and good to about 1e-6. The residual that decides is evaluated in double
 * precision as always. A few contacts of other bodies are solved among them, in double precision,
 * see solvers/pack_guests.h. */
#include "solvers/nsgs_wide.h"

#include "solvers/pack_lanes.h"
#include "solvers/pack_order.h"
#include "solvers/round_contacts.h"
#include "solvers/solver.h"

#include <math.h>

/* Below this tolerance single precision may not do. */
#define LEAST_TOL 1e-5

/* One contact in so many may be a guest; fewer where the tolerance is FINE, which bodies that many
 * of them share hardly reach in single precision. Measured in heaps of spheres and boxes. */
#define FINE 1e-3
enum { CONTACTS_PER_GUEST = 2, PER_GUEST_WHERE_FINE = 4 };

/* Why contacts do not fit, of which so many to a guest are asked for; NULL when they do. */
static const char* contacts_unfit(const scree_problem* problem, const scri_facts* facts,
                                  int32_t per_guest)
{
    int32_t n = problem->n_contacts, odd = facts->n_odd, lifting = facts->n_lifting;
    if (problem->form != SCREE_FORM_BODIES) return "the problem has no bodies";
    if (facts->is_extreme) return "masses or inertias are beyond single precision";
    if (odd > n / per_guest) return "too many contacts are not of round bodies";
    if (facts->n_strangers > 0) return "there are joints";
    int is_mixed = lifting > 0 && lifting < n - odd;
    return is_mixed ? "some contacts have the convex law and some have not" : NULL;
}

const char* scri_nsgs_wide_unfit(const scree_env* env, const scree_problem* problem,
                                 const scree_solver_def* def, const scri_facts* facts)
{
    int32_t per_guest = def->tol >= FINE ? CONTACTS_PER_GUEST : PER_GUEST_WHERE_FINE;
    (void)env;
    if (!(def->tol >= LEAST_TOL)) return "the tolerance is below 1e-5";
    return contacts_unfit(problem, facts, per_guest);
}

static double sum_lanes(scri_wide x)
{
    return (double)x[0] + (double)x[1] + (double)x[2] + (double)x[3];
}

static float larger(float a, float b)
{
    return a > b ? a : b;
}

static float most_lane(scri_wide x)
{
    return larger(larger(x[0], x[1]), larger(x[2], x[3]));
}

/* What a chunk has changed; impulses are summed lane by lane until it ends. */
typedef struct chunk_sums {
    scri_sweep_size size;
    scri_wide impulse;
} chunk_sums;

/* What an update of pack i has changed, and, where that is asked for, the sums over it. */
static void note(const scri_coloured* sweep, int32_t i, scri_wide change, scri_wide impulse,
                 chunk_sums* sums)
{
    scri_nsgs_wide* m = sweep->method;
    scri_wide weighed = change * m->weight[i];
    m->change[i] = most_lane(weighed);
    sums->size.updates += SCRI_LANES;
    if (sweep->only_counts) return;
    m->lane_change[i] = weighed;
    sums->impulse += impulse;
    sums->size.change += m->square * sum_lanes(change);
    if (!((double)m->change[i] <= sums->size.most)) sums->size.most = (double)m->change[i];
}

/* The convex law has discs alone. */
static int has_ellipses(const scri_nsgs_wide* m)
{
    return m->sets && !(m->kind & SCRI_ROUND_LIFTS);
}

static void update_one(scri_nsgs_wide* m, int32_t i, scri_wide* change, scri_wide* impulse)
{
    scri_pack_ellipses* sets = has_ellipses(m) ? m->sets + 2 * (size_t)i : NULL;
    scri_pack room, *pack = scri_pack_take_up(m->blocks, &i, &room);
    if (!sets) {
        scri_pack_update_discs(pack, m->kind, m->bodies, change, impulse);
    } else if (m->kind & SCRI_ROUND_ROLLS) {
        scri_pack_update(pack, sets, SCRI_ROUND_KIND(1, 0), m->bodies, change, impulse);
    } else {
        scri_pack_update(pack, sets, SCRI_ROUND_KIND(0, 0), m->bodies, change, impulse);
    }
    scri_pack_put_down(pack, &room, &i, m->blocks);
}

/* The contact of pack i, which is no round one: it takes as long as DEAR others. */
static void update_guest(const scri_coloured* sweep, int32_t i, scri_sweep_size* size)
{
    enum { DEAR = 16 };
    scri_nsgs_wide* m = sweep->method;
    scri_run* run = sweep->run;
    int32_t c = m->lane[SCRI_LANES * i];
    double before = size->change;
    size->dear += DEAR - 1;
    scri_pack_lanes_store_guest(run, m, i);
    scri_pack_guests_update(run, &m->guests, c, m->units, m->bodies, sweep->tolerance, size);
    scri_pack_lanes_load_guest(run, m, i);
    m->change[i] = (float)((size->change - before) / run->size[c]);
}

/* Packs of a chunk that are due, in their order, and what their updates change. */
typedef struct due_packs {
    int n;
    int32_t pack[SCRI_CHUNK];
    scri_wide change[SCRI_CHUNK], impulse[SCRI_CHUNK];
} due_packs;

/* Those of which `which` says the places in `due`. */
static void update_together(scri_nsgs_wide* m, due_packs* due, const int* which, int n)
{
    float change[SCRI_MOST_TOGETHER][SCRI_LANES], impulse[SCRI_MOST_TOGETHER][SCRI_LANES];
    int32_t pack[SCRI_MOST_TOGETHER];
    scri_pack_group* group = n == 4 ? m->four : m->two;
    for (int i = 0; i < n; ++i) pack[i] = due->pack[which[i]];
    group(m->blocks, pack, m->kind, m->bodies, change[0], impulse[0]);
    for (int i = 0; i < n; ++i) {
        due->change[which[i]] = scri_wide_load(change[i]);
        due->impulse[which[i]] = scri_wide_load(impulse[i]);
    }
}

/* By fours, by twos, alone. */
static void update_places(scri_nsgs_wide* m, due_packs* due, const int* which, int n)
{
    for (int i = 0, k; i < n; i += k) {
        k = m->together;
        while (k > n - i) k /= 2;
        if (k > 1) {
            update_together(m, due, which + i, k);
        } else {
            int at = which[i];
            due->change[at] = due->impulse[at] = scri_wide_all(0.0f);
            update_one(m, due->pack[at], &due->change[at], &due->impulse[at]);
        }
    }
}

/* Whether the packs from place i on fill a block. */
static int fill_block(const due_packs* due, int i)
{
    return due->pack[i] % SCRI_MOST_TOGETHER == 0 && i + SCRI_MOST_TOGETHER <= due->n &&
           due->pack[i + SCRI_MOST_TOGETHER - 1] == due->pack[i] + SCRI_MOST_TOGETHER - 1;
}

/* Blocks that are all due first, for these take less time: contacts of one colour may come in any
 * order. What they change is noted in that of the packs. */
static void update_due(const scri_coloured* sweep, due_packs* due, chunk_sums* sums)
{
    scri_nsgs_wide* m = sweep->method;
    int left[SCRI_CHUNK], n_left = 0;
    for (int i = 0; i < due->n; ++i) {
        if (fill_block(due, i)) {
            const int block[SCRI_MOST_TOGETHER] = {i, i + 1, i + 2, i + 3};
            update_places(m, due, block, SCRI_MOST_TOGETHER);
            i += SCRI_MOST_TOGETHER - 1;
        } else {
            left[n_left++] = i;
        }
    }
    update_places(m, due, left, n_left);
    for (int i = 0; i < due->n; ++i) {
        note(sweep, due->pack[i], due->change[i], due->impulse[i], sums);
    }
}

/* One after the other. */
static void update_each(const scri_coloured* sweep, const due_packs* due, chunk_sums* sums)
{
    scri_nsgs_wide* m = sweep->method;
    for (int i = 0; i < due->n; ++i) {
        scri_wide change = scri_wide_all(0.0f), impulse = change;
        if (m->is_guest && m->is_guest[due->pack[i]]) {
            update_guest(sweep, due->pack[i], &sums->size);
        } else {
            update_one(m, due->pack[i], &change, &impulse);
            note(sweep, due->pack[i], change, impulse, sums);
        }
    }
}

/* Of a chunk. Guests are taken one by one, and packs of the last group, which share bodies. */
static void work(const scri_coloured* sweep, int32_t first, int32_t last, scri_sweep_size* size)
{
    const scri_nsgs_wide* m = sweep->method;
    int one_by_one = first >= m->start[SCRI_COLOURS] || m->together == 1;
    due_packs due = {.n = 0};
    chunk_sums sums = {.impulse = scri_wide_all(0.0f)};
    for (int32_t i = first; i < last; ++i) { /* who is due cannot be guessed: no branches */
        due.pack[due.n] = i;
        due.n += !((double)m->change[i] < sweep->least);
    }
    for (int32_t i = first; m->is_guest && i < last; ++i) one_by_one |= m->is_guest[i];
    if (one_by_one) {
        update_each(sweep, &due, &sums);
    } else {
        update_due(sweep, &due, &sums);
    }
    *size = sums.size;
    size->impulse += m->square * sum_lanes(sums.impulse);
}

static scri_sweep_size sweep(scri_run* run, void* method, int64_t index, double tolerance)
{
    scri_nsgs_wide* m = method;
    scri_coloured coloured = {.run = run,
                              .method = m,
                              .start = m->start,
                              .chunks = m->chunks,
                              .lanes = SCRI_LANES,
                              .worth = SCRI_CHUNK * SCRI_LANES,
                              .tolerance = tolerance,
                              .partial = SCRI_PARTIAL_SWEEPS,
                              .work = work};
    int32_t n = run->problem->n_contacts;
    if (index > 0) {
        if (index == 1) { /* often the first sweep does */
            scri_pack_order_sort(run, m, m->least);
            m->is_laid_out = 0; /* what a solve does depends on none before it */
        }
        return scri_coloured_sweep(&coloured, n);
    }
    scri_sweep_size size = scri_coloured_sweep_all(&coloured, n);
    m->least = coloured.least;
    return size;
}

int32_t scri_nsgs_wide_packs(const scri_nsgs_wide* m)
{
    return m->start[SCRI_COLOURS + 1];
}

size_t scri_nsgs_wide_most_packs(const scree_problem* problem, const scri_facts* facts)
{
    enum { ADDED = SCRI_MOST_TOGETHER - 1 }; /* to a colour, so that the next one begins a block */
    size_t n = (size_t)problem->n_contacts, colours = n < SCRI_COLOURS ? n : SCRI_COLOURS;
    size_t alone = (size_t)facts->n_crowded + (size_t)facts->n_odd;
    size_t packs = n / SCRI_LANES + colours + alone; /* the last of a colour may have empty lanes */
    if (packs > n) packs = n;
    return (packs + ADDED * (colours + 1)) / SCRI_MOST_TOGETHER * SCRI_MOST_TOGETHER;
}

static scri_nsgs_wide create(const scree_problem* problem, const scri_facts* facts, scri_bump* bump)
{
    size_t packs = scri_nsgs_wide_most_packs(problem, facts);
    size_t n_bodies = (size_t)problem->bodies.n_bodies;
    scri_nsgs_wide m = {.colouring = scri_colouring_create(problem, bump)};
    m.guests = scri_pack_guests_create(problem, facts->n_odd, bump);
    m.lane = scri_bump_take(bump, SCRI_LANES * packs, sizeof *m.lane);
    if (m.guests.n > 0) m.is_guest = scri_bump_take(bump, packs, sizeof *m.is_guest);
    m.blocks = scri_bump_take_lines(bump, packs / SCRI_BLOCK * sizeof *m.blocks);
    m.spare = scri_bump_take_lines(bump, packs / SCRI_BLOCK * sizeof *m.spare);
    if (problem->set) {
        m.sets = scri_bump_take_lines(bump, 2 * packs * sizeof *m.sets);
        m.spare_sets = scri_bump_take_lines(bump, 2 * packs * sizeof *m.spare_sets);
    }
    m.weight = scri_bump_take_lines(bump, packs * sizeof *m.weight);
    m.change = scri_bump_take(bump, packs, sizeof *m.change);
    m.lane_change = scri_bump_take(bump, packs, sizeof *m.lane_change);
    m.order = scri_bump_take(bump, SCRI_LANES * packs, sizeof *m.order);
    m.list_of = scri_bump_take(bump, SCRI_LANES * packs, sizeof *m.list_of);
    m.bodies = scri_bump_take_lines(bump, (n_bodies + 1) * sizeof *m.bodies);
    m.chunks = scri_chunks_create(packs, bump);
    return m;
}

scri_nsgs_wide* scri_nsgs_wide_share(const scree_problem* problem, const scri_facts* facts,
                                     scri_bump* bump)
{
    if (contacts_unfit(problem, facts, CONTACTS_PER_GUEST)) return NULL;
    scri_nsgs_wide* shared = scri_bump_take(bump, 1, sizeof *shared);
    scri_nsgs_wide m = create(problem, facts, bump);
    if (shared) *shared = m;
    return shared;
}

void scri_nsgs_wide_forget(scri_nsgs_wide* m)
{
    if (m) m->is_laid_out = 0;
}

scri_nsgs_wide* scri_nsgs_wide_take(const scri_run* run, scri_nsgs_wide* own, scri_bump* bump)
{
    if (run->wide) return run->wide;
    *own = create(run->problem, &run->facts, bump);
    return own;
}

static void lay_out(scri_run* run, scri_nsgs_wide* m)
{
    scri_colouring_compute(run->problem, run->colour, &m->colouring, run->team);
    scri_pack_guests_begin(run, &m->guests);
    m->kind = SCRI_ROUND_KIND(run->facts.n_rolling > 0, run->facts.n_lifting > 0);
    m->together = has_ellipses(m) ? 1 : scri_pack_groups_best();
    m->two = scri_pack_groups_of(2);
    m->four = scri_pack_groups_of(4);
    m->units = run->facts.units;
    m->square = m->units.speed * m->units.speed * (run->scaling.unit / m->units.mobility);
    scri_pack_lanes_begin(run, m);
    m->is_laid_out = m->guests.n == 0 && !m->sets; /* these keep slip rates of this solve */
}

scri_sweeping scri_nsgs_wide_begin(scri_run* run, scri_nsgs_wide* m)
{
    if (m->is_laid_out) {
        scri_pack_lanes_load(run, m);
    } else {
        lay_out(run, m);
    }
    if (!run->is_at_guess) scri_operator_reset(&run->op, run->at.p);
    scri_pack_lanes_restore(run, m);
    return (scri_sweeping){m, sweep, scri_pack_lanes_store, scri_pack_lanes_restore};
}

static void solve(scri_run* run, scri_bump* bump)
{
    scri_nsgs_wide own, *m = scri_nsgs_wide_take(run, &own, bump);
    if (!bump->memory) return;
    scri_sweeping sweeps = scri_nsgs_wide_begin(run, m);
    scri_sweeping_run(run, &sweeps);
}

const scri_solver scri_solver_nsgs_wide = {
    "nsgs-wide",
    "nsgs-bodies in single precision, four contacts at a time",
    "round bodies and some others, convex, exact or extended law with ellipses of common axes, "
    "tolerances from 1e-5",
    scri_nsgs_wide_unfit,
    solve,
};
