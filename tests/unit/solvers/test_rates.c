/* How fast the methods of the papers get there: the rates that their formulas have, and what the
 * papers say of them. */
#include "support/forms.h"

#include <string.h>

enum { WIDTH = 5 };

/* ---- linear rates ---- */

/* One contact N T T R R with W = 1 and a solution -q inside its cone. The error of p_T and p_R,
 * which the slip in yhat_N does not reach, over that at the start. */
static double error_after(const char* solver, double rho, double relaxation, int iterations)
{
    int rows = SCREE_ROWS_NTTRR, law = SCREE_LAW_EXACT;
    sample s = sample_begin(1, &rows, &law);
    int32_t start[2] = {0, 1}, column[1] = {0};
    int64_t offset[2] = {0, WIDTH * WIDTH};
    const double q[WIDTH] = {-1.0, 0.1, -0.05, 0.07, 0.02};
    double w[WIDTH * WIDTH] = {0.0}, p[WIDTH], most = 0.0;
    for (int i = 0; i < WIDTH; ++i) w[(WIDTH + 1) * i] = 1.0, p[i] = 0.9 * -q[i];
    memcpy(s.q, q, sizeof q);
    s.coef[0] = s.coef[1] = 1.0;
    s.view.w = (scree_bsr){start, column, offset, w};
    assert_int_equal(scree_problem_validate(NULL, &s.view), SCREE_OK);
    scree_solver_def def = solver_def(solver, 0.0, iterations);
    def.rho = rho;
    def.relaxation = relaxation;
    solved(&s.view, &def, p);
    for (int i = 1; i < WIDTH; ++i) most = fmax(most, fabs(p[i] + q[i]) / fabs(0.1 * q[i]));
    sample_end(&s);
    return most;
}

static void sticking_contacts_have_their_rates(void** state)
{
    (void)state;
    static const struct {
        const char* solver;
        double rho, relaxation, factor;
    } known[] = {
        {"fixed-point", 0.25, 1.0, 0.75},     {"fixed-point", 0.5, 0.8, 0.6},
        {"extragradient", 0.25, 1.0, 0.8125}, /* 1 - rho + rho^2 */
        {"projected", 0.5, 1.0, 0.5},         {"projected", 0.5, 0.8, 0.6},
        {"channels", 0.25, 1.0, 0.75},        {"proximal", 0.25, 1.0, 0.75},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; ++i) {
        for (int k = 20; k <= 40; k += 20) {
            double error = error_after(known[i].solver, known[i].rho, known[i].relaxation, k);
            double expected = pow(known[i].factor, k);
            print_message("%s, rho %g, relaxation %g: %.6f per iteration, %.6f expected\n",
                          known[i].solver, known[i].rho, known[i].relaxation, pow(error, 1.0 / k),
                          known[i].factor);
            require(fabs(error - expected) <= 1e-6 * expected + 1e-13, "%s after %d: %g, not %g",
                    known[i].solver, k, error, expected);
        }
    }
}

/* ---- Newton's methods ---- */

/* Section 5.2, remark 2: second order. Of towers that newton-dense solves, the steps that lead from
 * a residual of at most 1e-2 to 1e-12; each ends at a multiple of the square of the one before, or
 * at rounding. */
static void newton_is_of_second_order(void** state)
{
    (void)state;
    static const scree_newton_map maps[] = {SCREE_MAP_ALART_CURNIER, SCREE_MAP_NATURAL,
                                            SCREE_MAP_FISCHER_BURMEISTER};
    scri_random random = test_seed("second order", 40);
    int n = test_cases(20, 200), count[3] = {0}, most[3] = {0};
    for (int c = 0; c < n; ++c) {
        sphere_pile pile = {.nx = 1,
                            .ny = 1,
                            .nz = 3,
                            .noise = 0.3,
                            .jitter = 0.1,
                            .rows = SCREE_ROWS_NTT,
                            .coef = {draw_between(&random, 0.2, 0.8), 0.0, 0.0}};
        sample s = sample_pile(&pile, &random);
        for (int k = 0; k < 3; ++k) {
            int from = 0, to = 0;
            for (int i = 1; i <= 30 && !to; ++i) {
                scree_solver_def def = solver_def("newton-dense", 1e-12, i);
                def.map = maps[k];
                double* p = zeros_of(&s.view);
                scree_report report = solved(&s.view, &def, p);
                if (!from && report.residual <= 1e-2) from = i;
                if (report.outcome == SCREE_OUTCOME_CONVERGED) to = i;
                free(p);
            }
            if (!to) continue;
            ++count[k];
            most[k] = to - from > most[k] ? to - from : most[k];
        }
        sample_end(&s);
    }
    for (int k = 0; k < 3; ++k) {
        print_message("map %d: %d of %d towers, at most %d steps from 1e-2 to 1e-12\n", k, count[k],
                      n, most[k]);
        require(count[k] >= n / 2 && most[k] <= 4, "map %d: %d of %d, %d steps", k, count[k], n,
                most[k]);
    }
}

/* ---- (46) under the convex law ---- */

/* Tasora and Anitescu: convergent for a proper choice of omega, lambda and K. With the step that
 * the method chooses the objective of (42) falls with the number of sweeps, down to that of another
 * method. */
static void the_objective_falls_to_the_least(void** state)
{
    (void)state;
    scri_random random = test_seed("objective", 46);
    for (int c = 0; c < test_cases(6, 60); ++c) {
        sphere_pile pile = {.nx = 2,
                            .ny = 2,
                            .nz = 2,
                            .noise = 0.3,
                            .jitter = 0.1,
                            .rows = SCREE_ROWS_NTTRRS,
                            .law = SCREE_LAW_CONVEX,
                            .coef = {draw_between(&random, 0.2, 0.8),
                                     draw_between(&random, 0.0, 0.3),
                                     draw_between(&random, 0.0, 0.3)}};
        sample s = sample_pile(&pile, &random);
        double *p = zeros_of(&s.view), before = 0.0, now, least;
        scree_solver_def exact = solver_def("apgd", 1e-10, 20000);
        assert_int_equal(solved(&s.view, &exact, p).outcome, SCREE_OUTCOME_CONVERGED);
        assert_int_equal(scree_problem_objective(NULL, &s.view, p, &least), SCREE_OK);
        for (int k = 1; k <= 16384; k *= 2) {
            scree_solver_def def = solver_def("projected", 1e-9, k);
            memset(p, 0, (size_t)scree_problem_n_rows(&s.view) * sizeof *p);
            solved(&s.view, &def, p);
            assert_int_equal(scree_problem_objective(NULL, &s.view, p, &now), SCREE_OK);
            require(now <= before + 1e-9 * fabs(least), "case %d, %d sweeps: %.17g after %.17g", c,
                    k, now, before);
            before = now;
        }
        require(before <= least + 1e-5 * fabs(least), "case %d: %.12g, not %.12g", c, before,
                least);
        free(p);
        sample_end(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sticking_contacts_have_their_rates),
        cmocka_unit_test(newton_is_of_second_order),
        cmocka_unit_test(the_objective_falls_to_the_least),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
