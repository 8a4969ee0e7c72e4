/* What a host does to single bodies. */
#include "support/worlds.h"

static const double zero[3] = {0.0, 0.0, 0.0};

/* A turned box that floats, and a static floor far below. */
static scree_world* floating(scree_body_id* box, scree_body_id* floor, test_host* host)
{
    scree_world_def def = world_def(1e-2, 1e-8);
    scree_env env = {0};
    if (host) env = test_env(host);
    scree_world* world = NULL;
    int32_t material;
    set3(def.gravity, 0.0, 0.0, 0.0);
    assert_int_equal(scree_world_create(&env, &def, &world), SCREE_OK);
    assert_int_equal(scree_world_add_material(world, &(scree_material){.mu = 0.5}, &material),
                     SCREE_OK);
    scree_shape shape = box_of(0.1, 0.2, 0.3), plane = scree_default_shape();
    scree_body_def body = body_of(&shape, 1000.0), ground = scree_default_body_def();
    body.rotation[0] = 0.8;
    body.rotation[2] = 0.6;
    set3(body.position, 1.0, 2.0, 3.0);
    assert_int_equal(scree_world_add_body(world, &body, 1, &shape, box), SCREE_OK);
    plane.kind = SCREE_SHAPE_HALF_SPACE;
    ground.kind = SCREE_BODY_STATIC;
    ground.position[2] = -100.0;
    assert_int_equal(scree_world_add_body(world, &ground, 1, &plane, floor), SCREE_OK);
    return world;
}

static scree_body_state state_of(const scree_world* world, scree_body_id id)
{
    scree_body_state s;
    assert_int_equal(scree_world_get_body(world, id, &s), SCREE_OK);
    return s;
}

/* Angular momentum about the origin of space and linear momentum, from the inertia of the shape. */
static void momentum_of(const scree_world* world, scree_body_id id, double p[3], double l[3])
{
    scree_shape shape = box_of(0.1, 0.2, 0.3);
    scree_body_def def = body_of(&shape, 1000.0);
    scree_body_state s = state_of(world, id);
    const double* q = s.rotation;
    double column[3][3] = {{1 - 2 * (q[2] * q[2] + q[3] * q[3]), 2 * (q[1] * q[2] + q[0] * q[3]),
                            2 * (q[1] * q[3] - q[0] * q[2])},
                           {2 * (q[1] * q[2] - q[0] * q[3]), 1 - 2 * (q[1] * q[1] + q[3] * q[3]),
                            2 * (q[2] * q[3] + q[0] * q[1])},
                           {2 * (q[1] * q[3] + q[0] * q[2]), 2 * (q[2] * q[3] - q[0] * q[1]),
                            1 - 2 * (q[1] * q[1] + q[2] * q[2])}};
    for (int j = 0; j < 3; ++j) {
        p[j] = def.mass * s.velocity[j];
        l[j] = 0.0;
    }
    add_cross(s.position, p, l);
    for (int k = 0; k < 3; ++k) {
        double along = def.inertia[k] * dot3(column[k], s.angular_velocity);
        for (int j = 0; j < 3; ++j) l[j] += along * column[k][j];
    }
}

/* What an impulse at a point, or the same as impulse and angular impulse, adds to the momenta. */
static void impulses_are_momentum(void** state)
{
    (void)state;
    const double impulse[3] = {3.0, -2.0, 5.0}, point[3] = {1.3, 1.9, 3.2};
    for (int how = 0; how < 2; ++how) {
        scree_body_id box, floor;
        scree_world* world = floating(&box, &floor, NULL);
        double p[2][3], l[2][3], moment[3] = {0.0, 0.0, 0.0}, about_centre[3] = {0.0, 0.0, 0.0};
        const double spin[3] = {1.0, -2.0, 0.5};
        assert_int_equal(scree_world_set_velocity(world, box, impulse, spin), SCREE_OK);
        step_world(world); /* the inertia in world axes must be that of the pose now */
        scree_body_state now = state_of(world, box);
        double arm[3] = {point[0] - now.position[0], point[1] - now.position[1],
                         point[2] - now.position[2]};
        add_cross(point, impulse, moment);
        add_cross(arm, impulse, about_centre);
        momentum_of(world, box, p[0], l[0]);
        if (how == 0) {
            assert_int_equal(scree_world_apply_impulse_at(world, box, impulse, point), SCREE_OK);
        } else {
            assert_int_equal(scree_world_apply_impulse(world, box, impulse), SCREE_OK);
            assert_int_equal(scree_world_apply_angular_impulse(world, box, about_centre), SCREE_OK);
        }
        momentum_of(world, box, p[1], l[1]);
        for (int j = 0; j < 3; ++j) {
            require_near(p[1][j] - p[0][j], impulse[j], 1e-12, "momentum");
            require_near(l[1][j] - l[0][j], moment[j], 1e-11, "angular momentum");
        }
        scree_world_destroy(world);
    }
}

