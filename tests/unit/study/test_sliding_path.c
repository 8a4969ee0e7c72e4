/* Friction from paths: made-up paths give back what they were made of. */
#include "base/random.h"
#include "scree_study/sliding_path.h"
#include "support/draw.h"
#include "support/test.h"

#include <math.h>
#include <string.h>

static const double degree = SCREE_DEGREE;

enum { MOST = 400 };

typedef struct made {
    double time[MOST], position[2 * MOST];
    int n, every, step;
    double noise;
    scri_random* random;
    double begin[2];
} made;

static double normal(scri_random* random)
{
    double size = sqrt(-2.0 * log(1.0 - scri_random_uniform(random)));
    return size * cos(2.0 * 3.14159265358979 * scri_random_uniform(random));
}

static int keep(void* user, const scree_disc_sample* s)
{
    made* m = user;
    if (m->step++ % m->every || m->n == MOST) return 0;
    m->time[m->n] = s->time;
    for (int k = 0; k < 2; ++k) {
        m->position[2 * m->n + k] = m->begin[k] + s->position[k] + m->noise * normal(m->random);
    }
    m->n++;
    return 0;
}

/* A path of the disc, every two milliseconds, from a simulation with a finer step than that of the
 * fit. */
static scree_path make(made* m, const scree_disc_def* disc, double noise, scri_random* random)
{
    scree_disc_def fine = *disc;
    scree_disc_path result;
    *m = (made){.every = 40, .noise = noise, .random = random, .begin = {0.05, -0.02}};
    fine.step = 5e-5;
    assert_int_equal(scree_disc_simulate(NULL, &fine, keep, m, &result), SCREE_OK);
    assert_true(m->n > 100 && result.has_stopped);
    return (scree_path){m->n, m->time, m->position};
}

/* With a step that is coarse enough for a test. */
static scree_path_def coarse(scree_disc_law law)
{
    scree_path_def def = scree_default_path_def(law);
    def.disc.step = 2e-3;
    return def;
}

static double truth_of(const scree_disc_def* disc, int p)
{
    const double value[SCREE_PATH_OWN] = {disc->forces[0], disc->forces[1], disc->forces[2],
                                          disc->flow[1] / disc->flow[0], disc->flow[2]};
    return value[p];
}

/* Two paths without noise, begun far from what they were made of. */
static void exact_paths_give_back_their_sets(void** state)
{
    (void)state;
    scri_random random = test_seed("exact paths", 27);
    static const double phi[2] = {60.0, 20.0};
    made store[2];
    scree_path path[2];
    scree_disc_def truth = scree_default_disc_def(SCREE_DISC_EXTENDED);
    for (int k = 0; k < 2; ++k) {
        truth.phi = phi[k] * degree;
        path[k] = make(&store[k], &truth, 0.0, &random);
    }
    scree_path_def def = coarse(SCREE_DISC_EXTENDED);
    scree_path_found found;
    def.disc.forces[0] = 4.5, def.disc.forces[1] = 4.6, def.disc.forces[2] = 2.6;
    def.disc.flow[1] = 0.8 * def.disc.flow[0], def.disc.flow[2] = 2.3;
    def.free &= ~(1u << SCREE_PATH_ACROSS | 1u << SCREE_PATH_ALONG);
    if (!test_all()) { /* fewer, for time's sake */
        def.free &= ~(1u << SCREE_PATH_S | 1u << SCREE_PATH_D_S);
        def.disc.forces[2] = truth.forces[2], def.disc.flow[2] = truth.flow[2];
    }
    assert_int_equal(scree_path_fit(NULL, path, 2, &def, &found), SCREE_OK);
    print_message("rms %.2g m, before %.2g m\n", found.rms, found.rms_first);
    assert_true(found.converged);
    require(found.rms <= 2e-5 && found.rms_first > 1e-3, "rms %g m", found.rms);
    for (int p = 0; p < SCREE_PATH_OWN; ++p) {
        double value = found.value[p].value, is = truth_of(&truth, p);
        require(fabs(value / is - 1.0) <= 1e-2, "%s: %g, not %g", scree_path_parameter_name(p),
                value, is);
    }
    for (int k = 0; k < 2; ++k) {
        require(fabs(found.own[k][0].value - 1.52) <= 1e-3, "speed %g", found.own[k][0].value);
        require(fabs(found.own[k][1].value - phi[k] * degree) <= 1e-3, "phi %g",
                found.own[k][1].value / degree);
    }
}

/* With noise what comes back is within its errors: four standard errors hold nearly always, six do.
 * They are those of a law that is linear about what was found, and a little small. */
