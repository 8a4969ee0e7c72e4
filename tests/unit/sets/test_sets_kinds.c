/* Planar sets one by one: creation and its faults, degenerate arguments, wedges, measured curves,
 * tensor laws, ellipses by their matrix, and one set inside another. */
#include "scree/set.h"
#include "set_draw.h"
#include "sets/set.h"
#include "support/real.h"

static scree_set* make(scree_set_def def)
{
    test_host host;
    scree_env env = test_env(&host);
    scree_set* set = NULL;
    scree_status status = scree_set_create(&env, &def, &set);
    require(status == SCREE_OK, "%s", host.text);
    scree_set* kept = NULL;
    assert_int_equal(scri_set_clone(NULL, set, &kept), SCREE_OK); /* outlives host */
    scree_set_destroy(set);
    assert_int_equal(host.n_held, 0);
    return kept;
}

#define MAKE(...) make((scree_set_def){__VA_ARGS__})

static void require_equal(double value, double expected, double bound, const char* what)
{
    require(fabs(value - expected) <= bound, "%s is %.17g, not %.17g", what, value, expected);
}

/* ---- creation ---- */

static void require_fault(scree_set_def def, scree_status expected, const char* text)
{
    test_host host;
    scree_env env = test_env(&host);
    scree_set* set = (scree_set*)&host;
    scree_status status = scree_set_create(&env, &def, &set);
    require(status == expected, "status %d instead of %d for: %s", (int)status, (int)expected,
            text);
    assert_null(set);
    assert_int_equal(host.n_logged, 1);
    assert_int_equal(host.n_held, 0);
    require(strstr(host.text, text) != NULL, "\"%s\" does not say \"%s\"", host.text, text);
}

#define FAULT(text, ...) require_fault((scree_set_def){__VA_ARGS__}, SCREE_ERROR_INPUT, text)

static void bad_sizes(void** state)
{
    (void)state;
    const double nan = (double)NAN, inf = (double)INFINITY;
    FAULT("disc: a", .kind = SCREE_SET_DISC);
    FAULT("disc: a", .kind = SCREE_SET_DISC, .a = nan);
    FAULT("disc: a", .kind = SCREE_SET_DISC, .a = -1.0);
    FAULT("disc: a", .kind = SCREE_SET_DISC, .a = 1e-10, .scale = 1e-10);
    FAULT("disc: angle", .kind = SCREE_SET_DISC, .a = 1.0, .angle = inf);
    FAULT("disc: scale", .kind = SCREE_SET_DISC, .a = 1.0, .scale = -1.0);
    FAULT("disc: scale", .kind = SCREE_SET_DISC, .a = 1.0, .scale = nan);
    FAULT("ellipse: b", .kind = SCREE_SET_ELLIPSE, .a = 1.0);
    FAULT("ellipse: a", .kind = SCREE_SET_ELLIPSE, .a = inf, .b = 1.0);
    FAULT("rectangle: b", .kind = SCREE_SET_RECTANGLE, .a = 1.0, .b = 1e20);
    FAULT("superellipse: s", .kind = SCREE_SET_SUPERELLIPSE, .a = 1.0, .b = 1.0);
    FAULT("superellipse: s is nan", .kind = SCREE_SET_SUPERELLIPSE, .a = 1.0, .b = 1.0, .s = nan);
    FAULT("runner: s", .kind = SCREE_SET_RUNNER, .a = 1.0, .b = 1.0);
    FAULT("asperity: a", .kind = SCREE_SET_ASPERITY, .s = 0.1);
    FAULT("inclination s is 1.6", .kind = SCREE_SET_ASPERITY, .a = 0.1, .s = 1.6);
    FAULT("inclination s is -0.1", .kind = SCREE_SET_ASPERITY, .a = 0.1, .s = -0.1);
    FAULT("jam from 1.37638", .kind = SCREE_SET_ASPERITY, .a = 1.4, .s = TEST_PI / 5.0);
}

