/* One trip through the house: free motion, contacts, impulses, certificate, state. */
#include "step/step.h"

#include "base/clock.h"
#include "problem/certificate.h"

#include <math.h>

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

static scree_status solve(scree_world* world, scree_step_report* report)
{
    if (world->contacts.n == 0) {
        report->solve = (scree_report){.outcome = SCREE_OUTCOME_CONVERGED, .solver = "none"};
        report->certificate = (scree_certificate){.worst_contact = -1};
        return SCREE_OK;
    }
    scree_solver_def def = scree_default_solver_def();
    def.solver = "nsgs-bodies";
    def.tol = world->def.tol;
    def.team = world->team;
    def.max_iter = world->def.max_sweeps;
    def.min_iter = 1; /* a body at rest comes to rest exactly, not only to the tolerance */
    size_t size = scree_solve_work_size(&world->problem, &def);
    size_t certify_size = scri_certify_work_size(&world->problem);
    scree_status status = reserve_work(world, size > certify_size ? size : certify_size);
    if (status) return status;
    status = scree_solve(&world->problem, &def, world->work, world->contacts.p, &report->solve);
    if (status) return status;
    double solved = scri_clock_seconds();
    scri_certify(&world->problem, world->contacts.p, world->work, &report->certificate);
    report->time_certify = scri_clock_seconds() - solved;
    return SCREE_OK;
}

scree_status scree_world_step(scree_world* world, scree_step_report* report)
{
    if (!world || !report) return SCREE_ERROR_ARGUMENT;
    *report = (scree_step_report){.n_contacts = 0};
    double begin = scri_clock_seconds();
    scri_step_free_velocity(world);
    scree_status status = scri_step_find_contacts(world);
    double found = scri_clock_seconds();
    if (!status) status = solve(world, report);
    if (status) return status;
    double solved = scri_clock_seconds();
    report->n_contacts = world->contacts.n;
    for (int32_t c = 0; c < world->contacts.n; ++c) {
        report->penetration = fmax(report->penetration, -world->contacts.gap[c]);
    }
    scri_step_apply(world);
    report->contact_work = scri_step_contact_work(world);
    report->force_work = scri_step_force_work(world);
    scri_step_move(world);
    world->steps++;
    world->time = (double)world->steps * world->def.step;
    scri_step_energy(world, &report->kinetic, &report->potential);
    report->time_contacts = found - begin;
    report->time_solve = solved - found - report->time_certify;
    report->time_move = scri_clock_seconds() - solved;
    return SCREE_OK;
}
