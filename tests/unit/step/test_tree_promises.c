/* What a world promises, of one whose joints are solved along trees: the same bits for any number
 * of workers, after a state is taken up again and in other units; joints hold in a whip, either
 * way. */
#include "support/bits.h"
#include "support/draw.h"
#include "support/mechanisms.h"

/* Three machines of a trunk on two legs that fall on a floor, with a joint that breaks. */
static scree_world* machines_of(int32_t workers, scree_joint_id* breaks)
{
    scree_world_def def = world_def(1e-3, 1e-6);
    def.joints = SCREE_JOINTS_TREES;
    def.workers = workers;
    scree_world* world = world_new(def, (scree_material){.mu = 0.5});
    add_floor(world, 0.0);
    for (int i = 0; i < 3; ++i) {
        scree_shape trunk = box_of(0.2, 0.1, 0.05), leg = box_of(0.02, 0.02, 0.1);
        trunk.category = leg.category = 2;
        trunk.collides = leg.collides = ~trunk.category;
        scree_body_def body = body_of(&trunk, 500.0);
        scree_body_id top, low;
        set3(body.position, i, 0.0, 0.26);
        assert_int_equal(scree_world_add_body(world, &body, 1, &trunk, &top), SCREE_OK);
        for (int k = 0; k < 2; ++k) {
            double x = i + (k ? 0.15 : -0.15), hip[3] = {x, 0.0, 0.21};
            body = body_of(&leg, 800.0);
            set3(body.position, x, 0.0, 0.11);
            assert_int_equal(scree_world_add_body(world, &body, 1, &leg, &low), SCREE_OK);
            scree_joint_def joint =
                joint_of(world, SCREE_JOINT_HINGE, low, top, hip, (double[3]){0.0, 1.0, 0.0});
            joint.freedom[0].motor = SCREE_MOTOR_POSITION;
            joint.freedom[0].target = 0.1 * (i - k);
            joint.freedom[0].max_effort = 20.0;
            if (i == 2 && k == 1) joint.break_force = 150.0;
            *breaks = add_joint(world, &joint);
        }
    }
    return world;
}

static uint64_t hash_after(scree_world* world, int steps)
{
    uint64_t hash = BITS_BEGIN;
    for (int s = 0; s < steps; ++s) {
        scree_step_report r = step_any(world);
        scree_world_view v = scree_world_get_view(world);
        hash = mix_bits(hash, v.position, 3 * (size_t)v.n_bodies);
        hash = mix_bits(hash, v.angular_velocity, 3 * (size_t)v.n_bodies);
        hash = mix_bits(hash, &r.certificate.residual, 1);
    }
    return hash;
}

/* The same bits for any number of workers, and after a state was taken up again. */
static void trees_keep_promises(void** state)
{
    (void)state;
    uint64_t first = 0, rest = 0;
    for (int32_t workers = 1; workers <= 3; ++workers) {
        scree_joint_id breaks;
        scree_world* world = machines_of(workers, &breaks);
        uint64_t hash = hash_after(world, 20);
        assert_true(scree_world_joint_is_valid(world, breaks));
        size_t size = scree_world_state_size(world);
        void* saved = malloc(size);
        scree_world_save(world, saved);
        uint64_t later = hash_after(world, 60);
        if (workers == 1) first = hash, rest = later;
        require(hash == first && later == rest, "%d workers: other bits", workers);
        assert_int_equal(scree_world_joint_is_valid(world, breaks), 0);
        require(step_any(world).n_in_trees == 5, "a joint is missing");
        scree_world* again = machines_of(workers, &breaks);
        assert_int_equal(scree_world_load(again, saved, size), SCREE_OK);
        require(hash_after(again, 60) == rest, "%d workers: taken up again, other bits", workers);
        free(saved);
        scree_world_destroy(again);
        scree_world_destroy(world);
    }
}

/* Powers of two for metres, seconds and kilograms. */
typedef struct units {
    int length, time, mass;
} units;

