/* The methods, one file each. */
#ifndef SCRI_SOLVER_H
#define SCRI_SOLVER_H

#include "solvers/run.h"

extern const scri_solver scri_solver_auto;          /* auto.c */
extern const scri_solver scri_solver_nsgs;          /* nsgs.c */
extern const scri_solver scri_solver_newton_dense;  /* newton_dense.c */
extern const scri_solver scri_solver_interior;      /* interior.c */
extern const scri_solver scri_solver_newton_prox;   /* newton_prox.c */
extern const scri_solver scri_solver_nsgs_aa;       /* nsgs_aa.c */
extern const scri_solver scri_solver_nsgs_bodies;   /* nsgs_bodies.c */
extern const scri_solver scri_solver_nsgs_wide;     /* nsgs_wide.c */
extern const scri_solver scri_solver_apgd;          /* apgd.c */
extern const scri_solver scri_solver_fixed_point;   /* fixed_point.c */
extern const scri_solver scri_solver_extragradient; /* extragradient.c */

/* Whether the dense Newton method can solve it: few rows, exact law. */
int scri_newton_dense_fits(const scree_problem* problem);

/* Whether single precision will do: round bodies, exact law, no small tolerance. */
int scri_nsgs_wide_fits(const scree_problem* problem, double tol);

/* The method with this name; NULL when there is none. */
const scri_solver* scri_solver_find(const char* name);

#endif
