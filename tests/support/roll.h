/* A rigid body that rolls without slip on the plane z = 0, by Runge and Kutta's method: a reference
 * that shares nothing with the engine.
 *
 * With r from the centre of mass to the contact, v = -w x r, F = m (v' + g n) and the moment of
 * rolling friction against the horizontal part of w,
 *
 *     J w' + w x J w = r x F - mu_r (F . n) w_h / |w_h|,    v' = -w' x r - w x r'
 *
 * is linear in w' while r and r' follow from the rotation and w. */
#ifndef SUPPORT_ROLL_H
#define SUPPORT_ROLL_H

#include "math/vec.h"

#include <math.h>

typedef struct roll_body {
    double mass, inertia[3]; /* principal, in the axes of the body */
    double radius;           /* of the rim, or of the sphere */
    double half;             /* a cylinder's half height */
    scri_vec offset;         /* a sphere's centre, in the axes of the body */
    int is_sphere;
    double mu_r, gravity;
} roll_body;

typedef struct roll_state {
    scri_quat q;
    scri_vec x, w; /* centre of mass; spin in world axes */
} roll_state;

static const scri_vec roll_up = {0.0, 0.0, 1.0};

/* r and r'. The lowest point of the rim lies against e = n - (n . a) a from the axis a. */
static inline void roll_arm(const roll_body* b, scri_quat q, scri_vec w, scri_vec* r,
                            scri_vec* rate)
{
    if (b->is_sphere) {
        scri_vec centre = scri_quat_rotate(q, b->offset);
        *r = scri_vec_add_scaled(centre, -b->radius, roll_up);
        *rate = scri_vec_cross(w, centre);
        return;
    }
    scri_vec a = scri_quat_rotate(q, (scri_vec){0.0, 0.0, 1.0}), turn = scri_vec_cross(w, a);
    double along = a.z, side = along >= 0.0 ? -b->half : b->half;
    scri_vec e = scri_vec_add_scaled(roll_up, -along, a);
    scri_vec change = scri_vec_add_scaled(scri_vec_scale(-turn.z, a), -along, turn);
    double s = scri_vec_length(e), stretch = scri_vec_dot(e, change) / (s * s * s);
    scri_vec swing = scri_vec_add_scaled(scri_vec_scale(1.0 / s, change), -stretch, e);
    *r = scri_vec_add_scaled(scri_vec_scale(side, a), -b->radius / s, e);
    *rate = scri_vec_add_scaled(scri_vec_scale(side, turn), -b->radius, swing);
}

static inline scri_vec roll_inertia(const roll_body* b, scri_quat q, scri_vec w)
{
    scri_mat m = scri_mat_from_quat(q);
    scri_vec u = scri_mat_multiply_transposed(m, w);
    u = (scri_vec){b->inertia[0] * u.x, b->inertia[1] * u.y, b->inertia[2] * u.z};
    return scri_mat_multiply(m, u);
}

/* What the equation of motion is off by when w' is `alpha`. */
static inline scri_vec roll_residual(const roll_body* b, const roll_state* s, scri_vec alpha)
{
    scri_vec r, rate, w = s->w;
    roll_arm(b, s->q, w, &r, &rate);
    scri_vec f = scri_vec_add(scri_vec_cross(alpha, r), scri_vec_cross(w, rate));
    f = scri_vec_scale(b->mass, scri_vec_sub(scri_vec_scale(b->gravity, roll_up), f));
    scri_vec left = scri_vec_cross(w, roll_inertia(b, s->q, w));
    left = scri_vec_add(left, roll_inertia(b, s->q, alpha));
    left = scri_vec_sub(left, scri_vec_cross(r, f));
    double level = hypot(w.x, w.y);
    if (b->mu_r == 0.0 || level == 0.0) return left;
    return scri_vec_add_scaled(left, b->mu_r * f.z / level, (scri_vec){w.x, w.y, 0.0});
}

