/* Proximal semismooth Newton: to full accuracy where reactions are not unique.
 *
 * In equilibrated variables a proximal step from p^k solves, for impulses r,
 *
 *     r = R(p^k - rho y),   y = W r + q,
 *
 * with the reaction map R of each law (laws/reaction.h). Its Newton matrix I + rho R' W is regular
 * in most places however redundant the contacts are. p^{k+1} = r; as rho grows the step
 * tends to a Newton step on the problem itself.
 */
#include "solvers/newton_system.h"
#include "solvers/solver.h"

#include <math.h>
#include <string.h>

enum { INNER_STEPS = 10, SHORT_STEPS = 3, HALVINGS = 6 };
#define INNER_SHARE 0.3 /* of the proximal step that may be left as error */
#define INNER_FALL 0.05 /* of the first error that may be left */
#define SHORT 0.3       /* a step length that counts as short */
#define BLUR 1.0        /* of the kinks, in units of the mean error of a row */
#define ACCEPT 2.0      /* a failed step is kept if the residual is below this times the last */
#define RHO_MIN 1e-6
#define RHO_MAX 1e7
#define FIRST_RHO 0.1 /* over the residual of the first guess */
#define FIRST_RHO_MAX 1e4

typedef struct prox {
    int32_t n;
    scri_newton_system* system;
    double rho;
    double *center, *q;       /* [n] p^k; free velocity */
    double *r, *y, *reaction; /* [n] iterate, its velocity, R at it */
    double *trial_r, *trial_y, *trial_reaction;
    double *gap, *image; /* [n] r - R, and W times that */
    double *dr, *dy;
    double* d; /* blocks of rho R' */
} prox;

/* R at velocity y into out[n]; with `blur` >= 0 the blocks of rho R' too, blurred by that. */
static void react(const scri_run* run, const prox* m, const double* y, double blur, double* out)
{
    const scree_problem* problem = run->problem;
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        int32_t first = problem->first_row[c];
        int width = problem->first_row[c + 1] - first;
        double z[SCRI_MAX_WIDTH];
        for (int i = 0; i < width; ++i) z[i] = m->center[first + i] - m->rho * y[first + i];
        double* block = blur >= 0.0 ? m->d + scri_newton_system_block(m->system, c) : NULL;
        scri_terms terms = scri_terms_of(problem, c, run->scaling.coef);
        terms.near = m->center + first;
        scri_law_of(problem, c)->react(terms, z, blur, out + first, block);
        for (int i = 0; block && i < width * width; ++i) block[i] *= m->rho;
    }
}

/* sqrt((r - R) W (r - R)): the error of the velocities in the norm of kinetic energy. */
static double merit(const prox* m, const double* r, const double* reaction)
{
    double sum = 0.0;
    for (int32_t i = 0; i < m->n; ++i) m->gap[i] = r[i] - reaction[i];
    scri_newton_system_multiply(m->system, m->gap, m->image);
    for (int32_t i = 0; i < m->n; ++i) sum += m->gap[i] * m->image[i];
    return sqrt(fmax(sum, 0.0));
}