/* Forces act for one step, add up, and do the work that the report says. */
static void forces_act_for_one_step(void** state)
{
    (void)state;
    const double force[3] = {300.0, -200.0, 500.0}, torque[3] = {1.0, 2.0, -3.0};
    scree_body_id box, floor;
    scree_world* world = floating(&box, &floor, NULL);
    double p[3], l[3], before[3], expected[3] = {0.0, 0.0, 0.0};
    momentum_of(world, box, p, before);
    const double arm[3] = {1.1, 2.2, 3.3}, centre[3] = {1.0, 2.0, 3.0};
    assert_int_equal(scree_world_apply_force(world, box, force), SCREE_OK);
    assert_int_equal(scree_world_apply_force_at(world, box, force, arm), SCREE_OK);
    assert_int_equal(scree_world_apply_torque(world, box, torque), SCREE_OK);
    scree_step_report report = step_world(world);
    momentum_of(world, box, p, l);
    add_cross(centre, force, expected);
    add_cross(arm, force, expected);
    for (int j = 0; j < 3; ++j) {
        require_near(p[j], 2.0 * 1e-2 * force[j], 1e-12, "momentum after a step");
        require_near(l[j] - before[j], 1e-2 * (expected[j] + torque[j]), 1e-3, "its moment");
    }
    require_near(report.force_work, report.kinetic, 1e-12 * report.kinetic, "work of forces");
    scree_body_state once = state_of(world, box);
    report = step_world(world);
    scree_body_state twice = state_of(world, box);
    assert_memory_equal(once.velocity, twice.velocity, sizeof once.velocity);
    assert_true(report.force_work == 0.0);
    scree_world_destroy(world);
}

/* A body put elsewhere is there, as it was told to, and forgets what it touched. */
static void bodies_are_put_elsewhere(void** state)
{
    (void)state;
    scree_world* world = world_new(world_def(1e-3, 1e-8), (scree_material){.mu = 0.5});
    add_floor(world, 0.0);
    scree_shape shape = box_of(0.1, 0.1, 0.1);
    scree_body_def body = body_of(&shape, 1000.0);
    scree_body_id id;
    body.position[2] = 0.1;
    assert_int_equal(scree_world_add_body(world, &body, 1, &shape, &id), SCREE_OK);
    for (int s = 0; s < 3; ++s) assert_int_equal(step_world(world).n_contacts, 4);
    const double place[3] = {4.0, 5.0, 6.0}, turn[4] = {0.6, 0.0, 0.8 * (1.0 + 1e-9), 0.0};
    assert_int_equal(scree_world_set_pose(world, id, place, turn), SCREE_OK);
    scree_body_state s = state_of(world, id);
    assert_memory_equal(s.position, place, sizeof place);
    require_near(s.rotation[0], 0.6, 1e-8, "rotation");
    assert_null(scree_world_get_view(world).problem);
    assert_int_equal(step_world(world).n_contacts, 0);
    require_near(state_of(world, id).velocity[2], -9.81e-3, 1e-12, "it falls");
    scree_body_id floor = scree_world_body_at(world, 0);
    const double up[3] = {0.0, 0.0, 5.9}, level[4] = {1.0, 0.0, 0.0, 0.0};
    assert_int_equal(scree_world_set_pose(world, floor, up, level), SCREE_OK);
    assert_true(step_any(world).n_contacts > 0); /* the floor is just below it now */
    scree_world_destroy(world);
}

