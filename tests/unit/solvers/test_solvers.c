/* Every method of the table on piles of spheres: all rows and laws, the bodies form and its reduced
 * form, contacts of different kinds in one problem. */
#include "support/forms.h"

static const sphere_pile piles[] = {
    {.nx = 1, .ny = 1, .nz = 4, .jitter = 0.1, .noise = 0.3, .coef = {0.5, 0.1, 0.05}},
    {.nx = 2, .ny = 2, .nz = 3, .jitter = 0.01, .noise = 0.5, .coef = {0.3, 0.05, 0.02}},
    {.nx = 3,
     .ny = 3,
     .nz = 3,
     .pyramid = 1,
     .jitter = 0.01,
     .noise = 0.3,
     .coef = {0.5, 0.1, 0.05}},
    {.nx = 2,
     .ny = 2,
     .nz = 2,
     .jitter = 0.02,
     .noise = 1.0,
     .coef = {0.4, 0.1, 0.05},
     .ground_is_body = 1},
};

/* Solves one form and judges the answer in the other. 0 where the method is not for this form. */
static int solve_and_cross_check(const pair_of_forms* pair, int assembled, const char* solver,
                                 double tol, double* p, const char* what)
{
    const scree_problem *own = form_of(pair, assembled), *other = form_of(pair, !assembled);
    scree_solver_def def = solver_def(solver, tol, 100000);
    if (!fits(own, &def)) return 0;
    scree_report report = solved(own, &def, p);
    /* At a fold, or where no step helps: another method goes on from there. */
    int may_stall = !strncmp(solver, "interior", 8) || !strcmp(solver, "newton-dense");
    require(report.outcome == SCREE_OUTCOME_CONVERGED || (may_stall && report.residual <= 1e-2),
            "%s, %s, form %d: %s at %.2g after %lld", what, solver, assembled,
            scree_outcome_text((int)report.outcome), report.residual, (long long)report.iterations);
    double there = certified(other, &def, p);
    require(fabs(there - report.residual) <= 1e-12, "%s, %s, form %d: %.17g here, %.17g there",
            what, solver, assembled, report.residual, there);
    return 1;
}

/* The projected methods have no proof of convergence for the exact law and are slow on hyperstatic
 * piles. */
static double tolerance_of(const char* solver)
{
    static const char* const projected[] = {"fixed-point", "extragradient", "apgd", "channels",
                                            "proximal"};
    for (size_t i = 0; i < sizeof projected / sizeof *projected; ++i) {
        if (!strcmp(solver, projected[i])) return 1e-4;
    }
    return 1e-6;
}

static void every_method_solves_every_law(void** state)
{
    (void)state;
    static const int rows[] = {SCREE_ROWS_N, SCREE_ROWS_NTT, SCREE_ROWS_NTTS, SCREE_ROWS_NTTRR,
                               SCREE_ROWS_NTTRRS};
    scri_random random = test_seed("piles", 95);
    int n = 0;
    for (int i = 0; i < test_cases(1, 4); ++i) {
        for (int r = 0; r < 5; ++r) {
            for (int law = SCREE_LAW_EXACT; law <= SCREE_LAW_COUPLED; ++law) {
                sphere_pile pile = piles[i];
                pile.rows = rows[r], pile.law = law;
                random.stream = (uint64_t)i; /* the same spheres for all rows and laws */
                random.counter = 0;
                pair_of_forms pair = forms_of(sample_pile(&pile, &random));
                char what[64];
                snprintf(what, sizeof what, "pile %d, rows %d, %s", i, rows[r],
                         scree_law_name(law));
                for (int m = 0; m < scree_solver_count(); ++m) {
                    for (int assembled = 0; assembled < 2; ++assembled) {
                        const char* name = scree_solver_get(m).name;
                        double* p = zeros_of(&pair.bodies.view);
                        n += solve_and_cross_check(&pair, assembled, name, tolerance_of(name), p,
                                                   what);
                        free(p);
                    }
                }
                forms_end(&pair);
            }
        }
    }
    print_message("%d runs\n", n);
}

/* The convex laws have one motion, whoever finds it and in whatever form. */
static void convex_laws_have_one_motion(void** state)
{
    (void)state;
    scri_random random = test_seed("one motion", 96);
    for (int law = SCREE_LAW_CONVEX; law <= SCREE_LAW_COUPLED; ++law) {
        sphere_pile pile = piles[1];
        pile.rows = SCREE_ROWS_NTTRR, pile.law = law;
        pair_of_forms pair = forms_of(sample_pile(&pile, &random));
        int32_t n = pair.bodies.row[pair.bodies.view.n_contacts];
        double* first = NULL;
        for (int m = 0; m < 2 * scree_solver_count(); ++m) {
            double *p = zeros_of(&pair.bodies.view), *y = zeros_of(&pair.bodies.view);
            if (!solve_and_cross_check(&pair, m % 2, scree_solver_get(m / 2).name, 1e-9, p,
                                       "motion")) {
                free(p), free(y);
                continue;
            }
            assert_int_equal(scree_problem_velocity(NULL, &pair.bodies.view, p, y), SCREE_OK);
            for (int32_t i = 0; i < n && first; ++i) {
                int angular = i % 5 >= 3;
                double size = PILE_DROP / (angular ? PILE_RADIUS : 1.0);
                require(fabs(y[i] - first[i]) <= 1e-5 * size, "%s: y[%d] is %.12g, not %.12g",
                        scree_solver_get(m / 2).name, (int)i, y[i], first[i]);
            }
            if (first)
                free(y);
            else
                first = y;
            free(p);
        }
        free(first);
        forms_end(&pair);
    }
}

