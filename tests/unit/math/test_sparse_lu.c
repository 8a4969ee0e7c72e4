/* Sparse factorisation by what its solutions leave, inertia against Jacobi's rotations. Sizes lie
 * on both sides of the limit up to which matrices are factored as dense ones. */
#include "base/team.h"
#include "math/sparse_lu.h"
#include "support/draw.h"
#include "support/test.h"

#include <math.h>

typedef struct matrix {
    int32_t n, *start, *row;
    double* value;
} matrix;

static const char* const kind_name[] = {"general", "positive", "symmetric"};
static const scree_sparse_kind all_kinds[] = {SCREE_SPARSE_GENERAL, SCREE_SPARSE_POSITIVE,
                                              SCREE_SPARSE_SYMMETRIC};

/* ---- matrices ---- */

/* A ring of blocks of `width` rows, with `chords` random couplings of two blocks. */
static matrix draw_pattern(scri_random* random, int32_t n_blocks, int32_t width, int32_t chords)
{
    size_t size = (size_t)n_blocks * (size_t)n_blocks;
    unsigned char* coupled = test_take(size, 1);
    for (int32_t i = 0; i < n_blocks; ++i) {
        int32_t next = (i + 1) % n_blocks;
        coupled[i * n_blocks + i] = 1;
        coupled[i * n_blocks + next] = coupled[next * n_blocks + i] = 1;
    }
    for (int32_t k = 0; k < chords; ++k) {
        int32_t i = draw_below(random, n_blocks), j = draw_below(random, n_blocks);
        coupled[i * n_blocks + j] = coupled[j * n_blocks + i] = 1;
    }
    size_t count = 0;
    for (size_t k = 0; k < size; ++k) count += coupled[k];
    matrix a = {.n = n_blocks * width};
    count *= (size_t)width * (size_t)width;
    a.start = test_take((size_t)a.n + 1, sizeof *a.start);
    a.row = test_take(count, sizeof *a.row);
    a.value = test_take(count, sizeof *a.value);
    int32_t next = 0;
    for (int32_t j = 0; j < a.n; ++j) {
        a.start[j] = next;
        for (int32_t i = 0; i < a.n; ++i)
            if (coupled[(i / width) * n_blocks + j / width]) a.row[next++] = i;
    }
    a.start[a.n] = next;
    free(coupled);
    return a;
}

static void release(matrix* a)
{
    free(a->start);
    free(a->row);
    free(a->value);
}

static double* entry(const matrix* a, int32_t i, int32_t j)
{
    int32_t k = a->start[j];
    while (a->row[k] != i) ++k;
    return &a->value[k];
}

/* Values in [-1, 1]; symmetric ones but for the general kind; positive ones with a large diagonal.
 * Rows of general matrices are multiplied by powers of ten up to 10^decades. */
static void draw_values(scri_random* random, scree_sparse_kind kind, double decades, matrix* a)
{
    for (int32_t j = 0; j < a->n; ++j) {
        for (int32_t k = a->start[j]; k < a->start[j + 1]; ++k) {
            a->value[k] = draw_between(random, -1.0, 1.0);
            if (kind != SCREE_SPARSE_GENERAL && a->row[k] < j)
                a->value[k] = *entry(a, j, a->row[k]);
        }
    }
    for (int32_t j = 0; j < a->n && kind == SCREE_SPARSE_POSITIVE; ++j) {
        double sum = 0.1;
        for (int32_t k = a->start[j]; k < a->start[j + 1]; ++k) sum += fabs(a->value[k]);
        *entry(a, j, j) = sum;
    }
    double* factor = test_take((size_t)a->n, sizeof *factor);
    for (int32_t i = 0; i < a->n; ++i) factor[i] = draw_power(random, 0.0, decades);
    for (int32_t k = 0; k < a->start[a->n] && decades > 0.0; ++k) a->value[k] *= factor[a->row[k]];
    free(factor);
}

/* ---- reference ---- */

