/* Sets of directions that models of friction bring with them: wedges against the mechanics of one
 * spring, flow rules by eq. (71), tensors. */
#include "scree/set.h"
#include "support/draw.h"
#include "support/test.h"

#include <math.h>

static scree_set* make_wedges(double mu, double beta, double angle, double scale)
{
    scree_set_def def = {
        .kind = SCREE_SET_ASPERITY, .a = mu, .s = beta, .angle = angle, .scale = scale};
    scree_set* set = NULL;
    assert_int_equal(scree_set_create(NULL, &def, &set), SCREE_OK);
    return set;
}

/* The angle from a to b. */
static double angle_between(const double a[2], const double b[2])
{
    return atan2(a[0] * b[1] - a[1] * b[0], a[0] * b[0] + a[1] * b[1]);
}

/* ---- wedges ---- */

/* H_T1 and H_T2 of one spring that slides under the angle phi over a side with the inclination
 * beta, eqs. (45) to (47): its velocity in the side is (cos(phi)/cos(beta), sin(phi)), friction in
 * the side mu times the force across it. */
static void side(double mu, double beta, double phi, double h[2])
{
    double v[2] = {cos(phi) / cos(beta), sin(phi)}, speed = hypot(v[0], v[1]);
    double t[2] = {mu * v[0] / speed, mu * v[1] / speed};
    double normal = cos(beta) - t[0] * sin(beta);
    h[0] = (sin(beta) + t[0] * cos(beta)) / normal;
    h[1] = t[1] / normal;
}

/* Eq. (49): the mean of both sides. It lies on the boundary (50), and sliding is normal to D (51),
 * (52). */
static void wedges_slide_by_their_own_rule(void** state)
{
    (void)state;
    scri_random random = test_seed("wedges", 5);
    for (int i = 0; i < test_cases(300, 2000); ++i) {
        double beta = draw_between(&random, 0.01, 1.2);
        double mu = draw_between(&random, 0.01, 0.99) / tan(beta);
        double phi = draw_between(&random, -SCREE_PI, SCREE_PI),
               turn = draw_between(&random, -SCREE_PI, SCREE_PI);
        double scale = draw_between(&random, 0.1, 10.0), up[2], down[2], force[2], normal[2];
        if (i == 0) mu = 1.2, beta = 36.0 * SCREE_PI / 180.0;
        side(mu, beta, phi, up);
        side(mu, -beta, phi, down);
        double own[2] = {0.5 * scale * (up[0] + down[0]), 0.5 * scale * (up[1] + down[1])};
        force[0] = cos(turn) * own[0] - sin(turn) * own[1];
        force[1] = sin(turn) * own[0] + cos(turn) * own[1];
        scree_set *c = make_wedges(mu, beta, turn, scale), *d = NULL;
        assert_int_equal(scree_set_flow(NULL, c, &d), SCREE_OK);
        assert_non_null(d);
        require(fabs(scree_set_gauge(c, force) - 1.0) < 1e-9, "not on the boundary: %g",
                scree_set_gauge(c, force));
        scree_set_normal(d, force, normal);
        const double sliding[2] = {cos(phi + turn), sin(phi + turn)};
        require(fabs(angle_between(sliding, normal)) < 1e-9, "mu %g, beta %g, phi %g: off by %g",
                mu, beta, phi, angle_between(sliding, normal));
        require(fabs(scree_set_fit(d, c) - 1.0) < 1e-6, "D is not the largest inside C");
        scree_set_destroy(c);
        scree_set_destroy(d);
    }
}

static void other_kinds_bring_none(void** state)
{
    (void)state;
    scree_set_def def = {.kind = SCREE_SET_ELLIPSE, .a = 0.5, .b = 0.3};
    scree_set *c = NULL, *d = NULL;
    assert_int_equal(scree_set_create(NULL, &def, &c), SCREE_OK);
    d = c; /* anything */
    assert_int_equal(scree_set_flow(NULL, c, &d), SCREE_OK);
    assert_null(d);
    scree_set_destroy(c);
}

/* ---- flow rules ---- */

static double radius_towards(const scree_set* set, const double x[2])
{
    return hypot(x[0], x[1]) / scree_set_gauge(set, x);
}

/* The force of every direction lies on C, and the direction is normal to D there. */
static void require_flow(scree_flow_rule* rule, void* user, const scree_set* c, const scree_set* d,
                         double tolerance)
{
    for (int i = 0; i < 97; ++i) {
        double phi = 2.0 * SCREE_PI * (i + 0.37) / 97.0, force[2], normal[2];
        const double u[2] = {cos(phi), sin(phi)};
        rule(user, phi, force);
        require(fabs(scree_set_gauge(c, force) - 1.0) < tolerance, "C at %g: gauge %g", phi,
                scree_set_gauge(c, force));
        scree_set_normal(d, force, normal);
        require(fabs(angle_between(u, normal)) < 10.0 * tolerance, "D at %g: off by %g", phi,
                angle_between(u, normal));
    }
}

