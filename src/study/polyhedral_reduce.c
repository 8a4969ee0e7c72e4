/* Equation (8) of Peiret, Koevecses and Font-Llagunes, and its Schur complement.
 *
 * Unknowns (v', lambda_t, lambda_n, kappa+, kappa-) against (0, 0, u_n', sigma-, sigma+): kappa+ is
 * complementary to sigma-, kappa- to sigma+, so that rho stands off the diagonal. */
#include "lcp/lcp.h"
#include "math/dense_lu.h"
#include "study/polyhedral.h"

#include <math.h>
#include <string.h>

/* Where the blocks of (8) begin. */
typedef struct blocks {
    size_t tangent, normal, plus, minus, size;
} blocks;

static blocks blocks_of(const scri_poly_system* s)
{
    blocks at = {.tangent = (size_t)s->n};
    at.normal = at.tangent + (size_t)s->mt;
    at.plus = at.normal + (size_t)s->m;
    at.minus = at.plus + (size_t)s->mk;
    at.size = at.minus + (size_t)s->mk;
    return at;
}

int32_t scri_poly_lead_size(const scri_poly_system* s)
{
    return (int32_t)blocks_of(s).size;
}

/* The two block rows of the lines, and their columns in the second block row. */
static void fill_lines(const scri_poly_system* s, blocks at, double* a)
{
    size_t size = at.size;
    for (int32_t i = 0; i < s->m; ++i) {
        const scri_closed* x = &s->closed[i];
        for (int32_t j = 0; j < x->k; ++j) {
            size_t line = (size_t)x->line + (size_t)j;
            double *sigma_minus = a + (at.plus + line) * size,
                   *sigma_plus = a + (at.minus + line) * size;
            for (int32_t d = 0; d < x->dim; ++d) {
                size_t t = at.tangent + (size_t)x->tangent + (size_t)d;
                double e = x->e[2 * j + d];
                a[t * size + at.plus + line] = -e;
                a[t * size + at.minus + line] = e;
                sigma_minus[t] = e;
                sigma_plus[t] = -e;
            }
            sigma_minus[at.normal + (size_t)i] = sigma_plus[at.normal + (size_t)i] = x->mu;
            sigma_minus[at.minus + line] = x->rho;
            sigma_plus[at.plus + line] = x->rho;
        }
    }
}

void scri_poly_lead(const scri_poly_system* s, double* a, double* b)
{
    blocks at = blocks_of(s);
    size_t n = (size_t)s->n, size = at.size;
    memset(a, 0, size * size * sizeof *a);
    memset(b, 0, size * sizeof *b);
    for (size_t i = 0; i < n; ++i) {
        memcpy(a + i * size, s->mass + i * n, n * sizeof *a);
        b[i] = -s->force[i];
    }
    for (int32_t row = 0; row < s->m + s->mt; ++row) { /* of G: normal ones first */
        size_t r = (size_t)row, to = row < s->m ? at.normal + r : at.tangent + r - (size_t)s->m;
        for (size_t k = 0; k < n; ++k) {
            a[to * size + k] = s->j[r * n + k];
            a[k * size + to] = -s->push[r * n + k];
        }
        a[to * size + to] = s->compliance;
        b[to] = s->rate[r];
    }
    fill_lines(s, at, a);
}

/* ---- the Schur complement ---- */

/* E x for x[mk], into y[mt]. */
static void spread(const scri_poly_system* s, const double* plus, const double* minus, double* y)
{
    memset(y, 0, (size_t)s->mt * sizeof *y);
    for (int32_t i = 0; i < s->m; ++i) {
        const scri_closed* x = &s->closed[i];
        for (int32_t j = 0; j < x->k; ++j) {
            double value = plus[x->line + j] - minus[x->line + j];
            for (int32_t d = 0; d < x->dim; ++d) y[x->tangent + d] += x->e[2 * j + d] * value;
        }
    }
}

/* e_l . y for every line l. */
static void gather(const scri_poly_system* s, const double* y, double* out)
{
    for (int32_t i = 0; i < s->m; ++i) {
        const scri_closed* x = &s->closed[i];
        for (int32_t j = 0; j < x->k; ++j) {
            double sum = 0.0;
            for (int32_t d = 0; d < x->dim; ++d) sum += x->e[2 * j + d] * y[x->tangent + d];
            out[x->line + j] = sum;
        }
    }
}

