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

static scree_status run(const scree_belt_def* def, scree_system* const system[2], double duration,
                        scree_belt_distance* watch, void* user, scree_belt_pair* out)
{
    double v = distance(def, system), least = v;
    *out = (scree_belt_pair){.first = v, .last = v, .most = v};
    for (int64_t steps = (int64_t)ceil(duration / def->step); out->steps < steps; ++out->steps) {
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
        if (watch) watch(user, scree_system_get_view(system[0]).time, v);
    }
    out->last = v;
    return SCREE_OK;
}

scree_status scree_belt_compare(const scree_env* env, const scree_belt_def* def,
                                const double other[2], int associated, double duration,
                                scree_belt_distance* watch, void* user, scree_belt_pair* out)
{
    if (!def || !other || !out || !(duration > 0.0)) return SCREE_ERROR_ARGUMENT;
    scree_belt_equilibrium rest;
    scri_belt_sets sets;
    scree_system* system[2] = {NULL, NULL};
    *out = (scree_belt_pair){.steps = 0};
    scree_status status = scree_belt_analyse(env, def, &rest);
    if (status) return status;
    status = scri_belt_make_sets(env, def, &sets);
    scri_planar_block block = {.mass = def->mass,
                               .gravity = def->gravity,
                               .stiffness = def->stiffness,
                               .belt = {def->speed * cos(def->phi), def->speed * sin(def->phi)},
                               .forces = sets.forces,
                               .flow = associated ? NULL : sets.flow,
                               .step = def->step,
                               .tol = TOLERANCE};
    const double* start[2] = {def->start, other};
    for (int i = 0; i < 2 && !status; ++i) {
        const double q[2] = {rest.position[0] + start[i][0], rest.position[1] + start[i][1]};
        status = scri_planar_block_create(env, &block, q, (double[]){0.0, 0.0}, &system[i]);
    }
    if (!status) status = run(def, system, duration, watch, user, out);
    for (int i = 0; i < 2; ++i) scree_system_destroy(system[i]);
    scri_belt_release_sets(&sets);
    return status;
}
