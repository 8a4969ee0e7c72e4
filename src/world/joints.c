/* Adding, asking and removing joints. */
#include "world/joints.h"

#include "base/fill.h"
#include "world/slots.h"
#include "world/world.h"

#include <string.h>

void scree_joint_def_init(scree_joint_def* def)
{
    if (!def) return;
    scree_joint_def usual = {
        .struct_size = sizeof usual,
        .kind = SCREE_JOINT_FIXED,
        .rotation = {{1.0, 0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}},
        .ratio = 1.0,
        .break_force = SCREE_INFINITY,
        .break_torque = SCREE_INFINITY,
    };
    for (int i = 0; i < SCREE_FREEDOMS_MAX; ++i) {
        usual.freedom[i].lower = -SCREE_INFINITY;
        usual.freedom[i].upper = SCREE_INFINITY;
        usual.freedom[i].max_effort = SCREE_INFINITY;
    }
    scri_fill(def, def->struct_size, &usual, sizeof usual);
}

/* ---- kinematics ------------------------------------------------------------------------------ */

void scri_joint_sides(const scree_world* world, const scri_joint* joint, scri_joint_side s[2])
{
    static const double origin[3] = {0.0, 0.0, 0.0}, none[4] = {1.0, 0.0, 0.0, 0.0};
    const scri_bodies_table* b = &world->bodies;
    for (int k = 0; k < 2; ++k) {
        int32_t i = joint->body[k];
        const double* position = i < 0 ? origin : b->position + 3 * (size_t)i;
        const double* rotation = i < 0 ? none : b->rotation + 4 * (size_t)i;
        s[k] = scri_joint_place_side(position, rotation, joint->def.position[k],
                                     joint->def.rotation[k]);
    }
}

/* The point of the curve next to that of A, from where it was. */
static void follow_curve(const scri_joint* joint, const scri_joint_side s[2],
                         scri_joint_terms* terms)
{
    scri_vec d = scri_vec_sub(s[0].point, s[1].point), to = s[1].point, along = {0.0, 0.0, 0.0};
    double x[3], p[3], first[3];
    for (int i = 0; i < 3; ++i) x[i] = scri_vec_dot(s[1].axis[i], d);
    terms->turn[0] = scri_curve_nearest(&joint->curve, x, joint->memory.turn[0]);
    scri_curve_at(&joint->curve, terms->turn[0], p, first, NULL);
    for (int i = 0; i < 3; ++i) {
        to = scri_vec_add_scaled(to, p[i], s[1].axis[i]);
        along = scri_vec_add_scaled(along, first[i], s[1].axis[i]);
    }
    terms->at = to;
    terms->along = scri_vec_scale(1.0 / scri_vec_length(along), along);
    terms->way = scri_curve_way(&joint->curve, terms->turn[0]);
}

/* Both sides as the carrier of a gear or rack sees them: its own place is the origin. */
static void see_from_carrier(const scree_world* world, const scri_joint* joint,
                             const scri_joint_side s[2], scri_joint_side seen[2])
{
    const scri_bodies_table* b = &world->bodies;
    size_t i = (size_t)joint->carrier;
    seen[0] = s[0], seen[1] = s[1];
    if (joint->carrier < 0) return;
    scri_quat q = scri_quat_load(b->rotation + 4 * i), back = {q.w, -q.x, -q.y, -q.z};
    scri_vec centre = scri_vec_load(b->position + 3 * i);
    for (int k = 0; k < 2; ++k) {
        seen[k].turn = scri_quat_multiply(back, s[k].turn);
        seen[k].point = scri_quat_rotate(back, scri_vec_sub(s[k].point, centre));
        seen[k].axis[0] = scri_quat_rotate(back, s[k].axis[0]);
    }
}

static void follow_coupling(const scree_world* world, const scri_joint* joint,
                            const scri_joint_side s[2], scri_joint_terms* terms)
{
    scri_joint_side seen[2];
    see_from_carrier(world, joint, s, seen);
    for (int k = 0; k < 2; ++k) {
        double angle = scri_joint_own_turn(&seen[k], joint->start[k]);
        terms->turn[k] = scri_joint_unwind(angle, joint->memory.turn[k]);
    }
    scri_vec way = scri_vec_sub(seen[0].point, scri_vec_load(joint->start_point));
    terms->slide = scri_vec_dot(seen[0].axis[0], way);
    terms->stays = joint->stays;
    terms->is_carried = joint->carrier >= 0;
}

