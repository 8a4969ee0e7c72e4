/* The natural map p - P_K(p - yhat): zero exactly where the laws hold. */
#ifndef SCRI_NATURAL_MAP_H
#define SCRI_NATURAL_MAP_H

#include "problem/scaling.h"
#include "scree/certificate.h"

/* Siconos does not divide its local error by a norm that is not above this. */
#define SCRI_SICONOS_FLOOR 2.220446049250313e-16

typedef struct scri_natural_map {
    double absolute;       /* 2-norm of the map over all contacts */
    double norm_p, norm_y; /* 2-norms in the same variables */
    double norm_q;
    int32_t worst; /* contact with the largest share; -1 when there is none */

    /* In scaled variables alone, otherwise 0: every contact by itself. Its size is the largest of
     * |q|, |y|, the velocities that the impulses give to either of its bodies, seen in its rows,
     * and scaling->speed. */
    double local;       /* largest |map| / size of one contact */
    int32_t local_at;   /* which; -1 when there is none */
    double approach;    /* largest |t| / size, t as in problem/infeasible.h */
    int32_t approaches; /* which; -1 when none does */
} scri_natural_map;

/* Evaluates at p, y [n_rows]: in scaled variables, or in raw ones when `scaling` is NULL.
 * `velocity` is the operator's state at p, or NULL: then velocities of bodies do not count. `size`
 * [n_contacts] gets the squares of the contacts' sizes in scaled variables; NULL: nobody asks. The
 * team, if there is one, helps. */
scri_natural_map scri_natural_map_evaluate(scri_team* team, const scree_problem* problem,
                                           const scri_scaling* scaling, const double* velocity,
                                           const double* p, const double* y, double* size);

/* The same in scaled variables with velocities that are found first: y[n_rows] is written, and the
 * operator brought in line with p. */
scri_natural_map scri_natural_map_apply(scri_operator* op, const scri_scaling* scaling,
                                        const double* p, double* y, double* size);

/* The residual of a map in scaled variables, with v = max(norm_q, min(norm_y, G norm_q)):
 *
 *     absolute / max(v, norm_p)                   while norm_p <= G v, otherwise
 *     max(0, absolute - 4 eps norm_p) / (G v)     and, beyond norm_p = R v, at least eps norm_p /
 * v.
 *
 * G = SCRI_GROWTH: impulses beyond G times the velocities, and velocities beyond G times the free
 * ones, make no error look smaller, since they grow so where there is no solution. They may be that
 * large in one, with masses in a ratio of a million: then an error below their rounding is none;
 * but beyond R = SCRI_ROUNDING nothing is known of velocities computed from them. Where q = 0,
 * self-stress of any size is a solution, and impulses count in full. */
#define SCRI_GROWTH 1e3
#define SCRI_ROUNDING 1e10
double scri_natural_map_scaled(const scri_natural_map* map);

/* absolute / max(norm_q, norm_p, norm_y); not divided where that is not above `floor`. */
double scri_natural_map_relative(const scri_natural_map* map, double floor);

/* Siconos's relative error from a map in raw variables: as above, but its LCP and planar rolling
 * errors are divided by the norm of q alone. */
double scri_natural_map_siconos(const scree_problem* problem, const scri_natural_map* raw);

/* The residual in the measure asked for. `raw` is evaluated without scaling, for the siconos
 * measure alone, and may be NULL otherwise; so may `scaled` for that measure. */
double scri_residual(const scree_problem* problem, scree_measure measure,
                     const scri_natural_map* scaled, const scri_natural_map* raw);

/* One contact in scaled variables. */
typedef struct scri_contact_map {
    double p[SCRI_MAX_WIDTH], y[SCRI_MAX_WIDTH], q[SCRI_MAX_WIDTH];
    double map, size; /* |map| of the contact, and its size as above */
} scri_contact_map;
scri_contact_map scri_natural_map_contact(const scree_problem* problem, const scri_scaling* scaling,
                                          const double* velocity, int32_t c, const double* p,
                                          const double* y);

#endif
