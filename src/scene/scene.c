/* Scenes: what they may say, and the world that they begin with. */
#include "scene/scene.h"

#include "base/compiler.h"
#include "base/env.h"
#include "shapes/bounds.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

enum { NAME_SIZE = 96 };

void scree_scene_init(scree_scene* scene, uint32_t cookie)
{
    if (!scene) return;
    scene->cookie = 0;
    if (cookie != SCREE_SCENE_COOKIE) return;
    *scene = (scree_scene){.cookie = cookie,
                           .world = scree_default_world_def(),
                           .duration = 10.0,
                           .rest_time = SCREE_INFINITY,
                           .interval = 0.02};
}

/* ---- what follows from it -------------------------------------------------------------------- */

int64_t scree_scene_count_bodies(const scree_scene* scene)
{
    if (!scene) return 0;
    int64_t n = scene->n_bodies;
    for (int32_t k = 0; k < scene->n_generators; ++k) {
        n += scri_generator_count(&scene->generators[k]);
    }
    return n;
}

int scri_scene_name(const scree_scene* scene, int32_t source, int64_t number, char* text,
                    size_t size)
{
    if (source >= 0) {
        const scree_generator* g = &scene->generators[source];
        const char *name = g->model.name, *own = g->listed.name ? g->listed.name[number] : NULL;
        if (own) return snprintf(text, size, "%s", own);
        if (name) return snprintf(text, size, "%s-%" PRId64, name, number);
        return snprintf(text, size, "generator-%" PRId32 "-%" PRId64, source, number);
    }
    const char* name = scene->bodies[number].name;
    return name ? snprintf(text, size, "%s", name) : snprintf(text, size, "body-%" PRId64, number);
}

int scri_scene_label(const scree_scene* scene, int32_t source, int64_t number, char* text,
                     size_t size)
{
    int32_t line = source >= 0 ? scene->generators[source].model.line : scene->bodies[number].line;
    char name[NAME_SIZE];
    scri_scene_name(scene, source, number, name, sizeof name);
    if (line == 0) return snprintf(text, size, "'%s'", name);
    return snprintf(text, size, "'%s' (line %" PRId32 ")", name, line);
}

int32_t scri_scene_most_shapes(const scree_scene* scene)
{
    int32_t most = 1;
    for (int32_t i = 0; i < scene->n_generators; ++i) {
        const scree_generator* g = &scene->generators[i];
        for (int32_t k = 0; k <= g->n_others; ++k) {
            int32_t n = scri_generator_model(g, k)->n_shapes;
            most = n > most ? n : most;
        }
    }
    return most;
}

double scri_shapes_reach(int32_t n, const scree_shape* shapes)
{
    double radius = 0.0;
    for (int32_t i = 0; i < n; ++i) {
        if (shapes[i].kind == SCREE_SHAPE_HALF_SPACE) continue;
        const double* at = shapes[i].position;
        double offset = sqrt(at[0] * at[0] + at[1] * at[1] + at[2] * at[2]);
        double size[3];
        scri_shape_sizes(&shapes[i], size);
        double of_shape = scri_shape_radius(shapes[i].kind, size) + shapes[i].rounding;
        radius = fmax(radius, offset + of_shape);
    }
    return radius;
}

/* ---- what may be said ------------------------------------------------------------------------ */

static scree_status check_arrays(const scree_env* env, const scree_scene* scene)
{
    const struct {
        const char* name;
        int32_t n;
        const void* items;
    } arrays[] = {{"materials", scene->n_materials, scene->materials},
                  {"pairs", scene->n_pairs, scene->pairs},
                  {"bodies", scene->n_bodies, scene->bodies},
                  {"generators", scene->n_generators, scene->generators},
                  {"drives", scene->n_drives, scene->drives},
                  {"joints", scene->n_joints, scene->joints},
                  {"joint drives", scene->n_joint_drives, scene->joint_drives},
                  {"measures", scene->n_measures, scene->measures},
                  {"sinks", scene->n_sinks, scene->sinks},
                  {"probes", scene->n_probes, scene->probes}};
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; ++k) {
        if (arrays[k].n >= 0 && (arrays[k].n == 0 || arrays[k].items)) continue;
        return scri_fail(env, SCREE_ERROR_ARGUMENT, "the scene has %" PRId32 " %s without an array",
                         arrays[k].n, arrays[k].name);
    }
    return SCREE_OK;
}

