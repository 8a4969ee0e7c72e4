/* The impulses of a step.
 *
 * What a step leaves unsolved comes back in the next one, as velocity and as gap, in motions that
 * sweeps hardly damp: solved to the tolerance alone, a stack of boxes never stops. Bodies about to
 * rest are therefore solved to rounding, and set at rest where the law allows it: from then on
 * every step begins with its solution. A handful of contacts always is: it costs microseconds.
 *
 * Under Coulomb's law rest and motion may both be solutions. Under its convex relaxation velocities
 * are unique, and where they vanish the two laws agree: rest is looked for by that. */
#include "solvers/solve.h"

#include "laws/law.h"
#include "problem/bodies_kernel.h"
#include "problem/certificate.h"
#include "solvers/newton_system.h"
#include "step/step.h"

#include <math.h>
#include <string.h>

/* Velocities right to this share of their contact's are left as they are; else Newton's method aims
 * for a tenth of it. */
#define AT_ROUNDING 1e-12
#define POLISH_TOL (0.1 * AT_ROUNDING)

/* Speeds of bodies about to rest, and of bodies at rest but for rounding, in units of what gravity
 * gives in a step. */
#define QUIET 2.0
#define AT_REST 1e-6

enum { FEW_ROWS = 36, MOST_ROWS = 60000, NEWTON_STEPS = 30, INTERIOR_STEPS = 60 };

static scree_status reserve_work(scree_world* world, size_t size)
{
    const scree_env* env = &world->def.env;
    if (size <= world->work_size) return SCREE_OK;
    size += size / 2;
    scri_release(env, world->work);
    world->work = scri_alloc(env, size);
    world->work_size = world->work ? size : 0;
    return world->work ? SCREE_OK : scri_fail(env, SCREE_ERROR_MEMORY, "out of memory for a step");
}

double scri_step_gravity_speed(const scree_world* world)
{
    const double* g = world->def.gravity;
    return world->def.step * sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
}

static scree_solver_def make_def(const scree_world* world)
{
    scree_solver_def def = scri_step_solver(world);
    def.give = world->contacts.give;
    return def;
}

scree_problem scri_step_relaxed(const scree_world* world)
{
    const scri_contacts_table* t = &world->contacts;
    scree_problem relaxed = world->problem;
    for (int32_t i = 0; i < t->row[t->n]; ++i) t->relaxed[i] = t->q[i] + t->give[i];
    relaxed.q = t->relaxed;
    return relaxed;
}

/* Solves the problem at hand to the tolerance; the report adds up over the rounds of one step. */
static scree_status sweep(scree_world* world, scree_step_report* report)
{
    scree_solver_def def = make_def(world);
    size_t size = scree_solve_work_size(&world->problem, &def);
    size_t certify_size = scri_certify_work_size(&world->problem);
    scree_status status = reserve_work(world, size > certify_size ? size : certify_size);
    if (status) return status;
    scree_report before = report->solve;
    status = scri_solve(&world->problem, &def, world->team, world->work, world->contacts.p,
                        &report->solve);
    report->solve.iterations += before.iterations;
    report->solve.time_s += before.time_s;
    report->solve.updates += before.updates;
    report->solve.fail_safe += before.fail_safe;
    return status;
}

/* One more solve of `problem` from the impulses at hand, by a method that goes to rounding; by
 * sweeps where it does not fit the laws of this world. */
static scree_status refine(scree_world* world, const scree_problem* problem, const char* solver,
                           int64_t iterations, scree_report* report)
{
    scree_solver_def def = make_def(world);
    def.solver = solver;
    def.tol = POLISH_TOL;
    def.normal_tol = scree_default_solver_def().normal_tol;
    def.max_iter = iterations;
    def.min_iter = 0;
    def.give = NULL;
    if (scree_solver_unfit(problem, &def)) def.solver = "nsgs";
    scree_status status = reserve_work(world, scree_solve_work_size(problem, &def));
    if (status) return status;
    scree_report finer;
    status = scri_solve(problem, &def, world->team, world->work, world->contacts.p, &finer);
    report->residual = finer.residual;
    report->iterations += finer.iterations;
    report->time_s += finer.time_s;
    return status;
}

