/* The state of a system in generalised coordinates. src/system makes it; src/step alone moves it.
 */
#ifndef SCRI_SYSTEM_H
#define SCRI_SYSTEM_H

#include "base/arena.h"
#include "scree/system.h"

/* The closed contacts of one step, as a problem: every contact meets every other. */
typedef struct scri_closed {
    int32_t n;
    int32_t* contact;   /* [n_contacts] number in the system */
    int32_t* first_row; /* [n_contacts + 1] */
    uint8_t *rows, *law;
    double *coef, *q, *p;
    int32_t* set;
    int32_t *start, *column; /* of the operator, in blocks */
    int64_t* offset;
    double* value;
} scri_closed;

struct scree_system {
    scree_env env;
    scree_system_def def; /* its arrays are copies in `arena`; of the sets, the two below */
    int32_t* set;         /* [4 n_contacts] as in scree_problem, or NULL */
    scree_sets sets;
    scri_arena* arena;
    double begin; /* time of step 0 */
    int64_t steps;
    int32_t n_rows;
    int32_t* first_row;     /* [n_contacts + 1] */
    double *q, *u;          /* [n] */
    double *p, *y;          /* [n_rows] of the last step */
    uint8_t* closed;        /* [n_contacts] */
    double* coef;           /* [3 n_contacts] of this step */
    double *middle, *free;  /* [n] coordinates at the midpoint, velocity without contacts */
    double* rate;           /* [n] of the coordinates */
    double *mass, *force;   /* [n n], [n] */
    double *gap, *w, *chi;  /* [n_contacts], [n_rows n], [n_rows] */
    double *yield, *before; /* [n_rows n] rows of (M^-1 W^T)^T; [n_rows] y at the beginning */
    scri_closed contacts;
    scree_problem problem; /* view of `contacts` */
    void* work;            /* of solver and certificate */
    size_t work_size;
};

/* Seconds. */
double scri_system_time(const scree_system* system);

#endif
