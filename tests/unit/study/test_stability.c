/* Stability of sliding, the mass on the belt and the sliding disc of Walker and Leine (2019), and
 * the four isotropic mechanisms, against closed forms and reference values. */
#include "scree_study/belt.h"
#include "scree_study/mechanism.h"
#include "scree_study/sliding_disc.h"
#include "scree_study/stability.h"
#include "support/test.h"

#include <math.h>

static const double pi = SCREE_PI, degree = SCREE_DEGREE;

static void require_near(const char* what, double found, double expected, double relative)
{
    require(fabs(found - expected) <= relative * fabs(expected), "%s: %.12g, expected %.12g", what,
            found, expected);
}

/* ---- linear systems -------------------------------------------------------------------------- */

/* A damped oscillator and a divergent one, coupled by nothing. */
static void modes_are_sorted(void** state)
{
    (void)state;
    const double m[4] = {2.0, 0.0, 0.0, 1.0}, b[4] = {0.8, 0.0, 0.0, 0.0};
    const double k[4] = {18.0, 0.0, 0.0, -4.0};
    scree_mode modes[4];
    scree_linear linear = {2, m, b, k};
    assert_int_equal(scree_linear_modes(NULL, &linear, modes), SCREE_OK);
    require_near("divergence", modes[0].growth, 2.0, 1e-14);
    for (int i = 1; i <= 2; ++i) {
        require_near("damping", modes[i].growth, -0.2, 1e-13);
        require_near("frequency", modes[i].frequency, sqrt(9.0 - 0.04), 1e-13);
    }
    require_near("convergence", modes[3].growth, -2.0, 1e-14);
    linear.damping = NULL;
    assert_int_equal(scree_linear_modes(NULL, &linear, modes), SCREE_OK);
    require(fabs(modes[1].growth) <= 1e-14, "undamped: %g", modes[1].growth);

    test_host host;
    scree_env env = test_env(&host);
    const double singular[4] = {1.0, 1.0, 1.0, 1.0};
    linear.mass = singular;
    assert_int_equal(scree_linear_modes(&env, &linear, modes), SCREE_ERROR_INPUT);
    require(strstr(host.text, "singular") != NULL, "said '%s'", host.text);
    linear.mass = NULL;
    assert_int_equal(scree_linear_modes(&env, &linear, modes), SCREE_ERROR_ARGUMENT);
    assert_int_equal(host.n_held, 0);
}

/* ---- sliding --------------------------------------------------------------------------------- */

typedef struct plane {
    double mass[4], stiffness[4], directions[4];
    scree_set *forces, *flow;
    scree_sliding sliding;
} plane;

static scree_set* make_set(scree_set_def def)
{
    scree_set* set = NULL;
    assert_int_equal(scree_set_create(NULL, &def, &set), SCREE_OK);
    return set;
}

/* Force set with semi-axes 30, 10 turned by 30 degrees; direction set 3 : 1. */
static void make_plane(plane* p)
{
    *p = (plane){.mass = {1.0, 0.0, 0.0, 1.0},
                 .stiffness = {1.0, 0.0, 0.0, 1.0},
                 .directions = {1.0, 0.0, 0.0, 1.0}};
    p->forces = make_set(
        (scree_set_def){.kind = SCREE_SET_ELLIPSE, .a = 30.0, .b = 10.0, .angle = 30.0 * degree});
    p->flow = make_set((scree_set_def){.kind = SCREE_SET_ELLIPSE, .a = 3.0, .b = 1.0});
    p->sliding = (scree_sliding){.n = 2,
                                 .mass = p->mass,
                                 .stiffness = p->stiffness,
                                 .directions = p->directions,
                                 .chi = {-1.0, 0.0},
                                 .load = 1.0,
                                 .forces = p->forces,
                                 .flow = p->flow};
}

static void release_plane(plane* p)
{
    scree_set_destroy(p->forces);
    scree_set_destroy(p->flow);
}

