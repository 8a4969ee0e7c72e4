/* One contact with friction, y = w p + q, in equilibrated variables (diagonal of w near 1).
 *
 * Write p = (n, l). A channel k that slips has y_k = -lambda_k l_k with lambda_k >= 0 and
 * |l_k| = mu_k n; one that sticks has lambda_k = 0 and |l_k| <= mu_k n. For given lambda the
 * tangential rows are linear,
 *
 *     (w_tt + diag lambda) l = -(q_t + w_tn n),
 *
 * and so is the normal row of the exact law, w_nn n + w_nt l + q_n = 0. What remains is
 *
 *     G_k(lambda, n) = mu_k n / |l_k| - 1 = 0      for the slipping channels,
 *     R(lambda, n)   = w_nn n + w_nt l + q_n - [convex] (sum_k mu_k^2 lambda_k) n = 0.
 *
 * G is linear in lambda when w_tt is a multiple of the identity and close to it otherwise (it is
 * the secular function of trust-region methods), so Newton's method needs few steps. The coupled
 * cone is the convex law with a single channel over all tangential rows.
 */
#ifndef SCRI_ONE_CONTACT_KERNEL_H
#define SCRI_ONE_CONTACT_KERNEL_H

#include "cones/friction_kernel.h"
#include "math/small_kernel.h"

enum { SCRI_MAX_TANGENT = SCRI_MAX_WIDTH - 1, SCRI_NEWTON_STEPS = 30 };

/* Newton ends when every |G_k| is below `tolerance`, at best the first number. Pivots of w_tt below
 * the second count as zero: the contact cannot move that way, and any impulse there is as good as
 * another. */
#define SCRI_NEWTON_TOLERANCE 1e-14
#define SCRI_ALONE_TOLERANCE 0.999e-14 /* of a contact for itself: the fail-safe takes its time */
#define SCRI_PIVOT_FLOOR 1e-15

typedef struct scri_slip_contact {
    int rows;           /* a scree_rows, or 0 when `layout` is that of none (coupled law) */
    scri_layout layout; /* channels over rows 1 to width - 1 */
    int convex;
    double tolerance;
    const double* mu; /* [3] */
    const double* w;  /* [width * width] row-major */
    const double* q;  /* [width] */
} scri_slip_contact;

/* The state of the iteration: slip rates, normal and tangential impulse. */
typedef struct scri_slip {
    double lambda[SCRI_CHANNELS];
    double n;
    double l[SCRI_MAX_TANGENT];
} scri_slip;

SCREE_FN double scri_dot(const int n, const double* x, const double* y)
{
    double sum = 0.0;
    for (int i = 0; i < n; ++i) sum += x[i] * y[i];
    return sum;
}

/* Factors of w_tt + diag lambda; rows of a channel with mu = 0 become rows of the identity. */
SCREE_FN void scri_slip_factor(const int m, const scri_slip_contact* c, const double* lambda,
                               double* lu)
{
    for (int i = 0; i < m; ++i) {
        for (int j = 0; j < m; ++j) lu[i * m + j] = c->w[(i + 1) * (m + 1) + j + 1];
    }
    for (int k = 0; k < SCRI_CHANNELS; ++k) {
        for (int i = 0; i < c->layout.dim[k]; ++i) {
            int row = c->layout.first[k] - 1 + i;
            if (c->mu[k] > 0.0) {
                lu[row * m + row] += lambda[k];
                continue;
            }
            for (int j = 0; j < m; ++j) lu[row * m + j] = lu[j * m + row] = 0.0;
            lu[row * m + row] = 1.0;
        }
    }
    scri_lu_factor(m, lu, SCRI_PIVOT_FLOOR);
}

/* Zeroes the rows of channels that cannot carry an impulse. */
SCREE_FN void scri_slip_mask(const scri_slip_contact* c, double* x)
{
    for (int k = 0; k < SCRI_CHANNELS; ++k) {
        if (c->mu[k] > 0.0) continue;
        for (int i = 0; i < c->layout.dim[k]; ++i) x[c->layout.first[k] - 1 + i] = 0.0;
    }
}

/* For the current lambda: l = base + slope n. */
SCREE_FN void scri_slip_response(const int m, const scri_slip_contact* c, const double* lu,
                                 double* base, double* slope)
{
    for (int i = 0; i < m; ++i) {
        base[i] = -c->q[i + 1];
        slope[i] = -c->w[(i + 1) * (m + 1)];
    }
    scri_slip_mask(c, base);
    scri_slip_mask(c, slope);
    scri_lu_solve(m, lu, base);
    scri_lu_solve(m, lu, slope);
}

