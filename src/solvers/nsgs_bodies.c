/* Gauss-Seidel on rigid bodies, colour by colour. Contacts of round bodies under the exact law take
 * a kernel of their own; all others are solved as nsgs does. */
#include "solvers/nsgs_bodies.h"

#include "laws/law.h"
#include "problem/bodies_kernel.h"
#include "solvers/coloured.h"
#include "solvers/solver.h"

#include <math.h>

/* Clears impulses of the first guess in channels that cannot carry any: sweeps skip them. */
static void drop_idle_rows(scri_run* run)
{
    const scree_problem* problem = run->problem;
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        if (!scri_law_is(scri_law_of(problem, c), SCREE_LAW_HAS_FRICTION)) continue;
        scri_layout layout = scri_layout_of(problem->rows[c]);
        for (int k = 0; k < SCRI_CHANNELS; ++k) {
            if (problem->coef[3 * (size_t)c + (size_t)k] > 0.0) continue;
            double* p = run->at.p + problem->first_row[c] + layout.first[k];
            for (int i = 0; i < layout.dim[k]; ++i) p[i] = 0.0;
        }
    }
    scri_operator_reset(&run->op, run->at.p);
}

static void store(scri_run* run, void* method)
{
    const scri_nsgs_bodies* m = method;
    const scree_problem* problem = run->problem;
    for (int32_t i = 0; i < problem->n_contacts; ++i) {
        int32_t c = m->colouring.contact[i];
        if (m->round[i].a[0] < 0) continue;
        scri_round_store(problem->rows[c], m->round[i].p, run->at.p + problem->first_row[c]);
    }
}

static void restore(scri_run* run, void* method)
{
    scri_nsgs_bodies* m = method;
    const scree_problem* problem = run->problem;
    for (int32_t i = 0; i < problem->n_contacts; ++i) {
        int32_t c = m->colouring.contact[i];
        m->weight[i] = 1.0 / run->size[c];
        if (m->round[i].a[0] < 0) continue;
        scri_round_load(problem->rows[c], run->at.p + problem->first_row[c], m->round[i].p);
    }
}

static scri_round_ellipses* room_of(const scri_nsgs_bodies* m, int32_t i)
{
    return m->sets ? m->sets + 2 * (size_t)i : NULL;
}

static void work(const scri_coloured* sweep, int32_t first, int32_t last, scri_sweep_size* size)
{
    scri_nsgs_bodies* m = sweep->method;
    scri_round_body* bodies = (scri_round_body*)sweep->run->op.velocity;
    scri_round_size round = {0.0, 0.0};
    double unit = sweep->run->scaling.unit; /* of the kernel's squares in scaled variables */
    *size = (scri_sweep_size){.change = 0.0};
    for (int32_t i = first; i < last; ++i) {
        scri_round_contact* r = &m->round[i];
        double before = size->change + unit * round.change;
        if (m->change[i] < sweep->least) continue;
        scri_round_ellipses* sets = scri_round_sets(room_of(m, i));
        if (r->a[0] < 0) {
            int32_t c = m->colouring.contact[i];
            scri_relax_contact(sweep->run, &m->relax, c, sweep->tolerance, size);
        } else if (r->mu[1] > 0.0 || r->mu[2] > 0.0) {
            scri_round_update(r, sets, 1, bodies, &round);
        } else {
            scri_round_update(r, sets, 0, bodies, &round);
        }
        m->change[i] = (size->change + unit * round.change - before) * m->weight[i];
        size->most = fmax(size->most, m->change[i]);
        size->updates++;
    }
    size->change += unit * round.change;
    size->impulse += unit * round.impulse;
}

static scri_sweep_size sweep(scri_run* run, void* method, int64_t index, double tolerance)
{
    scri_nsgs_bodies* m = method;
    (void)index;
    scri_coloured coloured = {.run = run,
                              .method = m,
                              .start = m->colouring.start,
                              .sizes = m->sizes,
                              .grain = m->n_general > 0 ? 1 : 4,
                              .tolerance = tolerance,
                              .work = work};
    return scri_coloured_sweep(&coloured, run->problem->n_contacts);
}

scri_nsgs_bodies scri_nsgs_bodies_create(const scri_run* run, scri_bump* bump)
{
    size_t n = (size_t)run->problem->n_contacts;
    scri_nsgs_bodies m = {.relax = scri_relax_create(run, bump),
                          .colouring = scri_colouring_create(run->problem, bump)};
    m.round = scri_bump_take_lines(bump, n * sizeof *m.round);
    if (run->problem->set) m.sets = scri_bump_take(bump, 2 * n, sizeof *m.sets);
    m.change = scri_bump_take(bump, n, sizeof *m.change);
    m.weight = scri_bump_take(bump, n, sizeof *m.weight);
    m.sizes = scri_bump_take(bump, scri_coloured_chunks(n), sizeof *m.sizes);
    return m;
}

enum { FILL_GRAIN = 16 };

typedef struct fill_work {
    scri_run* run;
    scri_nsgs_bodies* m;
} fill_work;

static void fill(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const fill_work* work = context;
    scri_nsgs_bodies* m = work->m;
    const scree_problem* problem = work->run->problem;
    (void)worker;
    for (int32_t i = begin; i < end; ++i) {
        int32_t c = m->colouring.contact[i];
        m->round[i].a[0] = -1;
        m->change[i] = 0.0;
        if (scri_round_fits(problem, c)) {
            scri_round_fill(problem, c, &m->round[i], room_of(m, i));
        } else {
            scri_relax_fill(work->run, &m->relax, c);
        }
    }
}

scri_sweeping scri_nsgs_bodies_begin(scri_run* run, scri_nsgs_bodies* m)
{
    const scree_problem* problem = run->problem;
    scri_colouring_compute(problem, &m->colouring, run->team);
    scri_relax_begin(run, &m->relax);
    drop_idle_rows(run);
    scri_team_for(run->team, problem->n_contacts, FILL_GRAIN, fill, &(fill_work){run, m});
    m->n_general = 0;
    for (int32_t i = 0; i < problem->n_contacts; ++i) m->n_general += m->round[i].a[0] < 0;
    restore(run, m);
    return (scri_sweeping){m, sweep, store, restore};
}

static const char* unfit(const scree_problem* problem, const scree_solver_def* def, scri_team* team)
{
    (void)team;
    (void)def;
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
