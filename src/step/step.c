/* One trip through the house: free motion, contacts, impulses, certificate, state. */
#include "step/step.h"

#include "base/clock.h"
#include "base/fill.h"
#include "base/groups.h"
#include "problem/certificate.h"
#include "step/islands.h"
#include "step/joints.h"
#include "step/rest.h"

#include <math.h>

#define NO_LIMIT 1e30 /* s */

scree_solver_def scri_step_solver(const scree_world* world)
{
    scree_solver_def def = world->def.solver;
    def.speed = scri_step_least_speed(world);
    def.give = NULL;
    if (world->def.scheme == SCREE_SCHEME_GAP && world->def.overlap > 0.0) {
        def.normal_tol = fmin(def.normal_tol, world->def.overlap / world->def.step);
    }
    if (def.max_time < NO_LIMIT) {
        double now = scri_clock_seconds(scri_pool_env(world->pool)); /* any worker may ask */
        def.max_time = fmax(world->solve_until - now, 0.0);
    }
    return def;
}

/* Impulses and new velocities. Touches that were left out but close are rare; the first rounds find
 * nearly all of them. */
static scree_status solve(scree_world* world, const scri_touch* touches, scree_step_report* report)
{
    scree_status status = scri_step_solve(world, 0, report);
    for (int round = 1; !status; ++round) {
        int32_t missed;
        scri_step_apply(world);
        status = scri_select_missed(world, touches, round, &missed);
        if (status || missed == 0) break;
        scri_step_swap_contacts(world);
        status = scri_step_write_contacts(world, touches, 1);
        if (!status) status = scri_step_solve(world, 1, report);
    }
    return status;
}

/* Which zero fmax() takes of 0 and -0 is left to the C library. */
static double deepest(const void* context, int32_t begin, int32_t end)
{
    const scri_contacts_table* t = context;
    double most = 0.0;
    for (int32_t c = begin; c < end; ++c) {
        if (-t->gap[c] > most) most = -t->gap[c];
    }
    return most;
}

/* Whoever found the impulses: contacts that approach faster than they may are not solved. */
static void judge_approach(const scree_world* world, scree_report* solve)
{
    const double rounding = 1e-9;
    double most = scri_step_solver(world).normal_tol;
    if (world->certificate.normal_violation <= (1.0 + rounding) * most) return;
    if (solve->outcome == SCREE_OUTCOME_CONVERGED) solve->outcome = SCREE_OUTCOME_STALLED;
}

static void certify(scree_world* world, scree_step_report* report)
{
    enum { GRAIN = 2048 }; /* gaps that are worth handing to another worker */
    const scri_contacts_table* t = &world->contacts;
    scree_certificate* judged = &world->certificate; /* that of the last step, where it stays */
    report->n_contacts = world->n_touching;
    if (t->n == 0) {
        *judged = (scree_certificate){.worst_contact = -1, .local_contact = -1};
    } else if (!world->is_unchanged) {
        scree_problem relaxed = scri_step_relaxed(world);
        scri_certify(&relaxed, t->p, world->def.solver.measure, scri_step_least_speed(world),
                     &world->shares, world->desk.work, judged);
    }
    int32_t worst = judged->local_contact;
    report->worst_body = worst >= 0 ? scri_islands_body(world, t->part[worst]) : -1;
    report->approach = fmax(judged->normal_violation, report->solve.infeasible.approach);
    report->penetration = scri_groups_most(world->team, world->n_touching, GRAIN, deepest, t);
    double rest = scri_rest_most(world);
    if (rest > judged->local) judged->local = rest; /* NaN stays NaN */
    report->contact_work += scri_step_contact_work(world) + scri_rest_work(world);
    if (!world->is_unchanged) scri_step_soft_sliding(world, &judged->dissipation[0]);
    report->certificate = *judged;
    judge_approach(world, &report->solve);
    scri_step_note_slip(world);
    report->force_work += scri_step_force_work(world);
}

/* The first body that gravity moves by more than its radius, g h^2, before a step can see it: it
 * may pass what it should have met. Looked for once after bodies have come, said once per world. */
static void judge_step(scree_world* world)
{
    const scri_shapes_table* t = &world->shapes;
    double fall = world->def.step * scri_step_gravity_speed(world), radius = 0.0;
    world->is_unjudged = 0;
    for (int32_t i = 0; i < t->n; ++i) {
        int is_first = i == 0 || t->body[i] != t->body[i - 1];
        int is_last = i + 1 == t->n || t->body[i] != t->body[i + 1];
        radius = fmax(is_first ? 0.0 : radius, scri_sweep_radius(t, i));
        if (!is_last || !t->responds[i] || fall <= radius) continue;
        world->was_warned = 1;
        scri_warn(
            &world->env,
            "a step of %g s is too long: gravity moves body %d by %.3g m in it, and its radius "
            "is %.3g m",
            world->def.step, (int)t->body[i], fall, radius);
        return;
    }
}

static scree_status step(scree_world* world, scree_step_report* report)
{
    const scri_touch* touches = NULL;
    world->contacts_are_known = 0;
    const scree_env* env = &world->env;
    double begin = scri_clock_seconds(env);
    scree_status status = scri_step_begin(world, report);
    if (!status) {
        scri_step_forces(world);
        scri_sweep_slow(world, 0.5 * world->def.step, report);
        scri_step_free_velocity(world);
        status = scri_step_find_contacts(world, &touches);
    }
    double found = scri_clock_seconds(env);
    world->solve_until = found + world->def.solver.max_time;
    if (!status) status = solve(world, touches, report);
    double solved = scri_clock_seconds(env);
    if (!status) {
        certify(world, report);
        scri_joints_take(world);
        status = scri_overlap_find(world, touches);
    }
    if (!status) scri_overlap_account(world, touches, report);
    double certified = scri_clock_seconds(env);
    if (!status) status = scri_sweep_second(world, touches, report);
    if (status) {
        scri_step_undo(world);
        return status;
    }
    scri_step_move(world);
    scri_overlap_undo(world);
    scri_sweep_slow(world, 0.0, report);
    scri_step_drop_loads(world);
    scri_joints_end(world, report);
    world->contacts_are_known = 1;
    world->steps++;
    world->time = (double)world->steps * world->def.step;
    scri_step_energy(world, &report->kinetic, &report->potential);
    report->time_contacts = found - begin;
    report->time_solve = solved - found;
    report->time_certify = certified - solved;
    report->time_move = scri_clock_seconds(env) - certified;
    return SCREE_OK;
}

scree_status scree_world_make_step(scree_world* world, scree_step_report* report)
{
    if (!world) return SCREE_ERROR_ARGUMENT;
    scree_step_report whole = {.struct_size = sizeof whole, .overlap_body = {-1, -1}};
    if (world->is_unjudged) judge_step(world);
    scree_status status = step(world, &whole);
    if (report) scri_fill(report, report->struct_size, &whole, sizeof whole);
    return status;
}
