/* Convex parts of closed meshes: figures made of boxes are exact, round ones within their bound. */
#include "math/vec.h"
#include "scree/shape.h"
#include "support/draw.h"
#include "support/test.h"

enum { MOST_POINTS = 2000, MOST_TRIANGLES = 4000, MOST_PARTS = 64 };

typedef struct figure {
    int32_t n_points, n_triangles;
    double points[3 * MOST_POINTS];
    int32_t corners[3 * MOST_TRIANGLES];
} figure;

static figure f;

static int32_t add_point(double x, double y, double z)
{
    double* p = f.points + 3 * f.n_points;
    p[0] = x, p[1] = y, p[2] = z;
    return f.n_points++;
}

static void add_triangle(int32_t a, int32_t b, int32_t c)
{
    int32_t* t = f.corners + 3 * f.n_triangles++;
    t[0] = a, t[1] = b, t[2] = c;
}

static void add_square(int32_t a, int32_t b, int32_t c, int32_t d)
{
    add_triangle(a, b, c);
    add_triangle(a, c, d);
}

/* Cubes of side 1 in a plan of rows: the sides that no other cube covers. */
static void make_of_cubes(const char* const* plan)
{
    f.n_points = f.n_triangles = 0;
    for (int row = 0; plan[row]; ++row) {
        for (int col = 0; plan[row][col]; ++col) {
            if (plan[row][col] != '#') continue;
            int32_t p[8];
            for (int k = 0; k < 8; ++k) p[k] = add_point(col + (k & 1), row + (k >> 1 & 1), k >> 2);
            add_square(p[0], p[2], p[3], p[1]);
            add_square(p[4], p[5], p[7], p[6]);
            int right = plan[row][col + 1] == '#', left = col > 0 && plan[row][col - 1] == '#';
            int above = plan[row + 1] && plan[row + 1][col] == '#';
            int below = row > 0 && plan[row - 1][col] == '#';
            if (!right) add_square(p[1], p[3], p[7], p[5]);
            if (!left) add_square(p[0], p[4], p[6], p[2]);
            if (!above) add_square(p[2], p[6], p[7], p[3]);
            if (!below) add_square(p[0], p[1], p[5], p[4]);
        }
    }
}

/* A closed line (rho, z) of n points, to the left inside, turned about z in m steps. */
static void make_turned(int n, const double (*line)[2], int m)
{
    f.n_points = f.n_triangles = 0;
    for (int k = 0; k < m; ++k) {
        double angle = 2.0 * SCREE_PI * k / m;
        for (int i = 0; i < n; ++i) {
            add_point(line[i][0] * cos(angle), line[i][0] * sin(angle), line[i][1]);
        }
    }
    for (int k = 0; k < m; ++k) {
        for (int i = 0; i < n; ++i) {
            int32_t a = k * n + i, b = k * n + (i + 1) % n, next = (k + 1) % m - k;
            add_square(a, a + next * n, b + next * n, b);
        }
    }
}

static scree_mesh* make_mesh(void)
{
    scree_mesh* mesh = NULL;
    assert_int_equal(scree_mesh_create(NULL, f.n_points, f.points, f.n_triangles, f.corners, &mesh),
                     SCREE_OK);
    return mesh;
}

static int is_in(const scree_hull* hull, scri_vec x, double slack)
{
    scree_hull_view view = scree_hull_get_view(hull);
    scri_vec d = scri_vec_sub(x, scri_vec_load(view.centre));
    for (int32_t i = 0; i < view.n_faces; ++i) {
        const double* plane = view.planes + 4 * (size_t)i;
        if (!(scri_vec_dot(scri_vec_load(plane), d) <= plane[3] + slack)) return 0;
    }
    return 1;
}

/* Splits the figure; every point of the surface lies in some part, the volumes add up. */
static int32_t expect_parts(const char* what, double error, double bound, double volume)
{
    scri_random random = {.key = 91};
    scree_mesh* mesh = make_mesh();
    scree_hull* parts[MOST_PARTS];
    scree_mass mass;
    int32_t n;
    double left, sum = 0.0;
    assert_int_equal(scree_mesh_mass(NULL, mesh, 1.0, &mass), SCREE_OK);
    require(fabs(mass.mass / volume - 1.0) <= 1e-12, "%s: volume %.15g, not %.15g", what, mass.mass,
            volume);
    assert_int_equal(scree_mesh_split(NULL, mesh, error, MOST_PARTS, parts, &n, &left), SCREE_OK);
    for (int32_t i = 0; i < n; ++i) sum += scree_hull_get_view(parts[i]).volume;
    print_message("%s: %d triangles, %d parts, %.3g in excess\n", what, (int)f.n_triangles, (int)n,
                  left);
    require(fabs(sum / volume - 1.0 - left) <= 1e-9, "%s: %g is stated, %g is so", what, left,
            sum / volume - 1.0);
    require(left >= -1e-9 && left <= bound, "%s: %g in excess", what, left);
    for (int32_t t = 0; t < f.n_triangles; ++t) {
        const int32_t* c = f.corners + 3 * t;
        double u = draw_between(&random, 0.0, 0.5), v = draw_between(&random, 0.0, 0.5);
        scri_vec x = {0.0, 0.0, 0.0};
        const double weight[3] = {1.0 - u - v, u, v};
        for (int k = 0; k < 3; ++k) {
            x = scri_vec_add_scaled(x, weight[k], scri_vec_load(f.points + 3 * c[k]));
        }
        int found = 0;
        for (int32_t i = 0; i < n; ++i) found += is_in(parts[i], x, 1e-8);
        require(found > 0, "%s: triangle %d is in no part", what, (int)t);
    }
    for (int32_t i = 0; i < n; ++i) scree_hull_destroy(parts[i]);
    scree_mesh_destroy(mesh);
    return n;
}

