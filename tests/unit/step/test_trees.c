/* Mechanisms without loops, solved along their branches, against the same solved as rows: every
 * kind of joint, soft ones, motors, limits, dry friction, contacts; free trees and anchored ones;
 * and which mechanisms are trees. */
#include "support/draw.h"
#include "support/mechanisms.h"

enum { BODIES = 8, JOINTS = BODIES };

typedef struct twins {
    scree_world* world[2]; /* rows, trees */
    scree_body_id body[BODIES][2];
    scree_joint_id joint[JOINTS][2];
    int n_bodies, n_joints;
    int64_t iterations[2]; /* of all steps */
} twins;

static twins twins_new(double step, double gravity)
{
    twins t = {.n_bodies = 0};
    for (int k = 0; k < 2; ++k) {
        scree_world_def def = world_def(step, 1e-9);
        def.gravity[2] = -gravity;
        def.joints = k ? SCREE_JOINTS_TREES : SCREE_JOINTS_ROWS;
        t.world[k] = world_new(def, (scree_material){.mu = 0.5});
    }
    return t;
}

static void twins_free(twins* t)
{
    for (int k = 0; k < 2; ++k) scree_world_destroy(t->world[k]);
}

static void add_twin_joint(twins* t, scree_joint_kind kind, int a, int b, const double point[3],
                           const double axis[3], const scree_joint_def* more)
{
    for (int k = 0; k < 2; ++k) {
        scree_joint_def def = joint_of(t->world[k], kind, t->body[a][k],
                                       b < 0 ? the_world : t->body[b][k], point, axis);
        memcpy(def.freedom, more->freedom, sizeof def.freedom);
        memcpy(def.compliance, more->compliance, sizeof def.compliance);
        memcpy(def.damping, more->damping, sizeof def.damping);
        def.ratio = more->ratio;
        t->joint[t->n_joints][k] = add_joint(t->world[k], &def);
    }
    ++t->n_joints;
}

/* Steps both for a while, with `in_trees` joints solved so; velocities agree to `share` m/s, forces
 * to what that makes in a step, and joints hold. */
static void compare(twins* t, int steps, int in_trees, double share, int number)
{
    for (int s = 0; s < steps; ++s) {
        scree_step_report r[2];
        for (int k = 0; k < 2; ++k) {
            assert_int_equal(scree_world_step(t->world[k], &r[k]), SCREE_OK);
            assert_int_equal(r[k].solve.outcome, SCREE_OUTCOME_CONVERGED);
            require(r[k].joint_gap <= 1e-10 && r[k].joint_turn <= 1e-10,
                    "case %d, step %d, %d: joints are off by %g m, %g", number, s, k,
                    r[k].joint_gap, r[k].joint_turn);
            assert_int_equal(r[k].n_in_trees, k ? in_trees : 0);
            t->iterations[k] += r[k].solve.iterations;
        }
        scree_world_view v[2] = {scree_world_get_view(t->world[0]),
                                 scree_world_get_view(t->world[1])};
        assert_int_equal(v[0].n_contacts, v[1].n_contacts);
        for (int i = 0; i < 3 * v[0].n_bodies; ++i) {
            double by = fabs(v[0].velocity[i] - v[1].velocity[i]);
            double turned = fabs(v[0].angular_velocity[i] - v[1].angular_velocity[i]);
            require(by <= share && turned <= 10.0 * share,
                    "case %d, step %d: velocities %d differ by %g m/s, %g rad/s", number, s, i, by,
                    turned);
        }
        for (int j = 0; j < t->n_joints; ++j) {
            scree_joint_state a = joint_now(t->world[0], t->joint[j][0]);
            scree_joint_state b = joint_now(t->world[1], t->joint[j][1]);
            for (int i = 0; i < 3; ++i) {
                double by = fmax(fabs(a.force[i] - b.force[i]), fabs(a.torque[i] - b.torque[i]));
                double size = 1.0 + fabs(a.force[i]) + fabs(a.torque[i]);
                require(by <= 1e4 * share * size && fabs(a.rate[i] - b.rate[i]) <= 10.0 * share,
                        "case %d, step %d: joint %d carries %g N, %g N m, as rows %g, %g", number,
                        s, j, b.force[i], b.torque[i], a.force[i], a.torque[i]);
            }
        }
    }
}

/* ---- random trees ---------------------------------------------------------------------------- */

