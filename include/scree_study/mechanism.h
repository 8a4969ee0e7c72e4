/* Four ways in which isotropic friction excites vibrations (Walker and Leine 2019, section 4.1), as
 * small models whose onset is found twice: by eigenvalues of the linearised equations, and by
 * stepping the nonlinear system with its contact. docs/stability.md has the equations. */
#ifndef SCREE_STUDY_MECHANISM_H
#define SCREE_STUDY_MECHANISM_H

#include "scree_study/stability.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SCREE_MECHANISM_PARAMETERS = 12 }; /* at most */

typedef struct scree_mechanism_parameter {
    const char* name;
    const char* meaning; /* with its unit */
    double usual;
    int may_be_zero; /* otherwise it must be positive */
} scree_mechanism_parameter;

typedef struct scree_mechanism_info {
    const char* name;
    const char* summary; /* one line */
    int32_t n_parameters;
    scree_mechanism_parameter parameter[SCREE_MECHANISM_PARAMETERS];
    int32_t varied;     /* number of the parameter that the onset is sought in */
    double least, most; /* and where */
} scree_mechanism_info;

/* The table: stribeck, mode-coupling, sprag-slip, follower. An info with a NULL name for an index
 * outside of it. */
SCREE_API int scree_mechanism_count(void);
SCREE_API scree_mechanism_info scree_mechanism_get(int index);

/* In all calls value[n_parameters] stands in the order of the info. Faults are logged. */

/* The fastest growing mode of the linearised equations. */
SCREE_API SCREE_MUST_USE scree_status scree_mechanism_mode(const scree_env* env, int index,
                                                           const double* value, scree_mode* out);

/* The first value of the varied parameter at which stability changes, good to 1e-10 of the range;
 * NaN where there is none in it. The value given for that parameter is not used. */
SCREE_API SCREE_MUST_USE scree_status scree_mechanism_onset(const scree_env* env, int index,
                                                            const double* value, double* onset);

typedef struct scree_mechanism_run {
    double growth;   /* 1/s, of a small displacement from the equilibrium */
    double residual; /* worst certificate of all steps */
    int64_t steps, not_converged;
} scree_mechanism_run;

/* Steps the system from beside its equilibrium and measures how fast the displacement grows.
 * step in s; 0: a five-hundredth of the mode's period. */
SCREE_API SCREE_MUST_USE scree_status scree_mechanism_simulate(const scree_env* env, int index,
                                                               const double* value, double step,
                                                               scree_mechanism_run* out);

/* Where the growth in simulations changes its sign, sought to 1e-5 within a tenth of the onset by
 * eigenvalue; NaN where it does not. `worst` sums up all runs; its growth means nothing. */
SCREE_API SCREE_MUST_USE scree_status scree_mechanism_onset_simulated(const scree_env* env,
                                                                      int index,
                                                                      const double* value,
                                                                      double step, double* onset,
                                                                      scree_mechanism_run* worst);

#ifdef __cplusplus
}
#endif

#endif
