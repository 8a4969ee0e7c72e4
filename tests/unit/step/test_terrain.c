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
    test_of_numbers();
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

/* ---- seams that are gentle ---- */

#define RADIUS 10000.0

static double bowl(double x, double y)
{
    return (x * x + y * y) / (2.0 * RADIUS);
}

static double dome(double x, double y)
{
    return -(x * x + y * y) / (2.0 * RADIUS);
}

/* Slides without friction over facets that are tilted by about cell / RADIUS = 1.4e-5 against each
 * other. At a seam the direction of its speed v turns by such an angle d, which costs v d^2 / 2;
 * all else by which a step changes the energy is a kick. Returns the worst as a change of speed,
 * m/s. */
static double worst_kick(const scree_mesh* mesh, const scree_shape* shape, const double rotation[4],
                         const double position[3], const double velocity[3], int in_ms)
{
    scree_world* world = world_new(world_def(1e-3 / in_ms, 1e-10), (scree_material){.mu = 0.0});
    scree_body_def def = body_of(shape, 1000.0);
    add_mesh(world, mesh, 0.0);
    memcpy(def.position, position, sizeof def.position);
    memcpy(def.velocity, velocity, sizeof def.velocity);
    memcpy(def.rotation, rotation, sizeof def.rotation);
    add_body(world, &def, shape);
    double worst = 0.0, energy = SCREE_INFINITY;
    for (int step = 0; step < 1000 * in_ms; ++step) {
        scree_step_report report = step_world(world);
        double now = report.kinetic + report.potential;
        double speed = sqrt(2.0 * report.kinetic / def.mass);
        /* the first steps bring it onto the surface */
        if (step > 50 * in_ms) worst = fmax(worst, fabs(now - energy) / (def.mass * speed));
        energy = now;
    }
    scree_world_destroy(world);
    return worst;
}

static void gentle_seams_do_not_kick(void** state)
{
    (void)state;
    scri_random random = test_seed("gentle_seams_do_not_kick", 176);
    scree_mesh* mesh[] = {mesh_of_cells(&random, 100, 7.0, 0.2, bowl), heights_of(100, 7.0, bowl),
                          mesh_of_cells(&random, 100, 7.0, 0.2, dome), heights_of(100, 7.0, dome)};
    scree_shape shape[3] = {sphere_of(0.3), scree_default_shape(), scree_default_shape()};
    const char* name[] = {"ball", "cylinder", "hull"};
    scree_hull* hull = prism();
    shape[1].kind = SCREE_SHAPE_CYLINDER;
    shape[1].half_size[0] = 0.3;
    shape[1].half_size[1] = 0.25;
    shape[2].kind = SCREE_SHAPE_HULL;
    shape[2].hull = hull;
    for (int k = 0; k < 3; ++k) {
        for (int m = 0; m < test_few(4, 1); ++m) {
            double bottom = k < 2 ? 0.3 : 0.2 * sqrt(0.75);
            double x[3] = {-5.0, 0.03, bottom + (m < 2 ? bowl(-5.0, 0.03) : dome(-5.0, 0.03))};
            double slope = m < 2 ? -5.0 / RADIUS : 5.0 / RADIUS, turn[4], q[4];
            const double v[3] = {2.0 * cos(slope), 0.1, 2.0 * sin(slope)};
            turn_about_y(turn, -slope);
            compose(turn, k == 1 ? lying : upright, q);
            /* A face on a dome lies on a ridge and tips to the next facet as its middle passes:
             * with the torque m g v t it turns by d = g v t^3 / 6 k^2, k being its radius of
             * gyration, in 6 ms, and lands with the rate 3 d / t, which costs a few 1e-7 m/s. A
             * step of 1 ms is not short beside that: the last one turns it half as fast again, and
             * where facets are not alike two corners may land in it. Steps of 1/2 to 1/16 ms all
             * leave 3e-7 to 7e-7, which is what a rigid face loses on facets. */
            int is_rough = k == 2 && m == 2, tips = k == 2 && m >= 2;
            double worst = worst_kick(mesh[m], &shape[k], q, x, v, 1);
            print_message("%s on %s: %.3g m/s\n", name[k], m < 2 ? "a bowl" : "a dome", worst);
            require(worst <= (is_rough ? 3e-6 : 1e-6), "%s: %g m/s", name[k], worst);
            if (!tips) continue;
            worst = worst_kick(mesh[m], &shape[k], q, x, v, 2);
            print_message("%s on a dome, short steps: %.3g m/s\n", name[k], worst);
            require(worst <= 6e-7, "%s, short steps: %g m/s", name[k], worst);
        }
    }
    for (int m = 0; m < 4; ++m) scree_mesh_destroy(mesh[m]);
    scree_hull_destroy(hull);
}

