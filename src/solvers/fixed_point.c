/* Projected fixed point, p <- P_K(p - rho (W p + q + g)), equation (64) of Acary & Bourrier. With a
 * relaxation lambda < 1 the next iterate is lambda times that plus (1 - lambda) p: (46) of Tasora &
 * Anitescu with K = 0. */
#include "solvers/projection_step.h"
#include "solvers/solver.h"

static void relax(scri_run* run, scri_projection* s)
{
    double share = run->def->relaxation;
    for (int32_t i = 0; i < run->at.n_rows; ++i) {
        s->trial[i] = share * s->trial[i] + (1.0 - share) * s->x[i];
    }
    scri_projection_evaluate(run, s, s->trial, s->f_trial);
}

static void advance(scri_run* run, scri_projection* s)
{
    scri_projection_trial(run, s);
    if (run->def->relaxation < 1.0) relax(run, s);
    double* swap = s->x;
    s->x = s->trial, s->trial = swap;
    swap = s->f, s->f = s->f_trial, s->f_trial = swap;
}

static void solve(scri_run* run, scri_bump* bump)
{
    scri_projection s = scri_projection_create(run, bump);
    if (bump->memory) scri_projection_iterate(run, &s, advance);
}

const scri_solver scri_solver_fixed_point = {
    "fixed-point",
    "projected fixed point with a self-adaptive step, or a fixed rho",
    SCRI_PROJECTION_FITS,
    scri_projection_unfit,
    solve,
};
