/* Trees in the rates of their joints: against closed forms, each function against the others, and
 * against the world of bodies and constraints that they are taken from. */
#include "math/small_kernel.h"
#include "scree/joint.h"
#include "support/draw.h"
#include "support/mechanisms.h"

enum { BODIES = 7, RATES = 6 * BODIES };

#define GRAVITY 9.81

static const double y_axis[3] = {0.0, 1.0, 0.0}, origin[3] = {0.0, 0.0, 0.0};

static scree_tree* tree_of(const scree_world* world, scree_body_id body)
{
    scree_tree* tree = NULL;
    assert_int_equal(scree_tree_create(world, body, &tree), SCREE_OK);
    return tree;
}

/* ---- closed forms ---------------------------------------------------------------------------- */

/* Two rods with angles a, b from the vertical, in which M = [J1 + m2 l^2, m2 l d c; m2 l d c, J2]
 * with c = cos(a - b); rates go against them, the second being that of the upper rod against the
 * lower. */
static void a_double_pendulum(void** state)
{
    (void)state;
    double l = 0.8, m = 1.3, m2 = 0.7, a = 0.6, b = -0.4, w = 1.7, z = -2.1;
    double elbow[3] = {l * sin(a), 0.0, -l * cos(a)};
    double tip[3] = {elbow[0] + l * sin(b), 0.0, elbow[2] - l * cos(b)};
    scree_world* world = world_of_joints(1e-3, GRAVITY);
    join(world, SCREE_JOINT_HINGE, add_rod(world, 2.0, origin, tip), the_world, origin,
         y_axis); /* another mechanism, which comes first */
    scree_body_id upper = add_rod(world, m, origin, elbow), lower = add_rod(world, m2, elbow, tip);
    join(world, SCREE_JOINT_HINGE, upper, the_world, origin, y_axis);
    join(world, SCREE_JOINT_HINGE, upper, lower, elbow, y_axis); /* the other way round */
    double d = 0.5 * l, thin = 1.01 / 12.0 * l * l, c = cos(a - b), s = sin(a - b);
    /* turns about y go against the angles: x = l sin, z = -l cos */
    double v[2][3] = {{d * w * cos(a), 0.0, d * w * sin(a)},
                      {l * w * cos(a) + d * z * cos(b), 0.0, l * w * sin(a) + d * z * sin(b)}};
    double spin[2][3] = {{0.0, -w, 0.0}, {0.0, -z, 0.0}};
    assert_int_equal(scree_world_set_velocity(world, upper, v[0], spin[0]), SCREE_OK);
    assert_int_equal(scree_world_set_velocity(world, lower, v[1], spin[1]), SCREE_OK);
    scree_tree* tree = tree_of(world, lower);
    assert_int_equal(scree_tree_n_rates(tree), 2);
    double u[2], mass[4], effort[2], acceleration[2];
    assert_int_equal(scree_tree_rates(tree, u), SCREE_OK);
    require_near(u[0], -w, 1e-12, "rate of the upper rod");
    require_near(u[1], z - w, 1e-12, "of the upper against the lower");
    /* in the angles a, b: [p q; q r] */
    double p = m * (thin + d * d) + m2 * l * l, q = m2 * l * d * c, r = m2 * (thin + d * d);
    assert_int_equal(scree_tree_mass_matrix(tree, mass), SCREE_OK);
    /* a' = -u0, b' = u1 - u0 */
    require_near(mass[3], r, 1e-12, "M of the lower rod");
    require_near(mass[0], p + 2.0 * q + r, 1e-12, "M of both");
    require_near(mass[1], -(q + r), 1e-12, "M between them");
    /* accelerations of the angles from Lagrange's equations */
    double h = m2 * l * d * s, f[2] = {-h * z * z - (m * d + m2 * l) * GRAVITY * sin(a),
                                       h * w * w - m2 * d * GRAVITY * sin(b)};
    double det = p * r - q * q, aa = (r * f[0] - q * f[1]) / det, bb = (p * f[1] - q * f[0]) / det;
    assert_int_equal(scree_tree_accelerations(tree, NULL, acceleration), SCREE_OK);
    require_near(acceleration[0], -aa, 1e-10, "acceleration of the upper rod");
    require_near(acceleration[1], bb - aa, 1e-10, "against the lower");
    assert_int_equal(scree_tree_efforts(tree, acceleration, effort), SCREE_OK);
    require_near(effort[0], 0.0, 1e-11, "effort");
    require_near(effort[1], 0.0, 1e-11, "effort");
    scree_tree_destroy(tree);
    scree_world_destroy(world);
}

