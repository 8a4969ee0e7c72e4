/* Lemke's method on w - A z - d z0 = b: z0 enters, and from then on the complement of whatever has
 * left, until z0 itself leaves (a solution) or nothing can leave (a ray).
 *
 * Ties of the ratio test are broken by the lexicographic order of the rows of the basis inverse, so
 * that no basis comes twice. The inverse is kept explicitly, its rows being what that order needs;
 * it is computed afresh from time to time. Its digits do not matter for the answer, which comes
 * from a factorisation of the final basis. */
#include "base/compiler.h"
#include "base/random.h"
#include "lapack/dense_spectrum.h"
#include "lcp/lcp.h"

#include <math.h>
#include <string.h>

enum { SMALL = 200, PIVOTS_PER_ROW = 50, PIVOTS_AT_LEAST = 1000 };

/* Further attempts begin elsewhere: at every complementary basis of a tiny problem, at some random
 * ones of a larger one. */
enum { TINY = 10, RANDOM_STARTS = 30, RANDOM_STARTS_LARGE = 2 };

/* A basis whose inverse has entries above this is singular. */
#define SINGULAR 1e12

/* Rounding may end the path on a ray near its end: a residual below this is worth Newton steps. */
#define NEAR 1e-3
enum { NEWTON_STEPS = 50 };

/* A pivot smaller than this, relative to its column, costs digits that a fresh inverse restores. */
#define POOR 1e-4

/* How one attempt goes about it. */
typedef struct manner {
    int refresh;    /* pivots between two fresh inverses */
    double tie;     /* ratios nearer than this, in units of |b|, are equal */
    double element; /* pivots not above this times the largest of their column do not count */
} manner;

static const manner usual = {16, 1e-12, 1e-11}, careful = {1, 1e-12, 1e-11},
                    thrifty = {64, 1e-12, 1e-11};

/* Variables are numbered: w_i is i, z_i is n + i, z0 is 2 n. */
typedef struct tableau {
    const scri_lcp* lcp;
    manner manner;
    int32_t n;
    double* across;  /* [n * n] A by columns */
    double* cover;   /* [n] B d: the column of z0, with its sign changed */
    double* inverse; /* [n * n] of the basis, row-major */
    double* value;   /* [n] of the basic variables */
    double* column;  /* [n] inverse times the entering column */
    double* fresh;   /* [n * n] for the new inverse */
    double* work;
    int32_t* pivot;
    int32_t* basic; /* [n] variable of every row */
    int32_t* tied;  /* [n] rows */
} tableau;

static scree_status create(scri_arena* arena, const scri_lcp* lcp, tableau* t)
{
    size_t n = (size_t)lcp->n, square = n * sizeof(double);
    *t = (tableau){.lcp = lcp,
                   .n = lcp->n,
                   .across = scri_arena_take(arena, n, square),
                   .cover = scri_arena_take(arena, n, sizeof(double)),
                   .inverse = scri_arena_take(arena, n, square),
                   .value = scri_arena_take(arena, n, sizeof(double)),
                   .column = scri_arena_take(arena, n, sizeof(double)),
                   .fresh = scri_arena_take(arena, n, square),
                   .work = scri_arena_take(arena, scri_dense_spectrum_work(lcp->n), sizeof(double)),
                   .pivot = scri_arena_take(arena, n, sizeof(int32_t)),
                   .basic = scri_arena_take(arena, n, sizeof(int32_t)),
                   .tied = scri_arena_take(arena, n, sizeof(int32_t))};
    if (!t->across || !t->cover || !t->inverse || !t->value || !t->column || !t->fresh ||
        !t->work || !t->pivot || !t->basic || !t->tied) {
        return SCREE_ERROR_MEMORY;
    }
    for (size_t i = 0; i < n; ++i) {
        for (size_t j = 0; j < n; ++j) t->across[j * n + i] = lcp->a[i * n + j];
    }
    return SCREE_OK;
}

static int32_t complement(const tableau* t, int32_t variable)
{
    return variable < t->n ? variable + t->n : variable - t->n;
}

/* value = inverse b. */
static void compute_values(tableau* t)
{
    size_t n = (size_t)t->n;
    for (size_t i = 0; i < n; ++i) {
        double sum = 0.0;
        for (size_t k = 0; k < n; ++k) sum += t->inverse[i * n + k] * t->lcp->b[k];
        t->value[i] = sum;
    }
}