/* G_tt with its Cholesky factors, and room for one right-hand side. */
typedef struct tangential {
    double* factor; /* [mt * mt] */
    double* y;      /* [mt] */
    double* line;   /* [mk] */
    double* unit;   /* [mk] zeros but for one entry at a time */
    double* none;   /* [mk] zeros */
} tangential;

static scree_status factor_tangential(const scri_poly_system* s, scri_arena* arena, tangential* out)
{
    size_t mt = (size_t)s->mt, mk = (size_t)s->mk, rows = scri_poly_rows(s);
    *out = (tangential){.factor = scri_arena_take(arena, mt, mt * sizeof(double)),
                        .y = scri_arena_take(arena, mt, sizeof(double)),
                        .line = scri_arena_take(arena, mk, sizeof(double)),
                        .unit = scri_arena_take(arena, mk, sizeof(double)),
                        .none = scri_arena_take(arena, mk, sizeof(double))};
    if (!out->factor || !out->y || !out->line || !out->unit || !out->none) {
        return SCREE_ERROR_MEMORY;
    }
    for (size_t i = 0; i < mt; ++i) {
        for (size_t k = 0; k < mt; ++k) {
            out->factor[k * mt + i] = s->g[((size_t)s->m + i) * rows + (size_t)s->m + k];
        }
    }
    return scri_dense_lu_factor(SCREE_SPARSE_POSITIVE, s->mt, out->factor, NULL, NULL);
}

/* What an unknown makes, once y = G_tt^-1 (...) is its part of lambda_t: column c of the LCP (c
 * beyond the last: the constant part), of which `direct` [m] are the terms that need no y. */
static void put_column(const scri_poly_system* s, const tangential* t, const double* direct,
                       size_t stride, double* column)
{
    size_t m = (size_t)s->m, mk = (size_t)s->mk, rows = scri_poly_rows(s);
    for (size_t i = 0; i < m; ++i) {
        double sum = direct ? direct[i * rows] : 0.0;
        for (size_t k = 0; k < (size_t)s->mt; ++k) sum += s->g[i * rows + m + k] * t->y[k];
        column[i * stride] = sum;
    }
    gather(s, t->y, t->line);
    for (size_t l = 0; l < mk; ++l) {
        column[(m + l) * stride] = t->line[l];
        column[(m + mk + l) * stride] = -t->line[l];
    }
}

/* Terms of the lines in which lambda_t does not appear: mu lambda_n and rho kappa. */
static void add_limits(const scri_poly_system* s, size_t size, double* a)
{
    size_t m = (size_t)s->m, mk = (size_t)s->mk;
    for (size_t i = 0; i < m; ++i) {
        const scri_closed* x = &s->closed[i];
        for (int32_t j = 0; j < x->k; ++j) {
            size_t plus = m + (size_t)x->line + (size_t)j, minus = plus + mk;
            a[plus * size + i] += x->mu;
            a[minus * size + i] += x->mu;
            a[plus * size + minus] += x->rho;
            a[minus * size + plus] += x->rho;
        }
    }
}

scree_status scri_poly_reduce(const scri_poly_system* s, scri_arena* arena, scree_lcp* out)
{
    size_t m = (size_t)s->m, mt = (size_t)s->mt, mk = (size_t)s->mk, rows = m + mt,
           size = m + 2 * mk;
    double* a = scri_arena_take(arena, size, size * sizeof *a);
    double* b = scri_arena_take(arena, size, sizeof *b);
    tangential t;
    scree_status status = factor_tangential(s, arena, &t);
    if (status || !a || !b) return status ? status : SCREE_ERROR_MEMORY;
    for (size_t c = 0; c < size;
         ++c) { /* lambda_t = G_tt^-1 (E (kappa+ - kappa-) - G_tn lambda_n) */
        if (c < m) {
            for (size_t k = 0; k < mt; ++k) t.y[k] = -s->g[(m + k) * rows + c];
        } else {
            size_t line = (c - m) % mk;
            t.unit[line] = c < m + mk ? 1.0 : -1.0;
            spread(s, t.unit, t.none, t.y);
            t.unit[line] = 0.0;
        }
        scri_dense_lu_solve(SCREE_SPARSE_POSITIVE, s->mt, t.factor, NULL, NULL, t.y);
        put_column(s, &t, c < m ? s->g + c : NULL, size, a + c);
    }
    for (size_t k = 0; k < mt; ++k) t.y[k] = -s->b[m + k];
    scri_dense_lu_solve(SCREE_SPARSE_POSITIVE, s->mt, t.factor, NULL, NULL, t.y);
    put_column(s, &t, NULL, 1, b);
    for (size_t i = 0; i < m; ++i) b[i] += s->b[i];
    add_limits(s, size, a);
    *out = (scree_lcp){(int32_t)size, a, b};
    return SCREE_OK;
}

