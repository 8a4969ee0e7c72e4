/* Lemke's method on a sparse matrix. The basis is kept as sparse factors of an earlier one with the
 * exchanges since (product form), and only columns of its inverse are ever computed.
 *
 * Ties of the ratio test, which the dense method breaks by rows of the inverse, are broken here by
 * a second right-hand side drawn at random: b + epsilon r with an epsilon as small as one likes has
 * no ties, so that no basis comes twice. */
#include "base/clock.h"
#include "base/compiler.h"
#include "base/env.h"
#include "base/random.h"
#include "lcp/lcp.h"
#include "math/csc_build.h"
#include "math/sparse_lu.h"

#include <math.h>
#include <string.h>

enum { REFRESH = 50, PIVOTS_PER_ROW = 50, PIVOTS_AT_LEAST = 1000, ROUNDS = 40, ATTEMPTS = 3 };

/* A pivot smaller than this, relative to its column, asks for fresh factors. */
#define POOR 1e-6
/* Ratios nearer than this, in units of |b|, are equal; pivots not above this do not count. */
#define TIE 1e-12
#define ELEMENT 1e-11

/* Variables are numbered: w_i is i, z_i is n + i, z0 is 2 n. Position i of the basis belongs to w_i
 * or z_i when factors are fresh, and to z0 where neither is basic. */
typedef struct path {
    const scree_env* env;
    scri_lcp_run run;
    int32_t n;
    scree_csc a;             /* scaled */
    double *b, *scale;       /* [n] */
    double size;             /* largest |b| */
    double *cover, *shake;   /* [n] columns: of z0 with its sign changed, and of the ties */
    double *value, *trouble; /* [n] of the basic variables, for b and for `shake` */
    double *column, *work;   /* [n] */
    int32_t *basic, *place;  /* [n] */
    int32_t n_members;       /* rows and columns that are factored: those without their w */
    int32_t *member, *slot;  /* [n] positions, by number; and the number of a position, or -1 */
    int32_t* factored;       /* [n] their variables */
    double* part;            /* [n] of a vector, by number */
    double* exchange;        /* [REFRESH n] columns of the exchanges since the factors */
    int32_t exchange_row[REFRESH];
    int n_exchanges;
    scri_arena* memory; /* of the factors */
    scri_sparse_lu* lu;
} path;

/* ---- the matrix ---- */

/* w = A z + b. */
static void find_slack(const scree_csc* a, const double* b, const double* z, double* w)
{
    memcpy(w, b, (size_t)a->n_columns * sizeof *w);
    for (int32_t j = 0; j < a->n_columns; ++j) {
        for (int32_t k = a->start[j]; k < a->start[j + 1]; ++k) w[a->row[k]] += a->value[k] * z[j];
    }
}

/* Ruiz: s such that the largest entry of every row and column of s A s is near 1. most[n]: work. */
static void find_scale(const scree_csc* a, double* s, double* most)
{
    int32_t n = a->n_columns;
    for (int32_t i = 0; i < n; ++i) s[i] = 1.0;
    for (int round = 0; round < ROUNDS; ++round) {
        double change = 0.0;
        for (int32_t i = 0; i < n; ++i) most[i] = 0.0;
        for (int32_t j = 0; j < n; ++j) {
            for (int32_t k = a->start[j]; k < a->start[j + 1]; ++k) {
                double entry = fabs(a->value[k]) * s[j] * s[a->row[k]];
                most[j] = fmax(most[j], entry);
                most[a->row[k]] = fmax(most[a->row[k]], entry);
            }
        }
        for (int32_t i = 0; i < n; ++i) {
            if (!(most[i] > 0.0)) continue;
            s[i] /= sqrt(most[i]);
            change = fmax(change, fabs(most[i] - 1.0));
        }
        if (change < 0.02) break;
    }
}

static double residual_of(const path* p, const double* z, double* w)
{
    double most = 0.0;
    find_slack(&p->a, p->b, z, w);
    for (int32_t i = 0; i < p->n; ++i) {
        if (isnan(z[i]) || isnan(w[i])) return SCREE_NAN;
        most = fmax(most, fabs(fmin(z[i], w[i])));
    }
    double size = fmax(scri_lcp_largest(p->b, p->n),
                       fmax(scri_lcp_largest(z, p->n), scri_lcp_largest(w, p->n)));
    return size > 0.0 ? most / size : most;
}

/* ---- the basis ---- */

