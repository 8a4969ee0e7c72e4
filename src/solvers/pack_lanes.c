#include "solvers/pack_lanes.h"

#include "base/owner_lists.h"
#include "problem/bodies_kernel.h"
#include "solvers/round_contacts.h"

/* ---- which contacts ----------------------------------------------------------------------------
 */

/* Guests become the last of their colours. */
static void set_guests_apart(const scri_run* run, scri_nsgs_wide* m)
{
    enum { LISTS = 2 * (SCRI_COLOURS + 1) };
    scri_colouring* k = &m->colouring;
    int32_t n = run->problem->n_contacts, start[LISTS + 1];
    for (int i = 0; i <= SCRI_COLOURS; ++i) m->others[i] = k->start[i + 1];
    if (m->guests.n == 0) return;
    for (int32_t c = 0; c < n; ++c) m->list_of[c] = 2 * k->colour[c] + (m->guests.number[c] >= 0);
    scri_owner_lists lists = {n, LISTS, m->list_of, start, k->contact, m->list_work};
    scri_owner_lists_fill(run->team, &lists);
    for (int i = 0; i <= SCRI_COLOURS; ++i) m->others[i] = start[2 * i + 1];
}

/* Contacts in the packs of a colour; those of the serial group have packs of their own. */
static int lanes_of(int colour)
{
    return colour == SCRI_COLOURS ? 1 : SCRI_LANES;
}

/* Packs of the round contacts of a colour. */
static int32_t round_packs(const scri_nsgs_wide* m, int colour)
{
    int32_t n = m->others[colour] - m->colouring.start[colour];
    return (n + lanes_of(colour) - 1) / lanes_of(colour);
}

static void count_packs(scri_nsgs_wide* m)
{
    enum { UNIT = SCRI_MOST_TOGETHER };
    int32_t packs = 0;
    for (int colour = 0; colour <= SCRI_COLOURS; ++colour) {
        m->start[colour] = packs;
        packs += round_packs(m, colour) + m->colouring.start[colour + 1] - m->others[colour];
        packs = (packs + UNIT - 1) / UNIT * UNIT;
    }
    m->start[SCRI_COLOURS + 1] = packs;
}

/* The colour that pack i is of. */
static int colour_of(const scri_nsgs_wide* m, int32_t i)
{
    int colour = 0;
    while (m->start[colour + 1] <= i) ++colour;
    return colour;
}

/* Which contacts pack i of a colour has in its lanes. */
static void lay_out_pack(const scri_nsgs_wide* m, int colour, int32_t i)
{
    int lanes = lanes_of(colour);
    int32_t number = i - m->start[colour], rest = number - round_packs(m, colour);
    int32_t first = m->colouring.start[colour] + lanes * number, end = m->others[colour];
    int is_guest = rest >= 0 && m->others[colour] + rest < m->colouring.start[colour + 1];
    if (rest >= 0) {
        first = m->others[colour] + rest;
        end = first + is_guest;
    }
    if (m->is_guest) m->is_guest[i] = (uint8_t)is_guest;
    for (int lane = 0; lane < SCRI_LANES; ++lane) {
        int used = lane < lanes && first + lane < end;
        m->lane[SCRI_LANES * i + lane] = used ? m->colouring.contact[first + lane] : -1;
    }
}

/* ---- into lanes and out of them ----------------------------------------------------------------
 */

/* Ellipses of sliding and rolling into one lane; NULL: discs. The size of D does not matter and is
 * taken such that nothing overflows. */
static void fill_ellipses(scri_pack_ellipses* sets, int lane, const scri_round_ellipses* own)
{
    for (int k = 0; k < 2; ++k) {
        double size = own ? own[k].d[0] + own[k].d[2] : 2.0;
        for (int i = 0; i < 2; ++i) sets[k].lambda[i][lane] = 0.0f;
        for (int i = 0; i < 3; ++i) {
            double disc = i == 1 ? 0.0 : 1.0;
            sets[k].c[i][lane] = (float)(own ? own[k].c[i] : disc);
            sets[k].d[i][lane] = (float)(own ? own[k].d[i] * 2.0 / size : disc);
        }
    }
}

/* Of row k of N T1 T2 R1 R2 S. */
static double impulse_unit(scri_pack_units u, int k)
{
    return u.speed * (k < 3 ? 1.0 : u.length) / u.mobility;
}

