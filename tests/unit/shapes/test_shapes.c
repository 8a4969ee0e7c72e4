/* Names, mass properties and bounds of shapes. */
#include "math/vec.h"
#include "scree/shape.h"
#include "shapes/bounds.h"
#include "support/draw.h"
#include "support/test.h"

static const scree_shape_kind solid_kinds[] = {
    SCREE_SHAPE_SPHERE,    SCREE_SHAPE_BOX,  SCREE_SHAPE_CAPSULE, SCREE_SHAPE_CYLINDER,
    SCREE_SHAPE_ELLIPSOID, SCREE_SHAPE_CONE, SCREE_SHAPE_TUBE};
enum { N_KINDS = sizeof solid_kinds / sizeof *solid_kinds };

static scree_shape draw_shape(scri_random* random, scree_shape_kind kind)
{
    scree_shape s = scree_default_shape();
    double axis[3];
    s.kind = kind;
    for (int k = 0; k < 3; ++k) {
        s.half_size[k] = draw_between(random, 0.3, 1.0);
        s.position[k] = draw_between(random, -1.0, 1.0);
    }
    if (kind == SCREE_SHAPE_TUBE) s.half_size[2] *= 0.9 * s.half_size[0];
    draw_direction(random, axis);
    scri_vec turn = scri_vec_scale(draw_between(random, 0.0, 3.0), scri_vec_load(axis));
    scri_quat_store(scri_quat_exp(turn), s.rotation);
    return s;
}

/* The definition of each shape, in its own frame. */
static int contains(const scree_shape* s, scri_vec x)
{
    double across = hypot(x.x, x.y), beyond = fmax(fabs(x.z) - s->half_size[1], 0.0);
    switch (s->kind) {
    case SCREE_SHAPE_SPHERE:
        return scri_vec_length(x) <= s->half_size[0];
    case SCREE_SHAPE_BOX:
        return fabs(x.x) <= s->half_size[0] && fabs(x.y) <= s->half_size[1] &&
               fabs(x.z) <= s->half_size[2];
    case SCREE_SHAPE_CAPSULE:
        return hypot(across, beyond) <= s->half_size[0];
    case SCREE_SHAPE_ELLIPSOID:
        return hypot(x.x / s->half_size[0], hypot(x.y / s->half_size[1], x.z / s->half_size[2])) <=
               1.0;
    case SCREE_SHAPE_TUBE:
        return across <= s->half_size[0] && across >= s->half_size[2] &&
               fabs(x.z) <= s->half_size[1];
    case SCREE_SHAPE_CONE:
        return x.z >= -0.5 * s->half_size[1] &&
               across <= s->half_size[0] * (0.75 - 0.5 * x.z / s->half_size[1]);
    default:
        return across <= s->half_size[0] && fabs(x.z) <= s->half_size[1];
    }
}

static void names_and_defaults(void** state)
{
    (void)state;
    assert_string_equal(scree_shape_name(SCREE_SHAPE_SPHERE), "sphere");
    assert_string_equal(scree_shape_name(SCREE_SHAPE_HALF_SPACE), "half-space");
    assert_string_equal(scree_shape_name(SCREE_SHAPE_BOX), "box");
    assert_string_equal(scree_shape_name(SCREE_SHAPE_CAPSULE), "capsule");
    assert_string_equal(scree_shape_name(SCREE_SHAPE_CYLINDER), "cylinder");
    assert_string_equal(scree_shape_name(SCREE_SHAPE_ELLIPSOID), "ellipsoid");
    assert_string_equal(scree_shape_name(SCREE_SHAPE_CONE), "cone");
    assert_string_equal(scree_shape_name(SCREE_SHAPE_TUBE), "tube");
    assert_null(scree_shape_name(SCREE_SHAPE_COUNT));
    assert_null(scree_shape_name(-1));
    scree_shape s = scree_default_shape();
    assert_int_equal(s.kind, SCREE_SHAPE_SPHERE);
    assert_true(s.half_size[0] == 1.0 && s.rotation[0] == 1.0 && s.material == 0);
    assert_true(s.category != 0 && (s.category & s.collides));
}

