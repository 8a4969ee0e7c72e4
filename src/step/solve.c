/* The impulses of a step, part by part. */
#include "base/arena.h"
#include "problem/certificate.h"
#include "step/beside.h"
#include "step/joints.h"
#include "step/part.h"
#include "step/rest.h"
#include "step/step.h"

#include <math.h>
#include <string.h>

double scri_step_gravity_speed(const scree_world* world)
{
    const double* g = world->def.gravity;
    return world->def.step * sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
}

/* Share of the speed of joined bodies that is no measure any more: where nothing but rounding is
 * left of the free velocities of a loop, there is no other. */
#define OF_JOINED 1e-9

double scri_step_least_speed(const scree_world* world)
{
    return fmax(scri_step_gravity_speed(world), OF_JOINED * world->joint_system.fastest);
}

scree_problem scri_step_relaxed(const scree_world* world)
{
    return scri_part_relaxed(world->team, &world->problem, &world->contacts);
}

/* ---- parts with joints ------------------------------------------------------------------------
 */

/* A part with joints: its equations directly, and the rest with them where it is not right then. */
static scree_status solve_joints(scree_world* world, const scri_part* part, scree_report* report,
                                 int* is_right)
{
    scree_report found = *report;
    scree_status status = scri_joints_solve(world, part, 1, &found);
    report->solver = "direct";
    for (int k = 0; k < 2 && !status; ++k) {
        scree_problem relaxed =
            scri_part_relaxed(part->desk->team, &part->problem, &part->contacts);
        report->residual = scri_part_look(world, part, &relaxed);
        scri_islands_hand_back(world, part);
        *is_right = scri_part_is_settled(world, part, report->residual);
        if (*is_right || k == 1 || !scri_joints_are_few(part)) break;
        status = scri_joints_solve(world, part, 0, &found);
        found.residual = report->residual;
        *report = found;
    }
    *is_right |= report->residual <= world->def.solver.tol;
    return status;
}

/* Sweeps go on from a direct answer that misses the tolerance, as the rounding of a redundant loop
 * may; what is worse afterwards is taken back. */
static scree_status improve(scree_world* world, const scri_part* part, scree_report* report)
{
    const scree_env* env = scri_pool_env(world->pool);
    const scri_contacts_table* t = &part->contacts;
    size_t n = (size_t)t->first_row[t->n];
    scri_arena* arena = scri_arena_create(env);
    double* kept = arena ? scri_arena_take(arena, 2 * n + 1, sizeof *kept) : NULL;
    double direct = report->residual;
    scree_status status = SCREE_ERROR_MEMORY;
    if (kept) {
        memcpy(kept, t->p, n * sizeof *kept);
        memcpy(kept + n, t->give, n * sizeof *kept);
        status = scri_part_solve(world, part, report);
    } else {
        scri_fail(env, status, "out of memory for joints");
    }
    if (!status && !(report->residual <= direct)) {
        memcpy(t->p, kept, n * sizeof *kept);
        memcpy(t->give, kept + n, n * sizeof *kept);
        report->residual = direct;
        report->solver = "direct";
        report->outcome = SCREE_OUTCOME_STALLED;
        report->infeasible = (scree_infeasibility){0};
    }
    scri_arena_destroy(arena);
    return status;
}

/* ---- all parts ------------------------------------------------------------------------------- */

static int severity(scree_outcome outcome)
{
    return outcome == SCREE_OUTCOME_CONVERGED ? 0 : outcome == SCREE_OUTCOME_INFEASIBLE ? 2 : 1;
}

