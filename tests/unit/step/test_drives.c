/* Limits, motors, springs, friction and couplings of joints against closed forms. */
#include "support/mechanisms.h"

#define GRAVITY 9.81
#define STEP 1e-3

static const double x_axis[3] = {1.0, 0.0, 0.0}, y_axis[3] = {0.0, 1.0, 0.0};
static const double z_axis[3] = {0.0, 0.0, 1.0}, origin[3] = {0.0, 0.0, 0.0};
static const double round_inertia[3] = {0.2, 0.2, 0.2};

/* A body at a point that joints hold to the world there, with one freedom said otherwise. */
static scree_joint_id add_held(scree_world* world, scree_joint_kind kind, const double point[3],
                               const double axis[3], const scree_freedom* f)
{
    scree_body_id body = add_mass(world, 2.0, round_inertia, point);
    scree_joint_def def = joint_of(world, kind, body, the_world, point, axis);
    if (f) def.freedom[0] = *f;
    return add_joint(world, &def);
}

static scree_freedom free_motion(void)
{
    return scree_default_joint_def().freedom[0];
}

static void run_for(scree_world* world, double seconds)
{
    long n = lround(seconds / STEP);
    for (long k = 0; k < n; ++k) step_joined(world);
}

/* w = T t / I up to the target, which then stays to the last bit, at no torque. */
static void a_motor_reaches_its_speed(void** state)
{
    (void)state;
    scree_world* world = world_of_joints(STEP, 0.0);
    scree_freedom f = free_motion();
    f.motor = SCREE_MOTOR_VELOCITY;
    f.target = 3.0;
    f.max_effort = 0.5;
    scree_joint_id rotor = add_held(world, SCREE_JOINT_HINGE, origin, z_axis, &f);
    run_for(world, 1.0);
    require_near(joint_now(world, rotor).rate[0], 0.5 / 0.2, 1e-12, "speed under way");
    require_near(joint_now(world, rotor).effort[0], 0.5, 1e-12, "torque under way");
    run_for(world, 1.0);
    scree_joint_state s = joint_now(world, rotor);
    require_near(s.rate[0], 3.0, 1e-14, "speed");
    require_near(s.effort[0], 0.0, 1e-9, "torque");
    require_near(s.coordinate[0], 0.5 * 3.0 * 1.2 + 3.0 * 0.8, 2e-3, "angle");
    scree_world_destroy(world);
}

static void a_motor_reaches_its_place(void** state)
{
    (void)state;
    for (int k = 0; k < 2; ++k) {
        scree_world* world = world_of_joints(STEP, GRAVITY);
        scree_freedom f = free_motion();
        f.motor = SCREE_MOTOR_POSITION;
        f.target = 0.3;
        f.time = k ? 0.1 : 0.0;
        f.max_effort = 400.0;
        scree_joint_id slider = add_held(world, SCREE_JOINT_SLIDER, origin, z_axis, &f);
        run_for(world, k ? 3.0 : 0.5);
        scree_joint_state s = joint_now(world, slider);
        require_near(s.coordinate[0], 0.3, 1e-12, "place");
        require_near(s.rate[0], 0.0, k ? 1e-11 : 0.0, "rate");
        require_near(s.effort[0], 2.0 * GRAVITY, 1e-8, "effort");
        scree_world_destroy(world);
    }
}

