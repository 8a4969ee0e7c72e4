/* One contact whose friction has other sets than discs, in equilibrated variables. */
#ifndef SCRI_SET_CONTACT_H
#define SCRI_SET_CONTACT_H

#include "laws/set_cone.h"

typedef struct scri_set_contact {
    scri_terms terms;
    void (*react)(scri_terms t, const double* z, double blur, double* p, double* d);
    double (*drift)(scri_terms t, const double* y); /* y_N of a contact that slides */
    const double *w, *q;                            /* [width * width], [width] */
    double tolerance;                               /* relative */
} scri_set_contact;

/* p[width] is the first guess and receives the answer. Where the law leaves several, the one that
 * Newton's method reaches from the guess. The contact must not be one that takes off. */
scree_one_contact_way scri_set_contact_solve(const scri_set_contact* c, double* p);

#endif
