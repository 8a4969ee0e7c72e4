/* What the kinds of sets share: the view of a plain value, and small vectors. Kernels of this
 * folder compile as C++ and for a device; everything in them is in the set's own axes, before its
 * turn. */
#ifndef SCRI_SET_VALUE_KERNEL_H
#define SCRI_SET_VALUE_KERNEL_H

#include "base/compiler.h"
#include "scree/base.h"
#include "scree/set.h"

#include <math.h>

/* A value and the doubles of its own table; v is NULL where there is no set. */
typedef struct scri_set {
    const scree_set_value* v;
    const double* table;
} scri_set;

/* How the boundary runs at a point of it. */
typedef struct scri_edge {
    double normal[2]; /* of length 1 */
    double curvature; /* infinite at a corner, 0 on a straight side */
} scri_edge;

/* Set i of a pool, i >= 0. */
SCREE_FN scri_set scri_set_at(const scree_sets* sets, int32_t i)
{
    const scree_set_value* value = sets->value + i;
    scri_set set = {value, value->n > 0 ? sets->table + value->table : NULL};
    return set;
}

/* |x| without overflow. */
SCREE_FN double scri_length2(const double x[2])
{
    double square = x[0] * x[0] + x[1] * x[1];
    return square > 1e-280 && square < 1e280 ? sqrt(square) : hypot(x[0], x[1]);
}

SCREE_FN double scri_dot2(const double x[2], const double y[2])
{
    return x[0] * y[0] + x[1] * y[1];
}

SCREE_FN double scri_cross2(const double x[2], const double y[2])
{
    return x[0] * y[1] - x[1] * y[0];
}

#endif
