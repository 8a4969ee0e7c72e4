/* Samples of several turns averaged on a uniform grid of angles, and a low-pass filter on it.
 *
 * Each grid angle takes the value of the straight line between the two samples around it, in every
 * turn, and the mean over the turns. The filter is that of Butterworth, run forwards and backwards:
 * harmonic k of the turn keeps 1 / (1 + (k / cutoff)^(2 order)) of its amplitude and all of its
 * phase. The grid is periodic, so that this is a product in the space of harmonics and has no
 * transient. */
#include "base/compiler.h"
#include "base/env.h"
#include "study/identify.h"

#include <math.h>
#include <string.h>

enum { N = SCRI_IDENTIFY_GRID };

struct scri_resampling {
    int64_t n;       /* samples */
    double* place;   /* [n] angle in grid steps, without jumps from turn to turn */
    double count[N]; /* how often the samples came past each grid angle */
};

/* Numbers of the grid angles from sample i on, up to but not at the next one; none where the plate
 * stood still. */
static void passed(const scri_resampling* r, int64_t i, int64_t* first, int64_t* last)
{
    double from = r->place[i], to = r->place[i + 1];
    *first = (int64_t)ceil(fmin(from, to));
    *last = (int64_t)ceil(fmax(from, to)) - 1;
}

static int on_grid(int64_t number)
{
    int64_t k = number % N;
    return (int)(k < 0 ? k + N : k);
}

static scree_status unwrap(const scree_env* env, const scree_measurement* m, double most_gap,
                           scri_resampling* r)
{
    r->place[0] = m->angle[0] * (N / (2.0 * SCREE_PI));
    for (int64_t i = 1; i < m->n; ++i) {
        double step = remainder(m->angle[i] - m->angle[i - 1], 2.0 * SCREE_PI);
        if (!(fabs(step) <= most_gap * SCREE_DEGREE)) {
            return scri_measurement_fail(
                env, m, i,
                "the angle jumps from %g to %g degrees; at most %g may be missing (--gap)",
                m->angle[i - 1] / SCREE_DEGREE, m->angle[i] / SCREE_DEGREE, most_gap);
        }
        r->place[i] = r->place[i - 1] + step * (N / (2.0 * SCREE_PI));
    }
    return SCREE_OK;
}

/* The next grid angle after `from` (which may go beyond the last) that has samples. */
static int next_filled(const double* count, int from)
{
    int k = from + 1;
    while (k < from + N && !(count[on_grid(k)] > 0.0)) ++k;
    return k;
}

/* Where the samples around the hole between two grid angles end and begin again, degrees. */
static void ends_of_hole(const scri_resampling* r, int from, int to, double* begin, double* end)
{
    const double rounding = 1e-6; /* of sums over all samples */
    double width = to - from, first = 0.0, last = width;
    for (int64_t i = 0; i < r->n; ++i) {
        double in = fmod(r->place[i] - from, N);
        if (in < 0.0) in += N;
        if (in <= 1.0 + rounding) first = fmax(first, in);
        if (in >= width - 1.0 - rounding && in <= width) last = fmin(last, in);
    }
    *begin = 360.0 / N * fmod(from + first, N);
    *end = 360.0 / N * fmod(from + last, N);
    if (*end < rounding) *end = 360.0;
}

static scree_status check_holes(const scree_env* env, const scree_measurement* m, double most_gap,
                                const scri_resampling* r)
{
    for (int k = 0; k < N; ++k) {
        if (!(r->count[k] > 0.0)) continue;
        int next = next_filled(r->count, k);
        double gap = 360.0 / N * (next - k);
        if (gap <= most_gap + 360.0 / N) continue; /* samples lie up to a grid step further in */
        double begin, end;
        ends_of_hole(r, k, next, &begin, &end);
        return scri_fail(env, SCREE_ERROR_INPUT,
                         "%s: no sample has an angle between %g and %g degrees; a whole turn is "
                         "needed, of which at most %g degrees may be missing (--gap)",
                         m->name ? m->name : "measurement", begin, end, most_gap);
    }
    return SCREE_OK;
}

