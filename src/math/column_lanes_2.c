/* Two lanes: every processor has them. */
#include "math/column_over_doubles.h"

void scri_take_four_2(size_t n, const double* column, ptrdiff_t stride, const double* factor,
                      double* x)
{
    scri_lanes_take_four(n, column, stride, factor, x);
}

void scri_take_from_2(size_t n, const double* column, ptrdiff_t stride, size_t columns,
                      double* others)
{
    scri_lanes_take_from(n, column, stride, columns, others);
}
