/* Mechanisms of every kind of joint, step by step and to nine digits: poses, reactions, errors and
 * the work of every step, by rows and along trees. Angles of joints come from the C library, whose
 * last digit is not promised; test_promises.c has what needs none to the last bit. */
#include "support/motions.h"

static const double x_axis[3] = {1.0, 0.0, 0.0}, y_axis[3] = {0.0, 1.0, 0.0};
static const double z_axis[3] = {0.0, 0.0, 1.0}, skew[3] = {0.6, 0.48, 0.64};
static const double inertia[3] = {0.02, 0.03, 0.04};

static scree_world* new_world(scree_joints joints, scree_scheme scheme)
{
    scree_world_def def = world_def(2e-3, 1e-8);
    def.scheme = scheme;
    def.theta = scheme == SCREE_SCHEME_GAP ? 1.0 : 0.5;
    def.joints = joints;
    return guarded_world(def, (scree_material){.mu = 0.5});
}

static uint64_t run(scree_world* world, int steps)
{
    uint64_t hash = mix_steps(BITS_BEGIN, world, steps, mix_rounded);
    end_world(world);
    return hash;
}

/* One joint of each kind with a place, on a chain that hangs askew; each has a spring, a motor,
 * friction or a limit that it reaches, some yield. */
static uint64_t chain(scree_joints joints, scree_scheme scheme, int is_hung)
{
    static const scree_joint_kind kinds[] = {
        SCREE_JOINT_HINGE,       SCREE_JOINT_BALL,     SCREE_JOINT_UNIVERSAL,
        SCREE_JOINT_CYLINDRICAL, SCREE_JOINT_PLANAR,   SCREE_JOINT_SCREW,
        SCREE_JOINT_SLIDER,      SCREE_JOINT_DISTANCE, SCREE_JOINT_FIXED};
    static const double* const axes[] = {y_axis, x_axis, skew};
    scree_world* world = new_world(joints, scheme);
    scree_body_id last = the_world;
    add_floor(world, 0.0);
    for (int i = 0; i < 9; ++i) {
        const double at[3] = {0.2 * i + 0.1, 0.01 * i, is_hung ? 1.0 : 0.05};
        const double point[3] = {0.2 * i, 0.0, at[2]};
        scree_shape shape = box_of(0.05, 0.04, 0.03);
        scree_body_id link = put_body(world, SCREE_BODY_DYNAMIC, shape, at, NULL);
        if (i == 0 && !is_hung) { /* nothing holds the first */
            last = link;
            continue;
        }
        scree_joint_def def = joint_of(world, kinds[i], link, last, point, axes[i % 3]);
        scree_freedom* f = def.freedom;
        def.ratio = 0.05;
        if (i == 0) f->motor = SCREE_MOTOR_VELOCITY, f->target = 1.0, f->max_effort = 3.0;
        if (i == 1) f->stiffness = 2.0, f->damping = 0.05, f->friction = 0.1;
        if (i == 2) f[1].upper = 0.02, f[0].friction = 0.05, f[0].friction_arm = 0.01;
        if (i == 3) f[0].lower = -0.01, f[0].upper = 0.01, f[1].damping = 0.01;
        if (i == 4) f[2].motor = SCREE_MOTOR_POSITION, f[2].target = 0.2, f[2].max_effort = 2.0;
        if (i == 5) f->backlash = 0.01, f->armature = 1e-3;
        if (i == 6) f->motor = SCREE_MOTOR_POSITION, f->target = 0.05, f->time = 0.05;
        if (i == 6) f->max_effort = 20.0;
        if (i == 7) f->stiffness = 500.0, f->lower = 0.05, f->upper = 0.3;
        if (i == 8) def.compliance[0] = 1e-5, def.compliance[1] = 1e-3, def.damping[1] = 0.1;
        if (i == 3) def.break_torque = 3.0;
        add_joint(world, &def);
        last = link;
    }
    return run(world, 60);
}

/* A frame of four bars, one more than it needs, a slider-crank, gears on a carrier, a rack, a bead
 * on a wire, a rope: loops, which trees leave to rows. */
