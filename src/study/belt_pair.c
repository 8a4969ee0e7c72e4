/* Two motions on one belt: the distance that Theorem 1 speaks of.
 *
 * The scheme keeps the energy of a spring but for a part of the order of h^2, so that V, which the
 * motions themselves let fall, may rise by such a part. */
#include "base/compiler.h"
#include "study/belt.h"
#include "study/planar_block.h"

#include <math.h>

#define TOLERANCE 1e-10 /* of a step */

static double distance(const scree_belt_def* def, scree_system* const system[2])
{
    scree_system_view a = scree_system_get_view(system[0]), b = scree_system_get_view(system[1]);
    double sum = 0.0;
    for (int i = 0; i < 2; ++i) {
        double dq = a.q[i] - b.q[i], du = a.u[i] - b.u[i];
        sum += 0.5 * def->mass * du * du + 0.5 * def->stiffness * dq * dq;
    }
    return sum;
}

static scree_status run(const scree_belt_def* def, const scree_belt_pair_def* pair,
                        scree_system* const system[2], scree_belt_pair* out)
{
    double v = distance(def, system), least = v;
    int64_t steps = (int64_t)ceil(pair->duration / def->step);
    *out = (scree_belt_pair){.first = v, .last = v, .most = v};
    for (; out->steps < steps; ++out->steps) {
        for (int i = 0; i < 2; ++i) {
            scree_system_report report;
            scree_status status = scree_system_step(system[i], &report);
            if (status) return status;
            out->not_converged += report.solve.outcome != SCREE_OUTCOME_CONVERGED;
        }
        v = distance(def, system);
        out->rise = fmax(out->rise, v / least - 1.0);
        out->most = fmax(out->most, v);
        least = fmin(least, v);
        if (pair->watch) pair->watch(pair->user, scree_system_get_view(system[0]).time, v);
    }
    out->last = v;
    return SCREE_OK;
}

/* With the sets of the belt; the caller destroys what has been made of the systems. */
static scree_status follow(const scree_env* env, const scree_belt_def* def,
                           const scree_belt_pair_def* pair, scri_planar_block* block,
                           scree_system* system[2], scree_belt_pair* out)
{
    scree_belt_equilibrium rest;
    const double* start[2] = {def->start, pair->other};
    scree_status status = scree_belt_analyse(env, def, &rest);
    for (int i = 0; i < 2 && !status; ++i) {
        const double q[2] = {rest.position[0] + start[i][0], rest.position[1] + start[i][1]};
        status = scri_planar_block_create(env, block, q, (double[]){0.0, 0.0}, &system[i]);
    }
    return status ? status : run(def, pair, system, out);
}

scree_status scree_belt_compare(const scree_env* env, const scree_belt_def* def,
                                const scree_belt_pair_def* pair, scree_belt_pair* out)
{
    if (!def || !pair || !out || !(pair->duration > 0.0)) return SCREE_ERROR_ARGUMENT;
    scri_belt_sets sets;
    scree_system* system[2] = {NULL, NULL};
    *out = (scree_belt_pair){.steps = 0};
    scree_status status = scri_belt_check(env, def);
    if (status) return status;
    status = scri_belt_make_sets(env, def, &sets);
    scri_planar_block block = {.mass = def->mass,
                               .gravity = def->gravity,
                               .stiffness = def->stiffness,
                               .belt = {def->speed * cos(def->phi), def->speed * sin(def->phi)},
                               .forces = sets.forces,
                               .flow = pair->associated ? NULL : sets.flow,
                               .step = def->step,
                               .tol = TOLERANCE};
    if (!status) status = follow(env, def, pair, &block, system, out);
    for (int i = 0; i < 2; ++i) scree_system_destroy(system[i]);
    scri_belt_release_sets(&sets);
    return status;
}
