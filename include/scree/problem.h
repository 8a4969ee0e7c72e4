/* The one-step problem: contacts, their laws, and the operator W between impulses and velocities.
 *
 *     y = W p + q + C p,   and for every contact the law that its number in `law` names.
 *
 * A scree_problem is a plain view: it owns nothing, every array is borrowed from the caller, and
 * the library never writes to them. Build it from bodies and contacts (scree_problem_builder), fill
 * it by hand, read it from a file (scree_io/problem_file.h), or derive it (scree_problem_reduce).
 */
#ifndef SCREE_PROBLEM_H
#define SCREE_PROBLEM_H

#include "scree/base.h"
#include "scree/set.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Which rows a contact has. Values 1 to 6 equal the width; planar rolling has three rows as well.
 */
typedef enum scree_rows {
    SCREE_ROWS_N = 1,      /* normal only; also one scalar row of a joint, limit or LCP */
    SCREE_ROWS_NT = 2,     /* planar sliding: N, T */
    SCREE_ROWS_NTT = 3,    /* N, T1, T2 */
    SCREE_ROWS_NTTS = 4,   /* N, T1, T2, S */
    SCREE_ROWS_NTTRR = 5,  /* N, T1, T2, R1, R2 */
    SCREE_ROWS_NTTRRS = 6, /* N, T1, T2, R1, R2, S */
    SCREE_ROWS_NTR = 7,    /* planar sliding and rolling: N, T, R */
    SCREE_ROWS_END
} scree_rows;

/* Number of scalar rows, 1 to 6; 0 for a value outside the enumeration. */
SCREE_API int scree_rows_width(int rows);

/* What a contact obeys. yhat = y + (sum_k mu_k |y_k|) e_N; K and K_ell as in scree/set.h.
 *
 * X(CONSTANT, entry): the law SCREE_LAW_CONSTANT is what scri_law_entry of src/laws says. A new law
 * is one line here and one file there; nothing else knows laws by name. Those of the first list may
 * be the law of a world, and their entries are their names in scenes and options. */
#define SCREE_WORLD_LAWS(X)                                                              \
    X(EXACT, exact)     /* -yhat in N_K(p): Coulomb, rolling, spinning; no lift-off */   \
    X(CONVEX, convex)   /* -y in N_K(p): convex relaxation, lifts off while it slides */ \
    X(COUPLED, coupled) /* -y in N_{K_ell}(p): convex, one ellipsoid over all channels */

#define SCREE_OTHER_LAWS(X)                                                                    \
    X(BILATERAL, bilateral) /* y = 0 in every row: joints; rows have no meaning of N or T */   \
    X(INTERVAL, interval)   /* -y in N_[lo, hi](p), one row: motor, dry friction in a joint */ \
    X(HALF_LINE, half_line) /* 0 <= y complementary to p >= 0, one row: limits, LCP rows */    \
    X(EXTENDED, extended)   /* Walker and Leine: forces in C, sliding along the normal of D */

typedef enum scree_law {
#define SCREE_LAW_CONSTANT(LAW, entry) SCREE_LAW_##LAW,
    SCREE_WORLD_LAWS(SCREE_LAW_CONSTANT)
        SCREE_LAW_WORLD_COUNT, /* smaller ones are the laws of worlds */
    SCREE_LAW_LAST_OF_WORLD = SCREE_LAW_WORLD_COUNT - 1,
    SCREE_OTHER_LAWS(SCREE_LAW_CONSTANT)
#undef SCREE_LAW_CONSTANT
        SCREE_LAW_COUNT,
    SCREE_LAW_DEFAULT = SCREE_LAW_EXACT
} scree_law;

/* What can be relied on of a law. */
typedef enum scree_law_trait {
    SCREE_LAW_HAS_NORMAL = 1 << 0,    /* row 0 closes: y_N >= 0, p_N >= 0 */
    SCREE_LAW_HAS_FRICTION = 1 << 1,  /* rows are N and channels with coefficients mu, mu_r, mu_s;
                                         otherwise they are rows of equal rank */
    SCREE_LAW_HAS_CHANNELS = 1 << 2,  /* -p_k in mu_k p_N C_k, each channel by itself */
    SCREE_LAW_IS_INCLUSION = 1 << 3,  /* -yhat lies in the normal cone of one convex set at p */
    SCREE_LAW_IS_ASSOCIATED = 1 << 4, /* yhat is y: contacts of such laws make a convex problem */
    SCREE_LAW_IS_CONE = 1 << 5,       /* a multiple of an admissible impulse is admissible */
    SCREE_LAW_MAY_HAVE_SETS = 1 << 6, /* other convex C than discs */
    SCREE_LAW_MAY_HAVE_DIRECTIONS = 1 << 7 /* D other than C, and C that are not convex */
} scree_law_trait;

