/* The table of laws: what it says of every law, and which entry a contact gets. */
#include "laws/law.h"
#include "support/test.h"

#include <math.h>

static void coefficients_have_names(void** state)
{
    (void)state;
    static const char* const friction[3] = {"mu", "mu_r", "mu_s"};
    static const char* const interval[3] = {"lo", "hi", NULL};
    static const char* const none[3] = {NULL, NULL, NULL};
    const char* const* const names[] = {friction, friction, friction, none,
                                        interval, none,     friction};
    assert_int_equal(sizeof names / sizeof names[0], SCREE_LAW_COUNT);
    for (int law = 0; law < SCREE_LAW_COUNT; ++law) {
        for (int i = 0; i < 3; ++i) {
            const char* found = scree_law_coef_name(law, i);
            if (names[law][i]) {
                assert_non_null(found);
                assert_string_equal(found, names[law][i]);
            } else {
                assert_null(found);
            }
        }
        assert_null(scree_law_coef_name(law, -1));
        assert_null(scree_law_coef_name(law, 3));
        assert_null(scree_law_coef_name(law, 4));
    }
    for (int i = -1; i < 4; ++i) {
        assert_null(scree_law_coef_name(-1, i));
        assert_null(scree_law_coef_name(SCREE_LAW_COUNT, i));
    }
}

static void traits_are_those_of_the_header(void** state)
{
    (void)state;
    const uint32_t friction = SCREE_LAW_HAS_NORMAL | SCREE_LAW_HAS_FRICTION | SCREE_LAW_IS_CONE,
                   channels = friction | SCREE_LAW_HAS_CHANNELS | SCREE_LAW_MAY_HAVE_SETS,
                   convex = SCREE_LAW_IS_INCLUSION | SCREE_LAW_IS_ASSOCIATED;
    const uint32_t expected[SCREE_LAW_COUNT] = {
        [SCREE_LAW_EXACT] = channels | SCREE_LAW_IS_INCLUSION,
        [SCREE_LAW_CONVEX] = channels | convex,
        [SCREE_LAW_COUPLED] = friction | convex,
        [SCREE_LAW_BILATERAL] = convex | SCREE_LAW_IS_CONE,
        [SCREE_LAW_INTERVAL] = convex,
        [SCREE_LAW_HALF_LINE] = convex | SCREE_LAW_HAS_NORMAL | SCREE_LAW_IS_CONE,
        [SCREE_LAW_EXTENDED] = channels | SCREE_LAW_MAY_HAVE_DIRECTIONS};
    for (int law = 0; law < SCREE_LAW_COUNT; ++law) {
        require(scree_law_traits(law) == expected[law], "%s: %x, not %x", scree_law_name(law),
                (unsigned)scree_law_traits(law), (unsigned)expected[law]);
    }
    assert_int_equal(scree_law_traits(-1), 0);
    assert_int_equal(scree_law_traits(SCREE_LAW_COUNT), 0);
}

static void laws_lead_to_others(void** state)
{
    (void)state;
    for (int law = 0; law < SCREE_LAW_COUNT; ++law) {
        int is_exact = law == SCREE_LAW_EXACT;
        assert_int_equal(scri_law_relaxed(law), is_exact ? SCREE_LAW_CONVEX : -1);
        assert_int_equal(scri_law_extended_by(law), is_exact ? SCREE_LAW_EXTENDED : -1);
        assert_ptr_equal(scri_law_get(law)->name, scree_law_name(law));
    }
    assert_null(scri_law_get(-1));
    assert_null(scri_law_get(SCREE_LAW_COUNT));
}

/* One set in any of the four places is enough for the entry with sets. */
static void contacts_with_sets_get_other_entries(void** state)
{
    (void)state;
    static const uint8_t law[3] = {SCREE_LAW_EXACT, SCREE_LAW_CONVEX, SCREE_LAW_EXTENDED};
    const scri_law* const with_discs[3] = {&scri_law_exact, &scri_law_convex, &scri_law_exact};
    const scri_law* const with_sets[3] = {&scri_law_exact_sets, &scri_law_convex_sets,
                                          &scri_law_extended};
    scree_problem problem = {.n_contacts = 3, .law = law};
    for (int32_t c = 0; c < 3; ++c) assert_ptr_equal(scri_law_of(&problem, c), with_discs[c]);
    for (int place = -1; place < 4; ++place) {
        for (int32_t number = 0; number < 3; ++number) {
            for (int32_t c = 0; c < 3; ++c) {
                int32_t set[12];
                for (int i = 0; i < 12; ++i) set[i] = -1;
                if (place >= 0) set[4 * c + place] = number;
                problem.set = set;
                for (int32_t d = 0; d < 3; ++d) {
                    int has_sets = d == c && place >= 0;
                    assert_ptr_equal(scri_law_of(&problem, d),
                                     has_sets ? with_sets[d] : with_discs[d]);
                }
            }
        }
    }
}

/* What every exact law promises of the velocities alone: y_N >= 0. */
static void normals_recede(void** state)
{
    (void)state;
    const scri_terms terms = {SCREE_ROWS_NTTS, NULL, NULL, NULL, NULL};
    double inside[5] = {2.0, 1.0, -1.0, 3.0, 7.0}, outside[5] = {-2.0, 1.0, -1.0, 3.0, 7.0};
    double lost[5] = {(double)NAN, 1.0, 1.0, 1.0, 7.0};
    scri_law_recede_normal(terms, inside);
    scri_law_recede_normal(terms, outside);
    scri_law_recede_normal(terms, lost);
    assert_true(inside[0] == 2.0 && outside[0] == 0.0 && isnan(lost[0]));
    for (int i = 1; i < 4; ++i) {
        assert_true(inside[i] == 0.0 && outside[i] == 0.0 && lost[i] == 0.0);
    }
    assert_true(inside[4] == 7.0 && outside[4] == 7.0); /* not its own */
    assert_true(scri_law_no_shift(terms, inside) == 0.0);
}

/* An interval lets impulses grow towards an end that is not bounded, and no other way. */
static void intervals_recede_where_they_are_open(void** state)
{
    (void)state;
    const scri_law* law = scri_law_get(SCREE_LAW_INTERVAL);
    for (int open = 0; open < 4; ++open) {
        double coef[3] = {open & 1 ? -SCREE_INFINITY : -1.0, open & 2 ? SCREE_INFINITY : 2.0, 0.0};
        scri_terms terms = {SCREE_ROWS_N, coef, NULL, NULL, NULL};
        double down = -3.0, up = 3.0, none = 0.0;
        law->recede(terms, &down);
        law->recede(terms, &up);
        law->recede(terms, &none);
        assert_true(down == (open & 1 ? -3.0 : 0.0));
        assert_true(up == (open & 2 ? 3.0 : 0.0));
        assert_true(none == 0.0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coefficients_have_names),
        cmocka_unit_test(traits_are_those_of_the_header),
        cmocka_unit_test(laws_lead_to_others),
        cmocka_unit_test(contacts_with_sets_get_other_entries),
        cmocka_unit_test(normals_recede),
        cmocka_unit_test(intervals_recede_where_they_are_open),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
