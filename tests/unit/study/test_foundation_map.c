/* What goes beyond the figures of the paper: the circle beside its parabola, the potential and the
 * drift that its wells explain, the friction that rolling needs, the region with two stable speeds
 * and its cusps. */
#include "study/foundation.h"
#include "support/draw.h"
#include "support/foundation.h"
#include "support/real.h"
#include "support/worlds.h"

static const double degree = SCREE_DEGREE;

/* ---- the circle ---- */

/* Of all sizes, the contact up to R / 2 long to either side. */
static scree_foundation_def draw_circle(scri_random* random, double* speed)
{
    scree_foundation_def def = scree_default_foundation_def();
    def.model = SCREE_FOUNDATION_CIRCLE;
    def.stiffness = pow(10.0, draw_between(random, 5.0, 8.0));
    def.damping = pow(10.0, draw_between(random, 3.0, 6.0));
    def.radius = pow(10.0, draw_between(random, -1.0, 1.0));
    double most = 0.25 * def.damping * def.damping / def.stiffness;
    def.ground_mass = most * draw_between(random, 0.0, 0.9);
    double length = def.radius * pow(10.0, draw_between(random, -2.0, -0.31));
    def.mass = 2.0 * def.stiffness * length * length * length / (3.0 * def.radius) / def.gravity;
    def.slope = draw_between(random, 0.0, 1.2);
    *speed = def.stiffness / def.damping * def.radius * pow(10.0, draw_between(random, -4.0, 0.5));
    *speed = fmin(*speed, draw_between(random, 0.3, 0.99) * scree_foundation_lift_speed(&def));
    return def;
}

typedef struct balance {
    real load, resistance, rear;
} balance;

/* Eq. (2) as it stands before it is simplified, in eqs. (1), (7), (8) and (10): Simpson's rule with
 * many cells. */
static balance integrate_circle(const scree_foundation_def* def, double speed,
                                const scree_foundation_contact* c)
{
    enum { CELLS = 400 };
    real k = def->stiffness, r = def->radius, v = speed, m = def->ground_mass, load = 0, moment = 0;
    real a = c->xi_plus, b = c->xi_minus, floor = real_sqrt(r * r - a * a), rear = 0, size = 0;
    for (int i = 0; i <= 2 * CELLS; ++i) {
        real xi = b + (a - b) * i / (2 * CELLS), s = real_sqrt(r * r - xi * xi);
        real y = floor - s, rate = -v * xi / s, f = m * v * v * r * r / (s * s * s) + k * y;
        f += def->damping * rate;
        int weight = i == 0 || i == 2 * CELLS ? 1 : i % 2 ? 4 : 2;
        load -= f * weight * (a - b) / (6 * CELLS);
        moment -= f * (xi / s) * weight * (a - b) / (6 * CELLS);
        if (i == 0) rear = f;
        size = real_abs(f) > size ? real_abs(f) : size;
    }
    real hit = m * v * v * a / floor;
    return (balance){load + hit, moment + hit * a / floor, rear / size};
}

static void circle_balances(void** state)
{
    (void)state;
    scri_random random = test_seed("circle_balances", 31);
    for (int i = 0; i < test_cases(300, 10000); ++i) {
        double v;
        scree_foundation_def def = draw_circle(&random, &v);
        scree_foundation_contact c = resist(&def, v);
        balance b = integrate_circle(&def, v, &c);
        real load = (real)def.mass * def.gravity * real_cos(def.slope);
        real scale = load * c.xi_plus / def.radius;
        require(real_abs(b.load / load - 1) < 1e-9, "load off by %g", (double)(b.load / load - 1));
        require(real_abs(b.rear) < 1e-9, "force at the rear end: %g", (double)b.rear);
        require(real_abs(b.resistance - c.resistance) < 1e-9 * scale, "resistance %g, integral %g",
                c.resistance, (double)b.resistance);
        double depth = def.radius - sqrt(def.radius * def.radius - c.xi_plus * c.xi_plus);
        require(fabs(c.depth / depth - 1.0) < 1e-9, "depth %g not %g", c.depth, depth);
    }
}

