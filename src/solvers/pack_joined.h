/* SCRI_LANES / 4 packs in one of so many lanes, for the time of an update. */
#ifndef SCRI_PACK_JOINED_H
#define SCRI_PACK_JOINED_H

#include "solvers/pack_kernel.h"

enum { SCRI_GROUP = SCRI_LANES / 4 };

/* A pack of four lanes as it lies in memory. */
typedef struct scri_pack_four {
    int32_t a[4], b[4];
    float vector[SCRI_ROUND_REALS][4];
} scri_pack_four;

/* Vectors follow each other. */
typedef char scri_pack_four_fits[sizeof(scri_pack) == SCRI_GROUP * sizeof(scri_pack_four) ? 1 : -1];

SCREE_FN void scri_pack_join(scri_pack_four* const* pack, scri_pack* out)
{
    scri_wide* to = &out->n.x;
    for (int k = 0; k < SCRI_GROUP; ++k) {
        memcpy(out->a + 4 * k, pack[k]->a, sizeof pack[k]->a);
        memcpy(out->b + 4 * k, pack[k]->b, sizeof pack[k]->b);
    }
    SCRI_UNROLL
    for (int i = 0; i < SCRI_ROUND_REALS; ++i) {
        const float* from[SCRI_GROUP];
        for (int k = 0; k < SCRI_GROUP; ++k) from[k] = pack[k]->vector[i];
        to[i] = scri_wide_join(from);
    }
}

/* A scri_pack_group. */
SCREE_FN void scri_pack_update_group(void* const* packs, int kind, void* bodies, float* change,
                                     float* impulse)
{
    scri_pack_four* four[SCRI_GROUP];
    scri_pack pack;
    scri_wide changed = scri_wide_all(0.0f), pressed = changed;
    for (int k = 0; k < SCRI_GROUP; ++k) four[k] = (scri_pack_four*)packs[k];
    scri_pack_join(four, &pack);
    scri_pack_update_discs(&pack, kind, (scri_pack_body*)bodies, &changed, &pressed);
    for (int i = 0; i < 6; ++i) {
        float* to[SCRI_GROUP];
        for (int k = 0; k < SCRI_GROUP; ++k) to[k] = four[k]->vector[SCRI_ROUND_P + i];
        scri_wide_split(pack.p[i], to);
    }
    memcpy(change, &changed, sizeof changed);
    memcpy(impulse, &pressed, sizeof pressed);
}

#endif
