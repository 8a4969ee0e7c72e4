/* Contacts that yield: loads that have one answer, forces in place of contradictions, Hertz's law,
 * and the rigid contact as the limit. */
#include "support/worlds.h"

#define G 9.81

static void step_on(scree_world* world, double time)
{
    while (scree_world_time(world) < time - 1e-9) step_world(world);
}

/* ---- loads ----------------------------------------------------------------------------------- */

/* A plate on four corners with a couple about y: rigid, the four loads are any that balance; on
 * springs they are linear in x. */
static void loads_have_one_answer(void** state)
{
    (void)state;
    for (int gap = 0; gap < 2; ++gap) {
        scree_world_def def = world_def(1e-3, 1e-2);
        def.scheme = gap ? SCREE_SCHEME_GAP : SCREE_SCHEME_IMPULSE;
        scree_material material = {.mu = 0.5, .stiffness = 2e5, .damping = 200.0};
        scree_world* world = world_new(def, material);
        scree_shape shape = box_of(0.3, 0.2, 0.05);
        scree_body_def body = body_of(&shape, 1000.0);
        body.position[2] = 0.05;
        add_floor(world, 0.0);
        int32_t i = add_body(world, &body, &shape);
        double weight = body.mass * G, couple[3] = {0.03 * weight, 0.06 * weight, 0.0};
        for (int k = 0; k < 2000; ++k) {
            scree_body_id id = scree_world_body_at(world, i);
            assert_int_equal(scree_world_apply_torque(world, id, couple), SCREE_OK);
            step_world(world);
        }
        scree_world_view view = scree_world_get_view(world);
        assert_int_equal(view.n_contacts, 4);
        for (int32_t c = 0; c < 4; ++c) {
            const double* at = view.point + 3 * (size_t)c;
            double x = at[0] > 0.0 ? 1.0 : -1.0, y = at[1] > 0.0 ? 1.0 : -1.0;
            double expected = weight / 4.0 * (1.0 + x * 0.06 / 0.3 - y * 0.03 / 0.2);
            double load = view.impulse[view.problem->first_row[c]] / def.step;
            require_near(load, expected, 1e-3 * weight, "load of a corner");
            require_near(view.gap[c], -expected / 2e5, 1e-3 * weight / 2e5, "depth of a corner");
        }
        scree_world_destroy(world);
    }
}

/* Balls far apart and on materials of their own sink by their weight over the stiffness: no part
 * of a world takes that of another. */
static void parts_yield_by_themselves(void** state)
{
    (void)state;
    for (int gap = 0; gap < 2; ++gap) {
        scree_world_def def = world_def(1e-3, 1e-4);
        def.scheme = gap ? SCREE_SCHEME_GAP : SCREE_SCHEME_IMPULSE;
        scree_world* world = world_new(def, (scree_material){.mu = 0.5});
        scree_shape ball = sphere_of(0.05);
        scree_body_def body = body_of(&ball, 1000.0);
        add_floor(world, 0.0);
        for (int k = 0; k < 3; ++k) {
            double stiffness = 1e4 * (k + 1);
            scree_material material = {
                .mu = 0.5, .stiffness = stiffness, .damping = 2.0 * sqrt(stiffness * body.mass)};
            assert_int_equal(scree_world_add_material(world, &material, &ball.material), SCREE_OK);
            set3(body.position, 1.0 * k, 0.0, 0.05);
            add_body(world, &body, &ball);
        }
        step_on(world, 1.0);
        scree_world_view view = scree_world_get_view(world);
        for (int k = 0; k < 3; ++k) {
            double sinks = 0.05 - view.position[3 * (k + 1) + 2], weight = body.mass * G;
            require_near(sinks, weight / (1e4 * (k + 1)), 1e-6 * weight / 1e4, "depth");
        }
        scree_world_destroy(world);
    }
}

/* ---- squeezes -------------------------------------------------------------------------------- */

