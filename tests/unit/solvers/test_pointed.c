/* Tasora & Anitescu: the optimisation problem (42) and the variational inequality have the same
 * solutions (Theorem 1 (i)); pointedness (45), proved or refuted by self-stress. */
#include "scree/reactions.h"
#include "support/forms.h"
#include "support/friction_sets.h"

static double objective_of(const scree_problem* problem, const double* p)
{
    double value = (double)NAN;
    assert_int_equal(scree_problem_objective(NULL, problem, p, &value), SCREE_OK);
    return value;
}

/* ---- Theorem 1 (i) ---- */

/* By hand: W = 1, q = (-1, 1, 0), mu = 1/2. p = (1.2, -0.6, 0): p^2 / 2 + q p = 0.9 - 1.8. */
static void the_objective_by_hand(void** state)
{
    (void)state;
    const int rows[1] = {SCREE_ROWS_NTT}, law[1] = {SCREE_LAW_CONVEX};
    const int32_t start[] = {0, 1}, column[] = {0};
    const int64_t offset[] = {0, 9};
    const double w[] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, q[] = {-1, 1, 0}, p[] = {1.2, -0.6, 0.0};
    sample s = sample_begin(1, rows, law);
    s.coef[0] = 0.5;
    memcpy(s.q, q, sizeof q);
    s.view.w = (scree_bsr){start, column, offset, w};
    double value = objective_of(&s.view, p);
    require(fabs(value + 0.9) <= 1e-15, "%.17g, not -0.9", value);
    sample_end(&s);
}

/* A solution by any method has the same objective, and no admissible impulses a smaller one. */
static void solutions_are_least(void** state)
{
    (void)state;
    static const char* const methods[] = {"nsgs", "projected", "apgd",
                                          "admm", "interior",  "newton-prox"};
    scri_random random = test_seed("least", 42);
    sphere_pile pile = {.nx = 2,
                        .ny = 2,
                        .nz = 2,
                        .noise = 1.0,
                        .rows = SCREE_ROWS_NTTRRS,
                        .law = SCREE_LAW_CONVEX,
                        .coef = {0.4, 0.1, 0.05}};
    sample s = sample_pile(&pile, &random);
    int32_t n = scree_problem_n_rows(&s.view);
    double least = 0.0, *p = zeros_of(&s.view), *other = zeros_of(&s.view);
    for (size_t m = 0; m < sizeof methods / sizeof methods[0]; ++m) {
        scree_solver_def def = solver_def(methods[m], 1e-9, 100000);
        memset(p, 0, (size_t)n * sizeof *p);
        if (!fits(&s.view, &def)) continue;
        assert_int_equal(solved(&s.view, &def, p).outcome, SCREE_OUTCOME_CONVERGED);
        double value = objective_of(&s.view, p);
        if (m == 0) least = value;
        require(fabs(value - least) <= 1e-8 * fabs(least), "%s: %.17g, not %.17g", methods[m],
                value, least);
    }
    require(least < 0.0, "%.17g is not below that of no impulses", least);
    for (int k = 0; k < test_cases(2000, 100000); ++k) {
        double far = draw_power(&random, -4.0, 0.5);
        for (int32_t c = 0; c < s.view.n_contacts; ++c) {
            double* at = other + s.row[c];
            for (int i = 0; i < 6; ++i) {
                double size = fabs(p[s.row[c]]) + 1e-3;
                at[i] = p[s.row[c] + i] + far * size * draw_between(&random, -1.0, 1.0);
            }
            scree_cone_project(6, s.coef + 3 * (size_t)c, at);
        }
        double value = objective_of(&s.view, other);
        require(value >= least - 1e-8 * fabs(least), "case %d: %.17g is below %.17g", k, value,
                least);
    }
    free(p), free(other);
    sample_end(&s);
}

/* ---- (45) ---- */

static scree_pointed examine(const scree_problem* problem, double* stress)
{
    scree_pointed out = SCREE_POINTED_UNKNOWN;
    assert_int_equal(scree_reactions_pointed(NULL, problem, stress, &out), SCREE_OK);
    return out;
}

