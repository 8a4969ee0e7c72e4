/* What contains a shape: boxes and spheres for the search of neighbours. */
#ifndef SCRI_BOUNDS_H
#define SCRI_BOUNDS_H

#include "scree/shape.h"

/* Sizes do not hold the rounding of a shape, which adds to all of the lengths below. */

/* Box along the world's axes around a shape placed at `position` and turned by the unit quaternion
 * `rotation`. Returns 0 for a half-space, which has none: its bounds are infinite. */
int scri_shape_bounds(scree_shape_kind kind, const double size[3], const double position[3],
                      const double rotation[4], double lower[3], double upper[3]);

/* Radius of the smallest sphere about the shape's position; infinite for a half-space. */
double scri_shape_radius(scree_shape_kind kind, const double size[3]);

/* Sizes as all that follows wants them. A hull has the radii of the balls about its centre, that
 * holds it and that it holds, beside its scale; a mesh the half lengths of a box about its origin.
 */
void scri_shape_sizes(const scree_shape* shape, double size[3]);

/* Radius of the largest ball about the shape's position inside of it; infinite for a half-space. */
double scri_shape_inner(scree_shape_kind kind, const double size[3]);

/* How many entries of `size` the kind uses; -1 for a value outside the enumeration. */
int scri_shape_n_sizes(int kind);

#endif
