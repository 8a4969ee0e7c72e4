/* The sweeps of nsgs-wide, for methods that build on them. */
#ifndef SCRI_NSGS_WIDE_H
#define SCRI_NSGS_WIDE_H

#include "solvers/coloured.h"
#include "solvers/pack_groups.h"
#include "solvers/pack_guests.h"
#include "solvers/sweeping.h"

typedef struct scri_nsgs_wide {
    scri_pack_units units;
    double square; /* of theirs in scaled variables (problem/scaling.h) */
    int kind;      /* SCRI_ROUND_KIND of all round contacts: rolls where one of them does */
    scri_pack_guests guests;
    scri_colouring colouring;
    int32_t start[SCRI_COLOURS + 2];  /* first pack of each colour */
    int32_t others[SCRI_COLOURS + 1]; /* in each colour, the first of colouring.contact that is no
                                         round one: guests come last */
    int32_t* lane;                    /* [SCRI_LANES packs] contact in each lane, or -1 */
    uint8_t* is_guest;                /* [packs]; NULL where there are none */
    scri_pack_block *blocks, *spare;  /* of all packs, and as many where contacts change lanes */
    scri_pack_ellipses *sets, *spare_sets; /* [2 packs]; NULL where the problem has no sets */
    scri_wide* weight;        /* [packs] of a change, squared: `square` over the contact's size */
    float* change;            /* [packs] largest in the last update of each, so weighed */
    scri_wide* lane_change;   /* [packs] the same, lane by lane */
    double least;             /* change after the first sweep that counts as one */
    int32_t *order, *list_of; /* [SCRI_LANES packs] scratch, to pack anew */
    scri_pack_body* bodies;   /* [n_bodies + 1] the last one is nobody */
    int together;             /* packs that are taken at once: 1, 2 or 4 */
    scri_pack_group *two, *four; /* how, where that is more than 1 */
    scri_chunks chunks;
    int is_laid_out; /* but for impulses, packs are what the next solve would lay out */
} scri_nsgs_wide;

/* See scri_solver.unfit. */
const char* scri_nsgs_wide_unfit(const scree_env* env, const scree_problem* problem,
                                 const scree_solver_def* def, const scri_facts* facts);

/* Packs for all solves of a problem; NULL where no def would let them be used, or while bump only
 * counts. */
scri_nsgs_wide* scri_nsgs_wide_share(const scree_problem* problem, const scri_facts* facts,
                                     scri_bump* bump);

/* From now on the problem has other free velocities; NULL is allowed. */
void scri_nsgs_wide_forget(scri_nsgs_wide* m);

/* The packs that solves of the problem share, or, in *own, those of this solve alone. */
scri_nsgs_wide* scri_nsgs_wide_take(const scri_run* run, scri_nsgs_wide* own, scri_bump* bump);

/* Then begin, which hands out the sweeps. The second of them puts contacts into other lanes before
 * it begins; then they stay. */
scri_sweeping scri_nsgs_wide_begin(scri_run* run, scri_nsgs_wide* m);

/* Packs in use, and at most for a problem: a colour takes a quarter as many as contacts, and begins
 * with a block of its own; guests and contacts of the serial group have one each. */
int32_t scri_nsgs_wide_packs(const scri_nsgs_wide* m);
size_t scri_nsgs_wide_most_packs(const scree_problem* problem, const scri_facts* facts);

#endif