/* Number of negative eigenvalues of a symmetric matrix, by Jacobi's rotations. */
static int32_t reference_negative(const matrix* a)
{
    int32_t n = a->n, count = 0;
    double* d = test_take((size_t)n * (size_t)n, sizeof *d);
    for (int32_t j = 0; j < n; ++j)
        for (int32_t k = a->start[j]; k < a->start[j + 1]; ++k) d[a->row[k] * n + j] = a->value[k];
    for (int sweep = 0; sweep < 8; ++sweep) {
        for (int32_t p = 0; p < n; ++p) {
            for (int32_t q = p + 1; q < n; ++q) {
                if (d[p * n + q] == 0.0) continue;
                double angle = 0.5 * atan2(2.0 * d[p * n + q], d[q * n + q] - d[p * n + p]);
                double c = cos(angle), s = sin(angle);
                for (int32_t i = 0; i < n; ++i) {
                    double x = d[i * n + p], y = d[i * n + q];
                    d[i * n + p] = c * x - s * y;
                    d[i * n + q] = s * x + c * y;
                }
                for (int32_t i = 0; i < n; ++i) {
                    double x = d[p * n + i], y = d[q * n + i];
                    d[p * n + i] = c * x - s * y;
                    d[q * n + i] = s * x + c * y;
                }
            }
        }
    }
    for (int32_t i = 0; i < n; ++i) count += d[i * n + i] < 0.0;
    free(d);
    return count;
}

/* Largest |b - a x| of a row over the sum of its |a_ij| |x_j| and |b|; NaN when x holds one. */
static double backward_error(const matrix* a, const double* x, const double* b)
{
    double *rest = test_take((size_t)a->n, sizeof *rest),
           *size = test_take((size_t)a->n, sizeof *size);
    double worst = 0.0;
    for (int32_t j = 0; j < a->n; ++j) {
        for (int32_t k = a->start[j]; k < a->start[j + 1]; ++k) {
            rest[a->row[k]] += a->value[k] * x[j];
            size[a->row[k]] += fabs(a->value[k] * x[j]);
        }
    }
    for (int32_t i = 0; i < a->n; ++i) {
        double error = fabs(b[i] - rest[i]) / (size[i] + fabs(b[i]));
        if (!(error <= worst)) worst = error;
    }
    free(rest);
    free(size);
    return worst;
}

/* Large matrices need a library that the build may lack. */
static int fits(int32_t n)
{
    return scri_sparse_lu_fits(sparse_env(), n);
}

static scri_sparse_lu* create(const matrix* a, scree_sparse_kind kind)
{
    scri_sparse_lu* lu = NULL;
    assert_int_equal(scri_sparse_lu_create(sparse_env(), a->n, a->start, a->row, kind, &lu),
                     SCREE_OK);
    assert_non_null(lu);
    return lu;
}

static double solve_random(scri_random* random, scri_sparse_lu* lu, const matrix* a)
{
    double *b = test_take((size_t)a->n, sizeof *b), *x = test_take((size_t)a->n, sizeof *x);
    for (int32_t i = 0; i < a->n; ++i) x[i] = b[i] = draw_between(random, -1.0, 1.0);
    scri_sparse_lu_solve(lu, x);
    double error = backward_error(a, x, b);
    free(b);
    free(x);
    return error;
}

/* The upper triangle of a symmetric matrix must not be read. */
static void spoil_upper(scree_sparse_kind kind, const matrix* a, double* value)
{
    memcpy(value, a->value, (size_t)a->start[a->n] * sizeof *value);
    for (int32_t j = 0; j < a->n && kind != SCREE_SPARSE_GENERAL; ++j)
        for (int32_t k = a->start[j]; k < a->start[j + 1]; ++k)
            if (a->row[k] < j) value[k] = (double)NAN;
}

/* ---- tests ---- */

static void check_against_reference(scri_random* random, int32_t n_blocks, int32_t width,
                                    scree_sparse_kind kind, int n_factored)
{
    if (!fits(n_blocks * width)) return;
    matrix a = draw_pattern(random, n_blocks, width, n_blocks / 2);
    double* value = test_take((size_t)a.start[a.n], sizeof *value);
    scri_sparse_lu* lu = create(&a, kind);
    for (int k = 0; k < n_factored; ++k) {
        draw_values(random, kind, 0.0, &a);
        spoil_upper(kind, &a, value);
        assert_int_equal(scri_sparse_lu_factor(lu, value), SCREE_OK);
        double error = solve_random(random, lu, &a);
        require(error <= 1e-10, "%s, n %d: backward error %g", kind_name[kind], a.n, error);
        if (k > 0) continue;
        if (kind == SCREE_SPARSE_SYMMETRIC)
            assert_int_equal(scri_sparse_lu_negative(lu), reference_negative(&a));
    }
    scri_sparse_lu_destroy(lu);
    free(value);
    release(&a);
}