/* -lambda of eq. (84) at gamma, for the two ellipses above. */
static void force_at(const double gamma[2], double force[2])
{
    double z[2] = {9.0 * gamma[0], gamma[1]}, size = hypot(3.0 * gamma[0], gamma[1]);
    double c = cos(30.0 * degree), s = sin(30.0 * degree);
    double along = c * z[0] + s * z[1], across = c * z[1] - s * z[0];
    double gauge = hypot(along / 30.0, across / 10.0) / size;
    for (int i = 0; i < 2; ++i) force[i] = z[i] / (size * gauge);
}

/* The exact Jacobian against differences of eq. (84), and what follows from it. */
static void jacobian_is_the_derivative(void** state)
{
    (void)state;
    plane p;
    make_plane(&p);
    for (int k = 0; k < 48; ++k) {
        double phi = 7.5 * k * degree, speed = 0.5 + 0.1 * k, q[2], force[2];
        scree_sliding_report r;
        p.sliding.chi[0] = -speed * cos(phi);
        p.sliding.chi[1] = -speed * sin(phi);
        assert_int_equal(scree_sliding_analyse(NULL, &p.sliding, q, &r), SCREE_OK);
        force_at(p.sliding.chi, force);
        for (int j = 0; j < 2; ++j) {
            const double h = 1e-5;
            double up[2] = {p.sliding.chi[0], p.sliding.chi[1]}, down[2], above[2], below[2];
            memcpy(down, up, sizeof down);
            up[j] += h;
            down[j] -= h;
            force_at(up, above);
            force_at(down, below);
            for (int i = 0; i < 2; ++i) {
                double slope = (above[i] - below[i]) / (2.0 * h);
                require(fabs(r.jacobian[2 * i + j] - slope) <= 1e-6, "phi %g: J[%d][%d] = %g, %g",
                        7.5 * k, i, j, r.jacobian[2 * i + j], slope);
            }
            require(fabs(r.force[j] + force[j]) <= 1e-12, "force %d: %g", j, r.force[j]);
            require(fabs(q[j] + force[j]) <= 1e-12, "equilibrium %d: %g", j, q[j]);
        }
        require(fabs(r.trace - r.slope) <= 1e-14 + 1e-13 * fabs(r.slope), "trace %g", r.trace);
        double damping = -0.5 * r.slope; /* growth of the mode along the other eigenvector */
        double growth = fabs(damping) < 1.0 ? damping : damping + sqrt(damping * damping - 1.0);
        if (r.is_unstable) require_near("growth", r.mode.growth, growth, 1e-9);
        assert_int_equal(r.is_unstable, r.slope < 0.0);
        assert_int_equal(r.by_trace, r.is_unstable);
        assert_int_equal(r.by_slope, r.is_unstable);
        assert_int_equal(r.by_tangent, r.is_unstable);
    }
    release_plane(&p);
}

/* Other masses, stiffnesses and dampers change the answer as they should. */
static void general_systems_are_judged(void** state)
{
    (void)state;
    plane p;
    double range[8];
    int32_t n;
    const double half_turn[2] = {0.0, pi};
    make_plane(&p);
    scree_sliding_report r;
    p.sliding.chi[0] = -cos(60.0 * degree);
    p.sliding.chi[1] = -sin(60.0 * degree);
    assert_int_equal(scree_sliding_analyse(NULL, &p.sliding, NULL, &r), SCREE_OK);
    double enough[4] = {-1.01 * r.slope, 0.0, 0.0, -1.01 * r.slope};
    assert_true(r.is_unstable);
    p.sliding.damping = enough;
    assert_int_equal(scree_sliding_analyse(NULL, &p.sliding, NULL, &r), SCREE_OK);
    assert_false(r.is_unstable);
    assert_false(r.by_slope);
    p.sliding.damping = NULL;
    /* nearly the same stiffness in both directions: eigenvalues decide, and agree with the signs */
    p.stiffness[3] = 1.0 + 1e-10;
    assert_int_equal(scree_sliding_ranges(NULL, &p.sliding, half_turn, 4, range, &n), SCREE_OK);
    assert_int_equal(n, 1);
    require(fabs(range[0] / degree - 44.105835) <= 1e-3, "from %.9g", range[0] / degree);
    require(fabs(range[1] / degree - 75.894165) <= 1e-3, "to %.9g", range[1] / degree);
    /* associated: never */
    p.sliding.flow = NULL;
    assert_int_equal(scree_sliding_ranges(NULL, &p.sliding, half_turn, 4, range, &n), SCREE_OK);
    assert_int_equal(n, 0);
    release_plane(&p);
}

