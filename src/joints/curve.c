#include "joints/curve.h"

#include <math.h>
#include <string.h>

/* Sweeps that bring the slopes of a spline to rounding: each halves what is wrong. */
enum { SWEEPS = 60, NEWTON_STEPS = 30, SAMPLES = 8 };

static const double* knot_at(const scri_curve* c, int32_t i)
{
    return c->knot + SCRI_KNOT * (size_t)(i % c->n);
}

/* The segment of u and the place in it, 0 to 1; beyond the ends of an open curve outside of that.
 */
static int32_t segment_of(const scri_curve* c, double u, double* place, double* turns)
{
    int32_t n = c->closed ? c->n : c->n - 1;
    *turns = c->closed ? floor(u / n) : 0.0;
    u -= *turns * n;
    int32_t i = (int32_t)fmin(fmax(floor(u), 0.0), n - 1.0);
    *place = u - i;
    return i;
}

void scri_curve_at(const scri_curve* c, double u, double* point, double* first, double* second)
{
    double t, turns;
    int32_t i = segment_of(c, u, &t, &turns);
    const double *a = knot_at(c, i), *b = knot_at(c, i + 1);
    double beyond = t < 0.0 ? t : t > 1.0 ? t - 1.0 : 0.0;
    t -= beyond;
    for (int k = 0; k < 3; ++k) { /* Hermite: p = a + t (m + t (q + t r)) */
        double chord = b[k] - a[k], m = a[3 + k], q = 3.0 * chord - 2.0 * m - b[3 + k];
        double r = m + b[3 + k] - 2.0 * chord, slope = m + t * (2.0 * q + 3.0 * t * r);
        if (point) point[k] = a[k] + t * (m + t * (q + t * r)) + beyond * slope;
        if (first) first[k] = slope;
        if (second) second[k] = beyond != 0.0 ? 0.0 : 2.0 * q + 6.0 * t * r;
    }
}

static double speed_at(const scri_curve* c, double u)
{
    double d[3];
    scri_curve_at(c, u, NULL, d, NULL);
    return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

/* Length from u to u + t by Gauss's rule of five points. */
static double length_of(const scri_curve* c, double u, double t)
{
    static const double at[3] = {0.0, 0.5384693101056831, 0.9061798459386640};
    static const double weight[3] = {0.5688888888888889, 0.4786286704993665, 0.2369268850561891};
    double sum = 0.0;
    for (int k = -2; k <= 2; ++k) {
        int m = k < 0 ? -k : k;
        double x = 0.5 * (1.0 + (k < 0 ? -at[m] : at[m]));
        sum += 0.5 * weight[m] * speed_at(c, u + t * x);
    }
    return t * sum;
}

double scri_curve_way(const scri_curve* c, double u)
{
    double t, turns;
    int32_t i = segment_of(c, u, &t, &turns);
    return turns * c->length + knot_at(c, i)[6] + length_of(c, i, t);
}

scri_curve scri_curve_make(int32_t n, const double* point, int closed, double* knot)
{
    scri_curve c = {n, closed, 0.0, knot};
    memset(knot, 0, SCRI_KNOT * (size_t)n * sizeof *knot);
    for (int32_t i = 0; i < n; ++i) {
        memcpy(knot + SCRI_KNOT * (size_t)i, point + 3 * (size_t)i, 3 * sizeof *knot);
    }
    /* m- + 4 m + m+ = 3 (p+ - p-); at an open end 2 m + m+ = 3 (p+ - p) */
    for (int sweep = 0; sweep < SWEEPS; ++sweep) {
        for (int32_t i = 0; i < n; ++i) {
            int is_first = !closed && i == 0, is_last = !closed && i == n - 1;
            double* own = knot + SCRI_KNOT * (size_t)i;
            const double* before = is_first ? own : knot_at(&c, i + n - 1);
            const double* after = is_last ? own : knot_at(&c, i + 1);
            for (int k = 0; k < 3; ++k) {
                double sum = 3.0 * (after[k] - before[k]);
                sum -= (is_first ? 0.0 : before[3 + k]) + (is_last ? 0.0 : after[3 + k]);
                own[3 + k] = sum / (is_first || is_last ? 2.0 : 4.0);
            }
        }
    }
    for (int32_t i = 0; i < (closed ? n : n - 1); ++i) {
        c.length += length_of(&c, i, 1.0);
        if (i + 1 < n) knot[SCRI_KNOT * (size_t)(i + 1) + 6] = c.length;
    }
    return c;
}

static double square_to(const scri_curve* c, const double* x, double u)
{
    double p[3], sum = 0.0;
    scri_curve_at(c, u, p, NULL, NULL);
    for (int k = 0; k < 3; ++k) sum += (p[k] - x[k]) * (p[k] - x[k]);
    return sum;
}

double scri_curve_nearest(const scri_curve* c, const double* x, double guess)
{
    double u = guess;
    for (int32_t i = 0; isnan(guess) && i <= SAMPLES * (c->closed ? c->n : c->n - 1); ++i) {
        double at = (double)i / SAMPLES;
        if (i == 0 || square_to(c, x, at) < square_to(c, x, u)) u = at;
    }
    for (int k = 0; k < NEWTON_STEPS; ++k) { /* (p - x) . p' = 0 */
        double p[3], first[3], second[3], f = 0.0, slope = 0.0, size = 0.0;
        scri_curve_at(c, u, p, first, second);
        for (int i = 0; i < 3; ++i) {
            f += (p[i] - x[i]) * first[i];
            size += first[i] * first[i];
            slope += first[i] * first[i] + (p[i] - x[i]) * second[i];
        }
        double change = f / (slope > 0.5 * size ? slope : size);
        u -= fmax(-0.5, fmin(0.5, change));
        if (!(fabs(change) > 1e-15 * c->n)) break;
    }
    return u;
}