scree_status scri_resampling_create(const scree_env* env, scri_arena* arena,
                                    const scree_measurement* measurement, double most_gap,
                                    scri_resampling** out, double* turns)
{
    scri_resampling* r = *out = scri_arena_take(arena, 1, sizeof *r);
    if (!r) return SCREE_ERROR_MEMORY;
    r->n = measurement->n;
    r->place = scri_arena_take(arena, (size_t)r->n, sizeof *r->place);
    if (!r->place) return SCREE_ERROR_MEMORY;
    scree_status status = unwrap(env, measurement, most_gap, r);
    if (status) return status;
    double total = 0.0, low = r->place[0], high = low;
    for (int64_t i = 0; i + 1 < r->n; ++i) {
        int64_t first, last;
        passed(r, i, &first, &last);
        for (int64_t k = first; k <= last; ++k) {
            ++r->count[on_grid(k)];
            total += 1.0;
        }
        low = fmin(low, r->place[i + 1]);
        high = fmax(high, r->place[i + 1]);
    }
    *turns = (high - low) / N;
    if (!(total > 0.0)) {
        return scri_fail(env, SCREE_ERROR_INPUT, "%s: the angle does not change",
                         measurement->name ? measurement->name : "measurement");
    }
    return check_holes(env, measurement, most_gap, r);
}

/* Straight lines over grid angles without samples. */
static void bridge(const double* count, double* grid)
{
    for (int k = 0; k < N; ++k) {
        if (!(count[k] > 0.0)) continue;
        int next = next_filled(count, k);
        double from = grid[k], to = grid[on_grid(next)];
        for (int j = k + 1; j < next; ++j) {
            grid[on_grid(j)] = from + (to - from) * (j - k) / (next - k);
        }
    }
}

void scri_resample(const scri_resampling* r, const double* values, double* grid)
{
    memset(grid, 0, N * sizeof *grid);
    for (int64_t i = 0; i + 1 < r->n; ++i) {
        int64_t first, last;
        passed(r, i, &first, &last);
        for (int64_t k = first; k <= last; ++k) {
            double t = ((double)k - r->place[i]) / (r->place[i + 1] - r->place[i]);
            int j = on_grid(k);
            grid[j] += (values[i] + t * (values[i + 1] - values[i])) / r->count[j];
        }
    }
    bridge(r->count, grid);
}

scree_status scri_low_pass(scri_arena* arena, double cutoff, double* grid)
{
    double* cosine = scri_arena_take(arena, N, sizeof *cosine);
    double* filtered = scri_arena_take(arena, N, sizeof *filtered);
    if (!cosine || !filtered) return SCREE_ERROR_MEMORY;
    for (int j = 0; j < N; ++j) cosine[j] = cos(2.0 * SCREE_PI * j / N);
    for (int k = 0; k <= N / 2; ++k) {
        double c = 0.0, s = 0.0; /* a sine is a cosine a quarter of the grid later */
        for (int j = 0; j < N; ++j) {
            c += grid[j] * cosine[j * k % N];
            s += grid[j] * cosine[(j * k + 3 * N / 4) % N];
        }
        double both = k == 0 || k == N / 2 ? 1.0 : 2.0;
        double gain = both / N / (1.0 + pow(k / cutoff, 2 * SCRI_IDENTIFY_ORDER));
        for (int j = 0; j < N; ++j) {
            filtered[j] += gain * (c * cosine[j * k % N] + s * cosine[(j * k + 3 * N / 4) % N]);
        }
    }
    memcpy(grid, filtered, N * sizeof *grid);
    return SCREE_OK;
}

double scri_grid_at(const double* grid, double angle)
{
    double place = angle * (N / (2.0 * SCREE_PI)), below = floor(place);
    int k = on_grid((int64_t)below), next = k + 1 == N ? 0 : k + 1;
    return grid[k] + (place - below) * (grid[next] - grid[k]);
}
