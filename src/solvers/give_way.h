/* What a solver does about contacts that contradict each other: it looks for a proof where impulses
 * grow in vain, lets the contacts of the proof give way by as little as possible, and solves the
 * rest as if they had always done so. */
#ifndef SCRI_GIVE_WAY_H
#define SCRI_GIVE_WAY_H

#include "base/arena.h"
#include "problem/natural_map.h"

struct scri_run;

/* The arrays are NULL until a contradiction is looked for. */
typedef struct scri_contradiction {
    scri_arena* memory;
    scree_problem relaxed;   /* the caller's with q + give */
    double *q, *give;        /* [n_rows] of it */
    double* found;           /* [n_rows] share of `give` of the last proof */
    uint8_t* hull;           /* [n_contacts] laws of the convex hull, NULL until asked for */
    scree_infeasibility all; /* what all proofs together say */
    int gave_way;            /* a proof has been found: the method must begin anew */
    int refused;             /* a residual not above the tolerance was met by no solution */
    double most_p;           /* largest |p| of an iterate to keep once contacts have given way */
    int64_t next_look;       /* iterations at which to look next */
    double approach_before;  /* worst approach at the last look, relative */
    double norm_before;      /* of impulses then, or of the first guess, scaled */
    double norm_last;        /* of impulses at the last check, in the measure that is asked for */
} scri_contradiction;

/* Whether impulses have grown from the first guess, or the last look, to the last check: those that
 * press in vain do. */
int scri_give_way_grows(const struct scri_run* run);

/* Whether it is time to look: contacts approach, and no less than when half as many iterations had
 * been made. */
int scri_give_way_is_due(struct scri_run* run, const scri_natural_map* scaled);

/* Whether impulses that meet the tolerance need a proof that is not found: contacts approach faster
 * than it says, or impulses are so large that rounding hides whether they do. */
int scri_give_way_is_in_doubt(const struct scri_run* run, const scri_natural_map* scaled);

/* Whether a long search would take longer than all iterations so far: in large problems, early. */
int scri_give_way_is_dear(const struct scri_run* run);

/* Looks from the last check, `thoroughly` or for a while. Nonzero when there is a proof: then
 * run->problem has given way, and the method must begin anew. */
int scri_give_way_look(struct scri_run* run, const scri_natural_map* scaled, int thoroughly);

/* After that: a first guess with bounded impulses, nothing known about it. */
void scri_give_way_begin_anew(struct scri_run* run);

#endif
