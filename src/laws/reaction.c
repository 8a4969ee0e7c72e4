/* Exact law, after Alart and Curnier: p_N = max(z_N, 0), and channel k is drawn onto the disc of
 * radius mu_k p_N, or into the set mu_k p_N C_k along the normals of D_k. Convex law: the
 * projection on the cone. Discs and cone are those of scree/set.h. */
#include "laws/reaction.h"

#include "cones/friction_kernel.h"
#include "laws/planar_slip.h"
#include "laws/set_cone.h"

#include <string.h>

/* z of one contact by channels. */
typedef struct parts {
    scri_layout layout;
    const double *coef, *z, *near;
    double length[SCRI_CHANNELS];
} parts;

static parts part(scri_terms t, const double* z)
{
    parts c = {.layout = scri_layout_of(t.rows), .coef = t.coef, .z = z, .near = t.near};
    for (int k = 0; k < SCRI_CHANNELS; ++k) {
        c.length[k] = scri_norm_channel(c.layout.dim[k], z + c.layout.first[k]);
    }
    return c;
}

/* 1 where a > 0 and 0 where not, blurred. */
static double is_positive(double a, double blur)
{
    if (blur > 0.0) return 0.5 + 0.5 * a / scri_norm2(a, 2.0 * blur);
    return a > 0.0 ? 1.0 : 0.0;
}

/* Row i of channel k, drawn onto the disc of the given radius: radial changes of z count by the
 * share `sticks`, tangential ones by radius / length. The N column is left alone. */
static void differentiate_row(const parts* c, int k, int i, double radius, double sticks, double* d)
{
    int first = c->layout.first[k], dim = c->layout.dim[k];
    double length = c->length[k], ratio = radius > 0.0 ? 1.0 : 0.0;
    if (length > radius) ratio = radius / length;
    double* row = d + (size_t)((first + i) * c->layout.width);
    for (int j = 0; j < dim; ++j) {
        double same = i == j ? 1.0 : 0.0, radial = 0.0;
        if (length > 0.0) radial = c->z[first + i] / length * (c->z[first + j] / length);
        row[first + j] += sticks * radial + ratio * (same - radial);
    }
}

/* A channel with a disc, for the normal impulse `force`. */
static void react_in_disc(const parts* c, int k, double force, double blur, double* p, double* d)
{
    int width = c->layout.width;
    double length = c->length[k], radius = c->coef[k] * force;
    for (int i = c->layout.first[k]; i < c->layout.first[k] + c->layout.dim[k]; ++i) {
        p[i] = length > radius ? radius * c->z[i] / length : c->z[i];
    }
    if (!d) return;
    double slips = radius > 0.0 ? is_positive(length - radius, blur) : 1.0;
    for (int i = 0; i < c->layout.dim[k]; ++i) {
        int row = c->layout.first[k] + i;
        differentiate_row(c, k, i, radius, 1.0 - slips, d);
        if (length > 0.0) d[row * width] = slips * c->coef[k] * c->z[row] / length * d[0];
    }
}

/* A channel with other sets. Outside, the derivative blends that of sticking with that of slipping
 * within about `blur` of the boundary. */
static void react_in_set(const parts* c, int k, scri_channel_sets sets, double force, double blur,
                         double* p, double* d)
{
    int first = c->layout.first[k], width = c->layout.width;
    double g[2] = {-c->z[first], -c->z[first + 1]}, f[2], part[6], near[2] = {0.0, 0.0};
    double size = sets.coef * force, slips = 0.0;
    for (int i = 0; c->near && i < 2; ++i) near[i] = -c->near[first + i];
    double outside = scri_planar_react(sets.c, sets.d, size, g, near, f, d ? part : NULL);
    for (int i = 0; i < 2; ++i) p[first + i] = -f[i];
    if (!d) return;
    if (outside > 0.0) slips = size > 0.0 ? is_positive(c->length[k] * outside, blur) : 1.0;
    for (int i = 0; i < 2; ++i) {
        double* row = d + (size_t)((first + i) * width);
        for (int j = 0; j < 2; ++j) {
            double same = i == j ? 1.0 - slips : 0.0;
            row[first + j] = outside > 0.0 ? same + slips * part[2 * i + j] : part[2 * i + j];
        }
        row[0] = -slips * part[4 + i] * sets.coef * d[0];
    }
}

/* Sliding and spinning under one set. */
static void react_with_spin(const parts* c, scri_channel_sets own, double force, double blur,
                            double* p, double* d)
{
    scri_spin_sets sets = scri_spin_sets_of(own);
    int first = c->layout.first[SCRI_SLIDE], last = c->layout.first[SCRI_SPIN];
    const int rows[3] = {first, first + 1, last};
    double g[3] = {-c->z[first], -c->z[first + 1], -c->z[last]}, f[3], part[12];
    double outside = scri_spin_react(&sets, force, g, f, d ? part : NULL), slips = 0.0;
    for (int i = 0; i < 3; ++i) p[rows[i]] = -f[i];
    if (!d) return;
    double length = scri_norm(3, g);
    if (outside > 0.0) slips = force > 0.0 ? is_positive(length * outside, blur) : 1.0;
    for (int i = 0; i < 3; ++i) {
        double* row = d + (size_t)(rows[i] * c->layout.width);
        for (int j = 0; j < 3; ++j) {
            double same = i == j ? 1.0 - slips : 0.0;
            row[rows[j]] = outside > 0.0 ? same + slips * part[3 * i + j] : part[3 * i + j];
        }
        row[0] = -slips * part[9 + i] * d[0];
    }
}

