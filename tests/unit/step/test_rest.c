/* Rest and its limits: slopes, belts, spin that dies away, and the cases that break engines: no
 * friction, extreme masses and steps, bodies that just touch or lie in each other. */
#include "support/worlds.h"

#include <float.h>

static const double gravity = 9.81;

static void put_at(scree_body_def* body, double x, double y, double z)
{
    set3(body->position, x, y, z);
}

/* A sphere of density 1000 kg/m^3 on the plane turned by `tilt`; body index. */
static int32_t lay_sphere(scree_world* world, double radius, double tilt)
{
    scree_shape shape = sphere_of(radius);
    scree_body_def body = body_of(&shape, 1000.0);
    put_at(&body, radius * sin(tilt), 0.0, radius * cos(tilt));
    return add_body(world, &body, &shape);
}

/* A block 1 m x 1 m x 0.2 m, the same. */
static int32_t lay_block(scree_world* world, double tilt)
{
    scree_shape shape = box_of(0.5, 0.5, 0.1);
    scree_body_def body = body_of(&shape, 1000.0);
    put_at(&body, 0.1 * sin(tilt), 0.0, 0.1 * cos(tilt));
    turn_about_y(body.rotation, tilt);
    return add_body(world, &body, &shape);
}

/* Speed down the slope. */
static double descent(const scree_world* world, int32_t body, double tilt)
{
    const double* v = scree_world_get_view(world).velocity + 3 * (size_t)body;
    return v[0] * cos(tilt) - v[2] * sin(tilt);
}

/* ---- slopes ---------------------------------------------------------------------------------- */

typedef struct slope {
    const char* name;
    scree_material material;
    double limit;  /* tan(angle) at which it gives way */
    double factor; /* acceleration over g (sin - limit cos) beyond it */
    int block;
} slope;

/* At 1e-9 of the limit on both sides: below, it must come to rest and stay there to the last bit;
 * above, it must run away with the acceleration of the closed form. */
static void decide(const slope* s, double side)
{
    double tan_angle = s->limit * (1.0 + side * 1e-9), tilt = atan(tan_angle), h = 1e-2;
    double slowly = s->factor * gravity * cos(tilt) * (tan_angle - s->limit);
    scree_world_def def = world_def(h, 1e-14);
    scree_world* world = world_new(def, s->material);
    add_floor(world, tilt);
    int32_t i = s->block ? lay_block(world, tilt) : lay_sphere(world, 0.5, tilt);
    double before[3], seconds = 5.0;
    for (int n = 0; n < 500; ++n) step_any(world);
    double speed = descent(world, i, tilt);
    print_message("%s, %+.0e of the limit: %.3e m/s after 5 s, %.3e by the closed form\n", s->name,
                  side * 1e-9, speed, side > 0.0 ? slowly * seconds : 0.0);
    if (side > 0.0) {
        require_near(speed / (slowly * seconds), 1.0, 1e-2, "speed beyond the limit");
    } else {
        scree_world_view view = scree_world_get_view(world);
        memcpy(before, view.position + 3 * (size_t)i, sizeof before);
        for (int n = 0; n < 1000; ++n) {
            step_any(world);
            view = scree_world_get_view(world);
            require(is_at_rest(&view, i), "%s: moves below the limit", s->name);
        }
        assert_memory_equal(before, view.position + 3 * (size_t)i, sizeof before);
    }
    scree_world_destroy(world);
}

static void a_ball_rolls_beyond_its_limit(void** state)
{
    (void)state;
    slope s = {"ball", {.mu = 0.9, .mu_r = 0.04}, 0.04 / 0.5, 5.0 / 7.0, 0};
    decide(&s, -1.0);
    decide(&s, 1.0);
}

static void a_ball_that_cannot_roll_slides_beyond_its_limit(void** state)
{
    (void)state;
    slope s = {"ball that cannot roll", {.mu = 0.3, .mu_r = 1.0}, 0.3, 1.0, 0};
    decide(&s, -1.0);
    decide(&s, 1.0);
}