static int is_coupling(scree_joint_kind kind)
{
    return kind == SCREE_JOINT_GEAR || kind == SCREE_JOINT_RACK;
}

scri_joint_terms scri_joint_terms_of(const scree_world* world, const scri_joint* joint,
                                     const scri_joint_side s[2])
{
    scri_joint_terms terms = {.length = joint->def.length, .ratio = joint->def.ratio};
    if (joint->def.kind == SCREE_JOINT_SCREW) {
        terms.turn[0] = scri_joint_unwind(scri_joint_angle(s), joint->memory.turn[0]);
    }
    if (is_coupling(joint->def.kind)) follow_coupling(world, joint, s, &terms);
    if (joint->def.kind == SCREE_JOINT_CURVE) follow_curve(joint, s, &terms);
    return terms;
}

double scri_joint_coordinate(const scri_joint* joint, int i, const scri_joint_side s[2],
                             double* row)
{
    if (joint->def.kind == SCREE_JOINT_CURVE) {
        scri_joint_terms terms = {.length = 0.0};
        follow_curve(joint, s, &terms);
        scri_joint_line(s, terms.along, row);
        return terms.way;
    }
    double value = scri_joint_freedom(joint->def.kind, i, s, row);
    if (!scri_joint_is_turn(joint->def.kind, i)) return value;
    return scri_joint_unwind(value, joint->memory.coordinate[i]);
}

int scri_joint_is_freed(const scri_joint* joint)
{
    const scree_freedom* f = &joint->def.freedom[0];
    return joint->def.kind == SCREE_JOINT_DISTANCE &&
           (f->stiffness > 0.0 || f->damping > 0.0 || f->motor != SCREE_MOTOR_NONE ||
            f->friction > 0.0 || !isinf(f->lower) || !isinf(f->upper));
}

int scri_joint_is_rigid(const scri_joint* joint, int kind)
{
    const scree_joint_def* def = &joint->def;
    if (kind == 0 && def->compliance[0] > 0.0) return 0;
    if (kind == 1 && def->compliance[1] > 0.0) return 0;
    return !(kind == 2 && def->freedom[0].backlash > 0.0);
}

/* ---- checks ---------------------------------------------------------------------------------- */

static const char* const names[SCREE_JOINT_KIND_COUNT] = {
    "fixed",    "ball", "hinge", "slider", "cylindrical", "universal", "planar",
    "distance", "rope", "screw", "gear",   "rack",        "curve"};

const char* scree_joint_kind_name(scree_joint_kind kind)
{
    return (int)kind >= 0 && kind < SCREE_JOINT_KIND_COUNT ? names[kind] : NULL;
}

static int is_amount(double x)
{
    return x >= 0.0 && isfinite(x);
}

static scree_status fault(const scree_env* env, const scree_joint_def* def, const char* what)
{
    return scri_fail(env, SCREE_ERROR_INPUT, "a %s joint: %s", names[def->kind], what);
}

static const char* freedom_fault(const scree_freedom* f)
{
    if (!(f->lower <= f->upper)) return "its limits are the wrong way round";
    if (f->lower == SCREE_INFINITY || f->upper == -SCREE_INFINITY) {
        return "its limits leave nothing";
    }
    if ((int)f->motor < 0 || f->motor >= SCREE_MOTOR_COUNT) return "unknown kind of motor";
    if (!isfinite(f->target) || !isfinite(f->rest)) return "a target or rest is not finite";
    if (!(f->max_effort >= 0.0)) return "max_effort must not be negative";
    if (!is_amount(f->stiffness) || !is_amount(f->damping) || !is_amount(f->friction) ||
        !is_amount(f->friction_arm) || !is_amount(f->time) || !is_amount(f->backlash) ||
        !is_amount(f->armature)) {
        return "stiffness, damping, friction, time, backlash and armature must be finite and not "
               "negative";
    }
    return NULL;
}