/* A chain of mixed joints, two of them driven, that falls: on a floor, or hung up. */
static scree_world* chain_in(units u, uint64_t seed, int has_floor)
{
    static const scree_joint_kind kinds[] = {
        SCREE_JOINT_HINGE,  SCREE_JOINT_BALL,        SCREE_JOINT_UNIVERSAL, SCREE_JOINT_SLIDER,
        SCREE_JOINT_PLANAR, SCREE_JOINT_CYLINDRICAL, SCREE_JOINT_FIXED};
    scri_random random = {.key = seed};
    scree_world_def def = world_def(ldexp(1e-3, u.time), 1e-6);
    double half = ldexp(0.05, u.length), z = has_floor ? ldexp(0.06, u.length) : 0.0;
    def.gravity[2] = -ldexp(9.81, u.length - 2 * u.time);
    def.joints = SCREE_JOINTS_TREES;
    scree_world* world = world_new(def, (scree_material){.mu = 0.5});
    scree_body_id last = the_world;
    if (has_floor) add_floor(world, 0.0);
    for (int i = 0; i < 6; ++i) {
        scree_shape shape = box_of(half, half, half);
        scree_body_def body = scree_default_body_def();
        scree_body_id link;
        double axis[3], point[3] = {ldexp(0.3 * i, u.length), 0.0, z};
        shape.category = 2;
        shape.collides = ~shape.category;
        body.mass = ldexp(1.0 + 0.1 * i, u.mass);
        for (int k = 0; k < 3; ++k) {
            body.inertia[k] = ldexp(0.01 + 0.001 * (k + i), u.mass + 2 * u.length);
        }
        set3(body.position, ldexp(0.3 * i + 0.15, u.length), 0.0, z);
        assert_int_equal(scree_world_add_body(world, &body, 1, &shape, &link), SCREE_OK);
        draw_direction(&random, axis);
        scree_joint_kind kind =
            i == 2 || i == 5 ? SCREE_JOINT_HINGE : kinds[draw_below(&random, 7)];
        scree_joint_def joint = joint_of(world, kind, link, last, point, axis);
        if (i == 2 || i == 5) {
            joint.freedom[0].motor = SCREE_MOTOR_VELOCITY;
            joint.freedom[0].target = ldexp(1.0, -u.time);
            joint.freedom[0].max_effort = ldexp(5.0, u.mass + 2 * u.length - 2 * u.time);
        }
        if (i > 0 || !has_floor) add_joint(world, &joint);
        last = link;
    }
    return world;
}

/* The same bits in other units: test_scaling.c has the same of contacts. */
static void no_unit_is_special(void** state)
{
    (void)state;
    static const units others[] = {{2, 0, 0}, {0, 0, 1}, {1, -1, 3}, {3, 1, -2}};
    for (int c = 0; c < test_few(16, 4); ++c) {
        units u = others[c % 4];
        scree_world* a = chain_in((units){0, 0, 0}, 2120 + (uint64_t)c, c % 2);
        scree_world* b = chain_in(u, 2120 + (uint64_t)c, c % 2);
        for (int s = 0; s < 50; ++s) {
            step_any(a);
            step_any(b);
            scree_world_view va = scree_world_get_view(a), vb = scree_world_get_view(b);
            for (int i = 0; i < 3 * va.n_bodies; ++i) {
                require(vb.position[i] == ldexp(va.position[i], u.length) &&
                            vb.angular_velocity[i] == ldexp(va.angular_velocity[i], -u.time),
                        "case %d, step %d: coordinate %d has other bits", c, s, i);
            }
        }
        scree_world_destroy(a);
        scree_world_destroy(b);
    }
}

/* A chain that is let go level cracks like a whip: its end turns by 25 degrees in a step, and
 * joints hold all the same. */
static void crack_a_whip(void)
{
    static const double axis[2][3] = {{0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    double h = 2e-3, length = 0.02, fastest = 0.0;
    scree_world* world = world_of_joints(h, 9.81);
    scree_body_id last = the_world;
    for (int i = 0; i < 30; ++i) {
        double middle[3] = {length * (i + 0.5), 0.0, 0.0}, point[3] = {length * i, 0.0, 0.0};
        scree_body_id link = add_mass(world, 1e-3, (double[3]){1e-8, 3e-8, 3e-8}, middle);
        join(world, SCREE_JOINT_HINGE, link, last, point, axis[i % 2]);
        last = link;
    }
    scree_step_report r = step_joined(world);
    double first = r.kinetic + r.potential, most = 0.0;
    for (int k = 0; k < 570; ++k) {
        r = step_joined(world);
        scree_world_view v = scree_world_get_view(world);
        const double* w = v.angular_velocity + 3 * (size_t)(v.n_bodies - 1);
        fastest = fmax(fastest, h * sqrt(dot3(w, w)));
        most = fmax(most, r.kinetic);
    }
    print_message("its end turns by %g in a step; energy is off by %g of %g\n", fastest,
                  r.kinetic + r.potential - first, most);
    require(fastest > 0.4, "its end turns by %g only", fastest);
    require_near(r.kinetic + r.potential, first, 1e-2 * most, "energy");
    scree_world_destroy(world);
}

static void whips_crack(void** state)
{
    (void)state;
    for (int k = 0; k < test_few(2, 1); ++k) {
        joints_solved_as = k ? SCREE_JOINTS_ROWS : SCREE_JOINTS_TREES;
        crack_a_whip();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_keep_promises),
        cmocka_unit_test(no_unit_is_special),
        cmocka_unit_test(whips_crack),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
