/* Mechanisms of rigid joints against closed forms and what they must keep. SCREE_TEST_ALL runs ten
 * minutes of each. */
#include "math/vec.h"
#include "support/mechanisms.h"

#define GRAVITY 9.81

static const double y_axis[3] = {0.0, 1.0, 0.0}, origin[3] = {0.0, 0.0, 0.0};

static double energy_of(const scree_step_report* r)
{
    return r->kinetic + r->potential;
}

/* Steps for seconds (more in the long form), while energy stays within a band about that after the
 * first step. */
static void keep_energy(scree_world* world, double h, double seconds, double band)
{
    long n = (long)((test_size(1, 0) ? seconds : 600.0) / h);
    scree_step_report r = step_joined(world);
    double first = energy_of(&r), low = first, high = first;
    for (long k = 0; k < n; ++k) {
        r = step_joined(world);
        low = fmin(low, energy_of(&r));
        high = fmax(high, energy_of(&r));
    }
    print_message("energy %.12g, from %g to %g, after %ld steps %g\n", first, low - first,
                  high - first, n, energy_of(&r) - first);
    require(high - low <= band, "energy varies by %g", high - low);
}

/* A rod that swings about its end with an amplitude of 2 rad: the period is 2 pi / (w agm(1,
 * cos 1)). */
