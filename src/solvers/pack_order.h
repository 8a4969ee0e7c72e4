/* Another order of the contacts of nsgs-wide.
 *
 * A pack is worked on when any of its contacts still changes. So that these stand together,
 * contacts change lanes before the second sweep, in the order of what they changed. */
#ifndef SCRI_PACK_ORDER_H
#define SCRI_PACK_ORDER_H

#include "solvers/nsgs_wide.h"

/* Within each colour, round contacts that changed more than `least` come first, both parts in their
 * order. Impulses go with them. */
void scri_pack_order_sort(scri_run* run, scri_nsgs_wide* m, double least);

#endif