static void sliding_faults_are_named(void** state)
{
    (void)state;
    test_host host;
    scree_env env = test_env(&host);
    plane p;
    scree_sliding_report r;
    make_plane(&p);
    scree_set* star =
        make_set((scree_set_def){.kind = SCREE_SET_SUPERELLIPSE, .a = 1.0, .b = 1.0, .s = 0.7});
    scree_set* box = make_set((scree_set_def){.kind = SCREE_SET_RECTANGLE, .a = 1.0, .b = 1.0});
    scree_sliding bad = p.sliding;
    bad.chi[0] = 0.0;
    assert_int_equal(scree_sliding_analyse(&env, &bad, NULL, &r), SCREE_ERROR_INPUT);
    require(strstr(host.text, "velocity") != NULL, "said '%s'", host.text);
    bad = p.sliding;
    bad.load = 0.0;
    assert_int_equal(scree_sliding_analyse(&env, &bad, NULL, &r), SCREE_ERROR_INPUT);
    require(strstr(host.text, "load") != NULL, "said '%s'", host.text);
    bad = p.sliding;
    bad.flow = star;
    assert_int_equal(scree_sliding_analyse(&env, &bad, NULL, &r), SCREE_ERROR_INPUT);
    require(strstr(host.text, "convex") != NULL, "said '%s'", host.text);
    bad.flow = box;
    assert_int_equal(scree_sliding_analyse(&env, &bad, NULL, &r), SCREE_ERROR_INPUT);
    require(strstr(host.text, "flat") != NULL, "said '%s'", host.text);
    bad = p.sliding;
    bad.mass = NULL;
    assert_int_equal(scree_sliding_analyse(&env, &bad, NULL, &r), SCREE_ERROR_ARGUMENT);
    scree_set_destroy(star);
    scree_set_destroy(box);
    release_plane(&p);
    assert_int_equal(host.n_held, 0);
}

/* ---- the belt -------------------------------------------------------------------------------- */

/* At a limit of the unstable directions sliding is tangent to C: J has the eigenvalue 0 twice and
 * is nilpotent, but not 0 (Proposition 8). Everywhere D and G of (111) are its parts. */
static void tangent_sliding_is_nilpotent(void** state)
{
    (void)state;
    plane p;
    const double half_turn[2] = {0.0, pi};
    double range[8];
    int32_t n;
    make_plane(&p);
    assert_int_equal(scree_sliding_ranges(NULL, &p.sliding, half_turn, 4, range, &n), SCREE_OK);
    assert_int_equal(n, 1);
    for (int i = 0; i < 40; ++i) {
        scree_sliding_report r;
        double phi = i < 2 ? range[i] : i * pi / 40.0;
        p.sliding.chi[0] = -cos(phi);
        p.sliding.chi[1] = -sin(phi);
        assert_int_equal(scree_sliding_analyse(NULL, &p.sliding, NULL, &r), SCREE_OK);
        const double* j = r.jacobian;
        double size = hypot(hypot(j[0], j[1]), hypot(j[2], j[3]));
        double square[4] = {j[0] * j[0] + j[1] * j[2], j[1] * (j[0] + j[3]), j[2] * (j[0] + j[3]),
                            j[3] * j[3] + j[1] * j[2]};
        double largest =
            fmax(fmax(fabs(square[0]), fabs(square[1])), fmax(fabs(square[2]), fabs(square[3])));
        assert_int_equal(r.zero_multiplicity, i < 2 ? 2 : 1);
        if (i < 2)
            require(largest <= 1e-9 * size * size && size > 1.0, "J^2 %g of %g", largest, size);
        require((r.tangency < -1e-9) == (r.slope < -1e-9 * size), "%g: tangency %g, slope %g", phi,
                r.tangency, r.slope);
        /* the eigenvalues of D and the number of G, from the entries */
        double trace = j[0] + j[3], shear = j[1] + j[2];
        double det = j[0] * j[3] - 0.25 * shear * shear;
        require(fabs(r.damping[0] + r.damping[1] - trace) <= 1e-12 * size &&
                    fabs(r.damping[0] * r.damping[1] - det) <= 1e-12 * size * size &&
                    r.damping[0] <= r.damping[1],
                "D: %g and %g", r.damping[0], r.damping[1]);
        require(fabs(0.5 * shear + r.gyroscopic - j[1]) <= 1e-12 * size, "G: %g", r.gyroscopic);
    }
    scree_set_destroy(p.forces);
    scree_set_destroy(p.flow);
}

