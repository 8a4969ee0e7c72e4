#include "solvers/monitor.h"

#include "base/compiler.h"

#include <math.h>

/* A first guess as good as this needs no iteration, whatever min_iter says. */
#define AT_ROUNDING 1e-12

/* Fall of the residual that counts as progress. */
#define GAIN 0.9

scri_monitor scri_monitor_create(const scree_solver_def* def)
{
    return (scri_monitor){.tol = def->tol, .min_iter = def->min_iter, .residual = SCREE_NAN};
}

void scri_monitor_begin(scri_monitor* m, int64_t iterations, int64_t patience, int64_t hope)
{
    m->began = m->marked = iterations;
    m->patience = patience;
    m->hope = hope;
    m->own = m->mark = SCREE_INFINITY;
    m->rate_residual = m->residual;
    m->rate_at = 0;
}

void scri_monitor_take(scri_monitor* m, double residual)
{
    m->residual = residual;
    if (residual < m->own) m->own = residual;
}

int scri_monitor_is_small(const scri_monitor* m, double residual, int64_t iterations)
{
    return residual <= m->tol && (iterations >= m->min_iter || residual <= AT_ROUNDING);
}

/* Whether the rate foresees too many iterations. It is taken over the last half of those made, once
 * there are RATE_FIRST: before, a method still finds out what slides. */
static int is_hopeless(scri_monitor* m, int64_t iterations)
{
    enum { RATE_FIRST = 48 };
    int64_t made = iterations - m->began;
    if (m->hope == 0 || made < 2 * m->rate_at || made < RATE_FIRST) return 0;
    double fall = log(m->rate_residual / m->own);
    double rate = fall / (double)(made - m->rate_at);
    int first = m->rate_at == 0;
    m->rate_residual = m->own;
    m->rate_at = made;
    if (first) return 0;
    return !(log(m->own / m->tol) <= rate * (double)m->hope);
}

int scri_monitor_has_stalled(scri_monitor* m, int64_t iterations)
{
    if (isfinite(m->own) && m->own <= GAIN * m->mark) {
        m->mark = m->own;
        m->marked = iterations;
    }
    int64_t made = m->marked - m->began, since = iterations - m->marked;
    if (since > m->patience && since > made) return 1;
    return is_hopeless(m, iterations);
}
