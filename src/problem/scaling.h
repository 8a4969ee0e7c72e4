/* Per-channel equilibration of a whole problem: p' = unit s p, y' = y / s, with W' = W / (unit s s)
 * of diagonal 1.
 *
 * `unit` is the power of two next to the largest mobility of a normal row, or of the centres that a
 * joint holds. It keeps square roots of mobilities free of units: in kilograms or in pounds of 2^k
 * kilograms, s has the same digits. */
#ifndef SCRI_SCALING_H
#define SCRI_SCALING_H

#include "laws/law.h"
#include "problem/operator.h"

typedef struct scri_scaling {
    double* scale; /* [n_rows] s */
    double unit;
    double* coef; /* [3 n_contacts] coefficients of the laws in scaled variables */
    double speed; /* m/s: no contact is judged by less than this */
} scri_scaling;

/* Share of the largest free velocity in `speed`: where all that moves a body cancels, as in a stack
 * that is pressed without gravity, its own motion is no measure. */
#define SCRI_LEAST_SPEED 1e-4

scri_scaling scri_scaling_create(const scree_problem* problem, scri_bump* bump);

/* Fills the arrays from the diagonal of the operator. */
void scri_scaling_compute(const scri_operator* op, scri_scaling* scaling);

/* The same from diagonal[n_rows] of W + C. */
void scri_scaling_from_diagonal(const scree_problem* problem, const double* diagonal,
                                scri_scaling* scaling);

/* `speed` in the scaled variables of contact c: along its normal; for the rows of a joint, which
 * may turn, as a motion of the centres, for metres and radians have no common measure. */
double scri_scaling_least(const scree_problem* problem, const scri_scaling* scaling, int32_t c);

/* The largest free velocity, m/s, of normal and tangential rows, and of joints by their scales,
 * which a problem without joints may lack. */
double scri_scaling_most_speed(const scree_problem* problem, const scri_scaling* scaling,
                               scri_team* team);

#endif
