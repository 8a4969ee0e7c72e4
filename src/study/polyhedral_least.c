/* The corner form, which needs no inverse of G_tt, for rigid contacts whose forces are not unique;
 * and among the forces that fit those of least norm. */
#include "lapack/dense_spectrum.h"
#include "math/least_norm.h"
#include "study/polyhedral.h"

#include <math.h>
#include <string.h>

/* Accelerations and null directions below this, relative, are zero. */
#define NOTHING 1e-10

/* Error of (8) up to which forces of least norm take the place of others. */
#define FITS 1e-9

static double dot(size_t n, const double* x, const double* y)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; ++i) sum += x[i] * y[i];
    return sum;
}

/* ---- the corner form ---- */

static scree_status list_corners(const scri_poly_system* s, scri_arena* arena,
                                 scri_corner_contact** out)
{
    scri_corner_contact* list = scri_arena_take(arena, (size_t)s->m, sizeof *list);
    if (!list) return SCREE_ERROR_MEMORY;
    for (int32_t i = 0; i < s->m; ++i) {
        const scri_closed* x = &s->closed[i];
        int32_t n = x->dim == 0 ? 0 : 2 * x->k;
        double* corner = scri_arena_take(arena, 4 * (size_t)x->k, sizeof *corner);
        double* work = scri_arena_take(arena, 2 * (size_t)x->k, sizeof *work);
        if (!corner || !work) return SCREE_ERROR_MEMORY;
        if (x->dim == 1) scri_polygon_regular(1, 1, SCREE_POLYGON_CIRCUMSCRIBED, corner);
        if (x->dim == 2) scri_polygon_around(x->k, x->e, corner, work);
        list[i] = (scri_corner_contact){.normal = i,
                                        .tangent = s->m + x->tangent,
                                        .dim = x->dim,
                                        .mu = x->mu,
                                        .n_corners = n,
                                        .corner = corner};
    }
    *out = list;
    return SCREE_OK;
}

/* Solves y = G force + b in the corner form. */
static scree_status solve_corners(const scree_polyhedral* p, const scri_poly_system* s,
                                  scri_arena* arena, const double* b, int variant, double* force,
                                  scree_lcp_report* report)
{
    scri_corner_contact* contact;
    scree_status status = list_corners(s, arena, &contact);
    if (status) return status;
    size_t m = (size_t)scri_corner_unknowns(s->m, contact);
    double* a = scri_arena_take(arena, m, m * sizeof *a);
    double* rhs = scri_arena_take(arena, m, sizeof *rhs);
    double* z = scri_arena_take(arena, m, sizeof *z);
    double* cover = scri_arena_take(arena, m, sizeof *cover);
    if (!a || !rhs || !z || !cover) return SCREE_ERROR_MEMORY;
    scri_corner_assemble(s->m, contact, s->m + s->mt, s->g, b, a, rhs);
    for (size_t i = 0; i < m; ++i) cover[i] = 1.0 + (double)(i * (size_t)variant % 5);
    scree_lcp_def def = scree_default_lcp_def();
    def.tol = p->def.tol;
    def.cover = variant ? cover : NULL;
    status = scree_lcp_solve(&p->env, &(scree_lcp){(int32_t)m, a, rhs}, &def, z, report);
    if (!status) scri_corner_read(s->m, contact, z, force);
    return status;
}

/* The two neighbouring directions among +e_j, -e_j between which v lies, and its parts along them:
 * of all pairs the one with the smallest sum. */
