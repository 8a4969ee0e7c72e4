/* What the methods share: the problem in scaled variables, its certificate, and the solution of the
 * equations that a choice of basic variables leaves. */
#ifndef SCRI_LCP_H
#define SCRI_LCP_H

#include "base/arena.h"
#include "scree_study/lcp.h"

/* The problem that methods see: z = s zt, wt = s w, At = s A s, bt = s b. Rows and columns have a
 * largest entry near 1, so that plain tolerances mean something. */
typedef struct scri_lcp {
    int32_t n;
    double* a;     /* [n * n] row-major */
    double* b;     /* [n] */
    double* scale; /* [n] s */
    double size;   /* largest |b|, or 1 when b is 0 */
} scri_lcp;

/* Scales `asked` in memory of the arena. */
scree_status scri_lcp_create(scri_arena* arena, const scree_lcp* asked, scri_lcp* out);

/* s[n] for a[n * n] row-major. */
void scri_lcp_scale(int32_t n, const double* a, double* s);

/* w = a z + b. */
void scri_lcp_slack(int32_t n, const double* a, const double* b, const double* z, double* w);

/* max |min(z, w)| over max(|b|, |z|, |w|) of scaled variables, w[n] out; NaN where z is. */
double scri_lcp_residual(const scri_lcp* lcp, const double* z, double* w);

/* z of a complementary basis: z_i = 0 where basic[i] is 0, w_i = 0 elsewhere. */
typedef struct scri_lcp_basis {
    double* matrix; /* [n * n] */
    double* x;      /* [2 n] */
    int32_t* pivot; /* [n] */
    int32_t* index; /* [n] */
} scri_lcp_basis;

scree_status scri_lcp_basis_create(scri_arena* arena, int32_t n, scri_lcp_basis* out);

/* By LU factors and refinement; SCREE_ERROR_INPUT when the equations are singular. */
scree_status scri_lcp_basis_solve(const scri_lcp* lcp, scri_lcp_basis* basis, const uint8_t* basic,
                                  double* z);

/* A run of a method on the scaled problem. Methods set outcome and iterations, and leave their best
 * z[n]; who calls them recomputes the residual. */
typedef struct scri_lcp_run {
    const scri_lcp* lcp;
    scri_arena* arena;
    double tol;
    int64_t max_iter; /* 0: the method's own */
    const scree_env* env;
    double until;        /* clock: no further pivot, step or sweep after it */
    const double* cover; /* [n] scaled, or NULL */
    double* z;           /* [n] first guess in, answer out */
    scree_lcp_report* report;
    int (*progress)(void* user, int64_t iterations); /* or NULL */
    void* progress_user;
} scri_lcp_run;

typedef scree_status scri_lcp_method(scri_lcp_run* run);
scri_lcp_method scri_lcp_lemke, scri_lcp_pivot, scri_lcp_newton, scri_lcp_pgs;

/* Whether the time is up, or the caller wants no more. */
int scri_lcp_is_late(const scri_lcp_run* run);

/* Looks for a proof that no z >= 0 makes w >= 0; fills report->proof and the outcome if there is
 * one, and leaves the report alone otherwise. */
scree_status scri_lcp_prove_infeasible(scri_lcp_run* run);

/* What is wrong with a definition for n unknowns. */
scree_status scri_lcp_check_def(const scree_env* env, int32_t n, const scree_lcp_def* def);

/* The certificate from z, the scale s and the slack w, each [n]. */
void scri_lcp_judge(int32_t n, const double* b, const double* z, const double* s, const double* w,
                    scree_lcp_certificate* out);

/* Small things. */
double scri_lcp_largest(const double* x, int32_t n); /* of |x|; NaN if there is one */

#endif
