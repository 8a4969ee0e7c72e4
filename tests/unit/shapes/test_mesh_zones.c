/* Zones of surfaces: what is refused, and which one a place is in. */
#include "shapes/mesh.h"
#include "support/meshes.h"

static void bad_zones_are_refused(void** state)
{
    (void)state;
    static const int32_t good[9] = {0, 1, 2, 0, 1, 2, 0, 1, SCREE_MESH_ZONES - 1};
    int32_t bad[9] = {0};
    test_host host;
    scree_env env = test_env(&host);
    const double origin[2] = {0.0, 0.0}, spacing[2] = {1.0, 1.0}, heights[9] = {0.0};
    scree_mesh* mesh = NULL;
    assert_int_equal(scree_mesh_create_heights(&env, 3, 3, origin, spacing, heights, &mesh),
                     SCREE_OK);
    assert_null(scree_mesh_get_view(mesh).zones);
    assert_int_equal(scri_mesh_zone(mesh, 0, (scri_vec){0.0, 0.0, 0.0}), 0);
    assert_int_equal(scree_mesh_set_zones(mesh, 8, good), SCREE_ERROR_INPUT);
    assert_string_equal(host.text, "zones: 8 numbers for 9 points");
    bad[4] = -1;
    assert_int_equal(scree_mesh_set_zones(mesh, 9, bad), SCREE_ERROR_INPUT);
    assert_string_equal(host.text, "zones: number 4 is -1, not from 0 to 65535");
    bad[4] = SCREE_MESH_ZONES;
    assert_int_equal(scree_mesh_set_zones(mesh, 9, bad), SCREE_ERROR_INPUT);
    assert_int_equal(scree_mesh_set_zones(NULL, 9, good), SCREE_ERROR_ARGUMENT);
    assert_int_equal(scree_mesh_set_zones(mesh, 9, NULL), SCREE_ERROR_ARGUMENT);
    assert_null(scree_mesh_get_view(mesh).zones);
    host.fail_at = host.n_asked;
    assert_int_equal(scree_mesh_set_zones(mesh, 9, good), SCREE_ERROR_MEMORY);
    host.fail_at = -1;
    for (int k = 0; k < 2; ++k) assert_int_equal(scree_mesh_set_zones(mesh, 9, good), SCREE_OK);
    assert_memory_equal(scree_mesh_get_view(mesh).zones, good, sizeof good);
    scree_mesh_destroy(mesh);
    assert_int_equal(host.n_held, 0);
}

/* The point of the raster that is nearest, by looking at all of them. */
static void height_fields_have_the_zone_of_the_nearest_point(void** state)
{
    (void)state;
    enum { COLUMNS = 5, ROWS = 4 };
    scri_random random = test_seed("height_fields_have_the_zone_of_the_nearest_point", 61);
    const double origin[2] = {-3.0, 7.0}, spacing[2] = {0.5, 2.0};
    const double heights[COLUMNS * ROWS] = {0.0};
    int32_t zones[COLUMNS * ROWS];
    scree_mesh* mesh = NULL;
    assert_int_equal(
        scree_mesh_create_heights(NULL, COLUMNS, ROWS, origin, spacing, heights, &mesh), SCREE_OK);
    for (int32_t i = 0; i < COLUMNS * ROWS; ++i) zones[i] = i;
    assert_int_equal(scree_mesh_set_zones(mesh, COLUMNS * ROWS, zones), SCREE_OK);
    for (int i = 0; i < 2000; ++i) { /* beyond the rim too */
        scri_vec at = {draw_between(&random, -4.0, 0.0), draw_between(&random, 5.0, 15.0), 0.0};
        int32_t best = 0;
        double least = SCREE_INFINITY;
        for (int32_t k = 0; k < COLUMNS * ROWS; ++k) {
            double dx = (at.x - origin[0]) / spacing[0] - k % COLUMNS;
            double dy = (at.y - origin[1]) / spacing[1] - (double)(k / COLUMNS);
            if (!(dx * dx + dy * dy < least)) continue;
            least = dx * dx + dy * dy;
            best = k;
        }
        int32_t zone = scri_mesh_zone(mesh, 0, at);
        require(zone == best, "%g, %g: zone %d, not %d", at.x, at.y, (int)zone, (int)best);
    }
    scree_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_zones_are_refused),
        cmocka_unit_test(height_fields_have_the_zone_of_the_nearest_point),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
