/* The cones and the natural map in extended precision, written from their definitions and sharing
 * no code with the library. */
#ifndef SUPPORT_REFERENCE_H
#define SUPPORT_REFERENCE_H

#include "scree/problem.h"
#include "support/real.h"

#include <stdint.h>

enum { MAX_WIDTH = 6, CHANNELS = 3 };

/* Row 0 is N; channel k (slide, roll, spin) has dim[k] rows from first[k] on. */
typedef struct row_shape {
    int width, first[CHANNELS], dim[CHANNELS];
} row_shape;

static inline row_shape shape_of(int rows)
{
    static const int dims[][CHANNELS] = {
        [SCREE_ROWS_N] = {0, 0, 0},     [SCREE_ROWS_NT] = {1, 0, 0},
        [SCREE_ROWS_NTT] = {2, 0, 0},   [SCREE_ROWS_NTTS] = {2, 0, 1},
        [SCREE_ROWS_NTTRR] = {2, 2, 0}, [SCREE_ROWS_NTTRRS] = {2, 2, 1},
        [SCREE_ROWS_NTR] = {1, 1, 0},
    };
    row_shape s = {.width = 1};
    for (int k = 0; k < CHANNELS; ++k) {
        s.first[k] = s.width;
        s.dim[k] = dims[rows][k];
        s.width += s.dim[k];
    }
    return s;
}

static inline real reference_dot(int n, const real* x, const real* y)
{
    real sum = 0;
    for (int i = 0; i < n; ++i) sum += x[i] * y[i];
    return sum;
}

/* There are more exponents than in double, so squares of doubles neither overflow nor vanish. */
static inline real reference_norm(int n, const real* x)
{
    return real_sqrt(reference_dot(n, x, x));
}

static inline void reference_widen(int n, const double* x, real* out)
{
    for (int i = 0; i < n; ++i) out[i] = (real)x[i];
}

static inline void reference_lengths(row_shape s, const real* p, real length[CHANNELS])
{
    for (int k = 0; k < CHANNELS; ++k) length[k] = reference_norm(s.dim[k], p + s.first[k]);
}

/* sum_k mu_k |y_k| */
static inline real reference_shift(row_shape s, const double mu[CHANNELS], const real* y)
{
    real length[CHANNELS], sum = 0;
    reference_lengths(s, y, length);
    for (int k = 0; k < CHANNELS; ++k) sum += s.dim[k] ? (real)mu[k] * length[k] : 0;
    return sum;
}

/* Closest point of K: breakpoints |l_k| / mu_k in falling order, terms added until the root lies
 * beyond the next. */
static inline void reference_project(row_shape s, const double mu[CHANNELS], real* p)
{
    real length[CHANNELS], numerator = p[0], denominator = 1, y = p[0];
    int done[CHANNELS] = {0};
    reference_lengths(s, p, length);
    for (int round = 0; round < CHANNELS; ++round) {
        int next = -1;
        for (int k = 0; k < CHANNELS; ++k) {
            if (done[k] || s.dim[k] == 0 || !(mu[k] > 0.0)) continue;
            if (next < 0 || length[k] * (real)mu[next] > length[next] * (real)mu[k]) next = k;
        }
        if (next < 0 || y * (real)mu[next] >= length[next]) break;
        done[next] = 1;
        numerator += (real)mu[next] * length[next];
        denominator += (real)mu[next] * (real)mu[next];
        y = numerator / denominator;
    }
    if (y < 0) y = 0;
    p[0] = y;
    for (int k = 0; k < CHANNELS; ++k) {
        real radius = (real)mu[k] * y;
        if (length[k] <= radius) continue;
        for (int i = 0; i < s.dim[k]; ++i) p[s.first[k] + i] *= radius / length[k];
    }
}

/* y - n + mu^2 y at y = max(n, 0) + t, as a sum of terms that are not negative: with small
 * coefficients y - n is a tiny part of y, with large ones y a tiny part of y - n. */
static inline real reference_coupled_denominator(real n, real t, real mu)
{
    return n > 0 ? t + mu * mu * (n + t) : (t - n) + mu * mu * t;
}

/* Closest point of K_ell: bisection on t of the normal component y = max(n, 0) + t, for which
 * stationarity gives |p_k| = mu_k^2 y |l_k| / ((1 + mu_k^2) y - n) and the boundary
 * sum |p_k|^2 / mu_k^2 = y^2. */
static inline void reference_project_coupled(row_shape s, const double mu[CHANNELS], real* p)
{
    real length[CHANNELS], inside = 0, polar = 0, n = p[0];
    reference_lengths(s, p, length);
    int forbidden = 0; /* an impulse in a channel without friction */
    for (int k = 0; k < CHANNELS; ++k) {
        polar += (real)mu[k] * length[k] * (real)mu[k] * length[k];
        if (length[k] > 0 && !(mu[k] > 0.0)) forbidden = 1;
        if (mu[k] > 0.0) inside += length[k] * length[k] / ((real)mu[k] * (real)mu[k]);
    }
    if (n >= 0 && !forbidden && inside <= n * n) return;
    real low = 0, high = reference_norm(s.width, p);
    int apex = n <= 0 && polar <= n * n;
    for (int i = 0; i < 400 && !apex; ++i) {
        real middle = (low + high) / 2, sum = 0;
        if (middle <= low || middle >= high) break;
        for (int k = 0; k < CHANNELS; ++k) {
            if (!(mu[k] > 0.0) || !(length[k] > 0)) continue;
            real m = (real)mu[k];
            real term = m * length[k] / reference_coupled_denominator(n, middle, m);
            sum += term * term;
        }
        if (sum > 1)
            low = middle;
        else
            high = middle;
    }
    real y = apex ? 0 : (n > 0 ? n : 0) + high;
    p[0] = y;
    for (int k = 0; k < CHANNELS; ++k) {
        real m = (real)mu[k], shrink = 0;
        if (m > 0 && y > 0) shrink = m * m * y / reference_coupled_denominator(n, high, m);
        for (int i = 0; i < s.dim[k]; ++i) p[s.first[k] + i] *= shrink;
    }
}

