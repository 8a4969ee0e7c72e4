/* What becomes of rasters: means over larger cells, holes spanned, left open or refused, points
 * anywhere laid on cells. Judged by planes, by brute force and by what a membrane obeys. */
#include "io/mesh_file.h"
#include "support/draw.h"
#include "support/meshes.h"
#include "support/test.h"

#include <math.h>

enum { TEXT = 1 << 20 };

/* A file in memory, and what is made of it. */
typedef struct bench {
    test_host host;
    scree_env env;
    scri_arena* arena;
    char* text;
    size_t size;
    scri_mesh_data data;
} bench;

static void begin(bench* b)
{
    b->env = test_env(&b->host);
    b->arena = scri_arena_create(&b->env);
    b->text = test_take(TEXT, 1);
    b->size = 0;
}

static void end(bench* b)
{
    scri_arena_destroy(b->arena);
    free(b->text);
    assert_int_equal(b->host.n_held, 0);
}

static void put(bench* b, const char* format, ...) __attribute__((format(printf, 2, 3)));

static void put(bench* b, const char* format, ...)
{
    va_list values;
    va_start(values, format);
    b->size += (size_t)vsnprintf(b->text + b->size, TEXT - b->size, format, values);
    va_end(values);
    assert_true(b->size < TEXT);
}

static scree_status parse(bench* b, const char* name, scree_holes holes, double cell)
{
    scri_mesh_source from = {&b->env, b->arena, name, b->text, b->size, holes, cell};
    return scri_mesh_parse(&from, &b->data);
}

static void require_parsed(bench* b, const char* name, scree_holes holes, double cell)
{
    scree_status status = parse(b, name, holes, cell);
    require(status == SCREE_OK, "%s: status %d: %s", name, (int)status, b->host.text);
}

/* An ESRI grid with its first point at 10, 20; rows from the south. */
static void put_grid(bench* b, int columns, int rows, double cell, const double* z)
{
    put(b, "ncols %d\nnrows %d\nxllcenter 10\nyllcenter 20\ncellsize %.17g\nnodata_value -9999\n",
        columns, rows, cell);
    for (int row = rows - 1; row >= 0; --row) {
        for (int k = 0; k < columns; ++k) {
            double value = z[row * columns + k];
            put(b, "%.17g ", isnan(value) ? -9999.0 : value);
        }
    }
}

static double plane(double x, double y)
{
    return 3.0 + 0.4 * x - 0.25 * y;
}

static double node(const scri_mesh_data* d, int axis, int64_t i)
{
    return d->origin[axis] + d->spacing[axis] * (double)i;
}

static void require_plane(const scri_mesh_data* d, double most, const char* what)
{
    for (int64_t i = 0; i < (int64_t)d->columns * d->rows; ++i) {
        double wanted = plane(node(d, 0, i % d->columns), node(d, 1, i / d->columns));
        require(fabs(d->heights[i] - wanted) <= most, "%s: node %d is %.12g, wanted %.12g", what,
                (int)i, d->heights[i], wanted);
    }
}

/* ---- larger cells ---- */

/* The mean over a cell by sums over a fine raster of samples. */
static double sampled_mean(const double* z, int columns, double ratio, int column, int row)
{
    enum { FINE = 60 };
    double sum = 0.0;
    for (int k = 0; k < FINE * FINE; ++k) {
        double x = ratio * (column + (k % FINE + 0.5) / FINE);
        double y = ratio * (row + (k / FINE + 0.5) / FINE);
        sum += z[(int)y * columns + (int)x];
    }
    return sum / (FINE * FINE);
}

