#include "solvers/pack_lanes.h"

#include "problem/bodies_kernel.h"
#include "solvers/pack_places.h"
#include "solvers/round_contacts.h"

#include <string.h>

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

/* What the numbers of a contact are multiplied by on their way into a pack, in their order: one
 * over their units, which are powers of two, so that products lose nothing. Moments over forces,
 * lengths over nothing: u.length. */
static scri_round_contact factors_of(scri_pack_units u)
{
    double pull = u.mobility / u.length, per_length = 1.0 / u.length;
    scri_round_contact f = {.n = {1.0, 1.0, 1.0},
                            .t1 = {1.0, 1.0, 1.0},
                            .arm_a = per_length,
                            .arm_b = per_length,
                            .inv_w = {u.mobility, u.mobility, pull * per_length},
                            .inv_det = pull * pull,
                            .mu = {1.0, per_length, per_length}};
    for (int i = 0; i < 6; ++i) {
        f.q[i] = (i < 3 ? 1.0 : u.length) / u.speed;
        f.p[i] = 1.0 / impulse_unit(u, i);
    }
    return f;
}

/* Packs and bodies that are worth handing to another worker, to fill, to weigh or to read. */
enum { PACKS_GRAIN = 8, WEIGH_GRAIN = 128, BODIES_GRAIN = 256 };

typedef struct pack_work {
    scri_run* run;
    scri_nsgs_wide* m;
    scri_round_contact factors;
} pack_work;

/* One contact into one lane; a lane without contact has zeros and moves nobody. */
static void fill_lane(const pack_work* work, int32_t i, int lane)
{
    const scri_run* run = work->run;
    const scri_nsgs_wide* m = work->m;
    int32_t c = m->lane[SCRI_LANES * i + lane];
    int32_t nobody = run->problem->bodies.n_bodies;
    scri_round_ellipses own[2];
    scri_round_contact r = {.a = {nobody}, .b = {nobody}};
    if (m->sets) memset(own, 0, sizeof own);
    if (c >= 0) {
        if (m->is_guest && m->is_guest[i]) {
            scri_pack_guests_fill(run, c, &r);
        } else {
            scri_round_fill(run->problem, c, &r, m->sets ? own : NULL);
        }
        scri_round_load(run->problem->rows[c], run->at.p + run->problem->first_row[c], r.p);
    }
    if (m->sets) fill_ellipses(m->sets + 2 * (size_t)i, lane, scri_round_sets(own));
    scri_pack_set_bodies(m->blocks, i, lane, r.a[0], r.b[0]);
    const double *from = &r.n.x, *factor = &work->factors.n.x;
    for (int k = 0; k < SCRI_ROUND_REALS; ++k) {
        scri_pack_vector(m->blocks, i, k)[lane] = (float)(from[k] * factor[k]);
    }
}

/* The change of a pack without contacts: less than any that is asked for. */
#define NEVER_DUE (-1.0f)

static void fill_packs(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const pack_work* work = context;
    scri_nsgs_wide* m = work->m;
    int colour = scri_pack_places_colour(m, begin);
    (void)worker;
    for (int32_t i = begin; i < end; ++i) {
        int32_t place[SCRI_LANES];
        while (m->start[colour + 1] <= i) ++colour;
        scri_pack_places_of(m, colour, i, place);
        if (m->is_guest) m->is_guest[i] = (uint8_t)(place[0] >= m->others[colour]);
        for (int lane = 0; lane < SCRI_LANES; ++lane) {
            int32_t at = place[lane];
            m->lane[SCRI_LANES * i + lane] = at < 0 ? -1 : m->colouring.contact[at];
            fill_lane(work, i, lane);
        }
        m->change[i] = place[0] < 0 ? NEVER_DUE : 0.0f;
    }
}

void scri_pack_lanes_begin(scri_run* run, scri_nsgs_wide* m)
{
    pack_work work = {run, m, factors_of(m->units)};
    scri_pack_places_begin(run, m);
    scri_team_for(run->team, scri_nsgs_wide_packs(m), PACKS_GRAIN, fill_packs, &work);
}

/* Row k of N T1 T2 R1 R2 S in lane i. */
static float* impulse_at(const scri_nsgs_wide* m, int32_t i, int k)
{
    return scri_pack_vector(m->blocks, i / SCRI_LANES, SCRI_ROUND_P + k) + i % SCRI_LANES;
}

/* Impulses of run->at.p into lane i, each times its factor. */
static void load_lane(const scri_run* run, scri_nsgs_wide* m, int32_t i, const double* factor)
{
    const scree_problem* problem = run->problem;
    int32_t c = m->lane[i];
    double p[6] = {0.0};
    scri_round_load(problem->rows[c], run->at.p + problem->first_row[c], p);
    for (int k = 0; k < 6; ++k) impulse_at(m, i, k)[0] = (float)(p[k] * factor[k]);
}

static void load_packs(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const pack_work* work = context;
    scri_nsgs_wide* m = work->m;
    (void)worker;
    for (int32_t i = SCRI_LANES * begin; i < SCRI_LANES * end; ++i) {
        if (m->lane[i] >= 0) load_lane(work->run, m, i, work->factors.p);
    }
}

void scri_pack_lanes_load(scri_run* run, scri_nsgs_wide* m)
{
    pack_work work = {run, m, factors_of(m->units)};
    scri_team_for(run->team, scri_nsgs_wide_packs(m), PACKS_GRAIN, load_packs, &work);
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

void scri_pack_lanes_weigh(scri_run* run, scri_nsgs_wide* m)
{
    pack_work work = {.run = run, .m = m};
    scri_team_for(run->team, scri_nsgs_wide_packs(m), WEIGH_GRAIN, weigh_packs, &work);
}

void scri_pack_lanes_restore(scri_run* run, void* method)
{
    scri_nsgs_wide* m = method;
    int32_t n = run->problem->bodies.n_bodies;
    pack_work work = {.run = run, .m = m};
    scri_pack_lanes_weigh(run, m);
    scri_team_for(run->team, n, BODIES_GRAIN, restore_bodies, &work);
    for (size_t j = 0; j < 8; ++j) m->bodies[n].line[j] = 0.0f;
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
    double factor[6];
    for (int k = 0; k < 6; ++k) factor[k] = 1.0 / impulse_unit(m->units, k);
    load_lane(run, m, SCRI_LANES * i, factor);
}
