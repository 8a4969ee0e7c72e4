/* Least squares with the smallest solution, for square systems that may be singular. */
#ifndef SCRI_LEAST_NORM_H
#define SCRI_LEAST_NORM_H

#include "base/compiler.h"
/* Among the x that make |a x - b| smallest, the one with the smallest |x|. a[n*n] (row-major) and
 * b[n] are overwritten, b by x; work[3 n]. Directions in which the pivoted triangle of a falls
 * below `tolerance` times its largest entry count as singular. Returns the rank. */
SCRI_SISTERS int scri_least_norm(int n, double* a, double* b, double tolerance, double* work);

#endif
