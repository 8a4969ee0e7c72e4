/* Nothing tells how fast the whole goes: what falls on a plate, bounces, slides and stops there
 * does the same where both go together at any speed. */
#include "support/worlds.h"

enum { STEPS = 400 };

typedef struct place {
    double at[3], speed;
} place;

static scree_shape shape_of(int which)
{
    scree_shape shape = which == 1 ? box_of(0.05, 0.04, 0.03) : sphere_of(0.05);
    if (which == 2) {
        shape.kind = SCREE_SHAPE_CAPSULE;
        shape.half_size[1] = 0.04;
    }
    if (which == 3) {
        shape.kind = SCREE_SHAPE_TUBE;
        shape.half_size[1] = 0.03;
        shape.half_size[2] = 0.04;
    }
    return shape;
}

/* Where the body is on the plate in the end, and how fast. */
static place ride(int which, scree_scheme scheme, const double velocity[3])
{
    scree_world_def def = world_def(1e-3, 1e-8);
    def.scheme = scheme;
    double restitution = scheme == SCREE_SCHEME_IMPULSE ? 0.3 : 0.0;
    scree_world* world =
        world_new(def, (scree_material){.mu = 0.5, .mu_r = 1e-3, .restitution = restitution});
    scree_shape plate = box_of(1.0, 1.0, 0.1), shape = shape_of(which);
    scree_body_def led = body_of(&plate, 1000.0), body = body_of(&shape, 1000.0);
    led.kind = SCREE_BODY_KINEMATIC;
    led.position[2] = -0.1;
    memcpy(led.velocity, velocity, sizeof led.velocity);
    body.position[2] = 0.12;
    if (which == 2) turn_about_y(body.rotation, 1.2); /* a capsule falls over */
    for (int k = 0; k < 3; ++k) body.velocity[k] = velocity[k] + (k == 0 ? 0.3 : 0.0);
    add_body(world, &led, &plate);
    add_body(world, &body, &shape);
    for (int k = 0; k < STEPS; ++k) step_world(world);
    scree_world_view v = scree_world_get_view(world);
    place out = {.speed = 0.0};
    for (int k = 0; k < 3; ++k) {
        out.at[k] = v.position[3 + k] - v.position[k];
        out.speed += fabs(v.velocity[3 + k] - velocity[k]);
    }
    require_finite(world);
    scree_world_destroy(world);
    return out;
}

static void what_rides_falls_alike(void** state)
{
    (void)state;
    static const double still[3] = {0.0, 0.0, 0.0},
                        rides[][3] = {{3.0, -2.0, 1.0}, {60.0, 0.0, 0.0}, {300.0, 40.0, -25.0}};
    for (int which = 0; which < 4; which += test_few(1, 3)) {
        for (int scheme = 0; scheme < SCREE_SCHEME_COUNT; ++scheme) {
            place here = ride(which, (scree_scheme)scheme, still);
            require(here.at[2] < 0.17 && here.at[2] > 0.12, "shape %d: %g", which, here.at[2]);
            for (int k = test_few(0, 2); k < 3; ++k) {
                place there = ride(which, (scree_scheme)scheme, rides[k]);
                for (int j = 0; j < 3; ++j) require_near(there.at[j], here.at[j], 1e-6, "place");
                require_near(there.speed, here.speed, 1e-4, "speed");
            }
        }
    }
}

/* At the default tolerance a contact is not taken for closed the earlier the faster it goes. */
static void what_rides_lies_on_its_plate(void** state)
{
    (void)state;
    scree_world* world = world_new(scree_default_world_def(), (scree_material){.mu = 0.5});
    scree_shape plate = box_of(1.0, 1.0, 0.1), ball = sphere_of(0.05);
    scree_body_def led = body_of(&plate, 1000.0), body = body_of(&ball, 1000.0);
    led.kind = SCREE_BODY_KINEMATIC;
    led.position[2] = -0.1;
    body.position[2] = 0.1;
    led.velocity[0] = body.velocity[0] = 1000.0;
    add_body(world, &led, &plate);
    add_body(world, &body, &ball);
    for (int k = 0; k < STEPS; ++k) step_world(world);
    scree_world_view v = scree_world_get_view(world);
    require_near(v.position[5], 0.05, 1e-6, "height");
    require_near(v.position[3], v.position[0], 1e-9, "place on the plate");
    scree_world_destroy(world);
}

