/* Impulses that the velocities do not determine: how many there are, and the least of them.
 *
 * A block on four legs stands still whether each leg carries a quarter of its weight or two of
 * them a half: the velocities after a step are the same, the impulses (the reactions) are not
 * unique. Solvers return any of them; which one depends on the method and on the first guess.
 *
 * Whoever wants one answer has two ways. scree_reactions_least() picks, among all impulses that
 * lead to the same velocities and obey the same laws, those of least norm. The other way is to
 * change the problem: a compliance C > 0 in every row (Tikhonov's regularization, see
 * scree_problem) makes the impulses under a convex law unique, those of bodies that yield by C p;
 * as C falls to zero they tend to the least ones in the norm sum_i C_i p_i^2.
 *
 * Both calls take an assembled or bodies problem; reduce a factored one first. They work in
 * variables that are scaled per contact and channel like the certificate's, so that no result
 * depends on units.
 */
#ifndef SCREE_REACTIONS_H
#define SCREE_REACTIONS_H

#include "scree/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A singular value of the scaled operator that is not above this counts as zero. */
#define SCREE_RANK_FLOOR 1e-9

/* Rows are active when they can carry an impulse: all of a closed contact but those of a channel
 * without friction, and all rows of a joint. Of these the impulses of a channel that slips are
 * tied to p_N; what remains are the unknowns: p_N of every closed contact and the impulses of the
 * channels that stick. */
typedef struct scree_rank {
    int32_t active_rows;
    int32_t rank;       /* of the scaled operator W + C between the active rows */
    int32_t unknowns;   /* at most active_rows */
    int32_t determined; /* of the unknowns by the velocities: the rank of W + C between them */
} scree_rank;

/* Counts at the impulses p[n_rows], whose residual is `tol` or less: what moves no faster than that
 * residual makes believable, or than a tenth of `tol`, counts as resting. Reactions are not unique
 * (the contacts are hyperstatic) when determined < unknowns, but for what the limits of friction
 * alone may fix. An operator that is not symmetric is replaced by its symmetric part. Costs one or
 * two factorisations. SCREE_ERROR_UNSUPPORTED for a factored problem, for one with sets, and for
 * one so large that it needs a scree_env.sparse which is not there. */
SCREE_API SCREE_MUST_USE scree_status scree_reactions_rank(const scree_env* env,
                                                           const scree_problem* problem, double tol,
                                                           const double* p, scree_rank* out);

typedef struct scree_least {
    int32_t found; /* 1: p has been replaced; 0: p is as it was, nothing good enough was found */
    int32_t steps; /* Newton steps, one sparse factorisation each */
    double norm_before, norm; /* 2-norm of the scaled impulses given, and of those returned */
    double residual;          /* of those returned, scree measure */
} scree_least;

/* Replaces impulses p[n_rows] that solve the problem by those of least norm which lead to the same
 * velocities: whatever solution one begins with, the result is the same if the velocities are. What
 * counts as resting is decided as above. The result is taken only if its residual is not above
 * `tol`, or not above that of p where this is more. The operator should be symmetric; one that is
 * not gives impulses of a small norm, not of the least. SCREE_ERROR_UNSUPPORTED for a factored
 * problem and for one with sets. */
SCREE_API SCREE_MUST_USE scree_status scree_reactions_least(const scree_env* env,
                                                            const scree_problem* problem,
                                                            double tol, double* p,
                                                            scree_least* out);

typedef enum scree_pointed {
    SCREE_POINTED,     /* proved by velocities that open every contact into its dual cone */
    SCREE_NOT_POINTED, /* proved by self-stress */
    SCREE_POINTED_UNKNOWN
} scree_pointed;

/* Whether the friction cone of a problem is pointed, (45) of Tasora & Anitescu: no admissible
 * impulses but zero leave all bodies at rest. Then the convex law has a solution whatever the free
 * velocities are, and one motion (Theorem 2 there). It is where, and only where, the convex law has
 * a solution with every contact closing at the speed 1 (in scaled variables), which gives either
 * proof. stress[n_rows], unless it is NULL, receives the self-stress with the largest normal
 * impulse 1, or zeros. Laws of friction count as their convex relaxations; compliance, which
 * resists self-stress, is left out; self-stress in joints alone is a matter of their rank and not
 * found. SCREE_ERROR_UNSUPPORTED for a factored problem and the extended law. */
SCREE_API SCREE_MUST_USE scree_status scree_reactions_pointed(const scree_env* env,
                                                              const scree_problem* problem,
                                                              double* stress, scree_pointed* out);

#ifdef __cplusplus
}
#endif

#endif
