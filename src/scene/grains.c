/* What a scene wants to know of all bodies of a generator together: a heap, a flow, a packing.
 * Values are found without memory of their own, so that a step may ask for them. */
#include "math/vec.h"
#include "scene/simulation.h"
#include "shapes/ball_box.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

/* The centre of mass of a generator's bodies along one axis. */
static double mean_position(const scree_simulation* s, const scree_scene_measure* m)
{
    scree_world_view view = scree_world_get_view(s->world);
    double mass = 0.0, moment = 0.0;
    for (int32_t i = 0; i < view.n_bodies; ++i) {
        if (s->origins.source[i] != m->of) continue;
        double one = view.mass[i] > 0.0 ? view.mass[i] : 1.0; /* those that do not obey forces */
        mass += one;
        moment += one * view.position[3 * (size_t)i + (size_t)m->which];
    }
    return moment / mass;
}

/* How many of a generator's bodies lie within a radius about the z axis; the farthest of them, and
 * the nearest of the others. */
static int64_t count_within(const scree_simulation* s, int32_t source, double radius,
                            double bounds[2])
{
    scree_world_view view = scree_world_get_view(s->world);
    int64_t n = 0;
    bounds[0] = 0.0;
    bounds[1] = SCREE_INFINITY;
    for (int32_t i = 0; i < view.n_bodies; ++i) {
        const double* x = view.position + 3 * (size_t)i;
        double r = scri_hypotenuse(x[0], x[1]);
        if (s->origins.source[i] != source) continue;
        n += r <= radius;
        if (r <= radius) bounds[0] = fmax(bounds[0], r);
        if (!(r <= radius)) bounds[1] = fmin(bounds[1], r);
    }
    return n;
}

/* By bisection, which needs no memory; it ends at a body's own radius. */
static double reach(const scree_simulation* s, const scree_scene_measure* m)
{
    double low = -1.0, bounds[2];
    int64_t n = count_within(s, m->of, SCREE_INFINITY, bounds);
    double high = bounds[0], wanted = ceil(m->level * (double)n);
    if (n == 0) return (double)NAN;
    for (int k = 0; k < 200 && low < high; ++k) {
        double middle = 0.5 * (fmax(low, 0.0) + high);
        if ((double)count_within(s, m->of, middle, bounds) >= wanted) {
            if (bounds[0] >= high) break;
            high = bounds[0];
        } else {
            low = middle;
            if (bounds[1] >= high) break;
        }
    }
    return high;
}

/* How much of a ring of radius r the bodies beyond it close, side by side. */
static double ring_share(const scree_simulation* s, int32_t source, double r)
{
    scree_world_view view = scree_world_get_view(s->world);
    double length = 0.0;
    for (int32_t i = 0; i < view.n_bodies; ++i) {
        const double* x = view.position + 3 * (size_t)i;
        if (s->origins.source[i] != source || scri_hypotenuse(x[0], x[1]) <= r) continue;
        length += 2.0 * s->origins.radius[i];
    }
    return length / (2.0 * SCREE_PI * r);
}

/* Where a heap ends, few stray bodies left aside. The share falls as r grows, to 0 at the farthest
 * body; bisection ends where doubles do. */
static double edge(const scree_simulation* s, const scree_scene_measure* m)
{
    double bounds[2];
    int64_t n = count_within(s, m->of, SCREE_INFINITY, bounds);
    double low = 0.0, high = bounds[0];
    if (n == 0) return (double)NAN;
    for (int k = 0; k < 200; ++k) {
        double middle = 0.5 * (low + high);
        if (!(middle > low && middle < high)) break;
        if (ring_share(s, m->of, middle) > m->level) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return high;
}

static double packing(const scree_simulation* s, const scree_scene_measure* m)
{
    scree_world_view view = scree_world_get_view(s->world);
    double filled = 0.0, box = 1.0;
    for (int k = 0; k < 3; ++k) box *= m->high[k] - m->low[k];
    for (int32_t i = 0; i < view.n_bodies; ++i) {
        if (s->origins.source[i] != m->of) continue;
        filled += scri_ball_box_volume(view.position + 3 * (size_t)i, s->origins.radius[i], m->low,
                                       m->high);
    }
    return filled / box;
}

double scri_grains_value(const scree_simulation* s, const scree_scene_measure* m)
{
    switch (m->kind) {
    case SCREE_MEASURE_MEAN_POSITION:
        return mean_position(s, m);
    case SCREE_MEASURE_REACH:
        return reach(s, m);
    case SCREE_MEASURE_EDGE:
        return edge(s, m);
    default:
        return packing(s, m);
    }
}

/* Whether all bodies of a generator are single spheres about their centre of mass. */
static bool makes_spheres(const scree_generator* g)
{
    for (int32_t k = 0; k <= g->n_others; ++k) {
        const scree_scene_body* b = k == 0 ? &g->model : &g->others[k - 1];
        const double* at = b->n_shapes == 1 ? b->shapes[0].position : NULL;
        if (!at || b->shapes[0].kind != SCREE_SHAPE_SPHERE) return false;
        if (!(at[0] == 0.0 && at[1] == 0.0 && at[2] == 0.0)) return false;
    }
    return true;
}

const char* scri_grains_fault(const scree_scene* scene, const scree_scene_measure* m)
{
    bool is_share = m->kind == SCREE_MEASURE_REACH, is_edge = m->kind == SCREE_MEASURE_EDGE;
    double most = is_share ? 1.0 : DBL_MAX;
    if ((is_share || is_edge) &&
        (!(m->level >= 0.0 && m->level <= most) || m->over == SCREE_OVER_REACHED)) {
        return is_share ? "its share must be from 0 to 1, and cannot be reached"
                        : "its rings must be 0 or more, and cannot be reached";
    }
    if (m->kind < SCREE_MEASURE_EDGE) return NULL;
    for (int k = 0; k < 3 && m->kind == SCREE_MEASURE_PACKING; ++k) {
        double width = m->high[k] - m->low[k];
        if (!(width > 0.0 && isfinite(width))) return "its box must have a volume";
    }
    return makes_spheres(&scene->generators[m->of]) ? NULL : "the generator must make spheres";
}
