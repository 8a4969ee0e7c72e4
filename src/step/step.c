/* One trip through the house: free motion, contacts, impulses, certificate, state. */
#include "step/step.h"

#include "base/clock.h"
#include "problem/bodies_kernel.h"
#include "problem/certificate.h"

#include <math.h>

/* Velocities right to this share of their contact's are left as they are; else Newton's method aims
 * for a tenth of it. */
#define AT_ROUNDING 1e-12
#define POLISH_TOL (0.1 * AT_ROUNDING)

/* Speeds of bodies about to rest, in units of what gravity gives in a step. */
#define QUIET 2.0

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

/* What gravity gives in a step, m/s: a unit for velocities that are wrong. */
static double gravity_speed(const scree_world* world)
{
    const double* g = world->def.gravity;
    return world->def.step * sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
}

static scree_solver_def make_def(const scree_world* world)
{
    scree_solver_def def = scree_default_solver_def();
    def.measure = SCREE_MEASURE_LOCAL;
    def.tol = world->def.tol;
    def.speed = gravity_speed(world);
    def.env = &world->def.env;
    if (world->def.scheme == SCREE_SCHEME_GAP && world->def.overlap > 0.0) {
        def.normal_tol = world->def.overlap / world->def.step;
    }
    def.team = world->team;
    def.max_iter = world->def.max_sweeps;
    def.min_iter = 1; /* a body at rest comes to rest exactly, not only to the tolerance */
    def.give = world->contacts.give;
    return def;
}

/* The problem at hand with what has given way. */
static scree_problem relaxed_problem(const scree_world* world)
{
    const scri_contacts_table* t = &world->contacts;
    scree_problem relaxed = world->problem;
    for (int32_t i = 0; i < t->row[t->n]; ++i) t->relaxed[i] = t->q[i] + t->give[i];
    relaxed.q = t->relaxed;
    return relaxed;
}

/* Solves the problem at hand; the report adds up over the rounds of one step. */
static scree_status solve_once(scree_world* world, scree_step_report* report)
{
    if (world->contacts.n == 0) {
        report->solve = (scree_report){.outcome = SCREE_OUTCOME_CONVERGED, .solver = "none"};
        return SCREE_OK;
    }
    scree_solver_def def = make_def(world);
    size_t size = scree_solve_work_size(&world->problem, &def);
    size_t certify_size = scri_certify_work_size(&world->problem);
    scree_status status = reserve_work(world, size > certify_size ? size : certify_size);
    if (status) return status;
    scree_report before = report->solve;
    status = scree_solve(&world->problem, &def, world->work, world->contacts.p, &report->solve);
    report->solve.iterations += before.iterations;
    report->solve.time_s += before.time_s;
    report->solve.updates += before.updates;
    report->solve.fail_safe += before.fail_safe;
    return status;
}

/* One more solve of the problem at hand from the impulses found, by a method that goes to rounding.
 * Its result is taken when it is the better one. */
static scree_status refine(scree_world* world, const char* solver, int64_t iterations,
                           scree_step_report* report)
{
    scree_solver_def def = make_def(world);
    def.solver = solver;
    def.tol = POLISH_TOL;
    def.normal_tol = scree_default_solver_def().normal_tol;
    def.max_iter = iterations;
    def.min_iter = 0;
    def.give = NULL;
    if (report->solve.residual <= AT_ROUNDING) return SCREE_OK;
    scree_status status = reserve_work(world, scree_solve_work_size(&world->problem, &def));
    if (status) return status;
    scree_report finer;
    scree_problem relaxed = relaxed_problem(world);
    status = scree_solve(&relaxed, &def, world->work, world->contacts.p, &finer);
    report->solve.residual = finer.residual;
    report->solve.iterations += finer.iterations;
    report->solve.time_s += finer.time_s;
    int gave_way = report->solve.outcome == SCREE_OUTCOME_INFEASIBLE;
    if (!gave_way && finer.residual <= world->def.tol) {
        report->solve.outcome = SCREE_OUTCOME_CONVERGED;
    }
    return status;
}

/* Whether all bodies that touch something are about to rest: slower than gravity makes them in a
 * step or two. */
