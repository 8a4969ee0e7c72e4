/* Ellipsoids and cones that roll: against the energy of an ellipse that rolls, integrated by
 * itself, and the steady motion of a cone about its apex. */
#include "support/worlds.h"

#define GRAVITY 9.81

/* ---- an ellipsoid that rolls about its axis y ------------------------------------------------ */

static const double axes[3] = {0.12, 0.15, 0.1};

/* Height of the centre above the ground when turned by an angle, and the square of its distance
 * from the contact point. */
static double height(double angle, double* square)
{
    double a = axes[0] * axes[0], c = axes[2] * axes[2], s = sin(angle), k = cos(angle);
    double h = sqrt(a * s * s + c * k * k);
    *square = (a * a * s * s + c * c * k * k) / (h * h);
    return h;
}

/* (I + m r^2) w^2 / 2 + m g h is constant. */
static double rate(double angle, double spin, double inertia_by_mass)
{
    double square, first, h = height(angle, &square);
    double energy = 0.5 * (inertia_by_mass + axes[2] * axes[2]) * spin * spin +
                    GRAVITY * (height(0.0, &first) - h);
    return sqrt(2.0 * energy / (inertia_by_mass + square));
}

/* By the rule of Runge and Kutta. */
static double rolled_angle(double spin, double inertia_by_mass, double time)
{
    enum { STEPS = 4000 };
    double angle = 0.0, h = time / STEPS;
    for (int i = 0; i < STEPS; ++i) {
        double a = rate(angle, spin, inertia_by_mass);
        double b = rate(angle + 0.5 * h * a, spin, inertia_by_mass);
        double c = rate(angle + 0.5 * h * b, spin, inertia_by_mass);
        double d = rate(angle + h * c, spin, inertia_by_mass);
        angle += h / 6.0 * (a + 2.0 * b + 2.0 * c + d);
    }
    return angle;
}

/* On a half-space, or on a box, which goes the general way. */
static double simulated_angle(double step, double spin, double time, int on_box)
{
    scree_world_def def = world_def(step, 1e-12);
    def.gravity[2] = -GRAVITY;
    scree_world* world = world_new(def, (scree_material){.mu = 2.0});
    scree_shape shape = box_of(axes[0], axes[1], axes[2]), slab = box_of(9.0, 1.0, 0.5);
    shape.kind = SCREE_SHAPE_ELLIPSOID;
    if (on_box) {
        scree_body_def ground = scree_default_body_def();
        ground.kind = SCREE_BODY_STATIC;
        ground.position[2] = -0.5;
        add_body(world, &ground, &slab);
    } else {
        add_floor(world, 0.0);
    }
    scree_body_def body = body_of(&shape, 1000.0);
    body.position[2] = axes[2];
    body.velocity[0] = spin * axes[2];
    body.angular_velocity[1] = spin;
    add_body(world, &body, &shape);
    double turned = 0.0, before = 0.0;
    while (scree_world_time(world) < time - 0.5 * step) {
        step_world(world);
        scree_world_view view = scree_world_get_view(world);
        double angle = 2.0 * atan2(view.rotation[6], view.rotation[4]);
        turned += remainder(angle - before, 2.0 * SCREE_PI);
        before = angle;
        require(view.n_contacts == 1, "%d contacts", (int)view.n_contacts);
    }
    require_finite(world);
    scree_world_destroy(world);
    return turned;
}

static void ellipsoids_roll_to_second_order(void** state)
{
    (void)state;
    const double spin = 6.0, time = 1.0;
    scree_shape shape = box_of(axes[0], axes[1], axes[2]);
    shape.kind = SCREE_SHAPE_ELLIPSOID;
    scree_body_def body = body_of(&shape, 1000.0);
    double exact = rolled_angle(spin, body.inertia[1] / body.mass, time);
    for (int on_box = 0; on_box < 2; ++on_box) {
        double error[3];
        for (int k = 0; k < 3; ++k) {
            double step = 8e-3 / (1 << k);
            error[k] = fabs(simulated_angle(step, spin, time, on_box) - exact);
            print_message("%s, step %g s: turned by %.6f rad %+.2e\n",
                          on_box ? "box" : "half-space", step, exact, error[k]);
        }
        require(error[2] < 2e-4, "off by %g rad", error[2]);
        require(error[0] / error[1] > 3.0 && error[1] / error[2] > 3.0, "not of second order");
    }
}

/* ---- a cone that rolls about its apex -------------------------------------------------------- */

/* The line of contact is the axis about which it turns, w; its own axis goes round the vertical
 * with w r / h. */
static void cones_roll_about_their_apex(void** state)
{
    (void)state;
    const double radius = 0.1, tall = 0.2, spin = 3.0, step = 2e-3;
    const double slant = hypot(radius, tall), sine = radius / slant, cosine = tall / slant;
    scree_world_def def = world_def(step, 1e-12);
    scree_world* world = world_new(def, (scree_material){.mu = 0.8});
    scree_shape shape = box_of(radius, 0.5 * tall, 0.0);
    shape.kind = SCREE_SHAPE_CONE;
    add_floor(world, 0.0);
    scree_body_def body = body_of(&shape, 1000.0);
    /* the axis, from the base to the apex, leads down to the origin along -x */
    double far = 0.75 * tall;
    set3(body.position, far * cosine, 0.0, far * sine);
    turn_about_y(body.rotation, -(0.5 * SCREE_PI + asin(sine)));
    set3(body.angular_velocity, -spin, 0.0, 0.0);
    set3(body.velocity, 0.0, spin * far * sine, 0.0);
    int32_t cone = add_body(world, &body, &shape);
    const int steps = 1000;
    for (int i = 0; i < steps; ++i) step_world(world);
    scree_world_view view = scree_world_get_view(world);
    const double* x = view.position + 3 * cone;
    double went = atan2(x[1], x[0]), expected = spin * sine / cosine * step * steps;
    require_near(hypot(x[0], x[1]), far * cosine, 4e-5, "distance from the apex");
    require_near(x[2], far * sine, 4e-6, "height");
    require_near(remainder(went - expected, 2.0 * SCREE_PI), 0.0, 1e-3, "angle");
    assert_int_equal(view.n_contacts, 2);
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ellipsoids_roll_to_second_order),
        cmocka_unit_test(cones_roll_about_their_apex),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