scree_status scri_poly_recover(const scri_poly_system* s, scri_arena* arena, const double* z,
                               scri_poly_solution* out)
{
    size_t m = (size_t)s->m, mt = (size_t)s->mt, mk = (size_t)s->mk, rows = m + mt;
    tangential t;
    scree_status status = factor_tangential(s, arena, &t);
    if (status) return status;
    memcpy(out->force, z, m * sizeof *z);
    memcpy(out->kappa, z + m, 2 * mk * sizeof *z);
    spread(s, out->kappa, out->kappa + mk, t.y);
    for (size_t k = 0; k < mt; ++k) {
        t.y[k] -= s->b[m + k];
        for (size_t i = 0; i < m; ++i) t.y[k] -= s->g[(m + k) * rows + i] * z[i];
    }
    scri_dense_lu_solve(SCREE_SPARSE_POSITIVE, s->mt, t.factor, NULL, NULL, t.y);
    memcpy(out->force + m, t.y, mt * sizeof *z);
    scri_poly_accelerate(s, out->force, out->acceleration);
    return SCREE_OK;
}

/* ---- how well a solution satisfies (8) ---- */

typedef struct bounds {
    size_t begin, end;
} bounds;

/* r = row . x + b for some rows; returns the largest of them, NaN where one is. *term: their
 * largest term. */
static double measure_rows(const double* a, const double* b, const double* x, blocks at,
                           bounds range, double* r, double* term)
{
    double error = 0.0;
    for (size_t i = range.begin; i < range.end; ++i) {
        double sum = b[i];
        *term = fmax(*term, fabs(b[i]));
        for (size_t k = 0; k < at.size; ++k) {
            sum += a[i * at.size + k] * x[k];
            *term = fmax(*term, fabs(a[i * at.size + k] * x[k]));
        }
        r[i] = sum;
        if (isnan(sum)) return sum;
        error = fmax(error, fabs(sum));
    }
    return error;
}

static double largest(const double* x, size_t n)
{
    double most = 0.0;
    for (size_t i = 0; i < n; ++i) most = fmax(most, fabs(x[i]));
    return most;
}

/* |min(x, w)| over pairs, each in units of its own. */
static double complement(const double* x, const double* w, size_t n, double unit_x, double unit_w)
{
    double most = 0.0;
    for (size_t i = 0; i < n; ++i) most = fmax(most, fabs(fmin(x[i] / unit_x, w[i] / unit_w)));
    return most;
}

