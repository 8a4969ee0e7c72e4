#include "world/world.h"

#include <math.h>

enum { WORLD_COOKIE = 0x5C4EE502, BODY_COOKIE = 0x5C4EE503 };

scree_world_def scree_default_world_def(void)
{
    return (scree_world_def){
        .cookie = WORLD_COOKIE,
        .gravity = {0.0, 0.0, -9.81},
        .step = 1e-3,
        .theta = 0.5,
        .scheme = SCREE_SCHEME_IMPULSE,
        .law = SCREE_LAW_EXACT,
        .tol = 1e-2,
        .max_sweeps = 10000,
        .workers = 1,
    };
}

scree_body_def scree_default_body_def(void)
{
    return (scree_body_def){
        .cookie = BODY_COOKIE,
        .kind = SCREE_BODY_DYNAMIC,
        .rotation = {1.0, 0.0, 0.0, 0.0},
        .mass = 1.0,
        .inertia = {1.0, 1.0, 1.0, 0.0, 0.0, 0.0},
    };
}

static int all_finite(const double* x, int n)
{
    for (int i = 0; i < n; ++i) {
        if (!isfinite(x[i])) return 0;
    }
    return 1;
}

static scree_status check_def(const scree_world_def* def)
{
    const scree_env* env = &def->env;
    if (def->cookie != WORLD_COOKIE) {
        return scri_fail(env, SCREE_ERROR_ARGUMENT, "begin with scree_default_world_def()");
    }
    if (!all_finite(def->gravity, 3)) {
        return scri_fail(env, SCREE_ERROR_INPUT, "gravity is not finite");
    }
    if (!(def->step > 0.0 && isfinite(def->step))) {
        return scri_fail(env, SCREE_ERROR_INPUT, "step = %g s must be positive", def->step);
    }
    if (!(def->theta >= 0.5 && def->theta <= 1.0)) {
        return scri_fail(env, SCREE_ERROR_INPUT, "theta = %g must be from 0.5 to 1", def->theta);
    }
    if (!(def->tol > 0.0) || def->max_sweeps < 1 || !(def->margin >= 0.0 && def->overlap >= 0.0)) {
        return scri_fail(env, SCREE_ERROR_INPUT,
                         "tol and max_sweeps must be positive, margin and overlap not negative");
    }
    if (def->workers < 1 || def->workers > 1024) {
        return scri_fail(env, SCREE_ERROR_INPUT, "workers = %d must be from 1 to 1024",
                         (int)def->workers);
    }
    if ((int)def->scheme < 0 || def->scheme >= SCREE_SCHEME_COUNT ||
        (def->law != SCREE_LAW_EXACT && def->law != SCREE_LAW_CONVEX &&
         def->law != SCREE_LAW_COUPLED)) {
        return scri_fail(env, SCREE_ERROR_INPUT, "unknown scheme, or a law without friction");
    }
    return SCREE_OK;
}

scree_status scree_world_create(const scree_world_def* def, scree_world** out)
{
    if (!def || !out) return SCREE_ERROR_ARGUMENT;
    *out = NULL;
    scree_status status = check_def(def);
    if (status) return status;
    scree_world* world = scri_alloc(&def->env, sizeof *world);
    if (!world) return scri_fail(&def->env, SCREE_ERROR_MEMORY, "out of memory for a world");
    *world = (scree_world){.def = *def};
    status = scri_collider_create(&world->def.env, &world->collider);
    if (!status && def->workers > 1) {
        status = scri_team_create(&world->def.env, def->workers, &world->team);
        if (status) scri_fail(&def->env, status, "%d workers cannot be started", (int)def->workers);
    }
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
    scree_env env = world->def.env;
    scri_collider_destroy(world->collider);
    scri_team_destroy(world->team);
    scri_bodies_table_release(&env, &world->bodies);
    scri_shapes_table_release(&env, &world->shapes);
    scri_contacts_table_release(&env, &world->contacts);
    scri_contacts_table_release(&env, &world->last);
    scri_contacts_table_release(&env, &world->part);
    scri_parts_table_release(&env, &world->parts);
    scri_parts_table_release(&env, &world->parts_before);
    scri_members_table_release(&env, &world->members);
    scri_touch_table_release(&env, &world->touch_state);
    scri_world_release_materials(world);
    scri_contact_sets_table_release(&env, &world->contact_sets);
    scri_release(&env, world->work);
    scri_release(&env, world);
}

double scree_world_time(const scree_world* world)
{
    return world->time;
}

scree_world_view scree_world_get_view(const scree_world* world)
{
    const scri_bodies_table* b = &world->bodies;
    const scri_shapes_table* s = &world->shapes;
    const scri_contacts_table* c = &world->contacts;
    return (scree_world_view){
        .time = world->time,
        .steps = world->steps,
        .n_bodies = b->n,
        .kind = b->kind,
        .mass = b->mass,
        .position = b->position,
        .rotation = b->rotation,
        .velocity = b->velocity,
        .angular_velocity = b->spin,
        .n_contacts = world->problem_is_current ? c->n : 0,
        .problem = world->problem_is_current ? &world->problem : NULL,
        .give = c->give,
        .impulse = c->p,
        .gap = c->gap,
        .point = c->point,
        .n_shapes = s->n,
        .shape_kind = s->kind,
        .shape_size = s->size,
        .shape_offset = s->offset,
        .shape_turn = s->turn,
        .shape_body = s->body,
        .shape_material = s->material,
    };
}
