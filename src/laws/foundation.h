/* Rolling on ground of damped springs, docs/foundation.md: the resistance of a rigid cylinder from
 * its load and its speed. Loads, resistances and masses are per length of the cylinder. */
#ifndef SCRI_LAWS_FOUNDATION_H
#define SCRI_LAWS_FOUNDATION_H

#include "scree_study/foundation.h"

/* A ground and the cylinder's radius: all that the resistance depends on besides load and speed. */
typedef struct scri_ground {
    double k, gamma, m, radius;
    scree_foundation_model model;
} scri_ground;

/* A number with the words of its message. */
typedef struct scri_ground_number {
    const char *symbol, *meaning, *unit;
    double value;
    int positive; /* 0 is not allowed */
} scri_ground_number;

/* Whether n numbers are finite and positive, or not negative; the message names the one that is
 * not. */
scree_status scri_ground_check_numbers(const scree_env* env, const scri_ground_number* numbers,
                                       size_t n);

/* Whether the model covers k, gamma and m; the message names the condition that fails. */
scree_status scri_ground_check(const scree_env* env, const scri_ground* ground);

/* The contact under a load (N/m, above 0) at a speed (not negative); 0 when there is none. */
int scri_ground_contact(const scri_ground* ground, double load, double speed,
                        scree_foundation_contact* out);
double scri_ground_lift_speed(const scri_ground* ground, double load);

/* Half of the contact's length at rest. */
double scri_ground_rest_length(const scri_ground* ground, double load);

/* The load with a rest length of R / 2, the largest that the model covers. */
double scri_ground_most_load(const scri_ground* ground);

/* F_R(v) R / N, m, as scree_foundation_rolling() has it; load and speed are finite. */
double scri_ground_rolling(const scri_ground* ground, double load, double speed);

#endif