/* Where nothing is hyperstatic the impulses of both forms agree as well. */
static void both_forms_have_the_same_impulses(void** state)
{
    (void)state;
    scri_random random = test_seed("same impulses", 97);
    for (int law = SCREE_LAW_EXACT; law <= SCREE_LAW_COUPLED; ++law) {
        sphere_pile pile = piles[0];
        pile.rows = SCREE_ROWS_NTTRRS, pile.law = law;
        pair_of_forms pair = forms_of(sample_pile(&pile, &random));
        int32_t n = pair.bodies.row[pair.bodies.view.n_contacts];
        for (int m = 0; m < scree_solver_count(); ++m) {
            double *p = zeros_of(&pair.bodies.view), *q = zeros_of(&pair.bodies.view), size = 0.0;
            const char* name = scree_solver_get(m).name;
            int both = solve_and_cross_check(&pair, 0, name, 1e-11, p, "tower") &&
                       solve_and_cross_check(&pair, 1, name, 1e-11, q, "tower");
            for (int32_t i = 0; i < n && both; ++i) size = fmax(size, fabs(p[i]));
            for (int32_t i = 0; i < n && both; ++i) {
                require(fabs(p[i] - q[i]) <= 1e-7 * size, "%s: p[%d] is %.12g and %.12g", name,
                        (int)i, p[i], q[i]);
            }
            free(p);
            free(q);
        }
        forms_end(&pair);
    }
}

/* Whatever validation lets pass means the same to every method. */
static void methods_agree_about_what_is_valid(void** state)
{
    (void)state;
    scri_random random = test_seed("odd bodies", 94);
    for (int odd = 0; odd < 4; ++odd) {
        sphere_pile pile = piles[3];
        pile.rows = SCREE_ROWS_NTTRRS;
        sample s = sample_pile(&pile, &random);
        int32_t last = s.view.bodies.n_bodies - 1, n = s.view.n_contacts;
        if (odd == 0) { /* left-handed frames */
            for (int32_t c = 0; c < n; ++c) {
                for (int k = 6; k < 9; ++k) s.frame[9 * c + k] *= -1.0;
                s.q[s.row[c] + 2] *= -1.0;
                s.q[s.row[c] + 4] *= -1.0;
            }
        } else if (odd == 1) { /* a ground that turns but does not move */
            for (int k = 0; k < 3; ++k) s.inv_inertia[6 * last + k] = 20.0;
        } else if (odd == 2) { /* a sphere that moves but does not turn */
            for (int k = 0; k < 3; ++k) s.inv_inertia[k] = 0.0;
        } else { /* a contact of a body with itself, and one of the ground with the ground */
            s.pair[2 * (n - 1)] = s.pair[2 * (n - 1) + 1] = 0;
            s.pair[2 * (n - 2)] = s.pair[2 * (n - 2) + 1] = last;
            for (int32_t i = s.row[n - 2]; i < s.row[n]; ++i) s.q[i] = 0.0;
        }
        if (scree_problem_validate(NULL, &s.view) == SCREE_OK) {
            for (int m = 0; m < scree_solver_count(); ++m) {
                scree_solver_def def = solver_def(scree_solver_get(m).name, 1e-4, 100000);
                if (!fits(&s.view, &def)) continue;
                double* p = zeros_of(&s.view);
                scree_report report = solved(&s.view, &def, p);
                require(report.outcome == SCREE_OUTCOME_CONVERGED, "oddity %d, %s: %s at %.2g", odd,
                        def.solver, scree_outcome_text((int)report.outcome), report.residual);
                free(p);
            }
        }
        sample_end(&s);
    }
}

/* ---- contacts of all kinds in one problem ---- */

/* The pile with rows and laws at random: friction of every kind, and among the contacts between
 * spheres ball joints (bilateral), motors (interval) and limits (half line). */
