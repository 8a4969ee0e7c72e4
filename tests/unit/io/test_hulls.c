/* Hulls in files: scenes give points, recordings hold corners once for all shapes that share them.
 */
#include "unit/io/recording_runs.h"

#define PRISM "[[0, 0, 0], [0.2, 0, 0], [0, 0.2, 0], [0, 0, 0.1], [0.2, 0, 0.1], [0, 0.2, 0.1]]"

static const char rocks[] =
    "materials: {rock: {mu: 0.5}}\n"
    "bodies:\n"
    "  - {name: floor, kind: static, shape: {type: half-space}}\n"
    "  - name: prism\n"
    "    position: [1, 2, 3]\n"
    "    density: 1000\n"
    "    shape: {type: hull, points: " PRISM ", rotation: {axis: [0, 0, 1], degrees: 90}}\n"
    "generators:\n"
    "  - type: grid\n"
    "    count: [2, 2, 1]\n"
    "    spacing: 0.5\n"
    "    origin: [0, 0, 0.3]\n"
    "    size_spread: 0.1\n"
    "    body: {name: stone, shape: {type: hull, points: [[0.1, 0, 0], [-0.1, 0, 0], [0, 0.1, 0],\n"
    "           [0, -0.1, 0], [0, 0, 0.1], [0, 0, -0.1], [0, 0, 0]]}}\n"
    "stop: {time: 0.02}\n"
    "output: {interval: 0.005}\n";

static scree_scene* parse(const char* text, const scree_env* env)
{
    scree_scene* scene = NULL;
    scree_status status = scree_scene_parse(env, "rocks.yaml", text, strlen(text), 0, NULL, &scene);
    assert_int_equal(status, SCREE_OK);
    return scene;
}

/* The centre of mass of a prism turned by a right angle about z, by hand. */
static void points_count_from_the_shape(void** state)
{
    (void)state;
    test_host host;
    scree_env env = test_env(&host);
    scree_scene* scene = parse(rocks, &env);
    assert_non_null(scene);
    const scree_scene_body* prism = &scene->bodies[1];
    assert_int_equal(prism->shapes->kind, SCREE_SHAPE_HULL);
    const double third = 0.2 / 3.0, expected = 0.5 * 0.2 * 0.2 * 0.1 * 1000.0;
    require(fabs(prism->def.mass - expected) < 1e-12, "mass %g", prism->def.mass);
    scree_simulation* simulation = NULL;
    check(scree_simulation_create(&env, scene, &simulation), "simulation", &host);
    scree_world_view view = scree_simulation_view(simulation);
    require(fabs(view.position[3] - (1.0 - third)) < 1e-12, "x %g", view.position[3]);
    require(fabs(view.position[4] - (2.0 + third)) < 1e-12, "y %g", view.position[4]);
    require(fabs(view.position[5] - 3.05) < 1e-12, "z %g", view.position[5]);
    scree_simulation_destroy(simulation);
    scree_scene_destroy(scene);
    assert_int_equal(host.n_held, 0);
}

static void corners_are_recorded_once(void** state)
{
    (void)state;
    run r;
    r.env = test_env(&r.host);
    r.scene = parse(rocks, &r.env);
    record_scene(&r, "hulls.h5");
    test_host host;
    scree_env env;
    scree_recording* recording = open_recording("hulls.h5", &host, &env);
    scree_recording_info info = scree_recording_get_info(recording);
    scree_world_view view = scree_simulation_view(r.simulation);
    assert_int_equal(info.n_shapes, 6);
    assert_int_equal(info.n_hulls, 2);
    for (int32_t k = 0; k < info.n_shapes; ++k) {
        assert_int_equal(!info.shapes[k].hull, !view.shape_hull[k]);
        if (!info.shapes[k].hull) continue;
        scree_hull_view read = scree_hull_get_view(info.shapes[k].hull);
        scree_hull_view written = scree_hull_get_view(view.shape_hull[k]);
        assert_int_equal(read.n_corners, written.n_corners);
        assert_int_equal(read.n_faces, written.n_faces);
        require(fabs(read.volume - written.volume) <= 1e-14 * written.volume, "volume");
        assert_memory_equal(&info.shapes[k].half_size, view.shape_half_size + 3 * k,
                            3 * sizeof(double));
    }
    assert_ptr_equal(info.shapes[2].hull, info.shapes[5].hull);
    check(scree_export_page(&env, recording, "hulls.html"), "page", &host);
    scree_recording_close(recording);
    assert_int_equal(host.n_held, 0);
    end_run(&r);
}

static void bad_points(void** state)
{
    (void)state;
    static const struct {
        const char *points, *expected;
    } cases[] = {
        {"[]", "s.yaml:1:39: hull: 0 points; it takes four at least"},
        {"[[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]",
         "s.yaml:1:39: hull: all 4 points lie in a plane: it has no volume"},
        {"[[0, 0], [1, 0, 0]]", "s.yaml:1:40: points: a list of 3 numbers is expected"},
        {"7", "s.yaml:1:39: points: a list is expected, not a text"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        test_host host;
        scree_env env = test_env(&host);
        scree_scene* scene = NULL;
        char text[200];
        snprintf(text, sizeof text, "bodies: [{shape: {type: hull, points: %s}}]\n",
                 cases[k].points);
        scree_status status =
            scree_scene_parse(&env, "s.yaml", text, strlen(text), 0, NULL, &scene);
        assert_int_not_equal(status, SCREE_OK);
        assert_string_equal(host.text, cases[k].expected);
        assert_int_equal(host.n_held, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_count_from_the_shape),
        cmocka_unit_test(corners_are_recorded_once),
        cmocka_unit_test(bad_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