static void draw_body(scri_random* random, twins* t, const double at[3])
{
    double frame[9], size = draw_between(random, 0.5, 2.0);
    scree_body_def def = scree_default_body_def();
    scree_shape shape = box_of(0.05, 0.04, 0.06);
    draw_frame(random, frame);
    def.mass = size;
    for (int i = 0; i < 3; ++i) {
        def.position[i] = at[i];
        def.inertia[i] = size * draw_between(random, 0.01, 0.019);
        def.velocity[i] = 0.0;
        def.inertia[3 + i] = size * draw_between(random, -0.002, 0.002);
    }
    shape.category = 2;
    shape.collides = ~shape.category;
    for (int k = 0; k < 2; ++k) {
        assert_int_equal(
            scree_world_add_body(t->world[k], &def, 1, &shape, &t->body[t->n_bodies][k]), SCREE_OK);
    }
    ++t->n_bodies;
}

/* Springs, motors, limits, dry friction, compliance: some of it. */
static scree_joint_def draw_more(scri_random* random, scree_joint_kind kind)
{
    scree_joint_def def = scree_default_joint_def();
    def.ratio = 0.1;
    for (int i = 0; i < SCREE_FREEDOMS_MAX; ++i) {
        scree_freedom* f = &def.freedom[i];
        if (kind == SCREE_JOINT_BALL && i > 0) break;
        if (draw_chance(random, 30.0)) f->stiffness = draw_power(random, -1.0, 2.0);
        if (draw_chance(random, 30.0)) f->damping = draw_power(random, -2.0, 0.0);
        if (draw_chance(random, 20.0)) f->friction = draw_power(random, -2.0, 0.0);
        if (draw_chance(random, 20.0) && kind != SCREE_JOINT_BALL) f->armature = 0.01;
        if (draw_chance(random, 25.0) && kind != SCREE_JOINT_BALL) {
            f->motor = SCREE_MOTOR_VELOCITY;
            f->target = draw_between(random, -1.0, 1.0);
            f->max_effort = draw_power(random, -1.0, 1.0);
        }
        if (draw_chance(random, 20.0) && kind != SCREE_JOINT_BALL && kind != SCREE_JOINT_DISTANCE) {
            f->lower = -0.02;
            f->upper = 0.03;
        }
    }
    if (kind == SCREE_JOINT_DISTANCE) def.freedom[0] = scree_default_joint_def().freedom[0];
    for (int i = 0; i < 2; ++i) {
        if (draw_chance(random, 15.0)) def.compliance[i] = draw_power(random, -6.0, -3.0);
        if (def.compliance[i] > 0.0) def.damping[i] = 1.0;
    }
    return def;
}

static void random_trees_move_alike(void** state)
{
    (void)state;
    static const scree_joint_kind kinds[] = {
        SCREE_JOINT_FIXED,    SCREE_JOINT_BALL,        SCREE_JOINT_HINGE,
        SCREE_JOINT_SLIDER,   SCREE_JOINT_UNIVERSAL,   SCREE_JOINT_PLANAR,
        SCREE_JOINT_DISTANCE, SCREE_JOINT_CYLINDRICAL, SCREE_JOINT_SCREW};
    enum { KINDS = sizeof kinds / sizeof *kinds };
    scri_random random = test_seed("random trees", 2104);
    double iterations[2] = {0.0};
    for (int i = 0; i < test_cases(40, 3000); ++i) {
        twins t = twins_new(1e-3, 9.81);
        int n = 2 + draw_below(&random, BODIES - 1), has_floor = i % 3 == 2;
        int is_free = draw_chance(&random, 40.0), is_plain = i % 2 == 0;
        for (int b = 0; b < n; ++b) {
            double at[3] = {0.3 * b, draw_between(&random, -0.1, 0.1),
                            (has_floor ? 0.075 : 1.0) + draw_between(&random, 0.0, 0.05)};
            draw_body(&random, &t, at);
        }
        for (int b = is_free; b < n; ++b) {
            scree_joint_kind kind = kinds[draw_below(&random, KINDS)];
            int parent = b == 0 ? -1 : draw_below(&random, b);
            double point[3] = {0.3 * b - 0.15, 0.05, 1.0}, axis[3];
            draw_direction(&random, axis);
            scree_joint_def more = is_plain ? scree_default_joint_def() : draw_more(&random, kind);
            more.ratio = 0.1;
            int flip = parent >= 0 && draw_chance(&random, 50.0);
            add_twin_joint(&t, kind, flip ? parent : b, flip ? b : parent, point, axis, &more);
        }
        for (int k = 0; k < 2 && has_floor; ++k) add_floor(t.world[k], 0.0);
        compare(&t, 30, t.n_joints, has_floor ? 1e-5 : 1e-7, i);
        for (int k = 0; k < 2; ++k) iterations[k] += (double)t.iterations[k];
        twins_free(&t);
    }
    /* a wrong answer to loads costs iterations: sweeps find the solution in the end */
    print_message("%g iterations, as rows %g\n", iterations[1], iterations[0]);
    require(iterations[1] <= 1.2 * iterations[0] + 20.0, "%g iterations, as rows %g", iterations[1],
            iterations[0]);
}

