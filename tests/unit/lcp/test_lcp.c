/* Dense LCPs: by hand, random ones of several kinds, degenerate ones. */
#include "scree_study/lcp.h"
#include "support/draw.h"
#include "support/test.h"

#include <math.h>

enum { MOST = 64 };

static scree_lcp_report solve(const scree_lcp* lcp, scree_lcp_method method, double* z)
{
    scree_lcp_def def = scree_default_lcp_def();
    scree_lcp_report report;
    def.method = method;
    for (int32_t i = 0; i < lcp->n; ++i) z[i] = 0.0;
    assert_int_equal(scree_lcp_solve(NULL, lcp, &def, z, &report), SCREE_OK);
    return report;
}

/* The largest |min(z, w)| over max(|b|, |z|, |w|), unscaled: written here once more. */
static double plain_residual(const scree_lcp* lcp, const double* z)
{
    double most = 0.0, size = 0.0;
    for (int32_t i = 0; i < lcp->n; ++i) {
        double w = lcp->b[i];
        for (int32_t j = 0; j < lcp->n; ++j) w += lcp->a[i * lcp->n + j] * z[j];
        if (isnan(w)) return w;
        most = fmax(most, fabs(fmin(z[i], w)));
        size = fmax(size, fmax(fabs(lcp->b[i]), fmax(fabs(z[i]), fabs(w))));
    }
    return size > 0.0 ? most / size : most;
}

static void require_solved(const scree_lcp* lcp, const scree_lcp_report* report, const double* z,
                           const char* what)
{
    scree_lcp_certificate certificate;
    require(report->outcome == SCREE_LCP_SOLVED, "%s: %s, residual %g, %d pivots", what,
            scree_lcp_outcome_text((int)report->outcome), report->residual,
            (int)report->iterations);
    assert_int_equal(scree_lcp_certify(NULL, lcp, z, &certificate), SCREE_OK);
    require(certificate.residual <= 1e-10, "%s: certificate %g at row %d", what,
            certificate.residual, (int)certificate.worst);
}

/* ---- by hand ---- */

static void test_solves_by_hand(void** state)
{
    (void)state;
    const double a[] = {2, 1, 1, 2}, b[] = {-5, -6}, answer[] = {4.0 / 3.0, 7.0 / 3.0};
    scree_lcp lcp = {2, a, b};
    for (int method = 0; method < SCREE_LCP_METHOD_COUNT; ++method) {
        double z[2];
        scree_lcp_report report = solve(&lcp, (scree_lcp_method)method, z);
        require_solved(&lcp, &report, z, scree_lcp_method_name(method));
        for (int i = 0; i < 2; ++i) {
            require(fabs(z[i] - answer[i]) <= 1e-9, "%s: z[%d] = %.17g",
                    scree_lcp_method_name(method), i, z[i]);
        }
    }
}

static void test_finds_nothing_to_do(void** state)
{
    (void)state;
    const double a[] = {-1, 0, 3, 0}, b[] = {0, 2};
    scree_lcp lcp = {2, a, b}, none = {0, NULL, NULL};
    double z[2];
    scree_lcp_report report = solve(&lcp, SCREE_LCP_LEMKE, z);
    require_solved(&lcp, &report, z, "b >= 0");
    assert_true(z[0] == 0.0 && z[1] == 0.0 && report.iterations == 0);
    report = solve(&none, SCREE_LCP_LEMKE, z);
    assert_int_equal(report.outcome, SCREE_LCP_SOLVED);
}

/* Kostreva's example for ties: all ratios are equal at the beginning. */
static void test_ties_do_not_cycle(void** state)
{
    (void)state;
    const double a[] = {1, 2, 0, 0, 1, 2, 2, 0, 1}, b[] = {-1, -1, -1};
    const double turned[] = {1, 0, 2, 2, 1, 0, 0, 2, 1};
    scree_lcp lcp[2] = {{3, a, b}, {3, turned, b}};
    for (int k = 0; k < 2; ++k) {
        double z[3];
        scree_lcp_report report = solve(&lcp[k], SCREE_LCP_LEMKE, z);
        require_solved(&lcp[k], &report, z, "tied ratios");
        require(report.attempts == 1 && report.iterations <= 8, "%d attempts, %d pivots",
                (int)report.attempts, (int)report.iterations);
        for (int i = 0; i < 3; ++i) {
            require(fabs(z[i] - 1.0 / 3.0) <= 1e-14, "z[%d] = %.17g", i, z[i]);
        }
    }
}

