/* Hulls: against all planes through three of the points, known solids, and points that make none.
 */
#include "math/vec.h"
#include "scree/shape.h"
#include "support/draw.h"
#include "support/test.h"

#include <math.h>

enum { MOST = 64 };

/* Some points are inside, some double, some in a plane with others. */
static void draw_points(scri_random* random, int n, double* x)
{
    int grid = draw_chance(random, 30.0);
    double far = draw_chance(random, 30.0) ? 1e3 : 0.0;
    for (int i = 0; i < 3 * n; ++i) {
        x[i] = draw_between(random, -1.0, 1.0);
        if (grid) x[i] = 0.5 * draw_below(random, 5) - 1.0;
    }
    if (draw_chance(random, 30.0)) memcpy(x + 3, x, 3 * sizeof *x);
    for (int i = 0; i < 3 * n; ++i) x[i] += far;
}

/* Volume by brute force: a plane through three points with all others on one side carries a face;
 * fans of triangles would count twice, so faces are weighed by their area, found in the plane. */
static double area_in_plane(int n, const double* x, scri_vec o, scri_vec normal, double tolerance)
{
    scri_vec u, v;
    double px[MOST], py[MOST], area = 0.0;
    int m = 0, at = 0;
    scri_vec_tangents(normal, &u, &v);
    for (int i = 0; i < n; ++i) {
        scri_vec d = scri_vec_sub(scri_vec_load(x + 3 * i), o);
        if (fabs(scri_vec_dot(d, normal)) > tolerance) continue;
        px[m] = scri_vec_dot(d, u);
        py[m++] = scri_vec_dot(d, v);
    }
    for (int i = 1; i < m; ++i) {
        if (px[i] < px[at] || (px[i] == px[at] && py[i] < py[at])) at = i;
    }
    for (int first = at, steps = 0; steps < 2 * MOST; ++steps) { /* around, by the least turn */
        int next = at;
        for (int i = 0; i < m; ++i) {
            double dx = px[i] - px[at], dy = py[i] - py[at], ex = px[next] - px[at];
            double ey = py[next] - py[at], turn = ex * dy - ey * dx;
            if (hypot(dx, dy) <= tolerance) continue;
            if (next == at || turn < -tolerance ||
                (fabs(turn) <= tolerance && hypot(dx, dy) > hypot(ex, ey))) {
                next = i;
            }
        }
        area += 0.5 * (px[at] * py[next] - py[at] * px[next]);
        at = next;
        if (hypot(px[at] - px[first], py[at] - py[first]) <= tolerance) break;
    }
    return area;
}

static double brute_volume(int n, const double* x, int32_t* n_faces)
{
    scri_vec found[MOST * 4], inside = {0.0, 0.0, 0.0};
    double volume = 0.0, tolerance = 1e-8;
    *n_faces = 0;
    for (int i = 0; i < n; ++i)
        inside = scri_vec_add_scaled(inside, 1.0 / n, scri_vec_load(x + 3 * i));
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            for (int k = j + 1; k < n; ++k) {
                scri_vec o = scri_vec_load(x + 3 * i);
                scri_vec e = scri_vec_sub(scri_vec_load(x + 3 * j), o);
                scri_vec normal = scri_vec_cross(e, scri_vec_sub(scri_vec_load(x + 3 * k), o));
                double length = scri_vec_length(normal);
                if (!(length > 1e-6)) continue;
                normal = scri_vec_scale(1.0 / length, normal);
                if (scri_vec_dot(normal, scri_vec_sub(o, inside)) < 0.0) {
                    normal = scri_vec_scale(-1.0, normal);
                }
                int seen = 0;
                for (int p = 0; p < n && !seen; ++p) {
                    scri_vec d = scri_vec_sub(scri_vec_load(x + 3 * p), o);
                    seen = scri_vec_dot(d, normal) > tolerance;
                }
                for (int f = 0; f < *n_faces && !seen; ++f) {
                    seen = scri_vec_length(scri_vec_sub(found[f], normal)) < 1e-6;
                }
                if (seen || *n_faces == MOST * 4) continue;
                found[(*n_faces)++] = normal;
                double area = area_in_plane(n, x, o, normal, tolerance);
                volume += area * scri_vec_dot(normal, scri_vec_sub(o, inside)) / 3.0;
            }
        }
    }
    return volume;
}

