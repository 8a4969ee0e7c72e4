/* The equations of a complementary basis: A_BB z_B = -b_B, by LU factors and refinement. */
#include "lcp/lcp.h"
#include "math/dense_lu.h"

#include <math.h>
#include <string.h>

enum { REFINEMENTS = 3 };

scree_status scri_lcp_basis_create(scri_arena* arena, int32_t n, scri_lcp_basis* out)
{
    size_t count = (size_t)n;
    *out = (scri_lcp_basis){.matrix = scri_arena_take(arena, count, count * sizeof(double)),
                            .x = scri_arena_take(arena, 2 * count, sizeof(double)),
                            .pivot = scri_arena_take(arena, count, sizeof(int32_t)),
                            .index = scri_arena_take(arena, count, sizeof(int32_t))};
    return out->matrix && out->x && out->pivot && out->index ? SCREE_OK : SCREE_ERROR_MEMORY;
}

/* r = -(A_BB x + b_B) for the m indices of the basis. */
static void remainder_of(const scri_lcp* lcp, const int32_t* index, int32_t m, const double* x,
                         double* r)
{
    for (int32_t i = 0; i < m; ++i) {
        const double* row = lcp->a + (size_t)index[i] * (size_t)lcp->n;
        double sum = lcp->b[index[i]];
        for (int32_t j = 0; j < m; ++j) sum += row[index[j]] * x[j];
        r[i] = -sum;
    }
}

scree_status scri_lcp_basis_solve(const scri_lcp* lcp, scri_lcp_basis* basis, const uint8_t* basic,
                                  double* z)
{
    int32_t m = 0, *index = basis->index;
    double *x = basis->x, *r = basis->x + lcp->n;
    for (int32_t i = 0; i < lcp->n; ++i) {
        z[i] = 0.0;
        if (basic[i]) index[m++] = i;
    }
    if (m == 0) return SCREE_OK;
    for (int32_t j = 0; j < m; ++j) { /* factors go by columns */
        for (int32_t i = 0; i < m; ++i) {
            basis->matrix[(size_t)j * (size_t)m + (size_t)i] =
                lcp->a[(size_t)index[i] * (size_t)lcp->n + (size_t)index[j]];
        }
    }
    scree_status status =
        scri_dense_lu_factor(SCREE_SPARSE_GENERAL, m, basis->matrix, NULL, basis->pivot);
    if (status) return status;
    memset(x, 0, (size_t)m * sizeof *x);
    for (int pass = 0; pass <= REFINEMENTS; ++pass) {
        remainder_of(lcp, index, m, x, r);
        scri_dense_lu_solve(SCREE_SPARSE_GENERAL, m, basis->matrix, NULL, basis->pivot, r);
        for (int32_t i = 0; i < m; ++i) x[i] += r[i];
    }
    for (int32_t i = 0; i < m; ++i) {
        if (!isfinite(x[i])) return SCREE_ERROR_INPUT;
        z[index[i]] = x[i];
    }
    return SCREE_OK;
}
