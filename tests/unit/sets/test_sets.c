/* Gauge, support and projection of planar sets: reference values, an independent method in extended
 * precision, and the properties that characterise them. */
#include "set_draw.h"
#include "set_reference.h"
#include "sets/set.h"

/* ---- reference values ---- */

static scree_set_kind kind_of_row(const char* name)
{
    if (strcmp(name, "stadium") == 0) return SCREE_SET_RUNNER; /* half-length in the last column */
    for (int kind = 0; kind < SCREE_SET_KIND_COUNT; ++kind) {
        if (strcmp(name, scree_set_kind_name(kind)) == 0) return (scree_set_kind)kind;
    }
    fail_msg("no set is called %s", name);
    return SCREE_SET_KIND_COUNT;
}

static void require_near(double value, double expected, double bound, const char* what, int row)
{
    require(fabs(value - expected) <= bound, "row %d: %s is %.17g, not %.17g", row, what, value,
            expected);
}

static void reference_values(void** state)
{
    (void)state;
    FILE* file = test_open_oracle("sets.csv");
    char line[1024];
    int row = 1;
    assert_non_null(fgets(line, sizeof line, file));
    while (fgets(line, sizeof line, file)) {
        ++row;
        char* at = strchr(line, ',');
        assert_non_null(at);
        *at++ = '\0';
        double v[9], p[2];
        for (int i = 0; i < 9; ++i, at += *at == ',') v[i] = strtod(at, &at);
        scree_set_def def = {.kind = kind_of_row(line), .a = v[0], .b = v[1], .s = v[2]};
        scree_set* set = NULL;
        assert_int_equal(scree_set_create(NULL, &def, &set), SCREE_OK);
        scree_set_project(set, 1.0, v + 3, p);
        double size = hypot(v[5], v[6]);
        require_near(p[0], v[5], 1e-14 * size, "x of the projection", row);
        require_near(p[1], v[6], 1e-14 * size, "y of the projection", row);
        require_near(scree_set_gauge(set, v + 3), v[7], 1e-14 * v[7], "the gauge", row);
        require_near(scree_set_support(set, v + 3, NULL), v[8], 1e-14 * v[8], "the support", row);
        scree_set_destroy(set);
    }
    fclose(file);
    require(row >= 163, "only %d rows", row);
}

/* ---- an independent method ---- */

static const scree_set_kind all_kinds[] = {
    SCREE_SET_DISC,   SCREE_SET_ELLIPSE, SCREE_SET_RECTANGLE, SCREE_SET_SUPERELLIPSE,
    SCREE_SET_RUNNER, SCREE_SET_POLYGON, SCREE_SET_ASPERITY,  SCREE_SET_POLAR,
};

enum { KINDS = sizeof all_kinds / sizeof *all_kinds };

static void keep_worst(double* worst, double value)
{
    if (value > *worst) *worst = value;
}

static void compare(scri_random* random, scree_set_kind kind, double worst[3])
{
    drawn_set d = draw_set(random, kind, 1);
    scree_set_def def = drawn_def(&d);
    reference_set reference = reference_of(&def);
    const char* name = scree_set_kind_name((int)kind);
    double size = draw_power(random, -2.0, 2.0), z[2], p[2];
    draw_near(random, &d, size, z);
    real gauge = reference_gauge(&reference, z), support = reference_support(&reference, z);
    /* Besides, z is rounded when it is turned into the axes of the set. */
    double bound = 1e-12 + 1e-15 * d.outer / d.inner;
    double error = fabs((double)((real)scree_set_gauge(d.set, z) / gauge - 1));
    require(error <= bound, "%s: the gauge is off by %.3g", name, error);
    keep_worst(&worst[0], error);
    error = fabs((double)((real)scree_set_support(d.set, z, p) / support - 1));
    require(error <= bound, "%s: the support is off by %.3g", name, error);
    keep_worst(&worst[1], error);
    error = fabs((p[0] * z[0] + p[1] * z[1]) / (double)support - 1.0);
    require(error <= bound, "%s: the support point attains the support but for %.3g", name, error);
    real q[2];
    reference_project(&reference, size, z, q);
    scree_set_project(d.set, size, z, p);
    double rounding = 8e-16 * hypot(z[0], z[1]), length = (double)real_hypot(q[0], q[1]);
    error = (double)real_hypot((real)p[0] - q[0], (real)p[1] - q[1]);
    require(error <= 1e-12 * length + rounding,
            "%s (a %.17g, b %.17g, s %.17g, angle %.17g, scale %.17g), size %.17g: the projection "
            "of (%.17g, %.17g) is (%.17g, %.17g), not (%.17g, %.17g)",
            name, def.a, def.b, def.s, def.angle, def.scale, size, z[0], z[1], p[0], p[1],
            (double)q[0], (double)q[1]);
    keep_worst(&worst[2], error / fmax(length, hypot(z[0], z[1])));
    scree_set_destroy(d.set);
}