/* A mass on a slider stops in v I / F, and then not one ulp moves it. */
static void dry_friction_stops_and_holds(void** state)
{
    (void)state;
    scree_world* world = world_of_joints(STEP, 0.0);
    scree_freedom f = free_motion();
    f.friction = 1.0;
    scree_body_id body = add_mass(world, 2.0, round_inertia, origin);
    scree_joint_def def = joint_of(world, SCREE_JOINT_SLIDER, body, the_world, origin, x_axis);
    def.freedom[0] = f;
    scree_joint_id slider = add_joint(world, &def);
    double v[3] = {0.5, 0.0, 0.0}, force[3] = {1.0 - 1e-9, 0.0, 0.0};
    assert_int_equal(scree_world_set_velocity(world, body, v, origin), SCREE_OK);
    run_for(world, 0.6);
    require_near(joint_now(world, slider).rate[0], 0.5 - 0.5 * 0.6, 1e-12, "sliding");
    run_for(world, 0.6);
    double place = joint_now(world, slider).coordinate[0];
    require_near(place, 0.5 * 0.5 * 1.0, 1e-3, "way");
    for (int k = 0; k < 200; ++k) {
        assert_int_equal(scree_world_apply_force(world, body, force), SCREE_OK);
        step_joined(world);
        require(joint_now(world, slider).coordinate[0] == place, "step %d: it creeps", k);
    }
    force[0] = 1.5;
    for (int k = 0; k < 200; ++k) {
        assert_int_equal(scree_world_apply_force(world, body, force), SCREE_OK);
        step_joined(world);
    }
    require_near(joint_now(world, slider).rate[0], 0.5 / 2.0 * 0.2, 1e-9, "slipping");
    scree_world_destroy(world);
}

/* Friction in proportion to the load: a sledge on a slope of 30 degrees. */
static void friction_grows_with_the_reaction(void** state)
{
    (void)state;
    scree_world* world = world_of_joints(STEP, GRAVITY);
    scree_freedom f = free_motion();
    double down[3] = {cos(SCREE_PI / 6.0), 0.0, -sin(SCREE_PI / 6.0)};
    f.friction_arm = 0.3;
    scree_joint_id slider = add_held(world, SCREE_JOINT_SLIDER, origin, down, &f);
    run_for(world, 1.0);
    double a = GRAVITY * (sin(SCREE_PI / 6.0) - 0.3 * cos(SCREE_PI / 6.0));
    require_near(joint_now(world, slider).rate[0], a, 0.3 * GRAVITY * 2.0 * STEP, "speed");
    scree_world_destroy(world);
}

/* A rod that falls on its limit stays there, exactly, and the limit carries the moment. */
static void a_limit_holds(void** state)
{
    (void)state;
    double tip[3] = {1.0, 0.0, 1.0}, down[3] = {0.0, 0.0, -1.0}, top[3] = {0.0, 0.0, 1.0};
    for (int k = 0; k < 20; ++k) { /* two limits, or the one that stops, of a turn or a slide */
        double angle = 0.3 + 0.07 * (k / 4);
        scree_world* world = world_of_joints(STEP, GRAVITY);
        scree_body_id rod = add_rod(world, 1.0, top, tip);
        scree_joint_kind kind = k / 2 % 2 == 0 ? SCREE_JOINT_HINGE : SCREE_JOINT_SLIDER;
        scree_joint_def def =
            joint_of(world, kind, rod, the_world, top, k / 2 % 2 == 0 ? y_axis : down);
        if (k % 2 == 0) def.freedom[0].lower = -0.1;
        def.freedom[0].upper = angle;
        scree_joint_id joint = add_joint(world, &def);
        run_for(world, 1.0);
        scree_joint_state s = joint_now(world, joint);
        require_near(s.coordinate[0], angle, 1e-12, "coordinate");
        require_near(s.rate[0], 0.0, 0.0, "rate");
        require_near(s.effort[0], -GRAVITY * (k / 2 % 2 == 0 ? 0.5 * cos(angle) : 1.0), 1e-9,
                     "effort");
        scree_world_destroy(world);
    }
}

/* A controller in the callback of forces, which reads a joint and pushes its body: with the torque
 * -k q - c q' a wheel of inertia I swings down as exp(-c t / 2 I) cos(w t + ...), released at q_0.
 */
typedef struct controller {
    scree_world* world;
    scree_joint_id joint;
    double stiffness, damping, effort;
} controller;

static void control(void* user, const scree_world_view* view, double* force, double* torque)
{
    controller* c = user;
    scree_joint_state s = joint_now(c->world, c->joint);
    (void)view, (void)force;
    c->effort = -c->stiffness * s.coordinate[0] - c->damping * s.rate[0];
    torque[2] += c->effort;
}

