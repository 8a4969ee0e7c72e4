/* A cylinder on a viscous foundation: contact and resistance against integrals, closed forms, the
 * energy balance and reference values; approximation; stationary speeds, folds, curve, hysteresis;
 * the coefficient for a contact law; conditions that fail. */
#include "study/foundation.h"
#include "support/draw.h"
#include "support/foundation.h"
#include "support/real.h"

static const double degree = SCREE_PI / 180.0;

/* Valid parameters of all sizes; the mass of the ground reaches up to where the contact tears. */
static scree_foundation_def draw_def(scri_random* random)
{
    scree_foundation_def def = scree_default_foundation_def();
    def.stiffness = pow(10.0, draw_between(random, 5.0, 8.0));
    def.damping = pow(10.0, draw_between(random, 3.0, 6.0));
    def.radius = pow(10.0, draw_between(random, -1.0, 1.0));
    double most = 0.25 * def.damping * def.damping / def.stiffness;
    def.ground_mass = most * draw_between(random, 0.0, 0.999);
    /* deep enough for the load not to be lost in rounding, not deeper than the model allows */
    double length = def.radius * pow(10.0, draw_between(random, -3.0, -0.4));
    double load = 2.0 * def.stiffness * length * length * length / (3.0 * def.radius);
    def.mass = load / def.gravity;
    def.slope = draw_between(random, 0.0, 1.2);
    def.model =
        scri_random_below(random, 2) ? SCREE_FOUNDATION_PRINTED : SCREE_FOUNDATION_CONSISTENT;
    return def;
}

/* A speed with contact, slow or close to the one at which the cylinder lifts off. */
static double draw_speed(scri_random* random, const scree_foundation_def* def)
{
    double lag = def->stiffness / def->damping * def->radius;
    double v = lag * pow(10.0, draw_between(random, -6.0, 1.0));
    return fmin(v, draw_between(random, 0.9, 0.999) * scree_foundation_lift_speed(def));
}

/* ---- resistance ---- */

/* Eqs. (4) to (10) as they stand, the integrals by Simpson's rule, which is exact for cubics. */
typedef struct balance {
    real load, resistance, rear; /* `rear`: f(xi_-) over its scale */
} balance;

static balance integrate(const scree_foundation_def* def, double speed,
                         const scree_foundation_contact* c)
{
    real k = def->stiffness, r = def->radius, v = speed, g = def->damping;
    real m = def->ground_mass, h = c->depth;
    real from = c->xi_minus, to = real_sqrt(2 * r * h), sum = 0, moment = 0, f[3];
    for (int i = 0; i < 3; ++i) {
        real xi = from + (to - from) * i / 2, weight = (i == 1 ? 4 : 1) * (to - from) / 6;
        f[i] = k * xi * xi / (2 * r) - g * v * xi / r + m * v * v / r - h * k;
        sum += weight * f[i];
        moment += weight * xi * f[i];
    }
    int impulse = def->model == SCREE_FOUNDATION_PRINTED ? 1 : 2;
    return (balance){.load = -sum + real_sqrt(2 * h / r) * m * v * v,
                     .resistance = -moment / r + impulse * m * v * v * h / r,
                     .rear = f[0] / (h * k + g * v * real_abs(from) / r + m * v * v / r)};
}

static void test_integrals(void** state)
{
    (void)state;
    scri_random random = test_seed("test_integrals", 11);
    for (int i = 0; i < test_cases(2000, 20000); ++i) {
        scree_foundation_def def = draw_def(&random);
        double v = draw_speed(&random, &def);
        scree_foundation_contact c = resist(&def, v);
        balance b = integrate(&def, v, &c);
        real load = (real)def.mass * def.gravity * real_cos(def.slope);
        /* even here the cancellation for small v leaves few digits of the moment */
        real scale = load * c.xi_plus / def.radius;
        require(real_abs(b.load / load - 1) < 1e-12, "load off by %g", (double)(b.load / load - 1));
        require(real_abs(b.rear) < 1e-12, "force at the rear end: %g", (double)b.rear);
        require(real_abs(b.resistance - c.resistance) < 1e-13 * scale + 1e-12 * c.resistance,
                "resistance %g, integral %g", c.resistance, (double)b.resistance);
        require(c.xi_plus > c.xi_minus && c.resistance > 0.0, "no contact");
        assert_true(fabs(c.xi_plus * c.xi_plus / (2.0 * def.radius * c.depth) - 1.0) < 1e-12);
    }
}