/* column = inverse times the column of a variable: e_i, -A_i or -d. */
static void compute_column(tableau* t, int32_t variable)
{
    size_t n = (size_t)t->n;
    if (variable < t->n) {
        for (size_t i = 0; i < n; ++i) t->column[i] = t->inverse[i * n + (size_t)variable];
        return;
    }
    const double* from =
        variable == 2 * t->n ? t->cover : t->across + (size_t)(variable - t->n) * n;
    for (size_t i = 0; i < n; ++i) {
        double sum = 0.0;
        for (size_t k = 0; k < n; ++k) sum -= t->inverse[i * n + k] * from[k];
        t->column[i] = sum;
    }
}

/* The inverse of the basis as it stands, without the errors of the pivots before. A basis that
 * cannot be inverted leaves the old one. */
static scree_status refresh(tableau* t)
{
    size_t n = (size_t)t->n;
    for (size_t j = 0; j < n; ++j) {
        double* to = t->fresh + j * n; /* columns, as LAPACK has them */
        int32_t variable = t->basic[j];
        if (variable < t->n) {
            memset(to, 0, n * sizeof *to);
            to[variable] = 1.0;
        } else {
            const double* from =
                variable == 2 * t->n ? t->cover : t->across + (size_t)(variable - t->n) * n;
            for (size_t i = 0; i < n; ++i) to[i] = -from[i];
        }
    }
    scree_status status = scri_dense_invert(t->n, t->fresh, t->pivot, t->work);
    if (status) return status;
    for (size_t i = 0; i < n; ++i) {
        for (size_t j = 0; j < n; ++j) t->inverse[i * n + j] = t->fresh[j * n + i];
    }
    compute_values(t);
    return SCREE_OK;
}

/* Gauss-Jordan: the variable of `column` takes the place of the basic one of row r. */
static void exchange(tableau* t, int32_t r, int32_t entering)
{
    size_t n = (size_t)t->n, row = (size_t)r;
    double* top = t->inverse + row * n;
    double factor = 1.0 / t->column[r];
    for (size_t k = 0; k < n; ++k) top[k] *= factor;
    t->value[r] *= factor;
    for (size_t i = 0; i < n; ++i) {
        double c = t->column[i], *other = t->inverse + i * n;
        if (i == row || c == 0.0) continue;
        for (size_t k = 0; k < n; ++k) other[k] -= c * top[k];
        t->value[i] -= c * t->value[r];
    }
    t->basic[r] = entering;
}

/* Of the m rows in `tied`, those whose x / column is smallest, x being entry k of the row of the
 * inverse (k < 0: the value). */
static int32_t keep_smallest(tableau* t, int32_t m, int32_t k)
{
    double least = SCREE_INFINITY, unit = k < 0 ? t->lcp->size : 1.0;
    size_t n = (size_t)t->n;
    int32_t kept = 0;
    for (int pass = 0; pass < 2; ++pass) {
        for (int32_t i = 0; i < m; ++i) {
            int32_t r = t->tied[i];
            double x = k < 0 ? t->value[r] : t->inverse[(size_t)r * n + (size_t)k];
            double ratio = x / t->column[r];
            if (pass == 0) {
                least = fmin(least, ratio);
            } else if (ratio <= least + t->manner.tie * fmax(unit, fabs(least))) {
                t->tied[kept++] = r;
            }
        }
    }
    return kept;
}

/* The row that leaves for the variable in `column`; -1: none, a ray. z0 leaves whenever it may. */
static int32_t choose_row(tableau* t)
{
    double bound = t->manner.element * scri_lcp_largest(t->column, t->n);
    int32_t m = 0;
    for (int32_t i = 0; i < t->n; ++i) {
        if (t->column[i] > bound) t->tied[m++] = i;
    }
    if (m == 0) return -1;
    m = keep_smallest(t, m, -1);
    for (int32_t i = 0; i < m; ++i) {
        if (t->basic[t->tied[i]] == 2 * t->n) return t->tied[i];
    }
    for (int32_t k = 0; k < t->n && m > 1; ++k) m = keep_smallest(t, m, k);
    return t->tied[0];
}

/* The first basis: z_i where start[i], else w_i; the covering vector d[n] counts in its terms.
 * SCREE_ERROR_INPUT when it is singular. */