/* An arm held still: each hinge carries the weight of what is beyond it. A rod that is free answers
 * at its end with (1 + 3) / m across, 1 / m along it. */
static void weights_and_ends(void** state)
{
    (void)state;
    scree_world* world = world_of_joints(1e-3, GRAVITY);
    scree_body_id last = the_world, first = the_world;
    for (int i = 0; i < 3; ++i) {
        double from[3] = {0.5 * i, 0.0, 0.0}, to[3] = {0.5 * (i + 1), 0.0, 0.0};
        scree_body_id link = add_rod(world, 2.0, from, to);
        join(world, SCREE_JOINT_HINGE, link, last, from, y_axis);
        last = link;
        if (i == 0) first = link;
    }
    scree_tree* tree = tree_of(world, first);
    double effort[3];
    assert_int_equal(scree_tree_efforts(tree, NULL, effort), SCREE_OK);
    for (int i = 0; i < 3; ++i) {
        double beyond = 1.5 - 0.5 * i; /* m of rod, whose middle is half as far */
        require_near(effort[i], -4.0 * beyond * GRAVITY * 0.5 * beyond, 1e-10, "weight");
    }
    scree_tree_destroy(tree);
    scree_body_id rod = add_rod(world, 3.0, origin, (double[3]){1.0, 0.0, 0.0});
    tree = tree_of(world, rod);
    assert_int_equal(scree_tree_n_rates(tree), 6);
    assert_int_equal(scree_tree_n_bodies(tree), 1);
    double out[9], thin = 12.0 / 1.01;
    assert_int_equal(scree_tree_response(tree, rod, origin, out), SCREE_OK);
    require_near(out[0], 1.0 / 3.0, 1e-12, "along the rod");
    require_near(out[8], (1.0 + 0.25 * thin) / 3.0, 1e-12, "across it");
    require_near(out[1], 0.0, 1e-12, "beside");
    scree_tree_destroy(tree);
    scree_world_destroy(world);
}

/* Motors with the efforts that chosen accelerations need: rates follow them, to the order of the
 * step. */
static void efforts_drive(void** state)
{
    (void)state;
    double h = 1e-4, a[3] = {0.6, -0.4, 0.9}, effort[3], u[3];
    static const double axis[3][3] = {{0.0, 0.0, 1.0}, {0.0, 1.0, 0.0}, {1.0, 0.0, 0.0}};
    scree_world* world = world_of_joints(h, GRAVITY);
    scree_body_id last = the_world;
    for (int i = 0; i < 3; ++i) {
        double from[3] = {0.5 * i, 0.0, 0.0}, to[3] = {0.5 * (i + 1), 0.1, 0.0};
        scree_body_id link = add_rod(world, 2.0, from, to);
        scree_joint_def def = joint_of(world, SCREE_JOINT_HINGE, i == 1 ? last : link,
                                       i == 1 ? link : last, from, axis[i]);
        def.freedom[0].motor = SCREE_MOTOR_EFFORT;
        add_joint(world, &def);
        last = link;
    }
    scree_tree* tree = tree_of(world, last);
    for (int step = 0; step < 5000; ++step) {
        assert_int_equal(scree_tree_update(tree, world), SCREE_OK);
        assert_int_equal(scree_tree_efforts(tree, a, effort), SCREE_OK);
        for (int k = 0; k < 3; ++k) {
            scree_joint_id joint;
            int32_t freedom;
            scree_freedom f;
            assert_int_equal(scree_tree_rate_of(tree, k, &joint, &freedom), SCREE_OK);
            assert_int_equal(scree_world_get_freedom(world, joint, freedom, &f), SCREE_OK);
            f.target = effort[k];
            assert_int_equal(scree_world_set_freedom(world, joint, freedom, &f), SCREE_OK);
        }
        step_joined(world);
    }
    assert_int_equal(scree_tree_update(tree, world), SCREE_OK);
    assert_int_equal(scree_tree_rates(tree, u), SCREE_OK);
    for (int k = 0; k < 3; ++k) require_near(u[k], 5000.0 * h * a[k], 10.0 * h, "rate");
    scree_tree_destroy(tree);
    scree_world_destroy(world);
}

