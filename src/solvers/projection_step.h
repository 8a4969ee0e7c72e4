/* The projected step that the fixed-point and extragradient methods share, with a step length that
 * adapts itself to the Lipschitz constant (Khobotov; section 5.1 of Acary & Bourrier). */
#ifndef SCRI_PROJECTION_STEP_H
#define SCRI_PROJECTION_STEP_H

#include "solvers/run.h"

typedef struct scri_projection {
    double* x;       /* [n_rows] iterate in scaled variables */
    double* f;       /* [n_rows] F(x) = W x + q + shift, scaled */
    double* trial;   /* [n_rows] P_K(x - rho F(x)) */
    double* f_trial; /* [n_rows] F(trial) */
    double* impulse; /* [n_rows] scratch, raw variables */
    double rho;
    double by_channel[1 + SCRI_CHANNELS]; /* step lengths of `channels` and `proximal` */
    double* fit; /* [2 n_contacts] of `proximal`, see laws/proximal.h; NULL for all others */
} scri_projection;

#define SCRI_PROJECTION_FITS "laws of a cone: not the extended one"

/* For scri_solver.unfit: projections lead nowhere for a law that is not one of a cone. */
const char* scri_projection_unfit(const scree_env* env, const scree_problem* problem,
                                  const scree_solver_def* def, const scri_facts* facts);

scri_projection scri_projection_create(const scri_run* run, scri_bump* bump);

/* Takes run->at.p as the iterate and evaluates F there. */
void scri_projection_begin(scri_run* run, scri_projection* s);

/* W x + q, in scaled variables. */
void scri_projection_velocity(scri_run* run, scri_projection* s, const double* x, double* y);

/* F at x, both in scaled variables. */
void scri_projection_evaluate(scri_run* run, scri_projection* s, const double* x, double* f);

/* out = P_K(x - rho f). */
void scri_projection_project(const scri_run* run, const scri_projection* s, const double* f,
                             double* out);

/* Finds rho and the trial point with rho |F(x) - F(trial)| <= 0.9 |x - trial|, and F there. Makes
 * rho larger for the next time when the left side is much smaller. With a rho of the caller
 * (scree_solver_def) nothing is sought. */
void scri_projection_trial(scri_run* run, scri_projection* s);

/* An estimate, from below by a few percent at most, of the largest eigenvalue of W in scaled
 * variables: 1 over it is the step length of who has no better. Uses `trial` and `f_trial`. */
double scri_projection_largest(scri_run* run, scri_projection* s);

/* run->at.p from scaled impulses. */
void scri_projection_store(scri_run* run, const double* x);

/* One iteration of a method: s->x, and s->f there if it wants it, become the next ones. */
typedef void scri_projection_advance(scri_run* run, scri_projection* s);

/* Iterates from run->at.p until the run ends, and looks at the residual now and then. */
void scri_projection_iterate(scri_run* run, scri_projection* s, scri_projection_advance* advance);

#endif
