/* Factorisation of dense matrices of any kind, by Gaussian elimination with partial pivoting. */
#ifndef SCRI_DENSE_GENERAL_H
#define SCRI_DENSE_GENERAL_H

#include "math/dense_lu.h"

#include <stdbool.h>

/* What lies outside is not gone through in matrices of up to so many rows. */
enum { SCRI_MOST_EXTENTS = 256 };

/* Factors a[n*n], column-major, in place; pivot[n] out. extent[n] may be NULL: they are full.
 * Returns whether all pivots are different from 0. */
bool scri_dense_general_factor(int32_t n, double* a, const scri_extent* extent, int32_t* pivot);

/* x[n]: right-hand side in, solution out; with the extents that it was factored with. */
void scri_dense_general_solve(int32_t n, const double* a, const scri_extent* extent,
                              const int32_t* pivot, double* x);

#endif
