/* Matrices of any kind by Gaussian elimination with partial pivoting, positive definite ones by
 * Cholesky; dense_ldl.c has symmetric ones of any inertia. All go column by column. */
#include "math/dense_lu.h"

#include "math/column_lanes.h"
#include "math/dense_ldl.h"

#include <math.h>
#include <stdbool.h>

static double diagonal(int32_t n, const double* a, int32_t i)
{
    return a[((size_t)n + 1) * (size_t)i];
}

static bool diagonal_is_finite(int32_t n, const double* a)
{
    bool finite = true;
    for (int32_t i = 0; i < n; ++i) finite &= isfinite(diagonal(n, a, i)) != 0;
    return finite;
}

/* ---- any ---- */

/* The row of the largest entry of column k from the diagonal on. */
static size_t largest_row(size_t n, const double* column, size_t k)
{
    size_t best = k;
    for (size_t i = k + 1; i < n; ++i) {
        if (fabs(column[i]) > fabs(column[best])) best = i;
    }
    return best;
}

/* Exchanges what pivots from `first` on, before `end`, say. */
static void exchange(const int32_t* pivot, size_t first, size_t end, double* column)
{
    for (size_t k = first; k < end; ++k) {
        size_t best = (size_t)pivot[k] - 1;
        double swap = column[k];
        column[k] = column[best];
        column[best] = swap;
    }
}

/* Takes what column k, reduced and divided by its pivot, leaves of another from row k + 1 on,
 * before row `end`. */
static void eliminate(size_t n, const double* a, size_t k, size_t end, double* other)
{
    const double *column = a + n * k, factor = other[k];
    if (factor == 0.0) return;
    for (size_t i = k + 1; i < end; ++i) other[i] -= factor * column[i];
}

/* Takes what the SCRI_COLUMNS columns from k on leave of another: first in their own rows. */
static void eliminate_together(size_t n, const double* a, size_t k, scri_column_work* work,
                               double* other)
{
    size_t end = k + SCRI_COLUMNS;
    for (size_t i = k; i < end; ++i) eliminate(n, a, i, end, other);
    int any = 0;
    for (size_t i = k; i < end; ++i) any |= other[i] != 0.0;
    if (any) work(n - end, a + n * k + end, n, other + k, other + end);
}

/* Columns from `first` on, before `end`, one after the other, each taken from those behind it.
 * Pivots count from 1. Returns whether all are different from 0. */
static bool factor_columns(size_t n, double* a, size_t first, size_t end, int32_t* pivot)
{
    for (size_t k = first; k < end; ++k) {
        double* column = a + n * k;
        pivot[k] = (int32_t)largest_row(n, column, k) + 1;
        for (size_t j = first; j < end; ++j) exchange(pivot, k, k + 1, a + n * j);
        if (!(fabs(column[k]) > 0.0)) return false;
        double inverse = 1.0 / column[k];
        for (size_t i = k + 1; i < n; ++i) column[i] *= inverse;
        for (size_t j = k + 1; j < end; ++j) eliminate(n, a, k, n, a + n * j);
    }
    return true;
}

/* What is right of SCRI_COLUMNS columns waits until these are done, and then they are taken from it
 * together; few columns are all done one after the other. */
static bool factor_general(int32_t rows, double* a, int32_t* pivot)
{
    enum { FEW = 48 };
    scri_column_work* work = scri_column_lanes_best();
    size_t n = (size_t)rows, end = 0;
    for (size_t first = 0; first < n; first = end) {
        end = n <= FEW || n - first < SCRI_COLUMNS ? n : first + SCRI_COLUMNS;
        if (!factor_columns(n, a, first, end, pivot)) return false;
        for (size_t j = 0; j < first; ++j) exchange(pivot, first, end, a + n * j);
        for (size_t j = end; j < n; ++j) {
            exchange(pivot, first, end, a + n * j);
            eliminate_together(n, a, first, work, a + n * j);
        }
    }
    return true;
}

static void solve_general(int32_t n, const double* a, const int32_t* pivot, double* x)
{
    size_t stride = (size_t)n;
    exchange(pivot, 0, stride, x);
    for (size_t k = 0; k < stride; ++k) {
        for (size_t i = k + 1; i < stride; ++i) x[i] -= x[k] * a[stride * k + i];
    }
    for (size_t k = stride; k-- > 0;) {
        x[k] /= a[stride * k + k];
        for (size_t i = 0; i < k; ++i) x[i] -= x[k] * a[stride * k + i];
    }
}

/* ---- positive definite: A = L L^T ---- */

/* Column j receives what the columns before it leave of it, four of them at a time: one reading and
 * writing of the column for four products. */
static void reduce_column(size_t n, double* a, size_t j)
{
    double* column = a + n * j;
    size_t k = 0;
    for (; k + 4 <= j; k += 4) {
        const double *p = a + n * k, *q = p + n, *r = q + n, *s = r + n;
        double pj = p[j], qj = q[j], rj = r[j], sj = s[j];
        for (size_t i = j; i < n; ++i) {
            column[i] -= (pj * p[i] + qj * q[i]) + (rj * r[i] + sj * s[i]);
        }
    }
    for (; k < j; ++k) {
        const double* p = a + n * k;
        double pj = p[j];
        for (size_t i = j; i < n; ++i) column[i] -= pj * p[i];
    }
}

/* Returns whether the matrix is positive definite. */
static bool factor_positive(int32_t n, double* a)
{
    size_t stride = (size_t)n;
    for (size_t j = 0; j < stride; ++j) {
        double* column = a + stride * j;
        reduce_column(stride, a, j);
        if (!(column[j] > 0.0)) return false;
        column[j] = sqrt(column[j]);
        double inverse = 1.0 / column[j];
        for (size_t i = j + 1; i < stride; ++i) column[i] *= inverse;
    }
    return true;
}

static void solve_positive(int32_t n, const double* a, double* x)
{
    size_t stride = (size_t)n;
    for (size_t k = 0; k < stride; ++k) {
        const double* column = a + stride * k;
        x[k] /= column[k];
        for (size_t i = k + 1; i < stride; ++i) x[i] -= x[k] * column[i];
    }
    for (size_t k = stride; k-- > 0;) {
        const double* column = a + stride * k;
        double sum = x[k];
        for (size_t i = k + 1; i < stride; ++i) sum -= column[i] * x[i];
        x[k] = sum / column[k];
    }
}

/* ---- all ---- */

scree_status scri_dense_lu_factor(scree_sparse_kind kind, int32_t n, double* a, int32_t* pivot)
{
    bool regular = false;
    switch (kind) {
    case SCREE_SPARSE_GENERAL:
        regular = factor_general(n, a, pivot);
        break;
    case SCREE_SPARSE_POSITIVE:
        regular = factor_positive(n, a);
        break;
    case SCREE_SPARSE_SYMMETRIC:
        regular = scri_dense_ldl_factor(n, a, pivot);
        break;
    }
    return regular && diagonal_is_finite(n, a) ? SCREE_OK : SCREE_ERROR_INPUT;
}

void scri_dense_lu_solve(scree_sparse_kind kind, int32_t n, const double* a, const int32_t* pivot,
                         double* x)
{
    switch (kind) {
    case SCREE_SPARSE_GENERAL:
        solve_general(n, a, pivot, x);
        break;
    case SCREE_SPARSE_POSITIVE:
        solve_positive(n, a, x);
        break;
    case SCREE_SPARSE_SYMMETRIC:
        scri_dense_ldl_solve(n, a, pivot, x);
        break;
    }
}
