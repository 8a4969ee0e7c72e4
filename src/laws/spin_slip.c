/* On the boundary a = k_C(f_T) / mu n and b = |m| / mu_s n have a^s + b^s = 1. For given b sliding
 * is the planar problem (planar_slip.h), m is known, and what is left is one equation: with the
 * gauges A and B of sliding and of spinning in D's set and its own power s_D, velocities are along
 * the normal where
 *
 *     mu_S A^(s_D - 1) = mu_T B^(s_D - 1),     mu_T = y_T . f_T / A,  mu_S = y_S m / B.
 *
 * The left side begins above the right one at b = 0 and ends below it at b = 1. */
#include "laws/spin_slip.h"

#include "laws/planar_slip.h"
#include "math/small_kernel.h"

#include <math.h>
#include <string.h>

enum { STEPS = 120 };

#define STIFFEST 1e100 /* in the place of an infinite curvature */

static double dot2(const double* a, const double* b)
{
    return a[0] * b[0] + a[1] * b[1];
}

static double over(double force, double coef)
{
    return force == 0.0 ? 0.0 : coef > 0.0 ? force / coef : SCREE_INFINITY;
}

/* (a^s + b^s)^(1/s) */
static double join(double a, double b, double s)
{
    double most = fmax(a, b);
    if (!(most > 0.0) || !(most < SCREE_INFINITY)) return isnan(a + b) ? SCREE_NAN : most;
    return most * pow(pow(a / most, s) + pow(b / most, s), 1.0 / s);
}

/* pow() that stays finite. */
static double stiffness(double x, double power)
{
    return fmin(pow(x, power), STIFFEST);
}

double scri_spin_gauge(scri_set set, const double coef[2], const double f[3], double* gradient,
                       double* hessian)
{
    double s = set.v->spin_power, at[2] = {f[0], f[1]}, slope[2], bend[3];
    double a = over(scri_set_gauge(set, at, NULL, NULL), coef[0]), b = over(fabs(f[2]), coef[1]);
    double k = join(a, b, s);
    if (!gradient) return k;
    if (!(a > 0.0)) at[0] = 1.0; /* any: what follows depends on the direction alone */
    double unit = scri_set_gauge(set, at, slope, bend);
    double r = a / k, q = b / k, by_m = copysign(1.0 / coef[1], f[2]);
    for (int i = 0; i < 2; ++i) gradient[i] = pow(r, s - 1.0) * (slope[i] / coef[0]);
    gradient[2] = pow(q, s - 1.0) * by_m;
    if (!hessian) return k;
    double around = stiffness(r, s - 2.0) / k, both = (s - 1.0) * around * pow(q, s);
    for (int i = 0; i < 2; ++i) {
        for (int j = 0; j < 2; ++j) {
            double own = unit * bend[i + j] / (coef[0] * coef[0]);
            double radial = slope[i] * slope[j] / (coef[0] * coef[0]);
            hessian[3 * i + j] = around * own + both * radial;
        }
        hessian[3 * i + 2] = hessian[6 + i] =
            -(s - 1.0) * pow(r * q, s - 1.0) / k * (slope[i] / coef[0]) * by_m;
    }
    hessian[8] = (s - 1.0) * stiffness(q, s - 2.0) * pow(r, s) / k * by_m * by_m;
    return k;
}

double scri_spin_support(scri_set set, const double coef[2], const double y[3])
{
    double s = set.v->spin_power;
    double slide = coef[0] * scri_set_support(set, y, NULL, NULL), spin = coef[1] * fabs(y[2]);
    return join(slide, spin, s / (s - 1.0)); /* the dual power */
}

/* ---- the force ------------------------------------------------------------------------------- */

/* Writes f at b = small, or at a = small; returns the left side of the equation less the right one.
 */
