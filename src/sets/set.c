/* Planar sets as the host sees them; the arithmetic is in the kernels. */
#include "sets/set.h"

#include "math/vec.h"
#include "sets/set_kernel.h"

double scri_set_gauge(scri_set set, const double x[2], double gradient[2], double hessian[3])
{
    return scri_set_kernel_gauge(set, x, gradient, hessian);
}

double scri_set_support(scri_set set, const double v[2], double point[2], double* radius)
{
    return scri_set_kernel_support(set, v, point, radius);
}

void scri_set_project(scri_set set, double size, const double z[2], double out[2], double d[6])
{
    scri_set_kernel_project(set, size, z, out, d);
}

double scree_set_gauge(const scree_set* set, const double x[2])
{
    if (!set || !x) return SCREE_NAN;
    return scri_set_gauge(scri_set_of(set), x, NULL, NULL);
}

double scree_set_radius(const scree_set* set, double theta)
{
    if (!set) return SCREE_NAN;
    double u[2] = {cos(theta), sin(theta)};
    return 1.0 / scri_set_gauge(scri_set_of(set), u, NULL, NULL);
}

void scree_set_normal(const scree_set* set, const double x[2], double normal[2])
{
    if (!set || !x || !normal) return;
    scri_set_gauge(scri_set_of(set), x, normal, NULL);
    double length = scri_length2(normal);
    for (int i = 0; length > 0.0 && i < 2; ++i) normal[i] /= length;
}

int scree_set_is_convex(const scree_set* set)
{
    if (!set) return 0;
    return scri_set_is_convex(&set->value);
}

double scree_set_support(const scree_set* set, const double v[2], double point[2])
{
    if (!set || !v) return SCREE_NAN;
    return scri_set_support(scri_set_of(set), v, point, NULL);
}

void scree_set_project(const scree_set* set, double size, const double z[2], double out[2])
{
    if (!set || !z || !out) return;
    scri_set_project(scri_set_of(set), size, z, out, NULL);
}

/* ---- ellipses ---- */

int scri_set_as_ellipse(scri_set set, double q[3])
{
    if (!scri_set_is_ellipse(set)) return 0;
    double c = set.v->turn[0], s = set.v->turn[1];
    double x = 1.0 / (set.v->a * set.v->a), y = 1.0 / (set.v->b * set.v->b);
    q[0] = c * c * x + s * s * y;
    q[1] = c * s * (x - y);
    q[2] = s * s * x + c * c * y;
    return 1;
}

/* One Jacobi rotation, by at most 45 degrees, takes q to its axes. */
scree_set_value scri_set_from_quadratic(const double q[3])
{
    double tangent = 0.0;
    if (q[1] != 0.0) {
        double ratio = (q[0] - q[2]) / (2.0 * q[1]);
        tangent = copysign(1.0, ratio) / (fabs(ratio) + scri_hypotenuse(1.0, ratio));
    }
    double c = 1.0 / sqrt(1.0 + tangent * tangent);
    return (scree_set_value){
        .kind = SCREE_SET_ELLIPSE,
        .is_convex = 1,
        .a = 1.0 / sqrt(q[0] + tangent * q[1]),
        .b = 1.0 / sqrt(q[2] - tangent * q[1]),
        .turn = {c, tangent * c},
    };
}
