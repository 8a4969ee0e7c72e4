/* Interior point along the path of the exact law, through its folds.
 *
 * The points whose products are all tau (interior_contacts.h) make a curve from tau = infinity,
 * where it is unique, to solutions at tau = 0. Under the exact law tau need not fall along it:
 * where much friction lets contacts jam the curve folds back, and a method that only ever lowers
 * tau is left with nothing ahead of it. Here the curve is followed by its length (Keller's way),
 * whichever way tau goes. One factorisation gives the tangent t, the correction c towards the
 * curve, and the correction of second order; what these have along t is taken out, which also
 * removes what is large in them close to a fold. Lengths are those of Nesterov and Todd's
 * coordinates with ln tau as one more. A step after which the tangent has turned too far, or that
 * ended far from the curve, is taken back and made shorter: at a fold the sign of the tangent
 * follows from the last one alone.
 *
 * This is slow where interior.c gets through, by short steps, and meant for where it does not.
 */
#include "solvers/interior_point.h"
#include "solvers/solver.h"

#include <math.h>
#include <string.h>

#define FIRST_LENGTH 0.5
#define MOST_LENGTH 0.9
#define LEAST_LENGTH 1e-3
#define TO_BOUNDARY 0.9 /* share of the way to the boundary */
#define NEAR 0.5        /* a correction shorter than this share of `far` lets the next step grow */
#define LOG_SHARE 0.3   /* weight of ln tau in the length of a step */
#define LEFT 10.0       /* beyond so many times the first tau the curve is followed backwards */

/* How closely the curve is followed. The first way is the fastest, and takes most folds; a bend
 * that it cuts leads back to where it came from, or onto another curve, which may be a loop. Then
 * the next way begins at the beginning. */
typedef struct care {
    double most;      /* length of any step */
    double far;       /* a longer correction takes the last step back, or comes alone */
    double turn;      /* cosine of the largest turn of the tangent */
    int64_t patience; /* steps without a tau below all before */
} care;

static const care cares[] = {{MOST_LENGTH, 0.5, 0.8, 300},
                             {MOST_LENGTH, 0.2, 0.95, 600},
                             {0.4 * MOST_LENGTH, 0.5, 0.8, 1500}};
enum { TRIES = sizeof cares / sizeof cares[0] };

typedef struct move {
    double *p, *y, *sigma;
} move;

typedef struct path {
    scri_interior_point point;
    size_t n_rows, n_discs, n; /* n: coordinates, ln tau included */
    move tangent, correction;
    double *along, *off,
        *last; /* [n] of tangent, correction, and the last tangent as it was gone */
    move kept; /* the point before the last step */
    double *kept_last, kept_length;
    int may_go_back;
    double length; /* of the next step */
    const care* care;
    double first, least; /* tau at the beginning of the curve, and the least so far */
    int64_t since;       /* steps since then */
    int is_begun;
} path;

static void copy(const path* m, const move* from, const move* to)
{
    memcpy(to->p, from->p, m->n_rows * sizeof(double));
    memcpy(to->y, from->y, m->n_rows * sizeof(double));
    memcpy(to->sigma, from->sigma, m->n_discs * sizeof(double));
}

static move step_of(const path* m)
{
    return (move){m->point.at.dp, m->point.at.dy, m->point.at.dsigma};
}

static move place_of(const path* m)
{
    return (move){m->point.at.p, m->point.at.y, m->point.at.sigma};
}

/* out = a u + b v */
static void combine(const path* m, double a, const move* u, double b, const move* v,
                    const move* out)
{
    for (size_t i = 0; i < m->n_rows; ++i) {
        out->p[i] = a * u->p[i] + b * v->p[i];
        out->y[i] = a * u->y[i] + b * v->y[i];
    }
    for (size_t i = 0; i < m->n_discs; ++i) out->sigma[i] = a * u->sigma[i] + b * v->sigma[i];
}

static double inner(const path* m, const double* a, const double* b)
{
    double sum = 0.0;
    for (size_t i = 0; i < m->n; ++i) sum += a[i] * b[i];
    return sum;
}

/* Coordinates of the present step, which changes ln tau by `rise`, and its length. */
static double measure(const path* m, double rise, double* out)
{
    out[m->n - 1] = rise;
    return fmax(scri_interior_coordinates(&m->point.at, out), LOG_SHARE * fabs(rise));
}

/* The correction towards the curve, less what it has along the tangent; returns its length. */
static double correct(path* m)
{
    move step = step_of(m);
    scri_interior_point_step(&m->point, m->point.at.tau);
    measure(m, 0.0, m->off);
    double along = inner(m, m->off, m->along) / inner(m, m->along, m->along);
    copy(m, &step, &m->correction);
    combine(m, 1.0, &m->correction, -along, &m->tangent, &m->correction);
    copy(m, &m->correction, &step);
    return measure(m, -along, m->off);
}

/* Factors, and finds the tangent for a rise of ln tau by 1; returns its length, 0 when there is
 * none. */
static double find_tangent(path* m)
{
    move step = step_of(m);
    scri_interior* at = &m->point.at;
    scri_interior_linearise(at);
    if (scri_newton_system_factor(m->point.system, at->d)) return 0.0;
    scri_interior_forget(at);
    scri_interior_point_step(&m->point, at->tau);
    copy(m, &step, &m->correction);
    scri_interior_point_step(&m->point, 2.0 * at->tau);
    combine(m, 1.0, &step, -1.0, &m->correction, &m->tangent);
    copy(m, &m->tangent, &step);
    double length = measure(m, 1.0, m->along);
    return isfinite(length) ? length : 0.0;
}

