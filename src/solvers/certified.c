/* The ways to impulses that ask for nothing: any form, memory from the environment, the solver and
 * the certificate in turn. */
#include "base/env.h"
#include "solvers/solve.h"

#include <string.h>

enum { ROUNDS = 5 };

/* A certificate that asks for a little more is met with something to spare. */
#define SHARE 0.5

typedef struct job {
    const scree_env* env;
    const scree_problem* stated; /* what the certificate is about */
    const scree_problem* solved; /* the same, or its reduced form */
    scree_solver_def def;        /* of the next round */
    double tol;                  /* that the caller asks for */
    void* work;
} job;

static void add_up(const scree_report* before, scree_report* report)
{
    report->iterations += before->iterations;
    report->time_s += before->time_s;
    report->updates += before->updates;
    report->fail_safe += before->fail_safe;
}

/* What is left of the limits after the rounds so far; 0 when nothing is. */
static int shrink_limits(const scree_solver_def* asked, const scree_report* sum,
                         scree_solver_def* def)
{
    def->max_iter = asked->max_iter - sum->iterations;
    def->max_time = asked->max_time - sum->time_s;
    def->min_iter = 0;
    return def->max_iter > 0 && def->max_time > 0.0;
}

static scree_status solve_in_rounds(job* j, double* p, scree_report* report,
                                    scree_certificate* certificate)
{
    const scree_solver_def asked = j->def;
    scree_report before = {.iterations = 0};
    for (int round = 0; round < ROUNDS; ++round) {
        scree_status status = scree_solve(j->env, j->solved, &j->def, j->work, p, report);
        if (!status) status = scree_certify(j->env, j->stated, p, certificate);
        if (status) return status;
        add_up(&before, report);
        before = *report;
        double residual = scree_certificate_residual(certificate, asked.measure);
        if (report->outcome != SCREE_OUTCOME_CONVERGED || residual <= j->tol) return SCREE_OK;
        j->def.tol *= SHARE * j->tol / residual;
        if (!shrink_limits(&asked, report, &j->def)) return SCREE_OK;
    }
    return SCREE_OK;
}

/* The certificate has the last word on convergence. */
static scree_outcome judge(const job* j, const scree_report* report,
                           const scree_certificate* certificate)
{
    if (report->outcome != SCREE_OUTCOME_CONVERGED) return report->outcome;
    double residual = scree_certificate_residual(certificate, j->def.measure);
    return residual <= j->tol ? SCREE_OUTCOME_CONVERGED : SCREE_OUTCOME_STALLED;
}

scree_status scree_solve_certified(const scree_env* env, const scree_problem* problem,
                                   const scree_solver_def* def, double* p, scree_report* report,
                                   scree_certificate* certificate)
{
    if (!problem || !def || !p || !report || !certificate || def->cookie != SCREE_SOLVER_COOKIE) {
        return SCREE_ERROR_ARGUMENT;
    }
    job j = {.env = env, .stated = problem, .solved = problem, .def = *def, .tol = def->tol};
    scree_problem_store reduced = {.memory = NULL};
    scree_status status = SCREE_OK;
    if (problem->form == SCREE_FORM_FACTORED) {
        status = scree_problem_reduce(env, problem, &reduced);
        j.solved = &reduced.problem;
    }
    if (!status) {
        size_t size = scree_solve_work_size(env, j.solved, def); /* 0: scree_solve() will say why */
        j.work = scri_alloc(env, size ? size : 1);
        status = j.work ? solve_in_rounds(&j, p, report, certificate)
                        : scri_fail(env, SCREE_ERROR_MEMORY, "out of memory for a solver");
    }
    if (!status) report->outcome = judge(&j, report, certificate);
    scri_release(env, j.work);
    scree_problem_store_release(&reduced);
    return status;
}

/* ---- with memory for the answer ---- */

void scree_solution_release(scree_solution* solution)
{
    if (!solution) return;
    scri_release(&solution->env, solution->p);
    scri_release(&solution->env, solution->y);
    *solution = (scree_solution){.p = NULL};
}

static scree_status fill(const scree_env* env, const scree_problem* problem,
                         const scree_solver_def* def, scree_solution* out)
{
    size_t bytes = (size_t)scree_problem_n_rows(problem) * sizeof *out->p;
    out->p = scri_alloc(env, bytes);
    out->y = scri_alloc(env, bytes);
    if (!out->p || !out->y) {
        return scri_fail(env, SCREE_ERROR_MEMORY, "out of memory for a solution");
    }
    memset(out->p, 0, bytes);
    scree_status status =
        scree_solve_certified(env, problem, def, out->p, &out->report, &out->certificate);
    return status ? status : scree_problem_velocity(env, problem, out->p, out->y);
}

scree_status scree_solve_alloc_sized(const scree_env* env, const scree_problem* problem,
                                     const scree_solver_def* def, scree_solution* out, size_t size)
{
    if (!out) return SCREE_ERROR_ARGUMENT;
    if (size != sizeof *out) {
        return scri_fail(env, SCREE_ERROR_ARGUMENT,
                         "a solution has %zu bytes instead of %zu: the program was built with "
                         "headers of another version",
                         size, sizeof *out);
    }
    *out = (scree_solution){.p = NULL};
    if (!problem || problem->n_contacts < 1) {
        return scri_fail(env, SCREE_ERROR_ARGUMENT, "there is nothing to solve");
    }
    scree_solver_def own = def ? *def : scree_default_solver_def();
    if (env) out->env = *env;
    scree_status status = fill(env, problem, &own, out);
    if (status) scree_solution_release(out);
    return status;
}
