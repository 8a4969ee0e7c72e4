/* For a fixed normal impulse n the tangential rows are a problem of their own: minimise the
 * quadratic form of w_tt over a product of discs of radius mu_k n. It is convex and its solution
 * l(n) is continuous. The normal velocity phi(n) = w_nn n + w_nt l(n) + q_n (minus the drift of the
 * convex law) is negative at n = 0 for a contact that does not take off, and positive for large n
 * when w is positive definite: bisection finds a root, whatever happens in between. */
#include "laws/fail_safe.h"

enum { DOUBLINGS = 400, BISECTIONS = 200, SECULAR_STEPS = 200, SWEEPS = 200 };

/* Solves of w_tt in all. Blocks that are nearly singular over many decades may need millions for
 * the last digits; a sweep, which comes back, is content with less. Others never converge. */
enum { MOST_EFFORT = 4000000, MOST_EFFORT_IN_SWEEP = 3000 };

static int most_effort(const scri_slip_contact* c)
{
    return c->tolerance <= SCRI_ALONE_TOLERANCE ? MOST_EFFORT : MOST_EFFORT_IN_SWEEP;
}

#define DISC_TOLERANCE 1e-15

static void respond(const scri_slip_contact* c, scri_slip* s, double* lu)
{
    int m = c->layout.width - 1;
    double base[SCRI_MAX_TANGENT], slope[SCRI_MAX_TANGENT];
    scri_slip_factor(m, c, s->lambda, lu);
    scri_slip_response(m, c, lu, base, slope);
    for (int i = 0; i < m; ++i) s->l[i] = base[i] + slope[i] * s->n;
}

/* How far (lambda, l) is from solving the disc problem, relative to the radii. */
static double disc_error(const scri_slip_contact* c, const scri_slip* s)
{
    double worst = 0.0;
    for (int k = 0; k < SCRI_CHANNELS; ++k) {
        if (!scri_slip_carries(c, k)) continue;
        double gap = scri_slip_length(c, s->l, k) / (c->mu[k] * s->n) - 1.0;
        if (s->lambda[k] == 0.0 && gap < 0.0) continue;
        if (!(fabs(gap) <= worst)) worst = fabs(gap);
    }
    return worst;
}

/* Newton in all slipping lambda at fixed n; keeps the step only if it helps. */
static int newton_helps(const scri_slip_contact* c, scri_slip* s)
{
    int m = c->layout.width - 1, index[SCRI_CHANNELS], size = 0;
    double lu[SCRI_MAX_TANGENT * SCRI_MAX_TANGENT], jacobian[SCRI_CHANNELS * SCRI_CHANNELS];
    double rhs[SCRI_CHANNELS], z[SCRI_CHANNELS][SCRI_MAX_TANGENT] = {{0.0}};
    respond(c, s, lu);
    double before = disc_error(c, s);
    for (int k = 0; k < SCRI_CHANNELS; ++k) {
        double length = scri_slip_length(c, s->l, k);
        if (!scri_slip_carries(c, k) || !(length > 0.0)) continue;
        if (s->lambda[k] == 0.0 && length <= c->mu[k] * s->n) continue;
        int first = c->layout.first[k] - 1;
        for (int i = 0; i < c->layout.dim[k]; ++i) z[size][first + i] = s->l[first + i];
        scri_lu_solve(m, lu, z[size]);
        index[size++] = k;
    }
    for (int a = 0; a < size; ++a) {
        int k = index[a], first = c->layout.first[k] - 1, dim = c->layout.dim[k];
        double length = scri_slip_length(c, s->l, k), ratio = c->mu[k] * s->n / length;
        for (int b = 0; b < size; ++b) {
            double slope = scri_dot(dim, s->l + first, z[b] + first);
            jacobian[a * SCRI_CHANNELS + b] = ratio * slope / (length * length);
        }
        rhs[a] = 1.0 - ratio;
    }
    if (!scri_gauss_solve(size, SCRI_CHANNELS, jacobian, rhs)) return 0;
    scri_slip trial = *s;
    for (int a = 0; a < size; ++a) trial.lambda[index[a]] = fmax(0.0, s->lambda[index[a]] + rhs[a]);
    respond(c, &trial, lu);
    if (!(disc_error(c, &trial) <= 0.5 * before)) return 0;
    *s = trial;
    return 1;
}

