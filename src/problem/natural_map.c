#include "problem/natural_map.h"

#include <math.h>

/* Squares and where the largest share of `map` is. */
typedef struct sums {
    double map, p, y, q, worst;
    int32_t worst_contact;
} sums;

/* The three vectors of contact c in the variables in use. */
static void contact_variables(const scree_problem* problem, const scri_scaling* scaling, int32_t c,
                              const double* p, const double* y, double* local)
{
    int32_t row = problem->row[c];
    int width = problem->row[c + 1] - row;
    for (int i = 0; i < width; ++i) {
        double s = scaling ? scaling->scale[row + i] : 1.0;
        local[i] = p[row + i] * s;
        local[SCRI_MAX_WIDTH + i] = y[row + i] / s;
        local[2 * SCRI_MAX_WIDTH + i] = problem->q[row + i] / s;
    }
}

static double add_contact(const scri_law* law, scri_terms terms, const double* local, sums* total)
{
    const double *p = local, *y = local + SCRI_MAX_WIDTH, *q = local + 2 * SCRI_MAX_WIDTH;
    int width = scri_layout_of(terms.rows).width;
    double z[SCRI_MAX_WIDTH] = {0.0}, image[SCRI_MAX_WIDTH] = {0.0}, square = 0.0;
    for (int i = 0; i < width; ++i) image[i] = z[i] = p[i] - y[i];
    terms.near = p;
    if (law->has_sets) {
        law->react(terms, z, 0.0, image, NULL);
    } else {
        image[0] -= law->shift(terms, y);
        law->project(terms, image);
    }
    for (int i = 0; i < width; ++i) {
        double gap = p[i] - image[i];
        square += gap * gap;
        total->p += p[i] * p[i];
        total->y += y[i] * y[i];
        total->q += q[i] * q[i];
    }
    total->map += square;
    return square;
}

/* All sums for variables multiplied by `factor`: impulses and velocities alike, so that the map is
 * multiplied too. Only intervals have bounds that must follow. */
static sums add_all(const scree_problem* problem, const scri_scaling* scaling, const double* p,
                    const double* y, double factor)
{
    sums total = {.worst = -1.0, .worst_contact = -1};
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        double local[3 * SCRI_MAX_WIDTH] = {0.0}, bounds[3];
        scri_terms terms = scri_terms_of(problem, c, scaling ? scaling->coef : problem->coef);
        contact_variables(problem, scaling, c, p, y, local);
        if (factor != 1.0) {
            for (int i = 0; i < problem->row[c + 1] - problem->row[c]; ++i) {
                for (int k = 0; k < 3; ++k) local[k * SCRI_MAX_WIDTH + i] *= factor;
            }
            for (int i = 0; i < 3; ++i) bounds[i] = terms.coef[i] * factor;
            if (problem->law[c] == SCREE_LAW_INTERVAL) terms.coef = bounds;
        }
        double square = add_contact(scri_law_of(problem, c), terms, local, &total);
        if (square > total.worst || (isnan(square) && !isnan(total.worst))) {
            total.worst = square;
            total.worst_contact = c;
        }
    }
    return total;
}

/* A power of two that brings the largest variable near 1; 1 where there is none. */
static double normalizer(const scree_problem* problem, const scri_scaling* scaling, const double* p,
                         const double* y)
{
    double largest = 0.0;
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        double local[3 * SCRI_MAX_WIDTH];
        contact_variables(problem, scaling, c, p, y, local);
        for (int i = 0; i < problem->row[c + 1] - problem->row[c]; ++i) {
            for (int k = 0; k < 3; ++k) {
                largest = fmax(largest, fabs(local[k * SCRI_MAX_WIDTH + i]));
            }
        }
    }
    if (!(largest > 0.0) || isinf(largest)) return 1.0;
    int exponent;
    frexp(largest, &exponent);
    return ldexp(1.0, exponent < -1000 ? 1000 : -exponent);
}

/* Squares may overflow or vanish where units are far from 1; then all is done once more in others:
 * the residual must not be wrong, least of all too small. */
scri_natural_map scri_natural_map_evaluate(const scree_problem* problem,
                                           const scri_scaling* scaling, const double* p,
                                           const double* y)
{
    double factor = 1.0;
    sums total = add_all(problem, scaling, p, y, factor);
    double size = fmax(total.q, fmax(total.p, total.y));
    if (!(size > 1e-200 && size < 1e200)) {
        factor = normalizer(problem, scaling, p, y);
        if (factor != 1.0) total = add_all(problem, scaling, p, y, factor);
    }
    return (scri_natural_map){sqrt(total.map) / factor, sqrt(total.p) / factor,
                              sqrt(total.y) / factor, sqrt(total.q) / factor, total.worst_contact};
}

double scri_natural_map_relative(const scri_natural_map* map, double floor)
{
    double size = fmax(map->norm_q, fmax(map->norm_p, map->norm_y));
    return size > floor ? map->absolute / size : map->absolute;
}

double scri_natural_map_siconos(const scree_problem* problem, const scri_natural_map* raw)
{
    int by_q = problem->n_contacts > 0;
    for (int32_t c = 0; c < problem->n_contacts && by_q; ++c) {
        by_q = problem->rows[c] == SCREE_ROWS_NTR || problem->law[c] == SCREE_LAW_HALF_LINE;
    }
    if (!by_q) return scri_natural_map_relative(raw, SCRI_SICONOS_FLOOR);
    return raw->norm_q > SCRI_SICONOS_FLOOR ? raw->absolute / raw->norm_q : raw->absolute;
}

double scri_residual(const scree_problem* problem, const scri_scaling* scaling,
                     scree_measure measure, const double* p, const double* y)
{
    int raw = measure == SCREE_MEASURE_SICONOS;
    scri_natural_map map = scri_natural_map_evaluate(problem, raw ? NULL : scaling, p, y);
    return raw ? scri_natural_map_siconos(problem, &map) : scri_natural_map_relative(&map, 0.0);
}
