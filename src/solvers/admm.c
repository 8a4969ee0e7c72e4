/* Alternating directions (Boyd et al. 2011; remark 2 of Acary & Bourrier): the problem
 *
 *     min  x W x / 2 + (q + g) x + i_K(z)   with x = z
 *
 * by turns in x, one solve with W + rho, in z, one projection, and in the multiplier u:
 *
 *     (W + rho) x = rho (z - u) - q - g,   z <- P_K(x + u),   u <- u + x - z.
 *
 * W + rho is factored once, and again where rho changes: without one of the caller's it doubles or
 * halves where |x - z| and rho |z - z_old| are apart by more than ten (section 3.4.1 there). For
 * the convex laws this converges whatever rho is. Under the exact law g is the De Saxce term at the
 * velocities of the last x: no minimum and no proof. */
#include "cones/norm_kernel.h"
#include "solvers/newton_system.h"
#include "solvers/projection_step.h"
#include "solvers/solver.h"

enum { CHECK_INTERVAL = 10, ADAPT_INTERVAL = 20, REFINE = 1 };

#define APART 10.0
#define FACTOR 2.0
#define RHO_LEAST 0x1p-40
#define RHO_MOST 0x1p40

typedef struct admm {
    scri_newton_system* system;
    double *x, *z, *u, *y; /* [n_rows] scaled; y of x */
    double *c, *a, *q;     /* [n_rows] right-hand sides, free velocity */
    double* d;             /* 1 / rho on the diagonals of all blocks */
    double rho;
    double primal, dual; /* residuals of the last turn */
} admm;

static int factor(const scri_run* run, admm* m)
{
    const scree_problem* problem = run->problem;
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        int width = problem->first_row[c + 1] - problem->first_row[c];
        double* block = m->d + scri_newton_system_block(m->system, c);
        for (int i = 0; i < width * width; ++i) {
            block[i] = i % (width + 1) == 0 ? 1.0 / m->rho : 0.0;
        }
    }
    return scri_newton_system_factor(m->system, m->d) == SCREE_OK;
}

/* One turn in x, z and u. dp = c - D (W dp + a) with D = 1 / rho is (W + rho) dp = rho c - a. */
static void turn(const scri_run* run, admm* m)
{
    const scree_problem* problem = run->problem;
    double primal = 0.0, dual = 0.0;
    for (int32_t i = 0; i < run->at.n_rows; ++i) {
        m->c[i] = m->z[i] - m->u[i];
        m->a[i] = m->q[i];
    }
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        int32_t row = problem->first_row[c];
        scri_terms terms = scri_terms_of(problem, c, run->scaling.coef);
        m->a[row] += scri_law_of(problem, c)->shift(terms, m->y + row);
    }
    scri_newton_system_solve(m->system, m->c, m->a, REFINE, m->x, m->y);
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        int32_t row = problem->first_row[c];
        double next[SCRI_MAX_WIDTH];
        scri_terms terms = scri_terms_of(problem, c, run->scaling.coef);
        for (int32_t i = row; i < problem->first_row[c + 1]; ++i) next[i - row] = m->x[i] + m->u[i];
        scri_law_of(problem, c)->project(terms, next);
        m->y[row] -= m->a[row] - m->q[row];
        for (int32_t i = row; i < problem->first_row[c + 1]; ++i) {
            double gap = m->x[i] - next[i - row], move = m->rho * (next[i - row] - m->z[i]);
            primal += gap * gap;
            dual += move * move;
            m->u[i] += gap;
            m->z[i] = next[i - row];
        }
    }
    m->primal = sqrt(primal);
    m->dual = sqrt(dual);
}

/* Another rho where the residuals are far apart; u is the multiplier over rho. 0: no factors. */
static int adapt(const scri_run* run, admm* m)
{
    double before = m->rho;
    if (run->def->rho > 0.0) return 1;
    if (m->primal > APART * m->dual && m->rho < RHO_MOST) m->rho *= FACTOR;
    if (m->dual > APART * m->primal && m->rho > RHO_LEAST) m->rho /= FACTOR;
    if (m->rho == before) return 1;
    for (int32_t i = 0; i < run->at.n_rows; ++i) m->u[i] *= before / m->rho;
    return factor(run, m);
}

static const char* unfit(const scree_env* env, const scree_problem* problem,
                         const scree_solver_def* def, const scri_facts* facts)
{
    const char* why = scri_newton_system_unfit(env, problem);
    return why ? why : scri_projection_unfit(env, problem, def, facts);
}

/* At a solution u = -yhat / rho: so it begins, and a good guess stays one. */
static int begin(scri_run* run, admm* m)
{
    for (int32_t i = 0; i < run->at.n_rows; ++i) {
        m->z[i] = m->x[i] = run->at.p[i] * (run->scaling.unit * run->scaling.scale[i]);
    }
    scri_newton_system_free_velocity(m->system, m->q);
    scri_newton_system_multiply(m->system, m->x, m->y);
    for (int32_t i = 0; i < run->at.n_rows; ++i) {
        m->y[i] += m->q[i];
        m->u[i] = -m->y[i] / m->rho;
    }
    for (int32_t c = 0; c < run->problem->n_contacts; ++c) {
        int32_t row = run->problem->first_row[c];
        scri_terms terms = scri_terms_of(run->problem, c, run->scaling.coef);
        m->u[row] -= scri_law_of(run->problem, c)->shift(terms, m->y + row) / m->rho;
    }
    return factor(run, m);
}

static void iterate(scri_run* run, admm* m)
{
    for (int64_t k = 1;; ++k) {
        turn(run, m);
        int stop = scri_run_tick(run);
        if (!stop && k % ADAPT_INTERVAL == 0 && !adapt(run, m)) break;
        if (!stop && k % CHECK_INTERVAL && run->budget.iterations < run->budget.limit) continue;
        if (scri_run_check_scaled(run, m->z) || stop) return;
    }
    run->outcome = SCREE_OUTCOME_STALLED;
}

static void solve(scri_run* run, scri_bump* bump)
{
    size_t n = (size_t)run->at.n_rows, entries = 0;
    admm m = {.rho = run->def->rho > 0.0 ? run->def->rho : 1.0};
    double** vectors[] = {&m.x, &m.z, &m.u, &m.y, &m.c, &m.a, &m.q};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; ++i) {
        *vectors[i] = scri_bump_take(bump, n, sizeof(double));
    }
    for (int32_t c = 0; c < run->problem->n_contacts; ++c) {
        size_t width = (size_t)(run->problem->first_row[c + 1] - run->problem->first_row[c]);
        entries += width * width;
    }
    m.d = scri_bump_take(bump, entries, sizeof(double));
    if (!bump->memory) return;
    m.system = scri_run_newton(run);
    if (m.system && begin(run, &m)) {
        iterate(run, &m);
    } else {
        run->outcome = SCREE_OUTCOME_STALLED;
    }
}

const scri_solver scri_solver_admm = {
    "admm",
    "alternating directions: one sparse factorisation, then a solve and projections in turns",
    "laws of a cone, where sparse factors fit",
    unfit,
    solve,
};
