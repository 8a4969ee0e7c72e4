/* Mechanisms of rigid joints against closed forms and what they must keep. SCREE_TEST_ALL runs ten
 * minutes of each. */
#include "math/constants.h"
#include "support/mechanisms.h"

#define GRAVITY 9.81

static const double x_axis[3] = {1.0, 0.0, 0.0}, y_axis[3] = {0.0, 1.0, 0.0};
static const double z_axis[3] = {0.0, 0.0, 1.0}, origin[3] = {0.0, 0.0, 0.0};

static double energy_of(const scree_step_report* r)
{
    return r->kinetic + r->potential;
}

/* Steps for seconds (more in the long form), while energy stays within a band about that after the
 * first step. */
static void keep_energy(scree_world* world, double h, double seconds, double band)
{
    long n = (long)((test_cases(1, 0) ? seconds : 600.0) / h);
    scree_step_report r = step_joined(world);
    double first = energy_of(&r), low = first, high = first;
    for (long k = 0; k < n; ++k) {
        r = step_joined(world);
        low = fmin(low, energy_of(&r));
        high = fmax(high, energy_of(&r));
    }
    print_message("energy %.12g, from %g to %g, after %ld steps %g\n", first, low - first,
                  high - first, n, energy_of(&r) - first);
    require(high - low <= band, "energy varies by %g", high - low);
}

/* A rod that swings about its end with an amplitude of 2 rad: the period is 2 pi / (w agm(1,
 * cos 1)). */
static void a_pendulum_keeps_time(void** state)
{
    (void)state;
    double h = 1e-3, length = 0.8, w = sqrt(1.5 * GRAVITY / length), a = 1.0, b = cos(1.0);
    double tip[3] = {length * sin(2.0), 0.0, -length * cos(2.0)};
    scree_world* world = world_of_joints(h, GRAVITY);
    scree_body_id rod = add_rod(world, 2.0, origin, tip);
    scree_joint_id hinge = join(world, SCREE_JOINT_HINGE, rod, the_world, origin, y_axis);
    double angle = 0.0, first = 0.0, last = 0.0;
    int swings = 0;
    for (int k = 0; k < 12; ++k) {
        double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    for (int k = 0; k < test_cases(8000, 600000); ++k) {
        step_joined(world);
        double before = angle - 2.0; /* 0 where it hangs down */
        angle = joint_now(world, hinge).coordinate[0];
        if (before > 0.0 || angle - 2.0 <= 0.0) continue;
        last = scree_world_time(world) - h * (angle - 2.0) / (angle - 2.0 - before);
        if (swings++ == 0) first = last;
    }
    require(swings > 2, "only %d swings", swings);
    require_near((last - first) / (swings - 1), 2.0 * SCRI_PI / (w * a), 2e-6, "period");
    scree_world_destroy(world);
}

static void a_double_pendulum_keeps_its_energy(void** state)
{
    (void)state;
    double h = 1e-3, elbow[3] = {1.0, 0.0, 0.0}, tip[3] = {1.0, 0.0, 1.0};
    scree_world* world = world_of_joints(h, GRAVITY);
    scree_body_id upper = add_rod(world, 1.0, origin, elbow);
    scree_body_id lower = add_rod(world, 1.0, elbow, tip);
    join(world, SCREE_JOINT_HINGE, upper, the_world, origin, y_axis);
    join(world, SCREE_JOINT_HINGE, lower, upper, elbow, y_axis);
    keep_energy(world, h, 10.0, 2e-3);
    scree_world_destroy(world);
}

/* The moment of momentum about the vertical stays to rounding. */
static void a_spherical_pendulum_keeps_its_momentum(void** state)
{
    (void)state;
    double h = 1e-3, tip[3] = {0.6, 0.0, -0.8}, velocity[3] = {0.0, 1.5, 0.0};
    scree_world* world = world_of_joints(h, GRAVITY);
    scree_body_id bob = add_mass(world, 1.5, (double[3]){1e-3, 1e-3, 1e-3}, tip);
    double spin[3] = {0.8 * 1.5, 0.0, 0.6 * 1.5}; /* tip x velocity: the rod turns with it */
    assert_int_equal(scree_world_set_velocity(world, bob, velocity, spin), SCREE_OK);
    join(world, SCREE_JOINT_BALL, bob, the_world, origin, NULL);
    double momentum = 0.0, first = 0.0;
    for (int k = 0; k < test_cases(5000, 600000); ++k) {
        step_joined(world);
        scree_world_view v = scree_world_get_view(world);
        momentum = 1.5 * (v.position[0] * v.velocity[1] - v.position[1] * v.velocity[0]) +
                   1e-3 * v.angular_velocity[2];
        if (k == 0) first = momentum;
        require(fabs(momentum - first) <= 1e-12 * fabs(first) * (1.0 + sqrt(k)),
                "step %d: momentum %.17g was %.17g", k, momentum, first);
    }
    keep_energy(world, h, 2.0, 1e-4);
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pendulum_keeps_time),
        cmocka_unit_test(a_double_pendulum_keeps_its_energy),
        cmocka_unit_test(a_spherical_pendulum_keeps_its_momentum),
    };
    (void)x_axis, (void)z_axis;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
