/* A ray against one shape. All but meshes are convex: a line is inside from `enter` to `exit`. */
#include "collide/convex.h"
#include "collide/mesh.h"
#include "collide/query.h"
#include "shapes/hull.h"

#include <math.h>

/* Shares of a ray; the line is outside where exit < enter. */
typedef struct span {
    double enter, exit;
    scri_vec normal; /* where it enters */
} span;

static const span nowhere = {SCREE_INFINITY, -SCREE_INFINITY, {0.0, 0.0, 0.0}};

static scri_vec unit(scri_vec a)
{
    return scri_vec_scale(1.0 / scri_vec_length(a), a);
}

/* Within a distance of a point or an axis: `along` and `away` are the parts of the way and of the
 * origin that count. The nearest point tells, so that no digits cancel. */
static span within(scri_vec away, scri_vec along, double radius)
{
    double square = scri_vec_dot(along, along);
    if (square == 0.0) {
        span always = {-SCREE_INFINITY, SCREE_INFINITY, {0.0, 0.0, 0.0}};
        return scri_vec_dot(away, away) <= radius * radius ? always : nowhere;
    }
    double middle = -scri_vec_dot(away, along) / square;
    scri_vec nearest = scri_vec_add_scaled(away, middle, along);
    double left = radius * radius - scri_vec_dot(nearest, nearest);
    if (!(left >= 0.0)) return nowhere;
    double half = sqrt(left / square);
    return (span){middle - half, middle + half, unit(scri_vec_add_scaled(nearest, -half, along))};
}

/* -half <= origin + s way <= half along one axis. */
static span slab(double origin, double way, double half, scri_vec axis)
{
    if (way == 0.0) {
        span always = {-SCREE_INFINITY, SCREE_INFINITY, {0.0, 0.0, 0.0}};
        return fabs(origin) <= half ? always : nowhere;
    }
    double sign = way > 0.0 ? 1.0 : -1.0;
    return (span){(-sign * half - origin) / way, (sign * half - origin) / way,
                  scri_vec_scale(-sign, axis)};
}

static span both(span a, span b)
{
    span out = a.enter >= b.enter ? a : b;
    out.exit = fmin(a.exit, b.exit);
    return out.enter <= out.exit ? out : nowhere;
}

/* Two parts of one convex shape. */
static span either(span a, span b)
{
    if (!(a.enter <= a.exit)) return b;
    if (!(b.enter <= b.exit)) return a;
    span out = a.enter <= b.enter ? a : b;
    out.exit = fmax(a.exit, b.exit);
    return out;
}

static const scri_vec x_axis = {1.0, 0.0, 0.0}, y_axis = {0.0, 1.0, 0.0}, z_axis = {0.0, 0.0, 1.0};

static span through_box(scri_vec o, scri_vec d, const double* size)
{
    span xy = both(slab(o.x, d.x, size[0], x_axis), slab(o.y, d.y, size[1], y_axis));
    return both(xy, slab(o.z, d.z, size[2], z_axis));
}

static span through_cylinder(scri_vec o, scri_vec d, double radius, double half)
{
    scri_vec away = {o.x, o.y, 0.0}, along = {d.x, d.y, 0.0};
    return both(within(away, along, radius), slab(o.z, d.z, half, z_axis));
}

static span through_capsule(scri_vec o, scri_vec d, double radius, double half)
{
    scri_vec top = {o.x, o.y, o.z - half}, bottom = {o.x, o.y, o.z + half};
    span out = either(within(top, d, radius), within(bottom, d, radius));
    out = either(out, through_cylinder(o, d, radius, half));
    scri_vec at = scri_vec_add_scaled(o, out.enter, d); /* the ends of the cylinder lie inside */
    at.z -= fmin(fmax(at.z, -half), half);
    out.normal = unit(at);
    return out;
}

/* The same in a frame in which it is the unit sphere; normals go back by the inverse. */
static span through_ellipsoid(scri_vec o, scri_vec d, const double* s)
{
    span out = within((scri_vec){o.x / s[0], o.y / s[1], o.z / s[2]},
                      (scri_vec){d.x / s[0], d.y / s[1], d.z / s[2]}, 1.0);
    if (!(out.enter <= out.exit)) return nowhere;
    scri_vec n = out.normal;
    out.normal = unit((scri_vec){n.x / s[0], n.y / s[1], n.z / s[2]});
    return out;
}

/* Where the line is within the double cone x^2 + y^2 <= (k w)^2, w being what it lies below the
 * apex: between the roots of a s^2 + 2 b s + c, or, where it goes from one half to the other,
 * beyond that root that lies in the lower half. */
static span within_cone(scri_vec o, scri_vec d, double k, double apex)
{
    double w = apex - o.z, a = d.x * d.x + d.y * d.y - k * k * d.z * d.z;
    double b = o.x * d.x + o.y * d.y + k * k * w * d.z, c = o.x * o.x + o.y * o.y - k * k * w * w;
    double root = sqrt(fmax(b * b - a * c, 0.0)), far = b > 0.0 ? -b - root : root - b;
    double one = far / a, other = far == 0.0 ? one : c / far;
    span out = {fmin(one, other), fmax(one, other), z_axis};
    if (a > 0.0 && b * b < a * c) return nowhere;
    if (a == 0.0) { /* along a line of the surface: one root */
        if (b == 0.0) return c <= 0.0 ? (span){-SCREE_INFINITY, SCREE_INFINITY, z_axis} : nowhere;
        out.enter = out.exit = -0.5 * c / b;
    }
    if (a <= 0.0 && d.z < 0.0) out = (span){out.exit, SCREE_INFINITY, z_axis};
    if (a <= 0.0 && d.z > 0.0) out = (span){-SCREE_INFINITY, out.enter, z_axis};
    scri_vec at = scri_vec_add_scaled(o, out.enter, d);
    if (isfinite(out.enter)) out.normal = unit((scri_vec){at.x, at.y, k * k * (apex - at.z)});
    return out;
}

