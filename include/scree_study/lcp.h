/* The linear complementarity problem, dense:
 *
 *     w = A z + b,   z >= 0,   w >= 0,   z_i w_i = 0 for every i.
 *
 * Pivoting finds a vertex exactly, or says that it ended on a ray; iterative methods are there for
 * larger problems and for comparison. docs/lcp.md says which to take.
 *
 *     scree_lcp_def def = scree_default_lcp_def();
 *     status = scree_lcp_solve(&lcp, &def, z, &report);   // z: first guess in, answer out
 */
#ifndef SCREE_STUDY_LCP_H
#define SCREE_STUDY_LCP_H

#include "scree/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A plain view: every array is borrowed. No symmetry is assumed. */
typedef struct scree_lcp {
    int32_t n;
    const double* a; /* [n * n] row-major */
    const double* b; /* [n] */
} scree_lcp;

typedef enum scree_lcp_method {
    SCREE_LCP_LEMKE,  /* complementary pivoting with the lexicographic ratio test: never cycles */
    SCREE_LCP_PIVOT,  /* block principal pivoting, one index at a time where that does not help;
                         finite for P-matrices */
    SCREE_LCP_NEWTON, /* damped semismooth Newton on the Fischer-Burmeister function */
    SCREE_LCP_PGS,    /* projected Gauss-Seidel; needs a positive diagonal */
    SCREE_LCP_METHOD_COUNT
} scree_lcp_method;

/* "lemke", "pivot", "newton", "pgs"; NULL for a value outside the enumeration. */
SCREE_API const char* scree_lcp_method_name(int method);

typedef struct scree_lcp_def {
    uint32_t struct_size; /* written by scree_default_lcp_def() */
    scree_lcp_method method;
    double tol;          /* solved when the residual is not above it; default 1e-10 */
    int64_t max_iter;    /* pivots, steps or sweeps; 0: what the method usually needs, amply */
    double max_time;     /* wall-clock limit in seconds; default 1e30 */
    const double* cover; /* [n] Lemke's covering vector, positive; NULL: equal in scaled variables.
                            Where solutions are not unique it decides which one is found */
    /* Called now and then with the pivots, steps or sweeps so far; other than 0 ends the work as a
     * time limit does. May be NULL. */
    int (*progress)(void* user, int64_t iterations);
    void* progress_user;
} scree_lcp_def;

SCREE_API void scree_lcp_def_init(scree_lcp_def* def); /* struct_size is set */
SCREE_DEFINE_DEFAULT(scree_lcp_def, scree_default_lcp_def, scree_lcp_def_init)

typedef enum scree_lcp_outcome {
    SCREE_LCP_SOLVED,     /* residual <= tol, recomputed for the z returned */
    SCREE_LCP_RAY,        /* pivoting ended on a ray from every start tried (with up to 10 rows,
                             from every basis): no solution found. There is none if A is
                             copositive-plus; otherwise there may be one */
    SCREE_LCP_INFEASIBLE, /* proved: no z >= 0 makes w >= 0, see scree_lcp_report.proof */
    SCREE_LCP_ITERATION_LIMIT, /* max_iter was reached */
    SCREE_LCP_TIME_LIMIT,      /* max_time was reached */
    SCREE_LCP_STALLED,         /* numerical trouble: a singular basis or step, or no way down */
    SCREE_LCP_OUTCOME_COUNT
} scree_lcp_outcome;

/* "solved", "ray", ... */
SCREE_API const char* scree_lcp_outcome_text(int outcome);

typedef struct scree_lcp_report {
    scree_lcp_outcome outcome;
    double residual;    /* of the z returned, as in scree_lcp_certificate */
    int64_t iterations; /* pivots of all attempts, or steps, or sweeps */
    int32_t attempts;   /* Lemke: first bases tried */
    int32_t exhausted;  /* of these, such as ended at the limit of pivots, as if they cycled */
    double proof;       /* infeasible: b . y < 0 for a y >= 0 with A^T y <= 0 and sum y = 1, in
                           scaled variables; otherwise 0 */
    double time_s;
} scree_lcp_report;

/* z[n] holds the first guess of `newton` and `pgs` (zeros will do) and receives the best iterate
 * whatever the outcome. SCREE_ERROR_UNSUPPORTED: `pgs` met a diagonal that is not positive. */
SCREE_API SCREE_MUST_USE scree_status scree_lcp_solve(const scree_env* env, const scree_lcp* lcp,
                                                      const scree_lcp_def* def, double* z,
                                                      scree_lcp_report* report);

/* How well z solves the problem, by code that knows no method. Scaled variables are z_i / s_i and
 * w_i s_i, with s such that the largest entry of every row and column of the scaled matrix is 1;
 * they do not change with the units of z, as long as all z_i w_i have the same one. */
typedef struct scree_lcp_certificate {
    double residual;         /* max |min(z_i, w_i)| over max(|b|, |z|, |w|), all scaled */
    double residual_siconos; /* that package's own: |z - max(0, z - w)|_2 / |b|_2, unscaled */
    double z_violation;      /* worst -z_i, unscaled like the next two */
    double w_violation;      /* worst -w_i */
    double complementarity;  /* worst |z_i w_i| */
    int32_t worst;           /* the row with the largest share of `residual`; -1 if none */
} scree_lcp_certificate;

SCREE_API SCREE_MUST_USE scree_status scree_lcp_certify(const scree_env* env, const scree_lcp* lcp,
                                                        const double* z,
                                                        scree_lcp_certificate* out);

/* A problem together with the memory its arrays lie in. Zero it before first use. */
typedef struct scree_lcp_store {
    scree_lcp lcp;
    void* memory; /* private */
} scree_lcp_store;

SCREE_API void scree_lcp_store_release(scree_lcp_store* store); /* zeroed: allowed */

/* ---- thousands of unknowns ---- */

/* The same problem with the matrix in compressed columns, rows in any order, none twice. */
typedef struct scree_sparse_lcp {
    int32_t n;
    scree_csc a; /* n x n */
    const double* b;
} scree_sparse_lcp;

/* Lemke's method on sparse factors: env->sparse is needed above 192 unknowns.
 * SCREE_ERROR_UNSUPPORTED without it, and for other methods. */
SCREE_API SCREE_MUST_USE scree_status scree_sparse_lcp_solve(const scree_env* env,
                                                             const scree_sparse_lcp* lcp,
                                                             const scree_lcp_def* def, double* z,
                                                             scree_lcp_report* report);
SCREE_API SCREE_MUST_USE scree_status scree_sparse_lcp_certify(const scree_env* env,
                                                               const scree_sparse_lcp* lcp,
                                                               const double* z,
                                                               scree_lcp_certificate* out);

/* As scree_lcp_store. */
typedef struct scree_sparse_lcp_store {
    scree_sparse_lcp lcp;
    void* memory; /* private */
} scree_sparse_lcp_store;

SCREE_API void scree_sparse_lcp_store_release(scree_sparse_lcp_store* store);

#ifdef __cplusplus
}
#endif

#endif
