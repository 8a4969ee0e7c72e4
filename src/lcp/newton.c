/* Damped semismooth Newton on phi(z_i, w_i) = sqrt(z_i^2 + w_i^2) - z_i - w_i = 0 (Fischer and
 * Burmeister; De Luca, Facchinei and Kanzow). Where the Newton step does not lead down, a
 * Levenberg-Marquardt step does. When it is clear which of every pair is positive, their equations
 * are solved at once. */
#include "base/compiler.h"
#include "lcp/lcp.h"
#include "math/dense_lu.h"

#include <math.h>
#include <string.h>

enum { STEPS = 500, HALVINGS = 40 };

typedef struct newton {
    const scri_lcp* lcp;
    int32_t n;
    double *z, *w, *phi, *step, *trial, *slope; /* [n] each */
    double* jacobian;                           /* [n * n] row-major */
    double* matrix;                             /* [n * n] by columns, for LAPACK */
    int32_t* pivot;
    uint8_t *basic, *before; /* [n] sets of positive z, now and a step ago */
    scri_lcp_basis basis;
} newton;

static scree_status create(scri_arena* arena, const scri_lcp* lcp, newton* t)
{
    size_t n = (size_t)lcp->n;
    double* vectors = scri_arena_take(arena, 6 * n, sizeof *vectors);
    *t = (newton){.lcp = lcp,
                  .n = lcp->n,
                  .jacobian = scri_arena_take(arena, n, n * sizeof(double)),
                  .matrix = scri_arena_take(arena, n, n * sizeof(double)),
                  .pivot = scri_arena_take(arena, n, sizeof(int32_t)),
                  .basic = scri_arena_take(arena, n, 1),
                  .before = scri_arena_take(arena, n, 1)};
    if (!vectors || !t->jacobian || !t->matrix || !t->pivot || !t->basic || !t->before ||
        scri_lcp_basis_create(arena, lcp->n, &t->basis)) {
        return SCREE_ERROR_MEMORY;
    }
    t->z = vectors;
    t->w = vectors + n;
    t->phi = vectors + 2 * n;
    t->step = vectors + 3 * n;
    t->trial = vectors + 4 * n;
    t->slope = vectors + 5 * n;
    return SCREE_OK;
}

/* phi at z, and half its square. */
static double evaluate(newton* t, const double* z)
{
    double sum = 0.0;
    scri_lcp_slack(t->n, t->lcp->a, t->lcp->b, z, t->w);
    for (int32_t i = 0; i < t->n; ++i) {
        double r = hypot(z[i], t->w[i]), s = z[i] + t->w[i];
        /* without cancellation where both are positive */
        t->phi[i] = s > 0.0 ? -2.0 * z[i] * t->w[i] / (r + s) : r - s;
        sum += 0.5 * t->phi[i] * t->phi[i];
    }
    return sum;
}

/* An element of the generalised Jacobian, and slope = J^T phi. */
static void linearise(newton* t)
{
    size_t n = (size_t)t->n;
    memset(t->slope, 0, n * sizeof *t->slope);
    for (size_t i = 0; i < n; ++i) {
        double r = hypot(t->z[i], t->w[i]);
        double by_z = r > 0.0 ? t->z[i] / r - 1.0 : sqrt(0.5) - 1.0;
        double by_w = r > 0.0 ? t->w[i] / r - 1.0 : sqrt(0.5) - 1.0;
        double* row = t->jacobian + i * n;
        for (size_t j = 0; j < n; ++j) row[j] = by_w * t->lcp->a[i * n + j];
        row[i] += by_z;
        for (size_t j = 0; j < n; ++j) t->slope[j] += row[j] * t->phi[i];
    }
}

/* The Newton step and the slope along it; NaN when the Jacobian is singular. */
static double newton_step(newton* t)
{
    size_t n = (size_t)t->n;
    for (size_t i = 0; i < n; ++i) {
        for (size_t j = 0; j < n; ++j) t->matrix[j * n + i] = t->jacobian[i * n + j];
        t->step[i] = -t->phi[i];
    }
    if (scri_dense_lu_factor(SCREE_SPARSE_GENERAL, t->n, t->matrix, NULL, t->pivot)) {
        return SCREE_NAN;
    }
    scri_dense_lu_solve(SCREE_SPARSE_GENERAL, t->n, t->matrix, NULL, t->pivot, t->step);
    double slope = 0.0;
    for (size_t i = 0; i < n; ++i) slope += t->slope[i] * t->step[i];
    return slope;
}

