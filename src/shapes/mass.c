/* Mass properties of shapes and of bodies made of several. */
#include "base/env.h"
#include "math/vec.h"
#include "shapes/bounds.h"
#include "shapes/hull.h"
#include "shapes/rounded.h"

/* How far |q|^2 may be from 1. */
#define UNIT_TOLERANCE 1e-6

static scree_status check_shape(const scree_env* env, int32_t i, const scree_shape* s)
{
    const char* name = scree_shape_name((int)s->kind);
    if (!name) {
        return scri_fail(env, SCREE_ERROR_INPUT, "shape %d: unknown kind %d", (int)i, (int)s->kind);
    }
    if (s->kind == SCREE_SHAPE_HALF_SPACE || s->kind == SCREE_SHAPE_MESH) {
        return scri_fail(env, SCREE_ERROR_INPUT, "shape %d: a %s has no mass", (int)i, name);
    }
    for (int k = 0; k < scri_shape_n_sizes((int)s->kind); ++k) {
        if (s->half_size[k] > 0.0 && isfinite(s->half_size[k])) continue;
        return scri_fail(env, SCREE_ERROR_INPUT,
                         "shape %d (%s): size[%d] = %g must be positive and finite", (int)i, name,
                         k, s->half_size[k]);
    }
    if (s->kind == SCREE_SHAPE_TUBE && !(s->half_size[2] < s->half_size[0])) {
        return scri_fail(env, SCREE_ERROR_INPUT,
                         "shape %d (tube): an inner radius of %g m is not within %g m", (int)i,
                         s->half_size[2], s->half_size[0]);
    }
    if (!(s->rounding >= 0.0 && isfinite(s->rounding)) ||
        (s->rounding > 0.0 && !scri_shape_can_round(s->kind))) {
        return scri_fail(env, SCREE_ERROR_INPUT, "shape %d: a %s cannot have a rounding of %g m",
                         (int)i, name, s->rounding);
    }
    if (s->kind == SCREE_SHAPE_HULL && !s->hull) {
        return scri_fail(env, SCREE_ERROR_INPUT, "shape %d (hull): no hull is named", (int)i);
    }
    for (int k = 0; k < 3; ++k) {
        if (isfinite(s->position[k])) continue;
        return scri_fail(env, SCREE_ERROR_INPUT, "shape %d (%s): position[%d] is not finite",
                         (int)i, name, k);
    }
    const double* q = s->rotation;
    double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    if (!(fabs(square - 1.0) <= UNIT_TOLERANCE)) {
        return scri_fail(env, SCREE_ERROR_INPUT,
                         "shape %d (%s): rotation has length %g, not that of a unit quaternion",
                         (int)i, name, sqrt(square));
    }
    return SCREE_OK;
}

/* The volume of a sharp shape, and its inertia about its centre, where its origin is. */
static double sharp_volume(const scree_shape* s, double inertia[6])
{
    double r = s->half_size[0], h = s->half_size[1], volume;
    for (int k = 0; k < 6; ++k) inertia[k] = 0.0;
    switch (s->kind) {
    case SCREE_SHAPE_HULL:
        for (int k = 0; k < 6; ++k) inertia[k] = r * r * r * r * r * s->hull->view.inertia[k];
        return r * r * r * s->hull->view.volume;
    case SCREE_SHAPE_BOX: {
        double x = s->half_size[0] * s->half_size[0], y = s->half_size[1] * s->half_size[1],
               z = s->half_size[2] * s->half_size[2];
        volume = 8.0 * s->half_size[0] * s->half_size[1] * s->half_size[2];
        inertia[0] = volume / 3.0 * (y + z);
        inertia[1] = volume / 3.0 * (x + z);
        inertia[2] = volume / 3.0 * (x + y);
        return volume;
    }
    case SCREE_SHAPE_CAPSULE: {
        double tube = 2.0 * SCREE_PI * r * r * h, ball = 4.0 / 3.0 * SCREE_PI * r * r * r;
        /* the hemispheres' centres of mass lie 3/8 r beyond the ends of the axis */
        inertia[0] = inertia[1] =
            tube * (0.25 * r * r + h * h / 3.0) + ball * (0.4 * r * r + h * h + 0.75 * r * h);
        inertia[2] = (0.5 * tube + 0.4 * ball) * r * r;
        return tube + ball;
    }
    case SCREE_SHAPE_CYLINDER:
        volume = 2.0 * SCREE_PI * r * r * h;
        inertia[0] = inertia[1] = volume * (0.25 * r * r + h * h / 3.0);
        inertia[2] = 0.5 * volume * r * r;
        return volume;
    case SCREE_SHAPE_ELLIPSOID: {
        double x = s->half_size[0], y = s->half_size[1], z = s->half_size[2];
        volume = 4.0 / 3.0 * SCREE_PI * x * y * z;
        inertia[0] = 0.2 * volume * (y * y + z * z);
        inertia[1] = 0.2 * volume * (x * x + z * z);
        inertia[2] = 0.2 * volume * (x * x + y * y);
        return volume;
    }
    case SCREE_SHAPE_TUBE: {
        double outer = r * r, inner = s->half_size[2] * s->half_size[2];
        volume = 2.0 * SCREE_PI * (r - s->half_size[2]) * (r + s->half_size[2]) * h;
        inertia[0] = inertia[1] = volume * (0.25 * (outer + inner) + h * h / 3.0);
        inertia[2] = 0.5 * volume * (outer + inner);
        return volume;
    }
    case SCREE_SHAPE_CONE:
        volume = 2.0 / 3.0 * SCREE_PI * r * r * h;
        inertia[0] = inertia[1] = 0.15 * volume * (r * r + h * h);
        inertia[2] = 0.3 * volume * r * r;
        return volume;
    default:
        volume = 4.0 / 3.0 * SCREE_PI * r * r * r;
        inertia[0] = inertia[1] = inertia[2] = 0.4 * volume * r * r;
        return volume;
    }
}

