/* Cycles of the belt that do not stick, and cycles of several slips. */
#include "scree_study/belt.h"
#include "support/test.h"

#include <math.h>

static const double degree = 0.017453292519943295;

static void require_near(const char* what, double value, double expected, double relative)
{
    require(fabs(value - expected) <= relative * fabs(expected), "%s: %.9g, expected %.9g", what,
            value, expected);
}

/* The mass while it slides, by hand: (84) with ellipses, semi-axes 30, 10 turned by 30 degrees and
 * 3 : 1 upright. s = x, y and their rates. */
static void slide_rate(double speed, const double s[4], double out[4])
{
    double phi = 50.0 * degree, zeta = 30.0 * degree;
    double gx = s[2] - speed * cos(phi), gy = s[3] - speed * sin(phi), zx = 9.0 * gx, zy = gy;
    double u = zx * cos(zeta) + zy * sin(zeta), v = zy * cos(zeta) - zx * sin(zeta);
    double gauge = hypot(u / 30.0, v / 10.0);
    out[0] = s[2], out[1] = s[3];
    out[2] = -s[0] - zx / gauge, out[3] = -s[1] - zy / gauge;
}

/* Runge and Kutta's step. */
static void slide_step(double speed, double h, double s[4])
{
    double k[4][4], at[4];
    for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) at[j] = s[j] + (i ? (i == 3 ? h : 0.5 * h) * k[i - 1][j] : 0.0);
        slide_rate(speed, at, k[i]);
    }
    for (int j = 0; j < 4; ++j)
        s[j] += h / 6.0 * (k[0][j] + 2.0 * k[1][j] + 2.0 * k[2][j] + k[3][j]);
}

/* At high speed there is a cycle without stiction: that of the sliding mass alone. */
static void a_fast_belt_has_a_cycle_without_stiction(void** state)
{
    (void)state;
    test_of_numbers();
    for (double speed = 20.0; speed <= (test_all() ? 30.0 : 20.0); speed += 5.0) {
        scree_belt_def def = scree_default_belt_def();
        scree_belt_cycle c;
        def.speed = speed;
        def.step = 1e-2;
        def.start[0] = 5.0;
        def.discard = 5;
        assert_int_equal(scree_belt_simulate(NULL, &def, NULL, NULL, &c), SCREE_OK);
        assert_int_equal(c.outcome, SCREE_BELT_CYCLE);
        require(c.rounds == 1 && c.stick_fraction == 0.0, "%d rounds, sticks %g", (int)c.rounds,
                c.stick_fraction);
        double h = 1e-2, time = 0.0, last = 0.0, period = 0.0, least = 1e9, most = -1e9;
        double s[4] = {20.0, 5.0, 0.0, 0.0}, before;
        while (time < 3000.0) {
            before = s[0] - 20.0;
            slide_step(speed, h, s);
            time += h;
            if (before < 0.0 && s[0] >= 20.0) { /* through x = 20 m, upwards */
                double at = time - h * (s[0] - 20.0) / (s[0] - 20.0 - before);
                period = at - last;
                last = at;
            }
            if (time > 2950.0) least = fmin(least, s[0]), most = fmax(most, s[0]);
        }
        require_near("period", c.period, period, 2e-3);
        require_near("x min", c.least[0], least, 5e-3 * (most - least) / fabs(least));
        require_near("x max", c.most[0], most, 2e-3);
    }
}

/* Near the upper limit every other slip is like the last. */
static void cycles_of_two_slips_are_found(void** state)
{
    (void)state;
    test_of_numbers();
    scree_belt_def def = scree_default_belt_def();
    scree_belt_cycle c;
    def.phi = 75.0 * degree;
    def.step = 1e-2;
    def.discard = 4; /* fewer take the slow growth before for a cycle */
    def.measure = 1;
    assert_int_equal(scree_belt_simulate(NULL, &def, NULL, NULL, &c), SCREE_OK);
    assert_int_equal(c.outcome, SCREE_BELT_CYCLE);
    assert_int_equal(c.rounds, 2);
    require_near("period", c.period, 211.8, 2e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fast_belt_has_a_cycle_without_stiction),
        cmocka_unit_test(cycles_of_two_slips_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
