/* Spheres against solids other than spheres and half-spaces. All of these give one point, whose
 * feature is 0. */
#include "collide/pair.h"

/* From the frame of b: `normal` out of b, `surface` the point of b that is nearest, and the signed
 * distance of the sphere's centre from it. */
static int write_local(const scri_solid* a, const scri_solid* b, scri_vec normal, scri_vec surface,
                       double distance, double margin, scri_touch* out)
{
    double gap = distance - a->size[0];
    if (!(gap <= margin)) return 0;
    return scri_touch_write(scri_mat_multiply(b->axes, normal),
                            scri_vec_add(b->centre, scri_mat_multiply(b->axes, surface)), gap,
                            margin, out);
}

static scri_vec local_centre(const scri_solid* a, const scri_solid* b)
{
    return scri_mat_multiply_transposed(b->axes, scri_vec_sub(a->centre, b->centre));
}

static double clamp(double x, double limit)
{
    return x > limit ? limit : x < -limit ? -limit : x;
}

int scri_sphere_box(const scri_solid* a, const scri_solid* b, double margin, scri_touch* out)
{
    const double* half = b->size;
    scri_vec c = local_centre(a, b);
    scri_vec surface = {clamp(c.x, half[0]), clamp(c.y, half[1]), clamp(c.z, half[2])};
    scri_vec d = scri_vec_sub(c, surface);
    double square = scri_vec_dot(d, d);
    if (!(square <= SCRI_NO_DIRECTION)) {
        double distance = sqrt(square);
        return write_local(a, b, scri_vec_scale(1.0 / distance, d), surface, distance, margin, out);
    }
    /* the centre is inside: out by the nearest face */
    double x[3], normal[3] = {0.0};
    scri_vec_store(c, x);
    int nearest = 0;
    for (int k = 1; k < 3; ++k) {
        if (half[k] - fabs(x[k]) < half[nearest] - fabs(x[nearest])) nearest = k;
    }
    double side = x[nearest] < 0.0 ? -1.0 : 1.0, depth = half[nearest] - fabs(x[nearest]);
    normal[nearest] = side;
    x[nearest] = side * half[nearest];
    return write_local(a, b, scri_vec_load(normal), scri_vec_load(x), -depth, margin, out);
}

int scri_sphere_capsule(const scri_solid* a, const scri_solid* b, double margin, scri_touch* out)
{
    scri_vec c = local_centre(a, b), on_axis = {0.0, 0.0, clamp(c.z, b->size[1])};
    scri_vec d = scri_vec_sub(c, on_axis), normal = {1.0, 0.0, 0.0};
    double square = scri_vec_dot(d, d), distance = 0.0;
    if (!(square <= SCRI_NO_DIRECTION)) {
        distance = sqrt(square);
        normal = scri_vec_scale(1.0 / distance, d);
    }
    return write_local(a, b, normal, scri_vec_add_scaled(on_axis, b->size[0], normal),
                       distance - b->size[0], margin, out);
}

int scri_sphere_cylinder(const scri_solid* a, const scri_solid* b, double margin, scri_touch* out)
{
    double radius = b->size[0], half = b->size[1];
    scri_vec c = local_centre(a, b), across = {1.0, 0.0, 0.0};
    double square = c.x * c.x + c.y * c.y, rho = 0.0;
    if (!(square <= SCRI_NO_DIRECTION)) {
        rho = sqrt(square);
        across = (scri_vec){c.x / rho, c.y / rho, 0.0};
    }
    /* the rest is planar, in (rho, z): a rectangle [0, radius] x [-half, half] */
    double side = c.z < 0.0 ? -1.0 : 1.0;
    double out_across = rho - radius, out_along = fabs(c.z) - half;
    scri_vec axis = {0.0, 0.0, side};
    if (out_across <= 0.0 && out_along <= 0.0) {
        if (out_across > out_along) {
            scri_vec surface = {radius * across.x, radius * across.y, c.z};
            return write_local(a, b, across, surface, out_across, margin, out);
        }
        scri_vec surface = {c.x, c.y, side * half};
        return write_local(a, b, axis, surface, out_along, margin, out);
    }
    if (out_across <= 0.0) {
        scri_vec surface = {c.x, c.y, side * half};
        return write_local(a, b, axis, surface, out_along, margin, out);
    }
    if (out_along <= 0.0) {
        scri_vec surface = {radius * across.x, radius * across.y, c.z};
        return write_local(a, b, across, surface, out_across, margin, out);
    }
    double distance = sqrt(out_across * out_across + out_along * out_along);
    scri_vec rim = {radius * across.x, radius * across.y, side * half};
    scri_vec normal = scri_vec_scale(out_across / distance, across);
    normal.z = side * out_along / distance;
    return write_local(a, b, normal, rim, distance, margin, out);
}