static void bad_points(void** state)
{
    (void)state;
    static const double square[] = {1.0, 1.0, -1.0, 1.0, -1.0, -1.0, 1.0, -1.0};
    static const double clockwise[] = {1.0, 1.0, 1.0, -1.0, -1.0, -1.0, -1.0, 1.0};
    static const double aside[] = {2.0, 0.0, 3.0, 1.0, 2.0, 1.0};
    static const double on_edge[] = {1.0, 0.0, 0.0, 1.0, -1.0, 0.0};
    static const double twice[] = {1.0, 0.0, 0.0, 1.0, -1.0, -1.0, 1.0, 0.1, 0.0, 1.0, -1.0, -1.1};
    static const double hidden[] = {1.0, 0.0, 1.0, 1.0, 2.0, 1.0, -1.0, 1.0, -1.0, -1.0};
    static const double repeated[] = {1.0, 0.0, 1.0, 0.0, -1.0, 1.0, -1.0, -1.0};
    const double hole[] = {1.0, 1.0, -1.0, (double)NAN, -1.0, -1.0};
    const scree_set_kind polygon = SCREE_SET_POLYGON, polar = SCREE_SET_POLAR;
    FAULT("n is 2", .kind = polygon, .n = 2, .points = square);
    FAULT("point 1 is (-1, nan)", .kind = polygon, .n = 3, .points = hole);
    FAULT("vertex 0 (1, 1) to (1, -1)", .kind = polygon, .n = 4, .points = clockwise);
    FAULT("vertex 2 (2, 1) to (2, 0)", .kind = polygon, .n = 3, .points = aside);
    FAULT("counter-clockwise", .kind = polygon, .n = 3, .points = on_edge);
    FAULT("2 times around", .kind = polygon, .n = 6, .points = twice);
    FAULT("vertex 1 (1, 1) to (2, 1)", .kind = polygon, .n = 5, .points = hidden);
    FAULT("vertex 0 (1, 0) to (1, 0)", .kind = polygon, .n = 4, .points = repeated);
    FAULT("vertex 0 is 1.4", .kind = polygon, .n = 4, .points = square, .scale = 1e15);
    require_fault((scree_set_def){.kind = polygon, .n = 3}, SCREE_ERROR_ARGUMENT, "points is NULL");
    require_fault((scree_set_def){.kind = (scree_set_kind)99}, SCREE_ERROR_ARGUMENT, "kind 99");

    static const double falling[] = {0.0, 1.0, 2.0, 1.0, 1.0, 1.0};
    static const double too_long[] = {0.0, 1.0, 3.0, 1.0, 6.5, 1.0};
    static const double negative[] = {0.0, 1.0, 2.0, -1.0, 4.0, 1.0};
    static const double dips[] = {0.0, 9.0, 0.1, 0.1, 0.2, 9.0, 2.0, 9.0, 4.0, 9.0};
    FAULT("angle 2 is 1 rad: the angles must rise", .kind = polar, .n = 3, .points = falling);
    FAULT("less than a turn", .kind = polar, .n = 3, .points = too_long);
    FAULT("radius 1 (with its scale) is -1", .kind = polar, .n = 3, .points = negative);
    FAULT("more points there", .kind = polar, .n = 5, .points = dips);
}

static void bad_calls(void** state)
{
    (void)state;
    test_host host;
    scree_env env = test_env(&host);
    scree_set_def def = {.kind = SCREE_SET_DISC, .a = 1.0};
    scree_set* set = NULL;
    assert_int_equal(scree_set_create(&env, NULL, &set), SCREE_ERROR_ARGUMENT);
    assert_int_equal(scree_set_create(&env, &def, NULL), SCREE_ERROR_ARGUMENT);
    scree_set_destroy(NULL);
    assert_null(scree_set_kind_name(-1));
    assert_null(scree_set_kind_name(SCREE_SET_KIND_COUNT));
    assert_string_equal(scree_set_kind_name(SCREE_SET_RUNNER), "runner");
}

static void out_of_memory(void** state)
{
    (void)state;
    double points[24];
    for (int i = 0; i < 12; ++i) {
        points[2 * i] = 0.5 * i;
        points[2 * i + 1] = 1.0;
    }
    scree_set_def def = {.kind = SCREE_SET_POLAR, .n = 12, .points = points};
    for (int fail_at = 0; fail_at < 4; ++fail_at) {
        test_host host;
        scree_env env = test_env(&host);
        host.fail_at = fail_at;
        scree_set *set = NULL, *copy = NULL;
        scree_status status = scree_set_create(&env, &def, &set);
        if (!status) status = scri_set_clone(&env, set, &copy);
        assert_int_equal(status, fail_at < 3 ? SCREE_ERROR_MEMORY : SCREE_OK);
        scree_set_destroy(set);
        scree_set_destroy(copy);
        assert_int_equal(host.n_held, 0);
    }
}

/* A turned and enlarged set, its copy, and the same points turned and enlarged by hand. */
static void turned_and_scaled(void** state)
{
    (void)state;
    scri_random random = test_seed("turned and scaled", 510);
    for (int i = 0; i < 400; ++i) {
        drawn_set d = draw_set(&random, (scree_set_kind)(i % SCREE_SET_KIND_COUNT), 0);
        scree_set_def def = drawn_def(&d);
        double scale = def.scale > 0.0 ? def.scale : 1.0, angle = draw_between(&random, 0.0, 6.0);
        def.angle = def.scale = 0.0;
        scree_set *plain = make(def), *copy = NULL;
        assert_int_equal(scri_set_clone(NULL, d.set, &copy), SCREE_OK);
        double r = scree_set_radius(d.set, angle + d.def.angle), s = scree_set_radius(plain, angle);
        double bound = d.def.kind == SCREE_SET_SUPERELLIPSE && d.def.s < 1.0 ? 1e-6 : 1e-10;
        require(fabs(r - scale * s) <= bound * r, "%s: %.17g is not %.17g times %.17g",
                scree_set_kind_name((int)def.kind), r, scale, s);
        assert_true(scree_set_is_convex(plain) == scree_set_is_convex(d.set));
        scree_set_destroy(d.set);
        assert_true(scree_set_radius(copy, angle + d.def.angle) == r);
        scree_set_destroy(copy);
        scree_set_destroy(plain);
    }
}

