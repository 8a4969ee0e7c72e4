/* Columns in lanes, and factors that are made by them, beside plain elimination: the same bits. */
#include "math/column_lanes.h"
#include "math/dense_lu.h"
#include "support/draw.h"
#include "support/test.h"

#include <math.h>

enum { MOST = 96 };

static void lanes_have_the_bits_of_one(void** state)
{
    (void)state;
    enum { STRIDE = 50 };
    static const int lanes[] = {2, 4, 8};
    scri_random random = test_seed("columns in lanes", 87);
    int compared = 0;
    for (int round = 0; round < 3000; ++round) {
        double column[SCRI_COLUMNS * STRIDE], factor[SCRI_COLUMNS], x[STRIDE], plain[STRIDE];
        size_t n = (size_t)draw_below(&random, STRIDE + 1);
        for (int i = 0; i < SCRI_COLUMNS * STRIDE; ++i) column[i] = draw_between(&random, -1, 1);
        for (int i = 0; i < SCRI_COLUMNS; ++i) factor[i] = draw_sign(&random) / 3.0;
        for (int i = 0; i < STRIDE; ++i) x[i] = plain[i] = draw_between(&random, -1, 1);
        for (int k = 0; k < SCRI_COLUMNS; ++k) {
            for (size_t i = 0; i < n; ++i) plain[i] -= factor[k] * column[STRIDE * k + (int)i];
        }
        scri_column_work* work = scri_column_lanes_of(lanes[round % 3]);
        if (!work) continue;
        work(n, column, STRIDE, factor, x);
        for (int i = 0; i < STRIDE; ++i) {
            require(memcmp(&x[i], &plain[i], sizeof *x) == 0, "%d rows, %d lanes: row %d is %.17g",
                    (int)n, lanes[round % 3], i, x[i]);
        }
        ++compared;
    }
    assert_true(compared >= 1000);
    assert_non_null(scri_column_lanes_best());
}

/* Pivots count from 1. Returns whether no pivot is 0. */
static int factor_plainly(int n, double* a, int32_t* pivot)
{
    for (int k = 0; k < n; ++k) {
        int best = k;
        for (int i = k + 1; i < n; ++i) {
            if (fabs(a[n * k + i]) > fabs(a[n * k + best])) best = i;
        }
        pivot[k] = best + 1;
        if (a[n * k + best] == 0.0) return 0;
        for (int j = 0; j < n; ++j) {
            double swap = a[n * j + k];
            a[n * j + k] = a[n * j + best];
            a[n * j + best] = swap;
        }
        double inverse = 1.0 / a[n * k + k];
        for (int i = k + 1; i < n; ++i) a[n * k + i] *= inverse;
        for (int j = k + 1; j < n; ++j) {
            for (int i = k + 1; i < n; ++i) a[n * j + i] -= a[n * j + k] * a[n * k + i];
        }
    }
    return 1;
}

/* Full and sparse ones; one in ten has a column of 0. */
static void draw_matrix(scri_random* random, int n, double* a)
{
    double percent = draw_chance(random, 50) ? 100.0 : 8.0;
    int lost = draw_chance(random, 10) ? draw_below(random, n) : -1;
    for (int i = 0; i < n * n; ++i) {
        int is_kept = i % n == i / n || draw_chance(random, percent);
        a[i] = is_kept && i / n != lost ? draw_between(random, -1.0, 1.0) : 0.0;
    }
}

static void factors_have_the_bits_of_plain_elimination(void** state)
{
    (void)state;
    static double a[MOST * MOST], plain[MOST * MOST];
    int32_t pivot[MOST], expected[MOST];
    scri_random random = test_seed("factors in lanes", 88);
    int singular = 0;
    for (int round = 0; round < 400; ++round) {
        int n = 1 + draw_below(&random, MOST);
        draw_matrix(&random, n, a);
        memcpy(plain, a, sizeof a);
        int regular = factor_plainly(n, plain, expected);
        scree_status status = scri_dense_lu_factor(SCREE_SPARSE_GENERAL, n, a, pivot);
        assert_int_equal(status, regular ? SCREE_OK : SCREE_ERROR_INPUT);
        singular += !regular;
        for (int i = 0; i < n * n && regular; ++i) {
            require(a[i] == plain[i], "%d rows: entry %d is %.17g for %.17g", n, i, a[i], plain[i]);
            assert_int_equal(pivot[i % n], expected[i % n]);
        }
    }
    print_message("%d of 400 singular\n", singular);
    assert_true(singular > 20 && singular < 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_have_the_bits_of_one),
        cmocka_unit_test(factors_have_the_bits_of_plain_elimination),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
