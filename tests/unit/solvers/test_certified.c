/* scree_solve_certified(): any form, own memory, and the certificate's word. */
#include "support/solving.h"

enum { N = 6 };

/* A tower of N point masses m on the ground, all with velocity -1, in the factored form: p_c is the
 * momentum of what lies above contact c. */
typedef struct tower {
    int32_t row[N + 1], mass_start[N + 1], mass_row[N], h_start[N + 1], h_row[2 * N];
    uint8_t rows[N], law[N];
    double coef[3 * N], q[N], mass[N], h[2 * N], force[N];
    scree_problem problem;
} tower;

static void build(tower* t, double m)
{
    *t = (tower){.row = {0}};
    for (int32_t i = 0; i < N; ++i) {
        t->row[i + 1] = t->mass_start[i + 1] = i + 1;
        t->mass_row[i] = i;
        t->rows[i] = SCREE_ROWS_N;
        t->law[i] = SCREE_LAW_EXACT;
        t->mass[i] = m;
        t->force[i] = -m;
        int32_t at = t->h_start[i];
        if (i > 0) t->h_row[at] = i - 1, t->h[at++] = -1.0;
        t->h_row[at] = i, t->h[at++] = 1.0;
        t->h_start[i + 1] = at;
    }
    t->problem = (scree_problem){.n_contacts = N,
                                 .form = SCREE_FORM_FACTORED,
                                 .first_row = t->row,
                                 .rows = t->rows,
                                 .law = t->law,
                                 .coef = t->coef,
                                 .q = t->q};
    t->problem.factored = (scree_factored){
        {N, N, t->mass_start, t->mass_row, t->mass}, {N, N, t->h_start, t->h_row, t->h}, t->force};
    assert_int_equal(scree_problem_validate(NULL, &t->problem), SCREE_OK);
}

static void a_factored_problem_is_solved(void** state)
{
    (void)state;
    tower t;
    build(&t, 2.0);
    for (int measure = 0; measure < SCREE_MEASURE_COUNT; ++measure) {
        scree_solver_def def = solver_def("auto", 1e-12, 10000);
        def.measure = (scree_measure)measure;
        scree_report report;
        scree_certificate certificate;
        double p[N] = {0.0};
        assert_int_equal(
            scree_solve_certified(sparse_env(), &t.problem, &def, p, &report, &certificate),
            SCREE_OK);
        assert_int_equal(report.outcome, SCREE_OUTCOME_CONVERGED);
        assert_true(scree_certificate_residual(&certificate, def.measure) <= 1e-12);
        for (int i = 0; i < N; ++i) assert_true(fabs(p[i] - 2.0 * (N - i)) <= 1e-9);
    }
}

/* Light masses: Siconos divides the error of a factored problem by its impulses, which are small,
 * that of the reduced form by the free velocities as well. */
static void the_certificate_has_the_last_word(void** state)
{
    (void)state;
    tower t;
    build(&t, 1e-6);
    scree_solver_def def = solver_def("nsgs", 1e-4, 100000);
    def.measure = SCREE_MEASURE_SICONOS;
    scree_problem_store reduced;
    scree_report report;
    scree_certificate certificate;
    assert_int_equal(scree_problem_reduce(NULL, &t.problem, &reduced), SCREE_OK);
    double p[N] = {0.0};
    scree_report alone = solved(&reduced.problem, &def, p);
    assert_int_equal(alone.outcome, SCREE_OUTCOME_CONVERGED);
    assert_int_equal(scree_certify(NULL, &t.problem, p, &certificate), SCREE_OK);
    require(certificate.residual_siconos > 1e-2, "%g is no case", certificate.residual_siconos);

    memset(p, 0, sizeof p);
    assert_int_equal(
        scree_solve_certified(sparse_env(), &t.problem, &def, p, &report, &certificate), SCREE_OK);
    assert_int_equal(report.outcome, SCREE_OUTCOME_CONVERGED);
    require(certificate.residual_siconos <= 1e-4, "%g", certificate.residual_siconos);
    require(report.iterations > alone.iterations && report.updates > alone.updates,
            "%lld iterations, alone %lld", (long long)report.iterations,
            (long long)alone.iterations);
    for (int i = 0; i < N; ++i) assert_true(fabs(p[i] - 1e-6 * (N - i)) <= 1e-9);

    /* without iterations to go on the solver's own word does not count */
    memset(p, 0, sizeof p);
    def.max_iter = alone.iterations;
    assert_int_equal(
        scree_solve_certified(sparse_env(), &t.problem, &def, p, &report, &certificate), SCREE_OK);
    assert_int_equal(report.outcome, SCREE_OUTCOME_STALLED);
    def.max_iter = alone.iterations + 1;
    memset(p, 0, sizeof p);
    assert_int_equal(
        scree_solve_certified(sparse_env(), &t.problem, &def, p, &report, &certificate), SCREE_OK);
    assert_true(report.outcome == SCREE_OUTCOME_ITERATION_LIMIT &&
                report.iterations == def.max_iter);
    scree_problem_store_release(&reduced);
}

