/* Spheres against solids other than spheres and half-spaces. All but tubes give one point, whose
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

/* The solid that a rectangle about (middle, 0) sweeps which turns about the axis z, with half
 * lengths `width` across it and half the height of b along it. */
static int touch_turned(const scri_solid* a, const scri_solid* b, double middle, double width,
                        double margin, scri_touch* out)
{
    double half = b->size[1];
    scri_vec c = local_centre(a, b), across = {1.0, 0.0, 0.0};
    double square = c.x * c.x + c.y * c.y, rho = 0.0;
    if (!(square <= SCRI_NO_DIRECTION)) {
        rho = sqrt(square);
        across = (scri_vec){c.x / rho, c.y / rho, 0.0};
    }
    /* the rest is planar, in (rho, z) */
    double side = c.z < 0.0 ? -1.0 : 1.0, outward = rho < middle ? -1.0 : 1.0;
    double out_across = fabs(rho - middle) - width, out_along = fabs(c.z) - half;
    double wall = middle + outward * width;
    scri_vec axis = {0.0, 0.0, side}, normal = scri_vec_scale(outward, across);
    scri_vec beside = {wall * across.x, wall * across.y, c.z}, above = {c.x, c.y, side * half};
    if (out_across <= 0.0 && out_along <= 0.0) {
        if (out_across > out_along) {
            return write_local(a, b, normal, beside, out_across, margin, out);
        }
        return write_local(a, b, axis, above, out_along, margin, out);
    }
    if (out_across <= 0.0) return write_local(a, b, axis, above, out_along, margin, out);
    if (out_along <= 0.0) return write_local(a, b, normal, beside, out_across, margin, out);
    double distance = sqrt(out_across * out_across + out_along * out_along);
    scri_vec rim = {wall * across.x, wall * across.y, side * half};
    normal = scri_vec_scale(out_across / distance, normal);
    normal.z = side * out_along / distance;
    return write_local(a, b, normal, rim, distance, margin, out);
}

int scri_sphere_cylinder(const scri_solid* a, const scri_solid* b, double margin, scri_touch* out)
{
    return touch_turned(a, b, 0.0, b->size[0], margin, out);
}

/* The point nearest to the sphere, feature 0. A sphere nearly as wide as the tube may touch it all
 * around, as one on the mouth of a pipe does: features 1 and 2 are the points nearest to it a third
 * of the way round to either side. */
int scri_sphere_tube(const scri_solid* a, const scri_solid* b, double margin, scri_touch* out)
{
    double outer = b->size[0], inner = b->size[2], half = b->size[1];
    int n = touch_turned(a, b, 0.5 * (outer + inner), 0.5 * (outer - inner), margin, out);
    scri_vec c = local_centre(a, b), across = {1.0, 0.0, 0.0};
    double rho = sqrt(c.x * c.x + c.y * c.y);
    if (rho * rho > SCRI_NO_DIRECTION) across = (scri_vec){c.x / rho, c.y / rho, 0.0};
    for (uint32_t k = 1; k < 3; ++k) {
        const double turn = k == 1 ? 0.86602540378443864676 : -0.86602540378443864676;
        scri_vec towards = {-0.5 * across.x - turn * across.y, turn * across.x - 0.5 * across.y,
                            0.0};
        scri_vec wall = scri_vec_scale(inner, towards); /* the centre lies on the other side */
        wall.z = clamp(c.z, half);
        scri_vec d = scri_vec_sub(c, wall);
        double distance = scri_vec_length(d);
        if (!(rho < inner && distance > 0.0)) continue;
        d = scri_vec_scale(1.0 / distance, d);
        int more = write_local(a, b, d, wall, distance, margin, out + n);
        if (more) out[n].feature = k;
        n += more;
    }
    return n;
}
