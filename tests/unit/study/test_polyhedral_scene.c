/* Bodies of scenes at acceleration level: closed forms, differences, the exact law. */
#include "scree_io/scene_file.h"
#include "scree_study/polyhedral.h"
#include "support/draw.h"
#include "support/test.h"

#include <math.h>
#include <string.h>

#define G 9.81

typedef struct run {
    scree_scene* scene;
    scree_example_store store;
    scree_polyhedral* p;
    scree_polyhedral_report report;
} run;

static scree_scene* parse(const char* text)
{
    scree_scene* scene = NULL;
    assert_int_equal(scree_scene_parse(NULL, "test.yaml", text, strlen(text), 0, NULL, &scene),
                     SCREE_OK);
    return scene;
}

static run begin(const char* text, int k)
{
    run r = {.scene = parse(text)};
    assert_int_equal(scree_polyhedral_scene_make(NULL, r.scene, &r.store), SCREE_OK);
    r.store.def.directions = k;
    assert_int_equal(scree_polyhedral_create(NULL, &r.store.def, 0.0, r.store.q, r.store.u, &r.p),
                     SCREE_OK);
    return r;
}

static scree_polyhedral_view advance(run* r, double h)
{
    assert_int_equal(scree_polyhedral_advance(r->p, h, &r->report), SCREE_OK);
    require(r->report.solved, "not solved: %s", scree_lcp_outcome_text((int)r->report.lcp.outcome));
    require(r->report.error <= 1e-8, "equation (8) is off by %g", r->report.error);
    return scree_polyhedral_get_view(r->p);
}

static void end(run* r)
{
    scree_polyhedral_destroy(r->p);
    scree_example_store_release(&r->store);
    scree_scene_destroy(r->scene);
}

static void require_near(double value, double expected, double tolerance, const char* what)
{
    require(fabs(value - expected) <= tolerance, "%s: %.12g, not %.12g", what, value, expected);
}

/* ---- closed forms ---- */

/* A ball set free beside the top of a fixed one leaves it where nothing presses any more: at
 * cos a = 2/3 cos a0 without friction, 10/17 cos a0 where it rolls. That takes n' of the line of
 * centres at acceleration level. */
static void leave(double mu, double share)
{
    const double start = 0.3, length = 1.25, h = 1e-3;
    char text[600];
    snprintf(text, sizeof text,
             "materials: {m: {mu: %g}}\n"
             "bodies:\n"
             "  - {name: fixed, kind: static, shape: {type: sphere, radius: 1}}\n"
             "  - {name: ball, position: [%.17g, 0, %.17g], shape: {type: sphere, radius: 0.25}}\n",
             mu, length * sin(start), length * cos(start));
    run r = begin(text, 4);
    scree_polyhedral_view v = scree_polyhedral_get_view(r.p);
    double cosine = 1.0, gap = 0.0;
    while (v.mode[0] != SCREE_CONTACT_OPEN && v.time < 3.0) {
        cosine = v.q[2] / length;
        gap = fmax(gap, fabs(hypot(v.q[0], v.q[2]) - length));
        v = advance(&r, h);
    }
    assert_true(v.time < 3.0);
    require_near(cosine, share * cos(start), 4e-3, "cosine where it leaves");
    require(gap <= 1e-5, "the gap drifts by %g", gap);
    end(&r);
}

static void test_ball_leaves_a_ball(void** state)
{
    (void)state;
    leave(0.0, 2.0 / 3.0);
    leave(50.0, 10.0 / 17.0);
}

/* Stick is stick for any k: 5/7 g sin of the slope. Two turns and more, for the quaternion. */
static void test_ball_rolls_down(void** state)
{
    (void)state;
    for (int k = 2; k <= 16; k *= 8) {
        run r = begin("parameters: {a: 0.2}\n"
                      "world: {gravity: [9.81*sin(a), 0, -9.81*cos(a)]}\n"
                      "materials: {m: {mu: 0.5}}\n"
                      "bodies:\n"
                      "  - {name: plane, kind: static, shape: {type: half-space}}\n"
                      "  - {name: ball, position: [0, 0, 0.05], shape: {type: sphere, radius: "
                      "0.05}}\n",
                      k);
        scree_polyhedral_view v = scree_polyhedral_get_view(r.p);
        for (int i = 0; i < 100; ++i) v = advance(&r, 0.01);
        double a = 5.0 / 7.0 * G * sin(0.2);
        require_near(v.q[0], 0.5 * a, 1e-9, "way");
        require_near(v.u[0], a, 1e-9, "speed");
        require_near(v.u[4], a / 0.05, 1e-7, "spin");
        require_near(v.q[2], 0.05, 1e-12, "height");
        end(&r);
    }
}

