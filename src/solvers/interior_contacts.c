#include "solvers/interior_contacts.h"

#include "cones/layout_kernel.h"
#include "laws/law.h"

#include <string.h>

/* Products that Gondzio's correction leaves alone, relative to the target. */
#define PRODUCT_LOW 0.1
#define PRODUCT_HIGH 10.0

/* Compliance that a step adds to every row, where W has a diagonal of 1. It bounds D, and with it
 * what rounding does to steps of sticking contacts; as it acts on steps alone, it does not change
 * the solution. */
#define SOFT 1e-9

/* One channel in use: the coefficient is not 0. */
typedef struct channel {
    size_t index; /* 3 c + k */
    int first, dim;
    double mu;
} channel;

typedef struct contact {
    size_t row; /* first row */
    int width;
    int n;         /* channels in use */
    int no_normal; /* there is no y_N p_N = tau, but y_N = sum mu sigma */
    int idle;      /* nor anything else */
    channel channel[SCRI_CHANNELS];
} contact;

static contact contact_of(const scri_interior* m, int32_t c)
{
    const scree_problem* problem = m->problem;
    scri_layout layout = scri_layout_of(problem->rows[c]);
    contact out = {.row = (size_t)problem->first_row[c], .width = layout.width};
    out.idle = m->idle[c];
    for (int k = 0; k < SCRI_CHANNELS && !out.idle; ++k) {
        size_t index = 3 * (size_t)c + (size_t)k;
        if (layout.dim[k] == 0 || !(m->coef[index] > 0.0)) continue;
        out.channel[out.n++] = (channel){index, layout.first[k], layout.dim[k], m->coef[index]};
    }
    out.no_normal =
        out.idle || (out.n > 0 && scri_law_is(scri_law_of(problem, c), SCREE_LAW_IS_ASSOCIATED));
    return out;
}

static scri_lorentz pick(const channel* k, double head, const double* rows)
{
    scri_lorentz out = {head, {rows[k->first], k->dim == 2 ? rows[k->first + 1] : 0.0}};
    return out;
}

/* Impulses z, velocities s of a channel and their steps. */
typedef struct pair {
    scri_lorentz z, s, dz, ds;
} pair;

static pair pair_of(const scri_interior* m, const contact* at, const channel* k)
{
    const double *p = m->p + at->row, *dp = m->dp + at->row;
    return (pair){pick(k, k->mu * p[0], p), pick(k, m->sigma[k->index], m->y + at->row),
                  pick(k, k->mu * dp[0], dp), pick(k, m->dsigma[k->index], m->dy + at->row)};
}

static scri_lorentz moved(const scri_lorentz* x, const scri_lorentz* d, double t)
{
    scri_lorentz out = {x->head + t * d->head,
                        {x->tail[0] + t * d->tail[0], x->tail[1] + t * d->tail[1]}};
    return out;
}

int scri_interior_fits(const scree_problem* problem)
{
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        const scri_law* law = scri_law_of(problem, c);
        if (!scri_law_is(law, SCREE_LAW_HAS_CHANNELS)) return 0;
        if (scri_law_is(law, SCRI_LAW_JUDGED_BY_REACTION)) return 0; /* other sets than discs */
    }
    return 1;
}