/* to = the column of a variable: e_i, -A_i or -d. */
static void fill_column(const path* p, int32_t variable, double* to)
{
    memset(to, 0, (size_t)p->n * sizeof *to);
    if (variable < p->n) {
        to[variable] = 1.0;
    } else if (variable == 2 * p->n) {
        for (int32_t i = 0; i < p->n; ++i) to[i] = -p->cover[i];
    } else {
        int32_t j = variable - p->n;
        for (int32_t k = p->a.start[j]; k < p->a.start[j + 1]; ++k) {
            to[p->a.row[k]] = -p->a.value[k];
        }
    }
}

/* x -= t times the column of a variable. */
static void subtract_column(const path* p, int32_t variable, double t, double* x)
{
    if (variable < p->n) {
        x[variable] -= t;
    } else if (variable == 2 * p->n) {
        for (int32_t i = 0; i < p->n; ++i) x[i] += t * p->cover[i];
    } else {
        int32_t j = variable - p->n;
        for (int32_t k = p->a.start[j]; k < p->a.start[j + 1]; ++k) {
            x[p->a.row[k]] += t * p->a.value[k];
        }
    }
}

/* By the factors alone: those of z and z0 in the rows of the members; the rest is w, whose columns
 * are unit vectors. */
static void solve_factors(path* p, double* x)
{
    if (p->n_members == 0) return;
    for (int32_t k = 0; k < p->n_members; ++k) p->part[k] = x[p->member[k]];
    scri_sparse_lu_solve(p->lu, p->part);
    for (int32_t k = 0; k < p->n_members; ++k) subtract_column(p, p->factored[k], p->part[k], x);
    for (int32_t k = 0; k < p->n_members; ++k) x[p->member[k]] = p->part[k];
}

/* x: right-hand side in, coefficients of the basic variables out. */
static void solve_basis(path* p, double* x)
{
    solve_factors(p, x);
    for (int k = 0; k < p->n_exchanges; ++k) {
        const double* d = p->exchange + (size_t)k * (size_t)p->n;
        int32_t r = p->exchange_row[k];
        double t = x[r] / d[r];
        for (int32_t i = 0; i < p->n; ++i) x[i] -= t * d[i];
        x[r] = t;
    }
}

/* Every basic variable to the position of its number. */
static void arrange(path* p)
{
    int32_t* to = p->place;
    for (int32_t i = 0; i < p->n; ++i) to[i] = 2 * p->n;
    for (int32_t i = 0; i < p->n; ++i) {
        if (p->basic[i] < 2 * p->n) to[p->basic[i] % p->n] = p->basic[i];
    }
    memcpy(p->basic, to, (size_t)p->n * sizeof *to);
}

static void put(scri_triplets* t, int32_t row, int32_t column, double value)
{
    t->row[t->count] = row;
    t->column[t->count] = column;
    t->value[t->count++] = value;
}

/* An entry of the basis, and a zero where its transpose has it: patterns must be symmetric. */
static void put_pair(scri_triplets* t, int32_t row, int32_t column, double value)
{
    put(t, row, column, value);
    if (row != column) put(t, column, row, 0.0);
}

static void list_members(path* p)
{
    p->n_members = 0;
    for (int32_t i = 0; i < p->n; ++i) {
        int is_member = p->basic[i] >= p->n;
        p->slot[i] = is_member ? p->n_members : -1;
        if (!is_member) continue;
        p->member[p->n_members] = i;
        p->factored[p->n_members++] = p->basic[i];
    }
}

static scree_status list_entries(const path* p, scri_arena* arena, scree_csc* out)
{
    size_t most = 4 * (size_t)p->n + 2 * (size_t)p->a.start[p->n];
    scri_triplets t = {.n_rows = p->n_members,
                       .n_columns = p->n_members,
                       .row = scri_arena_take_raw(arena, most, sizeof(int32_t)),
                       .column = scri_arena_take_raw(arena, most, sizeof(int32_t)),
                       .value = scri_arena_take_raw(arena, most, sizeof(double))};
    if (!t.row || !t.column || !t.value) return SCREE_ERROR_MEMORY;
    for (int32_t m = 0; m < p->n_members; ++m) {
        int32_t v = p->factored[m], k = v - p->n;
        put(&t, m, m, 0.0);
        for (int32_t i = 0; v == 2 * p->n && i < p->n_members; ++i) {
            put_pair(&t, i, m, -p->cover[p->member[i]]);
        }
        if (v == 2 * p->n) continue;
        for (int32_t e = p->a.start[k]; e < p->a.start[k + 1]; ++e) {
            int32_t row = p->slot[p->a.row[e]];
            if (row >= 0) put_pair(&t, row, m, -p->a.value[e]);
        }
    }
    return scri_csc_from_triplets(arena, &t, out);
}