/* Theorem 1: under the associated law the distance of two motions never grows, but for what the
 * steps do to a spring, which falls with the step; under the extended law, on a belt that excites
 * vibrations, it does. */
static void two_motions_come_closer(void** state)
{
    (void)state;
    test_of_numbers();
    scree_belt_def def = scree_default_belt_def();
    double rise[2];
    for (int fine = 0; fine < 2; ++fine) {
        scree_belt_pair pair;
        scree_belt_pair_def asked = {.other = {0.3, 1.2}, .duration = 25.0, .associated = 1};
        def.phi = 50.0 * degree;
        def.step = fine ? 2e-3 : 8e-3;
        def.start[0] = -0.7;
        def.start[1] = 0.4;
        assert_int_equal(scree_belt_compare(NULL, &def, &asked, &pair), SCREE_OK);
        double dx = 1.0, dy = 0.8;
        require_near("V at the beginning", pair.first, 0.5 * def.stiffness * (dx * dx + dy * dy),
                     1e-12);
        require(pair.last <= 1.001 * pair.first && pair.not_converged == 0, "V %g, then %g",
                pair.first, pair.last);
        rise[fine] = pair.rise;
        asked.associated = 0;
        assert_int_equal(scree_belt_compare(NULL, &def, &asked, &pair), SCREE_OK);
        require(pair.rise > 1.0, "extended: V rises by %g only", pair.rise);
    }
    print_message("associated: V rises by %.2e and %.2e\n", rise[0], rise[1]);
    require(rise[0] < 2e-2 && rise[1] < 0.5 * rise[0] + 1e-9, "it rises by %g and %g", rise[0],
            rise[1]);
}

static void belt_ranges_and_rotations(void** state)
{
    (void)state;
    scree_belt_def def = scree_default_belt_def();
    double range[8], zeta[8], exact = 0.5 * asin(9.0 / 16.0);
    int32_t n;
    assert_int_equal(scree_belt_ranges(NULL, &def, 4, range, &n), SCREE_OK);
    assert_int_equal(n, 1);
    require(fabs(range[0] / degree - 44.105835) <= 1e-6, "from %.9g", range[0] / degree);
    require(fabs(range[1] / degree - 75.894165) <= 1e-6, "to %.9g", range[1] / degree);
    assert_int_equal(scree_belt_critical(NULL, &def, 4, zeta, &n), SCREE_OK);
    assert_int_equal(n, 2);
    require(fabs(zeta[0] - exact) <= 1e-9, "%.12g", zeta[0] / degree);
    require(fabs(zeta[1] - (0.5 * pi - exact)) <= 1e-9, "%.12g", zeta[1] / degree);
    /* on either side of the critical rotation there are unstable directions, or none */
    for (int side = 0; side < 2; ++side) {
        def.zeta = exact + (side ? 1e-3 : -1e-3);
        assert_int_equal(scree_belt_ranges(NULL, &def, 4, range, &n), SCREE_OK);
        assert_int_equal(n, side);
    }
    /* collinear sliding: never */
    def.zeta = 30.0 * degree;
    def.ratio = 1.0;
    assert_int_equal(scree_belt_critical(NULL, &def, 4, zeta, &n), SCREE_OK);
    assert_int_equal(n, 0);
}

/* The reference values of PITFALLS.md; here with a coarser step, so that a test takes a second: the
 * deviation is proportional to the step. */
