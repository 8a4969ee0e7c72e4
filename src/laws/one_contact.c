/* One contact alone: equilibrate, solve, go back. */
#include "laws/equilibrate.h"
#include "laws/law.h"
#include "laws/one_contact_kernel.h"

#include <math.h>

scree_one_contact_way scree_one_contact_solve(scree_rows rows, scree_law law, const double coef[3],
                                              const double* w, const double* q, double* p)
{
    const scri_law* entry = scri_law_get((int)law);
    int width = scree_rows_width((int)rows);
    if (!entry || !width || !(entry->rows >> (unsigned)rows & 1u)) return SCREE_ONE_CONTACT_NONE;
    return scri_law_solve_alone(entry, (scri_terms){(int)rows, coef, NULL, NULL, NULL}, w, q, p);
}

scree_one_contact_way scri_law_solve_alone(const scri_law* law, scri_terms terms, const double* w,
                                           const double* q, double* p)
{
    int width = scree_rows_width(terms.rows);
    double s[SCRI_MAX_WIDTH], scaled_coef[3], scaled_w[SCRI_MAX_WIDTH * SCRI_MAX_WIDTH];
    double scaled_q[SCRI_MAX_WIDTH], lambda[SCRI_CHANNELS] = {0.0}, press[SCRI_MAX_WIDTH];
    scri_equilibrate_alone(law, terms, w, s, press, scaled_coef);
    for (int i = 0; i < width; ++i) {
        for (int j = 0; j < width; ++j) {
            scaled_w[i * width + j] = w[i * width + j] / (s[i] * press[j]);
        }
        scaled_q[i] = q[i] / s[i];
        p[i] *= press[i];
    }
    terms.coef = scaled_coef;
    scree_one_contact_way how =
        law->solve(terms, scaled_w, scaled_q, p, lambda, SCRI_ALONE_TOLERANCE);
    for (int i = 0; i < width; ++i) p[i] /= press[i];
    return how;
}
