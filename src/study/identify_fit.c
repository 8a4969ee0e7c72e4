/* Ellipses and superellipses by least squares from the samples themselves.
 *
 * No filter and no integral comes in between: they would bend the curves and tie the errors of
 * neighbours to each other, and confidence intervals would say little. The residual of a point of C
 * is its distance to the set, to first order. For D it is the normality of eq. (123): the part of
 * the force across the direction that D gives it, which C does not enter. */
#include "base/compiler.h"
#include "math/small_kernel.h"
#include "study/identify.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { ROUNDS = 8, SUBSET = 4000 };

/* Parameters of C and of D. Logarithms keep sizes positive; the scale of D is free. */
enum { LOG_A, LOG_B, LOG_S, ANGLE, N_SLIDING };
enum { LOG_RATIO, LOG_S_LESS_1, TURN, N_DIRECTION }; /* of b / a and of s - 1 */

static const double lowest_log_s = -1.6, highest_log_s = 4.6; /* from 0.2 to 100 */

/* How far a set may turn from where it begins: a round one could turn for ever. */
static const double most_turn = 0.3 * SCREE_PI;

/* ---- where to begin ---- */

/* Semi-axes and angle of the centred ellipse q_xx x^2 + 2 q_xy x y + q_yy y^2 = 1 that fits the
 * curve best in this form. */
static void first_ellipse(const scri_fit_data* data, double* a, double* b, double* angle)
{
    double m[9] = {0}, q[3] = {0}, size = 0.0;
    for (int j = 0; j < SCRI_IDENTIFY_GRID; ++j) {
        size += hypot(data->curve[2 * j], data->curve[2 * j + 1]) / SCRI_IDENTIFY_GRID;
    }
    for (int j = 0; j < SCRI_IDENTIFY_GRID; ++j) {
        double x = data->curve[2 * j] / size, y = data->curve[2 * j + 1] / size;
        double row[3] = {x * x, data->fit_angle ? 2.0 * x * y : 0.0, y * y};
        for (int k = 0; k < 3; ++k) {
            for (int l = 0; l < 3; ++l) m[3 * k + l] += row[k] * row[l];
            q[k] += row[k];
        }
    }
    if (!data->fit_angle) m[4] = 1.0;
    bool good = scri_gauss_solve(3, 3, m, q);
    *angle = good && data->fit_angle ? 0.5 * atan2(2.0 * q[1], q[0] - q[2]) : 0.0;
    double c = cos(*angle), s = sin(*angle);
    double along = q[0] * c * c + 2.0 * q[1] * c * s + q[2] * s * s;
    double across = q[0] * s * s - 2.0 * q[1] * c * s + q[2] * c * c;
    good = good && along > 1e-4 && across > 1e-4 && along < 1e4 && across < 1e4;
    *a = size * (good ? 1.0 / sqrt(along) : 1.0);
    *b = size * (good ? 1.0 / sqrt(across) : 1.0);
}

/* ---- C ---- */

/* The samples in equal sectors of the sliding direction, averaged: noise across the ray would
 * otherwise put points of a curved set outside of it on average. Their errors stay independent. */
typedef struct sliding {
    int64_t n;
    int fit_angle;
    double* point;  /* [2 n] */
    double* count;  /* [n] samples in the mean */
    double* weight; /* [n] */
} sliding;

/* A superellipse at one point, which is (x, y) in its own axes. */
typedef struct local {
    double x, y;
    double log_k;        /* of the gauge */
    double log_x, log_y; /* of |x| / a and |y| / b */
    double u, v;         /* (|x| / a)^s and (|y| / b)^s over their sum */
    double gx, gy;       /* gradient of log_k */
} local;

