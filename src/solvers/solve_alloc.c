/* The way to impulses that asks for nothing: any form, memory from the environment. */
#include "base/env.h"
#include "scree/certificate.h"
#include "scree/solver.h"

#include <string.h>

void scree_solution_release(scree_solution* solution)
{
    scri_release(&solution->env, solution->p);
    scri_release(&solution->env, solution->y);
    *solution = (scree_solution){.p = NULL};
}

static scree_status fill(const scree_env* env, const scree_problem* problem,
                         const scree_solver_def* def, scree_solution* out)
{
    size_t bytes = (size_t)scree_problem_n_rows(problem) * sizeof *out->p;
    size_t size = scree_solve_work_size(problem, def); /* 0: scree_solve() says why */
    void* work = scri_alloc(env, size ? size : 1);
    out->p = scri_alloc(env, bytes);
    out->y = scri_alloc(env, bytes);
    scree_status status = SCREE_ERROR_MEMORY;
    if (work && out->p && out->y) {
        memset(out->p, 0, bytes);
        status = scree_solve(problem, def, work, out->p, &out->report);
    } else {
        scri_fail(env, status, "out of memory for a solution");
    }
    scri_release(env, work);
    if (!status) status = scree_certify(env, problem, out->p, &out->certificate);
    return status ? status : scree_problem_velocity(env, problem, out->p, out->y);
}

scree_status scree_solve_alloc(const scree_env* env, const scree_problem* problem,
                               const scree_solver_def* def, scree_solution* out)
{
    if (!out) return SCREE_ERROR_ARGUMENT;
    *out = (scree_solution){.p = NULL};
    if (!problem || problem->n_contacts < 1) {
        return scri_fail(env, SCREE_ERROR_ARGUMENT, "there is nothing to solve");
    }
    scree_solver_def own = def ? *def : scree_default_solver_def();
    scree_problem_store reduced = {.memory = NULL};
    scree_status status = SCREE_OK;
    own.env = env;
    if (env) out->env = *env;
    if (problem->form == SCREE_FORM_FACTORED) status = scree_problem_reduce(env, problem, &reduced);
    if (!status) status = fill(env, reduced.memory ? &reduced.problem : problem, &own, out);
    scree_problem_store_release(&reduced);
    if (status) scree_solution_release(out);
    return status;
}