static void test_coarser(void** state)
{
    (void)state;
    enum { N = 13, M = 9 };
    static const double ratios[] = {1.0, 2.0, 1.5, 3.75};
    scri_random random = test_seed("coarser", 5);
    double z[N * M];
    for (int i = 0; i < N * M; ++i) z[i] = draw_between(&random, -5.0, 5.0);
    for (int k = 0; k < 4; ++k) {
        bench b;
        begin(&b);
        put_grid(&b, N, M, 0.5, z);
        require_parsed(&b, "a.asc", SCREE_HOLES_REFUSE, 0.5 * ratios[k]);
        const scri_mesh_data* d = &b.data;
        assert_int_equal(d->columns, (int)(N / ratios[k]));
        assert_int_equal(d->rows, (int)(M / ratios[k]));
        assert_true(d->spacing[0] == 0.5 * ratios[k]);
        /* the rim of the first cell stays where it is */
        assert_true(fabs(d->origin[0] - 0.5 * d->spacing[0] - 9.75) < 1e-12);
        for (int i = 0; i < d->columns * d->rows; ++i) {
            double wanted = sampled_mean(z, N, ratios[k], i % d->columns, i / d->columns);
            require(fabs(d->heights[i] - wanted) <= 1e-9, "ratio %g, cell %d: %.12g, wanted %.12g",
                    ratios[k], i, d->heights[i], wanted);
        }
        end(&b);
    }
}

static void test_coarser_holes(void** state)
{
    (void)state;
    double none = (double)NAN;
    const double z[16] = {1, 2, none, none, 3, 4, none, 5, 6, 7, 8, 9, 1, 1, none, none};
    bench b;
    begin(&b);
    put_grid(&b, 4, 4, 1.0, z);
    require_parsed(&b, "a.asc", SCREE_HOLES_KEEP, 2.0);
    const double* mean = b.data.heights;
    assert_true(mean[0] == 2.5 && isnan(mean[1]) && mean[2] == 3.75 && mean[3] == 8.5);
    assert_true(parse(&b, "a.asc", SCREE_HOLES_REFUSE, 2.0) == SCREE_ERROR_INPUT);
    end(&b);
}

/* ---- holes ---- */

static void test_fill(void** state)
{
    (void)state;
    enum { N = 24, M = 17 };
    scri_random random = test_seed("fill", 6);
    double z[N * M], low = HUGE_VAL, high = -HUGE_VAL;
    for (int flat = 0; flat < 2; ++flat) {
        for (int i = 0; i < N * M; ++i) {
            int x = i % N, y = i / N, inner = x > 0 && y > 0 && x < N - 1 && y < M - 1;
            bool is_hole =
                inner && ((x > 5 && x < 16 && y > 3 && y < 12) || draw_chance(&random, 5.0));
            z[i] = flat ? plane(10.0 + x, 20.0 + y) : draw_between(&random, -1.0, 1.0);
            if (is_hole) z[i] = (double)NAN;
            if (!is_hole) low = fmin(low, z[i]), high = fmax(high, z[i]);
        }
        bench b;
        begin(&b);
        put_grid(&b, N, M, 1.0, z);
        require_parsed(&b, "a.asc", SCREE_HOLES_FILL, 0.0);
        const double* h = b.data.heights;
        if (flat) require_plane(&b.data, 1e-5, "holes in a plane");
        for (int i = 0; i < N * M; ++i) {
            if (!isnan(z[i])) {
                assert_true(h[i] == z[i]);
                continue;
            }
            double mean = 0.25 * (h[i - 1] + h[i + 1] + h[i - N] + h[i + N]);
            require(fabs(h[i] - mean) <= 1e-6 && h[i] >= low && h[i] <= high,
                    "cell %d: %.9g, about it %.9g", i, h[i], mean);
        }
        assert_true(b.data.n_filled > 70);
        end(&b);
    }
    bench b; /* one height is that of all */
    begin(&b);
    for (int i = 0; i < N * M; ++i) z[i] = (double)NAN;
    z[100] = 7.0;
    put_grid(&b, N, M, 1.0, z);
    require_parsed(&b, "a.asc", SCREE_HOLES_FILL, 0.0);
    for (int i = 0; i < N * M; ++i) assert_true(fabs(b.data.heights[i] - 7.0) < 1e-12);
    end(&b);
}