/* Length of channel k of l, and whether it exceeds its disc. */
SCREE_FN double scri_slip_length(const scri_slip_contact* c, const double* l, int k)
{
    const double* x = l + c->layout.first[k] - 1;
    return c->layout.dim[k] == 0 ? 0.0 : sqrt(scri_dot(c->layout.dim[k], x, x));
}

/* One Newton step in (lambda of the slipping channels, n), not yet applied: next[3] are the new
 * lambda, next[3] the new n. 0 when the system is singular. n is counted in units of its value and
 * R with it, so that the pivots do not depend on the unit of impulses. */
SCREE_FN int scri_slip_step(const int m, const scri_slip_contact* c, const double* lu,
                            const double* slope, const int* slips, const scri_slip* s,
                            double next[SCRI_CHANNELS + 1])
{
    enum { SIZE = SCRI_CHANNELS + 1 };
    double jacobian[SIZE * SIZE], rhs[SIZE], z[SCRI_CHANNELS][SCRI_MAX_TANGENT];
    int index[SCRI_CHANNELS], size = 0;
    double drift = 0.0; /* sum mu_k^2 lambda_k of the convex law */
    for (int k = 0; k < SCRI_CHANNELS; ++k) {
        if (!slips[k]) continue;
        index[size++] = k;
        for (int i = 0; i < m; ++i) z[k][i] = 0.0;
        for (int i = 0; i < c->layout.dim[k]; ++i) {
            int row = c->layout.first[k] - 1 + i;
            z[k][row] = s->l[row];
        }
        scri_lu_solve(m, lu, z[k]); /* -dl/dlambda_k */
        if (c->convex) drift += c->mu[k] * c->mu[k] * s->lambda[k];
    }
    const double* w_nt = c->w + 1;
    for (int a = 0; a < size; ++a) {
        int k = index[a], first = c->layout.first[k] - 1, dim = c->layout.dim[k];
        double length = scri_slip_length(c, s->l, k);
        double ratio = c->mu[k] / length, cube = ratio * s->n / (length * length);
        for (int b = 0; b < size; ++b) {
            jacobian[a * SIZE + b] = cube * scri_dot(dim, s->l + first, z[index[b]] + first);
        }
        double by_n = ratio - cube * scri_dot(dim, s->l + first, slope + first);
        jacobian[a * SIZE + size] = by_n * s->n;
        jacobian[size * SIZE + a] = -scri_dot(m, w_nt, z[k]) / s->n;
        if (c->convex) jacobian[size * SIZE + a] -= c->mu[k] * c->mu[k];
        rhs[a] = 1.0 - ratio * s->n;
    }
    jacobian[size * SIZE + size] = c->w[0] + scri_dot(m, w_nt, slope) - drift;
    rhs[size] = -(c->w[0] * s->n + scri_dot(m, w_nt, s->l) + c->q[0] - drift * s->n) / s->n;
    if (!scri_gauss_solve(size + 1, SIZE, jacobian, rhs)) return 0;
    for (int a = 0; a < size; ++a) next[index[a]] = s->lambda[index[a]] + rhs[a];
    next[SCRI_CHANNELS] = s->n + rhs[size] * s->n;
    return 1;
}

/* The slip rate to try next on channel k. With several channels, or the convex law, Newton's
 * proposal; a lone channel under the exact law must go in the right sense (more slip when the
 * impulse leaves its disc, less when it lies inside) and not back to sticking at once when sticking
 * has been seen to fail. */
SCREE_FN double scri_slip_choose(const scri_slip_contact* c, const scri_slip* s, int k, int lone,
                                 double proposal, int must_slip)
{
    double lambda = s->lambda[k];
    double least = must_slip ? 0.1 * lambda : 0.0;
    double distance = scri_slip_length(c, s->l, k) - c->mu[k] * s->n;
    if (c->convex) return fmax(proposal, least);
    if (s->n <= 0.0) return 0.5 + 4.0 * lambda;
    if (!lone) return fmax(proposal, 0.0);
    if (distance > 0.0) return proposal > lambda ? proposal : 0.5 + 4.0 * lambda;
    return proposal < lambda ? fmax(proposal, least) : 0.25 * lambda;
}