/* Impulses in Y that press and leave velocities as they are. */
static void check_stress(const scree_problem* problem, const double* stress)
{
    int32_t n = scree_problem_n_rows(problem);
    double *with = zeros_of(problem), *zero = zeros_of(problem), *y = zeros_of(problem);
    double most = 0.0, moved = 0.0, size = 0.0;
    assert_int_equal(scree_problem_velocity(NULL, problem, stress, with), SCREE_OK);
    assert_int_equal(scree_problem_velocity(NULL, problem, zero, y), SCREE_OK);
    for (int32_t i = 0; i < n; ++i) moved = fmax(moved, fabs(with[i] - y[i]));
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        int width = problem->first_row[c + 1] - problem->first_row[c];
        const double* p = stress + problem->first_row[c];
        double alone[6] = {0.0};
        memcpy(alone, p, (size_t)width * sizeof *p);
        require(scree_cone_distance(width, problem->coef + 3 * (size_t)c, alone) <= 1e-12,
                "contact %d is outside of its cone", (int)c);
        most = fmax(most, p[0]);
        memset(zero, 0, (size_t)n * sizeof *zero);
        memcpy(zero + problem->first_row[c], p, (size_t)width * sizeof *p);
        assert_int_equal(scree_problem_velocity(NULL, problem, zero, with), SCREE_OK);
        for (int32_t i = 0; i < n; ++i) size = fmax(size, fabs(with[i] - y[i]));
    }
    require(most == 1.0, "the largest normal impulse is %.17g", most);
    require(moved <= 1e-9 * size, "it moves bodies: %.3g of %.3g", moved, size);
    free(with), free(zero), free(y);
}

/* Spheres that lie on the ground cannot press on each other in vain; between two walls they can. */
static void walls_make_self_stress(void** state)
{
    (void)state;
    for (int walls = 1; walls <= 2; ++walls) {
        for (int law = SCREE_LAW_EXACT; law <= SCREE_LAW_CONVEX; ++law) {
            const int rows[3] = {SCREE_ROWS_NTTRRS, SCREE_ROWS_NTTRRS, SCREE_ROWS_NTTRRS};
            const int laws[3] = {law, law, law};
            sample s = sample_begin(1 + walls, rows, laws); /* wall, sphere, sphere, wall */
            sample_add_bodies(&s, 2);
            for (int b = 0; b < 2; ++b) {
                s.inv_mass[b] = 1.0 + b;
                for (int k = 0; k < 3; ++k) s.inv_inertia[6 * b + k] = 10.0 * (1.0 + b);
            }
            for (int c = 0; c <= walls; ++c) { /* normals along x, from B to A */
                s.pair[2 * c] = c == 2 ? 1 : c;
                s.pair[2 * c + 1] = c == 1 ? 0 : -1;
                double along = c == 2 ? -1.0 : 1.0;
                s.frame[9 * c] = along, s.frame[9 * c + 4] = 1.0, s.frame[9 * c + 8] = along;
                s.arm[6 * c] = -0.5 * along, s.arm[6 * c + 3] = c == 1 ? 0.5 : 0.0;
                s.coef[3 * c] = 0.3, s.coef[3 * c + 1] = 0.01, s.coef[3 * c + 2] = 0.01;
            }
            assert_int_equal(scree_problem_validate(NULL, &s.view), SCREE_OK);
            double* stress = zeros_of(&s.view);
            scree_pointed found = examine(&s.view, stress);
            assert_int_equal(found, walls == 1 ? SCREE_POINTED : SCREE_NOT_POINTED);
            if (walls == 2) {
                check_stress(&s.view, stress);
                for (int c = 0; c < 3; ++c) {
                    require(fabs(stress[6 * c] - 1.0) <= 1e-9, "contact %d presses by %.12g", c,
                            stress[6 * c]);
                }
            }
            free(stress);
            sample_end(&s);
        }
    }
}

/* A ball in a wedge jams where friction is steeper than the half angle of the wedge's normals: the
 * two cones then contain opposite directions. Normals at +-a to the vertical. */
