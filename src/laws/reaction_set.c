#include "laws/reaction_set.h"

#include "cones/ellipsoid_kernel.h"
#include "laws/one_contact_kernel.h"
#include "laws/reaction.h"

#include <string.h>

/* ---- which set ---- */

static unsigned bits(int first, int n)
{
    return ((1U << n) - 1U) << first;
}

static scri_reaction_set within(double lo, double hi)
{
    unsigned row = lo < hi ? 1U : 0U;
    return (scri_reaction_set){
        .kind = SCRI_REACTION_SET_WITHIN, .lo = lo, .hi = hi, .free = row, .loaded = row};
}

/* What an impulse of a channel that slips is, for p_N = 1, into the rows of axis[width]. Its
 * direction is that of z = p - y: against the motion, and where that is slow, not thrown off by the
 * error of y. */
static void tie_channel(scri_layout layout, int k, double radius, const double* z, double* axis)
{
    double length = scri_norm_channel(layout.dim[k], z + layout.first[k]);
    for (int i = layout.first[k]; i < layout.first[k] + layout.dim[k]; ++i) {
        axis[i] = length > 0.0 ? radius * (z[i] / length) : 0.0;
    }
}

/* The same for an ellipsoid, of which all channels slip together. */
static void tie_ellipsoid(scri_layout layout, const double* coef, const double* z, double* axis)
{
    double p[SCRI_MAX_WIDTH], pull = 0.0;
    memcpy(p, z, (size_t)layout.width * sizeof *p);
    scri_ellipsoid_project(layout, coef, p);
    for (int k = 0; k < SCRI_CHANNELS; ++k) {
        pull = scri_norm2(pull, coef[k] * scri_norm_channel(layout.dim[k], z + layout.first[k]));
    }
    for (int k = 0; k < SCRI_CHANNELS; ++k) {
        for (int i = layout.first[k]; i < layout.first[k] + layout.dim[k]; ++i) {
            axis[i] = p[0] > 0.0 ? p[i] / p[0] : coef[k] * (coef[k] * z[i] / pull);
        }
    }
}

/* Channels are bounded one by one (`together` is 0) or all of them by one ellipsoid. */
static scri_reaction_set closed_contact(int together, scri_layout layout, const double* coef,
                                        const double* z, const int* moves)
{
    scri_reaction_set set = {.kind = SCRI_REACTION_SET_CONE, .loaded = 1U, .axis = {1.0}};
    int slips = moves[0] || moves[1] || moves[2];
    if (together && !slips) set.kind = SCRI_REACTION_SET_ELLIPSOID;
    if (together && slips) tie_ellipsoid(layout, coef, z, set.axis);
    for (int k = 0; k < SCRI_CHANNELS; ++k) {
        if (!(coef[k] > 0.0)) continue;
        set.loaded |= bits(layout.first[k], layout.dim[k]);
        if (!(together ? slips : moves[k])) {
            set.free |= bits(layout.first[k], layout.dim[k]);
            set.radius[k] = coef[k];
        } else if (!together) {
            tie_channel(layout, k, coef[k], z, set.axis);
        }
    }
    double size = scri_norm(layout.width, set.axis);
    for (int i = 0; i < layout.width; ++i) set.axis[i] /= size;
    for (int k = 0; k < SCRI_CHANNELS; ++k) set.radius[k] /= size;
    return set;
}

/* How the channels of a contact move, and what a moving one holds y_N by: the sum or, of one
 * ellipsoid, the root of the sum of squares of mu_k |y_k|. */
typedef struct motion {
    scri_layout layout;
    int moves[SCRI_CHANNELS];
    double sum, root;
} motion;

static motion motion_of(int rows, const double* coef, const double* y, double tol)
{
    scri_layout layout = scri_layout_of(rows);
    motion m = {.layout = layout};
    for (int k = 0; k < SCRI_CHANNELS; ++k) {
        double length = scri_norm_channel(layout.dim[k], y + layout.first[k]);
        m.moves[k] = length > tol && coef[k] > 0.0;
        if (layout.dim[k] == 0) continue;
        m.sum += coef[k] * length;
        m.root = scri_norm2(m.root, coef[k] * length);
    }
    return m;
}

static scri_reaction_set friction_set(const motion* m, double hold, int together,
                                      const double* coef, const double* p, const double* y,
                                      double tol)
{
    double z[SCRI_MAX_WIDTH];
    if (y[0] - hold > tol) return within(0.0, 0.0);
    for (int i = 0; i < m->layout.width; ++i) z[i] = p[i] - y[i];
    return closed_contact(together, m->layout, coef, z, m->moves);
}

SCRI_REACTION_SET_OF(exact)
{
    motion m = motion_of(rows, coef, y, tol);
    return friction_set(&m, 0.0, 0, coef, p, y, tol);
}

SCRI_REACTION_SET_OF(convex)
{
    motion m = motion_of(rows, coef, y, tol);
    return friction_set(&m, m.sum, 0, coef, p, y, tol);
}

SCRI_REACTION_SET_OF(coupled)
{
    motion m = motion_of(rows, coef, y, tol);
    return friction_set(&m, m.root, 1, coef, p, y, tol);
}

SCRI_REACTION_SET_OF(bilateral)
{
    (void)coef, (void)p, (void)y, (void)tol;
    unsigned all = bits(0, scri_layout_of(rows).width);
    return (scri_reaction_set){.kind = SCRI_REACTION_SET_WHOLE, .free = all, .loaded = all};
}

