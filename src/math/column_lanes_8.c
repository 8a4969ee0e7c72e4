/* Eight lanes: AVX-512 on x86-64. */
#define SCRI_VECTOR_BITS 512
#include "base/wider_begin.h"

#define SCRI_DOUBLES 8
#include "math/column_over_doubles.h"

void scri_take_four_8(size_t n, const double* column, ptrdiff_t stride, const double* factor,
                      double* x)
{
    scri_lanes_take_four(n, column, stride, factor, x);
}

void scri_take_from_8(size_t n, const double* column, ptrdiff_t stride, size_t columns,
                      double* others)
{
    scri_lanes_take_from(n, column, stride, columns, others);
}

#include "base/wider_end.h"