static void a_controller_sees_its_joint(void** state)
{
    (void)state;
    controller c = {.stiffness = 5.0, .damping = 0.4};
    double inertia = 0.2, start = 0.5, decay = c.damping / (2.0 * inertia);
    double w = sqrt(c.stiffness / inertia - decay * decay);
    scree_world_def def = world_def(2e-4, 1e-6);
    def.gravity[2] = 0.0;
    def.force = control;
    def.force_user = &c;
    c.world = world_new(def, (scree_material){.mu = 0.5});
    scree_body_id wheel = add_mass(c.world, 1.0, round_inertia, origin);
    c.joint = join(c.world, SCREE_JOINT_HINGE, wheel, the_world, origin, z_axis);
    /* set down turned by `start` against the frame where its coordinate is zero */
    const double turned[4] = {cos(0.5 * start), 0.0, 0.0, sin(0.5 * start)};
    assert_int_equal(scree_world_set_pose(c.world, wheel, origin, turned), SCREE_OK);
    for (int k = 0; k < 4500; ++k) step_joined(c.world);
    double t = scree_world_time(c.world);
    double expected = start * exp(-decay * t) * (cos(w * t) + decay / w * sin(w * t));
    scree_joint_state s = joint_now(c.world, c.joint);
    require_near(s.coordinate[0], expected, 2e-4 * start, "place");
    require(fabs(s.coordinate[0]) > 0.01 && c.effort != 0.0, "nothing is left to see");
    scree_world_destroy(c.world);
}

/* With w = sqrt(k / m) the step turns the phase by 2 asin(h w / 2 / sqrt(1 + h^2 w^2 / 4)), and the
 * amplitude stays, for any stiffness. */
static void springs_neither_damp_nor_drive(void** state)
{
    (void)state;
    static const double stiffness[] = {50.0, 2e6, 2e9};
    for (int k = 0; k < 3; ++k) {
        scree_world* world = world_of_joints(STEP, 0.0);
        scree_freedom f = free_motion();
        f.stiffness = stiffness[k];
        f.rest = 0.01;
        scree_joint_id slider = add_held(world, SCREE_JOINT_SLIDER, origin, x_axis, &f);
        double x = 0.5 * STEP * sqrt(0.5 * stiffness[k]), most = 0.0;
        double turn = 2.0 * asin(x / sqrt(1.0 + x * x)), last = 0.0;
        for (int s = 0; s < 3000; ++s) {
            step_joined(world);
            last = joint_now(world, slider).coordinate[0] - 0.01;
            most = fmax(most, fabs(last));
        }
        require(most <= 0.01 * (1.0 + 0.3 * x * x) + 1e-9, "%g N/m: amplitude %g", stiffness[k],
                most);
        if (k == 0) require_near(last, -0.01 * cos(turn * 3000.0), 1e-8, "phase");
        scree_world_destroy(world);
    }
}

/* m v' = -c v, step by step: v / (1 + h c / m). */
static void dampers_damp(void** state)
{
    (void)state;
    scree_world* world = world_of_joints(STEP, 0.0);
    scree_freedom f = free_motion();
    f.damping = 8.0;
    scree_body_id body = add_mass(world, 2.0, round_inertia, origin);
    scree_joint_def def = joint_of(world, SCREE_JOINT_SLIDER, body, the_world, origin, x_axis);
    def.freedom[0] = f;
    scree_joint_id slider = add_joint(world, &def);
    assert_int_equal(scree_world_set_velocity(world, body, x_axis, origin), SCREE_OK);
    run_for(world, 0.5);
    require_near(joint_now(world, slider).rate[0], pow(1.0 + STEP * 4.0, -500.0), 1e-12, "speed");
    scree_world_destroy(world);
}

