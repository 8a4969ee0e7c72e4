/* Friction without stiction, for comparison: the regularised law of section 1 of Walker and Leine,
 * a smooth function of the sliding velocity, on a block that a slope cannot move.
 *
 *     lambda = -mu N (2 / pi) arctan(v / width)
 *
 * A force below mu N then drives it with width tan(pi tan(slope) / (2 mu)), for ever. The
 * set-valued law holds it. */
#ifndef SCREE_STUDY_CREEP_H
#define SCREE_STUDY_CREEP_H

#include "scree/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* X(name, default, meaning), in SI units but for the slope. */
#define SCREE_CREEP_FIELDS(X)                                   \
    X(mu, 0.5, "coefficient of friction")                       \
    X(slope, 20.0, "of the plane, degrees, from 0 to below 90") \
    X(gravity, 9.81, "m/s^2")                                   \
    X(width, 1e-3, "of the arctangent, m/s")                    \
    X(duration, 10.0, "s")                                      \
    X(step, 1e-3, "s")

typedef struct scree_creep_def {
    uint32_t struct_size; /* written by scree_default_creep_def() */
#define SCREE_X(name, value, meaning) double name;
    SCREE_CREEP_FIELDS(SCREE_X)
#undef SCREE_X
} scree_creep_def;

SCREE_API void scree_creep_def_init(scree_creep_def* def); /* struct_size is set */
SCREE_DEFINE_DEFAULT(scree_creep_def, scree_default_creep_def, scree_creep_def_init)

/* A block that is let go on the slope. */
typedef struct scree_creep {
    double speed, distance; /* under the regularised law, at the end: m/s, m */
    double steady;          /* m/s, the speed at which it creeps; infinite where it slides */
    double set_speed, set_distance; /* under the set-valued law */
} scree_creep;

/* The regularised equation is stiff: implicit Euler. The set-valued law by scree/system.h with the
 * same step. */
SCREE_API SCREE_MUST_USE scree_status scree_creep_run(const scree_env* env,
                                                      const scree_creep_def* def, scree_creep* out);

#ifdef __cplusplus
}
#endif

#endif
