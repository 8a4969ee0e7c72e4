/* From the models of a scene to the bodies of a world. */
#include "base/random.h"
#include "math/vec.h"
#include "problem/bodies_kernel.h"
#include "scene/simulation.h"
#include "shapes/bounds.h"

#include <math.h>

/* Streams of a generator's random numbers. */
enum { STREAM_JITTER, STREAM_SIZE };

double scri_shapes_reach(int32_t n, const scree_shape* shapes)
{
    double radius = 0.0;
    for (int32_t i = 0; i < n; ++i) {
        if (shapes[i].kind == SCREE_SHAPE_HALF_SPACE) continue;
        const double* at = shapes[i].position;
        double offset = sqrt(at[0] * at[0] + at[1] * at[1] + at[2] * at[2]);
        radius = fmax(radius, offset + scri_shape_radius(shapes[i].kind, shapes[i].half_size));
    }
    return radius;
}

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

/* Puts a body into the world and notes where it comes from. */
static scree_status add(scree_simulation* s, const scree_body_def* def, int32_t n,
                        const scree_shape* shapes, int32_t source, int32_t number)
{
    scri_origins_table* o = &s->origins;
    scree_body_id id;
    if (!scri_origins_table_reserve(&s->env, o, o->n + 1)) {
        return scri_fail(&s->env, SCREE_ERROR_MEMORY, "out of memory for body %d", (int)o->n);
    }
    scree_status status = scree_world_add_body(s->world, def, n, shapes, &id);
    if (status) return status;
    o->source[o->n] = source;
    o->number[o->n] = number;
    o->radius[o->n] = scri_shapes_reach(n, shapes);
    o->n++;
    s->totals.energy_added += energy_of(&s->scene->world, def);
    return SCREE_OK;
}

double scri_generator_scale(const scri_generator* g, int64_t number)
{
    if (!(g->size_spread > 0.0)) return 1.0;
    scri_random random = {g->seed, STREAM_SIZE, (uint64_t)number};
    return 1.0 + g->size_spread * (2.0 * scri_random_uniform(&random) - 1.0);
}

scree_status scri_simulation_make(scree_simulation* s, int32_t source, int64_t number,
                                  const double position[3])
{
    const scri_generator* g = &s->scene->generators[source];
    const scree_shape* model = s->scene->shapes + g->model.first_shape;
    scree_body_def def = g->model.def;
    double scale = scri_generator_scale(g, number), cube = scale * scale * scale;
    def.mass *= cube;
    for (int j = 0; j < 6; ++j) def.inertia[j] *= cube * scale * scale;
    for (int j = 0; j < 3; ++j) def.position[j] = position[j];
    for (int32_t i = 0; i < g->model.n_shapes; ++i) {
        s->scaled[i] = model[i];
        for (int j = 0; j < 3; ++j) {
            s->scaled[i].half_size[j] *= scale;
            s->scaled[i].position[j] *= scale;
        }
    }
    scree_status status = add(s, &def, g->model.n_shapes, s->scaled, source, (int32_t)number);
    if (!status) s->released[source] = number + 1;
    return status;
}

static scree_status make_grid(scree_simulation* s, int32_t source)
{
    const scri_generator* g = &s->scene->generators[source];
    for (int64_t k = 0; k < g->count; ++k) {
        int64_t cell[3] = {k % g->grid[0], k / g->grid[0] % g->grid[1],
                           k / g->grid[0] / g->grid[1]};
        scri_random random = {g->seed, STREAM_JITTER, 3 * (uint64_t)k};
        double position[3];
        for (int j = 0; j < 3; ++j) {
            position[j] = g->low[j] + g->spacing[j] * (double)cell[j] +
                          g->jitter * (2.0 * scri_random_uniform(&random) - 1.0);
        }
        scree_status status = scri_simulation_make(s, source, k, position);
        if (status) return status;
    }
    return SCREE_OK;
}

static scree_status make_list(scree_simulation* s, int32_t source)
{
    const scri_generator* g = &s->scene->generators[source];
    for (int64_t k = 0; k < g->count; ++k) {
        scree_status status = scri_simulation_make(s, source, k, g->place + 3 * k);
        if (status) return status;
    }
    return SCREE_OK;
}

static scree_status add_materials(scree_simulation* s)
{
    const scree_scene* scene = s->scene;
    scree_status status = SCREE_OK;
    int32_t index;
    for (int32_t i = 0; !status && i < scene->n_materials; ++i) {
        status = scree_world_add_material(s->world, &scene->materials[i], &index);
    }
    for (int32_t i = 0; !status && i < scene->n_pairs; ++i) {
        const scri_scene_pair* pair = &scene->pairs[i];
        status = scree_world_set_pair(s->world, pair->a, pair->b, &pair->material);
    }
    return status;
}

scree_status scri_simulation_populate(scree_simulation* s)
{
    const scree_scene* scene = s->scene;
    scree_status status = add_materials(s);
    for (int32_t i = 0; !status && i < scene->n_bodies; ++i) {
        const scri_scene_body* b = &scene->bodies[i];
        status = add(s, &b->def, b->n_shapes, scene->shapes + b->first_shape, -1, i);
    }
    for (int32_t i = 0; !status && i < scene->n_generators; ++i) {
        scri_generator_kind kind = scene->generators[i].kind;
        if (kind == SCRI_GENERATOR_GRID) status = make_grid(s, i);
        if (kind == SCRI_GENERATOR_LIST) status = make_list(s, i);
    }
    return status;
}