static void gravity_and_user_data(void** state)
{
    (void)state;
    scree_body_id box, floor;
    scree_world* world = floating(&box, &floor, NULL);
    double g[3] = {1.0, 2.0, 3.0}, out[3];
    int mine = 0;
    assert_int_equal(scree_world_set_gravity(world, g), SCREE_OK);
    scree_world_get_gravity(world, out);
    assert_memory_equal(g, out, sizeof g);
    step_world(world);
    for (int j = 0; j < 3; ++j) {
        require_near(state_of(world, box).velocity[j], 1e-2 * g[j], 1e-15, "velocity");
    }
    assert_null(scree_world_get_user(world, box));
    assert_int_equal(scree_world_set_user(world, box, &mine), SCREE_OK);
    assert_ptr_equal(scree_world_get_user(world, box), &mine);
    assert_ptr_equal(scree_world_get_view(world).user[0], &mine);
    assert_null(scree_world_get_user(NULL, box));
    scree_world_destroy(world);
}

/* A step in which a body falls by more than its radius is told, once, whenever it becomes so. */
static void long_steps_are_told(void** state)
{
    (void)state;
    for (int how = 0; how < 4; ++how) { /* short; long; after a body came; after gravity grew */
        test_host host = {.fail_at = -1};
        scree_world_def def = scree_default_world_def();
        scree_world* world = NULL;
        scree_body_id id;
        int32_t material;
        scree_env env = test_env(&host);
        def.step = how == 1 ? 0.2 : 0.05; /* 0.39 m and 0.025 m */
        assert_int_equal(scree_world_create(&env, &def, &world), SCREE_OK);
        assert_int_equal(scree_world_add_material(world, &(scree_material){.mu = 0.5}, &material),
                         SCREE_OK);
        add_floor(world, 0.0);
        scree_shape shape = sphere_of(0.1), small = sphere_of(0.01);
        scree_body_def body = body_of(&shape, 1000.0);
        body.position[2] = 100.0;
        assert_int_equal(scree_world_add_body(world, &body, 1, &shape, &id), SCREE_OK);
        for (int s = 0; s < 3; ++s) assert_int_equal(scree_world_step(world, NULL), SCREE_OK);
        assert_int_equal(host.n_logged, how == 1);
        const double strong[3] = {0.0, 0.0, -98.1};
        body.position[2] = 90.0;
        if (how == 2) {
            assert_int_equal(scree_world_add_body(world, &body, 1, &small, &id), SCREE_OK);
        }
        if (how == 3) assert_int_equal(scree_world_set_gravity(world, strong), SCREE_OK);
        for (int s = 0; s < 3; ++s) assert_int_equal(scree_world_step(world, NULL), SCREE_OK);
        assert_int_equal(host.n_logged, how > 0);
        if (how > 0) require(strstr(host.text, "too long"), "'%s'", host.text);
        scree_world_destroy(world);
    }
}