/* No restitution, no friction: the masses go on together. */
static void test_balls_collide(void** state)
{
    (void)state;
    run r =
        begin("world: {gravity: [0, 0, 0]}\n"
              "materials: {m: {mu: 0}}\n"
              "bodies:\n"
              "  - {name: a, mass: 1, velocity: [1, 0, 0], shape: {type: sphere, radius: 0.1}}\n"
              "  - {name: b, mass: 3, position: [0.53, 0, 0], shape: {type: sphere, radius: "
              "0.1}}\n",
              4);
    scree_polyhedral_view v = scree_polyhedral_get_view(r.p);
    for (int i = 0; i < 10; ++i) v = advance(&r, 0.1);
    require_near(v.u[0], 0.25, 1e-12, "first");
    require_near(v.u[7], 0.25, 1e-12, "second");
    require_near(v.q[7], 0.53 + 0.25 * 0.67, 1e-9, "place of the second");
    assert_int_equal(v.n_events, 1);
    end(&r);
}

/* ---- rows and rates against differences ---- */

static const char some_bodies[] =
    "materials: {m: {mu: 0.4}}\n"
    "bodies:\n"
    "  - {name: plane, kind: static, position: [0, 0.1, -2], rotation: {axis: [1, 2, 0], angle: "
    "0.3}, shape: {type: half-space, category: 5}}\n"
    "  - {name: post, kind: static, position: [2, 0, 0], shape: {type: sphere, radius: 0.4}}\n"
    "  - {name: a, shapes: [{type: sphere, radius: 0.5, position: [0.1, 0, 0]}, {type: sphere, "
    "radius: 0.3, position: [-0.6, 0.2, 0.1]}]}\n"
    "  - {name: b, position: [0.2, 1.5, 0.3], shape: {type: sphere, radius: 0.6}}\n"
    "  - {name: c, position: [9, 0, 0], rotation: {axis: [1, 1, 1], angle: 0.7}, shape: {type: "
    "capsule, radius: 0.2, length: 1, category: 2, collides: 4}}\n";

enum { MOST_ROWS = 64, MOST = 32 };

static void evaluate(const scree_system_def* def, const double* q, const double* u, double* gap,
                     double* velocity)
{
    double w[MOST_ROWS * MOST] = {0.0}, chi[MOST_ROWS] = {0.0};
    size_t n = (size_t)def->n, rows = 3 * (size_t)def->n_contacts;
    def->model.gap(def->model.user, 0.0, q, gap);
    def->model.directions(def->model.user, 0.0, q, w, chi);
    for (size_t i = 0; i < rows; ++i) {
        velocity[i] = chi[i];
        for (size_t k = 0; k < n; ++k) velocity[i] += w[i * n + k] * u[k];
    }
}

/* Normal velocities are rates of gaps; rates are those of velocities at constant u. */
static void test_rows_and_rates_by_differences(void** state)
{
    (void)state;
    scri_random random = test_seed("rates", 7);
    run r = begin(some_bodies, 4);
    const scree_system_def* def = &r.store.def.system;
    assert_true(def->n <= MOST && 3 * def->n_contacts <= MOST_ROWS);
    assert_int_equal(def->n_contacts, 10); /* plane 2 + 1 + 2, post 2 + 1, a with b 2 */
    for (int i = 0; i < test_cases(200, 5000); ++i) {
        double q[MOST] = {0.0}, u[MOST] = {0.0}, rate[MOST] = {0.0}, away[2][MOST] = {{0.0}};
        double gap[3][MOST_ROWS] = {{0.0}}, velocity[3][MOST_ROWS] = {{0.0}};
        double found[MOST_ROWS] = {0.0};
        const double h = 1e-5;
        for (int k = 0; k < def->n; ++k) {
            q[k] = r.store.q[k] + (k % 7 < 3 ? 0.1 : 0.5) * draw_between(&random, -1.0, 1.0);
            u[k] = k % 7 == 6 ? 0.0 : draw_between(&random, -1.0, 1.0);
        }
        for (int b = 0; b < def->n; b += 7) { /* unit quaternions, as motion has them */
            double length = hypot(hypot(q[b + 3], q[b + 4]), hypot(q[b + 5], q[b + 6]));
            for (int k = 3; k < 7; ++k) q[b + k] /= length;
        }
        def->model.kinematics(def->model.user, 0.0, q, u, rate);
        for (int k = 0; k < def->n; ++k) {
            away[0][k] = q[k] - h * rate[k];
            away[1][k] = q[k] + h * rate[k];
        }
        evaluate(def, away[0], u, gap[0], velocity[0]);
        evaluate(def, away[1], u, gap[1], velocity[1]);
        evaluate(def, q, u, gap[2], velocity[2]);
        def->model.rates(def->model.user, 0.0, q, u, found);
        for (int c = 0; c < def->n_contacts; ++c) {
            require_near(velocity[2][3 * c], (gap[1][c] - gap[0][c]) / (2.0 * h), 1e-7, "u_N");
            for (int k = 3 * c; k < 3 * c + 3; ++k) {
                double by_difference = (velocity[1][k] - velocity[0][k]) / (2.0 * h);
                require(fabs(found[k] - by_difference) <= 1e-6, "case %d, row %d: %g, not %g", i, k,
                        found[k], by_difference);
            }
        }
    }
    end(&r);
}

