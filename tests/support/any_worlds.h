/* Worlds that chance puts together: every shape in any pose beside every other, bodies of several
 * shapes, bodies that are driven and turn, slow ones and such as fly through a step, materials of
 * every kind, joints of every kind with whatever they may have, budgets that are too small, bodies
 * pushed, put elsewhere, removed. */
#ifndef SUPPORT_ANY_WORLDS_H
#define SUPPORT_ANY_WORLDS_H

#include "support/draw.h"
#include "support/motions.h"

typedef struct any_world {
    scri_random random;
    int is_round; /* numbers of few binary digits: much is exactly equal, or zero */
    int has_joints;
    int is_alone; /* nothing but bodies that obey forces, and no forces */
    int32_t n_materials;
    scree_world* world;
    int n;
    scree_body_id id[12];
    double at[12][3];
    scree_hull* hull;
    scree_mesh* mesh;
    double theta;
} any_world;

static inline double any_number(any_world* w, double lo, double hi)
{
    double x = draw_between(&w->random, lo, hi);
    return w->is_round ? floor(32.0 * x) / 32.0 : x;
}

static inline void any_vector(any_world* w, double size, double out[3])
{
    for (int i = 0; i < 3; ++i) out[i] = any_number(w, -size, size);
}

static inline int is_chosen(any_world* w, double percent)
{
    return draw_chance(&w->random, percent);
}

/* Round numbers: one of a few turns. */
static inline void any_turn(any_world* w, double out[4])
{
    static const double turns[4][4] = {
        {1.0, 0.0, 0.0, 0.0}, {0.5, 0.5, 0.5, 0.5}, {0.0, 1.0, 0.0, 0.0}, {0.5, -0.5, 0.5, 0.5}};
    int which = draw_below(&w->random, 8);
    double square = 0.0;
    memcpy(out, turns[which % 4], 4 * sizeof *out);
    if (w->is_round || which == 0) return;
    for (int i = 0; i < 4; ++i) {
        out[i] += draw_between(&w->random, -0.4, 0.4);
        square += out[i] * out[i];
    }
    for (int i = 0; i < 4; ++i) out[i] /= sqrt(square);
}

static inline scree_shape any_shape(any_world* w)
{
    static const scree_shape_kind kinds[] = {
        SCREE_SHAPE_SPHERE, SCREE_SHAPE_BOX,  SCREE_SHAPE_CAPSULE,   SCREE_SHAPE_CYLINDER,
        SCREE_SHAPE_HULL,   SCREE_SHAPE_CONE, SCREE_SHAPE_ELLIPSOID, SCREE_SHAPE_BOX};
    scree_shape shape = scree_default_shape();
    shape.kind = kinds[draw_below(&w->random, 8)];
    for (int i = 0; i < 3; ++i) shape.half_size[i] = any_number(w, 0.0625, 0.1875);
    if (shape.kind == SCREE_SHAPE_SPHERE) shape.half_size[1] = 0.0;
    if (shape.kind == SCREE_SHAPE_HULL) {
        shape.hull = w->hull;
        set3(shape.half_size, is_chosen(w, 50.0) ? 1.0 : 0.75, 0.0, 0.0);
    }
    if (shape.kind != SCREE_SHAPE_BOX && shape.kind != SCREE_SHAPE_ELLIPSOID) {
        shape.half_size[2] = 0.0;
    }
    int is_curved = shape.kind == SCREE_SHAPE_SPHERE || shape.kind == SCREE_SHAPE_CAPSULE;
    if (!is_curved && is_chosen(w, 20.0)) shape.rounding = 0.015625;
    shape.material = draw_below(&w->random, w->n_materials);
    return shape;
}

static inline int32_t any_material(any_world* w, scree_scheme scheme)
{
    static const double mu[] = {0.0, 0.25, 0.5, 1.0};
    scree_material m = {.mu = mu[draw_below(&w->random, 4)]};
    if (is_chosen(w, 30.0)) m.mu_r = 1e-3;
    if (is_chosen(w, 30.0)) m.mu_s = 2e-3;
    if (is_chosen(w, 25.0)) m.slip[0] = (scree_slip){1.2 * m.mu, 0.1, 0.02};
    switch (draw_below(&w->random, 6)) {
    case 0:
        m.mu_r_share = 0.02, m.mu_s_share = 0.01;
        break;
    case 1:
        m.slip[1] = (scree_slip){4e-3, 1.0, 0.0};
        break;
    case 2:
        m.slip[2] = (scree_slip){4e-3, 0.0, 1e-4};
        break;
    case 3:
        m.contour = 1, m.lay[2] = 1.0;
        break;
    default:
        break;
    }
    int yields = draw_below(&w->random, 8);
    if (yields == 0) m.stiffness = 1e5, m.damping = 20.0;
    if (yields == 1) m.young = 1e7, m.poisson = 0.25;
    if (yields > 4 && scheme == SCREE_SCHEME_IMPULSE) m.restitution = 0.5;
    return add_material(w->world, m);
}

