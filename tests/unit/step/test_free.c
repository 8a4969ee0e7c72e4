/* A free body with three different moments of inertia: what it keeps, and the order of its pose.
 * SCREE_TEST_ALL runs a million steps. */
#include "math/vec.h"
#include "support/worlds.h"

/* Inertia with products: the principal axes are not those of the body. */
static const double inertia[6] = {1.3, 2.0, 2.9, 0.2, -0.1, 0.15};

static scri_vec inertia_times(scri_vec w)
{
    const double* j = inertia;
    return (scri_vec){j[0] * w.x + j[3] * w.y + j[4] * w.z, j[3] * w.x + j[1] * w.y + j[5] * w.z,
                      j[4] * w.x + j[5] * w.y + j[2] * w.z};
}

static scri_vec momentum_of(scri_quat q, scri_vec spin)
{
    scri_mat r = scri_mat_from_quat(scri_quat_normalize(q));
    return scri_mat_multiply(r, inertia_times(scri_mat_multiply_transposed(r, spin)));
}

static scree_world* free_world(double h, double theta, scri_vec spin)
{
    scree_world_def def = world_def(h, 1e-10);
    scree_shape shape = sphere_of(0.1);
    scree_body_def body = scree_default_body_def();
    set3(def.gravity, 0.0, 0.0, 0.0);
    def.theta = theta;
    memcpy(body.inertia, inertia, sizeof inertia);
    scri_vec_store(spin, body.angular_velocity);
    scree_world* world = world_new(def, (scree_material){.mu = 0.5});
    add_body(world, &body, &shape);
    return world;
}

typedef struct kept {
    double momentum, energy; /* worst relative change, over all steps */
} kept;

static kept kept_after(double h, double theta, int steps)
{
    scri_vec spin = {0.4, 5.0, 0.6};
    scree_world* world = free_world(h, theta, spin);
    scri_vec first = momentum_of((scri_quat){1.0, 0.0, 0.0, 0.0}, spin);
    double energy = 0.5 * scri_vec_dot(first, spin);
    kept out = {0.0, 0.0};
    for (int i = 0; i < steps; ++i) {
        double now = step_any(world).kinetic;
        scree_world_view view = scree_world_get_view(world);
        scri_vec l =
            momentum_of(scri_quat_load(view.rotation), scri_vec_load(view.angular_velocity));
        double off = scri_vec_length(scri_vec_sub(l, first)) / scri_vec_length(first);
        require(isfinite(off) && isfinite(now), "step %d is not finite", i);
        out.momentum = fmax(out.momentum, off);
        out.energy = fmax(out.energy, fabs(now / energy - 1.0));
    }
    scree_world_destroy(world);
    return out;
}

static void momentum_and_energy_stay(void** state)
{
    (void)state;
    int steps = test_size(10000, 1000000);
    for (int k = 0; k < 2; ++k) {
        double theta = k ? 1.0 : 0.5;
        kept x = kept_after(1e-2, theta, steps);
        print_message("theta %.1f, %d steps of 10 ms: angular momentum to %.1e, energy to %.1e\n",
                      theta, steps, x.momentum, x.energy);
        require(x.momentum <= 1e-12, "momentum: %g", x.momentum);
        require(x.energy <= 1e-12, "energy: %g", x.energy);
    }
}

/* However far a body turns in a step, momentum and energy stay. */
static void long_steps_keep_momentum_and_energy(void** state)
{
    (void)state;
    for (int k = 0; k < 8; ++k) {
        static const double angles[] = {0.5, 3.0, 7.0, 22.0, 30.0, 43.0, 100.0, 500.0};
        kept x = kept_after(angles[k] / 5.0, 0.5, 200);
        print_message("%g rad per step: angular momentum to %.1e, energy to %.1e\n", angles[k],
                      x.momentum, x.energy);
        require(x.momentum <= 1e-12, "momentum: %g", x.momentum);
        require(x.energy <= 1e-11, "energy: %g", x.energy);
    }
}

/* ---- the pose, beside Runge and Kutta's method ----------------------------------------------- */

typedef struct pose {
    scri_quat q;
    scri_vec l; /* angular momentum: constant */
} pose;

/* Solves J x = m by Cramer's rule. */
static scri_vec inertia_solve(scri_vec m)
{
    scri_vec x = inertia_times((scri_vec){1, 0, 0}), y = inertia_times((scri_vec){0, 1, 0});
    scri_vec z = inertia_times((scri_vec){0, 0, 1});
    double det = scri_vec_dot(x, scri_vec_cross(y, z));
    return (scri_vec){scri_vec_dot(m, scri_vec_cross(y, z)) / det,
                      scri_vec_dot(x, scri_vec_cross(m, z)) / det,
                      scri_vec_dot(x, scri_vec_cross(y, m)) / det};
}

static scri_quat rate_of(scri_quat q, scri_vec l)
{
    scri_mat r = scri_mat_from_quat(scri_quat_normalize(q));
    scri_vec w = scri_mat_multiply(r, inertia_solve(scri_mat_multiply_transposed(r, l)));
    return scri_quat_multiply((scri_quat){0.0, 0.5 * w.x, 0.5 * w.y, 0.5 * w.z}, q);
}

static scri_quat moved(scri_quat q, double h, scri_quat d)
{
    return (scri_quat){q.w + h * d.w, q.x + h * d.x, q.y + h * d.y, q.z + h * d.z};
}