static void a_block_holds_below_its_limit(void** state)
{
    (void)state;
    slope s = {"block", {.mu = 0.4}, 0.4, 1.0, 1};
    decide(&s, -1.0);
}

static void a_block_slides_beyond_its_limit(void** state)
{
    (void)state;
    slope s = {"block", {.mu = 0.4}, 0.4, 1.0, 1};
    decide(&s, 1.0);
}

/* ---- spin ------------------------------------------------------------------------------------ */

/* (2/5) m R^2 alpha = mu_s m g: the spin w0 dies after 2 R^2 w0 / (5 mu_s g), and neither slides
 * nor rolls meanwhile. */
static void a_spinning_ball_stops(void** state)
{
    (void)state;
    double radius = 0.3, mu_s = 0.02, w0 = 7.0, h = 1e-3;
    double alpha = mu_s * gravity / (0.4 * radius * radius), stop = w0 / alpha;
    scree_world* world =
        world_new(world_def(h, 1e-13), (scree_material){.mu = 0.5, .mu_r = 0.01, .mu_s = mu_s});
    scree_shape shape = sphere_of(radius);
    scree_body_def body = body_of(&shape, 1000.0);
    add_floor(world, 0.0);
    put_at(&body, 0.0, 0.0, radius);
    body.angular_velocity[2] = w0;
    add_body(world, &body, &shape);
    require_near(stop, 2.0 * radius * radius * w0 / (5.0 * mu_s * gravity), 1e-12, "time");
    while (scree_world_time(world) < stop + 40.0 * h) {
        step_world(world);
        scree_world_view view = scree_world_get_view(world);
        double left = fmax(0.0, w0 - alpha * view.time);
        require_near(view.angular_velocity[5], left, 1e-10, "spin");
        require(view.velocity[3] == 0.0 && view.velocity[4] == 0.0, "it slides");
        require(view.angular_velocity[3] == 0.0 && view.angular_velocity[4] == 0.0, "it rolls");
    }
    scree_world_view view = scree_world_get_view(world);
    require(is_at_rest(&view, 1), "spin left: %g", view.angular_velocity[5]);
    scree_world_destroy(world);
}

/* ---- belts ----------------------------------------------------------------------------------- */

/* What lies on a belt slides with mu g until it has the speed of the belt, then goes with it for
 * ever: at one contact to the last bit, on four corners to the rounding of their sum. */
static void ride(int block)
{
    double belt = 1.3, mu = 0.25, h = 1e-3, reach = belt / (mu * gravity);
    /* The sphere cannot roll. */
    scree_material material = {.mu = mu, .mu_r = block ? 0.0 : 1.0};
    scree_world_def def = world_def(h, 1e-14);
    scree_world* world = world_new(def, material);
    add_plane(world, SCREE_BODY_KINEMATIC, 0.0, (double[]){belt, 0.0, 0.0});
    int32_t i = block ? lay_block(world, 0.0) : lay_sphere(world, 0.5, 0.0);
    while (scree_world_time(world) < reach + 60.0 * h) {
        step_any(world);
        scree_world_view view = scree_world_get_view(world);
        require_near(view.velocity[3 * i], fmin(belt, mu * gravity * view.time), 1e-9, "speed");
    }
    for (int n = 0; n < 20000; ++n) {
        scree_step_report report = step_any(world);
        scree_world_view view = scree_world_get_view(world);
        double last_digits = block ? 8.0 * DBL_EPSILON : 0.0;
        require(fabs(view.velocity[3 * i] - belt) <= last_digits * belt &&
                    fabs(view.velocity[3 * i + 2]) <= last_digits &&
                    fabs(view.angular_velocity[3 * i + 1]) <= last_digits,
                "step %d: %.17g m/s on a belt of %.17g m/s, %g m/s upwards, turning with %g", n,
                view.velocity[3 * i], belt, view.velocity[3 * i + 2],
                view.angular_velocity[3 * i + 1]);
        require(report.certificate.dissipation[0] <= 1e-12, "step %d: it slips", n);
    }
    scree_world_view view = scree_world_get_view(world);
    double way = belt * (view.time - 0.5 * reach);
    require_near(view.position[3 * i], way, belt * h * h + 1e-9 * way, "way");
    scree_world_destroy(world);
}

