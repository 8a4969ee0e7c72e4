/* The impulses of least norm that lead to given velocities.
 *
 * In equilibrated variables: the closest point to 0 of { p in S, W p = W p_0 }, where S holds what
 * the laws allow at the given velocities (reactions_set.h) and p_0 is the given p drawn into S. Its
 * multipliers give p = P_S(z) with z in the range of W. A proximal step from z^j solves
 *
 *     z = z^j - W x,   sigma x = P_S(z) - p_0,
 *
 * the minimum of a convex function with Lipschitz gradient, by semismooth Newton steps: the linear
 * system is the one of every Newton method here. As sigma falls, so does W (p - p_0) = sigma W x.
 */
#include "scree/reactions.h"

#include "base/env.h"
#include "solvers/newton_system.h"
#include "solvers/reactions_set.h"

#include <math.h>
#include <stdio.h>
#define TRACE
#include <string.h>

enum { OUTER_STEPS = 40, INNER_STEPS = 25, HALVINGS = 12, STALLS = 2 };
#define FIRST_SIGMA 0.1
#define SIGMA_FALL 0.1
#define SIGMA_MIN 1e-10
#define INNER_SHARE 0.1 /* of the proximal step that may be left as error */
#define OVERSHOOT 0.5   /* a step may pass the minimum if the slope there is below this share */
#define STALL 0.5       /* of the best error so far: a step that leaves more has stalled */
#define GOAL 1e-14      /* of the error of the velocities, relative to the impulses */

typedef struct least {
    scri_reactions at;
    scri_newton_system* system;
    int32_t n, steps;
    double sigma;
    double *target, *centre;    /* [n] p_0; z^j */
    double *x, *z, *p, *error;  /* iterate; P_S(z); P_S(z) - p_0 - sigma x */
    double *trial_x, *trial_z, *trial_p, *trial_error;
    double *dx, *dz, *right, *image;
    double* d; /* blocks of P_S' / sigma */
} least;

static double dot(const double* a, const double* b, int32_t n)
{
    double sum = 0.0;
    for (int32_t i = 0; i < n; ++i) sum += a[i] * b[i];
    return sum;
}

/* |W a|: not sqrt(a W a), in which a large `a` of no effect would leave rounding errors. */
static double effect(least* m, const double* a)
{
    scri_newton_system_multiply(m->system, a, m->image);
    return sqrt(dot(m->image, m->image, m->n));
}

/* p = P_S(z), and its derivative over sigma into the blocks if asked for. */
static void project(least* m, const double* z, int with_blocks, double* p)
{
    const scree_problem* problem = m->at.problem;
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        int32_t first = problem->row[c];
        int width = problem->row[c + 1] - first;
        double* block = with_blocks ? m->d + scri_newton_system_block(m->system, c) : NULL;
        scri_set_project(m->at.set + c, problem->rows[c], z + first, p + first, block);
        for (int i = 0; block && i < width * width; ++i) block[i] /= m->sigma;
    }
}

static void find_error(const least* m, const double* x, const double* p, double* error)
{
    for (int32_t i = 0; i < m->n; ++i) error[i] = p[i] - m->target[i] - m->sigma * x[i];
}

static void swap(double** a, double** b)
{
    double* keep = *a;
    *a = *b, *b = keep;
}

/* Moves along dx, dz until the slope there says that the minimum is not far behind. */
static int advance(least* m)
{
    double slope = dot(m->error, m->dz, m->n), share = 1.0;
    if (!(slope < 0.0)) return 0;
    for (int k = 0; k < HALVINGS; ++k, share *= 0.5) {
        for (int32_t i = 0; i < m->n; ++i) {
            m->trial_x[i] = m->x[i] + share * m->dx[i];
            m->trial_z[i] = m->z[i] + share * m->dz[i];
        }
        project(m, m->trial_z, 0, m->trial_p);
        find_error(m, m->trial_x, m->trial_p, m->trial_error);
        if (!(dot(m->trial_error, m->dz, m->n) <= -OVERSHOOT * slope)) continue;
        swap(&m->x, &m->trial_x);
        swap(&m->z, &m->trial_z);
        swap(&m->p, &m->trial_p);
        swap(&m->error, &m->trial_error);
        return 1;
    }
    return 0;
}

