/* Measured curves: the radius as a periodic cubic spline of the angle, twice continuously
 * differentiable. The table holds for every node angle, radius, and second derivative. */
#include "base/env.h"
#include "math/constants.h"
#include "sets/kind.h"

#define TURN (2.0 * SCRI_PI)
#define LEAST_STEP 1e-9 /* rad, between nodes */

enum { WIDTH = 3, SAMPLES = 16 /* of each piece, for the test of convexity */ };

/* r, r' and r'' at an angle. */
typedef struct jet {
    double r, r1, r2;
} jet;

/* A piece between nodes i and i + 1. */
typedef struct piece {
    double step, r[2], r2[2];
} piece;

static piece piece_of(const scree_set* set, int32_t i)
{
    const double* p = set->table + (size_t)WIDTH * (size_t)i;
    const double* q = i + 1 < set->n ? p + WIDTH : set->table;
    double step = i + 1 < set->n ? q[0] - p[0] : q[0] + TURN - p[0];
    return (piece){step, {p[1], q[1]}, {p[2], q[2]}};
}

/* At the share t of the way. */
static jet evaluate(const piece* p, double t)
{
    double s = 1.0 - t, h = p->step;
    double m0 = p->r2[0], m1 = p->r2[1];
    return (jet){
        .r = s * p->r[0] + t * p->r[1] - h * h / 6.0 * s * t * ((1.0 + s) * m0 + (1.0 + t) * m1),
        .r1 = (p->r[1] - p->r[0]) / h +
              h / 6.0 * ((3.0 * t * t - 1.0) * m1 - (3.0 * s * s - 1.0) * m0),
        .r2 = s * m0 + t * m1,
    };
}

/* ---- creation ---- */

static scree_status check_nodes(const scree_env* env, const scree_set* set)
{
    for (int32_t i = 0; i < set->n; ++i) {
        const double* p = set->table + (size_t)WIDTH * (size_t)i;
        if (!(p[1] >= SCRI_SET_SMALLEST && p[1] <= SCRI_SET_LARGEST)) {
            return scri_fail(env, SCREE_ERROR_INPUT,
                             "polar: radius %d (with its scale) is %g, not within %g .. %g", (int)i,
                             p[1], SCRI_SET_SMALLEST, SCRI_SET_LARGEST);
        }
        if (!(piece_of(set, i).step >= LEAST_STEP)) {
            const char* advice =
                i + 1 < set->n ? "the angles must rise" : "the angles must span less than a turn";
            return scri_fail(env, SCREE_ERROR_INPUT, "polar: angle %d is %g rad: %s",
                             (int)((i + 1) % set->n), set->table[WIDTH * ((i + 1) % set->n)],
                             advice);
        }
    }
    return SCREE_OK;
}

/* The right-hand side of row i: six times the second divided difference times both steps. */
static double jump(const scree_set* set, int32_t i)
{
    piece after = piece_of(set, i), before = piece_of(set, (i + set->n - 1) % set->n);
    return 6.0 *
           ((after.r[1] - after.r[0]) / after.step - (before.r[1] - before.r[0]) / before.step);
}

/* Second derivatives m of a periodic spline: for every node
 *     h_before m_before + 2 (h_before + h_after) m + h_after m_after = jump,
 * a cyclic tridiagonal system, dominated by its diagonal. The last unknown is eliminated by hand:
 * m_i = x_i + y_i m_last in the others; elimination keeps its two right-hand sides and its factors
 * in work[3 n]. */