/* ---- degenerate arguments ---- */

static void zero_and_nan(void** state)
{
    (void)state;
    scri_random random = test_seed("zero and NaN", 511);
    const double zero[2] = {0.0, 0.0}, lost[2] = {1.0, (double)NAN}, one[2] = {0.6, 0.8};
    for (int kind = 0; kind < SCREE_SET_KIND_COUNT; ++kind) {
        drawn_set s = draw_set(&random, (scree_set_kind)kind, 1);
        double g[2], h[3], p[2], d[6], radius, sum;
        assert_true(scri_set_gauge(scri_set_of(s.set), zero, g, h) == 0.0);
        assert_true(g[0] == 0.0 && g[1] == 0.0 && h[0] == 0.0 && h[1] == 0.0 && h[2] == 0.0);
        assert_true(scree_set_support(s.set, zero, p) == 0.0 && p[0] == 0.0 && p[1] == 0.0);
        scree_set_normal(s.set, zero, p);
        assert_true(p[0] == 0.0 && p[1] == 0.0);
        scri_set_project(scri_set_of(s.set), 0.0, one, p, d);
        assert_true(p[0] == 0.0 && p[1] == 0.0 && d[0] == 0.0 && d[3] == 0.0);
        scri_set_support(scri_set_of(s.set), one, g,
                         NULL); /* a set that grows from nothing meets it first */
        assert_true(d[4] == g[0] && d[5] == g[1]);
        scri_set_project(scri_set_of(s.set), 2.0, zero, p, d);
        assert_true(p[0] == 0.0 && p[1] == 0.0 && d[0] == 1.0 && d[3] == 1.0 && d[4] == 0.0);

        assert_true(isnan(scri_set_gauge(scri_set_of(s.set), lost, g, h)));
        assert_true(isnan(g[0]) && isnan(g[1]) && isnan(h[0]) && isnan(h[1]) && isnan(h[2]));
        assert_true(isnan(scri_set_support(scri_set_of(s.set), lost, p, &radius)));
        assert_true(isnan(p[0]) && isnan(p[1]) && isnan(radius));
        scree_set_normal(s.set, lost, p);
        assert_true(isnan(p[0]) && isnan(p[1]));
        assert_true(isnan(scree_set_radius(s.set, (double)NAN)));
        for (int bad = 0; bad < 2; ++bad) {
            scri_set_project(scri_set_of(s.set), bad ? (double)NAN : 1.0, bad ? one : lost, p, d);
            assert_true(isnan(p[0]) && isnan(p[1]));
            sum = d[0] + d[1] + d[2] + d[3] + d[4] + d[5];
            assert_true(isnan(sum) && isnan(d[0]) && isnan(d[5]));
        }
        scree_set_destroy(s.set);
    }
}

/* Nothing overflows, and the far-away limit of a projection is the support point. */
static void extreme_sizes(void** state)
{
    (void)state;
    scri_random random = test_seed("extreme sizes", 512);
    for (int i = 0; i < test_cases(800, 8000); ++i) {
        drawn_set s = draw_set(&random, (scree_set_kind)(i % SCREE_SET_KIND_COUNT), 1);
        const char* name = scree_set_kind_name(i % SCREE_SET_KIND_COUNT);
        double size = draw_power(&random, -150.0, 150.0), p[2], q[2], d[6], g[2], h[3], radius;
        double z[2] = {draw_sign(&random) * draw_power(&random, -150.0, 150.0),
                       draw_sign(&random) * draw_power(&random, -150.0, 150.0)};
        scri_set_project(scri_set_of(s.set), size, z, p, d);
        for (int k = 0; k < 6; ++k) require(isfinite(d[k]), "%s: d[%d] is %g", name, k, d[k]);
        require(hypot(p[0], p[1]) <= size * 1.01 * s.outer * (s.outer / s.inner), "%s: (%g, %g)",
                name, p[0], p[1]);
        double excess = scree_set_gauge(s.set, p) / size - 1.0;
        require(excess <= 1e-14 * s.outer / s.inner, "%s: outside by %g", name, excess);
        double rest[2] = {z[0] - p[0], z[1] - p[1]}, length = hypot(rest[0], rest[1]);
        double support = scri_set_support(scri_set_of(s.set), rest, q, &radius);
        double value = (rest[0] * p[0] + rest[1] * p[1]) / size;
        require(support - value <= 1e-12 * length * s.outer + 1e-300, "%s: not normal", name);
        double gauge = scri_set_gauge(scri_set_of(s.set), z, g, h);
        require(isfinite(gauge) && gauge > 0.0 && isfinite(g[0]) && isfinite(g[1]), "%s: gauge %g",
                name, gauge);
        require(radius >= 0.0 && h[0] >= 0.0 && h[2] >= 0.0, "%s: radius %g", name, radius);
        scree_set_destroy(s.set);
    }
}

