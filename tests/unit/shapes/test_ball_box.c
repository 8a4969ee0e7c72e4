/* The volume that a ball and a box have in common: closed forms of caps, wedges and octants, and a
 * quadrature that knows nothing of them. */
#include "shapes/ball_box.h"
#include "support/test.h"

#include <math.h>

static const double far = 9.0;

/* Of the unit ball about the origin beyond a, b, c. */
static double beyond(double a, double b, double c)
{
    const double centre[3] = {0.0}, low[3] = {a, b, c}, high[3] = {far, far, far};
    return scri_ball_box_volume(centre, 1.0, low, high);
}

static void close_to(double value, double wanted, const char* what)
{
    require(fabs(value - wanted) <= 1e-13, "%s: %.17g, not %.17g", what, value, wanted);
}

static void parts_of_known_volume(void** state)
{
    (void)state;
    const double whole = 4.0 / 3.0 * SCREE_PI;
    close_to(beyond(-far, -far, -far), whole, "all");
    close_to(beyond(-1.0, -1.0, -1.0), whole, "all, touched");
    close_to(beyond(0.0, -far, -far), whole / 2.0, "half");
    close_to(beyond(0.0, 0.0, -far), whole / 4.0, "quarter");
    close_to(beyond(0.0, 0.0, 0.0), whole / 8.0, "octant");
    close_to(beyond(1.0, -far, -far), 0.0, "nothing");
    close_to(beyond(0.6, 0.6, 0.6), 0.0, "past the corner");
    for (double c = -0.95; c < 1.0; c += 0.19) {
        double cap = SCREE_PI / 3.0 * (1.0 - c) * (1.0 - c) * (2.0 + c);
        close_to(beyond(-far, c, -far), cap, "cap");
        close_to(beyond(0.0, -far, c), cap / 2.0, "half of a cap");
        close_to(beyond(c, 0.0, 0.0), cap / 4.0, "quarter of a cap");
    }
}

/* A cube inside of the ball is itself; one around it leaves the ball. */
static void boxes_inside_and_around(void** state)
{
    (void)state;
    static const double centre[3] = {1.0, 2.0, 3.0}, low[3] = {0.9, 1.7, 3.1},
                        high[3] = {1.3, 2.2, 3.4}, wide[3] = {9.0, 9.0, 9.0}, none[3] = {0.0};
    close_to(scri_ball_box_volume(centre, 2.0, low, high), 0.4 * 0.5 * 0.3, "box inside");
    close_to(scri_ball_box_volume(centre, 0.25, none, wide), SCREE_PI / 48.0, "ball inside");
    close_to(scri_ball_box_volume(centre, 0.0, none, wide), 0.0, "no ball");
    close_to(scri_ball_box_volume(centre, 1.0, wide, none), 0.0, "no box");
    const double lost[3] = {0.0, NAN, 0.0};
    assert_true(isnan(scri_ball_box_volume(lost, 1.0, none, wide)));
    assert_true(isnan(scri_ball_box_volume(centre, (double)NAN, none, wide)));
}

/* Columns over a raster, each as long as ball and box allow. */
static double by_columns(const double centre[3], double radius, const double low[3],
                         const double high[3])
{
    enum { N = 200 };
    double sum = 0.0, x0 = fmax(low[0], centre[0] - radius), x1 = fmin(high[0], centre[0] + radius);
    double y0 = fmax(low[1], centre[1] - radius), y1 = fmin(high[1], centre[1] + radius);
    if (!(x0 < x1 && y0 < y1)) return 0.0;
    for (int i = 0; i < N * N; ++i) {
        double x = x0 + (x1 - x0) * (i / N + 0.5) / N - centre[0];
        double y = y0 + (y1 - y0) * (i % N + 0.5) / N - centre[1];
        double up = sqrt(fmax(0.0, radius * radius - x * x - y * y));
        sum += fmax(0.0, fmin(high[2], centre[2] + up) - fmax(low[2], centre[2] - up));
    }
    return sum * (x1 - x0) * (y1 - y0) / (N * N);
}

static double between(scri_random* random, double low, double high)
{
    return low + (high - low) * scri_random_uniform(random);
}

static void any_ball_and_box(void** state)
{
    (void)state;
    scri_random random = test_seed("ball and box", 17);
    int n = test_cases(60, 3000);
    for (int k = 0; k < n; ++k) {
        double centre[3], low[3], high[3], radius = between(&random, 0.3, 1.5);
        for (int i = 0; i < 3; ++i) {
            centre[i] = between(&random, -1.0, 1.0);
            double a = between(&random, -1.5, 1.5);
            double b = between(&random, -1.5, 1.5);
            low[i] = fmin(a, b);
            high[i] = fmax(a, b);
        }
        double found = scri_ball_box_volume(centre, radius, low, high);
        double wanted = by_columns(centre, radius, low, high);
        require(fabs(found - wanted) <= 1e-3 * radius * radius * radius, "case %d: %.9g, not %.9g",
                k, found, wanted);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_of_known_volume),
        cmocka_unit_test(boxes_inside_and_around),
        cmocka_unit_test(any_ball_and_box),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
