/* Tubes in a world: what they refuse, and the period of a ball that rolls in a pipe. */
#include "support/worlds.h"

static scree_shape tube_of(double outer, double inner, double half)
{
    scree_shape shape = box_of(outer, half, inner);
    shape.kind = SCREE_SHAPE_TUBE;
    return shape;
}

static scree_status add(scree_world* world, scree_body_kind kind, const scree_shape* shape)
{
    scree_body_def def = body_of(shape, 1000.0);
    scree_body_id id;
    def.kind = kind;
    return scree_world_add_body(world, &def, 1, shape, &id);
}

/* Whichever comes second; static bodies, other masks and spheres are welcome. */
static void others_are_refused(void** state)
{
    (void)state;
    scree_shape tube = tube_of(0.4, 0.3, 1.0), box = box_of(0.1, 0.1, 0.1), ball = sphere_of(0.1);
    for (int order = 0; order < 2; ++order) {
        scree_world* world = world_new(world_def(1e-3, 1e-6), (scree_material){.mu = 0.5});
        scree_body_kind kind[2] = {order ? SCREE_BODY_DYNAMIC : SCREE_BODY_STATIC,
                                   order ? SCREE_BODY_STATIC : SCREE_BODY_DYNAMIC};
        assert_int_equal(add(world, kind[0], order ? &box : &tube), SCREE_OK);
        assert_int_equal(add(world, kind[1], order ? &tube : &box), SCREE_ERROR_INPUT);
        assert_int_equal(add(world, SCREE_BODY_DYNAMIC, &ball), SCREE_OK);
        assert_int_equal(add(world, SCREE_BODY_STATIC, &box), SCREE_OK);
        scree_shape aside = order ? tube : box;
        aside.collides = 0;
        assert_int_equal(add(world, kind[1], &aside), SCREE_OK);
        assert_int_equal(add(world, SCREE_BODY_DYNAMIC, &tube), SCREE_ERROR_INPUT);
        assert_int_equal(scree_world_get_view(world).n_bodies, 4);
        scree_shape plane = sphere_of(1.0);
        plane.kind = SCREE_SHAPE_HALF_SPACE;
        scree_body_def def = scree_default_body_def();
        def.kind = SCREE_BODY_STATIC;
        add_body(world, &def, &plane);
        scree_world_destroy(world);
    }
}

/* 2 pi sqrt(7 (R - r) / (5 g)), and the next term of the amplitude a, 1 + a^2 / 16. */
static void balls_swing_in_pipes(void** state)
{
    (void)state;
    const double inner = 0.5, radius = 0.1, g = 9.81, start = 0.1, pi = acos(-1.0);
    scree_world_def def = world_def(1e-3, 1e-12);
    def.gravity[2] = -g;
    scree_world* world = world_new(def, (scree_material){.mu = 0.5});
    scree_shape tube = tube_of(0.6, inner, 1.0), ball = sphere_of(radius);
    scree_body_def pipe = scree_default_body_def(), body = body_of(&ball, 1000.0);
    pipe.kind = SCREE_BODY_STATIC;
    pipe.rotation[0] = pipe.rotation[1] = 0.70710678118654752440; /* its axis is -y */
    add_body(world, &pipe, &tube);
    double arm = inner - radius;
    set3(body.position, arm * sin(start), 0.0, -arm * cos(start));
    int32_t i = add_body(world, &body, &ball);
    double before = start, time = 0.0, crossed[2] = {0.0, 0.0};
    for (int n = 0; n < 2;) {
        step_world(world);
        const double* x = scree_world_get_view(world).position + 3 * i;
        double now = atan2(x[0], -x[2]);
        if (before > 0.0 && now <= 0.0) crossed[n++] = time + 1e-3 * before / (before - now);
        before = now;
        time += 1e-3;
        require_near(hypot(x[0], x[2]), arm, 1e-6, "distance from the axis");
        require(time < 10.0, "it does not come back");
    }
    double period = 2.0 * pi * sqrt(1.4 * arm / g) * (1.0 + start * start / 16.0);
    require_near(crossed[1] - crossed[0], period, 1e-4 * period, "period");
    scree_world_destroy(world);
}

/* g sin(tilt) / (1 + (R^2 + r^2) / 2 R^2) */
static void rings_roll(void** state)
{
    (void)state;
    const double tilt = 0.1, outer = 0.3, inner = 0.2, g = 9.81;
    scree_world_def def = world_def(1e-3, 1e-10);
    def.gravity[2] = -g;
    scree_world* world = world_new(def, (scree_material){.mu = 0.5});
    scree_shape ring = tube_of(outer, inner, 0.2);
    scree_body_def body = body_of(&ring, 1000.0);
    add_floor(world, tilt);
    body.rotation[0] = body.rotation[1] = 0.70710678118654752440;
    set3(body.position, outer * sin(tilt), 0.0, outer * cos(tilt));
    int32_t i = add_body(world, &body, &ring);
    for (int step = 0; step < 1000; ++step) step_world(world);
    scree_world_view view = scree_world_get_view(world);
    double share = 1.0 + (outer * outer + inner * inner) / (2.0 * outer * outer);
    double speed = hypot(view.velocity[3 * i], view.velocity[3 * i + 2]);
    require_near(speed, g * sin(tilt) / share, 1e-5, "speed after a second");
    scree_world_destroy(world);
}

/* A ball in a ring that stands on the floor: it swings, the ring rolls to and fro, neither leaves
 * the other or the floor, and rolling without slip keeps the energy. */
static void balls_in_rings(void** state)
{
    (void)state;
    scree_world* world = world_new(world_def(1e-3, 1e-10), (scree_material){.mu = 0.5});
    scree_shape ring = tube_of(0.3, 0.25, 0.2), ball = sphere_of(0.05);
    scree_body_def body = body_of(&ring, 1000.0), inside = body_of(&ball, 1000.0);
    add_floor(world, 0.0);
    body.rotation[0] = body.rotation[1] = 0.70710678118654752440;
    set3(body.position, 0.0, 0.0, 0.3);
    int32_t i = add_body(world, &body, &ring);
    set3(inside.position, 0.2 * sin(0.5), 0.0, 0.3 - 0.2 * cos(0.5));
    int32_t k = add_body(world, &inside, &ball);
    scree_step_report report = step_world(world);
    double energy = report.kinetic + report.potential, lowest = 1.0, farthest = 0.0;
    for (int step = 0; step < 2000; ++step) {
        report = step_world(world);
        const double *a = scree_world_get_view(world).position + 3 * i,
                     *b = scree_world_get_view(world).position + 3 * k;
        farthest = fmax(farthest, hypot(a[0] - b[0], a[2] - b[2]));
        lowest = fmin(lowest, a[2]);
    }
    require_near(farthest, 0.2, 1e-4, "the ball from the axis"); /* of the order of h^2 */
    require_near(lowest, 0.3, 1e-6, "the ring above the floor");
    double left = report.kinetic + report.potential;
    require(left <= energy + 1e-9 * fabs(energy) && left > 0.99 * energy, "energy %g of %g", left,
            energy);
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(others_are_refused),
        cmocka_unit_test(balls_swing_in_pipes),
        cmocka_unit_test(rings_roll),
        cmocka_unit_test(balls_in_rings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
