/* A disc that slides to rest on ground steel: Walker and Leine (2019), section 5.3, figure 27. */
#ifndef SCREE_STUDY_SLIDING_DISC_H
#define SCREE_STUDY_SLIDING_DISC_H

#include "scree/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Four descriptions of the same friction. */
typedef enum scree_disc_law {
    SCREE_DISC_ELLIPSE,      /* associated: forces in an ellipse, sliding along its normal */
    SCREE_DISC_SUPERELLIPSE, /* associated: the same with a superellipse */
    SCREE_DISC_COLLINEAR,    /* the superellipse, sliding against the force */
    SCREE_DISC_EXTENDED,     /* the superellipse, sliding along the normal of another one */
    SCREE_DISC_LAW_COUNT
} scree_disc_law;

/* "ellipse", "superellipse", "collinear", "extended"; NULL for a value outside the enumeration. */
SCREE_API const char* scree_disc_law_name(int law);

/* Axis 1 lies across the grooves, axis 2 along them. */
typedef struct scree_disc_def {
    uint32_t struct_size; /* written by scree_default_disc_def() */
    scree_disc_law law;
    double speed;     /* m/s at the beginning, default 1.52 */
    double phi;       /* rad: direction of motion, from the grooves, default 58 degrees */
    double gravity;   /* m/s^2, default 9.81 */
    double load;      /* N: normal force at which the forces below were measured, default 9.3 */
    double forces[3]; /* semi-axes along 1 and 2 in N and roundness of the force set, table 1 */
    double flow[3];   /* the same of the direction set; only its shape counts; extended law only */
    double step;      /* s, default 2e-5 */
} scree_disc_def;

/* The values of table 1 for this law. */
SCREE_API void scree_disc_def_init(scree_disc_def* def, scree_disc_law law); /* size is set */
static inline scree_disc_def scree_default_disc_def(scree_disc_law law)
{
    scree_disc_def made;
    made.struct_size = (uint32_t)sizeof made;
    scree_disc_def_init(&made, law);
    return made;
}

typedef struct scree_disc_sample {
    double time;
    double position[2], velocity[2]; /* across and along the grooves, m and m/s */
} scree_disc_sample;

/* Called after every step; anything but 0 ends the simulation. */
typedef int scree_disc_watch(void* user, const scree_disc_sample* sample);

typedef struct scree_disc_path {
    int has_stopped;   /* 0: the watch ended it before */
    double stop[2];    /* m */
    double time;       /* s */
    double length;     /* of the path, m */
    double deflection; /* rad: of the way to `stop` from the first direction, to the grooves > 0 */
    double heading;    /* rad, from axis 1: direction of the last motion */
    double residual;   /* worst certificate of all steps */
    int64_t steps, not_converged;
} scree_disc_path;

/* `watch` may be NULL. */
SCREE_API SCREE_MUST_USE scree_status scree_disc_simulate(const scree_env* env,
                                                          const scree_disc_def* def,
                                                          scree_disc_watch* watch, void* user,
                                                          scree_disc_path* out);

#ifdef __cplusplus
}
#endif

#endif
