/* Sliding and spinning over a patch (Coulomb-Contensou): a rigid body on many feet against the
 * closed forms with elliptic integrals, and where its motion ends. */
#include "support/worlds.h"

#include <string.h>

static const double radius = 0.1, mass = 2.0, mu = 0.4, gravity = 9.81; /* of the patch */
static const double foot = 0.005;                                       /* radius of a foot */
enum { FEET_MOST = 256 };

/* ---- closed forms ---- */

/* Complete elliptic integrals by the arithmetic-geometric mean; m below 1. */
static void elliptic(double m, double* first, double* second)
{
    double a = 1.0, g = sqrt(1.0 - m), sum = 0.5 * m, power = 0.5;
    for (int i = 0; i < 40 && fabs(a - g) > 1e-16 * a; ++i) {
        double c = 0.5 * (a - g), next = 0.5 * (a + g);
        g = sqrt(a * g);
        a = next;
        power *= 2.0;
        sum += power * c * c;
    }
    *first = 0.5 * SCREE_PI / a;
    *second = *first * (1.0 - sum);
}

typedef struct friction {
    double force, moment; /* over mu N, over mu N R */
} friction;

/* A ring that slides with v and whose points turn with b = omega R, both positive: means of
 * (v - b sin) / |u| and (b - v sin) / |u| over the angle, |u|^2 = v^2 + b^2 - 2 v b sin. */
static friction ring(double v, double b)
{
    double first, second, m = 4.0 * v * b / ((v + b) * (v + b));
    elliptic(m, &first, &second);
    return (friction){((v - b) * first + (v + b) * second) / (SCREE_PI * v),
                      ((b - v) * first + (v + b) * second) / (SCREE_PI * b)};
}

/* Uniform pressure over a disc: rings, each with its share 2 s ds, by the midpoint rule. */
static friction disc(double v, double b)
{
    enum { RINGS = 20000 };
    friction sum = {0.0, 0.0};
    for (int i = 0; i < RINGS; ++i) {
        double s = (i + 0.5) / RINGS;
        friction f = ring(v, b * s);
        sum.force += 2.0 * s * f.force / RINGS;
        sum.moment += 2.0 * s * s * f.moment / RINGS;
    }
    return sum;
}

static void test_closed_forms(void** state)
{
    (void)state;
    double first, second;
    elliptic(0.0, &first, &second);
    require_near(first, 0.5 * SCREE_PI, 1e-15, "K(0)");
    elliptic(0.5, &first, &second);
    require_near(first, 1.8540746773013719, 1e-14, "K(1/2)");
    require_near(second, 1.3506438810476755, 1e-14, "E(1/2)");
    /* slow sliding under a spin is resisted as by a fluid: v / 2b of the ring, v / b of the disc */
    require_near(ring(1e-4, 1.0).force, 0.5e-4, 1e-11, "slow slide");
    require_near(ring(1e-4, 1.0).moment, 1.0, 1e-8, "spin");
    require_near(disc(1e-2, 1.0).force, 1e-2, 1e-5, "slow slide of a disc");
    require_near(disc(1e-4, 1.0).moment, 2.0 / 3.0, 1e-4, "spin of a disc");
    require_near(ring(1.0, 1e-4).force, 1.0, 1e-8, "slide");
}

/* ---- the patch ---- */

/* A ring of feet, or feet all over a disc: turned on by the golden angle, areas alike. The centre
 * of mass lies in the plane, so that friction does not tilt it, and springs share its weight
 * evenly. */
static scree_world* make_patch(double h, int n, int is_filled, double v, double spin)
{
    scree_shape feet[FEET_MOST];
    const double stiffness = 1e9;
    scree_world* world =
        world_new(world_def(h, 1e-9), (scree_material){.mu = mu, .stiffness = stiffness});
    scree_body_def body = scree_default_body_def();
    scree_body_id id;
    assert_true(n <= FEET_MOST);
    for (int i = 0; i < n; ++i) {
        double share = is_filled ? sqrt((i + 0.5) / n) : 1.0;
        double angle =
            is_filled ? i * SCREE_PI * (3.0 - sqrt(5.0)) : 2.0 * SCREE_PI * (i + 0.5) / n;
        feet[i] = sphere_of(foot);
        set3(feet[i].position, radius * share * cos(angle), radius * share * sin(angle), foot);
    }
    add_floor(world, 0.0);
    body.mass = mass;
    body.inertia[0] = body.inertia[1] = 0.25 * mass * radius * radius;
    body.inertia[2] = 0.5 * mass * radius * radius;
    body.position[2] = -mass * gravity / (n * stiffness);
    body.velocity[0] = v;
    body.angular_velocity[2] = spin;
    assert_int_equal(scree_world_add_body(world, &body, n, feet, &id), SCREE_OK);
    return world;
}

