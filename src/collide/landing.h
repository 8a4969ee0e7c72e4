/* Points of a convex body on a surface, as they are found, and the choice of those that count. */
#ifndef SCRI_LANDING_H
#define SCRI_LANDING_H

#include "collide/convex.h"
#include "shapes/mesh.h"

/* A point found. */
typedef struct scri_landing {
    scri_vec point;  /* of the surface */
    scri_vec normal; /* from the surface to the body */
    double gap;
    double height;  /* of the core above a face; 0 for edges */
    int32_t face;   /* triangle; -1 for edges and what is no triangle */
    int32_t owner;  /* the triangle whose zone it is in */
    uint8_t spare;  /* counts where its corner has no other point: between the faces of a valley */
    uint32_t place; /* what the point is known by: part of the body and, unless that is a corner,
                       edge of the mesh; below 2^28 */
} scri_landing;

enum { SCRI_LANDINGS = 96 };

/* Relative to the size of the body: what feet beside a face may be off by; it covers what flat
 * edges leave open between two faces. */
#define SCRI_BESIDE 2e-9

/* All is seen along the axes of the surface, from the centre of the body. */
typedef struct scri_visit {
    const scree_mesh* mesh;
    scri_convex body;
    scri_vec centre; /* of the body, from the origin of the surface */
    double size, margin;
    double lower[3], upper[3]; /* what the body may reach, likewise */
    int n;
    scri_landing found[SCRI_LANDINGS];
} scri_visit;

/* Places the body, of some kind, by the surface; mesh and margin have been written. `turned` is
 * the body along the axes of the surface, and must live as long. */
void scri_visit_begin(scri_visit* w, scree_shape_kind kind, const scri_solid* body,
                      const scri_solid* surface, scri_solid* turned);

/* Adds a point unless it is there. */
void scri_visit_add(scri_visit* w, const scri_landing* found);

/* Writes the points that say most, in the world; returns their number. */
int scri_visit_end(scri_visit* w, const scri_solid* body, const scri_solid* surface,
                   scri_touch* out);

/* Corners of the body on the triangles that the body may reach, and edges that stand out: mesh.c.
 */
void scri_visit_mesh(scri_visit* w);

#endif
