/* The one-contact solver on random contacts between rigid bodies. */
#include "support/one_contact_judge.h"

#define MANY test_cases(1500, 1000000)
#define SOME test_cases(800, 100000)

static void exact_law_with_friction_in_space(void** state)
{
    (void)state;
    solve_many(ONE_CONTACT_ORDINARY, SCREE_ROWS_NTT, SCREE_LAW_EXACT, MANY);
}

static void exact_law_with_spinning(void** state)
{
    (void)state;
    solve_many(ONE_CONTACT_ORDINARY, SCREE_ROWS_NTTS, SCREE_LAW_EXACT, MANY);
}

static void exact_law_with_rolling(void** state)
{
    (void)state;
    solve_many(ONE_CONTACT_ORDINARY, SCREE_ROWS_NTTRR, SCREE_LAW_EXACT, MANY);
}

static void exact_law_with_rolling_and_spinning(void** state)
{
    (void)state;
    solve_many(ONE_CONTACT_ORDINARY, SCREE_ROWS_NTTRRS, SCREE_LAW_EXACT, MANY);
}

static void exact_law_without_friction(void** state)
{
    (void)state;
    solve_many(ONE_CONTACT_ORDINARY, SCREE_ROWS_N, SCREE_LAW_EXACT, SOME);
}

static void exact_law_in_the_plane(void** state)
{
    (void)state;
    solve_many(ONE_CONTACT_ORDINARY, SCREE_ROWS_NT, SCREE_LAW_EXACT, SOME);
    solve_many(ONE_CONTACT_ORDINARY, SCREE_ROWS_NTR, SCREE_LAW_EXACT, SOME);
}

static void every_kind_of_rows(scree_law law)
{
    for (int rows = SCREE_ROWS_N; rows < SCREE_ROWS_END; ++rows) {
        solve_many(ONE_CONTACT_ORDINARY, (scree_rows)rows, law, SOME);
    }
}

static void convex_law(void** state)
{
    (void)state;
    every_kind_of_rows(SCREE_LAW_CONVEX);
}

static void coupled_law(void** state)
{
    (void)state;
    every_kind_of_rows(SCREE_LAW_COUPLED);
}

static void joints(void** state)
{
    (void)state;
    every_kind_of_rows(SCREE_LAW_BILATERAL);
}

/* A first guess may be of any size, outside the cone, or negative. */
static void any_first_guess_will_do(void** state)
{
    (void)state;
    static const scree_law laws[] = {SCREE_LAW_EXACT, SCREE_LAW_CONVEX, SCREE_LAW_COUPLED};
    scri_random random = test_seed("random first guesses", 77);
    for (int l = 0; l < 3; ++l) {
        tally t = {0};
        for (; t.n < SOME; ++t.n) {
            one_contact_problem c;
            double guess[6];
            draw_case(&random, t.n);
            scree_rows rows = (scree_rows)(1 + draw_below(&random, SCREE_ROWS_END - 1));
            one_contact_draw(&random, ONE_CONTACT_ORDINARY, rows, &c);
            double size = fabs(c.q[0]) / c.w[0] * draw_power(&random, -6.0, 6.0);
            for (int i = 0; i < 6; ++i) guess[i] = size * draw_between(&random, -1.0, 1.0);
            judge(&c, laws[l], guess, &t);
        }
        report(scree_law_name((int)laws[l]), &t);
    }
}

/* Problem files hold W that differ from their transpose; here by up to 2e-3 of the diagonal. */
static void slightly_asymmetric_blocks(void** state)
{
    (void)state;
    scri_random random = test_seed("asymmetric blocks", 78);
    tally t = {0};
    for (; t.n < SOME; ++t.n) {
        one_contact_problem c;
        draw_case(&random, t.n);
        scree_rows rows = (scree_rows)(1 + draw_below(&random, SCREE_ROWS_END - 1));
        one_contact_draw(&random, ONE_CONTACT_ORDINARY, rows, &c);
        int n = shape_of((int)rows).width;
        for (int i = 0; i < n; ++i) {
            for (int j = 0; j < i; ++j) {
                double size = 1e-3 * sqrt(c.w[i * n + i] * c.w[j * n + j]);
                double skew = size * draw_between(&random, -1.0, 1.0);
                c.w[i * n + j] += skew;
                c.w[j * n + i] -= skew;
            }
        }
        judge(&c, SCREE_LAW_EXACT, NULL, &t);
    }
    report("exact, asymmetric", &t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_law_with_friction_in_space),
        cmocka_unit_test(exact_law_with_spinning),
        cmocka_unit_test(exact_law_with_rolling),
        cmocka_unit_test(exact_law_with_rolling_and_spinning),
        cmocka_unit_test(exact_law_without_friction),
        cmocka_unit_test(exact_law_in_the_plane),
        cmocka_unit_test(convex_law),
        cmocka_unit_test(coupled_law),
        cmocka_unit_test(joints),
        cmocka_unit_test(any_first_guess_will_do),
        cmocka_unit_test(slightly_asymmetric_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