static void test_proves_infeasible(void** state)
{
    (void)state;
    /* The first row says w_1 = -z_1 - z_2 - 1 < 0 whatever z >= 0 is. */
    const double a[] = {-1, -1, 0, 1}, b[] = {-1, 0};
    scree_lcp lcp = {2, a, b};
    double z[2];
    scree_lcp_report report = solve(&lcp, SCREE_LCP_LEMKE, z);
    assert_int_equal(report.outcome, SCREE_LCP_INFEASIBLE);
    require(report.proof < 0.0, "b . y = %g", report.proof);
}

static double an_hour_at_a_look(void* user)
{
    double* now = user;
    return *now += 3600.0;
}

/* Every method stops with the best it has, by the host's clock. */
static void test_time_is_limited(void** state)
{
    (void)state;
    const double a[] = {2, 1, 1, 2}, b[] = {-5, -6};
    scree_lcp lcp = {2, a, b};
    for (int method = 0; method < SCREE_LCP_METHOD_COUNT; ++method) {
        double now = 0.0, z[2] = {0.0, 0.0};
        scree_env env = {.user = &now, .clock = an_hour_at_a_look};
        scree_lcp_def def = scree_default_lcp_def();
        scree_lcp_report report;
        def.method = (scree_lcp_method)method;
        def.max_time = 60.0;
        assert_int_equal(scree_lcp_solve(&env, &lcp, &def, z, &report), SCREE_OK);
        require(report.outcome == SCREE_LCP_TIME_LIMIT && report.iterations == 0, "%s: %s after %d",
                scree_lcp_method_name(method), scree_lcp_outcome_text((int)report.outcome),
                (int)report.iterations);
        def.max_time = 1e30;
        assert_int_equal(scree_lcp_solve(&env, &lcp, &def, z, &report), SCREE_OK);
        assert_int_equal(report.outcome, SCREE_LCP_SOLVED);
        def.max_time = (double)NAN;
        assert_int_equal(scree_lcp_solve(&env, &lcp, &def, z, &report), SCREE_ERROR_ARGUMENT);
    }
}

static void test_ends_on_a_ray(void** state)
{
    (void)state;
    /* w_1 = z_2 - 1 and w_2 = z_2 + 1: feasible with z_2 >= 1, but then w_2 > 0 too. */
    const double a[] = {0, 1, 0, 1}, b[] = {-1, 1};
    scree_lcp lcp = {2, a, b};
    double z[2];
    scree_lcp_report report = solve(&lcp, SCREE_LCP_LEMKE, z);
    assert_int_equal(report.outcome, SCREE_LCP_RAY);
    require(report.residual > 1e-3, "residual %g", report.residual);
}

static void test_refuses_bad_input(void** state)
{
    (void)state;
    test_host host;
    scree_env env = test_env(&host);
    double a[] = {1, 0, 0, 1}, b[] = {-1, -1}, z[] = {0, 0};
    const double cover[] = {1, 0};
    scree_lcp lcp = {2, a, b};
    scree_lcp_report report;
    scree_lcp_certificate certificate;
    scree_lcp_def def = scree_default_lcp_def(), stale = {.method = SCREE_LCP_LEMKE};
    a[1] = (double)NAN;
    assert_int_equal(scree_lcp_solve(&env, &lcp, &def, z, &report), SCREE_ERROR_INPUT);
    assert_non_null(strstr(host.text, "row 0, column 1"));
    a[1] = 0.0;
    b[1] = (double)INFINITY;
    assert_int_equal(scree_lcp_solve(&env, &lcp, &def, z, &report), SCREE_ERROR_INPUT);
    assert_int_equal(scree_lcp_certify(&env, &lcp, z, &certificate), SCREE_ERROR_INPUT);
    b[1] = -1.0;
    def.cover = cover;
    assert_int_equal(scree_lcp_solve(&env, &lcp, &def, z, &report), SCREE_ERROR_INPUT);
    assert_int_equal(scree_lcp_solve(&env, &lcp, &stale, z, &report), SCREE_ERROR_ARGUMENT);
    def.cover = NULL;
    def.method = SCREE_LCP_PGS;
    a[3] = 0.0;
    assert_int_equal(scree_lcp_solve(&env, &lcp, &def, z, &report), SCREE_ERROR_UNSUPPORTED);
    z[0] = (double)NAN;
    a[3] = 1.0;
    assert_int_equal(scree_lcp_certify(&env, &lcp, z, &certificate), SCREE_OK);
    assert_true(isnan(certificate.residual));
    assert_int_equal(scree_lcp_solve(&env, &lcp, &def, z, &report), SCREE_OK);
    assert_int_equal(report.outcome, SCREE_LCP_SOLVED); /* a guess that is no number is dropped */
    assert_int_equal(host.n_held, 0);
}