static scree_status place(tableau* t, const uint8_t* start, const double* d)
{
    size_t n = (size_t)t->n;
    memset(t->inverse, 0, n * n * sizeof *t->inverse);
    for (int32_t i = 0; i < t->n; ++i) {
        t->inverse[(size_t)i * (n + 1)] = 1.0;
        t->basic[i] = start[i] ? t->n + i : i;
        t->cover[i] = start[i] ? 0.0 : d[i];
    }
    for (int32_t j = 0; j < t->n; ++j) {
        if (!start[j]) continue;
        for (size_t i = 0; i < n; ++i) t->cover[i] -= t->across[(size_t)j * n + i] * d[j];
    }
    scree_status status = refresh(t);
    if (status) return status;
    double most = scri_lcp_largest(t->inverse, (int32_t)(n * n));
    return most < SINGULAR ? SCREE_OK : SCREE_ERROR_INPUT;
}

/* z0 enters and drives the most negative basic variable out, by the same order: the row with the
 * lexicographically smallest (value_i, inverse_i) / d_i. Returns what left, -1 if none is negative.
 */
static int32_t begin(tableau* t)
{
    int32_t m = 0;
    compute_column(t, 2 * t->n);
    for (int32_t i = 0; i < t->n; ++i) {
        t->column[i] = -t->column[i];
        if (t->value[i] < 0.0) t->tied[m++] = i;
    }
    if (m == 0) return -1;
    m = keep_smallest(t, m, -1);
    for (int32_t k = 0; k < t->n && m > 1; ++k) m = keep_smallest(t, m, k);
    int32_t row = t->tied[0], left = t->basic[row];
    for (int32_t i = 0; i < t->n; ++i) t->column[i] = -t->column[i];
    exchange(t, row, 2 * t->n);
    return left;
}

static scree_lcp_outcome pivot(tableau* t, const scri_lcp_run* run, int64_t max_iter)
{
    int32_t left = begin(t);
    if (left < 0) return SCREE_LCP_SOLVED;
    for (int64_t k = 1;; ++k) {
        if (scri_lcp_is_late(run)) return SCREE_LCP_TIME_LIMIT;
        ++run->report->iterations;
        int32_t entering = complement(t, left);
        compute_column(t, entering);
        int32_t row = choose_row(t);
        if (row < 0) return SCREE_LCP_RAY;
        left = t->basic[row];
        int poor = t->column[row] < POOR * scri_lcp_largest(t->column, t->n);
        exchange(t, row, entering);
        if (left == 2 * t->n) return SCREE_LCP_SOLVED;
        if (k >= max_iter) return SCREE_LCP_ITERATION_LIMIT;
        if (!isfinite(t->value[row])) return SCREE_LCP_STALLED;
        if ((poor || k % t->manner.refresh == 0) && refresh(t)) return SCREE_LCP_STALLED;
    }
}

/* The point that the tableau has come to: from its basis if z0 is not in it, else as it stands. */
static void read_point(tableau* t, scri_lcp_basis* basis, uint8_t* flags, double* z)
{
    int complementary = 1;
    for (int32_t i = 0; i < t->n; ++i) flags[i] = 0;
    for (int32_t i = 0; i < t->n; ++i) {
        int32_t variable = t->basic[i];
        complementary &= variable != 2 * t->n;
        if (variable >= t->n && variable < 2 * t->n) flags[variable - t->n] = 1;
    }
    if (!complementary || scri_lcp_basis_solve(t->lcp, basis, flags, z)) {
        for (int32_t i = 0; i < t->n; ++i) z[i] = 0.0;
        for (int32_t i = 0; i < t->n; ++i) {
            int32_t variable = t->basic[i];
            if (variable >= t->n && variable < 2 * t->n) z[variable - t->n] = t->value[i];
        }
    }
    for (int32_t i = 0; i < t->n; ++i) z[i] = z[i] > 0.0 ? z[i] : 0.0;
}

/* ---- attempts ---- */

typedef struct attempts {
    scri_lcp_run* run;
    tableau tableau;
    scri_lcp_basis basis;
    int64_t most;   /* pivots of one attempt */
    double best;    /* residual */
    uint8_t* flags; /* [n] */
    uint8_t* start; /* [n] */
    double *z, *d;  /* [n] */
} attempts;

