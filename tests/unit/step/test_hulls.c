/* Hulls in worlds: they rest, they do not pass through thin walls, and boxes made of corners move
 * as boxes do. */
#include "scree/world.h"
#include "support/draw.h"
#include "support/test.h"
#include "support/worlds.h"

static scree_hull* rock_of(scri_random* random, int n)
{
    double x[3 * 64];
    scree_hull* hull;
    for (int i = 0; i < n; ++i) {
        draw_direction(random, x + 3 * i);
        for (int k = 0; k < 3; ++k) x[3 * i + k] *= 0.1 + 0.03 * k;
    }
    assert_int_equal(scree_hull_create(NULL, n, x, &hull), SCREE_OK);
    return hull;
}

static scree_hull* block_of(double x_half, double y_half, double z_half)
{
    const double half[3] = {x_half, y_half, z_half};
    double x[24];
    scree_hull* hull;
    for (int i = 0; i < 24; ++i) x[i] = i / 3 >> i % 3 & 1 ? half[i % 3] : -half[i % 3];
    assert_int_equal(scree_hull_create(NULL, 8, x, &hull), SCREE_OK);
    return hull;
}

static scree_shape shape_of(const scree_hull* hull)
{
    scree_shape shape = scree_default_shape();
    shape.kind = SCREE_SHAPE_HULL;
    shape.hull = hull;
    return shape;
}

static int32_t put(scree_world* world, scree_shape shape, double x, double z, double speed)
{
    scree_body_def def = body_of(&shape, 2000.0);
    set3(def.position, x, 0.0, z);
    set3(def.velocity, 0.0, 0.0, speed);
    return add_body(world, &def, &shape);
}

/* Rocks fall on a floor, on a plate and on each other, and come to rest; from then on contact
 * points stay to the last bit. */
static void rocks_rest(void** state)
{
    (void)state;
    scri_random random = test_seed("rocks_rest", 61);
    scree_world* world =
        world_new(world_def(1e-3, 1e-3), (scree_material){.mu = 0.6, .mu_r = 0.01});
    scree_hull* rocks[6];
    add_floor(world, 0.0);
    scree_shape plate = box_of(0.5, 0.5, 0.1);
    scree_body_def def = body_of(&plate, 2000.0);
    def.kind = SCREE_BODY_STATIC;
    set3(def.position, 1.0, 0.0, 0.1);
    add_body(world, &def, &plate);
    for (int i = 0; i < 6; ++i) {
        rocks[i] = rock_of(&random, 32);
        put(world, shape_of(rocks[i]), i < 3 ? 0.0 : 1.0, 0.3 + 0.3 * (i % 3) + 0.2 * (i / 3), 0.0);
    }
    for (int i = 0; i < 3000; ++i) step_any(world);
    scree_world_view view = scree_world_get_view(world);
    require_finite(world);
    double points[3 * 64];
    size_t n = (size_t)view.n_contacts;
    require(n >= 6 && n <= 64, "%zu contacts", n);
    for (int32_t body = 0; body < view.n_bodies; ++body) {
        require(is_at_rest(&view, body), "body %d still moves", (int)body);
        require(body < 2 || view.position[3 * body + 2] > 0.05, "body %d fell through", (int)body);
    }
    memcpy(points, view.point, 3 * n * sizeof *points);
    for (int i = 0; i < (test_all() ? 100000 : 200); ++i) step_world(world);
    view = scree_world_get_view(world);
    assert_int_equal(view.n_contacts, n);
    assert_memory_equal(points, view.point, 3 * n * sizeof *points);
    scree_world_destroy(world);
    for (int i = 0; i < 6; ++i) scree_hull_destroy(rocks[i]);
}

/* At 300 m/s a rock goes many times its size in a step; the wall is a tenth of it. */
static void nothing_tunnels(void** state)
{
    (void)state;
    scri_random random = test_seed("nothing_tunnels", 62);
    scree_hull *rock = rock_of(&random, 32), *plate = block_of(50.0, 50.0, 0.25);
    for (int k = 0; k < 2; ++k) {
        scree_world* world = world_new(world_def(1e-2, 1e-3), (scree_material){.mu = 0.3});
        scree_shape wall = k ? shape_of(plate) : box_of(1.0, 1.0, 0.005);
        if (k) wall.half_size[0] = 0.02; /* as large as the other */
        scree_body_def def = body_of(&wall, 2000.0);
        def.kind = SCREE_BODY_STATIC;
        add_body(world, &def, &wall);
        int32_t body = put(world, shape_of(rock), 0.0, 1.0, -300.0);
        for (int i = 0; i < 30; ++i) step_any(world);
        scree_world_view view = scree_world_get_view(world);
        require(view.position[3 * body + 2] > 0.0, "wall %d: the rock is at %g", k,
                view.position[3 * body + 2]);
        scree_world_destroy(world);
    }
    scree_hull_destroy(rock);
    scree_hull_destroy(plate);
}

/* A cube slides down to rest as far as v^2 / (2 mu g), be it a box or the hull of its corners. */
static void cubes_slide(void** state)
{
    (void)state;
    scree_hull* cube = block_of(0.05, 0.05, 0.05);
    scree_shape shape = shape_of(cube);
    scree_world* world = world_new(world_def(1e-3, 1e-6), (scree_material){.mu = 0.5});
    add_floor(world, 0.0);
    scree_body_def def = body_of(&shape, 1000.0);
    set3(def.position, 0.0, 0.0, 0.05);
    set3(def.velocity, 6.0, 0.0, 0.0);
    int32_t body = add_body(world, &def, &shape);
    for (int i = 0; i < 1400; ++i) step_world(world);
    scree_world_view view = scree_world_get_view(world);
    double way = 36.0 / (2.0 * 0.5 * 9.81);
    require_near(view.position[3 * body], way, 1e-3, "way");
    require_near(view.position[3 * body + 2], 0.05, 1e-9, "height");
    require_near(fabs(view.rotation[4 * body]), 1.0, 1e-12, "it stays flat");
    require(is_at_rest(&view, body), "it still moves");
    scree_world_destroy(world);
    scree_hull_destroy(cube);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rocks_rest),
        cmocka_unit_test(nothing_tunnels),
        cmocka_unit_test(cubes_slide),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
