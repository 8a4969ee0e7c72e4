/* Contacts of the same two bodies that follow each other, as the corners of a box on a plane do:
 * one worker takes them one after the other, so that bundles are coloured instead of contacts.
 * Fewer colours make a sweep, and bodies come from memory once for all contacts of a bundle. Of a
 * chunk of bundles the first contacts come first, which share no movable body, then the second
 * ones, and so on. */
#ifndef SCRI_BUNDLES_H
#define SCRI_BUNDLES_H

#include "solvers/colouring.h"

/* Contacts of one bundle. */
enum { SCRI_MOST_BUNDLED = 8 };

typedef struct scri_bundles {
    int32_t n;
    scri_colouring colouring; /* of the bundles, in each colour nearly in their order */
    int32_t* head;            /* [n + 1] first contact of each, in the order of the contacts */
    int32_t* pair;            /* [2 n] its bodies */
    int32_t* first;           /* [n + 1] contacts before each, in the order of the colours */
    int32_t* contact;         /* [n_contacts] in the order in which they are taken */
    uint8_t* place;           /* [n_contacts] of those in their bundles */
} scri_bundles;

scri_bundles scri_bundles_create(const scree_problem* problem, scri_bump* bump);

void scri_bundles_compute(const scree_problem* problem, scri_bundles* bundles, scri_team* team);

#endif
