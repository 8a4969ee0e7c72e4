/* What the methods with a projection and a step length for each channel share. */
#ifndef SCRI_SOLVER_CHANNELS_H
#define SCRI_SOLVER_CHANNELS_H

#include "solvers/projection_step.h"

#define SCRI_CHANNELS_FITS "the exact and the extended law and those of joints"

/* For scri_solver.unfit: laws that are neither one of channels by themselves nor of rows. */
const char* scri_channels_unfit(const scree_env* env, const scree_problem* problem,
                                const scree_solver_def* def, const scri_facts* facts);

/* Writes s->by_channel: the def's, else `share` over the largest eigenvalue of W. */
void scri_channels_size(scri_run* run, scri_projection* s, double share);

/* One iteration: x_k - rho_k y_k of every channel, handed to the law. */
void scri_channels_advance(scri_run* run, scri_projection* s);

#endif
