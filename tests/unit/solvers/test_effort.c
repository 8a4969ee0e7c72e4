/* How many iterations each method needs on small piles. A wrong derivative, a lost guess or a bad
 * step length rarely makes a method fail, since another step or another method mends it; it shows
 * in the effort alone. Totals may fall freely; a rise above the bound wants a reason. */
#include "support/forms.h"

static const sphere_pile piles[] = {
    {.nx = 1, .ny = 1, .nz = 4, .jitter = 0.1, .noise = 0.3, .coef = {0.5, 0.1, 0.05}},
    {.nx = 2,
     .ny = 2,
     .nz = 2,
     .jitter = 0.02,
     .noise = 1.0,
     .coef = {0.4, 0.1, 0.05},
     .ground_is_body = 1},
};

enum { SEED = 7 };

typedef struct effort_case {
    const char* solver;
    int law, n_piles;
    double tol;
    int64_t most; /* iterations over all piles, rows and forms */
} effort_case;

static int64_t effort_of(const effort_case* c)
{
    static const int rows[] = {SCREE_ROWS_NTT, SCREE_ROWS_NTTS, SCREE_ROWS_NTTRRS};
    int64_t total = 0;
    for (int i = 0; i < c->n_piles; ++i) {
        for (int r = 0; r < 3; ++r) {
            scri_random random = {.key = SEED, .stream = (uint64_t)i};
            sphere_pile pile = piles[i];
            pile.rows = rows[r], pile.law = c->law;
            pair_of_forms pair = forms_of(sample_pile(&pile, &random));
            for (int form = 0; form < 2; ++form) {
                scree_solver_def def = solver_def(c->solver, c->tol, 20000);
                if (!fits(form_of(&pair, form), &def)) continue;
                double* p = zeros_of(&pair.bodies.view);
                scree_report report = solved(form_of(&pair, form), &def, p);
                require(report.outcome == SCREE_OUTCOME_CONVERGED, "%s, %s, pile %d, rows %d: %s",
                        c->solver, scree_law_name(c->law), i, rows[r],
                        scree_outcome_text((int)report.outcome));
                total += report.iterations;
                free(p);
            }
            forms_end(&pair);
        }
    }
    return total;
}

static void methods_keep_their_pace(void** state)
{
    (void)state;
    enum { EXACT = SCREE_LAW_EXACT, CONVEX = SCREE_LAW_CONVEX, COUPLED = SCREE_LAW_COUPLED };
    static const effort_case cases[] = {
        {"auto", EXACT, 2, 1e-8, 426},           {"auto", CONVEX, 2, 1e-8, 335},
        {"auto", COUPLED, 2, 1e-8, 307},         {"nsgs", EXACT, 2, 1e-6, 2155},
        {"nsgs", CONVEX, 2, 1e-6, 939},          {"nsgs", COUPLED, 2, 1e-6, 954},
        {"nsgs-aa", EXACT, 2, 1e-6, 363},        {"nsgs-aa", CONVEX, 2, 1e-6, 237},
        {"nsgs-bodies", EXACT, 2, 1e-6, 151},    {"nsgs-bodies", CONVEX, 2, 1e-6, 123},
        {"nsgs-wide", EXACT, 2, 1e-4, 97},       {"nsgs-wide-aa", EXACT, 2, 1e-4, 100},
        {"newton-dense", EXACT, 1, 1e-10, 39},   {"fixed-point", EXACT, 2, 1e-3, 750},
        {"extragradient", EXACT, 2, 1e-3, 1586}, {"apgd", EXACT, 2, 1e-3, 486},
        {"apgd", CONVEX, 2, 1e-3, 442},          {"newton-prox", EXACT, 2, 1e-10, 334},
        {"newton-prox", CONVEX, 2, 1e-10, 245},  {"interior", EXACT, 2, 1e-8, 156},
        {"interior", CONVEX, 2, 1e-8, 153},
    };
    int too_many = 0;
    print_message("piles: seed %d, which the bounds belong to\n", SEED);
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; ++k) {
        int64_t total = effort_of(&cases[k]);
        print_message("%s, %s: %lld iterations, at most %lld\n", cases[k].solver,
                      scree_law_name(cases[k].law), (long long)total, (long long)cases[k].most);
        too_many += total > cases[k].most;
    }
    assert_int_equal(too_many, 0);
}

/* From a solution no method has far to go: what it is given counts, row by row. */
static void a_solution_is_soon_found_again(void** state)
{
    (void)state;
    scri_random random = test_seed("from a solution", 8);
    for (int law = SCREE_LAW_EXACT; law <= SCREE_LAW_CONVEX; ++law) {
        sphere_pile pile = piles[1];
        pile.rows = SCREE_ROWS_NTTRRS, pile.law = law;
        sample s = sample_pile(&pile, &random);
        scree_solver_def def = solver_def("auto", 1e-12, 20000);
        double *best = zeros_of(&s.view), *p = zeros_of(&s.view);
        scree_report found = solved(&s.view, &def, best);
        assert_int_equal(found.outcome, SCREE_OUTCOME_CONVERGED);
        for (int m = 0; m < scree_solver_count(); ++m) {
            def = solver_def(scree_solver_get(m).name, 1e-6, 20000);
            if (!fits(&s.view, &def)) continue;
            for (int32_t i = 0; i < scree_problem_n_rows(&s.view); ++i) {
                p[i] = best[i] * (1.0 + 1e-4 * draw_between(&random, -1.0, 1.0));
            }
            scree_report report = solved(&s.view, &def, p);
            print_message("%s, %s: %lld iterations\n", def.solver, scree_law_name(law),
                          (long long)report.iterations);
            assert_int_equal(report.outcome, SCREE_OUTCOME_CONVERGED);
            int counts_twenties = !strcmp(def.solver, "fixed-point") || !strcmp(def.solver, "apgd");
            int slow = !strcmp(def.solver, "channels") || !strcmp(def.solver, "proximal") ||
                       !strcmp(def.solver, "projected") ||
                       !strcmp(def.solver, "admm") || /* with a step that is fixed from the start */
                       !strcmp(def.solver, "interior-path"); /* goes its path from the beginning */
            int64_t most = counts_twenties ? 20 : !strcmp(def.solver, "extragradient") ? 40 : 18;
            require(report.iterations <= (slow ? 60 : most), "too many");
        }
        free(best);
        free(p);
        sample_end(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(methods_keep_their_pace),
        cmocka_unit_test(a_solution_is_soon_found_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
