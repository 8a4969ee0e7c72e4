/* nsgs-bodies for round bodies alone, four contacts at a time in single precision: several times as
 * many updates per second, and good to about 1e-6. The residual that decides is evaluated in double
 * precision as always.
 *
 * A pack is worked on when any of its contacts still changes. So that these stand together,
 * contacts are packed anew after the first sweep and some later ones, in the order of what they
 * changed. */
#include "solvers/nsgs_wide.h"

#include "base/groups.h"
#include "base/owner_lists.h"
#include "math/power_of_two.h"
#include "problem/bodies_kernel.h"
#include "solvers/coloured.h"
#include "solvers/round_contacts.h"
#include "solvers/solver.h"

#include <math.h>

/* Below this tolerance single precision may not do. */
#define LEAST_TOL 1e-5

/* Inverse masses and inertias outside this range, in the units of the packs, could overflow or
 * vanish in single precision. */
#define LEAST_INVERSE 1e-12
#define MOST_INVERSE 1e12

/* Contacts that are worth handing to another worker, to look at their bodies, and to ask whether
 * they fit. */
enum { LOOK_GRAIN = 512 };

/* A contact's body on a side, if it responds; -1 if not. */
static int32_t mover_of(const scree_bodies* b, int32_t c, int side)
{
    int32_t body = b->pair[2 * (size_t)c + (size_t)side];
    return body >= 0 && b->inv_mass[body] > 0.0 ? body : -1;
}

static double most_mobility(const void* context, int32_t begin, int32_t end)
{
    const scree_bodies* b = context;
    double most = 0.0;
    for (int32_t c = begin; c < end; ++c) {
        for (int side = 0; side < 2; ++side) {
            int32_t body = mover_of(b, c, side);
            if (body >= 0) most = fmax(most, b->inv_mass[body]);
        }
    }
    return most;
}

/* Its square. */
static double most_length(const void* context, int32_t begin, int32_t end)
{
    const scree_bodies* b = context;
    double most = 0.0;
    for (int32_t c = begin; c < end; ++c) {
        for (int side = 0; side < 2; ++side) {
            const double* arm = b->arm + 6 * (size_t)c + 3 * (size_t)side;
            if (mover_of(b, c, side) >= 0) most = fmax(most, scri_dot3(arm, arm));
        }
    }
    return most;
}

static scri_pack_units units_of(const scree_problem* problem, scri_team* team)
{
    const scree_bodies* b = &problem->bodies;
    double mobility = scri_groups_most(team, problem->n_contacts, LOOK_GRAIN, most_mobility, b);
    double length = sqrt(scri_groups_most(team, problem->n_contacts, LOOK_GRAIN, most_length, b));
    return (scri_pack_units){scri_power_of_two(mobility), scri_power_of_two(length),
                             scri_power_of_two(scri_scaling_most_speed(problem, NULL, team))};
}

static int in_range(double inverse)
{
    return inverse == 0.0 || (inverse >= LEAST_INVERSE && inverse <= MOST_INVERSE);
}

/* 1 where the law of a contact lifts off and that of the first does not, or the other way round. */
static double is_other(const void* context, int32_t begin, int32_t end)
{
    for (int32_t c = begin; c < end; ++c) {
        if (scri_round_lifts(context, c) != scri_round_lifts(context, 0)) return 1.0;
    }
    return 0.0;
}

const char* scri_nsgs_wide_unfit(const scree_env* env, const scree_problem* problem,
                                 const scree_solver_def* def, scri_team* team)
{
    (void)env;
    if (!(def->tol >= LEAST_TOL)) return "the tolerance is below 1e-5";
    if (problem->form != SCREE_FORM_BODIES) return "the problem has no bodies";
    const scree_bodies* b = &problem->bodies;
    scri_pack_units u = units_of(problem, team);
    for (size_t i = 0; i < (size_t)b->n_bodies; ++i) {
        double turns = b->inv_inertia[6 * i] * (u.length * u.length);
        if (!in_range(b->inv_mass[i] / u.mobility) || !in_range(turns / u.mobility)) {
            return "masses or inertias are beyond single precision";
        }
    }
    if (!scri_round_fits_all(problem, team)) return "a contact is not one of round bodies";
    int is_mixed = scri_groups_most(team, problem->n_contacts, LOOK_GRAIN, is_other, problem) > 0.0;
    return is_mixed ? "some contacts have the convex law and some have not" : NULL;
}

