/* Which methods are for which problems: a matrix, told by hand. */
#include "support/forms.h"

enum {
    BALLS,     /* spheres on a sphere that is held fast, exact law, 1e-4 */
    FINE,      /* the same at 1e-6 */
    TABLE,     /* on the ground */
    ROWS,      /* assembled */
    SHUFFLED,  /* assembled, sweeps in random order */
    CONVEX,    /* convex law */
    COUPLED,   /* coupled law */
    JOINT,     /* one contact bilateral */
    LARGE,     /* more than 120 rows */
    COMPLIANT, /* balls that yield */
    MIXED,     /* as large, and one body is no ball */
    N_KINDS
};

typedef struct fit_row {
    const char* solver;
    int fits[N_KINDS];
} fit_row;

/* clang-format off */
static const fit_row matrix[] = {
    /*                B  F  T  R  S  Cx Cp J  L  Cm M */
    {"auto",          {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}},
    {"nsgs",          {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}},
    {"nsgs-aa",       {1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1}},
    {"nsgs-bodies",   {1, 1, 1, 0, 0, 1, 1, 1, 1, 1, 1}},
    {"nsgs-wide",     {1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 1}},
    {"nsgs-wide-aa",  {1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 1}},
    {"newton-dense",  {1, 1, 1, 1, 1, 0, 0, 1, 0, 1, 0}},
    {"fixed-point",   {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}},
    {"extragradient", {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}},
    {"channels",      {1, 1, 1, 1, 1, 0, 0, 1, 1, 1, 1}},
    {"proximal",      {1, 1, 1, 1, 1, 0, 0, 1, 1, 1, 1}},
    {"projected",     {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}},
    {"apgd",          {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}},
    {"admm",          {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}},
    {"newton-prox",   {1, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1}},
    {"interior",      {1, 1, 1, 1, 1, 1, 0, 0, 1, 1, 1}},
    {"interior-path", {1, 1, 1, 1, 1, 1, 0, 0, 1, 1, 1}},
};
/* clang-format on */

static pair_of_forms draw(int kind, scri_random* random)
{
    sphere_pile pile = {.nx = 2,
                        .ny = 2,
                        .nz = 1,
                        .jitter = 0.02,
                        .noise = 0.3,
                        .rows = SCREE_ROWS_NTT,
                        .coef = {0.4, 0.0, 0.0},
                        .ground_is_body = kind != TABLE};
    if (kind == CONVEX) pile.law = SCREE_LAW_CONVEX;
    if (kind == COUPLED) pile.law = SCREE_LAW_COUPLED;
    if (kind == LARGE || kind == MIXED) pile.nx = pile.ny = 7;
    sample s = sample_pile(&pile, random);
    if (kind == MIXED) s.inv_inertia[0] *= 0.5;
    if (kind == JOINT) s.law[0] = SCREE_LAW_BILATERAL;
    if (kind == COMPLIANT) sample_add_compliance(&s, random, 1e-3);
    return forms_of(s);
}

static void the_matrix_is_what_methods_say(void** state)
{
    (void)state;
    test_needs_sparse();
    scri_random random = test_seed("what fits", 141);
    assert_int_equal(scree_solver_count(), (int)(sizeof matrix / sizeof matrix[0]));
    for (int kind = 0; kind < N_KINDS; ++kind) {
        pair_of_forms pair = draw(kind, &random);
        const scree_problem* problem = form_of(&pair, kind == ROWS || kind == SHUFFLED);
        for (int m = 0; m < scree_solver_count(); ++m) {
            scree_solver_def def = solver_def(matrix[m].solver, kind == FINE ? 1e-6 : 1e-4, 20000);
            if (kind == SHUFFLED) def.sweep = SCREE_SWEEP_SHUFFLED;
            assert_string_equal(scree_solver_get(m).name, def.solver);
            require(fits(problem, &def) == matrix[m].fits[kind], "kind %d, %s: %s", kind,
                    def.solver, matrix[m].fits[kind] ? "should fit" : "should not");
            if (!matrix[m].fits[kind]) continue;
            double* p = zeros_of(problem);
            scree_report report = solved(problem, &def, p);
            require(!strcmp(report.solver, def.solver) || m == 0, "kind %d: %s found by %s", kind,
                    def.solver, report.solver);
            require(report.residual <= 1e-2, "kind %d, %s: %g", kind, def.solver, report.residual);
            free(p);
        }
        forms_end(&pair);
    }
}

/* Masses for which single precision has no room, whichever body has them. */
static void extreme_masses_are_refused(void** state)
{
    (void)state;
    scri_random random = test_seed("extreme masses", 144);
    scree_solver_def def = solver_def("nsgs-wide", 1e-4, 100);
    sphere_pile pile = {.nx = 12,
                        .ny = 12,
                        .nz = 1,
                        .rows = SCREE_ROWS_NTT,
                        .coef = {0.4, 0.0, 0.0},
                        .ground_is_body = 1};
    sample s = sample_pile(&pile, &random);
    assert_true(fits(&s.view, &def));
    for (int32_t b = 0; b < s.view.bodies.n_bodies; ++b) {
        double kept[2] = {s.inv_mass[b], s.inv_inertia[6 * b]};
        if (kept[0] == 0.0) continue;
        s.inv_mass[b] *= 1e-14;
        assert_false(fits(&s.view, &def));
        s.inv_mass[b] = kept[0];
        for (int i = 0; i < 3; ++i) s.inv_inertia[6 * b + i] = 1e-14 * kept[1];
        assert_false(fits(&s.view, &def));
        for (int i = 0; i < 3; ++i) s.inv_inertia[6 * b + i] = kept[1];
    }
    assert_true(fits(&s.view, &def));
    sample_end(&s);
}

/* No method under another's name: where newton-dense is stuck it says so. */
static void no_other_method_takes_over(void** state)
{
    (void)state;
    scri_random random = test_seed("taking over", 142);
    pair_of_forms pair = draw(TABLE, &random);
    scree_solver_def def = solver_def("newton-dense", 0.0, 1000);
    double* p = zeros_of(&pair.bodies.view);
    scree_report report = solved(&pair.bodies.view, &def, p);
    assert_int_equal(report.updates, 0); /* sweeps would have made some */
    assert_true(report.outcome == SCREE_OUTCOME_STALLED || report.residual == 0.0);
    free(p);
    forms_end(&pair);
}

static void unknown_names_do_not_fit(void** state)
{
    (void)state;
    scri_random random = test_seed("unknown names", 143);
    pair_of_forms pair = draw(TABLE, &random);
    const char* const names[] = {"newton", "", NULL};
    for (int i = 0; i < 3; ++i) {
        test_host host;
        scree_env env = test_env(&host);
        scree_solver_def def = solver_def(names[i], 1e-6, 10);
        scree_report report;
        double work[2], *p = zeros_of(&pair.bodies.view);
        assert_non_null(scree_solver_unfit(&env, &pair.bodies.view, &def));
        assert_int_equal(scree_solve_work_size(&env, &pair.bodies.view, &def), 0);
        assert_int_equal(scree_solve(&env, &pair.bodies.view, &def, work, p, &report),
                         SCREE_ERROR_ARGUMENT);
        assert_int_equal(host.n_logged, 1);
        free(p);
    }
    forms_end(&pair);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_matrix_is_what_methods_say),
        cmocka_unit_test(extreme_masses_are_refused),
        cmocka_unit_test(no_other_method_takes_over),
        cmocka_unit_test(unknown_names_do_not_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
