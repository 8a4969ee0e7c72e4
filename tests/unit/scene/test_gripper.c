/* The gripper lifts a block by friction alone and holds it without one ulp of creep; pulled at with
 * more than friction carries, the block slides down as the law says. */
#include "scree_io/scene_file.h"
#include "show.h"

enum { LEFT = 2, BLOCK = 4 };

/* Poses of all bodies, bit for bit. */
static void require_same(const double* before, show s, double time)
{
    scree_world_view view = scree_simulation_view(s.simulation);
    size_t n = 3 * (size_t)view.n_bodies * sizeof(double);
    require(memcmp(before, view.position, n) == 0, "it creeps at %g s: by %g m", time,
            view.position[3 * BLOCK + 2] - before[3 * BLOCK + 2]);
}

/* The wrist comes to its height in some dozens of its time, to the last bit. An hour in the long
 * form. */
static void holds_without_creep(void** state)
{
    (void)state;
    test_of_numbers();
    static const char* const settings[] = {"stop.time=4000", "world.step=2e-3",
                                           "joints.lift.freedom.time=0.02"};
    show s = begin("gripper", 3, settings);
    step_to(s, 4.0);
    double before[15];
    memcpy(before, at(s, 0), sizeof before);
    require(fabs(before[3 * BLOCK + 2] - 0.25) < 1e-13, "lifted to %.17g", before[3 * BLOCK + 2]);
    double end = test_size(6, 3605);
    for (double time = 5.0; time < end; time += 1.0) {
        step_to(s, time);
        require_same(before, s, time);
    }
    leave(s);
}

static void slips_beyond_its_limit(void** state)
{
    (void)state;
    test_of_numbers();
    static const char* const settings[] = {"pull=13", "world.step=2e-3"};
    show s = begin("gripper", 2, settings);
    step_to(s, 3.2);
    double rate = result_of(s, "falls"), expected = 0.2 * (9.81 + 13.0 - 2.0 * 0.5 * 20.0);
    require(fabs(expected_of(s, "falls") - expected) < 1e-12, "the scene expects something else");
    require(fabs(rate - expected) < 2e-3, "%g m/s, not %g", rate, expected);
    leave(s);
}

/* 2 mu force = 9.81 N = m g to within 0.1 %. */
static void lifts_what_friction_carries(void** state)
{
    (void)state;
    for (int k = 0; k < test_few(2, 1); ++k) {
        const char* settings[] = {k ? "force=9.82" : "force=9.80", "lift=0.001", "world.step=2e-3"};
        show s = begin("gripper", 3, settings);
        step_to(s, 1.2);
        double height = at(s, BLOCK)[2], finger = at(s, LEFT)[2];
        require(finger > 0.1002, "the fingers are at %g", finger);
        require(fabs(height - (k ? finger - 0.05 : 0.05)) < 1e-5, "%s: block at %.9g, finger %.9g",
                settings[0], height, finger);
        leave(s);
    }
}

/* Springs spread the load over the corners of a pad: without spinning friction the block does not
 * turn about one of them. */
static void yielding_pads_hold_by_sliding_friction(void** state)
{
    (void)state;
    static const char* const settings[] = {"mu_s=0", "materials.rubber.stiffness=1e6",
                                           "materials.rubber.damping=200", "world.step=2e-3"};
    show s = begin("gripper", 4, settings);
    step_to(s, 1.5);
    scree_world_view view = scree_simulation_view(s.simulation);
    const double* q = view.rotation + 4 * BLOCK;
    double height = at(s, BLOCK)[2], finger = at(s, LEFT)[2];
    require(height > 0.1, "it is still at %g m", height);
    require(fabs(height - finger + 0.05) < 1e-5, "it slips by %g m", height - finger + 0.05);
    require(fabs(q[1]) < 1e-4 && fabs(q[2]) < 1e-4, "it turns by %g, %g", q[1], q[2]);
    leave(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(holds_without_creep),
        cmocka_unit_test(slips_beyond_its_limit),
        cmocka_unit_test(lifts_what_friction_carries),
        cmocka_unit_test(yielding_pads_hold_by_sliding_friction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
