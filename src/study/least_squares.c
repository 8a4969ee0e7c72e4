/* Nonlinear least squares in a few parameters by the method of Levenberg and Marquardt. */
#include "base/compiler.h"
#include "math/small_kernel.h"
#include "study/identify.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_PASSES = 200, MOST_IDLE = 12, SQUARE = SCRI_FIT_MOST * SCRI_FIT_MOST };

/* Gain of a step over the mean square: it moves parameters by 1e-4 of their standard errors. */
static const double negligible = 1e-8;

/* Sums over all rows at one place, for the free parameters alone. */
typedef struct normal_equations {
    int n;
    int which[SCRI_FIT_MOST]; /* parameter of each unknown */
    double matrix[SQUARE];    /* [n * n] J^T J */
    double gradient[SCRI_FIT_MOST];
    double cost; /* sum of squares */
} normal_equations;

static void add_row(normal_equations* e, double residual, const double* derivative)
{
    e->cost += residual * residual;
    for (int j = 0; j < e->n; ++j) {
        double d = derivative[e->which[j]];
        e->gradient[j] += d * residual;
        for (int k = 0; k <= j; ++k) e->matrix[j * e->n + k] += d * derivative[e->which[k]];
    }
}

static normal_equations evaluate(const scri_least_squares* problem, const double* param)
{
    normal_equations e = {0};
    for (int k = 0; k < problem->n_params; ++k) {
        if (problem->is_free[k]) e.which[e.n++] = k;
    }
    for (int64_t i = 0; i < problem->n_rows; ++i) {
        double derivative[SCRI_FIT_MOST] = {0};
        double residual = problem->row(problem->data, param, i, derivative);
        add_row(&e, residual, derivative);
    }
    for (int j = 0; j < e.n; ++j) {
        for (int k = 0; k < j; ++k) e.matrix[k * e.n + j] = e.matrix[j * e.n + k];
    }
    return e;
}

/* Solves with the diagonal enlarged by `damping`; 0 when that is not possible. */
static int damped_step(const normal_equations* e, double damping, double* step)
{
    double a[SQUARE];
    memcpy(a, e->matrix, sizeof a);
    for (int j = 0; j < e->n; ++j) {
        a[j * e->n + j] += damping * e->matrix[j * e->n + j] + DBL_MIN;
        step[j] = -e->gradient[j];
    }
    return scri_gauss_solve(e->n, e->n, a, step);
}

static void take_step(const scri_least_squares* problem, const normal_equations* e,
                      const double* step, const double* from, double* to)
{
    memcpy(to, from, (size_t)problem->n_params * sizeof *to);
    for (int j = 0; j < e->n; ++j) {
        int k = e->which[j];
        to[k] = fmin(fmax(from[k] + step[j], problem->low[k]), problem->high[k]);
    }
}

/* Diagonal of the inverse; infinite where the scaled matrix is singular. */
static void invert_diagonal(const normal_equations* e, double* out)
{
    for (int j = 0; j < e->n; ++j) {
        double a[SQUARE], b[SCRI_FIT_MOST] = {0};
        double scale = e->matrix[j * e->n + j];
        out[j] = SCREE_INFINITY;
        for (int r = 0; r < e->n; ++r) {
            for (int c = 0; c < e->n; ++c) {
                double d = sqrt(e->matrix[r * e->n + r] * e->matrix[c * e->n + c]);
                a[r * e->n + c] = d > 0.0 ? e->matrix[r * e->n + c] / d : 0.0;
            }
        }
        b[j] = 1.0;
        if (scale > 0.0 && scri_gauss_solve(e->n, e->n, a, b) && b[j] > 0.0 && b[j] < 1e12) {
            out[j] = b[j] / scale;
        }
    }
}

int scri_least_squares_solve(const scri_least_squares* problem, double* param, double* error,
                             double* rms)
{
    normal_equations here = evaluate(problem, param);
    double damping = 1e-3, step[SCRI_FIT_MOST], next[SCRI_FIT_MOST];
    int converged = 0, n_idle = 0;
    for (int pass = 0; pass < MOST_PASSES && !converged; ++pass) {
        double least = negligible * here.cost / (double)problem->n_rows, promise = 0.0;
        normal_equations there = {.cost = SCREE_INFINITY};
        if (damped_step(&here, damping, step)) {
            for (int j = 0; j < here.n; ++j) promise -= step[j] * here.gradient[j];
            take_step(problem, &here, step, param, next);
            there = evaluate(problem, next);
            converged = promise <= least;
        }
        /* Kinks of the sum of squares promise more than they keep. */
        n_idle = here.cost - there.cost > least ? 0 : n_idle + 1;
        if (n_idle == MOST_IDLE) converged = 1;
        if (there.cost <= here.cost) {
            memcpy(param, next, (size_t)problem->n_params * sizeof *param);
            here = there;
            damping = fmax(1e-12, 0.1 * damping);
        } else {
            damping *= 10.0;
        }
    }
    double variance[SCRI_FIT_MOST], freedom = fmax(1.0, (double)problem->n_rows - here.n);
    invert_diagonal(&here, variance);
    memset(error, 0, (size_t)problem->n_params * sizeof *error);
    for (int j = 0; j < here.n; ++j) {
        error[here.which[j]] = sqrt(variance[j] * here.cost / freedom);
    }
    *rms = sqrt(here.cost / fmax(1.0, (double)problem->n_rows));
    return converged;
}

double scri_student(int64_t degrees_of_freedom)
{
    /* The first terms of the expansion of the quantile about the normal one; 4 digits from 10 on.
     */
    const double z = 1.959963984540054, nu = fmax(1.0, (double)degrees_of_freedom);
    double z2 = z * z;
    return z *
           (1.0 + (z2 + 1.0) / (4.0 * nu) + (5.0 * z2 * z2 + 16.0 * z2 + 3.0) / (96.0 * nu * nu));
}
