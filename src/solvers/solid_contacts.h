/* From the contacts of a problem to those of the kernel for bodies of any inertia. */
#ifndef SCRI_SOLID_CONTACTS_H
#define SCRI_SOLID_CONTACTS_H

#include "problem/operator.h"
#include "solvers/round_kernel.h"

/* Fills `out` for contact c but for the impulses, which are zero. 0 where it does not fit the
 * kernel: it wants normal and both tangents of two rigid bodies, Coulomb's law with a disc that is
 * not a point, and a block that can be inverted. */
int scri_solid_fill(const scri_operator* op, int32_t c, scri_round_solid* out);

#endif
