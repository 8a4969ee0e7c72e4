/* Joints and contacts as one problem: carts, grippers, chains that hang. */
#include "support/friction_sets.h"
#include "support/mechanisms.h"

#define GRAVITY 9.81

static const double x_axis[3] = {1.0, 0.0, 0.0}, y_axis[3] = {0.0, 1.0, 0.0};
static const double z_axis[3] = {0.0, 0.0, 1.0};

static scree_body_id add_shape(scree_world* world, scree_shape shape, double density, double x,
                               double y, double z)
{
    scree_body_def def = body_of(&shape, density);
    scree_body_id id;
    set3(def.position, x, y, z);
    assert_int_equal(scree_world_add_body(world, &def, 1, &shape, &id), SCREE_OK);
    return id;
}

/* A cart on four wheels, with motors on the rear ones. */
static scree_world* cart(double step, scree_joint_id* wheel)
{
    scree_world* world = world_of_joints(step, GRAVITY);
    add_floor(world, 0.0);
    scree_body_id chassis = add_shape(world, box_of(0.3, 0.15, 0.05), 300.0, 0.0, 0.0, 0.15);
    for (int i = 0; i < 4; ++i) {
        double at[3] = {i < 2 ? -0.25 : 0.25, i % 2 ? 0.22 : -0.22, 0.08};
        scree_body_id body = add_shape(world, sphere_of(0.08), 500.0, at[0], at[1], at[2]);
        scree_joint_def def = joint_of(world, SCREE_JOINT_HINGE, body, chassis, at, y_axis);
        wheel[i] = add_joint(world, &def);
    }
    return world;
}

/* At rest it rests; driven at 5 rad/s without slip it goes at 0.4 m/s. */
static void a_cart_rests_and_rolls(void** state)
{
    (void)state;
    scree_joint_id wheel[4];
    scree_world* world = cart(1e-3, wheel);
    for (int k = 0; k < 300; ++k) step_joined(world);
    scree_world_view v = scree_world_get_view(world);
    for (int32_t b = 1; b < 6; ++b) require(is_at_rest(&v, b), "body %d does not rest", (int)b);
    for (int i = 0; i < 2; ++i) {
        scree_freedom f = scree_default_joint_def().freedom[0];
        f.motor = SCREE_MOTOR_VELOCITY;
        f.target = 5.0;
        f.max_effort = 2.0;
        assert_int_equal(scree_world_set_freedom(world, wheel[i], 0, &f), SCREE_OK);
    }
    for (int k = 0; k < 500; ++k) step_joined(world);
    v = scree_world_get_view(world);
    require_near(v.velocity[3], 0.4, 1e-6, "speed");
    require_near(v.velocity[4], 0.0, 1e-8, "drift");
    require_near(joint_now(world, wheel[3]).rate[0], 5.0, 1e-5, "free wheel");
    scree_world_destroy(world);
}

/* Two fingers with limited force lift a block and hold it without one ulp of creep; with less than
 * m g / (2 mu) it slips. */
static void a_gripper_holds(void** state)
{
    (void)state;
    for (int slips = 0; slips < 2; ++slips) {
        scree_world* world = world_of_joints(1e-3, GRAVITY);
        scree_body_id block = add_shape(world, box_of(0.05, 0.05, 0.05), 1000.0, 0.0, 0.0, 0.0);
        double weight = GRAVITY, squeeze = slips ? 0.98 * weight : 1.5 * weight; /* mu = 0.5 */
        for (int i = 0; i < 2; ++i) {
            double side = i ? -1.0 : 1.0, at[3] = {side * 0.07, 0.0, 0.0};
            scree_body_id finger =
                add_shape(world, box_of(0.02, 0.04, 0.04), 1000.0, at[0], 0.0, 0.0);
            scree_joint_def def =
                joint_of(world, SCREE_JOINT_SLIDER, finger, the_world, at, x_axis);
            def.freedom[0].motor = SCREE_MOTOR_VELOCITY;
            def.freedom[0].target = -side;
            def.freedom[0].max_effort = squeeze;
            add_joint(world, &def);
        }
        for (int k = 0; k < 100; ++k) step_joined(world);
        scree_world_view v = scree_world_get_view(world);
        double z = v.position[2];
        for (int k = 0; k < test_size(400, 100000); ++k) {
            step_joined(world);
            v = scree_world_get_view(world);
            if (slips) continue;
            require(v.position[2] == z, "step %d: it creeps by %g", k, v.position[2] - z);
        }
        (void)block;
        if (slips) require(v.velocity[2] < -0.05, "it does not slip: %g", v.velocity[2]);
        scree_world_destroy(world);
    }
}

