/* The contacts of a heap: how many a sphere has, and what they carry. */
#include "base/compiler.h"
#include "study/repose.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Width of a bin of the density, in mean forces. */
#define BIN 0.25

static const double quantiles[5] = {0.05, 0.25, 0.5, 0.75, 0.95};

/* Sphere of the heap at one side of a contact, -1 for anything else. */
static int32_t side(const scree_heap* asked, const scri_heap* heap, int32_t contact, int which)
{
    int32_t i = asked->pair[2 * (size_t)contact + (size_t)which];
    return i < 0 ? -1 : heap->index[i];
}

static int is_lost(const scree_heap* asked, const scri_heap* heap, int32_t contact)
{
    for (int which = 0; which < 2; ++which) {
        int32_t i = asked->pair[2 * (size_t)contact + (size_t)which];
        if (i >= 0 && heap->index[i] < 0) return 1;
    }
    return 0;
}

/* Marks what contacts tell and counts those of every sphere that carry; their forces go to force[],
 * their number is returned. */
static int32_t collect(const scree_heap* asked, const scri_heap* heap, int32_t* count, float* force)
{
    int32_t n = 0;
    for (int32_t c = 0; c < asked->n_contacts; ++c) {
        int32_t a = side(asked, heap, c, 0), b = side(asked, heap, c, 1);
        if (is_lost(asked, heap, c) || (a < 0 && b < 0)) continue;
        if (a >= 0) heap->held[a] = 1;
        if (b >= 0) heap->held[b] = 1;
        if (a < 0) heap->floored[b] = 1;
        if (b < 0) heap->floored[a] = 1;
        if (asked->normal_force && !(asked->normal_force[c] > 0.0F)) continue;
        if (a >= 0) ++count[a];
        if (b >= 0) ++count[b];
        if (asked->normal_force) force[n++] = asked->normal_force[c];
    }
    return n;
}

/* Where the law is relaxed, contacts that slide carry at a distance. */
static void measure_gaps(const scree_heap* asked, const scri_heap* heap, scree_repose* out)
{
    double sum = 0.0;
    int32_t n = 0;
    for (int32_t c = 0; asked->gap && c < asked->n_contacts; ++c) {
        int carries = !asked->normal_force || asked->normal_force[c] > 0.0F;
        int inside = side(asked, heap, c, 0) >= 0 || side(asked, heap, c, 1) >= 0;
        if (!carries || !inside || is_lost(asked, heap, c)) continue;
        sum += (double)asked->gap[c];
        ++n;
    }
    if (n > 0) out->gap_mean = sum / n;
}

static void measure_counts(const scri_heap* heap, const int32_t* count, scree_repose* out)
{
    double sum = 0.0;
    out->n_rattlers = 0;
    for (int32_t i = 0; i < heap->n; ++i) {
        out->n_rattlers += count[i] == 0;
        sum += count[i];
    }
    if (sum > 0.0) out->coordination = sum / (heap->n - out->n_rattlers);
}

static int compare(const void* a, const void* b)
{
    float x = *(const float*)a, y = *(const float*)b;
    return (x > y) - (x < y);
}

/* Of sorted values, linear between them. */
static double quantile(const float* value, int32_t n, double part)
{
    double place = part * (n - 1);
    int32_t k = (int32_t)place, next = k + 1 < n ? k + 1 : k;
    double low = (double)value[k];
    return low + (place - k) * ((double)value[next] - low);
}

static void measure_forces(float* force, int32_t n, scree_repose* out)
{
    double sum = 0.0;
    if (n == 0) return;
    qsort(force, (size_t)n, sizeof *force, compare);
    for (int32_t c = 0; c < n; ++c) sum += (double)force[c];
    out->force_mean = sum / n;
    for (int k = 0; k < 5; ++k) {
        out->force_quantile[k] = quantile(force, n, quantiles[k]) / out->force_mean;
    }
    for (int k = 0; k < SCREE_REPOSE_BINS; ++k) out->force_density[k] = 0.0;
    for (int32_t c = 0; c < n; ++c) {
        double bin = (double)force[c] / out->force_mean / BIN;
        if (bin < SCREE_REPOSE_BINS) out->force_density[(int)bin] += 1.0 / (n * BIN);
    }
}

scree_status scri_repose_contacts(scri_arena* arena, const scree_heap* asked, scri_heap* heap,
                                  scree_repose* out)
{
    size_t n_marks = (size_t)heap->n;
    heap->held = scri_arena_take(arena, n_marks, sizeof *heap->held);
    heap->floored = scri_arena_take(arena, n_marks, sizeof *heap->floored);
    if (!heap->held || !heap->floored) return SCREE_ERROR_MEMORY;
    if (!asked->pair) {
        memset(heap->held, 1, n_marks);
        memset(heap->floored, 1, n_marks);
        return SCREE_OK;
    }
    int32_t* count = scri_arena_take(arena, (size_t)heap->n, sizeof *count);
    float* force = scri_arena_take(arena, (size_t)asked->n_contacts, sizeof *force);
    if (!count || !force) return SCREE_ERROR_MEMORY;
    int32_t n = collect(asked, heap, count, force);
    measure_counts(heap, count, out);
    measure_forces(force, n, out);
    measure_gaps(asked, heap, out);
    return SCREE_OK;
}
