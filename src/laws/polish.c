/* Newton and the fail-safe eliminate l, which loses as many digits as w_tt has lost rank. Here the
 * same equations are kept whole, in (n, l, lambda), and their errors are computed from p itself:
 *
 *     y_n - [convex] (sum mu_k^2 lambda_k) n = 0,   y_k + lambda_k l_k = 0,   |l_k| - mu_k n = 0.
 *
 * Newton steps on the whole system refine those errors to rounding even where the impulses
 * themselves are ill determined. */
#include "laws/polish.h"

#include <string.h>

enum { STEPS = 6, ROUNDS = 6, SIZE = SCRI_MAX_WIDTH + SCRI_CHANNELS };

#define GOOD_ENOUGH 1e-15
#define SMALL_RATE 1e-12 /* slip rate of a channel that has just left its disc */

typedef struct system {
    int size, n_slips;
    int slip[SCRI_CHANNELS]; /* channels that slip */
    double error[SIZE], jacobian[SIZE * SIZE];
} system_of;

/* Rows of channel k: y_k + lambda_k l_k, or l_k where no impulse is possible. */
static void write_channel(const scri_slip_contact* c, const scri_slip* s, int k, system_of* e)
{
    int width = c->layout.width;
    for (int i = 0; i < c->layout.dim[k]; ++i) {
        int row = c->layout.first[k] + i;
        double l = s->l[row - 1], *out = e->jacobian + row * SIZE;
        if (!scri_slip_carries(c, k)) {
            e->error[row] = l;
            out[row] = 1.0;
            continue;
        }
        const double* w = c->w + row * width;
        e->error[row] = w[0] * s->n + scri_dot(width - 1, w + 1, s->l) + c->q[row];
        e->error[row] += s->lambda[k] * l;
        memcpy(out, w, (size_t)width * sizeof *out);
        out[row] += s->lambda[k];
    }
}

/* The disc of slipping channel k as equation `row`, and the column of its lambda. */
static void write_disc(const scri_slip_contact* c, const scri_slip* s, int k, int row, system_of* e)
{
    double length = scri_slip_length(c, s->l, k);
    e->error[row] = length - c->mu[k] * s->n;
    e->jacobian[row * SIZE] = -c->mu[k];
    for (int i = 0; i < c->layout.dim[k]; ++i) {
        int column = c->layout.first[k] + i;
        e->jacobian[row * SIZE + column] = s->l[column - 1] / length;
        e->jacobian[column * SIZE + row] = s->l[column - 1];
    }
    if (c->convex) e->jacobian[row] = -c->mu[k] * c->mu[k] * s->n;
}

/* Errors and derivatives at s; returns the largest error. */
static double write_system(const scri_slip_contact* c, const scri_slip* s, system_of* e)
{
    int width = c->layout.width;
    double drift = 0.0, worst = 0.0;
    memset(e->jacobian, 0, sizeof e->jacobian);
    for (int i = 0; i < e->n_slips; ++i) write_disc(c, s, e->slip[i], width + i, e);
    for (int k = 0; k < SCRI_CHANNELS; ++k) {
        if (c->convex && scri_slip_carries(c, k)) drift += c->mu[k] * c->mu[k] * s->lambda[k];
        write_channel(c, s, k, e);
    }
    e->error[0] = c->w[0] * s->n + scri_dot(width - 1, c->w + 1, s->l) + c->q[0] - drift * s->n;
    memcpy(e->jacobian, c->w, (size_t)width * sizeof *c->w);
    e->jacobian[0] -= drift;
    for (int i = 0; i < e->size; ++i) {
        if (!(fabs(e->error[i]) <= worst)) worst = fabs(e->error[i]);
    }
    return worst;
}

static double size_of(const scri_slip_contact* c, const scri_slip* s)
{
    double sum = s->n * s->n + scri_dot(c->layout.width - 1, s->l, s->l);
    return sqrt(sum + scri_dot(c->layout.width, c->q, c->q));
}

/* How far the state is from a solution: its equations, and channels that stick outside their disc.
 */
static double distance(const scri_slip_contact* c, const scri_slip* s, double equations)
{
    for (int k = 0; k < SCRI_CHANNELS; ++k) {
        double outside = scri_slip_length(c, s->l, k) - c->mu[k] * s->n;
        if (scri_slip_carries(c, k) && s->lambda[k] == 0.0) equations = fmax(equations, outside);
    }
    return s->n > 0.0 ? equations : SCREE_INFINITY;
}

/* Newton on the whole system with the slipping channels of s; a rate that turns negative becomes
 * zero and ends the run. Returns the distance of what is left in s. */
static double refine(const scri_slip_contact* c, scri_slip* s)
{
    int width = c->layout.width;
    system_of e = {.size = width};
    for (int k = 0; k < SCRI_CHANNELS; ++k) {
        if (scri_slip_carries(c, k) && s->lambda[k] > 0.0) e.slip[e.n_slips++] = k;
    }
    e.size += e.n_slips;
    double worst = write_system(c, s, &e);
    for (int step = 0; step < STEPS && worst > GOOD_ENOUGH * size_of(c, s); ++step) {
        if (!scri_gauss_solve(e.size, SIZE, e.jacobian, e.error)) break;
        scri_slip next = *s;
        int ended = 0;
        next.n -= e.error[0];
        for (int i = 1; i < width; ++i) next.l[i - 1] -= e.error[i];
        for (int i = 0; i < e.n_slips; ++i) {
            double* lambda = &next.lambda[e.slip[i]];
            *lambda -= e.error[width + i];
            if (*lambda > 0.0) continue;
            *lambda = 0.0;
            ended = 1;
        }
        double trial = write_system(c, &next, &e);
        if (!ended && !(trial < worst)) break;
        worst = trial;
        *s = next;
        if (ended) break;
    }
    return distance(c, s, worst);
}

void scri_polish(const scri_slip_contact* c, scri_slip* s)
{
    scri_slip trial = *s;
    double best = SCREE_INFINITY;
    for (int round = 0; round < ROUNDS; ++round) {
        double found = refine(c, &trial);
        if (found < best) {
            best = found;
            *s = trial;
        }
        if (found <= GOOD_ENOUGH * size_of(c, &trial)) return;
        for (int k = 0; k < SCRI_CHANNELS; ++k) { /* what has left its disc begins to slip */
            double outside = scri_slip_length(c, trial.l, k) - c->mu[k] * trial.n;
            if (scri_slip_carries(c, k) && trial.lambda[k] == 0.0 && outside > 0.0) {
                trial.lambda[k] = SMALL_RATE;
            }
        }
    }
}
