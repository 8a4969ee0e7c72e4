/* Numbers with keys, sorted by these. */
#ifndef SCRI_KEYS_H
#define SCRI_KEYS_H

#include "base/team.h"

typedef struct scri_key {
    uint64_t key;
    int32_t item;
} scri_key;

/* What a team counts before it sorts n keys: n / SCRI_KEYS_PIECE times so many numbers. */
enum { SCRI_KEYS_PIECE = 8192, SCRI_KEYS_COUNTS = 2048 };

/* Sorts n keys, none above `largest`; items of one key stay in their order. `spare` has room for n
 * keys. `counts` is room for what a team counts, and may be NULL where there is none. */
void scri_keys_sort(scri_key* keys, scri_key* spare, int32_t n, uint64_t largest, uint32_t* counts,
                    scri_team* team);

#endif