static const int row[] = {0, 1, 2, 0, 0, 1}, column[] = {0, 1, 2, 1, 2, 2};

void scri_moments_to_mass(const scri_moments* m, double density, scree_mass* out)
{
    double second[6], all = 0.0;
    for (int k = 0; k < 3; ++k) out->centre[k] = m->first[k] / m->volume;
    for (int k = 0; k < 6; ++k) {
        double shift = m->first[row[k]] * out->centre[column[k]];
        second[k] = m->second[k] - shift;
        if (k < 3) all += second[k];
    }
    out->mass = density * m->volume;
    for (int k = 0; k < 6; ++k) out->inertia[k] = density * ((k < 3 ? all : 0.0) - second[k]);
}

/* Volume, and the inertia about the centre of mass in the shape's own axes for density 1, as in
 * scree_mass; the centre in the frame of the body. */
static double own_volume(const scree_shape* s, double inertia[6], double centre[3])
{
    scri_moments m;
    scree_mass own;
    for (int k = 0; k < 3; ++k) centre[k] = s->position[k];
    if (!(s->rounding > 0.0)) return sharp_volume(s, inertia);
    scri_rounded_moments(s, &m);
    scri_moments_to_mass(&m, 1.0, &own);
    for (int k = 0; k < 6; ++k) inertia[k] = own.inertia[k];
    scri_quat turn = scri_quat_normalize(scri_quat_load(s->rotation));
    scri_vec at = scri_quat_rotate(turn, scri_vec_load(own.centre));
    scri_vec_store(scri_vec_add(scri_vec_load(s->position), at), centre);
    return own.mass;
}

/* Adds R own R^T + m (|d|^2 - d d^T), d from the common centre of mass to the shape's. */
static void add_inertia(const scree_shape* s, double density, const double centre[3],
                        double inertia[6])
{
    double own[6], d[3], at[3];
    double mass = density * own_volume(s, own, at);
    scri_mat r = scri_mat_from_quat(scri_quat_normalize(scri_quat_load(s->rotation)));
    for (int k = 0; k < 3; ++k) d[k] = at[k] - centre[k];
    double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    for (int e = 0; e < 6; ++e) {
        const double *u = r.m + 3 * row[e], *v = r.m + 3 * column[e];
        double turned = u[0] * own[0] * v[0] + u[1] * own[1] * v[1] + u[2] * own[2] * v[2];
        if (s->kind == SCREE_SHAPE_HULL) { /* the axes of others are those of their inertia */
            turned += (u[0] * v[1] + u[1] * v[0]) * own[3] + (u[0] * v[2] + u[2] * v[0]) * own[4] +
                      (u[1] * v[2] + u[2] * v[1]) * own[5];
        }
        double shift = (row[e] == column[e] ? square : 0.0) - d[row[e]] * d[column[e]];
        inertia[e] += density * turned + mass * shift;
    }
}

static int all_finite(const scree_mass* m)
{
    int finite = isfinite(m->mass);
    for (int k = 0; k < 3; ++k) finite = finite && isfinite(m->centre[k]);
    for (int k = 0; k < 6; ++k) finite = finite && isfinite(m->inertia[k]);
    return finite;
}

scree_status scree_shape_mass(const scree_env* env, int32_t n, const scree_shape* shapes,
                              double density, scree_mass* out)
{
    if (!out) return scri_fail(env, SCREE_ERROR_ARGUMENT, "no place for the mass");
    *out = (scree_mass){0};
    if (n < 0 || (n > 0 && !shapes)) return scri_fail(env, SCREE_ERROR_ARGUMENT, "no shapes");
    if (n == 0) return scri_fail(env, SCREE_ERROR_INPUT, "no shapes, so no mass");
    if (!(density > 0.0 && isfinite(density))) {
        return scri_fail(env, SCREE_ERROR_INPUT, "density %g must be positive and finite", density);
    }
    scree_mass total = {0};
    for (int32_t i = 0; i < n; ++i) {
        scree_status status = check_shape(env, i, shapes + i);
        if (status) return status;
        double own[6], at[3], mass = density * own_volume(shapes + i, own, at);
        total.mass += mass;
        for (int k = 0; k < 3; ++k) total.centre[k] += mass * at[k];
    }
    for (int k = 0; k < 3; ++k) total.centre[k] /= total.mass;
    for (int32_t i = 0; i < n; ++i) add_inertia(shapes + i, density, total.centre, total.inertia);
    if (!(total.mass > 0.0 && all_finite(&total))) {
        return scri_fail(env, SCREE_ERROR_INPUT, "mass properties are out of range (mass %g)",
                         total.mass);
    }
    *out = total;
    return SCREE_OK;
}