/* ---- against the exact law ---- */

static const char skew_block[] =
    "parameters: {a: 25*deg, to: 31*deg, mu: 0.3}\n"
    "world:\n"
    "  gravity: [9.81*sin(a)*cos(to), 9.81*sin(a)*sin(to), "
    "-9.81*cos(a)]\n"
    "  tol: 1e-10\n"
    "materials: {m: {mu: mu}}\n"
    "bodies:\n"
    "  - {name: plane, kind: static, shape: {type: half-space}}\n"
    "  - {name: block, position: [0, 0, 0.1], shape: {type: box, size: "
    "[0.6, 0.5, 0.2]}}\n";

/* (1 - mu N / F) (mu N / m) tan(pi / 2k), and friction off by 1 / cos(pi / 2k) - 1. */
static void test_block_approaches_the_exact_law(void** state)
{
    (void)state;
    scree_scene* scene = parse(skew_block);
    const double a = 25.0 * SCREE_PI / 180.0, mu = 0.3;
    double first = 0.0;
    for (int k = 2; k <= 64; k *= 2) {
        scree_scene_difference d;
        assert_int_equal(scree_polyhedral_scene_compare(NULL, scene, k, 0.1, &d), SCREE_OK);
        assert_true(d.solved);
        double slope = 0.5 * SCREE_PI / k, force = sin(a), hold = mu * cos(a);
        double bound = (1.0 - hold / force) * hold * tan(slope) + hold * (1.0 / cos(slope) - 1.0);
        printf("k = %d: acceleration off by %.3g (bound %.3g), place by %.3g\n", k, d.acceleration,
               bound, d.position);
        require(d.acceleration <= 1.01 * bound + 1e-8, "k = %d: %g above %g", k, d.acceleration,
                bound);
        assert_int_equal(d.n_contacts, 4);
        if (k == 2) first = d.acceleration;
        if (k == 64) {
            require(d.acceleration <= 0.1 * first, "%g after %g", d.acceleration, first);
            require(d.position <= 1e-3, "the place is off by %g", d.position);
        }
    }
    scree_scene_destroy(scene);
}

/* Two balls that touch and a plane, under a force: stick alone, so that k does not matter. */
static void test_sticking_bodies_equal_the_exact_law(void** state)
{
    (void)state;
    scree_scene* scene =
        parse("world: {tol: 1e-10, step: 5e-4}\n"
              "materials: {m: {mu: 0.9}}\n"
              "bodies:\n"
              "  - {name: plane, kind: static, shape: {type: half-space}}\n"
              "  - {name: a, position: [0, 0, 0.1], shape: {type: sphere, radius: 0.1}}\n"
              "  - {name: b, position: [1, 0, 0.2], shape: {type: sphere, radius: 0.2}}\n"
              "forces:\n"
              "  - {body: a, force: [2, 1, 0], torque: [0, 0.1, 0.05]}\n"
              "  - {body: b, force: [-30, 4, 0], frequency: 2}\n");
    scree_scene_difference d;
    assert_int_equal(scree_polyhedral_scene_compare(NULL, scene, 2, 0.3, &d), SCREE_OK);
    assert_true(d.solved);
    require(d.acceleration <= 1e-7, "accelerations differ by %g", d.acceleration);
    require(d.position <= 1e-3, "places differ by %g", d.position);
    require(d.way > 0.01, "nothing moves");
    scree_scene_destroy(scene);
}

/* ---- what it does not take ---- */

static void test_refusals(void** state)
{
    (void)state;
    static const char* const texts[] = {
        "materials: {m: {mu: 0.3, mu_r: 0.001}}\n"
        "bodies: [{name: a, shape: {type: sphere, radius: 1}}]\n",
        "bodies:\n"
        "  - {name: a, shape: {type: box, size: [1, 1, 1]}}\n"
        "  - {name: b, position: [3, 0, 0], shape: {type: box, size: [1, 1, 1]}}\n",
        "bodies: [{name: a, kind: kinematic, shape: {type: sphere, radius: 1}}]\n",
        "materials: {m: {restitution: 0.5}}\n"
        "bodies: [{name: a, shape: {type: sphere, radius: 1}}]\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
        scree_scene* scene = parse(texts[i]);
        scree_example_store store = {.memory = NULL};
        assert_int_equal(scree_polyhedral_scene_make(NULL, scene, &store), SCREE_ERROR_UNSUPPORTED);
        assert_null(store.memory);
        scree_scene_destroy(scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ball_leaves_a_ball),
        cmocka_unit_test(test_ball_rolls_down),
        cmocka_unit_test(test_balls_collide),
        cmocka_unit_test(test_rows_and_rates_by_differences),
        cmocka_unit_test(test_block_approaches_the_exact_law),
        cmocka_unit_test(test_sticking_bodies_equal_the_exact_law),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
