/* The friction cones: Euclidean projections and distances, as pure functions on a few doubles.
 *
 *   K      = { p : p_N >= 0, |p_k| <= mu_k p_N for every channel k }   (sliding, rolling, spinning)
 *   K*     = { y : y_N >= sum_k mu_k |y_k| }                           its dual cone
 *   K_ell  = { p : p_N >= 0, sum_k |p_k|^2 / mu_k^2 <= p_N^2 }         the coupled ellipsoid
 *
 * width: 1 = N, 2 = N T, 3 = N T1 T2, 4 = N T1 T2 S, 5 = N T1 T2 R1 R2, 6 = N T1 T2 R1 R2 S.
 * mu    = { slide, roll, spin }; those of channels that the width lacks are ignored; any may be 0.
 * Entries may range from 1e-150 to 1e150; a NaN in the input gives NaN in every row of the output,
 * never a silent zero.
 */
#ifndef SCREE_CONE_H
#define SCREE_CONE_H

#include "scree/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Replaces p[width] by the closest point of K. An unknown width fills nothing and does nothing. */
SCREE_API void scree_cone_project(int width, const double mu[3], double* p);

/* The same for the planar rows N, T, R (mu[2] is ignored). */
SCREE_API void scree_cone_project_planar(const double mu[3], double p[3]);

/* Replaces p[width] by the closest point of the coupled ellipsoid K_ell. */
SCREE_API void scree_cone_project_coupled(int width, const double mu[3], double* p);

/* Euclidean distance of p[width] to K, and of y[width] to the dual cone K*. 0 inside. */
SCREE_API double scree_cone_distance(int width, const double mu[3], const double* p);
SCREE_API double scree_cone_dual_distance(int width, const double mu[3], const double* y);

/* y_N - sum_k mu_k |y_k|: not negative exactly when y[width] lies in K*. */
SCREE_API double scree_cone_dual_margin(int width, const double mu[3], const double* y);

#ifdef __cplusplus
}
#endif

#endif
