/* What a heap of spheres looks like: height, width, slope, density, contacts. */
#ifndef SCREE_REPOSE_H
#define SCREE_REPOSE_H

#include "scree/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A heap on the plane z = floor. Arrays are borrowed. */
typedef struct scree_heap {
    int32_t n;              /* spheres */
    const double* position; /* [3 n] centres, m */
    const double* radius;   /* [n] m */
    int32_t n_contacts;
    const int32_t* pair; /* [2 n_contacts] spheres; -1 for anything that is no sphere of the heap */
    const float* normal_force; /* [n_contacts] N */
    double floor;              /* m */
} scree_heap;

enum { SCREE_REPOSE_BINS = 32 };

/* Lengths in m, angles in rad. What cannot be told (no spheres, too flat to fit) is NaN. */
typedef struct scree_repose {
    int32_t n_base;     /* spheres that touch the floor */
    double height;      /* of the highest point above the floor */
    double mean_radius; /* paper 1: mean distance of the base's spheres to their centroid */
    double angle;       /* paper 2: slope of the line fitted to the flank */
    double angle_error; /* standard error of the fit */
    double profile_radius[SCREE_REPOSE_BINS]; /* the flank that was fitted: rings around the axis */
    double profile_height[SCREE_REPOSE_BINS]; /* NaN for a ring without spheres */
    double packing_fraction;                  /* in the heap's core */
    double coordination;                      /* mean contacts of a sphere that has any */
    int32_t n_rattlers;                       /* spheres without contact */
    double force_mean;                        /* normal force of a contact that carries, N */
    double force_quantile[5];                 /* 5, 25, 50, 75, 95 % over the mean */
    double force_density[SCREE_REPOSE_BINS];  /* of f / mean, bins of 0.25 from 0 */
} scree_repose;

SCREE_API SCREE_MUST_USE scree_status scree_repose_measure(const scree_env* env,
                                                           const scree_heap* heap,
                                                           scree_repose* out);

#ifdef __cplusplus
}
#endif

#endif
