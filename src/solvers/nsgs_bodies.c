/* Gauss-Seidel on rigid bodies, colour by colour. Contacts of round bodies take a kernel of their
 * own, and so do those of other bodies that rub by Coulomb's law; all others are solved as nsgs
 * does. */
#include "solvers/nsgs_bodies.h"

#include "laws/law.h"
#include "problem/bodies_kernel.h"
#include "solvers/solid_contacts.h"
#include "solvers/solver.h"

#include <math.h>
#include <string.h>

/* Contacts that are worth handing to another worker, to fill and to copy their impulses. */
enum { FILL_GRAIN = 16, COPY_GRAIN = 128 };

static void drop_some_rows(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const scri_run* run = context;
    const scree_problem* problem = run->problem;
    (void)worker;
    for (int32_t c = begin; c < end; ++c) {
        if (!scri_law_is(scri_law_of(problem, c), SCREE_LAW_HAS_FRICTION)) continue;
        scri_layout layout = scri_layout_of(problem->rows[c]);
        for (int k = 0; k < SCRI_CHANNELS; ++k) {
            if (problem->coef[3 * (size_t)c + (size_t)k] > 0.0) continue;
            double* p = run->at.p + problem->first_row[c] + layout.first[k];
            for (int i = 0; i < layout.dim[k]; ++i) p[i] = 0.0;
        }
    }
}

/* Clears impulses of the first guess in channels that cannot carry any: sweeps skip them. */
static void drop_idle_rows(scri_run* run)
{
    scri_team_for(run->team, run->problem->n_contacts, COPY_GRAIN, drop_some_rows, run);
    scri_operator_reset(&run->op, run->at.p);
}

typedef struct part_work {
    scri_run* run;
    scri_nsgs_bodies* m;
} part_work;

static void store_some(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const part_work* work = context;
    const scri_nsgs_bodies* m = work->m;
    const scree_problem* problem = work->run->problem;
    (void)worker;
    for (int32_t i = begin; i < end; ++i) {
        int32_t c = m->bundles.contact[i];
        double* p = work->run->at.p + problem->first_row[c];
        if (m->kind[i] == SCRI_IS_SOLID) {
            memcpy(p, m->solid[i].p, sizeof m->solid[i].p);
        } else if (m->kind[i] != SCRI_IS_GENERAL) {
            scri_round_store(problem->rows[c], m->round[i].p, p);
        }
    }
}

static void store(scri_run* run, void* method)
{
    part_work work = {run, method};
    scri_team_for(run->team, run->problem->n_contacts, COPY_GRAIN, store_some, &work);
}

static void restore_some(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const part_work* work = context;
    const scri_nsgs_bodies* m = work->m;
    const scree_problem* problem = work->run->problem;
    (void)worker;
    for (int32_t i = begin; i < end; ++i) {
        int32_t c = m->bundles.contact[i];
        m->weight[i] = 1.0 / work->run->size[c];
        const double* p = work->run->at.p + problem->first_row[c];
        if (m->kind[i] == SCRI_IS_SOLID) {
            memcpy(m->solid[i].p, p, sizeof m->solid[i].p);
        } else if (m->kind[i] != SCRI_IS_GENERAL) {
            scri_round_load(problem->rows[c], p, m->round[i].p);
        }
    }
}

static void restore(scri_run* run, void* method)
{
    part_work work = {run, method};
    scri_team_for(run->team, run->problem->n_contacts, COPY_GRAIN, restore_some, &work);
}

static scri_round_ellipses* room_of(const scri_nsgs_bodies* m, int32_t i)
{
    return m->sets ? m->sets + 2 * (size_t)i : NULL;
}

/* Contacts of a chunk that are due, one behind the other, of one kind and of different bundles;
 * they are updated when others come, and so their sums are added in the order of the contacts. */
typedef struct due_list {
    int kind, place; /* of all in their bundles */
    int32_t n, which[SCRI_CHUNK];
} due_list;

static void update_round(const scri_coloured* sweep, const due_list* due, scri_round_size* sum,
                         double* most)
{
    scri_nsgs_bodies* m = sweep->method;
    double change[SCRI_CHUNK], impulse[SCRI_CHUNK];
    double unit = sweep->run->scaling.unit; /* of the kernel's squares in scaled variables */
    scri_round_list list = {m->round,
                            due->kind & SCRI_HAS_ELLIPSES ? m->sets : NULL,
                            (scri_round_body*)sweep->run->op.velocity,
                            due->which,
                            due->n,
                            due->kind & SCRI_ROLLS,
                            due->kind & SCRI_LIFTS};
    m->update(&list, change, impulse);
    scri_round_size size = *sum;
    double largest = *most;
    for (int32_t i = 0; i < due->n; ++i) {
        double weighed = unit * change[i] * m->weight[due->which[i]];
        m->change[due->which[i]] = weighed;
        largest = weighed > largest ? weighed : largest;
        size.change += change[i];
        size.impulse += impulse[i];
    }
    *sum = size;
    *most = largest;
}