/* Whether the last step was too long, and is taken back. */
static int goes_back(path* m, double cosine, double off)
{
    int is_well = fabs(cosine) > m->care->turn && off <= m->care->far;
    if (is_well || !m->may_go_back || m->kept_length <= LEAST_LENGTH) return 0;
    move place = place_of(m);
    copy(m, &m->kept, &place);
    memcpy(m->last, m->kept_last, m->n * sizeof *m->last);
    m->may_go_back = 0;
    m->length = 0.4 * m->kept_length;
    return 1;
}

static void keep(path* m)
{
    m->kept_length = m->length;
    move place = place_of(m);
    copy(m, &place, &m->kept);
    memcpy(m->kept_last, m->last, m->n * sizeof *m->last);
    m->may_go_back = m->is_begun;
}

/* Second-order terms of a step by `length` of the tangent go into the correction, and both
 * together are the step. */
static void bend(path* m, double length)
{
    move step = step_of(m);
    combine(m, length, &m->tangent, 0.0, &m->tangent, &step);
    scri_interior_correct(&m->point.at);
    correct(m);
    combine(m, 1.0, &m->correction, length, &m->tangent, &step);
}

/* The cosine of the turn since the last step; at the beginning tau is to fall. */
static double turn(const path* m)
{
    if (!m->is_begun) return -1.0;
    double product = inner(m, m->last, m->last) * inner(m, m->along, m->along);
    return inner(m, m->last, m->along) / sqrt(product);
}

/* Moves along the present step as far as the cones allow; 0 when that is nowhere. */
static int advance(path* m)
{
    scri_interior* at = &m->point.at;
    double share = fmin(1.0, TO_BOUNDARY * scri_interior_reach(at, 1.0 / TO_BOUNDARY));
    if (!(share > 0.0) || !isfinite(scri_interior_product(at, share))) return 0;
    if (share < 1.0) m->length = fmax(0.7 * m->length, LEAST_LENGTH);
    scri_interior_advance(at, share);
    return 1;
}

/* One step of the curve; 0 when there is none. */
static int follow(scri_run* run, path* m)
{
    scri_interior_point_look(run, &m->point);
    double size = find_tangent(m);
    if (!(size > 0.0)) return 0;
    double cosine = turn(m), off = correct(m), sign = cosine > 0.0 ? 1.0 : -1.0;
    if (!isfinite(off)) return 0;
    if (goes_back(m, cosine, off)) return 1;
    if (off <= m->care->far) {
        double length = m->length;
        keep(m);
        if (off < NEAR * m->care->far) m->length = fmin(1.5 * length, m->care->most);
        bend(m, sign * length / size);
    } else {
        m->may_go_back = 0;
    }
    for (size_t i = 0; i < m->n; ++i) m->last[i] = sign * m->along[i];
    m->is_begun = 1;
    return advance(m);
}

/* Whether the curve leads back, or round and round. */
static int is_lost(path* m)
{
    double tau = m->point.at.tau;
    m->since = tau < m->least ? 0 : m->since + 1;
    m->least = fmin(m->least, tau);
    return !(tau < LEFT * m->first) || m->since > m->care->patience;
}

/* From the beginning of the curve; nonzero: stop. */
static int go(scri_run* run, path* m)
{
    run->outcome = SCREE_OUTCOME_STALLED;
    if (!scri_interior_point_start(run, &m->point)) return 1;
    m->n = scri_interior_n_coordinates(&m->point.at) + 1;
    scri_interior_scale(&m->point.at);
    m->first = m->least = m->point.at.tau;
    m->since = 0;
    m->length = fmin(FIRST_LENGTH, m->care->most);
    m->is_begun = m->may_go_back = 0;
    while (follow(run, m)) {
        int stop = scri_run_tick(run);
        if (scri_run_check_scaled(run, m->point.at.p) || stop) return 1;
        if (!(m->point.at.tau > m->point.least)) return 1;
        if (is_lost(m)) return 0;
    }
    return 0;
}

static move take(const path* m, scri_bump* bump)
{
    return (move){scri_bump_take(bump, m->n_rows, sizeof(double)),
                  scri_bump_take(bump, m->n_rows, sizeof(double)),
                  scri_bump_take(bump, m->n_discs, sizeof(double))};
}

static void solve(scri_run* run, scri_bump* bump)
{
    size_t n = (size_t)run->problem->n_contacts;
    path m = {.n_rows = (size_t)run->at.n_rows, .n_discs = 3 * n};
    scri_interior_point_lay_out(run, &m.point, bump);
    m.tangent = take(&m, bump);
    m.correction = take(&m, bump);
    m.kept = take(&m, bump);
    double** vectors[] = {&m.along, &m.off, &m.last, &m.kept_last};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; ++i) {
        *vectors[i] = scri_bump_take(bump, SCRI_INTERIOR_COORDINATES * n + 1, sizeof(double));
    }
    if (!bump->memory) return;
    for (int k = 0; k < TRIES; ++k) {
        m.care = &cares[k];
        if (go(run, &m)) return;
    }
}

const scri_solver scri_solver_interior_path = {
    "interior-path",
    "interior point along its path, through folds: slow, where interior finds no way",
    "the exact and the convex law with discs",
    scri_interior_point_unfit,
    solve,
};
