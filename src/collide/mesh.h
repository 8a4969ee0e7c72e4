/* Meshes in the narrow phase. */
#ifndef SCRI_COLLIDE_MESH_H
#define SCRI_COLLIDE_MESH_H

#include "collide/convex.h"

/* A convex shape of some kind on a mesh: points at most `margin` apart, normals to the body. */
int scri_mesh_touch(scree_shape_kind kind, const scri_solid* body, const scri_solid* mesh,
                    double margin, scri_touch* out);

/* The same on a tube, inside and outside. */
int scri_tube_touch(scree_shape_kind kind, const scri_solid* body, const scri_solid* tube,
                    double margin, scri_touch* out);

/* Where a ray along the axes of a mesh first meets its front, in shares of the way up to 1; 0 when
 * it does not. */
int scri_mesh_ray(const scree_mesh* mesh, scri_vec origin, scri_vec way, double* share,
                  scri_vec* normal);

/* Whether the way from a point, both along the axes of a tube, meets its solid: ray.c. */
int scri_tube_ray(const double size[3], scri_vec origin, scri_vec way);

#endif
