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

/* Room for a surface that is then empty; 0 when memory is short. */
int scri_surface_reserve(scri_arena* arena, int32_t points, int32_t polygons, int32_t corners,
                         scri_surface* out);

/* All that is within `radius` of a convex polyhedron, given by its surface. */
int scri_surface_round(scri_arena* arena, const scri_surface* core, double radius,
                       scri_surface* out);

/* The surface of a shape; that of a half-space is a square with the half side `reach` about its
 * origin. 0 when memory is short. */
int scri_surface_make(scri_arena* arena, const scree_shape* shape, double reach, scri_surface* out);

#endif
