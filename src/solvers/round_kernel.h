/* The contact of two round bodies (or of one with a half-space): arms along the normal, inertia the
 * same about every axis. Host and device.
 *
 * Its block of W has four numbers on the diagonal (N, T, R, S) and one beside it, between sliding
 * and rolling: w_TR in rows (T1, R2), -w_TR in (T2, R1). N is coupled with nothing, so the exact
 * law is solved channel by channel, each exactly, each drawn onto its disc:
 *
 *     p_N <- max(0, p_N - y_N / w_N),     p_k <- clip(p_k - y_k / w_k, mu_k p_N).
 */
#ifndef SCRI_ROUND_KERNEL_H
#define SCRI_ROUND_KERNEL_H

#include "cones/norm_kernel.h"
#include "math/vec.h"

typedef struct scri_round_contact {
    int32_t a, b; /* bodies */
    double n[3], t1[3];
    double arm_a, arm_b;   /* arm . n of each side: minus and plus the radius */
    double w[4], inv_w[4]; /* diagonal for N, T, R, S, and its inverse */
    double w_tr;           /* coupling of T1 with R2 */
    double mu[3];          /* slide, roll, spin */
    double q[6], p[6];     /* N T1 T2 R1 R2 S */
} scri_round_contact;

/* One cache line per body, laid out as SCRI_BODY_STRIDE says. */
typedef struct scri_round_body {
    double velocity[3], spin[3];
    double inv_mass, inv_inertia;
} scri_round_body;

typedef struct scri_round_size {
    double change, impulse; /* sums of squares, weighted by the diagonal of W */
} scri_round_size;

/* Draws (x, y) onto the disc. */
SCREE_FN void scri_round_clip(double radius, double* x, double* y)
{
    double square = *x * *x + *y * *y;
    if (square <= radius * radius) return;
    double shrink = radius / sqrt(square);
    *x *= shrink;
    *y *= shrink;
}

SCREE_FN void scri_round_push(scri_round_body* body, double sign, scri_vec force, scri_vec moment)
{
    if (body->inv_mass == 0.0) return; /* workers share immovable bodies: they must not write */
    double linear = sign * body->inv_mass, angular = sign * body->inv_inertia;
    scri_vec v = scri_vec_load(body->velocity), w = scri_vec_load(body->spin);
    scri_vec_store(scri_vec_add_scaled(v, linear, force), body->velocity);
    scri_vec_store(scri_vec_add_scaled(w, angular, moment), body->spin);
}

/* One Gauss-Seidel update; bodies are kept in step with p. Immovable bodies are there too, with
 * zero inverse mass. `rolls` tells whether the rolling and spinning rows exist: a constant at each
 * call. */
SCREE_FN void scri_round_update(scri_round_contact* c, scri_round_body* bodies, const int rolls,
                                scri_round_size* size)
{
    scri_round_body *a = bodies + c->a, *b = bodies + c->b;
    scri_vec n = scri_vec_load(c->n), t1 = scri_vec_load(c->t1), t2 = scri_vec_cross(n, t1);
    scri_vec dv = scri_vec_sub(scri_vec_load(a->velocity), scri_vec_load(b->velocity));
    scri_vec wa = scri_vec_load(a->spin), wb = scri_vec_load(b->spin);
    /* w x (arm n) along t1 is (arm w) . (n x t1) = arm w . t2, along t2 it is -arm w . t1 */
    scri_vec lever = scri_vec_sub(scri_vec_scale(c->arm_a, wa), scri_vec_scale(c->arm_b, wb));
    double y_n = c->q[0] + scri_vec_dot(n, dv);
    double y_1 = c->q[1] + scri_vec_dot(t1, dv) + scri_vec_dot(t2, lever);
    double y_2 = c->q[2] + scri_vec_dot(t2, dv) - scri_vec_dot(t1, lever);
    double p_n = c->p[0] - y_n * c->inv_w[0];
    p_n = p_n > 0.0 ? p_n : 0.0;
    double x_1 = c->p[1] - y_1 * c->inv_w[1], x_2 = c->p[2] - y_2 * c->inv_w[1];
    scri_round_clip(c->mu[0] * p_n, &x_1, &x_2);
    double d_n = p_n - c->p[0], d_1 = x_1 - c->p[1], d_2 = x_2 - c->p[2];
    double change = d_n * d_n * c->w[0] + (d_1 * d_1 + d_2 * d_2) * c->w[1];
    double impulse = p_n * p_n * c->w[0] + (x_1 * x_1 + x_2 * x_2) * c->w[1];
    c->p[0] = p_n;
    c->p[1] = x_1;
    c->p[2] = x_2;
    scri_vec force = scri_vec_scale(d_n, n);
    force = scri_vec_add_scaled(scri_vec_add_scaled(force, d_1, t1), d_2, t2);
    /* arm n x force = arm (d_1 t2 - d_2 t1) */
    scri_vec twist = scri_vec_sub(scri_vec_scale(d_1, t2), scri_vec_scale(d_2, t1));
    scri_vec moment = {0.0, 0.0, 0.0};
    if (rolls) { /* with what sliding has just changed */
        scri_vec dw = scri_vec_sub(wa, wb);
        double z_1 = c->q[3] + scri_vec_dot(t1, dw) - c->w_tr * d_2;
        double z_2 = c->q[4] + scri_vec_dot(t2, dw) + c->w_tr * d_1;
        double z_s = c->q[5] + scri_vec_dot(n, dw), bound = c->mu[2] * p_n;
        double r_1 = c->p[3] - z_1 * c->inv_w[2], r_2 = c->p[4] - z_2 * c->inv_w[2];
        double r_s = c->p[5] - z_s * c->inv_w[3];
        scri_round_clip(c->mu[1] * p_n, &r_1, &r_2);
        r_s = r_s > bound ? bound : r_s < -bound ? -bound : r_s;
        double e_1 = r_1 - c->p[3], e_2 = r_2 - c->p[4], e_s = r_s - c->p[5];
        change += (e_1 * e_1 + e_2 * e_2) * c->w[2] + e_s * e_s * c->w[3];
        impulse += (r_1 * r_1 + r_2 * r_2) * c->w[2] + r_s * r_s * c->w[3];
        c->p[3] = r_1;
        c->p[4] = r_2;
        c->p[5] = r_s;
        moment = scri_vec_add_scaled(scri_vec_scale(e_1, t1), e_2, t2);
        moment = scri_vec_add_scaled(moment, e_s, n);
    }
    size->change += change;
    size->impulse += impulse;
    scri_round_push(a, 1.0, force, scri_vec_add_scaled(moment, c->arm_a, twist));
    scri_round_push(b, -1.0, force, scri_vec_add_scaled(moment, c->arm_b, twist));
}

#endif
