/* Gauss-Seidel with Anderson acceleration: what the last sweeps did is combined so that the next
 * one changes as little as possible, in scaled variables; the combination is projected onto the
 * cones before the next sweep starts from it. */
#include "math/anderson.h"
#include "solvers/accelerated.h"
#include "solvers/nsgs.h"
#include "solvers/nsgs_bodies.h"
#include "solvers/solver.h"

typedef struct nsgs_aa {
    scri_sweeping plain;
    scri_anderson history;
    double* start; /* [n_rows] where the last sweep began */
} nsgs_aa;

/* Goes on from `p`. */
static void move_to(scri_run* run, const nsgs_aa* m, const double* p)
{
    scri_team_copy(run->team, run->at.p, p, (size_t)run->at.n_rows * sizeof *p);
    scri_operator_reset(&run->op, run->at.p);
    if (m->plain.restore) m->plain.restore(run, m->plain.method);
}

typedef struct projection {
    const scri_run* run;
    double* p;
} projection;

/* Onto the cones in scaled variables, where forces and moments are of one kind. */
static void project(void* context, int32_t first, int32_t last, int32_t worker)
{
    const projection* to = context;
    const scree_problem* problem = to->run->problem;
    const scri_scaling* scaling = &to->run->scaling;
    double* p = to->p;
    (void)worker;
    for (int32_t c = first; c < last; ++c) {
        int32_t row = problem->first_row[c], end = problem->first_row[c + 1];
        scri_terms terms = scri_terms_of(problem, c, scaling->coef);
        for (int32_t i = row; i < end; ++i) p[i] *= scaling->unit * scaling->scale[i];
        scri_law_of(problem, c)->project(terms, p + row);
        for (int32_t i = row; i < end; ++i) p[i] /= scaling->unit * scaling->scale[i];
    }
}

static double mix(scri_run* run, void* method)
{
    nsgs_aa* m = method;
    (void)run;
    return scri_anderson_mix(&m->history, m->start);
}

static void go_on(scri_run* run, void* method)
{
    enum { GRAIN = 64 };
    nsgs_aa* m = method;
    projection to = {run, m->start};
    scri_team_for(run->team, run->problem->n_contacts, GRAIN, project, &to);
    move_to(run, m, m->start);
}

static void go_back(scri_run* run, void* method)
{
    nsgs_aa* m = method;
    move_to(run, m, m->history.image);
}

static void begin(scri_run* run, void* method)
{
    nsgs_aa* m = method;
    scri_team_copy(run->team, m->start, run->at.p, (size_t)run->at.n_rows * sizeof *m->start);
}

static void take(scri_run* run, void* method)
{
    nsgs_aa* m = method;
    if (m->plain.store) m->plain.store(run, m->plain.method);
    scri_anderson_take(&m->history, m->start, run->at.p);
}

/* A combination of sweeps makes sense when each is the same map. */
static const char* unfit(const scree_env* env, const scree_problem* problem,
                         const scree_solver_def* def, const scri_facts* facts)
{
    (void)env;
    (void)facts;
    int changes = problem->form != SCREE_FORM_BODIES && def->sweep == SCREE_SWEEP_SHUFFLED;
    return changes ? "shuffled sweeps cannot be combined" : NULL;
}

/* A combination costs half of a sweep over contacts of boxes: one of every second is as good at a
 * loose tolerance (640 hulls that pile up: as many updates, 13 % less time; one of every third: 20
 * % more updates). */
static int sweeps_per_step(const scri_run* run)
{
    int is_loose = scri_run_is_local(run) && run->def->tol >= 1e-5;
    return run->facts.n_odd > 0 && is_loose ? 2 : 1;
}

static void solve(scri_run* run, scri_bump* bump)
{
    int bodies = run->problem->form == SCREE_FORM_BODIES;
    scri_nsgs nsgs = {.order = NULL};
    scri_nsgs_bodies nsgs_bodies = {.round = NULL};
    if (bodies) {
        nsgs_bodies = scri_nsgs_bodies_create(run, bump);
    } else {
        nsgs = scri_nsgs_create(run, bump);
    }
    nsgs_aa m = {.history =
                     scri_anderson_create(run->team, run->at.n_rows, run->scaling.scale, bump)};
    m.start = scri_bump_take(bump, (size_t)run->at.n_rows, sizeof *m.start);
    if (!bump->memory) return;
    m.plain = bodies ? scri_nsgs_bodies_begin(run, &nsgs_bodies) : scri_nsgs_begin(run, &nsgs);
    scri_accelerated sweeps = {.plain = m.plain,
                               .products = &m.history.products,
                               .history = &m,
                               .mix = mix,
                               .go_on = go_on,
                               .go_back = go_back,
                               .begin = begin,
                               .take = take,
                               .sweeps_per_step = sweeps_per_step(run)};
    scri_sweeping_run(run, &(scri_sweeping){.method = &sweeps, .sweep = scri_accelerated_sweep});
}

const scri_solver scri_solver_nsgs_aa = {
    "nsgs-aa",
    "nsgs, or nsgs-bodies for bodies, with safeguarded Anderson acceleration",
    "everything but shuffled sweeps",
    unfit,
    solve,
};