static void known_masses(void** state)
{
    (void)state;
    scree_mass m;
    scree_shape s = scree_default_shape();
    s.half_size[0] = 2.0;
    assert_int_equal(scree_shape_mass(NULL, 1, &s, 3.0, &m), SCREE_OK);
    require(fabs(m.mass / (32.0 * SCREE_PI) - 1.0) < 1e-15, "sphere: mass %g", m.mass);
    for (int k = 0; k < 3; ++k) {
        require(fabs(m.inertia[k] / (0.4 * m.mass * 4.0) - 1.0) < 1e-15, "sphere: inertia");
        assert_true(m.inertia[3 + k] == 0.0 && m.centre[k] == 0.0);
    }
    s.kind = SCREE_SHAPE_BOX;
    s.half_size[0] = 1.0, s.half_size[1] = 2.0, s.half_size[2] = 3.0;
    assert_int_equal(scree_shape_mass(NULL, 1, &s, 0.5, &m), SCREE_OK);
    require(fabs(m.mass - 24.0) < 1e-13, "box: mass %g", m.mass);
    require(fabs(m.inertia[0] - 8.0 * 13.0) < 1e-12 && fabs(m.inertia[1] - 8.0 * 10.0) < 1e-12 &&
                fabs(m.inertia[2] - 8.0 * 5.0) < 1e-12,
            "box: inertia %g %g %g", m.inertia[0], m.inertia[1], m.inertia[2]);
}

/* Integrates a body of all kinds of solids over a grid of points. */
static void masses_against_sampling(void** state)
{
    (void)state;
    scri_random random = test_seed("masses_against_sampling", 11);
    const int side = test_size(60, 120);
    for (int which = 0; which <= N_KINDS; ++which) {
        scree_shape shapes[N_KINDS];
        int n = which < N_KINDS ? 1 : N_KINDS;
        for (int i = 0; i < n; ++i) {
            shapes[i] = draw_shape(&random, solid_kinds[which < N_KINDS ? which : i]);
        }
        scree_mass m;
        assert_int_equal(scree_shape_mass(NULL, n, shapes, 2.5, &m), SCREE_OK);
        double sum[10] = {0.0}, step = 6.2 / side, cell = 2.5 * step * step * step;
        for (int i = 0; i < n; ++i) {
            scri_mat r = scri_mat_from_quat(scri_quat_load(shapes[i].rotation));
            for (int p = 0; p < side * side * side; ++p) {
                double x[3] = {(p % side + 0.5) * step - 3.1, (p / side % side + 0.5) * step - 3.1,
                               (p / side / side + 0.5) * step - 3.1};
                scri_vec d = scri_vec_sub(scri_vec_load(x), scri_vec_load(shapes[i].position));
                if (!contains(shapes + i, scri_mat_multiply_transposed(r, d))) continue;
                sum[0] += cell;
                for (int k = 0; k < 3; ++k) sum[1 + k] += cell * x[k];
                double e[3] = {x[0] - m.centre[0], x[1] - m.centre[1], x[2] - m.centre[2]};
                double square = e[0] * e[0] + e[1] * e[1] + e[2] * e[2];
                for (int k = 0; k < 3; ++k) sum[4 + k] += cell * (square - e[k] * e[k]);
                sum[7] -= cell * e[0] * e[1];
                sum[8] -= cell * e[0] * e[2];
                sum[9] -= cell * e[1] * e[2];
            }
        }
        double bound = test_all() ? 0.01 : 0.06;
        require(fabs(sum[0] / m.mass - 1.0) < bound, "case %d: mass %g, sampled %g", which, m.mass,
                sum[0]);
        for (int k = 0; k < 3; ++k) {
            require(fabs(sum[1 + k] / m.mass - m.centre[k]) < bound, "case %d: centre", which);
        }
        double scale = m.inertia[0] + m.inertia[1] + m.inertia[2];
        for (int k = 0; k < 6; ++k) {
            require(fabs(sum[4 + k] - m.inertia[k]) < bound * scale,
                    "case %d: inertia[%d] %g, sampled %g", which, k, m.inertia[k], sum[4 + k]);
        }
    }
}