static void a_sphere_goes_with_a_belt(void** state)
{
    (void)state;
    ride(0);
}

static void a_block_goes_with_a_belt(void** state)
{
    (void)state;
    ride(1);
}

/* With little rolling resistance a sphere first rolls backwards on the belt, but ends as any other:
 * at the speed of the belt and without turning. */
static void a_rolling_sphere_ends_with_the_belt(void** state)
{
    (void)state;
    double belt = 1.3, h = 1e-3;
    scree_world* world = world_new(world_def(h, 1e-13), (scree_material){.mu = 0.3, .mu_r = 0.02});
    add_plane(world, SCREE_BODY_KINEMATIC, 0.0, (double[]){belt, 0.0, 0.0});
    lay_sphere(world, 0.5, 0.0);
    double most = 0.0;
    while (scree_world_time(world) < 8.0) {
        step_world(world);
        most = fmax(most, -scree_world_get_view(world).angular_velocity[4]);
    }
    scree_world_view view = scree_world_get_view(world);
    require(most > 0.1, "it did not roll: %g rad/s", most);
    require(view.velocity[3] == belt && view.angular_velocity[4] == 0.0, "%.17g m/s, %g rad/s",
            view.velocity[3], view.angular_velocity[4]);
    scree_world_destroy(world);
}

/* ---- no friction ----------------------------------------------------------------------------- */

static void without_friction_nothing_holds(void** state)
{
    (void)state;
    double tilt = 0.3, h = 1e-2;
    for (int block = 0; block < 2; ++block) {
        scree_world* world = world_new(world_def(h, 1e-13), (scree_material){.mu = 0.0});
        add_floor(world, tilt);
        int32_t i = block ? lay_block(world, tilt) : lay_sphere(world, 0.5, tilt);
        for (int n = 1; n <= 100; ++n) {
            scree_step_report report = step_world(world);
            require_near(descent(world, i, tilt), gravity * sin(tilt) * h * n, 1e-10, "speed");
            require_near(report.contact_work, 0.0, 1e-9, "work");
        }
        scree_world_destroy(world);
    }
    scree_world* world = world_new(world_def(h, 1e-13), (scree_material){.mu = 0.0});
    scree_shape shape = sphere_of(0.5);
    scree_body_def body = body_of(&shape, 1000.0);
    add_floor(world, 0.0);
    put_at(&body, 0.0, 0.0, 0.5);
    set3(body.velocity, 1.1, -0.7, 0.0);
    set3(body.angular_velocity, 2.3, 0.9, -4.1);
    add_body(world, &body, &shape);
    for (int n = 0; n < 1000; ++n) step_world(world);
    scree_world_view view = scree_world_get_view(world);
    assert_memory_equal(view.velocity + 3, body.velocity, sizeof body.velocity);
    for (int j = 0; j < 3; ++j) {
        require_near(view.angular_velocity[3 + j], body.angular_velocity[j], 1e-13, "spin");
    }
    scree_world_destroy(world);
}

/* ---- extreme masses -------------------------------------------------------------------------- */

/* Two spheres above each other, body 1 below body 2. */
static scree_world* stack_of(double lower, double upper, double h)
{
    scree_world* world =
        world_new(world_def(h, 1e-12), (scree_material){.mu = 0.5, .mu_r = 0.01, .mu_s = 0.01});
    add_floor(world, 0.0);
    for (int k = 0; k < 2; ++k) {
        scree_shape shape = sphere_of(0.5);
        scree_body_def body = body_of(&shape, 1.0);
        double mass = k ? upper : lower, scale = mass / body.mass;
        body.mass = mass;
        for (int j = 0; j < 6; ++j) body.inertia[j] *= scale;
        put_at(&body, 0.0, 0.0, 0.5 + k);
        add_body(world, &body, &shape);
    }
    return world;
}

