/* Restitution with friction adds no energy: rebounds are Newton's where that is so by itself, and
 * else as much of them as energy allows. Impacts of one step are one impact. */
#include "problem/bodies_kernel.h"
#include "step/step.h"
#include "support/draw.h"
#include "support/worlds.h"

/* A rod that comes down on one end, without gravity: one contact, one impact. */
typedef struct throw_of {
    double tilt, velocity[3], spin[3], mu;
} throw_of;

typedef struct outcome {
    double ratio; /* speed across the floor after over before, of the end that hits */
    double work;  /* of the floor over the energy before */
    int hits;
} outcome;

#define ROD 0.5     /* half length */
#define RADIUS 0.01 /* of its ends */

static double end_speed(scree_world* world)
{
    scree_world_view v = scree_world_get_view(world);
    const double *q = v.rotation + 4, *w = v.angular_velocity + 3;
    /* the axis of the rod, its end and the lowest point of that */
    double axis[3] = {2.0 * (q[1] * q[3] + q[0] * q[2]), 2.0 * (q[2] * q[3] - q[0] * q[1]),
                      1.0 - 2.0 * (q[1] * q[1] + q[2] * q[2])};
    double arm[2] = {-ROD * axis[0], -ROD * axis[1]};
    return v.velocity[5] + w[0] * arm[1] - w[1] * arm[0];
}

static outcome fall(const throw_of* t, double restitution)
{
    scree_world_def def = world_def(1e-4, 1e-10);
    memset(def.gravity, 0, sizeof def.gravity);
    scree_world* world = world_new(def, (scree_material){.mu = t->mu, .restitution = restitution});
    scree_shape shape = scree_default_shape();
    shape.kind = SCREE_SHAPE_CAPSULE;
    shape.half_size[0] = RADIUS;
    shape.half_size[1] = ROD;
    scree_body_def body = body_of(&shape, 1000.0);
    add_floor(world, 0.0);
    turn_about_y(body.rotation, t->tilt);
    body.position[2] = ROD * cos(t->tilt) + RADIUS + 1e-3;
    memcpy(body.velocity, t->velocity, sizeof body.velocity);
    memcpy(body.angular_velocity, t->spin, sizeof body.angular_velocity);
    add_body(world, &body, &shape);
    outcome out = {0};
    for (int k = 0; k < 100 && !out.hits; ++k) {
        double before = end_speed(world);
        scree_step_report report = step_world(world);
        if (report.n_contacts == 0) continue;
        out.hits = 1;
        out.ratio = -end_speed(world) / before;
        out.work = report.contact_work / (report.kinetic - report.contact_work);
    }
    require_finite(world);
    scree_world_destroy(world);
    return out;
}

static throw_of draw_throw(scri_random* random)
{
    throw_of t = {.tilt = draw_between(random, 0.2, 1.3), .mu = draw_between(random, 0.05, 1.5)};
    t.velocity[0] = draw_between(random, -4.0, 4.0);
    t.velocity[1] = draw_between(random, -1.0, 1.0);
    t.velocity[2] = draw_between(random, -5.0, -2.0);
    for (int k = 0; k < 3; ++k) t.spin[k] = draw_between(random, -1.0, 1.0);
    return t;
}

static void an_impact_adds_no_energy(void** state)
{
    (void)state;
    scri_random random = test_seed("rebound", 11);
    int n = test_cases(600, 20000), tempered = 0, full = 0;
    for (int i = 0; i < n; ++i) {
        throw_of t = draw_throw(&random);
        double e = draw_between(&random, 0.2, 1.0);
        outcome x = fall(&t, e), plastic = fall(&t, 0.0);
        if (!x.hits || !plastic.hits) continue;
        require(x.work <= 1e-9 && plastic.work <= 0.0, "case %d: work %g, %g", i, x.work,
                plastic.work);
        /* the end goes on turning within the step, by about h w v */
        if (fabs(x.ratio - e) <= 2e-3) {
            ++full;
            continue;
        }
        ++tempered;
        require(x.ratio < e && x.ratio > -2e-3 && x.work >= 0.021 * plastic.work,
                "case %d: rebound %g of %g, work %g where it may be %g", i, x.ratio, e, x.work,
                0.02 * plastic.work);
    }
    print_message("%d impacts with all of e, %d with less\n", full, tempered);
    require(full > n / 3 && tempered > n / 100, "%d and %d of %d", full, tempered, n);
}