/* What the feet have done in the last step, for the velocities at its end. */
static friction measure(const scree_world* world, double* ratio)
{
    scree_world_view view = scree_world_get_view(world);
    double load = 0.0, sum[3] = {0.0, 0.0, 0.0}, turn[3] = {0.0, 0.0, 0.0};
    for (int32_t c = 0; c < view.n_contacts; ++c) {
        double force[3], moment[3], arm[3];
        contact_wrench(&view, c, force, moment);
        for (int k = 0; k < 3; ++k) arm[k] = view.point[3 * c + k] - view.position[3 + k];
        add_cross(arm, force, turn);
        for (int k = 0; k < 3; ++k) sum[k] += force[k];
        load += force[2];
    }
    *ratio = view.velocity[3] / (radius * view.angular_velocity[5]);
    return (friction){-sum[0] / (mu * load), -turn[2] / (mu * load * radius)};
}

/* A step, in which the patch moves and turns by the mean of the velocities before and after. */
static void step_and_measure_way(scree_world* world, double h)
{
    scree_world_view view = scree_world_get_view(world);
    double x = view.position[3], v = view.velocity[3], spin = view.angular_velocity[5];
    double angle = 2.0 * atan2(view.rotation[7], view.rotation[4]);
    step_world(world);
    view = scree_world_get_view(world);
    double turned = 2.0 * atan2(view.rotation[7], view.rotation[4]) - angle;
    double way = 0.5 * h * (v + view.velocity[3]),
           turn = 0.5 * h * (spin + view.angular_velocity[5]);
    require_near(view.position[3] - x, way, 1e-9 * way, "way");
    require_near(turned, turn, 1e-9 * turn, "turn");
}

static void check_patch(int n, int is_filled, double share, double tolerance)
{
    double ratio;
    scree_world* world = make_patch(1e-4, n, is_filled, share, 1.0 / radius);
    for (int i = 0; i < 3; ++i) step_and_measure_way(world, 1e-4);
    friction found = measure(world, &ratio);
    friction known = is_filled ? disc(ratio, 1.0) : ring(ratio, 1.0);
    print_message("%s of %d feet, v / omega R = %.3f: force %.6f (%.6f), moment %.6f (%.6f)\n",
                  is_filled ? "disc" : "ring", n, ratio, found.force, known.force, found.moment,
                  known.moment);
    require_near(found.force, known.force, tolerance, "force");
    require_near(found.moment, known.moment, tolerance, "moment");
    scree_world_destroy(world);
}

static void test_ring(void** state)
{
    (void)state;
    check_patch(32, 0, 0.1, 1e-4);
    check_patch(32, 0, 0.5, 1e-4);
    check_patch(32, 0, 2.0, 1e-4);
    check_patch(32, 0, 10.0, 1e-4);
}

static void test_disc(void** state)
{
    (void)state;
    check_patch(64, 1, 0.3, 0.02);
    check_patch(64, 1, 1.0, 0.02);
    check_patch(256, 1, 0.3, 5e-3);
    check_patch(256, 1, 2.0, 5e-3);
}

/* A disc that slides and spins stops doing both at the same moment, with v / omega R = 0.653 in the
 * end whatever it began with (Farkas, Bartels, Unger, Wolf 2003). */
static void test_both_end_together(void** state)
{
    (void)state;
    static const double begin[] = {0.3, 0.653, 2.0};
    for (int i = 0; i < test_few(3, 1); i += test_size(2, 1)) {
        double speed, ratio, first = hypot(begin[i], 1.0);
        scree_world* world = make_patch(1e-3, 64, 1, begin[i], 1.0 / radius);
        scree_world_view view;
        do {
            step_world(world);
            (void)measure(world, &ratio);
            view = scree_world_get_view(world);
            speed = hypot(view.velocity[3], radius * view.angular_velocity[5]);
        } while (speed > 0.02 * first && view.time < 2.0);
        print_message("from %.3f: %.3f at %.3f s\n", begin[i], ratio, view.time);
        require(view.time < 2.0, "it does not end");
        require(fabs(ratio - 0.653) <= fmax(0.03, 0.5 * fabs(begin[i] - 0.653)), "%g after %g",
                ratio, begin[i]);
        for (int k = 0; k < 50; ++k) step_world(world); /* what is left is the springs' */
        view = scree_world_get_view(world);
        speed = hypot(view.velocity[3], radius * view.angular_velocity[5]);
        require(speed <= 5e-3 * first, "it still moves: %g m/s", speed);
        scree_world_destroy(world);
    }
}

/* One contact with mu and mu_s does not couple: mu N against the sliding, whatever the spin. */
static void test_one_contact_does_not_couple(void** state)
{
    (void)state;
    for (int i = 0; i < 3; ++i) {
        scree_shape ball = sphere_of(radius);
        scree_body_def body = body_of(&ball, 1000.0);
        scree_world* world =
            world_new(world_def(1e-4, 1e-10), (scree_material){.mu = mu, .mu_s = 0.01});
        add_floor(world, 0.0);
        body.position[2] = radius;
        body.velocity[0] = 0.1;
        body.angular_velocity[2] = i * 20.0;
        add_body(world, &body, &ball);
        step_world(world);
        double speed = scree_world_get_view(world).velocity[3];
        require_near(speed, 0.1 - mu * gravity * 1e-4, 1e-9, "speed");
        scree_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_closed_forms),
        cmocka_unit_test(test_ring),
        cmocka_unit_test(test_disc),
        cmocka_unit_test(test_both_end_together),
        cmocka_unit_test(test_one_contact_does_not_couple),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
