/* Meshes and height fields: what is refused, that triangles know each other, that none near a box
 * is missed. */
#include "shapes/mesh.h"
#include "support/meshes.h"

/* ---- what is refused ---- */

static scree_status make(test_host* host, int32_t n_points, const double* points,
                         int32_t n_triangles, const int32_t* corners)
{
    scree_env env = test_env(host);
    scree_mesh* mesh = NULL;
    scree_status status = scree_mesh_create(&env, n_points, points, n_triangles, corners, &mesh);
    assert_true((status == SCREE_OK) == (mesh != NULL));
    scree_mesh_destroy(mesh);
    assert_int_equal(host->n_held, 0);
    return status;
}

static const double square[] = {0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0};

static void bad_meshes_get_one_line(void** state)
{
    (void)state;
    static const struct {
        int32_t corner[6];
        const char* text;
    } cases[] = {
        {{0, 1, 4, 0, 2, 3}, "mesh: triangle 0 names point 4 of 4"},
        {{0, 1, 2, 0, -1, 3}, "mesh: triangle 1 names point -1 of 4"},
        {{0, 1, 2, 0, 2, 2}, "mesh: triangle 1 has no area"},
        {{0, 1, 2, 0, 3, 2}, "mesh: triangles 0 and 1 run along"}, /* turned over */
        {{0, 1, 2, 1, 2, 0}, "mesh: triangles 0 and 1 run along"}, /* double */
    };
    test_host host;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        assert_int_equal(make(&host, 4, square, 2, cases[i].corner), SCREE_ERROR_INPUT);
        require(strncmp(host.text, cases[i].text, strlen(cases[i].text)) == 0 && host.n_logged == 1,
                "'%s' is not '%s'", host.text, cases[i].text);
    }
    double bad[12];
    const int32_t corner[6] = {0, 1, 2, 0, 2, 3};
    memcpy(bad, square, sizeof bad);
    bad[7] = NAN;
    assert_int_equal(make(&host, 4, bad, 2, corner), SCREE_ERROR_INPUT);
    assert_string_equal(host.text, "mesh: point 2 is not finite");
    for (int k = 0; k < 3; ++k) bad[6 + k] = 0.5 * (square[k] + square[3 + k]);
    assert_int_equal(make(&host, 4, bad, 2, corner), SCREE_ERROR_INPUT);
    assert_string_equal(host.text, "mesh: triangle 0 has no area");
    assert_int_equal(make(&host, 4, square, 0, corner), SCREE_ERROR_INPUT);
    assert_int_equal(make(&host, 4, square, INT32_MAX, corner), SCREE_ERROR_INPUT);
    assert_int_equal(make(&host, -1, square, 2, corner), SCREE_ERROR_ARGUMENT);
    assert_int_equal(make(&host, 4, square, 2, corner), SCREE_OK);
    for (long k = 0; k < 20; ++k) { /* whichever allocation fails */
        scree_env env = test_env(&host);
        scree_mesh* mesh = NULL;
        host.fail_at = k;
        scree_status status = scree_mesh_create(&env, 4, square, 2, corner, &mesh);
        scree_mesh_destroy(mesh);
        assert_true(status == SCREE_OK || status == SCREE_ERROR_MEMORY);
        assert_int_equal(host.n_held, 0);
    }
}

static void bad_heights_get_one_line(void** state)
{
    (void)state;
    test_host host;
    scree_env env = test_env(&host);
    scree_mesh* mesh = NULL;
    const double origin[2] = {0.0, 0.0}, spacing[2] = {1.0, 1.0}, none[2] = {1.0, 0.0};
    double z[6] = {0.0, 1.0, 2.0, 3.0, NAN, 5.0};
    assert_int_equal(scree_mesh_create_heights(&env, 3, 2, origin, spacing, z, &mesh),
                     SCREE_ERROR_INPUT);
    assert_string_equal(host.text,
                        "heights: row 1, column 1 has none; holes are to be filled before");
    z[4] = 4.0;
    assert_int_equal(scree_mesh_create_heights(&env, 3, 2, origin, none, z, &mesh),
                     SCREE_ERROR_INPUT);
    assert_int_equal(scree_mesh_create_heights(&env, 3, 1, origin, spacing, z, &mesh),
                     SCREE_ERROR_INPUT);
    assert_int_equal(scree_mesh_create_heights(&env, 1000000, 1000000, origin, spacing, z, &mesh),
                     SCREE_ERROR_INPUT);
    assert_int_equal(scree_mesh_create_heights(&env, 3, 2, origin, spacing, NULL, &mesh),
                     SCREE_ERROR_ARGUMENT);
    assert_null(mesh);
    assert_int_equal(host.n_held, 0);
}

/* ---- neighbours ---- */