/* (J^T J + shift I) step = -J^T phi. */
static double marquardt_step(newton* t, double shift)
{
    size_t n = (size_t)t->n;
    memset(t->matrix, 0, n * n * sizeof *t->matrix);
    for (size_t k = 0; k < n; ++k) {
        const double* row = t->jacobian + k * n;
        for (size_t i = 0; i < n; ++i) {
            if (row[i] == 0.0) continue;
            for (size_t j = 0; j < n; ++j) t->matrix[i * n + j] += row[i] * row[j];
        }
    }
    for (size_t i = 0; i < n; ++i) {
        t->matrix[i * (n + 1)] += shift;
        t->step[i] = -t->slope[i];
    }
    if (scri_dense_lu_factor(SCREE_SPARSE_POSITIVE, t->n, t->matrix, NULL, t->pivot)) {
        return SCREE_NAN;
    }
    scri_dense_lu_solve(SCREE_SPARSE_POSITIVE, t->n, t->matrix, NULL, t->pivot, t->step);
    double slope = 0.0;
    for (size_t i = 0; i < n; ++i) slope += t->slope[i] * t->step[i];
    return slope;
}

/* Halves the step until the merit falls; 0 when it does not. */
static int descend(newton* t, double* merit, double slope)
{
    double length = 2.0;
    for (int k = 0; k < HALVINGS; ++k) {
        length *= 0.5;
        for (int32_t i = 0; i < t->n; ++i) t->trial[i] = t->z[i] + length * t->step[i];
        double next = evaluate(t, t->trial);
        if (!(next <= *merit + 1e-4 * length * slope)) continue;
        *merit = next;
        memcpy(t->z, t->trial, (size_t)t->n * sizeof *t->z);
        return 1;
    }
    evaluate(t, t->z);
    return 0;
}

/* Takes z_i = 0 or w_i = 0, whichever is nearer, for two steps in a row the same: solves their
 * equations into `trial` and returns the residual; infinite when it is too early. */
static double finish(newton* t)
{
    size_t n = (size_t)t->n;
    for (size_t i = 0; i < n; ++i) t->basic[i] = t->z[i] > t->w[i];
    int same = memcmp(t->basic, t->before, n) == 0;
    memcpy(t->before, t->basic, n);
    if (!same || scri_lcp_basis_solve(t->lcp, &t->basis, t->basic, t->trial)) return SCREE_INFINITY;
    for (size_t i = 0; i < n; ++i) t->trial[i] = t->trial[i] > 0.0 ? t->trial[i] : 0.0;
    double residual = scri_lcp_residual(t->lcp, t->trial, t->w);
    if (residual < SCREE_INFINITY) return residual;
    return SCREE_INFINITY;
}

static void keep(scri_lcp_run* run, const double* z, double residual, double* best)
{
    if (!(residual < *best)) return;
    *best = residual;
    memcpy(run->z, z, (size_t)run->lcp->n * sizeof *z);
}

static scree_lcp_outcome iterate(scri_lcp_run* run, newton* t)
{
    int64_t most = run->max_iter ? run->max_iter : STEPS;
    double best = SCREE_INFINITY, merit = evaluate(t, t->z);
    keep(run, t->z, scri_lcp_residual(t->lcp, t->z, t->w), &best);
    while (!(best <= run->tol)) {
        if (run->report->iterations >= most) return SCREE_LCP_ITERATION_LIMIT;
        if (scri_lcp_is_late(run)) return SCREE_LCP_TIME_LIMIT;
        ++run->report->iterations;
        linearise(t);
        double slope = newton_step(t);
        int down = slope < 0.0 && isfinite(slope) && descend(t, &merit, slope);
        if (!down) {
            slope = marquardt_step(t, fmax(1e-12, 1e-2 * sqrt(merit)));
            if (!(slope < 0.0) || !descend(t, &merit, slope)) return SCREE_LCP_STALLED;
        }
        keep(run, t->z, scri_lcp_residual(t->lcp, t->z, t->w), &best);
        keep(run, t->trial, finish(t), &best);
        evaluate(t, t->z);
    }
    return SCREE_LCP_SOLVED;
}

/* A z that grows without bound makes a relative residual small: that is no solution. */
static int is_credible(const scri_lcp_run* run)
{
    double reach = run->lcp->size / fmax(run->tol, 1e-15);
    return scri_lcp_largest(run->z, run->lcp->n) < 0.01 * reach;
}

scree_status scri_lcp_newton(scri_lcp_run* run)
{
    newton t;
    if (create(run->arena, run->lcp, &t)) return SCREE_ERROR_MEMORY;
    memcpy(t.z, run->z, (size_t)t.n * sizeof *t.z);
    run->report->outcome = iterate(run, &t);
    if (run->report->outcome == SCREE_LCP_SOLVED && !is_credible(run)) {
        run->report->outcome = SCREE_LCP_STALLED;
    }
    return SCREE_OK;
}
