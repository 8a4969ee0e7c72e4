/* Systems in generalised coordinates against motions that are known in closed form. */
#include "scree/system.h"
#include "support/test.h"

#include <math.h>

#define G 9.81

/* ---- models ---------------------------------------------------------------------------------- */

/* A mass on a spring, on a belt with velocity `speed` along x: coordinates x and z, gap z. */
typedef struct block {
    double mass, stiffness, speed, fall; /* mu falls by `fall` per m/s of sliding */
} block;

static void block_mass(void* user, double t, const double* q, double* m)
{
    (void)t;
    (void)q;
    m[0] = m[3] = ((const block*)user)->mass;
}

static void block_force(void* user, double t, const double* q, const double* u, double* h)
{
    const block* b = user;
    (void)t;
    (void)u;
    h[0] = -b->stiffness * q[0];
    h[1] = -b->mass * G;
}

static void block_gap(void* user, double t, const double* q, double* g)
{
    (void)user;
    (void)t;
    g[0] = q[1];
}

static void block_directions(void* user, double t, const double* q, double* w, double* chi)
{
    (void)t;
    (void)q;
    w[1] = w[2] = 1.0;
    chi[1] = -((const block*)user)->speed;
}

static void block_coefficients(void* user, double t, const double* q, const double* u, double* coef)
{
    const block* b = user;
    (void)t;
    (void)q;
    coef[0] -= b->fall * fabs(u[0] - b->speed);
}

static const uint8_t planar[] = {SCREE_ROWS_NT, SCREE_ROWS_NT};

static scree_system_def block_def(block* b, const double* coef)
{
    scree_system_def def = scree_default_system_def();
    def.model = (scree_system_model){.user = b,
                                     .mass = block_mass,
                                     .force = block_force,
                                     .gap = block_gap,
                                     .directions = block_directions};
    def.n = 2;
    def.n_contacts = 1;
    def.rows = planar;
    def.coef = coef;
    return def;
}

static scree_system* create_in(const scree_env* env, const scree_system_def* def, const double* q,
                               const double* u)
{
    scree_system* system = NULL;
    assert_int_equal(scree_system_create(env, def, 0.0, q, u, &system), SCREE_OK);
    return system;
}

static scree_system* create(const scree_system_def* def, const double* q, const double* u)
{
    return create_in(NULL, def, q, u);
}

static scree_system_report step(scree_system* system)
{
    scree_system_report report;
    assert_int_equal(scree_system_step(system, &report), SCREE_OK);
    require(report.residual <= 1e-10, "residual %g", report.residual);
    assert_int_equal(report.solve.outcome, SCREE_OUTCOME_CONVERGED);
    return report;
}

/* ---- block on a belt ------------------------------------------------------------------------- */

/* It sticks until the spring holds it, at x = mu m g / k, overshoots as the same oscillator about
 * that place, and sticks again when it has the belt's velocity. */
static void block_sticks_and_slips(void** state)
{
    (void)state;
    block b = {.mass = 2.0, .stiffness = 8.0, .speed = 0.5};
    const double coef[3] = {0.3};
    double omega = sqrt(b.stiffness / b.mass), limit = coef[0] * b.mass * G / b.stiffness;
    scree_system_def def = block_def(&b, coef);
    scree_system* system = create(&def, NULL, (double[]){b.speed, 0.0});
    double worst = 0.0, slip = limit / b.speed;
    while (scree_system_get_view(system).time < slip + 1.0) {
        step(system);
        scree_system_view view = scree_system_get_view(system);
        double t = view.time - slip;
        double x = t < 0.0 ? b.speed * view.time : limit + b.speed / omega * sin(omega * t);
        worst = fmax(worst, fabs(view.q[0] - x));
        assert_int_equal(view.closed[0], 1);
        require(fabs(view.p[0] / def.step - b.mass * G) <= 1e-9, "normal force %.17g at %g s",
                view.p[0] / def.step, view.time);
        if (t < -def.step) {
            require(fabs(view.y[1]) <= 1e-12, "slips by %g at %g s", view.y[1], view.time);
        }
    }
    require(worst <= b.speed * def.step, "off by %g m", worst);
    scree_system_destroy(system);
}

