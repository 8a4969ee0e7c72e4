/* What a heap of spheres looks like: height, width, slope, density, contacts.
 * docs/repose.md says how each number is found and how far it can be trusted. */
#ifndef SCREE_STUDY_REPOSE_H
#define SCREE_STUDY_REPOSE_H

#include "scree/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A heap on the plane z = floor. Arrays are borrowed. Grains of other shapes are taken as spheres
 * of their volume about their centre of mass: heights are off by a part of a grain, slopes are not.
 * Spheres with their centre below the floor
 * have fallen off its edge and do not count, nor do their contacts. Where contacts are known,
 * spheres without any are in the air and do not count for height and slope. */
typedef struct scree_heap {
    int32_t n;              /* spheres */
    const double* position; /* [3 n] centres, m */
    const double* radius;   /* [n] m */
    int32_t n_contacts;
    const int32_t* pair; /* [2 n_contacts] spheres; -1 for anything that is no sphere of the heap;
                            NULL: contacts are not known */
    const float* normal_force; /* [n_contacts] N, a contact carries when it is above 0;
                                  NULL: not known, all contacts carry */
    double floor;              /* m */
    const float* gap;          /* [n_contacts] m, negative for overlap; NULL: not known */
} scree_heap;

enum { SCREE_REPOSE_BINS = 32 };

/* Lengths in m, angles in rad. What cannot be told (no spheres, too few for a fit, contacts or
 * forces not known) is NaN. */
typedef struct scree_repose {
    int32_t n_lost;     /* spheres below the floor */
    int32_t n_base;     /* spheres that touch the floor */
    double height;      /* of the highest point above the floor */
    double mean_radius; /* paper 1: mean distance of the base's spheres to their centroid */

    double axis[2];                           /* x and y of the heap's axis */
    double angle;                             /* paper 2: slope of the line fitted to the flank */
    double angle_error;                       /* standard error of the fit */
    double profile_radius[SCREE_REPOSE_BINS]; /* the surface: rings around the axis, distance */
    double profile_height[SCREE_REPOSE_BINS]; /* and height; NaN where the heap has no surface */
    int32_t flank_begin, flank_end; /* the rings begin <= k < end are the flank that was fitted */
    double flank_height;            /* of the fitted line on the axis */

    double packing_fraction; /* in the heap's core */

    double coordination;                     /* mean contacts of a sphere that has any */
    int32_t n_rattlers;                      /* spheres without contact; -1: not known */
    double force_mean;                       /* normal force of a contact that carries, N */
    double force_quantile[5];                /* 5, 25, 50, 75, 95 % over the mean */
    double force_density[SCREE_REPOSE_BINS]; /* of f / mean, bins of 0.25 from 0 */
    double
        gap_mean; /* of the contacts that carry, m: what a relaxed law lifts, see docs/repose.md */
} scree_repose;

SCREE_API SCREE_MUST_USE scree_status scree_repose_measure(const scree_env* env,
                                                           const scree_heap* heap,
                                                           scree_repose* out);

#ifdef __cplusplus
}
#endif

#endif
