/* What statics holds up stands, and what it does not falls: piles whose limit of friction is known
 * in closed form. Also what must not meet at all. */
#include "support/worlds.h"

static int32_t put(scree_world* world, scree_shape shape, const double at[3], const double axis[3],
                   double angle)
{
    scree_body_def body = body_of(&shape, 1000.0);
    set3(body.position, at[0], at[1], at[2]);
    body.rotation[0] = cos(0.5 * angle);
    for (int i = 0; i < 3; ++i) body.rotation[1 + i] = sin(0.5 * angle) * axis[i];
    return add_body(world, &body, &shape);
}

static scree_shape capsule_of(double radius, double half)
{
    scree_shape shape = scree_default_shape();
    shape.kind = SCREE_SHAPE_CAPSULE;
    shape.half_size[0] = radius;
    shape.half_size[1] = half;
    return shape;
}

/* How far any body is from where it was after this time. */
static double drift_after(scree_world* world, double seconds)
{
    scree_world_view view = scree_world_get_view(world);
    size_t size = 3 * (size_t)view.n_bodies;
    double *before = test_take(size, sizeof *before), most = 0.0;
    memcpy(before, view.position, size * sizeof *before);
    while (view.time < seconds) {
        step_world(world);
        view = scree_world_get_view(world);
    }
    require_finite(world);
    for (size_t i = 0; i < size; ++i) most = fmax(most, fabs(view.position[i] - before[i]));
    free(before);
    return most;
}

static scree_world* world_with(double mu, double step, double tol, scree_scheme scheme)
{
    scree_world_def def = world_def(step, tol);
    def.scheme = scheme;
    if (scheme == SCREE_SCHEME_GAP) def.theta = 1.0;
    scree_world* world = world_new(def, (scree_material){.mu = mu});
    add_floor(world, 0.0);
    return world;
}

/* Two plates lean on each other, edge on edge. By symmetry the force between them is level, H.
 * About the lower edge of a plate of weight W, half height h, half thickness t at the angle a: its
 * middle is h sin a - t cos a to the side, its upper edge 2 h cos a above, and so H = W (h sin a -
 * t cos a) / (2 h cos a), which the floor must hold with mu W. */
static double a_frame(double times_limit)
{
    const double half = 0.25, thick = 0.005, angle = 0.3490658503988659, y[3] = {0.0, 1.0, 0.0};
    double c = cos(angle), s = sin(angle);
    double limit = (half * s - thick * c) / (2.0 * half * c);
    require_near(limit, 0.17198, 1e-5, "limit");
    scree_world* world = world_with(times_limit * limit, 1e-3, 1e-8, SCREE_SCHEME_IMPULSE);
    for (int side = -1; side <= 1; side += 2) {
        double at[3] = {side * (half * s + thick * c), 0.0, half * c + thick * s};
        put(world, box_of(thick, 0.15, half), at, y, -side * angle);
    }
    double drift = drift_after(world, 0.3);
    print_message("A-frame at %g times its limit: moves by %.3g m\n", times_limit, drift);
    scree_world_destroy(world);
    return drift;
}

static void plates_lean_on_each_other(void** state)
{
    (void)state;
    double stands = a_frame(1.02), falls = a_frame(0.98);
    require(stands < 1e-5, "falls by %g above the limit", stands);
    require(falls > 1e-3, "moves by %g only below the limit", falls);
}

/* A log on two logs. The lower ones turn unless friction at the upper log equals that at the floor;
 * with the normal of the upper contact 30 degrees from the vertical, N sin 30 = T (1 + cos 30): mu
 * must reach T / N = tan 15. */
static double logs(double times_limit)
{
    const double radius = 0.1, x[3] = {1.0, 0.0, 0.0}, quarter = 0.5 * SCREE_PI;
    double mu = times_limit * tan(quarter / 6.0);
    scree_world* world = world_with(mu, 1e-3, 1e-8, SCREE_SCHEME_GAP);
    for (int k = 0; k < 3; ++k) {
        double at[3] = {k < 2 ? (2 * k - 1) * radius : 0.0, 0.0,
                        k < 2 ? radius : (1.0 + sqrt(3.0)) * radius};
        put(world, capsule_of(radius, 0.25), at, x, quarter);
    }
    double drift = drift_after(world, 0.5);
    print_message("three logs at %g times their limit: move by %.3g m\n", times_limit, drift);
    scree_world_destroy(world);
    return drift;
}

static void a_log_lies_on_two(void** state)
{
    (void)state;
    double stands = logs(1.02), falls = logs(0.98);
    require(stands < 1e-5, "falls by %g above the limit", stands);
    require(falls > 1e-3, "moves by %g only below the limit", falls);
}

/* Boxes turned against each other about the vertical have patches of eight corners. */
static void turned_boxes_stand(void** state)
{
    (void)state;
    static const double z[3] = {0.0, 0.0, 1.0}, tols[] = {1e-4, 1e-5, 1e-6};
    for (size_t i = 0; i < sizeof tols / sizeof *tols; ++i) {
        double tol = tols[i];
        scree_world* world = world_with(0.5, 5e-3, tol, SCREE_SCHEME_GAP);
        for (int k = 0; k < 3; ++k) {
            double at[3] = {0.0, 0.0, 0.1 + 0.2 * k};
            put(world, box_of(0.1, 0.1, 0.1), at, z, 0.1 * k);
        }
        double drift = drift_after(world, 2.0);
        print_message("three boxes at a tolerance of %.0e: move by %.3g m\n", tol, drift);
        require(drift < 1e-3, "tolerance %g: a box moves by %g", tol, drift);
        scree_world_destroy(world);
    }
}

/* ---- what does not meet ---- */

static void gates_do_not_touch_walls(void** state)
{
    (void)state;
    scree_world* world = world_with(0.3, 1e-3, 1e-8, SCREE_SCHEME_IMPULSE);
    scree_shape box = box_of(0.1, 0.1, 0.1);
    scree_body_def gate = body_of(&box, 1000.0);
    gate.kind = SCREE_BODY_KINEMATIC;
    gate.velocity[2] = -1.0; /* into the floor, into a wall and into another gate */
    add_body(world, &gate, &box);
    add_body(world, &gate, &box);
    gate.kind = SCREE_BODY_STATIC;
    add_body(world, &gate, &box);
    for (int k = 0; k < 10; ++k) {
        step_world(world);
        assert_int_equal(scree_world_get_view(world).problem->n_contacts, 0);
    }
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plates_lean_on_each_other),
        cmocka_unit_test(a_log_lies_on_two),
        cmocka_unit_test(turned_boxes_stand),
        cmocka_unit_test(gates_do_not_touch_walls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
