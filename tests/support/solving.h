/* Calls a solver as a user would and checks what every call promises. */
#ifndef SUPPORT_SOLVING_H
#define SUPPORT_SOLVING_H

#include "support/guard.h"
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
static inline scree_report solved_in(const scree_env* env, const scree_problem* problem,
                                     const scree_solver_def* def, double* p)
{
    size_t size = scree_solve_work_size(env, problem, def);
    require(size > 0, "%s: no workspace", def->solver);
    guard memory = {0};
    void* work = guard_alloc(&memory, size);
    assert_non_null(work);
    scree_report report;
    memset(&report, 0xa5, sizeof report);
    double before = certified(problem, def, p);
    scree_status status = scree_solve(env, problem, def, work, p, &report);
    guard_release(&memory, work);
    require_guarded(&memory);
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

/* The same with sparse factors, where there are any. */
static inline scree_report solved(const scree_problem* problem, const scree_solver_def* def,
                                  double* p)
{
    return solved_in(sparse_env(), problem, def, p);
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
    def.solver = name;
    def.tol = tol;
    def.max_iter = max_iter;
    return def;
}

static inline double* zeros_of(const scree_problem* problem)
{
    return test_take((size_t)scree_problem_n_rows(problem), sizeof(double));
}

/* ---- problems of bodies of all kinds ---- */

static inline double largest(const double* x, int64_t n)
{
    double most = 0.0;
    for (int64_t i = 0; i < n; ++i) {
        if (!(fabs(x[i]) <= most)) most = fabs(x[i]);
    }
    return most;
}

/* Random bodies. Body 0 does not move; 1 is a point mass, 2 turns about one axis only, 3 about z.
 */
static inline sample draw_body_problem(scri_random* random, int32_t n, int32_t n_bodies)
{
    static const int kinds[] = {SCREE_ROWS_N, SCREE_ROWS_NTT, SCREE_ROWS_NTTS, SCREE_ROWS_NTTRR,
                                SCREE_ROWS_NTTRRS};
    int rows[64], law[64];
    assert_true(n <= 64);
    for (int32_t c = 0; c < n; ++c) {
        rows[c] = kinds[draw_below(random, 5)];
        law[c] = draw_below(random, 2) ? SCREE_LAW_EXACT : SCREE_LAW_BILATERAL;
    }
    sample s = sample_begin(n, rows, law);
    draw_bodies(&s, random, n_bodies);
    double axis[3];
    draw_direction(random, axis);
    for (int k = 0; k < 6; ++k) {
        static const int of[6] = {0, 1, 2, 0, 0, 1}, with[6] = {0, 1, 2, 1, 2, 2};
        if (n_bodies > 1) s.inv_inertia[6 + k] = 0.0;
        if (n_bodies > 2) s.inv_inertia[12 + k] = axis[of[k]] * axis[with[k]];
        if (n_bodies > 3) s.inv_inertia[18 + k] = k == 2;
    }
    for (int32_t i = 0; i < s.row[n]; ++i) s.q[i] = draw_between(random, -1.0, 1.0);
    for (int32_t c = 0; c < 3 * n; ++c) s.coef[c] = draw_power(random, -1.0, 0.0);
    return s;
}

/* Free velocities that impulses have given to the bodies, so that coming to rest is a way out. */
static inline void draw_motion(sample* s, scri_random* random)
{
    dense h = dense_rows_of_bodies(s->arena, &s->view);
    dense m = dense_inverse_mass_of_bodies(s->arena, &s->view);
    dense impulse = dense_zero(s->arena, h.m, 1);
    for (int32_t i = 0; i < h.m; ++i) impulse.a[i] = (real)draw_between(random, -1.0, 1.0);
    dense v = dense_product(s->arena, &m, &impulse), q = dense_product(s->arena, &h, &v);
    for (int32_t i = 0; i < h.n; ++i) s->q[i] = (double)q.a[i];
}

#endif