void scri_reaction_exact(scri_terms t, const double* z, double blur, double* p, double* d)
{
    parts c = part(t, z);
    double force = z[0] <= 0.0 ? 0.0 : z[0]; /* NaN stays NaN */
    int joined = 0;
    p[0] = force;
    if (d) {
        memset(d, 0, (size_t)(c.layout.width * c.layout.width) * sizeof *d);
        d[0] = is_positive(z[0], blur);
    }
    for (int k = 0; k < SCRI_CHANNELS; ++k) {
        scri_channel_sets sets = scri_channel_sets_of(t, k);
        if (k == SCRI_SPIN && joined) continue;
        if (sets.with_spin) {
            joined = 1;
            react_with_spin(&c, sets, force, blur, p, d);
        } else if (sets.c.v && c.layout.dim[k]) {
            react_in_set(&c, k, sets, force, blur, p, d);
        } else {
            react_in_disc(&c, k, force, blur, p, d);
        }
    }
}

/* With the channels outside their discs, n = (z_N + sum mu_k |z_k|) / (1 + sum mu_k^2). */
static void differentiate_convex(const parts* c, const int* outside, double force, double* d)
{
    int width = c->layout.width;
    double share = 1.0;
    memset(d, 0, (size_t)(width * width) * sizeof *d);
    for (int k = 0; k < SCRI_CHANNELS; ++k) share += outside[k] ? c->coef[k] * c->coef[k] : 0.0;
    d[0] = 1.0 / share;
    for (int k = 0; k < SCRI_CHANNELS; ++k) {
        for (int i = c->layout.first[k]; outside[k] && i < c->layout.first[k] + c->layout.dim[k];
             ++i) {
            d[i] = c->coef[k] * c->z[i] / (c->length[k] * share);
        }
    }
    for (int k = 0; k < SCRI_CHANNELS; ++k) {
        for (int i = 0; i < c->layout.dim[k]; ++i) {
            int row = c->layout.first[k] + i;
            int slips = outside[k] || !(c->coef[k] > 0.0);
            differentiate_row(c, k, i, c->coef[k] * force, slips ? 0.0 : 1.0, d);
            double along = outside[k] ? c->coef[k] * c->z[row] / c->length[k] : 0.0;
            for (int j = 0; j < width; ++j) d[row * width + j] += along * d[j];
        }
    }
}

void scri_reaction_convex(scri_terms t, const double* z, double blur, double* p, double* d)
{
    (void)blur;
    if (t.set) {
        scri_set_cone_project(t, z, p, d);
        return;
    }
    parts c = part(t, z);
    int outside[SCRI_CHANNELS], width = c.layout.width;
    double force = scri_friction_root(c.layout, z[0], t.coef, c.length, outside);
    if (force <= 0.0) {
        memset(p, 0, (size_t)width * sizeof *p);
        if (d) memset(d, 0, (size_t)(width * width) * sizeof *d);
        return;
    }
    p[0] = force;
    for (int k = 0; k < SCRI_CHANNELS; ++k) {
        for (int i = c.layout.first[k]; i < c.layout.first[k] + c.layout.dim[k]; ++i) {
            p[i] = outside[k] ? t.coef[k] * force * z[i] / c.length[k] : z[i];
        }
    }
    if (d) differentiate_convex(&c, outside, force, d);
}

void scri_reaction_bilateral(scri_terms t, const double* z, double blur, double* p, double* d)
{
    (void)blur;
    int width = scri_layout_of(t.rows).width;
    memcpy(p, z, (size_t)width * sizeof *p);
    if (!d) return;
    memset(d, 0, (size_t)(width * width) * sizeof *d);
    for (int i = 0; i < width; ++i) d[i * width + i] = 1.0;
}

static void react_within(double lo, double hi, const double* z, double* p, double* d)
{
    int inside = z[0] > lo && z[0] < hi;
    p[0] = z[0] <= lo ? lo : z[0] >= hi ? hi : z[0];
    if (d) d[0] = inside ? 1.0 : 0.0;
}

void scri_reaction_interval(scri_terms t, const double* z, double blur, double* p, double* d)
{
    (void)blur;
    react_within(t.coef[0], t.coef[1], z, p, d);
}

void scri_reaction_half_line(scri_terms t, const double* z, double blur, double* p, double* d)
{
    (void)t, (void)blur;
    react_within(0.0, SCREE_INFINITY, z, p, d);
}
