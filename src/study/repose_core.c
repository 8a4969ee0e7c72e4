/* Packing fraction in the core of a heap.
 *
 * The core is a spheroid around the axis, a grain above the floor and a grain below the surface.
 * Spheres count with the weight (1 - s^2)^2 at their centre, s from 0 in the middle to 1 on the
 * rim. The weight ends smoothly: no sphere is cut by a border, and of a uniform packing, ordered or
 * not, the mean density comes out. */
#include "base/compiler.h"
#include "study/repose.h"

#include <math.h>

/* Spheroid with its centre on the axis. */
typedef struct spheroid {
    double z, across, up; /* height of the centre, half axes */
} spheroid;

/* The largest half axis `up` with which a spheroid that stands on `bottom` and ends at ring `rim`
 * stays a grain below the surface; 0 or less where there is no room. */
static double room_above(const scree_repose* r, int rim, double bottom, double grain)
{
    double up = SCREE_INFINITY, inner = 0.0; /* where the spheroid is highest below ring k */
    for (int k = 0; k <= rim; ++k) {
        if (isnan(r->profile_height[k])) return 0.0;
        double s = fmin(inner / r->profile_radius[rim], 1.0);
        up = fmin(up, (r->profile_height[k] - grain - bottom) / (1.0 + sqrt(1.0 - s * s)));
        inner = r->profile_radius[k];
    }
    return up;
}

/* The one of greatest volume, among those that end at a ring. */
static spheroid find_core(const scree_repose* r, double grain)
{
    spheroid core = {0.0, 0.0, 0.0};
    for (int k = 0; k < SCREE_REPOSE_BINS; ++k) {
        double across = r->profile_radius[k];
        if (!(across >= grain)) continue;
        double up = room_above(r, k, grain, grain);
        if (up >= grain && across * across * up > core.across * core.across * core.up) {
            core = (spheroid){grain + up, across, up};
        }
    }
    return core;
}

void scri_repose_core(const scri_heap* heap, scree_repose* out)
{
    spheroid core = find_core(out, heap->diameter);
    if (!(core.up > 0.0)) return;
    double sum = 0.0;
    for (int32_t i = 0; i < heap->n; ++i) {
        const double* x = heap->centre + 3 * (size_t)i;
        double across = hypot(x[0] - out->axis[0], x[1] - out->axis[1]) / core.across;
        double up = (x[2] - core.z) / core.up, rest = 1.0 - across * across - up * up;
        double radius = heap->radius[i];
        if (rest > 0.0) sum += rest * rest * 4.0 / 3.0 * SCREE_PI * radius * radius * radius;
    }
    /* the integral of (1 - s^2)^2 over the spheroid */
    out->packing_fraction = sum / (32.0 / 105.0 * SCREE_PI * core.across * core.across * core.up);
}
