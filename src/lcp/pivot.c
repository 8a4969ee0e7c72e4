/* Block principal pivoting (Kostreva; Judice and Pires): solve the equations of a basis, exchange
 * every pair that comes out negative, and when that has not helped for a while one pair at a time,
 * the last one, as Murty does. Finite for P-matrices. */
#include "base/compiler.h"
#include "lcp/lcp.h"

#include <math.h>
#include <string.h>

enum { TRIES = 10, STEPS_PER_ROW = 20, STEPS_AT_LEAST = 200 };

/* Pairs that are negative by more than rounding; *last is the one with the largest index. */
static int32_t count_negative(const scri_lcp* lcp, const uint8_t* basic, const double* z,
                              const double* w, int32_t* last)
{
    double floor =
        1e-13 * fmax(lcp->size, fmax(scri_lcp_largest(z, lcp->n), scri_lcp_largest(w, lcp->n)));
    int32_t count = 0;
    for (int32_t i = 0; i < lcp->n; ++i) {
        if (!((basic[i] ? z[i] : w[i]) < -floor)) continue;
        ++count;
        *last = i;
    }
    return count;
}

static void exchange_all(const scri_lcp* lcp, uint8_t* basic, const double* z, const double* w)
{
    for (int32_t i = 0; i < lcp->n; ++i) {
        if ((basic[i] ? z[i] : w[i]) < 0.0) basic[i] ^= 1;
    }
}

static void keep_if_better(scri_lcp_run* run, const double* z, double* point, double* w,
                           double* best)
{
    int32_t n = run->lcp->n;
    for (int32_t i = 0; i < n; ++i) point[i] = z[i] > 0.0 ? z[i] : 0.0;
    double residual = scri_lcp_residual(run->lcp, point, w);
    if (!(residual < *best)) return;
    *best = residual;
    memcpy(run->z, point, (size_t)n * sizeof *point);
}

static scree_lcp_outcome iterate(scri_lcp_run* run, scri_lcp_basis* basis, uint8_t* basic,
                                 double* memory)
{
    const scri_lcp* lcp = run->lcp;
    int32_t n = lcp->n, fewest = n + 1, last = 0;
    int tries = TRIES;
    double *z = memory, *w = memory + n, *point = memory + 2 * n, best = SCREE_INFINITY;
    int64_t most = run->max_iter ? run->max_iter : STEPS_AT_LEAST + (int64_t)STEPS_PER_ROW * n;
    while (run->report->iterations < most) {
        if (scri_lcp_is_late(run)) return SCREE_LCP_TIME_LIMIT;
        ++run->report->iterations;
        if (scri_lcp_basis_solve(lcp, basis, basic, z)) return SCREE_LCP_STALLED;
        keep_if_better(run, z, point, w, &best);
        if (best <= run->tol) return SCREE_LCP_SOLVED;
        scri_lcp_slack(n, lcp->a, lcp->b, z, w);
        int32_t count = count_negative(lcp, basic, z, w, &last);
        if (count == 0) return SCREE_LCP_STALLED;
        if (count < fewest) {
            fewest = count;
            tries = TRIES;
        } else {
            --tries;
        }
        if (tries > 0) {
            exchange_all(lcp, basic, z, w);
        } else {
            basic[last] ^= 1;
        }
    }
    return SCREE_LCP_ITERATION_LIMIT;
}

scree_status scri_lcp_pivot(scri_lcp_run* run)
{
    size_t n = (size_t)run->lcp->n;
    scri_lcp_basis basis;
    scree_status status = scri_lcp_basis_create(run->arena, run->lcp->n, &basis);
    uint8_t* basic = scri_arena_take(run->arena, n, 1);
    double* memory = scri_arena_take(run->arena, 3 * n, sizeof *memory);
    if (status || !basic || !memory) return SCREE_ERROR_MEMORY;
    run->report->outcome = iterate(run, &basis, basic, memory);
    return SCREE_OK;
}
