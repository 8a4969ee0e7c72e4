/* Surfaces and bodies from files.
 *
 * The ending of its name says what a file is: Wavefront OBJ (.obj: `v` and `f`, polygons become
 * fans of triangles), STL (.stl, as text or bytes), PLY (.ply, as text or bytes of either order;
 * `vertex` with x, y, z and `face` with vertex_indices); ESRI ASCII grid (.asc) and points x y z on
 * a raster
 * (.xyz), which become height fields with their points in the middle of cells. Numbers count in
 * metres, z is up. */
#ifndef SCREE_IO_MESH_FILE_H
#define SCREE_IO_MESH_FILE_H

#include "scree/shape.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A mesh or a height field. The log names file and line of what is wrong. */
SCREE_API SCREE_MUST_USE scree_status scree_mesh_read(const scree_env* env, const char* path,
                                                      scree_mesh** out);

/* The convex hull of the points of an OBJ, STL or PLY file. */
SCREE_API SCREE_MUST_USE scree_status scree_hull_read(const scree_env* env, const char* path,
                                                      scree_hull** out);

#ifdef __cplusplus
}
#endif

#endif
