/* What a contact obeys, as the problem and the solvers see it: one table entry per law. A solver
 * uses nothing else, so a new law needs no change in any solver. */
#ifndef SCRI_LAW_H
#define SCRI_LAW_H

#include "cones/layout_kernel.h"
#include "scree/solver.h"

/* What a law is told of a contact: its rows, and what scree_problem says of it, with coefficients
 * in the variables in use. */
typedef struct scri_terms {
    int rows;
    const double* coef;          /* [3] */
    const scree_set* const* set; /* [4] as in scree_problem, or NULL */
    const double* near; /* [width] where a law leaves a choice, it takes the answer nearest to this
                           impulse; or NULL */
} scri_terms;

typedef struct scri_law {
    const char* name;
    uint32_t rows;    /* bit r set: a contact with scree_rows r may have this law */
    int has_friction; /* rows are N and channels; otherwise they are rows of equal rank */
    int has_cone; /* the law is -yhat in the normal cone of what `project` projects on, yhat with
                     the shift; otherwise it is a fixed point of `react` and no less */
    int has_sets; /* other sets than discs: residuals are those of `react` */

    /* Closest point of the set of admissible impulses, in place; without a cone, a near one. */
    void (*project)(scri_terms t, double* p);

    /* What is added to y_N before the complementarity is judged; 0 for an associated law, and for
     * one without a cone, whose complementarity is that of p_N and y_N. */
    double (*shift)(scri_terms t, const double* y);

    /* Closest point of the cone of those d with d . y >= 0 at every solution, whatever the impulses
     * are; in place. Impulses may grow along it without limit, and where they move nothing (W d =
     * 0) while q . d < 0, there is no solution. */
    void (*recede)(scri_terms t, double* d);

    /* Coefficients after the change of variables p' = s p, y' = y / s, with s[width]. */
    void (*scale)(scri_terms t, const double* s, double* out);

    /* Solves y = w p + q alone, in equilibrated variables. `p` is the first guess and receives the
     * answer; lambda[3] carries the slip rates from one call to the next (zeros at first). The
     * answer is admissible and good to about `tolerance`, relative. */
    scree_one_contact (*solve)(scri_terms t, const double* w, const double* q, double* p,
                               double* lambda, double tolerance);

    /* Reaction map with derivative, see laws/reaction.h; NULL for a law without one. */
    void (*react)(scri_terms t, const double* z, double blur, double* p, double* d);
} scri_law;

extern const scri_law scri_law_exact, scri_law_convex;                              /* friction.c */
extern const scri_law scri_law_exact_sets, scri_law_convex_sets, scri_law_extended; /* set_law.c */
extern const scri_law scri_law_coupled;                                             /* coupled.c */
extern const scri_law scri_law_bilateral;                    /* bilateral.c */
extern const scri_law scri_law_interval, scri_law_half_line; /* interval.c */

/* 0: the shift of every law but the exact ones. */
double scri_law_no_shift(scri_terms t, const double* y);

/* The half line of the normal: y_N >= 0 is all that an exact law promises of y alone. */
void scri_law_recede_normal(scri_terms t, double* d);

/* The law with a number of scree_law, for discs; NULL for any other number. */
const scri_law* scri_law_get(int law);

/* The same for contact c of a valid problem, which may have other sets. */
const scri_law* scri_law_of(const scree_problem* problem, int32_t c);

/* scree_one_contact_solve() with any sets. */
scree_one_contact scri_one_contact_solve(const scri_law* law, scri_terms terms, const double* w,
                                         const double* q, double* p);

/* The terms of contact c; `coef` [3 n_contacts] are those of the variables in use. */
static inline scri_terms scri_terms_of(const scree_problem* problem, int32_t c, const double* coef)
{
    const scree_set* const* set = problem->set ? problem->set + 4 * (size_t)c : NULL;
    return (scri_terms){problem->rows[c], coef + 3 * (size_t)c, set, NULL};
}

#endif