/* z / size overflows: the point is that of a z without end. */
static void far_beyond(void** state)
{
    (void)state;
    scri_random random = test_seed("far beyond", 517);
    for (int i = 0; i < 20 * SCREE_SET_KIND_COUNT; ++i) {
        drawn_set s = draw_set(&random, (scree_set_kind)(i % SCREE_SET_KIND_COUNT), 1);
        double z[2] = {6e149, 8e149}, size = 1e-200, p[2], d[6];
        scri_set_project(scri_set_of(s.set), size, z, p, d);
        double support = scree_set_support(s.set, z, NULL);
        double value = z[0] * (p[0] / size) + z[1] * (p[1] / size);
        require(fabs(value - support) <= 1e-12 * support, "%s: %.17g instead of %.17g",
                scree_set_kind_name(i % SCREE_SET_KIND_COUNT), value, support);
        for (int k = 0; k < 6; ++k) assert_true(isfinite(d[k]));
        scree_set_destroy(s.set);
    }
}

/* Tips of superellipses: pointed below 2, flat above. */
static void tips(void** state)
{
    (void)state;
    static const double exponents[] = {1.0, 1.2, 2.0, 3.0, 50.0};
    for (int i = 0; i < 5; ++i) {
        scree_set* set =
            MAKE(.kind = SCREE_SET_SUPERELLIPSE, .a = 2.0, .b = 1.0, .s = exponents[i]);
        double z[2] = {5.0, 0.0}, p[2], d[6], radius;
        scri_set_project(scri_set_of(set), 1.0, z, p, d);
        require_equal(p[0], 2.0, 0.0, "tip x");
        require_equal(p[1], 0.0, 0.0, "tip y");
        require_equal(d[4], 2.0, 1e-15, "tip by size");
        double expected = exponents[i] < 2.0 ? 0.0 : exponents[i] > 2.0 ? 1.0 : 0.5 / 3.5;
        require_equal(d[3], expected, 1e-12, "dP_y / dz_y at a tip");
        require_equal(scri_set_support(scri_set_of(set), z, p, &radius), 10.0, 1e-15,
                      "support of a tip");
        assert_true(exponents[i] > 2.0 ? isinf(radius) : radius <= 0.5);
        scree_set_destroy(set);
    }
    /* s < 1: tips with a normal between those of its sides */
    scree_set* star = MAKE(.kind = SCREE_SET_SUPERELLIPSE, .a = 2.0, .b = 1.0, .s = 0.5);
    double x[2] = {0.0, -3.0}, n[2];
    assert_false(scree_set_is_convex(star));
    scree_set_normal(star, x, n);
    require_equal(n[1], -1.0, 0.0, "normal at a tip");
    require_equal(scree_set_gauge(star, x), 3.0, 1e-15, "gauge at a tip");
    require_equal(scree_set_radius(star, atan2(1.0, 2.0)), 0.25 * sqrt(5.0), 1e-15, "r of s = 0.5");
    scree_set_destroy(star);
}

static void rectangle_by_hand(void** state)
{
    (void)state;
    scree_set* set = MAKE(.kind = SCREE_SET_RECTANGLE, .a = 2.0, .b = 1.0, .angle = 0.5 * TEST_PI);
    double z[2] = {3.0, 0.5}, p[2], d[6]; /* its long side now stands along t2 */
    scri_set_project(scri_set_of(set), 1.0, z, p, d);
    require_equal(p[0], 1.0, 1e-15, "x");
    require_equal(p[1], 0.5, 1e-15, "y");
    require_equal(d[3], 1.0, 1e-15, "dP_y / dz_y");
    require_equal(d[4], 1.0, 1e-15, "dP_x / dsize");
    double far[2] = {3.0, 7.0};
    scri_set_project(scri_set_of(set), 2.0, far, p, d);
    require_equal(p[0], 2.0, 1e-15, "corner x");
    require_equal(p[1], 4.0, 1e-15, "corner y");
    require_equal(fabs(d[0]) + fabs(d[3]), 0.0, 0.0, "dP/dz at a corner");
    require_equal(d[5], 2.0, 1e-15, "dP_y / dsize at a corner");
    scree_set_destroy(set);
}

