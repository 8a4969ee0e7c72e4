/* Several packs at once, for processors that have more than four lanes: the same bits as one after
 * the other. */
#ifndef SCRI_PACK_GROUPS_H
#define SCRI_PACK_GROUPS_H

#include "solvers/pack_block.h"

/* As many as any processor takes. Each colour begins with a pack whose number is a multiple, on
 * every processor: sums over packs have the same bits everywhere. */
enum { SCRI_MOST_TOGETHER = 4 };

/* One update of those packs that `pack` names, which share no movable body, with discs: what
 * scri_pack_update() does to each. change and impulse receive what it adds, four numbers for each.
 * `kind` is that of all their contacts. */
typedef void scri_pack_group(scri_pack_block* blocks, const int32_t* pack, int kind,
                             scri_pack_body* bodies, float* change, float* impulse);

scri_pack_group scri_pack_group_2, scri_pack_group_4;

/* Packs that take this processor the least time each, and the update of 2 or 4 of them; NULL where
 * it cannot do that. */
int scri_pack_groups_best(void);
scri_pack_group* scri_pack_groups_of(int packs);

#endif
