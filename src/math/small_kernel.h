/* Dense algebra on a handful of unknowns, row-major. Host and device. */
#ifndef SCRI_SMALL_KERNEL_H
#define SCRI_SMALL_KERNEL_H

#include "base/compiler.h"

#include <math.h>

/* Largest order of the unpivoted factorisation. */
enum { SCRI_LU_MAX = 6 };

/* LU factors of a[n*n] in place, without pivoting: for matrices whose symmetric part is positive
 * definite or nearly so. The diagonal of U is stored inverted. A pivot that falls below `floor`
 * times the entry it came from is replaced by that, so the factors are always usable. */
SCREE_FN void scri_lu_factor(const int n, double* a, double floor)
{
    double least[SCRI_LU_MAX];
    for (int k = 0; k < n; ++k) least[k] = floor * fabs(a[k * n + k]) + 1e-60;
    for (int k = 0; k < n; ++k) {
        double pivot = a[k * n + k];
        double inverse = 1.0 / (pivot < least[k] ? least[k] : pivot);
        a[k * n + k] = inverse;
        for (int i = k + 1; i < n; ++i) {
            double factor = a[i * n + k] * inverse;
            a[i * n + k] = factor;
            for (int j = k + 1; j < n; ++j) a[i * n + j] -= factor * a[k * n + j];
        }
    }
}

/* Solves with the factors of scri_lu_factor, x holding the right-hand side and then the answer. */
SCREE_FN void scri_lu_solve(const int n, const double* lu, double* x)
{
    for (int i = 1; i < n; ++i) {
        for (int j = 0; j < i; ++j) x[i] -= lu[i * n + j] * x[j];
    }
    for (int i = n - 1; i >= 0; --i) {
        for (int j = i + 1; j < n; ++j) x[i] -= lu[i * n + j] * x[j];
        x[i] *= lu[i * n + i];
    }
}

/* Solves a x = b by Gaussian elimination with partial pivoting; a and b are overwritten, b by x.
 * 0 when a is singular to working precision. */
SCREE_FN int scri_gauss_solve(int n, int stride, double* a, double* b)
{
    for (int k = 0; k < n; ++k) {
        int best = k;
        for (int i = k + 1; i < n; ++i) {
            if (fabs(a[i * stride + k]) > fabs(a[best * stride + k])) best = i;
        }
        double pivot = a[best * stride + k];
        if (!(fabs(pivot) > 1e-300)) return 0;
        for (int j = k; j < n && best != k; ++j) {
            double swap = a[k * stride + j];
            a[k * stride + j] = a[best * stride + j];
            a[best * stride + j] = swap;
        }
        double swap = b[k];
        b[k] = b[best];
        b[best] = swap;
        for (int i = k + 1; i < n; ++i) {
            double factor = a[i * stride + k] / pivot;
            for (int j = k + 1; j < n; ++j) a[i * stride + j] -= factor * a[k * stride + j];
            b[i] -= factor * b[k];
        }
    }
    for (int i = n - 1; i >= 0; --i) {
        for (int j = i + 1; j < n; ++j) b[i] -= a[i * stride + j] * b[j];
        b[i] /= a[i * stride + i];
    }
    return 1;
}

#endif
