/* How the kinds of sets are made and checked; what they do is in the kernels. */
#ifndef SCRI_SET_KIND_H
#define SCRI_SET_KIND_H

#include "sets/set.h"

#define SCRI_SET_SMALLEST 1e-15 /* semi-axes and radii */
#define SCRI_SET_LARGEST 1e15

typedef struct scri_set_kind {
    const char* name;
    int table_width; /* doubles per point of the def */

    /* Writes a, b, s and what the def says of the table[n * table_width]; `scale` is that of the
     * def. Fails where the def has numbers that no set has. */
    scree_status (*fill)(const scree_env* env, const scree_set_def* def, double scale,
                         scree_set* set);

    /* Whether a set can have these numbers. */
    scree_status (*check)(const scree_env* env, scri_set set);

    /* Writes is_convex and the rest of the table. */
    scree_status (*derive)(const scree_env* env, scree_set* set);

    /* Whether a set of unknown origin that passed `check` has what `derive` would write. */
    int (*is_derived)(scri_set set);
} scri_set_kind;

extern const scri_set_kind scri_set_disc, scri_set_ellipse, scri_set_rectangle,
    scri_set_superellipse, scri_set_runner, scri_set_asperity; /* shapes.c */
extern const scri_set_kind scri_set_polygon, scri_set_polar;

/* Fails unless a size of a def, with its scale, lies within the bounds above. */
SCREE_MUST_USE scree_status scri_set_check_size(const scree_env* env, const char* kind,
                                                const char* name, double size);

/* The next angle after `angle` (in [-pi, pi)) at which to look at a polygon or a curve. */
double scri_polygon_next_knot(scri_set set, double angle);
double scri_polar_next_knot(scri_set set, double angle);

#endif
