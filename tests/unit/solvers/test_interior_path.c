/* The path of the exact law where it folds: spheres that may hardly roll, at hundreds of radii. */
#include "scree_io/problem_file.h"
#include "scree_sparse/scree_sparse.h"
#include "support/forms.h"

/* Solves from zero and wants every contact's residual below tol, by the certificate's word. */
static scree_report expect_solved(const scree_problem* problem, const char* solver, double tol)
{
    scree_env env = {.sparse = scree_sparse_mumps()};
    scree_solver_def def = solver_def(solver, tol, 10000);
    scree_report report;
    scree_certificate certificate;
    def.measure = SCREE_MEASURE_LOCAL;
    double* p = zeros_of(problem);
    assert_int_equal(scree_solve_certified(&env, problem, &def, p, &report, &certificate),
                     SCREE_OK);
    require(report.outcome == SCREE_OUTCOME_CONVERGED && certificate.local <= tol,
            "%s: %s at %.2g after %lld", solver, scree_outcome_text((int)report.outcome),
            certificate.local, (long long)report.iterations);
    free(p);
    return report;
}

/* A step of a pile with mu = 0.7 and mu_r of a hundred radii, on which `auto` had stalled at 0.13.
 */
static void a_path_with_folds_is_followed(void** state)
{
    (void)state;
    test_needs_sparse();
    scree_problem_file file;
    assert_int_equal(scree_problem_read(NULL, SCREE_FIXTURES "/folded_path.hdf5", &file), SCREE_OK);
    expect_solved(&file.store.problem, "interior-path", 1e-2);
    expect_solved(&file.store.problem, "interior-path", 1e-6);
    scree_report report = expect_solved(&file.store.problem, "auto", 1e-2);
    assert_string_equal(report.solver, "interior-path");
    scree_problem_file_release(&file);
}

/* A step of a pile with mu = 1 and mu_r of a hundred radii. On its curve the first way loses itself
 * in a bend, as shorter steps do, and goes round; one that turns less in a step gets through. */
static void a_way_that_is_lost_is_begun_again(void** state)
{
    (void)state;
    test_needs_sparse();
    test_of_numbers();
    scree_problem_file file;
    assert_int_equal(scree_problem_read(NULL, SCREE_FIXTURES "/long_path.hdf5", &file), SCREE_OK);
    scree_report report = expect_solved(&file.store.problem, "interior-path", 1e-2);
    print_message("%lld steps\n", (long long)report.iterations);
    scree_problem_file_release(&file);
}

/* Where nothing folds it ends where interior does: from no to much friction, both laws. */
static void piles_are_solved_along_the_path(void** state)
{
    (void)state;
    test_needs_sparse();
    scri_random random = test_seed("path", 231);
    for (int i = 0; i < test_cases(12, 200); ++i) {
        sphere_pile pile = {.nx = 2,
                            .ny = 2,
                            .nz = 1 + draw_below(&random, 3),
                            .rows = i % 3 ? SCREE_ROWS_NTTRR : SCREE_ROWS_NTTRRS,
                            .law = i % 4 ? SCREE_LAW_EXACT : SCREE_LAW_CONVEX,
                            .jitter = draw_between(&random, 0.0, 0.2),
                            .noise = draw_between(&random, 0.1, 1.0)};
        pile.coef[0] = draw_chance(&random, 10.0) ? 0.0 : draw_between(&random, 0.1, 1.5);
        pile.coef[1] = draw_chance(&random, 10.0) ? 0.0 : draw_power(&random, -2.0, 3.0);
        pile.coef[2] = draw_chance(&random, 30.0) ? 0.0 : draw_power(&random, -2.0, 1.0);
        sample s = sample_pile(&pile, &random);
        expect_solved(&s.view, "interior-path", 1e-6);
        sample_end(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_path_with_folds_is_followed),
        cmocka_unit_test(a_way_that_is_lost_is_begun_again),
        cmocka_unit_test(piles_are_solved_along_the_path),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