/* ---- ellipses by their matrix ---- */

static void quadratics(void** state)
{
    (void)state;
    scri_random random = test_seed("quadratics", 513);
    double q[3], again[3];
    for (int i = 0; i < 2000; ++i) {
        drawn_set d = draw_set(&random, i % 2 ? SCREE_SET_ELLIPSE : SCREE_SET_DISC, 1);
        assert_true(scri_set_as_ellipse(scri_set_of(d.set), q));
        scree_set_value value = scri_set_from_quadratic(q);
        scri_set other = {&value, NULL};
        assert_true(scri_set_as_ellipse(other, again));
        double size = q[0] + q[2], x[2];
        for (int k = 0; k < 3; ++k) {
            require_equal(again[k], q[k], 1e-14 * size, "a coefficient");
        }
        draw_near(&random, &d, 1.0, x);
        double k = scree_set_gauge(d.set, x);
        double form = q[0] * x[0] * x[0] + 2.0 * q[1] * x[0] * x[1] + q[2] * x[1] * x[1];
        double thin = d.outer / d.inner;
        require(fabs(form - k * k) <= 1e-14 * thin * thin * k * k,
                "x q x is not the gauge squared");
        require(fabs(scri_set_gauge(other, x, NULL, NULL) - k) <= 1e-13 * thin * thin * k,
                "another gauge");
        scree_set_destroy(d.set);
    }
    scree_set* round = MAKE(.kind = SCREE_SET_SUPERELLIPSE, .a = 2.0, .b = 1.0, .s = 2.0);
    assert_true(scri_set_as_ellipse(scri_set_of(round), q));
    require_equal(q[2], 1.0, 0.0, "yy");
    scree_set_destroy(round);
    scree_set* box = MAKE(.kind = SCREE_SET_RECTANGLE, .a = 2.0, .b = 1.0);
    assert_false(scri_set_as_ellipse(scri_set_of(box), q));
    scree_set_destroy(box);
    scree_set_value plain = scri_set_from_quadratic((double[3]){0.25, 0.0, 4.0});
    assert_true(plain.a == 2.0 && plain.b == 0.5 && plain.turn[0] == 1.0 && plain.turn[1] == 0.0);
}

/* ---- wedges ---- */

static void wedges(void** state)
{
    (void)state;
    const double degree = TEST_PI / 180.0;
    scree_set* set = MAKE(.kind = SCREE_SET_ASPERITY, .a = 1.2, .s = 36.0 * degree);
    require_equal(scree_set_radius(set, 0.0), 7.643276410, 1e-9, "r(0)");
    require_equal(scree_set_radius(set, 45.0 * degree), 2.332058637, 1e-9, "r(45)");
    require_equal(scree_set_radius(set, 90.0 * degree), 1.483281573, 1e-9, "r(90)");
    assert_false(scree_set_is_convex(set));
    /* the boundary bends inwards for angles from 56.1 to 90 degrees */
    for (int i = 0; i <= 900; ++i) {
        double theta = 0.1 * i * degree, u[2] = {cos(theta), sin(theta)}, g[2], h[3];
        scri_set_gauge(scri_set_of(set), u, g, h);
        double bend = h[0] + h[2];
        require(0.1 * i < 56.05 ? bend > 0.0 : 0.1 * i < 56.15 || bend < 0.0,
                "at %g degrees the second derivative is %g", 0.1 * i, bend);
    }
    scree_set_destroy(set);
    /* Convexity ends where r'' at 90 degrees does: 2 w = cos^2 beta, w = cos^2 - mu^2 sin^2. */
    double mu = tan(60.0 * degree) / sqrt(2.0), beta = 30.0 * degree;
    for (int side = -1; side <= 1; side += 2) {
        set = MAKE(.kind = SCREE_SET_ASPERITY, .a = mu * (1.0 + 1e-6 * side), .s = beta);
        require(scree_set_is_convex(set) == (side < 0), "convexity %d at the limit", side);
        scree_set_destroy(set);
    }
    set = MAKE(.kind = SCREE_SET_ASPERITY, .a = 0.5, .s = 0.0); /* no wedges: a disc */
    for (int i = 0; i < 10; ++i) require_equal(scree_set_radius(set, 0.7 * i), 0.5, 1e-15, "r");
    assert_true(scree_set_is_convex(set));
    scree_set_destroy(set);
}

/* ---- measured curves ---- */

enum { MANY = 72 };