/* n links of mass m and length l between two points: the horizontal force is the same in all, and
 * link k has the slope (k - (n - 1) / 2) m g / H. Set down so, the chain rests, and its ends carry
 * H and half its weight. */
static void a_chain_hangs_as_a_catenary(void** state)
{
    (void)state;
    enum { LINKS = 100 };
    double m = 0.02, l = 0.05, w = m * GRAVITY, low = 0.01 * w, high = 1e4 * w, span = 3.5;
    for (int k = 0; k < 200; ++k) { /* H by bisection: the span grows with it */
        double h = sqrt(low * high), sum = 0.0;
        for (int i = 0; i < LINKS; ++i) {
            double slope = (i - 0.5 * (LINKS - 1)) * w / h;
            sum += l / sqrt(1.0 + slope * slope);
        }
        *(sum < span ? &low : &high) = h;
    }
    scree_world* world = world_of_joints(1e-3, GRAVITY);
    double at[3] = {0.0, 0.0, 0.0};
    scree_body_id before = the_world;
    scree_joint_id first = {0, 0}, joint = first;
    for (int i = 0; i < LINKS; ++i) {
        double slope = (i - 0.5 * (LINKS - 1)) * w / high, c = l / sqrt(1.0 + slope * slope);
        double to[3] = {at[0] + c, 0.0, at[2] + slope * c};
        scree_body_id link = add_rod(world, m, at, to);
        joint = join(world, SCREE_JOINT_BALL, link, before, at, NULL);
        if (i == 0) first = joint;
        before = link;
        memcpy(at, to, sizeof at);
    }
    scree_joint_id last = join(world, SCREE_JOINT_BALL, before, the_world, at, NULL);
    double fastest = 0.0;
    for (int k = 0; k < 200; ++k) {
        step_joined(world);
        scree_world_view v = scree_world_get_view(world);
        for (int i = 0; i < 3 * LINKS; ++i) fastest = fmax(fastest, fabs(v.velocity[i]));
    }
    require(fastest <= 1e-9, "it moves at %g m/s", fastest);
    require_near(joint_now(world, first).force[0], -high, 1e-6 * high, "horizontal force");
    require_near(joint_now(world, last).force[2], 0.5 * LINKS * w, 1e-6 * LINKS * w, "weight");
    scree_world_destroy(world);
}

/* The force that a joint carries. */
static double load_of(const scree_world* world, scree_joint_id joint)
{
    scree_joint_state state = joint_now(world, joint);
    return sqrt(state.force[0] * state.force[0] + state.force[1] * state.force[1] +
                state.force[2] * state.force[2]);
}

/* A chain of beads that hangs down on both sides of a drum of radius R, and is drawn over it.
 * Friction acts where beads touch and tension where hinges are, a radius b of a bead farther out:
 * in moments about the drum's axis dT (R + b) = mu N R with N = T dphi, hence T1 / T2 = exp(mu phi
 * R / (R + b)). The links turn by pi in all, from one leg to the other, wherever beads come on and
 * go off. */
typedef struct capstan {
    scree_world* world;
    scree_body_id loaded;
    scree_joint_id ends[2]; /* where the load pulls, and where the chain is drawn */
    double drum, bead;
} capstan;

enum { LEG = 6 };

/* Where link k of a chain with n on the drum is, and by how much it is turned about y. */
static double place_link(int k, int n, double r, double length, double at[3])
{
    double angle = SCREE_PI * (k - LEG) / n;
    if (k < LEG) {
        set3(at, r, 0.0, (k - LEG) * length);
        return 0.0;
    }
    if (k > LEG + n) {
        set3(at, -r, 0.0, (LEG + n - k) * length);
        return SCREE_PI;
    }
    set3(at, r * cos(angle), 0.0, r * sin(angle));
    return angle;
}

static scree_body_id add_end(scree_world* world, const double at[3], double speed)
{
    static const double small[3] = {1e-5, 1e-5, 1e-5};
    const double v[3] = {0.0, 0.0, speed}, none[3] = {0.0, 0.0, 0.0};
    scree_body_id id = add_mass(world, 1e-2, small, at);
    assert_int_equal(scree_world_set_velocity(world, id, v, none), SCREE_OK);
    return id;
}

