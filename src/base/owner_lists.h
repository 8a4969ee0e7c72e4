/* Lists of items by their owners, each in ascending order, made by a team. */
#ifndef SCRI_OWNER_LISTS_H
#define SCRI_OWNER_LISTS_H

#include "base/team.h"

/* So many owners, as two lists for each colour of contacts, need no scratch. */
enum { SCRI_FEW_OWNERS = 144 };

typedef struct scri_owner_lists {
    int32_t n_items, n_owners;
    const int32_t* owner; /* [n_items] -1: nobody's */
    int32_t* start;       /* [n_owners + 1] first of `item` of each owner */
    int32_t* item;        /* [n_items] */
    int32_t* scratch;     /* [2 n_items] NULL: the owners are few */
} scri_owner_lists;

/* Fills start and item. */
void scri_owner_lists_fill(scri_team* team, const scri_owner_lists* lists);

#endif
