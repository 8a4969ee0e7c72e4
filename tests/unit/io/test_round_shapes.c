/* Ellipsoids and cones in files: scenes, recordings and what a page holds of them. */
#include "unit/io/recording_runs.h"

static const char turned[] = "materials: {wood: {mu: 0.5}}\n"
                             "bodies:\n"
                             "  - {name: floor, kind: static, shape: {type: half-space}}\n"
                             "  - name: egg\n"
                             "    position: [0, 0, 0.3]\n"
                             "    density: 1000\n"
                             "    shape: {type: ellipsoid, size: [0.2, 0.4, 0.6]}\n"
                             "  - name: top\n"
                             "    position: [1, 0, 0.3]\n"
                             "    density: 1000\n"
                             "    shape: {type: cone, radius: 0.3, height: 0.8}\n"
                             "stop: {time: 0.02}\n"
                             "output: {interval: 0.005}\n";

static void sizes_are_whole_ones(void** state)
{
    (void)state;
    run r;
    scree_recorder* recorder = NULL;
    const double pi = acos(-1.0);
    r.env = test_env(&r.host);
    check(scree_scene_parse(&r.env, "round.yaml", turned, strlen(turned), 0, NULL, &r.scene),
          "parse", &r.host);
    const scree_scene_body *egg = &r.scene->bodies[1], *top = &r.scene->bodies[2];
    assert_true(egg->shapes->kind == SCREE_SHAPE_ELLIPSOID &&
                top->shapes->kind == SCREE_SHAPE_CONE);
    for (int k = 0; k < 3; ++k) {
        require(fabs(egg->shapes->half_size[k] - 0.1 * (k + 1)) < 1e-15, "half axis %d", k);
    }
    assert_true(top->shapes->half_size[0] == 0.3 && top->shapes->half_size[1] == 0.4);
    require(fabs(egg->def.mass - 8.0 * pi) < 1e-12, "mass %g of the ellipsoid", egg->def.mass);
    require(fabs(top->def.mass - 24.0 * pi) < 1e-12, "mass %g of the cone", top->def.mass);
    check(scree_simulation_create(&r.env, r.scene, &r.simulation), "simulation", &r.host);
    check(begin_recorder(&r.env, "round.h5", r.simulation, &recorder), "create", &r.host);
    check(record(recorder, r.simulation), "record", &r.host);
    check(scree_recorder_close(recorder, 1), "close", &r.host);

    test_host host;
    scree_env env;
    scree_recording* recording = open_recording("round.h5", &host, &env);
    scree_recording_info info = scree_recording_get_info(recording);
    assert_int_equal(info.n_shapes, 3);
    assert_true(info.shapes[1].kind == SCREE_SHAPE_ELLIPSOID);
    assert_true(info.shapes[2].kind == SCREE_SHAPE_CONE);
    for (int k = 0; k < 3; ++k) {
        assert_true(info.shapes[1].half_size[k] == egg->shapes->half_size[k]);
        assert_true(info.shapes[2].half_size[k] == top->shapes->half_size[k]);
    }
    scree_recording_close(recording);
    end_run(&r);
    remove("round.h5");
}

static void expect_fault(const char* shape, const char* says)
{
    char text[512];
    test_host host;
    scree_env env = test_env(&host);
    scree_scene* scene = NULL;
    snprintf(text, sizeof text,
             "materials: {wood: {mu: 0.5}}\nbodies:\n  - {name: a, shape: {%s}}\n", shape);
    assert_int_not_equal(scree_scene_parse(&env, "a.yaml", text, strlen(text), 0, NULL, &scene),
                         SCREE_OK);
    require(strstr(host.text, says), "\"%s\" does not say \"%s\"", host.text, says);
    assert_int_equal(host.n_held, 0);
}

static void faults_are_named(void** state)
{
    (void)state;
    expect_fault("type: ellipsoid, size: [1, 2]", "size");
    expect_fault("type: ellipsoid, size: [1, 2, 0]", "size");
    expect_fault("type: ellipsoid, radius: 1", "radius");
    expect_fault("type: tube, radius: 1, inner: 1.5, height: 1", "must be less than radius");
    expect_fault("type: tube, radius: 1, height: 1", "inner");
    expect_fault("type: mesh", "a mesh needs 'file'");
    expect_fault("type: cone, radius: 1", "height");
    expect_fault("type: cone, radius: 1, height: -2", "height");
    expect_fault("type: cone, radius: 1, length: 2", "length");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_are_whole_ones),
        cmocka_unit_test(faults_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