/* n links on the drum, all with the speed of the motor. */
static capstan make_capstan(int n, double mu, double speed)
{
    capstan c = {.drum = 0.5, .bead = 0.01};
    double r = c.drum + c.bead, length = 2.0 * r * tan(0.5 * SCREE_PI / n), at[3], hinge[3];
    scree_world_def def = world_def(1e-3, 1e-4);
    def.gravity[2] = 0.0;
    c.world = world_new(def, (scree_material){.mu = mu});
    scree_body_def wall = scree_default_body_def();
    scree_shape cylinder = scree_default_shape();
    scree_body_id unused;
    wall.kind = SCREE_BODY_STATIC;
    wall.rotation[0] = wall.rotation[1] = sqrt(0.5); /* along y */
    cylinder.kind = SCREE_SHAPE_CYLINDER;
    cylinder.half_size[0] = c.drum;
    cylinder.half_size[1] = 0.2;
    assert_int_equal(scree_world_add_body(c.world, &wall, 1, &cylinder, &unused), SCREE_OK);
    set3(hinge, r, 0.0, -(LEG + 0.5) * length);
    scree_body_id before = c.loaded = add_end(c.world, hinge, speed);
    join(c.world, SCREE_JOINT_SLIDER, before, the_world, hinge, z_axis);
    for (int k = 0; k <= n + 2 * LEG; ++k) {
        double turn = place_link(k, n, r, length, at), s = sin(turn), w = k < LEG ? 0.0 : speed / r;
        double v[3] = {-speed * s, 0.0, speed * cos(turn)};
        double omega[3] = {0.0, k > LEG + n ? 0.0 : -w, 0.0};
        scree_body_id link = add_shape(c.world, sphere_of(c.bead), 250.0, at[0], at[1], at[2]);
        assert_int_equal(scree_world_set_velocity(c.world, link, v, omega), SCREE_OK);
        scree_joint_def def_hinge =
            joint_of(c.world, SCREE_JOINT_HINGE, link, before, hinge, y_axis);
        def_hinge.freedom[0].damping = 0.02; /* keeps beads from hopping */
        scree_joint_id id = add_joint(c.world, &def_hinge);
        if (k == 0) c.ends[0] = id;
        set3(hinge, at[0] - 0.5 * length * s, 0.0, at[2] + 0.5 * length * cos(turn));
        before = link;
    }
    scree_body_id drawn = add_end(c.world, hinge, -speed);
    c.ends[1] = join(c.world, SCREE_JOINT_HINGE, drawn, before, hinge, y_axis);
    scree_joint_def motor = joint_of(c.world, SCREE_JOINT_SLIDER, drawn, the_world, hinge, z_axis);
    motor.freedom[0].motor = SCREE_MOTOR_VELOCITY;
    motor.freedom[0].target = -speed;
    add_joint(c.world, &motor);
    return c;
}

static void a_capstan_multiplies(void** state)
{
    (void)state;
    test_needs_sparse();
    int links = test_size(test_few(48, 24), 100);
    double mu = 0.3, speed = 0.2, sum = 0.0, pull[3] = {0.0, 0.0, -10.0};
    capstan c = make_capstan(links, mu, speed);
    int begin = 3, steps = begin + test_size(3, 80), count = 0; /* 80: a link goes on */
    for (int k = 0; k < steps; ++k) {
        assert_int_equal(scree_world_apply_force(c.world, c.loaded, pull), SCREE_OK);
        step_joined(c.world);
        double ratio = load_of(c.world, c.ends[1]) / load_of(c.world, c.ends[0]);
        if (k < begin) continue;
        sum += ratio;
        ++count;
    }
    double ratio = exp(mu * SCREE_PI * c.drum / (c.drum + c.bead));
    print_message("%d links: T1 / T2 = %g, in theory %g\n", links, sum / count, ratio);
    require_near(sum / count, ratio, (links < 48 ? 0.05 : 0.01) * ratio, "tension");
    scree_world_destroy(c.world);
}