static void update_general(const scri_coloured* sweep, const due_list* due, scri_sweep_size* size)
{
    scri_nsgs_bodies* m = sweep->method;
    for (int32_t i = 0; i < due->n; ++i) {
        double before = size->change;
        int32_t c = m->bundles.contact[due->which[i]];
        scri_relax_contact(sweep->run, &m->relax, c, sweep->tolerance, size);
        m->change[due->which[i]] = (size->change - before) * m->weight[due->which[i]];
    }
}

/* A solid contact for which its kernel found no impulse, by the law that it has. */
static void relax_solid(const scri_coloured* sweep, int32_t i, scri_sweep_size* size)
{
    scri_nsgs_bodies* m = sweep->method;
    int32_t c = m->bundles.contact[i];
    double* p = sweep->run->at.p + sweep->run->problem->first_row[c];
    memcpy(p, m->solid[i].p, sizeof m->solid[i].p);
    scri_relax_fill(sweep->run, &m->relax, c);
    scri_relax_contact(sweep->run, &m->relax, c, sweep->tolerance, size);
    memcpy(m->solid[i].p, p, sizeof m->solid[i].p);
}

static void update_solid(const scri_coloured* sweep, const due_list* due, scri_sweep_size* size)
{
    scri_nsgs_bodies* m = sweep->method;
    double change[SCRI_CHUNK], impulse[SCRI_CHUNK], unit = sweep->run->scaling.unit;
    scri_solid_list list = {m->solid, (scri_round_body*)sweep->run->op.velocity, due->which, due->n,
                            sweep->tolerance};
    m->update_solids(&list, change, impulse);
    for (int32_t k = 0; k < due->n; ++k) {
        int32_t i = due->which[k];
        double before = size->change;
        if (change[k] < 0.0) {
            relax_solid(sweep, i, size);
        } else {
            size->change += unit * change[k];
            size->impulse += unit * impulse[k];
            size->most = fmax(size->most, unit * change[k] * m->weight[i]);
        }
        m->change[i] = (size->change - before) * m->weight[i];
    }
}

static void update(const scri_coloured* sweep, const due_list* due, scri_round_size* sum,
                   scri_sweep_size* size)
{
    if (due->kind == SCRI_IS_GENERAL) {
        update_general(sweep, due, size);
    } else if (due->kind == SCRI_IS_SOLID) {
        update_solid(sweep, due, size);
    } else if (due->n > 0) {
        update_round(sweep, due, sum, &size->most);
    }
    size->updates += due->n;
}

/* Of a chunk of bundles. Contacts of the last group share bodies: each is a list of its own. */
static void work(const scri_coloured* sweep, int32_t first, int32_t last, scri_sweep_size* size)
{
    const scri_nsgs_bodies* m = sweep->method;
    const scri_bundles* k = &m->bundles;
    int32_t most = first < k->colouring.start[SCRI_COLOURS] ? SCRI_CHUNK : 1;
    scri_round_size sum = {0.0, 0.0};
    due_list due = {.kind = SCRI_IS_GENERAL};
    int32_t n = 0;
    *size = (scri_sweep_size){.change = 0.0};
    for (int32_t i = k->first[first]; i < k->first[last]; ++i) {
        if (m->change[i] < sweep->least) continue;
        if (m->kind[i] != due.kind || k->place[i] != due.place || n == most) {
            due.n = n;
            update(sweep, &due, &sum, size);
            due.kind = m->kind[i];
            due.place = k->place[i];
            n = 0;
        }
        due.which[n++] = i;
    }
    due.n = n;
    update(sweep, &due, &sum, size);
    size->change += sweep->run->scaling.unit * sum.change;
    size->impulse += sweep->run->scaling.unit * sum.impulse;
}

