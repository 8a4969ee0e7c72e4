/* The normal component n of the projection of z on K minimises
 *
 *     (n - z_N)^2 / 2 + sum_k dist(g_k, n S_k)^2 / 2,     g_k = -z_k,  S_k = coef_k C_k,
 *
 * whose derivative n - z_N - sum_k sigma_k(n), sigma_k = support_{S_k}(g_k - P_{n S_k}(g_k)), grows
 * with n: Newton's method between bounds finds its root. */
#include "laws/set_cone.h"

#include "cones/friction_kernel.h"
#include "laws/planar_slip.h"

#include <math.h>
#include <string.h>

enum { STEPS = 100 };

static const scree_set_value unit_disc = {
    .kind = SCREE_SET_ELLIPSE, .is_convex = 1, .a = 1.0, .b = 1.0, .s = 2.0, .turn = {1.0, 0.0}};

scri_channel_sets scri_channel_sets_of(scri_terms t, int channel)
{
    scri_channel_sets out = {{NULL, NULL}, {NULL, NULL}, t.coef[channel], 0, 0.0};
    if (!t.set || channel == SCRI_SPIN) return out;
    int32_t c = t.set[2 * channel], d = t.set[2 * channel + 1];
    if (c < 0 && d < 0) return out;
    out.c = c >= 0 ? scri_set_at(t.sets, c) : (scri_set){&unit_disc, NULL};
    out.d = d >= 0 ? scri_set_at(t.sets, d) : out.c;
    if (channel == SCRI_SLIDE && out.c.v->spin_power > 0.0 &&
        scri_layout_of(t.rows).dim[SCRI_SPIN] > 0) {
        out.with_spin = 1;
        out.spin_coef = t.coef[SCRI_SPIN];
    }
    return out;
}

int scri_channel_rows(scri_terms t, int channel, int row[3])
{
    scri_layout layout = scri_layout_of(t.rows);
    int n = layout.dim[channel], joined = scri_channel_sets_of(t, SCRI_SLIDE).with_spin;
    if (joined && channel == SCRI_SPIN) return 0;
    for (int i = 0; i < n; ++i) row[i] = layout.first[channel] + i;
    if (joined && channel == SCRI_SLIDE) row[n++] = layout.first[SCRI_SPIN];
    return n;
}

/* One channel at the normal impulse n: projection, how it changes with g and n, and sigma. */
typedef struct channel {
    int dim, row[3];
    scri_channel_sets sets;
    double g[3], f[3], d[9], by_n[3], sigma;
} channel;

static void project_disc(channel* c, double n)
{
    double length = scri_norm_channel(c->dim, c->g), radius = c->sets.coef * n;
    int outside = length > radius;
    for (int i = 0; i < c->dim; ++i) c->f[i] = outside ? radius * c->g[i] / length : c->g[i];
    c->sigma = outside ? c->sets.coef * (length - radius) : 0.0;
    for (int i = 0; i < c->dim; ++i) {
        double unit = outside ? c->g[i] / length : 0.0;
        for (int j = 0; j < c->dim; ++j) {
            double same = i == j ? 1.0 : 0.0;
            double radial = outside ? unit * (c->g[j] / length) : 0.0;
            c->d[3 * i + j] = outside ? radius / length * (same - radial) : same;
        }
        c->by_n[i] = c->sets.coef * unit;
    }
}

static void stick(channel* c)
{
    c->sigma = 0.0;
    for (int i = 0; i < c->dim; ++i) {
        c->f[i] = c->g[i];
        c->by_n[i] = 0.0;
        for (int j = 0; j < c->dim; ++j) c->d[3 * i + j] = i == j ? 1.0 : 0.0;
    }
}

static void project_set(channel* c, double n)
{
    double size = c->sets.coef * n, part[6];
    if (scri_set_gauge(c->sets.c, c->g, NULL, NULL) <= size) {
        stick(c);
        return;
    }
    scri_planar_react(c->sets.c, c->sets.c, size, c->g, NULL, c->f, part);
    double rest[2] = {c->g[0] - c->f[0], c->g[1] - c->f[1]};
    c->sigma = c->sets.coef * scri_set_support(c->sets.c, rest, NULL, NULL);
    for (int i = 0; i < 2; ++i) {
        for (int j = 0; j < 2; ++j) c->d[3 * i + j] = part[2 * i + j];
        c->by_n[i] = c->sets.coef * part[4 + i];
    }
}

static void project_with_spin(channel* c, double n)
{
    scri_spin_sets sets = scri_spin_sets_of(c->sets);
    double part[12], rest[3];
    sets.d = sets.c;
    double outside = scri_spin_react(&sets, n, c->g, c->f, part);
    memcpy(c->d, part, 9 * sizeof *part);
    memcpy(c->by_n, part + 9, 3 * sizeof *part);
    for (int i = 0; i < 3; ++i) rest[i] = c->g[i] - c->f[i];
    c->sigma = outside > 0.0 ? scri_spin_support(sets.c, sets.coef, rest) : 0.0;
}

/* Projects all channels at n; returns sum sigma_k, and d/dn of it in *slope. */
static double project_channels(channel* c, double n, double* slope)
{
    double sum = 0.0;
    *slope = 0.0;
    for (int k = 0; k < SCRI_CHANNELS; ++k) {
        if (c[k].dim == 0) continue;
        if (c[k].sets.with_spin) {
            project_with_spin(&c[k], n);
        } else if (c[k].sets.c.v) {
            project_set(&c[k], n);
        } else {
            project_disc(&c[k], n);
        }
        sum += c[k].sigma;
        double along = 0.0; /* sigma is homogeneous: n dsigma/dn = sigma - dP/dn . g */
        for (int i = 0; i < c[k].dim; ++i) along += c[k].by_n[i] * c[k].g[i];
        if (n > 0.0 && c[k].sigma > 0.0) *slope += (c[k].sigma - along) / n;
    }
    return sum;
}

