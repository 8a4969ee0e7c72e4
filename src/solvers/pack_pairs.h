/* Two packs at once, for processors that have eight lanes: the same bits as one after the other. */
#ifndef SCRI_PACK_PAIRS_H
#define SCRI_PACK_PAIRS_H

/* Whether this processor has them. */
int scri_pack_pairs_fit(void);

/* One update of two packs that share no movable body, with discs: what scri_pack_update() does to
 * either. change[8] and impulse[8] receive what it adds, four numbers for each. `first` and
 * `second` are scri_pack of four lanes, `bodies` scri_pack_body. */
void scri_pack_pairs_update(void* first, void* second, void* bodies, float* change, float* impulse);

#endif
