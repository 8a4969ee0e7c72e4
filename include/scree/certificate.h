/* How well impulses solve a problem: recomputed from the problem alone, by code that knows no
 * solver.
 */
#ifndef SCREE_CERTIFICATE_H
#define SCREE_CERTIFICATE_H

#include "scree/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Three scalar measures. `scree` is the natural map in variables scaled per contact and channel (it
 * does not change with units, mass or size), relative to the whole problem; `siconos` is that
 * package's own relative error; `local` is the worst contact's share of `scree`, relative to the
 * velocities that this contact and its two bodies have to do with, so that a light body below a
 * heavy one is judged by what it feels (docs/decisions/0040-local-certificate.md). */
typedef enum scree_measure {
    SCREE_MEASURE_SCREE,
    SCREE_MEASURE_SICONOS,
    SCREE_MEASURE_LOCAL,
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
    double local;            /* local measure */
    int32_t local_contact;   /* where; -1 if none */
} scree_certificate;

/* That no impulses solve a problem, and how nearly they could. */
typedef struct scree_infeasibility {
    int32_t n_contacts; /* that contradict each other; 0: no proof was found */
    double approach;    /* m/s: the fastest that remains of them when as little as possible does */
    double bound; /* what the proof says in full: a solution would need impulses so many times as
                     large as the free velocities of these contacts, both scaled; at least 1e9 */
} scree_infeasibility;

/* Looks for a proof that a valid problem has no solution, by code that knows no solver. Every law
 * promises something of the velocities whatever the impulses are: y_N >= 0, or y = 0 in a joint. If
 * contacts can press against each other without moving anything (W d = 0 with impulses d that may
 * grow without limit) while q . d < 0, no impulses keep these promises (Farkas). p[n_rows] says
 * where to look first, NULL: nowhere. give[n_rows], unless it is NULL, receives the smallest change
 * of q that mends it, in scaled variables, and zeros where nothing is wrong; divided by the square
 * of the scale it is also the d of the proof. No proof is not a proof of the contrary. */
SCREE_API SCREE_MUST_USE scree_status scree_find_infeasible(const scree_env* env,
                                                            const scree_problem* problem,
                                                            const double* p, double* give,
                                                            scree_infeasibility* out);

/* Evaluates p[n_rows] against a valid problem. */
SCREE_API SCREE_MUST_USE scree_status scree_certify(const scree_env* env,
                                                    const scree_problem* problem, const double* p,
                                                    scree_certificate* out);

/* The residual of a certificate in one of the measures. */
SCREE_API double scree_certificate_residual(const scree_certificate* certificate,
                                            scree_measure measure);

/* The relative velocities y[n_rows] that p[n_rows] leads to. */
SCREE_API SCREE_MUST_USE scree_status scree_problem_velocity(const scree_env* env,
                                                             const scree_problem* problem,
                                                             const double* p, double* y);

#ifdef __cplusplus
}
#endif

#endif
