/* Machines among the built-in scenes against their closed forms. */
#include "scree_io/scene_file.h"
#include "show.h"

/* What a scene says and what it expects differ by less than this share. */
static void require_result(show s, const char* name, double share)
{
    double value = result_of(s, name), expected = expected_of(s, name);
    print_message("%s %.9g, expected %.9g\n", name, value, expected);
    require(fabs(value - expected) <= share * fabs(expected), "%s is %.9g, expected %.9g", name,
            value, expected);
}

/* Kinematics of rolling without slip, rolling friction of all contacts, springs in series: see the
 * scene. The formulas are those of rigid balls; contacts yield by 4e-4 of a radius. */
static void a_ball_bearing_turns(void** state)
{
    (void)state;
    static const char* const settings[][5] = {
        {"load=50", "balls=8", "zeta=0.005", "speed=20", "shaft=0.015"},
        {"load=0", "balls=7", "zeta=0.002", "speed=-40", "shaft=0.03"},
        {"load=30", "balls=12", "zeta=0.01", "speed=5", "shaft=0.02"}};
    for (int k = 0; k < test_size(1, 3); ++k) {
        show s = begin("ball-bearing", 5, settings[k]);
        step_to(s, k == 0 ? 0.04 : 0.2);
        require_result(s, "cage", 1e-3);
        require_result(s, "spin", 1e-3);
        require_result(s, "torque", 1e-3);
        if (k != 1) require_result(s, "sunk", 1e-3);
        leave(s);
    }
}

/* A planar loop of hinges is redundant, and across its plane nothing but rounding moves: no step
 * may take that for a contradiction. One did at 0.1238 s, where the torque passes zero. */
static void a_slider_crank_never_misses(void** state)
{
    (void)state;
    show s = begin("slider-crank", 0, NULL);
    step_to(s, test_size(200, 2000) * 1e-3);
    scree_totals totals = scree_simulation_totals(s.simulation);
    require(totals.residual_max <= 1e-6, "worst residual %g at %g s", totals.residual_max,
            totals.residual_max_time);
    leave(s);
}

/* A tolerance below what rounding lets a redundant loop reach: sweeps that go on from the direct
 * answer may find that the loop contradicts itself, and must not take the motor away for it. Long
 * form only: sweeps to their limit in nearly every step. */
static void what_is_made_worse_is_taken_back(void** state)
{
    (void)state;
    static const char* const settings[] = {"world.tol=1e-12"};
    if (!test_all()) {
        print_message("skipped: takes long, SCREE_TEST_ALL runs it\n");
        skip();
    }
    show s = begin("slider-crank", 1, settings);
    step_to(s, 0.13);
    scree_totals totals = scree_simulation_totals(s.simulation);
    require(totals.residual_max <= 1e-6, "worst residual %g at %g s", totals.residual_max,
            totals.residual_max_time);
    scree_simulation_destroy(s.simulation);
    scree_scene_destroy(s.scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_bearing_turns),
        cmocka_unit_test(a_slider_crank_never_misses),
        cmocka_unit_test(what_is_made_worse_is_taken_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