/* ---- rest ---- */

static double hills(double x, double y)
{
    return 0.15 * sin(2.0 * x + 0.4) * cos(1.7 * y) + 0.02 * sin(9.0 * x * y);
}

static int32_t drop(scree_world* world, scree_shape shape, double x, double y, double z)
{
    scree_body_def def = body_of(&shape, 2000.0);
    set3(def.position, x, y, z);
    turn_about_y(def.rotation, 0.3);
    return add_body(world, &def, &shape);
}

/* A ball, a box, a capsule, a cylinder and a rock fall on hills and stay. */
static scree_world* rockfall_in(scree_env env, scree_world_def def, const scree_mesh* mesh,
                                const scree_hull* rock, double length)
{
    scree_world* world = world_new_in(env, def, (scree_material){.mu = 0.7, .mu_r = 0.05 * length});
    scree_shape shape[5] = {sphere_of(0.1), box_of(0.12, 0.08, 0.06), box_of(0.08, 0.1, 0.0),
                            box_of(0.1, 0.06, 0.0), scree_default_shape()};
    shape[2].kind = SCREE_SHAPE_CAPSULE;
    shape[3].kind = SCREE_SHAPE_CYLINDER;
    shape[4].kind = SCREE_SHAPE_HULL;
    shape[4].hull = rock;
    add_mesh(world, mesh, 0.0);
    for (int k = 0; k < 5; ++k) {
        for (int i = 0; i < 3; ++i) shape[k].half_size[i] *= length;
        drop(world, shape[k], length * 0.5 * (k - 2), length * 0.3 * (k % 2), length * 0.5);
    }
    return world;
}

static scree_world* rockfall(scree_world_def def, const scree_mesh* mesh, const scree_hull* rock,
                             double length)
{
    return rockfall_in((scree_env){0}, def, mesh, rock, length);
}

static double slope(double x, double y)
{
    x += 25.0;
    y += 25.0;
    double steps = 0.08 * sin(1.9 * x + 0.7 * y) * cos(1.3 * y - 0.4 * x);
    return 13.0 / (1.0 + exp((x - 18.0) / 5.0)) + steps + 0.004 * pow(fabs(y - 25.0), 2.6);
}

/* A block that tumbles down a rough slope meets edges and corners of the ground with its own edges
 * and faces at every angle: no overlap is left at the end of a step. */
static void tumbling_leaves_no_overlap(void** state)
{
    (void)state;
    scree_mesh* mesh = heights_of(100, 25.0, slope);
    scree_world* world = world_new(world_def(1e-3, 1e-3),
                                   (scree_material){.mu = 0.6, .mu_r = 0.03, .restitution = 0.1});
    scree_shape block = box_of(0.6, 0.45, 0.35);
    scree_body_def def = body_of(&block, 2500.0);
    double worst = 0.0;
    add_mesh(world, mesh, 0.0);
    set3(def.position, -21.0, -5.0, 14.0);
    set3(def.velocity, 3.0, 0.0, 0.0);
    add_body(world, &def, &block);
    for (int i = 0; i < 4000; ++i) worst = fmax(worst, step_any(world).overlap_share);
    print_message("overlap left: %.3g of the size\n", worst);
    require(worst <= 1e-4, "overlap of %g is left", worst);
    scree_world_destroy(world);
    scree_mesh_destroy(mesh);
}

