/* From the samples of a tribometer to the sets of a material: crosstalk, filter, curves, fits, and
 * the choice of a form. */
#include "study/identify.h"

#include "base/env.h"
#include "base/fill.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { N = SCRI_IDENTIFY_GRID, MOST_CUTOFF = N / 2, FEWEST = 36 };

/* A superellipse that misses the curve by more than this part of its radius, noise apart, does not
 * describe it. */
static const double poor_fit = 0.02;

/* The identification and what it points to. */
typedef struct store {
    scree_identification found;
    scri_arena* arena;
} store;

typedef struct job {
    const scree_env* env;
    const scree_measurement* measurement;
    const scree_identify_def* def;
    scri_arena *arena, *work; /* what stays, and what does not */
    scri_samples samples;
    double* normal; /* [N] N, filtered; 1 where it is not known */
    scree_identification* out;
} job;

void scree_identify_def_init(scree_identify_def* def)
{
    if (!def) return;
    scree_identify_def usual = {.struct_size = sizeof usual};
#define SCREE_X(type, name, value, meaning) usual.name = value;
    SCREE_IDENTIFY_FIELDS(SCREE_X)
#undef SCREE_X
    scri_fill(def, def->struct_size, &usual, sizeof usual);
}

const char* scree_fit_name(int form)
{
    static const char* const name[] = {[SCREE_FIT_ELLIPSE] = "ellipse",
                                       [SCREE_FIT_SUPERELLIPSE] = "superellipse",
                                       [SCREE_FIT_TABLE] = "table",
                                       [SCREE_FIT_AUTO] = "auto"};
    return form >= 0 && form <= SCREE_FIT_AUTO ? name[form] : NULL;
}

/* "FILE:LINE: ..." about sample i, as much of it as fits into a line of the log. */
static void SCRI_PRINTF(3, 0)
    describe(const scree_measurement* measurement, int64_t i, const char* format, va_list arguments,
             char out[SCRI_LOG_SIZE])
{
    const char* name = measurement->name ? measurement->name : "measurement";
    int64_t at = measurement->line ? measurement->line[i] : i;
    int length = snprintf(out, SCRI_LOG_SIZE, "%s:%s%" PRId64 ": ", name,
                          measurement->line ? "" : " sample ", at);
    if (length < 0 || length >= SCRI_LOG_SIZE) return;
    vsnprintf(out + length, SCRI_LOG_SIZE - (size_t)length, format, arguments);
}

scree_status scri_measurement_fail(const scree_env* env, const scree_measurement* measurement,
                                   int64_t i, const char* format, ...)
{
    char text[SCRI_LOG_SIZE];
    va_list arguments;
    va_start(arguments, format);
    describe(measurement, i, format, arguments, text);
    va_end(arguments);
    return scri_fail(env, SCREE_ERROR_INPUT, "%s", text);
}

void scri_measurement_warn(const scree_env* env, const scree_measurement* measurement, int64_t i,
                           const char* format, ...)
{
    char text[SCRI_LOG_SIZE];
    va_list arguments;
    va_start(arguments, format);
    describe(measurement, i, format, arguments, text);
    va_end(arguments);
    scri_warn(env, "%s", text);
}

/* ---- what is asked for ---- */

static scree_status check_def(const scree_env* env, const scree_identify_def* def)
{
    scree_status status =
        scri_check_size(env, def->struct_size, sizeof *def, "scree_default_identify_def");
    if (status) return status;
    if (!(isfinite(def->normal_force) && def->normal_force >= 0.0)) {
        return scri_fail(env, SCREE_ERROR_INPUT,
                         "identify: normal_force = %g must be finite and "
                         "not negative",
                         def->normal_force);
    }
    if (!(def->cutoff >= 1.0 && def->cutoff <= MOST_CUTOFF)) {
        return scri_fail(env, SCREE_ERROR_INPUT,
                         "identify: cutoff = %g cycles per turn is not within 1 to %d", def->cutoff,
                         MOST_CUTOFF);
    }
    if (!(def->most_gap > 0.0 && def->most_gap <= 90.0)) {
        return scri_fail(env, SCREE_ERROR_INPUT,
                         "identify: most_gap = %g degrees is not within 0 to 90", def->most_gap);
    }
    if (!scree_fit_name((int)def->form)) {
        return scri_fail(env, SCREE_ERROR_ARGUMENT, "identify: unknown form %d", (int)def->form);
    }
    for (int k = 0; def->crosstalk && k < 9; ++k) {
        if (!isfinite(def->crosstalk[k])) {
            return scri_fail(env, SCREE_ERROR_INPUT, "identify: crosstalk[%d] = %g is not finite",
                             k, def->crosstalk[k]);
        }
    }
    return SCREE_OK;
}