/* All rounds together have the time of one solve. */
static void rounds_share_their_time(void** state)
{
    (void)state;
    tower t;
    build(&t, 1e-6);
    scree_report report;
    scree_certificate certificate;
    test_clock clock = {.step = 1e-3};
    scree_env env = test_clock_env(&clock);
    scree_solver_def def = solver_def("nsgs", 1e-4, 100000);
    def.measure = SCREE_MEASURE_SICONOS;
    double p[N] = {0.0};
    assert_int_equal(scree_solve_certified(&env, &t.problem, &def, p, &report, &certificate),
                     SCREE_OK);
    double whole = report.time_s;
    for (int k = 1; k < 8; ++k) {
        def.max_time = whole * k / 8.0;
        memset(p, 0, sizeof p);
        assert_int_equal(scree_solve_certified(&env, &t.problem, &def, p, &report, &certificate),
                         SCREE_OK);
        assert_int_not_equal(report.outcome, SCREE_OUTCOME_CONVERGED);
        require(report.time_s <= def.max_time + 10.0 * clock.step, "%g s of %g s", report.time_s,
                def.max_time);
    }
}

/* Where there is nothing to reduce, one round is scree_solve() to the bit. */
static void one_round_is_a_solve(void** state)
{
    (void)state;
    const sphere_pile pile = {.nx = 2,
                              .ny = 2,
                              .nz = 2,
                              .jitter = 0.02,
                              .noise = 0.5,
                              .rows = SCREE_ROWS_NTT,
                              .coef = {0.4, 0.0, 0.0}};
    scri_random random = test_seed("one round", 151);
    sample s = sample_pile(&pile, &random);
    size_t bytes = (size_t)scree_problem_n_rows(&s.view) * sizeof(double);
    scree_solver_def def = solver_def("auto", 1e-8, 10000);
    double *p = zeros_of(&s.view), *again = zeros_of(&s.view);
    scree_report report, twin = solved(&s.view, &def, p);
    scree_certificate certificate;
    assert_int_equal(
        scree_solve_certified(sparse_env(), &s.view, &def, again, &report, &certificate), SCREE_OK);
    assert_memory_equal(p, again, bytes);
    assert_true(report.iterations == twin.iterations && report.residual == twin.residual);
    assert_true(certificate.residual == report.residual);
    def.solver = "nsgs-wide";
    assert_int_equal(scree_solve_certified(sparse_env(), &s.view, &def, p, &report, &certificate),
                     SCREE_ERROR_UNSUPPORTED);
    free(p);
    free(again);
    sample_end(&s);
}

static void memory_is_the_hosts_and_may_be_short(void** state)
{
    (void)state;
    tower t;
    build(&t, 2.0);
    scree_report report;
    scree_certificate certificate;
    scree_status status = SCREE_ERROR_MEMORY;
    int failures = 0;
    for (long fail_at = 0; status != SCREE_OK; ++fail_at) {
        test_host host;
        scree_env env = test_env(&host);
        host.fail_at = fail_at;
        scree_solver_def def = solver_def("nsgs", 1e-6, 10000);
        double p[N] = {0.0};
        status = scree_solve_certified(&env, &t.problem, &def, p, &report, &certificate);
        assert_int_equal(host.n_held, 0);
        if (status == SCREE_OK) break;
        assert_int_equal(status, SCREE_ERROR_MEMORY);
        assert_true(host.n_logged >= 1);
        ++failures;
    }
    print_message("%d allocations\n", failures);
    assert_true(failures >= 3);
}

static void misuse_is_refused(void** state)
{
    (void)state;
    tower t;
    build(&t, 2.0);
    scree_solver_def def = scree_default_solver_def();
    scree_report r;
    scree_certificate c;
    double p[N] = {0.0};
    assert_int_equal(scree_solve_certified(NULL, NULL, &def, p, &r, &c), SCREE_ERROR_ARGUMENT);
    assert_int_equal(scree_solve_certified(NULL, &t.problem, NULL, p, &r, &c),
                     SCREE_ERROR_ARGUMENT);
    assert_int_equal(scree_solve_certified(NULL, &t.problem, &def, NULL, &r, &c),
                     SCREE_ERROR_ARGUMENT);
    assert_int_equal(scree_solve_certified(NULL, &t.problem, &def, p, NULL, &c),
                     SCREE_ERROR_ARGUMENT);
    assert_int_equal(scree_solve_certified(NULL, &t.problem, &def, p, &r, NULL),
                     SCREE_ERROR_ARGUMENT);
    def.tol = -1.0;
    assert_int_equal(scree_solve_certified(NULL, &t.problem, &def, p, &r, &c),
                     SCREE_ERROR_ARGUMENT);
}

/* A def made with other headers is left empty, and refused. */
static void headers_of_another_version_are_noticed(void** state)
{
    (void)state;
    tower t;
    build(&t, 2.0);
    scree_report r;
    scree_certificate c;
    scree_solver_def def = {.max_iter = 77};
    double p[N] = {0.0};
    scree_solver_def_init(&def, SCREE_SOLVER_COOKIE + 8); /* one member more */
    assert_true(def.max_iter == 77 && def.cookie == 0);
    scree_solver_def_init(NULL, SCREE_SOLVER_COOKIE);
    assert_int_equal(scree_solve_certified(NULL, &t.problem, &def, p, &r, &c),
                     SCREE_ERROR_ARGUMENT);
    scree_solver_def_init(&def, SCREE_SOLVER_COOKIE);
    assert_int_equal(scree_solve_certified(NULL, &t.problem, &def, p, &r, &c), SCREE_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_factored_problem_is_solved),
        cmocka_unit_test(the_certificate_has_the_last_word),
        cmocka_unit_test(rounds_share_their_time),
        cmocka_unit_test(one_round_is_a_solve),
        cmocka_unit_test(memory_is_the_hosts_and_may_be_short),
        cmocka_unit_test(misuse_is_refused),
        cmocka_unit_test(headers_of_another_version_are_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
