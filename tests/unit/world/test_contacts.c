/* The contacts of the last step as a host sees them. */
#include "support/worlds.h"

/* A box that slides and a ball that spins on a floor, and a box on the first. */
static scree_world* on_a_floor(scree_body_id id[4])
{
    scree_world* world =
        world_new(world_def(1e-3, 1e-10), (scree_material){.mu = 0.3, .mu_r = 1e-3, .mu_s = 1e-3});
    scree_shape plane = scree_default_shape(), box = box_of(0.2, 0.2, 0.1), ball = sphere_of(0.1);
    scree_body_def ground = scree_default_body_def();
    ground.kind = SCREE_BODY_STATIC;
    plane.kind = SCREE_SHAPE_HALF_SPACE;
    assert_int_equal(scree_world_add_body(world, &ground, 1, &plane, &id[0]), SCREE_OK);
    for (int k = 1; k < 4; ++k) {
        const scree_shape* shape = k < 3 ? &box : &ball;
        scree_body_def body = body_of(shape, 1000.0);
        set3(body.position, k < 3 ? 0.0 : 2.0, 0.0, k == 2 ? 0.3 : 0.1);
        if (k < 3) set3(body.velocity, 1.0, 0.0, 0.0);
        if (k == 3) set3(body.angular_velocity, 0.0, 0.0, 20.0);
        assert_int_equal(scree_world_add_body(world, &body, 1, shape, &id[k]), SCREE_OK);
    }
    return world;
}

/* What acts on bodies is what moves them: m dv = h (m g + F), and the same with torques. */
static void forces_are_those_of_newton(void** state)
{
    (void)state;
    scree_body_id id[4];
    scree_world* world = on_a_floor(id);
    for (int s = 0; s < 20; ++s) {
        scree_body_state before[4], after;
        double sum[3] = {0.0, 0.0, 0.0};
        for (int k = 0; k < 4; ++k) {
            assert_int_equal(scree_world_get_body(world, id[k], &before[k]), SCREE_OK);
        }
        step_world(world);
        const double* mass = scree_world_get_view(world).mass;
        for (int k = 0; k < 4; ++k) {
            double force[3], torque[3];
            assert_int_equal(scree_world_get_contact_force(world, id[k], force, torque), SCREE_OK);
            assert_int_equal(scree_world_get_body(world, id[k], &after), SCREE_OK);
            for (int j = 0; j < 3; ++j) {
                double change = (after.velocity[j] - before[k].velocity[j]) / 1e-3;
                double expected = mass[k] * (change - (j == 2 ? -9.81 : 0.0));
                if (k > 0) require_near(force[j], expected, 1e-7 * mass[k], "force");
                sum[j] += force[j];
            }
            if (k != 3) continue; /* a ball: its inertia is a number */
            double inertia = 0.4 * mass[3] * 0.1 * 0.1;
            for (int j = 0; j < 3; ++j) {
                double change = (after.angular_velocity[j] - before[k].angular_velocity[j]) / 1e-3;
                require_near(torque[j], inertia * change, 1e-7, "torque");
            }
            assert_true(torque[2] < -1e-3); /* spinning friction */
        }
        for (int j = 0; j < 3; ++j) require_near(sum[j], 0.0, 1e-9, "action and reaction");
    }
    scree_world_destroy(world);
}

