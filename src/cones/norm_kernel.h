/* Norms that neither overflow nor underflow and keep a NaN. Host and device. */
#ifndef SCRI_NORM_KERNEL_H
#define SCRI_NORM_KERNEL_H

#include "base/compiler.h"

#include <math.h>

/* sqrt(x^2 + y^2), in other units where squares leave the safe range. Not by hypot, whose last
 * digit differs from one C library to the next. */
SCREE_FN double scri_norm2(double x, double y)
{
    double square = x * x + y * y;
    if (square > 1e-280 && square < 1e280) return sqrt(square);
    double largest = fmax(fabs(x), fabs(y));
    if (isnan(x) || isnan(y)) return SCREE_NAN;
    if (!(largest > 0.0) || isinf(largest)) return largest;
    int exponent;
    frexp(largest, &exponent);
    double u = ldexp(x, -exponent), v = ldexp(y, -exponent);
    return ldexp(sqrt(u * u + v * v), exponent);
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