static void what_rests_stays_to_the_last_bit(void** state)
{
    (void)state;
    scri_random random = test_seed("what_rests_stays_to_the_last_bit", 177);
    scree_mesh* mesh[2] = {mesh_of_cells(&random, 20, 2.0, 0.2, hills), heights_of(20, 2.0, hills)};
    scree_hull* rock = prism();
    int steps = test_size(500, 10000);
    for (int m = 0; m < 2; ++m) {
        scree_world* world = rockfall(world_def(2e-3, 1e-6), mesh[m], rock, 1.0);
        double* kept = test_take(3 * 80, sizeof(double));
        int32_t n = 0;
        for (int i = 0; i < 2000; ++i) step_any(world);
        for (int i = 0; i < steps; ++i) {
            step_any(world);
            scree_world_view view = scree_world_get_view(world);
            for (int k = 3; k < 3 * view.n_bodies; ++k) {
                require(view.velocity[k] == 0.0 && view.angular_velocity[k] == 0.0,
                        "body %d moves at %g", k / 3, view.velocity[k]);
            }
            require(view.n_contacts <= 80 && (i == 0 || n == view.n_contacts), "%d contacts",
                    (int)view.n_contacts);
            n = view.n_contacts;
            size_t bytes = 3 * (size_t)n * sizeof(double);
            require(i == 0 || memcmp(kept, view.point, bytes) == 0, "points have moved");
            memcpy(kept, view.point, bytes);
        }
        print_message("%d contacts\n", (int)n);
        free(kept);
        scree_world_destroy(world);
        scree_mesh_destroy(mesh[m]);
    }
    scree_hull_destroy(rock);
}

/* ---- nothing passes ---- */

static void nothing_passes_at_any_speed(void** state)
{
    (void)state;
    scri_random random = test_seed("nothing_passes_at_any_speed", 178);
    scree_mesh* mesh[2] = {mesh_of_cells(&random, 40, 4.0, 0.2, hills), heights_of(40, 4.0, hills)};
    scree_hull* rock = prism();
    int cases = test_cases(30, 2000);
    for (int i = 0; i < cases; ++i) {
        scree_world_def def = world_def(1e-3, 1e-4);
        def.scheme = i / 2 % 2 ? SCREE_SCHEME_GAP : SCREE_SCHEME_IMPULSE;
        def.theta = i / 2 % 2 ? 1.0 : 0.5;
        scree_world* world = world_new(def, (scree_material){.mu = 0.5});
        scree_shape shape = i % 3 ? sphere_of(0.02) : box_of(0.03, 0.02, 0.02);
        if (i % 3 == 2) {
            shape = scree_default_shape();
            shape.kind = SCREE_SHAPE_HULL;
            shape.hull = rock;
            shape.half_size[0] = 0.1;
        }
        scree_body_def body = body_of(&shape, 2000.0);
        set3(body.position, draw_between(&random, -1.0, 1.0), draw_between(&random, -1.0, 1.0),
             draw_between(&random, 0.3, 0.6));
        double fast[3];
        draw_direction(&random, fast);
        set3(body.velocity, 100.0 * fast[0], 100.0 * fast[1], -100.0 * fabs(fast[2]) - 1.0);
        set3(body.angular_velocity, 50.0 * fast[1], 20.0 * fast[2], 10.0);
        add_mesh(world, mesh[i % 2], 0.0);
        add_body(world, &body, &shape);
        for (int step = 0; step < 60; ++step) {
            step_any(world);
            const double* x = scree_world_get_view(world).position + 3;
            if (fabs(x[0]) > 3.8 || fabs(x[1]) > 3.8) break;
            /* facets lie off the hills by up to their sag */
            require(x[2] > hills(x[0], x[1]) - 0.03, "case %d, step %d: %g below the surface", i,
                    step, hills(x[0], x[1]) - x[2]);
        }
        scree_world_destroy(world);
    }
    scree_mesh_destroy(mesh[0]);
    scree_mesh_destroy(mesh[1]);
    scree_hull_destroy(rock);
}

