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
#include "base/env.h"
#include "scree/reactions.h"
#include "solvers/newton_system.h"
#include "solvers/reactions_set.h"

#include <math.h>
#include <string.h>

enum { MOST_STEPS = 400, INNER_STEPS = 25, TRIALS = 20, STALLS = 4, NEAR_STEPS = 10 };
#define FIRST_SIGMA 0.1
#define SIGMA_FALL 0.1 /* after a proximal step; */
#define SIGMA_RISE 3.0 /* after one that was given up */
#define SIGMA_MIN 1e-10
#define INNER_SHARE 0.1 /* of the proximal step that may be left as error */
#define FLAT 0.5        /* of the slope or error before a step: small enough after it */
#define STALL 0.5       /* of the best error so far: a step that leaves more has stalled */
#define NEAR_SHIFT 1e-6 /* of Tikhonov's method */
#define NEAR_LEFT 1e-3  /* of the gap that it is to close */
#define GOAL 1e-14      /* of the error of the velocities, relative to the impulses */

typedef struct least {
    scri_reactions at;
    scri_newton_system* system;
    int32_t n, steps;
    double sigma;
    double *target, *wanted;   /* [n] p_0 and W p_0 */
    double* centre;            /* z^j */
    double *x, *z, *p, *error; /* iterate; P_S(z); P_S(z) - p_0 - sigma x */
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
        int32_t first = problem->first_row[c];
        int width = problem->first_row[c + 1] - first;
        double* block = with_blocks ? m->d + scri_newton_system_block(m->system, c) : NULL;
        scri_reaction_set_project(m->at.set + c, problem->rows[c], z + first, p + first, block);
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

/* Goes a share of the step dx, dz; returns the slope there of the function to be minimised. */
static double try_share(least* m, double share)
{
    for (int32_t i = 0; i < m->n; ++i) {
        m->trial_x[i] = m->x[i] + share * m->dx[i];
        m->trial_z[i] = m->z[i] + share * m->dz[i];
    }
    project(m, m->trial_z, 0, m->trial_p);
    find_error(m, m->trial_x, m->trial_p, m->trial_error);
    return dot(m->trial_error, m->dz, m->n);
}

/* Moves along dx, dz to where the slope is small. It increases with the share, and the whole step
 * does where it stays negative. Close to the answer slopes are lost in rounding errors of the
 * impulses that have no effect: there a smaller error `left` decides. 0 when neither is found. */
static int advance(least* m, double left)
{
    double first = dot(m->error, m->dz, m->n), share = 1.0, low = 0.0, high = 1.0;
    double low_slope = first;
    for (int k = 0; k < TRIALS; ++k) {
        double slope = try_share(m, share);
        int small =
            first < 0.0 && slope <= -FLAT * first && (slope >= FLAT * first || share == 1.0);
        if (small || effect(m, m->trial_error) <= FLAT * left) {
            swap(&m->x, &m->trial_x);
            swap(&m->z, &m->trial_z);
            swap(&m->p, &m->trial_p);
            swap(&m->error, &m->trial_error);
            return 1;
        }
        if (!(first < 0.0)) return 0;
        if (slope < 0.0) {
            low = share, low_slope = slope;
        } else {
            high = share;
        }
        double secant = low_slope / (low_slope - fmax(slope, 0.0));
        share = low + (high - low) * fmin(fmax(slope < 0.0 ? 0.5 : secant, 0.1), 0.9);
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
        if (!advance(m, left)) return 0;
    }
    return 0;
}

/* |W p - W p_0|, and W p_0 - W p into gap[n]. */
static double velocity_gap(least* m, const double* p, double* gap)
{
    scri_newton_system_multiply(m->system, p, gap);
    for (int32_t i = 0; i < m->n; ++i) gap[i] = m->wanted[i] - gap[i];
    return sqrt(dot(gap, gap, m->n));
}

/* Only W p_0 matters: takes for p_0 the impulses nearest to p, by a few steps of Tikhonov's method
 * on W dp = W p_0 - W p. What is left of p - p_0 has an effect, and rounding errors are small. */
static void draw_target_near(least* m)
{
    const scree_problem* problem = m->at.problem;
    memset(m->d, 0,
           (size_t)scri_newton_system_block(m->system, problem->n_contacts) * sizeof *m->d);
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        int width = problem->first_row[c + 1] - problem->first_row[c];
        double* block = m->d + scri_newton_system_block(m->system, c);
        for (int i = 0; i < width; ++i) block[i * width + i] = 1.0 / NEAR_SHIFT;
    }
    if (scri_newton_system_factor(m->system, m->d)) return;
    memcpy(m->trial_p, m->p, (size_t)m->n * sizeof *m->p);
    double first = velocity_gap(m, m->trial_p, m->right), gap = first, last = SCREE_INFINITY;
    for (int k = 0; k < NEAR_STEPS && gap < FLAT * last; ++k) {
        for (int32_t i = 0; i < m->n; ++i) m->right[i] = -m->right[i];
        memset(m->error, 0, (size_t)m->n * sizeof *m->error);
        scri_newton_system_solve(m->system, m->error, m->right, 1, m->dx, m->dz);
        for (int32_t i = 0; i < m->n; ++i) m->trial_p[i] += m->dx[i];
        last = gap;
        gap = velocity_gap(m, m->trial_p, m->right);
    }
    if (gap <= NEAR_LEFT * first) swap(&m->target, &m->trial_p);
}

