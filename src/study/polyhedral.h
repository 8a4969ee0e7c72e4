/* Polyhedral friction: what its files share. */
#ifndef SCRI_POLYHEDRAL_H
#define SCRI_POLYHEDRAL_H

#include "base/arena.h"
#include "base/compiler.h"
#include "scree_study/polyhedral.h"

/* ---- polygons and the problem with their corners (polyhedral_corners.c) ---- */

/* A contact as the corner form sees it: rows of G, and the polygon that p_T / (mu p_N) may fill. */
typedef struct scri_corner_contact {
    int32_t normal, tangent; /* rows of G; the tangential ones follow each other */
    int32_t dim;             /* of them: 0, 1 or 2 */
    double mu;               /* where it is 0, the tangential force is, and has no unknowns */
    int32_t n_corners;
    const double* corner; /* [2 n_corners]; where dim is 1 only the first of two counts */
} scri_corner_contact;

/* Corners of { x : |e_j . x| <= 1 } for k unit vectors that span the plane, [4 k] out; work [2 k].
 */
void scri_polygon_around(int32_t k, const double* e, double* corner, double* work);

/* Those of a regular polygon of 2k corners; k = 1 and dim 1: the interval. */
void scri_polygon_regular(int32_t k, int dim, scree_polygon polygon, double* corner);

int32_t scri_corner_unknowns(int32_t n, const scri_corner_contact* contact);

/* y = G p + b with every contact's law, as an LCP in (p_N, corner multipliers, bounds).
 * g[rows * rows] row-major; a[m * m], rhs[m] out, m as above. */
void scri_corner_assemble(int32_t n, const scri_corner_contact* contact, int32_t rows,
                          const double* g, const double* b, double* a, double* rhs);

/* The same with a sparse matrix, from W in blocks. */
scree_status scri_corner_assemble_sparse(scri_arena* arena, const scree_problem* assembled,
                                         const scri_corner_contact* contact, scree_sparse_lcp* out);

/* p[rows] of a solution z[m]. */
void scri_corner_read(int32_t n, const scri_corner_contact* contact, const double* z, double* p);

/* ---- the system at hand (polyhedral_system.c) ---- */

/* A closed contact. Sticking ones have tangential rows and lines of their own. */
typedef struct scri_closed {
    int32_t contact;
    int32_t dim;            /* tangential rows: 0 when it slides or has none */
    int32_t k;              /* lines: 0 when dim is */
    int32_t tangent;        /* first of its rows in J_t */
    int32_t line;           /* first of its lines in E */
    double mu;              /* static */
    double slide[2];        /* sliding: friction force over lambda_n */
    const double* slip_row; /* sliding: its tangential rows of J, [n] each, and their rates */
    double slip_rate[2];
    const double* e; /* [2 k] lines */
    double rho;
} scri_closed;

/* Equation (8) before anything is eliminated, and G = J M^-1 J^T + C with the rows N, then T. */
typedef struct scri_poly_system {
    int32_t n, m, mt, mk; /* coordinates, closed contacts, tangential rows, lines */
    scri_closed* closed;  /* [m] */
    double* mass;         /* [n * n] */
    double* factor;       /* [n * n] Cholesky */
    double* force;        /* [n] f_a - c */
    double* free;         /* [n] M^-1 force */
    double* j;            /* [(m + mt) * n] J_n, then J_t */
    double* push;         /* [(m + mt) * n] rows: generalised force of a unit lambda_n or lambda_t;
                             J itself but for sliding contacts */
    double* reach;        /* [(m + mt) * n] rows: M^-1 push */
    double* rate;         /* [m + mt] */
    double* g;            /* [(m + mt) * (m + mt)] row-major, compliance included */
    double* b;            /* [m + mt] J free + rate */
    double compliance;
} scri_poly_system;

/* Rows of G. */
static inline size_t scri_poly_rows(const scri_poly_system* s)
{
    return (size_t)s->m + (size_t)s->mt;
}

/* A state of the system. */
typedef struct scri_poly_state {
    double t;
    const double *q, *u;
} scri_poly_state;

/* A solution: forces of the closed contacts and the acceleration they make. */
typedef struct scri_poly_solution {
    double* force;        /* [m + mt] lambda_n, lambda_t */
    double* kappa;        /* [2 mk] plus, minus */
    double* acceleration; /* [n] */
} scri_poly_solution;

