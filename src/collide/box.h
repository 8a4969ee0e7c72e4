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

SCREE_FN double scri_box_width(const scri_box* box, scri_vec direction)
{
    return box->half[0] * fabs(scri_vec_dot(box->axis[0], direction)) +
           box->half[1] * fabs(scri_vec_dot(box->axis[1], direction)) +
           box->half[2] * fabs(scri_vec_dot(box->axis[2], direction));
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

#endif