static void solve_spline(scree_set* set, double* work)
{
    int32_t n = set->n, last = n - 1;
    double *factor = work, *x = work + n, *y = work + 2 * n;
    for (int32_t i = 0; i < last; ++i) {
        double before = piece_of(set, (i + last) % n).step, after = piece_of(set, i).step;
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
    double before = piece_of(set, last - 1).step, after = piece_of(set, last).step;
    double right = jump(set, last) - before * x[last - 1] - after * x[0];
    double m = right / (2.0 * (before + after) + before * y[last - 1] + after * y[0]);
    for (int32_t i = 0; i < last; ++i) set->table[WIDTH * i + 2] = x[i] + y[i] * m;
    set->table[WIDTH * last + 2] = m;
}

/* The least radius of a piece: at an end, or where r' = 0, a quadratic in t. */
static double least_radius(const piece* p)
{
    double least = fmin(p->r[0], p->r[1]);
    double h = p->step, c = (p->r[1] - p->r[0]) / h - h / 6.0 * (2.0 * p->r2[0] + p->r2[1]);
    double b = h * p->r2[0], a = 0.5 * h * (p->r2[1] - p->r2[0]); /* r' = a t^2 + b t + c */
    double square = b * b - 4.0 * a * c;
    if (!(square >= 0.0)) return least;
    double q = -0.5 * (b + copysign(sqrt(square), b));
    double roots[2] = {q / a, c / q};
    for (int i = 0; i < 2; ++i) {
        if (roots[i] > 0.0 && roots[i] < 1.0) least = fmin(least, evaluate(p, roots[i]).r);
    }
    return least;
}

static scree_status check_star(const scree_env* env, const scree_set* set)
{
    for (int32_t i = 0; i < set->n; ++i) {
        piece p = piece_of(set, i);
        double least = least_radius(&p);
        if (least >= SCRI_SET_SMALLEST) continue;
        return scri_fail(env, SCREE_ERROR_INPUT,
                         "polar: the curve through the points has the radius %g after the angle "
                         "%g rad; more points there would hold it",
                         least, set->table[WIDTH * i]);
    }
    return SCREE_OK;
}

/* Has the sign of the curvature. */
static double bend_at(const piece* p, double t)
{
    jet j = evaluate(p, t);
    return j.r * j.r + 2.0 * j.r1 * j.r1 - j.r * j.r2;
}

/* Smallest value of bend_at between two shares, by golden section. */
static double least_bend(const piece* p, double low, double high)
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

static int is_convex(const scree_set* set)
{
    for (int32_t i = 0; i < set->n; ++i) {
        piece p = piece_of(set, i);
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

static scree_status init(const scree_env* env, const scree_set_def* def, double scale,
                         scree_set* set)
{
    double* table = set->table;
    for (int32_t i = 0; i < def->n; ++i) {
        table[WIDTH * i] = def->points[2 * i];
        table[WIDTH * i + 1] = scale * def->points[2 * i + 1];
        table[WIDTH * i + 2] = 0.0;
    }
    scree_status status = check_nodes(env, set);
    if (status) return status;
    double* work = scri_alloc(env, 3 * (size_t)def->n * sizeof *work);
    if (!work) return scri_fail(env, SCREE_ERROR_MEMORY, "polar: out of memory");
    solve_spline(set, work);
    scri_release(env, work);
    status = check_star(env, set);
    set->is_convex = !status && is_convex(set);
    return status;
}

/* ---- the set ---- */

/* The piece that holds an angle, and the share of it that lies before the angle. */
static int32_t locate(const scree_set* set, double angle, double* share)
{
    double first = set->table[0], past = angle - first;
    past -= TURN * floor(past / TURN);
    int32_t low = 0, high = set->n;
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        if (set->table[WIDTH * middle] - first <= past) {
            low = middle;
        } else {
            high = middle;
        }
    }
    double t = (past - (set->table[WIDTH * low] - first)) / piece_of(set, low).step;
    *share = fmax(0.0, fmin(1.0, t));
    return low;
}

static double gauge(const scree_set* set, const double u[2], double gradient[2], double* bend)
{
    double share, angle = atan2(u[1], u[0]);
    piece p = piece_of(set, locate(set, angle, &share));
    jet j = evaluate(&p, share);
    double f = 1.0 / j.r, slope = j.r1 * f; /* d ln r / d angle */
    gradient[0] = f * (u[0] + slope * u[1]);
    gradient[1] = f * (u[1] - slope * u[0]);
    *bend = f * (1.0 + 2.0 * slope * slope - j.r2 * f);
    return f;
}

static double next_knot(const scree_set* set, double angle)
{
    double share;
    piece p = piece_of(set, locate(set, angle, &share));
    double step = (1.0 - share) * p.step;
    return angle + (step > 1e-14 ? step : p.step);
}

const scri_set_kind scri_set_polar = {
    .name = "polar",
    .table_width = WIDTH,
    .init = init,
    .gauge = gauge,
    .support = scri_curve_support,
    .project = scri_curve_project,
    .next_knot = next_knot,
};
