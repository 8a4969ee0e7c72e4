/* Two lanes: every processor has them. */
#include "math/column_over_doubles.h"

void scri_columns_2(size_t n, const double* column, ptrdiff_t stride, const double* factor,
                    double* x)
{
    scri_lanes_columns(n, column, stride, factor, x);
}
