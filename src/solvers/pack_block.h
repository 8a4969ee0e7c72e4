/* How packs lie in memory, and SCRI_LANES / 4 of them as one for the time of an update.
 *
 * On x86-64 they lie by blocks of four: vector by vector, those of the four side by side. A
 * processor with sixteen lanes updates a block where it lies, as one pack; others read parts of its
 * vectors. Elsewhere a block is one pack. */
#ifndef SCRI_PACK_BLOCK_H
#define SCRI_PACK_BLOCK_H

#include "solvers/pack_kernel.h"

#include <stddef.h>

#if defined(__x86_64__)
#define SCRI_BLOCK 4
#else
#define SCRI_BLOCK 1
#endif

/* Packs that become one. */
#define SCRI_GROUP (SCRI_LANES / 4)

/* Packs of four lanes. */
typedef struct scri_pack_block {
    int32_t a[SCRI_BLOCK][4], b[SCRI_BLOCK][4];
    float vector[SCRI_ROUND_REALS][SCRI_BLOCK][4];
} scri_pack_block;

/* Of `vector`; impulses are those from SCRI_ROUND_P on. */
enum {
    SCRI_PACK_INV_W = (offsetof(scri_pack, inv_w) - offsetof(scri_pack, n)) / sizeof(scri_wide)
};

typedef char scri_pack_fits_block
    [sizeof(scri_pack) * SCRI_BLOCK == sizeof(scri_pack_block) * SCRI_GROUP ? 1 : -1];

SCREE_FN scri_pack_block* scri_pack_block_of(scri_pack_block* blocks, int32_t pack)
{
    return blocks + (size_t)pack / SCRI_BLOCK;
}

/* Vector k of a pack: four numbers. */
SCREE_FN float* scri_pack_vector(scri_pack_block* blocks, int32_t pack, int k)
{
    return scri_pack_block_of(blocks, pack)->vector[k][(size_t)pack % SCRI_BLOCK];
}

/* The bodies of one lane. */
SCREE_FN void scri_pack_set_bodies(scri_pack_block* blocks, int32_t pack, int lane, int32_t a,
                                   int32_t b)
{
    scri_pack_block* block = scri_pack_block_of(blocks, pack);
    block->a[(size_t)pack % SCRI_BLOCK][lane] = a;
    block->b[(size_t)pack % SCRI_BLOCK][lane] = b;
}

/* Whether n packs lie side by side in their block. */
SCREE_FN int scri_pack_are_neighbours(const int32_t* pack, int n)
{
    for (int k = 1; k < n; ++k) {
        if (pack[k] != pack[0] + k) return 0;
    }
    return (size_t)pack[0] % SCRI_BLOCK + (size_t)n <= SCRI_BLOCK;
}

/* Copies SCRI_GROUP packs into one. */
SCREE_FN void scri_pack_join(scri_pack_block* blocks, const int32_t* pack, scri_pack* out)
{
    scri_wide* to = &out->n.x;
    const float* from[SCRI_GROUP];
    for (int k = 0; k < SCRI_GROUP; ++k) {
        size_t at = (size_t)pack[k] % SCRI_BLOCK;
        const scri_pack_block* block = scri_pack_block_of(blocks, pack[k]);
        memcpy(out->a + 4 * k, block->a[at], sizeof block->a[at]);
        memcpy(out->b + 4 * k, block->b[at], sizeof block->b[at]);
        from[k] = block->vector[0][at];
    }
    if (SCRI_GROUP < SCRI_BLOCK && scri_pack_are_neighbours(pack, SCRI_GROUP)) {
        SCRI_UNROLL
        for (int i = 0; i < SCRI_ROUND_REALS; ++i) {
            to[i] = scri_wide_load(from[0] + (size_t)i * (4 * SCRI_BLOCK));
        }
        return;
    }
    SCRI_UNROLL
    for (int i = 0; i < SCRI_ROUND_REALS; ++i) {
        to[i] = scri_wide_join(from);
        for (int k = 0; k < SCRI_GROUP; ++k) from[k] += 4 * SCRI_BLOCK;
    }
}

/* One that is updated in the place of SCRI_GROUP packs: where they lie, or in `room`. */
SCREE_FN scri_pack* scri_pack_take_up(scri_pack_block* blocks, const int32_t* pack, scri_pack* room)
{
    if (SCRI_GROUP == SCRI_BLOCK && scri_pack_are_neighbours(pack, SCRI_GROUP)) {
        return (scri_pack*)(void*)scri_pack_block_of(blocks, pack[0]);
    }
    scri_pack_join(blocks, pack, room);
    return room;
}

/* Its impulses go back. */
SCREE_FN void scri_pack_put_down(scri_pack* one, const scri_pack* room, const int32_t* pack,
                                 scri_pack_block* blocks)
{
    if (one != room) return;
    for (int i = 0; i < 6; ++i) {
        float* to[SCRI_GROUP];
        for (int k = 0; k < SCRI_GROUP; ++k) {
            to[k] = scri_pack_vector(blocks, pack[k], SCRI_ROUND_P + i);
        }
        scri_wide_split(one->p[i], to);
    }
}

/* A scri_pack_group. */
SCREE_FN void scri_pack_update_group(scri_pack_block* blocks, const int32_t* pack, int kind,
                                     scri_pack_body* bodies, float* change, float* impulse)
{
    scri_pack room, *one = scri_pack_take_up(blocks, pack, &room);
    scri_wide changed = scri_wide_all(0.0f), pressed = changed;
    scri_pack_update_discs(one, kind, bodies, &changed, &pressed);
    scri_pack_put_down(one, &room, pack, blocks);
    scri_wide_store(changed, change);
    scri_wide_store(pressed, impulse);
}

#endif
