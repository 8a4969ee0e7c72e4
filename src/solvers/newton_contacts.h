/* The Newton system of an assembled operator: I + D W, one unknown per row. */
#ifndef SCRI_NEWTON_CONTACTS_H
#define SCRI_NEWTON_CONTACTS_H

#include "base/arena.h"
#include "problem/scaling.h"

typedef struct scri_newton_contacts {
    const scree_problem* problem;
    int32_t n;     /* unknowns */
    double* w;     /* scaled copy of the values of W */
    int32_t* near; /* contacts coupled with each, itself included; symmetric */
    int32_t* near_start;
    int32_t* place; /* [blocks of W] first entry of each block's first column in `value` */
    int32_t* start; /* [n + 1] pattern, compressed columns */
    int32_t* row;
    double* value;
    double* weight; /* [n] what the rows were multiplied with */
} scri_newton_contacts;

/* SCREE_ERROR_MEMORY is the only failure. */
scree_status scri_newton_contacts_create(scri_arena* arena, const scree_problem* problem,
                                         const scri_scaling* scaling, scri_newton_contacts* out);

/* Writes diag(weight) (I + D W) into `value`, with weights that make all rows of like size. */
void scri_newton_contacts_assemble(scri_newton_contacts* b, const double* d, const int64_t* block);

/* y[n_rows] = W x. */
void scri_newton_contacts_multiply(const scri_newton_contacts* b, const double* x, double* y);

#endif
