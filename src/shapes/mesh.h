/* Meshes and height fields as the narrow phase uses them.
 *
 * Both are triangles with numbers, of which side k runs from corner k to the next; number 3 t + k
 * is that of a side. What a height field consists of follows from its numbers and is not stored.
 *
 * The surface of a tube is a mesh too while a convex body is looked at: four strips of squares that
 * go round, the end below, the outer wall, the end above, the inner wall, as polygons. Searches
 * find the ends alone, whose edges are the rims; the walls are round, and not for triangles. */
#ifndef SCRI_MESH_H
#define SCRI_MESH_H

#include "math/vec.h"
#include "scree/shape.h"

/* Triangles in a box, or a part of the tree. The nodes of a part follow it. */
typedef struct scri_mesh_node {
    double lower[3], upper[3];
    int32_t first, n; /* triangles, in scree_mesh.order */
    int32_t skip;     /* the node after those of this part */
} scri_mesh_node;

struct scree_mesh {
    scree_env env;
    scree_mesh_view view;
    double half[3]; /* of the box about the origin that holds all that is solid */
    /* of triangle meshes */
    scri_vec* point;
    int32_t* corner; /* [3 n_triangles] */
    int32_t* twin;   /* [3 n_triangles] the side that runs along a side the other way; -1: none */
    int32_t* order;  /* [n_triangles] */
    int32_t n_nodes;
    scri_mesh_node* node;
    /* of height fields */
    double* height;
    int32_t* zone;      /* as in the view; NULL: none */
    const double* tube; /* of a tube: outer radius, half height, inner radius; else NULL */
};

enum { SCRI_TUBE_SIDES = 64, SCRI_TUBE_STRIPS = 4 };

scri_vec scri_tube_point(const double size[3], int32_t i);
void scri_tube_corners(int32_t t, int32_t corner[3]);
int32_t scri_tube_twin(int32_t side);

SCREE_FN int scri_mesh_is_raster(const scree_mesh* m)
{
    return m->view.columns > 0;
}

SCREE_FN scri_vec scri_mesh_point(const scree_mesh* m, int32_t i)
{
    if (m->tube) return scri_tube_point(m->tube, i);
    if (!scri_mesh_is_raster(m)) return m->point[i];
    const scree_mesh_view* v = &m->view;
    int32_t row = i / v->columns, column = i % v->columns;
    return SCRI_OF(scri_vec, v->origin[0] + v->spacing[0] * column,
                   v->origin[1] + v->spacing[1] * row, m->height[i]);
}

/* A cell with the corners a, b, c, d, from the lower left one round, has the triangles a b c and a
 * c d. */
SCREE_FN void scri_mesh_corners(const scree_mesh* m, int32_t t, int32_t corner[3])
{
    if (m->tube) {
        scri_tube_corners(t, corner);
        return;
    }
    if (!scri_mesh_is_raster(m)) {
        for (int k = 0; k < 3; ++k) corner[k] = m->corner[3 * (size_t)t + (size_t)k];
        return;
    }
    int32_t columns = m->view.columns, cell = t / 2;
    int32_t a = cell / (columns - 1) * columns + cell % (columns - 1);
    corner[0] = a;
    corner[1] = t % 2 ? a + columns + 1 : a + 1;
    corner[2] = t % 2 ? a + columns : a + columns + 1;
}

/* The zone of a point of triangle t. */
SCRI_SISTERS int32_t scri_mesh_zone(const scree_mesh* mesh, int32_t t, scri_vec at);

/* The side beyond a side; -1 at the rim. */
int32_t scri_mesh_twin(const scree_mesh* mesh, int32_t side);

/* Calls visit(user, t) with the triangles whose boxes meet the box, always in the same order; of a
 * height field also those above it. Nonzero ends the search. */
typedef int scri_mesh_visit(void* user, int32_t triangle);
void scri_mesh_search(const scree_mesh* mesh, const double lower[3], const double upper[3],
                      scri_mesh_visit* visit, void* user);

void scri_tube_search(const double size[3], const double lower[3], const double upper[3],
                      scri_mesh_visit* visit, void* user);

/* Sorts the triangles of a mesh; `node` has room for 2 n_triangles. */
void scri_mesh_build_tree(scree_mesh* mesh);

#endif
