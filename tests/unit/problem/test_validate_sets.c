/* Which sets the border lets a contact have: every choice of four numbers, under every law and with
 * all rows, against the rules of scree/problem.h. */
#include "support/friction_sets.h"

enum { N_SETS = 3, CHOICES = N_SETS + 1 };

/* Sets 0 and 1 are convex, 2 is not. */
static int may_be(const int32_t* set, int law, int rows)
{
    int extended = law == SCREE_LAW_EXTENDED;
    for (int k = 0; k < 4; ++k) {
        if (set[k] >= 0) break;
        if (k == 3) return 1; /* none: discs throughout */
    }
    if (!extended && law != SCREE_LAW_EXACT && law != SCREE_LAW_CONVEX) return 0;
    if (rows == SCREE_ROWS_NT || rows == SCREE_ROWS_NTR) return 0;
    for (int channel = 0; channel < 2; ++channel) {
        int32_t c = set[2 * channel], d = set[2 * channel + 1];
        if (d >= 0 && d != c && !extended) return 0;
        if (d == 2 || (d < 0 && c == 2)) return 0; /* the direction follows from it */
    }
    return 1;
}

static void all_choices(void** state)
{
    (void)state;
    set_stock stock;
    stock_open(&stock);
    const scree_set* const of[4] = {stock.set[1], stock.set[6], stock.set[STOCK_SETS - 1], NULL};
    double coef[3] = {0.0, 0.0, 0.0};
    scree_sets pool = *terms_with(SCREE_ROWS_NTT, coef, of).sets;
    assert_int_equal(pool.n, N_SETS);
    static const int32_t start[3] = {0, 0, 0};
    static const int64_t offset[1] = {0};
    int passed = 0;
    for (int law = 0; law < SCREE_LAW_COUNT; ++law) {
        for (int rows = SCREE_ROWS_N; rows < SCREE_ROWS_END; ++rows) {
            int one_row = law == SCREE_LAW_INTERVAL || law == SCREE_LAW_HALF_LINE;
            if (one_row && rows != SCREE_ROWS_N) continue;
            const int kinds[2] = {SCREE_ROWS_NTT, rows}, laws[2] = {SCREE_LAW_EXACT, law};
            sample s = sample_begin(2, kinds, laws);
            int32_t set[8] = {-1, -1, -1, -1, -1, -1, -1, -1};
            s.view.w = (scree_bsr){start, NULL, offset, NULL};
            s.view.set = set;
            s.view.sets = pool;
            for (int choice = 0; choice < CHOICES * CHOICES * CHOICES * CHOICES; ++choice) {
                for (int k = 0, rest = choice; k < 4; ++k, rest /= CHOICES) {
                    set[4 + k] = rest % CHOICES - 1;
                }
                test_host host;
                scree_env env = test_env(&host);
                int passes = scree_problem_validate(&env, &s.view) == SCREE_OK;
                require(passes == may_be(set + 4, law, rows),
                        "law %d, rows %d, sets %d %d %d %d: \"%s\"", law, rows, (int)set[4],
                        (int)set[5], (int)set[6], (int)set[7], host.text);
                require(passes || strstr(host.text, "contact 1:"), "\"%s\"", host.text);
                passed += passes;
            }
            sample_end(&s);
        }
    }
    require(passed > 500, "only %d passed", passed);
    stock_close(&stock);
}

/* Numbers that no set has, in each place, and a pool that is none. */
static void numbers_of_no_set(void** state)
{
    (void)state;
    set_stock stock;
    stock_open(&stock);
    const scree_set* const of[4] = {stock.set[1], stock.set[6], NULL, NULL};
    double coef[3] = {0.0, 0.0, 0.0};
    static const int32_t start[2] = {0, 0};
    static const int64_t offset[1] = {0};
    const int rows[1] = {SCREE_ROWS_NTTRRS}, law[1] = {SCREE_LAW_EXTENDED};
    sample s = sample_begin(1, rows, law);
    int32_t set[4] = {0, 1, 1, 0};
    s.view.w = (scree_bsr){start, NULL, offset, NULL};
    s.view.set = set;
    s.view.sets = *terms_with(SCREE_ROWS_NTT, coef, of).sets;
    assert_int_equal(scree_problem_validate(NULL, &s.view), SCREE_OK);
    for (int k = 0; k < 4; ++k) {
        static const int32_t wrong[] = {-2, 2, INT32_MIN, INT32_MAX};
        int32_t right = set[k];
        for (int i = 0; i < 4; ++i) {
            set[k] = wrong[i];
            assert_int_equal(scree_problem_validate(NULL, &s.view), SCREE_ERROR_INPUT);
        }
        set[k] = right;
    }
    scree_sets sound = s.view.sets;
    s.view.sets.n = -1;
    assert_int_equal(scree_problem_validate(NULL, &s.view), SCREE_ERROR_INPUT);
    s.view.sets = sound;
    s.view.sets.n_table = -1;
    assert_int_equal(scree_problem_validate(NULL, &s.view), SCREE_ERROR_INPUT);
    s.view.sets = sound;
    assert_int_equal(scree_problem_validate(NULL, &s.view), SCREE_OK);
    sample_end(&s);
    stock_close(&stock);
}

/* Sliding and spinning are joined by both sets or by none, and rolling has nothing to join. */
static void powers_of_spin_agree(void** state)
{
    (void)state;
    scree_set* const plain = make_set(SCREE_SET_ELLIPSE, 1.0, 0.5, 0.0, 0.0);
    const scree_set_def joined = {.kind = SCREE_SET_ELLIPSE, .a = 1.0, .b = 0.5, .spin_power = 2.0};
    scree_set* const with_spin = make_set_of(&joined);
    const scree_set* const of[4] = {plain, with_spin, NULL, NULL};
    static const struct {
        int32_t set[4];
        scree_status status;
    } cases[] = {
        {{0, 0, 0, 0}, SCREE_OK},
        {{1, 1, 0, 0}, SCREE_OK},
        {{1, -1, -1, -1}, SCREE_OK},
        {{0, 1, -1, -1}, SCREE_ERROR_INPUT},
        {{1, 0, -1, -1}, SCREE_ERROR_INPUT},
        {{0, 0, 1, 1}, SCREE_ERROR_INPUT},
        {{0, 0, 1, -1}, SCREE_ERROR_INPUT},
    };
    double coef[3] = {0.0, 0.0, 0.0};
    static const int32_t start[2] = {0, 0};
    static const int64_t offset[1] = {0};
    const int rows[1] = {SCREE_ROWS_NTTRRS}, law[1] = {SCREE_LAW_EXTENDED};
    sample s = sample_begin(1, rows, law);
    s.view.w = (scree_bsr){start, NULL, offset, NULL};
    s.view.sets = *terms_with(SCREE_ROWS_NTT, coef, of).sets;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        s.view.set = cases[i].set;
        scree_status status = scree_problem_validate(NULL, &s.view);
        require(status == cases[i].status, "case %d: %d", (int)i, (int)status);
    }
    sample_end(&s);
    scree_set_destroy(plain);
    scree_set_destroy(with_spin);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_choices),
        cmocka_unit_test(numbers_of_no_set),
        cmocka_unit_test(powers_of_spin_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