/* The floor carries both weights, the upper contact that of the upper sphere, and nothing moves. A
 * heavy sphere on a light one is hard to solve: a step may fall short, but then it must say so. */
static void extreme_masses_rest_on_each_other(void** state)
{
    (void)state;
    static const double masses[][2] = {{1e8, 1.0}, {1.0, 1e2}, {1.0, 1e4}, {1.0, 1e8}};
    for (int k = 0; k < 4; ++k) {
        double lower = masses[k][0], upper = masses[k][1], h = 1e-3, energy = HUGE_VAL;
        scree_world* world = stack_of(lower, upper, h);
        int solved = 0;
        for (int n = 0; n < 100; ++n) {
            scree_step_report report = step_any(world);
            scree_world_view view = scree_world_get_view(world);
            double now = report.kinetic + report.potential;
            require(now <= energy + 1e-12 * fabs(now), "energy grows to %g J", now);
            energy = now;
            solved += solved == n && report.solve.outcome == SCREE_OUTCOME_CONVERGED;
            if (k == 3) continue; /* the light sphere's weight is below the rounding of the load */
            assert_int_equal(view.n_contacts, 2);
            for (int c = 0; c < 2; ++c) {
                int above = view.point[3 * c + 2] > 0.5;
                double weight = (above ? upper : lower + upper) * gravity;
                double carried = view.impulse[view.problem->first_row[c]] / h;
                require_near(carried / weight, 1.0, 1e-6, above ? "upper load" : "load of floor");
            }
            for (int j = 3; j < 9; ++j) require_near(view.velocity[j], 0.0, 1e-8, "velocity");
        }
        require_finite(world);
        print_message("%.0e kg on %.0e kg: the first %d of 100 steps are solved\n", upper, lower,
                      solved);
        require(k == 3 || solved == 100, "%d steps solved only", solved);
        scree_world_destroy(world);
    }
}

/* A light sphere bounces off a heavy one as off a wall, and the other way round. */
static void extreme_masses_collide(void** state)
{
    (void)state;
    for (int k = 0; k < 2; ++k) {
        double mass[2] = {k ? 1e8 : 1.0, k ? 1.0 : 1e8}, e = 0.5, v0 = 2.0;
        scree_world_def def = world_def(1e-3, 1e-14);
        def.gravity[2] = 0.0;
        scree_world* world = world_new(
            def, (scree_material){.mu = 0.5, .mu_r = 0.01, .mu_s = 0.01, .restitution = e});
        for (int i = 0; i < 2; ++i) {
            scree_shape shape = sphere_of(0.5);
            scree_body_def body = body_of(&shape, 1.0);
            double scale = mass[i] / body.mass;
            body.mass = mass[i];
            for (int j = 0; j < 6; ++j) body.inertia[j] *= scale;
            put_at(&body, 1.1 * i, 0.0, 0.0);
            if (i == 0) body.velocity[0] = v0;
            add_body(world, &body, &shape);
        }
        while (scree_world_time(world) < 0.2) step_world(world);
        double share = mass[1] / (mass[0] + mass[1]); /* of the change that body 0 takes */
        scree_world_view view = scree_world_get_view(world);
        require_near(view.velocity[0], v0 - (1.0 + e) * v0 * share, 1e-7 * v0, "first sphere");
        require_near(view.velocity[3], (1.0 + e) * v0 * (1.0 - share), 1e-7 * v0, "second sphere");
        scree_world_destroy(world);
    }
}

/* ---- touching, overlapping, coincident ------------------------------------------------------- */