/* r of a set at evenly spread angles. */
static scree_set* sample(const scree_set* of, int n)
{
    static double points[2 * MANY];
    for (int i = 0; i < n; ++i) {
        points[2 * i] = 2.0 * TEST_PI * i / n;
        points[2 * i + 1] = scree_set_radius(of, points[2 * i]);
    }
    return MAKE(.kind = SCREE_SET_POLAR, .n = n, .points = points);
}

static void curve_of_a_smooth_set(void** state)
{
    (void)state;
    scree_set* ellipse = MAKE(.kind = SCREE_SET_ELLIPSE, .a = 0.5, .b = 0.4, .angle = 0.3);
    double errors[2];
    for (int k = 0; k < 2; ++k) {
        scree_set* curve = sample(ellipse, k ? MANY : MANY / 2);
        assert_true(scree_set_is_convex(curve));
        errors[k] = 0.0;
        for (int i = 0; i < 1000; ++i) {
            double theta = 2.0 * TEST_PI * i / 1000, z[2] = {2.0 * cos(theta), sin(theta)};
            double error = fabs(scree_set_radius(curve, theta) - scree_set_radius(ellipse, theta));
            errors[k] = fmax(errors[k], error);
            double p[2], q[2];
            scree_set_project(curve, 1.0, z, p);
            scree_set_project(ellipse, 1.0, z, q);
            require(hypot(p[0] - q[0], p[1] - q[1]) <= 2e-4, "another projection");
        }
        scree_set_destroy(curve);
    }
    print_message("72 points on a 5:4 ellipse: off by %.1e; 36: %.1e\n", errors[1], errors[0]);
    require(errors[1] <= 1e-6 && errors[1] <= errors[0] / 12.0, "not of fourth order");
    scree_set_destroy(ellipse);
}

static void curve_through_its_nodes(void** state)
{
    (void)state;
    scri_random random = test_seed("curve through its nodes", 514);
    for (int i = 0; i < 200; ++i) {
        drawn_set d = draw_set(&random, SCREE_SET_POLAR, 0);
        double scale = d.def.scale > 0.0 ? d.def.scale : 1.0;
        for (int k = 0; k < d.def.n; ++k) {
            double theta = d.points[2 * k] + d.def.angle, r = scale * d.points[2 * k + 1];
            require_equal(scree_set_radius(d.set, theta), r, 1e-13 * r, "a node");
            /* r, r' and r'' go through a node without a jump */
            double side[2][2], g[2][2], h[2][3];
            for (int s = 0; s < 2; ++s) {
                double angle = theta + (s ? 1e-10 : -1e-10);
                side[s][0] = cos(angle);
                side[s][1] = sin(angle);
                scri_set_gauge(scri_set_of(d.set), side[s], g[s], h[s]);
            }
            for (int j = 0; j < 2; ++j) require_equal(g[0][j], g[1][j], 1e-7 / d.inner, "slope");
            for (int j = 0; j < 3; ++j) require_equal(h[0][j], h[1][j], 1e-6 / d.inner, "bend");
        }
        scree_set_destroy(d.set);
    }
}

/* A friction tensor after Zmitrowicz: sliding along u meets the force C u p_N, so the possible
 * forces are bounded by the curve of C u. */
static scree_set* from_tensor(const double c[2][2], double third, int n)
{
    static double points[2 * MANY];
    double before = 0.0;
    for (int i = 0; i < n; ++i) {
        double phi = 2.0 * TEST_PI * i / n, u[2] = {cos(phi), sin(phi)};
        double grow = 1.0 + third * cos(4.0 * phi); /* what a tensor of fourth order may add */
        double x = grow * (c[0][0] * u[0] + c[0][1] * u[1]);
        double y = grow * (c[1][0] * u[0] + c[1][1] * u[1]), angle = atan2(y, x);
        while (i > 0 && angle < before) angle += 2.0 * TEST_PI;
        points[2 * i] = before = angle;
        points[2 * i + 1] = hypot(x, y);
    }
    return MAKE(.kind = SCREE_SET_POLAR, .n = n, .points = points);
}

static void tensor_laws(void** state)
{
    (void)state;
    /* A symmetric tensor: an ellipse with the coefficients along its axes. */
    const double turn = 0.4, c = cos(turn), s = sin(turn), mu1 = 0.4, mu2 = 0.3;
    const double tensor[2][2] = {{mu1 * c * c + mu2 * s * s, (mu1 - mu2) * c * s},
                                 {(mu1 - mu2) * c * s, mu1 * s * s + mu2 * c * c}};
    scree_set* set = from_tensor(tensor, 0.0, MANY);
    scree_set* ellipse = MAKE(.kind = SCREE_SET_ELLIPSE, .a = mu1, .b = mu2, .angle = turn);
    for (int i = 0; i < 500; ++i) {
        double theta = 0.013 * i;
        require_equal(scree_set_radius(set, theta), scree_set_radius(ellipse, theta), 2e-6, "mu");
    }
    assert_true(scree_set_is_convex(set));
    scree_set_destroy(set);
    scree_set_destroy(ellipse);
    /* With more of the fourth order the forces make no convex set. */
    set = from_tensor(tensor, 0.2, MANY);
    assert_false(scree_set_is_convex(set));
    scree_set_destroy(set);
}

