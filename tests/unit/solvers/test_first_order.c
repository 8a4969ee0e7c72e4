/* What the accelerated methods promise beyond solving: fewer sweeps than Gauss-Seidel, never many
 * more; the convex law to high accuracy. */
#include "support/solving.h"

static const sphere_pile pyramid = {.nx = 3,
                                    .ny = 3,
                                    .nz = 3,
                                    .pyramid = 1,
                                    .noise = 0.3,
                                    .rows = SCREE_ROWS_NTT,
                                    .coef = {0.3, 0.1, 0.1}};

static int64_t iterations_of(const scree_problem* problem, const char* solver, double tol)
{
    double* p = zeros_of(problem);
    scree_solver_def def = solver_def(solver, tol, 200000);
    scree_report report = solved(problem, &def, p);
    free(p);
    require(report.outcome == SCREE_OUTCOME_CONVERGED, "%s: %s at %.2g after %lld", solver,
            scree_outcome_text((int)report.outcome), report.residual, (long long)report.iterations);
    return report.iterations;
}

static void acceleration_saves_sweeps(void** state)
{
    (void)state;
    static const int rows[] = {SCREE_ROWS_NTT, SCREE_ROWS_NTTRRS};
    scri_random random = test_seed("sweeps saved", 41);
    double saved = 0.0;
    int n = test_cases(4, 16);
    for (int i = 0; i < n; ++i) {
        sphere_pile pile = pyramid;
        scree_problem_store assembled;
        pile.rows = rows[i / 2 % 2];
        sample s = sample_pile(&pile, &random);
        assert_int_equal(scree_problem_reduce(NULL, &s.view, &assembled), SCREE_OK);
        const scree_problem* problem = i % 2 ? &s.view : &assembled.problem;
        int64_t plain = iterations_of(problem, i % 2 ? "nsgs-bodies" : "nsgs", 1e-8);
        int64_t mixed = iterations_of(problem, "nsgs-aa", 1e-8);
        saved += log((double)plain / (double)mixed);
        require(mixed <= 2 * plain, "pile %d: %lld sweeps instead of %lld", i, (long long)mixed,
                (long long)plain);
        scree_problem_store_release(&assembled);
        sample_end(&s);
    }
    print_message("%.1f times fewer sweeps\n", exp(saved / n));
    require(exp(saved / n) >= 3.0, "only %.1f times fewer sweeps", exp(saved / n));
}

/* On this pile sweeps run away from a point where they change little: mixing alone, without regard
 * to its direction, goes back there for ever. */
static void acceleration_does_not_trap_sweeps(void** state)
{
    (void)state;
    scri_random random = {.key = 1};
    scree_problem_store assembled;
    sphere_pile pile = pyramid;
    pile.nx = pile.ny = pile.nz = 6;
    sample s = sample_pile(&pile, &random);
    assert_int_equal(scree_problem_reduce(NULL, &s.view, &assembled), SCREE_OK);
    int64_t sweeps = iterations_of(&assembled.problem, "nsgs-aa", 1e-6);
    require(sweeps <= 8000, "%lld sweeps", (long long)sweeps);
    scree_problem_store_release(&assembled);
    sample_end(&s);
}

/* Momentum pays where the law is convex. */
static void gradient_method_is_fast_on_the_convex_law(void** state)
{
    (void)state;
    scri_random random = test_seed("convex", 42);
    int64_t steps = 0;
    int n = test_cases(4, 8);
    for (int i = 0; i < n; ++i) {
        sphere_pile pile = pyramid;
        pile.rows = i / 2 % 2 ? SCREE_ROWS_NTTRR : SCREE_ROWS_NTT;
        pile.law = i % 2 ? SCREE_LAW_COUPLED : SCREE_LAW_CONVEX;
        sample s = sample_pile(&pile, &random);
        steps += iterations_of(&s.view, "apgd", 1e-10);
        sample_end(&s);
    }
    print_message("%lld steps on average\n", (long long)(steps / n));
    require(steps <= 1500 * n, "%lld steps on average", (long long)(steps / n));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(acceleration_saves_sweeps),
        cmocka_unit_test(acceleration_does_not_trap_sweeps),
        cmocka_unit_test(gradient_method_is_fast_on_the_convex_law),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