static void without_gravity_nothing_starts(void** state)
{
    (void)state;
    for (int scheme = 0; scheme < SCREE_SCHEME_COUNT; ++scheme) {
        scree_world_def def = world_def(1e-2, 1e-12);
        def.gravity[2] = 0.0;
        def.scheme = (scree_scheme)scheme;
        scree_world* world = world_new(
            def, (scree_material){.mu = 0.5, .mu_r = 0.01, .mu_s = 0.01, .restitution = 0.3});
        add_floor(world, 0.0);
        lay_block(world, 0.0);
        for (int i = 0; i < 4; ++i) { /* on the floor, exactly touching each other */
            scree_shape shape = sphere_of(0.25);
            scree_body_def body = body_of(&shape, 1000.0);
            put_at(&body, 2.0 + 0.5 * i, 0.0, 0.25);
            add_body(world, &body, &shape);
        }
        double before[18];
        memcpy(before, scree_world_get_view(world).position, sizeof before);
        for (int n = 0; n < 1000; ++n) step_world(world);
        scree_world_view view = scree_world_get_view(world);
        assert_memory_equal(before, view.position, sizeof before);
        for (int32_t i = 0; i < 6; ++i) require(is_at_rest(&view, i), "body %d moves", i);
        scree_world_destroy(world);
    }
}

/* Centres at the same place give no direction, but must give numbers. Overlap goes by a share of
 * the size in every step, and no velocity comes from it. */
static void coincident_spheres_stay_finite(void** state)
{
    (void)state;
    for (int scheme = 0; scheme < SCREE_SCHEME_COUNT; ++scheme) {
        scree_world_def def = world_def(1e-2, 1e-12);
        def.gravity[2] = 0.0;
        def.theta = 1.0;
        def.scheme = (scree_scheme)scheme;
        scree_world* world = world_new(
            def, (scree_material){.mu = 0.5, .mu_r = 0.01, .mu_s = 0.01, .restitution = 0.3});
        for (int i = 0; i < 2; ++i) {
            scree_shape shape = sphere_of(0.25 - 0.05 * i);
            scree_body_def body = body_of(&shape, 1000.0);
            put_at(&body, 1.0, 2.0, 3.0);
            add_body(world, &body, &shape);
        }
        for (int n = 0; n < 10; ++n) step_world(world);
        require_finite(world);
        scree_world_view view = scree_world_get_view(world);
        double d[3], momentum[3], size = 0.0;
        for (int j = 0; j < 3; ++j) {
            d[j] = view.position[j] - view.position[3 + j];
            momentum[j] = view.mass[0] * view.velocity[j] + view.mass[1] * view.velocity[3 + j];
            size += view.mass[0] * fabs(view.velocity[j]);
        }
        double distance = sqrt(dot3(d, d));
        print_message("scheme %d: %g m apart after 10 steps\n", scheme, distance);
        require(distance >= 0.09 && distance <= 0.11, "%g m apart", distance);
        for (int n = 0; n < 90; ++n) step_world(world);
        view = scree_world_get_view(world);
        for (int j = 0; j < 3; ++j) d[j] = view.position[j] - view.position[3 + j];
        distance = sqrt(dot3(d, d));
        require_near(distance, 0.45, 1e-6, "distance in the end");
        require(size == 0.0 && is_at_rest(&view, 0) && is_at_rest(&view, 1), "velocity from it");
        for (int j = 0; j < 3; ++j) require_near(momentum[j], 0.0, 1e-12 * size, "momentum");
        scree_world_destroy(world);
    }
}

/* ---- extreme steps --------------------------------------------------------------------------- */

/* From a nanosecond to a minute: what rests stays, to the last bit. */
static void rest_holds_for_any_step(void** state)
{
    (void)state;
    static const double steps[] = {1e-9, 1e-6, 1.0, 60.0};
    for (int k = 0; k < 8; ++k) {
        scree_world_def def = world_def(steps[k % 4], 1e-12);
        def.scheme = k < 4 ? SCREE_SCHEME_IMPULSE : SCREE_SCHEME_GAP;
        scree_world* world =
            world_new(def, (scree_material){.mu = 0.5, .mu_r = 0.01, .mu_s = 0.01});
        add_floor(world, 0.0);
        int32_t i = lay_sphere(world, 0.5, 0.0);
        for (int n = 0; n < 200; ++n) step_world(world);
        scree_world_view view = scree_world_get_view(world);
        require(is_at_rest(&view, i) && view.position[5] == 0.5, "step %g s: z = %.17g",
                steps[k % 4], view.position[5]);
        scree_world_destroy(world);
    }
}