scri_interior scri_interior_create(const scree_problem* problem, const double* coef,
                                   const uint8_t* idle, scri_bump* bump)
{
    scri_interior m = {.problem = problem, .coef = coef, .idle = idle, .theta = 1.0};
    size_t n = (size_t)problem->n_contacts, n_rows = (size_t)scree_problem_n_rows(problem);
    double** by_row[] = {&m.p, &m.y, &m.dp, &m.dy, &m.c};
    size_t blocks = 0;
    for (size_t c = 0; c < n; ++c) {
        size_t width = (size_t)(problem->first_row[c + 1] - problem->first_row[c]);
        blocks += width * width;
    }
    for (size_t i = 0; i < sizeof by_row / sizeof by_row[0]; ++i) {
        *by_row[i] = scri_bump_take(bump, n_rows, sizeof(double));
    }
    m.sigma = scri_bump_take(bump, 3 * n, sizeof(double));
    m.dsigma = scri_bump_take(bump, 3 * n, sizeof(double));
    m.excess_n = scri_bump_take(bump, n, sizeof(double));
    m.scaling = scri_bump_take(bump, 3 * n, sizeof *m.scaling);
    m.excess = scri_bump_take(bump, 3 * n, sizeof *m.excess);
    m.right = scri_bump_take(bump, 3 * n, sizeof *m.right);
    m.d = scri_bump_take(bump, blocks, sizeof(double));
    return m;
}

/* ---- the point ---- */

static void start_contact(scri_interior* m, const contact* at, const double* q, double tau)
{
    double *p = m->p + at->row, *y = m->y + at->row, slip = 0.0;
    double root = 0.5 * scri_norm2(q[0], 2.0 * sqrt(tau)), half = 0.5 * q[0];
    p[0] = half > 0.0 ? tau / (root + half) : root - half;
    y[0] = half > 0.0 ? root + half : tau / (root - half);
    for (int i = at->idle ? 0 : 1; i < at->width; ++i) p[i] = 0.0, y[i] = q[i];
    for (int i = 0; i < at->n; ++i) {
        const channel* k = &at->channel[i];
        scri_lorentz z, s, free = pick(k, 0.0, q);
        scri_lorentz_start(k->mu * p[0], free.tail, tau, &z, &s);
        for (int j = 0; j < k->dim; ++j) {
            p[k->first + j] = z.tail[j];
            y[k->first + j] = s.tail[j];
        }
        m->sigma[k->index] = s.head;
        slip += k->mu * s.head;
    }
    if (at->no_normal && !at->idle) y[0] = slip;
}

void scri_interior_start(scri_interior* m, const double* q, double tau)
{
    int32_t n = m->problem->n_contacts;
    size_t n_rows = (size_t)scree_problem_n_rows(m->problem);
    memset(m->dp, 0, n_rows * sizeof *m->dp);
    memset(m->dy, 0, n_rows * sizeof *m->dy);
    memset(m->sigma, 0, 3 * (size_t)n * sizeof *m->sigma);
    memset(m->dsigma, 0, 3 * (size_t)n * sizeof *m->dsigma);
    m->theta = 1.0;
    for (int32_t c = 0; c < n; ++c) {
        contact at = contact_of(m, c);
        start_contact(m, &at, q + at.row, tau);
    }
}

double scri_interior_product(const scri_interior* m, double t)
{
    double sum = 0.0;
    int64_t cones = 0;
    for (int32_t c = 0; c < m->problem->n_contacts; ++c) {
        contact at = contact_of(m, c);
        size_t row = at.row;
        cones += at.n + !at.no_normal;
        if (!at.no_normal) sum += (m->p[row] + t * m->dp[row]) * (m->y[row] + t * m->dy[row]);
        for (int i = 0; i < at.n; ++i) {
            pair x = pair_of(m, &at, &at.channel[i]);
            scri_lorentz z = moved(&x.z, &x.dz, t), s = moved(&x.s, &x.ds, t);
            sum += scri_lorentz_inner(&z, &s);
        }
    }
    return cones > 0 ? sum / (double)cones : 0.0;
}

void scri_interior_scale(scri_interior* m)
{
    m->tau = scri_interior_product(m, 0.0);
    for (int32_t c = 0; c < m->problem->n_contacts; ++c) {
        contact at = contact_of(m, c);
        for (int i = 0; i < at.n; ++i) {
            pair x = pair_of(m, &at, &at.channel[i]);
            m->scaling[at.channel[i].index] = scri_lorentz_scale(&x.z, &x.s, m->tau);
        }
    }
}

