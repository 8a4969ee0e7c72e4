/* The factored form M v = f + H p, y = H^T v + q, evaluated through M. */
#ifndef SCRI_FACTORED_H
#define SCRI_FACTORED_H

#include "math/mass_matrix.h"

typedef struct scri_factored {
    const scree_problem* problem;
    scri_mass_matrix mass;
    double* column; /* [n_dof] scratch */
    double* work;   /* [n_dof] scratch */
} scri_factored;

scree_status scri_factored_create(const scree_env* env, scri_arena* arena,
                                  const scree_problem* problem, scri_factored* out);

/* v[n_dof] = M^-1 (f + H p); p may be NULL for zero. */
void scri_factored_solve(scri_factored* f, const double* p, double* v);

/* y[n_rows] = H^T v + q, without compliance. */
void scri_factored_velocity(const scri_factored* f, const double* v, double* y);

/* out[n_dof] = H p. */
void scri_factored_multiply_h(const scri_factored* f, const double* p, double* out);

/* out[n_dof] = M v. */
void scri_factored_multiply_mass(const scri_factored* f, const double* v, double* out);

/* x = M_k^-1 times column j of H restricted to component k, in the order of the component. */
void scri_factored_response(scri_factored* f, int32_t k, int32_t j, double* x);

/* Column i of H restricted to component k, times x. */
double scri_factored_dot(const scri_factored* f, int32_t k, int32_t i, const double* x);

/* diagonal[n_rows] of H^T M^-1 H. */
void scri_factored_diagonal(scri_factored* f, double* diagonal);

#endif
