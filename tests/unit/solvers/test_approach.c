/* Limits on how fast contacts may still approach, beside the tolerance, and which contacts count as
 * those of round bodies. */
#include "solvers/round_contacts.h"
#include "support/friction_sets.h"
#include "support/solving.h"

static double fastest_approach(const sample* s, const double* p, double* y)
{
    double worst = 0.0;
    assert_int_equal(scree_problem_velocity(NULL, &s->view, p, y), SCREE_OK);
    for (int32_t c = 0; c < s->view.n_contacts; ++c) worst = fmax(worst, -y[s->row[c]]);
    return worst;
}

/* A tolerance that anything meets: the limit alone says when to stop. */
static void no_contact_approaches_faster_than_allowed(void** state)
{
    (void)state;
    const sphere_pile pile = {.nx = 3,
                              .ny = 3,
                              .nz = 3,
                              .jitter = 0.02,
                              .noise = 0.5,
                              .rows = SCREE_ROWS_NTT,
                              .coef = {0.4, 0.0, 0.0}};
    scri_random random = test_seed("approach", 17);
    sample s = sample_pile(&pile, &random);
    double *p = zeros_of(&s.view), *y = zeros_of(&s.view);
    size_t bytes = (size_t)scree_problem_n_rows(&s.view) * sizeof *p;
    double before = 0.0;
    for (int limited = 0; limited < 2; ++limited) {
        scree_solver_def def = solver_def("nsgs", 0.5, 100000);
        if (limited) def.normal_tol = 1e-6;
        memset(p, 0, bytes);
        scree_report report = solved(&s.view, &def, p);
        double worst = fastest_approach(&s, p, y);
        assert_int_equal(report.outcome, SCREE_OUTCOME_CONVERGED);
        if (limited) require(worst <= 1e-6 * (1.0 + 1e-9), "%g m/s is left", worst);
        if (!limited) before = worst;
    }
    require(before > 1e-4, "%g m/s without a limit is no case", before);
    free(p);
    free(y);
    sample_end(&s);
}

/* A first guess within the tolerance that lets a contact approach too fast, which a sweep mends. In
 * some of these problems it makes the residual larger: what is best is no solution. */
static void no_early_guess_approaches_faster_than_allowed(void** state)
{
    (void)state;
    scri_random random = test_seed("early guesses", 29);
    const sphere_pile pile = {
        .nx = 2, .ny = 2, .nz = 6, .noise = 2.0, .rows = SCREE_ROWS_NTT, .coef = {0.4, 0.0, 0.0}};
    int cases = 0;
    for (int k = 0; k < 200; ++k) {
        sample s = sample_pile(&pile, &random);
        double *p = zeros_of(&s.view), *y = zeros_of(&s.view);
        scree_solver_def def = solver_def("nsgs", 1e-8, 100000);
        solved(&s.view, &def, p);
        int32_t lost = (int32_t)scri_random_below(&random, (uint32_t)s.view.n_contacts);
        for (int32_t i = s.row[lost]; i < s.row[lost + 1]; ++i) p[i] = 0.0;
        double guessed = fastest_approach(&s, p, y);
        def = solver_def("nsgs", 2.0, 100000);
        def.measure = SCREE_MEASURE_LOCAL;
        def.normal_tol = 0.9 * guessed;
        def.min_iter = 1 + k % 3;
        void* work = malloc(scree_solve_work_size(NULL, &s.view, &def));
        scree_report report; /* whose residual may be larger than that of the guess */
        assert_int_equal(scree_solve(NULL, &s.view, &def, work, p, &report), SCREE_OK);
        double left = fastest_approach(&s, p, y);
        assert_int_equal(report.outcome, SCREE_OUTCOME_CONVERGED);
        require(left <= def.normal_tol * (1.0 + 1e-9), "problem %d: %g m/s is left, %g allowed", k,
                left, def.normal_tol);
        cases += guessed > 1e-3;
        free(work);
        free(p);
        free(y);
        sample_end(&s);
    }
    require(cases > 100, "%d cases", cases);
}

/* Ellipses for forces and for directions belong to round contacts only if their axes agree. */
static void turned_ellipses_are_not_round(void** state)
{
    (void)state;
    scri_random random = test_seed("turned ellipses", 19);
    for (int k = 0; k < 3; ++k) {
        const double degrees[3] = {0.0, 30.0, 90.0};
        const sphere_pile pile = {.nx = 2,
                                  .ny = 1,
                                  .nz = 1,
                                  .rows = SCREE_ROWS_NTT,
                                  .law = SCREE_LAW_EXTENDED,
                                  .coef = {0.4, 0.0, 0.0},
                                  .ground_is_body = 1};
        sample s = sample_pile(&pile, &random);
        scree_set *c = make_set(SCREE_SET_ELLIPSE, 1.0, 0.4, 0.0, 0.0),
                  *d = make_set(SCREE_SET_ELLIPSE, 0.9, 0.5, 0.0, degrees[k]);
        const scree_set* own[4 * 8] = {NULL};
        for (int32_t i = 0; i < s.view.n_contacts; ++i) own[4 * i] = c, own[4 * i + 1] = d;
        sample_add_sets(&s, own);
        for (int32_t i = 0; i < s.view.n_contacts; ++i) {
            assert_int_equal(scri_round_fits(&s.view, i) != 0, degrees[k] != 30.0);
        }
        scree_set_destroy(c);
        scree_set_destroy(d);
        sample_end(&s);
    }
}

/* A body is round when its inertia is a multiple of one: each entry that spoils that is seen. */
static void uneven_bodies_are_not_round(void** state)
{
    (void)state;
    scri_random random = test_seed("uneven bodies", 23);
    const sphere_pile pile = {.nx = 2,
                              .ny = 1,
                              .nz = 1,
                              .rows = SCREE_ROWS_NTT,
                              .coef = {0.4, 0.0, 0.0},
                              .ground_is_body = 1};
    sample s = sample_pile(&pile, &random);
    for (int32_t c = 0; c < s.view.n_contacts; ++c) {
        for (int side = 0; side < 2; ++side) {
            int32_t body = s.view.bodies.pair[2 * c + side];
            if (s.view.bodies.inv_mass[body] == 0.0) continue;
            for (int k = 0; k < 6; ++k) {
                double* entry = s.inv_inertia + 6 * body + k;
                double kept = *entry;
                assert_true(scri_round_fits(&s.view, c));
                *entry += 1e-3;
                require(!scri_round_fits(&s.view, c), "contact %d, entry %d", (int)c, k);
                *entry = kept;
            }
        }
    }
    sample_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_contact_approaches_faster_than_allowed),
        cmocka_unit_test(no_early_guess_approaches_faster_than_allowed),
        cmocka_unit_test(turned_ellipses_are_not_round),
        cmocka_unit_test(uneven_bodies_are_not_round),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