static void forget(path* p)
{
    scri_sparse_lu_destroy(p->lu);
    scri_arena_destroy(p->memory);
    p->lu = NULL;
    p->memory = NULL;
    p->n_exchanges = 0;
}

/* x = B^-1 from, with one step of refinement; fresh factors only. */
static void solve_refined(path* p, const double* from, double* x)
{
    memcpy(x, from, (size_t)p->n * sizeof *x);
    solve_basis(p, x);
    memcpy(p->work, from, (size_t)p->n * sizeof *p->work);
    for (int32_t j = 0; j < p->n; ++j) subtract_column(p, p->basic[j], x[j], p->work);
    solve_basis(p, p->work);
    for (int32_t i = 0; i < p->n; ++i) x[i] += p->work[i];
}

/* Factors of the basis as it stands, and its values. */
static scree_status refresh(path* p)
{
    scree_csc matrix;
    forget(p);
    arrange(p);
    list_members(p);
    p->memory = scri_arena_create(p->env);
    scree_status status = p->memory ? SCREE_OK : SCREE_ERROR_MEMORY;
    if (!status && p->n_members > 0) {
        status = list_entries(p, p->memory, &matrix);
        if (!status) {
            status = scri_sparse_lu_create(p->env, p->n_members, matrix.start, matrix.row,
                                           SCREE_SPARSE_GENERAL, &p->lu);
        }
        if (!status) status = scri_sparse_lu_factor(p->lu, matrix.value);
    }
    if (status) return status;
    solve_refined(p, p->b, p->value);
    solve_refined(p, p->shake, p->trouble);
    return SCREE_OK;
}

/* The variable of `column` takes the place of the basic one of position r. */
static void exchange(path* p, int32_t r, int32_t entering)
{
    double step = p->value[r] / p->column[r], shaken = p->trouble[r] / p->column[r];
    for (int32_t i = 0; i < p->n; ++i) {
        p->value[i] -= step * p->column[i];
        p->trouble[i] -= shaken * p->column[i];
    }
    p->value[r] = step;
    p->trouble[r] = shaken;
    memcpy(p->exchange + (size_t)p->n_exchanges * (size_t)p->n, p->column,
           (size_t)p->n * sizeof *p->column);
    p->exchange_row[p->n_exchanges++] = r;
    p->basic[r] = entering;
}

/* Of the positions with an element above `bound`, that with the least value / element, of equal
 * ones that with the least trouble / element; z0 whenever it may. -1: none. */
static int32_t choose_row(const path* p, double bound)
{
    double least = SCREE_INFINITY, less = SCREE_INFINITY;
    int32_t best = -1;
    for (int32_t i = 0; i < p->n; ++i) {
        if (p->column[i] > bound) least = fmin(least, p->value[i] / p->column[i]);
    }
    double limit = least + TIE * fmax(p->size, fabs(least));
    for (int32_t i = 0; i < p->n; ++i) {
        if (!(p->column[i] > bound) || !(p->value[i] / p->column[i] <= limit)) continue;
        double ratio = p->trouble[i] / p->column[i];
        if (p->basic[i] == 2 * p->n) return i;
        if (best < 0 || ratio < less) {
            best = i;
            less = ratio;
        }
    }
    return best;
}

/* z0 enters; returns what left, -1 where all values are good as they are. */
static int32_t begin(path* p)
{
    int32_t row;
    if (!(scri_lcp_largest(p->b, p->n) > 0.0)) return -1;
    fill_column(p, 2 * p->n, p->column);
    for (row = 0; row < p->n && p->value[row] >= 0.0;) ++row;
    if (row == p->n) return -1;
    for (int32_t i = 0; i < p->n; ++i) p->column[i] = -p->column[i];
    row = choose_row(p, 0.0);
    for (int32_t i = 0; i < p->n; ++i) p->column[i] = -p->column[i];
    int32_t left = p->basic[row];
    exchange(p, row, 2 * p->n);
    return left;
}