/* Every fault has a status and a line that names the call, and changes nothing. */
static void faults_are_named(void** state)
{
    (void)state;
    test_host host = {.fail_at = -1};
    scree_body_id box, floor, gone, none = {0, 0};
    scree_world* world = floating(&box, &floor, &host);
    scree_shape shape = sphere_of(0.1);
    scree_body_def body = body_of(&shape, 1000.0);
    assert_int_equal(scree_world_add_body(world, &body, 1, &shape, &gone), SCREE_OK);
    assert_int_equal(scree_world_remove_body(world, gone), SCREE_OK);
    const double bad[3] = {0.0, NAN, 0.0}, turn[4] = {1.0, 0.0, 0.0, 0.0};
    const double long_turn[4] = {1.1, 0.0, 0.0, 0.0}, nan_turn[4] = {NAN, 0.0, 0.0, 0.0};
    size_t size = scree_world_state_size(world);
    void *before = malloc(size), *after = malloc(size);
    scree_world_save(world, before);

#define refused(status, line, call)                                           \
    do {                                                                      \
        host.text[0] = '\0';                                                  \
        assert_int_equal(call, status);                                       \
        require(strstr(host.text, line), "'%s' lacks '%s'", host.text, line); \
    } while (0)
    const scree_status argument = SCREE_ERROR_ARGUMENT, input = SCREE_ERROR_INPUT;
    scree_body_state out;
    refused(argument, "get_body: body 2 of generation 0", scree_world_get_body(world, gone, &out));
    refused(argument, "get_body: there is no body -1", scree_world_get_body(world, none, &out));
    refused(argument, "get_body: no place", scree_world_get_body(world, box, NULL));
    refused(argument, "set_pose", scree_world_set_pose(world, gone, zero, turn));
    refused(argument, "position is NULL", scree_world_set_pose(world, box, NULL, turn));
    refused(argument, "rotation is NULL", scree_world_set_pose(world, box, zero, NULL));
    refused(input, "not finite", scree_world_set_pose(world, box, bad, turn));
    refused(input, "unit quaternion", scree_world_set_pose(world, box, zero, long_turn));
    refused(input, "unit quaternion", scree_world_set_pose(world, box, zero, nan_turn));
    refused(argument, "set_velocity: body 1 is static",
            scree_world_set_velocity(world, floor, zero, zero));
    refused(argument, "set_velocity: body 2", scree_world_set_velocity(world, gone, zero, zero));
    refused(input, "the velocity", scree_world_set_velocity(world, box, bad, zero));
    refused(input, "the angular velocity", scree_world_set_velocity(world, box, zero, bad));
    refused(argument, "apply_force: body 1 is not dynamic",
            scree_world_apply_force(world, floor, zero));
    refused(argument, "apply_force: body 2", scree_world_apply_force(world, gone, zero));
    refused(input, "apply_force", scree_world_apply_force(world, box, bad));
    refused(argument, "apply_force", scree_world_apply_force(world, box, NULL));
    refused(input, "apply_torque", scree_world_apply_torque(world, box, bad));
    refused(input, "the point", scree_world_apply_force_at(world, box, zero, bad));
    refused(input, "apply_impulse", scree_world_apply_impulse(world, box, bad));
    refused(input, "angular_impulse", scree_world_apply_angular_impulse(world, box, bad));
    refused(argument, "the point", scree_world_apply_impulse_at(world, box, zero, NULL));
    refused(argument, "set_user", scree_world_set_user(world, gone, NULL));
    refused(input, "gravity", scree_world_set_gravity(world, bad));
    int32_t material;
    refused(argument, "add_material", scree_world_add_material(world, NULL, &material));
    refused(argument, "add_material",
            scree_world_add_material(world, &(scree_material){.mu = 1.0}, NULL));
    refused(argument, "set_pair", scree_world_set_pair(world, 0, 0, NULL));
    refused(argument, "no material",
            scree_world_set_pair(world, 0, 1, &(scree_material){.mu = 1.0}));
    refused(argument, "NULL", scree_world_add_body(world, NULL, 1, &shape, &gone));
    refused(argument, "NULL", scree_world_add_body(world, &body, 1, NULL, &gone));
    body.kind = SCREE_BODY_NONE;
    refused(input, "unknown kind", scree_world_add_body(world, &body, 1, &shape, &gone));
#undef refused
    assert_int_equal(scree_world_apply_force(NULL, box, zero), argument);
    assert_int_equal(scree_world_set_gravity(NULL, zero), argument);
    assert_int_equal(scree_world_add_material(NULL, &(scree_material){.mu = 1.0}, &material),
                     argument);
    assert_int_equal(scree_world_set_pair(NULL, 0, 0, &(scree_material){.mu = 1.0}), argument);
    assert_int_equal(scree_world_load(NULL, before, size), argument);
    assert_int_equal(scree_world_step(NULL, NULL), argument);
    assert_int_equal(scree_world_create(NULL, NULL, NULL), argument);
    assert_int_equal(scree_world_state_size(NULL), 0);
    assert_true(scree_world_time(NULL) == 0.0);
    scree_world_save(NULL, before);
    scree_world_get_gravity(NULL, NULL);
    assert_int_equal(scree_world_add_body(NULL, &body, 1, &shape, &gone), argument);
    scree_world_save(world, after);
    assert_memory_equal(before, after, size);
    free(before);
    free(after);
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(impulses_are_momentum),    cmocka_unit_test(forces_act_for_one_step),
        cmocka_unit_test(bodies_are_put_elsewhere), cmocka_unit_test(gravity_and_user_data),
        cmocka_unit_test(long_steps_are_told),      cmocka_unit_test(faults_are_named),
    };
    return test_group(tests);
}