static void belt_has_its_limit_cycle(void** state)
{
    (void)state;
    test_of_numbers();
    scree_belt_def def = scree_default_belt_def();
    scree_belt_cycle c;
    def.step = test_all() ? 2e-3 : 3e-3;
    def.start[0] = 4.0;
    def.discard = 4;
    def.measure = 2;
    assert_int_equal(scree_belt_simulate(NULL, &def, NULL, NULL, &c), SCREE_OK);
    assert_int_equal(c.outcome, SCREE_BELT_CYCLE);
    assert_int_equal(c.not_converged, 0);
    require(c.residual <= 1e-10, "residual %g", c.residual);
    require_near("period", c.period, 28.70345, 1e-3);
    require_near("x min", c.least[0], 13.0932, 1e-3);
    require_near("x max", c.most[0], 26.9179, 1e-3);
    require_near("y min", c.least[1], -4.1477, 2e-3);
    require_near("y max", c.most[1], 15.5643, 1e-3);
    require_near("stick fraction", c.stick_fraction, 0.68892, 1e-3);
    require_near("slip speed", c.slip_speed, 8.87444, 1e-3);
}

static int count_until_100(void* user, const scree_belt_sample* sample)
{
    int* n = user;
    require(sample->time > 0.0 && !sample->is_measured, "sample at %g s", sample->time);
    return ++*n == 100;
}

static void belt_may_stay_or_be_stopped(void** state)
{
    (void)state;
    scree_belt_def def = scree_default_belt_def();
    scree_belt_cycle c;
    scree_belt_equilibrium rest;
    def.phi = 30.0 * degree;
    def.step = 5e-3;
    def.end = 2000.0;
    assert_int_equal(scree_belt_simulate(NULL, &def, NULL, NULL, &c), SCREE_OK);
    assert_int_equal(scree_belt_analyse(NULL, &def, &rest), SCREE_OK);
    assert_int_equal(c.outcome, SCREE_BELT_STEADY);
    assert_true(isnan(c.period));
    assert_false(rest.is_unstable);
    for (int i = 0; i < 2; ++i) {
        require(c.least[i] <= rest.position[i] + 0.1 && c.most[i] >= rest.position[i] - 0.1 &&
                    c.most[i] - c.least[i] <= 1.0,
                "%g to %g about %g", c.least[i], c.most[i], rest.position[i]);
    }
    int n = 0;
    assert_int_equal(scree_belt_simulate(NULL, &def, count_until_100, &n, &c), SCREE_OK);
    assert_int_equal(c.outcome, SCREE_BELT_INTERRUPTED);
    assert_int_equal(c.steps, 100);
    test_host host;
    scree_env env = test_env(&host);
    def.measure = 0;
    assert_int_equal(scree_belt_simulate(&env, &def, NULL, NULL, &c), SCREE_ERROR_INPUT);
    require(strstr(host.text, "measure") != NULL, "said '%s'", host.text);
    def = scree_default_belt_def();
    def.semi_axis[1] = -1.0;
    assert_int_equal(scree_belt_analyse(&env, &def, &rest), SCREE_ERROR_INPUT);
    require(strstr(host.text, "semi-axis") != NULL, "said '%s'", host.text);
    assert_int_equal(host.n_held, 0);
}

/* ---- the disc -------------------------------------------------------------------------------- */

static void disc_stops_where_it_should(void** state)
{
    (void)state;
    static const double expected[SCREE_DISC_LAW_COUNT][5] = {
        /* stop across and along, path, deflection in degrees, time */
        {0.185647, 0.128890, 0.226288, 2.771, 0.299302},
        {0.176564, 0.111456, 0.208804, 0.262, 0.274837},
        {0.177076, 0.110649, 0.208804, 0.0, 0.274742},
        {0.165172, 0.140955, 0.220645, 8.477, 0.298289},
    };
    for (int law = 0; law < SCREE_DISC_LAW_COUNT; ++law) {
        scree_disc_def def = scree_default_disc_def((scree_disc_law)law);
        scree_disc_path path;
        const double* e = expected[law];
        def.step = 5e-5;
        assert_int_equal(scree_disc_simulate(NULL, &def, NULL, NULL, &path), SCREE_OK);
        assert_true(path.has_stopped);
        assert_int_equal(path.not_converged, 0);
        require(path.residual <= 1e-10, "residual %g", path.residual);
        require_near(scree_disc_law_name(law), path.stop[0], e[0], 1e-3);
        require_near(scree_disc_law_name(law), path.stop[1], e[1], 1e-3);
        require_near(scree_disc_law_name(law), path.length, e[2], 1e-3);
        require_near(scree_disc_law_name(law), path.time, e[4], 1e-3);
        double off = fabs(path.deflection / degree - e[3]);
        require(off <= 1e-3 * e[3] + 1e-6, "%s: deflection %g", scree_disc_law_name(law),
                path.deflection / degree);
    }
    assert_null(scree_disc_law_name(SCREE_DISC_LAW_COUNT));
    test_host host;
    scree_env env = test_env(&host);
    scree_disc_def def = scree_default_disc_def(SCREE_DISC_EXTENDED);
    scree_disc_path path;
    def.flow[2] = 0.5; /* not convex */
    assert_int_not_equal(scree_disc_simulate(&env, &def, NULL, NULL, &path), SCREE_OK);
    assert_int_equal(host.n_held, 0);
}