static void random_matrices_are_solved_with_their_inertia(void** state)
{
    (void)state;
    scri_random random = test_seed("sparse_lu", 20261115);
    for (int c = 0; c < 3; ++c) {
        scree_sparse_kind kind = all_kinds[c];
        for (int32_t n = 1; n <= 9; ++n) check_against_reference(&random, n, 1, kind, 3);
        for (int k = 0; k < test_cases(2, 10); ++k)
            check_against_reference(&random, 1 + draw_below(&random, 25), 6, kind, 2);
        check_against_reference(&random, 191, 1, kind, 2);
        check_against_reference(&random, 193, 1, kind, 2);
        for (int k = 0; k < test_cases(1, 5); ++k)
            check_against_reference(&random, 33 + draw_below(&random, 9), 6, kind, 3);
    }
}

static void one_pattern_is_factored_many_times(void** state)
{
    (void)state;
    scri_random random = test_seed("many times", 7);
    for (int c = 0; c < 3; ++c) check_against_reference(&random, 20, 6, all_kinds[c], 30);
    for (int c = 0; c < 3; ++c)
        check_against_reference(&random, 40, 6, all_kinds[c], test_cases(30, 300));
}

/* Rows from 1 to 1e12, as in I + D W; pivots are put off, so space must be asked for again. */
static void rows_may_be_scaled_differently(void** state)
{
    (void)state;
    scri_random random = test_seed("scaled rows", 12);
    for (int32_t n_blocks = 20; n_blocks <= 120; n_blocks += 50) {
        if (!fits(5 * n_blocks)) continue;
        matrix a = draw_pattern(&random, n_blocks, 5, 2 * n_blocks);
        scri_sparse_lu* lu = create(&a, SCREE_SPARSE_GENERAL);
        for (int k = 0; k < test_cases(2, 10); ++k) {
            draw_values(&random, SCREE_SPARSE_GENERAL, 12.0, &a);
            assert_int_equal(scri_sparse_lu_factor(lu, a.value), SCREE_OK);
            double error = solve_random(&random, lu, &a);
            require(error <= 1e-9, "n %d: backward error %g", a.n, error);
        }
        scri_sparse_lu_destroy(lu);
        release(&a);
    }
}

/* A zero diagonal everywhere: nothing works without exchanges. */
static void zero_diagonals_are_no_obstacle(void** state)
{
    (void)state;
    scri_random random = test_seed("zero diagonal", 5);
    for (int32_t n_blocks = 30; n_blocks <= 120; n_blocks += 90) {
        if (!fits(4 * n_blocks)) continue;
        matrix a = draw_pattern(&random, n_blocks, 4, n_blocks);
        for (int c = 0; c < 3; c += 2) {
            scree_sparse_kind kind = all_kinds[c];
            draw_values(&random, kind, 0.0, &a);
            for (int32_t i = 0; i < a.n; ++i) *entry(&a, i, i) = 0.0;
            scri_sparse_lu* lu = create(&a, kind);
            assert_int_equal(scri_sparse_lu_factor(lu, a.value), SCREE_OK);
            double error = solve_random(&random, lu, &a);
            require(error <= 1e-9, "%s, n %d: backward error %g", kind_name[kind], a.n, error);
            scri_sparse_lu_destroy(lu);
        }
        release(&a);
    }
}

