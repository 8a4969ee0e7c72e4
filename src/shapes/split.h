/* Closed surfaces as chains of triangles, and what planes cut off them.
 *
 * Volumes and moments are sums over triangles with signs. So a part may be closed by any fan of
 * triangles over the rim of a cut, even where they overlap or reach beyond the cut: what is too
 * much counts twice, with both signs. */
#ifndef SCRI_SPLIT_H
#define SCRI_SPLIT_H

#include "math/vec.h"
#include "scree/shape.h"
#include "shapes/rounded.h"

typedef struct scri_triangle {
    scri_vec at[3];
    int is_cap; /* closes a cut */
} scri_triangle;

typedef struct scri_chain {
    int32_t n;
    scri_triangle* triangle;
} scri_chain;

/* All x with normal x <= offset. */
typedef struct scri_cut {
    scri_vec normal; /* of length 1 */
    double offset;
} scri_cut;

double scri_chain_volume(const scri_chain* chain);

/* Adds what a chain encloses, about the origin. */
void scri_chain_moments(const scri_chain* chain, scri_moments* out);

/* The part of a chain on one side of a cut, closed; points within `same` of the plane are on it.
 * `out` has room for 4 n + 4 triangles, `rim` for 12 n points. */
void scri_chain_clip(const scri_chain* chain, const scri_cut* cut, double same, scri_vec* rim,
                     scri_chain* out);

/* How often a chain goes round a point: 1 inside, 0 outside, between the two on the surface. */
double scri_chain_winding(const scri_chain* chain, scri_vec x);

#endif
