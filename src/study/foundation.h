/* Rolling on a viscous foundation, behind scree_study/foundation.h. Defs are valid here. The
 * resistance at one speed is in laws/foundation.h.
 *
 * One idea per file:
 *     foundation.c           the def, its conditions, resistance for callers
 *     foundation_incline.c   total force, stationary speeds, folds, the curve of a diagram
 *     foundation_wells.c     potential, its wells, the friction that rolling needs
 *     foundation_map.c       where there are two stable speeds, and the cusps at which they end
 *     foundation_sweep.c     hysteresis while the slope rises and falls
 *     foundation_density.c   Fokker-Planck density on a grid of speeds
 *     foundation_ensemble.c  many cylinders under random forces
 */
#ifndef SCRI_FOUNDATION_H
#define SCRI_FOUNDATION_H

#include "base/compiler.h"
#include "laws/foundation.h"
#include "math/root.h"
#include "scree_study/foundation.h"

scri_ground scri_ground_of(const scree_foundation_def* def);

/* The cylinder on a plane whose slope is not yet given. */
typedef struct scri_incline {
    scri_ground ground;
    double weight;  /* M g, N/m */
    double inertia; /* M + I / R^2, kg/m */
    double drag_linear, drag_square;
} scri_incline;

scri_incline scri_incline_of(const scree_foundation_def* def);

/* Total force and its derivatives in the speed, which may have either sign, and in the slope; 0
 * when there is no contact. `by_slope` may be NULL. */
int scri_incline_force(const scri_incline* incline, double slope, double speed, double* force,
                       double* by_speed, double* by_slope);

/* The slope that keeps a speed above 0, and dF/dv there; 0 when there is none below vertical or no
 * contact. */
int scri_incline_slope(const scri_incline* incline, double speed, double* slope, double* by_speed);

/* The first and the last speed for which that is asked. */
void scri_incline_range(const scri_incline* incline, double range[2]);

#endif
