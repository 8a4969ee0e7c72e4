/* Time stepping against closed forms: a sphere that slides and rolls to rest, collisions, rest. */
#include "scree/world.h"
#include "support/test.h"

#include <math.h>

/* ---- a few words to build worlds with -------------------------------------------------------- */

enum { LINE_ROOM = 200 };

static void print_line(void* user, scree_log_level level, const char* text)
{
    (void)level;
    if (user) snprintf(user, LINE_ROOM, "%s", text);
    print_message("%s\n", text);
}

static scree_world* new_world_in(scree_env env, scree_world_def def, scree_material material)
{
    scree_world* world = NULL;
    int32_t unused;
    env.log = print_line;
    assert_int_equal(scree_world_create(&env, &def, &world), SCREE_OK);
    assert_int_equal(scree_world_add_material(world, &material, &unused), SCREE_OK);
    return world;
}

static scree_world* new_world(scree_world_def def, scree_material material)
{
    return new_world_in((scree_env){0}, def, material);
}

/* A plane through the origin, turned by `tilt` about y: what lies on it slides towards +x. */
static void add_floor(scree_world* world, double tilt)
{
    scree_body_def def = scree_default_body_def();
    scree_shape shape = scree_default_shape();
    scree_body_id unused;
    def.kind = SCREE_BODY_STATIC;
    def.rotation[0] = cos(0.5 * tilt);
    def.rotation[2] = sin(0.5 * tilt);
    shape.kind = SCREE_SHAPE_HALF_SPACE;
    assert_int_equal(scree_world_add_body(world, &def, 1, &shape, &unused), SCREE_OK);
}

static scree_body_def body_of(const scree_shape* shape, double density)
{
    scree_body_def def = scree_default_body_def();
    scree_mass mass;
    assert_int_equal(scree_shape_mass(NULL, 1, shape, density, &mass), SCREE_OK);
    def.mass = mass.mass;
    for (int i = 0; i < 6; ++i) def.inertia[i] = mass.inertia[i];
    return def;
}

static scree_shape sphere_of(double radius)
{
    scree_shape shape = scree_default_shape();
    shape.half_size[0] = radius;
    return shape;
}

static int32_t add_sphere(scree_world* world, double radius, const double position[3],
                          const double velocity[3], const double spin[3])
{
    scree_shape shape = sphere_of(radius);
    scree_body_def def = body_of(&shape, 2500.0);
    scree_body_id id;
    for (int i = 0; i < 3; ++i) {
        def.position[i] = position[i];
        def.velocity[i] = velocity[i];
        def.angular_velocity[i] = spin[i];
    }
    assert_int_equal(scree_world_add_body(world, &def, 1, &shape, &id), SCREE_OK);
    return id.index1 - 1;
}

static scree_step_report step_world(scree_world* world)
{
    scree_step_report report;
    assert_int_equal(scree_world_step(world, &report), SCREE_OK);
    assert_int_equal(report.solve.outcome, SCREE_OUTCOME_CONVERGED);
    return report;
}

static void assert_close(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance)) {
        fail_msg("%.17g is not %.17g to %g", value, expected, tolerance);
    }
}

/* ---- paper 1, section 6.1 -------------------------------------------------------------------- */

typedef struct rolling_case {
    double mu, u0, omega0, stop; /* mu_r = 0.04 m, radius 0.5 m; stopping distance in m */
} rolling_case;

static void a_sphere_rolls_to_rest(void** state)
{
    (void)state;
    static const rolling_case cases[] = {
        {0.2, 2.5, 5.0, 5.57466870540265}, /* rolls from the start */
        {0.2, 2.5, 2.5, 4.141182469},      /* slips first */
        {0.05, 2.5, 5.0, 6.371049949},     /* stops turning before it stops sliding */
    };
    for (int k = 0; k < test_few(3, 1); ++k) {
        const rolling_case* r = &cases[k];
        scree_world_def def = scree_default_world_def();
        def.step = 1e-4;
        def.solver.tol = 1e-12;
        scree_world* world = new_world(def, (scree_material){.mu = r->mu, .mu_r = 0.04});
        add_floor(world, 0.0);
        int32_t i = add_sphere(world, 0.5, (double[]){0.0, 0.0, 0.5}, (double[]){r->u0, 0.0, 0.0},
                               (double[]){0.0, r->omega0, 0.0});
        while (scree_world_time(world) < 7.0) step_world(world);
        scree_world_view view = scree_world_get_view(world);
        print_message("case %d: %.9f m, %.9f by the closed form\n", k, view.position[3 * i],
                      r->stop);
        assert_close(view.position[3 * i] / r->stop, 1.0, 1e-6);
        for (int j = 0; j < 3; ++j) { /* rest is rest */
            assert_true(view.velocity[3 * i + j] == 0.0);
            assert_true(view.angular_velocity[3 * i + j] == 0.0);
        }
        double at = view.position[3 * i];
        for (int n = 0; n < test_size(5000, 100000); ++n) step_world(world);
        assert_true(scree_world_get_view(world).position[3 * i] == at);
        scree_world_destroy(world);
    }
}