/* What a cylinder at the speed v loses: to damping under it, to springs that it leaves stretched
 * and moving, and to springs that it hits. Eq. (9) as printed forgets the last. */
static void test_energy(void** state)
{
    (void)state;
    scri_random random = test_seed("test_energy", 12);
    for (int i = 0; i < test_cases(2000, 20000); ++i) {
        scree_foundation_def def = draw_def(&random);
        double v = draw_speed(&random, &def), r = def.radius, m = def.ground_mass;
        scree_foundation_contact c = resist(&def, v);
        double a = c.xi_plus, b = c.xi_minus, y = b * b / (2.0 * r) - c.depth;
        double viscous = def.damping * v * v * (a * a * a - b * b * b) / (3.0 * r * r);
        double left = v * (0.5 * def.stiffness * y * y + 0.5 * m * v * v * b * b / (r * r));
        double hit = v * 0.5 * m * v * v * a * a / (r * r);
        double lost = viscous + left;
        if (def.model == SCREE_FOUNDATION_CONSISTENT) lost += hit;
        require(fabs(lost / (c.resistance * v) - 1.0) < 1e-9, "loses %g, resists with %g", lost,
                c.resistance * v);
    }
}

static void test_rest(void** state)
{
    (void)state;
    scri_random random = test_seed("test_rest", 13);
    for (int i = 0; i < 1000; ++i) {
        scree_foundation_def def = draw_def(&random);
        double load = def.mass * def.gravity * cos(def.slope);
        scree_foundation_contact c = resist(&def, 0.0);
        double expected = 4.0 / 3.0 * sqrt(2.0 * def.radius) * def.stiffness * pow(c.depth, 1.5);
        require(fabs(expected / load - 1.0) < 1e-12, "carries %g of %g", expected, load);
        require(c.resistance == 0.0 && fabs(c.xi_minus + c.xi_plus) < 1e-15 * c.xi_plus,
                "not symmetric: %g %g", c.xi_minus, c.xi_plus);
        /* linear for small speeds, to all digits */
        double v = 1e-9 * def.stiffness * c.xi_plus / def.damping;
        double f = resist(&def, v).resistance;
        require(fabs(f / (c.resistance_by_speed * v) - 1.0) < 1e-6, "%g instead of %g", f,
                c.resistance_by_speed * v);
        require(resist(&def, -v).resistance == -f, "not odd");
    }
}

static void test_derivatives(void** state)
{
    (void)state;
    scri_random random = test_seed("test_derivatives", 14);
    for (int i = 0; i < 3000; ++i) {
        scree_foundation_def def = draw_def(&random);
        if (i % 3 == 2) def.model = SCREE_FOUNDATION_APPROXIMATE;
        double v = 0.9 * draw_speed(&random, &def), load = def.mass * def.gravity;
        scri_ground ground = scri_ground_of(&def);
        scri_ground_state c, p, q;
        double e = 1e-5;
        assert_true(scri_ground_contact(&ground, load, v, &c));
        assert_true(scri_ground_contact(&ground, load, v * (1.0 + e), &p));
        assert_true(scri_ground_contact(&ground, load, v * (1.0 - e), &q));
        double slope = (p.resistance - q.resistance) / (2.0 * e), scale = c.resistance + 1e-300;
        require(fabs(slope - v * c.resistance_by_speed) < 1e-6 * scale, "in the speed: %g, %g",
                slope, v * c.resistance_by_speed);
        assert_true(scri_ground_contact(&ground, load * (1.0 + e), v, &p));
        assert_true(scri_ground_contact(&ground, load * (1.0 - e), v, &q));
        slope = (p.resistance - q.resistance) / (2.0 * e);
        require(fabs(slope - load * c.resistance_by_load) < 1e-6 * scale, "in the load: %g, %g",
                slope, load * c.resistance_by_load);
    }
}

