/* Convex polyhedra, made once and shared by all shapes that have their form. */
#ifndef SCREE_HULL_H
#define SCREE_HULL_H

#include "scree/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct scree_hull scree_hull;

/* Corners that a hull may have at most; as many points as memory holds may be given. */
enum { SCREE_HULL_CORNERS = 4096 };

/* The convex hull of n points (x, y, z, in m, in any order, inner and double ones too). Its frame
 * has the origin at the centre of mass; scree_hull_view.centre says where that was among the
 * points. SCREE_ERROR_INPUT with a line in the log for points that are not finite, that all lie in
 * a plane, or that have more corners than the limit above. The hull must live as long as any shape
 * that names it, in worlds and scenes alike. */
SCREE_API SCREE_MUST_USE scree_status scree_hull_create(const scree_env* env, int32_t n,
                                                        const double* points, scree_hull** out);
SCREE_API void scree_hull_destroy(scree_hull* hull);

/* What a hull consists of; arrays are the hull's own. */
typedef struct scree_hull_view {
    uint32_t struct_size;
    double centre[3];  /* m: add it to a corner for its place among the points */
    double volume;     /* m^3 */
    double inertia[6]; /* about the centre for density 1: xx yy zz xy xz yz, m^5 */
    int32_t n_corners;
    const double* corners; /* [3 n_corners] m, from the centre */
    int32_t n_faces;
    const int32_t* face_start;   /* [n_faces + 1] into face_corners */
    const int32_t* face_corners; /* corners of each face, to the left seen from outside */
    const double* planes;        /* [4 n_faces] unit normal, and distance from the centre */
} scree_hull_view;

SCREE_API void scree_hull_fill_view(const scree_hull* hull, scree_hull_view* view);
SCREE_DEFINE_VIEW(scree_hull_view, scree_hull_get_view, scree_hull_fill_view, scree_hull)

#ifdef __cplusplus
}
#endif

#endif
