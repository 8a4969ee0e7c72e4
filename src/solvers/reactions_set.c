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

int scri_reactions_fit(const scree_problem* problem)
{
    if (problem->form == SCREE_FORM_FACTORED || problem->set) return 0;
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        if (!scri_law_of(problem, c)->reactions) return 0;
    }
    return 1;
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

static void find_sets(scri_reactions* r, double tol)
{
    const scree_problem* problem = r->problem;
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        int32_t first = problem->row[c];
        const double* coef = r->scaling.coef + 3 * (size_t)c;
        r->set[c] = scri_law_of(problem, c)
                        ->reactions(problem->rows[c], coef, r->p + first, r->y + first, tol);
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
