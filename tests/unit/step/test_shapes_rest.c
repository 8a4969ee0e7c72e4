/* Bodies of any shape come to rest on each other, and their contact points stay to the last bit. */
#include "scree/world.h"
#include "support/test.h"
#include "support/worlds.h"

enum { MOST_CONTACTS = 128 };

static scree_shape shape_of(scree_shape_kind kind, double x, double y, double z)
{
    scree_shape shape = box_of(x, y, z);
    shape.kind = kind;
    return shape;
}

/* Turned about x by a right angle where `lies`, about y where it lies across. */
static void put(scree_world* world, scree_shape shape, scree_body_kind kind, double x, double z,
                int lies)
{
    const double half = 0.70710678118654752440;
    scree_body_def def = body_of(&shape, 1000.0);
    def.kind = kind;
    set3(def.position, x, 0.0, z);
    if (lies) {
        def.rotation[0] = half;
        def.rotation[lies] = half;
    }
    add_body(world, &def, &shape);
}

/* A prism with seven sides, and a floor of triangles whose edges run below the bodies on it. */
static scree_hull* prism;
static scree_mesh* floor_mesh;

static int make_forms(void** state)
{
    (void)state;
    double points[42];
    static const double corners[] = {-1.0, -1.0, 0.0, 1.0, -1.0, 0.0,  1.0, 1.0,
                                     0.0,  -1.0, 1.0, 0.0, 0.12, 0.03, 0.0};
    static const int32_t triangles[] = {0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4};
    for (int i = 0; i < 14; ++i) {
        points[3 * i] = cos(0.897597901 * (i / 2));
        points[3 * i + 1] = sin(0.897597901 * (i / 2));
        points[3 * i + 2] = i % 2 ? 0.5 : -0.5;
    }
    return scree_hull_create(NULL, 14, points, &prism) ||
           scree_mesh_create(NULL, 5, corners, 4, triangles, &floor_mesh);
}

static int free_forms(void** state)
{
    (void)state;
    scree_hull_destroy(prism);
    scree_mesh_destroy(floor_mesh);
    return 0;
}

static void put_fixed(scree_world* world, scree_shape shape, double x)
{
    scree_body_def def = scree_default_body_def();
    def.kind = SCREE_BODY_STATIC;
    set3(def.position, x, 0.0, 0.0);
    add_body(world, &def, &shape);
}

static scree_world* make_still_life(void)
{
    scree_world* world = world_new(world_def(1e-3, 1e-3), (scree_material){.mu = 0.5});
    scree_shape cylinder = shape_of(SCREE_SHAPE_CYLINDER, 0.1, 0.2, 0.0);
    scree_shape box = box_of(0.15, 0.15, 0.1);
    put(world, box_of(6.0, 4.0, 0.5), SCREE_BODY_STATIC, 0.0, -0.5, 0);
    put(world, cylinder, SCREE_BODY_DYNAMIC, 0.0, 0.2, 0); /* cylinders on their ends */
    put(world, cylinder, SCREE_BODY_DYNAMIC, 0.03, 0.6005, 0);
    put(world, cylinder, SCREE_BODY_DYNAMIC, 1.0, 0.1002, 1); /* on its side, a box on it */
    put(world, box, SCREE_BODY_DYNAMIC, 1.0, 0.3004, 0);
    put(world, box, SCREE_BODY_DYNAMIC, -1.0, 0.1, 0); /* cylinder and capsule on a box */
    put(world, cylinder, SCREE_BODY_DYNAMIC, -1.05, 0.4001, 0);
    put(world, shape_of(SCREE_SHAPE_CONE, 0.2, 0.2, 0.0), SCREE_BODY_DYNAMIC, 2.0, 0.1002, 0);
    put(world, shape_of(SCREE_SHAPE_ELLIPSOID, 0.2, 0.3, 0.1), SCREE_BODY_DYNAMIC, -2.0, 0.1001, 0);
    scree_shape rounded = box_of(0.1, 0.12, 0.05); /* two on each other */
    rounded.rounding = 0.05;
    put(world, rounded, SCREE_BODY_DYNAMIC, 3.0, 0.1, 0);
    put(world, rounded, SCREE_BODY_DYNAMIC, 3.02, 0.3001, 0);
    scree_shape block = shape_of(SCREE_SHAPE_HULL, 0.3, 0.0, 0.0); /* the same of hulls */
    block.hull = prism;
    put(world, block, SCREE_BODY_DYNAMIC, -3.0, 0.1501, 0);
    put(world, block, SCREE_BODY_DYNAMIC, -3.01, 0.4502, 0);
    scree_shape ground = shape_of(SCREE_SHAPE_MESH, 0.0, 0.0, 0.0);
    ground.mesh = floor_mesh;
    put_fixed(world, ground, 10.0);
    put(world, block, SCREE_BODY_DYNAMIC, 10.1, 0.1501, 0);
    put(world, cylinder, SCREE_BODY_DYNAMIC, 9.3, 0.2001, 0);
    put(world, rounded, SCREE_BODY_DYNAMIC, 9.8, 0.1001, 0);
    return world;
}

static void stays_to_the_last_bit(void** state)
{
    (void)state;
    scree_world* world = make_still_life();
    static double points[3 * MOST_CONTACTS], gaps[MOST_CONTACTS];
    for (int i = 0; i < 400; ++i) step_world(world);
    scree_world_view view = scree_world_get_view(world);
    size_t n = (size_t)view.n_contacts;
    require(n >= 30 && n <= MOST_CONTACTS, "%zu contacts", n);
    for (int32_t body = 0; body < view.n_bodies; ++body) {
        require(is_at_rest(&view, body), "body %d still moves", (int)body);
    }
    memcpy(points, view.point, 3 * n * sizeof *points);
    memcpy(gaps, view.gap, n * sizeof *gaps);
    for (int i = 0; i < (test_all() ? 100000 : 1000); ++i) step_world(world);
    view = scree_world_get_view(world);
    assert_int_equal(view.n_contacts, n);
    assert_memory_equal(points, view.point, 3 * n * sizeof *points);
    assert_memory_equal(gaps, view.gap, n * sizeof *gaps);
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stays_to_the_last_bit),
    };
    return cmocka_run_group_tests(tests, make_forms, free_forms);
}
