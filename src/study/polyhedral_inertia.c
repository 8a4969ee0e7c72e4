/* Ranks, phantom inertia, singular values.
 *
 * With d = kappa+ - kappa- and s = kappa+ + kappa- the lines of (8) fall apart: rho s is given by
 * the normal forces alone, and d by 2 E^T P E - rho, where P is the tangential block of the inverse
 * of G. So (8) is singular where rho meets an eigenvalue of 2 E^T P E; among these are zeros, for
 * there are more lines than tangential directions, which is why rho = 0 is singular too. */
#include "lapack/dense_spectrum.h"
#include "math/dense_lu.h"
#include "study/polyhedral.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Eigenvalues of a matrix with unit diagonal below this count as 0. */
#define NOTHING 1e-10

/* Values of 2 E^T P E below this, over those of single contacts, count as the zeros that are
 * always there; and a step by this factor ends the group that rho is put above. */
#define ZERO 1e-6
#define STEP 100.0

/* A margin that is wide enough, and the factor by which rho is moved until it has one. */
#define WIDE 0.2
#define ASIDE 1.25
enum { TRIES = 40 };

static double dot(size_t n, const double* x, const double* y)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; ++i) sum += x[i] * y[i];
    return sum;
}

/* J M^-1 J^T of all rows: symmetric, also where contacts slide. */
static scree_status symmetric_operator(const scri_poly_system* s, scri_arena* arena, double* h)
{
    size_t n = (size_t)s->n, rows = scri_poly_rows(s);
    double* x = scri_arena_take(arena, n, sizeof *x);
    if (!x) return SCREE_ERROR_MEMORY;
    for (size_t k = 0; k < rows; ++k) {
        memcpy(x, s->j + k * n, n * sizeof *x);
        scri_dense_lu_solve(SCREE_SPARSE_POSITIVE, s->n, s->factor, NULL, NULL, x);
        for (size_t i = 0; i < rows; ++i) h[i * rows + k] = dot(n, s->j + i * n, x);
    }
    return SCREE_OK;
}

/* Rank of the block of h[rows * rows] from `first` on, scaled to a unit diagonal. */
static scree_status find_rank(scri_arena* arena, int32_t rows, int32_t first, const double* h,
                              int32_t* rank)
{
    int32_t m = rows - first;
    *rank = 0;
    if (m == 0) return SCREE_OK;
    double* a = scri_arena_take(arena, (size_t)m, (size_t)m * sizeof *a);
    double* value = scri_arena_take(arena, (size_t)m, sizeof *value);
    double* work = scri_arena_take(arena, scri_dense_spectrum_work(m), sizeof *work);
    if (!a || !value || !work) return SCREE_ERROR_MEMORY;
    size_t stride = (size_t)rows + 1;
    for (int32_t i = 0; i < m; ++i) {
        for (int32_t k = 0; k < m; ++k) {
            size_t di = (size_t)first + (size_t)i, dk = (size_t)first + (size_t)k;
            double size = sqrt(h[di * stride] * h[dk * stride]);
            a[i * m + k] = size > 0.0 ? h[di * (size_t)rows + dk] / size : 0.0;
        }
    }
    scree_status status = scri_dense_eigen(m, 0, a, value, work);
    for (int32_t i = 0; i < m && !status; ++i) *rank += value[i] > NOTHING;
    return status;
}

/* The tangential block inverse[mt * mt] of the (pseudo-)inverse of h + C, of its rows from `first`
 * on: P for first = 0, the inverse of G_tt for first = m. */
