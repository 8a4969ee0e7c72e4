/* The problem in scaled variables, and how far a point is from solving it. */
#include "lcp/lcp.h"

#include <math.h>

enum { ROUNDS = 12 }; /* of the scaling */

/* A diagonal that scales its row above this is rounding. */
#define NO_DIAGONAL 1e5

double scri_lcp_largest(const double* x, int32_t n)
{
    double most = 0.0;
    for (int32_t i = 0; i < n; ++i) {
        if (isnan(x[i])) return x[i];
        most = fmax(most, fabs(x[i]));
    }
    return most;
}

/* |a_ij| or |a_ji|, whichever is larger. */
static double coupling(int32_t n, const double* a, int32_t i, int32_t j)
{
    return fmax(fabs(a[(size_t)i * (size_t)n + (size_t)j]),
                fabs(a[(size_t)j * (size_t)n + (size_t)i]));
}

/* Largest entry of row and column i over rows that have a factor already, scaled but for s_i. */
static double largest_coupling(int32_t n, const double* a, int32_t i, const double* s)
{
    double most = 0.0;
    for (int32_t j = 0; j < n; ++j) {
        if (s[j] > 0.0) most = fmax(most, s[j] * coupling(n, a, i, j));
    }
    return most;
}

/* Factors that follow a change of units: from the diagonal; where that is nothing beside the rest
 * of its row, from the rows that have one. */
static void scale_by_diagonal(int32_t n, const double* a, double* s)
{
    for (int32_t i = 0; i < n; ++i) {
        double own = fabs(a[(size_t)i * ((size_t)n + 1)]);
        s[i] = own > 0.0 ? 1.0 / sqrt(own) : 0.0;
    }
    for (int32_t i = 0; i < n; ++i) {
        double beside = largest_coupling(n, a, i, s);
        if (s[i] > 0.0 && s[i] * beside > NO_DIAGONAL) s[i] = 0.0;
    }
    for (int32_t i = 0; i < n; ++i) {
        if (s[i] > 0.0) continue;
        double beside = largest_coupling(n, a, i, s);
        s[i] = beside > 0.0 ? 1.0 / beside : 0.0;
    }
    for (int32_t i = 0; i < n; ++i) {
        if (!(s[i] > 0.0) || !isfinite(s[i])) s[i] = 1.0;
    }
}

/* Then Ruiz: rows and columns are divided by the square root of their largest entry, again and
 * again. A row and its column share one factor, so that complementary pairs stay pairs. */
void scri_lcp_scale(int32_t n, const double* a, double* s)
{
    scale_by_diagonal(n, a, s);
    for (int round = 0; round < ROUNDS; ++round) {
        double change = 0.0;
        for (int32_t i = 0; i < n; ++i) {
            double most = largest_coupling(n, a, i, s);
            if (!(most > 0.0) || !isfinite(most)) continue;
            double factor = 1.0 / sqrt(s[i] * most);
            change = fmax(change, fabs(factor - 1.0));
            s[i] *= factor;
        }
        if (change < 0.01) break;
    }
}

scree_status scri_lcp_create(scri_arena* arena, const scree_lcp* asked, scri_lcp* out)
{
    size_t n = (size_t)asked->n;
    *out = (scri_lcp){.n = asked->n,
                      .a = scri_arena_take(arena, n, n * sizeof *out->a),
                      .b = scri_arena_take(arena, n, sizeof *out->b),
                      .scale = scri_arena_take(arena, n, sizeof *out->scale)};
    if (!out->a || !out->b || !out->scale) return SCREE_ERROR_MEMORY;
    scri_lcp_scale(asked->n, asked->a, out->scale);
    const double* s = out->scale;
    for (size_t i = 0; i < n; ++i) {
        for (size_t j = 0; j < n; ++j) out->a[i * n + j] = s[i] * asked->a[i * n + j] * s[j];
        out->b[i] = s[i] * asked->b[i];
    }
    out->size = scri_lcp_largest(out->b, out->n);
    if (!(out->size > 0.0)) out->size = 1.0;
    return SCREE_OK;
}

void scri_lcp_slack(int32_t n, const double* a, const double* b, const double* z, double* w)
{
    for (int32_t i = 0; i < n; ++i) {
        const double* row = a + (size_t)i * (size_t)n;
        double sum = b[i];
        for (int32_t j = 0; j < n; ++j) sum += row[j] * z[j];
        w[i] = sum;
    }
}

double scri_lcp_residual(const scri_lcp* lcp, const double* z, double* w)
{
    double most = 0.0;
    scri_lcp_slack(lcp->n, lcp->a, lcp->b, z, w);
    for (int32_t i = 0; i < lcp->n; ++i) {
        if (isnan(z[i]) || isnan(w[i])) return z[i] + w[i];
        most = fmax(most, fabs(z[i] < w[i] ? z[i] : w[i]));
    }
    double size = fmax(scri_lcp_largest(lcp->b, lcp->n),
                       fmax(scri_lcp_largest(z, lcp->n), scri_lcp_largest(w, lcp->n)));
    return size > 0.0 ? most / size : most;
}
