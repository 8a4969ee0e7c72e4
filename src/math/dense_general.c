/* Columns are taken in panels of SCRI_COLUMNS. What is right of a panel waits until its columns are
 * done, and then they are taken from it together: one reading and writing for all of them. Few
 * columns are one panel. Rows that a panel exchanges are not exchanged in those before it; the
 * solve makes these exchanges as it goes along. The order of products is that of plain elimination.
 */
#include "math/dense_general.h"

#include "math/column_lanes.h"

#include <math.h>
#include <string.h>

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

static void exchange(double* column, size_t one, size_t two)
{
    double swap = column[one];
    column[one] = column[two];
    column[two] = swap;
}

/* Takes what column k, divided by its pivot, leaves of another in the rows behind k, before `end`.
 */
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
    size_t n = f->n, best = k, end = f->has_extents ? (size_t)f->extent[k].end : n;
    double* column = f->a + n * k;
    for (size_t i = k + 1; i < end; ++i) {
        if (fabs(column[i]) > fabs(column[best])) best = i;
    }
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
    p->reach =
        end; /* no less than before: the column before has filled this one, or ends above it */
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

bool scri_dense_general_factor(int32_t n, double* a, const scri_extent* extent, int32_t* pivot)
{
    factoring f;
    f.n = (size_t)n;
    f.a = a;
    f.pivot = pivot;
    f.work = scri_column_lanes_best();
    f.has_extents = extent && n <= SCRI_MOST_EXTENTS;
    if (f.has_extents) memcpy(f.extent, extent, f.n * sizeof *extent);
    for (size_t first = 0; first < f.n;) {
        panel p = panel_from(f.n, first);
        for (size_t k = first; k < p.end; ++k) {
            if (!factor_column(&f, &p, k)) return false;
        }
        for (size_t j = p.end; j < f.n; ++j) {
            if (is_below(&f, j, p.reach)) continue;
            eliminate_panel(&f, &p, a + f.n * j);
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

void scri_dense_general_solve(int32_t n, const double* a, const int32_t* pivot, double* x)
{
    scri_column_work* work = scri_column_lanes_best();
    solve_down((size_t)n, a, pivot, work, x);
    solve_up((size_t)n, a, work, x);
}
