/* Friction with sets other than discs: K = { p : p_N >= 0, -p_k in p_N coef_k C_k }.
 *
 * Sets hold the force that resists, -p_k, as a tribometer measures it: C in the direction in which
 * the contact slides. For discs, and every set that is its own mirror image in the origin, the sign
 * makes no difference. */
#ifndef SCRI_SET_CONE_H
#define SCRI_SET_CONE_H

#include "laws/law.h"
#include "laws/spin_slip.h"
#include "sets/set.h"

/* The sets of one channel of two rows; there is no c where it is the unit disc with D = C. Where
 * the sliding channel is one with_spin, it has the row S too, and there is no channel of spinning.
 */
typedef struct scri_channel_sets {
    scri_set c, d;
    double coef;
    int with_spin;
    double spin_coef;
} scri_channel_sets;

static inline scri_spin_sets scri_spin_sets_of(scri_channel_sets sets)
{
    return (scri_spin_sets){sets.c, sets.d, {sets.coef, sets.spin_coef}};
}

/* The rows of a channel; how many. */
int scri_channel_rows(scri_terms t, int channel, int row[3]);

scri_channel_sets scri_channel_sets_of(scri_terms t, int channel);

/* Closest point of K to z[width] into p[width], for convex C; unless NULL its derivative into
 * d[width * width], row-major. */
void scri_set_cone_project(scri_terms t, const double* z, double* p, double* d);

/* p drawn into K by making p_N not negative and every channel shorter; for any C. */
void scri_set_cone_clip(scri_terms t, double* p);

/* sum_k coef_k support_{C_k}(y_k), the De Saxce term. */
double scri_set_cone_shift(scri_terms t, const double* y);

#endif