/* Whether channel k can carry an impulse; whether exactly one channel can. */
SCREE_FN int scri_slip_carries(const scri_slip_contact* c, int k)
{
    return c->layout.dim[k] > 0 && c->mu[k] > 0.0;
}

SCREE_FN int scri_slip_lone(const scri_slip_contact* c)
{
    int carrying = 0;
    for (int k = 0; k < SCRI_CHANNELS; ++k) carrying += scri_slip_carries(c, k);
    return carrying == 1;
}

/* Marks what slips at (lambda, n, l); 1 when the state solves the contact. A channel with
 * lambda > 0 slips; one with lambda = 0 begins to when it leaves its disc. */
SCREE_FN int scri_slip_judge(const int m, const scri_slip_contact* c, const scri_slip* s,
                             int* slips)
{
    int solved = s->n > 0.0;
    double drift = 0.0;
    for (int k = 0; k < SCRI_CHANNELS; ++k) {
        slips[k] = 0;
        if (c->layout.dim[k] == 0 || !(c->mu[k] > 0.0)) continue;
        double length = scri_slip_length(c, s->l, k), radius = c->mu[k] * s->n;
        double gap = length - radius;
        slips[k] = length > 0.0 && (s->lambda[k] > 0.0 || gap > c->tolerance * length);
        if (slips[k] && !(fabs(gap) <= c->tolerance * length)) solved = 0;
        if (c->convex) drift += c->mu[k] * c->mu[k] * s->lambda[k];
    }
    if (!c->convex) return solved; /* the normal row holds by elimination */
    double a = c->w[0] * s->n, b = scri_dot(m, c->w + 1, s->l), d = drift * s->n;
    double size = fabs(a) + fabs(b) + fabs(d) + fabs(c->q[0]);
    return solved && fabs(a + b + c->q[0] - d) <= 10.0 * c->tolerance * size;
}

/* Newton from the lambda (and, for the convex law, the n) in s. 1 when it converged. */
SCREE_FN int scri_slip_newton(const int m, const scri_slip_contact* c, scri_slip* s)
{
    double lu[SCRI_MAX_TANGENT * SCRI_MAX_TANGENT];
    double base[SCRI_MAX_TANGENT], slope[SCRI_MAX_TANGENT];
    int must_slip[SCRI_CHANNELS] = {0, 0, 0}, lone = scri_slip_lone(c);
    for (int step = 0; step < SCRI_NEWTON_STEPS; ++step) {
        scri_slip_factor(m, c, s->lambda, lu);
        scri_slip_response(m, c, lu, base, slope);
        if (!c->convex) {
            double mobility = c->w[0] + scri_dot(m, c->w + 1, slope);
            if (!(mobility > 0.0)) return 0;
            s->n = -(c->q[0] + scri_dot(m, c->w + 1, base)) / mobility;
        }
        for (int i = 0; i < m; ++i) s->l[i] = base[i] + slope[i] * s->n;
        int slips[SCRI_CHANNELS];
        if (scri_slip_judge(m, c, s, slips)) return 1;
        double next[SCRI_CHANNELS + 1] = {-1.0, -1.0, -1.0, s->n};
        if (s->n > 0.0 && !scri_slip_step(m, c, lu, slope, slips, s, next)) return 0;
        for (int k = 0; k < SCRI_CHANNELS; ++k) {
            if (!slips[k]) continue;
            must_slip[k] |= lone && s->lambda[k] == 0.0;
            s->lambda[k] = scri_slip_choose(c, s, k, lone, next[k], must_slip[k]);
        }
        double n = next[SCRI_CHANNELS];
        s->n = n > 0.0 ? n : 0.1 * fabs(s->n); /* counts for the convex law only */
    }
    return 0;
}

/* p = (n, l) with each channel drawn onto its disc where rounding left it outside. */
SCREE_FN void scri_slip_impulse(const int m, const scri_slip_contact* c, const scri_slip* s,
                                double* p)
{
    p[0] = s->n;
    for (int i = 0; i < m; ++i) p[i + 1] = s->l[i];
    for (int k = 0; k < SCRI_CHANNELS; ++k) {
        double length = scri_slip_length(c, s->l, k), radius = c->mu[k] * s->n;
        if (length <= radius) continue;
        for (int i = 0; i < c->layout.dim[k]; ++i) p[c->layout.first[k] + i] *= radius / length;
    }
}

#endif