/* ---- the isotropic mechanisms ---------------------------------------------------------------- */

static int find_mechanism(const char* name, double* value)
{
    for (int i = 0; i < scree_mechanism_count(); ++i) {
        scree_mechanism_info info = scree_mechanism_get(i);
        if (strcmp(info.name, name) != 0) continue;
        for (int k = 0; k < info.n_parameters; ++k) value[k] = info.parameter[k].usual;
        return i;
    }
    fail_msg("no mechanism %s", name);
    return -1;
}

static void onsets_are_those_of_theory(void** state)
{
    (void)state;
    double v[SCREE_MECHANISM_PARAMETERS], onset;
    int index = find_mechanism("stribeck", v); /* m g (mu_0 - mu_k) / v_s exp(-v / v_s) = c */
    assert_int_equal(scree_mechanism_onset(NULL, index, v, &onset), SCREE_OK);
    require_near("stribeck", onset, v[5] * log(v[0] * v[6] * (v[3] - v[4]) / (v[2] * v[5])), 1e-8);
    index = find_mechanism("sprag-slip", v); /* mu = cot a */
    assert_int_equal(scree_mechanism_onset(NULL, index, v, &onset), SCREE_OK);
    require_near("sprag-slip", onset, 1.0 / tan(v[5] * degree), 1e-8);
    /* Ziegler: P = (41/28 + c^2 / (2 m l^2 k)) k / l with damping, (7/2 - sqrt 2) k / l without */
    index = find_mechanism("follower", v);
    assert_int_equal(scree_mechanism_onset(NULL, index, v, &onset), SCREE_OK);
    double load = (41.0 / 28.0 + v[3] * v[3] / (2.0 * v[0] * v[1] * v[1] * v[2])) * v[2] / v[1];
    require_near("follower", onset * v[4], load, 1e-7);
    v[3] = 0.0;
    assert_int_equal(scree_mechanism_onset(NULL, index, v, &onset), SCREE_OK);
    require_near("follower, undamped", onset * v[4], (3.5 - sqrt(2.0)) * v[2] / v[1], 1e-7);
    /* mode coupling without dampers and belt mass: frequencies meet where the discriminant is 0 */
    index = find_mechanism("mode-coupling", v);
    v[1] = 1e-9;
    v[7] = v[8] = 0.0;
    assert_int_equal(scree_mechanism_onset(NULL, index, v, &onset), SCREE_OK);
    double k11 = v[2] + 0.5 * v[4], k22 = v[3] + v[6] + 0.5 * v[4], k21 = -0.5 * v[4];
    double k12 = -(k11 - k22) * (k11 - k22) / (4.0 * k21);
    require_near("mode-coupling", onset, (k12 - k21) / v[6], 1e-5);
}