/* The same for any number of workers. */
static void workers_change_nothing(void** state)
{
    (void)state;
    double position[2][18];
    for (int k = 0; k < 2; ++k) {
        scree_world_def def = world_def(1e-3, 1e-6);
        def.workers = 1 + 2 * k;
        scree_world* world = world_new(def, (scree_material){.mu = 0.5});
        add_floor(world, 0.0);
        scree_body_id before = the_world;
        for (int i = 0; i < 5; ++i) {
            double at[3] = {0.2 * i, 0.0, 0.3};
            scree_body_id ball = add_shape(world, sphere_of(0.05), 1000.0, at[0] + 0.1, 0.0, 0.3);
            join(world, i % 2 ? SCREE_JOINT_BALL : SCREE_JOINT_HINGE, ball, before, at, y_axis);
            before = ball;
        }
        for (int s = 0; s < 400; ++s) step_any(world);
        memcpy(position[k], scree_world_get_view(world).position, sizeof position[k]);
        scree_world_destroy(world);
    }
    assert_memory_equal(position[0], position[1], sizeof position[0]);
}

/* A ball on a vertical slide sinks into soft ground by m g / k. */
static void soft_ground_yields(void** state)
{
    (void)state;
    double k = 2e4, at[3] = {0.0, 0.0, 0.1};
    scree_material soft = {.mu = 0.5, .stiffness = k, .damping = 300.0};
    scree_world* world = world_new(world_def(1e-3, 1e-6), soft);
    add_floor(world, 0.0);
    scree_body_id ball = add_shape(world, sphere_of(0.1), 1000.0, 0.0, 0.0, 0.1);
    join(world, SCREE_JOINT_SLIDER, ball, the_world, at, z_axis);
    for (int s = 0; s < 1500; ++s) step_joined(world);
    scree_world_view v = scree_world_get_view(world);
    require_near(v.position[5], 0.1 - v.mass[1] * GRAVITY / k, 1e-7, "depth");
    scree_world_destroy(world);
}

/* In units of 4 m, 2 s and 8 kg all digits are the same: a chain with springs, motors, limits and
 * friction that falls on the floor. */
static void no_unit_is_special(void** state)
{
    (void)state;
    double position[2][15];
    for (int k = 0; k < 2; ++k) {
        double metre = k ? 0.25 : 1.0, second = k ? 0.5 : 1.0, kg = k ? 0.125 : 1.0;
        double newton = kg * metre / (second * second);
        scree_world_def def = world_def(1e-3 * second, 1e-6);
        def.gravity[2] = -GRAVITY * metre / (second * second);
        scree_world* world = world_new(def, (scree_material){.mu = 0.5});
        add_floor(world, 0.0);
        scree_body_id before = the_world;
        for (int i = 0; i < 4; ++i) {
            double at[3] = {0.2 * i * metre, 0.0, 0.4 * metre};
            scree_body_id ball =
                add_shape(world, sphere_of(0.05 * metre), 1000.0 * kg / (metre * metre * metre),
                          at[0] + 0.1 * metre, 0.0, at[2]);
            scree_joint_def one = joint_of(world, SCREE_JOINT_HINGE, ball, before, at, y_axis);
            scree_freedom* f = &one.freedom[0];
            f->friction = 0.02 * newton * metre;
            f->stiffness = i == 1 ? 0.5 * newton * metre : 0.0;
            f->damping = i == 2 ? 0.01 * newton * metre * second : 0.0;
            f->armature = i == 3 ? 1e-4 * kg * metre * metre : 0.0;
            f->upper = i == 1 ? 0.3 : SCREE_INFINITY;
            if (i == 2) f->motor = SCREE_MOTOR_VELOCITY;
            f->target = i == 2 ? 1.0 / second : 0.0;
            f->max_effort = 0.3 * newton * metre;
            add_joint(world, &one);
            before = ball;
        }
        for (int s = 0; s < 600; ++s) step_any(world);
        scree_world_view v = scree_world_get_view(world);
        for (int i = 0; i < 15; ++i) position[k][i] = v.position[i] / metre;
        scree_world_destroy(world);
    }
    for (int i = 0; i < 15; ++i) require_near(position[1][i], position[0][i], 1e-10, "place");
}

/* Two blocks that are joined slide along the lay of their surface, which resists with a fifth of
 * mu there: together they slow down by mu g / 5. What another surface resists with does not count.
 */