static inline void any_force(void* user, const scree_world_view* view, double* force,
                             double* torque)
{
    (void)user;
    for (int32_t i = 0; i < view->n_bodies; ++i) {
        force[3 * i + i % 3] += 0.5 * view->mass[i] - 0.25 * view->velocity[3 * i];
        torque[3 * i + (i + 1) % 3] += 1e-3 * view->mass[i];
    }
}

static inline scree_world_def any_def(any_world* w)
{
    static const double steps[] = {0.0009765625, 0.00390625, 0.0078125};
    static const double thetas[] = {0.5, 0.5, 0.75, 1.0};
    static const double tols[] = {1e-2, 1e-4, 1e-8};
    scree_world_def def = scree_default_world_def();
    def.step = steps[draw_below(&w->random, 3)];
    def.theta = thetas[draw_below(&w->random, 4)];
    def.scheme = is_chosen(w, 60.0) ? SCREE_SCHEME_IMPULSE : SCREE_SCHEME_GAP;
    def.law = is_chosen(w, 70.0) ? SCREE_LAW_EXACT : SCREE_LAW_CONVEX;
    def.solver.tol = tols[draw_below(&w->random, 3)];
    def.workers = 1 + draw_below(&w->random, 3);
    def.joints = is_chosen(w, 50.0) ? SCREE_JOINTS_TREES : SCREE_JOINTS_ROWS;
    def.gravity[2] = w->is_round ? -8.0 : -9.81;
    if (is_chosen(w, 20.0)) set3(def.gravity, 1.0, -2.0, -4.0);
    if (w->is_alone || is_chosen(w, 10.0)) set3(def.gravity, 0.0, 0.0, 0.0);
    if (!w->is_alone && is_chosen(w, 25.0)) def.force = any_force;
    if (def.scheme == SCREE_SCHEME_GAP && is_chosen(w, 20.0)) def.margin = 0.02;
    if (def.scheme == SCREE_SCHEME_GAP && is_chosen(w, 30.0)) def.overlap = 1e-5;
    def.solver.max_iter = is_chosen(w, 10.0) ? 3 : w->has_joints ? 20 : 60;
    return def;
}

static inline void add_ground(any_world* w)
{
    scree_body_def def = scree_default_body_def();
    scree_shape shape = scree_default_shape();
    int which = draw_below(&w->random, 4);
    shape.kind = which == 0 ? SCREE_SHAPE_MESH : SCREE_SHAPE_HALF_SPACE;
    if (which == 0) shape.mesh = w->mesh;
    def.kind = which == 1 ? SCREE_BODY_KINEMATIC : SCREE_BODY_STATIC;
    if (which == 1) set3(def.velocity, 0.5, 0.0, 0.25), set3(def.angular_velocity, 0.0, 0.5, 1.0);
    if (which == 2) def.rotation[0] = 0.96, def.rotation[2] = 0.28;
    set3(def.position, 0.0, 0.0, -0.25);
    shape.material = draw_below(&w->random, w->n_materials);
    add_body(w->world, &def, &shape);
}

/* Two plates that close on what is between them, or have closed. */
static inline void add_jaws(any_world* w)
{
    for (int k = 0; k < 2; ++k) {
        scree_shape plate = box_of(0.0625, 0.5, 0.5);
        scree_body_def def = scree_default_body_def();
        def.kind = k && is_chosen(w, 50.0) ? SCREE_BODY_STATIC : SCREE_BODY_KINEMATIC;
        set3(def.position, k ? 0.5 : -0.1875, 0.125, 0.25);
        if (def.kind != SCREE_BODY_STATIC) set3(def.velocity, k ? -2.0 : 4.0, 0.0, 0.0);
        plate.material = draw_below(&w->random, w->n_materials);
        add_body(w->world, &def, &plate);
    }
}