/* ---- what is a tree -------------------------------------------------------------------------- */

/* Rods end to end, level but for what two of three ends sag. */
static void add_rods(twins* t, int n, double y, double sag)
{
    for (int i = 0; i < n; ++i) {
        double from[3] = {0.2 * i, y, 1.0 - sag * (i % 3)};
        double to[3] = {0.2 * (i + 1), y, 1.0 - sag * ((i + 1) % 3)};
        for (int k = 0; k < 2; ++k) {
            t->body[t->n_bodies][k] = add_rod(t->world[k], 0.3, from, to);
        }
        ++t->n_bodies;
    }
}

static void loops_stay_rows(void** state)
{
    (void)state;
    static const double axis[3] = {0.0, 1.0, 0.0};
    const scree_joint_def plain = scree_default_joint_def();
    twins t = twins_new(1e-3, 9.81);
    add_rods(&t, 3, 0.0, 0.1); /* between two walls */
    for (int i = 0; i < 4; ++i) {
        double point[3] = {0.2 * i, 0.0, 1.0 - 0.1 * (i % 3)};
        add_twin_joint(&t, SCREE_JOINT_BALL, i < 3 ? i : 2, i < 3 ? i - 1 : -1, point, axis,
                       &plain);
    }
    compare(&t, 5, 0, 1e-7, 0);
    add_rods(&t, 3, 1.0, 0.0); /* and beside it a chain: three of seven joints */
    for (int i = 3; i < 6; ++i) {
        double point[3] = {0.2 * (i - 3), 1.0, 1.0};
        add_twin_joint(&t, SCREE_JOINT_HINGE, i, i > 3 ? i - 1 : -1, point, axis, &plain);
    }
    compare(&t, 50, 3, 1e-7, 1);
    double tip[3] = {0.6, 1.0, 1.0}; /* its end is hung up, then let go again */
    scree_joint_id more[2];
    for (int k = 0; k < 2; ++k) {
        scree_joint_def def =
            joint_of(t.world[k], SCREE_JOINT_DISTANCE, t.body[5][k], the_world, tip, axis);
        def.length = scree_world_get_view(t.world[k]).position[3 * 5] > 0.0 ? 2.0 : 1.0;
        def.freedom[0].upper = 2.0; /* limits alone: no equation, no loop */
        more[k] = add_joint(t.world[k], &def);
    }
    compare(&t, 20, 3, 1e-7, 2);
    for (int k = 0; k < 2; ++k) {
        assert_int_equal(scree_world_remove_joint(t.world[k], more[k]), SCREE_OK);
        scree_joint_def def =
            joint_of(t.world[k], SCREE_JOINT_BALL, t.body[5][k], t.body[3][k], tip, axis);
        more[k] = add_joint(t.world[k], &def);
    }
    compare(&t, 5, 0, 1e-6, 3);
    for (int k = 0; k < 2; ++k) {
        assert_int_equal(scree_world_remove_joint(t.world[k], more[k]), SCREE_OK);
    }
    compare(&t, 20, 3, 1e-6, 4);
    twins_free(&t);
}