static scri_quat turned(scri_vec l, double t, int steps)
{
    scri_quat q = {1.0, 0.0, 0.0, 0.0};
    double h = t / steps;
    for (int i = 0; i < steps; ++i) {
        scri_quat a = rate_of(q, l), b = rate_of(moved(q, 0.5 * h, a), l);
        scri_quat c = rate_of(moved(q, 0.5 * h, b), l), d = rate_of(moved(q, h, c), l);
        q = moved(moved(moved(moved(q, h / 6.0, a), h / 3.0, b), h / 3.0, c), h / 6.0, d);
        q = scri_quat_normalize(q);
    }
    return q;
}

static void the_pose_is_of_second_order(void** state)
{
    (void)state;
    enum { LEVELS = 4 };
    scri_vec spin = {0.4, 5.0, 0.6};
    scri_quat one = {1.0, 0.0, 0.0, 0.0}, exact = turned(momentum_of(one, spin), 3.0, 30000);
    double error[LEVELS];
    for (int level = 0; level < LEVELS; ++level) {
        int steps = 300 << level;
        scree_world* world = free_world(3.0 / steps, 0.5, spin);
        for (int i = 0; i < steps; ++i) step_any(world);
        scri_quat q = scri_quat_load(scree_world_get_view(world).rotation);
        double same = fabs(q.w * exact.w + q.x * exact.x + q.y * exact.y + q.z * exact.z);
        error[level] = 2.0 * sqrt(2.0 * fmax(0.0, 1.0 - same)); /* angle between the two */
        print_message("asymmetric top, h = %.2e s: turned by %.2e rad too far after 3 s\n",
                      3.0 / steps, error[level]);
        scree_world_destroy(world);
    }
    double order = log2(error[0] / error[LEVELS - 1]) / (LEVELS - 1);
    print_message("asymmetric top: observed order %.2f\n", order);
    require(error[0] <= 2e-3, "off by %g rad", error[0]);
    require(order >= 1.9, "order %g", order);
}

/* About a principal axis a body turns by exactly its rate, in steps of any length. */
static void steady_rotation_is_exact(void** state)
{
    (void)state;
    for (int round = 0; round < 2; ++round) {
        scree_world_def def = world_def(1e-2, 1e-10);
        scree_shape shape = sphere_of(0.1);
        scree_body_def body = scree_default_body_def();
        double rate = 40.0, t = 1.0;
        set3(def.gravity, 0.0, 0.0, 0.0);
        set3(body.inertia, 1.0, round ? 1.0 : 2.0, round ? 1.0 : 3.0);
        body.angular_velocity[2] = rate;
        scree_world* world = world_new(def, (scree_material){.mu = 0.5});
        add_body(world, &body, &shape);
        for (int i = 0; i < 100; ++i) step_any(world);
        const double* q = scree_world_get_view(world).rotation;
        require_near(fabs(q[0] * cos(0.5 * rate * t) + q[3] * sin(0.5 * rate * t)), 1.0, 1e-13,
                     "turn about an axis");
        scree_world_destroy(world);
    }
}

/* ---- steps that fail ------------------------------------------------------------------------- */

/* Whichever allocation of a step fails, the bodies are where they were. */
static void a_step_that_fails_moves_nothing(void** state)
{
    (void)state;
    int failed = 0, done = 0;
    for (long k = 0; !done && k < 100; ++k) {
        test_host host;
        scree_world_def def = world_def(1e-2, 1e-10);
        scree_shape shape = box_of(0.1, 0.2, 0.3);
        scree_body_def body = body_of(&shape, 1000.0);
        scree_world* world = NULL;
        scree_step_report report;
        int32_t unused;
        scree_env env = test_env(&host);
        assert_int_equal(scree_world_create(&env, &def, &world), SCREE_OK);
        assert_int_equal(scree_world_add_material(world, &(scree_material){.mu = 0.5}, &unused),
                         SCREE_OK);
        add_floor(world, 0.0);
        set3(body.position, 0.0, 0.0, 0.3);
        set3(body.velocity, 1.0, 0.5, -1.0);
        set3(body.angular_velocity, 3.0, -2.0, 1.0);
        add_body(world, &body, &shape);
        host.fail_at = host.n_asked + k;
        scree_status status = scree_world_step(world, &report);
        scree_world_view view = scree_world_get_view(world);
        done = status == SCREE_OK;
        failed += !done;
        for (int i = 0; i < 3 && !done; ++i) {
            require(view.position[3 + i] == body.position[i], "allocation %ld: moved", k);
            require(view.velocity[3 + i] == body.velocity[i], "allocation %ld: pushed", k);
            require(view.angular_velocity[3 + i] == body.angular_velocity[i], "%ld: spun", k);
            require(view.rotation[4 + i] == body.rotation[i], "allocation %ld: turned", k);
        }
        scree_world_destroy(world);
        require(host.n_held == 0, "%ld blocks are lost", host.n_held);
    }
    print_message("%d allocations failed\n", failed);
    require(failed > 0 && done, "%d failed", failed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_that_fails_moves_nothing),
        cmocka_unit_test(momentum_and_energy_stay),
        cmocka_unit_test(long_steps_keep_momentum_and_energy),
        cmocka_unit_test(the_pose_is_of_second_order),
        cmocka_unit_test(steady_rotation_is_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
