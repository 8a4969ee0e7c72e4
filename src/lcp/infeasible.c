/* Whether z >= 0 and A z + b >= 0 have a common point at all. The smallest t >= 0 with
 * A z + b + t e >= 0 is a linear programme; its optimality conditions are a complementarity problem
 * with a skew matrix, which Lemke's method always solves:
 *
 *     [ 0   0  -A^T ] [z]   [0]
 *     [ 0   0  -e^T ] [t] + [1]        and when t > 0, y proves that no point exists:
 *     [ A   e   0   ] [y]   [b]        y >= 0, A^T y <= 0, but b . y = -t < 0. */
#include "lcp/lcp.h"

#include <math.h>

enum { MOST_ROWS = 400 };

/* How far below 0 the product has to be, in units of |b|, and how far above 0 rounding may leave
 * the rest. */
#define PROOF 1e-9
#define ROUNDING 1e-12

static void assemble(const scri_lcp* lcp, scri_lcp* programme)
{
    size_t n = (size_t)lcp->n, size = 2 * n + 1;
    for (size_t i = 0; i < n; ++i) {
        for (size_t j = 0; j < n; ++j) {
            programme->a[j * size + n + 1 + i] = -lcp->a[i * n + j];
            programme->a[(n + 1 + i) * size + j] = lcp->a[i * n + j];
        }
        programme->a[n * size + n + 1 + i] = -1.0;
        programme->a[(n + 1 + i) * size + n] = 1.0;
        programme->b[n + 1 + i] = lcp->b[i] / lcp->size;
    }
    programme->b[n] = 1.0;
    programme->size = 1.0;
}

/* b . y in units of |b| if y is a proof, else 0: from the problem itself. */
static double judge(const scri_lcp* lcp, const double* y)
{
    size_t n = (size_t)lcp->n;
    double product = 0.0, sum = 0.0;
    for (size_t i = 0; i < n; ++i) {
        if (!(y[i] >= 0.0)) return 0.0;
        product += lcp->b[i] / lcp->size * y[i];
        sum += y[i];
    }
    for (size_t j = 0; j < n; ++j) {
        double column = 0.0;
        for (size_t i = 0; i < n; ++i) column += lcp->a[i * n + j] * y[i];
        if (!(column <= ROUNDING * sum)) return 0.0;
    }
    return product < -PROOF * sum ? product / sum : 0.0;
}

scree_status scri_lcp_prove_infeasible(scri_lcp_run* run)
{
    const scri_lcp* lcp = run->lcp;
    if (lcp->n > MOST_ROWS) return SCREE_OK;
    size_t size = 2 * (size_t)lcp->n + 1;
    scri_lcp programme = {.n = (int32_t)size,
                          .a = scri_arena_take(run->arena, size, size * sizeof(double)),
                          .b = scri_arena_take(run->arena, size, sizeof(double))};
    double* z = scri_arena_take(run->arena, size, sizeof *z);
    if (!programme.a || !programme.b || !z) return SCREE_ERROR_MEMORY;
    assemble(lcp, &programme);
    scree_lcp_report report = {.outcome = SCREE_LCP_RAY};
    scri_lcp_run inner = {.lcp = &programme,
                          .arena = run->arena,
                          .tol = run->tol,
                          .env = run->env,
                          .until = run->until,
                          .z = z,
                          .report = &report};
    scree_status status = scri_lcp_lemke(&inner);
    if (status || report.outcome != SCREE_LCP_SOLVED) return status;
    double proof = judge(lcp, z + lcp->n + 1);
    if (!(proof < 0.0)) return SCREE_OK;
    run->report->outcome = SCREE_LCP_INFEASIBLE;
    run->report->proof = proof * lcp->size;
    return SCREE_OK;
}