/* A block's four corners share its weight. Each step is solved to a tolerance, which is a speed of
 * tol g h; for the longest steps that lifts corners by more than their digits, and only the gap
 * scheme keeps contacts that have opened. */
static void a_block_rests_for_any_step(void** state)
{
    (void)state;
    static const double steps[] = {1e-9, 1e-6, 1e-3, 1e-2, 1.0, 60.0};
    enum { STEPS = 200 };
    for (int k = 0; k < 6; ++k) {
        double h = steps[k], tol = 1e-12, speed = 10.0 * tol * gravity * h;
        scree_world_def def = world_def(h, tol);
        def.scheme = h < 1.0 ? SCREE_SCHEME_IMPULSE : SCREE_SCHEME_GAP;
        def.margin = 0.01;
        scree_world* world = world_new(def, (scree_material){.mu = 0.5});
        add_floor(world, 0.0);
        int32_t i = lay_block(world, 0.0);
        for (int n = 0; n < STEPS; ++n) step_world(world);
        scree_world_view view = scree_world_get_view(world);
        double carried = 0.0;
        for (int32_t c = 0; c < view.n_contacts; ++c) {
            carried += view.impulse[view.problem->first_row[c]];
        }
        require_near(carried / (view.mass[i] * gravity * h), 1.0, 1e-10, "weight");
        for (int j = 3; j < 6; ++j) {
            require_near(view.velocity[j], 0.0, speed, "velocity");
            require_near(view.position[j], j == 5 ? 0.1 : 0.0, STEPS * h * speed, "position");
        }
        scree_world_destroy(world);
    }
}

/* The gap scheme lets nothing through the floor, however long the step. */
static void a_fall_ends_on_the_floor_for_any_step(void** state)
{
    (void)state;
    static const double steps[] = {1e-3, 1e-1, 1.0, 10.0};
    for (int k = 0; k < 4; ++k) {
        scree_world_def def = world_def(steps[k], 1e-12);
        def.scheme = SCREE_SCHEME_GAP;
        def.theta = 1.0;
        scree_world* world =
            world_new(def, (scree_material){.mu = 0.5, .mu_r = 0.01, .mu_s = 0.01});
        scree_shape shape = sphere_of(0.5);
        scree_body_def body = body_of(&shape, 1000.0);
        add_floor(world, 0.0);
        put_at(&body, 0.0, 0.0, 2.0);
        set3(body.velocity, 1.0, 0.0, -1.0);
        set3(body.angular_velocity, 0.0, -20.0, 3.0);
        add_body(world, &body, &shape);
        double lowest = HUGE_VAL;
        for (int n = 0; n < 100 || scree_world_time(world) < 1.0; ++n) {
            step_world(world);
            lowest = fmin(lowest, scree_world_get_view(world).position[5] - 0.5);
        }
        require_finite(world);
        print_message("step %g s: lowest gap %.2e m\n", steps[k], lowest);
        require(lowest >= -1e-9, "step %g s: %g m under the floor", steps[k], lowest);
        scree_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_rolls_beyond_its_limit),
        cmocka_unit_test(a_ball_that_cannot_roll_slides_beyond_its_limit),
        cmocka_unit_test(a_block_holds_below_its_limit),
        cmocka_unit_test(a_block_slides_beyond_its_limit),
        cmocka_unit_test(a_spinning_ball_stops),
        cmocka_unit_test(a_sphere_goes_with_a_belt),
        cmocka_unit_test(a_block_goes_with_a_belt),
        cmocka_unit_test(a_rolling_sphere_ends_with_the_belt),
        cmocka_unit_test(without_friction_nothing_holds),
        cmocka_unit_test(extreme_masses_rest_on_each_other),
        cmocka_unit_test(extreme_masses_collide),
        cmocka_unit_test(without_gravity_nothing_starts),
        cmocka_unit_test(coincident_spheres_stay_finite),
        cmocka_unit_test(rest_holds_for_any_step),
        cmocka_unit_test(a_block_rests_for_any_step),
        cmocka_unit_test(a_fall_ends_on_the_floor_for_any_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
