/* Rounded shapes in worlds: all rounding is a ball that rolls as one, and none passes a thin wall.
 */
#include "support/worlds.h"

#include <math.h>

static scree_shape rounded(double half, double rounding)
{
    scree_shape shape = box_of(half, half, half);
    shape.rounding = rounding;
    return shape;
}

/* 5/7 g sin(tilt) */
static void rolls_as_a_ball(void** state)
{
    (void)state;
    const double tilt = 0.2, radius = 0.1, g = 9.81, h = 1e-3;
    scree_world_def def = world_def(h, 1e-10);
    def.gravity[2] = -g;
    scree_world* world = world_new(def, (scree_material){.mu = 0.5});
    scree_shape shape = rounded(1e-9, radius);
    scree_body_def body = body_of(&shape, 1000.0);
    add_floor(world, tilt);
    set3(body.position, radius * sin(tilt), 0.0, radius * cos(tilt));
    int32_t i = add_body(world, &body, &shape);
    for (int step = 0; step < 1000; ++step) step_world(world);
    scree_world_view view = scree_world_get_view(world);
    double speed = hypot(view.velocity[3 * i], view.velocity[3 * i + 2]);
    require_near(speed, 5.0 / 7.0 * g * sin(tilt), 1e-4, "speed after a second");
    require_near(view.angular_velocity[3 * i + 1] * radius, speed, 1e-5, "rolls");
    scree_world_destroy(world);
}

/* A core of 1 mm with 5 mm around it at 100 m/s, from all distances that a step can leave. */
static void none_passes(void** state)
{
    (void)state;
    for (int k = 0; k < test_few(20, 5); ++k) {
        scree_world* world = world_new(world_def(1e-3, 1e-8), (scree_material){.mu = 0.3});
        scree_shape shape = rounded(1e-3, 5e-3), wall = box_of(5e-3, 1.0, 1.0);
        scree_body_def fixed = scree_default_body_def(), body = body_of(&shape, 1000.0);
        fixed.kind = SCREE_BODY_STATIC;
        add_body(world, &fixed, &wall);
        set3(body.position, -0.25 - 0.005 * k, 0.0, 0.0);
        set3(body.velocity, 100.0, 0.0, 0.0);
        int32_t i = add_body(world, &body, &shape);
        for (int step = 0; step < 20; ++step) {
            step_world(world);
            double x = scree_world_get_view(world).position[3 * i];
            /* half of the core and the ball before half of the wall */
            require(x <= -0.011 + 1e-4, "case %d, step %d: at %g m", k, step, x);
        }
        scree_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rolls_as_a_ball),
        cmocka_unit_test(none_passes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
