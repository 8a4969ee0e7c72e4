/* What math/column_lanes.h says, with SCRI_DOUBLES lanes. */
#include "math/column_lanes.h"
#include "math/doubles.h"

SCREE_FN void scri_lanes_columns(size_t n, const double* column, ptrdiff_t stride,
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