static void a_pendulum_keeps_time(void** state)
{
    (void)state;
    double h = 1e-3, length = 0.8, w = sqrt(0.5 * GRAVITY / (length * (1.01 / 12.0 + 0.25))),
           a = 1.0, b = cos(1.0);
    double tip[3] = {length * sin(2.0), 0.0, -length * cos(2.0)};
    scree_world* world = world_of_joints(h, GRAVITY);
    scree_body_id rod = add_rod(world, 2.0, origin, tip);
    scree_joint_id hinge = join(world, SCREE_JOINT_HINGE, rod, the_world, origin, y_axis);
    double angle = 0.0, first = 0.0, last = 0.0;
    int swings = 0;
    for (int k = 0; k < 12; ++k) {
        double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    for (int k = 0; k < test_size(8000, 600000); ++k) {
        step_joined(world);
        double before = angle - 2.0; /* 0 where it hangs down */
        angle = joint_now(world, hinge).coordinate[0];
        if (before > 0.0 || angle - 2.0 <= 0.0) continue;
        last = scree_world_time(world) - h * (angle - 2.0) / (angle - 2.0 - before);
        if (swings++ == 0) first = last;
    }
    require(swings > 2, "only %d swings", swings);
    require_near((last - first) / (swings - 1), 2.0 * SCREE_PI / (w * a), 2e-6, "period");
    keep_energy(world, h, 2.0, 1e-4);
    scree_world_destroy(world);
}

static void a_double_pendulum_keeps_its_energy(void** state)
{
    (void)state;
    test_of_numbers();
    double h = 1e-3, elbow[3] = {1.0, 0.0, 0.0}, tip[3] = {1.0, 0.0, 1.0};
    scree_world* world = world_of_joints(h, GRAVITY);
    scree_body_id upper = add_rod(world, 1.0, origin, elbow);
    scree_body_id lower = add_rod(world, 1.0, elbow, tip);
    join(world, SCREE_JOINT_HINGE, upper, the_world, origin, y_axis);
    join(world, SCREE_JOINT_HINGE, lower, upper, elbow, y_axis);
    keep_energy(world, h, 10.0, 2e-3);
    scree_world_destroy(world);
}

/* The moment of momentum about the vertical stays to rounding. */
static void a_spherical_pendulum_keeps_its_momentum(void** state)
{
    (void)state;
    double h = 1e-3, tip[3] = {0.6, 0.0, -0.8}, velocity[3] = {0.0, 1.5, 0.0};
    scree_world* world = world_of_joints(h, GRAVITY);
    scree_body_id bob = add_mass(world, 1.5, (double[3]){1e-3, 1e-3, 1e-3}, tip);
    double spin[3] = {0.8 * 1.5, 0.0, 0.6 * 1.5}; /* tip x velocity: the rod turns with it */
    assert_int_equal(scree_world_set_velocity(world, bob, velocity, spin), SCREE_OK);
    join(world, SCREE_JOINT_BALL, bob, the_world, origin, NULL);
    double momentum = 0.0, first = 0.0;
    for (int k = 0; k < test_size(5000, 600000); ++k) {
        step_joined(world);
        scree_world_view v = scree_world_get_view(world);
        momentum = 1.5 * (v.position[0] * v.velocity[1] - v.position[1] * v.velocity[0]) +
                   1e-3 * v.angular_velocity[2];
        if (k == 0) first = momentum;
        require(fabs(momentum - first) <= 1e-12 * fabs(first) * (1.0 + sqrt(k)),
                "step %d: momentum %.17g was %.17g", k, momentum, first);
    }
    keep_energy(world, h, 2.0, 1e-4);
    scree_world_destroy(world);
}

/* A parallelogram of hinges in space: of its 24 rows three say nothing new. The coupler stays
 * level, and the lowest position is passed with the speed that the fall gives: cranks of mass m and
 * length l, coupler of mass M, all cranks at one angle, so that (2 m l^2 / 3 + M l^2) w^2 / 2 = (m
 * + M) g l for a fall from level. */
static void a_redundant_loop_moves(void** state)
{
    (void)state;
    double h = 1e-3, l = 0.5, m = 0.4, heavy = 1.2;
    double a[3] = {0.0, 0.0, 0.0}, b[3] = {l, 0.0, 0.0}, c[3] = {2.0 + l, 0.0, 0.0};
    double d[3] = {2.0, 0.0, 0.0};
    scree_world* world = world_of_joints(h, GRAVITY);
    scree_body_id left = add_rod(world, m, a, b), coupler = add_rod(world, heavy, b, c);
    scree_body_id right = add_rod(world, m, d, c);
    scree_joint_id crank = join(world, SCREE_JOINT_HINGE, left, the_world, a, y_axis);
    join(world, SCREE_JOINT_HINGE, right, the_world, d, y_axis);
    join(world, SCREE_JOINT_HINGE, coupler, left, b, y_axis);
    join(world, SCREE_JOINT_HINGE, coupler, right, c, y_axis);
    double before = 0.0, rate = 0.0, angle = 0.0, rate_before = 0.0;
    while (angle < 0.5 * SCREE_PI) {
        step_joined(world);
        before = angle, rate_before = rate;
        angle = joint_now(world, crank).coordinate[0];
        rate = joint_now(world, crank).rate[0];
        scree_world_view v = scree_world_get_view(world);
        require(fabs(v.rotation[4 + 2]) <= 1e-9, "the coupler tilts by %g", v.rotation[4 + 2]);
    }
    double share = (0.5 * SCREE_PI - before) / (angle - before);
    double inertia = 2.0 * m * (0.25 + 1.01 / 12.0) * l * l + heavy * l * l;
    require_near(rate_before + share * (rate - rate_before),
                 sqrt(2.0 * (m + heavy) * GRAVITY * l / inertia), 1e-5, "speed at the bottom");
    keep_energy(world, h, 5.0, 1e-3);
    scree_world_destroy(world);
}

/* Bricard's linkage of six hinges along edges of a cube: by counting it should not move. */
static void bricards_linkage_moves(void** state)
{
    (void)state;
    static const double corner[6][3] = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {1.0, 1.0, 0.0},
                                        {1.0, 1.0, 1.0}, {0.0, 1.0, 1.0}, {0.0, 0.0, 1.0}};
    static const double axis[6][3] = {{0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}, {1.0, 0.0, 0.0},
                                      {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}, {1.0, 0.0, 0.0}};
    double h = 1e-3, least = 0.0, most = 0.0;
    scree_world* world = world_of_joints(h, GRAVITY);
    scree_body_id bar[6] = {the_world};
    scree_joint_id hinge[6];
    for (int i = 1; i < 6; ++i) bar[i] = add_rod(world, 0.5, corner[i], corner[(i + 1) % 6]);
    for (int i = 0; i < 6; ++i) {
        hinge[i] = join(world, SCREE_JOINT_HINGE, bar[i], bar[(i + 5) % 6], corner[i], axis[i]);
    }
    for (int k = 0; k < test_size(1500, 600000); ++k) {
        step_joined(world);
        double angle = joint_now(world, hinge[0]).coordinate[0];
        least = fmin(least, angle);
        most = fmax(most, angle);
    }
    print_message("the first hinge turns from %g to %g\n", least, most);
    require(most - least > 1.0, "it does not move");
    keep_energy(world, h, 1.0, 1e-2);
    scree_world_destroy(world);
}