/* Leaves in `best` the impulses whose velocities are closest to the given ones. Whatever z a step
 * ends with is a centre for the next; one that was too hard is followed by an easier one. */
static void iterate(least* m, double* best)
{
    double goal = GOAL * sqrt(dot(m->target, m->target, m->n)), error = SCREE_INFINITY;
    int stalls = 0;
    scri_newton_system_multiply(m->system, m->target, m->wanted);
    memcpy(m->centre, m->wanted, (size_t)m->n * sizeof *m->centre);
    m->sigma = FIRST_SIGMA;
    while (m->steps < MOST_STEPS && stalls < STALLS) {
        int done = solve_step(m, goal);
        double left = velocity_gap(m, m->p, m->right);
        stalls = left < STALL * error ? 0 : stalls + 1;
        if (left < error) {
            error = left;
            memcpy(best, m->p, (size_t)m->n * sizeof *best);
        }
        if (left <= goal) return;
        if (stalls > 0) draw_target_near(m);
        memcpy(m->centre, m->z, (size_t)m->n * sizeof *m->centre);
        m->sigma = fmin(fmax(m->sigma * (done ? SIGMA_FALL : SIGMA_RISE), SIGMA_MIN), FIRST_SIGMA);
    }
}

static scree_status lay_out(scri_arena* arena, least* m)
{
    double** vectors[] = {&m->target,      &m->wanted, &m->centre,  &m->x,       &m->z,
                          &m->p,           &m->error,  &m->trial_x, &m->trial_z, &m->trial_p,
                          &m->trial_error, &m->dx,     &m->dz,      &m->right,   &m->image};
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
    if (!scri_reactions_fit(problem)) return SCREE_ERROR_UNSUPPORTED;
    if (problem->n_contacts == 0) return SCREE_ERROR_INPUT;
    if (scri_newton_system_need(env, problem, "the search for the least reactions")) {
        return SCREE_ERROR_UNSUPPORTED;
    }
    least m = {.n = scree_problem_n_rows(problem)};
    scri_arena* arena = scri_arena_create(env);
    scree_status status =
        arena ? scri_reactions_create(arena, problem, p, tol, &m.at) : SCREE_ERROR_MEMORY;
    if (!status) {
        out->residual = m.at.residual;
        out->norm = out->norm_before = sqrt(dot(m.at.p, m.at.p, m.n));
        if (isfinite(m.at.residual)) status = search(env, arena, &m, tol, p, out);
    }
    scri_newton_system_destroy(m.system);
    scri_arena_destroy(arena);
    if (status) return scri_fail(env, status, "out of memory for the least reactions");
    return SCREE_OK;
}
