/* Calls a solver as a user would and checks what every call promises. */
#ifndef SUPPORT_SOLVING_H
#define SUPPORT_SOLVING_H

#include "support/problems.h"

/* The residual of p in the measure that def names, from the certificate. */
static inline double certified(const scree_problem* problem, const scree_solver_def* def,
                               const double* p)
{
    scree_certificate certificate;
    assert_int_equal(scree_certify(NULL, problem, p, &certificate), SCREE_OK);
    return scree_certificate_residual(&certificate, def->measure);
}

/* Solves with a workspace of exactly the size asked for, filled with rubbish. The report must agree
 * with the certificate of the impulses returned, to the last bit, and with itself. */
static inline scree_report solved(const scree_problem* problem, const scree_solver_def* def,
                                  double* p)
{
    size_t size = scree_solve_work_size(problem, def);
    require(size > 0, "%s: no workspace", def->solver);
    unsigned char* work = test_take(size, 1);
    memset(work, 0xa5, size);
    scree_report report;
    memset(&report, 0xa5, sizeof report);
    double before = certified(problem, def, p);
    scree_status status = scree_solve(problem, def, work, p, &report);
    free(work);
    require(status == SCREE_OK, "%s: %s", def->solver, scree_status_text(status));
    for (int32_t i = 0; i < scree_problem_n_rows(problem); ++i) {
        require(isfinite(p[i]), "%s: impulse %d is %g", def->solver, (int)i, p[i]);
    }
    int impossible = report.outcome == SCREE_OUTCOME_INFEASIBLE; /* then it is of another problem */
    double residual = impossible ? report.residual : certified(problem, def, p);
    require(residual == report.residual || (isnan(residual) && isnan(report.residual)),
            "%s: reports %.17g, certified %.17g", def->solver, report.residual, residual);
    require(impossible || !(residual > before), "%s: %.17g is worse than its first guess, %.17g",
            def->solver, residual, before);
    int converged = report.outcome == SCREE_OUTCOME_CONVERGED;
    require(converged == (residual <= def->tol &&
                          (report.iterations >= def->min_iter || residual <= 1e-12)) ||
                report.outcome == SCREE_OUTCOME_INTERRUPTED || impossible ||
                report.outcome == SCREE_OUTCOME_TIME_LIMIT,
            "%s: \"%s\" at %.3g for %.3g", def->solver, scree_outcome_text((int)report.outcome),
            residual, def->tol);
    require(!converged || residual <= def->tol, "%s: converged at %.3g for %.3g", def->solver,
            residual, def->tol);
    require(report.iterations >= 0 && report.iterations <= def->max_iter,
            "%s: %lld iterations of %lld", def->solver, (long long)report.iterations,
            (long long)def->max_iter);
    require(report.time_s >= 0.0, "%s: took %g s", def->solver, report.time_s);
    require(report.solver && *report.solver, "%s: the report names no method", def->solver);
    require(report.fail_safe >= 0, "%s: %lld fail-safe runs", def->solver,
            (long long)report.fail_safe);
    return report;
}

/* A clock that tells how often it was looked at, so that time limits count work and a busy machine
 * changes nothing. */
typedef struct test_clock {
    double now, step; /* s; every look takes a step */
} test_clock;

static inline double test_clock_look(void* user)
{
    test_clock* clock = user;
    return clock->now += clock->step;
}

static inline scree_env test_clock_env(test_clock* clock)
{
    return (scree_env){.user = clock, .clock = test_clock_look, .sparse = test_sparse()};
}

static inline scree_solver_def solver_def(const char* name, double tol, int64_t max_iter)
{
    scree_solver_def def = scree_default_solver_def();
    def.env = sparse_env();
    def.solver = name;
    def.tol = tol;
    def.max_iter = max_iter;
    return def;
}

static inline double* zeros_of(const scree_problem* problem)
{
    return test_take((size_t)scree_problem_n_rows(problem), sizeof(double));
}

#endif
