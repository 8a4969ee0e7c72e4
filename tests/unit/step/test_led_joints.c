/* Joints on bodies that are led: what these do through them is in the budget of energy, and a loop
 * that closes on one is solved, with gravity and without. */
#include "support/mechanisms.h"

#define CRANK 0.1 /* m */
#define ROD 0.3
#define RATE 10.0 /* rad/s */

static const double x_axis[3] = {1.0, 0.0, 0.0}, z_axis[3] = {0.0, 0.0, 1.0};

/* A crank that is led turns and moves a carriage on a rail through a rod, in a plane: with hinges
 * all that crosses it is held twice. */
static void drive(double gravity, scree_joints how, scree_joint_kind kind)
{
    const double pin[3] = {CRANK, 0.0, 0.0}, wrist[3] = {CRANK + ROD, 0.0, 0.0};
    joints_solved_as = how;
    scree_world* world = world_of_joints(1e-3, gravity);
    const double inertia[3] = {1e-2, 1e-2, 1e-2};
    const double still[3] = {0.0, 0.0, 0.0}, turning[3] = {0.0, 0.0, RATE};
    scree_body_def def = scree_default_body_def();
    scree_body_id crank, rod = add_rod(world, 1.0, pin, wrist);
    scree_body_id carriage = add_mass(world, 2.0, inertia, wrist);
    def.kind = SCREE_BODY_KINEMATIC;
    assert_int_equal(scree_world_add_body(world, &def, 0, NULL, &crank), SCREE_OK);
    assert_int_equal(scree_world_set_velocity(world, crank, still, turning), SCREE_OK);
    join(world, kind, rod, crank, pin, z_axis);
    join(world, kind, carriage, rod, wrist, z_axis);
    join(world, SCREE_JOINT_SLIDER, carriage, the_world, wrist, x_axis);
    double energy = 0.0, most = 0.0;
    for (int k = 1; k <= 1000; ++k) {
        scree_step_report r = step_joined(world);
        double turn = RATE * scree_world_time(world), across = CRANK * sin(turn);
        require(r.solve.outcome == SCREE_OUTCOME_CONVERGED, "step %d: outcome %d", k,
                (int)r.solve.outcome);
        energy += r.contact_work; /* from rest at the height 0, the jerk at the start included */
        most = fmax(most, fabs(r.kinetic + r.potential - energy));
        require_near(scree_world_get_view(world).position[3 * (size_t)(carriage.index1 - 1)],
                     CRANK * cos(turn) + sqrt(ROD * ROD - across * across), 1e-12, "carriage");
    }
    print_message("budget of energy off by %g J\n", most);
    require(most < 1e-12, "energy off by %g J", most);
    scree_world_destroy(world);
}

static void what_is_led_does_work(void** state)
{
    (void)state;
    static const scree_joint_kind kinds[] = {SCREE_JOINT_HINGE, SCREE_JOINT_BALL};
    for (int k = 0; k < 8; ++k) {
        drive(k & 1 ? 0.0 : 9.81, k & 2 ? SCREE_JOINTS_TREES : SCREE_JOINTS_ROWS, kinds[k / 4]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_led_does_work)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
