/* Tubes in a world: what they refuse and hold, and the period of a ball that rolls in a pipe. */
#include "support/meshes.h"
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

/* A mesh or a second tube, whichever comes second; static bodies, other masks and convex shapes are
 * welcome. */
static void others_are_refused(void** state)
{
    (void)state;
    scree_shape tube = tube_of(0.4, 0.3, 1.0), box = box_of(0.1, 0.1, 0.1);
    scree_mesh* mesh = heights_of(2, 1.0, NULL);
    scree_shape ground = shape_of_mesh(mesh);
    scree_body_def still = scree_default_body_def();
    scree_body_id id;
    still.kind = SCREE_BODY_STATIC;
    for (int order = 0; order < 2; ++order) {
        scree_world* world = world_new(world_def(1e-3, 1e-6), (scree_material){.mu = 0.5});
        if (order) assert_int_equal(scree_world_add_body(world, &still, 1, &ground, &id), SCREE_OK);
        assert_int_equal(add(world, SCREE_BODY_DYNAMIC, &tube),
                         order ? SCREE_ERROR_INPUT : SCREE_OK);
        if (!order) {
            assert_int_equal(scree_world_add_body(world, &still, 1, &ground, &id),
                             SCREE_ERROR_INPUT);
            assert_int_equal(add(world, SCREE_BODY_STATIC, &tube), SCREE_ERROR_INPUT);
        }
        scree_shape aside = tube;
        aside.collides = 0;
        assert_int_equal(add(world, SCREE_BODY_DYNAMIC, &aside), SCREE_OK);
        assert_int_equal(add(world, SCREE_BODY_DYNAMIC, &box), SCREE_OK);
        assert_int_equal(scree_world_get_view(world).n_bodies, 3);
        scree_world_destroy(world);
    }
    scree_mesh_destroy(mesh);
}

/* A box lies in a pipe on two of its edges, which press on the wall at an angle b to either side:
 * it slides down with g (sin(a) - mu cos(a) / cos(b)). */
static void boxes_slide_in_pipes(void** state)
{
    (void)state;
    const double inner = 0.5, half = 0.1, g = 9.81, slope = 0.5, mu = 0.3, time = 0.5;
    scree_world_def def = world_def(1e-3, 1e-10);
    set3(def.gravity, 0.0, -g * cos(slope), -g * sin(slope));
    scree_world* world = world_new(def, (scree_material){.mu = mu});
    scree_shape tube = tube_of(0.6, inner, 5.0), box = box_of(half, half, 0.15);
    scree_body_def pipe = scree_default_body_def(), block = body_of(&box, 1000.0);
    pipe.kind = SCREE_BODY_STATIC;
    add_body(world, &pipe, &tube);
    double deep = sqrt(inner * inner - half * half);
    block.position[1] = half - deep;
    int32_t body = add_body(world, &block, &box);
    for (int k = 0; k < 500; ++k) {
        scree_step_report report = step_world(world);
        require(report.n_contacts == 4, "%d contacts", (int)report.n_contacts);
    }
    scree_world_view view = scree_world_get_view(world);
    double a = g * (sin(slope) - mu * cos(slope) * inner / deep);
    require_near(view.velocity[3 * body + 2], -a * time, 1e-6, "speed");
    require_near(view.position[3 * body + 1], half - deep, 1e-9, "depth");
    scree_world_destroy(world);
}

/* Shapes fall through the mouth of a pipe or rest on it, and neither stick nor pass the wall. */
static void mouths_hold_what_is_wide(void** state)
{
    (void)state;
    scree_shape tube = tube_of(0.5, 0.4, 0.5);
    scree_shape shapes[4] = {box_of(0.7, 0.7, 0.05), box_of(0.1, 0.1, 0.1), box_of(0.45, 0.1, 0.0),
                             box_of(0.35, 0.2, 0.3)};
    shapes[2].kind = SCREE_SHAPE_CYLINDER;
    shapes[3].kind = SCREE_SHAPE_ELLIPSOID;
    const int falls[4] = {0, 1, 0, 1};
    for (int i = 0; i < 4; ++i) {
        scree_world* world = world_new(world_def(1e-3, 1e-8), (scree_material){.mu = 0.5});
        scree_body_def pipe = scree_default_body_def(), def = body_of(&shapes[i], 1000.0);
        pipe.kind = SCREE_BODY_STATIC;
        add_body(world, &pipe, &tube);
        set3(def.position, 0.01, 0.02, 0.85);
        int32_t body = add_body(world, &def, &shapes[i]);
        double deepest = 0.0;
        for (int k = 0; k < 800; ++k) deepest = fmax(deepest, step_world(world).overlap_share);
        scree_world_view view = scree_world_get_view(world);
        double z = view.position[3 * body + 2];
        require(falls[i] ? z < -1.0 : fabs(z - 0.5 - (i ? 0.1 : 0.05)) < 1e-3, "shape %d at %g", i,
                z);
        require(deepest < 1e-3, "shape %d overlaps by %g", i, deepest);
        if (!falls[i]) assert_true(is_at_rest(&view, body));
        scree_world_destroy(world);
    }
}