static void contacts_are_told_in_world_axes(void** state)
{
    (void)state;
    scree_body_id id[4];
    scree_world* world = on_a_floor(id);
    scree_contact contact, some[3];
    assert_int_equal(scree_world_contact_count(world), 0);
    assert_int_equal(scree_world_get_contact(world, 0, &contact), SCREE_ERROR_ARGUMENT);
    for (int s = 0; s < 3; ++s) step_world(world);
    int32_t n = scree_world_contact_count(world), slides = 0, held = 0;
    assert_int_equal(n, 9);
    for (int32_t c = 0; c < n; ++c) {
        assert_int_equal(scree_world_get_contact(world, c, &contact), SCREE_OK);
        scree_world_view view = scree_world_get_view(world);
        double up = contact.normal[2], load = 0.0, pull = 0.0;
        require_near(fabs(up), 1.0, 1e-12, "normal");
        for (int k = 0; k < 2; ++k) {
            assert_true(scree_world_body_is_valid(world, contact.body[k]));
            assert_int_equal(view.shape_body[contact.shape[k]], contact.body[k].index1 - 1);
        }
        /* the normal leads from B to A */
        double rise = view.position[3 * (contact.body[0].index1 - 1) + 2] -
                      view.position[3 * (contact.body[1].index1 - 1) + 2];
        assert_true(rise * up > 0.0);
        for (int j = 0; j < 3; ++j) {
            load += contact.impulse[j] * contact.normal[j];
            require_near(contact.force[j], contact.impulse[j] / 1e-3, 1e-9, "force");
            require_near(contact.torque[j], contact.angular_impulse[j] / 1e-3, 1e-9, "torque");
        }
        pull = hypot(contact.impulse[0], contact.impulse[1]);
        assert_true(load > 0.0);
        require_near(contact.gap, 0.0, 1e-4, "gap");
        if (contact.shape[0] + contact.shape[1] == 1) { /* the lower box on the floor */
            double sign = contact.body[0].index1 == id[1].index1 ? 1.0 : -1.0;
            require_near(sign * contact.slip[0], 1.0, 0.02, "slip");
            require_near(pull, 0.3 * load, 1e-8 * load, "sliding friction");
            require(sign * contact.impulse[0] < 0.0, "friction pushes on");
            ++slides;
        } else if (contact.shape[0] + contact.shape[1] == 3 && contact.shape[0] &&
                   contact.shape[1]) {
            ++held; /* box on box: nothing slips */
            require_near(hypot(contact.slip[0], contact.slip[1]), 0.0, 1e-6, "slip of the upper");
        }
        require_near(contact.slip[2], 0.0, 1e-12, "slip lies in the surface");
    }
    assert_int_equal(slides, 4);
    assert_int_equal(held, 4);

    int32_t of_lower;
    assert_int_equal(scree_world_get_body_contacts(world, id[1], 3, some, &of_lower), SCREE_OK);
    assert_int_equal(of_lower, 8);
    assert_int_equal(some[2].body[0].index1 == id[1].index1,
                     some[2].body[1].index1 != id[1].index1);
    assert_int_equal(scree_world_get_body_contacts(world, id[3], 0, NULL, &of_lower), SCREE_OK);
    assert_int_equal(of_lower, 1);

    /* Without the upper box its contacts are gone, and the others are as they were. */
    scree_contact before, after;
    assert_int_equal(scree_world_get_contact(world, n - 1, &before), SCREE_OK);
    assert_int_equal(scree_world_remove_body(world, id[2]), SCREE_OK);
    assert_int_equal(scree_world_contact_count(world), 5);
    assert_int_equal(scree_world_get_contact(world, 4, &after), SCREE_OK);
    assert_memory_equal(before.impulse, after.impulse, sizeof before.impulse);
    assert_memory_equal(before.point, after.point, sizeof before.point);
    assert_memory_equal(before.slip, after.slip, sizeof before.slip);
    assert_int_equal(scree_world_get_contact_force(world, id[2], NULL, NULL), SCREE_ERROR_ARGUMENT);
    assert_int_equal(scree_world_get_contact(world, 5, &after), SCREE_ERROR_ARGUMENT);
    assert_int_equal(scree_world_get_contact(world, 0, NULL), SCREE_ERROR_ARGUMENT);
    assert_int_equal(scree_world_get_contact(NULL, 0, &after), SCREE_ERROR_ARGUMENT);
    assert_int_equal(scree_world_get_body_contacts(world, id[1], 1, NULL, &of_lower),
                     SCREE_ERROR_ARGUMENT);
    scree_world_destroy(world);
}

/* Nothing of this asks for memory. */
static void looking_asks_for_nothing(void** state)
{
    (void)state;
    test_host host = {.fail_at = -1};
    scree_world_def def = world_def(1e-3, 1e-6);
    scree_world* world = NULL;
    scree_body_id id;
    int32_t material, n;
    scree_env env = test_env(&host);
    assert_int_equal(scree_world_create(&env, &def, &world), SCREE_OK);
    assert_int_equal(scree_world_add_material(world, &(scree_material){.mu = 0.3}, &material),
                     SCREE_OK);
    add_floor(world, 0.0);
    scree_shape shape = box_of(0.1, 0.1, 0.1);
    scree_body_def body = body_of(&shape, 1000.0);
    body.position[2] = 0.1;
    assert_int_equal(scree_world_add_body(world, &body, 1, &shape, &id), SCREE_OK);
    for (int s = 0; s < 3; ++s) step_world(world);
    long asked = host.n_asked;
    scree_contact contact;
    scree_ray_hit hit;
    const double o[3] = {0.0, 0.0, 2.0}, d[3] = {0.0, 0.0, -3.0};
    double force[3];
    assert_int_equal(scree_world_get_contact(world, 0, &contact), SCREE_OK);
    assert_int_equal(scree_world_get_body_contacts(world, id, 1, &contact, &n), SCREE_OK);
    assert_int_equal(scree_world_get_contact_force(world, id, force, NULL), SCREE_OK);
    assert_int_equal(scree_world_cast_ray(world, o, d, UINT32_MAX, &hit), SCREE_OK);
    assert_int_equal(hit.body.index1, id.index1);
    step_world(world);
    assert_int_equal(host.n_asked, asked);
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_are_those_of_newton),
        cmocka_unit_test(contacts_are_told_in_world_axes),
        cmocka_unit_test(looking_asks_for_nothing),
    };
    return test_group(tests);
}
