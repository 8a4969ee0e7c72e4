/* One trip through the house: free motion, contacts, impulses, certificate, state. */
#include "step/step.h"

#include "base/clock.h"
#include "problem/certificate.h"
#include "step/islands.h"

#include <math.h>

/* Impulses and new velocities. Touches that were left out but close are rare; the first rounds find
 * nearly all of them, the last one takes in whatever is within reach. */
static scree_status solve(scree_world* world, const scri_touch* touches, scree_step_report* report)
{
    enum { ROUNDS = 4 };
    scree_status status = scri_step_solve(world, 0, report);
    for (int round = 1; !status; ++round) {
        scri_step_apply(world);
        if (round == ROUNDS || scri_select_missed(world, touches, round + 1 == ROUNDS) == 0) break;
        scri_step_swap_contacts(world);
        status = scri_step_write_contacts(world, touches, 1);
        if (!status) status = scri_step_solve(world, 1, report);
    }
    return status;
}

static void certify(scree_world* world, scree_step_report* report)
{
    const scri_contacts_table* t = &world->contacts;
    report->n_contacts = t->n;
    report->certificate = (scree_certificate){.worst_contact = -1, .local_contact = -1};
    if (world->is_unchanged) {
        report->certificate = world->certificate;
    } else if (t->n > 0) {
        scree_problem relaxed = scri_step_relaxed(world);
        scri_certify(&relaxed, t->p, scri_step_gravity_speed(world), world->work,
                     &report->certificate);
    }
    world->certificate = report->certificate;
    int32_t worst = report->certificate.local_contact;
    report->worst_body = worst >= 0 && t->n > 0 ? scri_islands_body(world, t->part[worst]) : -1;
    report->approach =
        fmax(report->certificate.normal_violation, report->solve.infeasible.approach);
    for (int32_t c = 0; c < t->n; ++c) {
        report->penetration = fmax(report->penetration, -t->gap[c]);
    }
    report->contact_work += scri_step_contact_work(world);
    report->force_work += scri_step_force_work(world);
}

scree_status scree_world_step(scree_world* world, scree_step_report* report)
{
    if (!world || !report) return SCREE_ERROR_ARGUMENT;
    *report = (scree_step_report){.overlap_body = {-1, -1}};
    const scri_touch* touches = NULL;
    const scree_env* env = &world->def.env;
    double begin = scri_clock_seconds(env);
    scree_status status = scri_step_begin(world, report);
    if (!status) {
        scri_step_forces(world);
        scri_sweep_slow(world, 0.5 * world->def.step, report);
        scri_step_free_velocity(world);
        status = scri_step_find_contacts(world, &touches);
    }
    double found = scri_clock_seconds(env);
    if (!status) status = solve(world, touches, report);
    double solved = scri_clock_seconds(env);
    if (!status) {
        certify(world, report);
        scri_overlap_find(world, touches, report);
    }
    double certified = scri_clock_seconds(env);
    if (!status) status = scri_sweep_second(world, touches, report);
    if (status) {
        scri_step_undo(world);
        return status;
    }
    scri_step_move(world);
    scri_overlap_undo(world);
    scri_sweep_slow(world, 0.0, report);
    world->steps++;
    world->time = (double)world->steps * world->def.step;
    scri_step_energy(world, &report->kinetic, &report->potential);
    report->time_contacts = found - begin;
    report->time_solve = solved - found;
    report->time_certify = certified - solved;
    report->time_move = scri_clock_seconds(env) - certified;
    return SCREE_OK;
}