static void circle_has_exact_derivatives(void** state)
{
    (void)state;
    scri_random random = test_seed("circle_has_exact_derivatives", 32);
    for (int i = 0; i < 500; ++i) {
        double v, e = 1e-5;
        scree_foundation_def def = draw_circle(&random, &v);
        double load = def.mass * def.gravity;
        scri_ground ground = scri_ground_of(&def);
        scri_ground_state c, p, q;
        assert_true(scri_ground_contact(&ground, load, v, &c));
        assert_true(scri_ground_contact(&ground, load, v * (1.0 + e), &p));
        assert_true(scri_ground_contact(&ground, load, v * (1.0 - e), &q));
        double slope = (p.resistance - q.resistance) / (2.0 * e);
        require(fabs(slope - v * c.resistance_by_speed) < 1e-5 * c.resistance,
                "in the speed: %g, %g", slope, v * c.resistance_by_speed);
        assert_true(scri_ground_contact(&ground, load * (1.0 + e), v, &p));
        assert_true(scri_ground_contact(&ground, load * (1.0 - e), v, &q));
        slope = (p.resistance - q.resistance) / (2.0 * e);
        require(fabs(slope - load * c.resistance_by_load) < 1e-5 * c.resistance,
                "in the load: %g, %g", slope, load * c.resistance_by_load);
    }
}

/* Lighter cylinders sink in less: the parabola's error falls with the square of the length of the
 * contact over the radius. */
static void parabola_is_the_limit_of_the_circle(void** state)
{
    (void)state;
    double last = 0.0;
    for (int i = 0; i < 4; ++i) {
        scree_foundation_def def = scree_default_foundation_def();
        def.ground_mass = 0.0;
        def.mass /= pow(8.0, i); /* halves the length at rest */
        double length = resist(&def, 0.0).xi_plus, v = 0.3 * def.stiffness * length / def.damping;
        double parabola = resist(&def, v).resistance;
        def.model = SCREE_FOUNDATION_CIRCLE;
        double error = resist(&def, v).resistance / parabola - 1.0;
        require(error > 0.0, "the circle resists less: %g", error);
        if (i > 0) require(fabs(last / error - 4.0) < 0.05, "%g after %g", error, last);
        last = error;
    }
    scree_foundation_def def = scree_default_foundation_def();
    scree_foundation_fold fold[SCREE_FOUNDATION_MOST];
    int32_t n;
    def.model = SCREE_FOUNDATION_CIRCLE;
    assert_int_equal(scree_foundation_folds(NULL, &def, fold, &n), SCREE_OK);
    assert_int_equal(n, 2);
    require_near(fold[0].slope / degree, 1.833977398, 1e-8, "lower fold of figure 4");
    require_near(fold[1].slope / degree, 2.158783532, 1e-8, "upper fold");
}

static void circle_lifts_off(void** state)
{
    (void)state;
    scri_random random = test_seed("circle_lifts_off", 33);
    for (int i = 0; i < 300; ++i) {
        double v;
        scree_foundation_def def = draw_circle(&random, &v);
        scri_ground ground = scri_ground_of(&def);
        scri_ground_state c;
        double load = def.mass * def.gravity, lift = scri_ground_lift_speed(&ground, load);
        assert_true(scri_ground_contact(&ground, load, lift * (1.0 - 1e-7), &c));
        require(c.xi_plus - c.xi_minus < 0.05 * c.xi_plus, "from %g to %g", c.xi_minus, c.xi_plus);
        assert_false(scri_ground_contact(&ground, load, lift * (1.0 + 1e-7), &c));
    }
}

/* ---- potential ---- */

/* U' = -F, and wells where it is flat. */
static void potential_belongs_to_the_force(void** state)
{
    enum { N = 200 };
    (void)state;
    scree_foundation_def def = scree_noisy_foundation_def();
    double v[N], u[N], force, by_speed;
    for (int i = 0; i < N; ++i) v[i] = 0.04 * i;
    assert_int_equal(scree_foundation_potential(NULL, &def, N, v, u), SCREE_OK);
    for (int i = 1; i + 1 < N; ++i) {
        assert_int_equal(scree_foundation_drive(NULL, &def, v[i], &force, &by_speed), SCREE_OK);
        double slope = (u[i + 1] - u[i - 1]) / (v[i + 1] - v[i - 1]);
        require(fabs(slope + force) < 2e-2 + 2e-2 * fabs(force) + (v[i] < 0.5 ? 2.0 : 0.0),
                "at %g m/s: %g, force %g", v[i], slope, force);
    }
    scree_foundation_density density;
    scree_foundation_well well[SCREE_FOUNDATION_MOST];
    int32_t n;
    assert_int_equal(scree_foundation_wells(NULL, &def, well, &n), SCREE_OK);
    assert_int_equal(n, 3);
    assert_true(well[0].stable && !well[1].stable && well[2].stable);
    require(well[1].potential > well[0].potential && well[1].potential > well[2].potential,
            "a barrier");
    /* the density's own table of U, summed on another grid */
    assert_int_equal(scree_foundation_density_create(NULL, &def, &density), SCREE_OK);
    double at[3];
    for (int k = 0; k < 3; ++k) {
        int32_t i = (int32_t)lround((well[k].speed - density.begin) / density.width);
        at[k] = density.potential[i];
    }
    for (int k = 1; k < 3; ++k) {
        require_near(well[k].potential, at[k] - at[0], 1e-5, "potential of a stationary speed");
    }
    scree_foundation_density_release(&density);
}

