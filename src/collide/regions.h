/* Lists that workers write side by side, each piece of the work to a region of its own.
 *
 * How much a piece finds is known when it is done. Regions have room for what they held last and
 * somewhat more; a piece for which that is not enough is done once more in a larger one behind all
 * others. Memory is asked for between rounds only, by the caller. */
#ifndef SCRI_REGIONS_H
#define SCRI_REGIONS_H

#include "collide/grid.h"

typedef struct scri_region {
    size_t begin, room; /* items */
    size_t n;           /* found by its piece in the last round */
    size_t place;       /* of the first of these among all that were found */
    int is_short;       /* they have not found room */
} scri_region;

typedef struct scri_regions {
    scri_buffer memory; /* of `region`, kept from run to run */
    scri_region* region;
    int32_t count, most; /* in use, and that have ever been */
    size_t total;        /* items of room, of all in use and of those that were too small */
    size_t n_found;      /* items in all of them */
} scri_regions;

/* The work to be done in pieces. */
typedef struct scri_region_work {
    void* context;
    /* Items that piece k may find, for want of anything better. */
    size_t (*expect)(const void* context, int32_t k);
    /* Room for so many items of all pieces, of which the first `kept` stay what they are; 0 when
     * memory is short. */
    int (*reserve)(void* context, size_t total, size_t kept);
    /* Writes what piece k finds, up to `room` items from number `begin` on; returns how many items
     * there are. */
    size_t (*fill)(void* context, int32_t k, size_t begin, size_t room);
    /* A piece that was filled there is not there any more; NULL: nobody looks. */
    void (*leave)(void* context, size_t begin, size_t room);
} scri_region_work;

/* A single piece begins at item 0. SCREE_ERROR_MEMORY when memory is short; nothing is logged. */
scree_status scri_regions_run(const scree_env* env, scri_team* team, scri_regions* regions,
                              int32_t count, const scri_region_work* work);

#endif