/* A top with its axis level precesses at m g l / (C s), whatever its other inertia. */
static void a_gyroscope_precesses(void** state)
{
    (void)state;
    double h = 2.5e-4, m = 1.0, l = 0.1, spin = 300.0, inertia[3] = {2e-3, 1.2e-3, 1.2e-3};
    double centre[3] = {l, 0.0, 0.0}, rate = m * GRAVITY * l / (inertia[0] * spin);
    double w[3] = {spin, 0.0, rate}, v[3] = {0.0, rate * l, 0.0}, time = 1.0;
    scree_world* world = world_of_joints(h, GRAVITY);
    scree_body_id top = add_mass(world, m, inertia, centre);
    assert_int_equal(scree_world_set_velocity(world, top, v, w), SCREE_OK);
    join(world, SCREE_JOINT_BALL, top, the_world, origin, NULL);
    while (scree_world_time(world) < time - 0.5 * h) step_joined(world);
    scree_world_view view = scree_world_get_view(world);
    require_near(atan2(view.position[1], view.position[0]), rate * time, 1e-4, "precession");
    require_near(view.position[2], 0.0, 1e-5, "nutation");
    scree_world_destroy(world);
}

/* Struck, the axis of the same top nods about the level with w^2 = (C s / A)^2 + rate^2, A its
 * inertia about the support: d/dt of p_phi = A sin^2 phi' + C s cos and of theta, linear about
 * level. */
static void a_gyroscope_nods(void** state)
{
    (void)state;
    double h = 2.5e-4, m = 1.0, l = 0.1, spin = 300.0, inertia[3] = {2e-3, 1.2e-3, 1.2e-3};
    double centre[3] = {l, 0.0, 0.0}, rate = m * GRAVITY * l / (inertia[0] * spin), nod = 0.02;
    double own = inertia[0] * spin / (inertia[1] + m * l * l), z = 0.0, first = 0.0, last = 0.0;
    double w[3] = {spin, -nod, rate}, v[3] = {0.0, rate * l, nod * l}, most = 0.0;
    int times = 0;
    scree_world* world = world_of_joints(h, GRAVITY);
    scree_body_id top = add_mass(world, m, inertia, centre);
    assert_int_equal(scree_world_set_velocity(world, top, v, w), SCREE_OK);
    join(world, SCREE_JOINT_BALL, top, the_world, origin, NULL);
    for (int k = 0; k < 4000; ++k) {
        step_joined(world);
        double before = z;
        z = scree_world_get_view(world).position[2];
        most = fmax(most, z);
        if (k == 0 || before > 0.0 || z <= 0.0) continue;
        last = scree_world_time(world) - h * z / (z - before);
        if (times++ == 0) first = last;
    }
    double pace = sqrt(own * own + rate * rate);
    require(times >= 8, "it nods %d times", times);
    require_near((times - 1) * 2.0 * SCREE_PI / (last - first), pace, 1e-4 * pace, "nutation");
    require_near(most, nod * l / pace, 5e-3 * nod * l / pace, "amplitude");
    scree_world_destroy(world);
}

