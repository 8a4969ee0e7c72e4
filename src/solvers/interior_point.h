/* What interior-point methods share: the point in its cones, the sparse system of its steps, and
 * how far velocities are from those that the impulses lead to. */
#ifndef SCRI_INTERIOR_POINT_H
#define SCRI_INTERIOR_POINT_H

#include "solvers/interior_contacts.h"
#include "solvers/newton_system.h"
#include "solvers/run.h"

typedef struct scri_interior_point {
    scri_interior at;
    scri_newton_system* system;
    uint8_t* idle;        /* [n_contacts] see interior_contacts.h */
    double *q, *residual; /* [n_rows] free velocity; W p + q - y */
    double worst;         /* largest entry of that */
    double least;         /* tau below which rounding blocks steps */
} scri_interior_point;

void scri_interior_point_lay_out(const scri_run* run, scri_interior_point* m, scri_bump* bump);

/* The cold start; 0 when there is no system. */
int scri_interior_point_start(scri_run* run, scri_interior_point* m);

/* Finds the linear residual and the scaling of the present point. */
void scri_interior_point_look(const scri_run* run, scri_interior_point* m);

/* The step to products `target` less the second-order terms, by the factors at hand. */
void scri_interior_point_step(scri_interior_point* m, double target);

const char* scri_interior_point_unfit(const scree_env* env, const scree_problem* problem,
                                      const scree_solver_def* def, const scri_facts* facts);

#endif
