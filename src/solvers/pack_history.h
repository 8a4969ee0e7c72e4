/* What the last sweeps of nsgs-wide did, in single precision, for momentum and Anderson mixing.
 * Impulses differ from sweep to sweep, and the velocities of bodies with them: these are linear in
 * the impulses, so that one combination serves both and nothing is computed anew. The combination
 * need not lie in the cones: the next sweep leads back to them. */
#ifndef SCRI_PACK_HISTORY_H
#define SCRI_PACK_HISTORY_H

#include "math/anderson.h"
#include "solvers/nsgs_wide.h"

enum { SCRI_PACK_ROWS = 6 };

/* Steps between which there is momentum; before and after them several are combined. What is soon
 * solved does without, and long momentum feeds motions that grow under the exact law.
 * docs/decisions/0530-momentum-first.md */
enum { SCRI_MOMENTUM_FROM = 4, SCRI_MOMENTUM_END = 104 };

/* The part of one pack. */
typedef struct scri_pack_past {
    scri_wide start[SCRI_PACK_ROWS];  /* where the last sweep began, or the combination */
    scri_wide change[SCRI_PACK_ROWS]; /* of the last sweep in the history */
    scri_wide image[SCRI_PACK_ROWS];  /* where it ended */
    scri_wide d_change[SCRI_ANDERSON_WINDOW][SCRI_PACK_ROWS];
    scri_wide d_image[SCRI_ANDERSON_WINDOW][SCRI_PACK_ROWS];
} scri_pack_past;

/* That of one body: velocity and angular velocity, and how they differed from sweep to sweep. */
typedef struct scri_body_past {
    float image[6];
    float difference[SCRI_ANDERSON_WINDOW][6];
} scri_body_past;

/* Sums over some packs. */
typedef struct scri_pack_sums {
    double with_last[SCRI_ANDERSON_WINDOW], with_change[SCRI_ANDERSON_WINDOW];
    double along, way, size; /* see scri_anderson_mix() */
} scri_pack_sums;

typedef struct scri_pack_history {
    scri_nsgs_wide* of;
    scri_team* team;
    int32_t n_bodies;
    scri_anderson_products products;
    float weight[SCRI_ANDERSON_WINDOW]; /* of the combination */
    int steps, since;                   /* all, and those since momentum began anew */
    scri_pack_past* pack;               /* [packs] */
    scri_body_past* body;               /* [n_bodies] */
    scri_pack_sums* sums;               /* [groups] */
} scri_pack_history;

/* Takes its arrays from `bump`; begin when the packs have found their lanes. */
scri_pack_history scri_pack_history_create(const scri_run* run, scri_nsgs_wide* of,
                                           scri_bump* bump);
void scri_pack_history_begin(scri_pack_history* h);

/* As scri_accelerated wants them. With momentum mix() returns 1, or -1 where it begins anew. */
void scri_pack_history_start(scri_pack_history* h);
void scri_pack_history_take(scri_pack_history* h);
double scri_pack_history_mix(scri_pack_history* h);
void scri_pack_history_go_on(scri_pack_history* h);
void scri_pack_history_go_back(scri_pack_history* h);

#endif