/* What has no shapes is of use where a joint holds it. */
static int is_held(const scree_scene* scene, int32_t body)
{
    for (int32_t i = 0; i < scene->n_joints; ++i) {
        if (scene->joints[i].body[0] == body || scene->joints[i].body[1] == body) return 1;
    }
    return 0;
}

static scree_status check_model(const scree_env* env, const scree_scene_body* body,
                                const char* kind, int32_t index)
{
    if (body->n_shapes >= 1 && body->shapes) return SCREE_OK;
    return scri_fail(env, SCREE_ERROR_INPUT, "%s %" PRId32 " of the scene has no shapes", kind,
                     index);
}

static scree_status check_bodies(const scree_env* env, const scree_scene* scene)
{
    scree_status status = SCREE_OK;
    for (int32_t i = 0; i < scene->n_bodies && !status; ++i) {
        if (scene->bodies[i].n_shapes == 0 && is_held(scene, i)) continue;
        status = check_model(env, &scene->bodies[i], "body", i);
    }
    for (int32_t i = 0; i < scene->n_generators && !status; ++i) {
        const scree_generator* g = &scene->generators[i];
        const char* fault = scri_generator_fault(g, scene->n_materials);
        if (fault) {
            return scri_fail(env, SCREE_ERROR_INPUT, "generator %" PRId32 " of the scene: %s", i,
                             fault);
        }
        for (int32_t k = 0; k <= g->n_others && !status; ++k) {
            status = check_model(env, scri_generator_model(g, k), "generator", i);
        }
    }
    return status;
}

static scree_status check_drives(const scree_env* env, const scree_scene* scene)
{
    for (int32_t i = 0; i < scene->n_drives; ++i) {
        const scree_drive* d = &scene->drives[i];
        if (d->body < 0 || d->body >= scene->n_bodies) {
            return scri_fail(env, SCREE_ERROR_INPUT,
                             "drive %" PRId32 " of the scene: there is no body %" PRId32, i,
                             d->body);
        }
        scree_body_kind kind = scene->bodies[d->body].def.kind;
        if (kind != (d->is_force ? SCREE_BODY_DYNAMIC : SCREE_BODY_KINEMATIC)) {
            char name[NAME_SIZE];
            scri_scene_name(scene, -1, d->body, name, sizeof name);
            return scri_fail(env, SCREE_ERROR_INPUT, "drive %" PRId32 " of the scene: '%s' is %s",
                             i, name,
                             d->is_force ? "not dynamic, and no force moves it"
                                         : "not kinematic, and cannot be driven");
        }
        for (int j = 0; j < 3; ++j) {
            if (d->noise[j] >= 0.0 && d->noise[j] < SCREE_INFINITY) continue;
            return scri_fail(env, SCREE_ERROR_INPUT,
                             "drive %" PRId32
                             " of the scene: the intensity of its noise, %g N^2 s, "
                             "must be finite and not negative",
                             i, d->noise[j]);
        }
        const char* fault = !scri_course_is_table(d->n_table, d->table)
                                ? "the times of its table must grow"
                            : d->is_way && d->is_force ? "a force has no way"
                                                       : NULL;
        if (fault) {
            return scri_fail(env, SCREE_ERROR_INPUT, "drive %" PRId32 " of the scene: %s", i,
                             fault);
        }
    }
    return SCREE_OK;
}

static scree_status check_times(const scree_env* env, const scree_scene* scene)
{
    if (!(scene->duration > 0.0) || !(scene->rest_time > 0.0) || !(scene->rest_speed >= 0.0) ||
        !(scene->interval > 0.0)) {
        return scri_fail(env, SCREE_ERROR_INPUT,
                         "duration = %g s, rest_time = %g s and interval = %g s of a scene must be "
                         "positive, rest_speed = %g m/s not negative",
                         scene->duration, scene->rest_time, scene->interval, scene->rest_speed);
    }
    if (isinf(scene->duration) && isinf(scene->rest_time)) {
        return scri_fail(env, SCREE_ERROR_INPUT,
                         "the scene never stops: its duration and its rest_time are infinite");
    }
    return SCREE_OK;
}

