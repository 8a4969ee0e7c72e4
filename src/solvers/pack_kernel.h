/* The kernel of round_kernel.h for four contacts of one colour at once, in single precision: the
 * same formulas, with cases chosen lane by lane. Contacts of a pack share no movable body. With
 * SCRI_LANES 8 (see math/wide.h) it takes the contacts of two packs at once. */
#ifndef SCRI_PACK_KERNEL_H
#define SCRI_PACK_KERNEL_H

#include "math/wide.h"

typedef struct scri_pack_vec {
    scri_wide x, y, z;
} scri_pack_vec;

typedef struct scri_pack {
    int32_t a[SCRI_LANES],
        b[SCRI_LANES]; /* bodies; a lane without contact has the last one twice */
    scri_pack_vec n, t1;
    scri_wide arm_a, arm_b;
    scri_wide w[4], inv_w[4]; /* N, T, R, S */
    scri_wide w_tr, stick[3], mu[3];
    scri_wide q[6], p[6]; /* N T1 T2 R1 R2 S */
} scri_pack;

/* What a pack has behind its bodies, in vectors; the last six are p. */
enum { SCRI_PACK_VECTORS = 35, SCRI_PACK_P = 29 };

/* Half a cache line: velocity, angular velocity, inverse mass and inertia. */
typedef struct scri_pack_body {
    float line[8];
} scri_pack_body;

/* The four bodies of one side. */
typedef struct scri_pack_side {
    scri_pack_vec v, w;
    scri_wide inv_mass, inv_inertia;
} scri_pack_side;