/* A drum that turns lifts boxes, stones and pills, and none leaves it. */
static void drums_hold_their_load(void** state)
{
    (void)state;
    const double inner = 0.5, points[18] = {0.08, 0,     0, -0.08, 0, 0,    0, 0.08, 0,
                                            0,    -0.08, 0, 0,     0, 0.08, 0, 0,    -0.08};
    scree_hull* stone = NULL;
    assert_int_equal(scree_hull_create(NULL, 6, points, &stone), SCREE_OK);
    scree_world_def def = world_def(1e-3, 1e-6);
    set3(def.gravity, 0.0, -9.81, 0.0);
    scree_world* world = world_new(def, (scree_material){.mu = 0.6});
    scree_shape drum = tube_of(0.55, inner, 0.5), lid = sphere_of(1.0);
    scree_body_def turning = scree_default_body_def();
    turning.kind = SCREE_BODY_KINEMATIC;
    turning.angular_velocity[2] = 2.0;
    add_body(world, &turning, &drum);
    lid.kind = SCREE_SHAPE_HALF_SPACE;
    for (int k = 0; k < 2; ++k) { /* ends */
        scree_body_def end = scree_default_body_def();
        end.kind = SCREE_BODY_STATIC;
        end.position[2] = k ? 0.4 : -0.4;
        if (k) set3(end.rotation + 1, 1.0, 0.0, 0.0), end.rotation[0] = 0.0;
        add_body(world, &end, &lid);
    }
    for (int i = 0; i < 24; ++i) {
        scree_shape shape = box_of(0.06, 0.04, 0.05);
        if (i % 4 == 1) shape.kind = SCREE_SHAPE_CAPSULE;
        if (i % 4 == 2) shape.kind = SCREE_SHAPE_CYLINDER;
        if (i % 4 == 3) {
            shape.kind = SCREE_SHAPE_HULL;
            shape.hull = stone;
            set3(shape.half_size, 1.0, 0.0, 0.0);
        }
        scree_body_def body = body_of(&shape, 1000.0);
        set3(body.position, 0.2 * (i % 3 - 1), 0.2 * (i / 3 % 3 - 1), 0.25 * (i / 9 - 1));
        add_body(world, &body, &shape);
    }
    double worst = 0.0, height = 0.0;
    const int steps = test_few(1000, 400);
    for (int k = 0; k < steps; ++k) {
        worst = fmax(worst, step_any(world).overlap_share);
        scree_world_view view = scree_world_get_view(world);
        for (int32_t b = 3; b < view.n_bodies; ++b) {
            const double* x = view.position + 3 * b;
            require(hypot(x[0], x[1]) < inner && fabs(x[2]) < 0.4, "body %d at %g, %g, %g", (int)b,
                    x[0], x[1], x[2]);
        }
    }
    scree_world_view view = scree_world_get_view(world);
    for (int32_t b = 3; b < view.n_bodies; ++b) height += view.position[3 * b] / 24.0;
    require(worst < 0.01, "they overlap by %g", worst);
    require(height > 0.05 || steps < 1000, "the load leans to %g m",
            height); /* to where the wall goes up */
    scree_world_destroy(world);
    scree_hull_destroy(stone);
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
        cmocka_unit_test(others_are_refused),       cmocka_unit_test(boxes_slide_in_pipes),
        cmocka_unit_test(mouths_hold_what_is_wide), cmocka_unit_test(drums_hold_their_load),
        cmocka_unit_test(balls_swing_in_pipes),     cmocka_unit_test(rings_roll),
        cmocka_unit_test(balls_in_rings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
