/* Stability of small motions, and of steady sliding under anisotropic friction (Walker and Leine
 * 2019, section 4.2). docs/stability.md derives what is computed here. */
#ifndef SCREE_STUDY_STABILITY_H
#define SCREE_STUDY_STABILITY_H

#include "scree/set.h"

#ifdef __cplusplus
extern "C" {
#endif

/* M x'' + B x' + K x = 0; matrices [n * n], row-major, of any symmetry, M regular. */
typedef struct scree_linear {
    int32_t n; /* at most 1000 */
    const double* mass;
    const double* damping; /* NULL: none */
    const double* stiffness;
} scree_linear;

/* One eigenvalue growth + i frequency: amplitudes go as exp(growth t). */
typedef struct scree_mode {
    double growth;    /* 1/s; above 0: unstable */
    double frequency; /* rad/s, not negative; two conjugate eigenvalues make two equal modes */
} scree_mode;

/* All 2 n modes, the fastest growing first. Faults are logged. */
SCREE_API SCREE_MUST_USE scree_status scree_linear_modes(const scree_env* env,
                                                         const scree_linear* linear,
                                                         scree_mode* modes);

/* A system that slides at one contact while its coordinates rest:
 *
 *     M u' + D u + K q = W^T lambda,   gamma = W u + chi,   -lambda in load * C,
 *
 * with the sliding velocity gamma along the normal of the direction set where -lambda points. */
typedef struct scree_sliding {
    int32_t n;
    const double *mass, *stiffness; /* [n * n] row-major; regular */
    const double* damping;          /* [n * n], or NULL */
    const double* directions;       /* [2 * n] W */
    double chi[2];                  /* m/s, not zero: minus the velocity of a belt */
    double load;                    /* N: force that C is multiplied with, mu lambda_N */
    const scree_set* forces;        /* C; NULL: the unit disc */
    const scree_set* flow;          /* D, convex, of any scale; NULL: C itself */
} scree_sliding;

typedef struct scree_sliding_report {
    double force[2];    /* lambda at the equilibrium, N */
    double jacobian[4]; /* -d lambda / d gamma, eq. (87), N s/m, row-major */
    double slope;       /* its nonzero eigenvalue, N s/m: below 0, friction feeds the motion */
    double damping[2];  /* eq. (111): eigenvalues of its symmetric part, the least first, N s/m, */
    double gyroscopic;  /* and its skew part, half of J_12 - J_21 */
    double tangency;    /* cosine between gamma and the outward normal of C at the force: below 0,
                           gamma points into C */
    int zero_multiplicity; /* of the eigenvalue 0: 2 where gamma is tangent to C (Proposition 8),
                              to rounding, else 1 */
    double trace;          /* of M^-1 (B + D), 1/s */
    scree_mode mode;       /* the fastest growing one */
    int is_unstable; /* it grows. Where M, D and K are multiples of the identity this is decided
                        by signs alone; else growth must exceed rounding */
    int by_trace;    /* Proposition 10: the trace is negative; sufficient for instability */
    int by_slope;    /* Proposition 11: M = m 1, no damping, B has a negative eigenvalue */
    int by_tangent;  /* Theorem 2: M = m 1, no damping, W W^T a multiple of 1, and gamma points
                        into the force set */
} scree_sliding_report;

/* Linearises about the equilibrium K q = W^T lambda(chi). equilibrium[n] may be NULL. Refused: D
 * that is not convex, or flat across the sliding direction, where forces are not unique. */
SCREE_API SCREE_MUST_USE scree_status scree_sliding_analyse(const scree_env* env,
                                                            const scree_sliding* sliding,
                                                            double* equilibrium,
                                                            scree_sliding_report* out);

/* The directions phi of a belt (chi = -speed (cos phi, sin phi)) within an interval, rad, for which
 * the equilibrium is unstable: from range[2 i] to range[2 i + 1], in rising order. Limits are good
 * to 1e-10 rad where signs decide (is_unstable above), to 1e-6 or so elsewhere. What is shorter
 * than a thousandth of the interval may be missed. At most n_most are written; *n is how many there
 * are. */
SCREE_API SCREE_MUST_USE scree_status scree_sliding_ranges(const scree_env* env,
                                                           const scree_sliding* sliding,
                                                           const double interval[2], int32_t n_most,
                                                           double* range, int32_t* n);

#ifdef __cplusplus
}
#endif

#endif
