#include "solvers/solver.h"

#include <string.h>

static const scri_solver* const solvers[] = {
    &scri_solver_auto,         &scri_solver_nsgs,        &scri_solver_nsgs_aa,
    &scri_solver_nsgs_bodies,  &scri_solver_nsgs_wide,   &scri_solver_nsgs_wide_aa,
    &scri_solver_newton_dense, &scri_solver_fixed_point, &scri_solver_extragradient,
    &scri_solver_apgd,         &scri_solver_newton_prox, &scri_solver_interior,
};

int scree_solver_count(void)
{
    return (int)(sizeof solvers / sizeof solvers[0]);
}

scree_solver_info scree_solver_get(int index)
{
    if (index < 0 || index >= scree_solver_count()) return (scree_solver_info){.name = NULL};
    const scri_solver* solver = solvers[index];
    return (scree_solver_info){solver->name, solver->summary, solver->fits};
}

const scri_solver* scri_solver_find(const char* name)
{
    for (int i = 0; name && i < scree_solver_count(); ++i) {
        if (strcmp(solvers[i]->name, name) == 0) return solvers[i];
    }
    return NULL;
}

const char* scri_solver_unfit(const scri_solver* solver, const scree_problem* problem,
                              const scree_solver_def* def)
{
    if (problem->form == SCREE_FORM_FACTORED) return "the problem is factored: reduce it first";
    return solver->unfit ? solver->unfit(problem, def) : NULL;
}

const char* scree_solver_unfit(const scree_problem* problem, const scree_solver_def* def)
{
    const scri_solver* solver = scri_solver_find(def->solver);
    return solver ? scri_solver_unfit(solver, problem, def) : "there is no solver of this name";
}