static scree_status tangential_inverse(const scri_poly_system* s, scri_arena* arena,
                                       const double* h, int32_t first, double* inverse)
{
    int32_t rows = s->m + s->mt - first;
    size_t size = (size_t)rows, all = scri_poly_rows(s), from = (size_t)first;
    double* a = scri_arena_take(arena, size, size * sizeof *a);
    double* value = scri_arena_take(arena, size, sizeof *value);
    double* work = scri_arena_take(arena, scri_dense_spectrum_work(rows), sizeof *work);
    if (!a || !value || !work) return SCREE_ERROR_MEMORY;
    for (size_t i = 0; i < size; ++i) {
        memcpy(a + i * size, h + (from + i) * all + from, size * sizeof *a);
        a[i * (size + 1)] += s->compliance;
    }
    scree_status status = scri_dense_eigen(rows, 1, a, value, work);
    if (status) return status;
    for (int32_t k = 0; k < rows; ++k) {
        const double* v = a + (size_t)k * size + (s->m - first);
        if (!(value[k] > NOTHING * 0.01 * value[rows - 1])) continue;
        for (int32_t i = 0; i < s->mt; ++i) {
            for (int32_t l = 0; l < s->mt; ++l) inverse[i * s->mt + l] += v[i] * v[l] / value[k];
        }
    }
    return SCREE_OK;
}

/* The largest value that contact x would have alone: 2 |E|^2 over the smallest eigenvalue of its
 * block (the largest, where it cannot move in some direction). */
static double alone(const scri_poly_system* s, const scri_closed* x, const double* h)
{
    size_t rows = scri_poly_rows(s), at = (size_t)s->m + (size_t)x->tangent;
    double a = h[at * rows + at], lines[3] = {0.0, 0.0, 0.0}, least = a, most = a;
    if (x->dim == 2) {
        double b = h[at * rows + at + 1], c = h[(at + 1) * rows + at + 1];
        double middle = 0.5 * (a + c), half = hypot(0.5 * (a - c), b);
        least = middle - half;
        most = middle + half;
    }
    for (int32_t j = 0; j < x->k; ++j) {
        lines[0] += x->e[2 * j] * x->e[2 * j];
        lines[1] += x->e[2 * j] * x->e[2 * j + 1];
        lines[2] += x->e[2 * j + 1] * x->e[2 * j + 1];
    }
    double length = 0.5 * (lines[0] + lines[2]) + hypot(0.5 * (lines[0] - lines[2]), lines[1]);
    double inertia = least > NOTHING * most ? least : most;
    return inertia > 0.0 ? 2.0 * length / inertia : 1.0;
}

static const scri_closed* owner_of(const scri_poly_system* s, int32_t line)
{
    const scri_closed* found = s->closed;
    for (int32_t i = 0; i < s->m; ++i) {
        const scri_closed* x = &s->closed[i];
        if (x->k > 0 && line >= x->line && line < x->line + x->k) found = x;
    }
    return found;
}

/* Eigenvalues value[mk] (rising) of 2 E^T P E over unit[m] of their contacts; `first` as above. */
static scree_status find_values(const scri_poly_system* s, scri_arena* arena, const double* h,
                                int32_t first, const double* unit, double* value)
{
    int32_t mk = s->mk;
    double* inverse = scri_arena_take(arena, (size_t)s->mt, (size_t)s->mt * sizeof *inverse);
    double* a = scri_arena_take(arena, (size_t)mk, (size_t)mk * sizeof *a);
    double* work = scri_arena_take(arena, scri_dense_spectrum_work(mk), sizeof *work);
    if (!inverse || !a || !work) return SCREE_ERROR_MEMORY;
    scree_status status = tangential_inverse(s, arena, h, first, inverse);
    if (status) return status;
    for (int32_t i = 0; i < mk; ++i) {
        const scri_closed* x = owner_of(s, i);
        for (int32_t k = 0; k < mk; ++k) {
            const scri_closed* y = owner_of(s, k);
            const double *ei = x->e + 2 * (i - x->line), *ek = y->e + 2 * (k - y->line);
            double sum = 0.0;
            for (int32_t c = 0; c < x->dim; ++c) {
                for (int32_t d = 0; d < y->dim; ++d) {
                    sum += ei[c] * inverse[(x->tangent + c) * s->mt + y->tangent + d] * ek[d];
                }
            }
            a[i * mk + k] = 2.0 * sum / sqrt(unit[x - s->closed] * unit[y - s->closed]);
        }
    }
    return scri_dense_eigen(mk, 0, a, value, work);
}

