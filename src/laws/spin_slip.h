/* Sliding and spinning under one set: a channel of three rows T1, T2, S whose forces (f_T, m) have
 *
 *     ((k_C(f_T) / mu)^s + (|m| / mu_s)^s)^(1/s) <= p_N,
 *
 * C a planar set and s its spin power. s = 2 makes an ellipsoid of an ellipse; the larger s is, the
 * less the channels know of each other; below 1 the set is star-shaped. It slides and spins along
 * the normal of such a set made of D. See docs/anisotropic.md. */
#ifndef SCRI_SPIN_SLIP_H
#define SCRI_SPIN_SLIP_H

#include "sets/set.h"

typedef struct scri_spin_sets {
    scri_set c, d;
    double coef[2]; /* mu, mu_s */
} scri_spin_sets;

/* The gauge for a normal impulse of 1, infinite where a coefficient is 0 and its force is not;
 * unless NULL, its gradient and its Hessian [9], for coefficients above 0. */
double scri_spin_gauge(scri_set set, const double coef[2], const double f[3], double* gradient,
                       double* hessian);

/* max y . f over the set for a normal impulse of 1; convex sets. */
double scri_spin_support(scri_set set, const double coef[2], const double y[3]);

/* The force f of the channel that sticks or slips when f + y = g, for the normal impulse n: g
 * inside n times the set of C, else the projection on it along the normals of that of D. Unless
 * NULL, d[0..8] receives df/dg, row-major, and d[9..11] df/dn. Returns the share of g outside, 0
 * where it sticks (scri_slip_share). */
double scri_spin_react(const scri_spin_sets* sets, double n, const double g[3], double f[3],
                       double* d);

#endif
