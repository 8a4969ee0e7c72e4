/* The methods, one file each. */
#ifndef SCRI_SOLVER_H
#define SCRI_SOLVER_H

#include "solvers/run.h"

extern const scri_solver scri_solver_auto;          /* auto.c */
extern const scri_solver scri_solver_nsgs;          /* nsgs.c */
extern const scri_solver scri_solver_newton_dense;  /* newton_dense.c */
extern const scri_solver scri_solver_interior;      /* interior.c */
extern const scri_solver scri_solver_interior_path; /* interior_path.c */
extern const scri_solver scri_solver_newton_prox;   /* newton_prox.c */
extern const scri_solver scri_solver_nsgs_aa;       /* nsgs_aa.c */
extern const scri_solver scri_solver_nsgs_bodies;   /* nsgs_bodies.c */
extern const scri_solver scri_solver_nsgs_wide;     /* nsgs_wide.c */
extern const scri_solver scri_solver_nsgs_wide_aa;  /* nsgs_wide_aa.c */
extern const scri_solver scri_solver_apgd;          /* apgd.c */
extern const scri_solver scri_solver_fixed_point;   /* fixed_point.c */
extern const scri_solver scri_solver_extragradient; /* extragradient.c */
extern const scri_solver scri_solver_channels;      /* channels.c */
extern const scri_solver scri_solver_proximal;      /* proximal.c */
extern const scri_solver scri_solver_projected;     /* projected.c */
extern const scri_solver scri_solver_admm;          /* admm.c */

/* Why the method cannot solve the problem as `def` asks; NULL when it can. See scri_solver. */
const char* scri_solver_unfit(const scree_env* env, const scri_solver* solver,
                              const scree_problem* problem, const scree_solver_def* def,
                              const scri_facts* facts);

/* The method with this name; NULL when there is none. */
const scri_solver* scri_solver_find(const char* name);

#endif