static void split(const scri_closed* x, const double* v, double* plus, double* minus)
{
    double best = SCREE_INFINITY, part[2] = {0.0, 0.0};
    int32_t found[2] = {0, 0}, n = 2 * x->k;
    if (x->dim == 1) {
        (v[0] > 0.0 ? plus : minus)[0] = fabs(v[0]);
        return;
    }
    for (int32_t i = 0; i < n; ++i) {
        for (int32_t j = i + 1; j < n; ++j) {
            double si = i < x->k ? 1.0 : -1.0, sj = j < x->k ? 1.0 : -1.0;
            const double *a = x->e + 2 * (i % x->k), *b = x->e + 2 * (j % x->k);
            double area = si * sj * (a[0] * b[1] - a[1] * b[0]);
            if (fabs(area) < 1e-12) continue;
            double one = sj * (v[0] * b[1] - v[1] * b[0]) / area,
                   two = si * (a[0] * v[1] - a[1] * v[0]) / area;
            if (one < 0.0 || two < 0.0 || !(one + two < best)) continue;
            best = one + two;
            found[0] = i;
            found[1] = j;
            part[0] = one;
            part[1] = two;
        }
    }
    for (int k = 0; k < 2; ++k) {
        int32_t i = found[k];
        if (!(part[k] > NOTHING * best)) continue; /* along the other one alone */
        if (i < x->k) {
            plus[i] = part[k];
        } else {
            minus[i - x->k] = part[k];
        }
    }
}

/* kappa of tangential accelerations that are more than rounding. */
static void find_kappa(const scri_poly_system* s, scri_poly_solution* x)
{
    size_t n = (size_t)s->n;
    double size = 0.0;
    memset(x->kappa, 0, 2 * (size_t)s->mk * sizeof *x->kappa);
    for (int32_t i = 0; i < s->m + s->mt; ++i) size = fmax(size, fabs(s->b[i]));
    for (int32_t i = 0; i < s->m; ++i) {
        const scri_closed* c = &s->closed[i];
        double v[2] = {0.0, 0.0};
        for (int32_t d = 0; d < c->dim; ++d) {
            size_t row = (size_t)s->m + (size_t)c->tangent + (size_t)d;
            v[d] = dot(n, s->j + row * n, x->acceleration) + s->rate[row] +
                   s->compliance * x->force[row];
        }
        if (c->k == 0 || !(hypot(v[0], v[1]) > NOTHING * size)) continue;
        split(c, v, x->kappa + c->line, x->kappa + s->mk + c->line);
    }
}

scree_status scri_poly_corners(const scree_polyhedral* p, const scri_poly_system* s,
                               scri_arena* arena, int variant, scri_poly_solution* out,
                               scree_lcp_report* report)
{
    scree_status status = solve_corners(p, s, arena, s->b, variant, out->force, report);
    if (status) return status;
    scri_poly_accelerate(s, out->force, out->acceleration);
    find_kappa(s, out);
    return SCREE_OK;
}

scree_status scri_poly_impulse(const scree_polyhedral* p, const scri_poly_system* s,
                               scri_arena* arena, double* u, scree_lcp_report* report)
{
    size_t n = (size_t)s->n, rows = scri_poly_rows(s);
    double* b = scri_arena_take(arena, rows, sizeof *b);
    double* force = scri_arena_take(arena, rows, sizeof *force);
    double* velocity = scri_arena_take(arena, (size_t)p->n_rows, sizeof *velocity);
    if (!b || !force || !velocity) return SCREE_ERROR_MEMORY;
    scree_status status = scri_poly_measure(p, p->t, p->q, u, velocity, NULL);
    if (status) return status;
    for (int32_t i = 0; i < s->m; ++i) {
        const scri_closed* x = &s->closed[i];
        const double* from = velocity + p->row[x->contact];
        b[i] = from[0];
        for (int32_t d = 0; d < x->dim; ++d) b[s->m + x->tangent + d] = from[1 + d];
    }
    status = solve_corners(p, s, arena, b, 0, force, report);
    if (status || report->outcome != SCREE_LCP_SOLVED) return status;
    for (size_t i = 0; i < rows; ++i) {
        for (size_t k = 0; k < n; ++k) u[k] += force[i] * s->reach[i * n + k];
    }
    return SCREE_OK;
}

/* ---- least norm ---- */

/* The forces that may change: rows of what must stay 0 (normal forces of contacts that separate,
 * sides of the polygon that a sliding contact is on) and of what must not become negative. */
typedef struct limits {
    int32_t n_zero, n_bound;
    double *zero, *bound; /* rows of m + mt */
} limits;

static void put_side(const scri_poly_system* s, int32_t i, int32_t j, double sign, double* row)
{
    const scri_closed* c = &s->closed[i];
    row[i] = c->mu;
    for (int32_t d = 0; d < c->dim; ++d) row[s->m + c->tangent + d] = sign * c->e[2 * j + d];
}

