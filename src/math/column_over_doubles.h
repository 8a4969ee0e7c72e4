/* What math/column_lanes.h says, with SCRI_DOUBLES lanes. */
#ifndef SCRI_COLUMN_OVER_DOUBLES_H
#define SCRI_COLUMN_OVER_DOUBLES_H

#include "math/column_lanes.h"
#include "math/doubles.h"

SCREE_FN void scri_lanes_take_four(size_t n, const double* column, ptrdiff_t stride,
                                   const double* factor, double* x)
{
    scri_doubles all[SCRI_COLUMNS];
    size_t i = 0;
    for (int k = 0; k < SCRI_COLUMNS; ++k) all[k] = scri_doubles_all(factor[k]);
    for (; i + SCRI_DOUBLES <= n; i += SCRI_DOUBLES) {
        scri_doubles sum = scri_doubles_load(x + i);
        SCRI_UNROLL
        for (int k = 0; k < SCRI_COLUMNS; ++k) {
            sum -= all[k] * scri_doubles_load(column + stride * k + i);
        }
        scri_doubles_store(sum, x + i);
    }
    for (; i < n; ++i) {
        for (int k = 0; k < SCRI_COLUMNS; ++k) x[i] -= factor[k] * (column + stride * k)[i];
    }
}

SCREE_FN void scri_lanes_take_from(size_t n, const double* column, ptrdiff_t stride, size_t columns,
                                   double* others)
{
    for (; columns > 0; --columns, others += stride) {
        double factor = others[-1], *x = others;
        if (factor == 0.0) continue;
        scri_doubles all = scri_doubles_all(factor);
        size_t i = 0;
        for (; i + SCRI_DOUBLES <= n; i += SCRI_DOUBLES) {
            scri_doubles rest = scri_doubles_load(x + i) - all * scri_doubles_load(column + i);
            scri_doubles_store(rest, x + i);
        }
        for (; i < n; ++i) x[i] -= factor * column[i];
    }
}

#endif