static local at_point(const double* param, const double* point)
{
    double cosine = cos(param[ANGLE]), sine = sin(param[ANGLE]), s = exp(param[LOG_S]);
    local l = {.x = cosine * point[0] + sine * point[1], .y = cosine * point[1] - sine * point[0]};
    l.log_x = log(fmax(fabs(l.x), 1e-300)) - param[LOG_A];
    l.log_y = log(fmax(fabs(l.y), 1e-300)) - param[LOG_B];
    double most = fmax(l.log_x, l.log_y); /* taken out, so that no power overflows */
    double u = exp(s * (l.log_x - most)), v = exp(s * (l.log_y - most));
    l.log_k = most + log(u + v) / s;
    l.u = u / (u + v);
    l.v = v / (u + v);
    l.gx = l.x == 0.0 ? 0.0 : l.u / l.x;
    l.gy = l.y == 0.0 ? 0.0 : l.v / l.y;
    return l;
}

static double sliding_row(const void* data, const double* param, int64_t i, double* derivative)
{
    const sliding* f = data;
    const double* point = f->point + 2 * i;
    local l = at_point(param, point);
    double r = hypot(point[0], point[1]), radius = r * exp(-l.log_k);
    derivative[LOG_A] = -l.u; /* of log_k */
    derivative[LOG_B] = -l.v;
    derivative[LOG_S] = l.u * l.log_x + l.v * l.log_y - l.log_k;
    derivative[ANGLE] = l.gx * l.y - l.gy * l.x;
    for (int k = 0; k < N_SLIDING; ++k) derivative[k] *= f->weight[i] * radius;
    return f->weight[i] * (r - radius);
}

static scree_status average(scri_arena* arena, const scri_fit_data* data, sliding* out)
{
    int64_t n = data->n / 12 < 180 ? 180 : data->n / 12 > 720 ? 720 : data->n / 12;
    double* memory = scri_arena_take(arena, 4 * (size_t)n, sizeof *memory);
    if (!memory) return SCREE_ERROR_MEMORY;
    *out = (sliding){0, data->fit_angle, memory, memory + 2 * n, memory + 3 * n};
    for (int64_t i = 0; i < data->n; ++i) {
        double turn = data->angle[i] / (2.0 * SCREE_PI);
        int64_t k = (int64_t)((turn - floor(turn)) * (double)n);
        k = k < n ? k : n - 1;
        out->point[2 * k] += data->point[2 * i];
        out->point[2 * k + 1] += data->point[2 * i + 1];
        out->count[k] += 1.0;
    }
    for (int64_t k = 0; k < n; ++k) {
        if (!(out->count[k] > 0.0)) continue;
        for (int c = 0; c < 2; ++c) {
            out->point[2 * out->n + c] = out->point[2 * k + c] / out->count[k];
        }
        out->count[out->n++] = out->count[k];
    }
    return SCREE_OK;
}

/* The distance to the set is the difference along the ray times this: the cosine of the angle
 * between the ray and the normal. */
static double slant(const double* param, const double* point)
{
    local l = at_point(param, point);
    return 1.0 / (hypot(point[0], point[1]) * hypot(l.gx, l.gy));
}

/* Weights stay while the parameters move, so that they do not pull at them. */
static void weigh(sliding* f, const double* param)
{
    for (int64_t i = 0; i < f->n; ++i) {
        f->weight[i] = sqrt(f->count[i]) * slant(param, f->point + 2 * i);
    }
}

/* Of the distances of all samples. */
static double root_mean_square(const scri_fit_data* data, const double* param)
{
    double sum = 0.0;
    for (int64_t i = 0; i < data->n; ++i) {
        const double* point = data->point + 2 * i;
        double r = hypot(point[0], point[1]), k = exp(at_point(param, point).log_k);
        double distance = slant(param, point) * (r - r / k);
        sum += distance * distance;
    }
    return sqrt(sum / (double)data->n);
}

/* From param on; returns whether it converged. */
static int fit_sliding_from(sliding* f, scree_fit_form form, double* param, double* error,
                            double* rms)
{
    scri_least_squares problem = {
        .n_params = N_SLIDING,
        .is_free = {1, 1, form == SCREE_FIT_SUPERELLIPSE, f->fit_angle},
        .low = {-SCREE_INFINITY, -SCREE_INFINITY, lowest_log_s, param[ANGLE] - most_turn},
        .high = {SCREE_INFINITY, SCREE_INFINITY, highest_log_s, param[ANGLE] + most_turn},
        .n_rows = f->n,
        .data = f,
        .row = sliding_row};
    int converged = 0;
    for (int round = 0; round < ROUNDS; ++round) {
        double before[N_SLIDING], most = 0.0;
        memcpy(before, param, sizeof before);
        weigh(f, param);
        converged = scri_least_squares_solve(&problem, param, error, rms);
        for (int k = 0; k < N_SLIDING; ++k) most = fmax(most, fabs(param[k] - before[k]));
        if (most < 1e-9) break;
    }
    return converged;
}