/* A ball on a slope begins to roll when tan(angle) > mu_r / R, a block to slide when > mu. */
static void slopes_hold_up_to_their_limit(void** state)
{
    (void)state;
    for (int k = 0; k < 4; ++k) {
        int beyond = k % 2, box = k / 2;
        double limit = box ? 0.4 : 0.04 / 0.5;
        double near = box ? 1e-3 : 1e-9; /* four corners converge slowly close to the limit */
        double tilt = atan(limit) + (beyond ? near : -near);
        scree_world_def def = scree_default_world_def();
        def.step = 1e-2;
        def.solver.tol = 1e-13;
        scree_world* world =
            new_world(def, (scree_material){.mu = box ? 0.4 : 0.9, .mu_r = box ? 0.0 : 0.04});
        add_floor(world, tilt);
        double n[3] = {sin(tilt), 0.0, cos(tilt)};
        int32_t i = 1;
        if (box) {
            scree_shape shape = scree_default_shape();
            shape.kind = SCREE_SHAPE_BOX;
            shape.half_size[0] = shape.half_size[1] = 0.5;
            shape.half_size[2] = 0.1;
            scree_body_def body = body_of(&shape, 1000.0);
            for (int j = 0; j < 3; ++j) body.position[j] = 0.1 * n[j];
            body.rotation[0] = cos(0.5 * tilt);
            body.rotation[2] = sin(0.5 * tilt);
            scree_body_id unused;
            assert_int_equal(scree_world_add_body(world, &body, 1, &shape, &unused), SCREE_OK);
        } else {
            add_sphere(world, 0.5, (double[]){0.5 * n[0], 0.0, 0.5 * n[2]}, (double[]){0, 0, 0},
                       (double[]){0, 0, 0});
        }
        for (int s = 0; s < 500; ++s) {
            scree_step_report report;
            assert_int_equal(scree_world_step(world, &report), SCREE_OK);
        }
        double speed = scree_world_get_view(world).velocity[3 * i];
        print_message("%s %s its limit: %g m/s after 5 s\n", box ? "block" : "ball",
                      beyond ? "beyond" : "below", speed);
        assert_true(beyond ? speed > 1e-9 : speed == 0.0);
        scree_world_destroy(world);
    }
}

/* ---- conservation ---------------------------------------------------------------------------- */

static void free_collisions_keep_momentum(void** state)
{
    (void)state;
    scree_world_def def = scree_default_world_def();
    def.gravity[2] = 0.0;
    def.solver.tol = 1e-10;
    scree_world* world =
        new_world(def, (scree_material){.mu = 0.5, .mu_r = 0.01, .mu_s = 0.01, .restitution = 0.5});
    for (int i = 0; i < 27; ++i) {
        double x[3] = {i % 3 * 0.25, i / 3 % 3 * 0.25, i / 9 * 0.25};
        double v[3] = {-x[0] + 0.1 * (i % 5), -x[1] - 0.05 * (i % 4), -x[2]};
        double w[3] = {i % 7 - 3.0, i % 3 - 1.0, 2.0 - i % 5};
        add_sphere(world, 0.1, x, v, w);
    }
    scree_world_view view = scree_world_get_view(world);
    double before[3] = {0, 0, 0}, after[3] = {0, 0, 0}, energy = INFINITY, size = 0.0;
    for (int i = 0; i < 81; ++i) {
        before[i % 3] += view.mass[i / 3] * view.velocity[i];
        size += view.mass[i / 3] * fabs(view.velocity[i]);
    }
    int collided = 0;
    for (int s = 0; s < 1000; ++s) {
        scree_step_report report = step_world(world);
        collided += report.n_contacts;
        assert_true(report.kinetic <= energy * (1.0 + 1e-12));
        energy = report.kinetic;
    }
    view = scree_world_get_view(world);
    for (int i = 0; i < 81; ++i) after[i % 3] += view.mass[i / 3] * view.velocity[i];
    print_message("%d contacts; momentum off by %g of its size\n", collided,
                  fabs(after[0] - before[0]) / size);
    assert_true(collided > 20);
    for (int j = 0; j < 3; ++j) assert_close(after[j], before[j], 1e-12 * size);
    scree_world_destroy(world);
}

