/* Dense algebra on a handful of unknowns, and the inverse of a mass matrix by components. */
#include "math/mass_matrix.h"
#include "math/small_kernel.h"
#include "support/problems.h"

enum { MOST = 8 };

/* |a x - b|_inf / (|a| |x|) */
static double residual(int n, const double* a, const double* x, const double* b)
{
    real worst = 0, size = 0;
    for (int i = 0; i < n; ++i) {
        real sum = -(real)b[i], row = 0;
        for (int j = 0; j < n; ++j) {
            sum += (real)a[i * n + j] * (real)x[j];
            row += real_abs((real)a[i * n + j] * (real)x[j]);
        }
        worst = real_max(worst, real_abs(sum));
        size = real_max(size, row);
    }
    return size > 0 ? (double)(worst / size) : (double)worst;
}

static void factors_of_positive_matrices(void** state)
{
    (void)state;
    scri_random random = test_seed("LU", 31);
    double worst = 0.0;
    for (int i = 0; i < 20000; ++i) {
        int n = 1 + draw_below(&random, 6);
        double b[36], a[36] = {0.0}, lu[36], x[6], rhs[6];
        double least = draw_power(&random, -10.0, 0.0);
        for (int k = 0; k < n * n; ++k) b[k] = draw_between(&random, -1.0, 1.0);
        for (int k = 0; k < n * n; ++k) {
            int row = k / n, column = k % n;
            for (int j = 0; j < n; ++j) a[k] += b[row * n + j] * b[column * n + j];
            if (row == column)
                a[k] += least;
            else
                a[k] += (row > column ? 1e-3 : -1e-3) * least; /* not symmetric */
        }
        for (int k = 0; k < n; ++k) x[k] = rhs[k] = draw_between(&random, -1.0, 1.0);
        memcpy(lu, a, sizeof lu);
        scri_lu_factor(n, lu, 1e-15);
        scri_lu_solve(n, lu, x);
        double error = residual(n, a, x, rhs);
        require(error <= 1e-13, "case %d: %.2g", i, error);
        worst = fmax(worst, error);
    }
    print_message("worst residual %.2g\n", worst);
}

/* A pivot of zero is lifted to the floor: the answer is large, never infinite or NaN. */
static void factors_of_singular_matrices_are_usable(void** state)
{
    (void)state;
    double a[9] = {1.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0}, x[3] = {1.0, 2.0, 0.0};
    scri_lu_factor(3, a, 1e-15);
    scri_lu_solve(3, a, x);
    for (int i = 0; i < 3; ++i) assert_true(isfinite(x[i]));
    assert_true(x[2] == 0.0); /* nothing drives the row without mobility */
}

static void elimination_with_row_exchanges(void** state)
{
    (void)state;
    scri_random random = test_seed("Gauss", 32);
    for (int i = 0; i < 20000; ++i) {
        int n = 1 + draw_below(&random, 4), stride = n + draw_below(&random, 3);
        double a[28] = {0.0}, whole[16], x[4], rhs[4];
        for (int r = 0; r < n; ++r) {
            x[r] = rhs[r] = draw_between(&random, -1.0, 1.0);
            for (int c = 0; c < n; ++c) {
                double entry = draw_chance(&random, 30.0) ? 0.0 : draw_between(&random, -1.0, 1.0);
                a[r * stride + c] = whole[r * n + c] = entry;
            }
        }
        for (int r = 0; r < n; ++r) /* regular, with a diagonal that may be small */
            a[r * stride + (r + 1) % n] = whole[r * n + (r + 1) % n] = 3.0;
        require(scri_gauss_solve(n, stride, a, x), "case %d: singular", i);
        double error = residual(n, whole, x, rhs);
        require(error <= 1e-14, "case %d: %.2g", i, error);
    }
    double singular[4] = {1.0, 2.0, 2.0, 4.0}, b[2] = {1.0, 1.0};
    assert_false(scri_gauss_solve(2, 2, singular, b));
    double zero[1] = {0.0}, one[1] = {1.0};
    assert_false(scri_gauss_solve(1, 1, zero, one));
    double nan[1] = {(double)NAN};
    assert_false(scri_gauss_solve(1, 1, nan, one));
    assert_true(scri_gauss_solve(0, 1, NULL, NULL));
}

/* ---- mass matrices ---- */

static void components_are_found_and_inverted(void** state)
{
    (void)state;
    scri_random random = test_seed("mass matrices", 33);
    for (int i = 0; i < 100; ++i) {
        int32_t n = 1 + draw_below(&random, 30);
        const int rows = SCREE_ROWS_N, law = SCREE_LAW_EXACT;
        sample s = sample_begin(1, &rows, &law);
        draw_factors(&s, &random, n, 1 + draw_below(&random, MOST));
        const scree_csc* m = &s.view.factored.mass;
        scri_arena* arena = scri_arena_create(NULL);
        scri_mass_matrix mass;
        assert_int_equal(scri_mass_matrix_create(NULL, arena, m, &mass), SCREE_OK);

        /* every unknown is in one component, every entry within one */
        assert_int_equal(mass.n, n);
        assert_int_equal(mass.start[mass.n_components], n);
        for (int32_t k = 0; k < mass.n_components; ++k) {
            assert_true(mass.start[k + 1] > mass.start[k]);
            require(mass.start[k + 1] - mass.start[k] <= MOST, "a component of %d unknowns",
                    (int)(mass.start[k + 1] - mass.start[k]));
            for (int32_t e = mass.start[k]; e < mass.start[k + 1]; ++e) {
                assert_int_equal(mass.component[mass.member[e]], k);
                assert_int_equal(mass.position[mass.member[e]], e - mass.start[k]);
            }
        }
        for (int32_t j = 0; j < n; ++j) {
            for (int32_t e = m->start[j]; e < m->start[j + 1]; ++e) {
                assert_int_equal(mass.component[m->row[e]], mass.component[j]);
            }
        }
        /* M (M^-1 b) = b */
        double x[30], b[30], work[30];
        for (int32_t k = 0; k < n; ++k) x[k] = b[k] = draw_between(&random, -1.0, 1.0);
        scri_mass_matrix_solve(&mass, x, work);
        for (int32_t j = 0; j < n; ++j) {
            for (int32_t e = m->start[j]; e < m->start[j + 1]; ++e) {
                b[m->row[e]] -= m->value[e] * x[j];
            }
        }
        for (int32_t k = 0; k < n; ++k) require(fabs(b[k]) <= 1e-13, "case %d: %.2g", i, b[k]);
        scri_arena_destroy(arena);
        sample_end(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(factors_of_positive_matrices),
        cmocka_unit_test(factors_of_singular_matrices_are_usable),
        cmocka_unit_test(elimination_with_row_exchanges),
        cmocka_unit_test(components_are_found_and_inverted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