/* Gear of ratio r: turn of A + r turn of B stays; a torque T on A gives T / (I + I / r^2). */
static void gears_mesh(void** state)
{
    (void)state;
    double other[3] = {1.0, 0.0, 0.0}, ratio = 2.5;
    scree_world* world = world_of_joints(STEP, 0.0);
    scree_body_id a = add_mass(world, 1.0, round_inertia, origin);
    scree_body_id b = add_mass(world, 1.0, round_inertia, other);
    scree_joint_def def = joint_of(world, SCREE_JOINT_HINGE, a, the_world, origin, z_axis);
    def.freedom[0].motor = SCREE_MOTOR_EFFORT;
    def.freedom[0].target = 0.4;
    scree_joint_id first = add_joint(world, &def);
    scree_joint_id second = join(world, SCREE_JOINT_HINGE, b, the_world, other, z_axis);
    def = joint_of(world, SCREE_JOINT_GEAR, a, b, origin, z_axis);
    def.ratio = ratio;
    scree_joint_id gear = add_joint(world, &def);
    run_for(world, 2.0);
    scree_joint_state s = joint_now(world, first), t = joint_now(world, second);
    double rate = 2.0 * 0.4 / (0.2 + 0.2 / (ratio * ratio));
    require_near(s.rate[0], rate, 1e-10, "speed of the first");
    require_near(s.rate[0] + ratio * t.rate[0], 0.0, 1e-12, "speeds");
    require_near(s.coordinate[0] + ratio * t.coordinate[0], 0.0, 1e-12, "turns");
    require(joint_now(world, gear).error[1] <= 1e-12, "the gear slips");
    scree_world_destroy(world);
}

/* A nut of mass m and inertia I on a screw of pitch r m/rad falls with g m r^2 / (m r^2 + I). */
static void a_nut_runs_down_its_screw(void** state)
{
    (void)state;
    scree_world* world = world_of_joints(STEP, GRAVITY);
    scree_body_id nut = add_mass(world, 2.0, round_inertia, origin);
    scree_joint_def def = joint_of(world, SCREE_JOINT_SCREW, nut, the_world, origin, z_axis);
    def.ratio = 0.1;
    scree_joint_id screw = add_joint(world, &def);
    run_for(world, 2.0);
    double a = GRAVITY * 2.0 * 0.01 / (2.0 * 0.01 + 0.2);
    scree_world_view v = scree_world_get_view(world);
    require_near(v.velocity[2], -2.0 * a, 1e-10, "speed");
    require_near(joint_now(world, screw).coordinate[0], -2.0 * a / 0.1, 1e-9, "turns");
    require_near(v.position[2], 0.1 * joint_now(world, screw).coordinate[0], 1e-12, "pitch");
    scree_world_destroy(world);
}

/* A rack of mass m hangs on a pinion of inertia I and radius r: it falls with g m / (m + I / r^2).
 */
static void a_rack_turns_its_pinion(void** state)
{
    (void)state;
    double r = 0.25, at[3] = {r, 0.0, 0.0};
    scree_world* world = world_of_joints(STEP, GRAVITY);
    scree_body_id rack = add_mass(world, 2.0, round_inertia, at);
    scree_body_id pinion = add_mass(world, 1.0, round_inertia, origin);
    join(world, SCREE_JOINT_SLIDER, rack, the_world, at, z_axis);
    scree_joint_id hinge = join(world, SCREE_JOINT_HINGE, pinion, the_world, origin, y_axis);
    scree_joint_def def = joint_of(world, SCREE_JOINT_RACK, rack, pinion, at, z_axis);
    scree_joint_def about = joint_of(world, SCREE_JOINT_RACK, rack, pinion, origin, y_axis);
    memcpy(def.position[1], about.position[1], sizeof def.position[1]);
    memcpy(def.rotation[1], about.rotation[1], sizeof def.rotation[1]);
    def.ratio = -r;
    add_joint(world, &def);
    run_for(world, 2.0);
    double a = GRAVITY * 2.0 / (2.0 + 0.2 / (r * r));
    scree_world_view v = scree_world_get_view(world);
    require_near(v.velocity[2], -2.0 * a, 1e-10, "speed");
    require_near(joint_now(world, hinge).coordinate[0], -v.position[2] / r, 1e-11, "turns");
    scree_world_destroy(world);
}

