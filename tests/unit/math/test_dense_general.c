/* Columns in lanes, and factors that are made by them, beside plain elimination: the same bits. */
#include "math/column_lanes.h"
#include "math/dense_lu.h"
#include "support/draw.h"
#include "support/test.h"

#include <math.h>
#include <stdlib.h>

enum { MOST = 132 };

enum { STRIDE = 50 };
static const int lanes[] = {2, 4, 8};

static void require_same(const double* found, const double* plain, int n, int rows, int width)
{
    for (int i = 0; i < n; ++i) {
        require(memcmp(&found[i], &plain[i], sizeof *found) == 0,
                "%d rows, %d lanes: number %d is %.17g for %.17g", rows, width, i, found[i],
                plain[i]);
    }
}

static void lanes_have_the_bits_of_one(void** state)
{
    (void)state;
    scri_random random = test_seed("columns in lanes", 87);
    int compared = 0;
    for (int round = 0; round < 3000; ++round) {
        double column[SCRI_COLUMNS * STRIDE], factor[SCRI_COLUMNS], x[STRIDE], plain[STRIDE];
        int n = draw_below(&random, STRIDE + 1), width = lanes[round % 3];
        for (int i = 0; i < SCRI_COLUMNS * STRIDE; ++i) column[i] = draw_between(&random, -1, 1);
        for (int i = 0; i < SCRI_COLUMNS; ++i) factor[i] = draw_sign(&random) / 3.0;
        for (int i = 0; i < STRIDE; ++i) x[i] = plain[i] = draw_between(&random, -1, 1);
        for (int k = 0; k < SCRI_COLUMNS; ++k) {
            for (int i = 0; i < n; ++i) plain[i] -= factor[k] * column[STRIDE * k + i];
        }
        scri_column_lanes work = scri_column_lanes_of(width);
        if (!work.take_four) continue;
        work.take_four((size_t)n, column, STRIDE, factor, x);
        require_same(x, plain, STRIDE, n, width);
        ++compared;
    }
    assert_true(compared >= 1000);
    assert_non_null(scri_column_lanes_best().take_from);
}

static void lanes_take_one_from_many(void** state)
{
    (void)state;
    enum { MANY = 6 };
    scri_random random = test_seed("one from many", 89);
    int compared = 0;
    for (int round = 0; round < 3000; ++round) {
        double column[STRIDE], others[MANY * STRIDE], plain[MANY * STRIDE];
        int n = draw_below(&random, STRIDE), many = draw_below(&random, MANY + 1);
        for (int i = 0; i < STRIDE; ++i) column[i] = draw_between(&random, -1, 1);
        for (int i = 0; i < MANY * STRIDE; ++i) {
            others[i] = i % STRIDE || draw_chance(&random, 70) ? draw_between(&random, -1, 1) : 0.0;
            plain[i] = others[i];
        }
        for (int j = 0; j < many; ++j) {
            for (int i = 0; i < n; ++i) plain[STRIDE * j + 1 + i] -= plain[STRIDE * j] * column[i];
        }
        scri_column_lanes work = scri_column_lanes_of(lanes[round % 3]);
        if (!work.take_from) continue;
        work.take_from((size_t)n, column, STRIDE, (size_t)many, others + 1);
        require_same(others, plain, MANY * STRIDE, n, lanes[round % 3]);
        ++compared;
    }
    assert_true(compared >= 1000);
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

/* x = U^-1 L^-1 of what is there, the rows in the order of the pivots. */
static void solve_plainly(int n, const double* a, const int32_t* pivot, double* x)
{
    for (int k = 0; k < n; ++k) {
        double swap = x[k];
        x[k] = x[pivot[k] - 1];
        x[pivot[k] - 1] = swap;
    }
    for (int k = 0; k < n; ++k) {
        for (int i = k + 1; i < n; ++i) x[i] -= x[k] * a[n * k + i];
    }
    for (int k = n - 1; k >= 0; --k) {
        x[k] /= a[n * k + k];
        for (int i = 0; i < k; ++i) x[i] -= x[k] * a[n * k + i];
    }
}

/* Full ones, scattered ones and bands; one in ten has a column of 0. */
static void draw_matrix(scri_random* random, int n, double* a)
{
    int kind = draw_below(random, 3), width = 1 + draw_below(random, 12);
    int lost = draw_chance(random, 10) ? draw_below(random, n) : -1;
    for (int i = 0; i < n * n; ++i) {
        int beside = abs(i % n - i / n);
        int is_kept = kind == 0 || beside == 0 || (kind == 1 && draw_chance(random, 8.0)) ||
                      (kind == 2 && beside <= width);
        a[i] = is_kept && i / n != lost ? draw_between(random, -1.0, 1.0) : 0.0;
    }
}

/* Not always as narrow as they may be. */
static void find_extents(scri_random* random, int n, const double* a, scri_extent* extent)
{
    for (int j = 0; j < n; ++j) {
        int top = 0, end = n, wider = draw_chance(random, 20) ? 3 : 0;
        while (top < n && a[n * j + top] == 0.0) ++top;
        while (end > top && a[n * j + end - 1] == 0.0) --end;
        extent[j].top = top > wider ? top - wider : 0;
        extent[j].end = end + wider < n ? end + wider : n;
    }
}

static void factors_have_the_bits_of_plain_elimination(void** state)
{
    (void)state;
    static double a[MOST * MOST], plain[MOST * MOST], known[MOST * MOST];
    static scri_extent extent[MOST];
    double x[MOST], y[MOST], z[MOST];
    int32_t pivot[MOST], expected[MOST];
    scri_random random = test_seed("factors in lanes", 88);
    int singular = 0;
    for (int round = 0; round < 600; ++round) {
        int n = 1 + draw_below(&random, MOST);
        draw_matrix(&random, n, a);
        find_extents(&random, n, a, extent);
        memcpy(plain, a, sizeof a);
        memcpy(known, a, sizeof a);
        for (int i = 0; i < n; ++i) x[i] = y[i] = z[i] = draw_between(&random, -1.0, 1.0);
        int regular = factor_plainly(n, plain, expected);
        scree_status status = regular ? SCREE_OK : SCREE_ERROR_INPUT;
        singular += !regular;
        assert_int_equal(scri_dense_lu_factor(SCREE_SPARSE_GENERAL, n, a, NULL, pivot), status);
        if (regular) scri_dense_lu_solve(SCREE_SPARSE_GENERAL, n, a, NULL, pivot, y);
        assert_int_equal(scri_dense_lu_factor(SCREE_SPARSE_GENERAL, n, known, extent, pivot),
                         status);
        if (!regular) continue;
        scri_dense_lu_solve(SCREE_SPARSE_GENERAL, n, known, extent, pivot, z);
        solve_plainly(n, plain, expected, x);
        assert_memory_equal(pivot, expected, (size_t)n * sizeof *pivot);
        for (int i = 0; i < n; ++i) {
            require(y[i] == x[i], "%d rows: number %d is %.17g for %.17g", n, i, y[i], x[i]);
            require(z[i] == x[i], "%d rows, extents: %d is %.17g for %.17g", n, i, z[i], x[i]);
        }
    }
    print_message("%d of 600 singular\n", singular);
    assert_true(singular > 30 && singular < 300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_have_the_bits_of_one),
        cmocka_unit_test(lanes_take_one_from_many),
        cmocka_unit_test(factors_have_the_bits_of_plain_elimination),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