static scree_status check_frames(const scree_env* env, const scree_joint_def* def)
{
    for (int k = 0; k < 2; ++k) {
        if (!scri_are_finite(def->position[k], 3) || !scri_are_finite(def->rotation[k], 4)) {
            return fault(env, def, "a frame is not finite");
        }
        if (!scri_is_rotation(def->rotation[k])) {
            return fault(env, def, "the rotation of a frame is not a unit quaternion");
        }
    }
    return SCREE_OK;
}

static int is_curve(const scree_joint_def* def)
{
    if (def->n_curve < 3 || !def->curve) return 0;
    for (int32_t i = 0; i < def->n_curve; ++i) {
        const double *p = def->curve + 3 * (size_t)i, *q = p + 3;
        if (!scri_are_finite(p, 3)) return 0;
        if (i + 1 == def->n_curve && !def->closed) return 1;
        if (i + 1 == def->n_curve) q = def->curve;
        if (p[0] == q[0] && p[1] == q[1] && p[2] == q[2]) return 0;
    }
    return 1;
}

static scree_status check_amounts(const scree_env* env, const scree_joint_def* def)
{
    int is_long = def->kind == SCREE_JOINT_DISTANCE || def->kind == SCREE_JOINT_ROPE;
    if (is_long && !(def->length > 0.0 && isfinite(def->length))) {
        return fault(env, def, "its length must be positive");
    }
    if (def->kind == SCREE_JOINT_CURVE && !is_curve(def)) {
        return fault(env, def, "its curve must have three points or more, finite and distinct");
    }
    if (!isfinite(def->ratio)) return fault(env, def, "its ratio is not finite");
    if (!is_amount(def->compliance[0]) || !is_amount(def->compliance[1]) ||
        !is_amount(def->damping[0]) || !is_amount(def->damping[1])) {
        return fault(env, def, "compliance and damping must be finite and not negative");
    }
    if (!(def->break_force > 0.0 && def->break_torque > 0.0)) {
        return fault(env, def, "what breaks it must be positive");
    }
    for (int i = 0; i < SCREE_FREEDOMS_MAX; ++i) {
        const char* what = freedom_fault(&def->freedom[i]);
        if (what) return fault(env, def, what);
    }
    return SCREE_OK;
}

/* The slots of its bodies; -1 is the world. */
static scree_status check_bodies(const scree_world* world, const scree_joint_def* def,
                                 int32_t body[2])
{
    int moves = 0;
    for (int k = 0; k < 2; ++k) {
        body[k] = -1;
        if (def->body[k].index1 == 0) continue;
        scree_status status =
            scri_world_find(world, def->body[k], "scree_world_add_joint", &body[k]);
        if (status) return status;
        moves |= world->bodies.kind[body[k]] == SCREE_BODY_DYNAMIC;
    }
    if (body[0] == body[1]) return fault(&world->env, def, "it joins a body with itself");
    return moves ? SCREE_OK : fault(&world->env, def, "neither of its bodies can move");
}

/* The slot of what carries a gear or rack, -1 for the world. Where both turn about one line, their
 * bearings cannot tell them apart. */
static scree_status check_carrier(const scree_world* world, scri_joint* joint)
{
    const scree_env* env = &world->env;
    const scree_joint_def* def = &joint->def;
    scri_joint_side s[2];
    joint->carrier = -1;
    if (def->carrier.index1 == 0) return SCREE_OK;
    if (!is_coupling(def->kind)) return fault(env, def, "only a gear or rack has a carrier");
    scree_status status =
        scri_world_find(world, def->carrier, "scree_world_add_joint", &joint->carrier);
    if (status) return status;
    if (joint->carrier == joint->body[0] || joint->carrier == joint->body[1]) {
        return fault(env, def, "its carrier is one of its bodies");
    }
    scri_joint_sides(world, joint, s);
    scri_vec across = scri_vec_cross(s[0].axis[0], s[1].axis[0]);
    scri_vec apart = scri_vec_sub(s[1].point, s[0].point);
    double off = scri_vec_length(scri_vec_cross(s[0].axis[0], apart));
    int is_line = scri_vec_length(across) < 1e-6 && !(off > 1e-6 * scri_vec_length(apart));
    if (def->kind == SCREE_JOINT_GEAR && is_line) {
        return fault(env, def, "on a carrier its axes must not be one line");
    }
    return SCREE_OK;
}

