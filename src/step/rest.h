/* Whether a large part rests, as far as its tolerance can tell. */
#ifndef SCRI_STEP_REST_H
#define SCRI_STEP_REST_H

#include "step/islands.h"

/* Rows from which on exact steps are too rare to bring a part to rest. */
enum { SCRI_REST_ROWS = 1500 };

/* A part that hardly moves; speeds in units of what gravity gives in a step. */
typedef struct scri_rest {
    double began; /* the largest speed at the beginning of the step; infinite where walls move */
    double left;  /* the largest that the impulses at hand leave */
} scri_rest;

/* Whether rest of this part is decided here. */
int scri_rest_is_open(const scree_world* world, const scri_part* part);

/* Writes the velocities that the impulses at hand leave to those of the members. */
void scri_rest_reach(const scree_world* world, const scri_part* part);

/* Speeds of the beginning, and those that the impulses at hand leave. */
scri_rest scri_rest_begin(const scree_world* world, const scri_part* part);
void scri_rest_look(const scree_world* world, const scri_part* part, scri_rest* rest);

/* Takes a part to rest, with what its impulses do not hold. */
void scri_rest_take(scree_world* world, const scri_part* part, const scri_rest* rest);

/* What that has done to the energy of all parts, J, and the largest speed it has left out. */
double scri_rest_work(const scree_world* world);
double scri_rest_most(const scree_world* world);

#endif