static void wedge_rule(void* user, double phi, double force[2])
{
    const double* p = user;
    double up[2], down[2];
    side(p[0], p[1], phi, up);
    side(p[0], -p[1], phi, down);
    for (int j = 0; j < 2; ++j) force[j] = 0.5 * (up[j] + down[j]);
}

/* From the mechanics of the springs alone (71) finds the ellipse of eq. (52). */
static void equation_71_finds_the_ellipse_of_wedges(void** state)
{
    (void)state;
    double p[2] = {0.3, 30.0 * SCREE_PI / 180.0};
    scree_set *c = NULL, *d = NULL, *wedges = make_wedges(p[0], p[1], 0.0, 1.0), *ellipse = NULL;
    assert_int_equal(scree_set_create_from_flow(NULL, wedge_rule, p, &c, &d), SCREE_OK);
    assert_int_equal(scree_set_flow(NULL, wedges, &ellipse), SCREE_OK);
    require_flow(wedge_rule, p, c, d, 1e-7);
    const double along[2] = {1.0, 0.0};
    for (int i = 0; i < 50; ++i) {
        const double x[2] = {cos(0.13 * i), sin(0.13 * i)};
        require(fabs(radius_towards(c, x) / radius_towards(wedges, x) - 1.0) < 1e-7, "C");
        double shape = radius_towards(d, x) / radius_towards(d, along);
        double exact = radius_towards(ellipse, x) / radius_towards(ellipse, along);
        require(fabs(shape / exact - 1.0) < 1e-7, "D: %g, ellipse %g", shape, exact);
    }
    scree_set_destroy(c);
    scree_set_destroy(d);
    scree_set_destroy(wedges);
    scree_set_destroy(ellipse);
}

static void tensor_rule(void* user, double phi, double force[2])
{
    const scree_tensor_law* t = user;
    double c = cos(phi - t->angle), s = sin(phi - t->angle), own[2];
    for (int i = 0; i < 2; ++i) {
        const double* f = t->fourth[i];
        own[i] = t->second[i][0] * c + t->second[i][1] * s;
        own[i] += ((f[0] * c + f[1] * s) * c + f[2] * s * s) * c + f[3] * s * s * s;
    }
    force[0] = cos(t->angle) * own[0] - sin(t->angle) * own[1];
    force[1] = sin(t->angle) * own[0] + cos(t->angle) * own[1];
}

/* The three kinds of Fig. 12: orthotropic, collinear with a friction that depends on the
 * direction, and a tensor of fourth order. */
static void tensors_are_sets(void** state)
{
    (void)state;
    static const scree_tensor_law laws[] = {
        {{{0.5, 0.0}, {0.0, 0.3}}, {{0.0}}, 0.0},
        {{{0.5, 0.08}, {0.08, 0.3}}, {{0.0}}, 0.7},
        {{{0.3, 0.0}, {0.0, 0.3}}, {{0.15, 0.0, 0.0, 0.0}, {0.0, 0.15, 0.0, 0.0}}, 0.3},
        {{{0.4, 0.0}, {0.0, 0.3}}, {{0.05, 0.0, 0.02, 0.0}, {0.0, 0.02, 0.0, 0.04}}, 0.0},
    };
    for (size_t i = 0; i < sizeof laws / sizeof *laws; ++i) {
        scree_tensor_law law = laws[i];
        scree_set *c = NULL, *d = NULL;
        assert_int_equal(scree_set_create_tensor(NULL, &law, &c, &d), SCREE_OK);
        require_flow(tensor_rule, &law, c, d, 1e-6);
        assert_true(scree_set_is_convex(d));
        if (i == 2) { /* collinear: D is a circle */
            for (int k = 0; k < 40; ++k) {
                double ratio = scree_set_radius(d, 0.16 * k) / scree_set_radius(d, 0.0);
                require(fabs(ratio - 1.0) < 1e-8, "radius %g", ratio);
            }
        }
        scree_set_destroy(c);
        scree_set_destroy(d);
    }
}

/* A symmetric tensor by its ellipses and by (71). */
static void ellipses_of_a_tensor_are_those_of_its_flow(void** state)
{
    (void)state;
    scri_random random = test_seed("tensors", 6);
    for (int i = 0; i < 20; ++i) {
        double a = draw_between(&random, 0.2, 1.0), d = draw_between(&random, 0.2, 1.0);
        double b = 0.9 * draw_between(&random, -1.0, 1.0) * sqrt(a * d);
        scree_tensor_law law = {{{a, b}, {b, d}}, {{0.0}}, draw_between(&random, -3.0, 3.0)};
        scree_set* set[2][2] = {{NULL}};
        assert_int_equal(scree_set_create_tensor(NULL, &law, &set[0][0], &set[0][1]), SCREE_OK);
        assert_int_equal(
            scree_set_create_from_flow(NULL, tensor_rule, &law, &set[1][0], &set[1][1]), SCREE_OK);
        for (int k = 0; k < 20; ++k) {
            double angle = 0.314 * k, ratio[2];
            for (int m = 0; m < 2; ++m) {
                ratio[m] = scree_set_radius(set[0][m], angle) / scree_set_radius(set[1][m], angle);
                ratio[m] /=
                    m ? scree_set_radius(set[0][1], 0.0) / scree_set_radius(set[1][1], 0.0) : 1.0;
            }
            require(fabs(ratio[0] - 1.0) < 1e-5 && fabs(ratio[1] - 1.0) < 1e-5, "C %g, D %g",
                    ratio[0], ratio[1]);
        }
        for (int k = 0; k < 4; ++k) scree_set_destroy(set[k / 2][k % 2]);
    }
}

