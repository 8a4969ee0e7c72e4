/* Measured curves are made and checked. */
#include "base/env.h"
#include "sets/kind.h"
#include "sets/polar_kernel.h"

#define LEAST_STEP 1e-9   /* rad, between nodes */
#define SPLINE_ERROR 1e-9 /* of an equation of the spline, relative to its terms */

enum { SAMPLES = 16 /* of each piece, for the test of convexity */ };

static scree_status fill(const scree_env* env, const scree_set_def* def, double scale,
                         scree_set* set)
{
    (void)env;
    for (int32_t i = 0; i < def->n; ++i) {
        double* at = set->table + (size_t)SCRI_POLAR_WIDTH * (size_t)i;
        at[0] = def->points[2 * i];
        at[1] = scale * def->points[2 * i + 1];
        at[2] = 0.0;
    }
    return SCREE_OK;
}

static scree_status check_nodes(const scree_env* env, scri_set set)
{
    for (int32_t i = 0; i < set.v->n; ++i) {
        const double* p = set.table + (size_t)SCRI_POLAR_WIDTH * (size_t)i;
        if (!(p[1] >= SCRI_SET_SMALLEST && p[1] <= SCRI_SET_LARGEST)) {
            return scri_fail(env, SCREE_ERROR_INPUT,
                             "polar: radius %d (with its scale) is %g, not within %g .. %g", (int)i,
                             p[1], SCRI_SET_SMALLEST, SCRI_SET_LARGEST);
        }
        if (!(scri_polar_piece_of(set, i).step >= LEAST_STEP)) {
            const char* advice =
                i + 1 < set.v->n ? "the angles must rise" : "the angles must span less than a turn";
            return scri_fail(env, SCREE_ERROR_INPUT, "polar: angle %d is %g rad: %s",
                             (int)((i + 1) % set.v->n),
                             set.table[SCRI_POLAR_WIDTH * ((i + 1) % set.v->n)], advice);
        }
    }
    return SCREE_OK;
}

/* The right-hand side of row i: six times the second divided difference times both steps. */
static double jump(scri_set set, int32_t i)
{
    scri_piece after = scri_polar_piece_of(set, i),
               before = scri_polar_piece_of(set, (i + set.v->n - 1) % set.v->n);
    return 6.0 *
           ((after.r[1] - after.r[0]) / after.step - (before.r[1] - before.r[0]) / before.step);
}

/* Second derivatives m of a periodic spline: for every node
 *     h_before m_before + 2 (h_before + h_after) m + h_after m_after = jump,
 * a cyclic tridiagonal system, dominated by its diagonal. The last unknown is eliminated by hand:
 * m_i = x_i + y_i m_last in the others; elimination keeps its two right-hand sides and its factors
 * in work[3 n]. */
static void solve_spline(scri_set set, double* table, double* work)
{
    int32_t n = set.v->n, last = n - 1;
    double *factor = work, *x = work + n, *y = work + 2 * n;
    for (int32_t i = 0; i < last; ++i) {
        double before = scri_polar_piece_of(set, (i + last) % n).step,
               after = scri_polar_piece_of(set, i).step;
        double diagonal = 2.0 * (before + after), right = jump(set, i);
        double coupled = (i == 0 ? -before : 0.0) - (i == last - 1 ? after : 0.0);
        if (i > 0) {
            diagonal -= before * factor[i - 1];
            right -= before * x[i - 1];
            coupled -= before * y[i - 1];
        }
        factor[i] = after / diagonal;
        x[i] = right / diagonal;
        y[i] = coupled / diagonal;
    }
    for (int32_t i = last - 2; i >= 0; --i) {
        x[i] -= factor[i] * x[i + 1];
        y[i] -= factor[i] * y[i + 1];
    }
    double before = scri_polar_piece_of(set, last - 1).step,
           after = scri_polar_piece_of(set, last).step;
    double right = jump(set, last) - before * x[last - 1] - after * x[0];
    double m = right / (2.0 * (before + after) + before * y[last - 1] + after * y[0]);
    for (int32_t i = 0; i < last; ++i) table[SCRI_POLAR_WIDTH * i + 2] = x[i] + y[i] * m;
    table[SCRI_POLAR_WIDTH * last + 2] = m;
}