static sample mix(const sample* from, scri_random* random)
{
    static const int spatial[] = {SCREE_ROWS_N, SCREE_ROWS_NTT, SCREE_ROWS_NTTS, SCREE_ROWS_NTTRR,
                                  SCREE_ROWS_NTTRRS};
    enum { MOST = 200 };
    int32_t n = from->view.n_contacts;
    int rows[MOST] = {0}, law[MOST] = {0};
    assert_true(n <= MOST);
    for (int32_t c = 0; c < n; ++c) {
        int ground = from->pair[2 * c + 1] < 0;
        rows[c] = spatial[draw_below(random, 5)];
        law[c] = draw_below(random, 3);
        if (ground || draw_chance(random, 60.0)) continue;
        law[c] = SCREE_LAW_BILATERAL + draw_below(random, 3);
        rows[c] = law[c] == SCREE_LAW_BILATERAL ? SCREE_ROWS_NTT : SCREE_ROWS_N;
    }
    sample s = sample_begin(n, rows, law);
    sample_add_bodies(&s, from->view.bodies.n_bodies);
    s.view.bodies = from->view.bodies; /* borrowed */
    for (int32_t c = 0; c < n; ++c) {
        for (int k = 0; k < 3; ++k) s.coef[3 * c + k] = from->coef[3 * c + k];
        if (law[c] == SCREE_LAW_INTERVAL) {
            s.coef[3 * c] = -0.01;
            s.coef[3 * c + 1] = 0.02;
        }
        for (int i = 0; i < s.row[c + 1] - s.row[c]; ++i) {
            int spin = rows[c] == SCREE_ROWS_NTTS && i == 3;
            s.q[s.row[c] + i] = from->q[from->row[c] + (spin ? 5 : i)];
        }
    }
    return s;
}

static void contacts_of_all_kinds_together(void** state)
{
    (void)state;
    scri_random random = test_seed("mixed contacts", 98);
    int n = 0, count[SCREE_LAW_COUNT] = {0};
    for (int i = 0; i < test_cases(4, 40); ++i) {
        sphere_pile pile = piles[i % 3];
        pile.rows = SCREE_ROWS_NTTRRS;
        sample whole = sample_pile(&pile, &random);
        sample mixed = mix(&whole, &random);
        if (i % 2) sample_add_compliance(&mixed, &random, 1e-3);
        pair_of_forms pair = forms_of(mixed);
        for (int32_t c = 0; c < pair.bodies.view.n_contacts; ++c) ++count[pair.bodies.law[c]];
        char what[64];
        snprintf(what, sizeof what, "mixture %d", i);
        for (int m = 0; m < scree_solver_count(); ++m) {
            for (int assembled = 0; assembled < 2; ++assembled) {
                double* p = zeros_of(&pair.bodies.view);
                const char* name = scree_solver_get(m).name;
                n += solve_and_cross_check(&pair, assembled, name, 1e-4, p, what);
                free(p);
            }
        }
        forms_end(&pair);
        sample_end(&whole);
    }
    print_message("%d runs; contacts by law:", n);
    for (int law = 0; law < SCREE_LAW_COUNT; ++law) {
        print_message(" %s %d", scree_law_name(law), count[law]);
    }
    print_message("\n");
}

/* An LCP with a known solution: p > 0 where y = 0 and the reverse, W symmetric positive definite.
 */
static void half_lines_with_a_known_solution(void** state)
{
    (void)state;
    scri_random random = test_seed("LCP", 99);
    enum { N = 12 };
    int rows[N], law[N];
    for (int i = 0; i < N; ++i) rows[i] = SCREE_ROWS_N, law[i] = SCREE_LAW_HALF_LINE;
    for (int c = 0; c < 20; ++c) {
        double b[N][N], w[N * N] = {0.0}, solution[N];
        int32_t start[N + 1], column[N * N];
        int64_t offset[N * N + 1];
        for (int i = 0; i < N * N; ++i) b[i / N][i % N] = draw_between(&random, -1.0, 1.0);
        for (int i = 0; i < N * N; ++i) {
            for (int k = 0; k < N; ++k) w[i] += b[i / N][k] * b[i % N][k];
            if (i / N == i % N) w[i] += 1.0;
            column[i] = i % N, offset[i] = i, start[i / N] = i / N * N;
        }
        start[N] = N * N, offset[N * N] = N * N;
        sample s = sample_begin(N, rows, law);
        for (int i = 0; i < N; ++i) {
            solution[i] = scri_random_below(&random, 2) ? draw_between(&random, 0.1, 1.0) : 0.0;
        }
        for (int i = 0; i < N; ++i) {
            s.q[i] = solution[i] > 0.0 ? 0.0 : draw_between(&random, 0.1, 1.0);
            for (int k = 0; k < N; ++k) s.q[i] -= w[i * N + k] * solution[k];
        }
        s.view.w = (scree_bsr){start, column, offset, w};
        for (int m = 0; m < scree_solver_count(); ++m) {
            double p[N] = {0.0};
            scree_solver_def def = solver_def(scree_solver_get(m).name, 1e-12, 100000);
            if (!fits(&s.view, &def)) continue;
            scree_report report = solved(&s.view, &def, p);
            require(report.residual <= 1e-11, "case %d, %s: residual %.2g", c, def.solver,
                    report.residual);
            for (int i = 0; i < N; ++i) {
                require(fabs(p[i] - solution[i]) <= 1e-8, "case %d, %s: p[%d] is %.12g, not %.12g",
                        c, def.solver, i, p[i], solution[i]);
            }
        }
        sample_end(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_solves_every_law),
        cmocka_unit_test(convex_laws_have_one_motion),
        cmocka_unit_test(both_forms_have_the_same_impulses),
        cmocka_unit_test(methods_agree_about_what_is_valid),
        cmocka_unit_test(contacts_of_all_kinds_together),
        cmocka_unit_test(half_lines_with_a_known_solution),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