/* A box cut into eight is the same body, wherever it stands. */
static void parallel_axes(void** state)
{
    (void)state;
    scri_random random = test_seed("parallel_axes", 12);
    scree_shape whole = draw_shape(&random, SCREE_SHAPE_BOX), parts[8];
    scri_mat r = scri_mat_from_quat(scri_quat_load(whole.rotation));
    for (int i = 0; i < 8; ++i) {
        parts[i] = whole;
        for (int k = 0; k < 3; ++k) parts[i].half_size[k] = 0.5 * whole.half_size[k];
        scri_vec d = {(i & 1 ? 0.5 : -0.5) * whole.half_size[0],
                      (i & 2 ? 0.5 : -0.5) * whole.half_size[1],
                      (i & 4 ? 0.5 : -0.5) * whole.half_size[2]};
        d = scri_vec_add(scri_vec_load(whole.position), scri_mat_multiply(r, d));
        scri_vec_store(d, parts[i].position);
    }
    scree_mass one, eight;
    assert_int_equal(scree_shape_mass(NULL, 1, &whole, 7.0, &one), SCREE_OK);
    assert_int_equal(scree_shape_mass(NULL, 8, parts, 7.0, &eight), SCREE_OK);
    require(fabs(one.mass - eight.mass) < 1e-13 * one.mass, "mass");
    for (int k = 0; k < 3; ++k) require(fabs(one.centre[k] - eight.centre[k]) < 1e-14, "centre");
    for (int k = 0; k < 6; ++k) {
        require(fabs(one.inertia[k] - eight.inertia[k]) < 1e-13 * one.mass, "inertia[%d]", k);
    }
}

static void expect_refusal(scree_shape s, double density, const char* text)
{
    test_host host;
    scree_env env = test_env(&host);
    scree_shape shapes[2] = {scree_default_shape(), s};
    scree_mass m;
    assert_int_equal(scree_shape_mass(&env, 2, shapes, density, &m), SCREE_ERROR_INPUT);
    assert_int_equal(host.n_logged, 1);
    require(strstr(host.text, text), "\"%s\" does not say \"%s\"", host.text, text);
    assert_true(m.mass == 0.0);
}

static void bad_input(void** state)
{
    (void)state;
    scree_shape s = scree_default_shape();
    s.kind = SCREE_SHAPE_HALF_SPACE;
    expect_refusal(s, 1.0, "shape 1: a half-space has no mass");
    s.kind = SCREE_SHAPE_BOX;
    expect_refusal(s, 1.0, "shape 1 (box): size[1] = 0 must be positive");
    s.kind = SCREE_SHAPE_TUBE;
    s.half_size[1] = s.half_size[2] = 1.0;
    expect_refusal(s, 1.0, "shape 1 (tube): an inner radius of 1 m is not within 1 m");
    s.kind = (scree_shape_kind)77;
    expect_refusal(s, 1.0, "shape 1: unknown kind 77");
    s = scree_default_shape();
    s.half_size[0] = (double)NAN;
    expect_refusal(s, 1.0, "size[0] = nan");
    s = scree_default_shape();
    s.position[2] = (double)INFINITY;
    expect_refusal(s, 1.0, "position[2]");
    s = scree_default_shape();
    s.rotation[1] = 0.1;
    expect_refusal(s, 1.0, "unit quaternion");
    s.rotation[1] = (double)NAN;
    expect_refusal(s, 1.0, "unit quaternion");
    s = scree_default_shape();
    expect_refusal(s, 0.0, "density 0");
    expect_refusal(s, (double)NAN, "density");
    s.half_size[0] = 1e150;
    expect_refusal(s, 1.0, "out of range");
    scree_mass m;
    assert_int_equal(scree_shape_mass(NULL, 0, NULL, 1.0, &m), SCREE_ERROR_INPUT);
    assert_int_equal(scree_shape_mass(NULL, -1, &s, 1.0, &m), SCREE_ERROR_ARGUMENT);
    assert_int_equal(scree_shape_mass(NULL, 1, NULL, 1.0, &m), SCREE_ERROR_ARGUMENT);
    assert_int_equal(scree_shape_mass(NULL, 1, &s, 1.0, NULL), SCREE_ERROR_ARGUMENT);
}