static void simulations_agree_with_eigenvalues(void** state)
{
    (void)state;
    for (int i = 0; i < test_few(scree_mechanism_count(), 1); ++i) {
        scree_mechanism_info info = scree_mechanism_get(i);
        double v[SCREE_MECHANISM_PARAMETERS], onset;
        find_mechanism(info.name, v);
        assert_int_equal(scree_mechanism_onset(NULL, i, v, &onset), SCREE_OK);
        for (int side = 0; side < test_few(2, 1); ++side) {
            scree_mode mode;
            scree_mechanism_run run;
            v[info.varied] = onset * (side ? 1.08 : 0.92);
            assert_int_equal(scree_mechanism_mode(NULL, i, v, &mode), SCREE_OK);
            double step = 2.0 * pi / mode.frequency / 200.0;
            assert_int_equal(scree_mechanism_simulate(NULL, i, v, step, &run), SCREE_OK);
            assert_int_equal(run.not_converged, 0);
            require(run.residual <= 1e-10, "%s: residual %g", info.name, run.residual);
            require(fabs(run.growth - mode.growth) <= 0.05 * fabs(mode.growth),
                    "%s: grows by %g, eigenvalue %g", info.name, run.growth, mode.growth);
        }
    }
    double v[SCREE_MECHANISM_PARAMETERS], linear, simulated;
    scree_mechanism_run all;
    int index = find_mechanism("mode-coupling", v);
    assert_int_equal(scree_mechanism_onset(NULL, index, v, &linear), SCREE_OK);
    assert_int_equal(scree_mechanism_onset_simulated(NULL, index, v, 1e-3, &simulated, &all),
                     SCREE_OK);
    require_near("onset", simulated, linear, 5e-3);
    assert_true(all.steps > 0 && all.not_converged == 0 && all.residual <= 1e-10);
}

static void mechanism_faults_are_named(void** state)
{
    (void)state;
    test_host host;
    scree_env env = test_env(&host);
    double v[SCREE_MECHANISM_PARAMETERS], onset;
    scree_mode mode;
    scree_mechanism_run run;
    int index = find_mechanism("stribeck", v);
    assert_null(scree_mechanism_get(-1).name);
    assert_int_equal(scree_mechanism_mode(&env, 99, v, &mode), SCREE_ERROR_ARGUMENT);
    assert_int_equal(scree_mechanism_simulate(&env, index, v, -1.0, &run), SCREE_ERROR_INPUT);
    require(strstr(host.text, "step") != NULL, "said '%s'", host.text);
    v[2] = 1000.0; /* so much damping that nothing is unstable */
    assert_int_equal(scree_mechanism_onset(&env, index, v, &onset), SCREE_OK);
    assert_true(isnan(onset));
    v[0] = 0.0;
    assert_int_equal(scree_mechanism_mode(&env, index, v, &mode), SCREE_ERROR_INPUT);
    require(strstr(host.text, "m = 0 must be finite and positive") != NULL, "said '%s'", host.text);
    assert_int_equal(host.n_held, 0);
}

/* Every allocation fails once. */
static void memory_may_be_short(void** state)
{
    (void)state;
    int succeeded = 0;
    for (long k = 0; !succeeded; ++k) {
        test_host host;
        scree_env env = test_env(&host);
        scree_belt_def def = scree_default_belt_def();
        scree_belt_cycle cycle;
        scree_disc_path path;
        scree_disc_def disc = scree_default_disc_def(SCREE_DISC_EXTENDED);
        def.end = 0.01;
        disc.step = 1e-2;
        host.fail_at = k;
        scree_status status = scree_belt_simulate(&env, &def, NULL, NULL, &cycle);
        if (!status) status = scree_disc_simulate(&env, &disc, NULL, NULL, &path);
        assert_true(status == SCREE_OK || status == SCREE_ERROR_MEMORY);
        assert_int_equal(host.n_held, 0);
        succeeded = status == SCREE_OK;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modes_are_sorted),
        cmocka_unit_test(jacobian_is_the_derivative),
        cmocka_unit_test(general_systems_are_judged),
        cmocka_unit_test(sliding_faults_are_named),
        cmocka_unit_test(tangent_sliding_is_nilpotent),
        cmocka_unit_test(two_motions_come_closer),
        cmocka_unit_test(belt_ranges_and_rotations),
        cmocka_unit_test(belt_has_its_limit_cycle),
        cmocka_unit_test(belt_may_stay_or_be_stopped),
        cmocka_unit_test(disc_stops_where_it_should),
        cmocka_unit_test(onsets_are_those_of_theory),
        cmocka_unit_test(simulations_agree_with_eigenvalues),
        cmocka_unit_test(mechanism_faults_are_named),
        cmocka_unit_test(memory_may_be_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