/* ---- random trees ---------------------------------------------------------------------------- */

static const scree_joint_kind kinds[] = {
    SCREE_JOINT_FIXED,       SCREE_JOINT_BALL,      SCREE_JOINT_HINGE,  SCREE_JOINT_SLIDER,
    SCREE_JOINT_CYLINDRICAL, SCREE_JOINT_UNIVERSAL, SCREE_JOINT_PLANAR, SCREE_JOINT_SCREW};
enum { KINDS = sizeof kinds / sizeof *kinds };

typedef struct grown {
    scree_world* world;
    scree_body_id body[BODIES];
    scree_joint_id joint[BODIES];
    int n;
} grown;

/* A tree that moves: it has run for a while from velocities that its joints have made fit. */
static grown grow(scri_random* random, double step, int is_free)
{
    grown g = {.world = world_of_joints(step, GRAVITY), .n = 1 + draw_below(random, BODIES)};
    for (int b = 0; b < g.n; ++b) {
        scree_body_def def = scree_default_body_def();
        def.mass = draw_between(random, 0.5, 2.0);
        for (int i = 0; i < 3; ++i) {
            def.inertia[i] = def.mass * draw_between(random, 0.02, 0.035);
            def.inertia[3 + i] = def.mass * draw_between(random, -0.003, 0.003);
            def.position[i] = (i == 0 ? 0.3 * b : 0.0) + draw_between(random, -0.1, 0.1);
            def.velocity[i] = draw_between(random, -0.3, 0.3);
            def.angular_velocity[i] = draw_between(random, -2.0, 2.0);
        }
        assert_int_equal(scree_world_add_body(g.world, &def, 0, NULL, &g.body[b]), SCREE_OK);
        if (b == 0 && is_free) continue;
        scree_body_id parent = b == 0 ? the_world : g.body[draw_below(random, b)];
        double point[3] = {0.3 * b - 0.15, 0.05, -0.04}, axis[3];
        scree_joint_kind kind = kinds[draw_below(random, KINDS)];
        int flip = draw_chance(random, 50.0);
        draw_direction(random, axis);
        scree_joint_def joint = joint_of(g.world, kind, flip ? parent : g.body[b],
                                         flip ? g.body[b] : parent, point, axis);
        joint.ratio = 0.1;
        g.joint[b] = add_joint(g.world, &joint);
    }
    for (int k = 0; k < 20; ++k) step_joined(g.world);
    return g;
}

static void one_tree(scri_random* random, int number)
{
    double step = 1e-5, m[RATES * RATES], u[RATES], later[RATES], a[RATES], effort[RATES];
    grown g = grow(random, step, draw_chance(random, 40.0));
    scree_tree* tree = tree_of(g.world, g.body[draw_below(random, g.n)]);
    int n = scree_tree_n_rates(tree);
    assert_int_equal(scree_tree_n_bodies(tree), g.n);
    assert_int_equal(scree_tree_rates(tree, u), SCREE_OK);
    assert_int_equal(scree_tree_mass_matrix(tree, m), SCREE_OK);
    for (int k = 0; k < n; ++k) { /* rates are those of the joints */
        scree_joint_id joint;
        int32_t freedom;
        assert_int_equal(scree_tree_rate_of(tree, k, &joint, &freedom), SCREE_OK);
        if (joint.index1 == 0) continue;
        scree_joint_state s = joint_now(g.world, joint);
        if (s.kind != SCREE_JOINT_BALL) require_near(u[k], s.rate[freedom], 1e-11, "rate");
    }
    /* forward and back, with efforts; and forward by the mass matrix */
    double given[RATES], none[RATES] = {0.0}, rest[RATES], back[RATES];
    for (int k = 0; k < n; ++k) given[k] = draw_between(random, -2.0, 2.0);
    assert_int_equal(scree_tree_accelerations(tree, given, a), SCREE_OK);
    assert_int_equal(scree_tree_efforts(tree, a, back), SCREE_OK);
    assert_int_equal(scree_tree_efforts(tree, none, rest), SCREE_OK);
    for (int k = 0; k < n; ++k) {
        double sum = rest[k], size = fabs(rest[k]);
        for (int i = 0; i < n; ++i) sum += m[k * n + i] * a[i], size += fabs(m[k * n + i] * a[i]);
        require(fabs(back[k] - given[k]) <= 1e-11 * (1.0 + size),
                "case %d: effort %d is %g, not %g", number, k, back[k], given[k]);
        require(fabs(sum - given[k]) <= 1e-11 * (1.0 + size), "case %d: M a + bias is %g, not %g",
                number, sum, given[k]);
    }
    /* one short step of the world changes the rates by that much */
    assert_int_equal(scree_tree_accelerations(tree, NULL, a), SCREE_OK);
    step_joined(g.world);
    assert_int_equal(scree_tree_update(tree, g.world), SCREE_OK);
    assert_int_equal(scree_tree_rates(tree, later), SCREE_OK);
    assert_int_equal(scree_tree_accelerations(tree, NULL, effort), SCREE_OK);
    for (int k = 0; k < n; ++k) {
        double mean = 0.5 * (a[k] + effort[k]), found = (later[k] - u[k]) / step;
        require(fabs(found - mean) <= 1e-5 * (1.0 + fabs(mean)),
                "case %d: rate %d of %d changes by %g per second, not %g", number, k, n, found,
                mean);
    }
    scree_tree_destroy(tree);
    scree_world_destroy(g.world);
}

