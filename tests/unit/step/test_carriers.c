/* Gears and racks on bodies that move: what they couple, and that what carries them takes the rest.
 */
#include "math/vec.h"
#include "support/mechanisms.h"

#define STEP 1e-3

static const double x_axis[3] = {1.0, 0.0, 0.0}, y_axis[3] = {0.0, 1.0, 0.0};
static const double z_axis[3] = {0.0, 0.0, 1.0};

/* A coupling of A, held at `at_a` along `along_a`, and B, on a carrier. */
static scree_joint_def couple(const scree_world* world, scree_joint_kind kind,
                              scree_body_id carrier, scree_body_id a, const double at_a[3],
                              const double along_a[3], scree_body_id b, const double at_b[3],
                              const double along_b[3], double ratio)
{
    scree_joint_def def = joint_of(world, kind, a, b, at_a, along_a);
    scree_joint_def other = joint_of(world, kind, a, b, at_b, along_b);
    memcpy(def.position[1], other.position[1], sizeof def.position[1]);
    memcpy(def.rotation[1], other.rotation[1], sizeof def.rotation[1]);
    def.carrier = carrier;
    def.ratio = ratio;
    return def;
}

/* A motor of torque t between a housing that floats and gear A turns A by a, B by -a / r and the
 * housing by W against the momentum I_A a' - I_B a' / r + J W = 0, J of all about their centre of
 * mass: a'' = t / (I_A + I_B / r^2 - (I_A - I_B / r)^2 / J). */
static void a_gearbox_turns_its_housing(void** state)
{
    (void)state;
    double ratio = 2.5, torque = 0.4, seconds = 2.0, i_a = 0.02, i_b = 0.1, i_c = 0.5;
    double at[2][3] = {{0.3, 0.1, 0.0}, {-0.5, 0.0, 0.0}}, middle[3] = {0.0, 0.0, 0.0};
    scree_world* world = world_of_joints(STEP, 0.0);
    scree_body_id housing = add_mass(world, 3.0, (double[3]){i_c, i_c, i_c}, middle);
    scree_body_id a = add_mass(world, 1.0, (double[3]){i_a, i_a, i_a}, at[0]);
    scree_body_id b = add_mass(world, 2.0, (double[3]){i_b, i_b, i_b}, at[1]);
    scree_joint_def def = joint_of(world, SCREE_JOINT_HINGE, a, housing, at[0], z_axis);
    def.freedom[0].motor = SCREE_MOTOR_EFFORT;
    def.freedom[0].target = torque;
    scree_joint_id first = add_joint(world, &def);
    scree_joint_id second = join(world, SCREE_JOINT_HINGE, b, housing, at[1], z_axis);
    def = couple(world, SCREE_JOINT_GEAR, housing, a, at[0], z_axis, b, at[1], z_axis, ratio);
    scree_joint_id gear = add_joint(world, &def);
    while (scree_world_time(world) < seconds - 0.5 * STEP) {
        step_joined(world);
        require(joint_now(world, gear).error[1] <= 1e-12, "the gear slips");
    }
    double mean[2] = {(0.3 - 2.0 * 0.5) / 6.0, 0.1 / 6.0}, j = i_a + i_b + i_c;
    j += 3.0 * (mean[0] * mean[0] + mean[1] * mean[1]);
    for (int k = 0; k < 2; ++k) {
        double x = at[k][0] - mean[0], y = at[k][1] - mean[1];
        j += (k + 1.0) * (x * x + y * y);
    }
    double momentum = i_a - i_b / ratio;
    double a2 = torque / (i_a + i_b / (ratio * ratio) - momentum * momentum / j);
    scree_joint_state s = joint_now(world, first), t = joint_now(world, second);
    scree_world_view v = scree_world_get_view(world);
    require_near(s.rate[0], a2 * seconds, 1e-7 * a2, "speed of the first");
    require_near(s.coordinate[0] + ratio * t.coordinate[0], 0.0, 1e-11, "turns");
    require_near(v.angular_velocity[2], -momentum / j * a2 * seconds, 1e-7 * a2, "the housing");
    scree_world_destroy(world);
}

