/* What becomes of the heights of a raster before they are used. */
#ifndef SCRI_RASTER_H
#define SCRI_RASTER_H

#include "io/mesh_file.h"

/* Lays n points x y z on cells of from->cell: raster_points.c. */
scree_status scri_raster_from_points(const scri_mesh_source* from, int64_t n, const double* points,
                                     scri_mesh_data* out);

/* Means over cells of from->cell, which are larger: raster_change.c. */
scree_status scri_raster_coarsen(const scri_mesh_source* from, scri_mesh_data* data);

/* Spans holes like a membrane that hangs on their rims: raster_change.c. */
scree_status scri_raster_fill(const scri_mesh_source* from, scri_mesh_data* data);

/* Points, and the triangles that have three heights, in memory of the arena: raster_change.c. */
scree_status scri_raster_open(scri_arena* arena, const scri_mesh_data* data, scri_mesh_data* out);

#endif