static scree_status pivot(path* p, int64_t most, scree_lcp_outcome* outcome)
{
    int32_t left = begin(p);
    *outcome = SCREE_LCP_SOLVED;
    for (int64_t k = 1; left >= 0; ++k) {
        *outcome = SCREE_LCP_TIME_LIMIT;
        if (scri_lcp_is_late(&p->run)) return SCREE_OK;
        ++p->run.report->iterations;
        int32_t entering = left < p->n ? left + p->n : left - p->n;
        fill_column(p, entering, p->column);
        solve_basis(p, p->column);
        double largest = scri_lcp_largest(p->column, p->n);
        int32_t row = choose_row(p, ELEMENT * largest);
        *outcome = SCREE_LCP_RAY;
        if (row < 0) return SCREE_OK;
        left = p->basic[row];
        int poor = p->column[row] < POOR * largest;
        exchange(p, row, entering);
        *outcome = SCREE_LCP_SOLVED;
        if (left == 2 * p->n) return SCREE_OK;
        *outcome = k >= most ? SCREE_LCP_ITERATION_LIMIT : SCREE_LCP_STALLED;
        if (k >= most || !isfinite(p->value[row])) return SCREE_OK;
        if (poor || p->n_exchanges == REFRESH) {
            scree_status status = refresh(p);
            if (status) return status == SCREE_ERROR_INPUT ? SCREE_OK : status;
        }
    }
    return SCREE_OK;
}

/* z of the basis reached, from fresh factors. */
static scree_status read_point(path* p, double* z)
{
    scree_status status = refresh(p);
    if (status && status != SCREE_ERROR_INPUT) return status;
    memset(z, 0, (size_t)p->n * sizeof *z);
    for (int32_t i = 0; i < p->n && !status; ++i) {
        int32_t variable = p->basic[i];
        if (variable >= p->n && variable < 2 * p->n) z[variable - p->n] = fmax(p->value[i], 0.0);
    }
    return SCREE_OK;
}

/* From the basis of all w, with other ties each time. */
static scree_status attempt(path* p, int which, double* z)
{
    scri_random random = {.key = 0x51a, .stream = (uint64_t)which};
    scree_lcp_report* report = p->run.report;
    int64_t most = PIVOTS_AT_LEAST + (int64_t)PIVOTS_PER_ROW * p->n;
    for (int32_t i = 0; i < p->n; ++i) {
        p->basic[i] = i;
        p->shake[i] = 0.5 + scri_random_uniform(&random);
    }
    scree_status status = refresh(p);
    if (!status) status = pivot(p, p->run.max_iter ? p->run.max_iter : most, &report->outcome);
    ++report->attempts;
    report->exhausted += report->outcome == SCREE_LCP_ITERATION_LIMIT;
    if (!status) status = read_point(p, z);
    if (status) return status;
    report->residual = residual_of(p, z, p->work);
    if (report->outcome == SCREE_LCP_SOLVED && !(report->residual <= p->run.tol)) {
        report->outcome = SCREE_LCP_STALLED;
    }
    return SCREE_OK;
}

/* ---- the way in and out ---- */

static scree_status take_all(scri_arena* arena, const scree_sparse_lcp* asked, path* p)
{
    size_t n = (size_t)asked->n;
    double** arrays[] = {&p->b,       &p->scale,  &p->cover, &p->shake, &p->value,
                         &p->trouble, &p->column, &p->work,  &p->part};
    int32_t** lists[] = {&p->basic, &p->place, &p->member, &p->slot, &p->factored};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; ++i) {
        *arrays[i] = scri_arena_take(arena, n, sizeof(double));
        if (!*arrays[i]) return SCREE_ERROR_MEMORY;
    }
    double* value = scri_arena_take(arena, (size_t)asked->a.start[n], sizeof *value);
    p->exchange = scri_arena_take(arena, REFRESH * n, sizeof *p->exchange);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; ++i) {
        *lists[i] = scri_arena_take(arena, n, sizeof(int32_t));
        if (!*lists[i]) return SCREE_ERROR_MEMORY;
    }
    if (!value || !p->exchange) return SCREE_ERROR_MEMORY;
    p->a = asked->a;
    p->a.value = value;
    find_scale(&asked->a, p->scale, p->work);
    for (int32_t j = 0; j < asked->n; ++j) {
        for (int32_t k = asked->a.start[j]; k < asked->a.start[j + 1]; ++k) {
            value[k] = asked->a.value[k] * p->scale[j] * p->scale[asked->a.row[k]];
        }
        p->b[j] = asked->b[j] * p->scale[j];
    }
    p->size = scri_lcp_largest(p->b, p->n);
    return SCREE_OK;
}