/* A ball or an ellipsoid between two plates that stand closer than it is high by `squeeze`; returns
 * the force on one of them. */
static double squeeze_force_of(scree_material material, scree_shape ball, double radius,
                               double squeeze)
{
    scree_world_def def = world_def(1e-4, 1e-2);
    set3(def.gravity, 0.0, 0.0, 0.0);
    scree_world* world = world_new(def, material);
    scree_shape plate = box_of(1.0, 1.0, 0.1);
    scree_body_def wall = scree_default_body_def(), body = body_of(&ball, 1000.0);
    wall.kind = SCREE_BODY_KINEMATIC;
    for (int side = -1; side <= 1; side += 2) {
        set3(wall.position, 0.0, 0.0, side * (radius + 0.1));
        set3(wall.velocity, 0.0, 0.0, -side * 0.5 * squeeze / 0.1);
        add_body(world, &wall, &plate);
    }
    int32_t i = add_body(world, &body, &ball);
    double still[3] = {0.0, 0.0, 0.0}, force[3], torque[3];
    step_on(world, 0.1);
    for (int32_t k = 0; k < 2; ++k) {
        scree_body_id id = scree_world_body_at(world, k);
        assert_int_equal(scree_world_set_velocity(world, id, still, still), SCREE_OK);
    }
    step_on(world, 0.15);
    assert_int_equal(
        scree_world_get_contact_force(world, scree_world_body_at(world, 0), force, torque),
        SCREE_OK);
    scree_world_view view = scree_world_get_view(world);
    require(fabs(view.position[3 * i + 2]) <= 1e-9 * radius, "the ball has moved");
    scree_world_destroy(world);
    return -force[2];
}

static double squeeze_force(scree_material material, double radius, double squeeze)
{
    return squeeze_force_of(material, sphere_of(radius), radius, squeeze);
}

/* Two bodies that do not give way and one between them: no answer if rigid, k/2 times the squeeze
 * on springs, and Hertz's force on both sides by the moduli. */
static void squeezes_become_forces(void** state)
{
    (void)state;
    scree_material springs = {.mu = 0.3, .stiffness = 1e6, .damping = 50.0};
    double force = squeeze_force(springs, 0.05, 1e-3);
    print_message("squeezed by 1 mm on 1e6 N/m: %.9g N\n", force);
    require_near(force, 500.0, 1e-3, "force of two springs in a row");
    scree_material steel = {.mu = 0.3, .young = 2e9, .poisson = 0.3, .damping = 50.0};
    double modulus = 0.5 * steel.young / (1.0 - 0.09), depth = 0.5e-3;
    double hertz = 4.0 / 3.0 * modulus * sqrt(0.05) * pow(depth, 1.5);
    force = squeeze_force(steel, 0.05, 2.0 * depth);
    print_message("by Hertz %.9g N, %.9g N expected\n", force, hertz);
    require_near(force, hertz, 1e-6 * hertz, "Hertz's force");
    /* lying on its side: the axis of 0.03 points up, and R there is a b / c */
    scree_shape egg = scree_default_shape();
    egg.kind = SCREE_SHAPE_ELLIPSOID;
    set3(egg.half_size, 0.03, 0.05, 0.08);
    egg.rotation[0] = egg.rotation[2] = sqrt(0.5); /* about y: x points down */
    hertz = 4.0 / 3.0 * modulus * sqrt(0.05 * 0.08 / 0.03) * pow(depth, 1.5);
    force = squeeze_force_of(steel, egg, 0.03, 2.0 * depth);
    print_message("of an ellipsoid %.9g N, %.9g N expected\n", force, hertz);
    require_near(force, hertz, 1e-6 * hertz, "Hertz's force of an ellipsoid");
}

/* ---- impacts --------------------------------------------------------------------------------- */

/* A ball that falls on a plate leaves it after 2.9432 d/v, d its depth by Hertz at the speed v,
 * with nearly that speed; the loss is the scheme's and goes with the step. */
