/* Projected fixed point, p <- P_K(p - rho (W p + q + g)), equation (64) of Acary & Bourrier. With a
 * relaxation lambda < 1 the next iterate is lambda times that plus (1 - lambda) p: (46) of Tasora &
 * Anitescu with K = 0. */
#include "solvers/projection_step.h"
#include "solvers/solver.h"

enum { CHECK_INTERVAL = 20 };

static void relax(scri_run* run, scri_projection* s)
{
    double share = run->def->relaxation;
    for (int32_t i = 0; i < run->at.n_rows; ++i) {
        s->trial[i] = share * s->trial[i] + (1.0 - share) * s->x[i];
    }
    scri_projection_evaluate(run, s, s->trial, s->f_trial);
}

static void solve(scri_run* run, scri_bump* bump)
{
    scri_projection s = scri_projection_create(run, bump);
    if (!bump->memory) return;
    scri_projection_begin(run, &s);
    for (;;) {
        scri_projection_trial(run, &s);
        if (run->def->relaxation < 1.0) relax(run, &s);
        double* swap = s.x;
        s.x = s.trial, s.trial = swap;
        swap = s.f, s.f = s.f_trial, s.f_trial = swap;
        int stop = scri_run_tick(run);
        if (!stop && run->budget.iterations % CHECK_INTERVAL &&
            run->budget.iterations < run->budget.limit) {
            continue;
        }
        scri_projection_store(run, s.x);
        if (scri_run_check(run) || stop) return;
    }
}

const scri_solver scri_solver_fixed_point = {
    "fixed-point",
    "projected fixed point with a self-adaptive step, or a fixed rho",
    SCRI_PROJECTION_FITS,
    scri_projection_unfit,
    solve,
};
