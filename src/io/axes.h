/* Axes by one direction: what a file leaves open is chosen in one way. */
#ifndef SCRI_AXES_H
#define SCRI_AXES_H

#include "math/vec.h"

/* The coordinate axis that y is to be near where a file has only x, of length 1: y for the x axis,
 * so that it gives no rotation at all; never one that x is near to. */
scri_vec scri_axes_second(scri_vec x);

/* The rotation that brings the first axis to x, of length 1, and the second as near to `second`,
 * which is not parallel, as can be. */
scri_quat scri_axes_turn(scri_vec x, scri_vec second);

#endif
