/* Projected Gauss-Seidel: z_i = max(0, z_i - w_i / A_ii), row by row. */
#include "lcp/lcp.h"

#include <math.h>
#include <string.h>

enum { SWEEPS = 100000, BETWEEN_CHECKS = 10 };

static void sweep(const scri_lcp* lcp, double* z)
{
    for (int32_t i = 0; i < lcp->n; ++i) {
        const double* row = lcp->a + (size_t)i * (size_t)lcp->n;
        double w = lcp->b[i];
        for (int32_t j = 0; j < lcp->n; ++j) w += row[j] * z[j];
        double next = z[i] - w / row[i];
        z[i] = next > 0.0 ? next : 0.0;
    }
}

scree_status scri_lcp_pgs(scri_lcp_run* run)
{
    const scri_lcp* lcp = run->lcp;
    size_t n = (size_t)lcp->n;
    for (size_t i = 0; i < n; ++i) {
        if (!(lcp->a[i * (n + 1)] > 0.0)) return SCREE_ERROR_UNSUPPORTED;
    }
    double* z = scri_arena_take(run->arena, n, sizeof *z);
    double* w = scri_arena_take(run->arena, n, sizeof *w);
    if (!z || !w) return SCREE_ERROR_MEMORY;
    memcpy(z, run->z, n * sizeof *z);
    double best = scri_lcp_residual(lcp, z, w);
    int64_t most = run->max_iter ? run->max_iter : SWEEPS;
    run->report->outcome = SCREE_LCP_ITERATION_LIMIT;
    for (int64_t k = 1; k <= most && !(best <= run->tol); ++k) {
        if (scri_lcp_is_late(run)) {
            run->report->outcome = SCREE_LCP_TIME_LIMIT;
            break;
        }
        sweep(lcp, z);
        run->report->iterations = k;
        if (k % BETWEEN_CHECKS && k < most) continue;
        double residual = scri_lcp_residual(lcp, z, w);
        if (!isfinite(residual)) {
            run->report->outcome = SCREE_LCP_STALLED;
            break;
        }
        if (!(residual < best)) continue;
        best = residual;
        memcpy(run->z, z, n * sizeof *z);
    }
    if (best <= run->tol) run->report->outcome = SCREE_LCP_SOLVED;
    return SCREE_OK;
}
