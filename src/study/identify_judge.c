/* What is likely wrong with a measurement that can be evaluated all the same: forces in another
 * unit, and samples that lie far from their neighbours in direction.
 *
 * The neighbours have a median, of which a wrong sample cannot move much, and their deviations from
 * it have one too, the local scatter. Where friction changes fast with the direction the scatter
 * takes that up, so that a steep curve is no outlier. */
#include "base/env.h"
#include "study/identify.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Dry friction lies well within these, soft rubber and ice included; a factor of 1000 between two
 * units does not. */
static const double most_coefficient = 5.0, least_coefficient = 2e-3;

/* An outlier is as many standard deviations away, and as large a part of the force: the first alone
 * would find fault with forces without noise, the second with very noisy ones. Noise of a normal
 * distribution is never that far off. */
static const double far_off = 8.0, large_part = 0.25;

/* Of the normal distribution over its median absolute deviation. */
static const double deviation_of_mad = 1.4826;

/* Neighbours on either side: those within 3 degrees, where samples are evenly spread. With fewer
 * than two the median would be no wiser than the samples; more than 50 add nothing. */
enum { TURN_OVER_REACH = 120, FEWEST_NEIGHBOURS = 2, MOST_NEIGHBOURS = 50 };

/* Told one by one; the others are counted. */
enum { MOST_TOLD = 5 };

typedef struct placed {
    double angle; /* 0 to 2 pi */
    int64_t sample;
} placed;

/* What the channels share. */
typedef struct judge {
    const scree_env* env;
    const scree_measurement* measurement;
    int64_t n, half;                                /* samples, and neighbours on either side */
    placed* order;                                  /* [n] by direction */
    double *value, *middle, *slack, *off, *scatter; /* [n] in this order */
    double* sorted;                                 /* [n] */
    unsigned char* is_outlier;                      /* [n] by sample */
    int64_t n_outliers, last;
} judge;

static int by_angle(const void* left, const void* right)
{
    const placed *a = left, *b = right;
    if (a->angle != b->angle) return a->angle < b->angle ? -1 : 1;
    return (a->sample > b->sample) - (a->sample < b->sample);
}

static int by_value(const void* left, const void* right)
{
    double a = *(const double*)left, b = *(const double*)right;
    return (a > b) - (a < b);
}

static double median(judge* j, const double* values)
{
    memcpy(j->sorted, values, (size_t)j->n * sizeof *values);
    qsort(j->sorted, (size_t)j->n, sizeof *j->sorted, by_value);
    return 0.5 * (j->sorted[(j->n - 1) / 2] + j->sorted[j->n / 2]);
}

/* The first place of a sorted list whose number is not below x. */
static int64_t place_of(const double* list, int64_t n, double x)
{
    int64_t low = 0;
    while (low < n) {
        int64_t middle = low + (n - low) / 2;
        if (list[middle] < x) {
            low = middle + 1;
        } else {
            n = middle;
        }
    }
    return low;
}

/* Of each number and its neighbours on either side, around the turn. `slack`, if not NULL: by how
 * much the median may be wrong because one of the neighbours is. */
static void running_median(judge* j, const double* values, double* out, double* slack)
{
    int64_t n = j->n, half = j->half, width = 2 * half + 1;
    double* window = j->sorted;
    for (int64_t k = 0; k < width; ++k) window[k] = values[(n - half + k) % n];
    qsort(window, (size_t)width, sizeof *window, by_value);
    for (int64_t i = 0; i < n; ++i) {
        out[i] = window[half];
        if (slack) {
            slack[i] = fmax(window[half + 1] - window[half], window[half] - window[half - 1]);
        }
        double leaves = values[(n - half + i) % n], comes = values[(i + half + 1) % n];
        int64_t from = place_of(window, width, leaves);
        memmove(window + from, window + from + 1, (size_t)(width - 1 - from) * sizeof *window);
        int64_t to = place_of(window, width - 1, comes);
        memmove(window + to + 1, window + to, (size_t)(width - 1 - to) * sizeof *window);
        window[to] = comes;
    }
}

