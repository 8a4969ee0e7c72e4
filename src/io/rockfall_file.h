/* Files of a rockfall study, from within. */
#ifndef SCRI_ROCKFALL_FILE_H
#define SCRI_ROCKFALL_FILE_H

#include "base/arena.h"
#include "scree_io/rockfall_file.h"

#include <stdio.h>

/* What a file is made from. */
typedef struct scri_rockfall_source {
    const scree_env* env;
    scri_arena* arena; /* for what the writer needs */
    const scree_rockfall_def* def;
    const scree_rockfall* result;
    FILE* file;
} scri_rockfall_source;

/* Classes of run-out: `n` of them, each `width` wide, from 0 on. */
typedef struct scri_runout {
    double width; /* m: 1, 2 or 5 times a power of ten */
    int32_t n;
    int32_t* blocks; /* [n] that ended in each */
    int32_t* left;   /* [n] of these, blocks that left the map: their run-out is at least this */
} scri_runout;

scree_status scri_rockfall_runout(scri_arena* arena, const scree_rockfall* result,
                                  scri_runout* out);

/* rockfall_page.c */
scree_status scri_rockfall_page(const scri_rockfall_source* from);

#endif