/* The exact law, and the extended one: these problems have no sets but discs. */
static inline int reference_is_exact(int law)
{
    return law == SCREE_LAW_EXACT || law == SCREE_LAW_EXTENDED;
}

/* Closest admissible impulse under a law. */
static inline void reference_admit(int rows, int law, const double coef[3], real* p)
{
    real lo = law == SCREE_LAW_INTERVAL ? (real)coef[0] : 0;
    if (reference_is_exact(law) || law == SCREE_LAW_CONVEX) {
        reference_project(shape_of(rows), coef, p);
    } else if (law == SCREE_LAW_COUPLED) {
        reference_project_coupled(shape_of(rows), coef, p);
    } else if (law == SCREE_LAW_INTERVAL || law == SCREE_LAW_HALF_LINE) {
        if (p[0] < lo) p[0] = lo;
        if (law == SCREE_LAW_INTERVAL && p[0] > (real)coef[1]) p[0] = (real)coef[1];
    }
}

/* s[width] from the diagonal of a contact's block: the root of the mean over the rows of a channel,
 * of each row by itself where there is no cone. A channel that cannot move takes the scale of N,
 * and N where it cannot move `idle`. */
static inline void reference_scale(int rows, int law, const real* diagonal, real idle, real* s)
{
    row_shape f = shape_of(rows);
    int cone = reference_is_exact(law) || law == SCREE_LAW_CONVEX || law == SCREE_LAW_COUPLED;
    s[0] = diagonal[0] > 0 ? real_sqrt(diagonal[0]) : idle;
    for (int i = 1; i < f.width && !cone; ++i)
        s[i] = diagonal[i] > 0 ? real_sqrt(diagonal[i]) : s[0];
    for (int k = 0; k < CHANNELS && cone; ++k) {
        real mean = 0;
        for (int i = 0; i < f.dim[k]; ++i) mean += diagonal[f.first[k] + i] / f.dim[k];
        for (int i = 0; i < f.dim[k]; ++i) s[f.first[k] + i] = mean > 0 ? real_sqrt(mean) : s[0];
    }
}

/* |p - P(p - yhat)|^2 of one contact; adds |p|^2, |y|^2, |q|^2 to sums[3]. With s[width] the
 * variables are scaled first; s NULL leaves them as they are. */
static inline real reference_map(int rows, int law, const double coef[3], const real* s,
                                 const real* p, const real* y, const real* q, real sums[3])
{
    row_shape f = shape_of(rows);
    real scaled_p[MAX_WIDTH], scaled_y[MAX_WIDTH], image[MAX_WIDTH], square = 0;
    double scaled[3] = {coef[0], coef[1], coef[2]};
    for (int i = 0; i < f.width; ++i) {
        real scale = s ? s[i] : 1;
        scaled_p[i] = p[i] * scale;
        scaled_y[i] = y[i] / scale;
        sums[0] += scaled_p[i] * scaled_p[i];
        sums[1] += scaled_y[i] * scaled_y[i];
        sums[2] += q[i] / scale * (q[i] / scale);
        image[i] = scaled_p[i] - scaled_y[i];
    }
    for (int k = 0; k < CHANNELS && s; ++k) {
        if (law == SCREE_LAW_INTERVAL)
            scaled[k] = (double)((real)coef[k] * s[0]);
        else if (f.dim[k])
            scaled[k] = (double)((real)coef[k] * s[f.first[k]] / s[0]);
    }
    if (reference_is_exact(law)) image[0] -= reference_shift(f, scaled, scaled_y);
    reference_admit(rows, law, scaled, image);
    for (int i = 0; i < f.width; ++i) {
        square += (scaled_p[i] - image[i]) * (scaled_p[i] - image[i]);
    }
    return square;
}

/* The residual of one contact alone, y = w p + q. NaN where p holds one. */
static inline real reference_residual(int rows, int law, const double coef[3], const double* w,
                                      const double* q, const double* p)
{
    int n = shape_of(rows).width;
    real wide_p[MAX_WIDTH], wide_q[MAX_WIDTH], y[MAX_WIDTH], diagonal[MAX_WIDTH], s[MAX_WIDTH];
    real sums[3] = {0, 0, 0};
    reference_widen(n, p, wide_p);
    reference_widen(n, q, wide_q);
    for (int i = 0; i < n; ++i) {
        y[i] = wide_q[i];
        for (int j = 0; j < n; ++j) y[i] += (real)w[i * n + j] * wide_p[j];
        diagonal[i] = (real)w[i * n + i];
    }
    reference_scale(rows, law, diagonal, 1, s);
    real square = reference_map(rows, law, coef, s, wide_p, y, wide_q, sums);
    real size = sums[0] > sums[1] ? sums[0] : sums[1];
    if (sums[2] > size) size = sums[2];
    return size > 0 ? real_sqrt(square / size) : real_sqrt(square);
}

#endif
