/* Bodies on meshes and height fields: seams are not felt, nothing passes, what rests rests. */
#include "scree/world.h"
#include "support/meshes.h"
#include "support/worlds.h"

static int32_t add_mesh(scree_world* world, const scree_mesh* mesh, double tilt)
{
    scree_body_def def = scree_default_body_def();
    scree_shape shape = shape_of_mesh(mesh);
    def.kind = SCREE_BODY_STATIC;
    turn_about_y(def.rotation, tilt);
    return add_body(world, &def, &shape);
}

static double distance(const double* a, const double* b)
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

/* out = p q */
static void compose(const double p[4], const double q[4], double out[4])
{
    out[0] = p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3];
    out[1] = p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2];
    out[2] = p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1];
    out[3] = p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0];
}

/* ---- seams that are flat ---- */

/* The same body on a half-space and on a surface of triangles: how far the two come apart over
 * 10 m. */
static void compare_with_plane(const scree_mesh* mesh, const scree_shape* shape,
                               const double rotation[4], double z, const double velocity[3],
                               const double start[2], double tilt, double bound, const char* what)
{
    scree_material material = {.mu = 0.3, .mu_r = 0.0};
    scree_world* world[2] = {world_new(world_def(2e-3, 1e-10), material),
                             world_new(world_def(2e-3, 1e-10), material)};
    add_floor(world[0], tilt);
    add_mesh(world[1], mesh, tilt);
    for (int k = 0; k < 2; ++k) {
        scree_body_def def = body_of(shape, 1000.0);
        double c = cos(tilt), s = sin(tilt);
        set3(def.position, c * start[0] + s * z, start[1], -s * start[0] + c * z);
        set3(def.velocity, c * velocity[0], velocity[1], -s * velocity[0]);
        double turn[4];
        turn_about_y(turn, tilt);
        compose(turn, rotation, def.rotation);
        add_body(world[k], &def, shape);
    }
    double worst = 0.0, worst_kick = 0.0, way = 0.0;
    for (int step = 0; step < 20000 && way < 10.0; ++step) {
        step_world(world[0]);
        step_world(world[1]);
        scree_world_view a = scree_world_get_view(world[0]), b = scree_world_get_view(world[1]);
        worst = fmax(worst, distance(a.position + 3, b.position + 3));
        worst_kick = fmax(worst_kick, distance(a.velocity + 3, b.velocity + 3));
        way = distance(a.position + 3, (const double[3]){start[0], start[1], 0.0});
        if (distance(a.velocity + 3, (const double[3]){0.0, 0.0, 0.0}) == 0.0) break;
    }
    print_message("%s: off by %.3g m, %.3g m/s over %.3g m\n", what, worst, worst_kick, way);
    require(worst <= bound && worst_kick <= 1e-6, "%s: %g m, %g m/s", what, worst, worst_kick);
    scree_world_destroy(world[0]);
    scree_world_destroy(world[1]);
}

static const double upright[4] = {1.0, 0.0, 0.0, 0.0};
static const double lying[4] = {0.70710678118654752440, 0.70710678118654752440, 0.0, 0.0};

static scree_hull* prism(void)
{
    /* a prism of six sides with its axis along y */
    double x[36];
    scree_hull* hull;
    for (int i = 0; i < 12; ++i) {
        double angle = 1.0471975511965977462 * (i % 6 + 0.5);
        set3(x + 3 * i, 0.2 * sin(angle), i < 6 ? -0.3 : 0.3, 0.2 * cos(angle));
    }
    assert_int_equal(scree_hull_create(NULL, 12, x, &hull), SCREE_OK);
    return hull;
}

static void flat_seams_are_not_felt(void** state)
{
    (void)state;
    scri_random random = test_seed("flat_seams_are_not_felt", 171);
    scree_mesh* mesh = mesh_of_cells(&random, 72, 7.0, 0.3, NULL);
    scree_mesh* field = heights_of(72, 7.0, NULL);
    scree_shape ball = sphere_of(0.3), box = box_of(0.2, 0.15, 0.1);
    const double along[3] = {2.0, 0.0, 0.0}, across[3] = {2.0, 0.37, 0.0};
    const double on_edge[2] = {-6.0, 0.0}, off[2] = {-6.0, -1.1};
    compare_with_plane(mesh, &ball, upright, 0.3, along, on_edge, 0.0, 1e-9, "ball along edges");
    compare_with_plane(mesh, &ball, upright, 0.3, across, off, 0.0, 1e-9, "ball across");
    compare_with_plane(mesh, &ball, upright, 0.3, across, off, 0.1, 1e-9, "ball downhill");
    compare_with_plane(field, &ball, upright, 0.3, along, on_edge, 0.0, 1e-9, "ball, heights");
    compare_with_plane(field, &ball, upright, 0.3, across, off, 0.1, 1e-9, "ball, heights, down");
    compare_with_plane(mesh, &box, upright, 0.1, across, off, 0.4, 1e-9, "box slides");
    compare_with_plane(field, &box, upright, 0.1, across, off, 0.4, 1e-9, "box slides, heights");
    scree_shape cylinder = scree_default_shape(), rock = scree_default_shape();
    cylinder.kind = SCREE_SHAPE_CYLINDER;
    cylinder.half_size[0] = 0.2;
    cylinder.half_size[1] = 0.25;
    compare_with_plane(mesh, &cylinder, lying, 0.2, along, off, 0.0, 1e-9, "cylinder rolls");
    compare_with_plane(field, &cylinder, lying, 0.2, along, off, 0.1, 1e-9, "cylinder, heights");
    scree_hull* hull = prism();
    rock.kind = SCREE_SHAPE_HULL;
    rock.hull = hull;
    double inner = 0.2 * sqrt(0.75);
    compare_with_plane(mesh, &rock, upright, inner, across, off, 0.4, 1e-9, "hull slides");
    compare_with_plane(field, &rock, upright, inner, across, off, 0.4, 1e-9, "hull, heights");
    scree_hull_destroy(hull);
    scree_mesh_destroy(mesh);
    scree_mesh_destroy(field);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flat_seams_are_not_felt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
