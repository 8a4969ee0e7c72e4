/* Surfaces in files: every format gives the same pyramid or raster, every fault one line; scenes
 * name files, recordings hold what they gave. */
#include "base/env.h"
#include "io/mesh_file.h"
#include "io/scene_reader.h"
#include "unit/io/recording_runs.h"

/* ---- formats ---- */

static scree_status parse(test_host* host, const char* name, const char* bytes, size_t size,
                          scree_mesh** out)
{
    scree_env env = test_env(host);
    scri_arena* arena = scri_arena_create(&env);
    scri_mesh_source from = {&env, arena, name, bytes, size, SCREE_HOLES_REFUSE, 0.0};
    scri_mesh_data data;
    *out = NULL;
    scree_status status = scri_mesh_parse(&from, &data);
    if (!status) status = scri_mesh_make(NULL, &data, out);
    scri_arena_destroy(arena);
    assert_int_equal(host->n_held, 0);
    return status;
}

static const double pyramid[4][3] = {
    {0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.5}};
static const int32_t sides[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};

static void check_pyramid(test_host* host, const char* name, const char* bytes, size_t size)
{
    scree_mesh* mesh;
    scree_status status = parse(host, name, bytes, size, &mesh);
    require(status == SCREE_OK, "%s: %s", name, host->text);
    assert_int_equal(scree_mesh_get_view(mesh).n_triangles, 4);
    for (int32_t t = 0; t < 4; ++t) {
        int32_t corner[3];
        double x[3];
        scree_mesh_triangle(mesh, t, corner);
        for (int k = 0; k < 3; ++k) {
            scree_mesh_point(mesh, corner[k], x);
            assert_memory_equal(x, pyramid[sides[t][k]], sizeof x);
        }
    }
    scree_mesh_destroy(mesh);
}

static void put_word(char* to, uint64_t word, int size, int is_big)
{
    for (int k = 0; k < size; ++k) to[k] = (char)(word >> 8 * (is_big ? size - 1 - k : k));
}

static void put_single(char* to, double value, int is_big)
{
    float single = (float)value;
    uint32_t word;
    memcpy(&word, &single, sizeof word);
    put_word(to, word, 4, is_big);
}

static void every_format_gives_the_same(void** state)
{
    (void)state;
    static const char obj[] =
        "# a pyramid\no p\nv 0 0 0\nv 1 0 0 1 1 1\nv 0 1 0\nv 0 0 1.5\n"
        "vn 0 0 1\nf 1/1/1 3//1 2\nf 1 2 4\nusemtl red\nf -3 -2 -1\nf 3 1 4\n";
    static const char ply[] = "ply\nformat ascii 1.0\ncomment none\nelement vertex 4\n"
                              "property float x\nproperty double y\nproperty float z\n"
                              "property uchar red\nelement face 4\n"
                              "property list uchar int vertex_indices\nend_header\n"
                              "0 0 0 9\n1 0 0 9\n0 1 0 9\n0 0 1.5 9\n"
                              "3 0 2 1\n3 0 1 3\n3 1 2 3\n3 2 0 3\n";
    test_host host;
    check_pyramid(&host, "a.obj", obj, strlen(obj));
    check_pyramid(&host, "a.PLY", ply, strlen(ply));
    char text[2048] = "solid p\n", bytes[84 + 4 * 50] = "made here";
    put_word(bytes + 80, 4, 4, 0);
    for (int i = 0; i < 12; ++i) {
        const double* x = pyramid[sides[i / 3][i % 3]];
        size_t n = strlen(text);
        snprintf(text + n, sizeof text - n, "%svertex %g %g %g\n%s",
                 i % 3 ? "" : "facet normal 0 0 0\nouter loop\n", x[0], x[1], x[2],
                 i % 3 == 2 ? "endloop\nendfacet\n" : "");
        for (int k = 0; k < 3; ++k) {
            put_single(bytes + 84 + 50 * (i / 3) + 12 * (i % 3 + 1) + 4 * k, x[k], 0);
        }
    }
    check_pyramid(&host, "text.stl", text, strlen(text));
    check_pyramid(&host, "bytes.stl", bytes, sizeof bytes);
    for (int is_big = 0; is_big < 2; ++is_big) {
        char file[1024];
        int n = snprintf(file, sizeof file,
                         "ply\nformat binary_%s_endian 1.0\nelement vertex 4\nproperty float x\n"
                         "property float y\nproperty float z\nproperty short k\nelement face 4\n"
                         "property list uchar uint vertex_index\nend_header\n",
                         is_big ? "big" : "little");
        for (int i = 0; i < 4; ++i, n += 14) {
            for (int k = 0; k < 3; ++k) put_single(file + n + 4 * k, pyramid[i][k], is_big);
            put_word(file + n + 12, 7, 2, is_big);
        }
        for (int i = 0; i < 4; ++i, n += 13) {
            file[n] = 3;
            for (int k = 0; k < 3; ++k) {
                put_word(file + n + 1 + 4 * k, (uint64_t)sides[i][k], 4, is_big);
            }
        }
        check_pyramid(&host, is_big ? "big.ply" : "little.ply", file, (size_t)n);
    }
}