/* Momentum and moment of momentum about the origin of all bodies, of these principal inertias. */
static void momenta(const scree_world_view* v, const double inertia[][3], double out[6])
{
    for (int c = 0; c < 6; ++c) out[c] = 0.0;
    for (int i = 0; i < v->n_bodies; ++i) {
        scri_quat q = scri_quat_load(v->rotation + 4 * i);
        scri_vec w = scri_quat_rotate((scri_quat){q.w, -q.x, -q.y, -q.z},
                                      scri_vec_load(v->angular_velocity + 3 * i));
        scri_vec own = {inertia[i][0] * w.x, inertia[i][1] * w.y, inertia[i][2] * w.z};
        double l[3], p[3];
        scri_vec_store(scri_quat_rotate(q, own), l);
        for (int c = 0; c < 3; ++c) {
            p[c] = v->mass[i] * v->velocity[3 * i + c];
            out[c] += p[c];
            out[3 + c] += l[c];
        }
        add_cross(v->position + 3 * i, p, out + 3);
    }
}

/* Parallel wheels, crossing ones, wheels on skew axes, and a rack, on a body that tumbles in space:
 * momentum stays to rounding, energy in a band, and nothing slips. */
static void what_tumbles_keeps_its_momentum(void** state)
{
    (void)state;
    static const double inertia[3][3] = {{0.5, 0.7, 0.8}, {0.02, 0.03, 0.04}, {0.05, 0.08, 0.1}};
    static const double mass[3] = {3.0, 1.0, 2.0}, skew[3] = {1.0, 2.0, -1.0};
    static const double at[3][3] = {{0.0, 0.0, 0.0}, {0.3, 0.1, 0.0}, {-0.5, 0.0, 0.2}};
    const double* axes[4][2] = {{z_axis, z_axis}, {z_axis, x_axis}, {y_axis, skew}, {x_axis, skew}};
    for (int k = 0; k < 4; ++k) {
        int is_rack = k == 3;
        scree_world* world = world_of_joints(STEP, 0.0);
        scree_body_id body[3];
        for (int i = 0; i < 3; ++i) body[i] = add_mass(world, mass[i], inertia[i], at[i]);
        scree_joint_kind held = is_rack ? SCREE_JOINT_SLIDER : SCREE_JOINT_HINGE;
        scree_joint_id first = join(world, held, body[1], body[0], at[1], axes[k][0]);
        scree_joint_id second = join(world, SCREE_JOINT_HINGE, body[2], body[0], at[2], axes[k][1]);
        double ratio = is_rack ? 0.2 : -1.5, follows = is_rack ? -ratio : ratio;
        scree_joint_def def = couple(world, is_rack ? SCREE_JOINT_RACK : SCREE_JOINT_GEAR, body[0],
                                     body[1], at[1], axes[k][0], body[2], at[2], axes[k][1], ratio);
        scree_joint_id coupling = add_joint(world, &def);
        const double v[3] = {0.3, -0.2, 0.1}, w[3] = {1.0, -2.0, 1.5};
        assert_int_equal(scree_world_set_velocity(world, body[0], v, w), SCREE_OK);
        double begin[6], now[6], energy = 0.0, most = 0.0;
        for (int step = 0; step < test_size(1500, 20000); ++step) {
            scree_step_report r = step_joined(world);
            scree_world_view view = scree_world_get_view(world);
            momenta(&view, inertia, now);
            if (step == 0) memcpy(begin, now, sizeof now), energy = r.kinetic;
            for (int c = 0; c < 6; ++c) require_near(now[c], begin[c], 1e-11, "momentum");
            require_near(r.kinetic, energy, 1e-4 * energy, "energy");
            scree_joint_state s = joint_now(world, first), t = joint_now(world, second);
            most = fmax(most, fabs(t.coordinate[0]));
            require_near(s.coordinate[0] + follows * t.coordinate[0], 0.0, 1e-11, "it slips");
            require_near(s.rate[0] + follows * t.rate[0], 0.0, 1e-12, "rates");
        }
        scree_joint_state c = joint_now(world, coupling);
        require(c.error[0] <= 1e-12 && c.error[1] <= 1e-12, "case %d: off by %g, %g", k, c.error[0],
                c.error[1]);
        require(most > 0.1, "case %d: nothing turns, %g", k, most);
        scree_world_destroy(world);
    }
}

