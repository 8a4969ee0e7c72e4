/* Limits on how fast contacts may still approach, beside the tolerance, and which contacts count as
 * those of round bodies. */
#include "solvers/round_contacts.h"
#include "support/friction_sets.h"
#include "support/solving.h"

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
        double worst = 0.0;
        assert_int_equal(report.outcome, SCREE_OUTCOME_CONVERGED);
        assert_int_equal(scree_problem_velocity(NULL, &s.view, p, y), SCREE_OK);
        for (int32_t c = 0; c < s.view.n_contacts; ++c) worst = fmax(worst, -y[s.row[c]]);
        if (limited) require(worst <= 1e-6 * (1.0 + 1e-9), "%g m/s is left", worst);
        if (!limited) before = worst;
    }
    require(before > 1e-4, "%g m/s without a limit is no case", before);
    free(p);
    free(y);
    sample_end(&s);
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
        cmocka_unit_test(turned_ellipses_are_not_round),
        cmocka_unit_test(uneven_bodies_are_not_round),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