/* The order of the scheme in a motion that only slides: two without friction's change of sign. */
static double sliding_error(double h)
{
    block b = {.mass = 1.0, .stiffness = 4.0, .speed = 5.0};
    const double coef[3] = {0.2};
    double rest = coef[0] * b.mass * G / b.stiffness;
    scree_system_def def = block_def(&b, coef);
    def.step = h;
    scree_system* system = create(&def, (double[]){rest + 0.3, 0.0}, NULL);
    for (int i = 0; i < (int)lround(2.0 / h); ++i) step(system);
    double error = scree_system_get_view(system).q[0] - rest - 0.3 * cos(4.0);
    scree_system_destroy(system);
    return fabs(error);
}

static void sliding_has_order_two(void** state)
{
    (void)state;
    double coarse = sliding_error(2e-2), fine = sliding_error(1e-2);
    require(fine <= 1e-3 && fabs(coarse / fine - 4.0) <= 0.1, "errors %g, %g", coarse, fine);
}

/* mu = 0.5 - 0.1 |gamma| acts as damping of -0.1 N: the amplitude grows by exp(0.05 N t / m). */
static void coefficients_follow_the_state(void** state)
{
    (void)state;
    block b = {.mass = 1.0, .stiffness = 1.0, .speed = 2.0, .fall = 0.01};
    const double coef[3] = {0.5};
    double load = b.mass * G, rest = (coef[0] - b.fall * b.speed) * load / b.stiffness;
    scree_system_def def = block_def(&b, coef);
    def.model.coefficients = block_coefficients;
    scree_system* system = create(&def, (double[]){rest + 1e-3, 0.0}, NULL);
    double period = 2.0 * acos(-1.0) / sqrt(1.0 - 0.25 * b.fall * b.fall * load * load);
    while (scree_system_get_view(system).time < 5.0 * period - 0.5 * def.step) step(system);
    double grown = (scree_system_get_view(system).q[0] - rest) / 1e-3;
    double expected = exp(0.5 * b.fall * load * 5.0 * period);
    require(fabs(grown / expected - 1.0) <= 2e-2, "%g, expected %g", grown, expected);
    scree_system_destroy(system);
}

/* A block slides down a slope: its gap is rounding from the first step on, yet stays closed. */
static void slope_gap(void* user, double t, const double* q, double* g)
{
    double a = ((const block*)user)->speed; /* of the slope, rad */
    (void)t;
    g[0] = sin(a) * q[0] + cos(a) * q[1];
}

static void slope_directions(void* user, double t, const double* q, double* w, double* chi)
{
    double a = ((const block*)user)->speed;
    (void)t;
    (void)q;
    chi[0] = chi[1] = 0.0;
    w[0] = sin(a);
    w[1] = w[2] = cos(a);
    w[3] = -sin(a);
}

static void block_slides_down(void** state)
{
    (void)state;
    block b = {.mass = 1.3, .speed = 0.4};
    const double coef[3] = {0.2};
    scree_system_def def = block_def(&b, coef);
    def.model.gap = slope_gap;
    def.model.directions = slope_directions;
    scree_system* system = create(&def, NULL, NULL);
    for (int i = 0; i < 2000; ++i) assert_int_equal(step(system).n_closed, 1);
    scree_system_view view = scree_system_get_view(system);
    double way = cos(b.speed) * view.q[0] - sin(b.speed) * view.q[1];
    double expected = 2.0 * G * (sin(b.speed) - coef[0] * cos(b.speed)); /* after 2 s */
    require(fabs(way - expected) <= 1e-9 * expected, "%.12g m, expected %.12g", way, expected);
    scree_system_destroy(system);
}

/* ---- bouncing ball --------------------------------------------------------------------------- */