/* Whether all bodies that touch something are slower than `limit` with the impulses at hand. */
static int are_slow(scree_world* world, double limit)
{
    const scri_contacts_table* t = &world->contacts;
    const scri_bodies_table* b = &world->bodies;
    scri_step_apply(world);
    for (size_t i = 0; i < 2 * (size_t)t->n; ++i) {
        size_t body = (size_t)t->pair[i];
        const double* next = b->next + SCRI_BODY_STRIDE * body;
        if (b->inv_mass[body] > 0.0 && !(scri_dot3(next, next) <= limit * limit)) return 0;
    }
    return 1;
}

/* Looks for rest by the convex relaxation of the law; where there is none the impulses stay as they
 * are. */
static scree_status try_rest(scree_world* world, const scree_problem* problem, scree_report* report)
{
    scri_contacts_table* t = &world->contacts;
    size_t bytes = (size_t)t->row[t->n] * sizeof *t->p;
    for (int32_t c = 0; c < t->n; ++c) {
        int relaxed = scri_law_relaxed(t->law[c]);
        if (relaxed < 0) return SCREE_OK;
        t->tried[c] = (uint8_t)relaxed;
    }
    scree_problem convex = *problem;
    convex.law = t->tried;
    scree_report found = *report;
    memcpy(t->kept, t->p, bytes);
    scree_status status = refine(world, &convex, "interior", INTERIOR_STEPS, &found);
    int rests = !status && are_slow(world, AT_REST * scri_step_gravity_speed(world));
    if (rests) status = refine(world, problem, "newton-prox", NEWTON_STEPS, &found);
    if (rests && !status && found.residual < report->residual) {
        *report = found;
    } else {
        memcpy(t->p, t->kept, bytes);
        report->iterations = found.iterations;
        report->time_s = found.time_s;
    }
    return status;
}

/* To rounding, by one method after the other. Large problems are tried now and then. */
static scree_status polish(scree_world* world, scree_report* report)
{
    int32_t n_rows = world->contacts.row[world->contacts.n];
    scree_problem problem = scri_step_relaxed(world);
    if (n_rows > MOST_ROWS || report->residual <= AT_ROUNDING) return SCREE_OK;
    if (!scri_newton_system_fits(&world->def.env, &problem)) return SCREE_OK;
    if (world->steps % (1 + n_rows / 20) != 0) return SCREE_OK;
    int is_quiet = are_slow(world, QUIET * scri_step_gravity_speed(world));
    if (!is_quiet && n_rows > FEW_ROWS) return SCREE_OK;
    static const struct {
        const char* solver;
        int64_t iterations;
    } methods[] = {
        {"newton-prox", NEWTON_STEPS}, {"interior", INTERIOR_STEPS}, {"newton-prox", NEWTON_STEPS}};
    scree_status status = is_quiet ? try_rest(world, &problem, report) : SCREE_OK;
    if (!status && n_rows <= FEW_ROWS && report->residual > AT_ROUNDING) {
        return refine(world, &problem, "newton-dense", 10, report);
    }
    for (size_t i = 0; i < sizeof methods / sizeof *methods && !status; ++i) {
        if (report->residual <= AT_ROUNDING) break;
        status = refine(world, &problem, methods[i].solver, methods[i].iterations, report);
    }
    return status;
}

scree_status scri_step_solve(scree_world* world, scree_step_report* report)
{
    scree_report* solve = &report->solve;
    if (world->contacts.n == 0) {
        *solve = (scree_report){.outcome = SCREE_OUTCOME_CONVERGED, .solver = "none"};
        return SCREE_OK;
    }
    scree_status status = sweep(world, report);
    if (!status) status = polish(world, solve);
    if (solve->outcome != SCREE_OUTCOME_INFEASIBLE && solve->residual <= world->def.solver.tol) {
        solve->outcome = SCREE_OUTCOME_CONVERGED;
    }
    return status;
}
