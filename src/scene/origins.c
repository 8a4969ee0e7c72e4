/* Where the bodies of a simulation come from: the scene, its generators, or somebody else. */
#include "math/vec.h"
#include "problem/bodies_kernel.h"
#include "scene/simulation.h"

#include <stdio.h>

static double energy_of(const scree_world_def* world, const scree_body_def* def)
{
    if (def->kind != SCREE_BODY_DYNAMIC) return 0.0;
    scri_vec v = scri_vec_load(def->velocity), w = scri_vec_load(def->angular_velocity);
    scri_vec x = scri_vec_load(def->position), g = scri_vec_load(world->gravity);
    scri_mat r = scri_mat_from_quat(scri_quat_load(def->rotation));
    double local[3], momentum[3];
    scri_vec_store(scri_mat_multiply_transposed(r, w), local);
    scri_inertia_multiply(def->inertia, local, momentum);
    double turning = scri_vec_dot(scri_vec_load(local), scri_vec_load(momentum));
    return 0.5 * (def->mass * scri_vec_dot(v, v) + turning) - def->mass * scri_vec_dot(g, x);
}

static scree_status reserve(scree_simulation* s, int32_t n)
{
    if (scri_origins_table_reserve(&s->env, &s->origins, n) &&
        scri_event_table_reserve(&s->env, &s->events, s->events.n + 1)) {
        return SCREE_OK;
    }
    return scri_fail(&s->env, SCREE_ERROR_MEMORY, "out of memory for %d bodies", (int)n);
}

/* Notes where the body in a slot comes from; there is room. */
static void note(scree_simulation* s, int32_t slot, int32_t source, int64_t number, double radius)
{
    scri_origins_table* o = &s->origins;
    while (o->n <= slot) o->source[o->n++] = SCRI_NOBODY;
    o->source[slot] = source;
    o->number[slot] = (int32_t)number;
    o->generation[slot] = scree_world_get_view(s->world).generation[slot];
    o->radius[slot] = radius;
}

scree_status scri_simulation_note_start(scree_simulation* s)
{
    const scree_scene* scene = s->scene;
    scree_status status = reserve(s, scree_world_get_view(s->world).n_bodies);
    if (status) return status;
    for (int32_t i = 0; i < scene->n_bodies; ++i) {
        const scree_scene_body* b = &scene->bodies[i];
        note(s, i, SCRI_OF_SCENE, i, scri_shapes_reach(b->n_shapes, b->shapes));
    }
    for (int32_t i = 0; i < scene->n_generators; ++i) {
        const scree_generator* g = &scene->generators[i];
        if (g->kind == SCREE_GENERATOR_RAIN) continue;
        s->released[i] = scri_generator_count(g);
        for (int64_t k = 0; k < s->released[i]; ++k) {
            note(s, s->origins.n, i, k, scri_generator_reach(g, k));
        }
    }
    return SCREE_OK;
}

scree_status scri_simulation_make(scree_simulation* s, int32_t source, int64_t number,
                                  const double position[3], int32_t* index)
{
    const scree_generator* g = &s->scene->generators[source];
    scree_body_def def;
    scree_body_id id;
    scree_status status = reserve(s, scree_world_get_view(s->world).n_bodies + 1);
    if (status) return status;
    int32_t n_shapes = scri_generator_make(g, number, position, &def, s->scaled);
    status = scree_world_add_body(s->world, &def, n_shapes, s->scaled, &id);
    if (status) return status;
    *index = id.index1 - 1;
    note(s, *index, source, number, scri_shapes_reach(n_shapes, s->scaled));
    s->released[source] = number + 1;
    s->events.source[s->events.n] = source;
    s->events.number[s->events.n++] = (int32_t)number;
    s->totals.energy_added += energy_of(&s->scene->world, &def);
    return SCREE_OK;
}

scree_status scri_simulation_remove(scree_simulation* s, int32_t slot)
{
    scree_status status = reserve(s, s->origins.n);
    if (!status) {
        status = scree_world_remove_body(s->world, scree_world_body_at(s->world, slot));
    }
    if (status) return status;
    note(s, slot, SCRI_NOBODY, 0, 0.0);
    s->events.source[s->events.n] = SCRI_NOBODY;
    s->events.number[s->events.n++] = slot;
    return SCREE_OK;
}

/* What scri_shapes_reach() is to a body of the scene. */
static double reach_in_world(const scree_world_view* view, int32_t body)
{
    double reach = 0.0;
    for (size_t k = 0; k < (size_t)view->n_shapes; ++k) {
        if (view->shape_body[k] != body) continue;
        scree_shape shape = {.kind = view->shape_kind[k],
                             .hull = view->shape_hull[k],
                             .mesh = view->shape_mesh[k],
                             .rounding = view->shape_rounding[k]};
        for (size_t j = 0; j < 3; ++j) {
            shape.half_size[j] = view->shape_half_size[3 * k + j];
            shape.position[j] = view->shape_offset[3 * k + j];
        }
        double one = scri_shapes_reach(1, &shape);
        reach = one > reach ? one : reach;
    }
    return reach;
}

int scri_simulation_knows(const scree_simulation* s, const scree_world_view* view, int32_t slot)
{
    const scri_origins_table* o = &s->origins;
    if (view->kind[slot] == SCREE_BODY_NONE) return slot < o->n && o->source[slot] == SCRI_NOBODY;
    return slot < o->n && o->source[slot] != SCRI_NOBODY &&
           o->generation[slot] == view->generation[slot];
}

scree_status scri_simulation_note_strangers(scree_simulation* s)
{
    scree_world_view view = scree_world_get_view(s->world);
    scree_status status = reserve(s, view.n_bodies);
    for (int32_t i = 0; i < view.n_bodies && !status; ++i) {
        if (scri_simulation_knows(s, &view, i)) continue;
        int is_gone = view.kind[i] == SCREE_BODY_NONE;
        note(s, i, is_gone ? SCRI_NOBODY : SCRI_STRANGER, 0,
             is_gone ? 0.0 : reach_in_world(&view, i));
        s->is_steered = 1;
    }
    return status;
}

int scree_simulation_body_name(const scree_simulation* s, int32_t body, char* text, size_t size)
{
    if (!s) return snprintf(text, size, "no body");
    scree_world_view view = scree_world_get_view(s->world);
    if (body < 0 || body >= view.n_bodies || view.kind[body] == SCREE_BODY_NONE) {
        return snprintf(text, size, "no body");
    }
    if (!scri_simulation_knows(s, &view, body) || s->origins.source[body] == SCRI_STRANGER) {
        return snprintf(text, size, "body-%d", (int)body);
    }
    return scri_scene_name(s->scene, s->origins.source[body], s->origins.number[body], text, size);
}