scree_status scri_joint_check(const scree_env* env, const scree_joint_def* def)
{
    scree_status status =
        scri_check_size(env, def->struct_size, sizeof *def, "scree_default_joint_def");
    if (status) return status;
    if ((int)def->kind < 0 || def->kind >= SCREE_JOINT_KIND_COUNT) {
        return scri_fail(env, SCREE_ERROR_INPUT, "unknown kind of joint");
    }
    status = check_frames(env, def);
    return status ? status : check_amounts(env, def);
}

/* ---- handles --------------------------------------------------------------------------------- */

int scree_world_joint_is_valid(const scree_world* world, scree_joint_id id)
{
    if (!world || id.index1 < 1 || id.index1 > world->joints.n) return 0;
    const scri_joint* joint = &world->joints.joint[id.index1 - 1];
    return joint->is_used && joint->generation == id.generation;
}

scree_joint_id scree_world_joint_at(const scree_world* world, int32_t index)
{
    if (!world || index < 0 || index >= world->joints.n || !world->joints.joint[index].is_used) {
        return (scree_joint_id){0, 0};
    }
    return (scree_joint_id){index + 1, world->joints.joint[index].generation};
}

int32_t scree_world_count_joints(const scree_world* world)
{
    return world ? world->joints.n : 0;
}

scree_status scri_world_find_joint(const scree_world* world, scree_joint_id id, const char* call,
                                   int32_t* out)
{
    if (!world) return SCREE_ERROR_ARGUMENT;
    *out = id.index1 - 1;
    if (scree_world_joint_is_valid(world, id)) return SCREE_OK;
    return scri_fail(&world->env, SCREE_ERROR_ARGUMENT, "%s: there is no joint %d of generation %u",
                     call, (int)id.index1 - 1, (unsigned)id.generation);
}

/* ---- adding ---------------------------------------------------------------------------------- */

/* The rotation whose x axis is along `axis` and whose y axis is some tangent. */
static scri_quat frame_along(scri_vec axis)
{
    scri_vec y, z;
    scri_vec_tangents(axis, &y, &z);
    /* of the four forms of the same quaternion the one without cancellation */
    double t[4] = {1.0 + axis.x + y.y + z.z, 1.0 + axis.x - y.y - z.z, 1.0 - axis.x + y.y - z.z,
                   1.0 - axis.x - y.y + z.z};
    scri_quat q = {t[0], y.z - z.y, z.x - axis.z, axis.y - y.x};
    if (t[1] > t[0] && t[1] >= t[2] && t[1] >= t[3]) {
        q = (scri_quat){y.z - z.y, t[1], axis.y + y.x, z.x + axis.z};
    } else if (t[2] > t[0] && t[2] >= t[3]) {
        q = (scri_quat){z.x - axis.z, axis.y + y.x, t[2], y.z + z.y};
    } else if (t[3] > t[0]) {
        q = (scri_quat){axis.y - y.x, z.x + axis.z, y.z + z.y, t[3]};
    }
    return scri_quat_normalize(q);
}

/* Point and rotation of the world as a body sees them. */
static void write_frame(const scree_world* world, int32_t body, scri_vec point, scri_quat turn,
                        double* position, double* rotation)
{
    if (body >= 0) {
        scri_quat q = scri_quat_load(world->bodies.rotation + 4 * (size_t)body);
        scri_vec centre = scri_vec_load(world->bodies.position + 3 * (size_t)body);
        scri_quat back = {q.w, -q.x, -q.y, -q.z};
        point = scri_quat_rotate(back, scri_vec_sub(point, centre));
        turn = scri_quat_normalize(scri_quat_multiply(back, turn));
    }
    scri_vec_store(point, position);
    scri_quat_store(turn, rotation);
}

