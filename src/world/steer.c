/* What a host does to one body: puts it somewhere, pushes it, keeps something with it. */
#include "math/vec.h"
#include "world/world.h"

/* ---- checks ---------------------------------------------------------------------------------- */

static scree_status check_vector(const scree_world* world, const char* call, const char* name,
                                 const double* x)
{
    const scree_env* env = &world->env;
    if (!x) return scri_fail(env, SCREE_ERROR_ARGUMENT, "%s: %s is NULL", call, name);
    if (scri_are_finite(x, 3)) return SCREE_OK;
    return scri_fail(env, SCREE_ERROR_INPUT, "%s: %s = (%g, %g, %g) is not finite", call, name,
                     x[0], x[1], x[2]);
}

/* The slot of a dynamic body that something finite is done to. */
static scree_status find_dynamic(const scree_world* world, scree_body_id id, const char* call,
                                 const double* x, int32_t* out)
{
    scree_status status = scri_world_find(world, id, call, out);
    if (status) return status;
    if (world->bodies.kind[*out] != SCREE_BODY_DYNAMIC) {
        return scri_fail(&world->env, SCREE_ERROR_ARGUMENT, "%s: body %d is not dynamic", call,
                         (int)*out);
    }
    return check_vector(world, call, "the vector", x);
}

/* ---- pose and velocity ----------------------------------------------------------------------- */

scree_status scree_world_get_body(const scree_world* world, scree_body_id id, scree_body_state* out)
{
    int32_t slot;
    scree_status status = scri_world_find(world, id, "scree_world_get_body", &slot);
    if (status) return status;
    if (!out) {
        return scri_fail(&world->env, SCREE_ERROR_ARGUMENT, "scree_world_get_body: no place");
    }
    const scri_bodies_table* b = &world->bodies;
    size_t i = (size_t)slot;
    memcpy(out->position, b->position + 3 * i, sizeof out->position);
    memcpy(out->rotation, b->rotation + 4 * i, sizeof out->rotation);
    memcpy(out->velocity, b->velocity + 3 * i, sizeof out->velocity);
    memcpy(out->angular_velocity, b->omega + 3 * i, sizeof out->angular_velocity);
    return SCREE_OK;
}

scree_status scree_world_set_pose(scree_world* world, scree_body_id id, const double position[3],
                                  const double rotation[4])
{
    static const char call[] = "scree_world_set_pose";
    int32_t slot;
    scree_status status = scri_world_find(world, id, call, &slot);
    if (!status) status = check_vector(world, call, "the position", position);
    if (status) return status;
    const scree_env* env = &world->env;
    if (!rotation) return scri_fail(env, SCREE_ERROR_ARGUMENT, "%s: the rotation is NULL", call);
    if (!scri_is_rotation(rotation)) {
        return scri_fail(env, SCREE_ERROR_INPUT, "%s: the rotation is not a unit quaternion", call);
    }
    scri_bodies_table* b = &world->bodies;
    size_t i = (size_t)slot;
    scri_world_drop_contacts(world, slot);
    memcpy(b->position + 3 * i, position, 3 * sizeof *position);
    scri_quat_store(scri_quat_normalize(scri_quat_load(rotation)), b->rotation + 4 * i);
    scri_world_turn_inertia(world, slot);
    b->still_steps[i] = 0;
    return SCREE_OK;
}

scree_status scree_world_set_velocity(scree_world* world, scree_body_id id,
                                      const double velocity[3], const double angular_velocity[3])
{
    static const char call[] = "scree_world_set_velocity";
    int32_t i;
    scree_status status = scri_world_find(world, id, call, &i);
    if (status) return status;
    scri_bodies_table* b = &world->bodies;
    if (b->kind[i] == SCREE_BODY_STATIC) {
        return scri_fail(&world->env, SCREE_ERROR_ARGUMENT, "%s: body %d is static", call, (int)i);
    }
    status = check_vector(world, call, "the velocity", velocity);
    if (!status) status = check_vector(world, call, "the angular velocity", angular_velocity);
    if (status) return status;
    world->is_steered = 1;
    memcpy(b->velocity + 3 * (size_t)i, velocity, 3 * sizeof *velocity);
    memcpy(b->omega + 3 * (size_t)i, angular_velocity, 3 * sizeof *angular_velocity);
    return SCREE_OK;
}

/* ---- forces and impulses --------------------------------------------------------------------- */

/* r x f, with r from the centre of mass of body i to a point of the world. */
static scri_vec moment_about(const scree_world* world, int32_t i, const double* f,
                             const double* point)
{
    scri_vec centre = scri_vec_load(world->bodies.position + 3 * (size_t)i);
    return scri_vec_cross(scri_vec_sub(scri_vec_load(point), centre), scri_vec_load(f));
}

