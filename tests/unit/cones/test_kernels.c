/* What every kernel of the cones stands on: where the rows of a contact are, and norms. */
#include "cones/friction_kernel.h"
#include "support/draw.h"
#include "support/real.h"
#include "support/test.h"

/* ---- rows ---- */

typedef struct expected_rows {
    int rows, width, first[SCRI_CHANNELS], dim[SCRI_CHANNELS];
} expected_rows;

static void require_layout(const expected_rows* e, scri_layout found)
{
    require(found.width == e->width, "rows %d: width %d", e->rows, found.width);
    for (int k = 0; k < SCRI_CHANNELS; ++k) {
        require(found.dim[k] == e->dim[k], "rows %d: channel %d has %d rows", e->rows, k,
                found.dim[k]);
        require(found.dim[k] == 0 || found.first[k] == e->first[k],
                "rows %d: channel %d begins at %d", e->rows, k, found.first[k]);
        require(found.first[k] + found.dim[k] <= SCRI_MAX_WIDTH, "rows %d: channel %d ends at %d",
                e->rows, k, found.first[k] + found.dim[k]);
    }
}

static void rows_of_every_kind(void** state)
{
    (void)state;
    static const expected_rows kinds[] = {{SCREE_ROWS_N, 1, {1, 1, 1}, {0, 0, 0}},
                                          {SCREE_ROWS_NT, 2, {1, 1, 1}, {1, 0, 0}},
                                          {SCREE_ROWS_NTT, 3, {1, 1, 1}, {2, 0, 0}},
                                          {SCREE_ROWS_NTTS, 4, {1, 1, 3}, {2, 0, 1}},
                                          {SCREE_ROWS_NTTRR, 5, {1, 3, 1}, {2, 2, 0}},
                                          {SCREE_ROWS_NTTRRS, 6, {1, 3, 5}, {2, 2, 1}},
                                          {SCREE_ROWS_NTR, 3, {1, 2, 1}, {1, 1, 0}},
                                          {0, 0, {1, 1, 1}, {0, 0, 0}},
                                          {-1, 0, {1, 1, 1}, {0, 0, 0}},
                                          {SCREE_ROWS_END, 0, {1, 1, 1}, {0, 0, 0}},
                                          {SCREE_ROWS_END + 1, 0, {1, 1, 1}, {0, 0, 0}}};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; ++i) {
        require_layout(&kinds[i], scri_layout_of(kinds[i].rows));
    }
    for (int width = -1; width <= SCRI_MAX_WIDTH + 2; ++width) { /* 7 is no width but planar rows */
        expected_rows e = {width, 0, {1, 1, 1}, {0, 0, 0}};
        for (size_t i = 0; i < 6; ++i) e = kinds[i].width == width ? kinds[i] : e;
        require_layout(&e, scri_layout_of_width(width));
    }
}

/* ---- norms ---- */

static void require_norm(double found, double x, double y, int n)
{
    real wide = real_sqrt((real)x * (real)x + (real)y * (real)y);
    require(real_abs((real)found - wide) <= (real)4e-16 * wide + (real)4.95e-324,
            "case %d: |(%.17g, %.17g)| is not %.17g", n, x, y, found);
}

static void norms_of_all_sizes(void** state)
{
    (void)state;
    scri_random random = test_seed("norms", 73);
    for (int n = 0; n < 4000; ++n) {
        double x = draw_sign(&random) * draw_power(&random, -307.0, 307.0);
        double y = x * draw_sign(&random) * draw_power(&random, -3.0, 0.5), v[3] = {x, y, 0.0};
        if (n % 5 == 0) y = v[1] = 0.0;
        require_norm(scri_norm2(x, y), x, y, n);
        require_norm(scri_norm2(y, x), x, y, n);
        require_norm(scri_norm(3, v), x, y, n);
        require_norm(scri_norm_channel(2, v), x, y, n);
        assert_true(scri_norm_channel(1, v) == fabs(x) && scri_norm_channel(0, v) == 0.0);
    }
    for (int exponent = -1074; exponent <= 1022; ++exponent) { /* 3, 4, 5 in every unit */
        double unit = ldexp(1.0, exponent), v[4] = {2.0 * unit, 4.0 * unit, 5.0 * unit, 6.0 * unit};
        if (exponent < 1020) {
            assert_true(scri_norm2(-3.0 * unit, 4.0 * unit) == 5.0 * unit);
            assert_true(scri_norm(4, v) == 9.0 * unit);
            assert_true(scri_norm(0, v) == 0.0);
        }
        assert_true(scri_norm2(0.0, -unit) == unit && scri_norm(1, &unit) == unit);
    }
}

static void norms_without_a_size(void** state)
{
    (void)state;
    const double nan = (double)NAN, inf = (double)INFINITY, none[3] = {0.0, -0.0, 0.0};
    assert_true(scri_norm2(0.0, -0.0) == 0.0 && scri_norm(3, none) == 0.0);
    assert_true(scri_norm2(-inf, 1.0) == inf && scri_norm2(1e-300, inf) == inf);
    assert_true(isnan(scri_norm2(nan, 1.0)) && isnan(scri_norm2(0.0, nan)));
    assert_true(isnan(scri_norm2(inf, nan)));
    const double v[3] = {1.0, -inf, 2.0}, w[3] = {inf, 1.0, nan};
    assert_true(scri_norm(3, v) == inf && isnan(scri_norm(3, w)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_every_kind),
        cmocka_unit_test(norms_of_all_sizes),
        cmocka_unit_test(norms_without_a_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
