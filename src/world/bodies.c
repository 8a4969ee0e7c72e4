/* Adding bodies, and what follows from a body's pose. */
#include "math/vec.h"
#include "shapes/bounds.h"
#include "world/slots.h"
#include "world/world.h"

#include <math.h>

/* Inverse of a symmetric positive definite matrix given as xx yy zz xy xz yz; 0 when it is not. */
static int invert_symmetric(const double* a, double* out)
{
    double xx = a[0], yy = a[1], zz = a[2], xy = a[3], xz = a[4], yz = a[5];
    double c0 = yy * zz - yz * yz, c1 = xz * yz - xy * zz, c2 = xy * yz - xz * yy;
    double determinant = xx * c0 + xy * c1 + xz * c2;
    if (!(xx > 0.0 && xx * yy - xy * xy > 0.0 && determinant > 0.0 && isfinite(determinant))) {
        return 0;
    }
    out[0] = c0 / determinant;
    out[1] = (xx * zz - xz * xz) / determinant;
    out[2] = (xx * yy - xy * xy) / determinant;
    out[3] = c1 / determinant;
    out[4] = c2 / determinant;
    out[5] = (xy * xz - xx * yz) / determinant;
    return 1;
}

static scree_status check_body(const scree_world* world, const scree_body_def* def)
{
    const scree_env* env = &world->env;
    scree_status status =
        scri_check_size(env, def->struct_size, sizeof *def, "scree_default_body_def");
    if (status) return status;
    if ((int)def->kind < 0 || def->kind >= SCREE_BODY_NONE) {
        return scri_fail(env, SCREE_ERROR_INPUT, "unknown kind of body");
    }
    if (!scri_are_finite(def->position, 3) || !scri_are_finite(def->rotation, 4) ||
        !scri_are_finite(def->velocity, 3) || !scri_are_finite(def->angular_velocity, 3)) {
        return scri_fail(env, SCREE_ERROR_INPUT, "a body's pose or velocity is not finite");
    }
    if (!scri_is_rotation(def->rotation)) {
        return scri_fail(env, SCREE_ERROR_INPUT, "a body's rotation is not a unit quaternion");
    }
    if (def->kind == SCREE_BODY_DYNAMIC && !(def->mass > 0.0 && isfinite(def->mass))) {
        return scri_fail(env, SCREE_ERROR_INPUT, "mass = %g kg must be positive", def->mass);
    }
    return SCREE_OK;
}

static scree_status check_zones(const scree_world* world, const scree_shape* shape)
{
    const scree_env* env = &world->env;
    if (shape->n_zones == 0) return SCREE_OK;
    if (shape->n_zones < 0 || !shape->zone_material || shape->kind != SCREE_SHAPE_MESH) {
        return scri_fail(env, SCREE_ERROR_INPUT, "materials of zones are for meshes, in a list");
    }
    for (int32_t i = 0; i < shape->n_zones; ++i) {
        int32_t material = shape->zone_material[i];
        if (material >= 0 && material < world->n_materials) continue;
        return scri_fail(env, SCREE_ERROR_INPUT, "zone %d names material %d, which does not exist",
                         (int)i, (int)material);
    }
    return SCREE_OK;
}

static scree_status check_shape(const scree_world* world, const scree_body_def* def,
                                const scree_shape* shape)
{
    const scree_env* env = &world->env;
    scree_status status =
        scri_check_size(env, shape->struct_size, sizeof *shape, "scree_default_shape");
    if (status) return status;
    if (shape->material < 0 || shape->material >= world->n_materials) {
        return scri_fail(env, SCREE_ERROR_INPUT, "a shape names material %d, which does not exist",
                         (int)shape->material);
    }
    status = check_zones(world, shape);
    if (status) return status;
    if (shape->kind == SCREE_SHAPE_HALF_SPACE || shape->kind == SCREE_SHAPE_MESH) {
        if (shape->kind == SCREE_SHAPE_MESH && !shape->mesh) {
            return scri_fail(env, SCREE_ERROR_INPUT, "a mesh is not named");
        }
        if (def->kind != SCREE_BODY_DYNAMIC && shape->rounding == 0.0) return SCREE_OK;
        return scri_fail(env, SCREE_ERROR_INPUT, "a %s cannot be %s",
                         scree_shape_name((int)shape->kind),
                         def->kind == SCREE_BODY_DYNAMIC ? "dynamic" : "rounded");
    }
    scree_mass unused;
    status = scree_shape_mass(env, 1, shape, 1.0, &unused); /* checks kind and sizes */
    return status;
}

int scri_world_refuses(scree_shape_kind a, scree_shape_kind b)
{
    if (a != SCREE_SHAPE_TUBE && b != SCREE_SHAPE_TUBE) return 0;
    scree_shape_kind other = a == SCREE_SHAPE_TUBE ? b : a;
    return other == SCREE_SHAPE_TUBE || other == SCREE_SHAPE_MESH;
}

