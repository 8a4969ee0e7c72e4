/* Curves through points: a circle, a line, derivatives and nearest points. */
#include "joints/curve.h"
#include "support/draw.h"
#include "support/test.h"

enum { POINTS = 48 };

static scri_curve circle(double* knot)
{
    double point[3 * POINTS];
    for (int i = 0; i < POINTS; ++i) {
        double a = 2.0 * SCREE_PI * i / POINTS;
        point[3 * i] = cos(a), point[3 * i + 1] = sin(a), point[3 * i + 2] = 0.5;
    }
    return scri_curve_make(POINTS, point, 1, knot);
}

static void a_circle_is_found(void** state)
{
    (void)state;
    double knot[SCRI_KNOT * POINTS], p[3], d[3];
    scri_curve c = circle(knot);
    require(fabs(c.length - 2.0 * SCREE_PI) <= 1e-5, "length %g", c.length);
    for (int k = 0; k < 500; ++k) {
        double u = 0.37 * k;
        scri_curve_at(&c, u, p, d, NULL);
        require(fabs(hypot(p[0], p[1]) - 1.0) <= 2e-6, "radius %g at %g", hypot(p[0], p[1]), u);
        require(fabs(scri_curve_way(&c, u) - u * 2.0 * SCREE_PI / POINTS) <= 1e-5 * (1.0 + u),
                "way %g at %g", scri_curve_way(&c, u), u);
    }
}

static void nearest_points_are_nearest(void** state)
{
    (void)state;
    double knot[SCRI_KNOT * POINTS];
    scri_curve c = circle(knot);
    scri_random random = test_seed("curve", 1);
    for (int k = 0; k < test_cases(500, 50000); ++k) {
        double a = draw_between(&random, 0.0, 2.0 * SCREE_PI), r = draw_between(&random, 0.7, 1.3);
        double x[3] = {r * cos(a), r * sin(a), draw_between(&random, 0.3, 0.7)}, p[3], d[3];
        double u = scri_curve_nearest(&c, x, NAN), across = 0.0;
        scri_curve_at(&c, u, p, d, NULL);
        for (int i = 0; i < 3; ++i) across += (p[i] - x[i]) * d[i];
        require(fabs(across) <= 1e-14, "%g is left", across);
        require(fabs(atan2(p[1] * cos(a) - p[0] * sin(a), p[0] * cos(a) + p[1] * sin(a))) <= 1e-4,
                "point %d is another", k);
        require(fabs(scri_curve_nearest(&c, x, u + 0.8 + POINTS) - u - POINTS) <= 1e-10,
                "a guess leads elsewhere");
    }
}

/* Through points of a line at even distances the spline is the line, beyond its ends too. */
static void a_line_stays_one(void** state)
{
    (void)state;
    double point[12], knot[SCRI_KNOT * 4], p[3], first[3], second[3];
    for (int i = 0; i < 4; ++i)
        point[3 * i] = i, point[3 * i + 1] = 2.0 * i, point[3 * i + 2] = 1.0;
    scri_curve c = scri_curve_make(4, point, 0, knot);
    for (int k = -10; k <= 40; ++k) {
        double u = 0.1 * k;
        scri_curve_at(&c, u, p, first, second);
        require(fabs(p[0] - u) + fabs(p[1] - 2.0 * u) <= 1e-14, "%g: %g, %g", u, p[0], p[1]);
        require(fabs(second[0]) + fabs(second[1]) <= 1e-13, "it bends at %g", u);
        require(fabs(scri_curve_way(&c, u) - sqrt(5.0) * u) <= 1e-13, "way at %g", u);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_circle_is_found),
        cmocka_unit_test(nearest_points_are_nearest),
        cmocka_unit_test(a_line_stays_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
