/* A problem at given impulses, and what else its contacts may carry (laws/reaction_set.h). */
#ifndef SCRI_REACTIONS_SET_H
#define SCRI_REACTIONS_SET_H

#include "base/arena.h"
#include "laws/reaction_set.h"
#include "problem/scaling.h"

/* Whether the form is one that can be asked, and every law can say what else it allows. */
int scri_reactions_fit(const scree_problem* problem);

typedef struct scri_reactions {
    const scree_problem* problem;
    int32_t n_rows;
    scri_operator op;
    scri_scaling scaling;
    double *p, *y;          /* [n_rows] scaled */
    double residual;        /* scree measure */
    scri_reaction_set* set; /* [n_contacts] */
} scri_reactions;

/* Scales p[n_rows], which solves the problem up to a residual of `tol` or whatever it has, and
 * finds the sets. SCREE_ERROR_MEMORY is the only failure. */
scree_status scri_reactions_create(scri_arena* arena, const scree_problem* problem, const double* p,
                                   double tol, scri_reactions* out);

/* Residual of the scaled impulses p[n_rows], whose raw values and velocities go to raw, y. */
double scri_reactions_judge(scri_reactions* r, const double* p, double* raw, double* y);

#endif