/* After each failure the same object must factor a good matrix. */
static void bad_matrices_are_refused(void** state)
{
    (void)state;
    scri_random random = test_seed("bad", 3);
    const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    for (int32_t n_blocks = 20; n_blocks <= 50; n_blocks += 30) {
        if (!fits(6 * n_blocks)) continue;
        matrix a = draw_pattern(&random, n_blocks, 6, n_blocks);
        for (int c = 0; c < 3; ++c) {
            scree_sparse_kind kind = all_kinds[c];
            scri_sparse_lu* lu = create(&a, kind);
            draw_values(&random, kind, 0.0, &a);
            double kept = a.value[0];
            for (int k = 0; k < 3; ++k) {
                a.value[0] = bad[k];
                assert_int_equal(scri_sparse_lu_factor(lu, a.value), SCREE_ERROR_INPUT);
            }
            a.value[0] = kept;
            assert_int_equal(scri_sparse_lu_factor(lu, a.value), SCREE_OK);
            int32_t zero = draw_below(&random, a.n); /* a row and column of zeros */
            for (int32_t j = 0; j < a.n; ++j)
                for (int32_t k = a.start[j]; k < a.start[j + 1]; ++k)
                    if (j == zero || a.row[k] == zero) a.value[k] = 0.0;
            assert_int_equal(scri_sparse_lu_factor(lu, a.value), SCREE_ERROR_INPUT);
            memset(a.value, 0, (size_t)a.start[a.n] * sizeof *a.value);
            assert_int_equal(scri_sparse_lu_factor(lu, a.value), SCREE_ERROR_INPUT);
            draw_values(&random, kind, 0.0, &a);
            assert_int_equal(scri_sparse_lu_factor(lu, a.value), SCREE_OK);
            double error = solve_random(&random, lu, &a);
            require(error <= 1e-10, "%s: backward error %g", kind_name[kind], error);
            if (kind == SCREE_SPARSE_POSITIVE) {
                *entry(&a, 1, 1) *= -1.0;
                assert_int_equal(scri_sparse_lu_factor(lu, a.value), SCREE_ERROR_INPUT);
            }
            scri_sparse_lu_destroy(lu);
        }
        release(&a);
    }
}

/* In a triangular matrix an entry off the diagonal reaches no pivot. */
static void infinite_entries_are_refused_wherever_they_are(void** state)
{
    (void)state;
    scri_random random = test_seed("triangular", 4);
    for (int32_t n_blocks = 20; n_blocks <= 50; n_blocks += 30) {
        if (!fits(6 * n_blocks)) continue;
        matrix a = draw_pattern(&random, n_blocks, 6, n_blocks);
        draw_values(&random, SCREE_SPARSE_GENERAL, 0.0, &a);
        for (int32_t j = 0; j < a.n; ++j)
            for (int32_t k = a.start[j]; k < a.start[j + 1]; ++k)
                if (a.row[k] != j) a.value[k] = 0.0;
        scri_sparse_lu* lu = create(&a, SCREE_SPARSE_GENERAL);
        assert_int_equal(scri_sparse_lu_factor(lu, a.value), SCREE_OK);
        *entry(&a, 0, a.n - 1) = (double)INFINITY;
        assert_int_equal(scri_sparse_lu_factor(lu, a.value), SCREE_ERROR_INPUT);
        scri_sparse_lu_destroy(lu);
        release(&a);
    }
}

static void memory_is_asked_for_and_given_back(void** state)
{
    (void)state;
    scri_random random = test_seed("memory", 9);
    for (int32_t n_blocks = 10; n_blocks <= 50; n_blocks += 40) {
        if (!fits(6 * n_blocks)) continue;
        matrix a = draw_pattern(&random, n_blocks, 6, n_blocks);
        scree_status status = SCREE_ERROR_MEMORY;
        for (long fail_at = 0; status != SCREE_OK; ++fail_at) {
            test_host host;
            scree_env env = test_env(&host);
            host.fail_at = fail_at;
            scri_sparse_lu* lu = NULL;
            status = scri_sparse_lu_create(&env, a.n, a.start, a.row, SCREE_SPARSE_GENERAL, &lu);
            if (status != SCREE_OK) {
                assert_int_equal(status, SCREE_ERROR_MEMORY);
                assert_null(lu);
            }
            scri_sparse_lu_destroy(lu);
            assert_int_equal(host.n_held, 0);
            assert_int_equal(host.n_logged, 0);
            require(fail_at < 100, "never enough memory");
        }
        release(&a);
    }
}

/* More objects at a time than the table of the library behind begins with. */
static void many_may_live_at_once(void** state)
{
    (void)state;
    enum { COUNT = 25 };
    test_needs_sparse();
    scri_random random = test_seed("many", 11);
    matrix a = draw_pattern(&random, 40, 6, 20);
    draw_values(&random, SCREE_SPARSE_GENERAL, 0.0, &a);
    scri_sparse_lu* lu[COUNT];
    for (int k = 0; k < COUNT; ++k) lu[k] = create(&a, SCREE_SPARSE_GENERAL);
    for (int k = 0; k < COUNT; k += 2) scri_sparse_lu_destroy(lu[k]);
    for (int k = 1; k < COUNT; k += 2) {
        assert_int_equal(scri_sparse_lu_factor(lu[k], a.value), SCREE_OK);
        double error = solve_random(&random, lu[k], &a);
        require(error <= 1e-10, "backward error %g", error);
        scri_sparse_lu_destroy(lu[k]);
    }
    release(&a);
}

