/* A new law is one line in the list of scree/problem.h and one file. This program is the library as
 * it is, but for a header with one line more and the table that is made from it: every method that
 * takes the law must solve it, on both forms of a problem. */
#include "laws/law.h"
#include "support/solving.h"

enum { CONTACTS = 12, BODIES = 5 };

/* Contacts that pull, push and slide on bodies that fly apart; a little compliance makes the
 * impulses unique. */
static sample draw_problem(scri_random* random)
{
    int rows[CONTACTS], law[CONTACTS];
    for (int c = 0; c < CONTACTS; ++c) {
        rows[c] = c % 3 == 0 ? SCREE_ROWS_N : c % 3 == 1 ? SCREE_ROWS_NTT : SCREE_ROWS_NTTRR;
        law[c] = SCREE_LAW_COHESIVE;
    }
    sample s = sample_begin(CONTACTS, rows, law);
    draw_bodies(&s, random, BODIES);
    sample_add_compliance(&s, random, 0.1);
    for (int i = 0; i < s.row[CONTACTS]; ++i) s.compliance[i] += 0.05;
    for (int c = 0; c < CONTACTS; ++c) {
        s.coef[3 * c] = draw_between(random, 0.1, 1.0);
        s.coef[3 * c + 1] = draw_between(random, 0.0, 0.1);
        s.coef[3 * c + 2] = draw_between(random, 0.0, 0.5);
    }
    for (int i = 0; i < s.row[CONTACTS]; ++i) s.q[i] = draw_between(random, -1.0, 1.0);
    return s;
}

/* By hand: p + c e_N lies in the cone, y in its dual, and they are orthogonal. */
static void check_law(const scree_problem* problem, const char* solver, const double* p)
{
    double y[6 * CONTACTS];
    assert_int_equal(scree_problem_velocity(NULL, problem, p, y), SCREE_OK);
    for (int c = 0; c < CONTACTS; ++c) {
        const double *coef = problem->coef + 3 * (size_t)c, *r = p + problem->first_row[c];
        const double* v = y + problem->first_row[c];
        int width = problem->first_row[c + 1] - problem->first_row[c];
        double n = r[0] + coef[2], work = n * v[0], hold = 0.0;
        for (int k = 0; 1 + 2 * k < width; ++k) {
            const double *l = r + 1 + 2 * k, *s = v + 1 + 2 * k;
            double excess = hypot(l[0], l[1]) - coef[k] * n;
            require(excess <= 1e-5, "%s: channel %d of contact %d by %g", solver, k, c, excess);
            hold += coef[k] * hypot(s[0], s[1]);
            work += l[0] * s[0] + l[1] * s[1];
        }
        double bound = 1e-5 * (1.0 + fabs(n) + hold);
        require(n >= -bound && v[0] - hold >= -bound && fabs(work) <= bound,
                "%s: contact %d has p_N + c = %g, y_N = %g above %g, and does %g", solver, c, n,
                v[0], hold, work);
    }
}

/* How many methods solve the problem; the others must refuse it. */
static int solve_by_all(const scree_problem* problem)
{
    int n_solved = 0;
    assert_int_equal(scree_problem_validate(NULL, problem), SCREE_OK);
    for (int i = 0; i < scree_solver_count(); ++i) {
        scree_solver_def def = solver_def(scree_solver_get(i).name, 1e-8, 200000);
        size_t size = scree_solve_work_size(sparse_env(), problem, &def);
        void* work = test_take(size ? size : 1, 1);
        double p[6 * CONTACTS] = {0.0};
        scree_report report;
        scree_status status = scree_solve(sparse_env(), problem, &def, work, p, &report);
        free(work);
        if (status == SCREE_ERROR_UNSUPPORTED) continue;
        require(status == SCREE_OK && report.outcome == SCREE_OUTCOME_CONVERGED, "%s: %s, %g",
                def.solver, scree_outcome_text((int)report.outcome), report.residual);
        check_law(problem, def.solver, p);
        ++n_solved;
    }
    return n_solved;
}

static void every_method_solves_it_or_refuses(void** state)
{
    (void)state;
    scri_random random = test_seed("a new law", 71);
    for (int i = 0; i < test_cases(5, 100); ++i) {
        sample s = draw_problem(&random);
        scree_problem_store reduced = {0};
        assert_int_equal(scree_problem_reduce(NULL, &s.view, &reduced), SCREE_OK);
        assert_true(solve_by_all(&s.view) >= 5);
        assert_true(solve_by_all(&reduced.problem) >= 5);
        scree_problem_store_release(&reduced);
        sample_end(&s);
    }
}

/* What the public functions say of it comes from its entry. */
static void it_says_what_it_is(void** state)
{
    (void)state;
    assert_string_equal(scree_law_name(SCREE_LAW_COHESIVE), "cohesive");
    assert_string_equal(scree_law_coef_name(SCREE_LAW_COHESIVE, 2), "c");
    assert_null(scree_law_coef_name(SCREE_LAW_COHESIVE, 3));
    assert_null(scree_law_name(SCREE_LAW_COUNT));
    uint32_t traits = scree_law_traits(SCREE_LAW_COHESIVE);
    assert_true(traits & SCREE_LAW_IS_ASSOCIATED);
    assert_false(traits & (SCREE_LAW_HAS_CHANNELS | SCREE_LAW_IS_CONE));
    assert_int_equal(scree_law_traits(SCREE_LAW_COUNT), 0);
}

/* The border checks it: it has no spinning rows and no sets, and c is not negative. */
static void the_border_knows_its_limits(void** state)
{
    (void)state;
    scri_random random = test_seed("the border", 72);
    sample s = draw_problem(&random);
    test_host host = {.fail_at = -1};
    scree_env env = test_env(&host);
    s.coef[3 * 4 + 2] = -1.0;
    assert_int_equal(scree_problem_validate(&env, &s.view), SCREE_ERROR_INPUT);
    assert_string_equal(host.text, "contact 4: c = -1 must be finite and not negative");
    s.coef[3 * 4 + 2] = 1.0;
    s.law[0] = SCREE_LAW_COUNT;
    assert_int_equal(scree_problem_validate(&env, &s.view), SCREE_ERROR_INPUT);
    assert_string_equal(host.text, "contact 0: unknown law");
    sample_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_solves_it_or_refuses),
        cmocka_unit_test(it_says_what_it_is),
        cmocka_unit_test(the_border_knows_its_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
