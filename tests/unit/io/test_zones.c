/* Zones in scenes: named by a file of the mesh, by a raster, by a list; recordings hold them. */
#include "base/env.h"
#include "io/scene_reader.h"
#include "unit/io/recording_runs.h"

#include <math.h>

#define SQUARE "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"
#define PLY_HEAD                                                                \
    "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\n"               \
    "property float y\nproperty float z\nelement face 1\nproperty int zone\n"   \
    "property list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n1 1 0\n" \
    "0 1 0\n"

static const struct {
    const char *name, *text;
} files[] = {
    {"plain.obj", SQUARE "f 1 2 3 4\n"},
    {"named.obj", SQUARE "f 1 2 3\nusemtl ice\nf 1 3 4\nusemtl\nf 1 4 2\nusemtl wood\n"},
    {"quad.ply", PLY_HEAD "30 4 0 1 2 3\n"},
    {"half.ply", PLY_HEAD "0.5 4 0 1 2 3\n"},
    {"hill.asc", "ncols 2\nnrows 2\nxllcenter 0\nyllcenter 0\ncellsize 1\n0 0\n0 0\n"},
    {"holes.asc",
     "ncols 2\nnrows 2\nxllcenter 0\nyllcenter 0\ncellsize 1\nnodata_value -9\n-9 0\n0 0\n"},
    {"soil.asc", "ncols 2\nnrows 2\nxllcorner 0\nyllcorner -0.5\ncellsize 1\n"
                 "nodata_value -9\n7 -9\n30 8\n"},
};

static scree_status read_stub(const scree_env* env, const char* path, char** bytes, size_t* size)
{
    for (size_t k = 0; k < sizeof files / sizeof files[0]; ++k) {
        if (!strstr(path, files[k].name)) continue;
        *size = strlen(files[k].text);
        *bytes = scri_alloc(env, *size + 1);
        if (!*bytes) return SCREE_ERROR_MEMORY;
        memcpy(*bytes, files[k].text, *size + 1);
        return SCREE_OK;
    }
    return SCREE_ERROR_FILE;
}

static scree_status parse(const scree_env* env, const char* shape, scree_scene** out)
{
    char text[1024];
    snprintf(text, sizeof text,
             "materials: {rock: {}, ice: {}, wood: {}}\n"
             "bodies:\n"
             "  - {name: ball, density: 1, position: [5, 5, 5], shape: {type: sphere, radius: 0.1, "
             "material: "
             "rock}}\n"
             "  - {name: ground, kind: static, shape: {type: mesh, material: rock, %s}}\n"
             "stop: {time: 0.02}\noutput: {interval: 0.01}\n",
             shape);
    scri_scene_text from = {.path = "s.yaml", .text = text, .size = strlen(text)};
    return scri_scene_parse(env, read_stub, &from, out);
}

