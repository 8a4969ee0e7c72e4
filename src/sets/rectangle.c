/* Rectangles |x| <= a, |y| <= b. */
#include "sets/kind.h"

static scree_status init(const scree_env* env, const scree_set_def* def, double scale,
                         scree_set* set)
{
    set->a = def->a * scale;
    set->b = def->b * scale;
    set->is_convex = 1;
    scree_status status = scri_set_check_size(env, "rectangle", "a", set->a);
    return status ? status : scri_set_check_size(env, "rectangle", "b", set->b);
}

static double gauge(const scree_set* set, const double u[2], double gradient[2], double* bend)
{
    double x = fabs(u[0]) / set->a, y = fabs(u[1]) / set->b;
    gradient[0] = x >= y ? copysign(1.0 / set->a, u[0]) : 0.0;
    gradient[1] = x >= y ? 0.0 : copysign(1.0 / set->b, u[1]);
    *bend = 0.0;
    return fmax(x, y);
}

static double support(const scree_set* set, const double v[2], double point[2], double* radius)
{
    point[0] = copysign(set->a, v[0]);
    point[1] = copysign(set->b, v[1]);
    *radius = v[0] == 0.0 || v[1] == 0.0 ? SCREE_INFINITY : 0.0;
    return set->a * fabs(v[0]) + set->b * fabs(v[1]);
}

static void project(const scree_set* set, const double z[2], double point[2], scri_edge* edge)
{
    int beyond_x = fabs(z[0]) > set->a, beyond_y = fabs(z[1]) > set->b;
    point[0] = beyond_x ? copysign(set->a, z[0]) : z[0];
    point[1] = beyond_y ? copysign(set->b, z[1]) : z[1];
    if (!edge) return;
    edge->normal[0] = beyond_x ? copysign(1.0, z[0]) : 0.0;
    edge->normal[1] = beyond_x ? 0.0 : copysign(1.0, z[1]);
    edge->curvature = beyond_x && beyond_y ? SCREE_INFINITY : 0.0;
}

const scri_set_kind scri_set_rectangle = {
    .name = "rectangle",
    .init = init,
    .gauge = gauge,
    .support = support,
    .project = project,
    .next_knot = scri_set_next_knot_ab,
};