static void add_load(scree_world* world, int32_t i, const double* force, const double* torque)
{
    double* load = world->bodies.load + 6 * (size_t)i;
    for (int j = 0; j < 3 && force; ++j) load[j] += force[j];
    for (int j = 0; j < 3 && torque; ++j) load[3 + j] += torque[j];
    world->has_loads = 1;
}

scree_status scree_world_apply_force(scree_world* world, scree_body_id body, const double force[3])
{
    int32_t i;
    scree_status status = find_dynamic(world, body, "scree_world_apply_force", force, &i);
    if (!status) add_load(world, i, force, NULL);
    return status;
}

scree_status scree_world_apply_torque(scree_world* world, scree_body_id body,
                                      const double torque[3])
{
    int32_t i;
    scree_status status = find_dynamic(world, body, "scree_world_apply_torque", torque, &i);
    if (!status) add_load(world, i, NULL, torque);
    return status;
}

scree_status scree_world_apply_force_at(scree_world* world, scree_body_id body,
                                        const double force[3], const double point[3])
{
    static const char call[] = "scree_world_apply_force_at";
    int32_t i;
    scree_status status = find_dynamic(world, body, call, force, &i);
    if (!status) status = check_vector(world, call, "the point", point);
    if (status) return status;
    double torque[3];
    scri_vec_store(moment_about(world, i, force, point), torque);
    add_load(world, i, force, torque);
    return SCREE_OK;
}

/* v += p / m, w += J^-1 l in world axes, each where it is not NULL. */
static void add_impulse(scree_world* world, int32_t i, const double* p, const double* l)
{
    scri_bodies_table* b = &world->bodies;
    double *v = b->velocity + 3 * (size_t)i, *w = b->omega + 3 * (size_t)i, a[6];
    for (int j = 0; j < 3 && p; ++j) v[j] += b->inv_mass[i] * p[j];
    if (!l) return;
    scri_world_inverse_inertia(world, i, a);
    scri_mat inverse = {{a[0], a[3], a[4], a[3], a[1], a[5], a[4], a[5], a[2]}};
    scri_vec turn = scri_mat_multiply(inverse, scri_vec_load(l));
    scri_vec_store(scri_vec_add(scri_vec_load(w), turn), w);
}

scree_status scree_world_apply_impulse(scree_world* world, scree_body_id body,
                                       const double impulse[3])
{
    int32_t i;
    scree_status status = find_dynamic(world, body, "scree_world_apply_impulse", impulse, &i);
    if (!status) add_impulse(world, i, impulse, NULL);
    return status;
}

scree_status scree_world_apply_angular_impulse(scree_world* world, scree_body_id body,
                                               const double impulse[3])
{
    static const char call[] = "scree_world_apply_angular_impulse";
    int32_t i;
    scree_status status = find_dynamic(world, body, call, impulse, &i);
    if (!status) add_impulse(world, i, NULL, impulse);
    return status;
}

scree_status scree_world_apply_impulse_at(scree_world* world, scree_body_id body,
                                          const double impulse[3], const double point[3])
{
    static const char call[] = "scree_world_apply_impulse_at";
    int32_t i;
    scree_status status = find_dynamic(world, body, call, impulse, &i);
    if (!status) status = check_vector(world, call, "the point", point);
    if (status) return status;
    double moment[3];
    scri_vec_store(moment_about(world, i, impulse, point), moment);
    add_impulse(world, i, impulse, moment);
    return SCREE_OK;
}

/* ---- the rest -------------------------------------------------------------------------------- */

void* scree_world_get_user(const scree_world* world, scree_body_id body)
{
    return scree_world_body_is_valid(world, body) ? world->bodies.user[body.index1 - 1] : NULL;
}

scree_status scree_world_set_user(scree_world* world, scree_body_id body, void* user)
{
    int32_t i;
    scree_status status = scri_world_find(world, body, "scree_world_set_user", &i);
    if (!status) world->bodies.user[i] = user;
    return status;
}

void scree_world_get_gravity(const scree_world* world, double out[3])
{
    if (world && out) memcpy(out, world->def.gravity, sizeof world->def.gravity);
}

scree_status scree_world_set_gravity(scree_world* world, const double gravity[3])
{
    if (!world) return SCREE_ERROR_ARGUMENT;
    scree_status status = check_vector(world, "scree_world_set_gravity", "gravity", gravity);
    if (status) return status;
    memcpy(world->def.gravity, gravity, sizeof world->def.gravity);
    world->is_unjudged = !world->was_warned;
    return SCREE_OK;
}
