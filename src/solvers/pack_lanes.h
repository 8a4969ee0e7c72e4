/* The way of contacts into the lanes of the packs of nsgs-wide, and of impulses out of them. */
#ifndef SCRI_PACK_LANES_H
#define SCRI_PACK_LANES_H

#include "solvers/nsgs_wide.h"

/* Lays out and fills the packs of all contacts, which have their colours, with run->at.p. */
void scri_pack_lanes_begin(scri_run* run, scri_nsgs_wide* m);

/* The same where the packs are those of the last solve, but for impulses. */
void scri_pack_lanes_load(scri_run* run, scri_nsgs_wide* m);

/* Takes up the sizes of the last check. */
void scri_pack_lanes_weigh(scri_run* run, scri_nsgs_wide* m);

/* Impulses of all lanes into run->at.p. */
void scri_pack_lanes_store(scri_run* run, void* m);

/* Velocities of the operator, which belong to run->at.p, in single precision; and the sizes of the
 * last check. */
void scri_pack_lanes_restore(scri_run* run, void* m);

/* The impulses of a guest's pack i into run->at.p, and from there. */
void scri_pack_lanes_store_guest(scri_run* run, const scri_nsgs_wide* m, int32_t i);
void scri_pack_lanes_load_guest(const scri_run* run, scri_nsgs_wide* m, int32_t i);

#endif
