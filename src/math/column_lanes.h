/* Columns of dense matrices, as many rows at once as the processor has lanes, with the same bits as
 * one by one. */
#ifndef SCRI_COLUMN_LANES_H
#define SCRI_COLUMN_LANES_H

#include <stddef.h>

enum { SCRI_COLUMNS = 4 };

/* x -= factor[0] column[0] + ...: n rows of SCRI_COLUMNS columns that lie `stride` apart, which may
 * be negative, one product after the other. */
typedef void scri_column_work(size_t n, const double* column, ptrdiff_t stride,
                              const double* factor, double* x);

scri_column_work scri_columns_2, scri_columns_4, scri_columns_8;

/* That which takes this processor the least time; that with 2, 4 or 8 lanes, NULL where the
 * processor cannot do it. */
scri_column_work* scri_column_lanes_best(void);
scri_column_work* scri_column_lanes_of(int lanes);

#endif
