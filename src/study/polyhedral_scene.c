/* A scene at acceleration level beside the same scene under the exact law. */
#include "base/env.h"
#include "study/polyhedral.h"

#include <math.h>
#include <string.h>

enum { EACH = 7 }; /* coordinates of a body, as polyhedral_bodies.c has them */

/* The step by which the exact law's first acceleration is found, in steps of the scene. */
#define SHORT 1e-3

typedef struct comparison {
    const scree_env* env;
    const scree_scene* scene;
    scri_arena* arena;
    double until;
    double* exact; /* [3 bodies] of the exact law: accelerations, then places */
    scree_scene_difference* out;
} comparison;

static double distance(const double* a, const double* b)
{
    return hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
}

/* Velocities after a short step from the beginning, over it. */
static scree_status find_acceleration(comparison* x)
{
    scree_scene first = *x->scene;
    scree_world* world = NULL;
    first.world.step *= SHORT;
    first.world.theta = 1.0;
    scree_status status = scree_scene_build(x->env, &first, &world);
    for (int32_t i = 0; i < first.n_drives && !status; ++i) {
        const scree_drive* d = &first.drives[i];
        double part = d->begin <= 0.0 && d->end > 0.0 ? cos(d->phase) : 0.0, force[3], torque[3];
        for (int k = 0; k < 3; ++k) {
            force[k] = part * d->linear[k];
            torque[k] = part * d->angular[k];
        }
        status = scree_world_apply_force(world, scree_world_body_at(world, d->body), force);
        if (!status) {
            status = scree_world_apply_torque(world, scree_world_body_at(world, d->body), torque);
        }
    }
    if (!status) status = scree_world_step(world, NULL);
    if (!status) {
        scree_world_view v = scree_world_get_view(world);
        for (int32_t i = 0; i < first.n_bodies; ++i) {
            for (int k = 0; k < 3; ++k) {
                double change = v.velocity[3 * i + k] - first.bodies[i].def.velocity[k];
                x->exact[3 * i + k] = change / first.world.step;
            }
        }
    }
    scree_world_destroy(world);
    return status;
}

static scree_status find_places(comparison* x)
{
    scree_simulation* simulation = NULL;
    scree_step_report report;
    scree_status status = scree_simulation_create(x->env, x->scene, &simulation);
    if (!status) scree_simulation_set_end(simulation, x->until);
    while (!status && scree_simulation_done(simulation) == SCREE_RUNNING) {
        status = scree_simulation_step(simulation, &report);
    }
    if (!status) {
        scree_world_view v = scree_world_get_view(scree_simulation_world(simulation));
        memcpy(x->exact, v.position, 3 * (size_t)x->scene->n_bodies * sizeof *x->exact);
    }
    scree_simulation_destroy(simulation);
    return status;
}

/* Largest distance of what the system has, one body after another and EACH apart, from x->exact;
 * *most: the largest of the latter from `from`. */
static double compare_bodies(const comparison* x, const double* has, int from_start, double* most)
{
    double worst = 0.0;
    int32_t n = 0;
    *most = 0.0;
    for (int32_t i = 0; i < x->scene->n_bodies; ++i) {
        const scree_body_def* def = &x->scene->bodies[i].def;
        const double zero[3] = {0.0, 0.0, 0.0}, *exact = x->exact + 3 * (size_t)i;
        if (def->kind != SCREE_BODY_DYNAMIC) continue;
        double error = distance(has + (size_t)EACH * (size_t)n++, exact);
        double size = distance(exact, from_start ? def->position : zero);
        worst = error <= worst ? worst : error; /* NaN stays */
        *most = fmax(*most, size);
    }
    return worst;
}

static scree_status follow(comparison* x, scree_polyhedral* p)
{
    scree_scene_difference* out = x->out;
    scree_polyhedral_report report;
    const double* g = x->scene->world.gravity;
    double most, gravity = hypot(hypot(g[0], g[1]), g[2]);
    scree_status status = scree_polyhedral_evaluate(p, &report);
    if (!status && report.solved) status = find_acceleration(x);
    if (status || !report.solved) return status;
    out->n_contacts = report.n_closed;
    double off = compare_bodies(x, scree_polyhedral_get_view(p).acceleration, 0, &most);
    double unit = gravity > 0.0 ? gravity : most;
    out->acceleration = unit > 0.0 ? off / unit : off;
    out->error = report.error;
    int64_t steps = (int64_t)llround(x->until / x->scene->world.step);
    for (int64_t i = 0; i < steps && report.solved && !status; ++i) {
        status = scree_polyhedral_advance(p, x->scene->world.step, &report);
        out->error = fmax(out->error, report.error);
    }
    if (!status && report.solved) status = find_places(x);
    if (status || !report.solved) return status;
    scree_polyhedral_view view = scree_polyhedral_get_view(p);
    off = compare_bodies(x, view.q, 1, &out->way);
    out->position = out->way > 0.0 ? off / out->way : off;
    out->n_events = view.n_events;
    out->solved = 1;
    return SCREE_OK;
}

static scree_status compare(comparison* x)
{
    scree_example_store store = {.memory = NULL};
    scree_polyhedral* p = NULL;
    x->exact = scri_arena_take(x->arena, 3 * (size_t)x->scene->n_bodies, sizeof *x->exact);
    if (!x->exact) return scri_fail(x->env, SCREE_ERROR_MEMORY, "out of memory for a scene");
    scree_status status = scree_polyhedral_scene_make(x->env, x->scene, &store);
    if (!status) {
        store.def.directions = x->out->directions;
        status = scree_polyhedral_create(x->env, &store.def, 0.0, store.q, store.u, &p);
    }
    if (!status) status = follow(x, p);
    scree_polyhedral_destroy(p);
    scree_example_store_release(&store);
    return status;
}

scree_status scree_polyhedral_scene_compare(const scree_env* env, const scree_scene* scene,
                                            int32_t directions, double until,
                                            scree_scene_difference* out)
{
    if (!scene || !out || scene->cookie != SCREE_SCENE_COOKIE || !(until >= 0.0) ||
        !(until <= 1e6 * scene->world.step)) {
        return SCREE_ERROR_ARGUMENT;
    }
    *out = (scree_scene_difference){.directions = directions,
                                    .acceleration = SCREE_NAN,
                                    .position = SCREE_NAN,
                                    .way = SCREE_NAN,
                                    .error = SCREE_NAN};
    scri_arena* arena = scri_arena_create(env);
    if (!arena) return scri_fail(env, SCREE_ERROR_MEMORY, "out of memory for a scene");
    comparison x = {.env = env, .scene = scene, .arena = arena, .until = until, .out = out};
    scree_status status = compare(&x);
    scri_arena_destroy(arena);
    return status;
}
