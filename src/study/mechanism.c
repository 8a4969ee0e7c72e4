/* The table of mechanisms, and what eigenvalues say about them. */
#include "study/mechanism.h"

#include "base/env.h"

#include <math.h>
#include <string.h>

/* Growth below this many times the mode's frequency is rounding. */
#define ROUNDING 1e-11

static const scri_mechanism* const table[] = {
    &scri_mechanism_stribeck,          &scri_mechanism_mode_coupling, &scri_mechanism_sprag_slip,
    &scri_mechanism_impact_oscillator, &scri_mechanism_follower,
};

int scree_mechanism_count(void)
{
    return (int)(sizeof table / sizeof table[0]);
}

const scri_mechanism* scri_mechanism_get(int index)
{
    return index >= 0 && index < scree_mechanism_count() ? table[index] : NULL;
}

scree_mechanism_info scree_mechanism_get(int index)
{
    const scri_mechanism* mechanism = scri_mechanism_get(index);
    return mechanism ? mechanism->info : (scree_mechanism_info){.name = NULL};
}

scree_status scri_mechanism_check(const scree_env* env, int index, const double* value)
{
    const scri_mechanism* mechanism = scri_mechanism_get(index);
    if (!mechanism || !value) return scri_fail(env, SCREE_ERROR_ARGUMENT, "no such mechanism");
    for (int32_t i = 0; i < mechanism->info.n_parameters; ++i) {
        const scree_mechanism_parameter* p = &mechanism->info.parameter[i];
        if (isfinite(value[i]) && (value[i] > 0.0 || (p->may_be_zero && value[i] == 0.0))) continue;
        return scri_fail(env, SCREE_ERROR_INPUT, "%s = %g must be finite and %s", p->name, value[i],
                         p->may_be_zero ? "not negative" : "positive");
    }
    return SCREE_OK;
}

scree_status scree_mechanism_mode(const scree_env* env, int index, const double* value,
                                  scree_mode* out)
{
    enum { MOST = SCREE_MECHANISM_COORDINATES };
    if (!out) return SCREE_ERROR_ARGUMENT;
    double m[MOST * MOST] = {0.0}, b[MOST * MOST] = {0.0}, k[MOST * MOST] = {0.0};
    scree_mode modes[2 * MOST];
    scree_status status = scri_mechanism_check(env, index, value);
    if (status) return status;
    const scri_mechanism* mechanism = scri_mechanism_get(index);
    mechanism->linearise(value, m, b, k);
    scree_linear linear = {mechanism->n_linear, m, b, k};
    status = scree_linear_modes(env, &linear, modes);
    if (!status) *out = modes[0];
    return status;
}

static scree_status is_unstable(const scree_env* env, int index, double* value, double at,
                                int* unstable)
{
    scree_mode mode;
    value[scri_mechanism_get(index)->info.varied] = at;
    scree_status status = scree_mechanism_mode(env, index, value, &mode);
    *unstable = !status && mode.growth > ROUNDING * mode.frequency;
    return status;
}

static scree_status bisect(const scree_env* env, int index, double* value, double limits[2],
                           int low_is_unstable)
{
    const scree_mechanism_info* info = &scri_mechanism_get(index)->info;
    while (limits[1] - limits[0] > 1e-10 * (info->most - info->least)) {
        double middle = 0.5 * (limits[0] + limits[1]);
        int unstable;
        scree_status status = is_unstable(env, index, value, middle, &unstable);
        if (status) return status;
        limits[unstable == low_is_unstable ? 0 : 1] = middle;
    }
    return SCREE_OK;
}

scree_status scree_mechanism_onset(const scree_env* env, int index, const double* value,
                                   double* onset)
{
    enum { LOOKS = 400 };
    if (!onset) return SCREE_ERROR_ARGUMENT;
    *onset = SCREE_NAN;
    double own[SCREE_MECHANISM_PARAMETERS];
    scree_status status = scri_mechanism_check(env, index, value);
    if (status) return status;
    const scree_mechanism_info* info = &scri_mechanism_get(index)->info;
    memcpy(own, value, (size_t)info->n_parameters * sizeof *own);
    double width = (info->most - info->least) / LOOKS;
    int before = 0, unstable;
    for (int i = 0; i <= LOOKS; ++i, before = unstable) {
        double at = info->least + width * i, limits[2] = {at - width, at};
        status = is_unstable(env, index, own, at, &unstable);
        if (status || i == 0 || unstable == before) {
            if (status) return status;
            continue;
        }
        status = bisect(env, index, own, limits, before);
        *onset = 0.5 * (limits[0] + limits[1]);
        return status;
    }
    return SCREE_OK;
}