static scree_status create_attempts(scri_lcp_run* run, attempts* a)
{
    size_t n = (size_t)run->lcp->n;
    int64_t most = PIVOTS_AT_LEAST + (int64_t)PIVOTS_PER_ROW * run->lcp->n;
    *a = (attempts){.run = run,
                    .most = run->max_iter ? run->max_iter : most,
                    .best = SCREE_INFINITY,
                    .flags = scri_arena_take(run->arena, n, 1),
                    .start = scri_arena_take(run->arena, n, 1),
                    .z = scri_arena_take(run->arena, n, sizeof(double)),
                    .d = scri_arena_take(run->arena, n, sizeof(double))};
    if (!a->flags || !a->start || !a->z || !a->d) return SCREE_ERROR_MEMORY;
    scree_status status = create(run->arena, run->lcp, &a->tableau);
    if (!status) status = scri_lcp_basis_create(run->arena, run->lcp->n, &a->basis);
    for (size_t i = 0; i < n; ++i) a->d[i] = run->cover ? run->cover[i] : 1.0;
    return status;
}

/* One attempt from the basis in `start`; the first one's outcome stands unless another solves. */
static int attempt(attempts* a, manner how)
{
    tableau* t = &a->tableau;
    scree_lcp_report* report = a->run->report;
    t->manner = how;
    if (place(t, a->start, a->d)) return 0;
    scree_lcp_outcome outcome = pivot(t, a->run, a->most);
    report->exhausted += outcome == SCREE_LCP_ITERATION_LIMIT;
    read_point(t, &a->basis, a->flags, a->z);
    double residual = scri_lcp_residual(t->lcp, a->z, t->column), tol = a->run->tol;
    if (outcome == SCREE_LCP_SOLVED && !(residual <= tol)) outcome = SCREE_LCP_STALLED;
    /* Near enough, also when b is the measure and not a z that has grown: z0 is rounding. */
    double grown = fmax(scri_lcp_largest(a->z, t->n), scri_lcp_largest(t->column, t->n));
    if (residual <= tol && residual * grown <= 100.0 * tol * t->lcp->size) {
        outcome = SCREE_LCP_SOLVED;
    }
    int solved = outcome == SCREE_LCP_SOLVED;
    if (report->attempts++ == 0 || solved) report->outcome = outcome;
    if (residual < a->best || solved) {
        a->best = residual;
        memcpy(a->run->z, a->z, (size_t)t->n * sizeof *a->z);
    }
    return solved;
}

/* The first basis of further attempts; 0 when there is none left. */
static int choose_start(attempts* a, int k)
{
    int32_t n = a->tableau.n;
    scri_random random = {.key = 0x1c9, .stream = (uint64_t)k};
    int count = n <= TINY ? (1 << n) - 1 : n <= SMALL ? RANDOM_STARTS : RANDOM_STARTS_LARGE;
    if (k >= count) return 0;
    double share = scri_random_uniform(&random);
    for (int32_t i = 0; i < n; ++i) {
        int chosen = n <= TINY ? (k + 1) >> i & 1 : scri_random_uniform(&random) < share;
        a->start[i] = (uint8_t)chosen;
    }
    return 1;
}

/* A few Newton steps from a point that all but solves the problem; the outcome stays what it was
 * when they do not. */
static scree_status finish(attempts* a)
{
    scree_lcp_report report = {.outcome = SCREE_LCP_STALLED};
    scri_lcp_run run = *a->run;
    run.max_iter = NEWTON_STEPS;
    run.report = &report;
    memcpy(a->z, a->run->z, (size_t)a->tableau.n * sizeof *a->z);
    run.z = a->z;
    scree_status status = scri_lcp_newton(&run);
    a->run->report->iterations += report.iterations;
    if (status || report.outcome != SCREE_LCP_SOLVED) return status;
    a->run->report->outcome = SCREE_LCP_SOLVED;
    memcpy(a->run->z, a->z, (size_t)a->tableau.n * sizeof *a->z);
    return SCREE_OK;
}

/* A ray need not be one for another start, and one that comes from rounding not with more care. */
scree_status scri_lcp_lemke(scri_lcp_run* run)
{
    attempts a;
    scree_status status = create_attempts(run, &a);
    if (status) return status;
    int small = run->lcp->n <= SMALL;
    if (attempt(&a, small ? usual : thrifty) || run->max_iter > 0) return SCREE_OK;
    if (run->report->outcome == SCREE_LCP_TIME_LIMIT) return SCREE_OK;
    if (attempt(&a, small ? careful : usual)) return SCREE_OK;
    if (a.best < NEAR) status = finish(&a);
    if (status || run->report->outcome == SCREE_LCP_SOLVED) return status;
    for (int k = 0; choose_start(&a, k); ++k) {
        if (attempt(&a, small ? usual : thrifty) || scri_lcp_is_late(run)) break;
    }
    return SCREE_OK;
}
