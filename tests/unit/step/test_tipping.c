/* A cylinder on a slope falls over where its centre of mass is beyond its rim, tan(a) = 2 r / h,
 * whichever way it is turned about its axis (decision 156). */
#include "support/worlds.h"

#define RADIUS 0.1
#define HEIGHT 0.4
typedef enum ground { ON_HALF_SPACE, ON_BOX, ON_CYLINDER, N_GROUNDS } ground;
static const char* const grounds[] = {"half-space", "box", "cylinder"};

static void add_ground(scree_world* world, ground what)
{
    scree_body_def def = scree_default_body_def();
    scree_shape shape = box_of(2.0, 2.0, 0.5);
    def.kind = SCREE_BODY_STATIC;
    def.position[2] = -0.5;
    if (what == ON_HALF_SPACE) add_floor(world, 0.0);
    if (what == ON_CYLINDER) {
        shape.kind = SCREE_SHAPE_CYLINDER;
        shape.half_size[1] = 0.5;
    }
    if (what != ON_HALF_SPACE) add_body(world, &def, &shape);
}

/* Gravity leans instead of the ground, towards an angle about the vertical. `slope` is its tangent;
 * a push instead of a slope has the same moment about the rim. Returns the sine of the tilt. */
static double tilt_after(ground what, scree_shape_kind kind, double slope, double towards, int push)
{
    scree_world_def def = world_def(4e-3, 1e-8);
    double lean = push ? 0.0 : slope;
    def.gravity[0] = 9.81 * lean * cos(towards);
    def.gravity[1] = 9.81 * lean * sin(towards);
    scree_world* world = world_new(def, (scree_material){.mu = 3.0});
    scree_shape shape = box_of(RADIUS, 0.5 * HEIGHT, 0.0);
    shape.kind = kind;
    add_ground(world, what);
    scree_body_def body = body_of(&shape, 1000.0);
    double centre = kind == SCREE_SHAPE_CONE ? 0.25 * HEIGHT : 0.5 * HEIGHT;
    body.position[2] = centre;
    scree_body_id id;
    assert_int_equal(scree_world_add_body(world, &body, 1, &shape, &id), SCREE_OK);
    double moment = push ? slope * centre * body.mass * 9.81 : 0.0;
    for (int i = 0; i < 250; ++i) {
        double torque[3] = {-moment * sin(towards), moment * cos(towards), 0.0};
        if (push) assert_int_equal(scree_world_apply_torque(world, id, torque), SCREE_OK);
        step_any(world);
    }
    const double* q = scree_world_get_view(world).rotation + 4;
    double sine = 2.0 * hypot(q[0] * q[2] + q[1] * q[3], q[0] * q[1] - q[2] * q[3]);
    scree_world_destroy(world);
    return sine;
}

static void expect_tipping(scree_shape_kind kind, int push)
{
    double edge = RADIUS / (kind == SCREE_SHAPE_CONE ? 0.25 * HEIGHT : 0.5 * HEIGHT);
    for (int k = 0; k < test_cases(2, 32); ++k) {
        double towards = k == 0 ? SCREE_PI / 8.0 : 2.0 * SCREE_PI * (0.37 * k - floor(0.37 * k));
        for (int g = 0; g < N_GROUNDS; ++g) {
            double stands = tilt_after((ground)g, kind, 0.999 * edge, towards, push);
            double falls = tilt_after((ground)g, kind, 1.001 * edge, towards, push);
            require(stands < 1e-5, "on a %s, towards %g: tilted by %g before the edge", grounds[g],
                    towards, stands);
            require(falls > 1e-3, "on a %s, towards %g: tilted by %g beyond the edge", grounds[g],
                    towards, falls);
        }
    }
}

static void cylinders_on_slopes(void** state)
{
    (void)state;
    expect_tipping(SCREE_SHAPE_CYLINDER, 0);
}

static void cones_on_slopes(void** state)
{
    (void)state;
    expect_tipping(SCREE_SHAPE_CONE, 0);
}

static void cylinders_that_are_turned(void** state)
{
    (void)state;
    expect_tipping(SCREE_SHAPE_CYLINDER, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cylinders_on_slopes),
        cmocka_unit_test(cones_on_slopes),
        cmocka_unit_test(cylinders_that_are_turned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
