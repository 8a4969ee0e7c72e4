/* Least squares with the smallest solution: right rank, gradient zero, nothing in the null space.
 */
#include "math/least_norm.h"
#include "support/test.h"

#include <math.h>

enum { MOST = 12 };

static double draw(scri_random* random)
{
    return 2.0 * scri_random_uniform(random) - 1.0;
}

/* a = left right with left[n*r], right[r*n]: rank r. */
static void multiply(int n, int r, const double* left, const double* right, double* a)
{
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            double sum = 0.0;
            for (int k = 0; k < r; ++k) sum += left[i * r + k] * right[k * n + j];
            a[i * n + j] = sum;
        }
    }
}

/* Largest entry of a^T (a x - b). */
static double gradient(int n, const double* a, const double* x, const double* b)
{
    double left[MOST], most = 0.0;
    for (int i = 0; i < n; ++i) {
        left[i] = -b[i];
        for (int j = 0; j < n; ++j) left[i] += a[i * n + j] * x[j];
    }
    for (int j = 0; j < n; ++j) {
        double sum = 0.0;
        for (int i = 0; i < n; ++i) sum += a[i * n + j] * left[i];
        most = isnan(sum) ? HUGE_VAL : fmax(most, fabs(sum));
    }
    return most;
}

/* The part of x across the rows of right[r*n], by Gram and Schmidt, twice. */
static double outside_rows(int n, int r, const double* right, const double* x)
{
    double basis[MOST * MOST], rest[MOST], norm = 0.0;
    for (int k = 0; k < r; ++k) {
        double* v = basis + k * n;
        memcpy(v, right + k * n, (size_t)n * sizeof *v);
        for (int pass = 0; pass < 2 * k; ++pass) {
            const double* u = basis + (pass % k) * n;
            double dot = 0.0;
            for (int i = 0; i < n; ++i) dot += u[i] * v[i];
            for (int i = 0; i < n; ++i) v[i] -= dot * u[i];
        }
        double length = 0.0;
        for (int i = 0; i < n; ++i) length += v[i] * v[i];
        for (int i = 0; i < n; ++i) v[i] /= sqrt(length);
    }
    memcpy(rest, x, (size_t)n * sizeof *rest);
    for (int pass = 0; pass < 2 * r; ++pass) {
        const double* u = basis + (pass % r) * n;
        double dot = 0.0;
        for (int i = 0; i < n; ++i) dot += u[i] * rest[i];
        for (int i = 0; i < n; ++i) rest[i] -= dot * u[i];
    }
    for (int i = 0; i < n; ++i) norm += rest[i] * rest[i];
    return sqrt(norm);
}

static void random_systems_of_every_rank(void** state)
{
    (void)state;
    scri_random random = test_seed("random_systems_of_every_rank", 3);
    double worst = 0.0;
    for (int trial = 0; trial < 2000; ++trial) {
        int n = 1 + trial % MOST, r = 1 + (int)scri_random_below(&random, (uint32_t)n);
        double left[MOST * MOST], right[MOST * MOST], a[MOST * MOST], copy[MOST * MOST];
        double b[MOST], x[MOST], work[3 * MOST], size = 1.0;
        for (int i = 0; i < n * r; ++i) {
            left[i] = draw(&random);
            right[i] = draw(&random);
        }
        for (int i = 0; i < n; ++i) x[i] = b[i] = draw(&random);
        multiply(n, r, left, right, a);
        memcpy(copy, a, (size_t)(n * n) * sizeof *a);
        assert_int_equal(scri_least_norm(n, copy, x, 1e-12, work), r);
        for (int i = 0; i < n; ++i) size = fmax(size, fabs(x[i]));
        worst = fmax(worst, gradient(n, a, x, b) / size);
        worst = fmax(worst, outside_rows(n, r, right, x) / size);
    }
    print_message("worst %.1e\n", worst);
    require(worst <= 1e-9, "%g", worst);
}

static void simple_cases(void** state)
{
    (void)state;
    double zero[4] = {0.0, 0.0, 0.0, 0.0}, b[2] = {1.0, 2.0}, work[6];
    assert_int_equal(scri_least_norm(2, zero, b, 1e-12, work), 0);
    assert_true(b[0] == 0.0 && b[1] == 0.0);
    double sum[4] = {1.0, 1.0, 1.0, 1.0}, c[2] = {2.0, 2.0}; /* x + y = 2 twice */
    assert_int_equal(scri_least_norm(2, sum, c, 1e-12, work), 1);
    require(fabs(c[0] - 1.0) <= 1e-15 && fabs(c[1] - 1.0) <= 1e-15, "%g %g", c[0], c[1]);
    double small[4] = {1.0, 0.0, 0.0, 1e-9}, d[2] = {1.0, 1.0}; /* singular only if so agreed */
    assert_int_equal(scri_least_norm(2, small, d, 1e-12, work), 2);
    require(fabs(d[1] - 1e9) <= 1e-3, "%g", d[1]);
    double again[4] = {1.0, 0.0, 0.0, 1e-9}, e[2] = {1.0, 1.0};
    assert_int_equal(scri_least_norm(2, again, e, 1e-6, work), 1);
    assert_true(e[0] == 1.0 && e[1] == 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_systems_of_every_rank),
        cmocka_unit_test(simple_cases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
