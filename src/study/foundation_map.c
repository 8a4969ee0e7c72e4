/* Where a cylinder has two stable speeds: the folds over a parameter, and the cusps at which they
 * meet.
 *
 * Along the curve alpha(v) of all stationary speeds dF/dv is negative where they are stable. There
 * are folds where its largest value over the speed is positive, and a cusp where that is 0: at a
 * maximum its own derivative vanishes, so that both conditions of a cusp hold at once.
 */
#include "base/env.h"
#include "study/foundation.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

typedef struct parameter {
    const char* symbol;
    size_t offset;
    double si;
} parameter;

#define SCREE_X(symbol, name, value, si, unit, meaning) \
    {#symbol, offsetof(scree_foundation_def, name), si},
static const parameter parameters[] = {SCREE_FOUNDATION_FIELDS(SCREE_X)};
#undef SCREE_X

scree_status scree_foundation_set(const scree_env* env, scree_foundation_def* def,
                                  const char* symbol, double value)
{
    if (!def || !symbol) return SCREE_ERROR_ARGUMENT;
    for (size_t i = 0; i < sizeof parameters / sizeof *parameters; ++i) {
        if (strcmp(parameters[i].symbol, symbol) != 0) continue;
        double si = value * parameters[i].si;
        memcpy((char*)def + parameters[i].offset, &si, sizeof si);
        return SCREE_OK;
    }
    return scri_fail(env, SCREE_ERROR_INPUT, "foundation: there is no parameter '%s'", symbol);
}

/* The slope and the noise play no part in the folds. */
static scree_status check_symbol(const scree_env* env, const scree_foundation_def* def,
                                 const char* symbol)
{
    scree_foundation_def copy = *def;
    scree_status status = scree_foundation_validate(env, def);
    if (!status) status = scree_foundation_set(env, &copy, symbol, 1.0);
    if (status || (strcmp(symbol, "alpha") != 0 && strcmp(symbol, "sigma2") != 0)) return status;
    return scri_fail(env, SCREE_ERROR_INPUT, "foundation: the folds do not depend on '%s'", symbol);
}

/* Whether the model covers the value. */
static int take_value(scree_foundation_def* def, const char* symbol, double value)
{
    return !scree_foundation_set(NULL, def, symbol, value) && !scree_foundation_validate(NULL, def);
}

scree_status scree_foundation_map(const scree_env* env, const scree_foundation_def* def,
                                  const char* symbol, int32_t n, const double* value, double* low,
                                  double* high)
{
    if (!def || !symbol || !value || !low || !high) return SCREE_ERROR_ARGUMENT;
    scree_status status = check_symbol(env, def, symbol);
    for (int32_t i = 0; i < n && !status; ++i) {
        scree_foundation_def at = *def;
        scree_foundation_fold fold[SCREE_FOUNDATION_MOST];
        int32_t n_folds;
        low[i] = high[i] = SCREE_NAN;
        if (!take_value(&at, symbol, value[i])) continue;
        status = scree_foundation_folds(env, &at, fold, &n_folds);
        if (status || n_folds < 2) continue;
        low[i] = fold[0].slope;
        high[i] = fold[n_folds - 1].slope;
    }
    return status;
}

/* ---- cusps ---- */

static double steepness(const scri_incline* incline, double speed)
{
    double slope, by_speed;
    return scri_incline_slope(incline, speed, &slope, &by_speed) ? by_speed : SCREE_NAN;
}

/* The maximum of dF/dv between two speeds, by golden section. */
static double refine_peak(const scri_incline* incline, double a, double b, double* speed)
{
    const double share = 0.6180339887498949;
    double x = b - share * (b - a), y = a + share * (b - a);
    double fx = steepness(incline, x), fy = steepness(incline, y);
    while (b - a > 1e-9 * b) {
        if (fx > fy) {
            b = y, y = x, fy = fx;
            fx = steepness(incline, x = b - share * (b - a));
        } else {
            a = x, x = y, fx = fy;
            fy = steepness(incline, y = a + share * (b - a));
        }
    }
    *speed = 0.5 * (a + b);
    return steepness(incline, *speed);
}

/* The largest maximum of dF/dv along the curve; NaN where it has none but at its ends. */
static double find_peak(const scri_incline* incline, double* speed)
{
    enum { STEPS = 300 };
    double range[2], best = SCREE_NAN, last[2] = {SCREE_NAN, SCREE_NAN};
    scri_incline_range(incline, range);
    double ratio = pow(range[1] / range[0], 1.0 / STEPS), v = range[0];
    for (int i = 0; i < STEPS; ++i) {
        double here = steepness(incline, v), at;
        if (last[1] >= last[0] && last[1] >= here) {
            double peak = refine_peak(incline, v / (ratio * ratio), v, &at);
            if (!(peak <= best)) best = peak, *speed = at;
        }
        last[0] = last[1];
        last[1] = here;
        v *= ratio;
    }
    return best;
}

typedef struct along {
    const scree_foundation_def* def;
    const char* symbol;
} along;

/* Over the logarithm of the parameter. */
static double peak_at(const void* context, double logarithm)
{
    const along* c = context;
    scree_foundation_def def = *c->def;
    double speed;
    if (!take_value(&def, c->symbol, exp(logarithm))) return SCREE_NAN;
    scri_incline incline = scri_incline_of(&def);
    return find_peak(&incline, &speed);
}

static scree_foundation_cusp cusp_at(const along* c, double logarithm)
{
    scree_foundation_def def = *c->def;
    scree_foundation_cusp cusp = {.value = exp(logarithm), .slope = SCREE_NAN, .speed = SCREE_NAN};
    double by_speed;
    if (!take_value(&def, c->symbol, cusp.value)) return cusp;
    scri_incline incline = scri_incline_of(&def);
    find_peak(&incline, &cusp.speed);
    if (!scri_incline_slope(&incline, cusp.speed, &cusp.slope, &by_speed)) cusp.slope = SCREE_NAN;
    return cusp;
}

scree_status scree_foundation_cusps(const scree_env* env, const scree_foundation_def* def,
                                    const char* symbol, const double range[2],
                                    scree_foundation_cusp out[SCREE_FOUNDATION_MOST], int32_t* n)
{
    if (!def || !symbol || !range || !out || !n) return SCREE_ERROR_ARGUMENT;
    enum { PROBES = 48 };
    along c = {def, symbol};
    *n = 0;
    scree_status status = check_symbol(env, def, symbol);
    if (status) return status;
    if (!(range[0] > 0.0 && range[0] < range[1] && range[1] < SCREE_INFINITY)) {
        return scri_fail(env, SCREE_ERROR_INPUT,
                         "foundation: '%s' from %g to %g: it must rise, from above 0", symbol,
                         range[0], range[1]);
    }
    double from = log(range[0]), width = (log(range[1]) - from) / PROBES, last = SCREE_NAN;
    for (int i = 0; i <= PROBES && *n < SCREE_FOUNDATION_MOST; ++i) {
        double x = from + width * i, here = peak_at(&c, x);
        if (last * here < 0.0) {
            out[(*n)++] = cusp_at(&c, scri_find_root(peak_at, &c, x - width, x));
        }
        last = here;
    }
    return SCREE_OK;
}
