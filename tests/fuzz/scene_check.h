/* A scene that was read is one that a world takes. */
#ifndef FUZZ_SCENE_CHECK_H
#define FUZZ_SCENE_CHECK_H

#include "scree/scene.h"

#include <math.h>
#include <stdlib.h>

static inline void check_body(const scree_scene* scene, const scree_scene_body* b)
{
    const scree_shape* shapes = b->shapes;
    if (!b->name || b->n_shapes < (b->def.kind == SCREE_BODY_DYNAMIC ? 0 : 1)) abort();
    if (b->def.kind == SCREE_BODY_DYNAMIC && !(b->def.mass > 0.0 && isfinite(b->def.mass))) abort();
    for (int32_t k = 0; k < b->n_shapes; ++k) {
        if (shapes[k].material < 0 || shapes[k].material >= scene->n_materials) abort();
    }
}

/* All bodies but for the copies of generators go into a world. */
static inline void check_scene(const scree_scene* scene)
{
    scree_world_def def = scene->world;
    scree_world* world;
    if (scree_world_create(NULL, &def, &world) != SCREE_OK) abort();
    int32_t material;
    for (int32_t k = 0; k < scene->n_materials; ++k) {
        if (scree_world_add_material(world, &scene->materials[k], &material) != SCREE_OK) abort();
    }
    for (int32_t k = 0; k < scene->n_pairs; ++k) {
        const scree_scene_pair* pair = &scene->pairs[k];
        if (scree_world_set_pair(world, pair->a, pair->b, &pair->material) != SCREE_OK) abort();
    }
    for (int32_t k = 0; k < scene->n_bodies; ++k) {
        const scree_scene_body* b = &scene->bodies[k];
        scree_body_id id;
        check_body(scene, b);
        if (scree_world_add_body(world, &b->def, b->n_shapes, b->shapes, &id) != SCREE_OK) abort();
    }
    for (int32_t k = 0; k < scene->n_joints; ++k) {
        scree_joint_def joint = scene->joints[k].def;
        scree_joint_id id;
        if (!scene->joints[k].name) abort();
        for (int i = 0; i < 2; ++i) {
            joint.body[i] = (scree_body_id){scene->joints[k].body[i] + 1, 0};
        }
        if (scree_world_add_joint(world, &joint, &id) != SCREE_OK) abort();
    }
    for (int32_t k = 0; k < scene->n_joint_drives; ++k) {
        const scree_joint_drive* d = &scene->joint_drives[k];
        if (d->joint < 0 || d->joint >= scene->n_joints || d->freedom < 0 || d->freedom > 2)
            abort();
    }
    for (int32_t k = 0; k < scene->n_generators; ++k) {
        const scree_generator* g = &scene->generators[k];
        check_body(scene, &g->model);
        if (g->count < 1 || (g->kind == SCREE_GENERATOR_RAIN && !(g->rate > 0.0))) abort();
    }
    for (int32_t k = 0; k < scene->n_drives; ++k) {
        if (scene->drives[k].body < 0 || scene->drives[k].body >= scene->n_bodies) abort();
    }
    if (!(scene->world.step > 0.0 && scene->interval > 0.0 && scene->duration > 0.0)) abort();
    scree_world_destroy(world);
}

#endif
