/* The contact of two round bodies (or of one with a half-space): arms along the normal, inertia the
 * same about every axis. Host and device.
 *
 * Its block of W has four numbers on the diagonal (N, T, R, S) and one beside it, between sliding
 * and rolling: w_TR in rows (T1, R2), -w_TR in (T2, R1). N is coupled with nothing, so the exact
 * law is solved channel by channel, each exactly, each drawn onto its disc:
 *
 *     p_N <- max(0, p_N - y_N / w_N),     p_k <- clip(p_k - y_k / w_k, mu_k p_N),
 *
 * but for sliding and rolling, which are coupled: unless both slip they are solved together. Where
 * friction has ellipses instead of discs, clip() draws onto those.
 */
#ifndef SCRI_ROUND_KERNEL_H
#define SCRI_ROUND_KERNEL_H

#include "cones/ellipses_kernel.h"
#include "cones/norm_kernel.h"
#include "math/vec.h"

/* Ellipses of sliding and of rolling, and the slip rates found last: with the other channel at
 * rest, and with both slipping. */
typedef struct scri_round_sets {
    scri_ellipses of[2];
    double rate[2][2];
} scri_round_sets;

typedef struct scri_round_contact {
    int32_t a, b; /* bodies */
    double n[3], t1[3];
    double arm_a, arm_b;   /* arm . n of each side: minus and plus the radius */
    double w[4], inv_w[4]; /* diagonal for N, T, R, S, and its inverse */
    double w_tr;           /* coupling of T1 with R2 */
    double stick[3];       /* inverse of the block (T1, R2): TT, minus TR, RR */
    double mu[3];          /* slide, roll, spin */
    double q[6], p[6];     /* N T1 T2 R1 R2 S */
    scri_round_sets* sets; /* NULL: discs */
} scri_round_contact;

/* One cache line per body, laid out as SCRI_BODY_STRIDE says. */
typedef struct scri_round_body {
    double velocity[3], omega[3];
    double inv_mass, inv_inertia;
} scri_round_body;

typedef struct scri_round_size {
    double change, impulse; /* sums of squares, weighted by the diagonal of W */
} scri_round_size;

/* Whether the impulse of a channel (0 sliding, 1 rolling) lies in its disc or ellipse. */
SCREE_FN int scri_round_inside(const scri_round_contact* c, int channel, double size,
                               const double* p)
{
    double square = c->sets ? scri_quadratic(c->sets->of[channel].c, p) : p[0] * p[0] + p[1] * p[1];
    return square <= size * size;
}

/* Draws it onto the disc, or onto the ellipse along the normals of the other. `both` tells whether
 * both channels slip. */
SCREE_FN void scri_round_clip(const scri_round_contact* c, int channel, int both, double size,
                              double* p)
{
    if (scri_round_inside(c, channel, size, p)) return;
    if (c->sets && size > 0.0) {
        scri_ellipses_slip(&c->sets->of[channel], size, &c->sets->rate[channel][both], p);
        return;
    }
    double shrink = size / sqrt(p[0] * p[0] + p[1] * p[1]);
    p[0] *= shrink;
    p[1] *= shrink;
}

SCREE_FN void scri_round_push(scri_round_body* body, double sign, scri_vec force, scri_vec moment)
{
    if (body->inv_mass == 0.0) return; /* workers share immovable bodies: they must not write */
    double linear = sign * body->inv_mass, angular = sign * body->inv_inertia;
    scri_vec v = scri_vec_load(body->velocity), w = scri_vec_load(body->omega);
    scri_vec_store(scri_vec_add_scaled(v, linear, force), body->velocity);
    scri_vec_store(scri_vec_add_scaled(w, angular, moment), body->omega);
}

/* Relative velocities of the six rows; those of rolling and spinning only when asked for. */
SCREE_FN void scri_round_velocity(const scri_round_contact* c, const scri_round_body* a,
                                  const scri_round_body* b, scri_vec t2, const int rolls, double* y)
{
    scri_vec n = scri_vec_load(c->n), t1 = scri_vec_load(c->t1);
    scri_vec dv = scri_vec_sub(scri_vec_load(a->velocity), scri_vec_load(b->velocity));
    scri_vec wa = scri_vec_load(a->omega), wb = scri_vec_load(b->omega);
    /* w x (arm n) along t1 is (arm w) . (n x t1) = arm w . t2, along t2 it is -arm w . t1 */
    scri_vec lever = scri_vec_sub(scri_vec_scale(c->arm_a, wa), scri_vec_scale(c->arm_b, wb));
    y[0] = c->q[0] + scri_vec_dot(n, dv);
    y[1] = c->q[1] + scri_vec_dot(t1, dv) + scri_vec_dot(t2, lever);
    y[2] = c->q[2] + scri_vec_dot(t2, dv) - scri_vec_dot(t1, lever);
    if (!rolls) return;
    scri_vec dw = scri_vec_sub(wa, wb);
    y[3] = c->q[3] + scri_vec_dot(t1, dw);
    y[4] = c->q[4] + scri_vec_dot(t2, dw);
    y[5] = c->q[5] + scri_vec_dot(n, dw);
}

/* Impulse of one of the two channels at rest under what the other, which has just been changed by
 * `change` (rotated into the rows of this one), leaves of its velocity. */
SCREE_FN void scri_round_rest(double inv_w, double coupling, const double* old, const double* y,
                              double change_1, double change_2, double* p)
{
    p[0] = old[0] - (y[0] + coupling * change_1) * inv_w;
    p[1] = old[1] - (y[1] + coupling * change_2) * inv_w;
}