/* Two shafts at an angle b: w2 = w1 cos b / (1 - sin^2 b sin^2 a), a the turn of the first from
 * where its arm of the cross is at right angles to the plane of the shafts. */
static void a_cardan_joint_is_uneven(void** state)
{
    (void)state;
    double b = 0.6, out[3] = {cos(b), sin(b), 0.0}, worst = 0.0;
    double near[3] = {-0.5, 0.0, 0.0}, far[3] = {0.5 * out[0], 0.5 * out[1], 0.0};
    scree_world* world = world_of_joints(STEP, 0.0);
    scree_body_id first = add_mass(world, 1.0, round_inertia, near);
    scree_body_id second = add_mass(world, 1.0, round_inertia, far);
    scree_joint_def drive = joint_of(world, SCREE_JOINT_HINGE, first, the_world, near, x_axis);
    drive.freedom[0].motor = SCREE_MOTOR_VELOCITY;
    drive.freedom[0].target = 7.0;
    scree_joint_id in = add_joint(world, &drive);
    scree_joint_id driven = join(world, SCREE_JOINT_HINGE, second, the_world, far, out);
    /* arms of the cross: z on the first shaft; on the second what is across z and the shaft */
    double arm[3] = {-sin(b), cos(b), 0.0};
    scree_joint_def one = joint_of(world, SCREE_JOINT_UNIVERSAL, first, second, origin, z_axis);
    scree_joint_def two = joint_of(world, SCREE_JOINT_UNIVERSAL, first, second, origin, arm);
    /* x of A is z; y of B is to be `arm`: x of a frame along it, turned by a quarter about its z */
    double s = sqrt(0.5), *q = two.rotation[1];
    double w = q[0], x = q[1], y = q[2], z = q[3];
    one.rotation[1][0] = s * (w + z), one.rotation[1][1] = s * (x - y);
    one.rotation[1][2] = s * (y + x), one.rotation[1][3] = s * (z - w);
    add_joint(world, &one);
    for (int k = 0; k < 2000; ++k) {
        step_joined(world);
        double c = sin(b) * sin(joint_now(world, in).coordinate[0]);
        double ratio = joint_now(world, driven).rate[0] / joint_now(world, in).rate[0];
        worst = fmax(worst, fabs(ratio - cos(b) / (1.0 - c * c)));
    }
    require(worst <= 1e-10, "the speed is off by %g of the first", worst);
    require_near(joint_now(world, in).coordinate[0], 7.0 * 2000 * STEP, 1e-2, "turns");
    scree_world_destroy(world);
}

/* A ball on a rope falls freely until it is taut, and then hangs and carries its weight. */
static void a_rope_tautens(void** state)
{
    (void)state;
    double at[3] = {0.0, 0.0, -0.5};
    scree_world* world = world_of_joints(STEP, GRAVITY);
    scree_body_id ball = add_mass(world, 2.0, round_inertia, at);
    scree_joint_def def = joint_of(world, SCREE_JOINT_ROPE, ball, the_world, at, NULL);
    def.length = 1.0;
    scree_joint_id rope = add_joint(world, &def);
    run_for(world, 0.2);
    require_near(scree_world_get_view(world).velocity[2], -0.2 * GRAVITY, 1e-12, "falling");
    run_for(world, 0.8);
    require_near(joint_now(world, rope).coordinate[0], 1.0, 1e-12, "length");
    require_near(scree_world_get_view(world).velocity[2], 0.0, 0.0, "hanging");
    require_near(joint_now(world, rope).effort[0], -2.0 * GRAVITY, 1e-9, "tension");
    scree_world_destroy(world);
}

