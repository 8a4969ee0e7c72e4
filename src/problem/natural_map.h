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
} scri_natural_map;

/* Evaluates at p, y [n_rows]: in scaled variables, or in raw ones when `scaling` is NULL. */
scri_natural_map scri_natural_map_evaluate(const scree_problem* problem,
                                           const scri_scaling* scaling, const double* p,
                                           const double* y);

/* absolute / max(norm_q, norm_p, norm_y); not divided where that is not above `floor`. */
double scri_natural_map_relative(const scri_natural_map* map, double floor);

/* Siconos's relative error from a map in raw variables: as above, but its LCP and planar rolling
 * errors are divided by the norm of q alone. */
double scri_natural_map_siconos(const scree_problem* problem, const scri_natural_map* raw);

/* The residual of an assembled or bodies problem in the measure asked for. `scaling` may be NULL
 * for the siconos measure. */
double scri_residual(const scree_problem* problem, const scri_scaling* scaling,
                     scree_measure measure, const double* p, const double* y);

#endif