/* What hangs still keeps still, to the last bit, and carries its weight. */
static void rest_is_rest(void** state)
{
    (void)state;
    double low[3] = {0.0, 0.0, -1.0}, end[3] = {0.0, 0.0, -2.0};
    scree_world* world = world_of_joints(1e-3, GRAVITY);
    scree_body_id upper = add_rod(world, 1.0, origin, low), lower = add_rod(world, 2.0, low, end);
    scree_joint_id top = join(world, SCREE_JOINT_BALL, upper, the_world, origin, NULL);
    join(world, SCREE_JOINT_HINGE, lower, upper, low, y_axis);
    scree_world_view first = scree_world_get_view(world);
    double z[2] = {first.position[2], first.position[5]};
    for (int k = 0; k < 1000; ++k) {
        step_joined(world);
        scree_world_view v = scree_world_get_view(world);
        require(is_at_rest(&v, 0) && is_at_rest(&v, 1), "step %d: it moves", k);
        require(v.position[2] == z[0] && v.position[5] == z[1], "step %d: it has moved", k);
    }
    require_near(joint_now(world, top).force[2], 3.0 * GRAVITY, 1e-9, "weight");
    scree_world_destroy(world);
}

/* A rod that its hinge's friction holds, in the first step of a world that moves only after it, and
 * in the first after somebody has turned the rod. */
static void the_first_step_is_held(void** state)
{
    (void)state;
    static const double end[3] = {1.0, 0.0, 0.0}, turned[4] = {0.6, 0.0, 0.8, 0.0};
    static const double centre[3] = {-0.14, 0.0, -0.48};
    scree_world_def def = world_def(1e-2, 1e-6);
    def.theta = 1.0;
    def.joints = joints_solved_as;
    scree_world* world = world_new(def, (scree_material){.mu = 0.5});
    scree_body_id rod = add_rod(world, 2.0, origin, end);
    scree_joint_def hinge = joint_of(world, SCREE_JOINT_HINGE, rod, the_world, origin, y_axis);
    hinge.freedom[0].friction = 1.1 * GRAVITY; /* times m l / 2 */
    add_joint(world, &hinge);
    for (int k = 0; k < 2; ++k) {
        step_joined(world);
        scree_world_view v = scree_world_get_view(world);
        require(is_at_rest(&v, 0), "it moves at %g m/s", v.velocity[2]);
        assert_int_equal(scree_world_set_pose(world, rod, centre, turned), SCREE_OK);
    }
    scree_world_destroy(world);
}

/* A beam that is built in carries m g and m g l / 2 there; a mass that circles, m w^2 r. */
static void reactions_are_reported(void** state)
{
    (void)state;
    double l = 1.2, tip[3] = {l, 0.0, 0.0}, m = 2.0, w = 4.0;
    scree_world* world = world_of_joints(1e-3, GRAVITY);
    scree_body_id beam = add_rod(world, m, origin, tip);
    scree_joint_id wall = join(world, SCREE_JOINT_FIXED, beam, the_world, origin, NULL);
    for (int k = 0; k < 10; ++k) step_joined(world);
    scree_joint_state s = joint_now(world, wall);
    require_near(s.force[2], m * GRAVITY, 1e-10, "force");
    require_near(s.torque[1], -0.5 * m * GRAVITY * l, 1e-10, "moment");
    require_near(hypot(hypot(s.force[0], s.force[1]), hypot(s.torque[0], s.torque[2])), 0.0, 1e-10,
                 "what is not loaded");
    scree_world_destroy(world);
    world = world_of_joints(1e-3, 0.0);
    scree_body_id mass = add_mass(world, m, (double[3]){0.1, 0.1, 0.1}, tip);
    scree_joint_id axle =
        join(world, SCREE_JOINT_HINGE, mass, the_world, origin, (double[3]){0.0, 0.0, 1.0});
    assert_int_equal(scree_world_set_velocity(world, mass, (double[3]){0.0, w * l, 0.0},
                                              (double[3]){0.0, 0.0, w}),
                     SCREE_OK);
    for (int k = 0; k < 100; ++k) step_joined(world);
    s = joint_now(world, axle);
    require_near(hypot(s.force[1], s.force[2]), m * w * w * l, 1e-4 * m * w * w * l, "pull");
    require_near(s.force[0], 0.0, 1e-9, "pull along the axle");
    scree_world_destroy(world);
}

/* A beam on three posts has one too many. Rigid, its reactions are the least in the metric of what
 * each post alone would yield by, d = 1/m + x^2/I: of all (a, b, a) with 2 a + b = m g the one with
 * the smallest 2 d_1 a^2 + d_0 b^2, a = m g d_0 / (d_1 + 2 d_0). Posts that yield by c instead
 * share the load by that, m g / 3 each. */