scree_status scri_poly_error(const scri_poly_system* s, scri_arena* arena,
                             const scri_poly_solution* x, double* sigma, double* error)
{
    blocks at = blocks_of(s);
    size_t n = (size_t)s->n, m = (size_t)s->m, mt = (size_t)s->mt, mk = (size_t)s->mk,
           size = at.size;
    double* a = scri_arena_take(arena, size, size * sizeof *a);
    double* b = scri_arena_take(arena, size, sizeof *b);
    double* all = scri_arena_take(arena, size, sizeof *all);
    double* r = scri_arena_take(arena, size, sizeof *r);
    if (!a || !b || !all || !r) return SCREE_ERROR_MEMORY;
    scri_poly_lead(s, a, b);
    memcpy(all, x->acceleration, n * sizeof *all);
    memcpy(all + at.tangent, x->force + m, mt * sizeof *all);
    memcpy(all + at.normal, x->force, m * sizeof *all);
    memcpy(all + at.plus, x->kappa, 2 * mk * sizeof *all);
    double load = 0.0, fast = largest(s->b, m + mt), force = largest(x->force, m + mt), term = 0.0;
    double motion = measure_rows(a, b, all, at, (bounds){0, n}, r, &load);
    double rows = measure_rows(a, b, all, at, (bounds){at.tangent, at.normal}, r, &fast);
    double rest = measure_rows(a, b, all, at, (bounds){at.normal, size}, r, &term);
    memcpy(sigma, r + at.plus, 2 * mk * sizeof *sigma);
    load = load > 0.0 ? load : 1.0;
    fast = fast > 0.0 ? fast : 1.0;
    double give = 0.0; /* forces of a size that would matter, where there are none */
    for (size_t i = 0; i < m + mt; ++i) give = fmax(give, s->g[i * (m + mt + 1)]);
    if (give > 0.0) force = fmax(force, fast / give);
    force = force > 0.0 ? force : 1.0;
    double normal = complement(x->force, r + at.normal, m, force, fast);
    double lines = complement(x->kappa, sigma, 2 * mk, fast, force);
    *error = fmax(fmax(motion / load, rows / fast), fmax(normal, lines));
    if (isnan(motion) || isnan(rows) || isnan(rest)) *error = SCREE_NAN;
    return SCREE_OK;
}

/* ---- without the errors of the reduction ---- */

/* The unknowns of (8) for a choice of those that are not 0. */
static scree_status solve_lead(const scri_poly_system* s, scri_arena* arena, const uint8_t* basic,
                               scri_poly_solution* x, int* regular)
{
    blocks at = blocks_of(s);
    size_t n = (size_t)s->n, m = (size_t)s->m, mt = (size_t)s->mt, mk = (size_t)s->mk;
    scri_lcp lead = {.n = (int32_t)at.size,
                     .a = scri_arena_take(arena, at.size, at.size * sizeof(double)),
                     .b = scri_arena_take(arena, at.size, sizeof(double))};
    double* all = scri_arena_take(arena, at.size, sizeof *all);
    scri_lcp_basis basis;
    scree_status status = scri_lcp_basis_create(arena, lead.n, &basis);
    if (status || !lead.a || !lead.b || !all) return SCREE_ERROR_MEMORY;
    scri_poly_lead(s, lead.a, lead.b);
    *regular = scri_lcp_basis_solve(&lead, &basis, basic, all) == SCREE_OK;
    memcpy(x->acceleration, all, n * sizeof *all);
    memcpy(x->force, all + at.normal, m * sizeof *all);
    memcpy(x->force + m, all + at.tangent, mt * sizeof *all);
    memcpy(x->kappa, all + at.plus, 2 * mk * sizeof *all);
    return SCREE_OK;
}

scree_status scri_poly_polish(const scri_poly_system* s, scri_arena* arena, scri_poly_solution* x)
{
    blocks at = blocks_of(s);
    size_t m = (size_t)s->m, mt = (size_t)s->mt, mk = (size_t)s->mk;
    uint8_t* basic = scri_arena_take(arena, at.size, 1);
    double* sigma = scri_arena_take(arena, 2 * mk, sizeof *sigma);
    scri_poly_solution y = {.force = scri_arena_take(arena, m + mt, sizeof(double)),
                            .kappa = scri_arena_take(arena, 2 * mk, sizeof(double)),
                            .acceleration = scri_arena_take(arena, at.tangent, sizeof(double))};
    if (!basic || !sigma || !y.force || !y.kappa || !y.acceleration) return SCREE_ERROR_MEMORY;
    for (size_t i = 0; i < at.normal; ++i) basic[i] = 1;
    for (size_t i = 0; i < m; ++i) basic[at.normal + i] = x->force[i] > 0.0;
    for (size_t i = 0; i < 2 * mk; ++i) basic[at.plus + i] = x->kappa[i] > 0.0;
    double before, after;
    int regular = 0;
    scree_status status = solve_lead(s, arena, basic, &y, &regular);
    if (!status) status = scri_poly_error(s, arena, x, sigma, &before);
    if (!status) status = scri_poly_error(s, arena, &y, sigma, &after);
    if (!status && regular && after < before) *x = y;
    return status;
}
