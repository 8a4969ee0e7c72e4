/* Eight lanes: AVX-512 on x86-64. */
#define SCRI_VECTOR_BITS 512
#include "base/wider_begin.h"

#define SCRI_DOUBLES 8
#include "math/column_over_doubles.h"

void scri_columns_8(size_t n, const double* column, ptrdiff_t stride, const double* factor,
                    double* x)
{
    scri_lanes_columns(n, column, stride, factor, x);
}

#include "base/wider_end.h"
