/* Several packs at once, for processors that have more than four lanes: the same bits as one after
 * the other. */
#ifndef SCRI_PACK_GROUPS_H
#define SCRI_PACK_GROUPS_H

/* One update of packs that share no movable body, with discs: what scri_pack_update() does to each.
 * change and impulse receive what it adds, four numbers for each. `pack` are scri_pack of four
 * lanes, `bodies` scri_pack_body; `kind` is that of all their contacts. */
typedef void scri_pack_group(void* const* pack, int kind, void* bodies, float* change,
                             float* impulse);

scri_pack_group scri_pack_group_2, scri_pack_group_4;

/* Packs that take this processor the least time each, and the update of 2 or 4 of them; NULL where
 * it cannot do that. */
int scri_pack_groups_best(void);
scri_pack_group* scri_pack_groups_of(int packs);

#endif