static void trees_follow_the_world(void** state)
{
    (void)state;
    scri_random random = test_seed("dynamics of trees", 2110);
    for (int i = 0; i < test_cases(60, 5000); ++i) one_tree(&random, i);
}

/* M against the energy that a step reports of the bodies: u . M u / 2. */
static void mass_is_energy(void** state)
{
    (void)state;
    scri_random random = test_seed("mass of trees", 2111);
    for (int i = 0; i < test_cases(30, 1000); ++i) {
        double m[RATES * RATES], u[RATES], sum = 0.0;
        grown g = grow(&random, 1e-4, i % 2);
        scree_tree* tree = tree_of(g.world, g.body[0]);
        int n = scree_tree_n_rates(tree);
        scree_step_report r = step_joined(g.world);
        assert_int_equal(scree_tree_update(tree, g.world), SCREE_OK);
        assert_int_equal(scree_tree_rates(tree, u), SCREE_OK);
        assert_int_equal(scree_tree_mass_matrix(tree, m), SCREE_OK);
        for (int k = 0; k < n * n; ++k) sum += u[k / n] * m[k] * u[k % n];
        require_near(0.5 * sum, r.kinetic, 1e-10 * (1.0 + r.kinetic), "energy");
        scree_tree_destroy(tree);
        scree_world_destroy(g.world);
    }
}

/* An impulse at a point, and what the world makes of it: within a short step the constraints have
 * shared it out. */
static void points_answer_alike(void** state)
{
    (void)state;
    scri_random random = test_seed("points of trees", 2112);
    for (int i = 0; i < test_cases(30, 1000); ++i) {
        double step = 1e-7, out[9], point[3], push[3], before[3], after[3];
        grown g = grow(&random, step, i % 2);
        int b = draw_below(&random, g.n);
        scree_body_id body = g.body[b];
        scree_tree* tree = tree_of(g.world, g.body[0]);
        scree_body_state s;
        assert_int_equal(scree_world_get_body(g.world, body, &s), SCREE_OK);
        for (int k = 0; k < 3; ++k) {
            point[k] = s.position[k] + draw_between(&random, -0.2, 0.2);
            push[k] = draw_between(&random, -0.1, 0.1);
        }
        assert_int_equal(scree_tree_response(tree, body, point, out), SCREE_OK);
        for (int pass = 0; pass < 2; ++pass) {
            double arm[3], *v = pass ? after : before;
            for (int k = 0; k < 3; ++k) arm[k] = point[k] - s.position[k], v[k] = s.velocity[k];
            add_cross(s.angular_velocity, arm, v);
            if (pass) break;
            assert_int_equal(scree_world_apply_impulse_at(g.world, body, push, point), SCREE_OK);
            step_joined(g.world);
            assert_int_equal(scree_world_get_body(g.world, body, &s), SCREE_OK);
        }
        for (int k = 0; k < 3; ++k) {
            double answer = dot3(out + 3 * k, push);
            require_near(after[k] - before[k], answer, 1e-5, "velocity of the point");
        }
        scree_tree_destroy(tree);
        scree_world_destroy(g.world);
    }
}

