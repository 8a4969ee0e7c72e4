/* What a contact obeys, as the problem and the solvers see it: one table entry per law. Others ask
 * an entry what it can do and never which one it is, so a new law changes nothing but the list of
 * scree/problem.h and its own file. */
#ifndef SCRI_LAW_H
#define SCRI_LAW_H

#include "cones/layout_kernel.h"
#include "laws/reaction_set.h"
#include "scree/solver.h"

/* What a law is told of a contact: its rows, and what scree_problem says of it, with coefficients
 * in the variables in use. */
typedef struct scri_terms {
    int rows;
    const double* coef;     /* [3] */
    const int32_t* set;     /* [4] as in scree_problem, or NULL */
    const scree_sets* sets; /* the pool that they are numbers in */
    const double* near; /* [width] where a law leaves a choice, it takes the answer nearest to this
                           impulse; or NULL */
} scri_terms;

typedef struct scri_law scri_law;
struct scri_law {
    const char* name;
    const char* coef[3]; /* what the coefficients are, NULL: unused */
    uint32_t rows;       /* bit r set: a contact with scree_rows r may have this law */
    uint32_t traits;     /* of scree_law_trait, and SCRI_LAW_JUDGED_BY_REACTION */
    uint32_t impulses;   /* bit i set: coef[i] is an impulse, otherwise a ratio of two */

    const scri_law* with_sets;  /* the entry for other sets than discs; NULL: this one */
    const scri_law* with_discs; /* the entry for discs; NULL: this one */
    const scri_law* relaxed;    /* the associated law with the same admissible impulses, or NULL */
    const scri_law* extended;   /* this law where it may have directions, or NULL */

    /* What is wrong with the coefficients, or NULL; no function: they are finite and >= 0. */
    const char* (*fault)(const double* coef);

    /* Closest point of the set of admissible impulses, in place; for a law that is no inclusion, a
     * near one. */
    void (*project)(scri_terms t, double* p);

    /* What is added to y_N before the complementarity is judged; 0 for an associated law, and for
     * one that is no inclusion, whose complementarity is that of p_N and y_N. */
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
    scree_one_contact_way (*solve)(scri_terms t, const double* w, const double* q, double* p,
                                   double* lambda, double tolerance);

    /* Reaction map with derivative, see laws/reaction.h; NULL for a law without one. */
    void (*react)(scri_terms t, const double* z, double blur, double* p, double* d);

    /* The impulses that the law allows beside p while y stays, see laws/reaction_set.h; NULL for a
     * law that cannot say. */
    scri_reaction_set (*reactions)(int rows, const double* coef, const double* p, const double* y,
                                   double tol);
};

/* A private trait: residuals are those of `react`, and no projection with a shift gives them. */
#define SCRI_LAW_JUDGED_BY_REACTION (1u << 31)

/* What friction channel by channel with a cone has in common. */
#define SCRI_LAW_FRICTION_TRAITS                                                                  \
    (SCREE_LAW_HAS_NORMAL | SCREE_LAW_HAS_FRICTION | SCREE_LAW_HAS_CHANNELS | SCREE_LAW_IS_CONE | \
     SCREE_LAW_MAY_HAVE_SETS)

static inline int scri_law_is(const scri_law* law, uint32_t traits)
{
    return (law->traits & traits) == traits;
}

/* Coulomb's law: channels one by one, by a cone, and no lift-off. */
static inline int scri_law_is_coulomb(const scri_law* law)
{
    return scri_law_is(law, SCREE_LAW_HAS_CHANNELS | SCREE_LAW_IS_INCLUSION) &&
           !scri_law_is(law, SCREE_LAW_IS_ASSOCIATED);
}

/* A row of a linear complementarity problem. */
static inline int scri_law_is_complementarity(const scri_law* law)
{
    return scri_law_is(law, SCREE_LAW_HAS_NORMAL) && !scri_law_is(law, SCREE_LAW_HAS_FRICTION);
}

/* A row that holds: y = 0, whatever that takes. */
static inline int scri_law_is_equation(const scri_law* law)
{
    return scri_law_is(law, SCREE_LAW_IS_INCLUSION | SCREE_LAW_IS_CONE) &&
           !scri_law_is(law, SCREE_LAW_HAS_NORMAL) && !scri_law_is(law, SCREE_LAW_HAS_FRICTION);
}

/* What whoever makes rows of his own wants of them. Only src/laws knows which law does it. */
typedef enum scri_law_that {
    SCRI_LAW_THAT_HOLDS = SCREE_LAW_BILATERAL, /* a constraint, a spring */
    SCRI_LAW_THAT_BOUNDS = SCREE_LAW_INTERVAL, /* a motor, dry friction of a joint */
    SCRI_LAW_THAT_STOPS = SCREE_LAW_HALF_LINE, /* a limit, a row of a complementarity problem */
    SCRI_LAW_THAT_RUBS = SCREE_LAW_EXACT       /* Coulomb's, with rolling and spinning */
} scri_law_that;

#define SCRI_DECLARE_LAW(LAW, entry) extern const scri_law scri_law_##entry;
SCREE_WORLD_LAWS(SCRI_DECLARE_LAW)
SCREE_OTHER_LAWS(SCRI_DECLARE_LAW)
#undef SCRI_DECLARE_LAW
extern const scri_law scri_law_exact_sets, scri_law_convex_sets; /* with_sets of two of them */

/* 0: the shift of every law but the exact ones. */
double scri_law_no_shift(scri_terms t, const double* y);

/* The half line of the normal: y_N >= 0 is all that an exact law promises of y alone. */
void scri_law_recede_normal(scri_terms t, double* d);

/* The law with a number of scree_law, for discs; NULL for any other number. */
SCRI_SISTERS const scri_law* scri_law_get(int law);

/* The same for contact c of a valid problem, which may have other sets. */
const scri_law* scri_law_of(const scree_problem* problem, int32_t c);

/* The numbers of law->relaxed and law->extended of the law with a number; -1 where it has none. */
int scri_law_relaxed(int law);
SCRI_SISTERS int scri_law_extended_by(int law);

/* scree_one_contact_solve() with any sets. */
scree_one_contact_way scri_law_solve_alone(const scri_law* law, scri_terms terms, const double* w,
                                           const double* q, double* p);

/* The terms of contact c; `coef` [3 n_contacts] are those of the variables in use. */
static inline scri_terms scri_terms_of(const scree_problem* problem, int32_t c, const double* coef)
{
    const int32_t* set = problem->set ? problem->set + 4 * (size_t)c : NULL;
    return (scri_terms){problem->rows[c], coef + 3 * (size_t)c, set, &problem->sets, NULL};
}

#endif
