/* Painleve's rod: it slides as its equations of motion say as long as they say anything; beyond,
 * its end stops dead or it takes off, never something outside of that, and every step is solved. */
#include "scree_io/scene_file.h"
#include "show.h"

#include <stdbool.h>

enum { ROD = 1 };

/* The scene's rod after `steps` steps. */
typedef struct rod {
    double angle, turn, vx, vz; /* turn: rad/s, upwards */
    double slip;                /* of the end that slides, m/s */
} rod;

static rod look_at(show s)
{
    scree_world_view view = scree_simulation_view(s.simulation);
    const double *q = view.rotation + 4 * ROD, *v = view.velocity + 3 * ROD;
    rod r = {.angle = -2.0 * atan2(q[2], q[0]), .turn = -view.angular_velocity[3 * ROD + 1]};
    r.vx = v[0];
    r.vz = v[2];
    r.slip = v[0] + r.turn * sin(r.angle);
    return r;
}

/* Whether a rod at tan(angle) = 2 that slides with 10 m/s has lost most of it after one step. */
static bool stops_dead(double mu, double step)
{
    char text[3][64];
    snprintf(text[0], sizeof text[0], "mu=%.17g", mu);
    snprintf(text[1], sizeof text[1], "step=%.17g", step);
    snprintf(text[2], sizeof text[2], "angle=%.17g", atan(2.0) * 180.0 / acos(-1.0));
    const char* settings[] = {text[0], text[1], text[2], "speed=10", "stop.time=0.01"};
    show s = begin("painleve", 5, settings);
    scree_step_report report;
    assert_int_equal(scree_simulation_step(s.simulation, &report), SCREE_OK);
    rod r = look_at(s);
    leave(s);
    require(isfinite(r.slip), "slip %g", r.slip);
    return fabs(r.slip) < 5.0;
}

/* With steps of h the end stops where A is below g h times something over the speed. */
static void the_paradox_begins_at_four_thirds(void** state)
{
    (void)state;
    double least = 1.2, most = 1.5, step = 1e-6;
    assert_false(stops_dead(least, step));
    assert_true(stops_dead(most, step));
    while (most - least > 1e-6) {
        double mu = 0.5 * (least + most);
        *(stops_dead(mu, step) ? &most : &least) = mu;
    }
    require(fabs(most - 4.0 / 3.0) < 1e-5, "from %.7g on", most);
}

/* Its end has no velocity left, and the angular momentum about it is what it was. */
static void beyond_its_end_stops(void** state)
{
    (void)state;
    static const char* const settings[] = {"angle=60", "mu=2", "speed=10", "step=1e-5",
                                           "stop.time=0.01"};
    show s = begin("painleve", 5, settings);
    rod before = look_at(s);
    scree_step_report report;
    assert_int_equal(scree_simulation_step(s.simulation, &report), SCREE_OK);
    rod r = look_at(s);
    double momentum = cos(before.angle) * before.vz - sin(before.angle) * before.vx;
    require(fabs(r.slip) < 1e-3, "the end slides with %g", r.slip);
    require(fabs(r.turn - momentum / (4.0 / 3.0)) < 1e-3, "it turns with %g", r.turn);
    leave(s);
}

static void slides_as_the_equations_say(void** state)
{
    (void)state;
    double error[2];
    for (int k = 0; k < 2; ++k) {
        const char* settings[] = {k ? "step=2e-4" : "step=4e-4"};
        show s = begin("painleve", 1, settings);
        step_to(s, 0.9);
        error[k] = fabs(result_of(s, "slides") - expected_of(s, "slides"));
        require(fabs(result_of(s, "time") - expected_of(s, "time")) < 1e-3, "when");
        leave(s);
    }
    require(error[0] < 1e-3 && error[1] < 0.6 * error[0], "errors %g, %g", error[0], error[1]);
}

/* Whatever the step: one of the two, or between them; and no energy comes from nowhere. */
static void afterwards_one_or_the_other(void** state)
{
    (void)state;
    static const char* const steps[] = {"step=1e-3", "step=5e-4", "step=2e-4", "step=1e-4"};
    for (int k = 0; k < 4; ++k) {
        show s = begin("painleve", 1, &steps[k]);
        double most = SCREE_INFINITY;
        scree_step_report report;
        while (scree_simulation_view(s.simulation).time < 0.9) {
            assert_int_equal(scree_simulation_step(s.simulation, &report), SCREE_OK);
            require(report.kinetic + report.potential <= most + 1e-9, "energy grows");
            most = report.kinetic + report.potential;
        }
        double turn = result_of(s, "turn"), off = sqrt(10.0 / sin(atan(1.0)));
        require(turn > off - 0.05 && turn < expected_of(s, "turn") + 1e-3, "%s: it turns with %g",
                steps[k], turn);
        leave(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_paradox_begins_at_four_thirds),
        cmocka_unit_test(beyond_its_end_stops),
        cmocka_unit_test(slides_as_the_equations_say),
        cmocka_unit_test(afterwards_one_or_the_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