/* Triangles are those with three heights, and look up. */
static void test_open(void** state)
{
    (void)state;
    double none = (double)NAN;
    const double z[12] = {0, 1, 2, none, 4, 5, 6, 7, none, 9, 10, 11};
    bench b;
    begin(&b);
    put_grid(&b, 4, 3, 1.0, z);
    require_parsed(&b, "a.asc", SCREE_HOLES_KEEP, 0.0);
    scree_mesh* mesh = NULL;
    assert_int_equal(scri_mesh_make(&b.env, &b.data, &mesh), SCREE_OK);
    scree_mesh_view v = scree_mesh_get_view(mesh);
    assert_int_equal(v.columns, 0);
    assert_int_equal(v.n_triangles, 12 - 2); /* one with the corner 3, one with 8 */
    for (int32_t t = 0; t < v.n_triangles; ++t) {
        int32_t corner[3];
        double x[3][3];
        scree_mesh_triangle(mesh, t, corner);
        for (int k = 0; k < 3; ++k) {
            assert_true(corner[k] != 3 && corner[k] != 8);
            scree_mesh_point(mesh, corner[k], x[k]);
        }
        double up =
            (x[1][0] - x[0][0]) * (x[2][1] - x[0][1]) - (x[1][1] - x[0][1]) * (x[2][0] - x[0][0]);
        assert_true(up > 0.0);
    }
    scree_mesh_destroy(mesh);
    end(&b);
}

/* ---- points ---- */

static void put_points(bench* b, scri_random* random, int n, double noise,
                       double (*height)(double x, double y))
{
    for (int i = 0; i < n; ++i) {
        double x = draw_between(random, 100.0, 130.0), y = draw_between(random, -20.0, 0.0);
        put(b, "%.17g %.17g %.17g\n", x, y, height(x, y) + draw_between(random, -noise, noise));
    }
}

static double bowl(double x, double y)
{
    return 0.05 * ((x - 115.0) * (x - 115.0) + (y + 10.0) * (y + 10.0));
}

static void test_points(void** state)
{
    (void)state;
    scri_random random = test_seed("points", 7);
    bench b;
    begin(&b);
    put_points(&b, &random, 2000, 0.0, plane);
    require_parsed(&b, "a.xyz", SCREE_HOLES_REFUSE, 1.0);
    assert_true(b.data.n_gridded == 2000 && b.data.columns == 30 && b.data.rows == 20);
    require_plane(&b.data, 1e-9, "points of a plane");
    assert_true(b.data.off_most < 1e-9);
    end(&b);

    begin(&b); /* the second derivative 0.1 over a reach of 1.5 m: less than 0.1 * 1.5^2 */
    put_points(&b, &random, 4000, 0.0, bowl);
    require_parsed(&b, "a.xyz", SCREE_HOLES_REFUSE, 1.0);
    for (int i = 0; i < b.data.columns * b.data.rows; ++i) {
        double x = node(&b.data, 0, i % b.data.columns), y = node(&b.data, 1, i / b.data.columns);
        require(fabs(b.data.heights[i] - bowl(x, y)) < 0.12, "at %g, %g: %g, wanted %g", x, y,
                b.data.heights[i], bowl(x, y));
    }
    assert_true(b.data.off_most < 0.3 && b.data.off_mean > 0.0 &&
                b.data.off_mean < b.data.off_most);
    end(&b);

    begin(&b); /* noise of a deviation of 1 / sqrt(3) is told, and becomes less in the heights */
    put_points(&b, &random, 6000, 1.0, plane);
    require_parsed(&b, "a.xyz", SCREE_HOLES_REFUSE, 1.0);
    require(fabs(b.data.off_mean - sqrt(1.0 / 3.0)) < 0.05, "%g", b.data.off_mean);
    double sum = 0.0;
    int n = b.data.columns * b.data.rows;
    for (int i = 0; i < n; ++i) {
        double off = b.data.heights[i] - plane(node(&b.data, 0, i % b.data.columns),
                                               node(&b.data, 1, i / b.data.columns));
        sum += off * off / n;
    }
    require(sqrt(sum) < 0.2, "heights are off by %g", sqrt(sum));
    end(&b);
}

