/* Measured paths of discs that slide to rest, and the friction that explains them: the sliding disc
 * of Walker and Leine (2019), section 5.3 and figure 27, the other way round.
 *
 *     scree_path_def def = scree_default_path_def(SCREE_DISC_EXTENDED);
 *     status = scree_path_fit(&env, &path, 1, &def, &found);
 *     ... found.value[SCREE_PATH_A].value, .error ...
 */
#ifndef SCREE_STUDY_SLIDING_PATH_H
#define SCREE_STUDY_SLIDING_PATH_H

#include "scree_study/identify.h"
#include "scree_study/sliding_disc.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SCREE_PATHS_MOST = 6 };

/* Where a disc was, from the moment on when nothing but friction slows it down. */
typedef struct scree_path {
    int64_t n;
    const double* time;     /* [n] s, rising; NULL: points of the path, whenever it was there */
    const double* position; /* [2 n] across and along the grooves, m */
} scree_path;

/* What can be fitted. The first five are those of the surface, the others each path has for itself:
 * speed, direction and place at its first sample. */
#define SCREE_PATH_PARAMETERS(X)                                             \
    X(A, "a", "force set: semi-axis across the grooves, N")                  \
    X(B, "b", "force set: semi-axis along the grooves, N")                   \
    X(S, "s", "force set: roundness")                                        \
    X(D_RATIO, "d_ratio", "direction set: semi-axis along over that across") \
    X(D_S, "d_s", "direction set: roundness")                                \
    X(SPEED, "v", "speed at the first sample, m/s")                          \
    X(PHI, "phi", "direction at the first sample, rad from the grooves")     \
    X(ACROSS, "x", "place at the first sample, across the grooves, m")       \
    X(ALONG, "y", "place at the first sample, along the grooves, m")

typedef enum scree_path_parameter {
#define SCREE_X(NAME, name, meaning) SCREE_PATH_##NAME,
    SCREE_PATH_PARAMETERS(SCREE_X)
#undef SCREE_X
        SCREE_PATH_COUNT,
    SCREE_PATH_OWN = SCREE_PATH_SPEED /* from here on they belong to a path */
} scree_path_parameter;

/* "a", "b", ...; NULL for a value outside the enumeration. */
SCREE_API const char* scree_path_parameter_name(int parameter);

typedef struct scree_path_def {
    uint32_t struct_size; /* written by scree_default_path_def() */
    uint32_t
        free; /* bit i: parameter i is fitted; the others stay. Default: all that the law has */
    scree_disc_def disc; /* law, load, gravity, and the values to begin with; its speed and phi are
                            used where they stay, otherwise a path's first points say them */
} scree_path_def;
SCREE_API void scree_path_def_init(scree_path_def* def, scree_disc_law law); /* size is set */
static inline scree_path_def scree_default_path_def(scree_disc_law law)
{
    scree_path_def made;
    made.struct_size = (uint32_t)sizeof made;
    scree_path_def_init(&made, law);
    return made;
}

typedef struct scree_path_found {
    scree_disc_def disc; /* with the values of the surface, and of the first path */
    scree_estimate value[SCREE_PATH_OWN];                                    /* of the surface */
    scree_estimate own[SCREE_PATHS_MOST][SCREE_PATH_COUNT - SCREE_PATH_OWN]; /* of each path */
    double rms_first, rms; /* m, of the distances before and after */
    int64_t n_samples;
    int converged;
} scree_path_found;

/* Least squares: distances of places at their times, or without times of points to the path. Of
 * points alone nothing says how fast the disc was: the speed stays as it is. Faults are logged. */
SCREE_API SCREE_MUST_USE scree_status scree_path_fit(const scree_env* env, const scree_path* paths,
                                                     int32_t n_paths, const scree_path_def* def,
                                                     scree_path_found* out);

#ifdef __cplusplus
}
#endif

#endif