/* The least radius of a piece: at an end, or where r' = 0, a quadratic in t. */
static double least_radius(const scri_piece* p)
{
    double least = fmin(p->r[0], p->r[1]);
    double h = p->step, c = (p->r[1] - p->r[0]) / h - h / 6.0 * (2.0 * p->r2[0] + p->r2[1]);
    double b = h * p->r2[0], a = 0.5 * h * (p->r2[1] - p->r2[0]); /* r' = a t^2 + b t + c */
    double square = b * b - 4.0 * a * c;
    if (!(square >= 0.0)) return least;
    double q = -0.5 * (b + copysign(sqrt(square), b));
    double roots[2] = {q / a, c / q};
    for (int i = 0; i < 2; ++i) {
        if (roots[i] > 0.0 && roots[i] < 1.0)
            least = fmin(least, scri_polar_evaluate(p, roots[i]).r);
    }
    return least;
}

static scree_status check_star(const scree_env* env, scri_set set)
{
    for (int32_t i = 0; i < set.v->n; ++i) {
        scri_piece p = scri_polar_piece_of(set, i);
        double least = least_radius(&p);
        if (least >= SCRI_SET_SMALLEST) continue;
        return scri_fail(env, SCREE_ERROR_INPUT,
                         "polar: the curve through the points has the radius %g after the angle "
                         "%g rad; more points there would hold it",
                         least, set.table[SCRI_POLAR_WIDTH * i]);
    }
    return SCREE_OK;
}

/* Has the sign of the curvature. */
static double bend_at(const scri_piece* p, double t)
{
    scri_jet j = scri_polar_evaluate(p, t);
    return j.r * j.r + 2.0 * j.r1 * j.r1 - j.r * j.r2;
}

/* Smallest value of bend_at between two shares, by golden section. */
static double least_bend(const scri_piece* p, double low, double high)
{
    const double golden = 0.61803398874989484820;
    double least = SCREE_INFINITY;
    for (int step = 0; step < 50; ++step) {
        double left = high - golden * (high - low), right = low + golden * (high - low);
        double at_left = bend_at(p, left), at_right = bend_at(p, right);
        least = fmin(least, fmin(at_left, at_right));
        if (at_left < at_right) {
            high = right;
        } else {
            low = left;
        }
    }
    return least;
}

static int is_convex(scri_set set)
{
    for (int32_t i = 0; i < set.v->n; ++i) {
        scri_piece p = scri_polar_piece_of(set, i);
        double value[SAMPLES + 1];
        for (int k = 0; k <= SAMPLES; ++k) {
            value[k] = bend_at(&p, (double)k / SAMPLES);
            if (!(value[k] >= 0.0)) return 0;
        }
        for (int k = 0; k <= SAMPLES; ++k) {
            int low = k > 0 ? k - 1 : k, high = k < SAMPLES ? k + 1 : k;
            if (value[k] > value[low] || value[k] > value[high]) continue;
            if (least_bend(&p, (double)low / SAMPLES, (double)high / SAMPLES) < 0.0) return 0;
        }
    }
    return 1;
}

static scree_status derive(const scree_env* env, scree_set* set)
{
    double* work = scri_alloc(env, 3 * (size_t)set->value.n * sizeof *work);
    if (!work) return scri_fail(env, SCREE_ERROR_MEMORY, "polar: out of memory");
    solve_spline(scri_set_of(set), set->table, work);
    scri_release(env, work);
    scree_status status = check_star(env, scri_set_of(set));
    set->value.is_convex = !status && is_convex(scri_set_of(set));
    return status;
}

/* Whether the second derivatives solve the equations of solve_spline() but for rounding. */
static int is_spline(scri_set set)
{
    int32_t n = set.v->n;
    for (int32_t i = 0; i < n; ++i) {
        scri_piece before = scri_polar_piece_of(set, (i + n - 1) % n);
        scri_piece after = scri_polar_piece_of(set, i);
        double terms[4] = {before.step * before.r2[0],
                           2.0 * (before.step + after.step) * after.r2[0], after.step * after.r2[1],
                           -jump(set, i)};
        double size = 6.0 * (after.r[0] / after.step + before.r[0] / before.step), sum = 0.0;
        for (int k = 0; k < 4; ++k) {
            sum += terms[k];
            size += fabs(terms[k]);
        }
        if (!(fabs(sum) <= SPLINE_ERROR * size)) return 0;
    }
    return 1;
}

static int is_derived(scri_set set)
{
    return is_spline(set) && !check_star(NULL, set) && set.v->is_convex == is_convex(set);
}

double scri_polar_next_knot(scri_set set, double angle)
{
    double share;
    scri_piece p = scri_polar_piece_of(set, scri_polar_locate(set, angle, &share));
    double step = (1.0 - share) * p.step;
    return angle + (step > 1e-14 ? step : p.step);
}

const scri_set_kind scri_set_polar = {
    .name = "polar",
    .table_width = SCRI_POLAR_WIDTH,
    .fill = fill,
    .check = check_nodes,
    .derive = derive,
    .is_derived = is_derived,
};