/* Section 4: where U is steeper towards lower speeds the mean rises with the noise (figure 6a), in
 * the opposite case it falls (6b). For weak noise the mean of the exact density goes as U''' says,
 * the rest being of second order. */
static void asymmetry_explains_the_drift(void** state)
{
    (void)state;
    static const double alpha[] = {4.87, 4.93, 4.80, 5.0, 3.0};
    for (size_t i = 0; i < sizeof alpha / sizeof *alpha; ++i) {
        scree_foundation_def def = scree_noisy_foundation_def();
        scree_foundation_well well[SCREE_FOUNDATION_MOST];
        int32_t n;
        def.slope = alpha[i] * degree;
        assert_int_equal(scree_foundation_wells(NULL, &def, well, &n), SCREE_OK);
        assert_int_equal(n, 1);
        double off[3], d = 0.2 * well[0].speed, side[2], v[2];
        for (int k = 0; k < 3; ++k) {
            scree_foundation_density density;
            def.noise = 0.04 / pow(2.0, k);
            assert_int_equal(scree_foundation_density_create(NULL, &def, &density), SCREE_OK);
            off[k] = (density.mean - well[0].speed) / def.noise / well[0].drift - 1.0;
            scree_foundation_density_release(&density);
        }
        require(fabs(off[0]) < 0.02, "%g degrees: drift off by %g", alpha[i], off[0]);
        require(fabs(off[1] / off[0] - 0.5) < 0.1 && fabs(off[2] / off[1] - 0.5) < 0.1,
                "%g degrees: not of second order: %g %g %g", alpha[i], off[0], off[1], off[2]);
        v[0] = well[0].speed - d, v[1] = well[0].speed + d;
        assert_int_equal(scree_foundation_potential(NULL, &def, 2, v, side), SCREE_OK);
        require((side[0] > side[1]) == (well[0].drift > 0.0), "%g degrees: U %g and %g, drift %g",
                alpha[i], side[0], side[1], well[0].drift);
        if (i == 0) assert_true(well[0].drift > 0.0);
        if (i == 1) assert_true(well[0].drift < 0.0);
    }
}

/* Along the slope and about the axis, Newton's and Euler's equations by hand. */
static void friction_drives_the_rotation(void** state)
{
    (void)state;
    scri_random random = test_seed("friction_drives_the_rotation", 34);
    for (int i = 0; i < 200; ++i) {
        scree_foundation_def def = scree_default_foundation_def();
        double v = draw_between(&random, 0.1, 20.0), mu, force, by_speed;
        def.slope = draw_between(&random, 0.0, 10.0) * degree;
        def.inertia = draw_between(&random, 0.0, 1.0);
        assert_int_equal(scree_foundation_friction(NULL, &def, v, &mu), SCREE_OK);
        assert_int_equal(scree_foundation_drive(NULL, &def, v, &force, &by_speed), SCREE_OK);
        double load = def.mass * def.gravity * cos(def.slope), drag = def.drag_square * v * v;
        double rate = force / (def.mass * (1.0 + def.inertia)), t = mu * load;
        require_near(def.mass * rate, def.mass * def.gravity * sin(def.slope) - drag - t,
                     1e-9 * load, "along the slope");
        require_near(def.inertia * def.mass * rate, t - resist(&def, v).resistance, 1e-9 * load,
                     "about the axis");
    }
}

/* ---- region ---- */

static scree_foundation_cusp find_cusp(const scree_foundation_def* def, const char* symbol,
                                       double from, double to)
{
    const double range[2] = {from, to};
    scree_foundation_cusp cusp[SCREE_FOUNDATION_MOST];
    int32_t n;
    assert_int_equal(scree_foundation_cusps(NULL, def, symbol, range, cusp, &n), SCREE_OK);
    require(n == 1, "%s: %d cusps", symbol, (int)n);
    return cusp[0];
}

