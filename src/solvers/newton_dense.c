/* Semismooth Newton on the exact law in Alart and Curnier's form, with dense matrices: for a few
 * dozen contacts, where it decides in a few steps what sweeps settle only after thousands, such as
 * a block on a slope within 1e-9 of its limit.
 *
 * In equilibrated variables, with z = p - y and the disc of radius mu_k max(z_N, 0) for channel k,
 *
 *     F_N = p_N - max(z_N, 0),     F_k = p_k - P_disc(z_k),
 *
 * vanishes exactly where the exact law holds. Redundant contacts make its Jacobian G singular, so
 * a step is the smallest of the least-squares solutions of G d = -F. While it does not lower |F|,
 * more directions of G are taken for singular.
 */
#include "cones/layout_kernel.h"
#include "cones/norm_kernel.h"
#include "math/least_norm.h"
#include "solvers/solver.h"

#include <math.h>
#include <string.h>

enum { MAX_ROWS = 120, HALVINGS = 8 };

/* Where the triangle of G falls below this, it counts as singular; at first, and at last. */
#define RANK_LEAST 1e-13
#define RANK_MOST 0.2

typedef struct newton {
    int n;
    double* w;                         /* [n n] scaled operator, row-major */
    double* jacobian;                  /* [n n] */
    double* system;                    /* [n n] */
    double *p, *y, *f;                 /* [n] scaled impulses, velocities, F */
    double *trial, *trial_y, *trial_f; /* [n] */
    double* work;                      /* [3 n] */
    double *step, *q;                  /* [n] */
} newton;

int scri_newton_dense_fits(const scree_problem* problem)
{
    if (scree_problem_n_rows(problem) > MAX_ROWS) return 0;
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        if (problem->law[c] != SCREE_LAW_EXACT) return 0;
    }
    return 1;
}

/* The scaled operator column by column, and the scaled free velocity. Columns are found with
 * impulses of the size of q, so that the result does not depend on units even in its last digit. */
static void assemble(scri_run* run, newton* m)
{
    size_t n = (size_t)m->n;
    const double* s = run->scaling.scale;
    double size = 0.0;
    memset(m->trial, 0, n * sizeof(double));
    scri_operator_apply(&run->op, m->trial, run->y);
    for (size_t i = 0; i < n; ++i) {
        m->q[i] = run->y[i] / s[i];
        size = fmax(size, fabs(m->q[i]));
    }
    if (!(size > 0.0)) size = 1.0;
    for (size_t j = 0; j < n; ++j) {
        m->trial[j] = size / s[j];
        scri_operator_apply(&run->op, m->trial, run->y);
        m->trial[j] = 0.0;
        for (size_t i = 0; i < n; ++i) m->w[i * n + j] = (run->y[i] / s[i] - m->q[i]) / size;
    }
}

static void velocity(const newton* m, const double* p, double* y)
{
    for (int i = 0; i < m->n; ++i) {
        double sum = m->q[i];
        for (int j = 0; j < m->n; ++j) sum += m->w[i * m->n + j] * p[j];
        y[i] = sum;
    }
}

/* Row i of the Jacobian: e_i - sum_j d_j (e_j - w_j), where the derivative of the projection has
 * the entries d_j at the rows row[j]. */
static void write_row(newton* m, int i, int count, const int* row, const double* d)
{
    double* out = m->jacobian + (size_t)i * (size_t)m->n;
    memset(out, 0, (size_t)m->n * sizeof *out);
    out[i] = 1.0;
    for (int k = 0; k < count; ++k) {
        const double* w = m->w + (size_t)row[k] * (size_t)m->n;
        if (d[k] == 0.0) continue;
        for (int j = 0; j < m->n; ++j) out[j] += d[k] * w[j];
        out[row[k]] -= d[k];
    }
}

/* F of one channel that begins at `first`, and its rows of the Jacobian where asked for. `normal`
 * is the row N; `closed` tells whether z_N > 0. */
static void channel(newton* m, int normal, int first, int dim, double radius, double mu, int closed,
                    const double* p, const double* y, double* f, int with_jacobian)
{
    double z[2] = {0.0, 0.0};
    for (int i = 0; i < dim; ++i) z[i] = p[first + i] - y[first + i];
    double length = scri_norm_channel(dim, z);
    int inside = length <= radius;
    for (int i = 0; i < dim; ++i) {
        double closest = inside ? z[i] : radius * z[i] / length;
        f[first + i] = p[first + i] - closest;
        if (!with_jacobian) continue;
        int row[3] = {first, first + dim - 1, normal};
        double d[3] = {0.0, 0.0, 0.0};
        for (int j = 0; j < dim; ++j) {
            double across = (i == j) - (inside ? 0.0 : z[i] * z[j] / (length * length));
            d[j] = inside ? (double)(i == j) : radius / length * across;
        }
        if (!inside && closed) d[2] = mu * z[i] / length;
        if (dim == 1) row[1] = first; /* its d is 0 */
        write_row(m, first + i, 3, row, d);
    }
}

