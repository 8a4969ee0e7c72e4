/* Surfaces that do not move by themselves: triangle meshes and height fields, made once and shared
 * by all shapes that have their form.
 *
 * Both have one side, the one that bodies are on. A triangle faces where its corners go round to
 * the left; it acts on bodies whose centre lies in front of it and lets all others pass. A closed
 * mesh is solid where it faces out and a room where it faces in. A height field faces up and is
 * solid below, down to its lowest point less its width.
 *
 * A normal belongs to the surface, not to its triangles: edges between triangles in one plane, and
 * those in a valley, are not felt; edges and corners that stand out are, and so is the rim. */
#ifndef SCREE_MESH_H
#define SCREE_MESH_H

#include "scree/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct scree_mesh scree_mesh;

/* A mesh of triangles: three numbers of points each, from 0. Points that coincide are one, whatever
 * their numbers. SCREE_ERROR_INPUT with a line in the log for a point that is not finite, a number
 * that is out of range, a triangle without area, and two triangles that run along their common edge
 * in the same direction: one of them is then turned over, or double, or more than two meet there.
 * The mesh must live as long as any shape that names it, in worlds and scenes alike. */
SCREE_API SCREE_MUST_USE scree_status scree_mesh_create(const scree_env* env, int32_t n_points,
                                                        const double* points, int32_t n_triangles,
                                                        const int32_t* corners, scree_mesh** out);

/* A height field over the points origin + (column dx, row dy) of its x-y plane, rows one after the
 * other, two triangles to a cell. SCREE_ERROR_INPUT for fewer than two rows or columns, a spacing
 * that is not positive, and heights that are not finite: holes are to be filled before. */
SCREE_API SCREE_MUST_USE scree_status scree_mesh_create_heights(
    const scree_env* env, int32_t columns, int32_t rows, const double origin[2],
    const double spacing[2], const double* heights, scree_mesh** out);
SCREE_API void scree_mesh_destroy(scree_mesh* mesh);

/* What a mesh consists of; arrays are the mesh's own. */
typedef struct scree_mesh_view {
    uint32_t struct_size;
    double lower[3], upper[3]; /* m: the box around it */
    int32_t n_points;          /* columns times rows in a height field */
    const double* points;      /* [3 n_points] m; NULL in a height field */
    int32_t n_triangles;
    const int32_t* corners; /* [3 n_triangles]; NULL in a height field */
    int32_t columns, rows;  /* 0 unless it is a height field */
    double origin[2], spacing[2];
    const double* heights; /* [columns * rows] m */
} scree_mesh_view;

SCREE_API void scree_mesh_fill_view(const scree_mesh* mesh, scree_mesh_view* view);
SCREE_DEFINE_VIEW(scree_mesh_view, scree_mesh_get_view, scree_mesh_fill_view, scree_mesh)

/* Points and triangles of either kind, the latter to the left seen from the front. */
SCREE_API void scree_mesh_point(const scree_mesh* mesh, int32_t point, double out[3]);
SCREE_API void scree_mesh_triangle(const scree_mesh* mesh, int32_t triangle, int32_t out[3]);

#ifdef __cplusplus
}
#endif

#endif
