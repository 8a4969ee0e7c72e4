/* Scales that make the diagonal of a contact's block 1 and keep its cone. */
#ifndef SCRI_EQUILIBRATE_H
#define SCRI_EQUILIBRATE_H

#include "laws/law.h"

/* s[width] from diagonal[width] of w / unit, a power of two: square root of the mean over the rows
 * of a channel, so that discs stay discs; of each row by itself where there is no cone. A channel
 * without mobility takes the scale of N; where there is none at all, 1. All entries are positive
 * and finite. */
void scri_equilibrate(int rows, const scri_law* law, const double* diagonal, double unit,
                      double* s);

/* The same for a contact alone with w[width * width], row-major: p' = press p, y' = y / s, and the
 * coefficients that go with them. */
void scri_equilibrate_alone(const scri_law* law, scri_terms terms, const double* w, double* s,
                            double* press, double coef[3]);

#endif
