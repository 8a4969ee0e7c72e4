/* Positive definite matrices by Cholesky, column by column; dense_general.c has those of any kind,
 * dense_ldl.c symmetric ones of any inertia. */
#include "math/dense_lu.h"

#include "math/dense_general.h"
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

scree_status scri_dense_lu_factor(scree_sparse_kind kind, int32_t n, double* a,
                                  const scri_extent* extent, int32_t* pivot)
{
    bool regular = false;
    switch (kind) {
    case SCREE_SPARSE_GENERAL:
        regular = scri_dense_general_factor(n, a, extent, pivot);
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

void scri_dense_lu_solve(scree_sparse_kind kind, int32_t n, const double* a,
                         const scri_extent* extent, const int32_t* pivot, double* x)
{
    switch (kind) {
    case SCREE_SPARSE_GENERAL:
        scri_dense_general_solve(n, a, extent, pivot, x);
        break;
    case SCREE_SPARSE_POSITIVE:
        solve_positive(n, a, x);
        break;
    case SCREE_SPARSE_SYMMETRIC:
        scri_dense_ldl_solve(n, a, pivot, x);
        break;
    }
}
