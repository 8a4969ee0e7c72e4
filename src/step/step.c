/* One trip through the house: free motion, contacts, impulses, certificate, state. */
#include "step/step.h"

#include "base/clock.h"
#include "problem/certificate.h"
#include "step/touch.h"

#include <math.h>

#define POLISH_TOL 1e-15

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

/* Solves the problem at hand; the report adds up over the rounds of one step. */
static scree_status solve_once(scree_world* world, scree_step_report* report)
{
    if (world->contacts.n == 0) {
        report->solve = (scree_report){.outcome = SCREE_OUTCOME_CONVERGED, .solver = "none"};
        return SCREE_OK;
    }
    scree_solver_def def = scree_default_solver_def();
    def.tol = world->def.tol;
    if (world->def.scheme == SCREE_SCHEME_GAP && world->def.overlap > 0.0) {
        def.normal_tol = world->def.overlap / world->def.step;
    }
    def.team = world->team;
    def.max_iter = world->def.max_sweeps;
    def.min_iter = 1; /* a body at rest comes to rest exactly, not only to the tolerance */
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

/* A handful of contacts is brought to rounding: it costs microseconds, and a tolerance relative to
 * the largest impulse says little about a light body below a heavy one. */
static scree_status polish(scree_world* world, scree_step_report* report)
{
    enum { MAX_ROWS = 36 };
    int32_t n_rows = world->contacts.n ? world->contacts.row[world->contacts.n] : 0;
    if (n_rows == 0 || n_rows > MAX_ROWS) return SCREE_OK;
    scree_solver_def def = scree_default_solver_def();
    def.solver = "newton-dense";
    def.tol = POLISH_TOL;
    def.max_iter = 10;
    if (report->solve.residual <= def.tol) return SCREE_OK;
    scree_status status = reserve_work(world, scree_solve_work_size(&world->problem, &def));
    if (status) return status;
    scree_report finer;
    status = scree_solve(&world->problem, &def, world->work, world->contacts.p, &finer);
    report->solve.residual = finer.residual;
    report->solve.iterations += finer.iterations;
    report->solve.time_s += finer.time_s;
    if (finer.outcome == SCREE_OUTCOME_INFEASIBLE) {
        report->solve.outcome = finer.outcome;
    } else if (finer.residual <= world->def.tol) {
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
        status = scri_step_write_contacts(world, touches);
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
    if (t->n > 0) scri_certify(&world->problem, t->p, world->work, &report->certificate);
    for (int32_t c = 0; c < t->n; ++c) {
        const int32_t* shape = t->shape + 2 * (size_t)c;
        double share = -t->gap[c] / scri_pair_size(world, shape[0], shape[1]);
        report->penetration = fmax(report->penetration, -t->gap[c]);
        if (!(share > report->overlap_share)) continue;
        report->overlap_share = share;
        for (int side = 0; side < 2; ++side) {
            report->overlap_body[side] = world->shapes.body[shape[side]];
        }
    }
    report->contact_work = scri_step_contact_work(world);
    report->force_work = scri_step_force_work(world);
}

scree_status scree_world_step(scree_world* world, scree_step_report* report)
{
    if (!world || !report) return SCREE_ERROR_ARGUMENT;
    *report = (scree_step_report){.overlap_body = {-1, -1}};
    const scri_touch* touches;
    double begin = scri_clock_seconds();
    scri_step_free_velocity(world);
    scree_status status = scri_step_find_contacts(world, &touches);
    double found = scri_clock_seconds();
    if (!status) status = solve(world, touches, report);
    if (status) return status;
    double solved = scri_clock_seconds();
    certify(world, report);
    double certified = scri_clock_seconds();
    scri_overlap_find(world, touches, report);
    status = scri_sweep_find(world, touches, report);
    if (status) return status;
    scri_step_move(world);
    scri_overlap_undo(world);
    scri_sweep_stop(world);
    world->steps++;
    world->time = (double)world->steps * world->def.step;
    scri_step_energy(world, &report->kinetic, &report->potential);
    report->time_contacts = found - begin;
    report->time_solve = solved - found;
    report->time_certify = certified - solved;
    report->time_move = scri_clock_seconds() - certified;
    return SCREE_OK;
}