/* A ball that a drum carries round at 28 m/s, by more than half of its radius in a step, stays
 * where it is on the wall. */
static void what_turns_with_a_drum_keeps_up(void** state)
{
    (void)state;
    const double rate = 30.0, radius = 0.05, inner = 1.0;
    scree_world_def def = world_def(1e-3, 1e-8);
    memset(def.gravity, 0, sizeof def.gravity);
    scree_world* world = world_new(def, (scree_material){.mu = 0.5, .mu_r = 0.01});
    scree_shape drum = sphere_of(1.2), ball = sphere_of(radius);
    drum.kind = SCREE_SHAPE_TUBE;
    drum.half_size[1] = 0.5;
    drum.half_size[2] = inner;
    scree_body_def led = body_of(&drum, 1000.0), body = body_of(&ball, 1000.0);
    led.kind = SCREE_BODY_KINEMATIC;
    led.angular_velocity[2] = body.angular_velocity[2] = rate;
    body.position[0] = inner - radius;
    body.velocity[1] = rate * (inner - radius);
    add_body(world, &led, &drum);
    add_body(world, &body, &ball);
    for (int k = 0; k < STEPS; ++k) step_world(world);
    scree_world_view v = scree_world_get_view(world);
    double turn = rate * scree_world_time(world), x = v.position[3], y = v.position[4];
    require_near(x * cos(turn) + y * sin(turn), inner - radius, 1e-3, "distance from the axis");
    require_near(y * cos(turn) - x * sin(turn), 0.0, 1e-2, "way along the wall");
    scree_world_destroy(world);
}

/* A box that sticks to a turntable goes round with it, and not outward: by w^2 r h / 2 a second,
 * 0.9 mm here, where each step goes along the tangent. */
static void what_stands_on_a_turntable_stays(void** state)
{
    (void)state;
    for (int scheme = 0; scheme < SCREE_SCHEME_COUNT; ++scheme) {
        const double rate = 2.0, radius = 0.3;
        scree_world_def def = world_def(1e-3, 1e-8);
        def.scheme = (scree_scheme)scheme;
        scree_world* world = world_new(def, (scree_material){.mu = 0.5});
        scree_shape table = box_of(1.0, 1.0, 0.1), box = box_of(0.05, 0.05, 0.05);
        scree_body_def led = body_of(&table, 1000.0), body = body_of(&box, 1000.0);
        led.kind = SCREE_BODY_KINEMATIC;
        led.position[2] = -0.1;
        led.angular_velocity[2] = body.angular_velocity[2] = rate;
        body.position[0] = radius;
        body.position[2] = 0.05;
        body.velocity[1] = rate * radius;
        add_body(world, &led, &table);
        add_body(world, &body, &box);
        for (int k = 0; k < 1500; ++k) step_world(world);
        scree_world_view v = scree_world_get_view(world);
        double turn = rate * scree_world_time(world), x = v.position[3], y = v.position[4];
        require_near(x * cos(turn) + y * sin(turn), radius, 5e-6, "distance from the axis");
        require_near(y * cos(turn) - x * sin(turn), 0.0, 5e-6, "way round");
        scree_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_rides_falls_alike),
        cmocka_unit_test(what_rides_lies_on_its_plate),
        cmocka_unit_test(what_turns_with_a_drum_keeps_up),
        cmocka_unit_test(what_stands_on_a_turntable_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