/* ---- D ---- */

/* Every so many samples. */
typedef struct directing {
    const scri_fit_data* data;
    int64_t stride;
} directing;

/* The force that D gives to the sliding direction phi has the angle theta with, in the axes of a
 * superellipse, tan theta = (b / a)^q (tan phi)^(q - 1), q = s / (s - 1). */
static double direction_row(const void* data, const double* param, int64_t row, double* derivative)
{
    const directing* f = data;
    int64_t i = f->stride * row;
    const double* point = f->data->point + 2 * i;
    double phi = f->data->angle[i] - param[TURN], c = cos(phi), s = sin(phi);
    double power = exp(-param[LOG_S_LESS_1]); /* q - 1 */
    double log_tan = log(fmax(fabs(s), 1e-300)) - log(fmax(fabs(c), 1e-300));
    double exponent = (power + 1.0) * param[LOG_RATIO] + power * log_tan;
    /* Cosine and sine of theta without overflow. */
    double small = exp(-fabs(exponent)), large = 1.0 / sqrt(1.0 + small * small);
    double ct = copysign(exponent > 0.0 ? small * large : large, c);
    double st = copysign(exponent > 0.0 ? large : small * large, s);
    double cosine = cos(param[TURN]), sine = sin(param[TURN]);
    double x = cosine * point[0] + sine * point[1], y = cosine * point[1] - sine * point[0];
    double along = ct * x + st * y;
    double bend = fabs(ct * st); /* d theta by the exponent, in the first quadrant */
    double sign = copysign(1.0, c * s);
    derivative[LOG_RATIO] = -along * sign * bend * (power + 1.0);
    derivative[LOG_S_LESS_1] = along * sign * bend * power * (param[LOG_RATIO] + log_tan);
    derivative[TURN] = -along * (1.0 - bend * power / fmax(fabs(c * s), 1e-12));
    return ct * y - st * x;
}

/* ---- results ---- */

static scree_estimate with_error(double value, double error, double low, double high)
{
    return (scree_estimate){value, error, low, high};
}

static scree_estimate known(double value)
{
    return with_error(value, 0.0, value, value);
}

/* Of offset + exp(x), x with the standard error given. */
static scree_estimate from_log(double offset, double x, double error, double student)
{
    double value = exp(x), reach = exp(student * error);
    return with_error(offset + value, value * error, offset + value / reach,
                      offset + value * reach);
}

static scree_estimate of_angle(double x, double error, double student)
{
    return with_error(x, error, x - student * error, x + student * error);
}

/* Turns a set by right angles until it is turned by at most half of one; whether its axes have
 * changed places. */
static bool reduce_angle(double* angle)
{
    double quarters = nearbyint(*angle / (0.5 * SCREE_PI));
    *angle -= quarters * 0.5 * SCREE_PI;
    return fmod(fabs(quarters), 2.0) > 0.5;
}

static void swap(double* x, double* y)
{
    double z = *x;
    *x = *y;
    *y = z;
}

