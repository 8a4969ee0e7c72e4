/* Volumes of rounded shapes: a convex body and all that is no farther from it than a length. */
#ifndef SCRI_ROUNDED_H
#define SCRI_ROUNDED_H

#include "base/compiler.h"
#include "scree/shape.h"

/* Integrals of 1, x and x x^T (xx yy zz xy xz yz) over a solid, in its frame. */
typedef struct scri_moments {
    double volume, first[3], second[6];
} scri_moments;

/* Of a density: all but the mass about the centre of mass. */
void scri_moments_to_mass(const scri_moments* moments, double density, scree_mass* out);

/* 1 for the kinds that can be rounded. */
SCRI_SISTERS int scri_shape_can_round(scree_shape_kind kind);

/* Of a shape of such a kind, with its rounding. */
void scri_rounded_moments(const scree_shape* shape, scri_moments* out);

#endif
