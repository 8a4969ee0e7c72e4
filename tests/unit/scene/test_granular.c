/* Scenes of granular laws, small: packings, and in the long form as large as the scenes come. */
#include "scree_io/scene_file.h"
#include "show.h"

static show run_whole(const char* name, int32_t n, const char* const* settings)
{
    show s = begin(name, n, settings);
    scree_step_report report;
    while (scree_simulation_done(s.simulation) == SCREE_RUNNING) {
        assert_int_equal(scree_simulation_step(s.simulation, &report), SCREE_OK);
    }
    return s;
}

static double fraction_of(const char* mu)
{
    const char* settings[] = {mu, "wide=6", "layers=10", "away=1.5"};
    show s = run_whole("packing", test_all() ? 1 : 4, settings);
    double value = result_of(s, "fraction");
    print_message("%s: %g filled\n", mu, value);
    leave(s);
    return value;
}

/* In the long form as published; a box of six grains is mostly wall, and the inner one holds
 * some 30. */
static void friction_keeps_packings_loose(void** state)
{
    (void)state;
    test_of_numbers();
    double close = fraction_of("mu=0"), loose = fraction_of("mu=1");
    double slack = test_all() ? 0.0 : 0.03, least = test_all() ? 0.55 : 0.45;
    require(close >= 0.625 - slack && close <= 0.65 + slack, "%g without friction", close);
    require(loose >= least && loose <= 0.60, "%g with friction", loose);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(friction_keeps_packings_loose),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