/* Without ground mass the approximation becomes exact with growing damping, and so does its
 * derivative at rest, a limit of its own. */
static void test_approximation(void** state)
{
    (void)state;
    double last = 1.0;
    for (double damping = 1e5; damping < 1e9; damping *= 10.0) {
        scree_foundation_def def = scree_default_foundation_def();
        def.ground_mass = 0.0;
        def.damping = damping;
        double exact = resist(&def, 5.0).resistance;
        def.model = SCREE_FOUNDATION_APPROXIMATE;
        double error = fabs(resist(&def, 5.0).resistance / exact - 1.0);
        require(error < last, "damping %g: error %g, before %g", damping, error, last);
        last = error;
    }
    require(last < 1e-8, "error %g", last);
    scree_foundation_def def = scree_default_foundation_def();
    def.model = SCREE_FOUNDATION_APPROXIMATE;
    double slope = resist(&def, 0.0).resistance_by_speed;
    require(fabs(resist(&def, 1e-9).resistance / (1e-9 * slope) - 1.0) < 1e-3, "slope %g", slope);
}

static void test_lift(void** state)
{
    (void)state;
    scri_random random = test_seed("test_lift", 15);
    for (int i = 0; i < 1000; ++i) {
        scree_foundation_def def = draw_def(&random);
        test_host host;
        scree_env env = test_env(&host);
        double v = scree_foundation_lift_speed(&def);
        scree_foundation_contact c = resist(&def, v * (1.0 - 1e-9));
        double least = def.ground_mass * v / def.damping;
        require(fabs(c.xi_plus / least - 1.0) < 1e-4, "%g not near %g", c.xi_plus, least);
        assert_int_equal(scree_foundation_resist(&env, &def, v * (1.0 + 1e-9), &c),
                         SCREE_ERROR_INPUT);
        assert_non_null(strstr(host.text, "(m v / gamma)^2 / (2 R)"));
        assert_true(isnan(c.depth));
    }
    scree_foundation_def def = scree_default_foundation_def();
    def.ground_mass = 0.0;
    assert_true(isinf(scree_foundation_lift_speed(&def)));
    require(resist(&def, 1e9).resistance > 0.0, "without mass the ground always follows");
}

static void test_oracle_force(void** state)
{
    (void)state;
    FILE* file = test_open_oracle("foundation_force.csv");
    char line[512];
    int n = 0;
    assert_non_null(fgets(line, sizeof line, file));
    while (fgets(line, sizeof line, file)) {
        double v, h, rear, f2, f1, ha, fa, no_mass;
        assert_int_equal(sscanf(line, "%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf", &v, &h, &rear, &f2, &f1,
                                &ha, &fa, &no_mass),
                         8);
        scree_foundation_def def = scree_default_foundation_def();
        scree_foundation_contact c = resist(&def, v);
        def.model = SCREE_FOUNDATION_PRINTED;
        scree_foundation_contact p = resist(&def, v);
        def.model = SCREE_FOUNDATION_APPROXIMATE;
        scree_foundation_contact a = resist(&def, v);
        const double pairs[][2] = {{c.depth, h},       {p.depth, h},  {c.resistance, f2},
                                   {p.resistance, f1}, {a.depth, ha}, {a.resistance, fa}};
        for (size_t i = 0; i < sizeof pairs / sizeof *pairs; ++i) {
            require(fabs(pairs[i][0] / pairs[i][1] - 1.0) < 1e-8, "v = %g, column %zu: %g not %g",
                    v, i, pairs[i][0], pairs[i][1]);
        }
        require(fabs(c.xi_minus - rear) < 1e-8 * c.xi_plus, "xi_-: %g not %g", c.xi_minus, rear);
        ++n;
    }
    fclose(file);
    require(n > 50, "%d rows", n);
}

