/* What a contact obeys, as the problem and the solvers see it: one table entry per law. A solver
 * uses nothing else, so a new law needs no change in any solver. */
#ifndef SCRI_LAW_H
#define SCRI_LAW_H

#include "cones/layout_kernel.h"
#include "scree/solver.h"

/* All functions take the rows of a contact and its coefficients in the variables in use. */
typedef struct scri_law {
    const char* name;
    uint32_t rows;    /* bit r set: a contact with scree_rows r may have this law */
    int has_friction; /* rows are N and channels; otherwise they are rows of equal rank */

    /* Closest point of the set of admissible impulses, in place. */
    void (*project)(int rows, const double* coef, double* p);

    /* What is added to y_N before the complementarity is judged; 0 for an associated law. */
    double (*shift)(int rows, const double* coef, const double* y);

    /* Coefficients after the change of variables p' = s p, y' = y / s, with s[width]. */
    void (*scale)(int rows, const double* s, const double* coef, double* out);

    /* Solves y = w p + q alone, in equilibrated variables. `p` is the first guess and receives the
     * answer; lambda[3] carries the slip rates from one call to the next (zeros at first). The
     * answer is admissible and good to about `tolerance`, relative. */
    scree_one_contact (*solve)(int rows, const double* coef, const double* w, const double* q,
                               double* p, double* lambda, double tolerance);

    /* Reaction map with derivative, see laws/reaction.h; NULL for a law without one. */
    void (*react)(int rows, const double* coef, const double* z, double blur, double* p, double* d);
} scri_law;

extern const scri_law scri_law_exact, scri_law_convex;       /* friction.c */
extern const scri_law scri_law_coupled;                      /* coupled.c */
extern const scri_law scri_law_bilateral;                    /* bilateral.c */
extern const scri_law scri_law_interval, scri_law_half_line; /* interval.c */

/* 0: the shift of every law but the exact ones. */
double scri_law_no_shift(int rows, const double* coef, const double* y);

/* The law with a number of scree_law; NULL for any other. */
const scri_law* scri_law_get(int law);

#endif
