/* What a contact does: take-off, stick, or which channels move. */
#ifndef SCRI_MODE_H
#define SCRI_MODE_H

#include "laws/law.h"

/* The mode of a contact with impulse p and velocity y in equilibrated variables; what is not above
 * `least` is zero. See scree_one_contact_mode(). */
scree_friction_mode scri_mode_of(const scri_law* law, scri_terms terms, const double* p,
                                 const double* y, double least);

#endif