/* Impulses of sliding and rolling for the normal impulse p[0]. Both stick; or one slips, drawn onto
 * its disc, and the other sticks: these are exact. Where both slip, one follows the other.
 *
 * R is coupled to T by w_TR through (T1, R2) and -w_TR through (T2, R1). With R eliminated, T has
 * the diagonal 1 / stick[0] and the velocity y_T - (w_TR / w_R) y_R; the same with T and R
 * exchanged. */
SCREE_FN void scri_round_slide_and_roll(const scri_round_contact* c, const double* y, double* p)
{
    double slide = c->mu[0] * p[0], roll = c->mu[1] * p[0], w_tr = c->w_tr;
    const double *t = c->p + 1, *r = c->p + 3;
    p[1] = t[0] - (c->stick[0] * y[1] - c->stick[1] * y[4]);
    p[2] = t[1] - (c->stick[0] * y[2] + c->stick[1] * y[3]);
    p[3] = r[0] - (c->stick[2] * y[3] + c->stick[1] * y[2]);
    p[4] = r[1] - (c->stick[2] * y[4] - c->stick[1] * y[1]);
    double both[4] = {p[1], p[2], p[3], p[4]};
    int slides = !scri_round_inside(c, 0, slide, p + 1);
    int rolls = !scri_round_inside(c, 1, roll, p + 3);
    if (!slides && !rolls) return;
    if (slides) {
        scri_round_clip(c, 0, 0, slide, p + 1);
        scri_round_rest(c->inv_w[2], w_tr, r, y + 3, -(p[2] - t[1]), p[1] - t[0], p + 3);
        if (scri_round_inside(c, 1, roll, p + 3)) return;
    }
    if (rolls) {
        p[3] = both[2];
        p[4] = both[3];
        scri_round_clip(c, 1, 0, roll, p + 3);
        scri_round_rest(c->inv_w[1], w_tr, t, y + 1, p[4] - r[1], -(p[3] - r[0]), p + 1);
        if (scri_round_inside(c, 0, slide, p + 1)) return;
    }
    scri_round_rest(c->inv_w[1], 0.0, t, y + 1, 0.0, 0.0, p + 1);
    scri_round_clip(c, 0, 1, slide, p + 1);
    scri_round_rest(c->inv_w[2], w_tr, r, y + 3, -(p[2] - t[1]), p[1] - t[0], p + 3);
    scri_round_clip(c, 1, 1, roll, p + 3);
}

/* One Gauss-Seidel update; bodies are kept in step with p. Immovable bodies are there too, with
 * zero inverse mass. `rolls` tells whether the rolling and spinning rows exist: a constant at each
 * call. */
SCREE_FN void scri_round_update(scri_round_contact* c, scri_round_body* bodies, const int rolls,
                                scri_round_size* size)
{
    scri_round_body *a = bodies + c->a, *b = bodies + c->b;
    scri_vec n = scri_vec_load(c->n), t1 = scri_vec_load(c->t1), t2 = scri_vec_cross(n, t1);
    double y[6], p[6], d[6];
    scri_round_velocity(c, a, b, t2, rolls, y);
    p[0] = c->p[0] - y[0] * c->inv_w[0];
    p[0] = p[0] > 0.0 ? p[0] : 0.0;
    if (rolls) {
        double bound = c->mu[2] * p[0], spin = c->p[5] - y[5] * c->inv_w[3];
        scri_round_slide_and_roll(c, y, p);
        p[5] = spin > bound ? bound : spin < -bound ? -bound : spin;
    } else {
        p[1] = c->p[1] - y[1] * c->inv_w[1];
        p[2] = c->p[2] - y[2] * c->inv_w[1];
        scri_round_clip(c, 0, 0, c->mu[0] * p[0], p + 1);
    }
    for (int i = 0; i < (rolls ? 6 : 3); ++i) {
        d[i] = p[i] - c->p[i];
        c->p[i] = p[i];
    }
    size->change += d[0] * d[0] * c->w[0] + (d[1] * d[1] + d[2] * d[2]) * c->w[1];
    size->impulse += p[0] * p[0] * c->w[0] + (p[1] * p[1] + p[2] * p[2]) * c->w[1];
    scri_vec force = scri_vec_scale(d[0], n);
    force = scri_vec_add_scaled(scri_vec_add_scaled(force, d[1], t1), d[2], t2);
    /* arm n x force = arm (d_1 t2 - d_2 t1) */
    scri_vec twist = scri_vec_sub(scri_vec_scale(d[1], t2), scri_vec_scale(d[2], t1));
    scri_vec moment = {0.0, 0.0, 0.0};
    if (rolls) {
        size->change += (d[3] * d[3] + d[4] * d[4]) * c->w[2] + d[5] * d[5] * c->w[3];
        size->impulse += (p[3] * p[3] + p[4] * p[4]) * c->w[2] + p[5] * p[5] * c->w[3];
        moment = scri_vec_add_scaled(scri_vec_scale(d[3], t1), d[4], t2);
        moment = scri_vec_add_scaled(moment, d[5], n);
    }
    scri_round_push(a, 1.0, force, scri_vec_add_scaled(moment, c->arm_a, twist));
    scri_round_push(b, -1.0, force, scri_vec_add_scaled(moment, c->arm_b, twist));
}

#endif
