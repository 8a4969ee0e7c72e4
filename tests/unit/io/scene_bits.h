/* Two scenes, compared to the last bit. */
#ifndef IO_SCENE_BITS_H
#define IO_SCENE_BITS_H

#include "scree_io/scene_file.h"
#include "support/test.h"

static inline void same_doubles(const double* a, const double* b, int n, const char* what)
{
    for (int k = 0; k < n; ++k) {
        /* 0 and -0 are one number to whoever adds or multiplies, and read as the same text. */
        require(memcmp(&a[k], &b[k], sizeof *a) == 0 || (a[k] == 0.0 && b[k] == 0.0),
                "%s: number %d is %.17g and %.17g", what, k, a[k], b[k]);
    }
}

static inline void same_body(const scree_scene_body* a, const scree_scene_body* b)
{
    assert_string_equal(a->name, b->name);
    assert_int_equal(a->def.kind, b->def.kind);
    assert_int_equal(a->n_shapes, b->n_shapes);
    same_doubles(a->def.position, b->def.position, 3, a->name);
    same_doubles(a->def.rotation, b->def.rotation, 4, a->name);
    same_doubles(a->def.velocity, b->def.velocity, 3, a->name);
    same_doubles(a->def.angular_velocity, b->def.angular_velocity, 3, a->name);
    same_doubles(&a->def.mass, &b->def.mass, 1, a->name);
    same_doubles(a->def.inertia, b->def.inertia, 6, a->name);
    for (int32_t k = 0; k < a->n_shapes; ++k) {
        const scree_shape *s = &a->shapes[k], *t = &b->shapes[k];
        assert_int_equal(s->kind, t->kind);
        assert_int_equal(s->material, t->material);
        assert_int_equal(s->category, t->category);
        assert_int_equal(s->collides, t->collides);
        same_doubles(s->half_size, t->half_size, 3, a->name);
        same_doubles(s->position, t->position, 3, a->name);
        same_doubles(s->rotation, t->rotation, 4, a->name);
    }
}

static inline void same_freedom(const scree_freedom* a, const scree_freedom* b, const char* what)
{
    const double of_a[] = {a->lower, a->upper,    a->stiffness,    a->damping,
                           a->rest,  a->friction, a->target,       a->max_effort,
                           a->time,  a->backlash, a->friction_arm, a->armature};
    const double of_b[] = {b->lower, b->upper,    b->stiffness,    b->damping,
                           b->rest,  b->friction, b->target,       b->max_effort,
                           b->time,  b->backlash, b->friction_arm, b->armature};
    assert_int_equal(a->motor, b->motor);
    same_doubles(of_a, of_b, 12, what);
}

static inline void same_joint(const scree_scene_joint* a, const scree_scene_joint* b)
{
    const scree_joint_def *d = &a->def, *e = &b->def;
    const double of_a[] = {d->length, d->ratio, d->break_force, d->break_torque};
    const double of_b[] = {e->length, e->ratio, e->break_force, e->break_torque};
    assert_string_equal(a->name, b->name);
    assert_int_equal(d->kind, e->kind);
    assert_int_equal(d->collide, e->collide);
    assert_int_equal(d->n_curve, e->n_curve);
    same_doubles(of_a, of_b, 4, a->name);
    same_doubles(d->compliance, e->compliance, 2, a->name);
    same_doubles(d->damping, e->damping, 2, a->name);
    for (int k = 0; k < 2; ++k) {
        assert_int_equal(a->body[k], b->body[k]);
        same_doubles(d->position[k], e->position[k], 3, a->name);
        same_doubles(d->rotation[k], e->rotation[k], 4, a->name);
    }
    for (int k = 0; k < SCREE_FREEDOMS_MAX; ++k) {
        same_freedom(&d->freedom[k], &e->freedom[k], a->name);
    }
}

static inline void same_material(const scree_material* a, const scree_material* b)
{
    const double of_a[] = {a->mu, a->mu_r, a->mu_s, a->restitution};
    const double of_b[] = {b->mu, b->mu_r, b->mu_s, b->restitution};
    same_doubles(of_a, of_b, 4, "a material");
}

static inline void same_generator(const scree_generator* a, const scree_generator* b)
{
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->seed, b->seed);
    assert_memory_equal(a->grid, b->grid, sizeof a->grid);
    same_doubles(a->spacing, b->spacing, 3, "spacing");
    same_doubles(a->low, b->low, 3, "low");
    same_doubles(a->high, b->high, 3, "high");
    same_body(&a->model, &b->model);
}

static inline void same_scene(const scree_scene* a, const scree_scene* b)
{
    const double of_a[] = {a->world.step, a->world.theta, a->duration, a->interval};
    const double of_b[] = {b->world.step, b->world.theta, b->duration, b->interval};
    same_doubles(a->world.gravity, b->world.gravity, 3, "gravity");
    same_doubles(of_a, of_b, 4, "the scene");
    assert_int_equal(a->n_materials, b->n_materials);
    assert_int_equal(a->n_pairs, b->n_pairs);
    assert_int_equal(a->n_bodies, b->n_bodies);
    assert_int_equal(a->n_generators, b->n_generators);
    assert_int_equal(a->n_drives, b->n_drives);
    assert_int_equal(a->n_joints, b->n_joints);
    assert_int_equal(a->n_joint_drives, b->n_joint_drives);
    for (int32_t k = 0; k < a->n_materials; ++k) same_material(&a->materials[k], &b->materials[k]);
    for (int32_t k = 0; k < a->n_pairs; ++k) {
        assert_int_equal(a->pairs[k].a, b->pairs[k].a);
        assert_int_equal(a->pairs[k].b, b->pairs[k].b);
        same_material(&a->pairs[k].material, &b->pairs[k].material);
    }
    for (int32_t k = 0; k < a->n_bodies; ++k) same_body(&a->bodies[k], &b->bodies[k]);
    for (int32_t k = 0; k < a->n_joints; ++k) same_joint(&a->joints[k], &b->joints[k]);
    for (int32_t k = 0; k < a->n_generators; ++k) {
        same_generator(&a->generators[k], &b->generators[k]);
    }
}

#endif