/* Adds how a part ended to the report of all parts, which takes its method from the worst. */
static void add_part(const scree_report* one, scree_report* all)
{
    scree_infeasibility *sum = &all->infeasible, more = one->infeasible;
    double before = all->residual;
    int is_worse = severity(one->outcome) > severity(all->outcome);
    is_worse |= one->outcome == all->outcome && !(one->residual <= before);
    if (is_worse) {
        all->outcome = one->outcome;
        all->solver = one->solver;
        all->n_stages = one->n_stages;
    }
    all->residual = isnan(before) || one->residual <= before ? before : one->residual;
    if (one->iterations > all->iterations) all->iterations = one->iterations;
    all->time_s += one->time_s;
    all->updates += one->updates;
    all->fail_safe += one->fail_safe;
    if (more.n_contacts == 0) return;
    sum->bound = sum->n_contacts > 0 ? fmin(sum->bound, more.bound) : more.bound;
    sum->approach = fmax(sum->approach, more.approach);
    sum->n_contacts += more.n_contacts;
}

/* Solves a part from the impulses at hand, and hands them back. */
static scree_status answer_part(scree_world* world, scri_desk* desk, int32_t number,
                                scree_report* one)
{
    scri_part part = scri_islands_part(world, desk, number);
    int is_right = 0, rests = 0;
    scree_status status = scri_part_get_to_know(world, &part);
    if (!status && scri_part_may_be_right(world, &part)) {
        one->residual = scri_part_look(world, &part, &part.problem);
        status = scri_rest_stay(world, &part, one, &rests);
        is_right = rests || (!status && scri_part_is_settled(world, &part, one->residual));
    }
    int is_joined = !is_right && scri_joints_are_in(&part);
    if (!status && is_joined) status = solve_joints(world, &part, one, &is_right);
    if (!status && !is_right) {
        status = is_joined ? improve(world, &part, one) : scri_part_solve(world, &part, one);
    }
    if (one->outcome != SCREE_OUTCOME_INFEASIBLE && one->residual <= world->def.solver.tol) {
        one->outcome = SCREE_OUTCOME_CONVERGED;
    }
    if (status) return status;
    scri_islands_hand_back(world, &part);
    if (!rests) {
        world->parts.settled[number] = one->outcome == SCREE_OUTCOME_CONVERGED &&
                                       scri_part_is_settled(world, &part, one->residual);
    }
    return SCREE_OK;
}

static scree_status solve_part(scree_world* world, scri_desk* desk, int32_t number)
{
    scree_report one = {.outcome = SCREE_OUTCOME_CONVERGED, .solver = "none"};
    scree_status status = SCREE_OK;
    scri_rebound rebound = {0};
    do {
        one.outcome = SCREE_OUTCOME_CONVERGED;
        one.infeasible = (scree_infeasibility){0};
        status = answer_part(world, desk, number, &one);
    } while (!status && scri_rebound_again(world, desk->team, number, &rebound));
    world->parts.report[number] = one;
    return status;
}

scree_status scri_step_solve(scree_world* world, int again, scree_step_report* report)
{
    scree_report all = {.outcome = SCREE_OUTCOME_CONVERGED, .solver = "none"},
                 *sum = &report->solve;
    scree_status status = scri_islands_find(world, again);
    scri_parts_table* parts = &world->parts;
    int32_t n_due = 0;
    world->is_unchanged = !again && world->contacts.n == world->last.n;
    report->n_parts = parts->n;
    /* the certificate of all parts together, which comes next */
    if (!status) status = scri_desk_reserve(&world->desk, scri_certify_work_size(&world->problem));
    if (status) return status;
    for (int32_t k = 0; k < parts->n; ++k) {
        if (!scri_islands_is_kept(world, again, k)) parts->due[n_due++] = k;
    }
    if (n_due > 0) world->is_unchanged = 0;
    status = scri_beside_solve(world, n_due, solve_part);
    if (status) return status;
    for (int32_t k = 0; k < parts->n; ++k) add_part(&parts->report[k], &all);
    all.iterations += sum->iterations;
    all.time_s += sum->time_s;
    all.updates += sum->updates;
    all.fail_safe += sum->fail_safe;
    *sum = all;
    return SCREE_OK;
}