typedef struct shared_work {
    const scree_env* env;
    const matrix* a;
    double* x; /* [workers * n] */
    int failed[4];
} shared_work;

static void work_alone(void* context, int32_t begin, int32_t end, int32_t worker)
{
    shared_work* work = context;
    const matrix* a = work->a;
    (void)worker;
    for (int32_t i = begin; i < end; ++i) {
        double* x = work->x + i * a->n;
        for (int k = 0; k < 20; ++k) {
            scri_sparse_lu* lu = NULL;
            work->failed[i] += scri_sparse_lu_create(work->env, a->n, a->start, a->row,
                                                     SCREE_SPARSE_GENERAL, &lu) ||
                               scri_sparse_lu_factor(lu, a->value);
            for (int32_t j = 0; j < a->n; ++j) x[j] = j % 7;
            if (lu) scri_sparse_lu_solve(lu, x);
            scri_sparse_lu_destroy(lu);
        }
    }
}

static void threads_get_the_same_bits(void** state)
{
    (void)state;
    enum { WORKERS = 4 };
    scri_random random = test_seed("threads", 13);
    scri_team* team = NULL;
    assert_int_equal(scri_team_create(NULL, WORKERS, &team), SCREE_OK);
    for (int32_t n_blocks = 20; n_blocks <= 50; n_blocks += 30) {
        if (!fits(6 * n_blocks)) continue;
        matrix a = draw_pattern(&random, n_blocks, 6, n_blocks);
        draw_values(&random, SCREE_SPARSE_GENERAL, 0.0, &a);
        shared_work work = {.env = sparse_env(), .a = &a};
        work.x = test_take((size_t)a.n * WORKERS, sizeof *work.x);
        scri_team_for(team, WORKERS, 1, work_alone, &work);
        for (int k = 0; k < WORKERS; ++k) {
            assert_int_equal(work.failed[k], 0);
            assert_memory_equal(work.x, work.x + k * a.n, (size_t)a.n * sizeof *work.x);
        }
        free(work.x);
        release(&a);
    }
    scri_team_destroy(team);
}

/* Without a table, or with one that is too short, large matrices are refused and small ones are
 * not. */
static void large_matrices_need_a_table(void** state)
{
    (void)state;
    enum { LARGE = 193 };
    scri_random random = test_seed("table", 17);
    const scree_sparse older = {.size = sizeof older - 1};
    const scree_env none = {0}, short_table = {.sparse = &older};
    const scree_env* const env[] = {NULL, &none, &short_table};
    for (int32_t n = LARGE - 1; n <= LARGE; ++n) {
        matrix a = draw_pattern(&random, n, 1, n);
        for (int k = 0; k < 3; ++k) {
            scri_sparse_lu* lu = NULL;
            scree_status status =
                scri_sparse_lu_create(env[k], n, a.start, a.row, SCREE_SPARSE_GENERAL, &lu);
            assert_int_equal(status, n == LARGE ? SCREE_ERROR_UNSUPPORTED : SCREE_OK);
            assert_int_equal(scri_sparse_lu_fits(env[k], n), n < LARGE);
            assert_int_equal(lu != NULL, n < LARGE);
            scri_sparse_lu_destroy(lu);
        }
        release(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(large_matrices_need_a_table),
        cmocka_unit_test(random_matrices_are_solved_with_their_inertia),
        cmocka_unit_test(one_pattern_is_factored_many_times),
        cmocka_unit_test(rows_may_be_scaled_differently),
        cmocka_unit_test(zero_diagonals_are_no_obstacle),
        cmocka_unit_test(bad_matrices_are_refused),
        cmocka_unit_test(infinite_entries_are_refused_wherever_they_are),
        cmocka_unit_test(memory_is_asked_for_and_given_back),
        cmocka_unit_test(many_may_live_at_once),
        cmocka_unit_test(threads_get_the_same_bits),
    };
    return cmocka_run_group_tests_name("math/sparse_lu", tests, NULL, NULL);
}