/* Moments over forces, lengths over nothing: u.length. */
static void change_units(scri_pack_units u, scri_round_contact* r)
{
    r->arm_a /= u.length;
    r->arm_b /= u.length;
    r->inv_det *= (u.mobility / u.length) * (u.mobility / u.length);
    r->mu[1] /= u.length;
    r->mu[2] /= u.length;
    for (int i = 0; i < 3; ++i) {
        double turns = i < 2 ? 1.0 : u.length * u.length;
        r->inv_w[i] *= u.mobility / turns;
    }
    for (int i = 0; i < 6; ++i) {
        double turns = i < 3 ? 1.0 : u.length;
        r->q[i] *= turns / u.speed;
        r->p[i] /= impulse_unit(u, i);
    }
}

/* Packs and bodies that are worth handing to another worker, to fill, to weigh or to read. */
enum { PACKS_GRAIN = 8, WEIGH_GRAIN = 128, BODIES_GRAIN = 256 };

typedef struct pack_work {
    scri_run* run;
    scri_nsgs_wide* m;
    double least; /* change of contacts that still change */
} pack_work;

/* One contact into one lane; a lane without contact has zeros and moves nobody. */
static void fill_lane(const pack_work* work, int32_t i, int lane)
{
    const scri_run* run = work->run;
    const scri_nsgs_wide* m = work->m;
    int32_t c = m->lane[SCRI_LANES * i + lane];
    int32_t nobody = run->problem->bodies.n_bodies;
    scri_round_ellipses own[2] = {{.c = {0.0}}};
    scri_round_contact r = {.a = {nobody}, .b = {nobody}};
    if (c >= 0) {
        if (m->is_guest && m->is_guest[i]) {
            scri_pack_guests_fill(run, c, &r);
        } else {
            scri_round_fill(run->problem, c, &r, own);
        }
        scri_round_load(run->problem->rows[c], run->at.p + run->problem->first_row[c], r.p);
        change_units(m->units, &r);
    }
    if (m->sets) fill_ellipses(m->sets + 2 * (size_t)i, lane, scri_round_sets(own));
    scri_pack_set_bodies(m->blocks, i, lane, r.a[0], r.b[0]);
    const double* from = &r.n.x;
    for (int k = 0; k < SCRI_ROUND_REALS; ++k) {
        scri_pack_vector(m->blocks, i, k)[lane] = (float)from[k];
    }
}

/* The change of a pack without contacts: less than any that is asked for. */
#define NEVER_DUE (-1.0f)

static void fill_packs(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const pack_work* work = context;
    scri_nsgs_wide* m = work->m;
    (void)worker;
    int colour = colour_of(m, begin);
    for (int32_t i = begin; i < end; ++i) {
        while (m->start[colour + 1] <= i) ++colour;
        lay_out_pack(m, colour, i);
        for (int lane = 0; lane < SCRI_LANES; ++lane) fill_lane(work, i, lane);
        m->change[i] = m->lane[SCRI_LANES * i] < 0 ? NEVER_DUE : 0.0f;
    }
}

static void fill_all(scri_run* run, scri_nsgs_wide* m)
{
    pack_work work = {.run = run, .m = m};
    count_packs(m);
    scri_team_for(run->team, scri_nsgs_wide_packs(m), PACKS_GRAIN, fill_packs, &work);
}

void scri_pack_lanes_begin(scri_run* run, scri_nsgs_wide* m)
{
    set_guests_apart(run, m);
    fill_all(run, m);
}

static void restore_bodies(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const pack_work* work = context;
    const scri_nsgs_wide* m = work->m;
    scri_pack_units u = m->units;
    (void)worker;
    double moves = 1.0 / u.speed, turns = u.length / u.speed;
    const double factor[8] = {moves,
                              moves,
                              moves,
                              turns,
                              turns,
                              turns,
                              1.0 / u.mobility,
                              u.length * u.length / u.mobility};
    for (size_t i = (size_t)begin; i < (size_t)end; ++i) {
        for (size_t j = 0; j < 8; ++j) {
            double x = work->run->op.velocity[SCRI_BODY_STRIDE * i + j];
            m->bodies[i].line[j] = (float)(x * factor[j]);
        }
    }
}

static void weigh_packs(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const pack_work* work = context;
    const scri_nsgs_wide* m = work->m;
    (void)worker;
    for (int32_t i = SCRI_LANES * begin; i < SCRI_LANES * end; ++i) {
        int32_t c = m->lane[i];
        double weight = c < 0 ? 0.0 : m->square / work->run->size[c];
        m->weight[i / SCRI_LANES][i % SCRI_LANES] = (float)weight;
    }
}

/* Sizes of the last check. */
static void weigh(scri_run* run, scri_nsgs_wide* m)
{
    pack_work work = {.run = run, .m = m};
    scri_team_for(run->team, scri_nsgs_wide_packs(m), WEIGH_GRAIN, weigh_packs, &work);
}

