/* The one-contact solver on random problems: every answer is judged by the scaled natural map,
 * evaluated in extended precision by code that shares nothing with the library. */
#include "scree/solver.h"
#include "support/one_contact_problems.h"
#include "support/reference.h"
#include "support/test.h"

#define TOLERANCE 1e-12L

typedef struct tally {
    long n, newton, fail_safe, none, bad;
    real worst;
} tally;

static void print_problem(const one_contact_problem* c, const double* p)
{
    int n = shape_of((int)c->rows).width;
    print_message("  rows %d coef %.17g %.17g %.17g\n  w", (int)c->rows, c->coef[0], c->coef[1],
                  c->coef[2]);
    for (int i = 0; i < n * n; ++i) print_message(" %.17g", c->w[i]);
    print_message("\n  q");
    for (int i = 0; i < n; ++i) print_message(" %.17g", c->q[i]);
    print_message("\n  p");
    for (int i = 0; i < n; ++i) print_message(" %.17g", p[i]);
    print_message("\n");
}

/* Solves from `guess` (zeros where NULL) and judges. */
static void judge(const one_contact_problem* c, scree_law law, const double* guess, tally* t)
{
    double p[6] = {0.0};
    if (guess) memcpy(p, guess, sizeof p);
    scree_one_contact how = scree_one_contact_solve(c->rows, law, c->coef, c->w, c->q, p);
    t->newton += how == SCREE_ONE_CONTACT_NEWTON;
    t->fail_safe += how == SCREE_ONE_CONTACT_FAIL_SAFE;
    t->none += how == SCREE_ONE_CONTACT_NONE;
    real residual = reference_residual((int)c->rows, (int)law, c->coef, c->w, c->q, p);
    if (!(residual <= t->worst)) t->worst = residual;
    if (residual <= TOLERANCE && how != SCREE_ONE_CONTACT_NONE) return;
    if (t->bad++ < 3) {
        print_message("case %ld, law %d, how %d, residual %.3Lg\n", t->n, (int)law, (int)how,
                      residual);
        print_problem(c, p);
    }
}

static void report(const char* name, const tally* t)
{
    print_message("%s: %ld solved, %ld fail-safe, %ld none, worst residual %.2Lg\n", name, t->n,
                  t->fail_safe, t->none, t->worst);
    require(t->bad == 0, "%s: %ld of %ld are not solved", name, t->bad, t->n);
}

static void solve_many(const char* name, scree_rows rows, scree_law law, long count)
{
    scri_random random = test_seed(name, 1000 + 10 * (uint64_t)law + (uint64_t)rows);
    tally t = {0};
    for (; t.n < count; ++t.n) {
        one_contact_problem c;
        random.stream = (uint64_t)t.n; /* case n can be drawn alone */
        random.counter = 0;
        one_contact_draw(&random, rows, &c);
        judge(&c, law, NULL, &t);
    }
    report(name, &t);
}

#define MANY DRAW_COUNT(1000000, 10000)
#define SOME DRAW_COUNT(100000, 10000)

static void exact_law_with_friction_in_space(void** state)
{
    (void)state;
    solve_many("exact NTT", SCREE_ROWS_NTT, SCREE_LAW_EXACT, MANY);
}

static void exact_law_with_spinning(void** state)
{
    (void)state;
    solve_many("exact NTTS", SCREE_ROWS_NTTS, SCREE_LAW_EXACT, MANY);
}

static void exact_law_with_rolling(void** state)
{
    (void)state;
    solve_many("exact NTTRR", SCREE_ROWS_NTTRR, SCREE_LAW_EXACT, MANY);
}

static void exact_law_with_rolling_and_spinning(void** state)
{
    (void)state;
    solve_many("exact NTTRRS", SCREE_ROWS_NTTRRS, SCREE_LAW_EXACT, MANY);
}

