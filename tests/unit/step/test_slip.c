/* Friction that depends on slip: what holds at rest, what resists in motion, and the jump between
 * the two, against closed forms. */
#include "support/worlds.h"

#define G 9.81

/* ---- the limit of rest ----------------------------------------------------------------------- */

/* A sphere on a floor, pushed along x or twisted about y or z by `load` times what it may carry at
 * rest; returns the speed after `steps` steps, m/s or rad/s. */
typedef struct push {
    int channel;
    double at_rest, in_motion, load, step;
    scree_scheme scheme;
    int has_sets; /* an ellipse instead of a disc, of radius 1 along x */
} push;

static double speed_after(const push* s, int steps)
{
    scree_world_def def = world_def(s->step, 1e-2);
    scree_material material = {.mu = 5.0, .mu_r = 5.0, .mu_s = 5.0};
    double* in_motion[3] = {&material.mu, &material.mu_r, &material.mu_s};
    scree_shape shape = s->channel == 0 ? box_of(0.2, 0.2, 0.05) : sphere_of(0.1);
    scree_body_def body = body_of(&shape, 1000.0);
    scree_set* set = NULL;
    *in_motion[s->channel] = s->in_motion;
    material.slip[s->channel].at_rest = s->at_rest;
    if (s->has_sets) {
        scree_set_def ellipse = {.kind = SCREE_SET_ELLIPSE, .a = 1.0, .b = 0.5};
        assert_int_equal(scree_set_create(NULL, &ellipse, &set), SCREE_OK);
        material.sliding = set;
    }
    def.scheme = s->scheme;
    scree_world* world = world_new(def, material);
    scree_set_destroy(set);
    add_floor(world, 0.0);
    body.position[2] = s->channel == 0 ? 0.05 : 0.1;
    int32_t i = add_body(world, &body, &shape);
    double amount = s->load * s->at_rest * body.mass * G;
    scree_body_id id = scree_world_body_at(world, i);
    for (int k = 0; k < steps; ++k) {
        double vector[3] = {0.0, 0.0, 0.0};
        vector[s->channel] = amount;
        assert_int_equal(s->channel == 0 ? scree_world_apply_force(world, id, vector)
                                         : scree_world_apply_torque(world, id, vector),
                         SCREE_OK);
        step_world(world);
    }
    scree_world_view view = scree_world_get_view(world);
    const double* v = s->channel == 0 ? view.velocity : view.angular_velocity;
    double speed = v[3 * i + s->channel];
    require(s->load > 1.0 || is_at_rest(&view, i), "%g of the limit moves it", s->load);
    scree_world_destroy(world);
    return speed;
}

/* Just below the limit nothing moves; just above it the first step slips with the coefficient of
 * rest, and all others with that of motion. */
static void rest_has_its_own_limit(void** state)
{
    (void)state;
    const double inertia = 0.4 * 0.01; /* of a sphere, per mass */
    for (int run = 0; run < 7; ++run) {
        push s = {.channel = run % 3,
                  .at_rest = run % 3 ? 0.002 : 0.5,
                  .in_motion = run % 3 ? 0.001 : 0.3,
                  .step = 1e-3,
                  .scheme = run % 2 ? SCREE_SCHEME_GAP : SCREE_SCHEME_IMPULSE,
                  .has_sets = run == 6};
        /* per weight and coefficient: a sphere that is twisted about y rolls */
        double yield = s.channel == 0   ? 1.0
                       : s.channel == 1 ? 1.0 / (inertia + 0.01)
                                        : 1.0 / inertia;
        int steps = 101;
        s.load = 1.0 - 1e-9;
        assert_true(speed_after(&s, steps) == 0.0);
        s.load = 1.0 + 1e-9; /* some steps may pass before so slow a slip is seen as one */
        double least = 0.9 * (steps - 1) * s.step * G * yield * (s.at_rest - s.in_motion);
        require(speed_after(&s, steps) >= least, "%.9f of the limit does not move it", s.load);
        s.load = 1.0 + 1e-6;
        double slow = speed_after(&s, steps), loose = s.load * s.at_rest - s.in_motion;
        double expected = (steps - 1) * s.step * G * yield * loose;
        print_message("channel %d: %.12g after %d steps, %.12g expected\n", s.channel, slow, steps,
                      expected);
        require_near(slow, expected, 1e-5 * expected, "speed after it has come loose");
    }
}

/* ---- stick and slip -------------------------------------------------------------------------- */

/* A block on a belt, held by a spring. */
typedef struct spring {
    int32_t body;
    double stiffness;
} spring;

static void pull(void* user, const scree_world_view* view, double* force, double* torque)
{
    const spring* s = user;
    (void)torque;
    force[3 * s->body] -= s->stiffness * view->position[3 * s->body];
}

