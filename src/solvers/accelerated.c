#include "solvers/accelerated.h"

/* Least cosine of the angle between the way to the combination and the last step's change.
 * Measured: 0.5 to 1 while the acceleration works, any sign where it does not. */
#define LEAST_COSINE 0.2

/* A sweep may change this many times what the one before did, squared. */
#define MOST_GROWTH 100.0

/* Steps without acceleration after a combination was taken back. */
enum { PLAIN_STEPS = 4 };

/* Moves to the combination; 0 where there is none that helps. */
static int extrapolate(scri_run* run, scri_accelerated* m)
{
    if (m->products->used == 0 || m->plain_steps > 0) return 0;
    if (!(m->mix(run, m->history) >= LEAST_COSINE)) return 0;
    m->go_on(run, m->history);
    return 1;
}

scri_sweep_size scri_accelerated_sweep(scri_run* run, void* method, int64_t index, double tolerance)
{
    scri_accelerated* m = method;
    int is_first = m->made == 0;
    if (is_first) {
        m->extrapolated = extrapolate(run, m);
        if (!m->extrapolated) m->begin(run, m->history);
    }
    scri_sweep_size size = m->plain.sweep(run, m->plain.method, index, tolerance);
    if (is_first && m->extrapolated && !(size.change <= MOST_GROWTH * m->change)) {
        m->go_back(run, m->history);
        scri_anderson_forget(m->products);
        m->plain_steps = PLAIN_STEPS;
        return size;
    }
    m->change = size.change;
    if (++m->made < m->sweeps_per_step) return size;
    m->made = 0;
    if (m->plain_steps > 0) m->plain_steps--;
    m->take(run, m->history);
    return size;
}
