/* Materials of the zones of a mesh: every contact has that of the place it touches. */
#include "scree/world.h"
#include "support/meshes.h"
#include "support/worlds.h"

/* Materials of the worlds below: that of bodies, and those of the zones. */
enum { BODY, SMOOTH, ROUGH, MATERIALS };
static const double mu[MATERIALS] = {1.0, 0.1, 0.6}, bounce[MATERIALS] = {1.0, 0.0, 0.8};
static const int32_t of_zone[2] = {SMOOTH, ROUGH};

/* A world whose ground is rough where x > 1, 0.75 along a raster. */
static scree_world* make_world(const scree_mesh* ground, double step)
{
    scree_world* world = world_new(world_def(step, 1e-10), (scree_material){.mu = mu[BODY]});
    for (int k = 1; k < MATERIALS; ++k) {
        scree_material material = {.mu = mu[k]};
        int32_t number;
        assert_int_equal(scree_world_add_material(world, &material, &number), SCREE_OK);
        material.restitution = bounce[k];
        assert_int_equal(scree_world_set_pair(world, BODY, number, &material), SCREE_OK);
    }
    scree_body_def def = scree_default_body_def();
    scree_shape shape = shape_of_mesh(ground);
    def.kind = SCREE_BODY_STATIC;
    shape.material = SMOOTH;
    shape.n_zones = 2;
    shape.zone_material = of_zone;
    add_body(world, &def, &shape);
    return world;
}

/* From -2 to 6: two squares that meet at x = 1, or cells of half a metre. */
static scree_mesh* make_ground(int is_raster)
{
    static const double points[18] = {-2, -2, 0, 1, -2, 0, 6, -2, 0, -2, 2, 0, 1, 2, 0, 6, 2, 0};
    static const int32_t corners[12] = {0, 1, 4, 0, 4, 3, 1, 2, 5, 1, 5, 4},
                         zones[4] = {0, 0, 1, 1};
    scree_mesh* mesh = NULL;
    if (!is_raster) {
        assert_int_equal(scree_mesh_create(NULL, 6, points, 4, corners, &mesh), SCREE_OK);
        assert_int_equal(scree_mesh_set_zones(mesh, 4, zones), SCREE_OK);
        return mesh;
    }
    enum { COLUMNS = 17, ROWS = 9 };
    const double origin[2] = {-2.0, -2.0}, spacing[2] = {0.5, 0.5};
    const double heights[COLUMNS * ROWS] = {0.0};
    int32_t zone[COLUMNS * ROWS];
    for (int32_t i = 0; i < COLUMNS * ROWS; ++i) zone[i] = i % COLUMNS >= 6;
    assert_int_equal(
        scree_mesh_create_heights(NULL, COLUMNS, ROWS, origin, spacing, heights, &mesh), SCREE_OK);
    assert_int_equal(scree_mesh_set_zones(mesh, COLUMNS * ROWS, zone), SCREE_OK);
    return mesh;
}

/* A small box slides from one zone into the other: v0^2 = 2 g (mu_1 L_1 + mu_2 L_2). While it lies
 * on both it is slowed by something in between, so L is known to its length. */
static void friction_changes_at_the_border(void** state)
{
    (void)state;
    const double h = 1e-3, half = 0.01, v0 = 3.0;
    for (int is_raster = 0; is_raster < 2; ++is_raster) {
        scree_mesh* ground = make_ground(is_raster);
        scree_world* world = make_world(ground, h);
        scree_shape box = box_of(half, half, half);
        scree_body_def def = body_of(&box, 1000.0);
        set3(def.position, 0.0, 0.1, half);
        def.velocity[0] = v0;
        int32_t body = add_body(world, &def, &box);
        double g = 9.81, border = is_raster ? 0.75 : 1.0;
        for (int k = 0; k < 1500; ++k) {
            step_world(world);
            scree_world_view view = scree_world_get_view(world);
            double x = view.position[3 * body];
            for (int32_t c = 0; c < scree_world_contact_count(world); ++c) {
                scree_contact contact;
                assert_int_equal(scree_world_get_contact(world, c, &contact), SCREE_OK);
                int of_ground = contact.body[0].index1 == 1 ? 0 : 1;
                int is_rough = contact.material[of_ground] == ROUGH;
                require(contact.material[1 - of_ground] == BODY, "material of the box");
                require(is_rough == (contact.point[0] > border) ||
                            fabs(contact.point[0] - border) < 1e-9,
                        "material %d at x = %g", (int)contact.material[of_ground],
                        contact.point[0]);
                require(fabs(contact.point[0] - x) < 2.0 * half, "a contact elsewhere");
            }
        }
        scree_world_view view = scree_world_get_view(world);
        assert_true(is_at_rest(&view, body));
        double way = border + (v0 * v0 / (2.0 * g) - mu[SMOOTH] * border) / mu[ROUGH];
        require_near(view.position[3 * body], way, half, "way");
        /* held in front it is not steady, and turns a little */
        require_near(view.position[3 * body + 1], 0.1, half, "way across");
        scree_world_destroy(world);
        scree_mesh_destroy(ground);
    }
}