static const double belt_speed = 0.1;

static scree_world* belt_world(spring* s, double step)
{
    scree_material material = {.mu = 0.2, .slip = {{.at_rest = 0.4}}};
    scree_world_def def = world_def(step, 1e-2);
    double velocity[3] = {belt_speed, 0.0, 0.0};
    def.force = pull;
    def.force_user = s;
    scree_shape shape = box_of(0.1, 0.1, 0.02);
    scree_body_def body = body_of(&shape, 1.0 / (8.0 * 0.1 * 0.1 * 0.02));
    scree_world* world = world_new(def, material);
    add_plane(world, SCREE_BODY_KINEMATIC, 0.0, velocity);
    body.position[2] = 0.02;
    body.velocity[0] = belt_speed;
    *s = (spring){.stiffness = 50.0};
    s->body = add_body(world, &body, &shape);
    return world;
}

/* While it sticks x grows by V t to mu_static N / k; then it swings about mu N / k until its speed
 * is V again, x as far below as it was above. */
static double belt_period(double stiffness, double mass)
{
    double w = sqrt(stiffness / mass), half = 0.2 * mass * G / stiffness;
    double slip = 2.0 / w * (acos(-1.0) - atan(w * half / belt_speed));
    return 2.0 * half / belt_speed + slip;
}

static void stick_slip_keeps_its_period(void** state)
{
    (void)state;
    spring s;
    scree_world* world = belt_world(&s, 5e-4);
    enum { CYCLES = 6 };
    double first = 0.0, last = 0.0;
    int loose = 0, n = 0;
    while (n <= CYCLES && scree_world_time(world) < 30.0) {
        step_world(world);
        scree_world_view view = scree_world_get_view(world);
        int slips = view.velocity[3 * s.body] < belt_speed - 1e-9;
        if (slips && !loose) {
            last = view.time;
            if (n++ == 0) first = last;
        }
        loose = slips;
    }
    double period = (last - first) / CYCLES, expected = belt_period(s.stiffness, 1.0);
    print_message("period %.6f s, %.6f s by the closed form\n", period, expected);
    require(n == CYCLES + 1, "%d cycles only", n);
    require_near(period, expected, 1e-3 * expected, "period");
    scree_world_destroy(world);
}

/* A run that is saved while it slips and taken up in another world goes on bit for bit. */
static void slip_is_saved(void** state)
{
    (void)state;
    spring a, b;
    scree_world *one = belt_world(&a, 1e-3), *two = belt_world(&b, 1e-3);
    for (int i = 0; i < 1300; ++i) {
        step_world(one);
        if (i % 10 != 0) continue;
        size_t size = scree_world_state_size(one);
        void* bytes = test_take(1, size);
        scree_world_save(one, bytes);
        assert_int_equal(scree_world_load(two, bytes, size), SCREE_OK);
        free(bytes);
        step_world(one);
        step_world(two);
        scree_world_view x = scree_world_get_view(one), y = scree_world_get_view(two);
        size_t n = 3 * (size_t)x.n_bodies * sizeof *x.velocity;
        assert_memory_equal(x.velocity, y.velocity, n);
        assert_memory_equal(x.position, y.position, n);
    }
    scree_world_destroy(one);
    scree_world_destroy(two);
}

/* ---- Stribeck's curve ------------------------------------------------------------------------ */

static const scree_material curve = {.mu = 0.2,
                                     .slip = {{.at_rest = 0.5, .rate = 0.2, .viscous = 0.1}}};

static double slowed(double v)
{
    double share = v / curve.slip[0].rate;
    return -G * (curve.mu + (curve.slip[0].at_rest - curve.mu) / (1.0 + share * share) +
                 curve.slip[0].viscous * v);
}

/* A block that slides to rest, against the same law in small steps of Runge and Kutta. */
static void blocks_follow_the_curve(void** state)
{
    (void)state;
    const double step = 1e-4;
    scree_world* world = world_new(world_def(step, 1e-2), curve);
    scree_shape shape = box_of(0.1, 0.1, 0.01);
    scree_body_def body = body_of(&shape, 1000.0);
    body.position[2] = 0.01;
    body.velocity[0] = 1.0;
    add_floor(world, 0.0);
    int32_t i = add_body(world, &body, &shape);
    double v = 1.0, x = 0.0, h = 1e-5, worst = 0.0;
    for (int k = 0; k < 4500; ++k) {
        step_world(world);
        for (int j = 0; j < 10 && v > 0.0; ++j) {
            double a = slowed(v), b = slowed(v + 0.5 * h * a), c = slowed(v + 0.5 * h * b);
            double next = v + h / 6.0 * (a + 2.0 * b + 2.0 * c + slowed(v + h * c));
            next = fmax(next, 0.0);
            x += 0.5 * h * (v + next);
            v = next;
        }
        worst = fmax(worst, fabs(scree_world_get_view(world).velocity[3 * i] - v));
    }
    scree_world_view view = scree_world_get_view(world);
    print_message("stops after %.6f m, %.6f m by the curve; speeds within %.1e m/s\n",
                  view.position[3 * i], x, worst);
    require(v == 0.0 && is_at_rest(&view, i), "it has not stopped");
    require_near(view.position[3 * i], x, 1e-3 * x, "way");
    require(worst <= 2e-3, "off by %g m/s", worst);
    scree_world_destroy(world);
}