static void figures_of_boxes(void** state)
{
    (void)state;
    const char* const block[] = {"##", "##", NULL};
    const char* const corner[] = {"###", "#  ", "#  ", NULL};
    const char* const trough[] = {"# #", "# #", "###", NULL};
    const char* const cross[] = {" # ", "###", " # ", NULL};
    make_of_cubes(block);
    assert_int_equal(expect_parts("block", 0.0, 1e-9, 4.0), 1);
    make_of_cubes(corner);
    assert_int_equal(expect_parts("L", 1e-6, 1e-9, 5.0), 2);
    make_of_cubes(trough);
    assert_in_range(expect_parts("U", 1e-6, 1e-9, 7.0), 3, 4);
    make_of_cubes(cross);
    assert_in_range(expect_parts("cross", 1e-6, 1e-9, 5.0), 3, 5);
}

/* Twice the area of the line times the way of its middle, for the polygon that turns. */
static double turned_volume(int n, const double (*line)[2], int m)
{
    double sum = 0.0;
    for (int i = 0; i < n; ++i) {
        const double *p = line[i], *q = line[(i + 1) % n];
        sum += (p[0] * q[1] - q[0] * p[1]) * (p[0] + q[0]) / 6.0;
    }
    return fabs(sum) * m * sin(2.0 * SCREE_PI / m);
}

static void figures_that_turn(void** state)
{
    (void)state;
    enum { ROUND = 10 };
    const int around = test_few(16, 8);
    double ring[ROUND][2];
    const double bowl[][2] = {{0.05, 0.0}, {0.5, 0.0}, {1.0, 0.6},
                              {0.8, 0.6},  {0.4, 0.2}, {0.05, 0.2}};
    for (int i = 0; i < ROUND; ++i) {
        ring[i][0] = 1.0 + 0.3 * cos(2.0 * SCREE_PI * i / ROUND);
        ring[i][1] = 0.3 * sin(2.0 * SCREE_PI * i / ROUND);
    }
    make_turned(ROUND, (const double(*)[2])ring, around);
    expect_parts("torus", 0.05, 0.05, turned_volume(ROUND, (const double(*)[2])ring, around));
    make_turned(6, bowl, around);
    double error = test_all() ? 0.05 : 0.2;
    expect_parts("bowl", error, error, turned_volume(6, bowl, around));
}

/* Of two boxes, by hand. */
static void mass_of_an_L(void** state)
{
    (void)state;
    const char* const corner[] = {"##", "# ", NULL};
    make_of_cubes(corner);
    scree_mesh* mesh = make_mesh();
    scree_shape shapes[3];
    scree_mass want, found;
    for (int i = 0; i < 3; ++i) {
        shapes[i] = scree_default_shape();
        shapes[i].kind = SCREE_SHAPE_BOX;
        for (int k = 0; k < 3; ++k) shapes[i].half_size[k] = shapes[i].position[k] = 0.5;
        if (i == 1) shapes[i].position[0] = 1.5;
        if (i == 2) shapes[i].position[1] = 1.5;
    }
    assert_int_equal(scree_shape_mass(NULL, 3, shapes, 7.0, &want), SCREE_OK);
    assert_int_equal(scree_mesh_mass(NULL, mesh, 7.0, &found), SCREE_OK);
    require(fabs(want.mass - found.mass) <= 1e-13 * want.mass, "mass %g", found.mass);
    for (int k = 0; k < 3; ++k) require(fabs(want.centre[k] - found.centre[k]) <= 1e-14, "centre");
    for (int k = 0; k < 6; ++k) {
        require(fabs(want.inertia[k] - found.inertia[k]) <= 1e-12, "inertia[%d] %g, not %g", k,
                found.inertia[k], want.inertia[k]);
    }
    scree_mesh_destroy(mesh);
}

static void refused(void** state)
{
    (void)state;
    const char* const block[] = {"#", NULL};
    scree_hull* parts[4];
    scree_mass mass;
    int32_t n;
    double left;
    make_of_cubes(block);
    f.n_triangles -= 1; /* open */
    scree_mesh* mesh = make_mesh();
    assert_int_equal(scree_mesh_split(NULL, mesh, 0.1, 4, parts, &n, &left), SCREE_ERROR_INPUT);
    assert_int_equal(scree_mesh_mass(NULL, mesh, 1.0, &mass), SCREE_ERROR_INPUT);
    scree_mesh_destroy(mesh);
    make_of_cubes(block);
    for (int32_t t = 0; t < f.n_triangles; ++t) { /* inside out */
        int32_t kept = f.corners[3 * t];
        f.corners[3 * t] = f.corners[3 * t + 1];
        f.corners[3 * t + 1] = kept;
    }
    mesh = make_mesh();
    assert_int_equal(scree_mesh_split(NULL, mesh, 0.1, 4, parts, &n, &left), SCREE_ERROR_INPUT);
    assert_int_equal(scree_mesh_split(NULL, mesh, SCREE_NAN, 4, parts, &n, &left),
                     SCREE_ERROR_INPUT);
    assert_int_equal(scree_mesh_split(NULL, mesh, 0.1, 0, parts, &n, &left), SCREE_ERROR_INPUT);
    assert_int_equal(scree_mesh_split(NULL, NULL, 0.1, 4, parts, &n, &left), SCREE_ERROR_ARGUMENT);
    assert_int_equal(scree_mesh_mass(NULL, mesh, -1.0, &mass), SCREE_ERROR_INPUT);
    scree_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_of_boxes),
        cmocka_unit_test(figures_that_turn),
        cmocka_unit_test(mass_of_an_L),
        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
