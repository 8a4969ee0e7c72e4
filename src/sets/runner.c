/* Rectangles with half-ellipses at their ends: the sum of the segment |x| <= s and the ellipse with
 * semi-axes a, b. */
#include "sets/kind.h"

static scree_status init(const scree_env* env, const scree_set_def* def, double scale,
                         scree_set* set)
{
    set->a = def->a * scale;
    set->b = def->b * scale;
    set->s = def->s * scale;
    set->is_convex = 1;
    scree_status status = scri_set_check_size(env, "runner", "a", set->a);
    if (!status) status = scri_set_check_size(env, "runner", "b", set->b);
    return status ? status : scri_set_check_size(env, "runner", "s", set->s);
}

/* On the half-ellipse the gauge k solves (x - k s)^2 / a^2 + y^2 / b^2 = k^2. */
static double gauge(const scree_set* set, const double u[2], double gradient[2], double* bend)
{
    double a = set->a, s = set->s, x = fabs(u[0]), y = fabs(u[1]) / set->b;
    if (x <= s * y) { /* on a straight side */
        gradient[0] = 0.0;
        gradient[1] = copysign(1.0 / set->b, u[1]);
        *bend = 0.0;
        return y;
    }
    double root = sqrt((x - s * y) * (x + s * y) + a * a * y * y);
    double k = (x * x + a * a * y * y) / (x * s + a * root);
    /* x - k s = k a (x^2 - s^2 y^2) / (x root + a s y^2), without its cancellation */
    double across = k * (x - s * y) * (x + s * y) / (x * root + a * s * y * y);
    gradient[0] = copysign(across / root, u[0]);
    gradient[1] = copysign(a * y / (set->b * root), u[1]);
    *bend = a / (set->b * set->b * root * root * root);
    return k;
}

static double support(const scree_set* set, const double v[2], double point[2], double* radius)
{
    double x = set->a * v[0], y = set->b * v[1], h = sqrt(x * x + y * y);
    double r = set->a * set->b / h;
    point[0] = set->a * x / h + copysign(set->s, v[0]);
    point[1] = set->b * y / h;
    *radius = v[0] == 0.0 ? SCREE_INFINITY : r * r / h;
    return h + set->s * fabs(v[0]);
}

static void project(const scree_set* set, const double z[2], double point[2], scri_edge* edge)
{
    double beyond = fabs(z[0]) - set->s;
    if (beyond > 0.0) {
        double end[2] = {copysign(beyond, z[0]), z[1]};
        scri_ellipse_project(set->a, set->b, end, point, edge);
        point[0] += copysign(set->s, z[0]);
        return;
    }
    point[0] = z[0];
    point[1] = copysign(set->b, z[1]);
    if (edge) *edge = (scri_edge){.normal = {0.0, copysign(1.0, z[1])}, .curvature = 0.0};
}

/* The set is like an ellipse with the same length. */
static double next_knot(const scree_set* set, double angle)
{
    scree_set like = {.a = set->a + set->s, .b = set->b};
    return scri_set_next_knot_ab(&like, angle);
}

const scri_set_kind scri_set_runner = {
    .name = "runner",
    .init = init,
    .gauge = gauge,
    .support = support,
    .project = project,
    .next_knot = next_knot,
};