/* The border runs below the box: it is held on one side and turns about it. */
static void a_box_across_the_border_turns(void** state)
{
    (void)state;
    scree_mesh* ground = make_ground(0);
    scree_world* world = make_world(ground, 1e-3);
    scree_shape box = box_of(0.1, 0.1, 0.02);
    scree_body_def def = body_of(&box, 1000.0);
    set3(def.position, 1.0, 0.0, 0.02);
    def.velocity[1] = 1.0;
    int32_t body = add_body(world, &def, &box);
    for (int k = 0; k < 100; ++k) step_world(world);
    scree_world_view view = scree_world_get_view(world);
    require(view.angular_velocity[3 * body + 2] < -1.0, "it turns by %g rad/s",
            view.angular_velocity[3 * body + 2]);
    scree_world_destroy(world);
    scree_mesh_destroy(ground);
}

static void balls_bounce_where_the_ground_does(void** state)
{
    (void)state;
    for (int is_raster = 0; is_raster < 2; ++is_raster) {
        scree_mesh* ground = make_ground(is_raster);
        for (int is_rough = 0; is_rough < 2; ++is_rough) {
            scree_world* world = make_world(ground, 1e-3);
            scree_shape ball = sphere_of(0.1);
            scree_body_def def = body_of(&ball, 1000.0);
            set3(def.position, is_rough ? 2.0 : 0.0, 0.3, 0.3);
            int32_t body = add_body(world, &def, &ball);
            double highest = 0.0;
            int has_met = 0;
            for (int k = 0; k < 500; ++k) {
                has_met |= step_world(world).n_contacts > 0;
                scree_world_view view = scree_world_get_view(world);
                if (has_met) highest = fmax(highest, view.position[3 * body + 2]);
            }
            double e = is_rough ? bounce[ROUGH] : bounce[SMOOTH];
            require_near(highest, 0.1 + 0.2 * e * e, 0.004, "height after the impact");
            scree_world_destroy(world);
        }
        scree_mesh_destroy(ground);
    }
}

/* A ball on a ridge, leaning to either side, is on the face that looks more along its normal. */
static void an_edge_is_of_the_face_that_looks_along_the_normal(void** state)
{
    (void)state;
    static const double points[12] = {0, -1, 0, 0, 1, 0, -1, 0, -1, 1, 0, -1};
    static const int32_t corners[6] = {0, 1, 2, 1, 0, 3}, zones[2] = {0, 1};
    for (int side = -1; side <= 1; side += 2) {
        scree_mesh* ridge = NULL;
        assert_int_equal(scree_mesh_create(NULL, 4, points, 2, corners, &ridge), SCREE_OK);
        assert_int_equal(scree_mesh_set_zones(ridge, 2, zones), SCREE_OK);
        scree_world* world = make_world(ridge, 1e-3);
        scree_shape ball = sphere_of(0.1);
        scree_body_def def = body_of(&ball, 1000.0);
        set3(def.position, side * 0.1 * sin(0.2), 0.0, 0.1 * cos(0.2));
        add_body(world, &def, &ball);
        step_world(world);
        scree_contact contact;
        assert_int_equal(scree_world_contact_count(world), 1);
        assert_int_equal(scree_world_get_contact(world, 0, &contact), SCREE_OK);
        int of_ground = contact.body[0].index1 == 1 ? 0 : 1;
        assert_int_equal(contact.material[of_ground], side < 0 ? SMOOTH : ROUGH);
        scree_world_destroy(world);
        scree_mesh_destroy(ridge);
    }
}

static void bad_materials_are_refused(void** state)
{
    (void)state;
    static const int32_t bad[2] = {0, 1};
    test_host host;
    scree_world_def world_def = scree_default_world_def();
    scree_env env = test_env(&host);
    scree_world* world = NULL;
    scree_material material = {.mu = 0.5};
    int32_t number;
    scree_body_id id;
    assert_int_equal(scree_world_create(&env, &world_def, &world), SCREE_OK);
    assert_int_equal(scree_world_add_material(world, &material, &number), SCREE_OK);
    scree_mesh* ground = make_ground(0);
    scree_body_def def = scree_default_body_def();
    scree_shape shape = shape_of_mesh(ground), ball = sphere_of(1.0);
    def.kind = SCREE_BODY_STATIC;
    shape.n_zones = 2;
    shape.zone_material = bad;
    assert_int_equal(scree_world_add_body(world, &def, 1, &shape, &id), SCREE_ERROR_INPUT);
    assert_string_equal(host.text, "zone 1 names material 1, which does not exist");
    shape.zone_material = NULL;
    assert_int_equal(scree_world_add_body(world, &def, 1, &shape, &id), SCREE_ERROR_INPUT);
    assert_string_equal(host.text, "materials of zones are for meshes, in a list");
    ball.n_zones = 1;
    ball.zone_material = bad;
    assert_int_equal(scree_world_add_body(world, &def, 1, &ball, &id), SCREE_ERROR_INPUT);
    scree_world_destroy(world);
    scree_mesh_destroy(ground);
    assert_int_equal(host.n_held, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(friction_changes_at_the_border),
        cmocka_unit_test(a_box_across_the_border_turns),
        cmocka_unit_test(balls_bounce_where_the_ground_does),
        cmocka_unit_test(an_edge_is_of_the_face_that_looks_along_the_normal),
        cmocka_unit_test(bad_materials_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
