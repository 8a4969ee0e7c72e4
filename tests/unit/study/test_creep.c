/* The regularised law creeps where the set-valued one holds. */
#include "scree_study/creep.h"
#include "support/test.h"

#include <math.h>

static const double degree = SCREE_DEGREE;

static scree_creep run(const scree_creep_def* def)
{
    scree_creep c;
    assert_int_equal(scree_creep_run(NULL, def, &c), SCREE_OK);
    return c;
}

/* Closed form of the speed, in proportion to the width; none under the set-valued law. */
static void it_creeps_and_the_set_holds(void** state)
{
    (void)state;
    for (int i = 1; i <= 4; ++i) {
        scree_creep_def def = scree_default_creep_def();
        def.slope = 6.0 * i; /* it would slide from 26.565 degrees on */
        double expected = def.width * tan(0.5 * 180.0 * degree * tan(def.slope * degree) / def.mu);
        scree_creep c = run(&def), narrow;
        require(fabs(c.steady / expected - 1.0) < 1e-12, "creeps with %g, not %g", c.steady,
                expected);
        require(fabs(c.speed / expected - 1.0) < 1e-9, "%g at the end, not %g", c.speed, expected);
        require(c.distance > 0.9 * expected * def.duration &&
                    c.distance < 1.01 * expected * def.duration,
                "%g m", c.distance);
        require(c.set_speed == 0.0 && c.set_distance == 0.0, "the set does not hold: %g",
                c.set_speed);
        def.width *= 0.1;
        narrow = run(&def);
        require(fabs(c.speed / narrow.speed - 10.0) < 1e-6, "not in proportion: %g, %g", c.speed,
                narrow.speed);
    }
}

/* Where both slide they differ by the arctangent's end alone. */
static void both_slide_on_steep_slopes(void** state)
{
    (void)state;
    scree_creep_def def = scree_default_creep_def();
    def.slope = 35.0;
    def.duration = 2.0;
    scree_creep c = run(&def);
    double rate = 9.81 * (sin(35.0 * degree) - 0.5 * cos(35.0 * degree));
    assert_true(isinf(c.steady));
    require(fabs(c.set_speed / (2.0 * rate) - 1.0) < 1e-9, "%g", c.set_speed);
    require(fabs(c.speed / c.set_speed - 1.0) < 1e-2 && c.speed > c.set_speed, "%g, %g", c.speed,
            c.set_speed);
}

static void bad_defs_are_refused(void** state)
{
    (void)state;
    scree_creep c;
    for (int i = 0; i < 4; ++i) {
        test_host host;
        scree_env env = test_env(&host);
        scree_creep_def def = scree_default_creep_def();
        if (i == 0) def.mu = 0.0;
        if (i == 1) def.slope = 90.0;
        if (i == 2) def.width = SCREE_NAN;
        if (i == 3) def.step = 1e-12;
        assert_int_equal(scree_creep_run(&env, &def, &c), SCREE_ERROR_INPUT);
        assert_non_null(strstr(host.text, "creep"));
        assert_int_equal(host.n_held, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_creeps_and_the_set_holds),
        cmocka_unit_test(both_slide_on_steep_slopes),
        cmocka_unit_test(bad_defs_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