/* F at p with velocities y; the Jacobian too when asked for. Returns |F|. */
static double evaluate(const scri_run* run, newton* m, const double* p, const double* y, double* f,
                       int with_jacobian)
{
    const scree_problem* problem = run->problem;
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        int normal = problem->row[c];
        const double* mu = run->scaling.coef + 3 * (size_t)c;
        scri_layout layout = scri_layout_of(problem->rows[c]);
        double z = p[normal] - y[normal], force = fmax(z, 0.0), one = 1.0;
        f[normal] = p[normal] - force;
        if (with_jacobian) write_row(m, normal, z > 0.0, &normal, &one);
        for (int k = 0; k < SCRI_CHANNELS; ++k) {
            if (layout.dim[k] == 0) continue;
            channel(m, normal, normal + layout.first[k], layout.dim[k], mu[k] * force, mu[k],
                    z > 0.0, p, y, f, with_jacobian);
        }
    }
    return scri_norm(m->n, f);
}

static void find_step(newton* m, double rank_tolerance)
{
    size_t n = (size_t)m->n;
    memcpy(m->system, m->jacobian, n * n * sizeof(double));
    for (size_t i = 0; i < n; ++i) m->step[i] = -m->f[i];
    scri_least_norm(m->n, m->system, m->step, rank_tolerance, m->work);
}

/* Moves along the step as far as |F| falls; 0 when it does not. */
static int advance(const scri_run* run, newton* m, double* norm)
{
    double share = 1.0;
    for (int k = 0; k < HALVINGS; ++k, share *= 0.5) {
        for (int i = 0; i < m->n; ++i) m->trial[i] = m->p[i] + share * m->step[i];
        velocity(m, m->trial, m->trial_y);
        double next = evaluate(run, m, m->trial, m->trial_y, m->trial_f, 0);
        if (!(next < *norm)) continue;
        size_t size = (size_t)m->n * sizeof(double);
        memcpy(m->p, m->trial, size);
        memcpy(m->y, m->trial_y, size);
        memcpy(m->f, m->trial_f, size);
        *norm = next;
        return 1;
    }
    return 0;
}

static int check(scri_run* run, const newton* m)
{
    for (int i = 0; i < m->n; ++i) run->p[i] = m->p[i] / run->scaling.scale[i];
    return scri_run_check(run);
}

static void iterate(scri_run* run, newton* m)
{
    velocity(m, m->p, m->y);
    double norm = evaluate(run, m, m->p, m->y, m->f, 0);
    for (int moved = 1; moved && norm > 0.0;) {
        evaluate(run, m, m->p, m->y, m->f, 1);
        moved = 0;
        for (double tolerance = RANK_LEAST; !moved && tolerance < RANK_MOST; tolerance *= 1e3) {
            find_step(m, tolerance);
            moved = advance(run, m, &norm);
        }
        int stop = scri_run_tick(run);
        if (check(run, m) || stop) return;
    }
    run->report.outcome = SCREE_OUTCOME_STALLED;
}

static void solve(scri_run* run, scri_bump* bump)
{
    if (!scri_newton_dense_fits(run->problem)) {
        scri_solver_nsgs.solve(run, bump);
        return;
    }
    size_t n = (size_t)run->n_rows;
    newton m = {.n = run->n_rows};
    double** vectors[] = {&m.p, &m.y, &m.f, &m.trial, &m.trial_y, &m.trial_f, &m.step, &m.q};
    double** matrices[] = {&m.w, &m.jacobian, &m.system};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; ++i) {
        *vectors[i] = scri_bump_take(bump, n, sizeof(double));
    }
    for (size_t i = 0; i < sizeof matrices / sizeof matrices[0]; ++i) {
        *matrices[i] = scri_bump_take(bump, n * n, sizeof(double));
    }
    m.work = scri_bump_take(bump, 3 * n, sizeof(double));
    if (!bump->memory) return;
    assemble(run, &m);
    for (size_t i = 0; i < n; ++i) m.p[i] = run->p[i] * run->scaling.scale[i];
    iterate(run, &m);
}

const scri_solver scri_solver_newton_dense = {
    "newton-dense",
    "semismooth Newton with dense matrices, exact law, up to 120 rows; nsgs for others",
    solve,
};