/* The kinetic energy changes by the work of gravity and of the contacts, and by nothing else. */
static void energy_is_accounted_for(void** state)
{
    (void)state;
    scree_world_def def = scree_default_world_def();
    def.solver.tol = 1e-10;
    scree_world* world = new_world(
        def, (scree_material){.mu = 0.4, .mu_r = 0.005, .mu_s = 0.005, .restitution = 0.3});
    add_floor(world, 0.0);
    for (int i = 0; i < 20; ++i) {
        double x[3] = {0.15 * (i % 3), 0.17 * (i % 2), 0.12 + 0.21 * (i / 4)};
        add_sphere(world, 0.1, x, (double[]){0.1 * (i % 3), 0.0, 0.0}, (double[]){0.0, i, 0.0});
    }
    scree_step_report last = step_world(world);
    double worst = 0.0;
    for (int s = 0; s < 1500; ++s) {
        scree_step_report report = step_world(world);
        double change = report.kinetic + report.potential - last.kinetic - last.potential;
        double size = report.kinetic + fabs(report.potential);
        worst = fmax(worst, fabs(change - report.contact_work) / size);
        assert_true(report.contact_work <= 1e-9 * size);
        last = report;
    }
    print_message("energy balance to %g\n", worst);
    assert_true(worst <= 1e-9);
    scree_world_destroy(world);
}

/* Newton's law: a ball dropped with e rebounds to e^2 of its height, to the order of the step. */
static void a_ball_bounces(void** state)
{
    (void)state;
    scree_world_def def = scree_default_world_def();
    def.step = 1e-4;
    scree_world* world = new_world(def, (scree_material){.restitution = 0.8});
    add_floor(world, 0.0);
    int32_t i =
        add_sphere(world, 0.1, (double[]){0, 0, 1.1}, (double[]){0, 0, 0}, (double[]){0, 0, 0});
    double top = 0.0;
    int bounced = 0;
    while (scree_world_time(world) < 0.85) {
        step_world(world);
        scree_world_view view = scree_world_get_view(world);
        bounced |= view.velocity[3 * i + 2] > 0.0;
        if (bounced) top = fmax(top, view.position[3 * i + 2] - 0.1);
    }
    print_message("rebound to %.5f of the height\n", top);
    assert_close(top, 0.64, 2e-3);
    scree_world_destroy(world);
}

/* Paper 2: in steady sliding the convex law keeps the gap h mu |v|; the exact law keeps none. */
static void the_convex_law_lifts_off(void** state)
{
    (void)state;
    for (int convex = 0; convex < 2; ++convex) {
        scree_world_def def = scree_default_world_def();
        def.step = 1e-3;
        def.theta = 1.0;
        def.solver.tol = 1e-13;
        def.scheme = SCREE_SCHEME_GAP;
        def.margin = 0.05;
        def.law = convex ? SCREE_LAW_CONVEX : SCREE_LAW_EXACT;
        scree_world* world = new_world(def, (scree_material){.mu = 0.1, .mu_r = 0.002});
        add_floor(world, 0.0);
        /* rolling without slip: the gap is h mu_r |w| */
        int32_t i = add_sphere(world, 0.5, (double[]){0, 0, 0.5}, (double[]){2.0, 0, 0},
                               (double[]){0, 4.0, 0});
        for (int s = 0; s < 2000; ++s) step_world(world);
        scree_world_view view = scree_world_get_view(world);
        double gap = view.position[3 * i + 2] - 0.5, arm = 0.5 + 0.5 * gap;
        double slip = view.velocity[3 * i] - arm * view.angular_velocity[3 * i + 1];
        double theory = 1e-3 * (0.1 * fabs(slip) + 0.002 * fabs(view.angular_velocity[3 * i + 1]));
        print_message("%s: gap %.3e m, theory %.3e m\n", convex ? "convex" : "exact", gap,
                      convex ? theory : 0.0);
        assert_close(gap, convex ? theory : 0.0, convex ? 1e-9 : 1e-12);
        scree_world_destroy(world);
    }
}

/* ---- faults ---------------------------------------------------------------------------------- */

