/* Which places of the colouring lie in which packs of nsgs-wide. They stay for all sweeps, while
 * contacts may change theirs within a colour. */
#ifndef SCRI_PACK_PLACES_H
#define SCRI_PACK_PLACES_H

#include "solvers/nsgs_wide.h"

/* Guests become the last of their colours, and packs are counted. */
void scri_pack_places_begin(const scri_run* run, scri_nsgs_wide* m);

/* The colour that pack i is of. */
int scri_pack_places_colour(const scri_nsgs_wide* m, int32_t i);

/* Places of colouring.contact in the lanes of a colour's pack i, -1 where there is none. That of a
 * guest has a pack of its own. */
void scri_pack_places_of(const scri_nsgs_wide* m, int colour, int32_t i, int32_t* place);

#endif