/* Rise, maximum, fall. */
static void test_peak(void** state)
{
    (void)state;
    scree_foundation_def def = scree_default_foundation_def();
    double v;
    assert_int_equal(scree_foundation_peak(NULL, &def, &v), SCREE_OK);
    scree_foundation_contact c = resist(&def, v);
    require(fabs(v - 1.6764) < 2e-3 && fabs(c.resistance - 70.341165) < 1e-5, "%g at %g",
            c.resistance, v);
    double before = 0.0;
    for (int i = 1; i <= 100; ++i) {
        double f = resist(&def, v * i / 100.0).resistance;
        require(f > before, "does not rise at %g", v * i / 100.0);
        before = f;
    }
    for (int i = 1; i <= 100; ++i) {
        double f = resist(&def, v + 0.2 * i).resistance;
        require(f < before, "does not fall at %g", v + 0.2 * i);
        before = f;
    }
}

/* ---- coefficient for a contact law ---- */

static void test_rolling(void** state)
{
    (void)state;
    scri_random random = test_seed("test_rolling", 16);
    for (int i = 0; i < 2000; ++i) {
        scree_foundation_def def = draw_def(&random);
        double v = draw_speed(&random, &def), load = def.mass * def.gravity * cos(def.slope), mu;
        double expected = resist(&def, v).resistance * def.radius / load;
        assert_int_equal(scree_foundation_rolling(NULL, &def, load, v, &mu), SCREE_OK);
        require(fabs(mu / expected - 1.0) < 1e-12, "%g not %g", mu, expected);
        double back, fast, faster, rest;
        double lift = scree_foundation_lift_speed(&def);
        assert_int_equal(scree_foundation_rolling(NULL, &def, load, -v, &back), SCREE_OK);
        assert_int_equal(scree_foundation_rolling(NULL, &def, load, lift, &fast), SCREE_OK);
        assert_int_equal(scree_foundation_rolling(NULL, &def, load, 9.0 * lift, &faster), SCREE_OK);
        assert_int_equal(scree_foundation_rolling(NULL, &def, load, 0.0, &rest), SCREE_OK);
        require(back == mu && fast > 0.0 && fast == faster && rest == 0.0, "%g %g %g %g", back,
                fast, faster, rest);
    }
    scree_foundation_def def = scree_default_foundation_def();
    test_host host;
    scree_env env = test_env(&host);
    double mu;
    assert_int_equal(scree_foundation_rolling(&env, &def, 0.0, 1.0, &mu), SCREE_OK);
    assert_true(mu == 0.0);
    assert_int_equal(scree_foundation_rolling(&env, &def, 100.0, SCREE_NAN, &mu),
                     SCREE_ERROR_INPUT);
    def.damping = -1.0;
    assert_int_equal(scree_foundation_rolling(&env, &def, 100.0, 1.0, &mu), SCREE_ERROR_INPUT);
    assert_non_null(strstr(host.text, "gamma = -1"));
}

/* ---- incline ---- */

static int32_t find_folds(const scree_foundation_def* def,
                          scree_foundation_fold fold[SCREE_FOUNDATION_MOST])
{
    int32_t n;
    assert_int_equal(scree_foundation_folds(NULL, def, fold, &n), SCREE_OK);
    return n;
}

static int32_t find_rest(scree_foundation_def def, double slope,
                         scree_foundation_rest rest[SCREE_FOUNDATION_MOST])
{
    int32_t n;
    def.slope = slope;
    assert_int_equal(scree_foundation_stationary(NULL, &def, rest, &n), SCREE_OK);
    return n;
}