/* Any other shape that would meet a tube is refused when the second of the two comes. A world
 * without tubes is not searched. */
static scree_status check_tubes(const scree_world* world, const scree_body_def* def,
                                const scree_shape* shape)
{
    const scri_shapes_table* t = &world->shapes;
    int is_tube = shape->kind == SCREE_SHAPE_TUBE, dynamic = def->kind == SCREE_BODY_DYNAMIC;
    if (!is_tube && !world->has_tubes) return SCREE_OK;
    for (int32_t i = 0; i < t->n; ++i) {
        if (!scri_world_refuses(t->kind[i], shape->kind) || !(dynamic || t->responds[i]) ||
            !(t->category[i] & shape->collides) || !(t->collides[i] & shape->category)) {
            continue;
        }
        return scri_fail(&world->env, SCREE_ERROR_INPUT,
                         "a %s would collide with the %s of body %d: tubes are for convex shapes "
                         "and half-spaces",
                         scree_shape_name((int)shape->kind), scree_shape_name((int)t->kind[i]),
                         (int)t->body[i]);
    }
    return SCREE_OK;
}

static void write_shape(scri_shapes_table* t, int32_t i, int32_t body, const scree_body_def* def,
                        const scree_shape* shape)
{
    t->kind[i] = shape->kind;
    t->body[i] = body;
    t->material[i] = shape->material;
    t->n_zones[i] = shape->n_zones;
    t->zone_material[i] = shape->zone_material;
    t->responds[i] = def->kind == SCREE_BODY_DYNAMIC;
    t->category[i] = shape->category;
    t->collides[i] = shape->collides;
    t->user[i] = shape->user;
    t->hull[i] = shape->hull;
    t->mesh[i] = shape->mesh;
    t->rounding[i] = shape->rounding;
    scri_shape_sizes(shape, t->size + 3 * (size_t)i);
    for (int j = 0; j < 3; ++j) {
        t->offset[3 * (size_t)i + (size_t)j] = shape->position[j];
    }
    scri_quat turn = scri_quat_normalize(scri_quat_load(shape->rotation));
    scri_quat_store(turn, t->turn + 4 * (size_t)i);
}

static void write_body(scri_bodies_table* t, size_t i, const scree_body_def* def,
                       const double inv_inertia[6])
{
    int dynamic = def->kind == SCREE_BODY_DYNAMIC;
    t->kind[i] = (uint8_t)def->kind;
    t->n_joints[i] = 0;
    t->still_steps[i] = t->is_unshifted[i] = 0;
    t->user[i] = def->user;
    t->mass[i] = dynamic ? def->mass : 0.0;
    t->inv_mass[i] = dynamic ? 1.0 / def->mass : 0.0;
    t->inv_mass_last[i] = -1.0; /* it was in no list */
    for (size_t j = 0; j < 6; ++j) {
        t->inertia[6 * i + j] = dynamic ? def->inertia[j] : 0.0;
        t->inv_inertia[6 * i + j] = inv_inertia[j];
        t->load[6 * i + j] = 0.0;
    }
    const double* inertia = t->inertia + 6 * i;
    t->is_round[i] = inertia[0] == inertia[1] && inertia[1] == inertia[2] && inertia[3] == 0.0 &&
                     inertia[4] == 0.0 && inertia[5] == 0.0;
    int still = def->kind == SCREE_BODY_STATIC;
    for (size_t j = 0; j < 3; ++j) {
        t->position[3 * i + j] = def->position[j];
        t->velocity[3 * i + j] = still ? 0.0 : def->velocity[j];
        t->omega[3 * i + j] = still ? 0.0 : def->angular_velocity[j];
        t->force[3 * i + j] = t->torque[3 * i + j] = 0.0;
    }
    scri_quat_store(scri_quat_normalize(scri_quat_load(def->rotation)), t->rotation + 4 * i);
}

/* Room for n shapes in front of those of the bodies in later slots; returns the first of them. */
static int32_t make_room(scree_world* world, int32_t body, int32_t n)
{
    scri_shapes_table* t = &world->shapes;
    int32_t first = t->n;
    while (first > 0 && t->body[first - 1] > body) --first;
    if (first < t->n) { /* else all contacts are of shapes in front of them */
        scri_shapes_table_move(t, first, first + n, t->n - first);
        scri_world_renumber_shapes(world, first, n);
    }
    t->n += n;
    return first;
}

/* The slot of the next body: the lowest that is free, or one more. */
static int32_t next_slot(scree_world* world)
{
    const scri_bodies_table* b = &world->bodies;
    while (world->first_free < b->n && b->kind[world->first_free] != SCREE_BODY_NONE) {
        world->first_free++;
    }
    return world->first_free;
}

