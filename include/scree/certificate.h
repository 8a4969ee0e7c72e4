/* How well impulses solve a problem: recomputed from the problem alone, by code that knows no
 * solver.
 */
#ifndef SCREE_CERTIFICATE_H
#define SCREE_CERTIFICATE_H

#include "scree/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The two scalar measures. `scree` is the natural map in variables scaled per contact and channel
 * (it does not change with units, mass or size); `siconos` is that package's own relative error. */
typedef enum scree_measure {
    SCREE_MEASURE_SCREE,
    SCREE_MEASURE_SICONOS,
    SCREE_MEASURE_COUNT
} scree_measure;

typedef struct scree_certificate {
    double residual;         /* scree measure; what a tolerance asks for. NaN if p holds a NaN */
    double residual_siconos; /* relative, for comparison with peers */
    double absolute_siconos; /* the same before division, in raw units */
    double normal_violation; /* worst negative normal velocity, m/s */
    double cone_violation;   /* worst distance of p to its cone, N s (moments: N s per metre) */
    double complementarity;  /* worst |p . yhat| of one contact, J */
    double dissipation[3];   /* energy taken out by sliding, rolling, spinning, J */
    int32_t worst_contact;   /* the contact with the largest share of `residual`; -1 if none */
} scree_certificate;

/* Evaluates p[n_rows] against a valid problem. */
SCREE_API SCREE_MUST_USE scree_status scree_certify(const scree_env* env,
                                                    const scree_problem* problem, const double* p,
                                                    scree_certificate* out);

/* The relative velocities y[n_rows] that p[n_rows] leads to. */
SCREE_API SCREE_MUST_USE scree_status scree_problem_velocity(const scree_env* env,
                                                             const scree_problem* problem,
                                                             const double* p, double* y);

#ifdef __cplusplus
}
#endif

#endif