SCRI_REACTION_SET_OF(interval)
{
    (void)rows, (void)p;
    return within(y[0] < -tol ? coef[1] : coef[0], y[0] > tol ? coef[0] : coef[1]);
}

SCRI_REACTION_SET_OF(half_line)
{
    (void)rows, (void)coef, (void)p;
    return within(0.0, y[0] > tol ? 0.0 : SCREE_INFINITY);
}

/* ---- the closest point of a set ---- */

/* The channels of z by themselves: rows that do not vary are 0. */
static void take_free(const scri_reaction_set* set, int width, const double* z, double* own)
{
    own[0] = scri_dot(width, set->axis, z);
    for (int i = 1; i < width; ++i) own[i] = set->free >> i & 1U ? z[i] : 0.0;
}

/* Projection on the ellipsoid with derivative. With m = mu^2 and d_k = (1 + m_k) t - n the result
 * is t and m_k t z_k / d_k, where sum m_k |z_k|^2 / d_k^2 = 1. */
static void react_ellipsoid(int rows, const double* mu, const double* z, double* p, double* d)
{
    scri_layout layout = scri_layout_of(rows);
    int width = layout.width, inside = 1;
    double n = z[0], bend = 0.0, slope = 0.0, steep[SCRI_CHANNELS] = {0.0};
    memcpy(p, z, (size_t)width * sizeof *p);
    scri_ellipsoid_project(layout, mu, p);
    if (!d) return;
    memset(d, 0, (size_t)(width * width) * sizeof *d);
    for (int i = 0; i < width; ++i) inside &= p[i] == z[i];
    for (int i = 0; i < width && inside; ++i) d[i * width + i] = 1.0;
    double t = p[0];
    if (inside || !(t > 0.0)) return;
    for (int k = 0; k < SCRI_CHANNELS; ++k) {
        double m = mu[k] * mu[k], length = scri_norm_channel(layout.dim[k], z + layout.first[k]);
        if (!(m > 0.0)) continue;
        steep[k] = (1.0 + m) * t - n;
        double cube = m * length * length / (steep[k] * steep[k] * steep[k]);
        bend += (1.0 + m) * cube;
        slope += cube;
    }
    d[0] = slope / bend;
    for (int k = 0; k < SCRI_CHANNELS; ++k) {
        double m = mu[k] * mu[k];
        for (int i = layout.first[k]; m > 0.0 && i < layout.first[k] + layout.dim[k]; ++i) {
            d[i] = m * z[i] / (steep[k] * steep[k] * bend);
        }
    }
    for (int k = 0; k < SCRI_CHANNELS; ++k) {
        double m = mu[k] * mu[k];
        for (int i = layout.first[k]; m > 0.0 && i < layout.first[k] + layout.dim[k]; ++i) {
            double factor = m * z[i] / (steep[k] * steep[k]);
            for (int j = 0; j < width; ++j) d[i * width + j] = -factor * n * d[j];
            d[i * width] += factor * t;
            d[i * width + i] += m * t / steep[k];
        }
    }
}

/* d = B own B^T, where B has the axis as first column and a unit vector for each free row. */
static void spread(const scri_reaction_set* set, int width, const double* own, double* d)
{
    for (int i = 0; i < width; ++i) {
        for (int j = 0; j < width; ++j) {
            double a = set->axis[i], b = set->axis[j];
            unsigned row = i > 0 ? set->free >> i & 1U : 0U;
            unsigned column = j > 0 ? set->free >> j & 1U : 0U;
            double sum = a * own[0] * b;
            if (row) sum += own[i * width] * b;
            if (column) sum += a * own[j];
            if (row && column) sum += own[i * width + j];
            d[i * width + j] = sum;
        }
    }
}

static void project_cone(const scri_reaction_set* set, int rows, const double* z, double* p,
                         double* d)
{
    int width = scri_layout_of(rows).width;
    double own_z[SCRI_MAX_WIDTH] = {0.0}, own_p[SCRI_MAX_WIDTH] = {0.0};
    double own_d[SCRI_MAX_WIDTH * SCRI_MAX_WIDTH];
    take_free(set, width, z, own_z);
    if (set->kind == SCRI_REACTION_SET_CONE) {
        scri_terms terms = {rows, set->radius, NULL, NULL, NULL};
        scri_reaction_convex(terms, own_z, 0.0, own_p, d ? own_d : NULL);
    } else {
        react_ellipsoid(rows, set->radius, own_z, own_p, d ? own_d : NULL);
    }
    for (int i = 0; i < width; ++i) {
        p[i] = set->axis[i] * own_p[0] + (i > 0 && set->free >> i & 1U ? own_p[i] : 0.0);
    }
    if (d) spread(set, width, own_d, d);
}

void scri_reaction_set_project(const scri_reaction_set* set, int rows, const double* z, double* p,
                               double* d)
{
    int width = scri_layout_of(rows).width;
    if (set->kind == SCRI_REACTION_SET_WHOLE) {
        scri_reaction_bilateral((scri_terms){rows, NULL, NULL, NULL, NULL}, z, 0.0, p, d);
    } else if (set->kind == SCRI_REACTION_SET_WITHIN) {
        const double bounds[] = {set->lo, set->hi, 0.0};
        memset(p, 0, (size_t)width * sizeof *p);
        if (d) memset(d, 0, (size_t)(width * width) * sizeof *d);
        scri_reaction_interval((scri_terms){rows, bounds, NULL, NULL, NULL}, z, 0.0, p, d);
    } else {
        project_cone(set, rows, z, p, d);
    }
}