/* Contacts in the packs of a colour; those of the serial group have packs of their own. */
static int lanes_of(int colour)
{
    return colour == SCRI_COLOURS ? 1 : SCRI_LANES;
}

static void count_packs(scri_nsgs_wide* m)
{
    int32_t packs = 0;
    for (int colour = 0; colour <= SCRI_COLOURS; ++colour) {
        int32_t n = m->colouring.start[colour + 1] - m->colouring.start[colour];
        m->start[colour] = packs;
        packs += (n + lanes_of(colour) - 1) / lanes_of(colour);
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
    int32_t first = m->colouring.start[colour] + lanes * (i - m->start[colour]);
    for (int lane = 0; lane < SCRI_LANES; ++lane) {
        int used = lane < lanes && first + lane < m->colouring.start[colour + 1];
        m->lane[SCRI_LANES * i + lane] = used ? m->colouring.contact[first + lane] : -1;
    }
}

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

/* Moments over forces, lengths over nothing: u.length; impulses in u.speed over u.mobility. */
static void change_units(scri_pack_units u, scri_round_contact* r)
{
    r->arm_a /= u.length;
    r->arm_b /= u.length;
    r->w_tr *= u.length / u.mobility;
    for (int i = 0; i < 3; ++i) r->stick[i] *= u.mobility;
    r->stick[1] /= u.length;
    r->stick[2] /= u.length * u.length;
    r->mu[1] /= u.length;
    r->mu[2] /= u.length;
    for (int i = 0; i < 4; ++i) {
        double turns = i < 2 ? 1.0 : u.length * u.length;
        r->w[i] *= turns / u.mobility;
        r->inv_w[i] *= u.mobility / turns;
    }
    for (int i = 0; i < 6; ++i) {
        double turns = i < 3 ? 1.0 : u.length;
        r->q[i] *= turns / u.speed;
        r->p[i] *= u.mobility / (u.speed * turns);
    }
}

/* One contact into one lane; a lane without contact has zeros and moves nobody. */
static void fill_lane(const scri_run* run, scri_pack_units u, scri_pack* pack,
                      scri_pack_ellipses* sets, int lane, int32_t c)
{
    int32_t nobody = run->problem->bodies.n_bodies;
    scri_round_ellipses own[2] = {{.c = {0.0}}};
    scri_round_contact r = {.a = {nobody}, .b = {nobody}};
    if (c >= 0) {
        scri_round_fill(run->problem, c, &r, own);
        scri_round_load(run->problem->rows[c], run->at.p + run->problem->first_row[c], r.p);
        change_units(u, &r);
    }
    if (sets) fill_ellipses(sets, lane, scri_round_sets(own));
    pack->a[lane] = r.a[0];
    pack->b[lane] = r.b[0];
    const double* from = &r.n.x;
    scri_wide* to = &pack->n.x;
    for (int i = 0; i < SCRI_ROUND_REALS; ++i) to[i][lane] = (float)from[i];
}

/* Packs and bodies that are worth handing to another worker, to fill, to weigh or to read. */
enum { PACKS_GRAIN = 8, WEIGH_GRAIN = 128, BODIES_GRAIN = 256 };

typedef struct pack_work {
    scri_run* run;
    scri_nsgs_wide* m;
    double least; /* change of contacts that still change */
} pack_work;

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

/* Velocities of the operator, which belong to run->at.p, in single precision. */
static void restore(scri_run* run, void* method)
{
    scri_nsgs_wide* m = method;
    int32_t n = run->problem->bodies.n_bodies;
    pack_work work = {.run = run, .m = m};
    weigh(run, m);
    scri_team_for(run->team, n, BODIES_GRAIN, restore_bodies, &work);
    for (size_t j = 0; j < 8; ++j) m->bodies[n].line[j] = 0.0f;
}

static void store_packs(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const pack_work* work = context;
    scri_run* run = work->run;
    const scri_nsgs_wide* m = work->m;
    const scree_problem* problem = run->problem;
    (void)worker;
    for (int32_t i = SCRI_LANES * begin; i < SCRI_LANES * end; ++i) {
        int32_t c = m->lane[i];
        if (c < 0) continue;
        double p[6];
        for (int k = 0; k < 6; ++k) {
            double turns = k < 3 ? 1.0 : m->units.length;
            p[k] = (double)m->pack[i / SCRI_LANES].p[k][i % SCRI_LANES];
            p[k] *= m->units.speed * turns / m->units.mobility;
        }
        scri_round_store(problem->rows[c], p, run->at.p + problem->first_row[c]);
    }
}

static void store(scri_run* run, void* method)
{
    scri_nsgs_wide* m = method;
    pack_work work = {.run = run, .m = m};
    scri_team_for(run->team, scri_nsgs_wide_packs(m), PACKS_GRAIN, store_packs, &work);
}

static double sum_lanes(scri_wide x)
{
    return (double)x[0] + (double)x[1] + (double)x[2] + (double)x[3];
}

static float most_lane(scri_wide x)
{
    return fmaxf(fmaxf(x[0], x[1]), fmaxf(x[2], x[3]));
}

_Static_assert(sizeof(scri_pack) == 4 * SCRI_LANES * (2 + SCRI_ROUND_REALS),
               "packs are joined vector by vector");

/* What an update of pack i has changed, and the impulses with which it ends. */
static void note(scri_nsgs_wide* m, int32_t i, scri_wide change, scri_sweep_size* size)
{
    scri_wide weighed = change * m->weight[i];
    m->lane_change[i] = weighed;
    m->change[i] = most_lane(weighed);
    size->change += m->square * sum_lanes(change);
    size->most = fmax(size->most, (double)m->change[i]);
    size->updates += SCRI_LANES;
}

static void update_one(scri_nsgs_wide* m, int32_t i, scri_wide* impulse, scri_sweep_size* size)
{
    scri_wide change = scri_wide_all(0.0f);
    if (m->convex) {
        scri_pack_update(&m->pack[i], NULL, 1, m->bodies, &change, impulse);
    } else if (m->sets) {
        scri_pack_update(&m->pack[i], m->sets + 2 * (size_t)i, 0, m->bodies, &change, impulse);
    } else {
        scri_pack_update(&m->pack[i], NULL, 0, m->bodies, &change, impulse);
    }
    note(m, i, change, size);
}

enum { MOST_TOGETHER = 4 };

/* Packs that are due, until there are enough to be taken at once. */
typedef struct waiting_packs {
    int n;
    int32_t pack[MOST_TOGETHER];
} waiting_packs;

static void update_group(scri_nsgs_wide* m, const int32_t* pack, int n, scri_wide* impulse,
                         scri_sweep_size* size)
{
    float change[MOST_TOGETHER * SCRI_LANES], pressed[MOST_TOGETHER * SCRI_LANES];
    void* packs[MOST_TOGETHER];
    for (int i = 0; i < n; ++i) packs[i] = &m->pack[pack[i]];
    scri_pack_group* group = n == 4 ? m->four : m->two;
    group(packs, m->convex, m->bodies, change, pressed);
    for (int i = 0; i < n; ++i) {
        note(m, pack[i], scri_wide_load(change + SCRI_LANES * i), size);
        *impulse += scri_wide_load(pressed + SCRI_LANES * i);
    }
}

/* In their order: by fours, by twos, alone. */
static void update_waiting(scri_nsgs_wide* m, waiting_packs* waiting, scri_wide* impulse,
                           scri_sweep_size* size)
{
    for (int i = 0; i < waiting->n;) {
        int n = m->together;
        while (n > waiting->n - i) n /= 2;
        if (n > 1) {
            update_group(m, waiting->pack + i, n, impulse, size);
        } else {
            update_one(m, waiting->pack[i], impulse, size);
        }
        i += n;
    }
    waiting->n = 0;
}

/* Packs of the last group share bodies: they are taken one after the other. */
static void work(const scri_coloured* sweep, int32_t first, int32_t last, scri_sweep_size* size)
{
    scri_nsgs_wide* m = sweep->method;
    int together = first < m->start[SCRI_COLOURS] ? m->together : 1;
    waiting_packs waiting = {.n = 0};
    scri_wide impulse = scri_wide_all(0.0f);
    *size = (scri_sweep_size){.change = 0.0};
    for (int32_t i = first; i < last; ++i) {
        if ((double)m->change[i] < sweep->least) continue;
        if (together == 1) {
            update_one(m, i, &impulse, size);
            continue;
        }
        waiting.pack[waiting.n++] = i;
        if (waiting.n == together) update_waiting(m, &waiting, &impulse, size);
    }
    update_waiting(m, &waiting, &impulse, size);
    size->impulse = m->square * sum_lanes(impulse);
}

static void fill_packs(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const pack_work* work = context;
    scri_nsgs_wide* m = work->m;
    (void)worker;
    int colour = colour_of(m, begin);
    for (int32_t i = begin; i < end; ++i) {
        while (m->start[colour + 1] <= i) ++colour;
        lay_out_pack(m, colour, i);
        scri_pack_ellipses* sets = m->sets ? m->sets + 2 * (size_t)i : NULL;
        for (int lane = 0; lane < SCRI_LANES; ++lane) {
            fill_lane(work->run, m->units, &m->pack[i], sets, lane, m->lane[SCRI_LANES * i + lane]);
        }
        m->change[i] = 0.0f;
    }
}

static void fill(scri_run* run, scri_nsgs_wide* m)
{
    pack_work work = {.run = run, .m = m};
    count_packs(m);
    scri_team_for(run->team, scri_nsgs_wide_packs(m), PACKS_GRAIN, fill_packs, &work);
}

/* To which list the lanes of packs belong: that of contacts of their colour that changed more than
 * `least`, or that of the others. */
static void sort_lanes(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const pack_work* work = context;
    const scri_nsgs_wide* m = work->m;
    int colour = colour_of(m, begin);
    (void)worker;
    for (int32_t i = SCRI_LANES * begin; i < SCRI_LANES * end; ++i) {
        while (m->start[colour + 1] <= i / SCRI_LANES) ++colour;
        int is_active = (double)m->lane_change[i / SCRI_LANES][i % SCRI_LANES] >= work->least;
        m->list_of[i] = m->lane[i] < 0 ? -1 : 2 * colour + !is_active;
    }
}

static void take_order(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const scri_nsgs_wide* m = ((const pack_work*)context)->m;
    (void)worker;
    for (int32_t i = begin; i < end; ++i) m->colouring.contact[i] = m->lane[m->order[i]];
}

/* Within each colour, contacts that changed more than `least` come first, both parts in their
 * order; then packs are filled anew. The velocities stay as they are. */
static void repack(scri_run* run, scri_nsgs_wide* m, double least)
{
    enum { LISTS = 2 * SCRI_COLOURS, SORT_GRAIN = 128, ORDER_GRAIN = 1024 };
    int32_t start[LISTS + 1], packs = m->start[SCRI_COLOURS];
    pack_work work = {run, m, least};
    store(run, m);
    scri_team_for(run->team, packs, SORT_GRAIN, sort_lanes, &work);
    scri_owner_lists lists = {SCRI_LANES * packs, LISTS, m->list_of, start, m->order, m->list_work};
    scri_owner_lists_fill(run->team, &lists);
    scri_team_for(run->team, start[LISTS], ORDER_GRAIN, take_order, &work);
    fill(run, m);
    weigh(run, m);
}

static scri_sweep_size sweep(scri_run* run, void* method, int64_t index, double tolerance)
{
    scri_nsgs_wide* m = method;
    scri_coloured coloured = {.run = run,
                              .method = m,
                              .start = m->start,
                              .sizes = m->sizes,
                              .grain = 1,
                              .tolerance = tolerance,
                              .partial = SCRI_PARTIAL_SWEEPS,
                              .work = work};
    int32_t n = run->problem->n_contacts;
    if (index != 0) return scri_coloured_sweep(&coloured, n);
    scri_sweep_size size = scri_coloured_sweep_all(&coloured, n);
    repack(run, m, coloured.least);
    return size;
}

int32_t scri_nsgs_wide_packs(const scri_nsgs_wide* m)
{
    return m->start[SCRI_COLOURS + 1];
}

size_t scri_nsgs_wide_most_packs(const scree_problem* problem)
{
    return (size_t)problem->n_contacts + SCRI_COLOURS;
}

scri_nsgs_wide scri_nsgs_wide_create(const scri_run* run, scri_bump* bump)
{
    size_t packs = scri_nsgs_wide_most_packs(run->problem);
    size_t n_bodies = (size_t)run->problem->bodies.n_bodies;
    scri_nsgs_wide m = {.colouring = scri_colouring_create(run->problem, bump)};
    m.lane = scri_bump_take(bump, SCRI_LANES * packs, sizeof *m.lane);
    m.pack = scri_bump_take_lines(bump, packs * sizeof *m.pack);
    if (run->problem->set) m.sets = scri_bump_take_lines(bump, 2 * packs * sizeof *m.sets);
    m.weight = scri_bump_take_lines(bump, packs * sizeof *m.weight);
    m.change = scri_bump_take(bump, packs, sizeof *m.change);
    m.lane_change = scri_bump_take(bump, packs, sizeof *m.lane_change);
    m.order = scri_bump_take(bump, SCRI_LANES * packs, sizeof *m.order);
    m.list_of = scri_bump_take(bump, SCRI_LANES * packs, sizeof *m.list_of);
    m.list_work = scri_bump_take(bump, 2 * SCRI_LANES * packs, sizeof *m.list_work);
    m.bodies = scri_bump_take_lines(bump, (n_bodies + 1) * sizeof *m.bodies);
    m.sizes = scri_bump_take(bump, scri_coloured_chunks(packs), sizeof *m.sizes);
    return m;
}

scri_sweeping scri_nsgs_wide_begin(scri_run* run, scri_nsgs_wide* m)
{
    scri_colouring_compute(run->problem, &m->colouring, run->team);
    m->convex = run->problem->n_contacts > 0 && scri_round_lifts(run->problem, 0);
    m->together = m->sets && !m->convex ? 1 : scri_pack_groups_best();
    m->two = scri_pack_groups_of(2);
    m->four = scri_pack_groups_of(4);
    m->units = units_of(run->problem, run->team);
    m->square = m->units.speed * m->units.speed * (run->scaling.unit / m->units.mobility);
    fill(run, m);
    scri_operator_reset(&run->op, run->at.p);
    restore(run, m);
    return (scri_sweeping){m, sweep, store, restore};
}

static void solve(scri_run* run, scri_bump* bump)
{
    scri_nsgs_wide method = scri_nsgs_wide_create(run, bump);
    if (!bump->memory) return;
    scri_sweeping sweeps = scri_nsgs_wide_begin(run, &method);
    scri_sweeping_run(run, &sweeps);
}

const scri_solver scri_solver_nsgs_wide = {
    "nsgs-wide",
    "nsgs-bodies in single precision, four contacts at a time",
    "round bodies, convex, exact or extended law with ellipses of common axes, tolerances from "
    "1e-5",
    scri_nsgs_wide_unfit,
    solve,
};