static inline void add_any_body(any_world* w)
{
    scree_shape shape[2];
    for (int k = 0; k < 2; ++k) shape[k] = any_shape(w);
    scree_body_def def = body_of(&shape[0], 1000.0);
    int n = is_chosen(w, 30.0) ? 2 : 1, kind = w->is_alone ? 100 : draw_below(&w->random, 100);
    double* at = w->at[w->n];
    if (kind < 12)
        def.kind = SCREE_BODY_KINEMATIC;
    else if (kind < 18)
        def.kind = SCREE_BODY_STATIC;
    for (int k = 0; k < n && n == 2; ++k) {
        any_vector(w, 0.125, shape[k].position);
        any_turn(w, shape[k].rotation);
    }
    if (is_chosen(w, 50.0)) {
        def.inertia[3] = 0.125 * def.inertia[0];
        def.inertia[5] = -0.0625 * def.inertia[0];
    }
    set3(at, 0.28125 * (w->n % 2), 0.25 * (w->n / 2 % 2), 0.28125 * (w->n / 4));
    double off[3];
    any_vector(w, 0.0625, off);
    for (int i = 0; i < 3; ++i) def.position[i] = at[i] += off[i];
    any_turn(w, def.rotation);
    if (def.kind != SCREE_BODY_STATIC) {
        any_vector(w, is_chosen(w, 25.0) ? 40.0 : 1.0, def.velocity);
        if (is_chosen(w, 60.0))
            any_vector(w, is_chosen(w, 20.0) ? 60.0 : 4.0, def.angular_velocity);
    }
    assert_int_equal(scree_world_add_body(w->world, &def, n, shape, &w->id[w->n]), SCREE_OK);
    w->n++;
}

static inline void any_freedom(any_world* w, scree_freedom* f)
{
    switch (draw_below(&w->random, 10)) {
    case 0:
        f->stiffness = 50.0, f->damping = 0.5, f->rest = 0.0625;
        break;
    case 1:
        f->friction = 0.5, f->friction_arm = 0.01;
        break;
    case 2:
        f->motor = SCREE_MOTOR_VELOCITY, f->target = 1.0, f->max_effort = 5.0;
        break;
    case 3:
        f->motor = SCREE_MOTOR_POSITION, f->target = 0.25, f->max_effort = 8.0;
        break;
    case 4:
        f->motor = SCREE_MOTOR_EFFORT, f->target = 2.0;
        break;
    case 5:
        f->lower = -0.0078125, f->upper = 0.0078125;
        break;
    case 6:
        f->armature = 0.01, f->damping = 0.25;
        break;
    case 7:
        f->motor = SCREE_MOTOR_POSITION, f->target = -0.5, f->time = 0.05, f->max_effort = 40.0;
        break;
    default:
        break;
    }
}

/* A joint between body k and one before it, or the world. */
static inline void add_any_joint(any_world* w, int k)
{
    static const scree_joint_kind kinds[] = {
        SCREE_JOINT_FIXED,       SCREE_JOINT_BALL,      SCREE_JOINT_HINGE,  SCREE_JOINT_SLIDER,
        SCREE_JOINT_CYLINDRICAL, SCREE_JOINT_UNIVERSAL, SCREE_JOINT_PLANAR, SCREE_JOINT_DISTANCE,
        SCREE_JOINT_ROPE,        SCREE_JOINT_SCREW,     SCREE_JOINT_GEAR,   SCREE_JOINT_RACK,
        SCREE_JOINT_CURVE};
    static const double wire[12] = {-0.5, 0.0,   0.0,   0.0, 0.125, 0.0,
                                    0.25, 0.125, 0.125, 0.5, 0.0,   0.25};
    int other = draw_below(&w->random, k + 1) - 1;
    if (other < 0 && w->is_alone) other = k - 1;
    double point[3], axis[3];
    if (other == k || other < -1 || k == 0) other = -1;
    if (other < 0 && w->is_alone) return;
    for (int i = 0; i < 3; ++i)
        point[i] = 0.5 * (w->at[k][i] + (other < 0 ? 0.0 : w->at[other][i]));
    do any_vector(w, 1.0, axis);
    while (!(dot3(axis, axis) > 0.1));
    scree_joint_def def = scree_default_joint_def();
    def.kind = kinds[draw_below(&w->random, 13)];
    int is_far = def.kind == SCREE_JOINT_RACK || def.kind == SCREE_JOINT_CURVE;
    if (is_far && w->is_alone) return; /* the first leans on the world, the other jumps */
    if (def.kind == SCREE_JOINT_CURVE)
        def.n_curve = 4, def.curve = wire, def.closed = is_chosen(w, 30.0);
    def.body[0] = w->id[k];
    def.body[1] = other < 0 ? the_world : w->id[other];
    if (scree_joint_place(w->world, &def, point, axis)) return;
    def.ratio = 0.125;
    if (def.kind == SCREE_JOINT_ROPE) def.length += is_chosen(w, 50.0) ? 0.0 : 0.01;
    for (int i = 0; i < SCREE_FREEDOMS_MAX; ++i) any_freedom(w, &def.freedom[i]);
    if (is_chosen(w, 20.0)) def.compliance[0] = 1e-5, def.damping[0] = 10.0;
    if (is_chosen(w, 20.0)) def.compliance[1] = 1e-4, def.damping[1] = 0.5;
    int is_coupled = def.kind == SCREE_JOINT_SCREW || def.kind == SCREE_JOINT_GEAR ||
                     def.kind == SCREE_JOINT_RACK;
    if (is_coupled && is_chosen(w, 50.0)) def.freedom[0].backlash = 0.0078125;
    if (is_chosen(w, 10.0)) def.break_force = 50.0;
    if (is_chosen(w, 10.0)) def.break_torque = 5.0;
    def.collide = is_chosen(w, 30.0);
    scree_joint_id id;
    scree_status status = scree_world_add_joint(w->world, &def, &id);
    (void)status; /* some are of bodies that do not move, or have what their kind has not */
}