static uint64_t loops(scree_joints joints, scree_scheme scheme)
{
    scree_world* world = new_world(joints, scheme);
    const double corner[4][3] = {
        {0.0, 0.0, 1.0}, {0.0, 0.0, 1.5}, {0.6, 0.0, 1.6}, {0.6, 0.0, 1.0}};
    scree_body_id bar[3], wheel[2], arm, slide, bead, bob;
    for (int k = 0; k < 3; ++k) bar[k] = add_rod(world, 0.5, corner[k], corner[k + 1]);
    join(world, SCREE_JOINT_HINGE, bar[0], the_world, corner[0], y_axis);
    join(world, SCREE_JOINT_HINGE, bar[1], bar[0], corner[1], y_axis);
    join(world, SCREE_JOINT_HINGE, bar[2], bar[1], corner[2], y_axis);
    join(world, SCREE_JOINT_HINGE, bar[2], the_world, corner[3], y_axis);

    const double hub[3] = {2.0, 0.0, 1.0}, side[3] = {2.3, 0.0, 1.0}, far[3] = {2.3, 0.0, 0.5};
    arm = add_mass(world, 1.0, inertia, hub);
    wheel[0] = add_mass(world, 0.6, inertia, hub);
    wheel[1] = add_mass(world, 0.8, inertia, side);
    slide = add_mass(world, 0.5, inertia, far);
    scree_joint_def driven = joint_of(world, SCREE_JOINT_HINGE, wheel[0], arm, hub, y_axis);
    driven.freedom[0].motor = SCREE_MOTOR_EFFORT;
    driven.freedom[0].target = 0.5;
    add_joint(world, &driven);
    join(world, SCREE_JOINT_HINGE, arm, the_world, hub, y_axis);
    join(world, SCREE_JOINT_HINGE, wheel[1], arm, side, y_axis);
    scree_joint_def gear = joint_of(world, SCREE_JOINT_GEAR, wheel[0], wheel[1], hub, y_axis);
    scree_joint_def other = joint_of(world, SCREE_JOINT_GEAR, wheel[0], wheel[1], side, y_axis);
    memcpy(gear.position[1], other.position[1], sizeof gear.position[1]);
    gear.carrier = arm;
    gear.ratio = 1.5;
    add_joint(world, &gear);
    join(world, SCREE_JOINT_SLIDER, slide, the_world, far, z_axis);
    scree_joint_def rack = joint_of(world, SCREE_JOINT_RACK, slide, wheel[0], far, z_axis);
    other = joint_of(world, SCREE_JOINT_RACK, slide, wheel[0], hub, y_axis);
    memcpy(rack.position[1], other.position[1], sizeof rack.position[1]);
    memcpy(rack.rotation[1], other.rotation[1], sizeof rack.rotation[1]);
    rack.ratio = -0.1;
    rack.freedom[0].backlash = 0.002;
    add_joint(world, &rack);

    static const double wire[15] = {0.0, 0.0, 0.0, 0.2, 0.0, -0.1, 0.4, 0.05,
                                    0.0, 0.6, 0.0, 0.1, 0.8, 0.0,  0.0};
    const double start[3] = {0.0, 1.0, 0.0}, hangs[3] = {0.0, 1.0, -0.4};
    bead = add_mass(world, 0.3, inertia, start);
    scree_joint_def curve = scree_default_joint_def();
    curve.kind = SCREE_JOINT_CURVE;
    curve.body[0] = bead;
    curve.position[1][1] = 1.0;
    curve.n_curve = 5;
    curve.curve = wire;
    curve.freedom[0].friction = 0.02;
    add_joint(world, &curve);
    bob = add_mass(world, 0.2, inertia, hangs);
    scree_joint_def rope = joint_of(world, SCREE_JOINT_ROPE, bob, bead, hangs, NULL);
    rope.length = 0.45;
    add_joint(world, &rope);
    return run(world, 120);
}

/* Walkers on two legs that fall on a floor and on each other: contacts between links of one tree,
 * of two and of none. */
