/* The last digits of a contact whose block is nearly singular. */
#ifndef SCRI_POLISH_H
#define SCRI_POLISH_H

#include "laws/one_contact_kernel.h"

/* Improves a solution in s, whose slipping channels are those with lambda > 0. Never makes it worse
 * in the sense of its own equations. */
void scri_polish(const scri_slip_contact* c, scri_slip* s);

#endif