static void test_folds(void** state)
{
    (void)state;
    static const struct {
        int noisy;
        scree_foundation_model model;
        double low, high; /* degrees */
    } sets[] = {
        {0, SCREE_FOUNDATION_CONSISTENT, 1.8333470507083824, 2.1567241697817923},
        {0, SCREE_FOUNDATION_PRINTED, 1.7267568235328035, 2.137188494365195},
        {0, SCREE_FOUNDATION_APPROXIMATE, 1.8299181678765246, 2.162118723003819},
        {1, SCREE_FOUNDATION_CONSISTENT, 4.88916934500786, 4.914476811246931},
    };
    for (size_t i = 0; i < sizeof sets / sizeof *sets; ++i) {
        scree_foundation_def def =
            sets[i].noisy ? scree_noisy_foundation_def() : scree_default_foundation_def();
        scree_foundation_fold fold[SCREE_FOUNDATION_MOST];
        scree_foundation_rest rest[SCREE_FOUNDATION_MOST];
        def.model = sets[i].model;
        assert_int_equal(find_folds(&def, fold), 2);
        double low = fold[0].slope, high = fold[1].slope;
        require(fabs(low / degree - sets[i].low) < 1e-10, "low fold %.12g", low / degree);
        require(fabs(high / degree - sets[i].high) < 1e-10, "high fold %.12g", high / degree);
        /* there a minimum or maximum of the force touches 0 */
        for (int k = 0; k < 2; ++k) {
            double force, by_speed;
            def.slope = fold[k].slope;
            assert_int_equal(scree_foundation_drive(NULL, &def, fold[k].speed, &force, &by_speed),
                             SCREE_OK);
            require(fabs(force) < 1e-10 && fabs(by_speed) < 1e-8, "force %g, %g", force, by_speed);
        }
        /* one, three, one */
        assert_int_equal(find_rest(def, low - 1e-8, rest), 1);
        assert_true(rest[0].stable);
        for (int k = 1; k < 8; ++k) {
            assert_int_equal(find_rest(def, low + (high - low) * k / 8.0, rest), 3);
            assert_true(rest[0].stable && !rest[1].stable && rest[2].stable);
            assert_true(rest[0].speed < rest[1].speed && rest[1].speed < rest[2].speed);
        }
        assert_int_equal(find_rest(def, low + 1e-8, rest), 3);
        assert_int_equal(find_rest(def, high - 1e-8, rest), 3);
        assert_int_equal(find_rest(def, high + 1e-8, rest), 1);
        assert_true(rest[0].stable);
    }
}

/* Only M / R^2 matters for the slopes; speeds grow with R. */
static void test_scaling(void** state)
{
    (void)state;
    scree_foundation_def def = scree_default_foundation_def();
    scree_foundation_fold fold[SCREE_FOUNDATION_MOST], other[SCREE_FOUNDATION_MOST];
    assert_int_equal(find_folds(&def, fold), 2);
    def.mass *= 4.0;
    def.radius *= 2.0;
    assert_int_equal(find_folds(&def, other), 2);
    for (int i = 0; i < 2; ++i) {
        require(fabs(fold[i].slope - other[i].slope) < 1e-12, "fold %d at %g and %g", i,
                fold[i].slope, other[i].slope);
        require(fabs(other[i].speed / fold[i].speed - 2.0) < 1e-6, "at %g and %g m/s",
                fold[i].speed, other[i].speed);
    }
}

/* The table's speeds are those of slopes within about 1e-8 degrees: near a fold they differ more.
 * That the force vanishes at ours, test_curve() says. */
static void test_oracle_bifurcation(void** state)
{
    (void)state;
    FILE* file = test_open_oracle("foundation_bifurcation.csv");
    char line[256];
    int n = 0;
    assert_non_null(fgets(line, sizeof line, file));
    while (fgets(line, sizeof line, file)) {
        double expected[3];
        int n_expected = 0;
        scree_foundation_rest rest[SCREE_FOUNDATION_MOST];
        char* at = line;
        double alpha = strtod(at, &at);
        while (*at == ',') {
            char* end;
            double v = strtod(++at, &end);
            if (end != at) expected[n_expected++] = v;
            at = end;
        }
        int32_t found = find_rest(scree_default_foundation_def(), alpha * degree, rest);
        assert_int_equal(found, n_expected);
        for (int32_t i = 0; i < found; ++i) {
            double force, by_speed;
            scree_foundation_def def = scree_default_foundation_def();
            def.slope = alpha * degree;
            assert_int_equal(scree_foundation_drive(NULL, &def, expected[i], &force, &by_speed),
                             SCREE_OK);
            double off = force / (def.mass * def.gravity) / degree;
            require(fabs(off) < 2e-8 && fabs(rest[i].speed / expected[i] - 1.0) < 1e-6,
                    "%g degrees: %.10g not %.10g, off by %g degrees", alpha, rest[i].speed,
                    expected[i], off);
        }
        ++n;
    }
    fclose(file);
    require(n > 50, "%d rows", n);
}

