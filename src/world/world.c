#include "world/world.h"

#include "base/fill.h"

#include <math.h>
#include <string.h>

void scree_world_def_init(scree_world_def* def)
{
    if (!def) return;
    scree_solver_def solver = scree_default_solver_def();
    solver.measure = SCREE_MEASURE_LOCAL;
    solver.tol = 1e-2;
    solver.max_iter = 10000;
    solver.min_iter = 1;
    scree_world_def usual = {
        .struct_size = sizeof usual,
        .gravity = {0.0, 0.0, -9.81},
        .step = 1e-3,
        .theta = 0.5,
        .scheme = SCREE_SCHEME_IMPULSE,
        .law = SCREE_LAW_DEFAULT,
        .solver = solver,
        .workers = 1,
    };
    scri_fill(def, def->struct_size, &usual, sizeof usual);
}

void scree_body_def_init(scree_body_def* def)
{
    if (!def) return;
    scree_body_def usual = {
        .struct_size = sizeof usual,
        .kind = SCREE_BODY_DYNAMIC,
        .rotation = {1.0, 0.0, 0.0, 0.0},
        .mass = 1.0,
        .inertia = {1.0, 1.0, 1.0, 0.0, 0.0, 0.0},
    };
    scri_fill(def, def->struct_size, &usual, sizeof usual);
}

static int is_solver(const char* name)
{
    for (int i = 0; name && i < scree_solver_count(); ++i) {
        if (strcmp(name, scree_solver_get(i).name) == 0) return 1;
    }
    return 0;
}

static scree_status check_solver(const scree_env* env, const scree_solver_def* def)
{
    if (def->cookie != scree_default_solver_def().cookie) {
        return scri_fail(env, SCREE_ERROR_ARGUMENT,
                         "solver: begin with scree_default_world_def() or _solver_def()");
    }
    if (!is_solver(def->solver)) {
        return scri_fail(env, SCREE_ERROR_ARGUMENT, "solver: no method is called '%s'",
                         def->solver ? def->solver : "NULL");
    }
    if (!(def->tol > 0.0 && def->normal_tol > 0.0 && def->max_time >= 0.0) || def->max_iter < 1 ||
        def->min_iter < 0 || isinf(def->tol)) {
        return scri_fail(env, SCREE_ERROR_INPUT,
                         "solver: tol, normal_tol and max_iter must be positive, tol finite, "
                         "min_iter and max_time not negative");
    }
    if ((int)def->measure < 0 || def->measure >= SCREE_MEASURE_COUNT || (int)def->sweep < 0 ||
        def->sweep >= SCREE_SWEEP_COUNT) {
        return scri_fail(env, SCREE_ERROR_INPUT, "solver: unknown measure or order of sweeps");
    }
    return SCREE_OK;
}

enum { MOST_WORKERS = 1024 };

static int32_t all_processors(void)
{
    int32_t n = scri_cores();
    return n < MOST_WORKERS ? n : MOST_WORKERS;
}

static scree_status check_def(const scree_env* env, const scree_world_def* def)
{
    for (size_t i = 0; env && i < sizeof env->reserved / sizeof env->reserved[0]; ++i) {
        if (!env->reserved[i]) continue;
        return scri_fail(env, SCREE_ERROR_ARGUMENT,
                         "env lends something that this version does not know: zero it");
    }
    if (!scri_are_finite(def->gravity, 3)) {
        return scri_fail(env, SCREE_ERROR_INPUT, "gravity is not finite");
    }
    if (!(def->step > 0.0 && isfinite(def->step))) {
        return scri_fail(env, SCREE_ERROR_INPUT, "step = %g s must be positive", def->step);
    }
    if (!(def->theta >= 0.5 && def->theta <= 1.0)) {
        return scri_fail(env, SCREE_ERROR_INPUT, "theta = %g must be from 0.5 to 1", def->theta);
    }
    if (!(def->margin >= 0.0 && def->overlap >= 0.0 && isfinite(def->margin + def->overlap))) {
        return scri_fail(env, SCREE_ERROR_INPUT,
                         "margin and overlap must be finite and not negative");
    }
    if (def->workers < 0 || def->workers > MOST_WORKERS) {
        return scri_fail(env, SCREE_ERROR_INPUT, "workers = %d must be from 0 to 1024",
                         (int)def->workers);
    }
    if ((int)def->scheme < 0 || def->scheme >= SCREE_SCHEME_COUNT || (int)def->law < 0 ||
        def->law >= SCREE_LAW_WORLD_COUNT) {
        return scri_fail(env, SCREE_ERROR_INPUT, "unknown scheme, or a law without friction");
    }
    if ((int)def->joints < 0 || def->joints >= SCREE_JOINTS_COUNT) {
        return scri_fail(env, SCREE_ERROR_INPUT, "joints: neither rows nor trees");
    }
    return check_solver(env, &def->solver);
}

