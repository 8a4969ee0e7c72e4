/* Products with the blocks of a block-sparse matrix. */
#ifndef SCRI_BSR_KERNEL_H
#define SCRI_BSR_KERNEL_H

#include "base/compiler.h"

/* y += a x with a row-major, rows x columns. Folds to straight code for constant sizes. */
SCREE_FN void scri_block_multiply_add(const int rows, const int columns, const double* a,
                                      const double* x, double* y)
{
    for (int i = 0; i < rows; ++i) {
        double sum = 0.0;
        for (int j = 0; j < columns; ++j) sum += a[i * columns + j] * x[j];
        y[i] += sum;
    }
}

#endif