static void list_limits(const scri_poly_system* s, const scri_poly_solution* x, limits* out)
{
    size_t n = (size_t)s->n, rows = scri_poly_rows(s);
    double size = 0.0;
    for (size_t i = 0; i < rows; ++i) size = fmax(size, fabs(s->b[i]));
    for (int32_t i = 0; i < s->m; ++i) {
        const scri_closed* c = &s->closed[i];
        double up = dot(n, s->j + (size_t)i * n, x->acceleration) + s->rate[i];
        int leaves = up > NOTHING * size;
        double* row = leaves ? out->zero + rows * (size_t)out->n_zero++
                             : out->bound + rows * (size_t)out->n_bound++;
        row[i] = 1.0;
        for (int32_t j = 0; j < 2 * c->k; ++j) { /* sigma- of kappa+, then sigma+ of kappa- */
            int32_t line = j % c->k;
            int minus = j < c->k;
            double kappa = x->kappa[c->line + line + (minus ? 0 : s->mk)];
            row = kappa > 0.0 ? out->zero + rows * (size_t)out->n_zero++
                              : out->bound + rows * (size_t)out->n_bound++;
            put_side(s, i, line, minus ? 1.0 : -1.0, row);
        }
    }
}

/* The changes of force that move nothing and keep what must stay 0: orthonormal directions. */
typedef struct freedom {
    size_t rows;
    int32_t count;
    double* base; /* [count][rows] */
    double* work; /* [rows] */
} freedom;

/* What a change v of the forces does, in units of what a row does: loads on the coordinates, and
 * the rows that must stay 0. */
static void find_effect(const scri_poly_system* s, const limits* l, const double* v, double* effect)
{
    size_t n = (size_t)s->n, rows = scri_poly_rows(s);
    double most = 0.0;
    memset(effect, 0, n * sizeof *effect);
    for (size_t i = 0; i < rows; ++i) {
        const double* push = s->push + i * n;
        most = fmax(most, dot(n, push, push));
        for (size_t k = 0; k < n; ++k) effect[k] += v[i] * push[k];
    }
    for (size_t k = 0; k < n; ++k) effect[k] /= sqrt(most);
    for (int32_t z = 0; z < l->n_zero; ++z) {
        const double* row = l->zero + rows * (size_t)z;
        effect[n + (size_t)z] = dot(rows, row, v) / sqrt(dot(rows, row, row));
    }
}

/* base = turn base */
static scree_status turn_base(scri_arena* arena, freedom* f, const double* turn)
{
    size_t rows = f->rows, count = (size_t)f->count;
    double* old = scri_arena_take(arena, count, rows * sizeof *old);
    if (!old) return SCREE_ERROR_MEMORY;
    memcpy(old, f->base, count * rows * sizeof *old);
    memset(f->base, 0, count * rows * sizeof *f->base);
    for (size_t i = 0; i < count * count; ++i) {
        double share = turn[i];
        for (size_t k = 0; k < rows; ++k) {
            f->base[i / count * rows + k] += share * old[i % count * rows + k];
        }
    }
    return SCREE_OK;
}

/* The eigenvalues that led to these directions are squares of effects, and rounding hides squares
 * below 1e-16: effects of 1e-8. Of the few directions left the effects themselves are found, and
 * squares of those, being small together, tell nothing from little. */
static scree_status keep_without_effect(const scri_poly_system* s, scri_arena* arena,
                                        const limits* l, freedom* f)
{
    size_t count = (size_t)f->count, size = (size_t)s->n + (size_t)l->n_zero;
    double* effect = scri_arena_take(arena, count, size * sizeof *effect);
    double* square = scri_arena_take(arena, count, count * sizeof *square);
    double* value = scri_arena_take(arena, count, sizeof *value);
    double* work = scri_arena_take(arena, scri_dense_spectrum_work(f->count), sizeof *work);
    if (!effect || !square || !value || !work) return SCREE_ERROR_MEMORY;
    for (size_t i = 0; i < count; ++i) find_effect(s, l, f->base + i * f->rows, effect + i * size);
    for (size_t i = 0; i < count * count; ++i) {
        square[i] = dot(size, effect + i / count * size, effect + i % count * size);
    }
    scree_status status = scri_dense_eigen(f->count, 1, square, value, work);
    if (!status) status = turn_base(arena, f, square);
    f->count = 0;
    while (f->count < (int32_t)count && value[f->count] < NOTHING * NOTHING) ++f->count;
    return status;
}