scree_status scree_joint_place(const scree_world* world, scree_joint_def* def,
                               const double point[3], const double axis[3])
{
    static const double x_axis[3] = {1.0, 0.0, 0.0};
    if (!world) return SCREE_ERROR_ARGUMENT;
    const scree_env* env = &world->env;
    if (!def || !point) {
        return scri_fail(env, SCREE_ERROR_ARGUMENT, "scree_joint_place: no joint, or no point");
    }
    if (!axis) axis = x_axis;
    double largest = fmax(fabs(axis[0]), fmax(fabs(axis[1]), fabs(axis[2])));
    if (!scri_are_finite(point, 3) || !(largest > 0.0 && isfinite(largest))) {
        return scri_fail(env, SCREE_ERROR_INPUT,
                         "scree_joint_place: the point is not finite or the axis has no length");
    }
    if ((int)def->kind < 0 || def->kind >= SCREE_JOINT_KIND_COUNT) {
        return scri_fail(env, SCREE_ERROR_INPUT, "unknown kind of joint");
    }
    int32_t body[2];
    scree_status status = check_bodies(world, def, body);
    if (status) return status;
    scri_vec along = scri_vec_scale(1.0 / largest, scri_vec_load(axis)), at = scri_vec_load(point);
    scri_quat turn = frame_along(scri_vec_scale(1.0 / scri_vec_length(along), along));
    write_frame(world, body[0], at, turn, def->position[0], def->rotation[0]);
    if (def->kind == SCREE_JOINT_DISTANCE || def->kind == SCREE_JOINT_ROPE) {
        static const double origin[3] = {0.0, 0.0, 0.0};
        const double* x = body[1] < 0 ? origin : world->bodies.position + 3 * (size_t)body[1];
        scri_vec centre = scri_vec_load(x);
        def->length = scri_vec_length(scri_vec_sub(at, centre));
        at = centre;
    }
    write_frame(world, body[1], at, turn, def->position[1], def->rotation[1]);
    return SCREE_OK;
}

static void forget_solution(scree_world* world)
{
    world->parts.n = 0;
    world->problem_is_current = 0;
    scri_world_forget_system(world);
}

void scri_world_forget_system(scree_world* world)
{
    world->joint_system.is_made = 0;
}

/* Coordinates and turns from where the bodies are. */
static void begin(const scree_world* world, scri_joint* joint)
{
    scri_joint_side s[2], seen[2];
    double row[12];
    scri_joint_sides(world, joint, s);
    if (joint->def.kind == SCREE_JOINT_CURVE) joint->memory.turn[0] = (double)NAN; /* anywhere */
    see_from_carrier(world, joint, s, seen);
    for (int k = 0; k < 2; ++k) scri_quat_store(seen[k].turn, joint->start[k]);
    scri_vec_store(seen[0].point, joint->start_point);
    for (int i = 0; i < scri_joint_freedoms(joint->def.kind); ++i) {
        joint->memory.coordinate[i] = scri_joint_coordinate(joint, i, s, row);
    }
    scri_joint_terms terms = scri_joint_terms_of(world, joint, s);
    memcpy(joint->memory.turn, terms.turn, sizeof terms.turn);
}

scree_status scree_world_add_joint(scree_world* world, const scree_joint_def* def,
                                   scree_joint_id* out)
{
    if (!world) return SCREE_ERROR_ARGUMENT;
    const scree_env* env = &world->env;
    if (out) *out = (scree_joint_id){0, 0};
    if (!def || !out) {
        return scri_fail(env, SCREE_ERROR_ARGUMENT, "scree_world_add_joint: no definition or id");
    }
    scri_joint joint = {.is_used = 1};
    scree_status status = scri_joint_check(env, def);
    if (!status) status = check_bodies(world, def, joint.body);
    joint.def = *def;
    if (!status) status = check_carrier(world, &joint);
    if (status) return status;
    int32_t slot = 0;
    while (slot < world->joints.n && world->joints.joint[slot].is_used) ++slot;
    if (!scri_joints_table_reserve(env, &world->joints, slot + 1)) {
        return scri_fail(env, SCREE_ERROR_MEMORY, "out of memory for a joint");
    }
    if (def->kind == SCREE_JOINT_CURVE) {
        joint.knots = scri_alloc(env, SCRI_KNOT * (size_t)def->n_curve * sizeof(double));
        if (!joint.knots) return scri_fail(env, SCREE_ERROR_MEMORY, "out of memory for a curve");
        joint.curve = scri_curve_make(def->n_curve, def->curve, def->closed, joint.knots);
    }
    joint.def.curve = NULL;
    if (!def->collide && joint.body[0] >= 0 && joint.body[1] >= 0) {
        int32_t before = world->apart.n;
        status = scree_world_ignore_pair(world, def->body[0], def->body[1], 1);
        if (status) scri_release(env, joint.knots);
        if (status) return status;
        joint.ignores = world->apart.n > before;
    }
    if (slot == world->joints.n) {
        world->joints.n++;
    } else {
        joint.generation = world->joints.joint[slot].generation;
    }
    for (int k = 0; k < 2; ++k) {
        scri_quat q = scri_quat_normalize(scri_quat_load(joint.def.rotation[k]));
        scri_quat_store(q, joint.def.rotation[k]);
        if (joint.body[k] >= 0) world->bodies.n_joints[joint.body[k]]++;
    }
    begin(world, &joint);
    world->joints.joint[slot] = joint;
    world->n_joints++;
    forget_solution(world);
    *out = (scree_joint_id){slot + 1, joint.generation};
    return SCREE_OK;
}