scree_status scri_scene_check(const scree_env* env, const scree_scene* scene)
{
    if (scene->cookie != SCREE_SCENE_COOKIE) {
        return scri_fail(env, SCREE_ERROR_ARGUMENT,
                         "the scene was not made by scree_default_scene() of this version");
    }
    scree_status status = check_arrays(env, scene);
    if (!status) status = scri_scene_check_joints(env, scene);
    if (!status) status = scri_scene_check_measures(env, scene);
    if (!status) status = scri_scene_check_sinks(env, scene);
    if (!status) status = scri_scene_check_probes(env, scene);
    if (!status) status = check_bodies(env, scene);
    if (!status) status = check_drives(env, scene);
    if (!status) status = scri_scene_check_tubes(env, scene);
    return status ? status : check_times(env, scene);
}

/* ---- the world ------------------------------------------------------------------------------- */

static scree_status add_materials(scree_world* world, const scree_scene* scene)
{
    scree_status status = SCREE_OK;
    int32_t index;
    for (int32_t i = 0; !status && i < scene->n_materials; ++i) {
        status = scree_world_add_material(world, &scene->materials[i], &index);
    }
    for (int32_t i = 0; !status && i < scene->n_pairs; ++i) {
        const scree_scene_pair* pair = &scene->pairs[i];
        status = scree_world_set_pair(world, pair->a, pair->b, &pair->material);
    }
    return status;
}

static scree_status add_copies(scree_world* world, const scree_generator* g, scree_shape* shapes)
{
    if (g->kind == SCREE_GENERATOR_RAIN) return SCREE_OK;
    int64_t n = scri_generator_count(g);
    for (int64_t k = 0; k < n; ++k) {
        double position[3];
        scree_body_def def;
        scree_body_id id;
        scri_generator_place(g, k, position);
        int32_t n_shapes = scri_generator_make(g, k, position, &def, shapes);
        scree_status status = scree_world_add_body(world, &def, n_shapes, shapes, &id);
        if (status) return status;
    }
    return SCREE_OK;
}

static scree_status populate(scree_world* world, const scree_scene* scene, scree_shape* shapes)
{
    scree_status status = add_materials(world, scene);
    for (int32_t i = 0; !status && i < scene->n_bodies; ++i) {
        const scree_scene_body* b = &scene->bodies[i];
        scree_body_id id;
        status = scree_world_add_body(world, &b->def, b->n_shapes, b->shapes, &id);
    }
    for (int32_t i = 0; !status && i < scene->n_generators; ++i) {
        status = add_copies(world, &scene->generators[i], shapes);
    }
    return status ? status : scri_scene_add_joints(world, scene);
}

scree_status scri_scene_build(const scree_env* env, const scree_scene* scene,
                              const scree_world_def* def, scree_world** out)
{
    scree_world* world = NULL;
    size_t n = (size_t)scri_scene_most_shapes(scene);
    scree_shape* shapes = scri_alloc(env, n * sizeof *shapes);
    if (!shapes) return scri_fail(env, SCREE_ERROR_MEMORY, "out of memory for a scene");
    scree_status status = scree_world_create(env, def, &world);
    if (!status) status = populate(world, scene, shapes);
    scri_release(env, shapes);
    if (status) {
        scree_world_destroy(world);
    } else {
        *out = world;
    }
    return status;
}

scree_status scree_scene_build(const scree_env* env, const scree_scene* scene, scree_world** out)
{
    if (out) *out = NULL;
    if (!scene || !out) {
        return scri_fail(env, SCREE_ERROR_ARGUMENT, "scree_scene_build: an argument is NULL");
    }
    scree_status status = scri_scene_check(env, scene);
    return status ? status : scri_scene_build(env, scene, &scene->world, out);
}