/* ---- convexity ---- */

static void convexity(void** state)
{
    (void)state;
    static const double arrow[] = {1.0, 0.0, -1.0, 1.0, -0.5, 0.0, -1.0, -1.0};
    static const double kite[] = {1.0, 0.0, 0.0, 1.0, -0.5, 0.0, 0.0, -1.0};
    static const double straight[] = {1.0, -1.0, 1.0, 0.3, 1.0, 1.0, -1.0, 1.0, -1.0, -1.0};
    const struct {
        const double* points;
        int n, convex;
    } polygons[] = {{arrow, 4, 0}, {kite, 4, 1}, {straight, 5, 1}};
    for (int i = 0; i < 3; ++i) {
        scree_set* set = MAKE(.kind = SCREE_SET_POLYGON, .n = polygons[i].n,
                              .points = polygons[i].points, .angle = 0.2 * i);
        require(scree_set_is_convex(set) == polygons[i].convex, "polygon %d", i);
        scree_set_destroy(set);
    }
    for (int i = 0; i < 2; ++i) {
        scree_set* set =
            MAKE(.kind = SCREE_SET_SUPERELLIPSE, .a = 1.0, .b = 1.0, .s = 1.0 - 1e-9 * i);
        require(scree_set_is_convex(set) == !i, "superellipse %d", i);
        scree_set_destroy(set);
    }
    /* r = 1 + e cos(m theta) is convex for e <= 1 / (m^2 + 1), here with m = 3 */
    for (int i = 0; i < 2; ++i) {
        double points[2 * MANY], e = (i ? 1.02 : 0.98) / 10.0;
        for (int k = 0; k < MANY; ++k) {
            points[2 * k] = 2.0 * TEST_PI * (k + 0.37) / MANY;
            points[2 * k + 1] = 1.0 + e * cos(3.0 * points[2 * k]);
        }
        scree_set* set = MAKE(.kind = SCREE_SET_POLAR, .n = MANY, .points = points);
        require(scree_set_is_convex(set) == !i, "curve with waves of %g", e);
        scree_set_destroy(set);
    }
    /* a circle around another point, which the slope of r alone keeps convex */
    double points[2 * MANY], off = 0.85;
    for (int k = 0; k < MANY; ++k) {
        double theta = 2.0 * TEST_PI * k / MANY, across = off * sin(theta);
        points[2 * k] = theta;
        points[2 * k + 1] = off * cos(theta) + sqrt(1.0 - across * across);
    }
    scree_set* circle = MAKE(.kind = SCREE_SET_POLAR, .n = MANY, .points = points);
    assert_true(scree_set_is_convex(circle));
    scree_set_destroy(circle);
}

/* ---- one set inside another ---- */

static void fit_by_hand(void** state)
{
    (void)state;
    scree_set* c = MAKE(.kind = SCREE_SET_ELLIPSE, .a = 30.0, .b = 10.0, .angle = TEST_PI / 6.0);
    scree_set* d = MAKE(.kind = SCREE_SET_ELLIPSE, .a = 3.0, .b = 1.0);
    double k = scree_set_fit(d, c);
    require_equal(3.0 * k, 16.055513, 1e-6, "p1");
    require_equal(k, 5.351838, 1e-6, "p2");
    scree_set_destroy(c);
    scree_set_destroy(d);

    scree_set* disc = MAKE(.kind = SCREE_SET_DISC, .a = 0.5);
    scree_set* box = MAKE(.kind = SCREE_SET_RECTANGLE, .a = 2.0, .b = 1.0, .angle = 0.1);
    require_equal(scree_set_fit(disc, box), 2.0, 1e-12, "disc in a box");
    require_equal(scree_set_fit(box, disc), 0.5 / sqrt(5.0), 1e-13, "box in a disc");
    scree_set* turned =
        MAKE(.kind = SCREE_SET_RECTANGLE, .a = 2.0, .b = 1.0, .angle = 0.1 + 0.5 * TEST_PI);
    require_equal(scree_set_fit(turned, box), 0.5, 1e-13, "box in a turned box");
    require_equal(scree_set_fit(box, box), 1.0, 1e-14, "box in itself");
    static const double star[] = {1.0, 0.0, 0.1, 0.1, 0.0, 1.0, -0.2, 0.1, -1.0, 0.0, 0.0, -1.0};
    scree_set* polygon = MAKE(.kind = SCREE_SET_POLYGON, .n = 6, .points = star, .angle = 2.0);
    /* the deepest point of its boundary is the vertex at (0.1, 0.1) */
    require_equal(scree_set_fit(disc, polygon), 2.0 * sqrt(0.02), 1e-13, "disc in a star");
    require_equal(scree_set_fit(polygon, disc), 0.5, 1e-13, "star in a disc");
    scree_set_destroy(polygon);
    scree_set_destroy(disc);
    scree_set_destroy(box);
    scree_set_destroy(turned);
}