static double evaluate(const scri_spin_sets* sets, double n, const double g[3], double small,
                       int of_slide, double f[3])
{
    double s = sets->c.v->spin_power, s_d = sets->d.v->spin_power;
    double large = pow(1.0 - pow(small, s), 1.0 / s);
    double slides = of_slide ? small : large, spins = of_slide ? large : small;
    double size = sets->coef[0] * n * slides;
    f[2] = copysign(sets->coef[1] * n * spins, g[2]);
    scri_planar_react(sets->c, sets->d, size, g, NULL, f, NULL);
    double y[2] = {g[0] - f[0], g[1] - f[1]}, gauge = scri_set_gauge(sets->d, f, NULL, NULL);
    double a = gauge / sets->coef[0], b = fabs(f[2]) / sets->coef[1];
    double by_slide =
        gauge > 0.0 ? dot2(y, f) / a : sets->coef[0] * scri_set_support(sets->d, g, NULL, NULL);
    double by_spin = sets->coef[1] * (fabs(g[2]) - fabs(f[2]));
    return by_spin * pow(a / n, s_d - 1.0) - by_slide * pow(b / n, s_d - 1.0);
}

/* Between two ends, or their geometric mean where they are far apart. */
static double middle(double low, double high)
{
    if (!(low > 0.0)) return high / 16.0;
    return high > 4.0 * low ? sqrt(low * high) : 0.5 * (low + high);
}

/* The root, sought in the smaller of a and b: there numbers are finer. */
static void slip(const scri_spin_sets* sets, double n, const double g[3], double f[3])
{
    double high = pow(0.5, 1.0 / sets->c.v->spin_power), low = 0.0; /* a = b */
    int of_slide = evaluate(sets, n, g, high, 0, f) > 0.0;
    double sign = of_slide ? -1.0 : 1.0, at_low = sign * evaluate(sets, n, g, low, of_slide, f);
    if (!(at_low > 0.0)) return;
    double at_high = sign * evaluate(sets, n, g, high, of_slide, f);
    for (int i = 0, last = 0; i < STEPS && high > low; ++i) {
        double u = (low * at_high - high * at_low) / (at_high - at_low);
        if (i % 3 == 2 || !(u > low && u < high)) u = middle(low, high);
        if (!(u > low && u < high)) break;
        double value = sign * evaluate(sets, n, g, u, of_slide, f);
        if (value == 0.0) return;
        int is_low = value > 0.0, again = last == (is_low ? 1 : -1);
        if (is_low) {
            low = u, at_low = value;
            if (again) at_high *= 0.5; /* Illinois */
        } else {
            high = u, at_high = value;
            if (again) at_low *= 0.5;
        }
        last = is_low ? 1 : -1;
        if (high - low <= 2.3e-16 * high) break;
    }
}

/* f + lambda nu = g with nu the gradient of D's gauge, and C's gauge of f is n: what follows for
 * df. At a corner of D, where g - f and nu differ, f follows n alone. */
static void differentiate(const scri_spin_sets* sets, double n, const double g[3],
                          const double f[3], double* d)
{
    double outward[3], normal[3], hessian[9], y[3], length = 0.0, square = 0.0, along = 0.0;
    scri_spin_gauge(sets->c, sets->coef, f, outward, NULL);
    scri_spin_gauge(sets->d, sets->coef, f, normal, hessian);
    for (int i = 0; i < 3; ++i) {
        y[i] = g[i] - f[i];
        square += normal[i] * normal[i];
        along += normal[i] * y[i];
        length += y[i] * y[i];
    }
    memset(d, 0, 9 * sizeof *d);
    for (int i = 0; i < 3; ++i) d[9 + i] = f[i] / n;
    if (!(along > 0.0) || !(length * square - along * along <= 1e-10 * along * along)) return;
    double lambda = along / square, column[4][3]; /* of the inverse: those of 1, and of nu */
    for (int j = 0; j < 4; ++j) {
        double matrix[9];
        for (int i = 0; i < 9; ++i) matrix[i] = lambda * hessian[i] + (i % 4 == 0 ? 1.0 : 0.0);
        for (int i = 0; i < 3; ++i) column[j][i] = j == 3 ? normal[i] : i == j ? 1.0 : 0.0;
        if (!scri_gauss_solve(3, 3, matrix, column[j])) return;
    }
    double share = 0.0;
    for (int i = 0; i < 3; ++i) share += outward[i] * column[3][i];
    for (int j = 0; j < 3; ++j) {
        double back = 0.0;
        for (int i = 0; i < 3; ++i) back += outward[i] * column[j][i];
        for (int i = 0; i < 3; ++i) d[3 * i + j] = column[j][i] - column[3][i] * (back / share);
    }
    for (int i = 0; i < 3; ++i) d[9 + i] = column[3][i] / share;
}

