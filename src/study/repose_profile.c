/* The surface of a heap around its axis, and the straight line along its flank.
 *
 * Ring k lies between k and k + 1 widths from the axis and is cut into 3 (2 k + 1) sectors, so that
 * all cells have the same area. The highest sphere of a cell is a point of the surface: equal areas
 * make it lie equally far above the mean surface everywhere, which does not tilt the line. A ring's
 * point is the mean over its cells. */
#include "base/compiler.h"
#include "study/repose.h"

#include <math.h>

/* Of a cone, the mean distance to the axis, weighted with volume and height, is 2/5 of the radius
 * of its base. */
#define CONE_RADIUS 2.5

/* Rings are at least this many grains wide: narrower cells look between the grains of the surface
 * where the heap is deep, and not where it is shallow. */
#define NARROWEST 1.5

/* The flank is what lies between these parts of the surface's relief. */
#define TOE 0.1
#define TIP 0.8

enum { FEWEST_RINGS = 3, N_CELLS = 3 * SCREE_REPOSE_BINS * SCREE_REPOSE_BINS };

typedef struct cell {
    double radius, height; /* of the highest point: distance to the axis, height above the floor */
} cell;

/* How rings and sectors lie. */
typedef struct rings {
    const double* axis;
    double extent;  /* radius beyond which nothing belongs to the heap */
    double azimuth; /* where sectors begin */
    double width;
    int n;
} rings;

/* Height counts so that the heap's body decides, not what rolled away from it. */
static double weight(const scri_heap* heap, int32_t i)
{
    return heap->held[i] ? heap->volume[i] * heap->centre[3 * (size_t)i + 2] : 0.0;
}

static void find_axis(const scri_heap* heap, double axis[2])
{
    /* Differences to the first sphere: a heap far from the origin loses no digits. */
    double sum[2] = {0.0, 0.0}, total = 0.0;
    for (int32_t i = 0; i < heap->n; ++i) {
        double w = weight(heap, i);
        for (int k = 0; k < 2; ++k) sum[k] += w * (heap->centre[3 * i + k] - heap->centre[k]);
        total += w;
    }
    for (int k = 0; k < 2; ++k) axis[k] = heap->centre[k] + (total > 0.0 ? sum[k] / total : 0.0);
}

/* Sectors begin at the sphere farthest from the axis, so that they turn with the heap. */
static rings lay_rings(const scri_heap* heap, const double axis[2])
{
    rings r = {.axis = axis};
    double sum = 0.0, total = 0.0, farthest = -1.0;
    for (int32_t i = 0; i < heap->n; ++i) {
        double x = heap->centre[3 * i] - axis[0], y = heap->centre[3 * i + 1] - axis[1];
        double distance = hypot(x, y), w = weight(heap, i);
        sum += w * distance;
        total += w;
        if (heap->held[i] && distance > farthest) {
            farthest = distance;
            r.azimuth = atan2(y, x);
        }
    }
    if (!(total > 0.0)) return r;
    r.extent = CONE_RADIUS * sum / total;
    r.width = fmax(r.extent / SCREE_REPOSE_BINS, NARROWEST * heap->diameter);
    r.n = (int)fmin(ceil(r.extent / r.width), SCREE_REPOSE_BINS);
    return r;
}

static void fill_cells(const scri_heap* heap, const rings* r, cell* cells)
{
    for (int32_t i = 0; i < heap->n; ++i) {
        double x = heap->centre[3 * i] - r->axis[0], y = heap->centre[3 * i + 1] - r->axis[1];
        double distance = hypot(x, y), turn = (atan2(y, x) - r->azimuth) / (2.0 * SCREE_PI);
        if (!heap->held[i] || !(distance < r->n * r->width)) continue;
        int ring = (int)fmin(distance / r->width, r->n - 1), n_sectors = 3 * (2 * ring + 1);
        int sector = (int)((turn - floor(turn)) * n_sectors) % n_sectors;
        cell* c = cells + 3 * ring * ring + sector;
        double top = heap->centre[3 * i + 2] + heap->radius[i];
        if (top > c->height) *c = (cell){distance, top};
    }
}

/* Means over the cells of each ring; a ring with less than three quarters of its cells occupied is
 * none. */
