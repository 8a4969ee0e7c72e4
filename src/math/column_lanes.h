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

/* The other way round: takes one column from `columns` others that lie `stride` apart, each as
 * often as its number above the first of the n rows says. */
typedef void scri_columns_work(size_t n, const double* column, ptrdiff_t stride, size_t columns,
                               double* others);

typedef struct scri_column_lanes {
    scri_column_work* take_four;
    scri_columns_work* take_from;
} scri_column_lanes;

scri_column_work scri_take_four_2, scri_take_four_4, scri_take_four_8;
scri_columns_work scri_take_from_2, scri_take_from_4, scri_take_from_8;

/* Those that take this processor the least time; those with 2, 4 or 8 lanes, both NULL where the
 * processor cannot do that. */
scri_column_lanes scri_column_lanes_best(void);
scri_column_lanes scri_column_lanes_of(int lanes);

#endif
