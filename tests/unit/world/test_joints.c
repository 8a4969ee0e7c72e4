/* Joints as objects: handles, faults, bodies that go, saving, memory. */
#include "support/mechanisms.h"

static const double origin[3] = {0.0, 0.0, 0.0}, y_axis[3] = {0.0, 1.0, 0.0};

/* A chain of n rods that hangs from the world and swings. */
static scree_world* chain(scree_world_def def, int n, scree_body_id* rod, scree_joint_id* joint)
{
    scree_world* world = world_new(def, (scree_material){.mu = 0.5});
    for (int i = 0; i < n; ++i) {
        double from[3] = {0.2 * i, 0.0, 0.0}, to[3] = {0.2 * (i + 1), 0.0, 0.0};
        rod[i] = add_rod(world, 0.3, from, to);
        joint[i] = join(world, i % 2 ? SCREE_JOINT_HINGE : SCREE_JOINT_BALL, rod[i],
                        i > 0 ? rod[i - 1] : the_world, from, y_axis);
    }
    return world;
}

static void handles_go_stale(void** state)
{
    (void)state;
    scree_body_id rod[4];
    scree_joint_id joint[4], again;
    scree_joint_state s;
    scree_world* world = chain(world_def(1e-3, 1e-6), 4, rod, joint);
    assert_int_equal(scree_world_count_joints(world), 4);
    int mine = 0;
    scree_joint_def def = joint_of(world, SCREE_JOINT_BALL, rod[3], rod[2], origin, NULL);
    def.user = &mine;
    assert_int_equal(scree_world_add_joint(world, &def, &again), SCREE_OK);
    assert_ptr_equal(scree_world_get_joint_user(world, again), &mine);
    assert_null(scree_world_get_joint_user(world, joint[0]));
    assert_int_equal(scree_world_remove_joint(world, again), SCREE_OK);
    assert_null(scree_world_get_joint_user(world, again));
    assert_int_equal(scree_world_remove_joint(world, joint[1]), SCREE_OK);
    assert_false(scree_world_joint_is_valid(world, joint[1]));
    assert_true(scree_world_joint_is_valid(world, joint[2]));
    assert_int_equal(scree_world_remove_joint(world, joint[1]), SCREE_ERROR_ARGUMENT);
    assert_int_equal(scree_world_get_joint(world, joint[1], &s), SCREE_ERROR_ARGUMENT);
    assert_int_equal(scree_world_joint_at(world, 1).index1, 0);
    double at[3] = {0.2, 0.0, 0.0};
    again = join(world, SCREE_JOINT_BALL, rod[1], rod[0], at, NULL);
    assert_int_equal(again.index1, joint[1].index1);
    assert_int_equal(again.generation, joint[1].generation + 1);
    for (int k = 0; k < 10; ++k) step_joined(world);
    assert_int_equal(scree_world_remove_body(world, rod[2]), SCREE_OK);
    assert_false(scree_world_joint_is_valid(world, joint[2]));
    assert_false(scree_world_joint_is_valid(world, joint[3]));
    for (int k = 0; k < 10; ++k) step_joined(world);
    scree_world_destroy(world);
}

static void faults_are_named(void** state)
{
    (void)state;
    scree_world* world = world_of_joints(1e-3, 9.81);
    scree_body_id a = add_mass(world, 1.0, (double[3]){1.0, 1.0, 1.0}, origin);
    scree_body_def wall = scree_default_body_def();
    scree_body_id fixed;
    scree_joint_id id;
    wall.kind = SCREE_BODY_STATIC;
    assert_int_equal(scree_world_add_body(world, &wall, 0, NULL, &fixed), SCREE_OK);
    scree_joint_def good = joint_of(world, SCREE_JOINT_HINGE, a, the_world, origin, y_axis);
    for (int k = 0; k < 9; ++k) {
        scree_joint_def bad = good;
        if (k == 0) bad.body[1] = a;
        if (k == 1) bad.body[0] = fixed;
        if (k == 2) bad.freedom[0].lower = 1.0, bad.freedom[0].upper = 0.0;
        if (k == 3) bad.rotation[0][0] = 0.0, bad.rotation[0][1] = bad.rotation[0][2] = 0.0;
        if (k == 3) bad.rotation[0][3] = 0.0;
        if (k == 4) bad.freedom[0].stiffness = -1.0;
        if (k == 5) bad.position[1][2] = NAN;
        if (k == 6) bad.kind = SCREE_JOINT_KIND_COUNT;
        if (k == 7) bad.break_force = 0.0;
        if (k == 8) bad.freedom[0].friction = INFINITY;
        assert_int_equal(scree_world_add_joint(world, &bad, &id), SCREE_ERROR_INPUT);
        assert_int_equal(id.index1, 0);
    }
    assert_int_equal(scree_joint_place(world, &good, origin, origin), SCREE_ERROR_INPUT);
    good.struct_size = 8;
    assert_int_equal(scree_world_add_joint(world, &good, &id), SCREE_ERROR_ARGUMENT);
    scree_world_destroy(world);
}

