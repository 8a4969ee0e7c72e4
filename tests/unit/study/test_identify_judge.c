/* Warnings of a measurement: forces in another unit and outliers are told with their place, sound
 * measurements are left in peace. */
#include "study/identify.h"
#include "support/test.h"

#include <math.h>

/* What was logged, line by line. */
typedef struct journal {
    int n;
    char line[16][1024];
} journal;

static void note(void* user, scree_log_level level, const char* text)
{
    journal* j = user;
    assert_int_equal(level, SCREE_LOG_WARNING);
    if (j->n < 16) snprintf(j->line[j->n], sizeof j->line[0], "%s", text);
    ++j->n;
}

static const scree_set_def c = {.kind = SCREE_SET_SUPERELLIPSE, .a = 0.54, .b = 0.46, .s = 2.9};
static const scree_set_def d = {.kind = SCREE_SET_SUPERELLIPSE, .a = 1.8, .b = 1.2, .s = 2.5};

enum { MOST = 5400 };

/* A measurement whose forces can be spoilt. */
typedef struct made {
    scree_measurement m; /* of the arrays below */
    double angle[MOST], tangential[MOST], radial[MOST], normal[MOST];
} made;

static made m; /* too large for a stack */

static void simulate(made* out, double noise, int32_t samples, int32_t turns, uint64_t seed)
{
    scree_set *sliding = NULL, *direction = NULL;
    scree_measurement it;
    assert_int_equal(scree_set_create(NULL, &c, &sliding), SCREE_OK);
    assert_int_equal(scree_set_create(NULL, &d, &direction), SCREE_OK);
    scree_tribometer_def def = {.sliding = sliding,
                                .direction = direction,
                                .normal_force = 10.0,
                                .noise = noise,
                                .samples = samples,
                                .turns = turns,
                                .seed = seed};
    assert_int_equal(scree_measurement_simulate(NULL, &def, &it), SCREE_OK);
    size_t size = (size_t)it.n * sizeof(double);
    assert_true(it.n <= MOST);
    memcpy(out->angle, it.angle, size);
    memcpy(out->tangential, it.tangential, size);
    memcpy(out->radial, it.radial, size);
    memcpy(out->normal, it.normal, size);
    out->m = (scree_measurement){.n = it.n,
                                 .angle = out->angle,
                                 .tangential = out->tangential,
                                 .radial = out->radial,
                                 .normal = out->normal};
    scree_measurement_release(&it);
    scree_set_destroy(sliding);
    scree_set_destroy(direction);
}

/* The judgement alone, without what the sets say. */
static int64_t judge(made* of, double normal_force, journal* j)
{
    *j = (journal){0};
    scree_env env = {.log = note, .user = j};
    scri_arena* arena = scri_arena_create(NULL);
    scri_samples samples = {of->m.n, of->angle, of->radial, of->tangential,
                            of->m.normal ? of->normal : NULL};
    int64_t n = -1;
    assert_int_equal(scri_identify_judge(&env, arena, &of->m, &samples, normal_force, &n),
                     SCREE_OK);
    scri_arena_destroy(arena);
    return n;
}

/* Few samples without noise have steep curves and no scatter, many have tails. */
static void test_sound_measurements(void** state)
{
    (void)state;
    static const double noises[] = {0.0, 1e-3, 0.05, 0.5};
    static const int32_t samples[] = {36, 72, 360, 1800};
    scri_random random = test_seed("sound measurements", 1);
    for (int i = 0; i < test_cases(48, 480); ++i) {
        double noise = noises[i % 4];
        int32_t n = samples[i / 4 % 4], turns = 1 + i % 3;
        simulate(&m, noise, n, turns, random.key + (uint64_t)i);
        journal j;
        require(judge(&m, 0.0, &j) == 0 && j.n == 0, "%d x %d, noise %g: %s", (int)turns, (int)n,
                noise, j.line[0]);
    }
}