/* Outliers of one force, of which `usual` is the size. */
static void judge_channel(judge* j, const char* name, const double* force, double usual)
{
    for (int64_t i = 0; i < j->n; ++i) j->value[i] = force[j->order[i].sample];
    running_median(j, j->value, j->middle, j->slack);
    for (int64_t i = 0; i < j->n; ++i) j->off[i] = fabs(j->value[i] - j->middle[i]);
    running_median(j, j->off, j->scatter, NULL);
    double everywhere = median(j, j->off);
    for (int64_t i = 0; i < j->n; ++i) {
        double deviation = deviation_of_mad * fmax(j->scatter[i], everywhere);
        double off = j->off[i] - j->slack[i];
        if (!(off > far_off * deviation && off > large_part * usual)) continue;
        int64_t sample = j->order[i].sample;
        j->last = j->last > sample ? j->last : sample;
        if (!j->is_outlier[sample]) ++j->n_outliers;
        j->is_outlier[sample] = 1;
        if (j->n_outliers > MOST_TOLD) continue;
        scri_measurement_warn(j->env, j->measurement, sample,
                              "the %s force is %.4g N, where its neighbours in direction have "
                              "%.4g N with a scatter of %.2g; an outlier? It bends the sets; leave "
                              "the sample out if the sensor erred",
                              name, j->value[i], j->middle[i], deviation);
    }
}

/* The tangential force over the normal one: most samples out of bounds are no outliers. */
static void judge_units(judge* j, const scri_samples* s, double given)
{
    const int64_t* line = j->measurement->line;
    int64_t n_wrong = 0, first = 0, last = 0;
    for (int64_t i = 0; i < j->n; ++i) {
        j->value[i] = s->tangential[i] / (given > 0.0 ? given : s->normal[i]);
    }
    double usual = median(j, j->value);
    int is_large = usual > most_coefficient;
    if (!is_large && usual >= least_coefficient) return;
    for (int64_t i = 0; i < j->n; ++i) {
        if (is_large ? j->value[i] <= most_coefficient : j->value[i] >= least_coefficient) continue;
        if (n_wrong++ == 0) first = i;
        last = i;
    }
    scri_measurement_warn(
        j->env, j->measurement, first,
        "the tangential force is %.4g N and the normal force %.4g N, a coefficient of friction of "
        "%.3g, and so on in %" PRId64 " of %" PRId64 " samples up to %s %" PRId64
        "; dry friction lies within %g to %g: are f_tangential and f_radial in %s, or the normal "
        "force in %s?",
        s->tangential[first], given > 0.0 ? given : s->normal[first], j->value[first], n_wrong,
        j->n, line ? "line" : "sample", line ? line[last] : last, least_coefficient,
        most_coefficient, is_large ? "mN" : "kN", is_large ? "kN" : "mN");
}

static scree_status begin(judge* j, scri_arena* work, const scri_samples* s)
{
    size_t n = (size_t)s->n;
    j->n = s->n;
    j->order = scri_arena_take(work, n, sizeof *j->order);
    j->is_outlier = scri_arena_take(work, n, sizeof *j->is_outlier);
    double** lists[] = {&j->value, &j->middle, &j->slack, &j->off, &j->scatter, &j->sorted};
    for (size_t k = 0; k < sizeof lists / sizeof *lists; ++k) {
        *lists[k] = scri_arena_take(work, n, sizeof(double));
        if (!*lists[k]) return SCREE_ERROR_MEMORY;
    }
    if (!j->order || !j->is_outlier) return SCREE_ERROR_MEMORY;
    for (int64_t i = 0; i < j->n; ++i) {
        double angle = fmod(s->angle[i], 2.0 * SCREE_PI);
        j->order[i] = (placed){angle < 0.0 ? angle + 2.0 * SCREE_PI : angle, i};
    }
    qsort(j->order, n, sizeof *j->order, by_angle);
    j->half = j->n / TURN_OVER_REACH;
    if (j->half < FEWEST_NEIGHBOURS) j->half = FEWEST_NEIGHBOURS;
    if (j->half > MOST_NEIGHBOURS) j->half = MOST_NEIGHBOURS;
    return SCREE_OK;
}

scree_status scri_identify_judge(const scree_env* env, scri_arena* work,
                                 const scree_measurement* measurement, const scri_samples* samples,
                                 double normal_force, int64_t* n_outliers)
{
    judge j = {.env = env, .measurement = measurement};
    scree_status status = begin(&j, work, samples);
    if (status) return status;
    if (normal_force > 0.0 || samples->normal) judge_units(&j, samples, normal_force);
    double friction = median(&j, samples->tangential);
    judge_channel(&j, "tangential", samples->tangential, friction);
    judge_channel(&j, "radial", samples->radial, friction);
    if (samples->normal && !(normal_force > 0.0)) {
        judge_channel(&j, "normal", samples->normal, median(&j, samples->normal));
    }
    if (j.n_outliers > MOST_TOLD) {
        scri_measurement_warn(env, measurement, j.last,
                              "the last of %" PRId64 " outliers, of which the first are above",
                              j.n_outliers);
    }
    *n_outliers = j.n_outliers;
    return SCREE_OK;
}
