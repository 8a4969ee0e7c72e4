/* The Newton system of rigid bodies: I + H^T D H with six unknowns per body that moves.
 *
 * Unknowns are the velocities times the square root of the mass: with M^-1 = L L^T and scaled rows,
 * H = S^-1 H_raw L, so that W = H H^T and the mass matrix is the identity. */
#ifndef SCRI_NEWTON_BODIES_H
#define SCRI_NEWTON_BODIES_H

#include "base/arena.h"
#include "problem/scaling.h"

typedef struct scri_newton_bodies {
    const scree_problem* problem;
    int32_t n;      /* unknowns */
    int32_t* mover; /* [n_bodies] number among the bodies that move; -1 */
    int32_t* end;   /* [2 n_contacts] movers that a contact touches; -1; never twice the same */
    double* h;      /* [12 n_rows] six numbers for each of the two ends */
    int32_t* near;  /* [near_start[movers]] movers that share a contact, itself included */
    int32_t* near_start;
    int32_t* slot;  /* [4 n_contacts] place of the ends (i, j) in the list of end j */
    int32_t* start; /* [n + 1] pattern, compressed columns */
    int32_t* row;
    double* value;
    double* velocity; /* [n] */
} scri_newton_bodies;

/* SCREE_ERROR_MEMORY is the only failure. */
scree_status scri_newton_bodies_create(scri_arena* arena, const scree_problem* problem,
                                       const scri_scaling* scaling, scri_newton_bodies* out);

/* Writes I + H^T D H into `value`; the block of contact c begins at d[block[c]]. */
void scri_newton_bodies_assemble(scri_newton_bodies* b, const double* d, const int64_t* block);

/* v[n] = H^T x. */
void scri_newton_bodies_gather(const scri_newton_bodies* b, const double* x, double* v);

/* y[n_rows] = H v. */
void scri_newton_bodies_relative(const scri_newton_bodies* b, const double* v, double* y);

#endif
