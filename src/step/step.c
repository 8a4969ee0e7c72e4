/* One trip through the house: free motion, contacts, impulses, certificate, state. */
#include "step/step.h"

#include "base/clock.h"
#include "problem/certificate.h"

#include <math.h>

/* A velocity that is right to this share of its contact's, in a few steps of Newton's method. */
#define POLISH_TOL 1e-13

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

/* A handful of contacts is brought to rounding: it costs microseconds, and makes rest exact. */
static scree_status polish(scree_world* world, scree_step_report* report)
{
    enum { MAX_ROWS = 36 };
    int32_t n_rows = world->contacts.n ? world->contacts.row[world->contacts.n] : 0;
    if (n_rows == 0 || n_rows > MAX_ROWS) return SCREE_OK;
    scree_solver_def def = make_def(world);
    def.solver = "newton-dense";
    def.tol = POLISH_TOL;
    def.normal_tol = scree_default_solver_def().normal_tol;
    def.max_iter = 10;
    def.min_iter = 0;
    def.give = NULL;
    if (report->solve.residual <= def.tol) return SCREE_OK;
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
