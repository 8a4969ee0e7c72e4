/* Bands are factored one column after the other, and only where they are.
 *
 * Of other matrices columns are taken in panels of SCRI_COLUMNS. What is right of a panel waits
 * until its columns are done, and then they are taken from it together: one reading and writing for
 * all of them. Few columns are one panel. Rows that a panel exchanges are not exchanged in those
 * before it; the solve makes these exchanges as it goes along. The order of products is that of
 * plain elimination.
 */
#include "math/dense_general.h"

#include "math/column_lanes.h"

#include <math.h>
#include <string.h>

/* ---- bands ----------------------------------------------------------------------------------- */

/* Rows below the diagonal and above it, at most, in which there are other numbers than 0. */
typedef struct band {
    size_t below, above;
} band;

static band band_of(size_t n, const scri_extent* extent)
{
    band b = {0, 0};
    for (size_t j = 0; j < n; ++j) {
        size_t top = (size_t)extent[j].top, end = (size_t)extent[j].end;
        if (end > j + 1 + b.below) b.below = end - j - 1;
        if (j > top + b.above) b.above = j - top;
    }
    return b;
}

/* Exchanges make U wider: it is worth it where nothing comes near to being full. */
static int is_band(size_t n, const scri_extent* extent, band* out)
{
    enum { NARROW = 4 };
    if (!extent) return 0;
    *out = band_of(n, extent);
    return NARROW * (out->below + out->above) <= n;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static void exchange(double* column, size_t one, size_t two)
{
    double swap = column[one];
    column[one] = column[two];
    column[two] = swap;
}

static size_t largest(const double* column, size_t first, size_t end)
{
    size_t best = first;
    for (size_t i = first + 1; i < end; ++i) {
        if (fabs(column[i]) > fabs(column[best])) best = i;
    }
    return best;
}

static bool factor_band(size_t n, double* a, band b, int32_t* pivot)
{
    enum { MOST_LANES = 8 };
    scri_columns_work* take_from = scri_column_lanes_best().take_from;
    size_t right = 0; /* behind the last column that rows in question reach */
    for (size_t k = 0; k < n; ++k) {
        double* column = a + n * k;
        size_t end = smaller(n, k + b.below + 1), best = largest(column, k, end);
        pivot[k] = (int32_t)best + 1;
        if (!(fabs(column[best]) > 0.0)) return false;
        size_t reach = smaller(n, best + b.above + 1);
        if (reach > right) right = reach;
        for (size_t j = k; j < right && best != k; ++j) exchange(a + n * j, k, best);
        double inverse = 1.0 / column[k];
        for (size_t i = k + 1; i < end; ++i) column[i] *= inverse;
        /* as many rows as fill the lanes: those below are 0 */
        size_t rows = smaller(n - k - 1, (end - k - 1 + MOST_LANES - 1) / MOST_LANES * MOST_LANES);
        take_from(rows, column + k + 1, (ptrdiff_t)n, right - k - 1, column + n + k + 1);
    }
    return true;
}

static void solve_band(size_t n, const double* a, band b, const int32_t* pivot, double* x)
{
    for (size_t k = 0; k < n; ++k) {
        const double* column = a + n * k;
        size_t end = smaller(n, k + b.below + 1);
        exchange(x, k, (size_t)pivot[k] - 1);
        for (size_t i = k + 1; i < end; ++i) x[i] -= x[k] * column[i];
    }
    for (size_t k = n; k-- > 0;) {
        const double* column = a + n * k;
        size_t top = k - smaller(k, b.below + b.above);
        x[k] /= column[k];
        for (size_t i = top; i < k; ++i) x[i] -= x[k] * column[i];
    }
}

/* ---- panels ---------------------------------------------------------------------------------- */

typedef struct factoring {
    size_t n;
    double* a;
    int32_t* pivot; /* of columns that are done: its row, counted from 1 */
    scri_column_work* work;
    int has_extents;
    scri_extent extent[SCRI_MOST_EXTENTS]; /* of columns that are not, without rows that are done */
} factoring;

/* Some columns, and the rows from the first of them on, before `reach`, in which they are others
 * than 0. */
typedef struct panel {
    size_t first, end, reach;
} panel;

/* The columns that make a panel with this one; up to FEW are too few for several panels. */
static panel panel_from(size_t n, size_t first)
{
    enum { FEW = 48 };
    size_t end = n <= FEW || n - first < SCRI_COLUMNS ? n : first + SCRI_COLUMNS;
    return (panel){first, end, first};
}

/* Takes what column k, divided by its pivot, leaves of another in rows behind k, before `end`. */
static void eliminate(const double* column, size_t k, size_t end, double* other)
{
    double factor = other[k];
    if (factor == 0.0) return;
    for (size_t i = k + 1; i < end; ++i) other[i] -= factor * column[i];
}

/* Whether column j has nothing in rows before `end`. */
static int is_below(const factoring* f, size_t j, size_t end)
{
    return f->has_extents && f->extent[j].top >= (int32_t)end;
}

/* Rows from `top` on, before `end`, have been filled in column j. */
static void fill(factoring* f, size_t j, size_t top, size_t end)
{
    if (!f->has_extents) return;
    scri_extent* e = &f->extent[j];
    e->top = (int32_t)top;
    if (e->end < (int32_t)end) e->end = (int32_t)end;
}

/* Column k, from which those before it have been taken: finds its pivot and takes it from the rest
 * of the panel. Returns whether the pivot is different from 0. */
static bool factor_column(factoring* f, panel* p, size_t k)
{
    double* column = f->a + f->n * k;
    size_t n = f->n, end = f->has_extents ? (size_t)f->extent[k].end : n;
    size_t best = largest(column, k, end);
    f->pivot[k] = (int32_t)best + 1;
    if (!(fabs(column[best]) > 0.0)) return false;
    for (size_t j = p->first; j <= k && best != k; ++j) exchange(f->a + n * j, k, best);
    double inverse = 1.0 / column[k];
    for (size_t i = k + 1; i < end; ++i) column[i] *= inverse;
    for (size_t j = k + 1; j < p->end; ++j) {
        if (is_below(f, j, end)) continue;
        exchange(f->a + n * j, k, best);
        eliminate(column, k, end, f->a + n * j);
        fill(f, j, k + 1, end);
    }
    /* no less than before: the column before has filled this one, or ends above it */
    p->reach = end;
    return true;
}

/* Takes a panel from a column that is right of it: first in its own rows. */
static void eliminate_panel(const factoring* f, const panel* p, double* other)
{
    size_t end = p->end;
    int any = 0;
    for (size_t k = p->first; k < end; ++k) exchange(other, k, (size_t)f->pivot[k] - 1);
    for (size_t k = p->first; k < end; ++k) {
        eliminate(f->a + f->n * k, k, end, other);
        any |= other[k] != 0.0;
    }
    if (!any || p->reach <= end) return;
    f->work(p->reach - end, f->a + f->n * p->first + end, (ptrdiff_t)f->n, other + p->first,
            other + end);
}

static bool factor_panels(size_t n, double* a, const scri_extent* extent, int32_t* pivot)
{
    factoring f;
    f.n = n;
    f.a = a;
    f.pivot = pivot;
    f.work = scri_column_lanes_best().take_four;
    f.has_extents = extent && n <= SCRI_MOST_EXTENTS;
    if (f.has_extents) memcpy(f.extent, extent, n * sizeof *extent);
    for (size_t first = 0; first < n;) {
        panel p = panel_from(n, first);
        for (size_t k = first; k < p.end; ++k) {
            if (!factor_column(&f, &p, k)) return false;
        }
        for (size_t j = p.end; j < n; ++j) {
            if (is_below(&f, j, p.reach)) continue;
            eliminate_panel(&f, &p, a + n * j);
            fill(&f, j, p.end, p.reach);
        }
        first = p.end;
    }
    return true;
}

/* L: panel by panel, with its exchanges. */
static void solve_down(size_t n, const double* a, const int32_t* pivot, scri_column_work* work,
                       double* x)
{
    for (size_t first = 0, end; first < n; first = end) {
        end = panel_from(n, first).end;
        for (size_t k = first; k < end; ++k) exchange(x, k, (size_t)pivot[k] - 1);
        for (size_t k = first; k < end; ++k) eliminate(a + n * k, k, end, x);
        if (end < n) work(n - end, a + n * first + end, (ptrdiff_t)n, x + first, x + end);
    }
}

/* U: the last column of a panel first. */
static void solve_up(size_t n, const double* a, scri_column_work* work, double* x)
{
    for (size_t end = n, first; end > 0; end = first) {
        first = n == panel_from(n, 0).end ? 0 : (end - 1) / SCRI_COLUMNS * SCRI_COLUMNS;
        int is_whole = end - first == SCRI_COLUMNS;
        double factor[SCRI_COLUMNS];
        for (size_t k = end; k-- > first;) {
            const double* column = a + n * k;
            x[k] /= column[k];
            for (size_t i = is_whole ? first : 0; i < k; ++i) x[i] -= x[k] * column[i];
            if (is_whole) factor[end - 1 - k] = x[k];
        }
        if (is_whole) work(first, a + n * (end - 1), -(ptrdiff_t)n, factor, x);
    }
}

/* ---- both ------------------------------------------------------------------------------------ */

bool scri_dense_general_factor(int32_t rows, double* a, const scri_extent* extent, int32_t* pivot)
{
    size_t n = (size_t)rows;
    band b;
    if (is_band(n, extent, &b)) return factor_band(n, a, b, pivot);
    return factor_panels(n, a, extent, pivot);
}

void scri_dense_general_solve(int32_t rows, const double* a, const scri_extent* extent,
                              const int32_t* pivot, double* x)
{
    scri_column_work* work = scri_column_lanes_best().take_four;
    size_t n = (size_t)rows;
    band b;
    if (is_band(n, extent, &b)) {
        solve_band(n, a, b, pivot, x);
        return;
    }
    solve_down(n, a, pivot, work, x);
    solve_up(n, a, work, x);
}
