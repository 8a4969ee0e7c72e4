/* Materials and what two of them do to each other. */
#ifndef SCRI_MATERIALS_H
#define SCRI_MATERIALS_H

#include "base/compiler.h"
#include "scree/world.h"

/* The sets of a contact, in the order of scree_problem.set. */
enum { SCRI_SLIDING, SCRI_DIRECTION, SCRI_ROLLING, SCRI_ROLLING_DIRECTION, SCRI_SETS };

/* A pair of materials, worked out once. Sides are 0, the first material, and 1, the second. */
typedef struct scri_pair {
    scree_material material; /* coefficients; its sets are the pair's own where it was given */
    uint8_t is_given;        /* by scree_world_set_pair() */
    uint8_t law;             /* a scree_law */
    uint8_t has_sets;
    int8_t laid;             /* the side in whose axes `set` lies; -1: none */
    uint8_t from[SCRI_SETS]; /* 0: set[k] counts; else bits of the sides whose ellipses do */
    const scree_set* set[SCRI_SETS];
    uint8_t is_soft;    /* its contacts yield: by `modulus`, or the material's stiffness */
    double modulus;     /* E* of Hertz, Pa; 0: none */
    double shear;       /* stiffness along the tangents over that along the normal */
    uint8_t has_slip;   /* its coefficients depend on how fast it slips */
    uint8_t has_share;  /* it has friction in proportion to the radius */
    uint8_t contour;    /* bits of the sides whose rolling friction is that of the contour */
    double most[3];     /* not 0 where a channel has friction at any rate */
    uint8_t has_ground; /* side 1 is one where a cylinder lies on it */
    scree_ground ground;
    double lay[2][3];                /* of the sides, unit vectors */
    double ellipse[2][SCRI_SETS][3]; /* x^T q x = 1 in the side's own axes: xx, xy, yy */
    double spin_power;               /* of such ellipses of sliding, or 0 */
} scri_pair;

/* Coefficients of two materials where no pair was set; no sets. */
SCRI_SISTERS scree_material scri_material_combine(const scree_material* a, const scree_material* b);

/* Whether the coefficient of channel k depends on how fast it slips. */
int scri_has_slip(const scree_material* m, int k);

/* Whether there are springs. */
int scri_has_ground(const scree_material* m);

/* Whether a world of this law takes a material; if not, a message says why. */
SCRI_SISTERS scree_status scri_material_check(const scree_env* env, scree_law law,
                                              const scree_material* m);

/* The geometric mean A # B of two positive definite 2 x 2 matrices xx, xy, yy. */
void scri_ellipse_mean(const double a[3], const double b[3], double out[3]);

/* The pair of two materials in a world of this law. `given` is what was set for it, or NULL; its
 * sets lie in the axes of side `given_side`. */
scri_pair scri_pair_make(scree_law law, const scree_material* const material[2],
                         const scree_material* given, int given_side);

#endif