/* ---- what is refused ------------------------------------------------------------------------- */

static void loops_are_refused(void** state)
{
    (void)state;
    double ends[3][3] = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {1.0, 0.0, -1.0}};
    scree_world* world = world_of_joints(1e-3, GRAVITY);
    scree_body_id a = add_rod(world, 1.0, ends[0], ends[1]);
    scree_body_id b = add_rod(world, 1.0, ends[1], ends[2]);
    scree_tree* tree = NULL;
    join(world, SCREE_JOINT_HINGE, a, the_world, ends[0], y_axis);
    join(world, SCREE_JOINT_HINGE, b, a, ends[1], y_axis);
    tree = tree_of(world, b);
    scree_joint_id loop = join(world, SCREE_JOINT_BALL, b, the_world, ends[2], y_axis);
    assert_int_equal(scree_tree_update(tree, world), SCREE_OK); /* it is the tree it was */
    scree_tree* other = NULL;
    assert_int_equal(scree_tree_create(world, a, &other), SCREE_ERROR_UNSUPPORTED);
    assert_null(other);
    assert_int_equal(scree_world_remove_joint(world, loop), SCREE_OK);
    join(world, SCREE_JOINT_DISTANCE, b, a, ends[2], y_axis);
    assert_int_equal(scree_tree_create(world, a, &other), SCREE_ERROR_UNSUPPORTED);
    scree_body_id c = add_rod(world, 1.0, ends[0], ends[2]);
    join(world, SCREE_JOINT_DISTANCE, c, the_world, ends[2], y_axis);
    assert_int_equal(scree_tree_create(world, c, &other), SCREE_ERROR_UNSUPPORTED);
    assert_int_equal(scree_tree_create(world, the_world, &other), SCREE_ERROR_ARGUMENT);
    scree_body_id d = add_rod(world, 1.0, ends[0], ends[1]); /* on a rope: free */
    join(world, SCREE_JOINT_ROPE, d, the_world, ends[1], y_axis);
    other = tree_of(world, d);
    assert_int_equal(scree_tree_n_rates(other), 6);
    scree_tree_destroy(other);
    double out[9];
    assert_int_equal(scree_tree_response(tree, c, ends[0], out), SCREE_ERROR_ARGUMENT);
    assert_int_equal(scree_tree_body(tree, 2).index1, 0);
    assert_int_equal(scree_world_remove_body(world, a), SCREE_OK);
    assert_int_equal(scree_tree_update(tree, world), SCREE_ERROR_ARGUMENT);
    scree_tree_destroy(tree);
    scree_world_destroy(world);
}

static void memory_runs_short(void** state)
{
    (void)state;
    for (long at = 0;; ++at) {
        test_host host = {.fail_at = -1};
        scree_world_def def = world_def(1e-3, 1e-6);
        scree_world* world = NULL;
        scree_tree* tree = NULL;
        scree_env env = test_env(&host);
        assert_int_equal(scree_world_create(&env, &def, &world), SCREE_OK);
        scree_body_id rod = add_rod(world, 1.0, origin, (double[3]){1.0, 0.0, 0.0});
        join(world, SCREE_JOINT_HINGE, rod, the_world, origin, y_axis);
        host.fail_at = host.n_asked + at;
        scree_status status = scree_tree_create(world, rod, &tree);
        host.fail_at = -1;
        assert_true(status == SCREE_OK || status == SCREE_ERROR_MEMORY);
        scree_tree_destroy(tree);
        scree_world_destroy(world);
        assert_int_equal(host.n_held, 0);
        if (!status) break;
        require(at < 1000, "it never ends");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_double_pendulum),   cmocka_unit_test(weights_and_ends),
        cmocka_unit_test(mass_is_energy),      cmocka_unit_test(trees_follow_the_world),
        cmocka_unit_test(points_answer_alike), cmocka_unit_test(loops_are_refused),
        cmocka_unit_test(memory_runs_short),   cmocka_unit_test(efforts_drive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
