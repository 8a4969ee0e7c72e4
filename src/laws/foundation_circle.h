/* The contact of a cylinder whose circle is not replaced by a parabola, behind laws/foundation.h.
 */
#ifndef SCRI_LAWS_FOUNDATION_CIRCLE_H
#define SCRI_LAWS_FOUNDATION_CIRCLE_H

#include "laws/foundation.h"

/* As scri_ground_contact() and scri_ground_lift_speed(), for a ground with mass in the latter. No
 * contact where it would reach further than 0.9 R. */
int scri_circle_contact(const scri_ground* ground, double load, double speed,
                        scri_ground_state* out);
double scri_circle_lift_speed(const scri_ground* ground, double load);

#endif
