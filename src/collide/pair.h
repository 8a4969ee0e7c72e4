/* What the files of the narrow phase share: placed solids, one function per pair of kinds. */
#ifndef SCRI_PAIR_H
#define SCRI_PAIR_H

#include "collide/collide.h"

typedef struct scri_solid {
    const double* size;
    double rounding; /* radius of the ball added to what `size` says */
    const scree_hull* hull;
    const scree_mesh* mesh;
    scri_vec centre;
    scri_mat axes;                              /* columns are the shape's axes in the world */
    const double *mass_centre, *force, *torque; /* of its body; NULL: not known */
} scri_solid;

/* Points at most `margin` apart, normals from b to a; a and b of `out` are left to the caller. */
typedef int scri_pair_function(const scri_solid* a, const scri_solid* b, double margin,
                               scri_touch* out);

scri_pair_function scri_sphere_box, scri_sphere_capsule, scri_sphere_cylinder, scri_sphere_tube;
scri_pair_function scri_box_plane, scri_capsule_plane, scri_cylinder_plane, scri_hull_plane;
scri_pair_function scri_ellipsoid_plane, scri_cone_plane;
scri_pair_function scri_box_box, scri_capsule_capsule, scri_capsule_box;

/* Squared lengths below this have lost digits to underflow and give no direction. NaN must not
 * count as one of these: it goes on to the gap, which then is within no margin. */
#define SCRI_NO_DIRECTION 1e-290

SCREE_FN scri_solid scri_solid_load(const scri_placed* shapes, int32_t i)
{
    scri_quat turn = scri_quat_normalize(scri_quat_load(shapes->rotation + 4 * (size_t)i));
    scri_solid out = {.size = shapes->size + 3 * (size_t)i,
                      .rounding = scri_placed_rounding(shapes, i),
                      .hull = shapes->hull ? shapes->hull[i] : NULL,
                      .mesh = shapes->mesh ? shapes->mesh[i] : NULL,
                      .centre = scri_vec_load(shapes->position + 3 * (size_t)i),
                      .axes = scri_mat_from_quat(turn)};
    if (shapes->force) {
        size_t body = (size_t)shapes->body[i];
        out.mass_centre = shapes->centre + 3 * body;
        out.force = shapes->force + 3 * body;
        out.torque = shapes->torque + 3 * body;
    }
    return out;
}

/* Where the forces on the body of s press it on the plane through x with the normal n, towards it:
 * a reaction there would balance them, (p - c) x F = T. 0 when they do not press. */
SCREE_FN int scri_solid_presses(const scri_solid* s, scri_vec n, scri_vec x, scri_vec* p)
{
    if (!s->force) return 0;
    scri_vec c = scri_vec_load(s->mass_centre), force = scri_vec_load(s->force);
    double along = scri_vec_dot(n, force), height = scri_vec_dot(n, scri_vec_sub(c, x));
    if (!(along < 0.0)) return 0;
    scri_vec turn = scri_vec_cross(n, scri_vec_load(s->torque));
    scri_vec off = scri_vec_add_scaled(turn, -height, force);
    *p = scri_vec_add_scaled(c, 1.0 / along, off);
    return 1;
}

SCREE_FN scri_vec scri_mat_column(scri_mat r, int k)
{
    return (scri_vec){r.m[k], r.m[3 + k], r.m[6 + k]};
}

/* ---- rims of discs: as many points are fixed on them ---- */

enum { SCRI_RIM = 8 };

/* Of the unit circle, in turn. */
SCREE_FN scri_vec scri_rim_point(uint32_t k)
{
    const double h = 0.70710678118654752440;
    const double x[] = {1.0, h, 0.0, -h, -1.0, -h, 0.0, h},
                 y[] = {0.0, h, 1.0, h, 0.0, -h, -1.0, -h};
    return (scri_vec){x[k], y[k], 0.0};
}

/* The point of the unit circle towards p, in the frame of the disc; 0 when p lies so close to the
 * axis that any polygon of fixed points holds it. */
SCREE_FN int scri_rim_towards(scri_vec p, double radius, scri_vec* at)
{
    double rho = sqrt(p.x * p.x + p.y * p.y);
    if (!(rho > 0.1 * radius)) return 0;
    *at = (scri_vec){p.x / rho, p.y / rho, 0.0};
    return 1;
}

/* One point, given the surface of b below it; 0 when it is farther than the margin, or NaN. */
SCREE_FN int scri_touch_write(scri_vec normal, scri_vec on_b, double gap, double margin,
                              scri_touch* out)
{
    if (!(gap <= margin)) return 0;
    out->gap = gap;
    out->feature = 0;
    scri_vec_store(scri_vec_add_scaled(on_b, 0.5 * gap, normal), out->point);
    scri_vec_store(normal, out->normal);
    return 1;
}

SCREE_FN int scri_touch_spheres(scri_vec a, double radius_a, scri_vec b, double radius_b,
                                double margin, scri_touch* out)
{
    scri_vec d = scri_vec_sub(a, b), normal = {0.0, 0.0, 1.0};
    double square = scri_vec_dot(d, d), distance = 0.0;
    if (!(square <= SCRI_NO_DIRECTION)) {
        distance = sqrt(square);
        normal = scri_vec_scale(1.0 / distance, d);
    }
    return scri_touch_write(normal, scri_vec_add_scaled(b, radius_b, normal),
                            distance - (radius_a + radius_b), margin, out);
}

/* `b` is any point of the plane, `normal` points out of the half-space. */
SCREE_FN int scri_touch_sphere_plane(scri_vec a, double radius, scri_vec b, scri_vec normal,
                                     double margin, scri_touch* out)
{
    double height = scri_vec_dot(normal, scri_vec_sub(a, b));
    return scri_touch_write(normal, scri_vec_add_scaled(a, -height, normal), height - radius,
                            margin, out);
}

/* Whether the two may collide at all. */
SCREE_FN int scri_pair_allowed(const scri_placed* s, int32_t a, int32_t b)
{
    return s->body[a] != s->body[b] && (s->responds[a] || s->responds[b]) &&
           (s->category[a] & s->collides[b]) && (s->category[b] & s->collides[a]);
}

#endif