static scree_status check_measurement(const job* j)
{
    const scree_measurement* m = j->measurement;
    const double* t = j->def->crosstalk;
    if (m->n < FEWEST) {
        return scri_fail(j->env, SCREE_ERROR_INPUT,
                         "%s: %" PRId64 " samples, where at least %d are needed",
                         m->name ? m->name : "measurement", m->n, FEWEST);
    }
    if (t && !m->normal && (t[2] != 0.0 || t[5] != 0.0)) {
        return scri_fail(j->env, SCREE_ERROR_INPUT,
                         "%s: the crosstalk matrix needs the normal force, which was not measured",
                         m->name ? m->name : "measurement");
    }
    for (int64_t i = 0; i < m->n; ++i) {
        double sum = m->angle[i] + m->radial[i] + m->tangential[i];
        if (m->normal) sum += m->normal[i];
        if (!isfinite(sum)) return scri_measurement_fail(j->env, m, i, "a number is not finite");
        if (!(fabs(m->angle[i]) < 1e9)) {
            return scri_measurement_fail(j->env, m, i, "the angle %g rad is too large",
                                         m->angle[i]);
        }
    }
    return SCREE_OK;
}

/* ---- signals ---- */

/* lambda = T F. */
static void undo_crosstalk(const double* t, const double in[3], double out[3])
{
    static const double identity[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
    if (!t) t = identity;
    for (int k = 0; k < 3; ++k) {
        out[k] = t[3 * k] * in[0] + t[3 * k + 1] * in[1] + t[3 * k + 2] * in[2];
    }
}

static scree_status take_samples(job* j)
{
    const scree_measurement* m = j->measurement;
    scri_samples* s = &j->samples;
    size_t n = (size_t)m->n;
    s->n = m->n;
    s->angle = m->angle;
    s->radial = scri_arena_take(j->work, n, sizeof(double));
    s->tangential = scri_arena_take(j->work, n, sizeof(double));
    s->normal = m->normal ? scri_arena_take(j->work, n, sizeof(double)) : NULL;
    if (!s->radial || !s->tangential || (m->normal && !s->normal)) return SCREE_ERROR_MEMORY;
    for (int64_t i = 0; i < m->n; ++i) {
        double in[3] = {m->radial[i], m->tangential[i], m->normal ? m->normal[i] : 0.0}, out[3];
        undo_crosstalk(j->def->crosstalk, in, out);
        s->radial[i] = out[0];
        s->tangential[i] = out[1];
        if (s->normal) s->normal[i] = out[2];
        if (!(out[1] > 0.0)) {
            return scri_measurement_fail(j->env, m, i,
                                         "the tangential force is %g N; friction opposes the "
                                         "sliding, so that it must be positive",
                                         out[1]);
        }
        if (s->normal && !(out[2] > 0.0)) {
            return scri_measurement_fail(j->env, m, i,
                                         "the normal force is %g N and must be positive", out[2]);
        }
    }
    return SCREE_OK;
}

/* The normal force on the grid: given, measured, or 1 for want of any. */
static scree_status find_normal(job* j, const scri_resampling* resampling)
{
    double given = j->def->normal_force, sum = 0.0;
    if (!(given > 0.0) && j->samples.normal) {
        scri_resample(resampling, j->samples.normal, j->normal);
        scree_status status = scri_low_pass(j->work, j->def->cutoff, j->normal);
        if (status) return status;
    } else {
        for (int k = 0; k < N; ++k) j->normal[k] = given > 0.0 ? given : 1.0;
    }
    for (int k = 0; k < N; ++k) {
        sum += j->normal[k] / N;
        if (!(j->normal[k] > 0.0)) {
            return scri_fail(j->env, SCREE_ERROR_INPUT,
                             "the filtered normal force is %g N at %g "
                             "degrees and must be positive",
                             j->normal[k], 360.0 * k / N);
        }
    }
    j->out->normal_force = given > 0.0 || j->samples.normal ? sum : 0.0;
    return SCREE_OK;
}

static scree_status filter_channel(job* j, const scri_resampling* resampling, const double* values,
                                   const double** out)
{
    double* grid = scri_arena_take(j->arena, N, sizeof *grid);
    if (!grid) return SCREE_ERROR_MEMORY;
    scri_resample(resampling, values, grid);
    scree_status status = scri_low_pass(j->work, j->def->cutoff, grid);
    for (int k = 0; k < N; ++k) grid[k] /= j->normal[k];
    *out = grid;
    return status;
}

static scree_status filter_signals(job* j)
{
    scri_resampling* resampling;
    scree_status status = scri_resampling_create(j->env, j->work, j->measurement, j->def->most_gap,
                                                 &resampling, &j->out->turns);
    if (status) return status;
    /* Before anything is averaged: what fails then may have its cause here. */
    status = scri_identify_judge(j->env, j->work, j->measurement, &j->samples, j->def->normal_force,
                                 &j->out->n_outliers);
    if (status) return status;
    j->out->n = N;
    j->normal = scri_arena_take(j->work, N, sizeof *j->normal);
    if (!j->normal) return SCREE_ERROR_MEMORY;
    status = find_normal(j, resampling);
    if (!status) status = filter_channel(j, resampling, j->samples.radial, &j->out->radial);
    if (!status) status = filter_channel(j, resampling, j->samples.tangential, &j->out->tangential);
    for (int k = 0; k < N && !status; ++k) {
        if (j->out->tangential[k] > 0.0) continue;
        status = scri_fail(j->env, SCREE_ERROR_INPUT,
                           "the filtered tangential force is not "
                           "positive at %g degrees",
                           360.0 * k / N);
    }
    return status;
}

/* ---- fits ---- */

/* Eq. (119) for the samples, over the normal force, and how much they scatter. */
static scree_status find_points(job* j, scri_fit_data* out)
{
    const scri_samples* s = &j->samples;
    double* point = scri_arena_take(j->work, 2 * (size_t)s->n, sizeof *point);
    if (!point) return SCREE_ERROR_MEMORY;
    double sum = 0.0;
    for (int64_t i = 0; i < s->n; ++i) {
        double normal = scri_grid_at(j->normal, s->angle[i]);
        double t = s->tangential[i] / normal, r = s->radial[i] / normal;
        double c = cos(s->angle[i]), sn = sin(s->angle[i]);
        point[2 * i] = c * t - sn * r;
        point[2 * i + 1] = sn * t + c * r;
        t -= scri_grid_at(j->out->tangential, s->angle[i]);
        r -= scri_grid_at(j->out->radial, s->angle[i]);
        sum += t * t + r * r;
    }
    j->out->noise = sqrt(0.5 * sum / (double)s->n);
    *out = (scri_fit_data){
        .n = s->n, .point = point, .angle = s->angle, .fit_angle = j->def->fit_angle != 0};
    return SCREE_OK;
}

static scree_set_def set_of(const scree_fitted* f, scree_fit_form form)
{
    scree_set_kind kind = form == SCREE_FIT_ELLIPSE ? SCREE_SET_ELLIPSE : SCREE_SET_SUPERELLIPSE;
    return (scree_set_def){.kind = kind,
                           .a = f->a.value,
                           .b = f->b.value,
                           .s = form == SCREE_FIT_ELLIPSE ? 0.0 : f->s.value,
                           .angle = f->angle.value};
}

/* The largest scale at which one set lies in the other. */
static scree_status find_scale(const scree_env* env, const scree_set_def* inner,
                               const scree_set_def* outer, double* scale)
{
    scree_set *c = NULL, *d = NULL;
    scree_status status = scree_set_create(env, outer, &c);
    if (!status) status = scree_set_create(env, inner, &d);
    if (!status) *scale = scree_set_fit(d, c);
    scree_set_destroy(c);
    scree_set_destroy(d);
    return status;
}

static scree_status fit_form(job* j, scri_fit_data* data, scree_fit_form form)
{
    scree_fitted *c = &j->out->sliding[form], *d = &j->out->directing[form];
    data->curve = j->out->force;
    scree_status status = scri_fit_sliding(j->work, data, form, c);
    if (status) return status;
    data->curve = j->out->direction;
    scri_fit_direction(data, form, d);
    scree_set_def inner = set_of(d, form), outer = set_of(c, form);
    double scale = 1.0;
    status = find_scale(j->env, &inner, &outer, &scale);
    d->a = (scree_estimate){scale, 0.0, scale, scale};
    d->b = (scree_estimate){scale * d->b.value, scale * d->b.error, scale * d->b.low,
                            scale * d->b.high};
    return status;
}

/* ---- the material's sets ---- */

static double mean_radius(const double* point)
{
    double sum = 0.0;
    for (int k = 0; k < N; ++k) sum += hypot(point[2 * k], point[2 * k + 1]) / N;
    return sum;
}

/* The superellipse, unless it misses the curve by much more than the noise. */
static scree_fit_form choose(const job* j, const scree_fitted* superellipse)
{
    if (j->def->form != SCREE_FIT_AUTO) return j->def->form;
    double noise = j->out->noise, rms = superellipse->rms;
    double missed = sqrt(fmax(0.0, rms * rms - noise * noise));
    bool good = superellipse->converged && missed <= poor_fit * mean_radius(j->out->force);
    return good ? SCREE_FIT_SUPERELLIPSE : SCREE_FIT_TABLE;
}

static scree_status make_table(const job* j, const double* points, scree_set_def* out)
{
    double* table = scri_arena_take(j->arena, 2 * SCRI_IDENTIFY_TABLE, sizeof *table);
    if (!table) return SCREE_ERROR_MEMORY;
    *out = (scree_set_def){.kind = SCREE_SET_POLAR, .points = table};
    return scri_identify_table(j->work, points, table, &out->n);
}

/* A table of D is only of use where the curve through it is convex. */
static scree_status make_direction_table(const job* j, scree_set_def* out)
{
    scree_set* set = NULL;
    scree_status status = make_table(j, j->out->direction, out);
    if (!status) status = scree_set_create(j->env, out, &set);
    if (!status && !scree_set_is_convex(set)) {
        double* polygon = scri_arena_take(j->arena, 2 * SCRI_IDENTIFY_TABLE, sizeof *polygon);
        if (!polygon) status = SCREE_ERROR_MEMORY;
        *out = (scree_set_def){.kind = SCREE_SET_POLYGON, .points = polygon};
        if (polygon) out->n = scri_identify_polygon(j->out->direction, polygon);
    }
    scree_set_destroy(set);
    return status;
}

static scree_status choose_sets(job* j)
{
    scree_identification* f = j->out;
    scree_status status = SCREE_OK;
    f->sliding_form = choose(j, &f->sliding[SCREE_FIT_SUPERELLIPSE]);
    f->direction_form = choose(j, &f->directing[SCREE_FIT_SUPERELLIPSE]);
    if (f->sliding_form == SCREE_FIT_TABLE) {
        status = make_table(j, f->force, &f->sliding_set);
    } else {
        f->sliding_set = set_of(&f->sliding[f->sliding_form], f->sliding_form);
    }
    if (status) return status;
    if (f->direction_form == SCREE_FIT_TABLE) {
        status = make_direction_table(j, &f->direction_set);
    } else {
        f->direction_set = set_of(&f->directing[f->direction_form], f->direction_form);
    }
    double scale;
    if (!status) status = find_scale(j->env, &f->direction_set, &f->sliding_set, &scale);
    if (!status) f->direction_set.scale = scale;
    return status;
}

static scree_status identify(job* j)
{
    scri_fit_data data;
    scree_status status = check_measurement(j);
    if (!status) status = take_samples(j);
    if (!status) status = filter_signals(j);
    if (!status) status = scri_identify_curves(j->env, j->arena, j->out);
    if (!status) status = find_points(j, &data);
    if (!status) status = fit_form(j, &data, SCREE_FIT_ELLIPSE);
    if (!status) status = fit_form(j, &data, SCREE_FIT_SUPERELLIPSE);
    return status ? status : choose_sets(j);
}

scree_status scree_identify(const scree_env* env, const scree_measurement* measurement,
                            const scree_identify_def* def, scree_identification** out)
{
    if (!measurement || !def || !out) return SCREE_ERROR_ARGUMENT;
    *out = NULL;
    scree_status status = check_def(env, def);
    if (status) return status;
    job j = {.env = env,
             .measurement = measurement,
             .def = def,
             .arena = scri_arena_create(env),
             .work = scri_arena_create(env)};
    store* s = j.arena ? scri_arena_take(j.arena, 1, sizeof *s) : NULL;
    if (s && j.work) {
        s->arena = j.arena;
        j.out = &s->found;
        status = identify(&j);
    } else {
        status = SCREE_ERROR_MEMORY;
    }
    scri_arena_destroy(j.work);
    if (status) {
        scri_arena_destroy(j.arena);
    } else {
        *out = &s->found;
    }
    return status;
}

void scree_identification_destroy(scree_identification* identification)
{
    /* It is the first member of its store. */
    if (identification) scri_arena_destroy(((store*)(void*)identification)->arena);
}