static void noisy_paths_say_how_well_they_know(void** state)
{
    (void)state;
    test_of_numbers();
    scri_random random = test_seed("noisy paths", 28);
    int n = test_cases(1, 40), inside = 0, all = 0, far = 0;
    for (int i = 0; i < n; ++i) {
        made store[2];
        scree_path path[2];
        scree_disc_def truth = scree_default_disc_def(SCREE_DISC_EXTENDED);
        for (int k = 0; k < 2; ++k) {
            truth.phi = (k ? 20.0 : 60.0) * degree;
            path[k] = make(&store[k], &truth, 2e-4, &random);
        }
        scree_path_def def = coarse(SCREE_DISC_EXTENDED);
        scree_path_found found;
        def.free &= ~(1u << SCREE_PATH_S | 1u << SCREE_PATH_D_S);
        def.disc.forces[0] = 4.4, def.disc.forces[1] = 4.6;
        assert_int_equal(scree_path_fit(NULL, path, 2, &def, &found), SCREE_OK);
        require(found.converged && fabs(found.rms / 2e-4 - 1.0) <= 0.15, "rms %g", found.rms);
        for (int p = 0; p < SCREE_PATH_OWN; ++p) {
            double off = found.value[p].value - truth_of(&truth, p), error = found.value[p].error;
            int is_held = p == SCREE_PATH_S || p == SCREE_PATH_D_S;
            far += fabs(off) > 4.0 * error;
            require(is_held ? off == 0.0 && error == 0.0 : fabs(off) <= 6.0 * error,
                    "%s: off by %g, error %g", scree_path_parameter_name(p), off, error);
            require(error <= 0.01 * truth_of(&truth, p), "%s: error %g",
                    scree_path_parameter_name(p), error);
            if (is_held) continue;
            all++;
            inside += truth_of(&truth, p) > found.value[p].low &&
                      truth_of(&truth, p) < found.value[p].high;
        }
    }
    require(far * 50 <= all, "%d of %d are off by four errors", far, all);
    require(all < 20 || inside * 10 >= all * 7, "%d of %d within their intervals", inside, all);
}

/* Points without times: the shape of the path gives the ratio of D, at the speed that is given. */
static void points_alone_are_enough_for_directions(void** state)
{
    (void)state;
    scri_random random = test_seed("points", 29);
    made store;
    scree_disc_def truth = scree_default_disc_def(SCREE_DISC_EXTENDED);
    scree_path path = make(&store, &truth, 0.0, &random);
    path.time = NULL;
    scree_path_def def = coarse(SCREE_DISC_EXTENDED);
    scree_path_found found;
    def.free = 1u << SCREE_PATH_D_RATIO | 1u << SCREE_PATH_PHI | 1u << SCREE_PATH_SPEED;
    def.disc.flow[1] = 1.5;
    assert_int_equal(scree_path_fit(NULL, &path, 1, &def, &found), SCREE_OK);
    require(fabs(found.value[SCREE_PATH_D_RATIO].value / (1.19 / 1.84) - 1.0) <= 5e-3, "ratio %g",
            found.value[SCREE_PATH_D_RATIO].value);
    assert_true(found.own[0][0].value == truth.speed && found.own[0][0].error == 0.0);
}

/* The associated law cannot bend the path as the extended one does: what is left over says so. */
static void a_law_that_is_wrong_shows(void** state)
{
    (void)state;
    scri_random random = test_seed("wrong laws", 30);
    made store;
    scree_disc_def truth = scree_default_disc_def(SCREE_DISC_EXTENDED);
    scree_path path = make(&store, &truth, 0.0, &random);
    scree_path_def def = coarse(SCREE_DISC_COLLINEAR);
    scree_path_found found;
    def.free = 1u << SCREE_PATH_A | 1u << SCREE_PATH_B | 1u << SCREE_PATH_PHI;
    assert_int_equal(scree_path_fit(NULL, &path, 1, &def, &found), SCREE_OK);
    require(found.rms > 1e-3, "rms %g m", found.rms);
}

static void faults_are_named(void** state)
{
    (void)state;
    test_host host;
    scree_env env = test_env(&host);
    double time[5] = {0.0, 0.1, 0.1, 0.3, 0.4}, position[10] = {0.0};
    scree_path path = {5, time, position};
    scree_path_def def = coarse(SCREE_DISC_ELLIPSE);
    scree_path_found found;
    assert_int_equal(scree_path_fit(&env, &path, 1, &def, &found), SCREE_ERROR_INPUT);
    require(strstr(host.text, "sample 3: time does not rise") != NULL, "said '%s'", host.text);
    path.time = NULL;
    position[3] = (double)NAN;
    assert_int_equal(scree_path_fit(&env, &path, 1, &def, &found), SCREE_ERROR_INPUT);
    require(strstr(host.text, "sample 2: is not finite") != NULL, "said '%s'", host.text);
    path.n = 3;
    assert_int_equal(scree_path_fit(&env, &path, 1, &def, &found), SCREE_ERROR_INPUT);
    assert_int_equal(scree_path_fit(&env, &path, 7, &def, &found), SCREE_ERROR_INPUT);
    assert_int_equal(scree_path_fit(&env, NULL, 1, &def, &found), SCREE_ERROR_INPUT);
    def.struct_size = 1;
    assert_int_equal(scree_path_fit(&env, &path, 1, &def, &found), SCREE_ERROR_ARGUMENT);
    assert_int_equal(host.n_held, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_paths_give_back_their_sets),
        cmocka_unit_test(noisy_paths_say_how_well_they_know),
        cmocka_unit_test(points_alone_are_enough_for_directions),
        cmocka_unit_test(a_law_that_is_wrong_shows),
        cmocka_unit_test(faults_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