static void joined_bodies_pass_through_each_other(void** state)
{
    (void)state;
    for (int collide = 0; collide < 2; ++collide) {
        scree_world* world = world_of_joints(1e-3, 0.0);
        scree_shape ball = sphere_of(0.1);
        scree_body_def def = body_of(&ball, 1000.0);
        scree_body_id id[2];
        for (int i = 0; i < 2; ++i) {
            set3(def.position, 0.15 * i, 0.0, 0.0);
            assert_int_equal(scree_world_add_body(world, &def, 1, &ball, &id[i]), SCREE_OK);
        }
        scree_joint_def joint = joint_of(world, SCREE_JOINT_FIXED, id[0], id[1], origin, NULL);
        joint.collide = collide;
        scree_joint_id made = add_joint(world, &joint);
        step_any(world);
        assert_int_equal(scree_world_contact_count(world), collide);
        assert_int_equal(scree_world_remove_joint(world, made), SCREE_OK);
        step_any(world);
        assert_int_equal(scree_world_contact_count(world), 1);
        scree_world_destroy(world);
    }
}

static void a_saved_state_goes_on_bit_for_bit(void** state)
{
    (void)state;
    scree_body_id rod[5];
    scree_joint_id joint[5];
    scree_world* world = chain(world_def(1e-3, 1e-6), 5, rod, joint);
    scree_freedom f;
    assert_int_equal(scree_world_get_freedom(world, joint[1], 0, &f), SCREE_OK);
    f.friction = 0.05;
    f.armature = 1e-3;
    f.stiffness = 0.3;
    assert_int_equal(scree_world_set_freedom(world, joint[1], 0, &f), SCREE_OK);
    for (int k = 0; k < 50; ++k) step_joined(world);
    size_t size = scree_world_state_size(world);
    void* saved = malloc(size);
    double position[15];
    scree_world_save(world, saved);
    for (int pass = 0; pass < 2; ++pass) {
        for (int k = 0; k < 50; ++k) step_joined(world);
        scree_world_view v = scree_world_get_view(world);
        if (pass) assert_memory_equal(position, v.position, sizeof position);
        memcpy(position, v.position, sizeof position);
        if (!pass) assert_int_equal(scree_world_load(world, saved, size), SCREE_OK);
    }
    free(saved);
    scree_world_destroy(world);
}

static void a_warm_step_asks_for_no_memory(void** state)
{
    (void)state;
    test_host host;
    scree_world_def def = world_def(1e-3, 1e-6);
    scree_body_id rod[8];
    scree_joint_id joint[8];
    scree_world* world = NULL;
    int32_t unused;
    scree_env env = test_env(&host);
    assert_int_equal(scree_world_create(&env, &def, &world), SCREE_OK);
    assert_int_equal(scree_world_add_material(world, &(scree_material){.mu = 0.5}, &unused),
                     SCREE_OK);
    for (int i = 0; i < 8; ++i) {
        double from[3] = {0.2 * i, 0.0, 0.0}, to[3] = {0.2 * (i + 1), 0.0, 0.0};
        rod[i] = add_rod(world, 0.3, from, to);
        scree_joint_def one = joint_of(world, SCREE_JOINT_HINGE, rod[i],
                                       i > 0 ? rod[i - 1] : the_world, from, y_axis);
        one.freedom[0].friction = 0.01;
        joint[i] = add_joint(world, &one);
    }
    for (int k = 0; k < 100; ++k) step_joined(world);
    long asked = host.n_asked;
    for (int k = 0; k < 100; ++k) step_joined(world);
    require(host.n_asked == asked, "%ld allocations in 100 warm steps", host.n_asked - asked);
    (void)joint;
    scree_world_destroy(world);
    require(host.n_held == 0, "%ld blocks are lost", host.n_held);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(handles_go_stale),
        cmocka_unit_test(faults_are_named),
        cmocka_unit_test(joined_bodies_pass_through_each_other),
        cmocka_unit_test(a_saved_state_goes_on_bit_for_bit),
        cmocka_unit_test(a_warm_step_asks_for_no_memory),
    };
    return test_group(tests);
}
