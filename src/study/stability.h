/* What the studies of stability share. */
#ifndef SCRI_STABILITY_H
#define SCRI_STABILITY_H

#include "base/arena.h"
#include "scree_study/stability.h"

/* scree_linear_modes() with the memory of `arena`; does not log. */
scree_status scri_linear_modes(scri_arena* arena, const scree_linear* linear, scree_mode* modes);

/* x[n]: right-hand side in, solution of a x = b out, a[n*n] row-major and regular, n from 1. */
scree_status scri_solve_dense(scri_arena* arena, int32_t n, const double* a, double* x);

/* The slope of scree_sliding_report for a belt in the direction phi, without the rest; NaN where
 * forces are not unique. */
double scri_sliding_slope(const scree_sliding* sliding, double phi);

#endif
