/* The shape of a heap of spheres: what is asked, what takes part, height and base. */
#include "study/repose.h"

#include "base/env.h"

#include <math.h>

/* A sphere on the floor has its centre at most this many radii above it. */
#define NEAR_FLOOR 1.05

static scree_status check_contacts(const scree_env* env, const scree_heap* heap)
{
    if (heap->n_contacts < 0 || (heap->n_contacts > 0 && !heap->pair)) {
        return scri_fail(env, SCREE_ERROR_ARGUMENT, "%d contacts without pairs",
                         (int)heap->n_contacts);
    }
    for (int32_t c = 0; c < heap->n_contacts; ++c) {
        int32_t a = heap->pair[2 * (size_t)c], b = heap->pair[2 * (size_t)c + 1];
        if (a < -1 || b < -1 || a >= heap->n || b >= heap->n || (a == b && a >= 0)) {
            return scri_fail(env, SCREE_ERROR_INPUT, "contact %d: spheres %d and %d of %d", (int)c,
                             (int)a, (int)b, (int)heap->n);
        }
        if (heap->normal_force && !isfinite(heap->normal_force[c])) {
            return scri_fail(env, SCREE_ERROR_INPUT, "contact %d: the force is not finite", (int)c);
        }
        if (heap->gap && !isfinite(heap->gap[c])) {
            return scri_fail(env, SCREE_ERROR_INPUT, "contact %d: the gap is not finite", (int)c);
        }
    }
    return SCREE_OK;
}

static scree_status check(const scree_env* env, const scree_heap* heap)
{
    if (heap->n < 0 || (heap->n > 0 && (!heap->position || !heap->radius))) {
        return scri_fail(env, SCREE_ERROR_ARGUMENT, "%d spheres without positions and radii",
                         (int)heap->n);
    }
    if (!isfinite(heap->floor)) {
        return scri_fail(env, SCREE_ERROR_INPUT, "the height of the floor is not finite");
    }
    for (int32_t i = 0; i < heap->n; ++i) {
        const double* x = heap->position + 3 * (size_t)i;
        if (!(heap->radius[i] > 0.0) || !isfinite(heap->radius[i]) || !isfinite(x[0]) ||
            !isfinite(x[1]) || !isfinite(x[2])) {
            return scri_fail(env, SCREE_ERROR_INPUT,
                             "sphere %d: position and radius must be finite, the radius positive",
                             (int)i);
        }
    }
    return check_contacts(env, heap);
}

static void set_unknown(scree_repose* out)
{
    *out = (scree_repose){
        .height = SCREE_NAN,
        .mean_radius = SCREE_NAN,
        .axis = {SCREE_NAN, SCREE_NAN},
        .angle = SCREE_NAN,
        .angle_error = SCREE_NAN,
        .flank_height = SCREE_NAN,
        .packing_fraction = SCREE_NAN,
        .coordination = SCREE_NAN,
        .n_rattlers = -1,
        .force_mean = SCREE_NAN,
        .gap_mean = SCREE_NAN,
    };
    for (int k = 0; k < SCREE_REPOSE_BINS; ++k) {
        out->profile_radius[k] = out->profile_height[k] = out->force_density[k] = SCREE_NAN;
    }
    for (int k = 0; k < 5; ++k) out->force_quantile[k] = SCREE_NAN;
}

/* Lowers the floor to z = 0 and leaves out the lost. */
static scree_status gather(scri_arena* arena, const scree_heap* asked, scri_heap* heap)
{
    size_t n = (size_t)asked->n;
    *heap = (scri_heap){
        .centre = scri_arena_take(arena, n, 3 * sizeof *heap->centre),
        .radius = scri_arena_take(arena, n, sizeof *heap->radius),
        .volume = scri_arena_take(arena, n, sizeof *heap->volume),
        .index = scri_arena_take(arena, n, sizeof *heap->index),
    };
    if (!heap->centre || !heap->radius || !heap->volume || !heap->index) {
        return SCREE_ERROR_MEMORY;
    }
    double largest = 0.0, sum = 0.0;
    for (int32_t i = 0; i < asked->n; ++i) {
        const double* x = asked->position + 3 * (size_t)i;
        heap->index[i] = -1;
        if (x[2] < asked->floor) continue;
        int32_t k = heap->index[i] = heap->n++;
        heap->centre[3 * k] = x[0];
        heap->centre[3 * k + 1] = x[1];
        heap->centre[3 * k + 2] = x[2] - asked->floor;
        heap->radius[k] = asked->radius[i];
        largest = fmax(largest, asked->radius[i]);
    }
    for (int32_t k = 0; k < heap->n; ++k) {
        double size = heap->radius[k] / largest;
        heap->volume[k] = size * size * size;
        heap->diameter += 2.0 * heap->radius[k] * heap->volume[k];
        sum += heap->volume[k];
    }
    if (heap->n > 0) heap->diameter /= sum;
    return SCREE_OK;
}

static void measure_height(const scri_heap* heap, scree_repose* out)
{
    for (int32_t i = 0; i < heap->n; ++i) {
        if (!heap->held[i]) continue;
        out->height = fmax(out->height, heap->centre[3 * i + 2] + heap->radius[i]);
    }
}

static int is_base(const scri_heap* heap, int32_t i)
{
    return heap->floored[i] && heap->centre[3 * (size_t)i + 2] <= NEAR_FLOOR * heap->radius[i];
}

/* Paper 1, section 6.2. */
static void measure_base(const scri_heap* heap, scree_repose* out)
{
    double sum[2] = {0.0, 0.0}, distance = 0.0;
    for (int32_t i = 0; i < heap->n; ++i) {
        if (!is_base(heap, i)) continue;
        ++out->n_base;
        for (int k = 0; k < 2; ++k) sum[k] += heap->centre[3 * i + k];
    }
    if (out->n_base == 0) return;
    for (int32_t i = 0; i < heap->n; ++i) {
        const double* x = heap->centre + 3 * (size_t)i;
        if (!is_base(heap, i)) continue;
        distance += hypot(x[0] - sum[0] / out->n_base, x[1] - sum[1] / out->n_base);
    }
    out->mean_radius = distance / out->n_base;
}

static scree_status measure(scri_arena* arena, const scree_heap* asked, scree_repose* out)
{
    scri_heap heap;
    scree_status status = gather(arena, asked, &heap);
    if (status) return status;
    out->n_lost = asked->n - heap.n;
    status = scri_repose_contacts(arena, asked, &heap, out);
    if (status) return status;
    measure_height(&heap, out);
    measure_base(&heap, out);
    status = scri_repose_profile(arena, &heap, out);
    if (status) return status;
    scri_repose_core(&heap, out);
    return SCREE_OK;
}

scree_status scree_repose_measure(const scree_env* env, const scree_heap* heap, scree_repose* out)
{
    if (!heap || !out) return SCREE_ERROR_ARGUMENT;
    set_unknown(out);
    scree_status status = check(env, heap);
    if (status) return status;
    scri_arena* arena = scri_arena_create(env);
    status = arena ? measure(arena, heap, out) : SCREE_ERROR_MEMORY;
    scri_arena_destroy(arena);
    if (status) {
        return scri_fail(env, status, "out of memory for a heap of %d spheres", (int)heap->n);
    }
    return SCREE_OK;
}
