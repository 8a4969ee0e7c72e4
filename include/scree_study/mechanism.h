/* Ways in which isotropic friction excites vibrations (Walker and Leine 2019, section 4.1), as
 * small models whose onset is found twice: by eigenvalues of the linearised equations, and by
 * stepping the nonlinear system with its contact. docs/stability.md has the equations. */
#ifndef SCREE_STUDY_MECHANISM_H
#define SCREE_STUDY_MECHANISM_H

#include "scree_study/stability.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SCREE_MECHANISM_PARAMETERS = 12, SCREE_MECHANISM_COORDINATES = 3 }; /* at most */

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
    int32_t n_coordinates;
    const char* coordinate[SCREE_MECHANISM_COORDINATES]; /* names; the first is displaced */
} scree_mechanism_info;

/* The table: stribeck, mode-coupling, sprag-slip, impact-oscillator, follower. An info with a NULL
 * name for an index outside of it. */
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

/* ---- beyond the onset ---- */

typedef struct scree_mechanism_sample {
    double time;
    double position[SCREE_MECHANISM_COORDINATES], velocity[SCREE_MECHANISM_COORDINATES];
    double normal, friction; /* N, on the mass that rubs */
    double slip;             /* m/s, over the belt; 0 while the contact is open */
    int is_closed, sticks;
} scree_mechanism_sample;

/* Called after every step; anything but 0 ends the motion. */
typedef int scree_mechanism_watch(void* user, const scree_mechanism_sample* sample);

typedef struct scree_mechanism_motion_def {
    uint32_t struct_size; /* written by scree_default_mechanism_motion_def() */
    double start;         /* displacement of the first coordinate, default 1e-3 */
    double duration; /* s; 0: 25 times what the mode needs to grow by e, and 50 periods; at most
                        1000 periods */
    double step;     /* s; 0: a five-hundredth of the mode's period */
    scree_mechanism_watch* watch; /* may be NULL */
    void* user;
} scree_mechanism_motion_def;
SCREE_API void scree_mechanism_motion_def_init(scree_mechanism_motion_def* def);
SCREE_DEFINE_DEFAULT(scree_mechanism_motion_def, scree_default_mechanism_motion_def,
                     scree_mechanism_motion_def_init)

/* What the motion has become: of its last quarter. */
typedef struct scree_mechanism_motion {
    double least, most;    /* of the first coordinate */
    double period;         /* s, mean between its passages upwards through the middle; NaN: fewer
                              than three */
    double stick_fraction; /* of the time, 0 to 1 */
    double open_fraction;  /* the same */
    double time;           /* s, of all of it */
    double residual;       /* worst certificate of all steps */
    int64_t steps, not_converged;
} scree_mechanism_motion;

/* Follows the system with its contact, which may stick, open and close. */
SCREE_API SCREE_MUST_USE scree_status scree_mechanism_follow(const scree_env* env, int index,
                                                             const double* value,
                                                             const scree_mechanism_motion_def* def,
                                                             scree_mechanism_motion* out);

#ifdef __cplusplus
}
#endif

#endif
