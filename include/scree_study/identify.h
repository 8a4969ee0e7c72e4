/* Friction sets from a measurement: which forces a surface can carry (C) and which way a contact
 * slides under them (D), after Walker and Leine, Nonlinear Dynamics 96 (2019), section 5.2.
 *
 *     scree_measurement measurement;
 *     status = scree_measurement_read(&env, "plate.csv", &measurement);
 *     scree_identify_def def = scree_default_identify_def();
 *     def.normal_force = 9.3;
 *     scree_identification* found;
 *     status = scree_identify(&env, &measurement, &def, &found);
 *     ... found->sliding[SCREE_FIT_SUPERELLIPSE].s.value ...
 *     status = scree_material_write(&env, "plate.yaml", found, "plate");
 *     scree_identification_destroy(found);
 *     scree_measurement_release(&measurement);
 *
 * Reading and writing files is in scree_io/measurement.h.
 *
 * A pin slides over a turning plate. The angle phi of a sample is the direction of sliding in the
 * frame (t1, t2) of the plate, counter-clockwise from t1. The force that the friction on the pin
 * is opposed to, -lambda, has the tangential part along the sliding, positive, and the radial part
 * a quarter turn counter-clockwise from it; eq. (119) turns both into the frame of the plate.
 * docs/identify.md has the method, the columns of a file and the limits.
 */
#ifndef SCREE_STUDY_IDENTIFY_H
#define SCREE_STUDY_IDENTIFY_H

#include "scree/set.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- measurements ---- */

/* Samples in the order in which they were taken, as the sensor gave them. Angles may grow from turn
 * to turn or begin again. Arrays are borrowed where the caller made the struct. */
typedef struct scree_measurement {
    int64_t n;
    const double* angle;      /* [n] rad */
    const double* radial;     /* [n] N */
    const double* tangential; /* [n] N */
    const double* normal;     /* [n] N, or NULL where it was not measured */
    const int64_t* line;      /* [n] of the file, for messages; or NULL */
    const char* name;         /* of the file, for messages; or NULL */
    void* memory;             /* what the library made; NULL for the caller's own arrays */
} scree_measurement;

SCREE_API void scree_measurement_release(scree_measurement* measurement);

/* A measurement as it would be of a surface with known sets: -lambda = normal_force * z / k_C(z)
 * with z the point of D whose normal is the direction of sliding (eq. 84). Depends on the def
 * alone. */
typedef struct scree_tribometer_def {
    const scree_set* sliding;   /* C, for a normal force of 1 */
    const scree_set* direction; /* D, convex */
    double normal_force;        /* N */
    double noise;               /* N, standard deviation of each force */
    const double* crosstalk;    /* [9] T: forces F with lambda = T F are written; NULL: identity */
    int32_t samples;            /* of each turn */
    int32_t turns;
    uint64_t seed;
} scree_tribometer_def;
SCREE_API SCREE_MUST_USE scree_status scree_measurement_simulate(const scree_env* env,
                                                                 const scree_tribometer_def* def,
                                                                 scree_measurement* out);

/* ---- identification ---- */

/* How a set is described. */
typedef enum scree_fit_form {
    SCREE_FIT_ELLIPSE,
    SCREE_FIT_SUPERELLIPSE,
    SCREE_FIT_TABLE, /* the points themselves: a polar curve, or for a D that is no smooth convex
                         curve its polygon */
    SCREE_FIT_COUNT,
    SCREE_FIT_AUTO = SCREE_FIT_COUNT /* the superellipse where it fits, else the table */
} scree_fit_form;

/* "ellipse", "superellipse", "table", "auto"; NULL for a value outside the enumeration. */
SCREE_API const char* scree_fit_name(int form);

