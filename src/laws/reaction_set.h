/* The impulses that one contact may take while the velocities stay what they are.
 *
 * Given y the laws leave a convex set for p, a product over the contacts: an open contact carries
 * nothing, a channel that moves pulls against its motion with mu_k p_N, one that rests may carry
 * anything within its disc. All in equilibrated variables.
 */
#ifndef SCRI_REACTION_SET_H
#define SCRI_REACTION_SET_H

#include "cones/layout_kernel.h"

typedef enum scri_reaction_set_kind {
    SCRI_REACTION_SET_WITHIN,   /* lo <= p <= hi, one row */
    SCRI_REACTION_SET_WHOLE,    /* any p */
    SCRI_REACTION_SET_CONE,     /* t axis + free channels, |p_k| <= radius_k t */
    SCRI_REACTION_SET_ELLIPSOID /* the same, sum |p_k|^2 / radius_k^2 <= t^2 */
} scri_reaction_set_kind;

typedef struct scri_reaction_set {
    scri_reaction_set_kind kind;
    unsigned free;               /* bit i: row i varies by itself */
    unsigned loaded;             /* bit i: row i can carry an impulse */
    double axis[SCRI_MAX_WIDTH]; /* unit vector of N and the channels tied to it; 0: none varies */
    double radius[SCRI_CHANNELS];
    double lo, hi;
} scri_reaction_set;

/* The set of a contact that has impulse p[width] and velocity y[width], for which the law holds up
 * to `tol`: what moves no faster counts as resting. One for each law with discs. */
#define SCRI_REACTION_SET_OF(law)                                                            \
    scri_reaction_set scri_reaction_set_##law(int rows, const double* coef, const double* p, \
                                              const double* y, double tol)
SCRI_REACTION_SET_OF(exact);
SCRI_REACTION_SET_OF(convex);
SCRI_REACTION_SET_OF(coupled);
SCRI_REACTION_SET_OF(bilateral);
SCRI_REACTION_SET_OF(interval);
SCRI_REACTION_SET_OF(half_line);

/* Closest point p[width] of the set to z[width] and, unless `d` is NULL, dp/dz [width * width],
 * row-major, symmetric. */
void scri_reaction_set_project(const scri_reaction_set* set, int rows, const double* z, double* p,
                               double* d);

#endif