static void joined_blocks_slide_by_their_own_sets(void** state)
{
    (void)state;
    enum { STEPS = 50 };
    const double step = 1e-3, speed = 1.0, slow = 0.5 * 0.2 * GRAVITY;
    scree_set* other = make_set(SCREE_SET_ELLIPSE, 0.7, 0.4, 0.0, 0.0);
    scree_set* own = make_set(SCREE_SET_ELLIPSE, 0.2, 1.0, 0.0, 0.0);
    scree_world* world = world_of_joints(step, GRAVITY);
    scree_body_id block[2];
    for (int k = 0; k < 2; ++k) {
        scree_material material = {.mu = 0.5, .sliding = k ? own : other};
        int32_t index;
        assert_int_equal(scree_world_add_material(world, &material, &index), SCREE_OK);
        assert_int_equal(index, k + 1);
    }
    add_floor(world, 0.0);
    for (int k = 0; k < 2; ++k) {
        scree_shape shape = box_of(0.1, 0.1, 0.02);
        shape.material = 2;
        scree_body_def def = body_of(&shape, 1000.0);
        set3(def.position, 0.3 * k, 0.0, 0.02);
        set3(def.velocity, speed, 0.0, 0.0);
        assert_int_equal(scree_world_add_body(world, &def, 1, &shape, &block[k]), SCREE_OK);
    }
    const double between[3] = {0.15, 0.0, 0.02};
    scree_joint_def def = joint_of(world, SCREE_JOINT_FIXED, block[1], block[0], between, x_axis);
    add_joint(world, &def);
    for (int n = 0; n < STEPS; ++n) {
        scree_step_report report = step_joined(world);
        if (n == 0) assert_string_equal(report.solve.solver, "newton-dense"); /* no second try */
        require(report.n_joints == 1 && report.n_contacts >= 4, "%d joints, %d contacts",
                (int)report.n_joints, (int)report.n_contacts);
    }
    scree_world_view v = scree_world_get_view(world);
    for (int32_t b = 1; b < 3; ++b) {
        require_near(v.velocity[3 * b], speed - slow * STEPS * step, 1e-5, "speed");
        require_near(v.velocity[3 * b + 1], 0.0, 1e-6, "drift");
    }
    scree_world_destroy(world);
    scree_set_destroy(other), scree_set_destroy(own);
}

/* Two blocks, one under the other, that fall on a plate by more than they are high in a step. What
 * keeps its joints is not stopped on its way, and loses no speed for a way that it has gone:
 * energies, and the work that the report has of contacts, add up. */
static void joined_blocks_fall_all_the_way(void** state)
{
    (void)state;
    scree_world* world = world_of_joints(1.0 / 128.0, GRAVITY);
    scree_shape plate = box_of(2.0, 2.0, 0.01);
    scree_body_def ground = scree_default_body_def();
    ground.kind = SCREE_BODY_STATIC;
    add_body(world, &ground, &plate);
    const double between[3] = {0.0, 0.0, 1.0};
    scree_body_id upper = add_shape(world, box_of(0.1, 0.1, 0.1), 1000.0, 0.0, 0.0, 1.15);
    scree_body_id lower = add_shape(world, box_of(0.1, 0.1, 0.1), 1000.0, 0.0, 0.0, 0.85);
    join(world, SCREE_JOINT_FIXED, upper, lower, between, x_axis);
    const double down[3] = {0.0, 0.0, -30.0}, none[3] = {0.0, 0.0, 0.0};
    assert_int_equal(scree_world_set_velocity(world, upper, down, none), SCREE_OK);
    assert_int_equal(scree_world_set_velocity(world, lower, down, none), SCREE_OK);
    double mass = 1000.0 * 0.008, before = mass * (900.0 + GRAVITY * (1.15 + 0.85));
    for (int n = 0; n < 10; ++n) {
        scree_step_report r = step_any(world);
        double now = r.kinetic + r.potential;
        require_near(now, before + r.contact_work, 1e-9 * mass * 900.0, "energy");
        assert_int_equal(r.n_stopped, 0);
        before = now;
    }
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cart_rests_and_rolls),
        cmocka_unit_test(a_gripper_holds),
        cmocka_unit_test(a_chain_hangs_as_a_catenary),
        cmocka_unit_test(workers_change_nothing),
        cmocka_unit_test(soft_ground_yields),
        cmocka_unit_test(a_capstan_multiplies),
        cmocka_unit_test(no_unit_is_special),
        cmocka_unit_test(joined_blocks_slide_by_their_own_sets),
        cmocka_unit_test(joined_blocks_fall_all_the_way),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    joints_solved_as = SCREE_JOINTS_TREES;
    return failed + cmocka_run_group_tests(tests, NULL, NULL);
}
