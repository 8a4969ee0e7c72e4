/* Mechanisms beyond their onset: what bounds the motion, and that the impact oscillator has the
 * equations it says. */
#include "scree_study/mechanism.h"
#include "support/test.h"

#include <math.h>
#include <string.h>

static const double degree = SCREE_DEGREE;

static int find(const char* name, double* value)
{
    for (int i = 0; i < scree_mechanism_count(); ++i) {
        scree_mechanism_info info = scree_mechanism_get(i);
        for (int k = 0; k < info.n_parameters; ++k) value[k] = info.parameter[k].usual;
        if (strcmp(info.name, name) == 0) return i;
    }
    fail_msg("no mechanism %s", name);
    return -1;
}

/* ---- the impact oscillator ---- */

enum { M_1, M_2, LENGTH, K_Y, C_Y, K_R, C_R, ANGLE, LOAD, SPEED, MU };

typedef struct balance {
    const double* v;
    double first, worst, size;
    int n;
} balance;

/* Energy from the places of the two masses, which the model does not have as coordinates. */
static int weigh(void* user, const scree_mechanism_sample* s)
{
    balance* b = user;
    const double* v = b->v;
    double q = s->position[0], z = s->position[1], w = s->velocity[0], u = s->velocity[1];
    double l = v[LENGTH], a = v[ANGLE] * degree;
    double y = z + l * cos(q), rise = u - l * sin(q) * w, across = l * cos(q) * w;
    double kinetic = 0.5 * v[M_1] * rise * rise + 0.5 * v[M_2] * (u * u + across * across);
    double away = y - l * cos(a), turned = q + a;
    double springs = 0.5 * v[K_Y] * away * away + 0.5 * v[K_R] * turned * turned;
    double held = v[LOAD] * l * (sin(a) - v[MU] * cos(a)) * turned;
    double energy = kinetic + springs + v[LOAD] * away - held;
    if (b->n++ == 0) b->first = energy;
    b->size = fmax(b->size, kinetic);
    b->worst = fmax(b->worst, fabs(energy - b->first));
    return 0;
}

/* Without friction and dampers energy is kept, also with large angles: masses, whirling terms and
 * springs belong together. The error falls with the step: whirling terms take the velocities at its
 * beginning. */
static void a_frictionless_rod_keeps_its_energy(void** state)
{
    (void)state;
    double v[SCREE_MECHANISM_PARAMETERS], error[2];
    int index = find("impact-oscillator", v);
    v[MU] = v[C_R] = 0.0;
    v[C_Y] = 1e-12;
    v[M_2] = 0.4;
    for (int k = 0; k < 2; ++k) {
        balance b = {.v = v};
        scree_mechanism_motion motion;
        scree_mechanism_motion_def def = scree_default_mechanism_motion_def();
        def.start = 0.2;
        def.duration = 2.0;
        def.step = k ? 5e-5 : 2e-4;
        def.watch = weigh;
        def.user = &b;
        assert_int_equal(scree_mechanism_follow(NULL, index, v, &def, &motion), SCREE_OK);
        require(motion.open_fraction == 0.0 && motion.not_converged == 0, "open %g",
                motion.open_fraction);
        error[k] = b.worst / b.size;
        require(b.size > 1.0, "it hardly moves: %g J", b.size);
    }
    require(error[0] <= 6e-3 && error[1] <= 0.3 * error[0], "errors %g and %g", error[0], error[1]);
}

/* mu = tan a + c_r / (c_y l^2 sin a cos a) */
static void its_onset_is_that_of_theory(void** state)
{
    (void)state;
    double v[SCREE_MECHANISM_PARAMETERS], onset;
    int index = find("impact-oscillator", v);
    for (int k = 0; k < 6; ++k) {
        v[ANGLE] = 15.0 + 5.0 * k;
        v[C_R] = 0.1 * k;
        v[LENGTH] = 1.0 + 0.05 * k;
        double s = sin(v[ANGLE] * degree), c = cos(v[ANGLE] * degree);
        double expected = s / c + v[C_R] / (v[C_Y] * v[LENGTH] * v[LENGTH] * s * c);
        assert_int_equal(scree_mechanism_onset(NULL, index, v, &onset), SCREE_OK);
        require(fabs(onset - expected) <= 1e-8, "at %g degrees: %.10g, not %.10g", v[ANGLE], onset,
                expected);
    }
}

/* ---- what bounds them ---- */

typedef struct look {
    double fastest, slip; /* of coordinate 0; largest slip */
    double steepest;      /* largest |friction| - mu N */
    double mu, deepest;   /* and the deepest N */
    int stuck;
} look;

static int watch(void* user, const scree_mechanism_sample* s)
{
    look* l = user;
    l->fastest = fmax(l->fastest, s->velocity[0]);
    l->slip = fmax(l->slip, fabs(s->slip));
    l->steepest = fmax(l->steepest, fabs(s->friction) - l->mu * s->normal);
    l->deepest = fmin(l->deepest, s->normal);
    l->stuck += s->sticks;
    return 0;
}

