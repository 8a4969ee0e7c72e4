/* Forces under two ellipses: which pairs have the same axes, and what a slip must satisfy. */
#include "cones/ellipses_kernel.h"
#include "support/draw.h"
#include "support/test.h"

static const double turn = 2.0 * SCREE_PI;

/* x^T m x = (x along the axis / a)^2 + (x across it / b)^2 */
static void ellipse_of(double a, double b, double angle, double m[3])
{
    double c = cos(angle), s = sin(angle), u = 1.0 / (a * a), v = 1.0 / (b * b);
    m[0] = c * c * u + s * s * v;
    m[1] = c * s * (u - v);
    m[2] = s * s * u + c * c * v;
}

static scri_ellipses draw_pair(scri_random* random, double angle, double apart)
{
    scri_ellipses e;
    double size = draw_power(random, -3.0, 3.0);
    ellipse_of(draw_between(random, 1.3, 3.0), draw_between(random, 0.4, 1.0), angle, e.c);
    ellipse_of(size * draw_between(random, 0.4, 1.0), size * draw_between(random, 1.3, 3.0),
               angle + apart, e.d);
    return e;
}

static void axes_are_compared(void** state)
{
    (void)state;
    scri_random random = test_seed("axes", 71);
    for (int n = 0; n < 2000; ++n) {
        double angle = draw_between(&random, 0.0, turn);
        scri_ellipses same = draw_pair(&random, angle, 0.0);
        scri_ellipses across = draw_pair(&random, angle, 0.25 * turn);
        double apart = draw_sign(&random) * draw_power(&random, -6.0, -0.5); /* below 0.32 rad */
        scri_ellipses other = draw_pair(&random, angle, apart);
        require(scri_ellipses_share_axes(&same), "case %d: at %g", n, angle);
        require(scri_ellipses_share_axes(&across), "case %d: across %g", n, angle);
        require(!scri_ellipses_share_axes(&other), "case %d: %g and %g more", n, angle, apart);
        scri_ellipses disc = same;
        disc.d[0] = disc.d[2] = draw_power(&random, -3.0, 3.0);
        disc.d[1] = 0.0;
        require(scri_ellipses_share_axes(&disc), "case %d: a disc has any axes", n);
    }
}

static void forms_and_responses_by_hand(void** state)
{
    (void)state;
    const double m[3] = {2.0, -1.0, 3.0}, x[2] = {5.0, 7.0};
    double out[2];
    assert_true(scri_quadratic(m, x) == 50.0 - 70.0 + 147.0);
    /* 1 + 2 m = (5, -2; -2, 7): its inverse is (7, 2; 2, 5) / 31 */
    scri_quadratic_respond(2.0, m, x, out);
    require(fabs(out[0] - 49.0 / 31.0) <= 1e-15, "%.17g", out[0]);
    require(fabs(out[1] - 45.0 / 31.0) <= 1e-15, "%.17g", out[1]);
    double same[2] = {x[0], x[1]};
    scri_quadratic_respond(2.0, m, same, same); /* in place */
    assert_true(same[0] == out[0] && same[1] == out[1]);
}

/* f^T c f = size^2 and g - f = lambda d f with lambda > 0, from wherever the search begins. */
static void slips_end_on_the_boundary(void** state)
{
    (void)state;
    scri_random random = test_seed("slips", 72);
    double worst = 0.0;
    for (int n = 0; n < 3000; ++n) {
        scri_ellipses e = draw_pair(&random, draw_between(&random, 0.0, turn), 0.0);
        double angle = draw_between(&random, 0.0, turn), size = draw_power(&random, -2.0, 2.0);
        double u[2] = {cos(angle), sin(angle)}, g[2], first[2] = {0.0, 0.0}, lambda = 0.0;
        double length =
            size / sqrt(scri_quadratic(e.c, u)) * (1.0 + draw_power(&random, -6.0, 4.0));
        for (int i = 0; i < 2; ++i) g[i] = length * u[i];
        for (int begin = 0; begin < 4; ++begin) {
            double f[2] = {g[0], g[1]}, guess = begin == 0   ? 0.0
                                                : begin == 1 ? lambda
                                                : begin == 2 ? 1e3 * lambda
                                                             : 0.01 * lambda;
            scri_ellipses_slip(e.c, e.d, size, &guess, f);
            if (begin == 0) {
                lambda = guess;
                memcpy(first, f, sizeof f);
            }
            require(guess > 0.0, "case %d.%d: lambda %g", n, begin, guess);
            double on = fabs(sqrt(scri_quadratic(e.c, f)) / size - 1.0);
            require(on <= 1e-14, "case %d.%d: %g off the boundary", n, begin, on);
            double df[2] = {e.d[0] * f[0] + e.d[1] * f[1], e.d[1] * f[0] + e.d[2] * f[1]};
            for (int i = 0; i < 2; ++i) {
                double gap = fabs(g[i] - f[i] - guess * df[i]) / length;
                require(gap <= 1e-13, "case %d.%d: %g off the normal", n, begin, gap);
                double apart = fabs(f[i] - first[i]) / size;
                require(apart <= 1e-12, "case %d.%d: %g from the first", n, begin, apart);
                worst = fmax(worst, fmax(on, gap));
            }
        }
    }
    print_message("worst error %.2g\n", worst);
}

/* D thinner than rounding tells: Newton's slope may vanish, and the way on is found all the same.
 */
static void needles_give_a_direction_too(void** state)
{
    (void)state;
    for (int k = 0; k <= 40; ++k) {
        const scri_ellipses e = {{1.0, 0.0, 1.0}, {1.0, 0.0, pow(10.0, 0.5 * k)}};
        for (int across = 0; across < 2; ++across) { /* f = g / (1 + lambda), in x alone */
            double f[2] = {3.0, across ? 1e-3 : 0.0}, lambda = 0.0;
            scri_ellipses_slip(e.c, e.d, 1.0, &lambda, f);
            double rest = across ? 1e-3 / (1.0 + lambda * e.d[2]) : 0.0;
            require(fabs(hypot(f[0], f[1]) - 1.0) <= 1e-14, "10^%g: length %.17g", 0.5 * k, f[0]);
            require(fabs(f[1] - rest) <= 1e-14, "10^%g: %.17g across, not %g", 0.5 * k, f[1], rest);
            require(fabs(f[0] - 3.0 / (1.0 + lambda)) <= 1e-14, "10^%g: lambda %g", 0.5 * k,
                    lambda);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(axes_are_compared),
        cmocka_unit_test(forms_and_responses_by_hand),
        cmocka_unit_test(slips_end_on_the_boundary),
        cmocka_unit_test(needles_give_a_direction_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
