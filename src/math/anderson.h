/* Anderson mixing for a fixed-point iteration x <- g(x) (type II, a short history): of what the
 * last steps did, the combination whose change g(x) - x is smallest in the weighted 2-norm. */
#ifndef SCRI_ANDERSON_H
#define SCRI_ANDERSON_H

#include "base/bump.h"
#include "base/team.h"

enum { SCRI_ANDERSON_WINDOW = 5 };

/* What of the history the weights depend on. */
typedef struct scri_anderson_products {
    int used, next; /* differences in the history; where the next one goes */
    int has_last;   /* whether there is a step from which the next one differs */

    /* Of the differences of changes with each other and with the last change. */
    double gram[SCRI_ANDERSON_WINDOW][SCRI_ANDERSON_WINDOW];
    double slope[SCRI_ANDERSON_WINDOW];
} scri_anderson_products;

typedef struct scri_anderson {
    scri_team* team; /* helps, if there is one; the sums are the same without */
    int32_t n;
    const double* scale; /* [n] weights of the norm: that of scale_i x_i */
    scri_anderson_products products;
    double* change; /* [n] of the last step, scaled */
    double* image;  /* [n] g of the last step */

    /* How both differed from step to step, scaled. */
    double* d_change[SCRI_ANDERSON_WINDOW];
    double* d_image[SCRI_ANDERSON_WINDOW];
} scri_anderson;

/* Takes its arrays from `bump`. The history is empty, and what is in them is not read. */
scri_anderson scri_anderson_create(scri_team* team, int32_t n, const double* scale,
                                   scri_bump* bump);

/* Drops the history. */
void scri_anderson_forget(scri_anderson_products* a);

/* How many differences there are when the next step has come in, the first of the arrays for them;
 * 0: it differs from none. */
int scri_anderson_differences(const scri_anderson_products* a);

/* A step has come in as difference `next`, if it is not the first: the products of its change, and
 * of the change itself, with every difference. */
void scri_anderson_note(scri_anderson_products* a, const double* with_last,
                        const double* with_change);

/* weight[SCRI_ANDERSON_WINDOW] of the differences: by Cholesky on their normalised products, the
 * most recent first; one whose part beside those is smaller than `least_pivot`, squared and
 * relative, is left out, for its weight would be noise. */
void scri_anderson_weights(const scri_anderson_products* a, double least_pivot, double* weight);

/* Takes the step from `start` to `image` into the history, the oldest one out. */
void scri_anderson_take(scri_anderson* a, const double* start, const double* image);

/* x[n] = the combination, from which the next step may start. Returns the cosine of the angle
 * between the way to it, from where the last step began, and what that step changed: near 1 where
 * it goes further the same way, negative where it goes back. Without history x is the last image
 * and the cosine 1. */
double scri_anderson_mix(const scri_anderson* a, double* x);

#endif