/* Twice the largest value of the lowest group: away from all, and no larger than it must be. */
static double choose_factor(int32_t mk, const double* value)
{
    double top = 0.0;
    for (int32_t i = 0; i < mk; ++i) {
        if (value[i] < ZERO) continue;
        if (top > 0.0 && value[i] > STEP * top) break;
        top = value[i];
    }
    return top > 0.0 ? 2.0 * top : 1.0;
}

/* Distance of `factor` from all values, relative to it. */
static double margin_of(int32_t mk, const double* value, double factor)
{
    double margin = 1.0; /* of the zeros */
    for (int32_t i = 0; i < mk; ++i) margin = fmin(margin, fabs(value[i] / factor - 1.0));
    return margin;
}

/* rho_i = factor * unit_i. Chosen by what the tangential rows alone would ask for, which has the
 * size of the masses even where normal and tangential rows depend on each other, and moved on if
 * that is near a value of the whole. */
static scree_status choose_inertia(const scree_polyhedral* p, scri_arena* arena,
                                   scri_poly_system* s, const double* h, double* margin)
{
    double* unit = scri_arena_take(arena, (size_t)s->m, sizeof *unit);
    double* value = scri_arena_take(arena, (size_t)s->mk, sizeof *value);
    if (!unit || !value) return SCREE_ERROR_MEMORY;
    int zero = 0;
    for (int32_t i = 0; i < s->m; ++i) {
        scri_closed* x = &s->closed[i];
        unit[i] = 1.0;
        if (x->k == 0) continue;
        x->rho = unit[i] = p->def.rho ? p->def.rho[x->contact] : alone(s, x, h);
        zero |= !(unit[i] > 0.0);
    }
    *margin = 0.0;
    if (zero) return SCREE_OK;
    double factor = 1.0;
    scree_status status = SCREE_OK;
    if (!p->def.rho) {
        status = find_values(s, arena, h, s->m, unit, value);
        if (!status) factor = choose_factor(s->mk, value);
    }
    if (!status) status = find_values(s, arena, h, 0, unit, value);
    if (status) return status;
    for (int k = 0; k < TRIES && !p->def.rho; ++k) {
        if (margin_of(s->mk, value, factor) >= WIDE) break;
        factor *= ASIDE;
    }
    for (int32_t i = 0; i < s->m; ++i) s->closed[i].rho *= factor;
    *margin = margin_of(s->mk, value, factor);
    return SCREE_OK;
}

scree_status scri_poly_inertia(const scree_polyhedral* p, scri_arena* arena, scri_poly_system* s,
                               scree_polyhedral_report* report)
{
    int32_t rows = s->m + s->mt;
    double* h = scri_arena_take(arena, (size_t)rows, (size_t)rows * sizeof *h);
    if (!h) return SCREE_ERROR_MEMORY;
    report->rows = rows;
    report->tangent_rows = s->mt;
    report->margin = SCREE_INFINITY;
    scree_status status = symmetric_operator(s, arena, h);
    if (!status) status = find_rank(arena, rows, 0, h, &report->rank);
    if (!status) status = find_rank(arena, rows, s->m, h, &report->tangent_rank);
    if (status || s->mk == 0) return status;
    return choose_inertia(p, arena, s, h, &report->margin);
}

scree_status scri_poly_spectrum(scri_arena* arena, int32_t n, const double* a, scree_spectrum* out)
{
    size_t size = (size_t)n;
    *out = (scree_spectrum){.size = n};
    if (n == 0) return SCREE_OK;
    double* copy = scri_arena_take(arena, size, size * sizeof *copy);
    double* value = scri_arena_take(arena, size, sizeof *value);
    double* work = scri_arena_take(arena, scri_dense_spectrum_work(n), sizeof *work);
    if (!copy || !value || !work) return SCREE_ERROR_MEMORY;
    memcpy(copy, a, size * size * sizeof *copy);
    scree_status status = scri_dense_singular_values(n, n, copy, value, work);
    if (status) return status;
    out->largest = value[0];
    out->smallest = value[n - 1];
    for (int32_t i = 0; i < n; ++i) out->rank += value[i] > n * DBL_EPSILON * value[0];
    return SCREE_OK;
}