/* For ellipses the answer is the root of the smallest eigenvalue of one matrix relative to the
 * other; here in the axes of `out`, with the smaller root of a quadratic equation. */
static double fit_of_two(const scree_set* in, const scree_set* out, double turn)
{
    real c = real_cos((real)turn), s = real_sin((real)turn);
    real p = real_pow((real)in->value.a, -2.0), q = real_pow((real)in->value.b, -2.0);
    real u = real_pow((real)out->value.a, -2.0), v = real_pow((real)out->value.b, -2.0);
    real mixed = (p * c * c + q * s * s) * v + (p * s * s + q * c * c) * u;
    real root = real_sqrt(real_max(mixed * mixed - 4.0 * p * q * u * v, 0.0));
    return (double)real_sqrt(2.0 * p * q / (mixed + root));
}

static void fit_of_ellipses(void** state)
{
    (void)state;
    scri_random random = test_seed("fit of ellipses", 515);
    for (int i = 0; i < test_cases(30, 300); ++i) {
        double thin = draw_power(&random, -5.0, 0.0), turn = draw_power(&random, -7.0, 0.0);
        double both = draw_between(&random, -3.0, 3.0);
        scree_set_def def = {.kind = SCREE_SET_ELLIPSE, .a = 1.0, .b = thin, .angle = both + turn};
        scree_set* in = make(def);
        def.angle = both;
        def.b *= draw_power(&random, -1.0, 1.0);
        scree_set* out = make(def);
        double k = scree_set_fit(in, out), expected = fit_of_two(in, out, turn);
        require(fabs(k - expected) <= (1e-12 + 1e-15 / thin) * expected,
                "k is %.17g, not %.17g (1:%g in 1:%g turned by %g)", k, expected, thin, def.b,
                turn);
        scree_set_destroy(in);
        scree_set_destroy(out);
    }
}

/* Never too large, and touching somewhere; judged by many angles. */
static void fit_at_random(void** state)
{
    (void)state;
    scri_random random = test_seed("fit at random", 516);
    for (int i = 0; i < test_cases(24, 200); ++i) {
        drawn_set in =
            draw_set(&random, (scree_set_kind)draw_below(&random, SCREE_SET_KIND_COUNT), 0);
        drawn_set out =
            draw_set(&random, (scree_set_kind)draw_below(&random, SCREE_SET_KIND_COUNT), 0);
        double k = scree_set_fit(in.set, out.set), least = (double)INFINITY;
        for (int j = 0; j < 20000; ++j) {
            /* spread evenly in the logarithm of the distance from an axis of either set */
            double theta = j % 2 ? in.def.angle : out.def.angle;
            theta += 0.5 * TEST_PI * draw_below(&random, 4);
            theta += draw_sign(&random) * draw_power(&random, -8.0, 0.0);
            least = fmin(least, scree_set_radius(out.set, theta) / scree_set_radius(in.set, theta));
        }
        require(k <= least * (1.0 + 1e-12), "%s in %s: %.17g is too large, %.17g is seen",
                scree_set_kind_name((int)in.def.kind), scree_set_kind_name((int)out.def.kind), k,
                least);
        require(k >= 0.9 * least, "%s in %s: %.17g, but %.17g is seen",
                scree_set_kind_name((int)in.def.kind), scree_set_kind_name((int)out.def.kind), k,
                least);
        scree_set_destroy(in.set);
        scree_set_destroy(out.set);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_sizes),
        cmocka_unit_test(bad_points),
        cmocka_unit_test(bad_calls),
        cmocka_unit_test(out_of_memory),
        cmocka_unit_test(turned_and_scaled),
        cmocka_unit_test(zero_and_nan),
        cmocka_unit_test(extreme_sizes),
        cmocka_unit_test(far_beyond),
        cmocka_unit_test(tips),
        cmocka_unit_test(rectangle_by_hand),
        cmocka_unit_test(quadratics),
        cmocka_unit_test(wedges),
        cmocka_unit_test(curve_of_a_smooth_set),
        cmocka_unit_test(curve_through_its_nodes),
        cmocka_unit_test(tensor_laws),
        cmocka_unit_test(convexity),
        cmocka_unit_test(fit_by_hand),
        cmocka_unit_test(fit_of_ellipses),
        cmocka_unit_test(fit_at_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