SCREE_FN scri_wide scri_pack_dot(scri_pack_vec a, scri_pack_vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

SCREE_FN scri_pack_vec scri_pack_cross(scri_pack_vec a, scri_pack_vec b)
{
    return SCRI_OF(scri_pack_vec, a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z,
                   a.x * b.y - a.y * b.x);
}

SCREE_FN scri_pack_vec scri_pack_sub(scri_pack_vec a, scri_pack_vec b)
{
    return SCRI_OF(scri_pack_vec, a.x - b.x, a.y - b.y, a.z - b.z);
}

SCREE_FN scri_pack_vec scri_pack_scale(scri_wide s, scri_pack_vec a)
{
    return SCRI_OF(scri_pack_vec, s * a.x, s * a.y, s * a.z);
}

/* a + s b */
SCREE_FN scri_pack_vec scri_pack_add(scri_pack_vec a, scri_wide s, scri_pack_vec b)
{
    return SCRI_OF(scri_pack_vec, a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

#if SCRI_LANES == 8

SCREE_FN scri_pack_side scri_pack_gather(const scri_pack_body* bodies, const int32_t* index)
{
    scri_wide x[8];
    for (int i = 0; i < 8; ++i) x[i] = scri_wide_load(bodies[index[i]].line);
    scri_wide_transpose(x);
    return SCRI_OF(scri_pack_side, {x[0], x[1], x[2]}, {x[3], x[4], x[5]}, x[6], x[7]);
}

/* Workers share immovable bodies: those are not written. */
SCREE_FN void scri_pack_scatter(scri_pack_body* bodies, const int32_t* index, scri_pack_side s)
{
    scri_wide x[8] = {s.v.x, s.v.y, s.v.z, s.w.x, s.w.y, s.w.z, s.inv_mass, s.inv_inertia};
    scri_wide_transpose(x);
    for (int i = 0; i < 8; ++i) {
        if (x[i][6] != 0.0f) scri_wide_store(x[i], bodies[index[i]].line);
    }
}

#else

SCREE_FN scri_pack_side scri_pack_gather(const scri_pack_body* bodies, const int32_t* index)
{
    scri_wide low[SCRI_LANES], high[SCRI_LANES];
    for (int i = 0; i < SCRI_LANES; ++i) {
        low[i] = scri_wide_load(bodies[index[i]].line);
        high[i] = scri_wide_load(bodies[index[i]].line + 4);
    }
    scri_wide_transpose(&low[0], &low[1], &low[2], &low[3]);
    scri_wide_transpose(&high[0], &high[1], &high[2], &high[3]);
    return SCRI_OF(scri_pack_side, {low[0], low[1], low[2]}, {low[3], high[0], high[1]}, high[2],
                   high[3]);
}

/* Workers share immovable bodies: those are not written. */
SCREE_FN void scri_pack_scatter(scri_pack_body* bodies, const int32_t* index, scri_pack_side s)
{
    scri_wide low[SCRI_LANES] = {s.v.x, s.v.y, s.v.z, s.w.x};
    scri_wide high[SCRI_LANES] = {s.w.y, s.w.z, s.inv_mass, s.inv_inertia};
    scri_wide_transpose(&low[0], &low[1], &low[2], &low[3]);
    scri_wide_transpose(&high[0], &high[1], &high[2], &high[3]);
    for (int i = 0; i < SCRI_LANES; ++i) {
        if (s.inv_mass[i] == 0.0f) continue;
        scri_wide_store(low[i], bodies[index[i]].line);
        scri_wide_store(high[i], bodies[index[i]].line + 4);
    }
}

#endif

/* As scri_ellipses, lane by lane; lanes with discs have the identity. */
typedef struct scri_pack_ellipses {
    scri_wide c[3], d[3];
    scri_wide lambda[2]; /* with the other channel at rest, and with both slipping */
} scri_pack_ellipses;

SCREE_FN scri_wide scri_pack_square(const scri_pack_ellipses* e, scri_wide x, scri_wide y)
{
    if (!e) return x * x + y * y;
    return e->c[0] * x * x + (e->c[1] + e->c[1]) * x * y + e->c[2] * y * y;
}

SCREE_FN scri_wide_mask scri_pack_outside(const scri_pack_ellipses* e, scri_wide size, scri_wide x,
                                          scri_wide y)
{
    return scri_pack_square(e, x, y) > size * size;
}

/* As scri_ellipses_slip(), with a single Newton step from the lambda of the sweep before: it goes
 * on in the next sweep, from where this one ends. n_0 is |(x, y)|^2 in the norm of c. */
SCREE_FN void scri_pack_slip(const scri_pack_ellipses* e, scri_wide size, scri_wide n_0,
                             scri_wide* lambda, scri_wide* x, scri_wide* y)
{
    const scri_wide *c = e->c, *d = e->d, zero = scri_wide_all(0.0f);
    scri_wide one = scri_wide_all(1.0f), l = *lambda;
    scri_wide a_x = d[2] * *x - d[1] * *y, a_y = d[0] * *y - d[1] * *x;
    scri_wide n_2 = scri_pack_square(e, a_x, a_y);
    scri_wide trace = d[0] + d[2], det = d[0] * d[2] - d[1] * d[1];
    scri_wide n_1 = (c[0] * *x + c[1] * *y) * a_x + (c[1] * *x + c[2] * *y) * a_y;
    scri_wide n = n_0 + l * (n_1 + n_1 + l * n_2), volume = one + l * (trace + l * det);
    scri_wide slope = (trace + (l + l) * det) * n - volume * (n_1 + l * n_2);
    l -= (size * volume - scri_wide_sqrt(n)) * n / (size * slope);
    l = scri_wide_select(l > zero, l, zero);
    scri_wide shrink = size / scri_wide_sqrt(n_0 + l * (n_1 + n_1 + l * n_2));
    *lambda = l;
    *x = (*x + l * a_x) * shrink;
    *y = (*y + l * a_y) * shrink;
}

/* Draws (x, y) onto the disc, or in the lanes of `where` onto the ellipse, where it lies outside;
 * `both` tells whether both channels slip. */
SCREE_FN void scri_pack_clip(scri_pack_ellipses* e, const int both, scri_wide_mask where,
                             scri_wide size, scri_wide* x, scri_wide* y)
{
    scri_wide square = scri_pack_square(e, *x, *y), one = scri_wide_all(1.0f);
    scri_wide zero = scri_wide_all(0.0f);
    scri_wide_mask outside = square > size * size;
    if (e) {
        outside &= where;
        if (!scri_wide_any(outside)) return;
        scri_wide_mask slips = outside & (size > zero);
        scri_wide lambda = scri_wide_select(slips, e->lambda[both], zero);
        scri_wide u = scri_wide_select(slips, *x, one), v = scri_wide_select(slips, *y, zero);
        scri_wide most = scri_wide_select(slips, size, one);
        scri_pack_slip(e, most, scri_wide_select(slips, square, e->c[0]), &lambda, &u, &v);
        e->lambda[both] = scri_wide_select(slips, lambda, e->lambda[both]);
        *x = scri_wide_select(slips, u, scri_wide_select(outside, zero, *x));
        *y = scri_wide_select(slips, v, scri_wide_select(outside, zero, *y));
        return;
    }
    scri_wide length = scri_wide_sqrt(scri_wide_select(outside, square, one));
    scri_wide shrink = scri_wide_select(outside, size / length, one);
    *x *= shrink;
    *y *= shrink;
}

/* As scri_round_slide_and_roll(). */
SCREE_FN void scri_pack_slide_and_roll(const scri_pack* c, scri_pack_ellipses* sets,
                                       const scri_wide* y, scri_wide* p)
{
    scri_pack_ellipses *in_slide = sets, *in_roll = sets ? sets + 1 : NULL;
    scri_wide slide = c->mu[0] * p[0], roll = c->mu[1] * p[0];
    const scri_wide *t = c->p + 1, *r = c->p + 3;
    p[1] = t[0] - (c->stick[0] * y[1] - c->stick[1] * y[4]);
    p[2] = t[1] - (c->stick[0] * y[2] + c->stick[1] * y[3]);
    p[3] = r[0] - (c->stick[2] * y[3] + c->stick[1] * y[2]);
    p[4] = r[1] - (c->stick[2] * y[4] - c->stick[1] * y[1]);
    scri_wide_mask slides = scri_pack_outside(in_slide, slide, p[1], p[2]);
    scri_wide_mask rolls = scri_pack_outside(in_roll, roll, p[3], p[4]);
    scri_wide_mask open = slides | rolls; /* lanes that are not settled yet */
    if (!scri_wide_any(open)) return;
    /* sliding drawn onto its disc, rolling at rest */
    scri_wide b[4] = {p[1], p[2], p[3], p[4]};
    scri_pack_clip(in_slide, 0, open, slide, &b[0], &b[1]);
    b[2] = r[0] - (y[3] - c->w_tr * (b[1] - t[1])) * c->inv_w[2];
    b[3] = r[1] - (y[4] + c->w_tr * (b[0] - t[0])) * c->inv_w[2];
    scri_wide_mask good = open & slides & ~scri_pack_outside(in_roll, roll, b[2], b[3]);
    scri_wide d[4] = {p[1], p[2], p[3], p[4]};
    for (int i = 0; i < 4; ++i) p[1 + i] = scri_wide_select(good, b[i], p[1 + i]);
    open &= ~good;
    if (!scri_wide_any(open)) return;
    /* rolling drawn onto its disc, sliding at rest */
    scri_pack_clip(in_roll, 0, open, roll, &d[2], &d[3]);
    d[0] = t[0] - (y[1] + c->w_tr * (d[3] - r[1])) * c->inv_w[1];
    d[1] = t[1] - (y[2] - c->w_tr * (d[2] - r[0])) * c->inv_w[1];
    good = open & rolls & ~scri_pack_outside(in_slide, slide, d[0], d[1]);
    for (int i = 0; i < 4; ++i) p[1 + i] = scri_wide_select(good, d[i], p[1 + i]);
    open &= ~good;
    if (!scri_wide_any(open)) return;
    /* one after the other */
    b[0] = t[0] - y[1] * c->inv_w[1];
    b[1] = t[1] - y[2] * c->inv_w[1];
    scri_pack_clip(in_slide, 1, open, slide, &b[0], &b[1]);
    b[2] = r[0] - (y[3] - c->w_tr * (b[1] - t[1])) * c->inv_w[2];
    b[3] = r[1] - (y[4] + c->w_tr * (b[0] - t[0])) * c->inv_w[2];
    scri_pack_clip(in_roll, 1, open, roll, &b[2], &b[3]);
    for (int i = 0; i < 4; ++i) p[1 + i] = scri_wide_select(open, b[i], p[1 + i]);
}

/* One update of four contacts. sets[2] are the ellipses of sliding and rolling; NULL, a constant at
 * each call: discs. `change` and `impulse` grow by what scri_round_size holds. */
SCREE_FN void scri_pack_update(scri_pack* c, scri_pack_ellipses* sets, scri_pack_body* bodies,
                               scri_wide* change, scri_wide* impulse)
{
    scri_pack_side a = scri_pack_gather(bodies, c->a), b = scri_pack_gather(bodies, c->b);
    scri_pack_vec t2 = scri_pack_cross(c->n, c->t1), dv = scri_pack_sub(a.v, b.v);
    scri_pack_vec dw = scri_pack_sub(a.w, b.w);
    scri_pack_vec lever = scri_pack_add(scri_pack_scale(c->arm_a, a.w), -c->arm_b, b.w);
    scri_wide zero = scri_wide_all(0.0f), p[6], d[6],
              y[6] = {
                  c->q[0] + scri_pack_dot(c->n, dv),
                  c->q[1] + scri_pack_dot(c->t1, dv) + scri_pack_dot(t2, lever),
                  c->q[2] + scri_pack_dot(t2, dv) - scri_pack_dot(c->t1, lever),
                  c->q[3] + scri_pack_dot(c->t1, dw),
                  c->q[4] + scri_pack_dot(t2, dw),
                  c->q[5] + scri_pack_dot(c->n, dw),
              };
    p[0] = c->p[0] - y[0] * c->inv_w[0];
    p[0] = scri_wide_select(p[0] > zero, p[0], zero);
    scri_pack_slide_and_roll(c, sets, y, p);
    scri_wide bound = c->mu[2] * p[0];
    p[5] = c->p[5] - y[5] * c->inv_w[3];
    p[5] = scri_wide_select(p[5] > bound, bound, p[5]);
    p[5] = scri_wide_select(p[5] < -bound, -bound, p[5]);
    for (int i = 0; i < 6; ++i) {
        d[i] = p[i] - c->p[i];
        c->p[i] = p[i];
    }
    *change += d[0] * d[0] * c->w[0] + (d[1] * d[1] + d[2] * d[2]) * c->w[1] +
               (d[3] * d[3] + d[4] * d[4]) * c->w[2] + d[5] * d[5] * c->w[3];
    *impulse += p[0] * p[0] * c->w[0] + (p[1] * p[1] + p[2] * p[2]) * c->w[1] +
                (p[3] * p[3] + p[4] * p[4]) * c->w[2] + p[5] * p[5] * c->w[3];
    scri_pack_vec force = scri_pack_add(scri_pack_scale(d[0], c->n), d[1], c->t1);
    force = scri_pack_add(force, d[2], t2);
    scri_pack_vec twist = scri_pack_add(scri_pack_scale(d[1], t2), -d[2], c->t1);
    scri_pack_vec moment = scri_pack_add(scri_pack_scale(d[3], c->t1), d[4], t2);
    moment = scri_pack_add(moment, d[5], c->n);
    a.v = scri_pack_add(a.v, a.inv_mass, force);
    a.w = scri_pack_add(a.w, a.inv_inertia, scri_pack_add(moment, c->arm_a, twist));
    b.v = scri_pack_add(b.v, -b.inv_mass, force);
    b.w = scri_pack_add(b.w, -b.inv_inertia, scri_pack_add(moment, c->arm_b, twist));
    scri_pack_scatter(bodies, c->a, a);
    scri_pack_scatter(bodies, c->b, b);
}

#endif