static scree_status solve(const scree_env* env, scri_arena* arena, const scree_sparse_lcp* lcp,
                          const scree_lcp_def* def, double* z, scree_lcp_report* report)
{
    path p = {.env = env,
              .n = lcp->n,
              .run = {.tol = def->tol,
                      .max_iter = def->max_iter,
                      .env = env,
                      .until = scri_clock_seconds(env) + def->max_time,
                      .report = report,
                      .progress = def->progress,
                      .progress_user = def->progress_user}};
    scree_status status = take_all(arena, lcp, &p);
    for (int32_t i = 0; i < lcp->n && !status; ++i) {
        p.cover[i] = def->cover ? def->cover[i] * p.scale[i] : 1.0;
    }
    for (int k = 0; k < ATTEMPTS && !status; ++k) {
        status = attempt(&p, k, z);
        int again = report->outcome == SCREE_LCP_RAY || report->outcome == SCREE_LCP_STALLED;
        if (!again) break;
    }
    for (int32_t i = 0; i < lcp->n && !status; ++i) z[i] *= p.scale[i];
    forget(&p);
    return status;
}

static scree_status check(const scree_env* env, const scree_sparse_lcp* lcp)
{
    const scree_csc* a = lcp ? &lcp->a : NULL;
    if (!lcp || lcp->n < 0 || a->n_rows != lcp->n || a->n_columns != lcp->n || !a->start ||
        (lcp->n > 0 && (!a->row || !a->value || !lcp->b))) {
        return scri_fail(env, SCREE_ERROR_ARGUMENT, "a sparse LCP without matrix or vector");
    }
    for (int32_t j = 0; j < lcp->n; ++j) {
        int good = isfinite(lcp->b[j]) && a->start[j] <= a->start[j + 1];
        for (int32_t k = a->start[j]; k < a->start[j + 1] && good; ++k) {
            good = a->row[k] >= 0 && a->row[k] < lcp->n && isfinite(a->value[k]);
        }
        if (!good) return scri_fail(env, SCREE_ERROR_INPUT, "column %d of a sparse LCP", (int)j);
    }
    return SCREE_OK;
}

scree_status scree_sparse_lcp_solve(const scree_env* env, const scree_sparse_lcp* lcp,
                                    const scree_lcp_def* def, double* z, scree_lcp_report* report)
{
    if (!def || !z || !report) return SCREE_ERROR_ARGUMENT;
    *report = (scree_lcp_report){.outcome = SCREE_LCP_STALLED, .residual = SCREE_NAN};
    scree_status status = check(env, lcp);
    if (!status) status = scri_lcp_check_def(env, lcp->n, def);
    if (status) return status;
    if (def->method != SCREE_LCP_LEMKE || !scri_sparse_lu_fits(env, lcp->n)) {
        return scri_fail(env, SCREE_ERROR_UNSUPPORTED,
                         "a sparse LCP needs the method lemke and, with more than some rows, "
                         "sparse factors in the environment");
    }
    double began = scri_clock_seconds(env);
    scri_arena* arena = scri_arena_create(env);
    status = arena ? solve(env, arena, lcp, def, z, report) : SCREE_ERROR_MEMORY;
    scri_arena_destroy(arena);
    report->time_s = scri_clock_seconds(env) - began;
    if (status) return scri_fail(env, status, "no factors for %d rows", (int)lcp->n);
    return SCREE_OK;
}

scree_status scree_sparse_lcp_certify(const scree_env* env, const scree_sparse_lcp* lcp,
                                      const double* z, scree_lcp_certificate* out)
{
    scree_status status = check(env, lcp);
    if (status || !z || !out) return status ? status : SCREE_ERROR_ARGUMENT;
    double* s = scri_alloc(env, 2 * ((size_t)lcp->n + 1) * sizeof *s);
    if (!s) return scri_fail(env, SCREE_ERROR_MEMORY, "out of memory for a certificate");
    find_scale(&lcp->a, s, s + lcp->n);
    find_slack(&lcp->a, lcp->b, z, s + lcp->n);
    scri_lcp_judge(lcp->n, lcp->b, z, s, s + lcp->n, out);
    scri_release(env, s);
    return SCREE_OK;
}

void scree_sparse_lcp_store_release(scree_sparse_lcp_store* store)
{
    if (!store) return;
    scri_arena_destroy(store->memory);
    *store = (scree_sparse_lcp_store){.memory = NULL};
}