static double distance(const double* a, const double* b, int32_t n)
{
    double sum = 0.0;
    for (int32_t i = 0; i < n; ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(sum);
}

static void swap(double** a, double** b)
{
    double* keep = *a;
    *a = *b, *b = keep;
}

/* Moves along dr as far as the merit falls; returns the share of the step, 0 when it does not. */
static double advance(const scri_run* run, prox* m, double* error)
{
    for (int k = 0; k < HALVINGS; ++k) {
        double share = ldexp(1.0, -k);
        for (int32_t i = 0; i < m->n; ++i) {
            m->trial_r[i] = m->r[i] + share * m->dr[i];
            m->trial_y[i] = m->y[i] + share * m->dy[i];
        }
        react(run, m, m->trial_y, -1.0, m->trial_reaction);
        double next = merit(m, m->trial_r, m->trial_reaction);
        if (!(next < *error)) continue;
        *error = next;
        swap(&m->r, &m->trial_r);
        swap(&m->y, &m->trial_y);
        swap(&m->reaction, &m->trial_reaction);
        return share;
    }
    return 0.0;
}

typedef enum inner_end { INNER_DONE, INNER_FAILED, INNER_STOP } inner_end;

/* Solves one proximal step; *steps counts its factorisations. */
static inner_end solve_step(scri_run* run, prox* m, int* steps)
{
    int short_steps = 0;
    react(run, m, m->y, -1.0, m->reaction);
    double error = merit(m, m->r, m->reaction), first = error;
    for (*steps = 0; *steps < INNER_STEPS;) {
        double moved = distance(m->reaction, m->center, m->n);
        if (*steps > 0 && error <= INNER_SHARE * moved / m->rho && error <= INNER_FALL * first) {
            return INNER_DONE;
        }
        if (error == 0.0) return INNER_DONE;
        if (run->budget.iterations >= run->budget.limit) return INNER_FAILED;
        ++*steps;
        double blur = BLUR * distance(m->r, m->reaction, m->n) / sqrt((double)m->n);
        react(run, m, m->y, blur, m->reaction);
        if (scri_newton_system_factor(m->system, m->d)) return INNER_FAILED;
        for (int32_t i = 0; i < m->n; ++i) m->gap[i] = m->reaction[i] - m->r[i];
        scri_newton_system_solve(m->system, m->gap, NULL, 0, m->dr, m->dy);
        double share = advance(run, m, &error);
        if (scri_run_tick(run)) return INNER_STOP;
        short_steps = share < SHORT ? short_steps + 1 : 0;
        if (share == 0.0 || short_steps == SHORT_STEPS) return INNER_FAILED;
    }
    return INNER_FAILED;
}

static void restart(prox* m)
{
    memcpy(m->r, m->center, (size_t)m->n * sizeof *m->r);
    scri_newton_system_multiply(m->system, m->r, m->y);
    for (int32_t i = 0; i < m->n; ++i) m->y[i] += m->q[i];
}

static void adapt(prox* m, int steps)
{
    if (steps <= 3) {
        m->rho *= 5.0;
    } else if (steps <= 6) {
        m->rho *= 2.0;
    } else if (steps >= 9) {
        m->rho *= 0.8;
    }
    m->rho = fmin(m->rho, RHO_MAX);
}

/* A failed step is not always lost: what it found may be a better centre than the last one. */
static void settle(const scri_run* run, prox* m, inner_end end, int steps, double* last)
{
    double residual = run->monitor.residual;
    if (end == INNER_FAILED && !(residual < ACCEPT * *last)) {
        m->rho *= 0.3;
        restart(m);
        return;
    }
    *last = residual;
    memcpy(m->center, m->reaction, (size_t)m->n * sizeof *m->center);
    if (end == INNER_FAILED) {
        m->rho *= 0.5;
    } else {
        adapt(m, steps);
    }
}

static void iterate(scri_run* run, prox* m)
{
    double last = run->monitor.residual;
    m->rho = fmin(fmax(FIRST_RHO / last, 1.0), FIRST_RHO_MAX);
    for (int32_t i = 0; i < m->n; ++i) {
        m->center[i] = run->at.p[i] * (run->scaling.unit * run->scaling.scale[i]);
    }
    restart(m);
    while (m->rho > RHO_MIN) {
        int steps = 0;
        inner_end end = solve_step(run, m, &steps);
        for (int32_t i = 0; i < m->n; ++i) {
            run->at.p[i] = m->reaction[i] / (run->scaling.unit * run->scaling.scale[i]);
        }
        if (steps == 0 && end == INNER_DONE && scri_run_tick(run)) end = INNER_STOP;
        scree_outcome why = run->outcome;
        if (scri_run_check(run)) return;
        if (end == INNER_STOP) {
            run->outcome = why;
            return;
        }
        settle(run, m, end, steps, &last);
    }
    run->outcome = SCREE_OUTCOME_STALLED;
}

static const char* unfit(const scree_env* env, const scree_problem* problem,
                         const scree_solver_def* def, const scri_facts* facts)
{
    (void)def;
    (void)facts;
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        if (!scri_law_of(problem, c)->react) return "the law of a contact has no reaction map";
    }
    return scri_newton_system_unfit(env, problem);
}

static void lay_out(const scri_run* run, prox* m, scri_bump* bump)
{
    double** vectors[] = {&m->center,   &m->q,       &m->r,       &m->y,
                          &m->reaction, &m->trial_r, &m->trial_y, &m->trial_reaction,
                          &m->gap,      &m->image,   &m->dr,      &m->dy};
    size_t blocks = 0;
    for (int32_t c = 0; c < run->problem->n_contacts; ++c) {
        size_t width = (size_t)(run->problem->first_row[c + 1] - run->problem->first_row[c]);
        blocks += width * width;
    }
    m->n = run->at.n_rows;
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; ++i) {
        *vectors[i] = scri_bump_take(bump, (size_t)m->n, sizeof(double));
    }
    m->d = scri_bump_take(bump, blocks, sizeof(double));
}

static void solve(scri_run* run, scri_bump* bump)
{
    prox m = {.n = run->at.n_rows};
    lay_out(run, &m, bump);
    if (!bump->memory) return;
    run->outcome = SCREE_OUTCOME_STALLED;
    m.system = scri_run_newton(run);
    if (!m.system) return;
    scri_newton_system_free_velocity(m.system, m.q);
    iterate(run, &m);
}

const scri_solver scri_solver_newton_prox = {
    "newton-prox",
    "proximal semismooth Newton with sparse factorisation, to full accuracy",
    "laws with a reaction map: not the coupled one",
    unfit,
    solve,
};
