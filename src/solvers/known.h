/* What is known of a problem: what every solve of it would find out anew, and how good the
 * impulses are that were judged last. Whoever looks at impulses and the solves that follow share
 * it. */
#ifndef SCRI_KNOWN_H
#define SCRI_KNOWN_H

#include "problem/natural_map.h"
#include "solvers/facts.h"

typedef struct scri_known {
    const scree_problem* problem;
    scri_team* team; /* who helps; NULL: nobody */
    scri_facts facts;
    scri_operator op; /* with shares for the team; its state is of who was judged last */
    scri_scaling scaling;
    double* y;                   /* [n_rows] velocities, written by whoever judges impulses */
    double* best;                /* [n_rows] impulses */
    double* size;                /* [n_contacts] see scri_natural_map_evaluate() */
    struct scri_nsgs_wide* wide; /* packs that the first solve by packs lays out, for all; NULL:
                                    each has its own */
    const int32_t* colour;       /* [n_contacts] see scri_colouring_assign(); NULL: unknown */

    /* What the natural map says of `best`, in scaled variables; y, size and the operator are those
     * of it, too. */
    int is_judged;
    scri_natural_map map;
} scri_known;

/* Lays out arrays, with the facts at hand; while bump only counts, nothing else is done. */
scri_known scri_known_create(const scree_problem* problem, const scri_facts* facts, scri_team* team,
                             scri_bump* bump);

/* Finds scales, and shares for the team but where they are known: shares may be NULL. No contact is
 * judged by less than `speed`. */
void scri_known_find(scri_known* known, const scri_shares* shares, double speed);

/* Judges impulses p[n_rows]. */
void scri_known_judge(scri_known* known, const double* p);

/* Whether they are what was judged last, bit for bit. */
int scri_known_is_judged(const scri_known* known, const double* p);

/* The same contacts with other free velocities: of `problem`, which has nothing else of its own.
 * Arrays are shared, so that what was judged is not known any more. */
scri_known scri_known_relaxed(scri_known* known, const scree_problem* problem, double speed);

#endif