static void test_curve(void** state)
{
    enum { N = 300 };
    (void)state;
    scree_foundation_def def = scree_default_foundation_def();
    double window[2], slope[N], speed[N];
    uint8_t stable[N];
    assert_int_equal(scree_foundation_window(NULL, &def, window), SCREE_OK);
    assert_true(window[0] < 1.83 * degree && window[1] > 2.16 * degree);
    assert_int_equal(scree_foundation_curve(NULL, &def, window, N, slope, speed, stable), SCREE_OK);
    require(fabs(slope[0] - window[0]) < 1e-10 && fabs(slope[N - 1] - window[1]) < 1e-10,
            "from %g to %g", slope[0], slope[N - 1]);
    int turns = 0;
    for (int i = 0; i < N; ++i) {
        double force, by_speed;
        def.slope = slope[i];
        assert_int_equal(scree_foundation_drive(NULL, &def, speed[i], &force, &by_speed), SCREE_OK);
        require(fabs(force) < 1e-9, "force %g", force);
        assert_int_equal(stable[i], by_speed < 0.0);
        if (i > 0) {
            assert_true(speed[i] > speed[i - 1]);
            turns += stable[i] != stable[i - 1];
        }
    }
    assert_int_equal(turns, 2);
}

/* Special slopes and drags: level ground, none to hold it, no folds. */
static void test_unusual_inclines(void** state)
{
    (void)state;
    scree_foundation_def def = scree_default_foundation_def();
    scree_foundation_rest rest[SCREE_FOUNDATION_MOST];
    scree_foundation_fold fold[SCREE_FOUNDATION_MOST];
    assert_int_equal(find_rest(def, 0.0, rest), 1);
    assert_true(rest[0].speed == 0.0 && rest[0].stable);
    assert_int_equal(find_rest(def, 1e-9, rest), 1);
    scree_foundation_contact c = resist(&def, 0.0);
    double expected = def.mass * def.gravity * 1e-9 / c.resistance_by_speed;
    require(fabs(rest[0].speed / expected - 1.0) < 1e-3, "%g not %g", rest[0].speed, expected);
    /* without drag the resistance alone must hold it */
    def.drag_square = 0.0;
    assert_int_equal(find_rest(def, 3.0 * degree, rest), 0);
    assert_int_equal(find_rest(def, 2.0 * degree, rest), 2);
    assert_true(rest[0].stable && !rest[1].stable);
    /* with much linear drag the total force falls throughout */
    def.drag_linear = 100.0;
    assert_int_equal(find_folds(&def, fold), 0);
    assert_int_equal(find_rest(def, 2.0 * degree, rest), 1);
    double window[2];
    assert_int_equal(scree_foundation_window(NULL, &def, window), SCREE_OK);
    assert_true(window[0] > 0.0 && window[0] < def.slope && def.slope < window[1]);
}

/* Jumps come after the folds; by as much as a saddle-node passes with delay, a rate to the power
 * 2/3. */
static void test_hysteresis(void** state)
{
    enum { N = 200 };
    (void)state;
    scree_foundation_def def = scree_default_foundation_def();
    scree_foundation_fold fold[SCREE_FOUNDATION_MOST];
    double window[2], points[4 * N], delay[2][2];
    assert_int_equal(find_folds(&def, fold), 2);
    assert_int_equal(scree_foundation_window(NULL, &def, window), SCREE_OK);
    for (int slow = 0; slow < 2; ++slow) {
        scree_foundation_loop loop;
        double duration = slow ? (test_all() ? 1.6e5 : 4e4) : (test_all() ? 2e4 : 5e3);
        assert_int_equal(scree_foundation_sweep(NULL, &def, window, duration, N, points, &loop),
                         SCREE_OK);
        delay[slow][0] = loop.jump_up - fold[1].slope;
        delay[slow][1] = fold[0].slope - loop.jump_down;
        assert_true(loop.step > 0.0);
    }
    for (int way = 0; way < 2; ++way) {
        double ratio = delay[0][way] / delay[1][way];
        require(delay[1][way] > 0.0 && delay[1][way] < 0.1 * degree, "delay %g",
                delay[1][way] / degree);
        require(ratio > 3.0 && ratio < 5.0, "delays fall by %g, not by 4", ratio);
    }
    /* between the folds both ways are far apart, outside they meet */
    require(fabs(points[2 * N - 2] - window[1]) < 1e-9, "top at %g", points[2 * N - 2]);
    double up = points[2 * (N / 2) + 1], down = points[2 * (N + N / 2 - 1) + 1];
    require(up < 2.0 && down > 8.0, "%g and %g in the middle", up, down);
    require(fabs(points[4 * N - 1] / points[1] - 1.0) < 0.05, "%g, back at %g", points[1],
            points[4 * N - 1]);
}

