/* What the laws need of a set beyond scree/set.h: derivatives, ellipses, and pools. */
#ifndef SCRI_SET_H
#define SCRI_SET_H

#include "base/compiler.h"
#include "sets/value_kernel.h"

/* The host's object: a value that owns its table. */
struct scree_set {
    scree_set_value value; /* value.table is 0 */
    int32_t place;         /* in the pool of its owner, for whoever keeps one */
    double* table;         /* behind the object itself; NULL: none */
    scree_env env;         /* whose memory it is */
    void* memory;          /* the object itself, for an owner that holds it as const */
};

static inline scri_set scri_set_of(const scree_set* set)
{
    return (scri_set){&set->value, set->table};
}

/* The gauge at x and, unless NULL, its gradient and its second derivatives xx, xy, yy. The gradient
 * is a positive multiple of the normal; at a corner, that of one side. At x = 0 all are 0. */
SCRI_SISTERS double scri_set_gauge(scri_set set, const double x[2], double gradient[2],
                                   double hessian[3]);

/* Closest point of size * set (convex, size >= 0) to z, and unless NULL its derivative: d[0..3] by
 * z, row-major, d[4..5] by size. At a kink, the derivative of one side. With size = 0 the point is
 * 0 and its derivative by size the support point in direction z. */
void scri_set_project(scri_set set, double size, const double z[2], double out[2], double d[6]);

/* Support of a convex set in direction v, the point that attains it (or NULL), and the radius of
 * curvature there (or NULL): the second derivative of the support function is
 * radius / |v| * t t^T, t the unit vector across v. 0 at a corner, infinite on a straight side. */
SCRI_SISTERS double scri_set_support(scri_set set, const double v[2], double point[2],
                                     double* radius);

/* Whether the set is convex, with the moment where it has a spin power. */
static inline int scri_set_is_convex(const scree_set_value* value)
{
    return value->is_convex && !(value->spin_power > 0.0 && value->spin_power < 1.0);
}

/* scree_set_fit() */
double scri_set_fit(scri_set inner, scri_set outer);

/* A superellipse with s = 2 is made an ellipse. */
static inline int scri_set_is_ellipse(scri_set set)
{
    return set.v->kind == SCREE_SET_DISC || set.v->kind == SCREE_SET_ELLIPSE;
}

/* 1 and q[3] = xx, xy, yy with gauge(x)^2 = x^T q x where the set is an ellipse (a disc, an ellipse
 * or a superellipse with s = 2), else 0. */
int scri_set_as_ellipse(scri_set set, double q[3]);

/* The ellipse { x^T q x <= 1 }, q positive definite. */
SCRI_SISTERS scree_set_value scri_set_from_quadratic(const double q[3]);

/* A copy with its own memory in `env`. */
/* Whether scree_set_flow() has a set of directions for it. */
int scri_set_has_flow(const scree_set* set);

SCREE_MUST_USE scree_status scri_set_clone(const scree_env* env, const scree_set* set,
                                           scree_set** out);

/* Whether set i of a pool that others have filled is one that scree_set_create() could have made;
 * if not, a message says why. */
SCREE_MUST_USE scree_status scri_set_check(const scree_env* env, const scree_sets* sets, int32_t i);

/* ---- pools that grow ---- */

/* Zero it before first use. Its sets are numbered in the order in which they come. */
typedef struct scri_set_pool {
    scree_set_value* value;
    double* table;
    int32_t n, n_table;       /* in use */
    int32_t room, table_room; /* there are */
} scri_set_pool;

/* Makes room for n sets and n_table doubles in all; 0 when memory is short, and nothing changed. */
int scri_set_pool_reserve(const scree_env* env, scri_set_pool* pool, int32_t n, int64_t n_table);

/* Adds a copy, for which there is room, and returns its number. */
int32_t scri_set_pool_add(scri_set_pool* pool, const scree_set* set);

scree_sets scri_set_pool_view(const scri_set_pool* pool);
void scri_set_pool_release(const scree_env* env, scri_set_pool* pool);

#endif