void scri_pack_lanes_restore(scri_run* run, void* method)
{
    scri_nsgs_wide* m = method;
    int32_t n = run->problem->bodies.n_bodies;
    pack_work work = {.run = run, .m = m};
    weigh(run, m);
    scri_team_for(run->team, n, BODIES_GRAIN, restore_bodies, &work);
    for (size_t j = 0; j < 8; ++j) m->bodies[n].line[j] = 0.0f;
}

/* Row k of N T1 T2 R1 R2 S in lane i. */
static float* impulse_at(const scri_nsgs_wide* m, int32_t i, int k)
{
    return scri_pack_vector(m->blocks, i / SCRI_LANES, SCRI_ROUND_P + k) + i % SCRI_LANES;
}

/* The impulses of lane i into run->at.p. */
static void store_lane(scri_run* run, const scri_nsgs_wide* m, int32_t i)
{
    const scree_problem* problem = run->problem;
    int32_t c = m->lane[i];
    double p[6];
    for (int k = 0; k < 6; ++k) {
        p[k] = (double)impulse_at(m, i, k)[0] * impulse_unit(m->units, k);
    }
    scri_round_store(problem->rows[c], p, run->at.p + problem->first_row[c]);
}

static void store_packs(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const pack_work* work = context;
    const scri_nsgs_wide* m = work->m;
    (void)worker;
    for (int32_t i = SCRI_LANES * begin; i < SCRI_LANES * end; ++i) {
        if (m->lane[i] >= 0) store_lane(work->run, m, i);
    }
}

void scri_pack_lanes_store(scri_run* run, void* method)
{
    scri_nsgs_wide* m = method;
    pack_work work = {.run = run, .m = m};
    scri_team_for(run->team, scri_nsgs_wide_packs(m), PACKS_GRAIN, store_packs, &work);
}

void scri_pack_lanes_store_guest(scri_run* run, const scri_nsgs_wide* m, int32_t i)
{
    store_lane(run, m, SCRI_LANES * i);
}

void scri_pack_lanes_load_guest(const scri_run* run, scri_nsgs_wide* m, int32_t i)
{
    const scree_problem* problem = run->problem;
    int32_t c = m->lane[SCRI_LANES * i];
    double p[6] = {0.0};
    scri_round_load(problem->rows[c], run->at.p + problem->first_row[c], p);
    for (int k = 0; k < 6; ++k) {
        impulse_at(m, SCRI_LANES * i, k)[0] = (float)(p[k] / impulse_unit(m->units, k));
    }
}

/* ---- another order -----------------------------------------------------------------------------
 */

/* Whether lane i holds a round contact that changed more than `least`: others, and with them the
 * guests, stay behind those in their order. */
static int is_active(const scri_nsgs_wide* m, int32_t i, double least)
{
    if (m->is_guest && m->is_guest[i / SCRI_LANES]) return 0;
    return (double)m->lane_change[i / SCRI_LANES][i % SCRI_LANES] >= least;
}

/* To which list the lanes of packs belong: of each colour, what is active and what is not. */
static void sort_lanes(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const pack_work* work = context;
    const scri_nsgs_wide* m = work->m;
    int colour = colour_of(m, begin);
    (void)worker;
    for (int32_t i = SCRI_LANES * begin; i < SCRI_LANES * end; ++i) {
        while (m->start[colour + 1] <= i / SCRI_LANES) ++colour;
        m->list_of[i] = m->lane[i] < 0 ? -1 : 2 * colour + !is_active(m, i, work->least);
    }
}

static void take_order(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const scri_nsgs_wide* m = ((const pack_work*)context)->m;
    (void)worker;
    for (int32_t i = begin; i < end; ++i) m->colouring.contact[i] = m->lane[m->order[i]];
}

void scri_pack_lanes_sort(scri_run* run, scri_nsgs_wide* m, double least)
{
    enum { LISTS = 2 * SCRI_COLOURS, SORT_GRAIN = 128, ORDER_GRAIN = 1024 };
    int32_t start[LISTS + 1], packs = m->start[SCRI_COLOURS];
    pack_work work = {run, m, least};
    scri_pack_lanes_store(run, m);
    scri_team_for(run->team, packs, SORT_GRAIN, sort_lanes, &work);
    scri_owner_lists lists = {SCRI_LANES * packs, LISTS, m->list_of, start, m->order, m->list_work};
    scri_owner_lists_fill(run->team, &lists);
    scri_team_for(run->team, start[LISTS], ORDER_GRAIN, take_order, &work);
    fill_all(run, m);
    weigh(run, m);
}