static void redundant_posts_carry_the_least(void** state)
{
    (void)state;
    double m = 3.0, inertia = 0.7, weight = m * GRAVITY;
    double d[2] = {1.0 / m, 1.0 / m + 1.0 / inertia}, a = weight * d[0] / (d[1] + 2.0 * d[0]);
    for (int yields = 0; yields < 2; ++yields) {
        scree_world* world = world_of_joints(1e-3, GRAVITY);
        scree_body_id beam = add_mass(world, m, (double[3]){0.1, inertia, inertia}, origin);
        scree_joint_id post[3];
        for (int i = 0; i < 3; ++i) {
            double at[3] = {i - 1.0, 0.0, 0.0};
            scree_joint_def def = joint_of(world, SCREE_JOINT_PLANAR, beam, the_world, at,
                                           (double[3]){0.0, 0.0, 1.0});
            def.kind = SCREE_JOINT_DISTANCE;
            def.position[1][2] = -1.0;
            def.length = 1.0;
            def.compliance[0] = yields ? 1e-7 : 0.0;
            def.damping[0] = yields ? 1e3 : 0.0;
            post[i] = add_joint(world, &def);
        }
        for (int k = 0; k < (yields ? 500 : 3); ++k) {
            if (yields) {
                step_world(world);
            } else {
                step_joined(world);
            }
        }
        for (int i = 0; i < 3; ++i) {
            scree_joint_state s = joint_now(world, post[i]);
            double load =
                sqrt(s.force[0] * s.force[0] + s.force[1] * s.force[1] + s.force[2] * s.force[2]);
            double expected = yields ? weight / 3.0 : i == 1 ? weight - 2.0 * a : a;
            require_near(load, expected, 1e-6 * weight, yields ? "yielding post" : "rigid post");
        }
        scree_world_destroy(world);
    }
}

/* Two bodies that fly apart from everything, with any joint between them: momentum stays to
 * rounding, energy in a band, and the joint holds. */
static void every_kind_holds(void** state)
{
    (void)state;
    for (int kind = 0; kind < SCREE_JOINT_CURVE; ++kind) {
        double h = 1e-3, p[3] = {0.3, 0.1, 0.0}, axis[3] = {1.0, 2.0, -1.0};
        scree_world* world = world_of_joints(h, 0.0);
        scree_body_id a = add_mass(world, 1.0, (double[3]){0.1, 0.2, 0.25}, p);
        scree_body_id b =
            add_mass(world, 2.0, (double[3]){0.4, 0.3, 0.3}, (double[3]){-0.4, 0.0, 0.2});
        scree_joint_def def =
            joint_of(world, (scree_joint_kind)kind, a, b, (double[3]){0.1, 0.05, 0.15}, axis);
        def.ratio = kind == SCREE_JOINT_SCREW ? 0.05 : 1.5;
        if (kind == SCREE_JOINT_GEAR || kind == SCREE_JOINT_RACK) {
            /* their axes are held by other joints: see test_drives.c */
            scree_world_destroy(world);
            continue;
        }
        scree_joint_id joint = add_joint(world, &def);
        assert_int_equal(scree_world_set_velocity(world, a, (double[3]){1.0, -0.5, 0.3},
                                                  (double[3]){2.0, 1.0, -3.0}),
                         SCREE_OK);
        double first[6] = {0.0}, energy = 0.0;
        for (int k = 0; k < test_size(1500, 20000); ++k) {
            scree_step_report r = step_joined(world);
            scree_world_view v = scree_world_get_view(world);
            double now[6] = {0.0};
            for (int i = 0; i < 2; ++i) {
                scri_quat q = scri_quat_load(v.rotation + 4 * i);
                double j[2][3] = {{0.1, 0.2, 0.25}, {0.4, 0.3, 0.3}}, l[3];
                scri_vec w = scri_quat_rotate((scri_quat){q.w, -q.x, -q.y, -q.z},
                                              scri_vec_load(v.angular_velocity + 3 * i));
                scri_vec own = {j[i][0] * w.x, j[i][1] * w.y, j[i][2] * w.z};
                scri_vec_store(scri_quat_rotate(q, own), l);
                for (int c = 0; c < 3; ++c) {
                    now[c] += v.mass[i] * v.velocity[3 * i + c];
                    now[3 + c] += l[c];
                }
                double momentum[3] = {v.mass[i] * v.velocity[3 * i],
                                      v.mass[i] * v.velocity[3 * i + 1],
                                      v.mass[i] * v.velocity[3 * i + 2]};
                add_cross(v.position + 3 * i, momentum, now + 3);
            }
            if (k == 0) memcpy(first, now, sizeof now), energy = r.kinetic;
            for (int c = 0; c < 6; ++c) require_near(now[c], first[c], 1e-11, "momentum");
            double lost = kind == SCREE_JOINT_ROPE ? energy : 2e-4 * energy; /* it tautens */
            require(r.kinetic <= (1.0 + 2e-4) * energy && r.kinetic >= energy - lost,
                    "kind %d: energy %.12g was %.12g", kind, r.kinetic, energy);
        }
        scree_joint_state s = joint_now(world, joint);
        require(s.error[0] <= 1e-13 && s.error[1] <= 1e-13, "kind %d is off by %g, %g", kind,
                s.error[0], s.error[1]);
        scree_world_destroy(world);
    }
}

