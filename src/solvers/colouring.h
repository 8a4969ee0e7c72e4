/* Contacts in groups that touch no movable body twice: within a group the order does not matter, so
 * groups may be worked on by any number of workers with the same result. */
#ifndef SCRI_COLOURING_H
#define SCRI_COLOURING_H

#include "base/bump.h"
#include "base/team.h"
#include "scree/problem.h"

/* Contacts that find no colour free share the last group and are taken one after another. */
enum { SCRI_COLOURS = 64 };

/* Those of a colour that one worker takes together. Sums over them are added in a fixed order, so
 * that the result does not depend on who worked on which. */
enum { SCRI_CHUNK = 16 };

typedef struct scri_colouring {
    int32_t start[SCRI_COLOURS + 2]; /* first entry of each colour; the last group is serial */
    int32_t* contact;                /* [n_contacts] contacts, colour by colour */
    uint64_t* used;                  /* [n_bodies] scratch: colours at each body */
    const int32_t* colour;           /* [n_contacts] */
    int32_t* room;                   /* [n_contacts] for them */
} scri_colouring;

scri_colouring scri_colouring_create(const scree_problem* problem, scri_bump* bump);

/* Greedy: each contact in its order takes the first colour that both its bodies still have free.
 * `colour` is what scri_colouring_assign() has found; NULL: nobody has asked it yet. */
void scri_colouring_compute(const scree_problem* problem, const int32_t* colour,
                            scri_colouring* colouring, scri_team* team);

/* The colours alone, by one worker while others do something else; used[n_bodies] is 0. */
void scri_colouring_assign(const scree_problem* problem, uint64_t* used, int32_t* colour);

#endif
