/* The surfaces of shapes as polygons, for programs that draw. */
#ifndef SCRI_SURFACE_H
#define SCRI_SURFACE_H

#include "base/arena.h"
#include "scree/shape.h"

/* Points in the frame of the shape, and polygons by the numbers of their corners: those of polygon
 * i end before end[i]. */
typedef struct scri_surface {
    int32_t n_points, n_polygons, n_corners;
    double* point;   /* [3 n_points] */
    int32_t* end;    /* [n_polygons] */
    int32_t* corner; /* [n_corners] counter-clockwise from outside */
} scri_surface;

/* The surface of a shape; that of a half-space is a square with the half side `reach` about its
 * origin. 0 when memory is short. */
int scri_surface_make(scri_arena* arena, const scree_shape* shape, double reach, scri_surface* out);

#endif