static void nan_rule(void* user, double phi, double force[2])
{
    (void)user;
    force[0] = phi > 3.0 ? SCREE_NAN : cos(phi);
    force[1] = sin(phi);
}

static void no_sets_for_bad_rules(void** state)
{
    (void)state;
    test_host host;
    scree_env env = test_env(&host);
    scree_set *c = NULL, *d = NULL;
    scree_tensor_law skew = {{{0.5, 0.1}, {-0.1, 0.5}}, {{0.0}}, 0.0};
    scree_tensor_law pushes = {{{0.5, 0.0}, {0.0, -0.1}}, {{0.0}}, 0.0};
    assert_int_equal(scree_set_create_tensor(&env, &skew, &c, &d), SCREE_ERROR_INPUT);
    assert_non_null(strstr(host.text, "does not close"));
    assert_int_equal(scree_set_create_tensor(&env, &pushes, &c, &d), SCREE_ERROR_INPUT);
    assert_non_null(strstr(host.text, "does not resist"));
    assert_int_equal(scree_set_create_from_flow(&env, nan_rule, NULL, &c, &d), SCREE_ERROR_INPUT);
    assert_int_equal(scree_set_create_from_flow(&env, NULL, NULL, &c, &d), SCREE_ERROR_ARGUMENT);
    assert_true(!c && !d);
    assert_int_equal(host.n_held, 0);
}

/* ---- bipotential ---- */

static scree_set* draw_any(scri_random* random, int convex)
{
    scree_set_def def = {.angle = draw_between(random, -SCREE_PI, SCREE_PI)};
    scree_set* set = NULL;
    def.kind = draw_chance(random, 50.0) ? SCREE_SET_ELLIPSE : SCREE_SET_SUPERELLIPSE;
    def.a = draw_between(random, 0.2, 1.0);
    def.b = draw_between(random, 0.2, 1.0);
    def.s = convex ? draw_between(random, 1.5, 4.0) : draw_between(random, 0.7, 4.0);
    assert_int_equal(scree_set_create(NULL, &def, &set), SCREE_OK);
    return set;
}

/* Never below the power, equal to it where the law holds, above it elsewhere. */
static void bipotential_is_zero_at_the_law(void** state)
{
    (void)state;
    scri_random random = test_seed("bipotential", 7);
    for (int i = 0; i < 3000; ++i) {
        scree_set *c = draw_any(&random, 0), *d = draw_any(&random, 1);
        double s[2], v[2], z[2], b;
        for (int j = 0; j < 2; ++j) {
            s[j] = draw_between(&random, -1.0, 1.0);
            v[j] = draw_between(&random, -2.0, 2.0);
        }
        double gauge = scree_set_gauge(c, s), power = s[0] * v[0] + s[1] * v[1];
        b = scree_set_bipotential(c, d, s, v);
        require(gauge <= 1.0 ? b >= power - 1e-12 : isinf(b), "gauge %g: %g below %g", gauge, b,
                power);
        /* the force of the law for this velocity */
        scree_set_support(d, v, z);
        double scale = (1.0 - 1e-14) / scree_set_gauge(c, z);
        for (int j = 0; j < 2; ++j) s[j] = scale * z[j];
        power = s[0] * v[0] + s[1] * v[1];
        b = scree_set_bipotential(c, d, s, v);
        require(fabs(b / power - 1.0) < 1e-9, "at the law: %g, power %g", b, power);
        /* less force, or another direction, and it is above */
        const double less[2] = {0.9 * s[0], 0.9 * s[1]};
        b = scree_set_bipotential(c, d, less, v);
        require(b > 1.05 * 0.9 * power, "inside: %g, power %g", b, 0.9 * power);
        const double zero[2] = {0.0, 0.0};
        assert_true(scree_set_bipotential(c, d, less, zero) == 0.0);
        require(scree_set_bipotential(c, d, zero, v) > 0.0, "sliding without a force");
        assert_true(isnan(scree_set_bipotential(c, d, s, (double[]){SCREE_NAN, 0.0})));
        scree_set_destroy(c);
        scree_set_destroy(d);
    }
    const double s[2] = {0.6, 0.0}, v[2] = {2.0, 0.0};
    require(scree_set_bipotential(NULL, NULL, s, v) == 2.0, "of the disc");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wedges_slide_by_their_own_rule),
        cmocka_unit_test(other_kinds_bring_none),
        cmocka_unit_test(equation_71_finds_the_ellipse_of_wedges),
        cmocka_unit_test(tensors_are_sets),
        cmocka_unit_test(ellipses_of_a_tensor_are_those_of_its_flow),
        cmocka_unit_test(no_sets_for_bad_rules),
        cmocka_unit_test(bipotential_is_zero_at_the_law),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
