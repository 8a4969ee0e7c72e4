/* Boxes as the files on pairs of boxes see them. */
#ifndef SCRI_BOX_H
#define SCRI_BOX_H

#include "collide/pair.h"

typedef struct scri_box {
    scri_vec centre, axis[3];
    double half[3];
} scri_box;

/* Points of a and b that face each other. */
typedef struct scri_facing {
    scri_vec on_a, on_b;
    double distance;
} scri_facing;

typedef enum scri_axis_kind { SCRI_FACE_OF_A, SCRI_FACE_OF_B, SCRI_EDGES } scri_axis_kind;

/* A direction in which two boxes are apart by `separation`. */
typedef struct scri_axis {
    double separation;
    scri_vec normal; /* from b to a */
    scri_axis_kind kind;
    int i, j; /* axis of a, axis of b; a face uses that of its box only */
} scri_axis;

/* A rectangle cut by a rectangle has at most eight corners. */
enum { SCRI_PATCH_POINTS = 8 };

/* Two boxes, with the origin at the centre of a, and the points found so far. */
typedef struct scri_box_pair {
    scri_box a, b;
    scri_vec origin;
    double scale;  /* largest half length */
    double radius; /* of the rounding of edges that normals are taken from */
    double margin;
    scri_touch* out;
    int n;
} scri_box_pair;

SCREE_FN double scri_box_width(const scri_box* box, scri_vec direction)
{
    return box->half[0] * fabs(scri_vec_dot(box->axis[0], direction)) +
           box->half[1] * fabs(scri_vec_dot(box->axis[1], direction)) +
           box->half[2] * fabs(scri_vec_dot(box->axis[2], direction));
}

/* The box without a layer of this thickness. */
SCREE_FN scri_box scri_box_shrunk(scri_box box, double layer)
{
    for (int k = 0; k < 3; ++k) box.half[k] -= layer;
    return box;
}

/* Parameters of the nearest points of two lines p + s u and q + t v with unit directions; 0 when
 * the lines are parallel within rounding. */
SCREE_FN int scri_nearest_on_lines(scri_vec p, scri_vec u, scri_vec q, scri_vec v, double* s,
                                   double* t)
{
    scri_vec r = scri_vec_sub(p, q);
    double cosine = scri_vec_dot(u, v), d = scri_vec_dot(u, r), e = scri_vec_dot(v, r);
    double square = 1.0 - cosine * cosine;
    if (!(square > 1e-10)) return 0;
    *s = (cosine * e - d) / square;
    *t = (e - cosine * d) / square;
    return 1;
}

/* The nearest points of two boxes that do not overlap. */
scri_facing scri_box_nearest(const scri_box* a, const scri_box* b);

/* The point between on_a and on_b, if it is within the margin. */
void scri_box_add(scri_box_pair* p, scri_vec on_a, scri_vec on_b, scri_vec normal, double gap);

/* Sine of the angle between the face and the face of the other box that looks at it. */
double scri_box_tilt(const scri_box_pair* p, const scri_axis* face);

/* Whether some of the two faces is above the other, when the borders of both are left out. */
int scri_box_faces_overlap(const scri_box_pair* p, const scri_axis* face);

/* The corners of what two faces have in common, with gaps along `normal`; returns the least of all
 * gaps, within the margin or not. */
double scri_box_add_patch(scri_box_pair* p, const scri_axis* face, scri_vec normal);

/* The ends of what two nearly parallel edges have in common, where such edges meet at the nearest
 * points of the cores; returns the least of their gaps, infinity where there are none. */
double scri_box_add_parallel_edges(scri_box_pair* p, const scri_facing* nearest, scri_vec normal);

/* The crossing of the two edges that the axis names. */
void scri_box_add_crossing(scri_box_pair* p, const scri_axis* axis);

/* The one point of two boxes whose cores are nearest at `nearest`. */
void scri_box_add_corner(scri_box_pair* p, const scri_facing* nearest, const scri_axis* axis);

#endif
