/* The contacts as the interior-point method sees them: impulses and velocities strictly inside
 * their cones, and the linearised laws between their steps.
 *
 * Each channel k (a disc of radius mu_k p_N) gets its slip speed sigma_k >= |y_k| as an unknown.
 * The exact law is then free of norms,
 *
 *     y_N p_N = 0,   (mu_k p_N, p_k) o (sigma_k, y_k) = 0,   o the product of the Lorentz cone,
 *
 * and the convex law is the same with y_N = sum_k mu_k sigma_k in place of the first equation.
 * Both are solved with tau e in place of 0, for a falling tau. In equilibrated variables.
 */
#ifndef SCRI_INTERIOR_CONTACTS_H
#define SCRI_INTERIOR_CONTACTS_H

#include "base/bump.h"
#include "scree/problem.h"
#include "solvers/interior_cone_kernel.h"

typedef struct scri_interior {
    const scree_problem* problem;
    const double* coef;  /* [3 n_contacts] mu_k */
    const uint8_t* idle; /* [n_contacts] 1: W_NN = 0, p is 0 and stays */
    double tau;          /* mean product of the present point */
    double theta;  /* share of the coupling from slip to y_N that a step of the exact law knows:
                    * 1 is Newton's step, 0 holds the slip speeds fixed in that equation */
    double *p, *y; /* [n_rows] y is W p + q only up to a residual that steps remove */
    double* sigma; /* [3 n_contacts] */
    double *dp, *dy, *dsigma;
    double* c;                     /* [n_rows] dp = c - D dy */
    double* d;                     /* D, block by block */
    scri_lorentz_scaling* scaling; /* [3 n_contacts] */
    scri_lorentz *excess, *right;  /* [3 n_contacts] second-order terms; right-hand sides */
    double* excess_n;              /* [n_contacts] */
} scri_interior;

/* Nonzero when every contact has the exact or the convex law. */
int scri_interior_fits(const scree_problem* problem);

/* `idle` and `coef` are borrowed. */
scri_interior scri_interior_create(const scree_problem* problem, const double* coef,
                                   const uint8_t* idle, scri_bump* bump);

/* The point with products tau and p - y = -q. */
void scri_interior_start(scri_interior* m, const double* q, double tau);

/* Scaling of the present point, and its tau. */
void scri_interior_scale(scri_interior* m);

/* D at the present point for the present theta. */
void scri_interior_linearise(scri_interior* m);

/* c for a step to products `target` less the second-order terms. */
void scri_interior_aim(scri_interior* m, double target);

/* Turns the step dp, dy = W dp + a of the linear system into one of p, y, sigma. */
void scri_interior_recover(scri_interior* m);

/* Largest t <= limit for which the present point plus t times the step is in the cones. */
double scri_interior_reach(const scri_interior* m, double limit);

/* Mean product at the present point plus t times the step. */
double scri_interior_product(const scri_interior* m, double t);

/* Second-order terms: none; those of the present step; those that in addition bring the products
 * after t times the step near `target` (Gondzio's correction). */
void scri_interior_forget(scri_interior* m);
void scri_interior_correct(scri_interior* m);
void scri_interior_centre(scri_interior* m, double t, double target);

/* The present step in coordinates in which every cone looks alike: those of Nesterov and Todd's
 * scaling over sqrt(tau), where a part of one cone shorter than 1 stays inside of it as long as
 * products are equal. out[scri_interior_n_coordinates()], up to SCRI_INTERIOR_COORDINATES for each
 * contact; returns the length of the longest part. */
enum { SCRI_INTERIOR_COORDINATES = 20 };
size_t scri_interior_n_coordinates(const scri_interior* m);
double scri_interior_coordinates(const scri_interior* m, double* out);

/* Moves by t times the step. */
void scri_interior_advance(scri_interior* m, double t);

#endif