static inline scri_vec roll_acceleration(const roll_body* b, const roll_state* s)
{
    scri_vec base = roll_residual(b, s, (scri_vec){0.0, 0.0, 0.0}), column[3];
    for (int k = 0; k < 3; ++k) {
        scri_vec unit = {k == 0, k == 1, k == 2};
        column[k] = scri_vec_sub(roll_residual(b, s, unit), base);
    }
    scri_vec yz = scri_vec_cross(column[1], column[2]);
    double det = scri_vec_dot(column[0], yz);
    base = scri_vec_scale(-1.0 / det, base);
    return (scri_vec){scri_vec_dot(base, yz),
                      scri_vec_dot(column[0], scri_vec_cross(base, column[2])),
                      scri_vec_dot(column[0], scri_vec_cross(column[1], base))};
}

static inline scri_vec roll_velocity(const roll_body* b, const roll_state* s)
{
    scri_vec r, unused;
    roll_arm(b, s->q, s->w, &r, &unused);
    return scri_vec_cross(r, s->w);
}

static inline roll_state roll_rates(const roll_body* b, const roll_state* s)
{
    scri_quat w = {0.0, 0.5 * s->w.x, 0.5 * s->w.y, 0.5 * s->w.z};
    return (roll_state){scri_quat_multiply(w, s->q), roll_velocity(b, s), roll_acceleration(b, s)};
}

static inline roll_state roll_moved(const roll_state* s, double h, const roll_state* rate)
{
    roll_state out = *s;
    out.q.w += h * rate->q.w;
    out.q.x += h * rate->q.x;
    out.q.y += h * rate->q.y;
    out.q.z += h * rate->q.z;
    out.x = scri_vec_add_scaled(s->x, h, rate->x);
    out.w = scri_vec_add_scaled(s->w, h, rate->w);
    return out;
}

static inline void roll_step(const roll_body* b, double h, roll_state* s)
{
    roll_state k1 = roll_rates(b, s), at = roll_moved(s, 0.5 * h, &k1);
    roll_state k2 = roll_rates(b, &at);
    at = roll_moved(s, 0.5 * h, &k2);
    roll_state k3 = roll_rates(b, &at);
    at = roll_moved(s, h, &k3);
    roll_state k4 = roll_rates(b, &at), sum = *s;
    sum = roll_moved(&sum, h / 6.0, &k1);
    sum = roll_moved(&sum, h / 3.0, &k2);
    sum = roll_moved(&sum, h / 3.0, &k3);
    sum = roll_moved(&sum, h / 6.0, &k4);
    sum.q = scri_quat_normalize(sum.q);
    *s = sum;
}

/* The centre of mass where the body touches the plane. */
static inline double roll_height(const roll_body* b, scri_quat q)
{
    scri_vec r, unused;
    roll_arm(b, q, (scri_vec){0.0, 0.0, 0.0}, &r, &unused);
    return -r.z;
}

/* The angle between the faces of a cylinder and the plane. */
static inline double roll_tilt(scri_quat q)
{
    scri_vec a = scri_quat_rotate(q, (scri_vec){0.0, 0.0, 1.0});
    return asin(fmin(1.0, hypot(a.x, a.y)));
}

/* The spin W n + s a of a cylinder tilted about y that rolls steadily, its axis turning about the
 * vertical with the rate W: W (n x J w + m r x (n x (w x r))) = m g r x n, linear in s along y. */
static inline scri_vec roll_steady(const roll_body* b, scri_quat q, double rate)
{
    scri_vec a = scri_quat_rotate(q, (scri_vec){0.0, 0.0, 1.0}), r, unused;
    double side[2];
    roll_arm(b, q, (scri_vec){0.0, 0.0, 0.0}, &r, &unused);
    for (int k = 0; k < 2; ++k) {
        scri_vec w = k ? a : scri_vec_scale(rate, roll_up);
        scri_vec push = scri_vec_cross(roll_up, scri_vec_cross(w, r));
        scri_vec turn = scri_vec_cross(roll_up, roll_inertia(b, q, w));
        side[k] = rate * scri_vec_add_scaled(turn, b->mass, scri_vec_cross(r, push)).y;
    }
    double weight = b->mass * b->gravity * scri_vec_cross(r, roll_up).y;
    return scri_vec_add_scaled(scri_vec_scale(rate, roll_up), (weight - side[0]) / side[1], a);
}

#endif