/* The traits of a law, or'ed; 0 for a value outside the enumeration. */
SCREE_API uint32_t scree_law_traits(int law);

/* "exact", "convex", ...; NULL for a value outside the enumeration. */
SCREE_API const char* scree_law_name(int law);

/* What coef[i] of a contact means under a law, i from 0 to 2: "mu", "mu_r", "mu_s", or "lo", ...;
 * NULL where the law does not use it. */
SCREE_API const char* scree_law_coef_name(int law, int i);

/* Block-sparse matrix with one block row and one block column per contact. Block k of block row c
 * couples contact c with contact column[k]; it is row-major, width(c) x width(column[k]), and
 * begins at value[offset[k]]. Columns increase within a block row. No symmetry is assumed. */
typedef struct scree_bsr {
    const int32_t* start;  /* [n_contacts + 1] first block of each block row */
    const int32_t* column; /* [n_blocks] */
    const int64_t* offset; /* [n_blocks + 1] */
    const double* value;   /* [offset[n_blocks]] */
} scree_bsr;

/* Compressed sparse columns; rows increase within a column, none is repeated. */
typedef struct scree_csc {
    int32_t n_rows, n_columns;
    const int32_t* start; /* [n_columns + 1] */
    const int32_t* row;   /* [start[n_columns]] */
    const double* value;  /* [start[n_columns]] */
} scree_csc;

/* M v = force + H p,  y = H^T v + q  (so W = H^T M^-1 H). Siconos and FCLIB call this "global". */
typedef struct scree_factored {
    scree_csc mass;      /* n_dof x n_dof, regular */
    scree_csc h;         /* n_dof x n_rows */
    const double* force; /* [n_dof] M times the free velocity */
} scree_factored;

/* Rigid bodies and contact frames; W is never formed. q is the free relative velocity. */
typedef struct scree_bodies {
    int32_t n_bodies;
    const double* inv_mass;    /* [n_bodies] 0 for an immovable body, which does not turn either */
    const double* inv_inertia; /* [6 n_bodies] in world axes: xx yy zz xy xz yz */
    const int32_t* pair;       /* [2 n_contacts] bodies A and B; -1 is the ground */
    const double* frame;       /* [9 n_contacts] n, t1, t2 in world axes */
    const double* arm;         /* [6 n_contacts] contact point minus centre of A; same of B */
    const int32_t* general;    /* [n_contacts] the first row in `jacobian` of a contact whose rows
                                  are given as such: those of joints; -1: frame and arms count.
                                  NULL: they count throughout */
    const double* jacobian; /* [12 per row] y = row . (velocity, angular velocity of A, the same of
                               B); an impulse p gives A and B p times their force and moment */
} scree_bodies;

typedef enum scree_form {
    SCREE_FORM_ASSEMBLED, /* `w` is used */
    SCREE_FORM_FACTORED,  /* `factored` is used */
    SCREE_FORM_BODIES     /* `bodies` is used; rows must be spatial (not NT, NTR) or general */
} scree_form;

typedef struct scree_problem {
    int32_t n_contacts;
    scree_form form;
    const int32_t* first_row; /* [n_contacts + 1] first scalar row of each contact */
    const uint8_t* rows;      /* [n_contacts] a scree_rows */
    const uint8_t* law;       /* [n_contacts] a scree_law */
    const double*
        coef; /* [3 n_contacts] what scree_law_coef_name() says: with friction mu, mu_r, mu_s */
    const int32_t* set;       /* [4 n_contacts] C and D of sliding, C and D of rolling, numbers in
                                 `sets`: channel k may carry coef[k] p_N C_k. -1 for C: the unit
                                 disc; -1 for D: C itself. NULL: discs throughout. Where C of
                                 sliding has a spin power and there is a row S, (p_T, p_S) lies in
                                 diag(coef[0], coef[0], coef[2]) p_N times the set in three
                                 dimensions */
    scree_sets sets;          /* borrowed like all arrays; empty where `set` is NULL */
    const double* q;          /* [first_row[n_contacts]] y when p = 0 (factored form: when v = 0) */
    const double* compliance; /* [first_row[n_contacts]] diagonal C >= 0, or NULL for none */
    scree_bsr w;
    scree_factored factored;
    scree_bodies bodies;
    const double* centre;    /* [3 bodies.n_bodies] where bodies are, or NULL: contacts that cannot
                                contradict each other may be known by it, without a search */
    const void* reserved[7]; /* zero: room for what later versions know */
} scree_problem;