/* With restitution e the ball loses 1 - e^2 of its energy at each impact and rises e^2 as high. */
static void ball_bounces(void** state)
{
    (void)state;
    block b = {.mass = 0.5};
    const double e = 0.8;
    scree_system_def def = block_def(&b, NULL);
    def.restitution = &e;
    scree_system* system = create(&def, (double[]){0.0, 1.0}, NULL);
    double highest = 0.0, before = 0.0;
    int impacts = 0;
    while (impacts < 3) {
        scree_system_report report = step(system);
        scree_system_view view = scree_system_get_view(system);
        require(fabs(report.kinetic - 0.25 * view.u[1] * view.u[1]) <= 1e-15, "kinetic energy");
        if (report.n_closed == 1 && before < 0.0) {
            require(fabs(view.u[1] + e * before) <= 1e-12, "%g after %g", view.u[1], before);
            if (impacts++ == 1) require(fabs(highest - e * e) <= 0.01, "rose to %g m", highest);
            highest = 0.0;
        }
        highest = fmax(highest, view.q[1]);
        before = view.u[1];
    }
    scree_system_destroy(system);
}

/* ---- pendulum: mass matrix and forces of the state, energy of order two ---------------------- */

static void pendulum_mass(void* user, double t, const double* q, double* m)
{
    (void)user;
    (void)t;
    m[0] = 3.0;
    m[1] = m[2] = cos(q[0] - q[1]);
    m[3] = 1.0;
}

static void pendulum_force(void* user, double t, const double* q, const double* u, double* h)
{
    double s = sin(q[0] - q[1]);
    (void)user;
    (void)t;
    h[0] = -s * u[1] * u[1] - 3.0 * G * sin(q[0]);
    h[1] = s * u[0] * u[0] - G * sin(q[1]);
}

static double pendulum_error(double h)
{
    scree_system_def def = scree_default_system_def();
    def.model = (scree_system_model){.mass = pendulum_mass, .force = pendulum_force};
    def.n = 2;
    def.step = h;
    const double q[2] = {0.4, 0.1};
    scree_system* system = create(&def, q, NULL);
    double energy = -3.0 * G * cos(q[0]) - G * cos(q[1]), worst = 0.0;
    while (scree_system_get_view(system).time < 3.0 - 0.5 * h) {
        scree_system_report report = step(system);
        const double* now = scree_system_get_view(system).q;
        assert_int_equal(report.n_closed, 0);
        double sum = report.kinetic - 3.0 * G * cos(now[0]) - G * cos(now[1]);
        worst = fmax(worst, fabs(sum - energy));
    }
    scree_system_destroy(system);
    return worst;
}

static void pendulum_keeps_energy(void** state)
{
    (void)state;
    double coarse = pendulum_error(4e-3), fine = pendulum_error(2e-3);
    require(fine <= 0.05 && coarse / fine >= 1.9, "errors %g and %g J", coarse, fine);
}

/* ---- two contacts, joints -------------------------------------------------------------------- */

/* Two balls on one another on the floor: z1, z2; a joint holds x. */
static void stack_mass(void* user, double t, const double* q, double* m)
{
    (void)user;
    (void)t;
    (void)q;
    m[0] = 1.0;
    m[4] = 5.0;
    m[8] = 2.0;
}

static void stack_force(void* user, double t, const double* q, const double* u, double* h)
{
    (void)user;
    (void)t;
    (void)q;
    (void)u;
    h[0] = -G;
    h[1] = -5.0 * G;
    h[2] = 7.0;
}

static void stack_gap(void* user, double t, const double* q, double* g)
{
    (void)user;
    (void)t;
    g[0] = q[0];
    g[1] = q[1] - q[0] - 1.0;
}

static void stack_directions(void* user, double t, const double* q, double* w, double* chi)
{
    (void)user;
    (void)t;
    (void)q;
    chi[0] = chi[1] = chi[2] = 0.0;
    w[0] = w[4] = w[8] = 1.0;
    w[3] = -1.0;
}