static void test_survives_without_memory(void** state)
{
    (void)state;
    const double a[] = {-1, -1, 0, 1}, b[] = {-1, 0};
    scree_lcp lcp = {2, a, b};
    test_host host;
    scree_env env = test_env(&host);
    scree_lcp_def def = scree_default_lcp_def();
    scree_lcp_report report;
    double z[2];
    int ended = 0;
    for (long k = 0; k < 50 && !ended; ++k) {
        env = test_env(&host);
        host.fail_at = k;
        scree_status status = scree_lcp_solve(&env, &lcp, &def, z, &report);
        ended = status == SCREE_OK;
        require(ended || status == SCREE_ERROR_MEMORY, "allocation %ld: status %d", k, (int)status);
        assert_int_equal(host.n_held, 0);
    }
    assert_true(ended);
}

/* ---- random ---- */

typedef struct random_lcp {
    double a[MOST * MOST], b[MOST], z[MOST];
} random_lcp;

/* A with a chosen rank and a skew part, and b such that a solution exists with about half of z
 * positive; `degenerate` leaves some pairs both 0. Units spread over `decades`. */
static scree_lcp draw_lcp(scri_random* random, int n, int rank, int degenerate, double decades,
                          random_lcp* out)
{
    double h[MOST][MOST], unit[MOST], z[MOST], w[MOST];
    for (int i = 0; i < n; ++i) {
        unit[i] = draw_power(random, -0.5 * decades, 0.5 * decades);
        for (int k = 0; k < rank; ++k) h[i][k] = draw_between(random, -1.0, 1.0);
        int zero = degenerate && draw_chance(random, 30.0), positive = draw_chance(random, 50.0);
        z[i] = zero || !positive ? 0.0 : scri_random_uniform(random);
        w[i] = zero || positive ? 0.0 : scri_random_uniform(random);
    }
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            double sum = 0.0;
            for (int k = 0; k < rank; ++k) sum += h[i][k] * h[j][k];
            out->a[i * n + j] = sum;
        }
    }
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < i; ++j) {
            double skew = draw_between(random, -0.5, 0.5);
            out->a[i * n + j] += skew;
            out->a[j * n + i] -= skew;
        }
    }
    for (int i = 0; i < n; ++i) {
        out->b[i] = w[i];
        for (int j = 0; j < n; ++j) out->b[i] -= out->a[i * n + j] * z[j];
    }
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) out->a[i * n + j] *= unit[i] * unit[j];
        out->b[i] *= unit[i];
    }
    return (scree_lcp){n, out->a, out->b};
}

/* Positive semidefinite A with a solution: Lemke must find one, however degenerate. */
static void test_lemke_solves_monotone_problems(void** state)
{
    (void)state;
    static random_lcp memory;
    scri_random random = test_seed("monotone", 20261115);
    int64_t most = 0;
    for (int k = 0; k < test_cases(200, 3000); ++k) {
        int n = 1 + draw_below(&random, 40), rank = draw_below(&random, n + 1);
        scree_lcp lcp = draw_lcp(&random, n, rank, k % 2, k % 3 ? 0.0 : 6.0, &memory);
        scree_lcp_report report = solve(&lcp, SCREE_LCP_LEMKE, memory.z);
        require_solved(&lcp, &report, memory.z, "lemke");
        require(report.iterations <= 20 * n + 20, "%d pivots for %d rows", (int)report.iterations,
                n);
        if (report.iterations > most) most = report.iterations;
        if (k % 3) require(plain_residual(&lcp, memory.z) <= 1e-9, "not solved");
    }
    print_message("monotone: at most %d pivots\n", (int)most);
}

/* On strictly monotone problems the solution is unique: all methods must agree. */
static void test_methods_agree(void** state)
{
    (void)state;
    static random_lcp memory;
    scri_random random = test_seed("agreement", 7);
    for (int k = 0; k < test_cases(50, 500); ++k) {
        int n = 1 + draw_below(&random, 30);
        double z[SCREE_LCP_METHOD_COUNT][MOST], size = 1.0;
        scree_lcp lcp = draw_lcp(&random, n, n, k % 2, 0.0, &memory);
        for (int i = 0; i < n; ++i) memory.a[i * (n + 1)] += 1.0;
        for (int method = 0; method < SCREE_LCP_PGS; ++method) {
            scree_lcp_report report = solve(&lcp, (scree_lcp_method)method, z[method]);
            require_solved(&lcp, &report, z[method], scree_lcp_method_name(method));
        }
        for (int i = 0; i < n; ++i) size = fmax(size, z[0][i]);
        for (int method = 1; method < SCREE_LCP_PGS; ++method) {
            for (int i = 0; i < n; ++i) {
                require(fabs(z[method][i] - z[0][i]) <= 1e-7 * size, "%s: z[%d] %g, not %g",
                        scree_lcp_method_name(method), i, z[method][i], z[0][i]);
            }
        }
    }
}