static scri_sweep_size sweep(scri_run* run, void* method, int64_t index, double tolerance)
{
    scri_nsgs_bodies* m = method;
    (void)index;
    int is_careful = m->n_odd > 0 && scri_run_is_local(run);
    scri_coloured coloured = {.run = run,
                              .method = m,
                              .start = m->bundles.colouring.start,
                              .chunks = m->chunks,
                              .lanes = 1,
                              .worth = m->n_odd > 0 ? SCRI_CHUNK : 4 * SCRI_CHUNK,
                              .tolerance = tolerance,
                              .partial = is_careful ? SCRI_FEW_PARTIAL_SWEEPS : SCRI_PARTIAL_SWEEPS,
                              .work = work};
    return scri_coloured_sweep(&coloured, run->problem->n_contacts);
}

scri_nsgs_bodies scri_nsgs_bodies_create(const scri_run* run, scri_bump* bump)
{
    size_t n = (size_t)run->problem->n_contacts;
    scri_nsgs_bodies m = {.relax = scri_relax_create(run->problem, bump),
                          .bundles = scri_bundles_create(run->problem, bump)};
    m.kind = scri_bump_take(bump, n, sizeof *m.kind);
    m.round = scri_bump_take_lines(bump, n * sizeof *m.round);
    if (run->facts.n_odd > 0) m.solid = scri_bump_take_lines(bump, n * sizeof *m.solid);
    if (run->problem->set) m.sets = scri_bump_take(bump, 2 * n, sizeof *m.sets);
    m.change = scri_bump_take(bump, n, sizeof *m.change);
    m.weight = scri_bump_take(bump, n, sizeof *m.weight);
    m.chunks = scri_chunks_create(n, bump);
    return m;
}

static int kind_of(const scree_problem* problem, const scri_nsgs_bodies* m, int32_t i)
{
    const scri_round_contact* r = &m->round[i];
    int rolls = r->mu[1] > 0.0 || r->mu[2] > 0.0;
    int has_ellipses = scri_round_sets(room_of(m, i)) != NULL;
    int lifts = scri_round_lifts(problem, m->bundles.contact[i]);
    return (rolls ? SCRI_ROLLS : SCRI_IS_ROUND) | (lifts ? SCRI_LIFTS : SCRI_IS_ROUND) |
           (has_ellipses ? SCRI_HAS_ELLIPSES : SCRI_IS_ROUND);
}

static void fill(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const part_work* work = context;
    scri_nsgs_bodies* m = work->m;
    const scree_problem* problem = work->run->problem;
    int by_newton = work->run->def->local != SCREE_LOCAL_PROJECTION;
    (void)worker;
    for (int32_t i = begin; i < end; ++i) {
        int32_t c = m->bundles.contact[i];
        m->change[i] = 0.0;
        if (scri_round_fits(problem, c)) {
            scri_round_fill(problem, c, &m->round[i], room_of(m, i));
            m->kind[i] = (uint8_t)kind_of(problem, m, i);
        } else if (by_newton && scri_solid_fill(&work->run->op, c, &m->solid[i])) {
            m->kind[i] = SCRI_IS_SOLID;
        } else {
            scri_relax_fill(work->run, &m->relax, c);
            m->kind[i] = SCRI_IS_GENERAL;
        }
    }
}

scri_sweeping scri_nsgs_bodies_begin(scri_run* run, scri_nsgs_bodies* m)
{
    const scree_problem* problem = run->problem;
    scri_bundles_compute(problem, &m->bundles, run->team);
    scri_relax_begin(run, &m->relax);
    m->update = scri_round_lanes_of(scri_round_lanes_best());
    m->update_solids = scri_solid_lanes_of(scri_round_lanes_best());
    drop_idle_rows(run);
    scri_team_for(run->team, problem->n_contacts, FILL_GRAIN, fill, &(part_work){run, m});
    m->n_odd = 0;
    for (int32_t i = 0; i < problem->n_contacts; ++i) m->n_odd += m->kind[i] >= SCRI_IS_GENERAL;
    restore(run, m);
    return (scri_sweeping){m, sweep, store, restore};
}

static const char* unfit(const scree_env* env, const scree_problem* problem,
                         const scree_solver_def* def, const scri_facts* facts)
{
    (void)env;
    (void)def;
    (void)facts;
    return problem->form == SCREE_FORM_BODIES ? NULL : "the problem has no bodies";
}

static void solve(scri_run* run, scri_bump* bump)
{
    scri_nsgs_bodies method = scri_nsgs_bodies_create(run, bump);
    if (!bump->memory) return;
    scri_sweeping sweeping = scri_nsgs_bodies_begin(run, &method);
    scri_sweeping_run(run, &sweeping);
}

const scri_solver scri_solver_nsgs_bodies = {
    "nsgs-bodies",
    "coloured Gauss-Seidel on rigid bodies, fast for round ones",
    "the bodies form",
    unfit,
    solve,
};
