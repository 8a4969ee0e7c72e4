/* Contacts of bodies that are not round among packs of those that are: each has a pack of its own,
 * in whose first lane its impulses are, and is solved in double precision, on the bodies of the
 * packs. A box among a thousand grains does not make these slower. */
#ifndef SCRI_PACK_GUESTS_H
#define SCRI_PACK_GUESTS_H

#include "solvers/pack_kernel.h"
#include "solvers/relax.h"
#include "solvers/round_kernel.h"

typedef struct scri_pack_guests {
    int32_t n;
    int32_t* number;         /* [n_contacts] which guest a contact is, or -1 */
    scri_round_solid* solid; /* [n] */
    uint8_t* is_solid;       /* [n] whether the kernel of solid contacts takes it */
    scri_relax relax;        /* for those that it does not */
} scri_pack_guests;

/* Whether contact c can be one: it is no joint. */
int scri_pack_guests_fit(const scree_problem* problem, int32_t c);

/* Lay out, for so many of a problem's contacts, and begin. */
scri_pack_guests scri_pack_guests_create(const scree_problem* problem, int32_t n, scri_bump* bump);
void scri_pack_guests_begin(scri_run* run, scri_pack_guests* guests);

/* The first lane of the pack of contact c, but for its impulses: it moves nobody. */
void scri_pack_guests_fill(const scri_run* run, int32_t c, scri_round_contact* out);

/* One update of a guest's contact c, whose impulses in run->at.p are up to date, as they are
 * afterwards. `bodies` are those of the packs. */
void scri_pack_guests_update(scri_run* run, scri_pack_guests* guests, int32_t c,
                             scri_pack_units units, scri_pack_body* bodies, double tolerance,
                             scri_sweep_size* size);

#endif