scree_status scri_fit_sliding(scri_arena* arena, const scri_fit_data* data, scree_fit_form form,
                              scree_fitted* out)
{
    sliding f;
    scree_status status = average(arena, data, &f);
    if (status) return status;
    double best[N_SLIDING] = {0}, best_error[N_SLIDING] = {0}, a, b, angle;
    first_ellipse(data, &a, &b, &angle);
    out->rms = SCREE_INFINITY;
    /* A superellipse with equal axes comes back after an eighth of a turn, with another s. */
    int n_starts = data->fit_angle && form == SCREE_FIT_SUPERELLIPSE ? 2 : 1;
    for (int start = 0; start < n_starts; ++start) {
        double param[N_SLIDING] = {log(a), log(b), log(2.0), angle}, error[N_SLIDING], rms;
        if (start > 0) {
            param[LOG_A] = param[LOG_B] = 0.5 * log(a * b);
            param[LOG_S] = log(3.0);
            param[ANGLE] += 0.25 * SCREE_PI;
        }
        int converged = fit_sliding_from(&f, form, param, error, &rms);
        if (!(rms < out->rms)) continue;
        *out = (scree_fitted){.rms = rms, .converged = converged};
        memcpy(best, param, sizeof best);
        memcpy(best_error, error, sizeof best_error);
    }
    out->rms = root_mean_square(data, best);
    if (reduce_angle(&best[ANGLE])) {
        swap(&best[LOG_A], &best[LOG_B]);
        swap(&best_error[LOG_A], &best_error[LOG_B]);
    }
    double student = scri_student(f.n - N_SLIDING);
    out->a = from_log(0.0, best[LOG_A], best_error[LOG_A], student);
    out->b = from_log(0.0, best[LOG_B], best_error[LOG_B], student);
    out->s = form == SCREE_FIT_ELLIPSE ? known(2.0)
                                       : from_log(0.0, best[LOG_S], best_error[LOG_S], student);
    out->angle = of_angle(best[ANGLE], best_error[ANGLE], student);
    return SCREE_OK;
}

/* From the best of several starts, with at most SUBSET samples. */
static void choose_direction(scri_least_squares* problem, const scri_fit_data* data,
                             scree_fit_form form, double* best)
{
    directing some = {data, (data->n + SUBSET - 1) / SUBSET};
    double a, b, angle, least = SCREE_INFINITY;
    first_ellipse(data, &a, &b, &angle);
    problem->data = &some;
    problem->n_rows = (data->n + some.stride - 1) / some.stride;
    int n_starts = data->fit_angle && form == SCREE_FIT_SUPERELLIPSE ? 2 : 1;
    for (int start = 0; start < n_starts; ++start) {
        double param[N_DIRECTION] = {log(b / a), 0.0, angle}, error[N_DIRECTION], rms;
        if (start > 0) {
            param[LOG_RATIO] = 0.0;
            param[LOG_S_LESS_1] = log(2.0);
            param[TURN] += 0.25 * SCREE_PI;
        }
        problem->low[TURN] = param[TURN] - most_turn;
        problem->high[TURN] = param[TURN] + most_turn;
        scri_least_squares_solve(problem, param, error, &rms);
        if (start > 0 && !(rms < least)) continue;
        least = rms;
        memcpy(best, param, sizeof param);
    }
}

void scri_fit_direction(const scri_fit_data* data, scree_fit_form form, scree_fitted* out)
{
    directing all = {data, 1};
    scri_least_squares problem = {.n_params = N_DIRECTION,
                                  .is_free = {1, form == SCREE_FIT_SUPERELLIPSE, data->fit_angle},
                                  .low = {-10.0, -7.0},
                                  .high = {10.0, 7.0},
                                  .row = direction_row};
    double best[N_DIRECTION] = {0}, best_error[N_DIRECTION];
    choose_direction(&problem, data, form, best);
    problem.low[TURN] = best[TURN] - most_turn;
    problem.high[TURN] = best[TURN] + most_turn;
    problem.data = &all;
    problem.n_rows = data->n;
    *out = (scree_fitted){0};
    out->converged = scri_least_squares_solve(&problem, best, best_error, &out->rms);
    if (reduce_angle(&best[TURN])) best[LOG_RATIO] = -best[LOG_RATIO];
    double student = scri_student(data->n - N_DIRECTION);
    out->a = known(1.0);
    out->b = from_log(0.0, best[LOG_RATIO], best_error[LOG_RATIO], student);
    out->s = form == SCREE_FIT_ELLIPSE
                 ? known(2.0)
                 : from_log(1.0, best[LOG_S_LESS_1], best_error[LOG_S_LESS_1], student);
    out->angle = of_angle(best[TURN], best_error[TURN], student);
}
