/* The iteration (46) of Tasora & Anitescu,
 *
 *     p+ = lambda P_K(p - omega B (N p + r + K (p+ - p))) + (1 - lambda) p,
 *
 * with K the part of N below its diagonal blocks: what a contact reads of those before it is new,
 * so that a pass is a Gauss-Seidel sweep in which each contact makes one projection. B is the
 * inverse of the diagonal of N, averaged over the rows of a channel so that cones stay cones; in
 * scaled variables it is 1. omega is `rho` of the def, without one 1 over a bound on the
 * eigenvalues of the contact's own block, and lambda `relaxation`. K = 0 is `fixed-point` with a
 * rho and a relaxation. Under the exact law the De Saxce term is that of the current velocities. */
#include "solvers/nsgs.h"
#include "solvers/projection_step.h"
#include "solvers/solver.h"

static void project_contact(scri_run* run, const scri_relax* relax, int32_t c,
                            scri_sweep_size* size)
{
    const scree_problem* problem = run->problem;
    int32_t row = problem->first_row[c];
    int width = problem->first_row[c + 1] - row;
    const scri_law* law = scri_law_of(problem, c);
    scri_terms terms = scri_terms_of(problem, c, run->scaling.coef);
    const double *s = run->scaling.scale + row, unit = run->scaling.unit;
    double bound = scri_relax_bound(width, relax->block + relax->offset[c]);
    double omega = run->def->rho > 0.0 ? run->def->rho : 1.0 / bound, share = run->def->relaxation;
    double y[SCRI_MAX_WIDTH], next[SCRI_MAX_WIDTH], change[SCRI_MAX_WIDTH], *p = run->at.p + row;
    if (!(bound > 0.0)) return;
    scri_operator_velocity(&run->op, run->at.p, c, y);
    for (int i = 0; i < width; ++i) y[i] /= s[i];
    y[0] += law->shift(terms, y);
    for (int i = 0; i < width; ++i) next[i] = p[i] * (unit * s[i]) - omega * y[i];
    law->project(terms, next);
    for (int i = 0; i < width; ++i) {
        double old = p[i] * (unit * s[i]), value = share * next[i] + (1.0 - share) * old;
        size->change += (value - old) * (value - old);
        size->impulse += value * value;
        change[i] = value / (unit * s[i]) - p[i];
        p[i] += change[i];
    }
    scri_operator_change(&run->op, c, change);
}

static scri_sweep_size sweep(scri_run* run, void* method, int64_t index, double tolerance)
{
    const scri_nsgs* m = method;
    int32_t n = run->problem->n_contacts;
    int backward = run->def->sweep == SCREE_SWEEP_SYMMETRIC && index % 2;
    scri_sweep_size size = {.updates = n};
    (void)tolerance;
    for (int32_t i = 0; i < n; ++i) {
        project_contact(run, &m->relax, backward ? n - 1 - i : i, &size);
    }
    return size;
}

static void solve(scri_run* run, scri_bump* bump)
{
    scri_nsgs nsgs = scri_nsgs_create(run, bump);
    if (!bump->memory) return;
    scri_sweeping sweeping = scri_nsgs_begin(run, &nsgs);
    sweeping.sweep = sweep;
    scri_sweeping_run(run, &sweeping);
}

const scri_solver scri_solver_projected = {
    "projected",
    "one projection for each contact and sweep, with omega and lambda of Tasora & Anitescu",
    SCRI_PROJECTION_FITS,
    scri_projection_unfit,
    solve,
};
