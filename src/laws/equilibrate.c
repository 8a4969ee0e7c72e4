#include "laws/equilibrate.h"

#include "math/power_of_two.h"

#include <math.h>

static int has_root(double square)
{
    return square > 0.0 && isfinite(square);
}

static double root_or(double square, double otherwise)
{
    return has_root(square) ? sqrt(square) : otherwise;
}

/* That of the normal row; if it has none, of the row that moves most; else 1. */
static double normal_scale(const double* diagonal, int width, double per_unit)
{
    double largest = 0.0;
    if (has_root(diagonal[0] * per_unit)) return sqrt(diagonal[0] * per_unit);
    for (int i = 0; i < width; ++i) largest = fmax(largest, diagonal[i]);
    return root_or(largest * per_unit, 1.0);
}

void scri_equilibrate(int rows, const scri_law* law, const double* diagonal, double unit, double* s)
{
    scri_layout layout = scri_layout_of(rows);
    double per_unit = 1.0 / unit; /* a power of two: products are exact */
    s[0] = normal_scale(diagonal, layout.width, per_unit);
    if (!scri_law_is(law, SCREE_LAW_HAS_FRICTION)) {
        for (int i = 1; i < layout.width; ++i) s[i] = root_or(diagonal[i] * per_unit, s[0]);
        return;
    }
    for (int k = 0; k < SCRI_CHANNELS; ++k) {
        double sum = 0.0;
        for (int i = 0; i < layout.dim[k]; ++i) sum += diagonal[layout.first[k] + i];
        double mean = layout.dim[k] == 2 ? 0.5 * sum : sum, scale = root_or(mean * per_unit, s[0]);
        for (int i = 0; i < layout.dim[k]; ++i) s[layout.first[k] + i] = scale;
    }
}

void scri_equilibrate_alone(const scri_law* law, scri_terms terms, const double* w, double* s,
                            double* press, double coef[3])
{
    int width = scri_layout_of(terms.rows).width;
    double diagonal[SCRI_MAX_WIDTH] = {0.0}, unit = scri_power_of_two(w[0]);
    for (int i = 0; i < width; ++i) diagonal[i] = w[i * width + i];
    scri_equilibrate(terms.rows, law, diagonal, unit, s);
    for (int i = 0; i < width; ++i) press[i] = unit * s[i];
    law->scale(terms, press, coef);
}