static int is_quiet(scree_world* world)
{
    const scri_contacts_table* t = &world->contacts;
    const scri_bodies_table* b = &world->bodies;
    double limit = QUIET * gravity_speed(world);
    scri_step_apply(world);
    for (size_t i = 0; i < 2 * (size_t)t->n; ++i) {
        size_t body = (size_t)t->pair[i];
        const double* next = b->next + SCRI_BODY_STRIDE * body;
        if (b->inv_mass[body] > 0.0 && !(scri_dot3(next, next) <= limit * limit)) return 0;
    }
    return 1;
}

/* What a step leaves unsolved comes back in the next one, as velocity and as gap, in motions that
 * sweeps hardly damp: solved to the tolerance alone, a stack never stops. Bodies about to rest are
 * therefore solved to rounding, which sets them at rest; from then on every step begins with its
 * solution. A handful of contacts always is: it costs microseconds. */
static scree_status polish(scree_world* world, scree_step_report* report)
{
    enum { FEW_ROWS = 36, MOST_ROWS = 12000, NEWTON_STEPS = 30, INTERIOR_STEPS = 60 };
    int32_t n_rows = world->contacts.n ? world->contacts.row[world->contacts.n] : 0;
    if (n_rows == 0 || n_rows > MOST_ROWS || report->solve.residual <= AT_ROUNDING) return SCREE_OK;
    if (n_rows <= FEW_ROWS) return refine(world, "newton-dense", 10, report);
    if (!is_quiet(world)) return SCREE_OK;
    scree_status status = refine(world, "newton-prox", NEWTON_STEPS, report);
    if (!status) status = refine(world, "interior", INTERIOR_STEPS, report);
    return status ? status : refine(world, "newton-prox", NEWTON_STEPS, report);
}

/* Impulses and new velocities. Touches that were left out but close are rare; the first rounds find
 * nearly all of them, the last one takes in whatever is within reach. */
static scree_status solve(scree_world* world, const scri_touch* touches, scree_step_report* report)
{
    enum { ROUNDS = 4 };
    scree_status status = solve_once(world, report);
    if (!status) status = polish(world, report);
    for (int round = 1; !status; ++round) {
        scri_step_apply(world);
        if (round == ROUNDS || scri_select_missed(world, touches, round + 1 == ROUNDS) == 0) break;
        scri_step_swap_contacts(world);
        status = scri_step_write_contacts(world, touches, 1);
        if (!status) status = solve_once(world, report);
        if (!status) status = polish(world, report);
    }
    return status;
}

static void certify(scree_world* world, scree_step_report* report)
{
    const scri_contacts_table* t = &world->contacts;
    report->n_contacts = t->n;
    report->certificate = (scree_certificate){.worst_contact = -1};
    if (t->n > 0) {
        scree_problem relaxed = relaxed_problem(world);
        scri_certify(&relaxed, t->p, gravity_speed(world), world->work, &report->certificate);
    }
    report->approach =
        fmax(report->certificate.normal_violation, report->solve.infeasible.approach);
    for (int32_t c = 0; c < t->n; ++c) {
        report->penetration = fmax(report->penetration, -t->gap[c]);
    }
    report->contact_work = scri_step_contact_work(world);
    report->force_work = scri_step_force_work(world);
}

scree_status scree_world_step(scree_world* world, scree_step_report* report)
{
    if (!world || !report) return SCREE_ERROR_ARGUMENT;
    *report = (scree_step_report){.n_contacts = 0};
    const scri_touch* touches;
    const scree_env* env = &world->def.env;
    double begin = scri_clock_seconds(env);
    scri_step_begin(world);
    scri_step_free_velocity(world);
    scree_status status = scri_step_find_contacts(world, &touches);
    double found = scri_clock_seconds(env);
    if (!status) status = solve(world, touches, report);
    if (status) {
        scri_step_undo(world);
        return status;
    }
    double solved = scri_clock_seconds(env);
    certify(world, report);
    double certified = scri_clock_seconds(env);
    scri_step_move(world);
    world->steps++;
    world->time = (double)world->steps * world->def.step;
    scri_step_energy(world, &report->kinetic, &report->potential);
    report->time_contacts = found - begin;
    report->time_solve = solved - found;
    report->time_certify = certified - solved;
    report->time_move = scri_clock_seconds(env) - certified;
    return SCREE_OK;
}