/* One proximal step from the centre; 0 when it cannot be made. */
static int solve_step(least* m, double goal)
{
    memset(m->x, 0, (size_t)m->n * sizeof *m->x);
    memcpy(m->z, m->centre, (size_t)m->n * sizeof *m->z);
    for (int k = 0; k < INNER_STEPS; ++k) {
        project(m, m->z, 1, m->p);
        find_error(m, m->x, m->p, m->error);
        double left = effect(m, m->error), moved = m->sigma * effect(m, m->x);
        if (left <= fmax(INNER_SHARE * moved, goal)) return 1;
        if (scri_newton_system_factor(m->system, m->d)) return 0;
        for (int32_t i = 0; i < m->n; ++i) m->right[i] = -m->error[i] / m->sigma;
        scri_newton_system_solve(m->system, m->right, NULL, 1, m->dx, m->dz);
        for (int32_t i = 0; i < m->n; ++i) m->dx[i] = -m->dx[i];
        ++m->steps;
        if (!advance(m)) return 0;
    }
    return 1;
}

/* Leaves in `best` the impulses whose velocities are closest to the given ones. */
static void iterate(least* m, double* best)
{
    double goal = GOAL * sqrt(dot(m->target, m->target, m->n)), error = INFINITY;
    scri_newton_system_multiply(m->system, m->target, m->centre);
    m->sigma = FIRST_SIGMA;
    int stalls = 0;
    for (int k = 0; k < OUTER_STEPS; ++k) {
        int done = solve_step(m, goal);
        for (int32_t i = 0; i < m->n; ++i) m->right[i] = m->p[i] - m->target[i];
        double left = effect(m, m->right);
#ifdef TRACE
        printf("%d done %d sigma %g left %g goal %g norm %.12g steps %d\n", k, done, m->sigma, left, goal, sqrt(dot(m->p, m->p, m->n)), m->steps);
#endif
        stalls = left <= STALL * error ? 0 : stalls + 1;
        if (left < error) {
            error = left;
            memcpy(best, m->p, (size_t)m->n * sizeof *best);
        }
        if (!done || left <= goal || stalls == STALLS) return;
        memcpy(m->centre, m->z, (size_t)m->n * sizeof *m->centre);
        m->sigma = fmax(m->sigma * SIGMA_FALL, SIGMA_MIN);
    }
}

static scree_status lay_out(scri_arena* arena, least* m)
{
    double** vectors[] = {&m->target,  &m->centre,  &m->x,       &m->z,           &m->p,
                          &m->error,   &m->trial_x, &m->trial_z, &m->trial_p,     &m->trial_error,
                          &m->dx,      &m->dz,      &m->right,   &m->image};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; ++i) {
        *vectors[i] = scri_arena_take(arena, (size_t)m->n, sizeof(double));
        if (!*vectors[i]) return SCREE_ERROR_MEMORY;
    }
    int64_t blocks = scri_newton_system_block(m->system, m->at.problem->n_contacts);
    m->d = scri_arena_take(arena, (size_t)blocks, sizeof(double));
    return m->d ? SCREE_OK : SCREE_ERROR_MEMORY;
}

static scree_status search(const scree_env* env, scri_arena* arena, least* m, double tol, double* p,
                           scree_least* out)
{
    scri_reactions* at = &m->at;
    scree_status status = scri_newton_system_create(env, at->problem, &at->scaling, &m->system);
    if (!status) status = lay_out(arena, m);
    double* best = scri_arena_take(arena, (size_t)m->n, sizeof(double));
    if (status || !best) return SCREE_ERROR_MEMORY;
    project(m, at->p, 0, m->target);
    iterate(m, best);
    double residual = scri_reactions_judge(at, best, m->x, m->z);
    out->steps = m->steps;
    if (residual <= fmax(tol, at->residual)) {
        out->found = 1;
        out->residual = residual;
        out->norm = sqrt(dot(best, best, m->n));
        memcpy(p, m->x, (size_t)m->n * sizeof *p);
    }
    return SCREE_OK;
}

scree_status scree_reactions_least(const scree_env* env, const scree_problem* problem, double tol,
                                   double* p, scree_least* out)
{
    if (!problem || !p || !out || !(tol >= 0.0)) return SCREE_ERROR_ARGUMENT;
    *out = (scree_least){.found = 0};
    if (problem->form == SCREE_FORM_FACTORED) return SCREE_ERROR_UNSUPPORTED;
    if (problem->n_contacts == 0) return SCREE_ERROR_INPUT;
    least m = {.n = scree_problem_n_rows(problem)};
    scri_arena* arena = scri_arena_create(env);
    scree_status status =
        arena ? scri_reactions_create(arena, problem, p, tol, &m.at) : SCREE_ERROR_MEMORY;
    if (!status) {
        out->residual = m.at.residual;
        out->norm = out->norm_before = sqrt(dot(m.at.p, m.at.p, m.n));
        status = search(env, arena, &m, tol, p, out);
    }
    scri_newton_system_destroy(m.system);
    scri_arena_destroy(arena);
    if (status) return scri_fail(env, status, "out of memory for the least reactions");
    return SCREE_OK;
}