static void find_farthest(void* user, const scree_world_view* view, double* force, double* torque)
{
    (void)force, (void)torque;
    double* farthest = user;
    *farthest = fmax(*farthest, sqrt(dot3(view->position, view->position)));
}

/* A wheel whose centre, point and axle are all at the origin has no rounding that its errors could
 * be judged by. Set off across its axle, it stays, in the middle of the step as at its end. */
static void a_wheel_at_the_origin_stays(void** state)
{
    (void)state;
    double farthest = 0.0;
    scree_world_def def = world_def(1e-2, 1e-6);
    set3(def.gravity, 0.0, 0.0, 0.0);
    def.joints = joints_solved_as;
    def.force = find_farthest;
    def.force_user = &farthest;
    scree_world* world = world_new(def, (scree_material){.mu = 0.5});
    scree_body_id wheel = add_mass(world, 1.0, (double[3]){1.0, 2.0, 1.0}, origin);
    join(world, SCREE_JOINT_HINGE, wheel, the_world, origin, y_axis);
    const double off[3] = {0.5, -0.25, 0.125}, spin[3] = {0.0, 2.0, 0.0};
    assert_int_equal(scree_world_set_velocity(world, wheel, off, spin), SCREE_OK);
    for (int k = 0; k < 3; ++k) {
        step_joined(world);
        scree_world_view v = scree_world_get_view(world);
        for (int j = 0; j < 3; ++j) {
            require_near(v.position[j], 0.0, 1e-15, "place");
            require_near(v.velocity[j], 0.0, 1e-15, "speed");
            require_near(v.angular_velocity[j], spin[j], 1e-14, "spin");
        }
    }
    require(farthest <= 1e-12, "it was %g m off", farthest);
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest open[] = {
        cmocka_unit_test(a_pendulum_keeps_time),
        cmocka_unit_test(a_double_pendulum_keeps_its_energy),
        cmocka_unit_test(a_spherical_pendulum_keeps_its_momentum),
        cmocka_unit_test(a_gyroscope_precesses),
        cmocka_unit_test(a_gyroscope_nods),
        cmocka_unit_test(rest_is_rest),
        cmocka_unit_test(the_first_step_is_held),
        cmocka_unit_test(reactions_are_reported),
        cmocka_unit_test(every_kind_holds),
        cmocka_unit_test(a_wheel_at_the_origin_stays),
    };
    const struct CMUnitTest loops[] = {
        cmocka_unit_test(a_redundant_loop_moves),
        cmocka_unit_test(bricards_linkage_moves),
        cmocka_unit_test(redundant_posts_carry_the_least),
    };
    int failed = cmocka_run_group_tests(open, NULL, NULL);
    failed += cmocka_run_group_tests(loops, NULL, NULL);
    joints_solved_as = SCREE_JOINTS_TREES;
    return failed + cmocka_run_group_tests(open, NULL, NULL);
}