/* Random points of a shape lie within its bounds, and some of them close to each. */
static void bounds_against_sampling(void** state)
{
    (void)state;
    scri_random random = test_seed("bounds_against_sampling", 13);
    for (int n = 0; n < 40; ++n) {
        scree_shape s = draw_shape(&random, solid_kinds[n % N_KINDS]);
        double lower[3], upper[3], least[3], most[3],
            radius = scri_shape_radius(s.kind, s.half_size);
        assert_int_equal(
            scri_shape_bounds(s.kind, s.half_size, s.position, s.rotation, lower, upper), 1);
        for (int k = 0; k < 3; ++k) least[k] = most[k] = s.position[k];
        scri_mat r = scri_mat_from_quat(scri_quat_load(s.rotation));
        double farthest = 0.0;
        for (int i = 0; i < test_cases(20000, 200000); ++i) {
            double x[3];
            for (int k = 0; k < 3; ++k) x[k] = draw_between(&random, -radius, radius);
            scri_vec local = scri_vec_load(x);
            if (!contains(&s, local)) continue;
            farthest = fmax(farthest, scri_vec_length(local));
            scri_vec_store(scri_mat_multiply(r, local), x);
            for (int k = 0; k < 3; ++k) {
                least[k] = fmin(least[k], s.position[k] + x[k]);
                most[k] = fmax(most[k], s.position[k] + x[k]);
            }
        }
        /* few points fall into the tip of a cone */
        double share = s.kind == SCREE_SHAPE_CONE ? 0.5 : 0.7;
        require(farthest <= radius && farthest > share * radius, "radius %g of %g", farthest,
                radius);
        for (int k = 0; k < 3; ++k) {
            require(lower[k] <= least[k] && most[k] <= upper[k], "case %d: outside", n);
            require(most[k] - least[k] > share * (upper[k] - lower[k]), "case %d: loose", n);
        }
    }
    double lower[3], upper[3], zero[3] = {0.0}, turn[4] = {1.0, 0.0, 0.0, 0.0};
    assert_int_equal(scri_shape_bounds(SCREE_SHAPE_HALF_SPACE, zero, zero, turn, lower, upper), 0);
    assert_true(isinf(lower[0]) && isinf(upper[2]));
    double size[3] = {1.0, 2.0, 3.0};
    scri_shape_bounds(SCREE_SHAPE_CAPSULE, size, zero, turn, lower, upper);
    assert_true(upper[0] == 1.0 && upper[2] == 3.0 && lower[2] == -3.0);
    scri_shape_bounds(SCREE_SHAPE_CYLINDER, size, zero, turn, lower, upper);
    assert_true(upper[0] == 1.0 && upper[2] == 2.0);
    scri_shape_bounds(SCREE_SHAPE_CONE, size, zero, turn, lower, upper);
    assert_true(upper[0] == 1.0 && upper[2] == 3.0 && lower[2] == -1.0);
    scri_shape_bounds(SCREE_SHAPE_ELLIPSOID, size, zero, turn, lower, upper);
    assert_true(upper[0] == 1.0 && upper[1] == 2.0 && upper[2] == 3.0);
    assert_true(scri_shape_inner(SCREE_SHAPE_ELLIPSOID, size) == 1.0);
    require(fabs(scri_shape_inner(SCREE_SHAPE_CONE, size) - 3.0 / sqrt(17.0)) < 1e-15, "inner");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_and_defaults),
        cmocka_unit_test(known_masses),
        cmocka_unit_test(masses_against_sampling),
        cmocka_unit_test(parallel_axes),
        cmocka_unit_test(bad_input),
        cmocka_unit_test(bounds_against_sampling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
