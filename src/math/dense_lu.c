#include "math/dense_lu.h"

#include <math.h>
#include <stdbool.h>

/* LAPACK, as Fortran compilers name it; the lengths of the texts come last. */
extern void dpotrf_(const char* half, const int32_t* n, double* a, const int32_t* stride,
                    int32_t* info, size_t half_length);
extern void dpotrs_(const char* half, const int32_t* n, const int32_t* n_sides, const double* a,
                    const int32_t* stride, double* b, const int32_t* b_stride, int32_t* info,
                    size_t half_length);
extern void dsytrf_(const char* half, const int32_t* n, double* a, const int32_t* stride,
                    int32_t* pivot, double* work, const int32_t* work_size, int32_t* info,
                    size_t half_length);
extern void dsytrs_(const char* half, const int32_t* n, const int32_t* n_sides, const double* a,
                    const int32_t* stride, const int32_t* pivot, double* b, const int32_t* b_stride,
                    int32_t* info, size_t half_length);

enum { BLOCK = 64 }; /* columns that dsytrf takes together at most */

size_t scri_dense_lu_work(int32_t n)
{
    return (size_t)n * BLOCK;
}

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

/* Gaussian elimination with partial pivoting, column by column. Our own, because the rounding of a
 * library differs from machine to machine and small worlds are to move by the same bits on all of
 * them; pivots count from 1, as LAPACK does it. Returns whether all pivots are different from 0. */
static bool factor_general(int32_t n, double* a, int32_t* pivot)
{
    size_t stride = (size_t)n;
    for (size_t k = 0; k < stride; ++k) {
        double* column = a + stride * k;
        size_t best = k;
        for (size_t i = k + 1; i < stride; ++i) {
            if (fabs(column[i]) > fabs(column[best])) best = i;
        }
        pivot[k] = (int32_t)best + 1;
        if (!(fabs(column[best]) > 0.0)) return false;
        for (size_t j = 0; j < stride && best != k; ++j) {
            double swap = a[stride * j + k];
            a[stride * j + k] = a[stride * j + best];
            a[stride * j + best] = swap;
        }
        double inverse = 1.0 / column[k];
        for (size_t i = k + 1; i < stride; ++i) column[i] *= inverse;
        for (size_t j = k + 1; j < stride; ++j) {
            double *other = a + stride * j, factor = other[k];
            if (factor == 0.0) continue;
            for (size_t i = k + 1; i < stride; ++i) other[i] -= factor * column[i];
        }
    }
    return true;
}

static void solve_general(int32_t n, const double* a, const int32_t* pivot, double* x)
{
    size_t stride = (size_t)n;
    for (size_t k = 0; k < stride; ++k) {
        size_t best = (size_t)pivot[k] - 1;
        double swap = x[k];
        x[k] = x[best];
        x[best] = swap;
    }
    for (size_t k = 0; k < stride; ++k) {
        for (size_t i = k + 1; i < stride; ++i) x[i] -= x[k] * a[stride * k + i];
    }
    for (size_t k = stride; k-- > 0;) {
        x[k] /= a[stride * k + k];
        for (size_t i = 0; i < k; ++i) x[i] -= x[k] * a[stride * k + i];
    }
}

/* Row exchanges and negative pivots. */
static int32_t count_sign_changes(int32_t n, const double* a, const int32_t* pivot)
{
    int32_t count = 0;
    for (int32_t i = 0; i < n; ++i) count += (pivot[i] != i + 1) + (diagonal(n, a, i) < 0.0);
    return count;
}

/* Of the block diagonal matrix that dsytrf leaves: blocks of two rows, marked by negative entries
 * of pivot, have one eigenvalue of either sign. */
static int32_t count_negative(int32_t n, const double* a, const int32_t* pivot)
{
    int32_t count = 0;
    for (int32_t i = 0; i < n; ++i) {
        if (pivot[i] < 0) {
            ++count;
            ++i;
        } else {
            count += diagonal(n, a, i) < 0.0;
        }
    }
    return count;
}

scree_status scri_dense_lu_factor(scri_sparse_kind kind, int32_t n, double* a, int32_t* pivot,
                                  double* work, int32_t* negative)
{
    int32_t info = 0, stride = n > 0 ? n : 1, work_size = n * BLOCK;
    *negative = 0;
    switch (kind) {
    case SCRI_SPARSE_GENERAL:
        info = factor_general(n, a, pivot) ? 0 : 1;
        break;
    case SCRI_SPARSE_POSITIVE:
        dpotrf_("L", &n, a, &stride, &info, 1);
        break;
    case SCRI_SPARSE_SYMMETRIC:
        dsytrf_("L", &n, a, &stride, pivot, work, &work_size, &info, 1);
        break;
    }
    if (info != 0 || !diagonal_is_finite(n, a)) return SCREE_ERROR_INPUT;
    if (kind == SCRI_SPARSE_GENERAL) *negative = count_sign_changes(n, a, pivot);
    if (kind == SCRI_SPARSE_SYMMETRIC) *negative = count_negative(n, a, pivot);
    return SCREE_OK;
}

void scri_dense_lu_solve(scri_sparse_kind kind, int32_t n, const double* a, const int32_t* pivot,
                         double* x)
{
    const int32_t one = 1, stride = n > 0 ? n : 1;
    int32_t info;
    switch (kind) {
    case SCRI_SPARSE_GENERAL:
        solve_general(n, a, pivot, x);
        break;
    case SCRI_SPARSE_POSITIVE:
        dpotrs_("L", &n, &one, a, &stride, x, &stride, &info, 1);
        break;
    case SCRI_SPARSE_SYMMETRIC:
        dsytrs_("L", &n, &one, a, &stride, pivot, x, &stride, &info, 1);
        break;
    }
}
