/* Gauss-Seidel first, the fastest on nearly all problems; extragradient from its best iterate where
 * it stalls, and Gauss-Seidel once more from what that finds. */
#include "solvers/solver.h"

#include <string.h>

static void solve(scri_run* run, scri_bump* bump)
{
    static const scri_solver* const stages[] = {
        &scri_solver_nsgs,
        &scri_solver_extragradient,
        &scri_solver_nsgs,
    };
    enum { COUNT = sizeof stages / sizeof stages[0], PATIENCE = 2000 };
    size_t begin = bump->used, most = begin;
    const char* found_by = stages[0]->name;
    for (int i = 0; i < COUNT; ++i) {
        bump->used = begin; /* one stage at a time: they share the workspace */
        if (!bump->memory) {
            stages[i]->solve(run, bump);
            most = bump->used > most ? bump->used : most;
            continue;
        }
        double before = run->report.residual;
        int64_t patience = i + 1 < COUNT ? PATIENCE : SCRI_PATIENCE;
        scri_run_begin(run, stages[i]->name, run->def->max_iter - run->report.iterations, patience);
        stages[i]->solve(run, bump);
        if (run->report.residual < before) found_by = stages[i]->name;
        run->report.solver = found_by;
        if (run->report.outcome != SCREE_OUTCOME_STALLED) return;
        memcpy(run->p, run->best, (size_t)run->n_rows * sizeof *run->p);
    }
    bump->used = most;
}

const scri_solver scri_solver_auto = {
    "auto",
    "nsgs; where it stalls extragradient from its best iterate, then nsgs again",
    solve,
};
