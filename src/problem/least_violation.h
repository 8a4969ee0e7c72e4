/* The least violation of what the laws promise of the velocities, see problem/infeasible.h, by
 * nonlinear conjugate gradients.
 *
 * Steps are measured by the kinetic energy that they bring in, so that directions are combinations
 * of the t met so far and each iteration takes one product with W. f is quadratic wherever the same
 * contacts violate; from there on the iteration is the linear one and ends at rounding. */
#ifndef SCRI_LEAST_VIOLATION_H
#define SCRI_LEAST_VIOLATION_H

#include "base/arena.h"
#include "problem/promised_rows.h"

/* Minus the slope of f along z, and its curvature while the same contacts violate. */
typedef struct scri_line {
    double slope, curvature;
} scri_line;

typedef struct scri_descent {
    scri_promised_rows rows;          /* what it goes by */
    scri_operator op;                 /* of them, and of the contacts that count */
    const scri_shares* all;           /* of all contacts, whose team helps; NULL: nobody does */
    int32_t n, *list;                 /* contacts that count */
    uint8_t* counts;                  /* [n_contacts] whether one does */
    double *raw, *y, *t, *u, *z, *at; /* [rows]; u = W t, z = W times the direction */
    double* direction;                /* [rows] of the last iterations */
    scri_line here;                   /* along z at t */
    double norm, energy;              /* t t and t W t */
    double worst;                     /* largest |t| of a contact */
    double least;                     /* violations that are none */
} scri_descent;

/* Lays the arrays of a descent on the contacts of `problem` out in the arena, with the team of
 * their shares `all`, which may be NULL; begins with velocities y[n_rows] and all contacts. */
scree_status scri_descent_begin(scri_arena* arena, const scree_problem* problem,
                                const scri_scaling* scaling, const scri_shares* all,
                                const double* y, scri_descent* d);

/* Turns to the contacts that violated more than `share` of the worst at another time: size
 * [n_contacts] and y[rows], as in the descent, are of then. */
void scri_descent_narrow(scri_descent* d, double share, const double* size, const double* y);

/* Until t is balanced (1), or below d->least in every contact (0), or iterations run out (1). */
int scri_descent_run(scri_descent* d, int32_t iterations);

/* |W t|^2 and |t|^2. */
void scri_descent_squares(scri_descent* d, double* moved, double* size);

/* |t| of contact c. */
double scri_descent_size(const scri_descent* d, int32_t c);

/* t in the units of q, of all rows of the problem. A descent has ended then. */
void scri_descent_give(scri_descent* d, double* give);

#endif
