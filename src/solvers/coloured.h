/* Sweeps over units of work (contacts, bundles or packs of them) colour by colour, by a team of
 * workers, with the same result for any number of them. */
#ifndef SCRI_COLOURED_H
#define SCRI_COLOURED_H

#include "solvers/colouring.h"
#include "solvers/relax.h"

/* How many sweeps over what still changes are made at most after one over everything. Where bodies
 * of a world are not round few are better: contacts that are about to contradict each other press
 * twice as hard after twice as many. */
enum { SCRI_PARTIAL_SWEEPS = 7, SCRI_FEW_PARTIAL_SWEEPS = 2 };

/* What the last sweep did in a chunk, apart from its size: one worker reads those of all after
 * every sweep, and few lines of memory have to come to it for that. */
typedef struct scri_chunk_count {
    int32_t updates, fail_safe;
    int32_t cost; /* of the updates, as contacts */
} scri_chunk_count;

typedef struct scri_chunks {
    scri_sweep_size* size;   /* [chunks] of the last sweep over everything */
    scri_chunk_count* count; /* [chunks] */
    int32_t* live;           /* [chunks] of one colour: see coloured.c */
    int32_t* piece;          /* [chunks + 1] */
} scri_chunks;

typedef struct scri_coloured {
    scri_run* run;
    void* method;
    const int32_t*
        start; /* [SCRI_COLOURS + 2] first unit of each colour; the last group is serial */
    scri_chunks chunks;
    int32_t lanes;    /* contacts of a unit, at least */
    int32_t worth;    /* contacts that are worth handing to another worker, no less than a chunk */
    double tolerance; /* of one contact */
    int partial;      /* sweeps over what still changes, after each one over everything */
    double least;     /* units whose last change, squared and over the square of the contact's size,
                         was smaller are passed over; 0: none */

    int only_counts; /* updates and fail_safe are all that is asked for: a sweep over a part */

    /* Works on units first .. last - 1 and says how much they changed. */
    void (*work)(const struct scri_coloured* sweep, int32_t first, int32_t last,
                 scri_sweep_size* size);
} scri_coloured;

/* Room for the chunks of so many units. */
scri_chunks scri_chunks_create(size_t units, scri_bump* bump);

/* One sweep over all units. Afterwards `least` is what is small beside the tolerance: of the
 * contact itself where it is judged so, else its share among `n`. */
scri_sweep_size scri_coloured_sweep_all(scri_coloured* sweep, int32_t n);

/* The same, then some sweeps over those units alone that still change: in a heap few contacts are
 * far from their solution at any time. */
scri_sweep_size scri_coloured_sweep(scri_coloured* sweep, int32_t n);

#endif