/* A quaternion: turned by up to 3 rad about any axis. */
static void draw_turn(scri_random* random, double rotation[4])
{
    double axis[3], half = draw_between(random, 0.0, 1.5);
    draw_direction(random, axis);
    rotation[0] = cos(half);
    for (int k = 0; k < 3; ++k) rotation[1 + k] = sin(half) * axis[k];
}

/* Boxes of all proportions that tumble over a floor, many corners at a time. */
static void bodies_that_tumble_gain_nothing(void** state)
{
    (void)state;
    scri_random random = test_seed("tumble", 12);
    int n = test_cases(30, 400);
    for (int i = 0; i < n; ++i) {
        scree_material material = {.mu = draw_between(&random, 0.0, 1.2),
                                   .restitution = draw_between(&random, 0.5, 1.0)};
        scree_world* world = world_new(world_def(1e-3, 1e-8), material);
        scree_shape shape =
            box_of(draw_between(&random, 0.05, 0.5), 0.2, draw_between(&random, 0.05, 0.5));
        scree_body_def body = body_of(&shape, 1000.0);
        add_floor(world, 0.0);
        draw_turn(&random, body.rotation);
        body.position[2] = 1.0;
        for (int k = 0; k < 3; ++k) {
            body.velocity[k] = draw_between(&random, -4.0, 4.0);
            body.angular_velocity[k] = draw_between(&random, -5.0, 5.0);
        }
        add_body(world, &body, &shape);
        for (int k = 0; k < 1500; ++k) {
            scree_step_report report = step_world(world);
            double unit = body.mass * 9.81;
            require(report.contact_work <= 1e-6 * unit, "case %d, step %d: work %g", i, k,
                    report.contact_work / unit);
        }
        scree_world_destroy(world);
    }
}

/* A rod that comes down nearly flat: one end hits, and a step or two later the other, which turns
 * the first one back to where it just let go. It works there, and rebounds pay for that, too. */
static void ends_that_hit_in_turn_gain_nothing(void** state)
{
    (void)state;
    scri_random random = test_seed("in turn", 14);
    int n = test_cases(600, 10000), both = 0;
    for (int i = 0; i < n; ++i) {
        scree_world_def def = world_def(2e-3, 1e-10);
        memset(def.gravity, 0, sizeof def.gravity);
        scree_world* world =
            world_new(def, (scree_material){.mu = draw_between(&random, 0.0, 1.2),
                                            .mu_r = draw_between(&random, 0.0, 0.02),
                                            .restitution = draw_between(&random, 0.5, 1.0)});
        scree_shape shape = scree_default_shape();
        shape.kind = SCREE_SHAPE_CAPSULE;
        shape.half_size[0] = RADIUS, shape.half_size[1] = ROD;
        scree_body_def body = body_of(&shape, 1000.0);
        add_floor(world, 0.0);
        turn_about_y(body.rotation, 0.5 * SCREE_PI + draw_between(&random, -0.02, 0.02));
        body.position[2] = RADIUS + 0.02;
        for (int k = 0; k < 2; ++k) body.velocity[k] = draw_between(&random, -2.0, 2.0);
        body.velocity[2] = draw_between(&random, -2.0, -0.5);
        add_body(world, &body, &shape);
        for (int k = 0; k < 60; ++k) {
            scree_step_report report = step_world(world);
            both += report.n_contacts > 1;
            require(report.contact_work <= 1e-8 * body.mass, "case %d, step %d: work %g J/kg", i, k,
                    report.contact_work / body.mass);
        }
        scree_world_destroy(world);
    }
    require(both > n / 10, "%d steps with two contacts", both);
}

/* The fastest that a contact parts which presses now and did not press in the last step, beyond
 * what takes its overlap out. */