/* Materials of all places, by way of the zones. */
static void zones_have_materials(void** state)
{
    (void)state;
    enum { ROCK, ICE, WOOD };
    static const struct {
        const char* shape;
        int n;
        int32_t material[4];
    } cases[] = {
        {"file: named.obj, materials: {ice: ice}", 3, {ROCK, ICE, ROCK}},
        {"file: named.obj, materials: {wood: wood, ice: wood}", 3, {ROCK, WOOD, ROCK}},
        {"file: named.obj, zones: [4, 5, 4], materials: {5: ice, 4: wood}", 3, {WOOD, ICE, WOOD}},
        {"file: quad.ply, materials: {30: ice}", 2, {ICE, ICE}},
        {"file: quad.ply, materials: {3: ice}", 2, {ROCK, ROCK}},
        {"file: plain.obj, zones: soil.asc, materials: {30: ice, 8: wood}", 2, {ICE, ROCK}},
        {"file: hill.asc, zones: [0, 1, 1, 2], materials: {1: ice, 2: wood}",
         4,
         {ROCK, ICE, ICE, WOOD}},
        {"file: hill.asc, zones: soil.asc, materials: {30: ice, 8: wood}",
         4,
         {ICE, WOOD, ROCK, ROCK}},
        {"file: holes.asc, holes: open, zones: soil.asc, materials: {30: ice, 8: wood}", 1, {ICE}},
        {"points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]], triangles: [[0, 1, 2], [1, 3, 2]], "
         "zones: [7, 2*3], materials: {6: ice}",
         2,
         {ROCK, ICE}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        test_host host;
        scree_env env = test_env(&host);
        scree_scene* scene = NULL;
        scree_status status = parse(&env, cases[i].shape, &scene);
        require(status == SCREE_OK, "case %zu: %s", i, host.text);
        const scree_shape* shape = &scene->bodies[1].shapes[0];
        scree_mesh_view view = scree_mesh_get_view(shape->mesh);
        assert_non_null(view.zones);
        assert_int_equal(view.columns > 0 ? view.n_points : view.n_triangles, cases[i].n);
        for (int k = 0; k < cases[i].n; ++k) {
            require(view.zones[k] < shape->n_zones, "case %zu: zone %d", i, (int)view.zones[k]);
            int32_t material = shape->zone_material[view.zones[k]];
            require(material == cases[i].material[k], "case %zu, place %d: material %d", i, k,
                    (int)material);
        }
        scree_scene_destroy(scene);
        assert_int_equal(host.n_held, 0);
    }
}

static void faults_get_one_line(void** state)
{
    (void)state;
    static const char* const cases[][2] = {
        {"file: named.obj, zones: soil.asc", "materials: a map of zones and materials is expected"},
        {"file: named.obj, materials: []", "materials: a map of zones and materials is expected"},
        {"file: plain.obj, materials: {1: ice}", "materials: the mesh has no zones; 'zones' names"},
        {"file: named.obj, materials: {ise: ice}",
         "materials: the mesh has no zone 'ise'; did you mean 'ice'?"},
        {"file: named.obj, materials: {ice: ise}", "unknown material 'ise'; did you mean 'ice'?"},
        {"file: quad.ply, materials: {1: ice, 2-1: wood}",
         "materials: zone 2-1 stands there twice"},
        {"file: half.ply, materials: {1: ice}", "PLY: a zone is no whole number"},
        {"file: hill.asc, zones: [1, 2], materials: {1: ice}", "zones: 2 numbers for 4 points"},
        {"file: plain.obj, zones: [1], materials: {1: ice}", "zones: 1 numbers for 2 triangles"},
        {"file: plain.obj, zones: plain.obj, materials: {1: ice}",
         "zones: a raster is expected, or a list of numbers"},
        {"file: plain.obj, zones: none.asc, materials: {1: ice}", "file 'none.asc' cannot be read"},
        {"points: [[0, 0, 0], [1, 0, 0], [0, 1, 0]], triangles: [[0, 1, 3]]",
         "triangles: 3 is no number of a point from 0 to 2"},
        {"points: [[0, 0, 0], [1, 0, 0], [0, 1, 0]]", "a mesh needs 'triangles'"},
        {"points: [[0, 0, 0]], triangles: [[0, 0, 0]]", "mesh: triangle 0 has no area"},
        {"points: [[0, 0, 0]], file: a.obj", "a shape has either points or a file"},
        {"file: plain.obj, decompose: {}, materials: {1: ice}",
         "convex parts of a mesh have one material"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        test_host host;
        scree_env env = test_env(&host);
        scree_scene* scene = NULL;
        assert_int_not_equal(parse(&env, cases[i][0], &scene), SCREE_OK);
        require(strstr(host.text, cases[i][1]) && host.n_logged == 1, "case %zu said: %s", i,
                host.text);
        assert_int_equal(host.n_held, 0);
    }
}

static void recordings_hold_zones(void** state)
{
    (void)state;
    static const char* const shapes[] = {
        "file: named.obj, materials: {ice: ice, wood: wood}",
        "file: hill.asc, zones: soil.asc, materials: {30: ice, 8: wood}",
        "file: hill.asc",
    };
    for (size_t i = 0; i < 3; ++i) {
        run r;
        r.env = test_env(&r.host);
        check(parse(&r.env, shapes[i], &r.scene), "scene", &r.host);
        record_scene(&r, "zones.h5");
        test_host host;
        scree_env env;
        scree_recording* recording = open_recording("zones.h5", &host, &env);
        scree_recording_info info = scree_recording_get_info(recording);
        scree_mesh_view read = scree_mesh_get_view(info.shapes[1].mesh);
        scree_mesh_view written =
            scree_mesh_get_view(scree_simulation_view(r.simulation).shape_mesh[1]);
        assert_true(!read.zones == !written.zones && !read.zones == (i == 2));
        size_t n = (size_t)(read.columns > 0 ? read.n_points : read.n_triangles);
        if (i < 2) assert_memory_equal(read.zones, written.zones, n * sizeof *read.zones);
        check(scree_export_page(&env, recording, "zones.html"), "page", &host);
        scree_recording_close(recording);
        assert_int_equal(host.n_held, 0);
        end_run(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zones_have_materials),
        cmocka_unit_test(faults_get_one_line),
        cmocka_unit_test(recordings_hold_zones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