/* Beyond the onset every one grows until it sticks or lifts off, and stays bounded; before it, it
 * dies out. */
static void motions_grow_until_they_stick(void** state)
{
    (void)state;
    static const struct {
        const char* name;
        double beyond, before, size; /* most extent of coordinate 0 */
    } cases[] = {{"stribeck", 0.3, 1.2, 0.1},
                 {"mode-coupling", 0.6, 0.3, 0.1},
                 {"sprag-slip", 0.9, 0.4, 0.2},
                 {"impact-oscillator", 1.2, 0.5, 0.1},
                 {"follower", 0.5, 0.25, 2.5}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; ++k) {
        double v[SCREE_MECHANISM_PARAMETERS];
        int index = find(cases[k].name, v);
        scree_mechanism_info info = scree_mechanism_get(index);
        scree_mode mode;
        for (int side = 0; side < 2; ++side) {
            v[info.varied] = side ? cases[k].beyond : cases[k].before;
            look l = {.mu = SCREE_INFINITY};
            scree_mechanism_motion motion;
            scree_mechanism_motion_def def = scree_default_mechanism_motion_def();
            assert_int_equal(scree_mechanism_mode(NULL, index, v, &mode), SCREE_OK);
            def.step = 2.0 * 3.14159265358979 / mode.frequency / 100.0;
            def.watch = watch;
            def.user = &l;
            if (strcmp(info.name, "stribeck") != 0) l.mu = v[info.varied];
            assert_int_equal(scree_mechanism_follow(NULL, index, v, &def, &motion), SCREE_OK);
            double extent = motion.most - motion.least;
            assert_int_equal(motion.not_converged, 0);
            require(l.deepest >= 0.0 && !(l.steepest > 1e-9), "%s: N %g, beyond by %g", info.name,
                    l.deepest, l.steepest);
            if (!side) {
                require(extent < 2e-3 && l.stuck == 0, "%s: before the onset %g", info.name,
                        extent);
                continue;
            }
            require(motion.stick_fraction > 0.01, "%s: sticks %g", info.name,
                    motion.stick_fraction);
            require(extent > 0.01 && extent < cases[k].size, "%s: extent %g", info.name, extent);
            require(motion.period > 0.0, "%s: period %g", info.name, motion.period);
        }
    }
}

/* The block of a stick-slip oscillator is never faster than the belt that carries it. */
static void a_block_is_carried_at_the_speed_of_the_belt(void** state)
{
    (void)state;
    double v[SCREE_MECHANISM_PARAMETERS];
    int index = find("stribeck", v);
    look l = {.mu = SCREE_INFINITY};
    scree_mechanism_motion motion;
    scree_mechanism_motion_def def = scree_default_mechanism_motion_def();
    v[7] = 0.2;
    def.step = 2e-3;
    def.watch = watch;
    def.user = &l;
    assert_int_equal(scree_mechanism_follow(NULL, index, v, &def, &motion), SCREE_OK);
    require(fabs(l.fastest - v[7]) <= 1e-9, "at most %.17g m/s", l.fastest);
    /* Between two sticks it swings about mu_k N / k, by no less than v / omega. */
    require(motion.most - motion.least >= 2.0 * v[7] * sqrt(v[0] / v[1]), "extent %g",
            motion.most - motion.least);
}

static void faults_are_named(void** state)
{
    (void)state;
    test_host host;
    scree_env env = test_env(&host);
    double v[SCREE_MECHANISM_PARAMETERS];
    int index = find("sprag-slip", v);
    scree_mechanism_motion motion;
    scree_mechanism_motion_def def = scree_default_mechanism_motion_def();
    def.duration = -1.0;
    assert_int_equal(scree_mechanism_follow(&env, index, v, &def, &motion), SCREE_ERROR_INPUT);
    require(strstr(host.text, "duration = -1") != NULL, "said '%s'", host.text);
    def = scree_default_mechanism_motion_def();
    def.start = (double)NAN;
    assert_int_equal(scree_mechanism_follow(&env, index, v, &def, &motion), SCREE_ERROR_INPUT);
    assert_int_equal(scree_mechanism_follow(&env, 99, v, &def, &motion), SCREE_ERROR_ARGUMENT);
    assert_int_equal(scree_mechanism_follow(&env, index, v, NULL, &motion), SCREE_ERROR_ARGUMENT);
    def.struct_size = 3;
    assert_int_equal(scree_mechanism_follow(&env, index, v, &def, &motion), SCREE_ERROR_ARGUMENT);
    assert_int_equal(host.n_held, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_frictionless_rod_keeps_its_energy),
        cmocka_unit_test(its_onset_is_that_of_theory),
        cmocka_unit_test(motions_grow_until_they_stick),
        cmocka_unit_test(a_block_is_carried_at_the_speed_of_the_belt),
        cmocka_unit_test(faults_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