/* A planet that rolls within a ring of the world, r to R, on an arm: with the arm at W it turns at
 * W (1 - R / r) in the world. */
static void a_planet_goes_round(void** state)
{
    (void)state;
    double ring = 0.5, planet = 0.2, speed = 3.0, at[3] = {0.3, 0.0, 0.0}, origin[3] = {0.0};
    scree_world* world = world_of_joints(STEP, 9.81);
    scree_body_id arm = add_mass(world, 1.0, (double[3]){0.1, 0.1, 0.1}, origin);
    scree_body_id wheel = add_mass(world, 1.0, (double[3]){0.02, 0.02, 0.02}, at);
    scree_joint_def def = joint_of(world, SCREE_JOINT_HINGE, arm, the_world, origin, z_axis);
    def.freedom[0].motor = SCREE_MOTOR_VELOCITY;
    def.freedom[0].target = speed;
    scree_joint_id motor = add_joint(world, &def);
    join(world, SCREE_JOINT_HINGE, wheel, arm, at, z_axis);
    def = couple(world, SCREE_JOINT_GEAR, arm, wheel, at, z_axis, the_world, origin, z_axis,
                 -ring / planet);
    scree_joint_id gear = add_joint(world, &def);
    for (int k = 0; k < 3000; ++k) step_joined(world);
    scree_world_view v = scree_world_get_view(world);
    require_near(v.angular_velocity[5], speed * (1.0 - ring / planet), 1e-9, "the planet");
    require_near(joint_now(world, motor).rate[0], speed, 1e-9, "the arm");
    require(joint_now(world, gear).error[1] <= 1e-11, "it slips by %g",
            joint_now(world, gear).error[1]);
    /* without the arm there is no gear */
    assert_int_equal(scree_world_remove_body(world, arm), SCREE_OK);
    assert_false(scree_world_joint_is_valid(world, gear));
    scree_world_destroy(world);
}

static void faults(void** state)
{
    (void)state;
    static const double one[3] = {1.0, 1.0, 1.0},
                        at[3][3] = {{0.0}, {1.0, 0.0, 0.0}, {1.0, 0.0, 3.0}};
    test_host host;
    scree_world_def world_definition = world_def(STEP, 1e-6);
    scree_world* world = NULL;
    scree_env env = test_env(&host);
    assert_int_equal(scree_world_create(&env, &world_definition, &world), SCREE_OK);
    scree_body_id body[3];
    scree_joint_id id;
    for (int i = 0; i < 3; ++i) body[i] = add_mass(world, 1.0, one, at[i]);
    scree_joint_def def = couple(world, SCREE_JOINT_GEAR, body[1], body[1], at[1], z_axis, body[2],
                                 at[2], z_axis, 1.0);
    assert_int_equal(scree_world_add_joint(world, &def, &id), SCREE_ERROR_INPUT);
    assert_string_equal(host.text, "a gear joint: its carrier is one of its bodies");
    def.carrier = body[0];
    assert_int_equal(scree_world_add_joint(world, &def, &id), SCREE_ERROR_INPUT);
    assert_string_equal(host.text, "a gear joint: on a carrier its axes must not be one line");
    def = joint_of(world, SCREE_JOINT_HINGE, body[1], body[2], at[1], z_axis);
    def.carrier = body[0];
    assert_int_equal(scree_world_add_joint(world, &def, &id), SCREE_ERROR_INPUT);
    assert_string_equal(host.text, "a hinge joint: only a gear or rack has a carrier");
    scree_world_destroy(world);
    assert_int_equal(host.n_held, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_gearbox_turns_its_housing),
        cmocka_unit_test(what_tumbles_keeps_its_momentum),
        cmocka_unit_test(a_planet_goes_round),
        cmocka_unit_test(faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
