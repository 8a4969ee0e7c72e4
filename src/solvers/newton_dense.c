/* Semismooth Newton on the exact and extended laws in Alart and Curnier's form, or on another map
 * (solvers/newton_maps.h), with dense matrices: for a few dozen contacts, where it decides in a few
 * steps what sweeps settle only after thousands, such as a block on a slope within 1e-9 of its
 * limit.
 *
 * In equilibrated variables F = p - R(p - y), R the reaction map (laws/reaction.h), vanishes
 * exactly where the law holds. Redundant contacts make its Jacobian G singular, so a step is the
 * smallest of the least-squares solutions of G d = -F. While it does not lower |F|, more directions
 * of G are taken for singular.
 */
#include "cones/norm_kernel.h"
#include "laws/reaction.h"
#include "math/least_norm.h"
#include "solvers/newton_maps.h"
#include "solvers/solver.h"

#include <math.h>
#include <string.h>

enum { MAX_ROWS = 120, HALVINGS = 8 };

/* Scaled impulses, the velocities they lead to, and F; [n] each. */
typedef struct newton_point {
    double *p, *y, *f;
} newton_point;

typedef struct newton {
    int n;
    double* w;        /* [n n] scaled operator, row-major */
    double* jacobian; /* [n n] */
    double* system;   /* [n n] */
    newton_point now, trial;
    double* first;    /* [n] the impulses it began with */
    double *step, *q; /* [n] */
    double* work;     /* [3 n] */
} newton;

static const char* unfit(const scree_env* env, const scree_problem* problem,
                         const scree_solver_def* def, const scri_facts* facts)
{
    (void)env;
    (void)facts;
    if (scree_problem_n_rows(problem) > MAX_ROWS) return "the problem has more than 120 rows";
    if (def->map != SCREE_MAP_ALART_CURNIER) return scri_newton_map_unfit(problem, def->map);
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        const scri_law* law = scri_law_of(problem, c);
        int is_exact =
            scri_law_is(law, SCREE_LAW_HAS_CHANNELS) && !scri_law_is(law, SCREE_LAW_IS_ASSOCIATED);
        if (!law->react || (scri_law_is(law, SCREE_LAW_HAS_FRICTION) && !is_exact)) {
            return "the law of a contact is the convex or the coupled one";
        }
    }
    return NULL;
}

/* The scaled operator column by column, and the scaled free velocity. Columns are found with
 * impulses of the size of q, so that the result does not depend on units even in its last digit. */
static void assemble(scri_run* run, newton* m)
{
    size_t n = (size_t)m->n;
    const double* s = run->scaling.scale;
    double size = 0.0;
    memset(m->trial.p, 0, n * sizeof(double));
    scri_operator_apply(&run->op, m->trial.p, run->at.y);
    for (size_t i = 0; i < n; ++i) {
        m->q[i] = run->at.y[i] / s[i];
        size = fmax(size, fabs(m->q[i]));
    }
    if (!(size > 0.0)) size = 1.0;
    for (size_t j = 0; j < n; ++j) {
        m->trial.p[j] = size / (run->scaling.unit * s[j]);
        scri_operator_apply(&run->op, m->trial.p, run->at.y);
        m->trial.p[j] = 0.0;
        for (size_t i = 0; i < n; ++i) m->w[i * n + j] = (run->at.y[i] / s[i] - m->q[i]) / size;
    }
}

static void velocity(const newton* m, const newton_point* at)
{
    for (int i = 0; i < m->n; ++i) {
        double sum = m->q[i];
        for (int j = 0; j < m->n; ++j) sum += m->w[i * m->n + j] * at->p[j];
        at->y[i] = sum;
    }
}

/* Row i of the contact whose rows begin at `first`: e_i - sum_j d_j (e_j - w_j), d_j the derivative
 * of its reaction. */
static void write_row(newton* m, int first, int width, int i, const double* d)
{
    double* out = m->jacobian + (size_t)(first + i) * (size_t)m->n;
    memset(out, 0, (size_t)m->n * sizeof *out);
    out[first + i] = 1.0;
    for (int k = 0; k < width; ++k) {
        const double* w = m->w + (size_t)(first + k) * (size_t)m->n;
        if (d[k] == 0.0) continue;
        for (int j = 0; j < m->n; ++j) out[j] += d[k] * w[j];
        out[first + k] -= d[k];
    }
}

/* Row i of the Jacobian, P_i + Y_i W, of a map with derivatives P and Y by p and y. */
static void write_map_row(newton* m, int first, int width, int i, const scri_newton_map* map)
{
    double* out = m->jacobian + (size_t)(first + i) * (size_t)m->n;
    memset(out, 0, (size_t)m->n * sizeof *out);
    for (int k = 0; k < width; ++k) {
        const double *w = m->w + (size_t)(first + k) * (size_t)m->n,
                     by_y = map->by_y[i * width + k];
        for (int j = 0; by_y != 0.0 && j < m->n; ++j) out[j] += by_y * w[j];
        out[first + k] += map->by_p[i * width + k];
    }
}