static uint64_t walkers(scree_joints joints, int32_t workers)
{
    scree_world_def def = world_def(2e-3, 1e-6);
    def.joints = joints;
    def.workers = workers;
    scree_world* world = guarded_world(def, (scree_material){.mu = 0.6, .mu_s = 1e-3});
    scree_body_id top, low;
    add_floor(world, 0.0);
    for (int i = 0; i < 3; ++i) {
        scree_shape trunk = box_of(0.2, 0.1, 0.05), leg = box_of(0.03, 0.03, 0.1);
        const double at[3] = {0.35 * i, 0.02 * i, 0.26 + 0.05 * i}, push[3] = {0.6 - 0.6 * i};
        top = put_body(world, SCREE_BODY_DYNAMIC, trunk, at, push);
        for (int k = 0; k < 2; ++k) {
            const double hip[3] = {at[0] + (k ? 0.1 : -0.1), at[1], at[2] - 0.05};
            const double foot[3] = {hip[0], hip[1], hip[2] - 0.1};
            low = put_body(world, SCREE_BODY_DYNAMIC, leg, foot, push);
            scree_joint_def joint = joint_of(world, SCREE_JOINT_HINGE, low, top, hip, y_axis);
            joint.freedom[0].motor = SCREE_MOTOR_POSITION;
            joint.freedom[0].target = 0.3 * (i - k);
            joint.freedom[0].max_effort = 15.0;
            add_joint(world, &joint);
        }
    }
    const double above[3] = {0.4, 0.0, 0.6};
    put_body(world, SCREE_BODY_DYNAMIC, sphere_of(0.05), above, NULL);
    return run(world, 90);
}

/* A chain of plates that lies on balls: more contacts than a full matrix is made for, or so many
 * that Newton's method does without one. */
static uint64_t carpet(scree_joints joints, int side, double mu_r)
{
    scree_world_def def = world_def(2e-3, 1e-4);
    def.joints = joints;
    def.solver.max_iter = 50;
    scree_world* world =
        guarded_world(def, (scree_material){.mu = 0.4, .mu_r = mu_r, .mu_s = mu_r});
    scree_body_id last = the_world;
    add_floor(world, 0.0);
    for (int k = 0; k < side * side; ++k) {
        const double at[3] = {0.045 * (k % side), 0.045 * (k / side), 0.02};
        put_body(world, SCREE_BODY_DYNAMIC, sphere_of(0.02), at, NULL);
    }
    for (int k = 0; k < 3; ++k) {
        double width = 0.0225 * (side - 1), part = 2.0 * width / 3.0;
        const double at[3] = {part * (k + 0.5), width, 0.0499}, point[3] = {part * k, width, 0.05};
        scree_shape plate = box_of(0.5 * part, width + 0.01, 0.01);
        scree_body_id body = put_body(world, SCREE_BODY_DYNAMIC, plate, at, NULL);
        if (k > 0) join(world, SCREE_JOINT_HINGE, body, last, point, y_axis);
        last = body;
    }
    return run(world, 3);
}

static void mechanisms_keep_their_motion(void** state)
{
    (void)state;
    test_needs_glibc();
    const scree_joints rows = SCREE_JOINTS_ROWS, trees = SCREE_JOINTS_TREES;
    const motion_promise promises[] = {
        {"chain, rows, impulse", chain(rows, SCREE_SCHEME_IMPULSE, 1), 0x249fe61171455bb3},
        {"chain, trees, gap", chain(trees, SCREE_SCHEME_GAP, 1), 0xf74be895159f4a9b},
        {"loops, rows", loops(rows, SCREE_SCHEME_IMPULSE), 0x9b64d89ad4e7bb8a},
        {"walkers, trees", walkers(trees, 1), 0xfbc2858b91262e7c},
    };
    require_kept(promises, sizeof promises / sizeof *promises);
}

/* The same mechanisms the other way, not under sanitizers. */
static void others_keep_theirs(void** state)
{
    (void)state;
    test_needs_glibc();
    if (test_sanitized()) skip();
    const scree_joints rows = SCREE_JOINTS_ROWS, trees = SCREE_JOINTS_TREES;
    const motion_promise promises[] = {
        {"chain, rows, gap", chain(rows, SCREE_SCHEME_GAP, 1), 0xdf0703e57679086d},
        {"chain, trees, impulse", chain(trees, SCREE_SCHEME_IMPULSE, 1), 0x9b7e9208dca94bf3},
        {"free chain, rows", chain(rows, SCREE_SCHEME_IMPULSE, 0), 0x43c1d3b4cfd1417d},
        {"free chain, trees", chain(trees, SCREE_SCHEME_IMPULSE, 0), 0x4193647af0af42e2},
        {"loops, trees", loops(trees, SCREE_SCHEME_GAP), 0xf3a8f156105059f6},
        {"carpet, rows", carpet(rows, 5, 0.0), 0xc435278aa4165f33},
        {"carpet, trees", carpet(trees, 6, 0.0), 0x4f960adb204ef4da},
        {"large carpet, trees", carpet(trees, 8, 1e-3), 0x05fd44265ed385c8},
        {"walkers, rows", walkers(rows, 1), 0x78bc3f9fe148ec60},
        {"walkers, trees, 2 workers", walkers(trees, 2), 0xfbc2858b91262e7c},
    };
    require_kept(promises, sizeof promises / sizeof *promises);
}