/* ---- promises ---- */

static double scale = 1.0;

static double scaled_hills(double x, double y)
{
    return scale * hills(x / scale, y / scale);
}

static void units_and_workers_do_not_matter(void** state)
{
    (void)state;
    scree_mesh *mesh = heights_of(20, 2.0, scaled_hills), *large;
    scree_hull* rock = prism();
    scale = 32.0;
    large = heights_of(20, 2.0 * scale, scaled_hills);
    scree_world_def def = world_def(2e-3, 1e-6), in_units = def, many = def;
    in_units.step *= 4.0;
    for (int k = 0; k < 3; ++k) in_units.gravity[k] *= scale / 16.0;
    many.workers = 3;
    scree_world* world[3] = {rockfall(def, mesh, rock, 1.0), rockfall(many, mesh, rock, 1.0),
                             rockfall(in_units, large, rock, scale)};
    for (int i = 0; i < 600; ++i) {
        for (int k = 0; k < 3; ++k) step_any(world[k]);
        scree_world_view a = scree_world_get_view(world[0]), b = scree_world_get_view(world[1]);
        scree_world_view c = scree_world_get_view(world[2]);
        for (int k = 0; k < 3 * a.n_bodies; ++k) {
            require(a.position[k] == b.position[k], "step %d: workers", i);
            require(scale * a.position[k] == c.position[k], "step %d: units, body %d: %a %a", i,
                    k / 3, scale * a.position[k], c.position[k]);
        }
    }
    for (int k = 0; k < 3; ++k) scree_world_destroy(world[k]);
    scree_mesh_destroy(mesh);
    scree_mesh_destroy(large);
    scree_hull_destroy(rock);
    scale = 1.0;
}

static void steps_take_no_memory(void** state)
{
    (void)state;
    scree_mesh* mesh = heights_of(20, 2.0, hills);
    scree_hull* rock = prism();
    test_host host;
    scree_world_def def = world_def(2e-3, 1e-6);
    scree_env env = test_env(&host);
    scree_world* world = rockfall_in(env, def, mesh, rock, 1.0);
    for (int i = 0; i < 1000; ++i) step_any(world);
    long before = host.n_asked;
    for (int i = 0; i < 200; ++i) step_any(world);
    require(host.n_asked == before, "%ld allocations", host.n_asked - before);
    scree_world_destroy(world);
    scree_mesh_destroy(mesh);
    scree_hull_destroy(rock);
}

static void bad_shapes_are_refused(void** state)
{
    (void)state;
    scree_mesh* mesh = heights_of(2, 1.0, NULL);
    scree_world* world = world_new(world_def(1e-3, 1e-6), (scree_material){.mu = 0.5});
    scree_shape shape = shape_of_mesh(mesh);
    scree_body_def def = scree_default_body_def();
    scree_body_id id;
    def.mass = 1.0;
    assert_int_equal(scree_world_add_body(world, &def, 1, &shape, &id), SCREE_ERROR_INPUT);
    def.kind = SCREE_BODY_STATIC;
    shape.mesh = NULL;
    assert_int_equal(scree_world_add_body(world, &def, 1, &shape, &id), SCREE_ERROR_INPUT);
    scree_world_destroy(world);
    scree_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flat_seams_are_not_felt),
        cmocka_unit_test(gentle_seams_do_not_kick),
        cmocka_unit_test(tumbling_leaves_no_overlap),
        cmocka_unit_test(what_rests_stays_to_the_last_bit),
        cmocka_unit_test(nothing_passes_at_any_speed),
        cmocka_unit_test(units_and_workers_do_not_matter),
        cmocka_unit_test(steps_take_no_memory),
        cmocka_unit_test(bad_shapes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