static inline any_world make_any(uint64_t seed, int is_round, int has_joints, int is_alone)
{
    any_world w = {.random = {.key = seed},
                   .is_round = is_round,
                   .has_joints = has_joints,
                   .is_alone = is_alone};
    double corner[30], heights[25];
    const double origin[2] = {-1.0, -1.0}, spacing[2] = {0.5, 0.5};
    for (int i = 0; i < 10; ++i) draw_direction(&w.random, corner + 3 * i);
    for (int i = 0; i < 30; ++i) corner[i] *= 0.1;
    for (int i = 0; i < 25; ++i) heights[i] = any_number(&w, -0.0625, 0.0625);
    assert_int_equal(scree_hull_create(NULL, 10, corner, &w.hull), SCREE_OK);
    assert_int_equal(scree_mesh_create_heights(NULL, 5, 5, origin, spacing, heights, &w.mesh),
                     SCREE_OK);
    scree_world_def def = any_def(&w);
    w.theta = def.theta;
    w.world = guarded_world(def, (scree_material){.mu = 0.5});
    for (w.n_materials = 1; w.n_materials < 4;) {
        any_material(&w, def.scheme);
        w.n_materials++;
    }
    int n = 3 + draw_below(&w.random, has_joints ? 4 : 7);
    if (!is_alone && is_chosen(&w, 80.0)) add_ground(&w);
    if (!is_alone && is_chosen(&w, 15.0)) add_jaws(&w);
    for (int k = 0; k < n; ++k) add_any_body(&w);
    for (int k = 0; k < n && has_joints; ++k) {
        if (is_chosen(&w, 70.0)) add_any_joint(&w, k);
        if (is_chosen(&w, 15.0)) add_any_joint(&w, k); /* a loop */
    }
    return w;
}

/* Something that the host does between two steps. */
static inline void disturb(any_world* w)
{
    int k = draw_below(&w->random, w->n);
    double x[3], y[3], turn[4];
    scree_status status = SCREE_OK;
    any_vector(w, 1.0, x);
    any_vector(w, 0.25, y);
    any_turn(w, turn);
    if (!scree_world_body_is_valid(w->world, w->id[k])) return;
    switch (draw_below(&w->random, 8)) {
    case 0:
        status = scree_world_apply_force(w->world, w->id[k], x);
        break;
    case 1:
        status = scree_world_apply_torque(w->world, w->id[k], y);
        break;
    case 2:
        status = scree_world_apply_force_at(w->world, w->id[k], x, y);
        break;
    case 3:
        status = scree_world_apply_impulse_at(w->world, w->id[k], x, y);
        break;
    case 4:
        status = scree_world_set_pose(w->world, w->id[k], y, turn);
        break;
    case 5:
        status = scree_world_set_velocity(w->world, w->id[k], x, y);
        break;
    case 6:
        status = scree_world_remove_body(w->world, w->id[k]);
        break;
    default:
        break;
    }
    (void)status; /* forces are for bodies that move */
}

static inline void end_any(any_world* w)
{
    end_world(w->world);
    scree_hull_destroy(w->hull);
    scree_mesh_destroy(w->mesh);
}

/* Until a step fails: bodies may have gone wild. */
static inline uint64_t mix_any(uint64_t hash, any_world* w, int steps, mixing* mix)
{
    for (int s = 0; s < steps; ++s) {
        scree_step_report report;
        scree_status status = scree_world_step(w->world, &report);
        const double ended = (double)status;
        hash = mix_bits(hash, &ended, 1);
        if (status) return hash;
        hash = mix_world(mix_step(hash, &report, mix), w->world, mix);
        hash = mix_inside(hash, w->world, mix);
        if (s % 3 == 2) disturb(w);
    }
    return hash;
}

/* Numbers for n worlds from this seed on. To nine digits where there are joints, whose angles come
 * from the C library. */
static inline uint64_t mix_some(uint64_t first, int n, int is_round, int has_joints)
{
    uint64_t hash = BITS_BEGIN;
    for (int k = 0; k < n; ++k) {
        any_world w = make_any(first + (uint64_t)k, is_round, has_joints, 0);
        hash = mix_any(hash, &w, k % 4 ? 8 : 16, has_joints ? mix_rounded : mix_bits);
        end_any(&w);
    }
    return hash;
}

#endif