/* ---- the linearised laws ---- */

/* dp_N = (.. - dy_N + coupling sum_k g_k dy_k) / a,   dp_k = .. - D_k dy_k - g_k dp_N */
typedef struct terms {
    double a, coupling;
    double g[SCRI_CHANNELS][2];
    double d[SCRI_CHANNELS][3]; /* D_k: 11, 12, 22 */
} terms;

/* D_k comes from unit vectors: from a difference of nearly equal matrices it would be lost. */
static void disc_terms(const channel* k, const scri_lorentz_scaling* s, double* g, double* d)
{
    double length = scri_norm2(s->tail[0], s->tail[1]), unit[2] = {1.0, 0.0};
    if (length > 0.0) unit[0] = s->tail[0] / length, unit[1] = s->tail[1] / length;
    double hard = s->eta * s->eta * s->spread;
    double across = 1.0 / (s->eta * s->eta + SOFT), along = 1.0 / (hard + SOFT);
    d[0] = across * unit[1] * unit[1] + along * unit[0] * unit[0];
    d[1] = (along - across) * unit[0] * unit[1];
    d[2] = across * unit[0] * unit[0] + along * unit[1] * unit[1];
    for (int i = 0; i < 2; ++i) g[i] = k->mu * 2.0 * s->head * s->tail[i] * s->eta * s->eta * along;
}

static terms terms_of(const scri_interior* m, const contact* at)
{
    terms out;
    out.coupling = at->no_normal ? 1.0 : 1.0 - m->theta;
    out.a = at->idle ? SCREE_INFINITY : SOFT;
    if (!at->no_normal) out.a += m->y[at->row] / m->p[at->row];
    for (int i = 0; i < at->n; ++i) {
        const channel* k = &at->channel[i];
        const scri_lorentz_scaling* s = &m->scaling[k->index];
        disc_terms(k, s, out.g[i], out.d[i]);
        out.a += out.coupling * k->mu * k->mu * s->eta * s->eta / s->spread;
    }
    return out;
}

/* The row of D that belongs to entry j of channel i, and its entry in the row of N. */
static void write_row(const contact* at, const terms* t, int i, int j, double* d)
{
    const channel* k = &at->channel[i];
    double* out = d + (k->first + j) * at->width;
    d[k->first + j] = -t->coupling * t->g[i][j] / t->a;
    out[0] = -t->g[i][j] / t->a;
    for (int n = 0; n < at->n; ++n) {
        for (int l = 0; l < at->channel[n].dim; ++l) {
            out[at->channel[n].first + l] = t->coupling * t->g[i][j] * t->g[n][l] / t->a;
        }
    }
    for (int l = 0; l < k->dim; ++l) out[k->first + l] += t->d[i][j + l];
}

void scri_interior_linearise(scri_interior* m)
{
    double* d = m->d;
    for (int32_t c = 0; c < m->problem->n_contacts; ++c) {
        contact at = contact_of(m, c);
        terms t = terms_of(m, &at);
        memset(d, 0, (size_t)(at.width * at.width) * sizeof *d);
        d[0] = 1.0 / t.a;
        for (int i = 0; i < at.n; ++i) {
            for (int j = 0; j < at.channel[i].dim; ++j) write_row(&at, &t, i, j, d);
        }
        d += at.width * at.width;
    }
}

/* Right-hand side of one disc: S (lambda \ (target e - excess)) - s. */
static scri_lorentz disc_right(const scri_interior* m, const contact* at, const channel* k,
                               double target)
{
    const scri_lorentz_scaling* scaling = &m->scaling[k->index];
    const scri_lorentz* excess = &m->excess[k->index];
    scri_lorentz s = pick(k, m->sigma[k->index], m->y + at->row);
    scri_lorentz x = {target - excess->head, {-excess->tail[0], -excess->tail[1]}};
    x = scri_lorentz_divide(scaling, &x);
    x = scri_lorentz_apply(scaling, 1.0, &x);
    return moved(&x, &s, -1.0);
}