static void impacts_last_as_hertz_says(void** state)
{
    (void)state;
    const double speed = 0.5, radius = 0.02;
    scree_material material = {.young = 1e8, .poisson = 0.25};
    scree_shape ball = sphere_of(radius);
    scree_body_def body = body_of(&ball, 2000.0);
    double modulus = 0.5 * material.young / (1.0 - 0.0625), loss[2];
    double depth = pow(15.0 / 16.0 * body.mass * speed * speed / (modulus * sqrt(radius)), 0.4);
    double lasts = 2.94327 * depth / speed;
    for (int fine = 0; fine < 2; ++fine) {
        scree_world_def def = world_def(lasts / (fine ? 4000.0 : 1000.0), 1e-2);
        set3(def.gravity, 0.0, 0.0, 0.0);
        scree_world* world = world_new(def, material);
        body.position[2] = radius;
        body.velocity[2] = -speed;
        add_floor(world, 0.0);
        int32_t i = add_body(world, &body, &ball);
        double deepest = 0.0, left = 0.0;
        while (scree_world_time(world) < 1.5 * lasts) {
            step_world(world);
            scree_world_view view = scree_world_get_view(world);
            deepest = fmax(deepest, radius - view.position[3 * i + 2]);
            if (left == 0.0 && view.position[3 * i + 2] > radius) left = view.time;
        }
        double back = scree_world_get_view(world).velocity[3 * i + 2];
        loss[fine] = 1.0 - back / speed;
        print_message("%d steps: %.5f of the depth, %.5f of the time, %.4f of the speed\n",
                      fine ? 4000 : 1000, deepest / depth, left / lasts, back / speed);
        require_near(deepest, depth, 0.01 * depth, "depth");
        require_near(left, lasts, 0.01 * lasts, "time of contact");
        scree_world_destroy(world);
    }
    require(loss[1] > 0.0 && loss[1] < 0.3 * loss[0] && loss[0] < 0.01, "losses %g and %g", loss[0],
            loss[1]);
}

/* ---- the limits ------------------------------------------------------------------------------ */

/* A ball thrown over a floor, which slides until it rolls; x after a second. */
static double way_of(double stiffness)
{
    scree_material material = {.mu = 0.3, .stiffness = stiffness};
    scree_world_def def = world_def(1e-3, 1e-6);
    def.scheme = SCREE_SCHEME_GAP;
    scree_world* world = world_new(def, material);
    scree_shape ball = sphere_of(0.1);
    scree_body_def body = body_of(&ball, 1000.0);
    body.position[2] = 0.1;
    body.velocity[0] = 2.0;
    add_floor(world, 0.0);
    int32_t i = add_body(world, &body, &ball);
    step_on(world, 1.0);
    scree_world_view view = scree_world_get_view(world);
    double x = view.position[3 * i];
    require_near(view.velocity[3 * i], 2.0 * 5.0 / 7.0, 1e-2, "speed of rolling");
    scree_world_destroy(world);
    return x;
}

static void stiff_contacts_are_rigid(void** state)
{
    (void)state;
    double rigid = way_of(0.0), last = HUGE_VAL;
    for (double k = 1e6; k < 1e14; k *= 100.0) {
        double off = fabs(way_of(k) - rigid);
        print_message("%g N/m: %.3e m from the rigid ball\n", k, off);
        require(off < last || off < 1e-6, "no nearer with %g N/m", k);
        last = off;
    }
    require(last <= 1e-6, "off by %g m", last);
}

/* A block that slides to rest: what sliding takes is the energy that it had, and all that contacts
 * take but for what the springs keep. */
