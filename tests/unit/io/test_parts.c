/* Rounded shapes and meshes in parts: scenes name them, recordings and pages hold them. */
#include "base/env.h"
#include "io/scene_reader.h"
#include "unit/io/recording_runs.h"

#define HEAD "materials: {rock: {mu: 0.5}}\n"

/* Three unit cubes in an L, standing on the longer side: from -1 to 1 along x. */
static const char corner[] =
    "v -1 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nv 0 0 2\nv -1 0 2\n"
    "v -1 1 0\nv 1 1 0\nv 1 1 1\nv 0 1 1\nv 0 1 2\nv -1 1 2\n"
    "f 1 2 3 4\nf 1 4 5 6\nf 7 10 9 8\nf 7 12 11 10\nf 1 7 8 2\nf 2 8 9 3\n"
    "f 3 9 10 4\nf 4 10 11 5\nf 5 11 12 6\nf 6 12 7 1\n";
static const char open_file[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
static const char raster[] = "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2\n3 4\n";

/* Files by their names, without a disk. */
static scree_status read_stub(const scree_env* env, const char* path, char** bytes, size_t* size)
{
    const char* text = strstr(path, "open") ? open_file : strstr(path, "asc") ? raster : corner;
    *size = strlen(text);
    *bytes = scri_alloc(env, *size + 1);
    if (!*bytes) return SCREE_ERROR_MEMORY;
    memcpy(*bytes, text, *size + 1);
    return SCREE_OK;
}

static scree_status parse_scene(const scree_env* env, const char* text, scree_scene** out)
{
    scri_scene_text from = {.path = "folder/s.yaml", .text = text, .size = strlen(text)};
    return scri_scene_parse(env, read_stub, &from, out);
}

/* Mass, centre and inertia are those of the mesh, where the body stands and however it is turned.
 */
static void parts_of_a_mesh(void** state)
{
    (void)state;
    static const char text[] =
        HEAD "bodies:\n"
             "  - {name: a, density: 10, position: [5, 6, 7], shape: {type: mesh, file: l.obj, "
             "decompose: {error: 0.001}}}\n"
             "  - {name: b, mass: 60, shape: {type: mesh, file: l.obj, position: [1, 0, 0], "
             "decompose: {}}}\n";
    test_host host;
    scree_env env = test_env(&host);
    scree_scene* scene = NULL;
    check(parse_scene(&env, text, &scene), "scene", &host);
    const scree_scene_body *a = &scene->bodies[0], *b = &scene->bodies[1];
    assert_int_equal(a->n_shapes, 2);
    assert_true(a->shapes[0].kind == SCREE_SHAPE_HULL && a->shapes[1].kind == SCREE_SHAPE_HULL);
    require(fabs(a->def.mass - 30.0) < 1e-12, "mass %g", a->def.mass);
    require(b->def.mass == 60.0, "mass %g", b->def.mass);
    const double centre[3] = {5.0 - 1.0 / 6.0, 6.5, 7.0 + 5.0 / 6.0};
    for (int k = 0; k < 3; ++k) {
        require(fabs(a->def.position[k] - centre[k]) < 1e-12, "centre %d: %.15g", k,
                a->def.position[k]);
    }
    /* about y: three cubes of 1/6 each, and the squares of their ways from the centre */
    double of_y = 10.0 * (3.0 / 6.0 + (2.0 + 5.0 + 5.0) / 9.0);
    require(fabs(a->def.inertia[1] - of_y) < 1e-11, "inertia %.15g, not %.15g", a->def.inertia[1],
            of_y);
    for (int k = 0; k < 6; ++k) {
        require(fabs(b->def.inertia[k] - 2.0 * a->def.inertia[k]) < 1e-11, "inertia %d", k);
    }
    scree_scene_destroy(scene);
    assert_int_equal(host.n_held, 0);
}

static void faults(void** state)
{
    (void)state;
    static const char* const cases[][2] = {
        {"{type: mesh, file: open.obj, decompose: {}}", "the mesh is not closed: it has a rim"},
        {"{type: mesh, file: a.asc, decompose: {}}", "decompose: a raster is not closed"},
        {"{type: mesh, file: l.obj, decompose: {parts: 1}}", "decompose: 1 parts hold 0.167 more"},
        {"{type: mesh, file: l.obj, decompose: {error: 0}}", "error"},
        {"{type: mesh, file: l.obj, decompose: {depth: 3}}", "unknown key 'depth'"},
        {"{type: box, size: [1, 1, 1], rounding: -1}", "rounding"},
        {"{type: sphere, radius: 1, rounding: 0.1}", "unknown key 'rounding'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        char text[512];
        test_host host;
        scree_env env = test_env(&host);
        scree_scene* scene = NULL;
        snprintf(text, sizeof text, HEAD "bodies: [{name: a, shape: %s}]\n", cases[i][0]);
        assert_int_not_equal(parse_scene(&env, text, &scene), SCREE_OK);
        require(strstr(host.text, cases[i][1]), "case %zu said: %s", i, host.text);
        assert_int_equal(host.n_held, 0);
    }
    static const char two[] =
        HEAD "bodies: [{name: a, shapes: [{type: mesh, file: l.obj, decompose: {}}]}]\n";
    test_host host;
    scree_env env = test_env(&host);
    scree_scene* scene = NULL;
    assert_int_not_equal(parse_scene(&env, two, &scene), SCREE_OK);
    require(strstr(host.text, "decompose: is for the only 'shape'"), "%s", host.text);
    assert_int_equal(host.n_held, 0);
}

/* The rounding goes through a world, a recording, a page and a file for other programs. */
static void rounded_shapes(void** state)
{
    (void)state;
    static const char text[] = HEAD
        "bodies:\n"
        "  - {name: floor, kind: static, shape: {type: half-space}}\n"
        "  - {name: a, density: 1000, position: [0, 0, 1], shape: {type: box, size: [0.4, 0.6, "
        "0.8], rounding: 0.1}}\n"
        "  - {name: b, density: 1000, position: [2, 0, 1], shape: {type: box, size: [0.8, 1.2, "
        "1.6], rounding: 0.2}}\n"
        "  - {name: c, density: 1000, position: [4, 0, 1], shape: {type: cone, radius: 0.3, "
        "height: 0.5, rounding: 0.1}}\n"
        "stop: {time: 0.02}\n"
        "output: {interval: 0.005}\n";
    run r;
    r.env = test_env(&r.host);
    check(parse_scene(&r.env, text, &r.scene), "scene", &r.host);
    record_scene(&r, "parts.h5");
    test_host host;
    scree_env env;
    scree_recording* recording = open_recording("parts.h5", &host, &env);
    scree_recording_info info = scree_recording_get_info(recording);
    const double want[] = {0.0, 0.1, 0.2, 0.1};
    for (int k = 0; k < 4; ++k) assert_true(info.shapes[k].rounding == want[k]);
    check(scree_export_page(&env, recording, "parts.html"), "page", &host);
    scree_recording_close(recording);
    assert_int_equal(host.n_held, 0);
    end_run(&r);
    FILE* page = fopen("parts.html", "r");
    assert_non_null(page);
    static char line[1 << 20];
    int n_forms = 0; /* two: the boxes differ in scale alone */
    while (fgets(line, sizeof line, page)) n_forms += strncmp(line, "{\"corners\"", 10) == 0;
    fclose(page);
    assert_int_equal(n_forms, 2);
    remove("parts.h5");
    remove("parts.html");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_of_a_mesh),
        cmocka_unit_test(faults),
        cmocka_unit_test(rounded_shapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
