/* Vectors of three, quaternions (w, x, y, z) and rotation matrices (row-major), inline. */
#ifndef SCRI_VEC_H
#define SCRI_VEC_H

#include "base/compiler.h"

#include <math.h>

typedef struct scri_vec {
    double x, y, z;
} scri_vec;

typedef struct scri_quat {
    double w, x, y, z;
} scri_quat;

typedef struct scri_mat {
    double m[9]; /* row-major */
} scri_mat;

SCREE_FN scri_vec scri_vec_load(const double* p)
{
    return SCRI_OF(scri_vec, p[0], p[1], p[2]);
}

SCREE_FN void scri_vec_store(scri_vec a, double* p)
{
    p[0] = a.x;
    p[1] = a.y;
    p[2] = a.z;
}

SCREE_FN scri_vec scri_vec_add(scri_vec a, scri_vec b)
{
    return SCRI_OF(scri_vec, a.x + b.x, a.y + b.y, a.z + b.z);
}

SCREE_FN scri_vec scri_vec_sub(scri_vec a, scri_vec b)
{
    return SCRI_OF(scri_vec, a.x - b.x, a.y - b.y, a.z - b.z);
}

SCREE_FN scri_vec scri_vec_scale(double s, scri_vec a)
{
    return SCRI_OF(scri_vec, s * a.x, s * a.y, s * a.z);
}

/* a + s b */
SCREE_FN scri_vec scri_vec_add_scaled(scri_vec a, double s, scri_vec b)
{
    return SCRI_OF(scri_vec, a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

SCREE_FN double scri_vec_dot(scri_vec a, scri_vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

SCREE_FN scri_vec scri_vec_cross(scri_vec a, scri_vec b)
{
    return SCRI_OF(scri_vec, a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

/* Of two numbers at right angles. hypot() of C libraries takes fused products where the processor
 * has them: its last digit would be the machine's. */
SCREE_FN double scri_hypotenuse(double x, double y)
{
    return sqrt(x * x + y * y);
}

SCREE_FN double scri_vec_length(scri_vec a)
{
    return sqrt(scri_vec_dot(a, a));
}

SCREE_FN scri_quat scri_quat_load(const double* p)
{
    return SCRI_OF(scri_quat, p[0], p[1], p[2], p[3]);
}

SCREE_FN void scri_quat_store(scri_quat q, double* p)
{
    p[0] = q.w;
    p[1] = q.x;
    p[2] = q.y;
    p[3] = q.z;
}

SCREE_FN scri_quat scri_quat_multiply(scri_quat a, scri_quat b)
{
    return SCRI_OF(scri_quat, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
                   a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                   a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                   a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, );
}

SCREE_FN scri_quat scri_quat_normalize(scri_quat q)
{
    double s = 1.0 / sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    return SCRI_OF(scri_quat, s * q.w, s * q.x, s * q.y, s * q.z);
}

/* Columns are the turned axes. */
SCREE_FN scri_mat scri_mat_from_quat(scri_quat q)
{
    double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z, xy = q.x * q.y, xz = q.x * q.z;
    double yz = q.y * q.z, wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    return SCRI_OF(scri_mat, {1.0 - 2.0 * (yy + zz), 2.0 * (xy - wz), 2.0 * (xz + wy),
                              2.0 * (xy + wz), 1.0 - 2.0 * (xx + zz), 2.0 * (yz - wx),
                              2.0 * (xz - wy), 2.0 * (yz + wx), 1.0 - 2.0 * (xx + yy)});
}

SCREE_FN scri_vec scri_mat_multiply(scri_mat r, scri_vec a)
{
    return SCRI_OF(scri_vec, r.m[0] * a.x + r.m[1] * a.y + r.m[2] * a.z,
                   r.m[3] * a.x + r.m[4] * a.y + r.m[5] * a.z,
                   r.m[6] * a.x + r.m[7] * a.y + r.m[8] * a.z);
}

/* Transposed, hence the inverse rotation. */
SCREE_FN scri_vec scri_mat_multiply_transposed(scri_mat r, scri_vec a)
{
    return SCRI_OF(scri_vec, r.m[0] * a.x + r.m[3] * a.y + r.m[6] * a.z,
                   r.m[1] * a.x + r.m[4] * a.y + r.m[7] * a.z,
                   r.m[2] * a.x + r.m[5] * a.y + r.m[8] * a.z);
}

SCREE_FN scri_vec scri_quat_rotate(scri_quat q, scri_vec a)
{
    return scri_mat_multiply(scri_mat_from_quat(q), a);
}

/* The rotation by the vector `turn` (angle = its length): the exponential map. */
SCREE_FN scri_quat scri_quat_exp(scri_vec turn)
{
    double angle = scri_vec_length(turn);
    /* sin(a/2)/a, by its series where the quotient would lose digits */
    double s = angle > 1e-4 ? sin(0.5 * angle) / angle : 0.5 - angle * angle / 48.0;
    return SCRI_OF(scri_quat, cos(0.5 * angle), s * turn.x, s * turn.y, s * turn.z);
}

/* t1 and t2 that make (n, t1, t2) right-handed and orthonormal; t1 is the projection of the
 * coordinate axis that lies farthest from n, so it depends on n alone. */
SCREE_FN void scri_vec_tangents(scri_vec n, scri_vec* t1, scri_vec* t2)
{
    double x = fabs(n.x), y = fabs(n.y), z = fabs(n.z);
    scri_vec axis = x <= y && x <= z ? SCRI_OF(scri_vec, 1.0, 0.0, 0.0)
                    : y <= z         ? SCRI_OF(scri_vec, 0.0, 1.0, 0.0)
                                     : SCRI_OF(scri_vec, 0.0, 0.0, 1.0);
    scri_vec t = scri_vec_add_scaled(axis, -scri_vec_dot(axis, n), n);
    *t1 = scri_vec_scale(1.0 / scri_vec_length(t), t);
    *t2 = scri_vec_cross(n, *t1);
}

#endif
