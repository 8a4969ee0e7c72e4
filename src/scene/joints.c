/* Joints of a scene: what may be said of them, those of the world, and what drives them. */
#include "scene/simulation.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

enum { NAME_SIZE = 96 };

/* Distance of a joint's ends that is an error at the start, as a share of its bodies' reach; an
 * angle between them, in rad. */
#define APART_LIMIT 0.01

static int write_name(const scree_scene* scene, int32_t joint, char* text, size_t size)
{
    const char* name = joint < scene->n_joints ? scene->joints[joint].name : NULL;
    return name ? snprintf(text, size, "%s", name) : snprintf(text, size, "joint-%" PRId32, joint);
}

int32_t scri_joint_n_freedoms(scree_joint_kind kind)
{
    switch (kind) {
    case SCREE_JOINT_FIXED:
        return 0;
    case SCREE_JOINT_CYLINDRICAL:
    case SCREE_JOINT_UNIVERSAL:
        return 2;
    case SCREE_JOINT_PLANAR:
        return 3;
    default:
        return 1; /* of a ball, a gear and a rack without a coordinate */
    }
}

/* ---- what may be said ------------------------------------------------------------------------ */

static const char* fault_of_joint(const scree_scene* scene, const scree_scene_joint* joint)
{
    for (int k = 0; k < 2; ++k) {
        bool is_there = joint->body[k] >= -1 && joint->body[k] < scene->n_bodies;
        if (!is_there) return "there is no such body";
    }
    if (joint->body[0] != joint->body[1]) return NULL;
    return joint->body[0] < 0 ? "it joins the world to itself" : "it joins a body to itself";
}

static const char* fault_of_drive(const scree_scene* scene, const scree_joint_drive* d)
{
    if (d->joint < 0 || d->joint >= scene->n_joints) return "there is no such joint";
    int32_t n = scri_joint_n_freedoms(scene->joints[d->joint].def.kind);
    if (d->freedom < 0 || d->freedom >= n) return "its joint has no such freedom";
    if (scene->joints[d->joint].def.freedom[d->freedom].motor == SCREE_MOTOR_NONE) {
        return "its freedom has no motor";
    }
    return scri_course_is_table(d->n_table, d->table) ? NULL : "the times of its table must grow";
}

scree_status scri_scene_check_joints(const scree_env* env, const scree_scene* scene)
{
    for (int32_t i = 0; i < scene->n_joints; ++i) {
        const char* fault = fault_of_joint(scene, &scene->joints[i]);
        char name[NAME_SIZE];
        if (!fault) continue;
        write_name(scene, i, name, sizeof name);
        return scri_fail(env, SCREE_ERROR_INPUT, "joint '%s' of the scene: %s", name, fault);
    }
    for (int32_t i = 0; i < scene->n_joint_drives; ++i) {
        const char* fault = fault_of_drive(scene, &scene->joint_drives[i]);
        if (!fault) continue;
        return scri_fail(env, SCREE_ERROR_INPUT, "joint drive %" PRId32 " of the scene: %s", i,
                         fault);
    }
    return SCREE_OK;
}

/* ---- those of the world ---------------------------------------------------------------------- */

scree_status scri_scene_add_joints(scree_world* world, const scree_scene* scene)
{
    scree_status status = SCREE_OK;
    for (int32_t i = 0; !status && i < scene->n_joints; ++i) {
        const scree_scene_joint* joint = &scene->joints[i];
        scree_joint_def def = joint->def;
        scree_joint_id id;
        for (int k = 0; k < 2; ++k) def.body[k] = (scree_body_id){joint->body[k] + 1, 0};
        status = scree_world_add_joint(world, &def, &id);
    }
    return status;
}

/* A length to judge a joint by: the reach of its smaller body. Those without shapes have none. */
static double size_of(const scree_simulation* s, const scree_scene_joint* joint)
{
    double size = SCREE_INFINITY;
    for (int k = 0; k < 2; ++k) {
        double radius = joint->body[k] < 0 ? 0.0 : s->origins.radius[joint->body[k]];
        if (radius > 0.0) size = fmin(size, radius);
    }
    return size;
}

scree_status scri_simulation_check_joints(const scree_simulation* s)
{
    for (int32_t i = 0; i < s->scene->n_joints; ++i) {
        scree_joint_state state;
        scree_status status =
            scree_world_get_joint(s->world, scree_world_joint_at(s->world, i), &state);
        if (status) return status;
        double size = size_of(s, &s->scene->joints[i]);
        if (state.error[0] <= APART_LIMIT * size && state.error[1] <= APART_LIMIT) continue;
        char name[NAME_SIZE];
        write_name(s->scene, i, name, sizeof name);
        return scri_fail(&s->env, SCREE_ERROR_INPUT,
                         "joint '%s' does not close: its two ends are %.3g m and %.3g rad apart at "
                         "the start",
                         name, state.error[0], state.error[1]);
    }
    return SCREE_OK;
}

int scree_simulation_joint_name(const scree_simulation* s, int32_t joint, char* text, size_t size)
{
    if (!s) return snprintf(text, size, "no joint");
    return write_name(s->scene, joint, text, size);
}

/* ---- drives ---------------------------------------------------------------------------------- */

static double value_at(const scree_joint_drive* d, double time)
{
    scri_course course = {d->begin, d->end, d->frequency, d->phase, d->n_table, d->table};
    double value = scri_course_at(&course, time);
    return d->n_table > 0 ? value : d->value * value;
}

/* What all drives of one freedom say together. */
static double target_of(const scree_scene* scene, const scree_joint_drive* first, double time)
{
    const scree_freedom* freedom = &scene->joints[first->joint].def.freedom[first->freedom];
    /* A position is reached by the middle of the step that follows. */
    double share = freedom->motor == SCREE_MOTOR_POSITION ? 1.5 : 0.5;
    double sum = freedom->target;
    for (int32_t k = 0; k < scene->n_joint_drives; ++k) {
        const scree_joint_drive* d = &scene->joint_drives[k];
        if (d->joint != first->joint || d->freedom != first->freedom) continue;
        sum += value_at(d, time + share * scene->world.step);
    }
    return sum;
}

scree_status scri_simulation_drive_joints(scree_simulation* s)
{
    const scree_scene* scene = s->scene;
    double time = scree_world_time(s->world);
    scree_status status = SCREE_OK;
    for (int32_t i = 0; !status && i < scene->n_joint_drives; ++i) {
        const scree_joint_drive* d = &scene->joint_drives[i];
        scree_joint_id id = {d->joint + 1, 0};
        scree_freedom freedom;
        if (!scree_world_joint_is_valid(s->world, id)) continue; /* broken, or taken out */
        status = scree_world_get_freedom(s->world, id, d->freedom, &freedom);
        if (status) return status;
        freedom.target = target_of(scene, d, time);
        status = scree_world_set_freedom(s->world, id, d->freedom, &freedom);
    }
    return status;
}