/* Every point is below every face, every corner of a face on it, and edges have two faces. */
static void check_surface(const scree_hull_view* v, int n, const double* x, int at)
{
    scri_vec centre = scri_vec_load(v->centre);
    int32_t n_sides = v->face_start[v->n_faces];
    for (int32_t f = 0; f < v->n_faces; ++f) {
        scri_vec normal = scri_vec_load(v->planes + 4 * f);
        require(fabs(scri_vec_length(normal) - 1.0) < 1e-14, "case %d: normal", at);
        for (int i = 0; i < n; ++i) {
            scri_vec p = scri_vec_sub(scri_vec_load(x + 3 * i), centre);
            double over = scri_vec_dot(p, normal) - v->planes[4 * f + 3];
            require(over < 1e-8, "case %d: point %d is %g above a face", at, i, over);
        }
        for (int32_t k = v->face_start[f]; k < v->face_start[f + 1]; ++k) {
            scri_vec p = scri_vec_load(v->corners + 3 * v->face_corners[k]);
            double off = fabs(scri_vec_dot(p, normal) - v->planes[4 * f + 3]);
            require(off < 1e-8, "case %d: a corner is off its face by %g", at, off);
        }
    }
    require(v->n_corners - n_sides / 2 + v->n_faces == 2 && n_sides % 2 == 0,
            "case %d: %d corners, %d sides, %d faces", at, (int)v->n_corners, (int)n_sides,
            (int)v->n_faces);
}

static void against_all_planes(void** state)
{
    (void)state;
    scri_random random = test_seed("against_all_planes", 31);
    int n_made = 0;
    for (int i = 0; i < test_size(150, 3000); ++i) {
        double x[3 * MOST];
        int n = 4 + draw_below(&random, 16);
        int32_t n_faces;
        scree_hull* hull;
        draw_points(&random, n, x);
        if (scree_hull_create(NULL, n, x, &hull)) continue; /* flat by chance */
        scree_hull_view v = scree_hull_get_view(hull);
        check_surface(&v, n, x, i);
        double volume = brute_volume(n, x, &n_faces);
        require(fabs(v.volume - volume) <= 1e-9 * (1.0 + volume), "case %d: volume %g, not %g", i,
                v.volume, volume);
        require(v.n_faces == n_faces, "case %d: %d faces, not %d", i, (int)v.n_faces, (int)n_faces);
        scree_hull_destroy(hull);
        ++n_made;
    }
    require(n_made > 100, "%d hulls only", n_made);
}

static void many_points(void** state)
{
    (void)state;
    scri_random random = test_seed("many_points", 32);
    static double x[3 * 2000];
    for (int i = 0; i < 2000; ++i) draw_direction(&random, x + 3 * i);
    scree_hull* hull;
    assert_int_equal(scree_hull_create(NULL, 1000, x, &hull), SCREE_OK);
    scree_hull_view v = scree_hull_get_view(hull);
    assert_int_equal(v.n_corners, 1000); /* on a sphere all are corners */
    check_surface(&v, 1000, x, 0);
    require(v.volume > 4.1 && v.volume < 4.18879, "volume %g", v.volume);
    scree_hull_destroy(hull);
}

