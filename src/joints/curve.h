/* Smooth curves through points: cubic splines with a continuous curvature, closed or open, which go
 * on straight beyond their ends. The parameter u counts points; on a closed curve it goes on. */
#ifndef SCRI_CURVE_H
#define SCRI_CURVE_H

#include <stdint.h>

/* A knot: point, derivative by u, way from the first point. */
enum { SCRI_KNOT = 7 };

typedef struct scri_curve {
    int32_t n;
    int closed;
    double length;
    const double* knot; /* [SCRI_KNOT n] */
} scri_curve;

/* Fills knot[SCRI_KNOT n] from point[3 n], three points or more. */
scri_curve scri_curve_make(int32_t n, const double* point, int closed, double* knot);

/* Point, first and second derivative by u, each where it is not NULL. */
void scri_curve_at(const scri_curve* curve, double u, double* point, double* first, double* second);

/* The parameter of the point next to x, from a guess; without one (NaN) of the whole curve. */
double scri_curve_nearest(const scri_curve* curve, const double* x, double guess);

/* The way from the first point, m. */
double scri_curve_way(const scri_curve* curve, double u);

#endif