/* ---- as controllers see them -------------------------------------------------------------------
 */

/* Everything that can be asked of a tree, of one that hangs and of one that flies. */
static uint64_t asked(int is_hung)
{
    enum { MOST = 24 };
    static const scree_joint_kind kinds[] = {SCREE_JOINT_HINGE, SCREE_JOINT_BALL,
                                             SCREE_JOINT_UNIVERSAL, SCREE_JOINT_SCREW,
                                             SCREE_JOINT_CYLINDRICAL};
    scree_world* world = new_world(SCREE_JOINTS_ROWS, SCREE_SCHEME_IMPULSE);
    scree_body_id id[5];
    for (int i = 0; i < 5; ++i) {
        const double at[3] = {0.2 * i + 0.1, 0.05 * i, 0.1 * (i % 2)};
        const double point[3] = {0.2 * i, 0.0, 0.0};
        int parent = i == 4 ? 1 : i - 1; /* it branches */
        id[i] = add_mass(world, 1.0 + 0.2 * i, inertia, at);
        if (i == 0 && !is_hung) continue;
        scree_joint_def def = joint_of(world, kinds[i], id[i], parent < 0 ? the_world : id[parent],
                                       point, i % 2 ? skew : y_axis);
        def.ratio = 0.03;
        add_joint(world, &def);
    }
    uint64_t hash = mix_steps(BITS_BEGIN, world, 20, mix_rounded);
    scree_tree* tree = NULL;
    assert_int_equal(scree_tree_create(world, id[0], &tree), SCREE_OK);
    int32_t n = scree_tree_n_rates(tree);
    assert_true(n <= MOST);
    double m[MOST * MOST], u[MOST], effort[MOST], change[MOST], given[MOST], response[9];
    for (int i = 0; i < MOST; ++i) given[i] = 0.1 * i - 0.5;
    for (int round = 0; round < 2; ++round) {
        const double point[3] = {0.7, 0.1, 0.2};
        assert_int_equal(scree_tree_rates(tree, u), SCREE_OK);
        assert_int_equal(scree_tree_mass_matrix(tree, m), SCREE_OK);
        hash = mix_rounded(mix_rounded(hash, u, (size_t)n), m, (size_t)(n * n));
        for (int k = 0; k < 2; ++k) {
            assert_int_equal(scree_tree_efforts(tree, k ? given : NULL, effort), SCREE_OK);
            assert_int_equal(scree_tree_accelerations(tree, k ? given : NULL, change), SCREE_OK);
            hash = mix_rounded(mix_rounded(hash, effort, (size_t)n), change, (size_t)n);
        }
        for (int i = 0; i < 5; ++i) {
            assert_int_equal(scree_tree_response(tree, id[i], point, response), SCREE_OK);
            hash = mix_rounded(hash, response, 9);
        }
        for (int32_t k = 0; k < n; ++k) {
            scree_joint_id joint;
            int32_t freedom;
            assert_int_equal(scree_tree_rate_of(tree, k, &joint, &freedom), SCREE_OK);
            const double owner[2] = {(double)joint.index1, (double)freedom};
            hash = mix_bits(hash, owner, 2);
        }
        hash = mix_steps(hash, world, 5, mix_rounded);
        assert_int_equal(scree_tree_update(tree, world), SCREE_OK);
    }
    scree_tree_destroy(tree);
    end_world(world);
    return hash;
}

static void trees_answer_as_before(void** state)
{
    (void)state;
    test_needs_glibc();
    const motion_promise promises[] = {
        {"a tree that hangs", asked(1), 0x0222ef037413fd88},
        {"a tree that flies", asked(0), 0x402babe1d23267b0},
    };
    require_kept(promises, sizeof promises / sizeof *promises);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mechanisms_keep_their_motion),
        cmocka_unit_test(others_keep_theirs),
        cmocka_unit_test(trees_answer_as_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