static void a_wedge_jams_by_friction(void** state)
{
    (void)state;
    for (int jam = 0; jam < 2; ++jam) {
        const int rows[2] = {SCREE_ROWS_NTT, SCREE_ROWS_NTT};
        const int laws[2] = {SCREE_LAW_EXACT, SCREE_LAW_EXACT};
        sample s = sample_begin(2, rows, laws);
        double a = 1.2; /* rad: forces of both can cancel from mu = tan(pi / 2 - a) = 0.389 on */
        sample_add_bodies(&s, 1);
        s.inv_mass[0] = 2.0;
        for (int k = 0; k < 3; ++k) s.inv_inertia[k] = 30.0;
        for (int c = 0; c < 2; ++c) {
            double side = c ? -1.0 : 1.0;
            double n[3] = {side * sin(a), 0.0, cos(a)}, t[3] = {cos(a), 0.0, -side * sin(a)};
            s.pair[2 * c + 1] = -1;
            for (int k = 0; k < 3; ++k) {
                s.frame[9 * c + k] = n[k];
                s.frame[9 * c + 3 + k] = t[k];
                s.frame[9 * c + 6 + k] = k == 1 ? -side * side : 0.0;
                s.arm[6 * c + k] = -0.25 * n[k];
            }
            for (int k = 0; k < 3; ++k) { /* t2 = n x t1 */
                int i = (k + 1) % 3, j = (k + 2) % 3;
                s.frame[9 * c + 6 + k] = n[i] * t[j] - n[j] * t[i];
            }
            s.coef[3 * c] = jam ? 0.42 : 0.36;
        }
        assert_int_equal(scree_problem_validate(NULL, &s.view), SCREE_OK);
        double* stress = zeros_of(&s.view);
        scree_pointed found = examine(&s.view, stress);
        assert_int_equal(found, jam ? SCREE_NOT_POINTED : SCREE_POINTED);
        if (jam) check_stress(&s.view, stress);
        free(stress);
        sample_end(&s);
    }
}

/* Piles on the ground are pointed, and then any free velocities have a solution (Theorem 2 (i)). */
static void piles_are_pointed(void** state)
{
    (void)state;
    scri_random random = test_seed("piles", 45);
    sphere_pile pile = {.nx = 2,
                        .ny = 2,
                        .nz = 2,
                        .noise = 5.0,
                        .rows = SCREE_ROWS_NTTRRS,
                        .law = SCREE_LAW_CONVEX,
                        .coef = {0.3, 0.05, 0.02}};
    sample s = sample_pile(&pile, &random);
    assert_int_equal(examine(&s.view, NULL), SCREE_POINTED);
    for (int k = 0; k < 5; ++k) {
        double* p = zeros_of(&s.view);
        scree_solver_def def = solver_def("auto", 1e-8, 100000);
        for (int32_t i = 0; i < scree_problem_n_rows(&s.view); ++i) {
            s.q[i] = draw_between(&random, -1.0, 1.0);
        }
        assert_int_equal(solved(&s.view, &def, p).outcome, SCREE_OUTCOME_CONVERGED);
        free(p);
    }
    sample_end(&s);
}

/* Nothing is pointed, and what the theory does not speak of is refused. */
static void refusals_and_nothing(void** state)
{
    (void)state;
    scri_random random = test_seed("refused", 47);
    const sphere_pile pile = {.nx = 1,
                              .ny = 1,
                              .nz = 2,
                              .rows = SCREE_ROWS_NTT,
                              .law = SCREE_LAW_EXTENDED,
                              .coef = {0.3, 0.0, 0.0}};
    sample s = sample_pile(&pile, &random);
    scree_pointed found = SCREE_POINTED_UNKNOWN;
    scree_problem part = s.view;
    part.n_contacts = 0;
    assert_int_equal(scree_reactions_pointed(NULL, &part, NULL, &found), SCREE_OK);
    assert_int_equal(found, SCREE_POINTED);
    part = s.view;
    part.form = SCREE_FORM_FACTORED;
    assert_int_equal(scree_reactions_pointed(NULL, &part, NULL, &found), SCREE_ERROR_UNSUPPORTED);
    assert_int_equal(found, SCREE_POINTED_UNKNOWN);
    scree_set *c = make_set(SCREE_SET_ELLIPSE, 1.0, 0.4, 0.0, 0.0),
              *d = make_set(SCREE_SET_ELLIPSE, 0.9, 0.5, 0.0, 30.0);
    const scree_set* own[4 * 8] = {NULL};
    assert_true(s.view.n_contacts <= 8);
    for (int32_t i = 0; i < s.view.n_contacts; ++i) own[4 * i] = c, own[4 * i + 1] = d;
    sample_add_sets(&s, own);
    assert_int_equal(scree_reactions_pointed(NULL, &s.view, NULL, &found), SCREE_ERROR_UNSUPPORTED);
    assert_int_equal(found, SCREE_POINTED_UNKNOWN);
    assert_int_equal(scree_reactions_pointed(NULL, NULL, NULL, &found), SCREE_ERROR_ARGUMENT);
    scree_set_destroy(c);
    scree_set_destroy(d);
    sample_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_objective_by_hand),  cmocka_unit_test(solutions_are_least),
        cmocka_unit_test(walls_make_self_stress), cmocka_unit_test(a_wedge_jams_by_friction),
        cmocka_unit_test(piles_are_pointed),      cmocka_unit_test(refusals_and_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