scree_status scree_world_create(const scree_env* env, const scree_world_def* def, scree_world** out)
{
    if (!def || !out) return SCREE_ERROR_ARGUMENT;
    *out = NULL;
    scree_status status =
        scri_check_size(env, def->struct_size, sizeof *def, "scree_default_world_def");
    if (!status) status = check_def(env, def);
    if (status) return status;
    scree_world* world = scri_alloc(env, sizeof *world);
    if (!world) return scri_fail(env, SCREE_ERROR_MEMORY, "out of memory for a world");
    *world = (scree_world){.env = env ? *env : (scree_env){0}, .def = *def};
    status = scri_collider_create(&world->env, &world->collider);
    if (!status) status = scri_pool_create(&world->env, &world->pool);
    int32_t workers = def->workers > 0 ? def->workers : all_processors();
    if (!status && workers > 1) {
        status = scri_team_create(&world->env, workers, &world->team);
        if (status) scri_fail(env, status, "%d workers cannot be started", (int)workers);
    }
    if (!status) scri_collider_share(world->collider, world->team);
    world->desk = (scri_desk){.env = &world->env, .team = world->team};
    if (status) {
        scree_world_destroy(world);
        return status;
    }
    *out = world;
    return SCREE_OK;
}

void scree_world_destroy(scree_world* world)
{
    if (!world) return;
    scree_env env = world->env;
    scri_collider_destroy(world->collider);
    scri_world_release_desks(world);
    scri_team_destroy(world->team);
    scri_pool_destroy(world->pool);
    scri_bodies_table_release(&env, &world->bodies);
    scri_shapes_table_release(&env, &world->shapes);
    scri_apart_table_release(&env, &world->apart);
    scri_world_release_joints(world);
    scri_joint_rows_table_release(&env, &world->joint_rows);
    scri_joint_rows_table_release(&env, &world->joint_rows_last);
    scri_world_release_contacts(world);
    scri_parts_table_release(&env, &world->parts);
    scri_parts_table_release(&env, &world->parts_before);
    scri_touch_table_release(&env, &world->touch_state);
    scri_pushes_table_release(&env, &world->pushes);
    scri_push_set_table_release(&env, &world->push_set);
    scri_world_release_materials(world);
    scri_contact_sets_table_release(&env, &world->contact_sets);
    scri_release(&env, world);
}

double scree_world_time(const scree_world* world)
{
    return world ? world->time : 0.0;
}

static scree_world_view view_of(const scree_world* world)
{
    const scri_bodies_table* b = &world->bodies;
    const scri_shapes_table* s = &world->shapes;
    const scri_contacts_table* c = &world->contacts;
    return (scree_world_view){
        .struct_size = sizeof(scree_world_view),
        .time = world->time,
        .steps = world->steps,
        .n_bodies = b->n,
        .kind = b->kind,
        .generation = b->generation,
        .user = b->user,
        .mass = b->mass,
        .position = b->position,
        .rotation = b->rotation,
        .velocity = b->velocity,
        .angular_velocity = b->omega,
        .n_contacts = world->problem_is_current ? world->n_touching : 0,
        .problem = world->problem_is_current ? &world->problem : NULL,
        .give = c->give,
        .impulse = c->p,
        .gap = c->gap,
        .point = c->point,
        .n_shapes = s->n,
        .shape_kind = s->kind,
        .shape_half_size = s->size,
        .shape_offset = s->offset,
        .shape_turn = s->turn,
        .shape_body = s->body,
        .shape_material = s->material,
        .shape_user = s->user,
        .shape_hull = s->hull,
        .shape_mesh = s->mesh,
        .shape_rounding = s->rounding,
    };
}

void scree_world_fill_view(const scree_world* world, scree_world_view* view)
{
    if (!view) return;
    scree_world_view whole = {.struct_size = sizeof whole};
    if (world) whole = view_of(world);
    scri_fill(view, view->struct_size, &whole, sizeof whole);
}
