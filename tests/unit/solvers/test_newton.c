/* Proximal Newton on hyperstatic packings and mixtures of laws. */
#include "scree_study/packing.h"
#include "support/packings.h"

static scree_report require_converged(const scree_problem* problem, const char* name, double tol,
                                      double* p)
{
    scree_solver_def def = solver_def(name, tol, 2000);
    scree_report report = solved(problem, &def, p);
    require(report.outcome == SCREE_OUTCOME_CONVERGED, "%s: %s at %.2g after %lld steps", name,
            scree_outcome_text((int)report.outcome), report.residual, (long long)report.iterations);
    return report;
}

static void packings_are_solved_from_zero(void** state)
{
    (void)state;
    static const int widths[] = {SCREE_ROWS_NTT, SCREE_ROWS_NTTRR, SCREE_ROWS_NTTRRS};
    for (int n = 0; n < test_few(36, 11); n += test_size(5, 1)) { /* 5: some of all */
        int kind = n % 3, rows = widths[n / 3 % 3], noisy = n / 9 % 2;
        int law = n / 18 ? SCREE_LAW_CONVEX : SCREE_LAW_EXACT;
        int32_t contacts = kind == SCREE_PACKING_PYRAMID && test_all() ? 396 : 100;
        scree_packing_def def = packing(kind, contacts, rows, law, noisy ? 0.3 : 0.0);
        scree_problem_store store = packed(&def);
        double* p = zeros_of(&store.problem);
        scree_report report = require_converged(&store.problem, "newton-prox",
                                                law == SCREE_LAW_CONVEX ? 1e-10 : 1e-8, p);
        print_message("%s, %d contacts, %d rows, %s, noise %g: %lld steps, %.1g\n",
                      scree_packing_name(kind), (int)store.problem.n_contacts, rows,
                      scree_law_name(law), def.noise, (long long)report.iterations,
                      report.residual);
        free(p);
        scree_problem_store_release(&store);
    }
}

/* Impulses of about `size` times the weight of a body in a step. */
static void draw_impulses(scri_random* random, const scree_problem* problem, double size, double* p)
{
    double weight =
        largest(problem->q, scree_problem_n_rows(problem)) / problem->bodies.inv_mass[0];
    for (int32_t i = 0; i < scree_problem_n_rows(problem); ++i) {
        p[i] = size * weight * draw_between(random, -1.0, 1.0);
    }
}

/* Guesses of a million times the impulses sought. One in many leads to where steps stay short. */
static void first_guesses_matter_little(void** state)
{
    (void)state;
    scri_random random = test_seed("guesses", 157);
    int64_t most = 0;
    int missed = 0, count = test_few(test_cases(4, 24), 2);
    for (int n = 0; n < count; ++n) {
        scree_packing_def made =
            packing(SCREE_PACKING_PYRAMID, 100, SCREE_ROWS_NTTRR, n % 2, n / 2 % 2 ? 0.3 : 0.0);
        scree_problem_store store = packed(&made);
        double* p = zeros_of(&store.problem);
        draw_impulses(&random, &store.problem, 1e6, p);
        scree_solver_def def = solver_def("newton-prox", 1e-8, 600);
        scree_report far = solved(&store.problem, &def, p);
        scree_report again = solved(&store.problem, &def, p);
        if (far.outcome == SCREE_OUTCOME_CONVERGED) {
            require(again.iterations == 0, "%lld steps from a solution",
                    (long long)again.iterations);
            if (far.iterations > most) most = far.iterations;
        } else {
            print_message("case %d: %.2g after %lld steps\n", n, far.residual,
                          (long long)far.iterations);
            require(far.residual <= 1e-5, "case %d: %s at %.2g", n,
                    scree_outcome_text((int)far.outcome), far.residual);
            ++missed;
        }
        free(p);
        scree_problem_store_release(&store);
    }
    print_message("at most %lld steps, %d of %d missed\n", (long long)most, missed, count);
    require(missed <= (count + 7) / 8, "%d of %d missed", missed, count);
}

static void laws_mix(void** state)
{
    (void)state;
    static const int kinds[][2] = {
        {SCREE_ROWS_NTT, SCREE_LAW_EXACT},       {SCREE_ROWS_NTTRRS, SCREE_LAW_EXACT},
        {SCREE_ROWS_NTTRR, SCREE_LAW_CONVEX},    {SCREE_ROWS_NTT, SCREE_LAW_BILATERAL},
        {SCREE_ROWS_NTTRR, SCREE_LAW_BILATERAL}, {SCREE_ROWS_N, SCREE_LAW_INTERVAL},
        {SCREE_ROWS_N, SCREE_LAW_HALF_LINE},
    };
    enum { N = 40, KINDS = sizeof kinds / sizeof kinds[0] };
    scri_random random = test_seed("mixture", 158);
    int64_t most = 0;
    for (int n = 0; n < test_cases(8, 60); ++n) {
        int rows[N], law[N];
        for (int c = 0; c < N; ++c) {
            const int* kind = kinds[c < KINDS ? c : draw_below(&random, KINDS)];
            rows[c] = kind[0], law[c] = kind[1];
        }
        sample s = sample_begin(N, rows, law);
        draw_bodies(&s, &random, 20);
        for (int c = 0; c < N; ++c) {
            for (int k = 0; k < 3; ++k) s.coef[3 * c + k] = draw_power(&random, -1.0, 0.0);
            if (law[c] == SCREE_LAW_INTERVAL) s.coef[3 * c] *= -1.0;
        }
        if (n % 3 == 0) sample_add_compliance(&s, &random, 0.01);
        draw_motion(&s, &random);
        assert_int_equal(scree_problem_validate(NULL, &s.view), SCREE_OK);
        scree_problem_store reduced = {.memory = NULL};
        assert_int_equal(scree_problem_reduce(NULL, &s.view, &reduced), SCREE_OK);
        double* p = zeros_of(&s.view);
        const scree_problem* problem = n % 2 ? &reduced.problem : &s.view;
        scree_report report = require_converged(problem, "newton-prox", 1e-8, p);
        if (report.iterations > most) most = report.iterations;
        free(p);
        scree_problem_store_release(&reduced);
        sample_end(&s);
    }
    print_message("at most %lld steps\n", (long long)most);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packings_are_solved_from_zero),
        cmocka_unit_test(first_guesses_matter_little),
        cmocka_unit_test(laws_mix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