scree_status scree_world_add_body(scree_world* world, const scree_body_def* def, int32_t n,
                                  const scree_shape* shapes, scree_body_id* out)
{
    if (!world) return SCREE_ERROR_ARGUMENT;
    const scree_env* env = &world->env;
    if (!def || !out || n < 0 || (n > 0 && !shapes)) {
        return scri_fail(env, SCREE_ERROR_ARGUMENT, "scree_world_add_body: a NULL pointer");
    }
    scree_status status = check_body(world, def);
    for (int32_t i = 0; !status && i < n; ++i) status = check_shape(world, def, &shapes[i]);
    for (int32_t i = 0; !status && i < n; ++i) status = check_tubes(world, def, &shapes[i]);
    if (status) return status;
    double inverse[6] = {0.0};
    if (def->kind == SCREE_BODY_DYNAMIC && !invert_symmetric(def->inertia, inverse)) {
        return scri_fail(env, SCREE_ERROR_INPUT, "inertia is not positive definite");
    }
    int32_t body = next_slot(world);
    scri_bodies_table* b = &world->bodies;
    if (body == INT32_MAX || n > INT32_MAX - world->shapes.n ||
        !scri_bodies_table_reserve(env, b, body + 1) ||
        !scri_shapes_table_reserve(env, &world->shapes, world->shapes.n + n)) {
        return scri_fail(env, SCREE_ERROR_MEMORY, "out of memory for body %d", (int)body);
    }
    if (body == b->n) {
        b->generation[body] = 0;
        b->rank[body] = b->n++;
    }
    write_body(b, (size_t)body, def, inverse);
    int32_t first = make_room(world, body, n);
    for (int32_t i = 0; i < n; ++i) {
        write_shape(&world->shapes, first + i, body, def, &shapes[i]);
        world->has_tubes |= shapes[i].kind == SCREE_SHAPE_TUBE;
    }
    world->problem_is_current = world->is_placed = 0;
    world->has_new_shapes = 1;
    world->is_unjudged = !world->was_warned;
    scri_world_turn_inertia(world, body);
    *out = (scree_body_id){body + 1, b->generation[body]};
    return SCREE_OK;
}

/* R J R^T for a symmetric J = a in the axes of a body. */
static void turn_symmetric(const scri_bodies_table* b, size_t i, const double* a, double* out)
{
    if (b->is_round[i]) {
        for (int j = 0; j < 6; ++j) out[j] = a[j];
        return;
    }
    scri_mat r = scri_mat_from_quat(scri_quat_load(b->rotation + 4 * i));
    double full[9] = {a[0], a[3], a[4], a[3], a[1], a[5], a[4], a[5], a[2]};
    static const int place[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    for (int k = 0; k < 6; ++k) {
        double sum = 0.0;
        for (int p = 0; p < 3; ++p) {
            for (int q = 0; q < 3; ++q) {
                sum += r.m[3 * place[k][0] + p] * full[3 * p + q] * r.m[3 * place[k][1] + q];
            }
        }
        out[k] = sum;
    }
}

void scri_world_inverse_inertia(const scree_world* world, int32_t i, double* out)
{
    turn_symmetric(&world->bodies, (size_t)i, world->bodies.inv_inertia + 6 * (size_t)i, out);
}

void scri_world_inertia(const scree_world* world, int32_t i, double* out)
{
    turn_symmetric(&world->bodies, (size_t)i, world->bodies.inertia + 6 * (size_t)i, out);
}

void scri_world_turn_inertia(scree_world* world, int32_t i)
{
    scri_world_inverse_inertia(world, i, world->bodies.inv_inertia_world + 6 * (size_t)i);
}

static void place_shapes(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const scree_world* world = context;
    const scri_shapes_table* s = &world->shapes;
    const scri_bodies_table* b = &world->bodies;
    (void)worker;
    for (size_t i = (size_t)begin; i < (size_t)end; ++i) {
        size_t body = (size_t)s->body[i];
        scri_quat turn = scri_quat_load(b->rotation + 4 * body);
        scri_vec offset = scri_quat_rotate(turn, scri_vec_load(s->offset + 3 * i));
        scri_vec centre = scri_vec_load(b->position + 3 * body);
        scri_vec_store(scri_vec_add(centre, offset), s->position + 3 * i);
        scri_quat_store(scri_quat_multiply(turn, scri_quat_load(s->turn + 4 * i)),
                        s->rotation + 4 * i);
    }
}

scri_placed scri_world_place_shapes(scree_world* world)
{
    enum { GRAIN = 256 }; /* shapes that are worth handing to another worker */
    scri_team_for(world->team, world->shapes.n, GRAIN, place_shapes, world);
    world->is_placed = 0;
    return scri_world_placed(world);
}

scri_placed scri_world_placed(const scree_world* world)
{
    const scri_shapes_table* s = &world->shapes;
    return (scri_placed){.n = s->n,
                         .kind = s->kind,
                         .size = s->size,
                         .rounding = s->rounding,
                         .hull = s->hull,
                         .mesh = s->mesh,
                         .position = s->position,
                         .rotation = s->rotation,
                         .body = s->body,
                         .responds = s->responds,
                         .category = s->category,
                         .collides = s->collides,
                         .n_apart = world->apart.n,
                         .apart = world->apart.body};
}
