/* The one-contact solver where it is hard.
 *
 * Nearly singular w: scaled eigenvalues down to 1e-12, as from long thin bodies. The impulses are
 * then sensitive to the data, but the natural map is not: rounding the true solution to double
 * gives a residual near 1e-16. And data that are no numbers, which must end soon. */
#include "support/one_contact_judge.h"

#define NOT_A_NUMBER ((double)NAN)

#define COUNT test_cases(10, 300)

static void solve_all_rows(scree_law law)
{
    static const scree_rows rows[] = {SCREE_ROWS_NT,   SCREE_ROWS_NTR,   SCREE_ROWS_NTT,
                                      SCREE_ROWS_NTTS, SCREE_ROWS_NTTRR, SCREE_ROWS_NTTRRS};
    for (int i = 0; i < 6; ++i) solve_many(ONE_CONTACT_NEARLY_SINGULAR, rows[i], law, COUNT);
}

static void exact_law_in_the_plane(void** state)
{
    (void)state;
    solve_many(ONE_CONTACT_NEARLY_SINGULAR, SCREE_ROWS_NT, SCREE_LAW_EXACT, COUNT);
    solve_many(ONE_CONTACT_NEARLY_SINGULAR, SCREE_ROWS_NTR, SCREE_LAW_EXACT, COUNT);
}

static void exact_law_with_friction_in_space(void** state)
{
    (void)state;
    solve_many(ONE_CONTACT_NEARLY_SINGULAR, SCREE_ROWS_NTT, SCREE_LAW_EXACT, COUNT);
}

static void exact_law_with_spinning(void** state)
{
    (void)state;
    solve_many(ONE_CONTACT_NEARLY_SINGULAR, SCREE_ROWS_NTTS, SCREE_LAW_EXACT, COUNT);
}

static void exact_law_with_rolling(void** state)
{
    (void)state;
    solve_many(ONE_CONTACT_NEARLY_SINGULAR, SCREE_ROWS_NTTRR, SCREE_LAW_EXACT, COUNT);
}

static void exact_law_with_rolling_and_spinning(void** state)
{
    (void)state;
    solve_many(ONE_CONTACT_NEARLY_SINGULAR, SCREE_ROWS_NTTRRS, SCREE_LAW_EXACT, COUNT);
}

static void convex_law(void** state)
{
    (void)state;
    solve_all_rows(SCREE_LAW_CONVEX);
}

static void coupled_law(void** state)
{
    (void)state;
    solve_all_rows(SCREE_LAW_COUPLED);
}

static void joints(void** state)
{
    (void)state;
    solve_all_rows(SCREE_LAW_BILATERAL);
}

/* No number must come out of NaN: either the answer holds one or there is none. */
static void not_a_number_stays_one(void** state)
{
    (void)state;
    for (int rows = 1; rows < SCREE_ROWS_END; ++rows) {
        int n = shape_of(rows).width;
        for (int law = SCREE_LAW_EXACT; law <= SCREE_LAW_BILATERAL; ++law) {
            for (int slot = 0; slot < n; ++slot) {
                const double coef[3] = {0.5, 0.2, 0.1};
                double w[36] = {0.0}, q[6] = {-1.0, 2.0, 0.1, 0.3, 0.01, 0.2}, p[6] = {0.0};
                for (int i = 0; i < n; ++i) w[i * n + i] = 1.0;
                q[slot] = NOT_A_NUMBER;
                scree_one_contact_way how =
                    scree_one_contact_solve((scree_rows)rows, (scree_law)law, coef, w, q, p);
                int found = how == SCREE_ONE_CONTACT_NONE;
                for (int i = 0; i < n; ++i) found |= isnan(p[i]);
                require(found, "%s, rows %d, NaN in q[%d]: p = %g %g ...", scree_law_name(law),
                        rows, slot, p[0], p[1]);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_law_in_the_plane),
        cmocka_unit_test(exact_law_with_friction_in_space),
        cmocka_unit_test(exact_law_with_spinning),
        cmocka_unit_test(exact_law_with_rolling),
        cmocka_unit_test(exact_law_with_rolling_and_spinning),
        cmocka_unit_test(convex_law),
        cmocka_unit_test(coupled_law),
        cmocka_unit_test(joints),
        cmocka_unit_test(not_a_number_stays_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