/* The hull of a box's corners weighs what the box does, whatever else lies in it. */
static void mass_of_boxes(void** state)
{
    (void)state;
    scri_random random = test_seed("mass_of_boxes", 33);
    for (int i = 0; i < test_cases(200, 5000); ++i) {
        scree_shape box = scree_default_shape(), shape = scree_default_shape();
        scree_mass of_box, of_hull;
        double x[3 * 12], turn[3];
        box.kind = SCREE_SHAPE_BOX;
        draw_direction(&random, turn);
        scri_quat q =
            scri_quat_exp(scri_vec_scale(draw_between(&random, 0.0, 3.0), scri_vec_load(turn)));
        for (int k = 0; k < 3; ++k) {
            box.half_size[k] = draw_between(&random, 0.1, 2.0);
            box.position[k] = draw_between(&random, -3.0, 3.0);
        }
        scri_quat_store(q, box.rotation);
        for (int c = 0; c < 12; ++c) {
            double p[3];
            for (int k = 0; k < 3; ++k) {
                double share = c < 8 ? (c >> k & 1 ? 1.0 : -1.0) : draw_between(&random, -1.0, 1.0);
                p[k] = share * box.half_size[k];
            }
            scri_vec at =
                scri_vec_add(scri_quat_rotate(q, scri_vec_load(p)), scri_vec_load(box.position));
            scri_vec_store(at, x + 3 * c);
        }
        scree_hull* hull;
        assert_int_equal(scree_hull_create(NULL, 12, x, &hull), SCREE_OK);
        scree_hull_view v = scree_hull_get_view(hull);
        assert_int_equal(v.n_corners, 8);
        assert_int_equal(v.n_faces, 6);
        shape.kind = SCREE_SHAPE_HULL;
        shape.hull = hull;
        memcpy(shape.position, v.centre, sizeof shape.position);
        assert_int_equal(scree_shape_mass(NULL, 1, &box, 7.0, &of_box), SCREE_OK);
        assert_int_equal(scree_shape_mass(NULL, 1, &shape, 7.0, &of_hull), SCREE_OK);
        double scale = of_box.inertia[0] + of_box.inertia[1] + of_box.inertia[2];
        require(fabs(of_hull.mass / of_box.mass - 1.0) < 1e-12, "case %d: mass", i);
        for (int k = 0; k < 3; ++k) {
            require(fabs(of_hull.centre[k] - of_box.centre[k]) < 1e-12, "case %d: centre", i);
        }
        for (int k = 0; k < 6; ++k) {
            require(fabs(of_hull.inertia[k] - of_box.inertia[k]) < 1e-12 * scale,
                    "case %d: inertia[%d] = %g, not %g", i, k, of_hull.inertia[k],
                    of_box.inertia[k]);
        }
        shape.half_size[0] = 2.0; /* eight times the mass, 32 times the inertia */
        assert_int_equal(scree_shape_mass(NULL, 1, &shape, 7.0, &of_hull), SCREE_OK);
        require(fabs(of_hull.mass / of_box.mass - 8.0) < 1e-11, "case %d: scaled mass", i);
        require(fabs(of_hull.inertia[0] - 32.0 * of_box.inertia[0]) < 1e-10 * scale, "scaled");
        scree_hull_destroy(hull);
    }
}

static void keep_text(void* user, scree_log_level level, const char* text)
{
    (void)level;
    snprintf(user, 200, "%s", text);
}

static void expect_refused(int n, const double* x, const char* expected)
{
    char text[200] = "";
    scree_env env = {.log = keep_text, .user = text};
    scree_hull* hull;
    assert_int_equal(scree_hull_create(&env, n, x, &hull), SCREE_ERROR_INPUT);
    assert_null(hull);
    assert_string_equal(text, expected);
}

static void bad_points(void** state)
{
    (void)state;
    double x[3 * 8] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0.5, 0.2, 0, 0.3, 0.3, 0};
    expect_refused(3, x, "hull: 3 points; it takes four at least");
    expect_refused(6, x, "hull: all 6 points lie in a plane: it has no volume");
    for (int i = 0; i < 6; ++i) x[3 * i + 1] = 2.0 * x[3 * i];
    expect_refused(6, x, "hull: all 6 points lie in a plane: it has no volume"); /* a line */
    for (int i = 0; i < 24; ++i) x[i] = 0.5;
    expect_refused(8, x, "hull: all 8 points lie in a plane: it has no volume"); /* one point */
    x[7] = SCREE_NAN;
    expect_refused(8, x, "hull: point 2 is not finite");
    scree_hull* hull;
    assert_int_equal(scree_hull_create(NULL, -1, x, &hull), SCREE_ERROR_ARGUMENT);
    assert_int_equal(scree_hull_create(NULL, 8, NULL, &hull), SCREE_ERROR_ARGUMENT);
    scree_shape shape = scree_default_shape();
    scree_mass mass;
    shape.kind = SCREE_SHAPE_HULL;
    assert_int_equal(scree_shape_mass(NULL, 1, &shape, 1.0, &mass), SCREE_ERROR_INPUT);
    scree_hull_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(against_all_planes),
        cmocka_unit_test(many_points),
        cmocka_unit_test(mass_of_boxes),
        cmocka_unit_test(bad_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
