/* Convex polyhedra as the narrow phase uses them. */
#ifndef SCRI_HULL_H
#define SCRI_HULL_H

#include "math/vec.h"
#include "scree/shape.h"

struct scree_hull {
    scree_env env;
    scree_hull_view view;
    scri_vec* corner; /* [n_corners] */
    scri_vec*
        slide;      /* [n_corners] a corner moves by -slide for each metre that all faces move in */
    double* plane;  /* [4 n_faces] */
    int32_t* start; /* [n_faces + 1] */
    int32_t* of_faces; /* corners of faces */
    int32_t n_edges;
    int32_t* edge; /* [2 n_edges] corners, the lower first */
    double radius; /* of the ball about the centre that holds all */
    double inner;  /* of the largest ball about the centre inside */
    double spike;  /* longest slide */
};

/* A triangle of a surface that is being built; neighbours are beyond the side from corner k to the
 * next. */
typedef struct scri_facet {
    int32_t corner[3], next[3];
    scri_vec normal; /* of length 1, out of the hull */
    double offset;
    int32_t face; /* that it became part of */
    uint8_t is_gone, is_seen;
} scri_facet;

typedef struct scri_facets {
    scree_env env;
    int32_t n, room;
    scri_facet* facet;
    int32_t* stack; /* [room] */
    int32_t* rim; /* [2 room] facet and side, for every edge between what is seen and what is not */
    int32_t* at;  /* [n_points] the new facet that begins at a corner of the rim */
} scri_facets;

/* Triangles around n points, those within `tolerance` of the surface left out. SCREE_ERROR_INPUT
 * when the points lie in a plane. The caller frees what `facets` holds, whatever the status. */
scree_status scri_facets_wrap(const scree_env* env, int32_t n, const scri_vec* points,
                              double tolerance, scri_facets* facets);
void scri_facets_free(scri_facets* facets);

#endif
