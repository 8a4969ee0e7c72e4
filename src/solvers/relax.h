/* One contact solved with all others held: what every Gauss-Seidel method does over and over. */
#ifndef SCRI_RELAX_H
#define SCRI_RELAX_H

#include "solvers/run.h"

/* What is worth keeping from sweep to sweep. */
typedef struct scri_relax {
    int64_t* offset; /* [n_contacts + 1] first entry of each block */
    double* block;   /* scaled diagonal blocks, row-major */
    double* lambda;  /* [3 n_contacts] slip rates */
} scri_relax;

/* How much a sweep changed, in scaled variables: sums of squares, and the largest square of one
 * contact over that of its size (run.h); how many contacts it solved, and how often the fail-safe
 * ran. `dear` is what some of them took beyond the time of others, in contacts. */
typedef struct scri_sweep_size {
    double change, impulse, most;
    int64_t updates, fail_safe, dear;
} scri_sweep_size;

/* Lay out, begin, then fill the block of every contact that will be relaxed. */
scri_relax scri_relax_create(const scree_problem* problem, scri_bump* bump);
void scri_relax_begin(const scri_run* run, scri_relax* relax);
void scri_relax_fill(const scri_run* run, scri_relax* relax, int32_t c);

/* Not below any eigenvalue of w: the largest sum of a row. */
double scri_relax_bound(int width, const double* w);

/* Fixed point of the natural map of one contact, p <- P_K(p - rho (w p + q + g)), until a step is
 * below `tolerance`: (64) of Acary & Bourrier on (67). rho 0: 1 over a bound on the eigenvalues of
 * w. Every law of a cone has it. */
scree_one_contact_way scri_relax_project(const scri_law* law, scri_terms terms, double rho,
                                         const double* w, const double* q, double* p,
                                         double tolerance);

/* Solves contact c to `tolerance`, changes run->at.p and the operator's state, adds to `size`. */
void scri_relax_contact(scri_run* run, const scri_relax* relax, int32_t c, double tolerance,
                        scri_sweep_size* size);

#endif