/* ---- removing -------------------------------------------------------------------------------- */

/* Bodies collide again, unless another joint between them says no. */
static void end_ignoring(scree_world* world, const scri_joint* gone)
{
    for (int32_t i = 0; i < world->joints.n; ++i) {
        scri_joint* other = &world->joints.joint[i];
        int same = (other->body[0] == gone->body[0] && other->body[1] == gone->body[1]) ||
                   (other->body[0] == gone->body[1] && other->body[1] == gone->body[0]);
        if (!other->is_used || other->def.collide || !same) continue;
        other->ignores = 1;
        return;
    }
    scree_body_id a = scree_world_body_at(world, gone->body[0]);
    scree_body_id b = scree_world_body_at(world, gone->body[1]);
    scree_status status = scree_world_ignore_pair(world, a, b, 0);
    (void)status; /* it takes no memory to forget */
}

void scri_world_drop_joint(scree_world* world, int32_t index)
{
    scri_joint gone = world->joints.joint[index];
    world->joints.joint[index] = (scri_joint){.generation = gone.generation + 1};
    for (int k = 0; k < 2; ++k) {
        if (gone.body[k] >= 0) world->bodies.n_joints[gone.body[k]]--;
    }
    world->n_joints--;
    scri_release(&world->env, gone.knots);
    scri_world_drop_joint_contacts(world, index);
    if (gone.ignores) end_ignoring(world, &gone);
    forget_solution(world);
}

void scri_world_drop_joints(scree_world* world, int32_t body)
{
    for (int32_t i = 0; i < world->joints.n; ++i) {
        const scri_joint* joint = &world->joints.joint[i];
        int has = joint->body[0] == body || joint->body[1] == body || joint->carrier == body;
        if (joint->is_used && has) scri_world_drop_joint(world, i);
    }
}

scree_status scree_world_remove_joint(scree_world* world, scree_joint_id id)
{
    int32_t i;
    scree_status status = scri_world_find_joint(world, id, "scree_world_remove_joint", &i);
    if (!status) scri_world_drop_joint(world, i);
    return status;
}

void scri_world_release_joints(scree_world* world)
{
    scri_arena_destroy(world->joint_system.arena);
    for (int32_t i = 0; i < world->joints.n; ++i) {
        scri_release(&world->env, world->joints.joint[i].knots);
    }
    scri_joints_table_release(&world->env, &world->joints);
}

/* ---- asking ---------------------------------------------------------------------------------- */

/* Relative velocity of the bodies in a row. */
static double rate_in(const scree_world* world, const scri_joint* joint, const double* row)
{
    const scri_bodies_table* b = &world->bodies;
    double rate = 0.0;
    for (size_t k = 0; k < 2; ++k) {
        if (joint->body[k] < 0) continue;
        size_t i = (size_t)joint->body[k];
        for (size_t j = 0; j < 3; ++j) {
            rate += row[6 * k + j] * b->velocity[3 * i + j];
            rate += row[6 * k + 3 + j] * b->omega[3 * i + j];
        }
    }
    return rate;
}