static void what_carries_too_much_breaks(void** state)
{
    (void)state;
    for (int k = 0; k < 2; ++k) {
        scree_world* world = world_of_joints(STEP, GRAVITY);
        scree_body_id body = add_mass(world, 2.0, round_inertia, origin);
        scree_joint_def def = joint_of(world, SCREE_JOINT_FIXED, body, the_world, origin, NULL);
        def.break_force = 2.0 * GRAVITY + (k ? 1e-6 : -1e-6);
        scree_joint_id joint = add_joint(world, &def);
        scree_step_report r = step_joined(world);
        assert_int_equal(r.n_broken, !k);
        assert_int_equal(scree_world_joint_is_valid(world, joint), k);
        run_for(world, 0.1);
        require_near(scree_world_get_view(world).velocity[2], k ? 0.0 : -GRAVITY * 0.1, 1e-12,
                     "what is left");
        scree_world_destroy(world);
    }
}

/* A gear with play: the driven one does not move before half of it is used up. */
static void backlash_is_play(void** state)
{
    (void)state;
    double other[3] = {1.0, 0.0, 0.0};
    scree_world* world = world_of_joints(STEP, 0.0);
    scree_body_id a = add_mass(world, 1.0, round_inertia, origin);
    scree_body_id b = add_mass(world, 1.0, round_inertia, other);
    scree_joint_def def = joint_of(world, SCREE_JOINT_HINGE, a, the_world, origin, z_axis);
    def.freedom[0].motor = SCREE_MOTOR_VELOCITY;
    def.freedom[0].target = 1.0;
    scree_joint_id first = add_joint(world, &def);
    scree_joint_id second = join(world, SCREE_JOINT_HINGE, b, the_world, other, z_axis);
    def = joint_of(world, SCREE_JOINT_GEAR, a, b, origin, z_axis);
    def.freedom[0].backlash = 0.2;
    add_joint(world, &def);
    while (joint_now(world, first).coordinate[0] < 0.099) step_joined(world);
    require(joint_now(world, second).coordinate[0] == 0.0, "it moves before it is touched");
    run_for(world, 1.0);
    double sum = joint_now(world, first).coordinate[0] + joint_now(world, second).coordinate[0];
    require_near(sum, 0.1, 1e-9, "play");
    require_near(joint_now(world, second).rate[0], -1.0, 1e-9, "speed");
    scree_world_destroy(world);
}

/* The inertia of a motor, seen from its joint: a rotor with armature J under a torque. */
static void armature_is_inertia(void** state)
{
    (void)state;
    scree_world* world = world_of_joints(STEP, 0.0);
    scree_freedom f = free_motion();
    f.motor = SCREE_MOTOR_EFFORT;
    f.target = 0.6;
    f.armature = 0.1;
    scree_joint_id rotor = add_held(world, SCREE_JOINT_HINGE, origin, z_axis, &f);
    run_for(world, 1.0);
    require_near(joint_now(world, rotor).rate[0], 0.6 / 0.3, 1e-10, "speed");
    scree_world_destroy(world);
}

/* A plate on four posts that yield shares its load by their compliance, whose size does not matter;
 * rigid posts carry the weight too. */
static void compliance_shares_loads(void** state)
{
    (void)state;
    double load[3][4];
    for (int k = 0; k < 3; ++k) {
        scree_world* world = world_of_joints(STEP, GRAVITY);
        scree_body_id plate = add_mass(world, 4.0, round_inertia, origin);
        scree_joint_id post[4];
        for (int i = 0; i < 4; ++i) {
            double at[3] = {i < 2 ? 0.5 : -0.3, i % 2 ? 0.4 : -0.6, 0.0};
            scree_joint_def def = joint_of(world, SCREE_JOINT_BALL, plate, the_world, at, NULL);
            def.compliance[0] = k == 0 ? 1e-5 : k == 1 ? 1e-10 : 0.0;
            def.damping[0] = k == 0 ? 50.0 : 0.0;
            post[i] = add_joint(world, &def);
        }
        run_for(world, 1.0);
        double sum = 0.0;
        for (int i = 0; i < 4; ++i) sum += load[k][i] = joint_now(world, post[i]).force[2];
        require_near(sum, 4.0 * GRAVITY, 1e-6, "weight");
        scree_world_destroy(world);
    }
    for (int i = 0; i < 4; ++i) require_near(load[1][i], load[0][i], 1e-4, "stiffer");
    for (int i = 0; i < 4; ++i) require(isfinite(load[2][i]), "rigid: %g", load[2][i]);
}