static void independent_method(void** state)
{
    (void)state;
    scri_random random = test_seed("independent method", 501);
    for (int k = 0; k < KINDS; ++k) {
        double worst[3] = {0.0, 0.0, 0.0};
        for (int i = 0; i < test_cases(25, 150); ++i) compare(&random, all_kinds[k], worst);
        print_message("%-12s worst relative error of gauge %.1e, support %.1e, projection %.1e\n",
                      scree_set_kind_name((int)all_kinds[k]), worst[0], worst[1], worst[2]);
    }
}

/* Sets that are only star-shaped have a gauge and nothing else. */
static void star_shaped(void** state)
{
    (void)state;
    scri_random random = test_seed("star-shaped", 502);
    int n_star = 0;
    for (int i = 0; i < test_cases(150, 800); ++i) {
        static const scree_set_kind some[] = {SCREE_SET_SUPERELLIPSE, SCREE_SET_POLYGON,
                                              SCREE_SET_ASPERITY, SCREE_SET_POLAR};
        drawn_set d = draw_set(&random, some[i % 4], 0);
        scree_set_def def = drawn_def(&d);
        reference_set reference = reference_of(&def);
        double z[2], p[2] = {0.0, 0.0};
        draw_near(&random, &d, 1.0, z);
        real gauge = reference_gauge(&reference, z);
        double error = fabs((double)((real)scree_set_gauge(d.set, z) / gauge - 1));
        /* close to the tips of s < 1 the gauge is steep in the turn's rounding */
        double bound = def.kind == SCREE_SET_SUPERELLIPSE && def.s < 1.0 ? 1e-4 : 1e-12;
        require(error <= bound, "%s: the gauge is off by %.3g", scree_set_kind_name((int)def.kind),
                error);
        if (!scree_set_is_convex(d.set)) {
            ++n_star;
            assert_true(isnan(scree_set_support(d.set, z, p)));
            assert_true(isnan(p[0]) && isnan(p[1]));
            scree_set_project(d.set, 1.0, z, p);
            assert_true(isnan(p[0]) && isnan(p[1]));
        }
        scree_set_destroy(d.set);
    }
    require(n_star >= test_cases(40, 200), "only %d sets were not convex", n_star);
}

/* ---- properties ---- */

static double dot(const double a[2], const double b[2])
{
    return a[0] * b[0] + a[1] * b[1];
}

/* Turning a point rounds it, which moves it by so many units across a thin set. */
static double thin_of(const drawn_set* d)
{
    return 8.0 * d->outer / d->inner;
}

