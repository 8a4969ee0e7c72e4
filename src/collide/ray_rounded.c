/* A ray against a rounded shape: where its distance from the core is the radius of the ball.
 *
 * The distance of a point from a convex core is a convex function along a line, so Newton's method
 * from a point outside never goes too far, and ends where the ray enters or turns away. */
#include "collide/convex.h"

/* Relative to the way and the size: what rounding leaves of a distance. */
#define ROUNDING 4e-16

enum { MOST_STEPS = 100 };

/* The core in its own frame, and a point there. */
static scri_gap from_core(const scri_convex* core, scri_vec at, scri_nearest* out)
{
    scri_part part;
    scri_convex point = scri_convex_point(at, &part);
    return scri_nearest_of(&point, core, SCREE_INFINITY, out);
}

int scri_ray_meets_rounded(scree_shape_kind kind, const scri_solid* solid, scri_vec o, scri_vec d,
                           double* share, scri_vec* normal)
{
    static const scri_mat axes = {{1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}};
    scri_solid own = *solid;
    scri_vec zero = {0.0, 0.0, 0.0};
    own.centre = zero;
    own.axes = axes;
    scri_convex core = scri_convex_load(kind, &own, zero);
    double scale = scri_vec_length(o) + scri_vec_length(d) + core.radius;
    *share = 0.0;
    *normal = scri_vec_scale(-1.0 / scri_vec_length(d), d); /* for one that begins inside */
    for (int step = 0; step < MOST_STEPS; ++step) {
        scri_nearest near;
        if (from_core(&core, scri_vec_add_scaled(o, *share, d), &near) != SCRI_APART) return 1;
        double left = near.distance - core.radius, along = -scri_vec_dot(near.normal, d);
        if (step > 0) *normal = near.normal;
        if (!(left > (step > 0 ? ROUNDING * scale : 0.0))) return 1;
        if (!(along > 0.0 && left <= (1.0 - *share) * along)) return 0;
        *share += left / along;
        *normal = near.normal;
    }
    return 1;
}
