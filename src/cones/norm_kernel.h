/* Norms that neither overflow nor underflow and keep a NaN. Host and device. */
#ifndef SCRI_NORM_KERNEL_H
#define SCRI_NORM_KERNEL_H

#include "base/compiler.h"

#include <math.h>

/* sqrt(x^2 + y^2); hypot only where squares leave the safe range, since it is several times slower.
 * C's hypot(inf, NaN) is inf: a NaN is therefore looked for first. */
SCREE_FN double scri_norm2(double x, double y)
{
    double square = x * x + y * y;
    if (square > 1e-280 && square < 1e280) return sqrt(square);
    return isnan(x) || isnan(y) ? SCREE_NAN : hypot(x, y);
}

/* Norm of a channel of 0, 1 or 2 rows. */
SCREE_FN double scri_norm_channel(int dim, const double* x)
{
    if (dim == 2) return scri_norm2(x[0], x[1]);
    return dim == 1 ? fabs(x[0]) : 0.0;
}

/* Norm of n entries of any size. */
SCREE_FN double scri_norm(int n, const double* x)
{
    double largest = 0.0;
    for (int i = 0; i < n; ++i) {
        if (isnan(x[i])) return x[i];
        largest = fmax(largest, fabs(x[i]));
    }
    if (!(largest > 0.0) || isinf(largest)) return largest;
    int exponent;
    frexp(largest, &exponent);
    double sum = 0.0;
    for (int i = 0; i < n; ++i) {
        double scaled = ldexp(x[i], -exponent);
        sum += scaled * scaled;
    }
    return ldexp(sqrt(sum), exponent);
}

#endif
