/* A disc that slides to rest: as a point, because three pads under a disc that does not turn carry
 * what one would. */
#include "scree_study/sliding_disc.h"

#include "base/env.h"
#include "base/fill.h"
#include "study/planar_block.h"

#include <math.h>

#define TOLERANCE 1e-10 /* of a step */
#define RESTS 1e-9      /* times the first speed: slower than that it rests */

const char* scree_disc_law_name(int law)
{
    static const char* const name[SCREE_DISC_LAW_COUNT] = {"ellipse", "superellipse", "collinear",
                                                           "extended"};
    return law >= 0 && law < SCREE_DISC_LAW_COUNT ? name[law] : NULL;
}

void scree_disc_def_init(scree_disc_def* def, scree_disc_law law)
{
    if (!def) return;
    scree_disc_def usual = {.struct_size = sizeof usual,
                            .law = law,
                            .speed = 1.52,
                            .phi = 58.0 * SCREE_PI / 180.0,
                            .gravity = 9.81,
                            .load = 9.3,
                            .forces = {4.99, 4.25, 2.94},
                            .flow = {1.84, 1.19, 2.51},
                            .step = 2e-5};
    if (law == SCREE_DISC_ELLIPSE) {
        usual.forces[0] = 5.0;
        usual.forces[1] = 4.49;
        usual.forces[2] = 2.0;
    }
    scri_fill(def, def->struct_size, &usual, sizeof usual);
}

static scree_status check(const scree_env* env, const scree_disc_def* def)
{
    scree_status status =
        scri_check_size(env, def->struct_size, sizeof *def, "scree_default_disc_def");
    if (status) return status;
    int good = def->speed > 0.0 && def->gravity > 0.0 && def->load > 0.0 && def->step > 0.0;
    good = good && isfinite(def->speed) && isfinite(def->gravity) && isfinite(def->load) &&
           isfinite(def->step) && isfinite(def->phi);
    if (!good) {
        return scri_fail(env, SCREE_ERROR_INPUT,
                         "speed, gravity, load and step must be positive, and all finite");
    }
    if (!scree_disc_law_name((int)def->law)) {
        return scri_fail(env, SCREE_ERROR_ARGUMENT, "unknown law %d", (int)def->law);
    }
    return SCREE_OK;
}

/* Friction over normal force, and the direction set where the law has one. */
static scree_status make_sets(const scree_env* env, const scree_disc_def* def, scree_set** forces,
                              scree_set** flow)
{
    const double axes[2] = {def->forces[0] / def->load, def->forces[1] / def->load};
    const double round[2] = {1.0, 1.0};
    scree_set_def shape = scri_planar_shape(axes, def->forces[2], 0.0);
    scree_status status = scree_set_create(env, &shape, forces);
    if (status) return status;
    if (def->law == SCREE_DISC_EXTENDED) {
        return scri_planar_fit(env, scri_planar_shape(def->flow, def->flow[2], 0.0), *forces, flow);
    }
    if (def->law == SCREE_DISC_COLLINEAR) {
        return scri_planar_fit(env, scri_planar_shape(round, 2.0, 0.0), *forces, flow);
    }
    return SCREE_OK;
}

/* One step's part of the path; the last direction counts while it moves. */
static void follow(const scree_disc_sample* before, const scree_disc_sample* s, double slow,
                   scree_disc_path* out)
{
    double way[2] = {s->position[0] - before->position[0], s->position[1] - before->position[1]};
    out->length += hypot(way[0], way[1]);
    out->has_stopped = hypot(s->velocity[0], s->velocity[1]) <= slow;
    if (!out->has_stopped) out->heading = atan2(s->velocity[1], s->velocity[0]);
}

static scree_status run(scree_system* system, const scree_disc_def* def, scree_disc_watch* watch,
                        void* user, scree_disc_path* out)
{
    scree_disc_sample before = {.time = 0.0};
    int is_ended = 0;
    while (!out->has_stopped && !is_ended) {
        scree_system_report report;
        scree_status status = scree_system_step(system, &report);
        if (status) return status;
        scree_system_view view = scree_system_get_view(system);
        scree_disc_sample s = {view.time, {view.q[0], view.q[1]}, {view.u[0], view.u[1]}};
        follow(&before, &s, RESTS * def->speed, out);
        out->steps = view.steps;
        out->residual = fmax(out->residual, report.residual);
        out->not_converged += report.solve.outcome != SCREE_OUTCOME_CONVERGED;
        is_ended = watch && watch(user, &s);
        before = s;
    }
    out->time = before.time;
    out->stop[0] = before.position[0];
    out->stop[1] = before.position[1];
    return SCREE_OK;
}

scree_status scree_disc_simulate(const scree_env* env, const scree_disc_def* def,
                                 scree_disc_watch* watch, void* user, scree_disc_path* out)
{
    if (!def || !out) return SCREE_ERROR_ARGUMENT;
    *out = (scree_disc_path){.heading = 0.5 * SCREE_PI - def->phi};
    scree_status status = check(env, def);
    if (status) return status;
    scree_set *forces = NULL, *flow = NULL;
    scree_system* system = NULL;
    status = make_sets(env, def, &forces, &flow);
    scri_planar_block block = {.mass = 1.0,
                               .gravity = def->gravity,
                               .forces = forces,
                               .flow = flow,
                               .step = def->step,
                               .tol = TOLERANCE};
    const double along[2] = {sin(def->phi), cos(def->phi)}, origin[2] = {0.0, 0.0};
    const double u[2] = {def->speed * along[0], def->speed * along[1]};
    if (!status) status = scri_planar_block_create(env, &block, origin, u, &system);
    if (!status) status = run(system, def, watch, user, out);
    out->deflection = atan2(along[0] * out->stop[1] - along[1] * out->stop[0],
                            along[0] * out->stop[0] + along[1] * out->stop[1]);
    scree_system_destroy(system);
    scree_set_destroy(flow);
    scree_set_destroy(forces);
    return status;
}