/* Where nobody measured is a hole: nodes farther than 1.42 cells from all points. */
static void test_points_holes(void** state)
{
    (void)state;
    scri_random random = test_seed("points", 8);
    bench b;
    begin(&b);
    double* points = test_take(3 * 3000, sizeof *points);
    int n = 0;
    for (int i = 0; i < 3000; ++i) {
        double x = draw_between(&random, 0.0, 30.0), y = draw_between(&random, 0.0, 20.0);
        if ((x - 15.0) * (x - 15.0) + (y - 10.0) * (y - 10.0) < 25.0) continue;
        put(&b, "%.17g %.17g %.17g\n", x, y, plane(x, y));
        points[2 * n] = x, points[2 * n + 1] = y;
        ++n;
    }
    require_parsed(&b, "a.xyz", SCREE_HOLES_KEEP, 1.0);
    int holes = 0;
    for (int i = 0; i < b.data.columns * b.data.rows; ++i) {
        double x = node(&b.data, 0, i % b.data.columns), y = node(&b.data, 1, i / b.data.columns);
        double nearest = HUGE_VAL;
        for (int k = 0; k < n; ++k) {
            nearest = fmin(nearest, hypot(points[2 * k] - x, points[2 * k + 1] - y));
        }
        require(isnan(b.data.heights[i]) == (nearest > 1.42), "node %d, %g m from the next point",
                i, nearest);
        holes += isnan(b.data.heights[i]);
    }
    assert_true(holes > 20);
    require_parsed(&b, "a.xyz", SCREE_HOLES_FILL, 1.0);
    require_plane(&b.data, 1e-4, "filled");
    free(points);
    end(&b);
}

/* ---- faults ---- */

static void test_faults(void** state)
{
    (void)state;
#define HEAD "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\nnodata_value -1\n"
    static const struct {
        const char *name, *text;
        double cell;
        const char* said;
    } cases[] = {
        {"a.asc", HEAD "1 2\n-1 4\n", 0.0,
         "a.asc: 1 cells have no height, the first in row 2, column 1"},
        {"a.asc", HEAD "-1 -1\n-1 -1\n", 0.0, "a.asc: no cell has a height"},
        {"a.asc", HEAD "1 2\n3 4\n", 0.5,
         "a.asc: cells of 0.5 m cannot be made of 2 columns 1 m apart"},
        {"a.asc", HEAD "1 2\n3 4\n", 1.5, "a.asc: cells of 1.5 m cannot be made of 2 columns"},
        {"a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", 1.0, "a.obj: a cell size is for rasters"},
        {"a.xyz", "0 0 1\n1 0 1\n0 1 1\n0.3 0.6 1\n", 0.0,
         "a.xyz: point 4 at x = 0.3, y = 0.6 is on no raster; "
         "say how large cells are to be (cell; 0.5 m for one point each)"},
        {"a.xyz", "0 0 1\n1 0 1\n0 1 1\n0.3 0.6 1\n", 5.0,
         "a.xyz: 4 points over 1 m along x make no raster"},
        {"a.xyz", "0 0 1\n1 0 1\n0 1 1\n0.3 0.6 1\n", 1e-3,
         "a.xyz: 4 points over 1 m along x make no"},
        {"a.xyz", "0 0 1\n0 1 1\n0 2 1\n0 3.5 1\n", 1.0, "a.xyz: 1 values of x make no raster"},
    };
#undef HEAD
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        bench b;
        begin(&b);
        put(&b, "%s", cases[i].text);
        scree_status status = parse(&b, cases[i].name, SCREE_HOLES_REFUSE, cases[i].cell);
        require(status == SCREE_ERROR_INPUT, "case %zu: status %d", i, (int)status);
        require(b.host.n_logged == 1 &&
                    strncmp(b.host.text, cases[i].said, strlen(cases[i].said)) == 0,
                "case %zu said: %s", i, b.host.text);
        end(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_coarser), cmocka_unit_test(test_coarser_holes),
        cmocka_unit_test(test_fill),    cmocka_unit_test(test_open),
        cmocka_unit_test(test_points),  cmocka_unit_test(test_points_holes),
        cmocka_unit_test(test_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