static void average(const rings* r, const cell* cells, double weights[], scree_repose* out)
{
    for (int k = 0; k < r->n; ++k) {
        int n_sectors = 3 * (2 * k + 1), n = 0;
        double radius = 0.0, height = 0.0;
        for (const cell* c = cells + 3 * k * k; c < cells + 3 * (k + 1) * (k + 1); ++c) {
            if (!(c->height > 0.0)) continue;
            radius += c->radius;
            height += c->height;
            ++n;
        }
        if (4 * n < 3 * n_sectors) continue;
        weights[k] = n;
        out->profile_radius[k] = radius / n;
        out->profile_height[k] = height / n;
    }
}

static int count_rings(const double weights[], int begin, int end)
{
    int n = 0;
    for (int k = begin; k < end; ++k) n += weights[k] > 0.0;
    return n;
}

typedef struct relief {
    double low, high;
} relief;

static relief relief_of(const double height[], int end)
{
    relief r = {SCREE_INFINITY, 0.0};
    for (int k = 0; k < end; ++k) { /* fmin and fmax pass over NaN */
        r.low = fmin(r.low, height[k]);
        r.high = fmax(r.high, height[k]);
    }
    return r;
}

/* From the last ring above the tip's level to the first one below the toe's; where that leaves too
 * few rings, with their neighbours, outer ones first. A surface that is flat to a grain is taken as
 * a whole, but for its outermost ring: the edge cuts that, it may lie two grains lower. */
static void find_flank(const double weights[], double diameter, scree_repose* out)
{
    const double* height = out->profile_height;
    int n = SCREE_REPOSE_BINS;
    while (n > 0 && !(weights[n - 1] > 0.0)) --n;
    relief inner = relief_of(height, n - 1), all = relief_of(height, n);
    double tip = all.low + TIP * (all.high - all.low), toe = all.low + TOE * (all.high - all.low);
    int begin = 0, end = n;
    if (!(inner.high - inner.low >= diameter) && !(all.high - all.low >= 2.0 * diameter)) {
        end = n > 0 ? n - 1 : 0;
    } else {
        for (int k = 0; k < n; ++k) {
            if (height[k] > tip) begin = k + 1;
        }
        for (int k = n - 1; k >= begin; --k) {
            if (height[k] < toe) end = k;
        }
    }
    while (count_rings(weights, begin, end) < FEWEST_RINGS && (begin > 0 || end < n)) {
        if (end < n) ++end;
        if (begin > 0 && count_rings(weights, begin, end) < FEWEST_RINGS) --begin;
    }
    out->flank_begin = begin;
    out->flank_end = end;
}

/* Least squares, weighted with the number of cells that a ring's point is the mean of. */
static void fit(const double weights[], scree_repose* out)
{
    double w = 0.0, x = 0.0, y = 0.0, xx = 0.0, xy = 0.0, ee = 0.0;
    int n = count_rings(weights, out->flank_begin, out->flank_end);
    if (n < FEWEST_RINGS) {
        out->flank_begin = out->flank_end = 0;
        return;
    }
    for (int k = out->flank_begin; k < out->flank_end; ++k) {
        if (!(weights[k] > 0.0)) continue;
        w += weights[k];
        x += weights[k] * out->profile_radius[k];
        y += weights[k] * out->profile_height[k];
    }
    for (int k = out->flank_begin; k < out->flank_end; ++k) {
        if (!(weights[k] > 0.0)) continue;
        double dx = out->profile_radius[k] - x / w;
        xx += weights[k] * dx * dx;
        xy += weights[k] * dx * (out->profile_height[k] - y / w);
    }
    double slope = xy / xx;
    out->flank_height = (y - slope * x) / w;
    for (int k = out->flank_begin; k < out->flank_end; ++k) {
        if (!(weights[k] > 0.0)) continue;
        double e = out->profile_height[k] - out->flank_height - slope * out->profile_radius[k];
        ee += weights[k] * e * e;
    }
    out->angle = atan(-slope);
    out->angle_error = sqrt(ee / (n - 2) / xx) / (1.0 + slope * slope);
}

scree_status scri_repose_profile(scri_arena* arena, const scri_heap* heap, scree_repose* out)
{
    if (heap->n == 0) return SCREE_OK;
    find_axis(heap, out->axis);
    rings r = lay_rings(heap, out->axis);
    cell* cells = scri_arena_take(arena, N_CELLS, sizeof *cells);
    if (!cells) return SCREE_ERROR_MEMORY;
    double weights[SCREE_REPOSE_BINS] = {0.0};
    fill_cells(heap, &r, cells);
    average(&r, cells, weights, out);
    find_flank(weights, heap->diameter, out);
    fit(weights, out);
    return SCREE_OK;
}