static span through_cone(scri_vec o, scri_vec d, double radius, double half)
{
    scri_vec middle = {o.x, o.y, o.z - 0.5 * half};
    return both(within_cone(o, d, 0.5 * radius / half, 1.5 * half),
                slab(middle.z, d.z, half, z_axis));
}

/* Through the wall on the outside, or out of the bore into it. Never convex: `exit` is that of the
 * outer cylinder, or of the first piece of wall. */
static span through_tube(scri_vec o, scri_vec d, const double* size)
{
    span whole = through_cylinder(o, d, size[0], size[1]);
    scri_vec away = {o.x, o.y, 0.0}, along = {d.x, d.y, 0.0};
    span bore = within(away, along, size[2]);
    if (!(whole.enter <= whole.exit)) return nowhere;
    if (!(bore.enter <= bore.exit) || bore.exit < whole.enter || bore.enter > whole.exit) {
        return whole;
    }
    double first = fmax(whole.enter, 0.0);
    if (bore.enter > first) { /* the wall comes first */
        whole.exit = bore.enter;
        return whole;
    }
    if (!(bore.exit < whole.exit)) return nowhere;
    if (bore.exit < first) return whole; /* begins in the wall, behind the bore */
    scri_vec at = scri_vec_add_scaled(away, bore.exit, along);
    return (span){bore.exit, whole.exit, scri_vec_scale(-1.0, unit(at))};
}

int scri_tube_ray(const double size[3], scri_vec origin, scri_vec way)
{
    span s = through_tube(origin, way, size);
    return s.enter <= s.exit && s.enter <= 1.0 && s.exit >= 0.0;
}

static span through_half_space(scri_vec o, scri_vec d)
{
    span out = {-SCREE_INFINITY, SCREE_INFINITY, z_axis};
    if (d.z == 0.0) return o.z <= 0.0 ? out : nowhere;
    if (d.z < 0.0) out.enter = -o.z / d.z;
    if (d.z > 0.0) out.exit = -o.z / d.z;
    return out;
}

/* Between the planes of all faces. */
static span through_hull(scri_vec o, scri_vec d, const scree_hull* hull, double scale)
{
    span out = {-SCREE_INFINITY, SCREE_INFINITY, z_axis};
    for (int32_t f = 0; f < hull->view.n_faces; ++f) {
        scri_vec n = scri_vec_load(hull->plane + 4 * (size_t)f);
        double along = scri_vec_dot(n, d);
        double left = scale * hull->plane[4 * (size_t)f + 3] - scri_vec_dot(n, o);
        if (along == 0.0 && left < 0.0) return nowhere;
        if (along > 0.0) out.exit = fmin(out.exit, left / along);
        if (!(along < 0.0 && left / along > out.enter)) continue;
        out.enter = left / along;
        out.normal = n;
    }
    return out;
}

static span through(const scri_solid* s, scree_shape_kind kind, scri_vec o, scri_vec d)
{
    const double* size = s->size;
    switch (kind) {
    case SCREE_SHAPE_HULL:
        return s->hull ? through_hull(o, d, s->hull, size[0]) : nowhere;
    case SCREE_SHAPE_SPHERE:
        return within(o, d, size[0]);
    case SCREE_SHAPE_HALF_SPACE:
        return through_half_space(o, d);
    case SCREE_SHAPE_BOX:
        return through_box(o, d, size);
    case SCREE_SHAPE_CAPSULE:
        return through_capsule(o, d, size[0], size[1]);
    case SCREE_SHAPE_CYLINDER:
        return through_cylinder(o, d, size[0], size[1]);
    case SCREE_SHAPE_ELLIPSOID:
        return through_ellipsoid(o, d, size);
    case SCREE_SHAPE_TUBE:
        return through_tube(o, d, size);
    case SCREE_SHAPE_CONE:
        return through_cone(o, d, size[0], size[1]);
    default:
        return nowhere;
    }
}

int scri_ray_meets(const scri_placed* shapes, int32_t i, const scri_ray* ray, double* share,
                   scri_vec* normal)
{
    scri_solid solid = scri_solid_load(shapes, i);
    scri_vec from = scri_vec_sub(ray->origin, solid.centre);
    scri_vec o = scri_mat_multiply_transposed(solid.axes, from);
    scri_vec d = scri_mat_multiply_transposed(solid.axes, ray->way);
    if (shapes->kind[i] == SCREE_SHAPE_MESH) {
        if (!scri_mesh_ray(solid.mesh, o, d, share, normal)) return 0;
        *normal = scri_mat_multiply(solid.axes, *normal);
        return 1;
    }
    if (solid.rounding > 0.0) {
        if (!scri_ray_meets_rounded(shapes->kind[i], &solid, o, d, share, normal)) return 0;
        *normal = scri_mat_multiply(solid.axes, *normal);
        return 1;
    }
    span s = through(&solid, shapes->kind[i], o, d);
    if (!(s.enter <= s.exit && s.enter <= 1.0 && s.exit >= 0.0)) return 0;
    *share = fmax(s.enter, 0.0);
    if (s.enter >= 0.0) {
        *normal = scri_mat_multiply(solid.axes, s.normal);
    } else {
        *normal = scri_vec_scale(-1.0 / scri_vec_length(ray->way), ray->way);
    }
    return 1;
}