/* On a slope between the least and the largest friction two speeds balance; the block goes to the
 * one where friction grows with the speed. */
static void slopes_have_a_steady_speed(void** state)
{
    (void)state;
    const double tilt = atan(0.35);
    scree_world* world = world_new(world_def(1e-3, 1e-2), curve);
    scree_shape shape = box_of(0.1, 0.1, 0.01);
    scree_body_def body = body_of(&shape, 1000.0);
    turn_about_y(body.rotation, tilt);
    set3(body.position, 0.01 * sin(tilt), 0.0, 0.01 * cos(tilt));
    set3(body.velocity, 2.0 * cos(tilt), 0.0, -2.0 * sin(tilt));
    add_floor(world, tilt);
    int32_t i = add_body(world, &body, &shape);
    for (int k = 0; k < 12000; ++k) step_world(world);
    scree_world_view view = scree_world_get_view(world);
    double v = sqrt(dot3(view.velocity + 3 * i, view.velocity + 3 * i));
    double balance = -slowed(v) / G;
    print_message("%.9f m/s, where the coefficient is %.9f\n", v, balance);
    require_near(balance, 0.35, 1e-5, "coefficient at the steady speed");
    require(v > 0.7, "%g m/s is the speed that is not stable", v);
    scree_world_destroy(world);
}

/* ---- materials ------------------------------------------------------------------------------- */

static void faults_are_named(void** state)
{
    (void)state;
    scree_world_def def = scree_default_world_def();
    for (int law = SCREE_LAW_EXACT; law <= SCREE_LAW_COUPLED; ++law) {
        int32_t unused;
        def.law = (scree_law)law;
        scree_world* world = world_new(def, (scree_material){.mu = 0.5});
        scree_material low = {.mu = 0.5, .slip = {{.at_rest = 0.4}}};
        scree_material odd = {.mu = 0.5, .slip = {{.at_rest = 0.6, .rate = nan("")}}};
        scree_material fine = {.mu = 0.5, .slip = {{.at_rest = 0.6}}};
        assert_int_equal(scree_world_add_material(world, &low, &unused), SCREE_ERROR_INPUT);
        assert_int_equal(scree_world_add_material(world, &odd, &unused), SCREE_ERROR_INPUT);
        assert_int_equal(scree_world_add_material(world, &fine, &unused),
                         law == SCREE_LAW_COUPLED ? SCREE_ERROR_INPUT : SCREE_OK);
        scree_world_destroy(world);
    }
}

/* Two materials meet with the mean of what each has at rest. */
static void pairs_combine(void** state)
{
    (void)state;
    for (int above = 0; above < 2; ++above) {
        scree_material rubber = {.mu = 0.1, .slip = {{.at_rest = 0.9}}};
        scree_material steel = {.mu = 0.4};
        double limit = sqrt(0.9 * 0.4) * (above ? 1.0 + 1e-9 : 1.0 - 1e-9);
        scree_world* world = world_new(world_def(1e-3, 1e-2), rubber);
        scree_shape shape = box_of(0.2, 0.2, 0.01);
        scree_body_def body = body_of(&shape, 1000.0);
        int32_t second;
        assert_int_equal(scree_world_add_material(world, &steel, &second), SCREE_OK);
        shape.material = second;
        body.position[2] = 0.01;
        add_floor(world, 0.0);
        int32_t i = add_body(world, &body, &shape);
        for (int k = 0; k < 10; ++k) {
            double force[3] = {limit * body.mass * G, 0.0, 0.0};
            assert_int_equal(scree_world_apply_force(world, scree_world_body_at(world, i), force),
                             SCREE_OK);
            step_world(world);
        }
        scree_world_view view = scree_world_get_view(world);
        assert_int_equal(is_at_rest(&view, i), !above);
        scree_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rest_has_its_own_limit),
        cmocka_unit_test(stick_slip_keeps_its_period),
        cmocka_unit_test(slip_is_saved),
        cmocka_unit_test(blocks_follow_the_curve),
        cmocka_unit_test(slopes_have_a_steady_speed),
        cmocka_unit_test(faults_are_named),
        cmocka_unit_test(pairs_combine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