/* X(type, name, default, meaning). One list makes the struct and the defaults. */
#define SCREE_IDENTIFY_FIELDS(X)                                                              \
    X(double, normal_force, 0.0, "N; 0: the measured one, or where there is none, not known") \
    X(const double*, crosstalk, NULL,                                                         \
      "[9] T of lambda = T F, rows and columns radial, "                                      \
      "tangential, normal; NULL: identity")                                                   \
    X(double, cutoff, 36.0, "of the low-pass filter, cycles per turn")                        \
    X(double, most_gap, 10.0, "degrees without a sample that are bridged")                    \
    X(int32_t, fit_angle, 0, "1: the axes of the fitted sets may be turned against t1, t2")   \
    X(scree_fit_form, form, SCREE_FIT_AUTO, "of the sets that the material gets")

typedef struct scree_identify_def {
    uint32_t struct_size; /* written by scree_default_identify_def() */
#define SCREE_X(type, name, value, meaning) type name;
    SCREE_IDENTIFY_FIELDS(SCREE_X)
#undef SCREE_X
} scree_identify_def;

SCREE_API void scree_identify_def_init(scree_identify_def* def); /* struct_size is set */
SCREE_DEFINE_DEFAULT(scree_identify_def, scree_default_identify_def, scree_identify_def_init)

/* A fitted number, its standard error and its 95 % confidence interval. What was given and not
 * fitted has the error 0; what the samples do not determine an infinite one. */
typedef struct scree_estimate {
    double value, error, low, high;
} scree_estimate;

typedef struct scree_fitted {
    scree_estimate a, b, s, angle; /* s = 2 for an ellipse; angle in rad */
    double rms;                    /* of the residuals, in the unit of the forces */
    int converged;
} scree_fitted;

/* Forces are over the normal force: numbers. Where the normal force is not known they are in N and
 * normal_force is 0. */
typedef struct scree_identification {
    double normal_force; /* N, mean */
    double turns;
    double noise; /* standard deviation of a sample about the filtered curve */

    int32_t n;                /* angles on a uniform grid over one turn, from 0 */
    const double* tangential; /* [n] averaged over the turns and filtered */
    const double* radial;     /* [n] */
    const double* force;      /* [2 n] points of C, eq. (119) */
    const double* direction;  /* [2 n] of D, eqs (121) to (125), the largest inside C; convex */

    double closure;    /* |ln r_D(2 pi) - ln r_D(0)| before it was spread over the turn */
    double force_dent; /* depth of the deepest dent of C below its convex hull, over the radius */
    double dent;       /* the same of D, before the hull took its place */
    double dent_angle; /* direction of sliding there, rad */
    int32_t n_dents;   /* places where D was not convex */

    /* By SCREE_FIT_ELLIPSE and SCREE_FIT_SUPERELLIPSE. The scale of D means nothing: its `a` is
     * that of the largest one inside the C of the same form, without error, and the errors of `b`
     * are those at this `a`. */
    scree_fitted sliding[2], directing[2];

    scree_fit_form sliding_form,
        direction_form;                       /* of the sets below: what was asked for or chosen */
    scree_set_def sliding_set, direction_set; /* of a material; points are the identification's */

    int64_t n_outliers; /* samples far from their neighbours in direction */
} scree_identification;

/* Refuses with "FILE:LINE: what" a tangential or normal force that is not positive and an angle
 * that jumps by more than most_gap; without a line a part of the turn that has no samples, and a D
 * with a dent of more than a tenth. Warns of a closure error above 0.05 and of dents above 1 %;
 * with "FILE:LINE: what" of coefficients of friction outside 0.002 to 5, and of outliers: samples
 * that are 8 standard deviations, by medians, and a quarter of the force away from their
 * neighbours. */
SCREE_API SCREE_MUST_USE scree_status scree_identify(const scree_env* env,
                                                     const scree_measurement* measurement,
                                                     const scree_identify_def* def,
                                                     scree_identification** out);
SCREE_API void scree_identification_destroy(scree_identification* identification);

#ifdef __cplusplus
}
#endif

#endif