static double fastest_parting(scree_world* world, int* n)
{
    const scri_contacts_table* t = &world->contacts;
    double most = 0.0;
    for (int32_t c = 0; c < world->n_touching; ++c) {
        int width = t->first_row[c + 1] - t->first_row[c];
        double y[6] = {0.0}, *p = t->p + t->first_row[c];
        if (t->lasting[c] || !(p[0] > 1e-9)) continue;
        scri_bodies_add_relative(&world->problem.bodies, world->bodies.next, c, width, y);
        most = fmax(most, y[0] - fmax(0.0, -t->gap[c]) / world->def.step);
        ++*n;
    }
    return most;
}

/* The lowest point of a rim runs about it faster than anything moves: a contact that was open there
 * and closes here is an impact, and without restitution it gives nothing back. */
static void what_did_not_press_does_not_rebound(void** state)
{
    (void)state;
    static const scree_shape_kind kinds[] = {SCREE_SHAPE_CONE, SCREE_SHAPE_CYLINDER};
    scri_random random = test_seed("open", 13);
    int n = test_cases(24, 1000), impacts = 0;
    for (int i = 0; i < n; ++i) {
        scree_world_def def = world_def(1e-3, 1e-8);
        def.scheme = i / 2 % 2 ? SCREE_SCHEME_IMPULSE : SCREE_SCHEME_GAP;
        scree_world* world = world_new(def, (scree_material){.mu = 0.4, .mu_r = 5e-4});
        scree_shape shape = scree_default_shape();
        shape.kind = kinds[i % 2];
        shape.half_size[0] = shape.half_size[1] = 0.05;
        scree_body_def body = body_of(&shape, 1000.0);
        add_floor(world, 0.0);
        draw_turn(&random, body.rotation);
        body.position[2] = 0.13;
        for (int k = 0; k < 3; ++k) body.angular_velocity[k] = draw_between(&random, -6.0, 6.0);
        add_body(world, &body, &shape);
        for (int k = 0; k < 500; ++k) {
            step_world(world);
            double parting = fastest_parting(world, &impacts);
            require(parting <= 1e-3, "case %d, step %d: parts with %g m/s", i, k, parting);
        }
        scree_world_destroy(world);
    }
    require(impacts > 2 * n, "%d impacts", impacts);
}

/* ---- Newton's cradle ---- */

enum { BALLS = 5 };

/* Velocities after equal balls in a row were hit with 1 m/s by the first `n_moving` of them, all
 * the same distance apart but for the last moving one. */
static void swing(double gap, double step, int n_moving, double velocity[BALLS])
{
    const double radius = 0.0625; /* so that touching balls touch to the last bit */
    scree_world_def def = world_def(step, 1e-12);
    memset(def.gravity, 0, sizeof def.gravity);
    scree_world* world = world_new(def, (scree_material){.restitution = 1.0});
    scree_shape ball = sphere_of(radius);
    double x = 0.0, energy = 0.0, momentum = 0.0;
    for (int i = 0; i < BALLS; ++i) {
        scree_body_def body = body_of(&ball, 1000.0);
        x += 2.0 * radius + (i == n_moving ? 0.03 : gap);
        body.position[0] = x;
        body.velocity[0] = i < n_moving;
        add_body(world, &body, &ball);
    }
    for (double t = 0.0; t < 0.2; t += step) step_world(world);
    scree_world_view view = scree_world_get_view(world);
    for (int i = 0; i < BALLS; ++i) {
        velocity[i] = view.velocity[3 * i];
        momentum += velocity[i];
        energy += velocity[i] * velocity[i];
    }
    require_near(momentum, n_moving, 1e-9, "momentum");
    require_near(energy, n_moving, 1e-9, "energy");
    scree_world_destroy(world);
}

/* Balls that touch have one impact together, at which each contact keeps Newton's law: the first
 * parts from the second as fast as it came, and nothing else had a speed to give back. */
static void touching_balls_leave_together(void** state)
{
    (void)state;
    static const double steps[] = {1e-2, 1e-3, 1e-4};
    for (int k = 0; k < 3; ++k) {
        double v[BALLS];
        swing(0.0, steps[k], 1, v);
        require_near(v[0], -0.6, 1e-9, "the ball that came");
        for (int i = 1; i < BALLS; ++i) require_near(v[i], 0.4, 1e-9, "a ball that was hit");
    }
}

/* With more air between them than a ball goes in a step, impacts come one after the other, and as
 * many balls leave as came. */