static void sliding_takes_the_energy(void** state)
{
    (void)state;
    for (int k = 0; k < 4; ++k) {
        scree_material material = {
            .mu = 0.5, .stiffness = k % 2 ? 1e8 : 0.0, .damping = k % 2 ? 1e4 : 0.0};
        scree_world_def def = world_def(1e-4, 1e-8);
        def.theta = k < 2 ? 0.5 : 1.0;
        def.scheme = SCREE_SCHEME_GAP;
        scree_world* world = world_new(def, material);
        scree_shape shape = box_of(0.1, 0.1, 0.01);
        scree_body_def body = body_of(&shape, 1000.0);
        body.position[2] = 0.01;
        body.velocity[0] = 1.0;
        add_floor(world, 0.0);
        add_body(world, &body, &shape);
        double sliding = 0.0, energy = 0.5 * body.mass;
        while (scree_world_time(world) < 0.3) {
            sliding += step_world(world).certificate.dissipation[0];
        }
        print_message("theta %g, %g N/m: %.9g J of %.9g J\n", def.theta, material.stiffness,
                      sliding, energy);
        require_near(sliding, energy, 2e-3 * energy, "energy of sliding");
        scree_world_destroy(world);
    }
}

/* Held by friction on springs: sticking does not creep, and the deflection is the load over k_T. */
static void tangents_remember_their_load(void** state)
{
    (void)state;
    const double stiffness = 1e5, nu = 0.25, shear = 2.0 * (1.0 - nu) / (2.0 - nu);
    scree_material material = {.mu = 0.5, .stiffness = stiffness, .poisson = nu, .damping = 300.0};
    scree_world* world = world_new(world_def(1e-3, 1e-2), material);
    scree_shape shape = box_of(0.1, 0.1, 0.01);
    scree_body_def body = body_of(&shape, 1000.0);
    body.position[2] = 0.01;
    add_floor(world, 0.0);
    int32_t i = add_body(world, &body, &shape);
    double load = 0.0, full = 0.3 * body.mass * G, x[2] = {0.0, 0.0};
    for (int k = 0; k < 6000; ++k) {
        double force[3] = {load, 0.0, 0.0};
        load = k < 1000 ? 0.0 : fmin(load + full / 1000.0, full);
        assert_int_equal(scree_world_apply_force(world, scree_world_body_at(world, i), force),
                         SCREE_OK);
        step_world(world);
        if (k == 3999) x[0] = scree_world_get_view(world).position[3 * i];
    }
    x[1] = scree_world_get_view(world).position[3 * i];
    /* the springs along the tangents, and the tilt by a force above the floor */
    double expected = full / (4.0 * stiffness) * (1.0 / shear + 0.01 * 0.01 / (0.1 * 0.1));
    print_message("deflected by %.9g m and %.9g m, %.9g m expected\n", x[0], x[1], expected);
    require_near(x[0], expected, 1e-3 * expected, "deflection");
    require(fabs(x[1] - x[0]) <= 1e-9 * expected, "it creeps by %g m", x[1] - x[0]);
    scree_world_destroy(world);
}

static void faults_are_named(void** state)
{
    (void)state;
    static const scree_material faults[] = {
        {.stiffness = -1.0},
        {.young = 1e9, .poisson = 0.6},
        {.young = 1e9, .stiffness = 1e5},
        {.damping = 1.0},
        {.stiffness = 1e5, .restitution = 0.5},
    };
    int32_t unused;
    scree_world* world = world_new(scree_default_world_def(), (scree_material){.mu = 0.5});
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; ++i) {
        assert_int_equal(scree_world_add_material(world, &faults[i], &unused), SCREE_ERROR_INPUT);
    }
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_yield_by_themselves), cmocka_unit_test(loads_have_one_answer),
        cmocka_unit_test(squeezes_become_forces),    cmocka_unit_test(impacts_last_as_hertz_says),
        cmocka_unit_test(stiff_contacts_are_rigid),  cmocka_unit_test(tangents_remember_their_load),
        cmocka_unit_test(sliding_takes_the_energy),  cmocka_unit_test(faults_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
