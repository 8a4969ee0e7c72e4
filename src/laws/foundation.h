/* Rolling on ground of damped springs, docs/foundation.md: the resistance of a rigid cylinder from
 * its load and its speed. Loads, resistances and masses are per length of the cylinder. */
#ifndef SCRI_LAWS_FOUNDATION_H
#define SCRI_LAWS_FOUNDATION_H

#include "base/compiler.h"
#include "scree/base.h"

/* How the resistance is found; worlds are consistent. */
typedef enum scri_ground_model {
    SCRI_GROUND_CONSISTENT,  /* momentum consistent: eq. 9 with 2 m v^2 h / R at its end */
    SCRI_GROUND_PRINTED,     /* eq. 9 as the paper prints it, with m v^2 h / R */
    SCRI_GROUND_APPROXIMATE, /* large damping, eqs. 11 and 12 */
    SCRI_GROUND_CIRCLE,      /* consistent, with the circle of eq. 2 instead of its parabola */
} scri_ground_model;

/* A ground and the cylinder's radius: all that the resistance depends on besides load and speed. */
typedef struct scri_ground {
    double k, gamma, m, radius;
    scri_ground_model model;
} scri_ground;

/* The contact at one speed, in a frame that moves with the cylinder. Of the approximation
 * `xi_minus` is 0. */
typedef struct scri_ground_state {
    double depth;               /* h, m */
    double xi_minus, xi_plus;   /* rear and front end of the contact, m */
    double resistance;          /* F_R, N/m */
    double resistance_by_speed; /* its derivative, N s/m^2 */
    double resistance_by_load;  /* its derivative in the load, a number */
} scri_ground_state;

/* A number with the words of its message. */
typedef struct scri_ground_number {
    const char *symbol, *meaning, *unit;
    double value;
    int positive; /* 0 is not allowed */
} scri_ground_number;

/* Whether n numbers are finite and positive, or not negative; the message names the one that is
 * not. */
SCRI_SISTERS scree_status scri_ground_check_numbers(const scree_env* env,
                                                    const scri_ground_number* numbers, size_t n);

/* Whether the model covers k, gamma and m; the message names the condition that fails. */
SCRI_SISTERS scree_status scri_ground_check(const scree_env* env, const scri_ground* ground);

/* The contact under a load (N/m, above 0) at a speed (not negative); 0 when there is none. */
SCRI_SISTERS int scri_ground_contact(const scri_ground* ground, double load, double speed,
                                     scri_ground_state* out);

/* The speed at which it vanishes, cbrt(gamma R N / m^2) for a load N; infinite without ground mass
 * and in the approximation. */
SCRI_SISTERS double scri_ground_lift_speed(const scri_ground* ground, double load);

/* Half of the contact's length at rest. */
SCRI_SISTERS double scri_ground_rest_length(const scri_ground* ground, double load);

/* The load with a rest length of R / 2, the largest that the model covers. */
double scri_ground_most_load(const scri_ground* ground);

/* The coefficient of rolling friction F_R(v) R / N, m. Even in the speed, 0 at rest. Above the lift
 * speed of the load the contact is the last that there is, at that speed; a load of 0 has a
 * coefficient of 0. Load and speed are finite. */
SCRI_SISTERS double scri_ground_rolling(const scri_ground* ground, double load, double speed);

#endif