/* |l_k| falls as lambda_k grows: finds the lambda_k that puts channel k on or in its disc, with
 * the others held. Newton on mu_k n / |l_k| - 1, which is concave, with a bracket in case rounding
 * or an asymmetric w upset it. */
static void secular(const scri_slip_contact* c, int k, scri_slip* s, int* effort)
{
    int m = c->layout.width - 1, first = c->layout.first[k] - 1, dim = c->layout.dim[k];
    double lu[SCRI_MAX_TANGENT * SCRI_MAX_TANGENT];
    double radius = c->mu[k] * s->n, low = 0.0, high = SCREE_INFINITY, lambda = 0.0;
    for (int i = 0; i < SECULAR_STEPS && *effort < most_effort(c); ++i) {
        ++*effort;
        s->lambda[k] = lambda;
        respond(c, s, lu);
        double length = scri_slip_length(c, s->l, k), gap = radius / length - 1.0;
        if (length <= radius) {
            high = lambda;
        } else {
            low = lambda;
        }
        if (high == 0.0 || fabs(gap) <= DISC_TOLERANCE) return;
        double z[SCRI_MAX_TANGENT] = {0.0};
        for (int j = 0; j < dim; ++j) z[first + j] = s->l[first + j];
        scri_lu_solve(m, lu, z);
        double slope = radius * scri_dot(dim, s->l + first, z + first) / (length * length * length);
        lambda -= gap / slope;
        if (!(lambda > low && lambda < high)) {
            lambda = isinf(high) ? 1.0 + 4.0 * low : 0.5 * (low + high);
        }
        if (lambda <= low || lambda >= high) return;
    }
}

/* Solves the disc problem for s->n > 0: Newton where it helps, else coordinate by coordinate. */
static void solve_discs(const scri_slip_contact* c, scri_slip* s, int* effort)
{
    double lu[SCRI_MAX_TANGENT * SCRI_MAX_TANGENT];
    double last = SCREE_INFINITY;
    for (int sweep = 0; sweep < SWEEPS && *effort < most_effort(c); ++sweep) {
        ++*effort;
        respond(c, s, lu);
        double error = disc_error(c, s);
        if (error <= DISC_TOLERANCE) return;
        if (newton_helps(c, s)) continue;
        if (error < 1e-12 && !(error < 0.9 * last)) return; /* as far as rounding allows */
        last = error;
        for (int k = 0; k < SCRI_CHANNELS; ++k) {
            if (scri_slip_carries(c, k)) secular(c, k, s, effort);
        }
    }
    respond(c, s, lu);
}

static double normal_velocity(const scri_slip_contact* c, double n, scri_slip* s, int* effort)
{
    int m = c->layout.width - 1;
    s->n = n;
    solve_discs(c, s, effort);
    double drift = 0.0;
    for (int k = 0; k < SCRI_CHANNELS && c->convex; ++k) {
        if (scri_slip_carries(c, k)) drift += c->mu[k] * c->mu[k] * s->lambda[k];
    }
    return c->w[0] * n + scri_dot(m, c->w + 1, s->l) + c->q[0] - drift * n;
}

int scri_fail_safe(const scri_slip_contact* c, scri_slip* s)
{
    int m = c->layout.width - 1, bracketed = 0, effort = 0;
    double low = 0.0, high = fabs(c->q[0]) / c->w[0];
    *s = (scri_slip){.n = 0.0};
    if (!(high > 0.0)) high = scri_norm(c->layout.width, c->q);
    for (int i = 0; i < DOUBLINGS && !bracketed && high < 1e300; ++i) {
        if (effort >= most_effort(c)) break;
        bracketed = normal_velocity(c, high, s, &effort) >= 0.0;
        if (!bracketed) low = high, high *= 2.0;
    }
    if (!bracketed) return 0;
    for (int i = 0; i < BISECTIONS && effort < most_effort(c); ++i) {
        double middle = 0.5 * (low + high);
        if (middle <= low || middle >= high) break;
        if (normal_velocity(c, middle, s, &effort) >= 0.0) {
            high = middle;
        } else {
            low = middle;
        }
        scri_slip trial = *s;
        if (i % 2 && scri_slip_newton(m, c, &trial)) {
            *s = trial;
            return 1;
        }
    }
    normal_velocity(c, high, s, &effort);
    return 1;
}