static scree_status find_freedom(const scri_poly_system* s, scri_arena* arena, const limits* l,
                                 freedom* out)
{
    size_t n = (size_t)s->n, rows = scri_poly_rows(s);
    double* a = scri_arena_take(arena, rows, rows * sizeof *a);
    double* value = scri_arena_take(arena, rows, sizeof *value);
    double* work = scri_arena_take(arena, scri_dense_spectrum_work((int32_t)rows), sizeof *work);
    if (!a || !value || !work) return SCREE_ERROR_MEMORY;
    double most = 0.0;
    for (size_t i = 0; i < rows; ++i) {
        for (size_t k = 0; k < rows; ++k) {
            a[i * rows + k] = dot(n, s->push + i * n, s->reach + k * n);
        }
        most = fmax(most, a[i * (rows + 1)]);
    }
    for (size_t i = 0; i < rows * rows; ++i) a[i] /= most;
    for (int32_t z = 0; z < l->n_zero; ++z) {
        const double* row = l->zero + rows * (size_t)z;
        double square = dot(rows, row, row);
        for (size_t i = 0; i < rows; ++i) {
            for (size_t k = 0; k < rows; ++k) a[i * rows + k] += row[i] * row[k] / square;
        }
    }
    scree_status status = scri_dense_eigen((int32_t)rows, 1, a, value, work);
    *out = (freedom){.rows = rows, .base = a, .work = scri_arena_take(arena, rows, sizeof *work)};
    if (!out->work) return SCREE_ERROR_MEMORY;
    while (out->count < (int32_t)rows && value[out->count] < NOTHING) ++out->count; /* they rise */
    if (status || out->count == 0) return status;
    return keep_without_effect(s, arena, l, out);
}

/* x without its part in these directions, or that part alone. */
static void project(const freedom* f, int keep, double* x)
{
    size_t rows = f->rows;
    double* part = f->work;
    memset(part, 0, rows * sizeof *part);
    for (int32_t k = 0; k < f->count; ++k) {
        const double* v = f->base + (size_t)k * rows;
        double along = dot(rows, v, x);
        for (size_t i = 0; i < rows; ++i) part[i] += along * v[i];
    }
    for (size_t i = 0; i < rows; ++i) x[i] = keep ? part[i] : x[i] - part[i];
}

/* Turns the rows of B into those of B Q, Q being the projection on the null directions, and keeps
 * those on which they have a bearing; b = B force. */
static int32_t turn_bounds(const limits* l, const freedom* f, const double* force, double* turned,
                           double* b)
{
    size_t rows = f->rows;
    int32_t kept = 0;
    for (int32_t i = 0; i < l->n_bound; ++i) {
        const double* row = l->bound + rows * (size_t)i;
        double* to = turned + rows * (size_t)kept;
        memcpy(to, row, rows * sizeof *to);
        project(f, 1, to);
        if (!(dot(rows, to, to) > NOTHING * NOTHING * dot(rows, row, row))) continue;
        b[kept++] = dot(rows, row, force);
    }
    return kept;
}

/* Where bounds oppose each other and leave no room, their multipliers are not unique, and Lemke's
 * method may give a pair of 1e12 that all but cancel: of those that belong to the same bounds, the
 * smallest. They may be negative, where opposite bounds share one. */
static scree_status shrink_multipliers(scri_arena* arena, size_t m, const double* a,
                                       const double* b, double* z)
{
    static const double same = 1e-13; /* the square of a sine is this, or rounding */
    double* part = scri_arena_take(arena, m, m * sizeof *part);
    double* x = scri_arena_take(arena, m, sizeof *x);
    double* work = scri_arena_take(arena, 3 * m, sizeof *work);
    size_t* active = scri_arena_take(arena, m, sizeof *active);
    if (!part || !x || !work || !active) return SCREE_ERROR_MEMORY;
    size_t n = 0;
    for (size_t i = 0; i < m; ++i) {
        if (z[i] > 0.0) active[n++] = i;
    }
    for (size_t i = 0; i < n; ++i) x[i] = -b[active[i]];
    for (size_t i = 0; i < n * n; ++i) part[i] = a[active[i / n] * m + active[i % n]];
    scri_least_norm((int)n, part, x, same, work);
    for (size_t i = 0; i < n; ++i) z[active[i]] = x[i];
    return SCREE_OK;
}

