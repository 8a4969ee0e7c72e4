/* Interior-point method on the exact and the convex law: a dozen factorisations for most problems,
 * however redundant their contacts.
 *
 * The laws in the lifted form of interior_contacts.h, with products tau in place of 0, have smooth
 * solutions for every tau > 0. Newton's method follows them to tau = 0 with Nesterov and Todd's
 * scaling, Mehrotra's predictor and corrector and Gondzio's further correctors: each factorisation
 * is worth several solves. For the convex law nothing else is needed. The path of the exact law,
 * which belongs to no minimum, may fold back; there steps become short, and go on with part of the
 * coupling from slip to normal velocity left out, which leaves a residual that later steps remove.
 * Where that does not help either, or only a brief run is wanted, the method ends as stalled: its
 * last iterate is a good start for sweeps and for the proximal Newton method.
 */
#include "solvers/interior_point.h"
#include "solvers/solver.h"

#include <math.h>
#include <string.h>

enum { CORRECTORS = 3, PATIENCE = 20, STUCK = 2 };
#define TO_BOUNDARY 0.995 /* share of the way to the boundary */
#define SHORT 0.03        /* a shorter step is taken again with less coupling */
#define LONG 0.5          /* after a longer step some coupling comes back */
#define NO_STEP 1e-3      /* shorter than this is as good as none */
#define LEAST_SHARE 1e-8  /* of tau to aim at */
#define LINEAR_SHARE 0.1  /* tau stays above this times the square of the linear residual */
#define GAIN 0.5          /* fall of the residual that counts as progress */

typedef struct interior {
    scri_interior_point point;
    double *keep_p, *keep_y, *keep_sigma;
    double centring; /* least share of tau to aim at; grows while steps fail */
    double mark;     /* residual at `marked` */
    int64_t marked;
    int stuck; /* steps in a row that were as good as none */
} interior;

/* The step to products `target`; returns how far it may be taken. */
static double find_step(interior* m, double target)
{
    scri_interior_point_step(&m->point, target);
    double reach = scri_interior_reach(&m->point.at, 1.0 / TO_BOUNDARY);
    return fmax(fmin(1.0, TO_BOUNDARY * reach), 0.0);
}

static void keep_step(const scri_run* run, interior* m, int back)
{
    size_t rows = (size_t)run->at.n_rows * sizeof(double);
    size_t discs = 3 * (size_t)run->problem->n_contacts * sizeof(double);
    memcpy(back ? m->point.at.dp : m->keep_p, back ? m->keep_p : m->point.at.dp, rows);
    memcpy(back ? m->point.at.dy : m->keep_y, back ? m->keep_y : m->point.at.dy, rows);
    memcpy(back ? m->point.at.dsigma : m->keep_sigma, back ? m->keep_sigma : m->point.at.dsigma,
           discs);
}

/* Further correctors while each lets the step grow by a tenth of what was asked for. */
static double improve_step(const scri_run* run, interior* m, double target, double length)
{
    for (int k = 0; k < CORRECTORS && length < 0.99; ++k) {
        double goal = fmin(1.0, length + 0.3);
        keep_step(run, m, 0);
        scri_interior_centre(&m->point.at, goal, target);
        double next = find_step(m, target);
        int enough = next >= length + 0.1 * (goal - length);
        if (!(next > length)) {
            keep_step(run, m, 1);
            return length;
        }
        length = next;
        if (!enough) return length;
    }
    return length;
}

/* Factors at the present point and finds a step; returns its length, 0 when there is none. */
static double direction(scri_run* run, interior* m)
{
    scri_interior_linearise(&m->point.at);
    if (scri_newton_system_factor(m->point.system, m->point.at.d)) return 0.0;
    scri_interior_forget(&m->point.at);
    double reach = find_step(m, 0.0) / TO_BOUNDARY;
    double left = scri_interior_product(&m->point.at, fmin(1.0, reach)) / m->point.at.tau;
    double share = fmin(1.0, fmax(left * left * left, fmax(m->centring, LEAST_SHARE)));
    double target = fmax(share * m->point.at.tau, LINEAR_SHARE * m->point.worst * m->point.worst);
    scri_interior_correct(&m->point.at);
    double length = improve_step(run, m, target, find_step(m, target));
    return isfinite(scri_interior_product(&m->point.at, length)) ? length : 0.0;
}

static void damp(interior* m)
{
    m->point.at.theta = m->point.at.theta < 0.5 ? 0.0 : m->point.at.theta - 0.3;
    m->centring = fmin(0.95, fmax(0.3, m->centring + 0.2));
}

/* One step of the path: as many factorisations as it takes. Nonzero: stop. */
static int step(scri_run* run, interior* m)
{
    int stop = 0;
    double length = 0.0;
    scri_interior_point_look(run, &m->point);
    for (int again = 1; again;) {
        length = direction(run, m);
        stop = scri_run_tick(run);
        again = !stop && length < SHORT && m->point.at.theta > 0.0 &&
                m->point.at.tau > m->point.least && run->budget.iterations < run->budget.limit;
        if (again && run->brief) {
            m->stuck = STUCK;
            return 0;
        }
        if (again) damp(m);
    }
    if (length > 0.0) scri_interior_advance(&m->point.at, length);
    m->stuck = length > NO_STEP ? 0 : length > 0.0 ? m->stuck + 1 : STUCK;
    if (length > LONG) {
        m->point.at.theta = fmin(1.0, m->point.at.theta + 0.3);
        m->centring = 0.0;
    }
    return scri_run_check_scaled(run, m->point.at.p) || stop;
}

static int stalled(const scri_run* run, interior* m)
{
    if (run->monitor.residual <= GAIN * m->mark) { /* its own: the best may be another method's */
        m->mark = run->monitor.residual;
        m->marked = run->budget.iterations;
    }
    return m->stuck >= STUCK || run->budget.iterations - m->marked >= PATIENCE;
}

static void iterate(scri_run* run, interior* m)
{
    m->mark = SCREE_INFINITY;
    while (!step(run, m)) {
        if (!stalled(run, m)) continue;
        run->outcome = SCREE_OUTCOME_STALLED;
        return;
    }
}

static void solve(scri_run* run, scri_bump* bump)
{
    size_t n_rows = (size_t)run->at.n_rows, n = (size_t)run->problem->n_contacts;
    interior m = {.stuck = 0};
    scri_interior_point_lay_out(run, &m.point, bump);
    m.keep_p = scri_bump_take(bump, n_rows, sizeof(double));
    m.keep_y = scri_bump_take(bump, n_rows, sizeof(double));
    m.keep_sigma = scri_bump_take(bump, 3 * n, sizeof(double));
    if (!bump->memory) return;
    run->outcome = SCREE_OUTCOME_STALLED;
    if (scri_interior_point_start(run, &m.point)) iterate(run, &m);
}

const scri_solver scri_solver_interior = {
    "interior",
    "interior point with sparse factorisation, however redundant the contacts are",
    "the exact and the convex law with discs",
    scri_interior_point_unfit,
    solve,
};