/* One of the coefficients is 0: what is left is one channel. */
static double react_alone(const scri_spin_sets* sets, double n, const double g[3], double f[3],
                          double* d)
{
    double part[6], outside = 0.0;
    f[0] = f[1] = f[2] = 0.0;
    if (d) memset(d, 0, 12 * sizeof *d);
    if (sets->coef[0] > 0.0) {
        outside =
            scri_planar_react(sets->c, sets->d, sets->coef[0] * n, g, NULL, f, d ? part : NULL);
        for (int i = 0; d && i < 2; ++i) {
            d[3 * i] = part[2 * i];
            d[3 * i + 1] = part[2 * i + 1];
            d[9 + i] = sets->coef[0] * part[4 + i];
        }
    } else if (sets->coef[1] > 0.0) {
        double most = sets->coef[1] * n;
        int slips = fabs(g[2]) > most;
        outside = slips ? scri_slip_share(fabs(g[2]) / most) : 0.0;
        f[2] = slips ? copysign(most, g[2]) : g[2];
        if (d) d[8] = slips ? 0.0 : 1.0, d[11] = slips ? copysign(sets->coef[1], g[2]) : 0.0;
    } else if (g[0] != 0.0 || g[1] != 0.0 || g[2] != 0.0) {
        outside = 1.0;
    }
    return outside;
}

/* Nothing is carried; how f begins to grow with n. */
static void react_to_nothing(const scri_spin_sets* sets, const double g[3], double f[3], double* d)
{
    double start[3];
    f[0] = f[1] = f[2] = 0.0;
    if (!d) return;
    memset(d, 0, 12 * sizeof *d);
    double far[3], size = fmax(fabs(g[0]), fmax(fabs(g[1]), fabs(g[2])));
    if (!(size > 0.0)) return;
    for (int i = 0; i < 3; ++i) far[i] = 1e12 * (g[i] / size); /* g from very far away */
    slip(sets, 1.0, far, start);
    memcpy(d + 9, start, sizeof start);
}

double scri_spin_react(const scri_spin_sets* sets, double n, const double g[3], double f[3],
                       double* d)
{
    double sum = g[0] + g[1] + g[2] + n;
    if (!isfinite(sum)) {
        f[0] = f[1] = f[2] = SCREE_NAN;
        if (d) memset(d, 0, 12 * sizeof *d);
        return SCREE_NAN;
    }
    if (!(sets->coef[0] > 0.0 && sets->coef[1] > 0.0)) return react_alone(sets, n, g, f, d);
    double gauge = scri_spin_gauge(sets->c, sets->coef, g, NULL, NULL);
    if (gauge <= n) {
        memcpy(f, g, 3 * sizeof *f);
        if (!d) return 0.0;
        memset(d, 0, 12 * sizeof *d);
        if (n > 0.0) d[0] = d[4] = d[8] = 1.0;
        return 0.0;
    }
    if (!(n > 0.0)) {
        react_to_nothing(sets, g, f, d);
        return 1.0;
    }
    slip(sets, n, g, f);
    if (d) differentiate(sets, n, g, f, d);
    return scri_slip_share(gauge / n);
}