static void fill_state(const scree_world* world, const scri_joint* joint, scree_joint_state* out)
{
    scri_joint_side s[2];
    scri_joint_rows rows;
    double row[12], per_second = 1.0 / world->def.step;
    scri_joint_sides(world, joint, s);
    out->n_freedoms = scri_joint_freedoms(joint->def.kind);
    for (int i = 0; i < out->n_freedoms; ++i) {
        out->coordinate[i] = scri_joint_coordinate(joint, i, s, row);
        out->rate[i] = rate_in(world, joint, row);
        out->effort[i] = per_second * joint->memory.effort[i];
    }
    scri_vec force = scri_vec_scale(per_second, scri_vec_load(joint->memory.impulse));
    scri_vec torque = scri_vec_scale(per_second, scri_vec_load(joint->memory.impulse + 3));
    for (int i = 0; i < 3; ++i) {
        out->force[i] = scri_vec_dot(s[1].axis[i], force);
        out->torque[i] = scri_vec_dot(s[1].axis[i], torque);
    }
    scri_joint_terms terms = scri_joint_terms_of(world, joint, s);
    scri_joint_constraints(joint->def.kind, s, &terms, &rows);
    int n = scri_joint_is_freed(joint) ? 0 : rows.n[0] + rows.n[1] + rows.n[2];
    for (int i = 0; i < n; ++i) {
        int is_turn = i >= rows.n[0] && i < rows.n[0] + rows.n[1];
        is_turn |= joint->def.kind == SCREE_JOINT_GEAR;
        out->error[is_turn] = scri_hypotenuse(out->error[is_turn], rows.error[i]);
    }
    for (int k = 0; k < 2; ++k) {
        scri_vec_store(s[k].point, out->frame[k]);
        scri_quat_store(s[k].turn, out->frame[k] + 3);
    }
}

scree_status scree_world_fill_joint(const scree_world* world, scree_joint_id id,
                                    scree_joint_state* out)
{
    int32_t i;
    scree_status status = scri_world_find_joint(world, id, "scree_world_get_joint", &i);
    if (status) return status;
    if (!out) return SCREE_ERROR_ARGUMENT;
    const scri_joint* joint = &world->joints.joint[i];
    scree_joint_state whole = {.struct_size = sizeof whole, .kind = joint->def.kind};
    memcpy(whole.body, joint->def.body, sizeof whole.body);
    fill_state(world, joint, &whole);
    scri_fill(out, out->struct_size, &whole, sizeof whole);
    return SCREE_OK;
}

void* scree_world_get_joint_user(const scree_world* world, scree_joint_id id)
{
    if (!scree_world_joint_is_valid(world, id)) return NULL;
    return world->joints.joint[id.index1 - 1].def.user;
}

static scree_status find_freedom(const scree_world* world, scree_joint_id id, int32_t which,
                                 const char* call, int32_t* out)
{
    scree_status status = scri_world_find_joint(world, id, call, out);
    if (status) return status;
    if (which >= 0 && which < SCREE_FREEDOMS_MAX) return SCREE_OK;
    return scri_fail(&world->env, SCREE_ERROR_ARGUMENT, "%s: there is no freedom %d", call,
                     (int)which);
}

scree_status scree_world_set_freedom(scree_world* world, scree_joint_id id, int32_t which,
                                     const scree_freedom* freedom)
{
    int32_t i;
    scree_status status = find_freedom(world, id, which, "scree_world_set_freedom", &i);
    if (status) return status;
    if (!freedom) return SCREE_ERROR_ARGUMENT;
    scri_joint* joint = &world->joints.joint[i];
    const char* what = freedom_fault(freedom);
    if (what) return fault(&world->env, &joint->def, what);
    scree_freedom before = joint->def.freedom[which];
    joint->def.freedom[which] = *freedom;
    int same = (before.stiffness > 0.0 || before.damping > 0.0) ==
                   (freedom->stiffness > 0.0 || freedom->damping > 0.0) &&
               (before.armature > 0.0) == (freedom->armature > 0.0) &&
               (before.backlash > 0.0) == (freedom->backlash > 0.0) &&
               joint->def.kind != SCREE_JOINT_DISTANCE;
    if (!same) scri_world_forget_system(world);
    return SCREE_OK;
}

scree_status scree_world_get_freedom(const scree_world* world, scree_joint_id id, int32_t which,
                                     scree_freedom* out)
{
    int32_t i;
    scree_status status = find_freedom(world, id, which, "scree_world_get_freedom", &i);
    if (status) return status;
    if (!out) return SCREE_ERROR_ARGUMENT;
    *out = world->joints.joint[i].def.freedom[which];
    return SCREE_OK;
}