/* In the set, remainder in the normal cone, idempotent, and the bigger the set the closer. */
static void check_projection(const drawn_set* d, double size, const double z[2], const double p[2])
{
    double rest[2] = {z[0] - p[0], z[1] - p[1]}, again[2], unit = size * d->outer;
    double far = hypot(z[0], z[1]);
    const char* name = scree_set_kind_name((int)d->def.kind);
    double excess = scree_set_gauge(d->set, p) / size - 1.0;
    require(excess <= 1e-15 * thin_of(d), "%s: outside by %.3g", name, excess);
    double gap = size * scree_set_support(d->set, rest, NULL) - dot(rest, p);
    require(fabs(gap) <= 2e-15 * (unit + far) * (unit + far), "%s: not normal by %.3g", name, gap);
    scree_set_project(d->set, size, p, again);
    require(hypot(again[0] - p[0], again[1] - p[1]) <= 1e-14 * unit, "%s: not idempotent", name);
}

static void projection_properties(void** state)
{
    (void)state;
    scri_random random = test_seed("projection properties", 503);
    for (int i = 0; i < test_cases(2000, 20000); ++i) {
        drawn_set d = draw_set(&random, all_kinds[i % KINDS], 1);
        const char* name = scree_set_kind_name((int)d.def.kind);
        double size = draw_power(&random, -3.0, 3.0), y[2], z[2], p[2], q[2], scaled[2];
        draw_near(&random, &d, size, y);
        draw_near(&random, &d, size, z);
        scree_set_project(d.set, size, y, p);
        scree_set_project(d.set, size, z, q);
        check_projection(&d, size, y, p);
        double apart = hypot(y[0] - z[0], y[1] - z[1]), far = hypot(y[0], y[1]) + hypot(z[0], z[1]);
        double images = hypot(p[0] - q[0], p[1] - q[1]);
        require(images <= apart + 1e-15 * (far + size * d.outer), "%s: expansive by %.3g", name,
                images - apart);
        /* powers of two up to sizes whose squares overflow; the result is the same to the bit */
        int power = draw_below(&random, 901) - 450;
        double far_z[2] = {ldexp(z[0], power), ldexp(z[1], power)};
        scree_set_project(d.set, ldexp(size, power), far_z, scaled);
        double tiny = 1e-200 * hypot(scaled[0], scaled[1]); /* for components that vanish */
        require(fabs(scaled[0] - ldexp(q[0], power)) <= tiny &&
                    fabs(scaled[1] - ldexp(q[1], power)) <= tiny,
                "%s: not homogeneous: (%.17g, %.17g) and (%.17g, %.17g) 2^%d", name, scaled[0],
                scaled[1], q[0], q[1], power);
        scree_set_destroy(d.set);
    }
}

/* v . x <= support(v) gauge(x), with equality at the support point; the gradient of the gauge is
 * normal there, and Euler's identities for homogeneous functions hold. */
static void polarity(void** state)
{
    (void)state;
    scri_random random = test_seed("polarity", 504);
    for (int i = 0; i < test_cases(2000, 20000); ++i) {
        drawn_set d = draw_set(&random, all_kinds[i % KINDS], 1);
        const char* name = scree_set_kind_name((int)d.def.kind);
        double v[2], x[2], p[2], g[2], h[3], n[2];
        draw_near(&random, &d, 1.0, v);
        draw_near(&random, &d, 1.0, x);
        double support = scree_set_support(d.set, v, p),
               gauge = scri_set_gauge(scri_set_of(d.set), x, g, h);
        require(dot(v, x) <= support * gauge * (1.0 + 1e-15 * thin_of(&d)),
                "%s: Fenchel's inequality fails by %g", name, dot(v, x) / (support * gauge) - 1.0);
        double touch = scree_set_gauge(d.set, p);
        require(fabs(touch - 1.0) <= 1e-15 * thin_of(&d),
                "%s: the support point has the gauge %.17g", name, touch);
        require(fabs(dot(v, p) - support) <= 1e-15 * thin_of(&d) * support,
                "%s: support not attained", name);
        require(fabs(dot(g, x) - gauge) <= 1e-15 * thin_of(&d) * gauge,
                "%s: gradient . x is not the gauge", name);
        double size = fabs(h[0]) + fabs(h[1]) + fabs(h[2]), far = hypot(x[0], x[1]);
        double tiny = 1e-14 * size * far + 1e-300;
        require(fabs(h[0] * x[0] + h[1] * x[1]) <= tiny && fabs(h[1] * x[0] + h[2] * x[1]) <= tiny,
                "%s: second derivatives along x", name);
        require(h[0] >= 0.0 && h[2] >= 0.0, "%s: the gauge is not convex", name);
        scree_set_normal(d.set, x, n);
        require(fabs(hypot(n[0], n[1]) - 1.0) <= 1e-14 &&
                    fabs(n[0] * g[1] - n[1] * g[0]) <= 1e-14 * hypot(g[0], g[1]),
                "%s: wrong normal", name);
        scree_set_destroy(d.set);
    }
}