static void balls_apart_hand_the_impact_on(void** state)
{
    (void)state;
    static const double gaps[] = {1e-2, 1e-3, 1e-4};
    for (int k = 0; k < 3; ++k) {
        for (int n_moving = 1; n_moving < 4; ++n_moving) {
            double v[BALLS];
            swing(gaps[k], 0.9 * gaps[k], n_moving, v);
            for (int i = 0; i < BALLS; ++i) {
                require_near(v[i], i >= BALLS - n_moving, 1e-9, "a ball of a row with gaps");
            }
        }
    }
}

/* A paddle that moves from now on strikes a ball that rests on it, without gravity: (1 + e) times
 * its speed, whatever it did before. */
static void a_paddle_begins_to_move(void** state)
{
    (void)state;
    for (int begin = 0; begin < 3; ++begin) {
        scree_world_def def = world_def(1e-3, 1e-10);
        memset(def.gravity, 0, sizeof def.gravity);
        scree_world* world = world_new(def, (scree_material){.mu = 0.5, .restitution = 0.5});
        scree_shape shape = box_of(1.0, 1.0, 0.1), ball = sphere_of(0.1);
        scree_body_def paddle = scree_default_body_def(), body = body_of(&ball, 1000.0);
        scree_body_id id;
        paddle.kind = SCREE_BODY_KINEMATIC;
        set3(paddle.velocity, 0.0, 0.0, begin == 0 ? 1.0 : 0.0);
        assert_int_equal(scree_world_add_body(world, &paddle, 1, &shape, &id), SCREE_OK);
        set3(body.position, 0.0, 0.0, 0.2 + 1e-4);
        add_body(world, &body, &ball);
        for (int s = 0; s < begin; ++s) step_world(world);
        const double up[3] = {0.0, 0.0, 1.0}, none[3] = {0.0, 0.0, 0.0};
        assert_int_equal(scree_world_set_velocity(world, id, up, none), SCREE_OK);
        step_world(world);
        require_near(scree_world_get_view(world).velocity[5], 1.5, 1e-9, "speed of the ball");
        scree_world_destroy(world);
    }
}

/* A box on a slope comes to rest in the step in which a light ball hits it: that the slope works on
 * the box, which gravity turns round within the step, is no matter of the ball. */
static void a_box_that_halts_takes_no_rebound(void** state)
{
    (void)state;
    const double h = 1e-3, up[3] = {-2.0 * h, 0.0, 0.0}, none[3] = {0.0, 0.0, 0.0};
    scree_world_def def = world_def(h, 1e-12);
    set3(def.gravity, 4.0, 0.0, -9.0);
    scree_world* world = world_new(def, (scree_material){.mu = 0.8, .restitution = 0.5});
    scree_shape shape = box_of(0.5, 0.5, 0.1), ball = sphere_of(0.01);
    scree_body_def box = body_of(&shape, 1000.0), small = body_of(&ball, 1.0);
    scree_body_id id;
    add_floor(world, 0.0);
    set3(box.position, 0.0, 0.0, 0.1);
    assert_int_equal(scree_world_add_body(world, &box, 1, &shape, &id), SCREE_OK);
    set3(small.position, 0.0, 0.0, 0.21 + 5.5 * h);
    set3(small.velocity, 0.0, 0.0, -1.0);
    add_body(world, &small, &ball);
    scree_step_report report = {0};
    for (int s = 0; s < 20 && report.n_contacts < 5; ++s) {
        assert_int_equal(scree_world_set_velocity(world, id, up, none), SCREE_OK);
        report = step_world(world);
    }
    require(report.contact_work > 0.0, "work of the contacts %g", report.contact_work);
    require_near(scree_world_get_view(world).velocity[8], 0.5, 0.03, "speed of the ball");
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_paddle_begins_to_move),
        cmocka_unit_test(an_impact_adds_no_energy),
        cmocka_unit_test(bodies_that_tumble_gain_nothing),
        cmocka_unit_test(ends_that_hit_in_turn_gain_nothing),
        cmocka_unit_test(what_did_not_press_does_not_rebound),
        cmocka_unit_test(touching_balls_leave_together),
        cmocka_unit_test(a_box_that_halts_takes_no_rebound),
        cmocka_unit_test(balls_apart_hand_the_impact_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
