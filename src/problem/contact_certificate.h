/* The certificate of one contact: its mode, its violations, its bipotential. */
#ifndef SCRI_CONTACT_CERTIFICATE_H
#define SCRI_CONTACT_CERTIFICATE_H

#include "problem/natural_map.h"

/* Judges contact c in the variables of its map, see scree_contact_certificate; `tol` is that of
 * modes. */
void scri_certify_contact(const scree_problem* problem, const scri_scaling* scaling, int32_t c,
                          const scri_contact_map* map, double tol, scree_contact_certificate* out);

#endif