static double bumps(double x, double y)
{
    return 0.2 * sin(5.0 * x) * cos(3.0 * y);
}

static void corners_of_side(const scree_mesh* m, int32_t side, int32_t ends[2])
{
    int32_t corner[3];
    scri_mesh_corners(m, side / 3, corner);
    ends[0] = corner[side % 3];
    ends[1] = corner[(side + 1) % 3];
}

/* Every side has its twin, which runs the other way; sides without one are those of the rim. */
static void triangles_know_each_other(void** state)
{
    (void)state;
    scri_random random = test_seed("triangles_know_each_other", 181);
    scree_mesh* mesh[2] = {mesh_of_cells(&random, 12, 1.0, 0.3, bumps), heights_of(12, 1.0, bumps)};
    for (int k = 0; k < 2; ++k) {
        scree_mesh_view view = scree_mesh_get_view(mesh[k]);
        int32_t rim = 0;
        assert_int_equal(view.n_triangles, 288);
        for (int32_t s = 0; s < 3 * view.n_triangles; ++s) {
            int32_t twin = scri_mesh_twin(mesh[k], s), ends[2], others[2];
            rim += twin < 0;
            if (twin < 0) continue;
            corners_of_side(mesh[k], s, ends);
            corners_of_side(mesh[k], twin, others);
            assert_int_equal(scri_mesh_twin(mesh[k], twin), s);
            assert_true(ends[0] == others[1] && ends[1] == others[0]);
        }
        assert_int_equal(rim, 48);
        scree_mesh_destroy(mesh[k]);
    }
}

/* Points with the same place are one, so that triangles with corners of their own are joined. */
static void points_in_one_place_are_one(void** state)
{
    (void)state;
    double soup[18];
    const int32_t of[6] = {0, 1, 2, 0, 2, 3}, corner[6] = {0, 1, 2, 3, 4, 5};
    for (int i = 0; i < 6; ++i) memcpy(soup + 3 * i, square + 3 * of[i], 3 * sizeof(double));
    soup[9] = -0.0;
    scree_mesh* mesh = NULL;
    assert_int_equal(scree_mesh_create(NULL, 6, soup, 2, corner, &mesh), SCREE_OK);
    assert_int_equal(scri_mesh_twin(mesh, 2), 3);
    scree_mesh_destroy(mesh);
}

/* ---- search ---- */

static int mark(void* user, int32_t t)
{
    ++((int*)user)[t];
    return 0;
}

static void none_near_a_box_is_missed(void** state)
{
    (void)state;
    scri_random random = test_seed("none_near_a_box_is_missed", 182);
    scree_mesh* mesh[2] = {mesh_of_cells(&random, 16, 1.0, 0.3, bumps), heights_of(16, 1.0, bumps)};
    int cases = test_cases(500, 20000);
    int* seen = test_take(512, sizeof(int));
    for (int i = 0; i < cases; ++i) {
        const scree_mesh* m = mesh[i % 2];
        double lower[3], upper[3];
        for (int k = 0; k < 3; ++k) {
            lower[k] = draw_between(&random, -1.2, 1.2) * (k == 2 ? 0.2 : 1.0);
            upper[k] = lower[k] + draw_power(&random, -3.0, 0.0);
        }
        if (i % 5 == 0) lower[0] = upper[0] = -1.0 + 0.125 * draw_below(&random, 17);
        memset(seen, 0, 512 * sizeof *seen);
        scri_mesh_search(m, lower, upper, mark, seen);
        for (int32_t t = 0; t < 512; ++t) {
            int32_t corner[3];
            double from[3] = {9.0, 9.0, 9.0}, to[3] = {-9.0, -9.0, -9.0}, x[3];
            scree_mesh_triangle(m, t, corner);
            for (int k = 0; k < 9; ++k) {
                scree_mesh_point(m, corner[k / 3], x);
                from[k % 3] = fmin(from[k % 3], x[k % 3]);
                to[k % 3] = fmax(to[k % 3], x[k % 3]);
            }
            int meets = 1;
            for (int k = 0; k < 3; ++k) {
                int is_above = k == 2 && i % 2 == 1; /* of a height field, what is above too */
                meets &= to[k] >= lower[k] && (is_above || from[k] <= upper[k]);
            }
            require(seen[t] == meets, "case %d: triangle %d was seen %d times, not %d", i, (int)t,
                    seen[t], meets);
        }
    }
    free(seen);
    scree_mesh_destroy(mesh[0]);
    scree_mesh_destroy(mesh[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_meshes_get_one_line),   cmocka_unit_test(bad_heights_get_one_line),
        cmocka_unit_test(triangles_know_each_other), cmocka_unit_test(points_in_one_place_are_one),
        cmocka_unit_test(none_near_a_box_is_missed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