struct scree_polyhedral {
    scree_env env;
    scri_arena* arena;
    scree_polyhedral_def def; /* its arrays lie in the arena */
    int32_t n_rows, n_lines;
    int32_t *row, *line; /* [n_contacts + 1] */
    double* e;           /* [2 n_lines] */
    double t;
    double *q, *u, *acceleration;
    double *force, *velocity;                                    /* [n_rows] */
    double* rho;                                                 /* [n_contacts] */
    double *kappa_plus, *kappa_minus, *sigma_minus, *sigma_plus; /* [n_lines] */
    double* coef;  /* [3 n_contacts] of the present moment */
    uint8_t* mode; /* [n_contacts] */
    int64_t n_events;
    scri_arena* last;          /* memory of the last evaluation */
    scree_lcp lcp;             /* in it */
    double *q0, *u0, *q1, *u1; /* [n] scratch of a step */
};

/* Calls the model at (t, q, u), with the contacts' modes as they are. */
scree_status scri_poly_system_create(const scree_polyhedral* p, scri_arena* arena, double t,
                                     const double* q, const double* u, scri_poly_system* out);

/* Relative velocities [n_rows] of all contacts; gap [n_contacts] or NULL. */
scree_status scri_poly_measure(const scree_polyhedral* p, double t, const double* q,
                               const double* u, double* velocity, double* gap);

/* acceleration = free + M^-1 J^T force. */
void scri_poly_accelerate(const scri_poly_system* s, const double* force, double* acceleration);

/* ---- phantom inertia and spectra (polyhedral_inertia.c) ---- */

/* Ranks of J and J_t into the report; rho of every closed contact, chosen or as asked for, and the
 * margin it leaves. */
scree_status scri_poly_inertia(const scree_polyhedral* p, scri_arena* arena, scri_poly_system* s,
                               scree_polyhedral_report* report);

scree_status scri_poly_spectrum(scri_arena* arena, int32_t n, const double* a, scree_spectrum* out);

/* ---- equation (8) and its reduction (polyhedral_reduce.c) ---- */

/* The matrix of (8), [size * size] row-major, and its constant part [size]. */
int32_t scri_poly_lead_size(const scri_poly_system* s);
void scri_poly_lead(const scri_poly_system* s, double* a, double* b);

/* The LCP in lambda_n, kappa+, kappa-; [m + 2 mk]. SCREE_ERROR_INPUT when G_tt is singular. */
scree_status scri_poly_reduce(const scri_poly_system* s, scri_arena* arena, scree_lcp* out);
scree_status scri_poly_recover(const scri_poly_system* s, scri_arena* arena, const double* z,
                               scri_poly_solution* out);

/* Solves (8) itself for the unknowns that are positive, which costs none of the digits that the
 * inverse of a nearly singular G_tt does. */
scree_status scri_poly_polish(const scri_poly_system* s, scri_arena* arena, scri_poly_solution* x);

/* Largest error of (8) over its largest term; sigma [2 mk] (minus, plus) out. */
scree_status scri_poly_error(const scri_poly_system* s, scri_arena* arena,
                             const scri_poly_solution* x, double* sigma, double* error);

/* ---- forces that are not unique (polyhedral_least.c) ---- */

/* By the corner form, which Lemke's method always solves; `variant` 0: with its usual covering
 * vector, else with another. */
scree_status scri_poly_corners(const scree_polyhedral* p, const scri_poly_system* s,
                               scri_arena* arena, int variant, scri_poly_solution* out,
                               scree_lcp_report* report);

/* Replaces the forces by those of least norm among all that make the same acceleration. */
scree_status scri_poly_least(const scree_env* env, const scri_poly_system* s, scri_arena* arena,
                             scri_poly_solution* x);

/* ---- the impulse of an event (polyhedral_motion.c uses it) ---- */
scree_status scri_poly_impulse(const scree_polyhedral* p, const scri_poly_system* s,
                               scri_arena* arena, double* u, scree_lcp_report* report);

/* Coefficients of the present moment into p->coef. */
void scri_poly_coefficients(scree_polyhedral* p);

/* One evaluation of a state with the modes as they are, in memory of `arena`. */
scree_status scri_poly_solve(const scree_polyhedral* p, scri_arena* arena, scri_poly_state state,
                             scri_poly_system* s, scri_poly_solution* x,
                             scree_polyhedral_report* report);

#endif