/* F = F' = F'' = 0; the folds come together with the power 3/2 of the distance. */
static void folds_meet_in_a_cusp(void** state)
{
    (void)state;
    static const struct {
        const char* symbol;
        double from, to;
        int more; /* there are folds above the cusp */
    } cases[] = {{"k", 1e7, 1e8, 0},
                 {"gamma", 1e5, 5e5, 1},
                 {"M", 10.0, 190.0, 1},
                 {"R", 0.7, 7.0, 0},
                 {"B", 0.2, 2.0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        scree_foundation_def def = scree_default_foundation_def();
        scree_foundation_cusp cusp = find_cusp(&def, cases[i].symbol, cases[i].from, cases[i].to);
        scree_foundation_def there = def;
        assert_int_equal(scree_foundation_set(NULL, &there, cases[i].symbol, cusp.value), SCREE_OK);
        there.slope = cusp.slope;
        double f[3], d[3], weight = there.mass * there.gravity, e = 1e-2 * cusp.speed;
        for (int k = 0; k < 3; ++k) {
            double v = cusp.speed + (k - 1) * e;
            assert_int_equal(scree_foundation_drive(NULL, &there, v, &f[k], &d[k]), SCREE_OK);
        }
        require(fabs(f[1]) < 1e-11 * weight, "%s: force %g", cases[i].symbol, f[1]);
        require(fabs(d[1]) * cusp.speed < 1e-9 * weight, "%s: slope %g", cases[i].symbol, d[1]);
        require(fabs(d[2] - d[0]) < 5e-2 * (fabs(d[0]) + fabs(d[2])), "%s: bend, %g and %g",
                cases[i].symbol, d[0], d[2]);
        double side = cases[i].more ? 1.0 : -1.0, value[3], low[3], high[3];
        for (int k = 0; k < 3; ++k) value[k] = cusp.value * (1.0 + side * 0.01 / (1 << (2 * k)));
        assert_int_equal(scree_foundation_map(NULL, &def, cases[i].symbol, 3, value, low, high),
                         SCREE_OK);
        for (int k = 0; k < 2; ++k) {
            double ratio = (high[k] - low[k]) / (high[k + 1] - low[k + 1]);
            require(fabs(ratio - 8.0) < 0.3, "%s: the folds come together by %g, not by 8",
                    cases[i].symbol, ratio);
        }
        value[0] = cusp.value * (1.0 - side * 1e-3);
        assert_int_equal(scree_foundation_map(NULL, &def, cases[i].symbol, 1, value, low, high),
                         SCREE_OK);
        require(isnan(low[0]) && isnan(high[0]), "%s: folds beyond the cusp", cases[i].symbol);
    }
}

/* Only M / R^2 counts for slopes: the cusps over M and over R are one. */
static void cusps_over_mass_and_radius_are_one(void** state)
{
    (void)state;
    scree_foundation_def def = scree_default_foundation_def();
    scree_foundation_cusp m = find_cusp(&def, "M", 10.0, 190.0);
    scree_foundation_cusp r = find_cusp(&def, "R", 0.7, 7.0);
    require_near(m.value / 0.49, 192.08 / (r.value * r.value), 1e-7, "M / R^2");
    require_near(m.slope, r.slope, 1e-10, "slope");
    require_near(m.speed / 0.7, r.speed / r.value, 1e-5, "speed over radius");
}

static void bad_symbols_are_named(void** state)
{
    (void)state;
    static const struct {
        const char *symbol, *naming;
        double from, to;
    } cases[] = {{"q", "'q'", 1.0, 2.0},           {"alpha", "'alpha'", 1.0, 2.0},
                 {"sigma2", "'sigma2'", 1.0, 2.0}, {"k", "from 2 to 1", 2.0, 1.0},
                 {"k", "from 0 to 1", 0.0, 1.0},   {"k", "nan", NAN, 1.0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        test_host host;
        scree_env env = test_env(&host);
        scree_foundation_def def = scree_default_foundation_def();
        scree_foundation_cusp cusp[SCREE_FOUNDATION_MOST];
        const double range[2] = {cases[i].from, cases[i].to};
        int32_t n = -1;
        assert_int_equal(scree_foundation_cusps(&env, &def, cases[i].symbol, range, cusp, &n),
                         SCREE_ERROR_INPUT);
        require(strstr(host.text, cases[i].naming) != NULL, "%s: %s", cases[i].symbol, host.text);
        assert_int_equal(n, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(circle_balances),
        cmocka_unit_test(circle_has_exact_derivatives),
        cmocka_unit_test(parabola_is_the_limit_of_the_circle),
        cmocka_unit_test(circle_lifts_off),
        cmocka_unit_test(potential_belongs_to_the_force),
        cmocka_unit_test(asymmetry_explains_the_drift),
        cmocka_unit_test(friction_drives_the_rotation),
        cmocka_unit_test(folds_meet_in_a_cusp),
        cmocka_unit_test(cusps_over_mass_and_radius_are_one),
        cmocka_unit_test(bad_symbols_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