static void contacts_push_each_other(void** state)
{
    (void)state;
    const uint8_t rows[] = {SCREE_ROWS_N, SCREE_ROWS_N, SCREE_ROWS_N};
    const uint8_t law[] = {SCREE_LAW_EXACT, SCREE_LAW_EXACT, SCREE_LAW_BILATERAL};
    scree_system_def def = scree_default_system_def();
    def.model = (scree_system_model){
        .mass = stack_mass, .force = stack_force, .gap = stack_gap, .directions = stack_directions};
    def.n = def.n_contacts = 3;
    def.rows = rows;
    def.law = law;
    scree_system* system = create(&def, (double[]){0.0, 1.2, 0.0}, NULL);
    assert_int_equal(step(system).n_closed, 2); /* the upper ball still falls */
    for (int i = 0; i < 1000; ++i) step(system);
    scree_system_view view = scree_system_get_view(system);
    const double force[] = {6.0 * G, 5.0 * G, -7.0};
    for (int i = 0; i < 3; ++i) {
        require(fabs(view.p[i] / def.step - force[i]) <= 1e-9, "force %d: %.12g", i,
                view.p[i] / def.step);
        require(fabs(view.u[i]) <= 1e-12, "velocity %d: %g", i, view.u[i]);
    }
    require(fabs(view.q[0]) <= 1e-12 && fabs(view.q[2]) <= 1e-12, "%g, %g", view.q[0], view.q[2]);
    scree_system_destroy(system);
}

/* ---- faults ---------------------------------------------------------------------------------- */

/* Two masses with a tie between them, and a force on the second, that are gone from 12 ms on: from
 * then on the model says nothing of them. */
static void tied_mass(void* user, double t, const double* q, double* m)
{
    (void)user, (void)q;
    m[0] = 2.0;
    m[3] = 1.0;
    if (t < 0.012) m[1] = m[2] = 0.5;
}

static void tied_force(void* user, double t, const double* q, const double* u, double* h)
{
    (void)user, (void)q, (void)u;
    h[0] = 1.0;
    if (t < 0.012) h[1] = 3.0;
}

static void what_is_not_said_is_zero(void** state)
{
    (void)state;
    const double start[2] = {0.0, 0.0}, step = 0.01, det = 2.0 - 0.25;
    scree_system_def def = scree_default_system_def();
    def.model = (scree_system_model){.mass = tied_mass, .force = tied_force};
    def.n = 2;
    def.step = step;
    scree_system* system = NULL;
    assert_int_equal(scree_system_create(NULL, &def, 0.0, start, start, &system), SCREE_OK);
    scree_system_report report;
    assert_int_equal(scree_system_step(system, &report), SCREE_OK);
    const double* u = scree_system_get_view(system).u;
    const double first[2] = {step * (1.0 - 1.5) / det, step * (6.0 - 0.5) / det};
    for (int i = 0; i < 2; ++i) {
        require(fabs(u[i] - first[i]) <= 1e-16, "rate %d is %g, not %g", i, u[i], first[i]);
    }
    assert_int_equal(scree_system_step(system, &report), SCREE_OK);
    u = scree_system_get_view(system).u;
    require(fabs(u[0] - first[0] - 0.5 * step) <= 1e-16, "%g is added", u[0] - first[0]);
    require(fabs(u[1] - first[1]) <= 1e-16, "%g is added", u[1] - first[1]);
    scree_system_destroy(system);
}

static void wrong_mass(void* user, double t, const double* q, double* m)
{
    (void)user;
    (void)q;
    m[0] = m[3] = t > 0.01 ? -1.0 : 1.0;
}

static void wrong_force(void* user, double t, const double* q, const double* u, double* h)
{
    (void)user;
    (void)q;
    (void)u;
    h[0] = t > 0.01 ? (double)NAN : 0.0;
}

static void expect_refusal(scree_system_def def, const double* q, const char* text)
{
    test_host host;
    scree_system* system = NULL;
    scree_env env = test_env(&host);
    assert_int_not_equal(scree_system_create(&env, &def, 0.0, q, NULL, &system), SCREE_OK);
    assert_null(system);
    require(strstr(host.text, text) != NULL, "said '%s', not '%s'", host.text, text);
    assert_int_equal(host.n_held, 0);
}