static void test_one_outlier(void** state)
{
    (void)state;
    static const char* const names[] = {"tangential", "radial", "normal"};
    scri_random random = test_seed("one outlier", 2);
    for (int i = 0; i < test_cases(60, 600); ++i) {
        int32_t turns = 1 + i % 3, per_turn = i % 2 ? 60 : 900;
        simulate(&m, 0.05, per_turn, turns, random.key + (uint64_t)i);
        double* forces[] = {m.tangential, m.radial, m.normal};
        int channel = i % 3;
        int64_t at = (int64_t)(scri_random_uniform(&random) * (double)m.m.n);
        double wrong = pow(10.0, 1.1 + 2.0 * scri_random_uniform(&random)) + 10.0 * (channel == 2);
        forces[channel][at] = wrong;
        journal j;
        require(judge(&m, 0.0, &j) == 1 && j.n == 1, "case %d: %d lines, %s", i, j.n, j.line[0]);
        char what[128];
        snprintf(what, sizeof what, "sample %d: the %s force is %.4g N", (int)at, names[channel],
                 wrong);
        require(strstr(j.line[0], what) && strstr(j.line[0], "outlier"), "case %d, '%s': %s", i,
                what, j.line[0]);
        /* A normal force that is given takes the place of the measured one. */
        require(judge(&m, 10.0, &j) == (channel != 2), "case %d: %s", i, j.line[0]);
    }
}

/* A sensor that was struck for a while: of three turns, two know better. */
static void test_many_outliers(void** state)
{
    (void)state;
    simulate(&m, 0.05, 900, 3, 3);
    int64_t line[2700];
    for (int64_t i = 0; i < m.m.n; ++i) line[i] = i + 2;
    m.m.line = line;
    m.m.name = "struck.csv";
    for (int i = 1000; i < 1040; ++i) m.tangential[i] = m.radial[i] = 80.0;
    journal j;
    require(judge(&m, 0.0, &j) == 40, "%s", j.line[0]);
    /* Five samples for both of their forces, and the last line. */
    require(j.n >= 6 && j.n <= 11, "%d lines", j.n);
    require(strstr(j.line[j.n - 1], "struck.csv:1041: the last of 40 outliers"), "%s",
            j.line[j.n - 1]);
}

static void scale(double* forces, int64_t n, double factor)
{
    for (int64_t i = 0; i < n; ++i) forces[i] *= factor;
}

static void test_units(void** state)
{
    (void)state;
    journal j;
    simulate(&m, 0.05, 360, 1, 4);
    scale(m.tangential, m.m.n, 1e3);
    scale(m.radial, m.m.n, 1e3);
    require(judge(&m, 0.0, &j) == 0 && j.n == 1, "%s", j.line[0]);
    require(strstr(j.line[0], "measurement: sample 0: the tangential force is") &&
                strstr(j.line[0], "in 360 of 360 samples up to sample 359") &&
                strstr(j.line[0], "f_radial in mN, or the normal force in kN?"),
            "%s", j.line[0]);
    require(judge(&m, 1e4, &j) == 0 && j.n == 0, "the same normal force: %s", j.line[0]);
    scale(m.tangential, m.m.n, 1e-6);
    scale(m.radial, m.m.n, 1e-6);
    require(judge(&m, 0.0, &j) == 0 && j.n == 1, "%s", j.line[0]);
    require(strstr(j.line[0], "in 360 of 360") && strstr(j.line[0], "normal force in mN?"), "%s",
            j.line[0]);
    m.m.normal = NULL; /* without it nothing can be said */
    require(judge(&m, 0.0, &j) == 0 && j.n == 0, "%s", j.line[0]);
}

/* Where a warning comes from without the rest: scree_identify counts, and does not refuse. */
static void test_identify(void** state)
{
    (void)state;
    simulate(&m, 0.05, 900, 2, 5);
    scree_identify_def def = scree_default_identify_def();
    scree_identification* found = NULL;
    m.tangential[77] = 9.0;
    journal j = {0};
    scree_env env = {.log = note, .user = &j};
    assert_int_equal(scree_identify(&env, &m.m, &def, &found), SCREE_OK);
    assert_true(found->n_outliers == 1 && j.n == 1);
    scree_identification_destroy(found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sound_measurements), cmocka_unit_test(test_one_outlier),
        cmocka_unit_test(test_many_outliers),      cmocka_unit_test(test_units),
        cmocka_unit_test(test_identify),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