static void exact_law_without_friction(void** state)
{
    (void)state;
    solve_many("exact N", SCREE_ROWS_N, SCREE_LAW_EXACT, SOME);
}

static void exact_law_in_the_plane(void** state)
{
    (void)state;
    solve_many("exact NT", SCREE_ROWS_NT, SCREE_LAW_EXACT, SOME);
}

static void exact_law_with_planar_rolling(void** state)
{
    (void)state;
    solve_many("exact NTR", SCREE_ROWS_NTR, SCREE_LAW_EXACT, SOME);
}

static const char* const row_names[] = {"", "N", "NT", "NTT", "NTTS", "NTTRR", "NTTRRS", "NTR"};

static void every_kind_of_rows(scree_law law)
{
    for (int rows = SCREE_ROWS_N; rows < SCREE_ROWS_END; ++rows) {
        char name[64];
        snprintf(name, sizeof name, "%s %s", scree_law_name((int)law), row_names[rows]);
        solve_many(name, (scree_rows)rows, law, SOME);
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

/* A joint: as long as the block is not close to singular, y vanishes. */
static void joints(void** state)
{
    (void)state;
    for (int rows = SCREE_ROWS_N; rows < SCREE_ROWS_END; ++rows) {
        char name[64];
        snprintf(name, sizeof name, "bilateral %s", row_names[rows]);
        solve_many(name, (scree_rows)rows, SCREE_LAW_BILATERAL, SOME);
    }
}

/* Any first guess must do: of the right size, far too large, outside the cone, negative. */
static void any_first_guess_will_do(void** state)
{
    (void)state;
    static const scree_law laws[] = {SCREE_LAW_EXACT, SCREE_LAW_CONVEX, SCREE_LAW_COUPLED};
    scri_random random = test_seed("first guesses", 77);
    for (int l = 0; l < 3; ++l) {
        tally t = {0};
        for (; t.n < SOME; ++t.n) {
            one_contact_problem c;
            double guess[6];
            random.stream = (uint64_t)t.n;
            random.counter = 0;
            int rows = 1 + draw_below(&random, SCREE_ROWS_END - 1);
            one_contact_draw(&random, (scree_rows)rows, &c);
            double size = fabs(c.q[0]) / c.w[0] * draw_power(&random, -6.0, 6.0);
            for (int i = 0; i < 6; ++i) guess[i] = size * draw_between(&random, -1.0, 1.0);
            judge(&c, laws[l], guess, &t);
        }
        char name[64];
        snprintf(name, sizeof name, "%s from random guesses", scree_law_name((int)laws[l]));
        report(name, &t);
    }
}

/* Files of problems hold W that differ from their transpose by this much, relative. */
static void slightly_asymmetric_blocks(void** state)
{
    (void)state;
    scri_random random = test_seed("asymmetric", 78);
    tally t = {0};
    for (; t.n < SOME; ++t.n) {
        one_contact_problem c;
        random.stream = (uint64_t)t.n;
        random.counter = 0;
        int rows = 1 + draw_below(&random, SCREE_ROWS_END - 1);
        one_contact_draw(&random, (scree_rows)rows, &c);
        int n = shape_of(rows).width;
        for (int i = 0; i < n; ++i) {
            for (int j = 0; j < i; ++j) {
                double size = 2e-3 * sqrt(c.w[i * n + i] * c.w[j * n + j]);
                double skew = size * draw_between(&random, -1.0, 1.0);
                c.w[i * n + j] += skew;
                c.w[j * n + i] -= skew;
            }
        }
        judge(&c, SCREE_LAW_EXACT, NULL, &t);
    }
    report("exact, asymmetric by 2e-3", &t);
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
        cmocka_unit_test(exact_law_with_planar_rolling),
        cmocka_unit_test(convex_law),
        cmocka_unit_test(coupled_law),
        cmocka_unit_test(joints),
        cmocka_unit_test(any_first_guess_will_do),
        cmocka_unit_test(slightly_asymmetric_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
