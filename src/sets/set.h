/* What the laws need of a set beyond scree/set.h: derivatives, and ellipses without memory. */
#ifndef SCRI_SET_H
#define SCRI_SET_H

#include "base/compiler.h"
#include "scree/set.h"

/* Everything but tables in one block, so that a set may live in an array. */
struct scree_set {
    scree_set_kind kind;
    int is_convex;
    double a, b, s; /* with the scale in them; what asperities keep here says asperity.c */
    double turn[2]; /* cos and sin of the angle */
    int32_t n;
    double* table; /* of a polygon or a curve; in `memory` */
    scree_env env; /* whose memory it is */
    void* memory;  /* NULL for a set that owns none */
};

/* The gauge at x and, unless NULL, its gradient and its second derivatives xx, xy, yy. The gradient
 * is a positive multiple of the normal; at a corner, that of one side. At x = 0 all are 0. */
SCRI_SISTERS double scri_set_gauge(const scree_set* set, const double x[2], double gradient[2],
                                   double hessian[3]);

/* Closest point of size * set (convex, size >= 0) to z, and unless NULL its derivative: d[0..3] by
 * z, row-major, d[4..5] by size. At a kink, the derivative of one side. With size = 0 the point is
 * 0 and its derivative by size the support point in direction z. */
void scri_set_project(const scree_set* set, double size, const double z[2], double out[2],
                      double d[6]);

/* Support of a convex set in direction v, the point that attains it (or NULL), and the radius of
 * curvature there (or NULL): the second derivative of the support function is
 * radius / |v| * t t^T, t the unit vector across v. 0 at a corner, infinite on a straight side. */
SCRI_SISTERS double scri_set_support(const scree_set* set, const double v[2], double point[2],
                                     double* radius);

/* A superellipse with s = 2 is made an ellipse. */
static inline int scri_set_is_ellipse(const scree_set* set)
{
    return set->kind == SCREE_SET_DISC || set->kind == SCREE_SET_ELLIPSE;
}

/* 1 and q[3] = xx, xy, yy with gauge(x)^2 = x^T q x where the set is an ellipse (a disc, an ellipse
 * or a superellipse with s = 2), else 0. */
int scri_set_as_ellipse(const scree_set* set, double q[3]);

/* The ellipse { x^T q x <= 1 }, q positive definite; it owns no memory. */
SCRI_SISTERS scree_set scri_set_from_quadratic(const double q[3]);

/* A copy with its own memory in `env`. */
SCREE_MUST_USE scree_status scri_set_clone(const scree_env* env, const scree_set* set,
                                           scree_set** out);

#endif
