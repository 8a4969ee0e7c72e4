/* Rectangles |x| <= a, |y| <= b. */
#ifndef SCRI_RECTANGLE_KERNEL_H
#define SCRI_RECTANGLE_KERNEL_H

#include "sets/value_kernel.h"

SCREE_FN double scri_rectangle_gauge(scri_set set, const double u[2], double gradient[2],
                                     double* bend)
{
    double x = fabs(u[0]) / set.v->a, y = fabs(u[1]) / set.v->b;
    gradient[0] = x >= y ? copysign(1.0 / set.v->a, u[0]) : 0.0;
    gradient[1] = x >= y ? 0.0 : copysign(1.0 / set.v->b, u[1]);
    *bend = 0.0;
    return fmax(x, y);
}

SCREE_FN double scri_rectangle_support(scri_set set, const double v[2], double point[2],
                                       double* radius)
{
    point[0] = copysign(set.v->a, v[0]);
    point[1] = copysign(set.v->b, v[1]);
    *radius = v[0] == 0.0 || v[1] == 0.0 ? SCREE_INFINITY : 0.0;
    return set.v->a * fabs(v[0]) + set.v->b * fabs(v[1]);
}

SCREE_FN void scri_rectangle_project(scri_set set, const double z[2], double point[2],
                                     scri_edge* edge)
{
    int beyond_x = fabs(z[0]) > set.v->a, beyond_y = fabs(z[1]) > set.v->b;
    point[0] = beyond_x ? copysign(set.v->a, z[0]) : z[0];
    point[1] = beyond_y ? copysign(set.v->b, z[1]) : z[1];
    if (!edge) return;
    edge->normal[0] = beyond_x ? copysign(1.0, z[0]) : 0.0;
    edge->normal[1] = beyond_x ? 0.0 : copysign(1.0, z[1]);
    edge->curvature = beyond_x && beyond_y ? SCREE_INFINITY : 0.0;
}

#endif
