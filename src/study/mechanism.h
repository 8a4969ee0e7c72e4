/* One mechanism: its equations linearised by hand, and the system with its contact. */
#ifndef SCRI_MECHANISM_H
#define SCRI_MECHANISM_H

#include "scree/system.h"
#include "scree_study/mechanism.h"

typedef struct scri_mechanism {
    scree_mechanism_info info;

    int32_t n_linear; /* deviations from the equilibrium, while the contact slides and is closed */
    void (*linearise)(const double* value, double* m, double* b, double* k); /* zeroed before */

    scree_system_model model;                /* one contact, rows N and T; `user` is the values */
    double (*friction)(const double* value); /* coefficient */
    void (*equilibrium)(const double* value, double* q); /* zeroed before; NULL: it is zero */
    double start;                                        /* displacement of coordinate 0 */
} scri_mechanism;

extern const scri_mechanism scri_mechanism_stribeck, scri_mechanism_mode_coupling,
    scri_mechanism_sprag_slip, scri_mechanism_impact_oscillator,
    scri_mechanism_follower; /* mechanism_<name>.c */

const scri_mechanism* scri_mechanism_get(int index);

/* The system at rest, coordinate 0 displaced by `start` from the equilibrium, which is written into
 * rest[n_coordinates]; `value` is borrowed. */
scree_status scri_mechanism_create(const scree_env* env, const scri_mechanism* mechanism,
                                   double* value, double start, double step, double* rest,
                                   scree_system** out);

/* Logs what is wrong with the index or the values. */
scree_status scri_mechanism_check(const scree_env* env, int index, const double* value);

#endif
