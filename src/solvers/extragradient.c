/* Extragradient method, equation (65) of Acary & Bourrier: a trial projection finds the direction,
 * a second one from the same point makes the step. */
#include "solvers/projection_step.h"
#include "solvers/solver.h"

static void advance(scri_run* run, scri_projection* s)
{
    scri_projection_trial(run, s);
    scri_projection_project(run, s, s->f_trial, s->trial);
    double* swap = s->x;
    s->x = s->trial, s->trial = swap;
    scri_projection_evaluate(run, s, s->x, s->f);
}

static void solve(scri_run* run, scri_bump* bump)
{
    scri_projection s = scri_projection_create(run, bump);
    if (bump->memory) scri_projection_iterate(run, &s, advance);
}

const scri_solver scri_solver_extragradient = {
    "extragradient",
    "extragradient with a self-adaptive step, or a fixed rho",
    SCRI_PROJECTION_FITS,
    scri_projection_unfit,
    solve,
};