/* ---- derivatives ---- */

typedef void map2(const scree_set* set, double size, const double x[2], double out[2]);

/* A map with the derivatives that are to be checked, by x[0], x[1] and size (NULL: not checked),
 * and the size that derivatives of this map have. */
typedef struct probe {
    const char* what;
    map2* map;
    double unit;
    const double* columns[3];
} probe;

/* Central differences by x[by] (by = 2: by size). 0 where two steps or the two sides disagree, that
 * is, near a kink. */
static int difference(const probe* p, const scree_set* set, double size, const double x[2], int by,
                      double out[2])
{
    double coarse[2] = {0.0, 0.0}, middle[2], ends[2][2], jump[2];
    double step = 1e-6 * (by == 2 ? size : hypot(x[0], x[1]));
    p->map(set, size, x, middle);
    for (int halving = 0; halving < 2; ++halving) {
        double h = halving ? 0.5 * step : step;
        for (int side = 0; side < 2; ++side) {
            double y[2] = {x[0], x[1]}, shift = side ? h : -h, s = size;
            *(by == 2 ? &s : &y[by]) += shift;
            p->map(set, s, y, ends[side]);
        }
        for (int i = 0; i < 2; ++i) out[i] = (ends[1][i] - ends[0][i]) / (2.0 * h);
        if (!halving) memcpy(coarse, out, sizeof coarse);
    }
    for (int i = 0; i < 2; ++i) jump[i] = (ends[0][i] + ends[1][i] - 2.0 * middle[i]) / step;
    double change = hypot(out[0] - coarse[0], out[1] - coarse[1]);
    double length = p->unit + hypot(out[0], out[1]);
    return change <= 1e-6 * length && hypot(jump[0], jump[1]) <= 2e-5 * length;
}

/* Compares where the differences can be trusted; returns whether they could. */
static int agree(const probe* p, const drawn_set* d, double size, const double x[2])
{
    int n_trusted = 0;
    for (int by = 0; by < 3; ++by) {
        double got[2];
        const double* given = p->columns[by];
        if (!given || !difference(p, d->set, size, x, by, got)) continue;
        ++n_trusted;
        double error = hypot(got[0] - given[0], got[1] - given[1]);
        require(error <= 2e-5 * (p->unit + hypot(got[0], got[1])),
                "%s of a %s: (%g, %g) instead of (%g, %g)", p->what,
                scree_set_kind_name((int)d->def.kind), given[0], given[1], got[0], got[1]);
    }
    return n_trusted > 0;
}

static void map_project(const scree_set* set, double size, const double x[2], double out[2])
{
    scri_set_project(scri_set_of(set), size, x, out, NULL);
}

static void map_gradient(const scree_set* set, double size, const double x[2], double out[2])
{
    (void)size;
    scri_set_gauge(scri_set_of(set), x, out, NULL);
}

static void map_gauge(const scree_set* set, double size, const double x[2], double out[2])
{
    (void)size;
    out[0] = scri_set_gauge(scri_set_of(set), x, NULL, NULL);
    out[1] = 0.0;
}

static void map_support_point(const scree_set* set, double size, const double x[2], double out[2])
{
    (void)size;
    scri_set_support(scri_set_of(set), x, out, NULL);
}