/* A fast sweep, in which the speed is far from stationary, against the midpoint rule with many more
 * steps. */
static void test_fast_sweep(void** state)
{
    enum { N = 10, STEPS = 20000 };
    (void)state;
    scree_foundation_def def = scree_default_foundation_def();
    const double window[2] = {1.5 * degree, 3.0 * degree}, duration = 100.0;
    double points[4 * N], inertia = def.mass * (1.0 + def.inertia), h = duration / STEPS;
    scree_foundation_loop loop;
    scree_foundation_rest rest[SCREE_FOUNDATION_MOST];
    assert_int_equal(scree_foundation_sweep(NULL, &def, window, duration, N, points, &loop),
                     SCREE_OK);
    assert_int_equal(find_rest(def, window[0], rest), 1);
    double v = rest[0].speed, force, by_speed;
    for (int i = 0; i < STEPS; ++i) {
        def.slope = window[0] + (window[1] - window[0]) * i / STEPS;
        assert_int_equal(scree_foundation_drive(NULL, &def, v, &force, &by_speed), SCREE_OK);
        def.slope = window[0] + (window[1] - window[0]) * (i + 0.5) / STEPS;
        double middle = v + 0.5 * h * force / inertia;
        assert_int_equal(scree_foundation_drive(NULL, &def, middle, &force, &by_speed), SCREE_OK);
        v += h * force / inertia;
        if ((i + 1) % (STEPS / N)) continue;
        double found = points[2 * ((i + 1) / (STEPS / N) - 1) + 1];
        require(fabs(found / v - 1.0) < 1e-5, "%g instead of %g", found, v);
    }
}

/* ---- conditions ---- */