/* A bead on a closed wire that is nearly an upright circle of radius r: pushed at the top with v it
 * reaches the bottom with sqrt(4 g r + v^2), and goes on. An open wire ends in limits. */
static void a_bead_follows_its_wire(void** state)
{
    (void)state;
    enum { POINTS = 64 };
    double point[3 * POINTS], r = 0.5, top[3] = {0.0, 0.0, r};
    for (int closed = 0; closed < 2; ++closed) {
        scree_world* world = world_of_joints(STEP, GRAVITY);
        scree_body_id bead = add_mass(world, 0.3, (double[3]){1e-4, 1e-4, 1e-4}, top);
        scree_joint_def def = scree_default_joint_def();
        for (int i = 0; i < POINTS; ++i) { /* the open wire is half the circle */
            double a = closed ? 2.0 * SCREE_PI * i / POINTS : SCREE_PI * i / (POINTS - 1);
            set3(point + 3 * i, r * sin(a), 0.0, r * cos(a));
        }
        def.kind = SCREE_JOINT_CURVE;
        def.body[0] = bead;
        def.n_curve = POINTS;
        def.curve = point;
        def.closed = closed;
        scree_joint_id wire = add_joint(world, &def);
        double push[3] = {0.1, 0.0, 0.0}, fastest = 0.0;
        assert_int_equal(scree_world_set_velocity(world, bead, push, origin), SCREE_OK);
        for (int k = 0; k < 4000; ++k) {
            scree_step_report report = step_joined(world);
            fastest = fmax(fastest, sqrt(2.0 * report.kinetic / 0.3));
            scree_world_view v = scree_world_get_view(world);
            require_near(hypot(v.position[0], v.position[2]), r, closed ? 1e-6 * r : 1e-3 * r,
                         "distance");
        }
        require_near(fastest, sqrt(4.0 * GRAVITY * r + 0.01), 1e-3, "speed at the bottom");
        scree_joint_state s = joint_now(world, wire);
        if (!closed) require_near(s.coordinate[0], SCREE_PI * r, 1e-5, "the end of the wire");
        if (!closed) require_near(s.rate[0], 0.0, 0.0, "rest at the end");
        if (closed)
            require(s.coordinate[0] > 2.0 * SCREE_PI * r, "it goes on: %g", s.coordinate[0]);
        scree_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_motor_reaches_its_speed),
        cmocka_unit_test(a_motor_reaches_its_place),
        cmocka_unit_test(dry_friction_stops_and_holds),
        cmocka_unit_test(friction_grows_with_the_reaction),
        cmocka_unit_test(a_limit_holds),
        cmocka_unit_test(a_controller_sees_its_joint),
        cmocka_unit_test(springs_neither_damp_nor_drive),
        cmocka_unit_test(dampers_damp),
        cmocka_unit_test(gears_mesh),
        cmocka_unit_test(a_nut_runs_down_its_screw),
        cmocka_unit_test(a_rack_turns_its_pinion),
        cmocka_unit_test(a_cardan_joint_is_uneven),
        cmocka_unit_test(a_rope_tautens),
        cmocka_unit_test(what_carries_too_much_breaks),
        cmocka_unit_test(backlash_is_play),
        cmocka_unit_test(armature_is_inertia),
        cmocka_unit_test(compliance_shares_loads),
        cmocka_unit_test(a_bead_follows_its_wire),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    joints_solved_as = SCREE_JOINTS_TREES;
    return failed + cmocka_run_group_tests(tests, NULL, NULL);
}