/* There the curvature of a superellipse changes over distances of any smallness. */
static int near_tip(const drawn_set* d, const double z[2])
{
    if (d->def.kind != SCREE_SET_SUPERELLIPSE) return 0;
    double c = cos(d->def.angle), s = sin(d->def.angle), x = c * z[0] + s * z[1];
    return fmin(fabs(x), fabs(c * z[1] - s * z[0])) <= 1e-3 * hypot(z[0], z[1]);
}

static int check_projected(const drawn_set* d, double size, const double z[2])
{
    double p[2], der[6];
    scri_set_project(scri_set_of(d->set), size, z, p, der);
    for (int k = 0; k < 2; ++k) { /* homogeneous of degree 1 in (size, z) */
        double euler = size * der[4 + k] + der[2 * k] * z[0] + der[2 * k + 1] * z[1];
        require(fabs(euler - p[k]) <= 1e-14 * (hypot(z[0], z[1]) + size * d->outer),
                "size dP/dsize + dP/dz z is %.17g, not %.17g", euler, p[k]);
    }
    if (fabs(scree_set_gauge(d->set, z) / size - 1.0) <= 1e-3) return 0; /* a kink */
    double by_z1[2] = {der[0], der[2]}, by_z2[2] = {der[1], der[3]};
    probe by_z = {"dP/dz", map_project, 1.0, {by_z1, by_z2, NULL}};
    probe by_size = {"dP/dsize", map_project, d->outer, {NULL, NULL, der + 4}};
    return agree(&by_z, d, size, z) && agree(&by_size, d, size, z);
}

static int check_gauged(const drawn_set* d, double size, const double z[2], int* n_second)
{
    double g[2], h[3];
    scri_set_gauge(scri_set_of(d->set), z, g, h);
    double by_x[2] = {g[0], 0.0}, by_y[2] = {g[1], 0.0};
    probe first = {"gradient", map_gauge, 1.0 / d->inner, {by_x, by_y, NULL}};
    probe second = {
        "Hessian", map_gradient, 1.0 / (d->inner * hypot(z[0], z[1])), {h, h + 1, NULL}};
    *n_second += agree(&second, d, size, z);
    return agree(&first, d, size, z);
}

static int check_supported(const drawn_set* d, double size, const double v[2])
{
    double point[2], radius, length = hypot(v[0], v[1]), t[2] = {-v[1] / length, v[0] / length};
    scri_set_support(scri_set_of(d->set), v, point, &radius);
    if (!isfinite(radius)) return 0;
    double bend = radius / length, by_x[2] = {bend * t[0] * t[0], bend * t[0] * t[1]};
    double by_y[2] = {by_x[1], bend * t[1] * t[1]};
    probe p = {"curvature", map_support_point, d->outer / length, {by_x, by_y, NULL}};
    return agree(&p, d, size, v);
}

static void derivatives(void** state)
{
    (void)state;
    scri_random random = test_seed("derivatives", 505);
    int n_cases = test_cases(1600, 8000), n_trusted[4] = {0, 0, 0, 0};
    for (int i = 0; i < n_cases; ++i) {
        drawn_set d = draw_set(&random, all_kinds[i % KINDS], 1);
        double size = draw_power(&random, -0.5, 0.5), z[2];
        draw_near(&random, &d, size, z);
        if (!near_tip(&d, z)) {
            n_trusted[0] += check_projected(&d, size, z);
            n_trusted[1] += check_gauged(&d, size, z, &n_trusted[2]);
            n_trusted[3] += check_supported(&d, size, z);
        }
        scree_set_destroy(d.set);
    }
    for (int k = 0; k < 4; ++k) {
        require(n_trusted[k] >= n_cases / 2, "only %d differences could be trusted", n_trusted[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reference_values), cmocka_unit_test(independent_method),
        cmocka_unit_test(star_shaped),      cmocka_unit_test(projection_properties),
        cmocka_unit_test(polarity),         cmocka_unit_test(derivatives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