static void rasters_give_heights(void** state)
{
    (void)state;
    static const char asc[] = "NCOLS 3\nnrows 2\nxllcorner 10\nyllcorner 20\ncellsize 2\n"
                              "NODATA_value -9999\n4 5 6\n1 2 3\n";
    static const char xyz[] = "# x y z\n11 21 1\n13 21 2\n15 21 3\n15 23 6\n13 23 5\n11 23 4\n";
    test_host host;
    scree_mesh* mesh;
    for (int k = 0; k < 2; ++k) {
        scree_status status =
            parse(&host, k ? "a.xyz" : "a.asc", k ? xyz : asc, strlen(k ? xyz : asc), &mesh);
        require(status == SCREE_OK, "%s", host.text);
        scree_mesh_view v = scree_mesh_get_view(mesh);
        assert_true(v.columns == 3 && v.rows == 2 && v.origin[0] == 11.0 && v.origin[1] == 21.0);
        assert_true(v.spacing[0] == 2.0 && v.spacing[1] == 2.0);
        for (int i = 0; i < 6; ++i) assert_true(v.heights[i] == i + 1.0);
        scree_mesh_destroy(mesh);
    }
}

/* ---- faults ---- */

static void every_fault_gets_one_line(void** state)
{
    (void)state;
    static const struct {
        const char *name, *text, *said;
    } cases[] = {
        {"a.txt", "",
         "a.txt: the name of a surface ends with .obj, .stl, .ply, .asc, .tif, .tiff or .xyz"},
        {"a.obj", "", "a.obj: 0 points and 0 triangles"},
        {"a.obj", "v 0 0\n", "a.obj:"},
        {"a.obj", "v 0 0 0\nv 1 0 0\nf 1 2\n", "a.obj:3: a face with 2 corners"},
        {"a.obj", "v 0 0 0\nf 1 2 3\n", "a.obj:2: a face names a point that is not among the 1"},
        {"a.obj", "v 0 0 0\nf -2 1 1\n", "a.obj:2: a face names a point"},
        {"a.stl", "nothing", "a.stl: neither text that begins with 'solid' nor"},
        {"a.stl", "solid vertex 1 2 3", "a.stl: 1 vertices are no triangles"},
        {"a.ply", "plx", "a.ply:1: PLY: the file does not begin with 'ply'"},
        {"a.ply", "ply\nformat gzip 1.0\n", "a.ply:2: PLY: the format is not ascii"},
        {"a.ply", "ply\nformat ascii 1.0\nelement vertex 4000000000\n", "a.ply:3:"},
        {"a.ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\n1\n",
         "a.ply:5: PLY: vertices need x, y and z"},
        {"a.asc", "ncols 3\nnrows 2\n1 2 3\n", "a.asc:2: the head of an ESRI grid has"},
        {"a.asc", "ncols 1000000\nnrows 1000000\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2\n",
         "a.asc:"},
        {"a.asc",
         "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\nnodata_value -1\n1 2\n-1 4\n",
         "a.asc: 1 cells have no height, the first in row 2, column 1"},
        {"a.xyz", "1 2 3 4", "a.xyz: 4 numbers are no points x y z"},
        {"a.xyz", "0 0 1\n1 0 1\n0 1 1\n0.3 0.6 1\n", "a.xyz: point 4 at x = 0.3"},
        {"a.xyz", "0 0 1\n1 0 1\n0 1 1\n0 1 1\n", "a.xyz: 1 cells have no height"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        test_host host;
        scree_mesh* mesh;
        scree_status status =
            parse(&host, cases[i].name, cases[i].text, strlen(cases[i].text), &mesh);
        require(status == SCREE_ERROR_INPUT || status == SCREE_ERROR_FORMAT, "case %zu: status %d",
                i, (int)status);
        require(host.n_logged == 1 && strncmp(host.text, cases[i].said, strlen(cases[i].said)) == 0,
                "case %zu said: %s", i, host.text);
    }
}

static void write_file(const char* path, const char* text)
{
    FILE* file = fopen(path, "w");
    require(file && fputs(text, file) >= 0 && fclose(file) == 0, "cannot write %s", path);
}

/* What was read outlives the reader, in the memory of the host. */
static void files_become_meshes_and_hulls(void** state)
{
    (void)state;
    write_file("meshes-read.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1.5\n"
                                  "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n");
    write_file("meshes-read-bad.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n");
    write_file("meshes-read.asc", "ncols 2\nnrows 2\nxllcenter 0\nyllcenter 0\ncellsize 1\n"
                                  "0 0\n0 0\n");
    test_host host;
    scree_env env = test_env(&host);
    scree_mesh* mesh = NULL;
    scree_hull* hull = NULL;
    check(scree_mesh_read(&env, "meshes-read.obj", &mesh), "mesh", &host);
    check(scree_hull_read(&env, "meshes-read.obj", &hull), "hull", &host);
    assert_int_equal(scree_mesh_get_view(mesh).n_triangles, 4);
    assert_int_equal(scree_hull_get_view(hull).n_corners, 4);
    scree_mesh_destroy(mesh);
    scree_hull_destroy(hull);
    assert_int_equal(host.n_held, 0);

    assert_int_equal(scree_mesh_read(&env, "meshes-read-bad.obj", &mesh), SCREE_ERROR_INPUT);
    assert_string_equal(host.text, "meshes-read-bad.obj: mesh: triangle 0 has no area");
    assert_int_equal(scree_hull_read(&env, "meshes-read.asc", &hull), SCREE_ERROR_INPUT);
    assert_string_equal(host.text, "meshes-read.asc: a raster has no hull");
    assert_int_equal(scree_mesh_read(&env, NULL, &mesh), SCREE_ERROR_ARGUMENT);
    assert_int_equal(scree_hull_read(&env, "meshes-read.obj", NULL), SCREE_ERROR_ARGUMENT);
    assert_null(mesh);
    assert_null(hull);
    assert_int_equal(host.n_held, 0);

    assert_int_equal(scree_mesh_read(NULL, "meshes-read.asc", &mesh), SCREE_OK);
    scree_mesh_destroy(mesh);
}

/* ---- scenes and recordings ---- */

static scree_status read_stub(const scree_env* env, const char* path, char** bytes, size_t* size)
{
    static const char ground[] = "ncols 3\nnrows 3\nxllcenter -1\nyllcenter -1\ncellsize 1\n"
                                 "0.1 0 0.1\n0 0 0\n0.1 0 0.1\n";
    static const char rock[] = "v 0.1 0 0\nv -0.1 0 0\nv 0 0.1 0\nv 0 0 0.1\nf 1 2 3\nf 1 2 4\n";
    const char* text = strstr(path, ".asc") ? ground : strstr(path, "flat") ? "v 0" : rock;
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

#define HEAD "materials: {rock: {mu: 0.5}}\n"

static void scenes_name_files(void** state)
{
    (void)state;
    static const char* const faults[][2] = {
        {HEAD "bodies: [{name: a, shape: {type: mesh, file: a.asc}}]\n",
         "folder/s.yaml:2:27: a mesh has no mass; its body must be static or kinematic"},
        {HEAD "bodies: [{name: a, kind: static, shape: {type: mesh}}]\n",
         "folder/s.yaml:2:41: a mesh needs 'file'"},
        {HEAD "bodies: [{name: a, shape: {type: hull, file: a.asc}}]\n",
         "folder/s.yaml:2:46: a raster has no hull"},
        {HEAD "bodies: [{name: a, shape: {type: hull, file: a.obj, points: [[0, 0, 0]]}}]\n",
         "folder/s.yaml:2:46: a hull has either points or a file"},
        {HEAD "bodies: [{name: a, kind: static, shape: {type: mesh, file: flat.obj}}]\n",
         "folder/flat.obj:1:"},
        {HEAD "bodies: [{name: a, kind: static, shape: {type: mesh, file: a.obj}}]\n",
         "folder/s.yaml:2:60: mesh: triangles 0 and 1 run along their common edge"},
    };
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; ++i) {
        test_host host;
        scree_env env = test_env(&host);
        scree_scene* scene = NULL;
        assert_int_not_equal(parse_scene(&env, faults[i][0], &scene), SCREE_OK);
        require(strncmp(host.text, faults[i][1], strlen(faults[i][1])) == 0, "case %zu said: %s", i,
                host.text);
        assert_int_equal(host.n_held, 0);
    }
}

static void recordings_hold_meshes(void** state)
{
    (void)state;
    static const char text[] =
        HEAD "bodies:\n"
             "  - {name: ground, kind: static, shape: {type: mesh, file: ground.asc}}\n"
             "  - {name: rock, density: 1000, position: [0.1, 0.2, 0.3], shape: {type: hull, file: "
             "r.obj}}\n"
             "stop: {time: 0.05}\n"
             "output: {interval: 0.01}\n";
    run r;
    r.env = test_env(&r.host);
    check(parse_scene(&r.env, text, &r.scene), "scene", &r.host);
    record_scene(&r, "meshes.h5");
    test_host host;
    scree_env env;
    scree_recording* recording = open_recording("meshes.h5", &host, &env);
    scree_recording_info info = scree_recording_get_info(recording);
    scree_world_view view = scree_simulation_view(r.simulation);
    assert_int_equal(info.n_meshes, 1);
    assert_non_null(info.shapes[0].mesh);
    scree_mesh_view read = scree_mesh_get_view(info.shapes[0].mesh);
    scree_mesh_view written = scree_mesh_get_view(view.shape_mesh[0]);
    assert_int_equal(read.n_points, written.n_points);
    assert_memory_equal(read.heights, written.heights, 9 * sizeof(double));
    assert_memory_equal(read.origin, written.origin, sizeof read.origin);
    check(scree_export_page(&env, recording, "meshes.html"), "page", &host);
    scree_recording_close(recording);
    assert_int_equal(host.n_held, 0);
    end_run(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_format_gives_the_same),
        cmocka_unit_test(rasters_give_heights),
        cmocka_unit_test(every_fault_gets_one_line),
        cmocka_unit_test(scenes_name_files),
        cmocka_unit_test(recordings_hold_meshes),
        cmocka_unit_test(files_become_meshes_and_hulls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
