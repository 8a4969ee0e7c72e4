/* One set over sliding and spinning: gauge, support and projection against closed forms and brute
 * force, contacts judged by their law, and the behaviour of Coulomb and Contensou. */
#include "laws/set_cone.h"
#include "laws/set_contact.h"
#include "laws/spin_slip.h"
#include "support/friction_sets.h"
#include "support/solving.h"

static scree_set* joined(scree_set_kind kind, double a, double b, double s, double degrees,
                         double power)
{
    scree_set_def def = {.kind = kind,
                         .a = a,
                         .b = b,
                         .s = s,
                         .angle = degrees * FRICTION_DEGREE,
                         .spin_power = power};
    return make_set_of(&def);
}

static void draw_vector(scri_random* random, double size, double x[3])
{
    for (int i = 0; i < 3; ++i) x[i] = size * draw_between(random, -1.0, 1.0);
}

static double dot(const double* a, const double* b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Of an ellipsoid all is known: gauge |f / e|, support |e y|, force e^2 y / |e y|. */
static void an_ellipsoid_is_what_it_should_be(void** state)
{
    (void)state;
    scri_random random = test_seed("ellipsoids", 301);
    scree_set* set = joined(SCREE_SET_ELLIPSE, 0.8, 0.3, 0.0, 0.0, 2.0);
    const double coef[2] = {0.5, 0.02}, e[3] = {0.4, 0.15, 0.02};
    scri_spin_sets sets = {scri_set_of(set), scri_set_of(set), {coef[0], coef[1]}};
    for (int i = 0; i < test_cases(2000, 100000); ++i) {
        double f[3], y[3], n = draw_power(&random, -3.0, 3.0), square = 0.0, size = 0.0;
        draw_vector(&random, 1.0, f), draw_vector(&random, 1.0, y);
        for (int k = 0; k < 3; ++k) square += f[k] * f[k] / (e[k] * e[k]);
        double gauge = scri_spin_gauge(sets.c, coef, f, NULL, NULL);
        require(fabs(gauge / sqrt(square) - 1.0) <= 1e-14, "gauge %.17g", gauge);
        for (int k = 0; k < 3; ++k) size += e[k] * e[k] * y[k] * y[k];
        double support = scri_spin_support(sets.c, coef, y);
        require(fabs(support / sqrt(size) - 1.0) <= 1e-14, "support %.17g", support);
        /* The force that belongs to the velocity y: from g = f + y the projection finds it again.
         */
        double force[3], g[3], found[3], reach = 0.0;
        for (int k = 0; k < 3; ++k) {
            force[k] = n * e[k] * e[k] * y[k] / sqrt(size);
            g[k] = force[k] + y[k];
            reach = fmax(reach, fabs(g[k]));
        }
        double outside = scri_spin_react(&sets, n, g, found, NULL);
        for (int k = 0; k < 3; ++k) {
            require(fabs(found[k] - force[k]) <= 1e-12 * reach, "force %d is %.17g, not %.17g", k,
                    found[k], force[k]);
        }
        require(outside > 0.0, "share %g", outside);
    }
    scree_set_destroy(set);
}

/* Closest point of any convex one: no point of the set is nearer, and the normal supports it. */
static void projections_are_closest_points(void** state)
{
    (void)state;
    scri_random random = test_seed("joined projections", 302);
    static const double powers[] = {1.1, 1.5, 2.0, 3.0, 10.0, 100.0};
    for (int i = 0; i < test_cases(600, 20000); ++i) {
        double power = powers[draw_below(&random, 6)], n = draw_between(&random, 0.1, 3.0);
        int kind = draw_below(&random, 4);
        scree_set* set = kind == 0   ? joined(SCREE_SET_DISC, 0.7, 0.0, 0.0, 0.0, power)
                         : kind == 1 ? joined(SCREE_SET_ELLIPSE, 1.0, 0.3, 0.0, 25.0, power)
                         : kind == 2 ? joined(SCREE_SET_RECTANGLE, 0.9, 0.5, 0.0, 10.0, power)
                                     : joined(SCREE_SET_SUPERELLIPSE, 1.0, 0.6, 3.0, -40.0, power);
        scri_spin_sets sets = {scri_set_of(set),
                               scri_set_of(set),
                               {draw_power(&random, -1.0, 0.3), draw_power(&random, -2.0, 0.3)}};
        double g[3], f[3], y[3];
        draw_vector(&random, 4.0, g);
        if (draw_chance(&random, 15.0)) g[draw_below(&random, 3)] = 0.0;
        double outside = scri_spin_react(&sets, n, g, f, NULL);
        double gauge = scri_spin_gauge(sets.c, sets.coef, f, NULL, NULL);
        for (int k = 0; k < 3; ++k) y[k] = g[k] - f[k];
        if (outside == 0.0) {
            assert_memory_equal(f, g, sizeof g);
        } else {
            require(fabs(gauge / n - 1.0) <= 1e-12, "case %d: gauge %.17g", i, gauge / n);
            double support = n * scri_spin_support(sets.c, sets.coef, y);
            require(fabs(support - dot(y, f)) <= 1e-11 * (fabs(support) + dot(y, y)),
                    "case %d, power %g, kind %d: y . f is %.17g, the support %.17g", i, power, kind,
                    dot(y, f), support);
        }
        scree_set_destroy(set);
    }
}

/* Derivatives against differences, away from kinks. */
static void derivatives_are_right(void** state)
{
    (void)state;
    scri_random random = test_seed("joined derivatives", 303);
    int wrong = 0, n_cases = test_cases(400, 20000);
    for (int i = 0; i < n_cases; ++i) {
        scree_set* c = joined(SCREE_SET_ELLIPSE, 1.0, 0.4, 0.0, 30.0, i % 3 ? 2.0 : 3.0);
        scree_set* d = joined(SCREE_SET_ELLIPSE, 0.7, 0.5, 0.0, 0.0, i % 2 ? 2.0 : 1.6);
        scri_spin_sets sets = {scri_set_of(c), scri_set_of(i % 4 ? d : c), {0.6, 0.3}};
        double g[3], f[3], part[12], n = draw_between(&random, 0.2, 2.0), h = 1e-6, error = 0.0;
        draw_vector(&random, 3.0, g);
        scri_spin_react(&sets, n, g, f, part);
        for (int j = 0; j < 4; ++j) {
            double *x = j < 3 ? &g[j] : &n, value = *x, up[3], down[3];
            *x = value + h;
            scri_spin_react(&sets, n, g, up, NULL);
            *x = value - h;
            scri_spin_react(&sets, n, g, down, NULL);
            *x = value;
            for (int k = 0; k < 3; ++k) {
                double slope = (up[k] - down[k]) / (2.0 * h);
                error = fmax(error, fabs(slope - (j < 3 ? part[3 * k + j] : part[9 + k])));
            }
        }
        wrong += !(error <= 1e-5);
        scree_set_destroy(c);
        scree_set_destroy(d);
    }
    require(wrong <= n_cases / 100, "%d of %d derivatives are wrong", wrong, n_cases);
}

/* ---- contacts ---- */

/* How far p and y are from the law with the sets c and d: inside, and where it slips y along the
 * normal of D there. Independent of scri_spin_react(). */
static double law_error(const scri_spin_sets* sets, const double p[4], const double y[4])
{
    double f[3] = {-p[1], -p[2], -p[3]}, normal[3], length = sqrt(dot(y + 1, y + 1));
    double gauge = scri_spin_gauge(sets->c, sets->coef, f, NULL, NULL) / p[0], off = 0.0;
    if (gauge < 1.0 - 1e-7) return length;
    scri_spin_gauge(sets->d, sets->coef, f, normal, NULL);
    double size = sqrt(dot(normal, normal));
    for (int k = 0; k < 3; ++k) off = fmax(off, fabs(y[1 + k] - length * normal[k] / size));
    return fmax(off, fabs(fmax(gauge, 1.0) - 1.0));
}

static void contacts_obey_their_law(void** state)
{
    (void)state;
    scri_random random = test_seed("joined contacts", 304);
    scree_set* c = joined(SCREE_SET_ELLIPSE, 1.0, 0.4, 0.0, 30.0, 2.0);
    scree_set* d = joined(SCREE_SET_ELLIPSE, 0.7, 0.5, 0.0, 0.0, 1.7);
    scree_set* star = joined(SCREE_SET_SUPERELLIPSE, 1.0, 0.8, 1.4, 10.0, 0.7);
    int slips = 0, sticks = 0;
    for (int i = 0; i < test_cases(600, 20000); ++i) {
        int extended = i % 3 != 0;
        const scree_set* force = i % 3 == 2 ? star : c;
        const scree_set* set[4] = {force, extended ? d : NULL, NULL, NULL};
        double coef[3] = {draw_power(&random, -1.0, 0.0), 0.0, draw_power(&random, -2.0, -0.3)};
        double a[16], w[16], q[4], p[4] = {0.0}, y[4];
        for (int k = 0; k < 16; ++k) a[k] = draw_between(&random, -1.0, 1.0);
        for (int k = 0; k < 16; ++k) {
            w[k] = k % 5 == 0 ? 1.0 : 0.0;
            for (int j = 0; j < 4; ++j) w[k] += 0.3 * a[4 * (k / 4) + j] * a[4 * (k % 4) + j];
        }
        q[0] = draw_between(&random, -1.5, -0.2);
        for (int k = 1; k < 4; ++k) q[k] = draw_between(&random, -1.0, 1.0) * (i % 5 ? 1.0 : 0.1);
        scri_terms terms = terms_with(SCREE_ROWS_NTTS, coef, set);
        const scri_law* law = extended ? scri_law_get(SCREE_LAW_EXTENDED) : &scri_law_exact_sets;
        assert_int_not_equal(scri_law_solve_alone(law, terms, w, q, p), SCREE_ONE_CONTACT_NONE);
        for (int k = 0; k < 4; ++k) {
            y[k] = q[k];
            for (int j = 0; j < 4; ++j) y[k] += w[4 * k + j] * p[j];
        }
        scri_spin_sets sets = {
            scri_set_of(force), scri_set_of(extended ? d : force), {coef[0], coef[2]}};
        if (!(p[0] > 1e-9)) continue; /* friction has lifted it off */
        double error = fmax(law_error(&sets, p, y), fabs(y[0]));
        require(error <= 1e-6, "contact %d: off by %g", i, error);
        require(p[1] * y[1] + p[2] * y[2] + p[3] * y[3] <= 1e-12, "contact %d gives energy", i);
        sticks += fabs(y[1]) + fabs(y[3]) < 1e-9;
        slips += fabs(y[1]) + fabs(y[3]) >= 1e-9;
    }
    print_message("%d slip, %d stick\n", slips, sticks);
    assert_true(slips > 20 && sticks > 5);
    scree_set_destroy(c), scree_set_destroy(d), scree_set_destroy(star);
}

static void no_reaction(scri_terms t, const double* z, double blur, double* p, double* d)
{
    (void)z, (void)blur, (void)d;
    for (int i = 0; i < scree_rows_width(t.rows); ++i) p[i] = SCREE_NAN;
}

static double no_drift(scri_terms t, const double* y)
{
    (void)t, (void)y;
    return 0.0;
}

/* Without a reaction map Newton's method fails. The fail-safe is left, which solves the channels
 * for one normal impulse after the other. */
static void the_fail_safe_obeys_the_law(void** state)
{
    (void)state;
    scri_random random = test_seed("joined contacts in turn", 305);
    scree_set* c = joined(SCREE_SET_ELLIPSE, 1.0, 0.4, 0.0, 30.0, 2.0);
    const scree_set* set[4] = {c, NULL, NULL, NULL};
    int slips = 0;
    for (int i = 0; i < test_cases(12, 300); ++i) {
        double coef[3] = {draw_between(&random, 0.1, 0.8), 0.0, draw_between(&random, 0.02, 0.5)};
        double w[16], q[4], p[4] = {0.0}, y[4];
        for (int k = 0; k < 4; ++k) {
            for (int j = 0; j <= k; ++j) {
                w[4 * k + j] = w[4 * j + k] = draw_between(&random, -0.3, 0.3);
            }
            w[5 * k] = draw_between(&random, 1.0, 2.0);
            q[k] = draw_between(&random, -1.0, 1.0);
        }
        q[0] = -fabs(q[0]) - 0.1;
        scri_terms terms = terms_with(SCREE_ROWS_NTTS, coef, set);
        scri_set_contact contact = {terms, no_reaction, no_drift, w, q, 1e-3};
        assert_int_equal(scri_set_contact_solve(&contact, p), SCREE_ONE_CONTACT_FAIL_SAFE);
        for (int k = 0; k < 4; ++k) {
            y[k] = q[k];
            for (int j = 0; j < 4; ++j) y[k] += w[4 * k + j] * p[j];
        }
        scri_spin_sets sets = {scri_set_of(c), scri_set_of(c), {coef[0], coef[2]}};
        double error = fmax(law_error(&sets, p, y), fabs(y[0]));
        require(p[0] > 0.0 && error <= 1e-9, "contact %d: off by %g", i, error);
        slips += fabs(y[1]) + fabs(y[3]) >= 1e-9;
    }
    assert_true(slips > 2);
    scree_set_destroy(c);
}

/* Coulomb and Contensou: a spinning contact resists slow sliding by a force that is proportional to
 * it, so that the least push moves it; without spin it holds. */
static void spin_takes_the_threshold_away(void** state)
{
    (void)state;
    scree_set* ball = joined(SCREE_SET_DISC, 1.0, 0.0, 0.0, 0.0, 2.0);
    const scree_set* set[4] = {ball, NULL, NULL, NULL};
    const double coef[3] = {0.5, 0.0, 0.01}, w[16] = {1.0, 0.0, 0.0,  0.0, 0.0, 1e-9, 0.0, 0.0,
                                                      0.0, 0.0, 1e-9, 0.0, 0.0, 0.0,  0.0, 1e-9};
    double last = 0.0;
    for (int i = 0; i < 6; ++i) {
        double slide = 1e-4 * pow(10.0, 0.5 * i), spin = 1.0, p[4] = {0.0};
        const double q[4] = {-1.0, slide, 0.0, spin};
        scri_terms terms = terms_with(SCREE_ROWS_NTTS, coef, set);
        scri_law_solve_alone(&scri_law_exact_sets, terms, w, q, p);
        double size = hypot(coef[0] * slide, coef[2] * spin);
        double force = coef[0] * coef[0] * slide / size, moment = coef[2] * coef[2] * spin / size;
        require(fabs(p[1] + force) <= 1e-6 && fabs(p[3] + moment) <= 1e-6,
                "at %g m/s: %.9g and %.9g, not %.9g and %.9g", slide, -p[1], -p[3], force, moment);
        require(force > last, "force %g does not grow", force);
        last = force;
    }
    require(last < 0.5 * coef[0] * 1.7, "no saturation: %g", last);
    scree_set_destroy(ball);
}

/* A large power leaves the channels alone; a coefficient of 0 leaves one of them. */
static void limits_are_those_of_channels(void** state)
{
    (void)state;
    scri_random random = test_seed("joined limits", 305);
    scree_set* box = joined(SCREE_SET_ELLIPSE, 1.0, 0.5, 0.0, 0.0, 100.0);
    for (int i = 0; i < 200; ++i) {
        scri_spin_sets sets = {scri_set_of(box), scri_set_of(box), {0.5, 0.2}};
        double g[3], f[3], alone[2], d[12];
        draw_vector(&random, 2.0, g);
        scri_spin_react(&sets, 1.0, g, f, NULL);
        scri_set_project(sets.c, 0.5, g, alone, NULL);
        double moment = fmax(fmin(g[2], 0.2), -0.2);
        require(fabs(f[0] - alone[0]) <= 0.02 && fabs(f[1] - alone[1]) <= 0.02 &&
                    fabs(f[2] - moment) <= 0.02,
                "case %d", i);
        sets.coef[1] = 0.0;
        scri_spin_react(&sets, 1.0, g, f, d);
        require(fabs(f[0] - alone[0]) <= 1e-14 && f[2] == 0.0, "without a moment: %g", f[0]);
        for (int k = 2; k < 12; k += 3) { /* no moment comes of it, whatever changes */
            require(d[k] == 0.0 && (k != 8 || (d[6] == 0.0 && d[7] == 0.0)), "entry %d: %g", k,
                    d[k]);
        }
        sets.coef[1] = 0.2, sets.coef[0] = 0.0;
        scri_spin_react(&sets, 1.0, g, f, d);
        require(f[0] == 0.0 && f[1] == 0.0 && f[2] == moment, "the moment alone: %g", f[2]);
        sets.coef[1] = 0.0;
        scri_spin_react(&sets, 1.0, g, f, d);
        assert_true(f[0] == 0.0 && f[1] == 0.0 && f[2] == 0.0);
    }
    scri_spin_sets sets = {scri_set_of(box), scri_set_of(box), {0.5, 0.2}};
    double nan[3] = {0.1, (double)NAN, 0.0}, none[3] = {0.0, 0.0, 0.0}, f[3], d[12];
    scri_spin_react(&sets, 1.0, nan, f, d);
    assert_true(isnan(f[0]));
    scri_spin_react(&sets, 0.0, none, f, d);
    assert_true(f[0] == 0.0 && f[2] == 0.0 && d[9] == 0.0);
    scree_set_destroy(box);
}

/* Without a normal force nothing is carried; how friction begins with it depends on the direction
 * of g alone, and is what the ellipsoid carries against a velocity along g: e^2 g / |e g|. */
static void friction_begins_along_the_velocity(void** state)
{
    (void)state;
    scree_set* set = joined(SCREE_SET_ELLIPSE, 0.8, 0.3, 0.0, 0.0, 2.0);
    scri_spin_sets sets = {scri_set_of(set), scri_set_of(set), {0.5, 0.02}};
    const double e[3] = {0.4, 0.15, 0.02}, way[3] = {0.3, -0.5, 0.7};
    for (int power = -60; power <= 60; power += 20) {
        double g[3], f[3], d[12], size = 0.0;
        for (int k = 0; k < 3; ++k) g[k] = ldexp(way[k], power), size += pow(e[k] * way[k], 2.0);
        scri_spin_react(&sets, 0.0, g, f, d);
        for (int k = 0; k < 3; ++k) {
            double expected = e[k] * e[k] * way[k] / sqrt(size);
            require(f[k] == 0.0, "force %g", f[k]);
            require(fabs(d[9 + k] - expected) <= 1e-9, "2^%d: entry %d is %.12g, not %.12g", power,
                    k, d[9 + k], expected);
        }
    }
    scree_set_destroy(set);
}

/* The projection on the cone: in it, the rest in its polar, both orthogonal. */
static void cones_are_projected_on(void** state)
{
    (void)state;
    scri_random random = test_seed("joined cones", 306);
    scree_set* set = joined(SCREE_SET_ELLIPSE, 1.0, 0.4, 0.0, 30.0, 2.5);
    const scree_set* sets[4] = {set, NULL, NULL, NULL};
    for (int i = 0; i < test_cases(600, 20000); ++i) {
        const double coef[3] = {0.6, 0.1, 0.2};
        int rows = i % 2 ? SCREE_ROWS_NTTS : SCREE_ROWS_NTTRRS, width = scree_rows_width(rows);
        scri_terms terms = terms_with(rows, coef, sets);
        double z[6], p[6], rest[6], power = 0.0, size = 0.0, again[6];
        for (int k = 0; k < width; ++k)
            z[k] = draw_between(&random, -1.0, 1.0), size += z[k] * z[k];
        scri_set_cone_project(terms, z, p, NULL);
        scri_set_cone_project(terms, p, again, NULL);
        for (int k = 0; k < width; ++k) {
            rest[k] = p[k] - z[k]; /* y with -y in the normal cone */
            power += rest[k] * p[k];
            require(fabs(again[k] - p[k]) <= 1e-11, "case %d: projected twice %g", i,
                    again[k] - p[k]);
        }
        require(fabs(power) <= 1e-11 * size, "case %d: p . rest = %g", i, power);
        require(rest[0] - scri_set_cone_shift(terms, rest) >= -1e-11, "case %d: the rest", i);
    }
    scree_set_destroy(set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_ellipsoid_is_what_it_should_be),
        cmocka_unit_test(projections_are_closest_points),
        cmocka_unit_test(derivatives_are_right),
        cmocka_unit_test(contacts_obey_their_law),
        cmocka_unit_test(the_fail_safe_obeys_the_law),
        cmocka_unit_test(spin_takes_the_threshold_away),
        cmocka_unit_test(limits_are_those_of_channels),
        cmocka_unit_test(friction_begins_along_the_velocity),
        cmocka_unit_test(cones_are_projected_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