static void test_conditions(void** state)
{
    (void)state;
    static const struct {
        size_t offset;
        double value;
        const char* text; /* in the message */
    } cases[] = {
        {offsetof(scree_foundation_def, stiffness), 0.0, "k = 0"},
        {offsetof(scree_foundation_def, stiffness), -1e7, "k = -1e+07"},
        {offsetof(scree_foundation_def, damping), -5e5, "damping of the ground must be"},
        {offsetof(scree_foundation_def, damping), 0.0, "gamma = 0"},
        {offsetof(scree_foundation_def, damping), (double)NAN, "gamma = "},
        {offsetof(scree_foundation_def, ground_mass), -1.0, "m = -1"},
        {offsetof(scree_foundation_def, ground_mass), 6250.0, "gamma^2 / (4 k) = 6250"},
        {offsetof(scree_foundation_def, ground_mass), 7000.0, "tear"},
        {offsetof(scree_foundation_def, mass), 0.0, "M = 0"},
        {offsetof(scree_foundation_def, mass), -2.0, "M = -2"},
        {offsetof(scree_foundation_def, mass), 1e6, "sinks in"},
        {offsetof(scree_foundation_def, radius), 0.0, "R = 0"},
        {offsetof(scree_foundation_def, radius), -0.7, "R = -0.7"},
        {offsetof(scree_foundation_def, inertia), 47.0, "units of M R^2"},
        {offsetof(scree_foundation_def, inertia), -0.5, "I = -0.5"},
        {offsetof(scree_foundation_def, gravity), 0.0, "g = 0"},
        {offsetof(scree_foundation_def, drag_linear), -1.0, "A = -1"},
        {offsetof(scree_foundation_def, drag_square), -1.0, "B = -1"},
        {offsetof(scree_foundation_def, slope), 0.5 * SCREE_PI, "alpha = 90 degrees"},
        {offsetof(scree_foundation_def, slope), -0.1, "below 90"},
        {offsetof(scree_foundation_def, slope), (double)NAN, "alpha"},
        {offsetof(scree_foundation_def, noise), -50.0, "sigma2 = -50"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        test_host host;
        scree_env env = test_env(&host);
        scree_foundation_def def = scree_default_foundation_def();
        scree_foundation_contact contact;
        scree_foundation_fold fold[SCREE_FOUNDATION_MOST];
        scree_foundation_rest rest[SCREE_FOUNDATION_MOST];
        int32_t n;
        memcpy((char*)&def + cases[i].offset, &cases[i].value, sizeof(double));
        assert_int_equal(scree_foundation_validate(&env, &def), SCREE_ERROR_INPUT);
        require(strstr(host.text, cases[i].text), "'%s' lacks '%s'", host.text, cases[i].text);
        assert_int_equal(host.n_logged, 1);
        assert_int_equal(scree_foundation_resist(&env, &def, 1.0, &contact), SCREE_ERROR_INPUT);
        assert_int_equal(scree_foundation_folds(&env, &def, fold, &n), SCREE_ERROR_INPUT);
        assert_int_equal(scree_foundation_stationary(&env, &def, rest, &n), SCREE_ERROR_INPUT);
    }
}

static void test_wrong_calls(void** state)
{
    enum { N = 10 };
    (void)state;
    test_host host;
    scree_env env = test_env(&host);
    scree_foundation_def def = scree_default_foundation_def();
    double slope[N], speed[N], points[4 * N], window[2] = {0.04, 0.03};
    uint8_t stable[N];
    scree_foundation_loop loop;
    assert_int_equal(scree_foundation_curve(&env, &def, window, N, slope, speed, stable),
                     SCREE_ERROR_INPUT);
    assert_int_equal(scree_foundation_sweep(&env, &def, window, 1e3, N, points, &loop),
                     SCREE_ERROR_INPUT);
    window[1] = 0.05;
    assert_int_equal(scree_foundation_curve(&env, &def, window, 1, slope, speed, stable),
                     SCREE_ERROR_ARGUMENT);
    assert_int_equal(scree_foundation_sweep(&env, &def, window, -1.0, N, points, &loop),
                     SCREE_ERROR_INPUT);
    assert_int_equal(scree_foundation_sweep(&env, &def, window, 1e15, N, points, &loop),
                     SCREE_ERROR_INPUT);
    def.drag_square = 0.0; /* then nothing holds it on the steeper slope */
    assert_int_equal(scree_foundation_sweep(&env, &def, window, 1e3, N, points, &loop),
                     SCREE_ERROR_INPUT);
    assert_non_null(strstr(host.text, "nothing holds"));
    def.model = SCREE_FOUNDATION_MODEL_COUNT;
    assert_int_equal(scree_foundation_validate(&env, &def), SCREE_ERROR_INPUT);
    assert_null(scree_foundation_model_name(-1));
    assert_string_equal(scree_foundation_model_name(SCREE_FOUNDATION_PRINTED), "printed");
    scree_foundation_def zero = {.struct_size = 0};
    assert_int_equal(scree_foundation_validate(&env, &zero), SCREE_ERROR_ARGUMENT);
    assert_int_equal(host.n_held, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_integrals),     cmocka_unit_test(test_energy),
        cmocka_unit_test(test_rest),          cmocka_unit_test(test_derivatives),
        cmocka_unit_test(test_approximation), cmocka_unit_test(test_lift),
        cmocka_unit_test(test_oracle_force),  cmocka_unit_test(test_peak),
        cmocka_unit_test(test_rolling),       cmocka_unit_test(test_folds),
        cmocka_unit_test(test_scaling),       cmocka_unit_test(test_oracle_bifurcation),
        cmocka_unit_test(test_curve),         cmocka_unit_test(test_unusual_inclines),
        cmocka_unit_test(test_hysteresis),    cmocka_unit_test(test_fast_sweep),
        cmocka_unit_test(test_conditions),    cmocka_unit_test(test_wrong_calls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