/* Total number of scalar rows. */
SCREE_API int32_t scree_problem_n_rows(const scree_problem* problem);

/* Checks everything that the rest of the library relies on: sizes, orders, index ranges, finite
 * values, coefficients that are not negative, a law that allows its rows. The first fault is
 * logged with the contact where it stands. All other calls trust a problem that has passed. A
 * problem without contacts is valid, but there is nothing to solve in it. */
SCREE_API SCREE_MUST_USE scree_status scree_problem_validate(const scree_env* env,
                                                             const scree_problem* problem);

/* A problem together with the memory its arrays lie in. Zero it before first use. */
typedef struct scree_problem_store {
    scree_problem problem;
    void* memory; /* private */
} scree_problem_store;

/* Writes into `out` an assembled problem equal to `problem`, whatever its form.
 * Release it with scree_problem_store_release(). On failure `out` is left zeroed. */
SCREE_API SCREE_MUST_USE scree_status scree_problem_reduce(const scree_env* env,
                                                           const scree_problem* problem,
                                                           scree_problem_store* out);

/* Gives the memory back and zeroes the store; a zeroed store is allowed. */
SCREE_API void scree_problem_store_release(scree_problem_store* store);

/* ---- a problem of rigid bodies, piece by piece ---- */

/*     scree_problem_builder* builder = NULL;
 *     status = scree_problem_builder_create(&env, &builder);
 *     scree_builder_body ball = {.mass = 1.0, .inertia = {0.4, 0.4, 0.4}, .velocity = {0.0, 0.0,
 * -1.0}}; int32_t a = scree_problem_builder_add_body(builder, &ball); scree_builder_contact floor =
 * {.body = {a, -1}, .point = {0.0, 0.0, -1.0}, .normal = {0.0, 0.0, 1.0}, .coef = {0.5}};
 *     scree_problem_builder_add_contact(builder, &floor);
 *     status = scree_problem_builder_finish(builder, &store);   // frees the builder
 *
 * A faulty body or contact is logged when it is added, and makes `finish` fail: there is no need to
 * look at each. */
typedef struct scree_problem_builder scree_problem_builder;

/* Velocities are the free ones, after all forces but those of the contacts. */
typedef struct scree_builder_body {
    double mass;       /* kg; 0: it does not move by impulses */
    double inertia[6]; /* kg m^2 about the centre, in world axes: xx yy zz xy xz yz */
    double position[3];
    double velocity[3], angular_velocity[3];
} scree_builder_body;

typedef struct scree_builder_contact {
    int32_t body[2]; /* A and B; -1 is the ground */
    double point[3];
    double normal[3];        /* from B to A, of any length */
    double tangent[3];       /* t1 is its part across the normal; zeros: t1 is some tangent */
    int32_t rows;            /* a scree_rows; 0: those that the coefficients ask for */
    int32_t law;             /* a scree_law; 0 is SCREE_LAW_DEFAULT */
    double coef[3];          /* as in scree_problem */
    const scree_set* set[4]; /* C and D of sliding, C and D of rolling, as objects, which must live
                                until the problem is made; NULL for the unit disc and for D = C */
} scree_builder_contact;

SCREE_API SCREE_MUST_USE scree_status scree_problem_builder_create(const scree_env* env,
                                                                   scree_problem_builder** out);

/* Their numbers, from 0; -1 after a message. */
SCREE_API int32_t scree_problem_builder_add_body_sized(scree_problem_builder* builder,
                                                       const scree_builder_body* body, size_t size);
static inline int32_t scree_problem_builder_add_body(scree_problem_builder* builder,
                                                     const scree_builder_body* body)
{
    return scree_problem_builder_add_body_sized(builder, body, sizeof *body);
}
SCREE_API int32_t scree_problem_builder_add_contact_sized(scree_problem_builder* builder,
                                                          const scree_builder_contact* contact,
                                                          size_t size);
static inline int32_t scree_problem_builder_add_contact(scree_problem_builder* builder,
                                                        const scree_builder_contact* contact)
{
    return scree_problem_builder_add_contact_sized(builder, contact, sizeof *contact);
}

/* Makes the problem, in the bodies form and validated, and frees the builder, also on failure,
 * which leaves `out` zeroed. A NULL builder is a failure. */
SCREE_API SCREE_MUST_USE scree_status scree_problem_builder_finish(scree_problem_builder* builder,
                                                                   scree_problem_store* out);

#ifdef __cplusplus
}
#endif

#endif