static int count_calls(void* user, int64_t iterations)
{
    int64_t* seen = user;
    assert_true(iterations >= seen[1]);
    seen[1] = iterations;
    return ++seen[0] > seen[2];
}

/* Every method tells how far it is, and ends when it is asked to. */
static void test_progress(void** state)
{
    (void)state;
    static random_lcp memory;
    scri_random random = test_seed("progress", 11);
    for (int method = 0; method < SCREE_LCP_METHOD_COUNT; ++method) {
        scree_lcp lcp = draw_lcp(&random, 25, 25, 0, 0.0, &memory);
        for (int i = 0; i < 25; ++i) memory.a[26 * i] += 1.0;
        int64_t seen[3] = {0, 0, 1 << 30};
        scree_lcp_def def = scree_default_lcp_def();
        scree_lcp_report report;
        def.method = (scree_lcp_method)method;
        def.progress = count_calls;
        def.progress_user = seen;
        memset(memory.z, 0, sizeof memory.z);
        assert_int_equal(scree_lcp_solve(NULL, &lcp, &def, memory.z, &report), SCREE_OK);
        const char* name = scree_lcp_method_name(method);
        require(seen[0] > 1 && seen[1] > 0, "%s: %d calls", name, (int)seen[0]);
        seen[0] = seen[1] = seen[2] = 0;
        memset(memory.z, 0, sizeof memory.z);
        assert_int_equal(scree_lcp_solve(NULL, &lcp, &def, memory.z, &report), SCREE_OK);
        require(report.outcome == SCREE_LCP_TIME_LIMIT, "%s: %s", name,
                scree_lcp_outcome_text((int)report.outcome));
    }
}

/* Symmetric positive definite: the sweeps converge too. */
static void test_sweeps_converge(void** state)
{
    (void)state;
    static random_lcp memory;
    scri_random random = test_seed("sweeps", 8);
    for (int k = 0; k < 100; ++k) {
        int n = 1 + draw_below(&random, 20);
        scree_lcp lcp = draw_lcp(&random, n, n, 0, 4.0, &memory);
        for (int i = 0; i < n; ++i) {
            for (int j = 0; j < i; ++j) {
                memory.a[i * n + j] = memory.a[j * n + i] =
                    0.5 * (memory.a[i * n + j] + memory.a[j * n + i]);
            }
            memory.a[i * (n + 1)] *= 1.5;
        }
        scree_lcp_report report = solve(&lcp, SCREE_LCP_PGS, memory.z);
        require_solved(&lcp, &report, memory.z, "pgs");
    }
}

/* The residual must not depend on the units of z. */
static void test_residual_has_no_units(void** state)
{
    (void)state;
    static random_lcp memory;
    scri_random random = test_seed("units", 9);
    for (int k = 0; k < 100; ++k) {
        int n = 2 + draw_below(&random, 10);
        double z[MOST];
        scree_lcp_certificate before, after;
        scree_lcp lcp = draw_lcp(&random, n, n, 0, 0.0, &memory);
        for (int i = 0; i < n; ++i) z[i] = scri_random_uniform(&random);
        assert_int_equal(scree_lcp_certify(NULL, &lcp, z, &before), SCREE_OK);
        for (int i = 0; i < n; ++i) {
            double unit = pow(4.0, draw_below(&random, 12) - 6);
            for (int j = 0; j < n; ++j) {
                memory.a[i * n + j] *= unit;
                memory.a[j * n + i] *= unit;
            }
            memory.b[i] *= unit;
            z[i] /= unit;
        }
        assert_int_equal(scree_lcp_certify(NULL, &lcp, z, &after), SCREE_OK);
        require(fabs(after.residual - before.residual) <= 0.05 * before.residual,
                "%g in one system of units, %g in another", before.residual, after.residual);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_solves_by_hand),
        cmocka_unit_test(test_finds_nothing_to_do),
        cmocka_unit_test(test_ties_do_not_cycle),
        cmocka_unit_test(test_proves_infeasible),
        cmocka_unit_test(test_time_is_limited),
        cmocka_unit_test(test_ends_on_a_ray),
        cmocka_unit_test(test_refuses_bad_input),
        cmocka_unit_test(test_survives_without_memory),
        cmocka_unit_test(test_lemke_solves_monotone_problems),
        cmocka_unit_test(test_methods_agree),
        cmocka_unit_test(test_progress),
        cmocka_unit_test(test_sweeps_converge),
        cmocka_unit_test(test_residual_has_no_units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