static void aim_contact(scri_interior* m, int32_t c, double target)
{
    contact at = contact_of(m, c);
    terms t = terms_of(m, &at);
    double* out = m->c + at.row;
    double sum = -m->y[at.row];
    memset(out, 0, (size_t)at.width * sizeof *out);
    if (!at.no_normal) sum += (target - m->excess_n[c]) / m->p[at.row];
    for (int i = 0; i < at.n; ++i) {
        const channel* k = &at.channel[i];
        scri_lorentz r = m->right[k->index] = disc_right(m, &at, k, target);
        if (at.no_normal) sum += k->mu * m->sigma[k->index];
        sum += t.coupling * (k->mu * r.head - t.g[i][0] * r.tail[0] - t.g[i][1] * r.tail[1]);
    }
    out[0] = sum / t.a;
    for (int i = 0; i < at.n; ++i) {
        const channel* k = &at.channel[i];
        const double* r = m->right[k->index].tail;
        for (int j = 0; j < k->dim; ++j) {
            double turned = t.d[i][j] * r[0] + (k->dim == 2 ? t.d[i][j + 1] * r[1] : 0.0);
            out[k->first + j] = turned - t.g[i][j] * out[0];
        }
    }
}

void scri_interior_aim(scri_interior* m, double target)
{
    for (int32_t c = 0; c < m->problem->n_contacts; ++c) aim_contact(m, c, target);
}

void scri_interior_recover(scri_interior* m)
{
    for (int32_t c = 0; c < m->problem->n_contacts; ++c) {
        contact at = contact_of(m, c);
        double *dy = m->dy + at.row, coupling = at.no_normal ? 0.0 : 1.0 - m->theta;
        for (int i = 0; i < at.width; ++i) dy[i] += SOFT * m->dp[at.row + (size_t)i];
        for (int i = 0; i < at.n; ++i) {
            const channel* k = &at.channel[i];
            const scri_lorentz_scaling* s = &m->scaling[k->index];
            const scri_lorentz* r = &m->right[k->index];
            double turned = 0.0;
            for (int j = 0; j < k->dim; ++j) turned += s->tail[j] * (r->tail[j] - dy[k->first + j]);
            double step = s->eta * s->eta * k->mu * m->dp[at.row] + 2.0 * s->head * turned;
            m->dsigma[k->index] = r->head - step / s->spread;
            dy[0] -= coupling * k->mu * m->dsigma[k->index];
        }
    }
}

/* ---- the step ---- */

double scri_interior_reach(const scri_interior* m, double limit)
{
    for (int32_t c = 0; c < m->problem->n_contacts; ++c) {
        contact at = contact_of(m, c);
        double p = m->p[at.row], y = m->y[at.row], dp = m->dp[at.row], dy = m->dy[at.row];
        if (limit * dp < -p) limit = -p / dp;
        if (!at.no_normal && limit * dy < -y) limit = -y / dy;
        for (int i = 0; i < at.n; ++i) {
            const scri_lorentz_scaling* s = &m->scaling[at.channel[i].index];
            pair x = pair_of(m, &at, &at.channel[i]);
            limit = scri_lorentz_reach(&x.z, s->z_determinant, &x.dz, limit);
            limit = scri_lorentz_reach(&x.s, s->s_determinant, &x.ds, limit);
        }
    }
    return limit;
}

void scri_interior_forget(scri_interior* m)
{
    size_t n = (size_t)m->problem->n_contacts;
    memset(m->excess, 0, 3 * n * sizeof *m->excess);
    memset(m->excess_n, 0, n * sizeof *m->excess_n);
}

