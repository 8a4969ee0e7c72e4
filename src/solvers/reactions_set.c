#include "solvers/reactions_set.h"

#include "cones/ellipsoid_kernel.h"
#include "laws/reaction.h"
#include "problem/natural_map.h"

#include <math.h>
#include <string.h>

/* What counts as rest: a channel at rest may seem to move by the error of the impulses, and may be
 * taken for resting while the residual that this makes is small beside the tolerance. */
#define REST_OF_ERROR 2.0
#define REST_OF_TOLERANCE 0.1

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

static scri_reaction_set closed_contact(int law, scri_layout layout, const double* coef,
                                        const double* z, const int* moves)
{
    scri_reaction_set set = {.kind = SCRI_REACTION_SET_CONE, .loaded = 1U, .axis = {1.0}};
    int together = law == SCREE_LAW_COUPLED, slips = moves[0] || moves[1] || moves[2];
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

static scri_reaction_set friction_set(int law, int rows, const double* coef, const double* p,
                                      const double* y, double tol)
{
    scri_layout layout = scri_layout_of(rows);
    double z[SCRI_MAX_WIDTH], sum = 0.0, root = 0.0;
    int moves[SCRI_CHANNELS];
    for (int k = 0; k < SCRI_CHANNELS; ++k) {
        double length = scri_norm_channel(layout.dim[k], y + layout.first[k]);
        moves[k] = length > tol && coef[k] > 0.0;
        if (layout.dim[k] == 0) continue;
        sum += coef[k] * length;
        root = scri_norm2(root, coef[k] * length);
    }
    double hold = law == SCREE_LAW_CONVEX ? sum : law == SCREE_LAW_COUPLED ? root : 0.0;
    if (y[0] - hold > tol) return within(0.0, 0.0);
    for (int i = 0; i < layout.width; ++i) z[i] = p[i] - y[i];
    return closed_contact(law, layout, coef, z, moves);
}

scri_reaction_set scri_reaction_set_of(int law, int rows, const double* coef, const double* p,
                                       const double* y, double tol)
{
    if (law == SCREE_LAW_BILATERAL) {
        unsigned all = bits(0, scri_layout_of(rows).width);
        return (scri_reaction_set){.kind = SCRI_REACTION_SET_WHOLE, .free = all, .loaded = all};
    }
    if (law == SCREE_LAW_HALF_LINE) return within(0.0, y[0] > tol ? 0.0 : SCREE_INFINITY);
    if (law == SCREE_LAW_INTERVAL) {
        return within(y[0] < -tol ? coef[1] : coef[0], y[0] > tol ? coef[0] : coef[1]);
    }
    return friction_set(law, rows, coef, p, y, tol);
}

/* The channels of z by themselves: rows that do not vary are 0. */
static void take_free(const scri_reaction_set* set, int width, const double* z, double* own)
{
    own[0] = 0.0;
    for (int i = 0; i < width; ++i) own[0] += set->axis[i] * z[i];
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
        scri_terms terms = {rows, set->radius, NULL, NULL};
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
        scri_reaction_bilateral((scri_terms){rows, NULL, NULL, NULL}, z, 0.0, p, d);
    } else if (set->kind == SCRI_REACTION_SET_WITHIN) {
        const double bounds[] = {set->lo, set->hi, 0.0};
        memset(p, 0, (size_t)width * sizeof *p);
        if (d) memset(d, 0, (size_t)(width * width) * sizeof *d);
        scri_reaction_interval((scri_terms){rows, bounds, NULL, NULL}, z, 0.0, p, d);
    } else {
        project_cone(set, rows, z, p, d);
    }
}

static void find_sets(scri_reactions* r, double tol)
{
    const scree_problem* problem = r->problem;
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        int32_t first = problem->row[c];
        const double* coef = r->scaling.coef + 3 * (size_t)c;
        r->set[c] = scri_reaction_set_of(problem->law[c], problem->rows[c], coef, r->p + first,
                                         r->y + first, tol);
    }
}

scree_status scri_reactions_create(scri_arena* arena, const scree_problem* problem, const double* p,
                                   double tol, scri_reactions* out)
{
    scri_bump count = {NULL, 0};
    (void)scri_operator_create(problem, &count);
    (void)scri_scaling_create(problem, &count);
    size_t n_rows = (size_t)scree_problem_n_rows(problem);
    scri_bump bump = {scri_arena_take(arena, count.used, 1), 0};
    *out = (scri_reactions){.problem = problem, .n_rows = (int32_t)n_rows};
    out->p = scri_arena_take(arena, n_rows, sizeof(double));
    out->y = scri_arena_take(arena, n_rows, sizeof(double));
    out->set = scri_arena_take(arena, (size_t)problem->n_contacts, sizeof *out->set);
    if (!bump.memory || !out->p || !out->y || !out->set) return SCREE_ERROR_MEMORY;
    out->op = scri_operator_create(problem, &bump);
    out->scaling = scri_scaling_create(problem, &bump);
    scri_scaling_compute(&out->op, &out->scaling);
    scri_operator_apply(&out->op, p, out->y);
    scri_natural_map map = scri_natural_map_evaluate(problem, &out->scaling, NULL, p, out->y);
    double size = fmax(map.norm_q, fmax(map.norm_p, map.norm_y));
    out->residual = scri_natural_map_scaled(&map);
    for (size_t i = 0; i < n_rows; ++i) {
        out->p[i] = p[i] * (out->scaling.unit * out->scaling.scale[i]);
        out->y[i] /= out->scaling.scale[i];
    }
    find_sets(out, fmax(REST_OF_ERROR * map.absolute, REST_OF_TOLERANCE * tol * size));
    return SCREE_OK;
}

double scri_reactions_judge(scri_reactions* r, const double* p, double* raw, double* y)
{
    for (int32_t i = 0; i < r->n_rows; ++i) raw[i] = p[i] / (r->scaling.unit * r->scaling.scale[i]);
    scri_operator_apply(&r->op, raw, y);
    scri_natural_map map = scri_natural_map_evaluate(r->problem, &r->scaling, NULL, raw, y);
    return scri_natural_map_scaled(&map);
}
