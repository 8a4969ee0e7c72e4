/* Hysteresis: the cylinder rolls while the slope slowly rises and falls again. */
#include "base/env.h"
#include "study/foundation.h"

#include <math.h>

typedef struct sweep {
    scri_incline incline;
    double rate; /* of the slope, rad/s */
    double step; /* s */
    double speed, slope;
    double middle; /* speed whose passing is a jump; NaN for none */
} sweep;

/* dv/dt; NaN without contact. */
static double accelerate(const sweep* s, double slope, double speed)
{
    double force, by_speed;
    int good = scri_incline_force(&s->incline, slope, speed, &force, &by_speed, NULL);
    return good ? force / s->incline.inertia : SCREE_NAN;
}

static double advance(const sweep* s, double next_slope)
{
    double h = s->step, v = s->speed, middle = 0.5 * (s->slope + next_slope);
    double k1 = accelerate(s, s->slope, v);
    double k2 = accelerate(s, middle, v + 0.5 * h * k1);
    double k3 = accelerate(s, middle, v + 0.5 * h * k2);
    double k4 = accelerate(s, next_slope, v + h * k3);
    return v + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
}

/* Rolls n * stride steps and writes n points; *jump becomes the slope at which the speed passed the
 * middle last. 0 when the contact was lost. */
static int roll(sweep* s, int64_t stride, int32_t n, double* points, double* jump)
{
    double from = s->slope;
    *jump = SCREE_NAN;
    for (int64_t i = 0; i < stride * n; ++i) {
        double slope = from + s->rate * s->step * (double)(i + 1);
        double speed = advance(s, slope);
        if (!isfinite(speed)) return 0;
        if ((speed < s->middle) != (s->speed < s->middle)) *jump = slope;
        s->speed = speed;
        s->slope = slope;
        if ((i + 1) % stride) continue;
        points[2 * ((i + 1) / stride - 1)] = slope;
        points[2 * ((i + 1) / stride - 1) + 1] = speed;
    }
    return 1;
}

/* The fastest relaxation on the way, 1/s: a Runge-Kutta step must be short beside it. */
static double fastest_rate(const scri_incline* incline, const double window[2], double most_speed)
{
    enum { PROBES = 200 };
    double fastest = 0.0;
    for (int i = 0; i <= PROBES; ++i) {
        for (int end = 0; end < 2; ++end) {
            double force, by_speed, v = most_speed * i / PROBES;
            if (!scri_incline_force(incline, window[end], v, &force, &by_speed, NULL)) continue;
            fastest = fmax(fastest, fabs(by_speed) / incline->inertia);
        }
    }
    return fastest;
}

static double middle_of_folds(const scree_foundation_def* def)
{
    scree_foundation_fold fold[SCREE_FOUNDATION_MOST];
    int32_t n;
    if (scree_foundation_folds(NULL, def, fold, &n) || n != 2) return SCREE_NAN;
    return 0.5 * (fold[0].speed + fold[1].speed);
}

/* Stationary speeds at both ends of the window: the lowest at the first, the highest at the last.
 */
static scree_status find_range(const scree_env* env, scree_foundation_def def,
                               const double window[2], double range[2])
{
    scree_foundation_rest rest[SCREE_FOUNDATION_MOST];
    for (int end = 0; end < 2; ++end) {
        int32_t n;
        def.slope = window[end];
        scree_status status = scree_foundation_stationary(env, &def, rest, &n);
        if (status) return status;
        if (n == 0) {
            return scri_fail(env, SCREE_ERROR_INPUT,
                             "foundation: at a slope of %g degrees nothing holds the cylinder "
                             "before it leaves the ground",
                             window[end] / SCREE_DEGREE);
        }
        range[end] = rest[end == 0 ? 0 : n - 1].speed;
    }
    return SCREE_OK;
}

scree_status scree_foundation_sweep(const scree_env* env, const scree_foundation_def* def,
                                    const double window[2], double duration, int32_t n,
                                    double* points, scree_foundation_loop* out)
{
    if (!def || !window || !points || !out) return SCREE_ERROR_ARGUMENT;
    const double most_steps = 1e9;
    double range[2] = {0.0, 0.0};
    *out = (scree_foundation_loop){SCREE_NAN, SCREE_NAN, SCREE_NAN};
    scree_status status = scree_foundation_validate(env, def);
    if (!status && !(window[0] < window[1])) {
        status = scri_fail(env, SCREE_ERROR_INPUT, "foundation: the slopes of a sweep must rise");
    }
    if (!status) status = find_range(env, *def, window, range);
    if (status) return status;
    sweep s = {.incline = scri_incline_of(def),
               .slope = window[0],
               .speed = range[0],
               .middle = middle_of_folds(def)};
    double steps = ceil(duration * 4.0 * fastest_rate(&s.incline, window, range[1]));
    if (n < 1 || !(duration > 0.0) || !(steps <= most_steps)) {
        return scri_fail(env, SCREE_ERROR_INPUT,
                         "foundation: a sweep of %g s needs %g steps for %d points; at most %g",
                         duration, steps, (int)n, most_steps);
    }
    int64_t stride = (int64_t)fmax(ceil(steps / n), 1.0);
    out->step = s.step = duration / ((double)stride * n);
    s.rate = (window[1] - window[0]) / duration;
    int good = roll(&s, stride, n, points, &out->jump_up);
    s.rate = -s.rate;
    good = good && roll(&s, stride, n, points + 2 * (size_t)n, &out->jump_down);
    if (good) return SCREE_OK;
    return scri_fail(env, SCREE_ERROR_INPUT,
                     "foundation: the cylinder left the ground at a slope of %g degrees",
                     s.slope / SCREE_DEGREE);
}