void scri_interior_correct(scri_interior* m)
{
    for (int32_t c = 0; c < m->problem->n_contacts; ++c) {
        contact at = contact_of(m, c);
        m->excess_n[c] = m->dp[at.row] * m->dy[at.row];
        for (int i = 0; i < at.n; ++i) {
            size_t index = at.channel[i].index;
            pair x = pair_of(m, &at, &at.channel[i]);
            scri_lorentz dz = scri_lorentz_apply(&m->scaling[index], 1.0, &x.dz);
            scri_lorentz ds = scri_lorentz_apply(&m->scaling[index], -1.0, &x.ds);
            m->excess[index] = scri_lorentz_product(&dz, &ds);
        }
    }
}

void scri_interior_centre(scri_interior* m, double t, double target)
{
    double low = PRODUCT_LOW * target, high = PRODUCT_HIGH * target;
    for (int32_t c = 0; c < m->problem->n_contacts; ++c) {
        contact at = contact_of(m, c);
        size_t row = at.row;
        double after = (m->p[row] + t * m->dp[row]) * (m->y[row] + t * m->dy[row]);
        m->excess_n[c] -= fmax(fmin(fmax(after, low), high) - after, -high);
        for (int i = 0; i < at.n; ++i) {
            const scri_lorentz_scaling* s = &m->scaling[at.channel[i].index];
            pair x = pair_of(m, &at, &at.channel[i]);
            scri_lorentz dz = scri_lorentz_apply(s, 1.0, &x.dz);
            scri_lorentz ds = scri_lorentz_apply(s, -1.0, &x.ds);
            scri_lorentz z = moved(&s->lambda, &dz, t), v = moved(&s->lambda, &ds, t);
            scri_lorentz product = scri_lorentz_product(&z, &v);
            scri_lorentz push = scri_lorentz_push(&product, low, high);
            scri_lorentz* excess = &m->excess[at.channel[i].index];
            *excess = moved(excess, &push, -1.0);
        }
    }
}

size_t scri_interior_n_coordinates(const scri_interior* m)
{
    size_t n = 0;
    for (int32_t c = 0; c < m->problem->n_contacts; ++c) {
        contact at = contact_of(m, c);
        n += 2 * (size_t)!at.no_normal + 6 * (size_t)at.n;
    }
    return n;
}

static double disc_coordinates(const scri_lorentz* x, double unit, double* out)
{
    out[0] = x->head / unit, out[1] = x->tail[0] / unit, out[2] = x->tail[1] / unit;
    return scri_norm2(out[0], scri_norm2(out[1], out[2]));
}

double scri_interior_coordinates(const scri_interior* m, double* out)
{
    double most = 0.0, unit = sqrt(m->tau);
    for (int32_t c = 0; c < m->problem->n_contacts; ++c) {
        contact at = contact_of(m, c);
        if (!at.no_normal) {
            out[0] = m->dp[at.row] / m->p[at.row];
            out[1] = m->dy[at.row] / m->y[at.row];
            most = fmax(most, fmax(fabs(out[0]), fabs(out[1])));
            out += 2;
        }
        for (int i = 0; i < at.n; ++i, out += 6) {
            const scri_lorentz_scaling* s = &m->scaling[at.channel[i].index];
            pair x = pair_of(m, &at, &at.channel[i]);
            scri_lorentz dz = scri_lorentz_apply(s, 1.0, &x.dz);
            scri_lorentz ds = scri_lorentz_apply(s, -1.0, &x.ds);
            most = fmax(most, disc_coordinates(&dz, unit, out));
            most = fmax(most, disc_coordinates(&ds, unit, out + 3));
        }
    }
    return most;
}

void scri_interior_advance(scri_interior* m, double t)
{
    size_t n = (size_t)m->problem->n_contacts, n_rows = (size_t)scree_problem_n_rows(m->problem);
    for (size_t i = 0; i < n_rows; ++i) {
        m->p[i] += t * m->dp[i];
        m->y[i] += t * m->dy[i];
    }
    for (size_t i = 0; i < 3 * n; ++i) m->sigma[i] += t * m->dsigma[i];
}