/* evaluate() for the other maps. */
static double evaluate_map(const scri_run* run, newton* m, const newton_point* at,
                           int with_jacobian)
{
    const scree_problem* problem = run->problem;
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        int first = problem->first_row[c], width = problem->first_row[c + 1] - first;
        scri_newton_map map;
        scri_terms terms = scri_terms_of(problem, c, run->scaling.coef);
        scri_newton_map_evaluate(run->def->map, scri_law_of(problem, c), terms, at->p + first,
                                 at->y + first, &map);
        for (int i = 0; i < width; ++i) {
            at->f[first + i] = map.f[i];
            if (with_jacobian) write_map_row(m, first, width, i, &map);
        }
    }
    return scri_norm(m->n, at->f);
}

/* F from p and y; the Jacobian too when asked for. Returns |F|. */
static double evaluate(const scri_run* run, newton* m, const newton_point* at, int with_jacobian)
{
    const scree_problem* problem = run->problem;
    if (run->def->map != SCREE_MAP_ALART_CURNIER) return evaluate_map(run, m, at, with_jacobian);
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        int first = problem->first_row[c], width = problem->first_row[c + 1] - first;
        double z[SCRI_MAX_WIDTH], d[SCRI_MAX_WIDTH * SCRI_MAX_WIDTH], image[SCRI_MAX_WIDTH];
        scri_terms terms = scri_terms_of(problem, c, run->scaling.coef);
        terms.near = at->p + first;
        for (int i = 0; i < width; ++i) z[i] = at->p[first + i] - at->y[first + i];
        scri_law_of(problem, c)->react(terms, z, 0.0, image, with_jacobian ? d : NULL);
        for (int i = 0; i < width; ++i) {
            at->f[first + i] = at->p[first + i] - image[i];
            if (with_jacobian) write_row(m, first, width, i, d + (size_t)(i * width));
        }
    }
    return scri_norm(m->n, at->f);
}

static void find_step(newton* m, double rank_tolerance)
{
    size_t n = (size_t)m->n;
    memcpy(m->system, m->jacobian, n * n * sizeof(double));
    for (size_t i = 0; i < n; ++i) m->step[i] = -m->now.f[i];
    scri_least_norm(m->n, m->system, m->step, rank_tolerance, m->work);
}

/* Moves along the step as far as |F| falls; 0 when it does not. */
static int advance(const scri_run* run, newton* m, double* norm)
{
    double share = 1.0;
    for (int k = 0; k < HALVINGS; ++k) {
        for (int i = 0; i < m->n; ++i) m->trial.p[i] = m->now.p[i] + share * m->step[i];
        velocity(m, &m->trial);
        double next = evaluate(run, m, &m->trial, 0);
        if (next < *norm) {
            newton_point swap = m->now;
            m->now = m->trial;
            m->trial = swap;
            *norm = next;
            return 1;
        }
        share *= 0.5;
    }
    return 0;
}

/* Nonzero when the run is to stop, zero when the method is stuck. */
static int iterate(scri_run* run, newton* m)
{
    static const double rank_tolerance[] = {1e-13, 1e-10, 1e-7, 1e-4, 1e-1};
    enum { TRIES = sizeof rank_tolerance / sizeof rank_tolerance[0] };
    velocity(m, &m->now);
    double norm = evaluate(run, m, &m->now, 0);
    for (int moved = 1; moved && norm > 0.0;) {
        evaluate(run, m, &m->now, 1);
        moved = 0;
        for (int k = 0; !moved && k < TRIES; ++k) {
            find_step(m, rank_tolerance[k]);
            moved = advance(run, m, &norm);
        }
        int stop = scri_run_tick(run);
        if (scri_run_check_scaled(run, m->now.p) || stop) return 1;
    }
    return 0;
}

static void lay_out(newton* m, scri_bump* bump)
{
    size_t n = (size_t)m->n;
    double** vectors[] = {&m->now.p,   &m->now.y, &m->now.f, &m->trial.p, &m->trial.y,
                          &m->trial.f, &m->step,  &m->q,     &m->first};
    double** matrices[] = {&m->w, &m->jacobian, &m->system};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; ++i) {
        *vectors[i] = scri_bump_take(bump, n, sizeof(double));
    }
    for (size_t i = 0; i < sizeof matrices / sizeof matrices[0]; ++i) {
        *matrices[i] = scri_bump_take(bump, n * n, sizeof(double));
    }
    m->work = scri_bump_take(bump, 3 * n, sizeof(double));
}

/* Where the method is stuck its last iterate is the one it began with: from odd reactions, as they
 * may be by then, whoever goes on would converge slowly. */
static void solve(scri_run* run, scri_bump* bump)
{
    newton m = {.n = run->at.n_rows};
    lay_out(&m, bump);
    if (!bump->memory) return;
    assemble(run, &m);
    for (int i = 0; i < m.n; ++i) {
        m.first[i] = run->at.p[i];
        m.now.p[i] = run->at.p[i] * (run->scaling.unit * run->scaling.scale[i]);
    }
    if (iterate(run, &m)) return;
    memcpy(run->at.p, m.first, (size_t)m.n * sizeof *m.first);
    scri_operator_reset(&run->op, run->at.p);
    run->outcome = SCREE_OUTCOME_STALLED;
}

const scri_solver scri_solver_newton_dense = {
    "newton-dense",
    "semismooth Newton with dense matrices, to rounding, on one of three maps",
    "the exact and the extended law and those of joints, up to 120 rows",
    unfit,
    solve,
};
