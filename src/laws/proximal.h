/* One contact in the proximal iteration of Walker and Leine: (21) and (22), and for channels with a
 * set of directions of their own (69), (70). */
#ifndef SCRI_PROXIMAL_H
#define SCRI_PROXIMAL_H

#include "laws/law.h"

/* Whether the iteration is known for a contact: not for directions under a set with a moment. */
int scri_proximal_is_known(scri_terms t);

/* The largest multiples of D inside C, of sliding and of rolling, where D is not C; returns whether
 * there is one. Others are left as they are, and never read. */
int scri_proximal_fit(scri_terms t, double fit[2]);

/* The next impulse p[width] of a contact of a law with a reaction map, from z = x - r y and the
 * present x = t.near:
 *
 *     p_N = max(z_N, 0),   -p_k = prox_{mu_k p_N C_k}(-z_k),
 *
 * and where D is not C, with D as large as fits and gauges of sets scaled by mu_k p_N,
 *
 *     -p_k = prox_D(-alpha x_k + r y_k) / alpha,   alpha = 1 / (k_D(-x_k) - k_C(-x_k) + 1). */
void scri_proximal_step(const scri_law* law, scri_terms t, const double fit[2], const double* z,
                        double* p);

#endif
