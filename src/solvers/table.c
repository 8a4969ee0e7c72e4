#include "solvers/solver.h"

#include <math.h>
#include <string.h>

/* Options of scree_solver_def that only some methods take. */
enum {
    RHO = 1 << 0,
    CHANNELS = 1 << 1, /* rho_slide, rho_roll, rho_spin */
    RELAXATION = 1 << 2,
    LOCAL = 1 << 3,
    MAP = 1 << 4
};

static const struct {
    const scri_solver* solver;
    unsigned takes; /* it refuses a def that asks for others */
} solvers[] = {
    {&scri_solver_auto, 0},
    {&scri_solver_nsgs, RHO | LOCAL},
    {&scri_solver_nsgs_aa, 0},
    {&scri_solver_nsgs_bodies, 0},
    {&scri_solver_nsgs_wide, 0},
    {&scri_solver_nsgs_wide_aa, 0},
    {&scri_solver_newton_dense, MAP},
    {&scri_solver_fixed_point, RHO | RELAXATION},
    {&scri_solver_extragradient, RHO},
    {&scri_solver_channels, RHO | CHANNELS},
    {&scri_solver_proximal, RHO | CHANNELS},
    {&scri_solver_projected, RHO | RELAXATION},
    {&scri_solver_apgd, 0},
    {&scri_solver_admm, RHO},
    {&scri_solver_newton_prox, 0},
    {&scri_solver_interior, 0},
    {&scri_solver_interior_path, 0},
};

int scree_solver_count(void)
{
    return (int)(sizeof solvers / sizeof solvers[0]);
}

scree_solver_info scree_solver_get(int index)
{
    if (index < 0 || index >= scree_solver_count()) return (scree_solver_info){.name = NULL};
    const scri_solver* solver = solvers[index].solver;
    return (scree_solver_info){solver->name, solver->summary, solver->fits};
}

const scri_solver* scri_solver_find(const char* name)
{
    for (int i = 0; name && i < scree_solver_count(); ++i) {
        if (strcmp(solvers[i].solver->name, name) == 0) return solvers[i].solver;
    }
    return NULL;
}

/* What is wrong with the options that only some methods take; NULL: nothing. */
static const char* odd_option(const scri_solver* solver, const scree_solver_def* def)
{
    const double rho[4] = {def->rho, def->rho_slide, def->rho_roll, def->rho_spin};
    unsigned asked = def->rho != 0.0 ? RHO : 0u;
    for (int k = 0; k < 4; ++k) {
        if (!(rho[k] >= 0.0 && rho[k] < SCREE_INFINITY)) return "a rho is negative or not finite";
        if (k > 0 && rho[k] != 0.0) asked |= CHANNELS;
    }
    if (!(def->relaxation > 0.0 && def->relaxation <= 1.0)) return "relaxation is not in (0, 1]";
    if (def->relaxation != 1.0) asked |= RELAXATION;
    if (def->local != SCREE_LOCAL_EXACT) asked |= LOCAL;
    if (def->map != SCREE_MAP_ALART_CURNIER) asked |= MAP;
    for (int i = 0; i < scree_solver_count(); ++i) {
        if (solvers[i].solver == solver) asked &= ~solvers[i].takes;
    }
    return asked & RHO          ? "it has no fixed rho"
           : asked & CHANNELS   ? "it has no rho for each channel"
           : asked & RELAXATION ? "it has no relaxation"
           : asked & LOCAL      ? "it has no choice of a local solver"
           : asked & MAP        ? "it has no choice of a map"
                                : NULL;
}

const char* scri_solver_unfit(const scree_env* env, const scri_solver* solver,
                              const scree_problem* problem, const scree_solver_def* def,
                              const scri_facts* facts)
{
    const char* odd = odd_option(solver, def);
    if (odd) return odd;
    if (problem->form == SCREE_FORM_FACTORED) return "the problem is factored: reduce it first";
    return solver->unfit ? solver->unfit(env, problem, def, facts) : NULL;
}

const char* scree_solver_unfit(const scree_env* env, const scree_problem* problem,
                               const scree_solver_def* def)
{
    if (!problem || !def) return "there is no problem, or no def";
    const scri_solver* solver = scri_solver_find(def->solver);
    if (!solver) return "there is no solver of this name";
    scri_facts facts = scri_facts_find(problem, NULL);
    return scri_solver_unfit(env, solver, problem, def, &facts);
}