/* force + Q B^T z */
typedef struct candidate {
    size_t m;
    const double *force, *turned; /* [rows], [m][rows] */
    double* z;                    /* [m] */
} candidate;

/* Takes these forces where they satisfy (8); says whether they do. */
static scree_status accept(const scri_poly_system* s, scri_arena* arena, const candidate* c,
                           scri_poly_solution* x, int* fits)
{
    size_t rows = scri_poly_rows(s);
    scri_poly_solution y = *x;
    double *sigma = scri_arena_take(arena, 2 * (size_t)s->mk, sizeof *sigma), error;
    y.force = scri_arena_take(arena, rows, sizeof *y.force);
    if (!sigma || !y.force) return SCREE_ERROR_MEMORY;
    memcpy(y.force, c->force, rows * sizeof *y.force);
    for (size_t k = 0; k < c->m; ++k) {
        for (size_t i = 0; i < rows; ++i) y.force[i] += c->z[k] * c->turned[k * rows + i];
    }
    scree_status status = scri_poly_error(s, arena, &y, sigma, &error);
    *fits = !status && error <= FITS;
    if (*fits) memcpy(x->force, y.force, rows * sizeof *y.force);
    return status;
}

/* min |f|^2 with f = f_0 + (null directions) and B f >= 0: f = f_0' + Q B^T z, 0 <= z complementary
 * to B f >= 0. Forces that fit are better than smaller ones that do not: these are not taken. */
static scree_status minimise(const scree_env* env, const scri_poly_system* s, scri_arena* arena,
                             const limits* l, const freedom* f, scri_poly_solution* x)
{
    size_t rows = f->rows, m = (size_t)l->n_bound;
    double* turned = scri_arena_take(arena, m, rows * sizeof *turned); /* B Q */
    double* a = scri_arena_take(arena, m, m * sizeof *a);
    double* b = scri_arena_take(arena, m, sizeof *b);
    double* z = scri_arena_take(arena, m, sizeof *z);
    double* least = scri_arena_take(arena, rows, sizeof *least);
    if (!turned || !a || !b || !z || !least) return SCREE_ERROR_MEMORY;
    memcpy(least, x->force, rows * sizeof *least);
    project(f, 0, least);
    m = (size_t)turn_bounds(l, f, least, turned, b);
    for (size_t i = 0; i < m * m; ++i) {
        a[i] = dot(rows, turned + i / m * rows, turned + i % m * rows);
    }
    scree_lcp_def def = scree_default_lcp_def();
    scree_lcp_report report;
    int fits;
    scree_status status = scree_lcp_solve(env, &(scree_lcp){(int32_t)m, a, b}, &def, z, &report);
    if (status || report.outcome != SCREE_LCP_SOLVED) return status;
    candidate c = {m, least, turned, z};
    status = accept(s, arena, &c, x, &fits);
    if (status || fits) return status;
    status = shrink_multipliers(arena, m, a, b, z);
    return status ? status : accept(s, arena, &c, x, &fits);
}

scree_status scri_poly_least(const scree_env* env, const scri_poly_system* s, scri_arena* arena,
                             scri_poly_solution* x)
{
    size_t rows = scri_poly_rows(s), most = (size_t)s->m + 2 * (size_t)s->mk;
    freedom f;
    limits l = {.zero = scri_arena_take(arena, most, rows * sizeof(double)),
                .bound = scri_arena_take(arena, most, rows * sizeof(double))};
    if (!l.zero || !l.bound) return SCREE_ERROR_MEMORY;
    list_limits(s, x, &l);
    scree_status status = find_freedom(s, arena, &l, &f);
    if (status || f.count == 0) return status;
    return minimise(env, s, arena, &l, &f, x);
}
