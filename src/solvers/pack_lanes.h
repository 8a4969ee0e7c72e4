/* Which contacts lie in which lanes of which packs of nsgs-wide, and the way in and out of them.
 *
 * A pack is worked on when any of its contacts still changes. So that these stand together,
 * contacts are packed anew after the first sweep, in the order of what they changed. */
#ifndef SCRI_PACK_LANES_H
#define SCRI_PACK_LANES_H

#include "solvers/nsgs_wide.h"

/* Lays out and fills the packs of all contacts, which have their colours, with run->at.p. */
void scri_pack_lanes_begin(scri_run* run, scri_nsgs_wide* m);

/* Within each colour, round contacts that changed more than `least` come first, both parts in their
 * order; then packs are filled anew. The velocities stay as they are. */
void scri_pack_lanes_sort(scri_run* run, scri_nsgs_wide* m, double least);

/* Impulses of all lanes into run->at.p. */
void scri_pack_lanes_store(scri_run* run, void* m);

/* Velocities of the operator, which belong to run->at.p, in single precision; and the sizes of the
 * last check. */
void scri_pack_lanes_restore(scri_run* run, void* m);

/* The impulses of a guest's pack i into run->at.p, and from there. */
void scri_pack_lanes_store_guest(scri_run* run, const scri_nsgs_wide* m, int32_t i);
void scri_pack_lanes_load_guest(const scri_run* run, scri_nsgs_wide* m, int32_t i);

#endif