/* Wheels on axles of their own, and what they drive: a gear is no branch. */
static void gears_stay_rows(void** state)
{
    (void)state;
    static const double axis[3] = {0.0, 1.0, 0.0};
    scree_joint_def driven = scree_default_joint_def(), gear = driven;
    twins t = twins_new(1e-3, 0.0);
    gear.ratio = 2.0;
    driven.freedom[0].motor = SCREE_MOTOR_VELOCITY;
    driven.freedom[0].target = 1.0;
    driven.freedom[0].max_effort = 5.0;
    for (int i = 0; i < 3; ++i) {
        double at[3] = {i, 0.0, 0.0}, inertia[3] = {0.1, 0.2, 0.1};
        for (int k = 0; k < 2; ++k) t.body[i][k] = add_mass(t.world[k], 1.0, inertia, at);
        ++t.n_bodies;
        add_twin_joint(&t, SCREE_JOINT_HINGE, i, -1, at, axis, i == 1 ? &gear : &driven);
    }
    double between[3] = {0.5, 0.0, 0.0};
    add_twin_joint(&t, SCREE_JOINT_GEAR, 0, 1, between, axis, &gear);
    compare(&t, 20, 1, 1e-9, 0); /* the third wheel alone */
    scree_joint_state a = joint_now(t.world[1], t.joint[0][1]);
    scree_joint_state b = joint_now(t.world[1], t.joint[1][1]);
    require(a.rate[0] > 0.1, "the first wheel turns at %g", a.rate[0]);
    require_near(b.rate[0], -0.5 * a.rate[0], 1e-9, "rate of the gear");
    twins_free(&t);
    t = twins_new(1e-3, 0.0); /* two that fly, and a gear alone */
    for (int i = 0; i < 2; ++i) {
        double at[3] = {i, 0.0, 0.0}, inertia[3] = {0.1, 0.1, 0.1}, spin[3] = {0.0, 1.0 + i, 0.0};
        for (int k = 0; k < 2; ++k) {
            t.body[i][k] = add_mass(t.world[k], 1.0, inertia, at);
            assert_int_equal(
                scree_world_set_velocity(t.world[k], t.body[i][k], (double[3]){0.0}, spin),
                SCREE_OK);
        }
        ++t.n_bodies;
    }
    add_twin_joint(&t, SCREE_JOINT_GEAR, 0, 1, between, axis, &gear);
    compare(&t, 20, 0, 1e-9, 1);
    twins_free(&t);
}

/* A mechanism with a loop and one without that touch are one problem: a rod between walls, and a
 * pendulum that falls on it. */
static void both_kinds_meet(void** state)
{
    (void)state;
    static const double axis[3] = {0.0, 1.0, 0.0}, ends[2][3] = {{-0.5, 0.0, 0.0}, {0.5, 0.0, 0.0}};
    const scree_joint_def plain = scree_default_joint_def();
    twins t = twins_new(1e-3, 9.81);
    for (int i = 0; i < 2; ++i) {
        scree_shape shape = i ? box_of(0.1, 0.1, 0.1) : box_of(0.5, 0.1, 0.05);
        scree_body_def def = body_of(&shape, 500.0);
        set3(def.position, i ? 0.2 : 0.0, 0.0, i ? 0.16 : 0.0);
        for (int k = 0; k < 2; ++k) {
            assert_int_equal(scree_world_add_body(t.world[k], &def, 1, &shape, &t.body[i][k]),
                             SCREE_OK);
        }
        ++t.n_bodies;
    }
    for (int i = 0; i < 2; ++i) {
        add_twin_joint(&t, SCREE_JOINT_HINGE, 0, -1, ends[i], axis, &plain);
    }
    double above[3] = {-0.3, 0.0, 0.2};
    add_twin_joint(&t, SCREE_JOINT_HINGE, 1, -1, above, axis, &plain);
    compare(&t, 100, 1, 1e-6, 0);
    scree_world_view v = scree_world_get_view(t.world[1]);
    require(v.n_contacts > 0 && is_at_rest(&v, 1), "%d contacts; it does not lie", v.n_contacts);
    twins_free(&t);
}

/* Heavy ends on light chains, and the other way round: digits cancel in the inertia of what
 * hangs. */
static void unequal_masses_move_alike(void** state)
{
    (void)state;
    for (int i = 0; i < 2; ++i) {
        twins t = twins_new(1e-3, 9.81);
        const scree_joint_def plain = scree_default_joint_def();
        for (int b = 0; b < 4; ++b) {
            double at[3] = {0.0, 0.0, -0.2 * b - 0.1}, point[3] = {0.0, 0.0, -0.2 * b};
            double mass = b == (i ? 0 : 3) ? (i ? 1e4 : 10.0) : 1e-2;
            double inertia[3] = {1e-3 * mass, 2e-3 * mass, 1.5e-3 * mass};
            double turn[3] = {0.2, -0.8, 0.0}, speed[3] = {-0.8 * at[2], -0.2 * at[2], 0.0};
            for (int k = 0; k < 2; ++k) {
                t.body[b][k] = add_mass(t.world[k], mass, inertia, at);
                assert_int_equal(scree_world_set_velocity(t.world[k], t.body[b][k], speed, turn),
                                 SCREE_OK);
            }
            ++t.n_bodies;
            add_twin_joint(&t, SCREE_JOINT_BALL, b, b - 1, point, NULL, &plain);
        }
        compare(&t, 50, 4, 1e-6, i);
        twins_free(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_trees_move_alike),   cmocka_unit_test(loops_stay_rows),
        cmocka_unit_test(gears_stay_rows),           cmocka_unit_test(both_kinds_meet),
        cmocka_unit_test(unequal_masses_move_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