static void faults_are_refused(void** state)
{
    (void)state;
    scree_world* world = NULL;
    scree_world_def def = scree_default_world_def();
    def.step = -1.0;
    assert_int_equal(scree_world_create(NULL, &def, &world), SCREE_ERROR_INPUT);
    assert_null(world);
    const double bad[] = {-1.0, NAN, INFINITY};
    for (int k = 0; k < 6; ++k) {
        def = scree_default_world_def();
        *(k < 3 ? &def.margin : &def.overlap) = bad[k % 3];
        assert_int_equal(scree_world_create(NULL, &def, &world), SCREE_ERROR_INPUT);
    }
    def = (scree_world_def){.step = 1.0};
    assert_int_equal(scree_world_create(NULL, &def, &world), SCREE_ERROR_ARGUMENT);
    world = new_world(scree_default_world_def(), (scree_material){.mu = 0.5});
    scree_shape shape = sphere_of(0.1);
    scree_body_def body = body_of(&shape, 1000.0);
    scree_body_id id;
    int32_t material;
    assert_int_equal(scree_world_add_material(world, &(scree_material){.mu = -1.0}, &material),
                     SCREE_ERROR_INPUT);
    body.mass = 0.0;
    assert_int_equal(scree_world_add_body(world, &body, 1, &shape, &id), SCREE_ERROR_INPUT);
    body = body_of(&shape, 1000.0);
    body.position[1] = NAN;
    assert_int_equal(scree_world_add_body(world, &body, 1, &shape, &id), SCREE_ERROR_INPUT);
    body = body_of(&shape, 1000.0);
    shape.material = 7;
    assert_int_equal(scree_world_add_body(world, &body, 1, &shape, &id), SCREE_ERROR_INPUT);
    shape.material = 0;
    body.inertia[0] = -1.0;
    assert_int_equal(scree_world_add_body(world, &body, 1, &shape, &id), SCREE_ERROR_INPUT);
    assert_int_equal(scree_world_get_view(world).n_bodies, 0);
    scree_world_destroy(world);
}

/* What moves by 1e12 m or more, which numbers hardly tell apart, is refused, by its number and its
 * way. */
static void ways_too_long_are_refused(void** state)
{
    (void)state;
    for (int i = 0; i < 4; ++i) {
        char line[LINE_ROOM] = "", expected[LINE_ROOM];
        int scheme = i % 2, is_least = i / 2;
        double way = is_least ? 1e12 : 1e14;
        scree_world_def def = scree_default_world_def();
        memset(def.gravity, 0, sizeof def.gravity);
        def.step = is_least ? 1.0 / 1024.0 : 1e-3; /* with which ways are exact */
        def.scheme = scheme ? SCREE_SCHEME_GAP : SCREE_SCHEME_IMPULSE;
        scree_world* world =
            new_world_in((scree_env){.user = line}, def, (scree_material){.mu = 0.3});
        for (int k = 0; k < 2; ++k) { /* once the first is fast, once the second */
            double speed = k == scheme ? way / def.step : 0.0;
            if (scheme && is_least) speed *= 0.5;
            add_sphere(world, 0.1, (double[]){k, 0, 0}, (double[]){speed, 0, 0},
                       (double[]){0, 0, 0});
        }
        scree_step_report report;
        assert_int_equal(scree_world_step(world, &report), SCREE_ERROR_INPUT);
        snprintf(expected, sizeof expected, "body %d moves by %g m in a step of %g s", scheme,
                 scheme && !is_least ? 2.0 * way : way, scheme ? 2.0 * def.step : def.step);
        require(strstr(line, expected) != NULL, "'%s', not '%s'", line, expected);
        scree_world_destroy(world);
    }
}

/* Two balls that lie in each other and fly fast side by side: they do not meet on their way. */
static void twins_fly_on(void** state)
{
    (void)state;
    scree_world_def def = scree_default_world_def();
    memset(def.gravity, 0, sizeof def.gravity);
    def.step = 1.0 / 1024.0;
    scree_world* world = new_world(def, (scree_material){.mu = 0.3});
    for (int k = 0; k < 2; ++k) {
        add_sphere(world, 0.125, (double[]){0, 0.1875 * k, 0}, (double[]){512.0, 0, 0},
                   (double[]){0, 0, 0});
    }
    for (int s = 1; s <= 3; ++s) {
        scree_step_report report;
        assert_int_equal(scree_world_step(world, &report), SCREE_OK);
        assert_int_equal(report.n_stopped, 0);
        scree_world_view view = scree_world_get_view(world);
        for (int k = 0; k < 2; ++k) {
            require(fabs(view.position[3 * k] - 0.5 * s) <= 1e-6, "ball %d is at %g after %d steps",
                    k, view.position[3 * k], s);
        }
    }
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sphere_rolls_to_rest),
        cmocka_unit_test(slopes_hold_up_to_their_limit),
        cmocka_unit_test(free_collisions_keep_momentum),
        cmocka_unit_test(energy_is_accounted_for),
        cmocka_unit_test(a_ball_bounces),
        cmocka_unit_test(the_convex_law_lifts_off),
        cmocka_unit_test(faults_are_refused),
        cmocka_unit_test(ways_too_long_are_refused),
        cmocka_unit_test(twins_fly_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