static void bad_systems_are_refused(void** state)
{
    (void)state;
    block b = {.mass = 1.0};
    const double coef[3] = {0.3}, e = 1.5, bad_coef[3] = {-1.0};
    const uint8_t bad_rows = 99, bad_law = SCREE_LAW_INTERVAL;
    scree_system_def good = block_def(&b, coef), def;
    expect_refusal((def = good, def.n = 0, def), NULL, "coordinates");
    expect_refusal((def = good, def.n_contacts = -1, def), NULL, "contacts");
    expect_refusal((def = good, def.model.mass = NULL, def), NULL, "mass");
    expect_refusal((def = good, def.model.directions = NULL, def), NULL, "directions");
    expect_refusal((def = good, def.step = 0.0, def), NULL, "step");
    expect_refusal((def = good, def.tol = (double)NAN, def), NULL, "tol");
    expect_refusal((def = good, def.restitution = &e, def), NULL, "restitution");
    expect_refusal((def = good, def.rows = &bad_rows, def), NULL, "rows");
    expect_refusal((def = good, def.law = &bad_law, def), NULL, "law");
    expect_refusal((def = good, def.coef = bad_coef, def), NULL, "mu");
    expect_refusal(good, (double[]){0.0, (double)NAN}, "finite");
    assert_int_equal(scree_system_create(NULL, NULL, 0.0, NULL, NULL, NULL), SCREE_ERROR_ARGUMENT);
    scree_system_destroy(NULL);
}

/* The fault is named with its time, and the state stays as it was. */
static void faults_of_the_model_end_the_step(void** state)
{
    (void)state;
    block b = {.mass = 1.0, .fall = 1.0, .speed = 5.0};
    const double coef[3] = {0.3};
    static const char* const texts[] = {"positive definite", "a force is not finite",
                                        "must not be negative"};
    for (int kind = 0; kind < 3; ++kind) {
        test_host host;
        scree_system_report report;
        scree_system_def def = block_def(&b, coef);
        scree_env env = test_env(&host);
        if (kind == 0) def.model.mass = wrong_mass;
        if (kind == 1) def.model.force = wrong_force;
        if (kind == 2) def.model.coefficients = block_coefficients;
        scree_system* system = create_in(&env, &def, NULL, NULL);
        scree_status status = SCREE_OK;
        while (!status && scree_system_get_view(system).time < 0.1) {
            status = scree_system_step(system, &report);
        }
        assert_int_equal(status, SCREE_ERROR_INPUT);
        require(strstr(host.text, texts[kind]) != NULL, "said '%s'", host.text);
        double time = scree_system_get_view(system).time;
        require(fabs(time - (kind < 2 ? 0.01 : 0.0)) <= 1e-9, "at %g s", time);
        scree_system_destroy(system);
        assert_int_equal(host.n_held, 0);
    }
}

/* Every allocation fails once; and after the first steps none is asked for. */
static void memory_may_be_short(void** state)
{
    (void)state;
    block b = {.mass = 1.0, .stiffness = 1.0, .speed = 1.0};
    const double coef[3] = {0.3};
    int succeeded = 0;
    for (long k = 0; !succeeded; ++k) {
        test_host host;
        scree_system* system = NULL;
        scree_system_report report;
        scree_system_def def = block_def(&b, coef);
        scree_env env = test_env(&host);
        host.fail_at = k;
        scree_status status = scree_system_create(&env, &def, 0.0, NULL, NULL, &system);
        if (!status) status = scree_system_step(system, &report);
        succeeded = status == SCREE_OK;
        assert_true(succeeded || status == SCREE_ERROR_MEMORY);
        long asked = host.n_asked;
        for (int i = 0; succeeded && i < 100; ++i) step(system);
        assert_int_equal(host.n_asked, asked);
        scree_system_destroy(system);
        assert_int_equal(host.n_held, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(block_sticks_and_slips),
        cmocka_unit_test(sliding_has_order_two),
        cmocka_unit_test(coefficients_follow_the_state),
        cmocka_unit_test(block_slides_down),
        cmocka_unit_test(ball_bounces),
        cmocka_unit_test(pendulum_keeps_energy),
        cmocka_unit_test(contacts_push_each_other),
        cmocka_unit_test(what_is_not_said_is_zero),
        cmocka_unit_test(bad_systems_are_refused),
        cmocka_unit_test(faults_of_the_model_end_the_step),
        cmocka_unit_test(memory_may_be_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
