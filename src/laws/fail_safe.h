/* What solves a contact when Newton does not: bisection on the normal impulse. */
#ifndef SCRI_FAIL_SAFE_H
#define SCRI_FAIL_SAFE_H

#include "laws/one_contact_kernel.h"

/* Always ends. 1 with the answer in s; 0 when no normal impulse can stop the approach. The contact
 * must not be one that takes off. */
int scri_fail_safe(const scri_slip_contact* c, scri_slip* s);

#endif