/* support_{S_k}(y) of one channel. */
static double support(scri_channel_sets sets, int dim, const double* y)
{
    if (sets.with_spin) return scri_spin_support(sets.c, scri_spin_sets_of(sets).coef, y);
    return sets.coef *
           (sets.c.v ? scri_set_support(sets.c, y, NULL, NULL) : scri_norm_channel(dim, y));
}

/* sum support_{S_k}(g_k): what n cannot exceed by more than z_N. */
static double most(const channel* c)
{
    double sum = 0.0;
    for (int k = 0; k < SCRI_CHANNELS; ++k) {
        if (c[k].dim) sum += support(c[k].sets, c[k].dim, c[k].g);
    }
    return sum;
}

static double find_normal(channel* c, double z)
{
    double low = z > 0.0 ? z : 0.0, high = z + most(c), n = low > 0.0 ? low : 0.5 * high, slope;
    for (int i = 0; i < STEPS && low < high; ++i) {
        double rest = n - z - project_channels(c, n, &slope);
        if (rest < 0.0) {
            low = n;
        } else {
            high = n;
        }
        double next = n - rest / (1.0 - slope);
        if (fabs(next - n) <= 1e-16 * n || rest == 0.0) break;
        n = next > low && next < high ? next : 0.5 * (low + high);
        if (n <= low || n >= high) break;
    }
    return n;
}

static void differentiate(const channel* c, int width, double slope, double* d)
{
    memset(d, 0, (size_t)(width * width) * sizeof *d);
    d[0] = 1.0 / (1.0 - slope);
    for (int k = 0; k < SCRI_CHANNELS; ++k) {
        for (int i = 0; i < c[k].dim; ++i) d[c[k].row[i]] = -c[k].by_n[i] * d[0];
    }
    for (int k = 0; k < SCRI_CHANNELS; ++k) {
        for (int i = 0; i < c[k].dim; ++i) {
            double* row = d + (size_t)(c[k].row[i] * width);
            for (int j = 0; j < width; ++j) row[j] = -c[k].by_n[i] * d[j];
            for (int j = 0; j < c[k].dim; ++j) row[c[k].row[j]] += c[k].d[3 * i + j];
        }
    }
}

void scri_set_cone_project(scri_terms t, const double* z, double* p, double* d)
{
    scri_layout layout = scri_layout_of(t.rows);
    channel c[SCRI_CHANNELS];
    double sum = z[0], slope;
    for (int k = 0; k < SCRI_CHANNELS; ++k) {
        c[k] = (channel){.dim = 0};
        c[k].dim = scri_channel_rows(t, k, c[k].row);
        c[k].sets = scri_channel_sets_of(t, k);
        for (int i = 0; i < c[k].dim; ++i) sum += c[k].g[i] = -z[c[k].row[i]];
    }
    int lies_below = !(z[0] + most(c) > 0.0); /* in the polar cone: NaN is caught first */
    if (isnan(sum) || lies_below) {
        scri_fill(layout.width, p, isnan(sum) ? SCREE_NAN : 0.0);
        if (d) scri_fill(layout.width * layout.width, d, 0.0);
        return;
    }
    p[0] = find_normal(c, z[0]);
    project_channels(c, p[0], &slope);
    for (int k = 0; k < SCRI_CHANNELS; ++k) {
        for (int i = 0; i < c[k].dim; ++i) p[c[k].row[i]] = -c[k].f[i];
    }
    if (d) differentiate(c, layout.width, slope, d);
}

/* The least n with f in n times the set of a channel. */
static double gauge_of(scri_channel_sets sets, int dim, const double f[3])
{
    double gauge = sets.c.v ? scri_set_gauge(sets.c, f, NULL, NULL) : scri_norm_channel(dim, f);
    if (sets.with_spin) {
        return scri_spin_gauge(sets.c, scri_spin_sets_of(sets).coef, f, NULL, NULL);
    }
    return gauge;
}

void scri_set_cone_clip(scri_terms t, double* p)
{
    if (p[0] < 0.0) p[0] = 0.0; /* NaN stays NaN */
    for (int k = 0; k < SCRI_CHANNELS; ++k) {
        int row[3], dim = scri_channel_rows(t, k, row);
        if (dim == 0) continue;
        scri_channel_sets sets = scri_channel_sets_of(t, k);
        double f[3] = {0.0, 0.0, 0.0};
        for (int i = 0; i < dim; ++i) f[i] = -p[row[i]];
        double gauge = gauge_of(sets, dim, f), size = sets.with_spin ? p[0] : sets.coef * p[0];
        if (gauge <= size) continue;
        for (int i = 0; i < dim; ++i) p[row[i]] *= size / gauge; /* 0 where the gauge is infinite */
    }
}

double scri_set_cone_shift(scri_terms t, const double* y)
{
    double sum = 0.0;
    for (int k = 0; k < SCRI_CHANNELS; ++k) {
        int row[3], dim = scri_channel_rows(t, k, row);
        double at[3] = {0.0, 0.0, 0.0};
        for (int i = 0; i < dim; ++i) at[i] = y[row[i]];
        if (dim) sum += support(scri_channel_sets_of(t, k), dim, at);
    }
    return sum;
}
