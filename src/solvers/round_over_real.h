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
 * friction has ellipses instead of discs, these are what is drawn onto. The convex law has another
 * p_N: round_convex_over_real.h.
 *
 * Written once, over a real number that the file which includes this one says: a double
 * (round_kernel.h) or as many floats as a vector has (pack_kernel.h), one contact in each. Cases
 * are chosen by masks, number by number; a case that none has is left out. That file defines
 *
 *     SCRI_REAL, SCRI_REAL_LANES    the type of a real and how many numbers it is
 *     SCRI_LANE(name)               type `mask`; all, sqrt, select, any, as math/wide.h has them
 *     SCRI_ROUND(name)              prefixes what is defined here
 *
 * and, behind this one, SCRI_ROUND(slip)(). */
typedef struct SCRI_ROUND(vec) {
    SCRI_REAL x, y, z;
} SCRI_ROUND(vec);

/* Everything behind the bodies is SCRI_ROUND_REALS reals in a row; p begins at SCRI_ROUND_P. */
#define SCRI_ROUND_REALS 27
#define SCRI_ROUND_P 21

/* Kinds of contacts: whether rolling and spinning rows exist, and whether the law is the convex
 * one, which has discs alone. */
#define SCRI_ROUND_ROLLS 1
#define SCRI_ROUND_LIFTS 2
#define SCRI_ROUND_KIND(rolls, convex) \
    (((rolls) ? SCRI_ROUND_ROLLS : 0) | ((convex) ? SCRI_ROUND_LIFTS : 0))

typedef struct SCRI_ROUND(contact) {
    int32_t a[SCRI_REAL_LANES], b[SCRI_REAL_LANES]; /* bodies */
    SCRI_ROUND(vec) n, t1;
    SCRI_REAL arm_a, arm_b; /* arm . n of each side: minus and plus the radius */
    SCRI_REAL inv_w[3];     /* inverse of the diagonal for N, T, and for R and S */
    SCRI_REAL inv_det;      /* of the block (T1, R2) */
    SCRI_REAL mu[3];        /* slide, roll, spin */
    SCRI_REAL q[6], p[6];   /* N T1 T2 R1 R2 S */
} SCRI_ROUND(contact);

/* What follows from a contact and its bodies, and is found again at every update: less work than
 * reading it would be. */
typedef struct SCRI_ROUND(w_block) {
    SCRI_REAL w[3];     /* diagonal for N, T, and for R and S */
    SCRI_REAL w_tr;     /* coupling of T1 with R2 */
    SCRI_REAL stick[3]; /* inverse of the block (T1, R2): TT, minus TR, RR */
} SCRI_ROUND(w_block);

/* Ellipses of a channel as in cones/ellipses_kernel.h, and the slip rates found last: with the
 * other channel at rest, and with both slipping. */
typedef struct SCRI_ROUND(ellipses) {
    SCRI_REAL c[3], d[3], lambda[2];
} SCRI_ROUND(ellipses);

/* The body on one side. */
typedef struct SCRI_ROUND(side) {
    SCRI_ROUND(vec) v, w;
    SCRI_REAL inv_mass, inv_inertia;
} SCRI_ROUND(side);

/* The inverse of the block (T1, R2) by that of its determinant, which the contact keeps. */
SCREE_FN SCRI_ROUND(w_block)
    SCRI_ROUND(w_block_of)(const SCRI_ROUND(contact) * c, const SCRI_ROUND(side) * a,
                           const SCRI_ROUND(side) * b)
{
    SCRI_ROUND(w_block) k;
    SCRI_REAL by_a = c->arm_a * a->inv_inertia, by_b = c->arm_b * b->inv_inertia;
    k.w[0] = a->inv_mass + b->inv_mass;
    k.w[1] = k.w[0] + c->arm_a * by_a + c->arm_b * by_b;
    k.w[2] = a->inv_inertia + b->inv_inertia;
    k.w_tr = by_a + by_b;
    k.stick[0] = k.w[2] * c->inv_det;
    k.stick[1] = k.w_tr * c->inv_det;
    k.stick[2] = k.w[1] * c->inv_det;
    return k;
}

/* What a contact keeps of its block, as it has quotients: inverses, zero where nothing moves. */
SCREE_FN void SCRI_ROUND(invert)(const SCRI_ROUND(side) * a, const SCRI_ROUND(side) * b,
                                 SCRI_ROUND(contact) * c)
{
    SCRI_REAL zero = SCRI_LANE(all)(0), one = SCRI_LANE(all)(1), gap = c->arm_a - c->arm_b;
    SCRI_ROUND(w_block) k = SCRI_ROUND(w_block_of)(c, a, b);
    /* w_T w_R - w_TR^2, with nothing taken from it */
    SCRI_REAL det = k.w[0] * k.w[2] + a->inv_inertia * b->inv_inertia * (gap * gap);
    for (int i = 0; i < 3; ++i) {
        SCRI_LANE(mask) moves = k.w[i] > zero;
        c->inv_w[i] = SCRI_LANE(select)(moves, one / SCRI_LANE(select)(moves, k.w[i], one), zero);
    }
    SCRI_LANE(mask) moves = det > zero;
    c->inv_det = SCRI_LANE(select)(moves, one / SCRI_LANE(select)(moves, det, one), zero);
}

SCREE_FN SCRI_REAL SCRI_ROUND(dot)(SCRI_ROUND(vec) a, SCRI_ROUND(vec) b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

SCREE_FN SCRI_ROUND(vec) SCRI_ROUND(cross)(SCRI_ROUND(vec) a, SCRI_ROUND(vec) b)
{
    return SCRI_OF(SCRI_ROUND(vec), a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z,
                   a.x * b.y - a.y * b.x);
}

SCREE_FN SCRI_ROUND(vec) SCRI_ROUND(sub)(SCRI_ROUND(vec) a, SCRI_ROUND(vec) b)
{
    return SCRI_OF(SCRI_ROUND(vec), a.x - b.x, a.y - b.y, a.z - b.z);
}

SCREE_FN SCRI_ROUND(vec) SCRI_ROUND(scale)(SCRI_REAL s, SCRI_ROUND(vec) a)
{
    return SCRI_OF(SCRI_ROUND(vec), s * a.x, s * a.y, s * a.z);
}

/* a + s b */
SCREE_FN SCRI_ROUND(vec) SCRI_ROUND(add)(SCRI_ROUND(vec) a, SCRI_REAL s, SCRI_ROUND(vec) b)
{
    return SCRI_OF(SCRI_ROUND(vec), a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

/* |(x, y)|^2, in the norm of the ellipse if there is one. */
SCREE_FN SCRI_REAL SCRI_ROUND(square)(const SCRI_ROUND(ellipses) * e, SCRI_REAL x, SCRI_REAL y)
{
    if (!e) return x * x + y * y;
    return e->c[0] * x * x + (e->c[1] + e->c[1]) * x * y + e->c[2] * y * y;
}

SCREE_FN SCRI_LANE(mask)
    SCRI_ROUND(outside)(const SCRI_ROUND(ellipses) * e, SCRI_REAL size, SCRI_REAL x, SCRI_REAL y)
{
    return SCRI_ROUND(square)(e, x, y) > size * size;
}

/* Draws (x, y), which lies outside size * C, onto it along the normals of D (see
 * scri_ellipses_slip()). n_0 is its square(); the search begins at *lambda, which is set. */
SCREE_FN void SCRI_ROUND(slip)(const SCRI_ROUND(ellipses) * e, SCRI_REAL size, SCRI_REAL n_0,
                               SCRI_REAL* lambda, SCRI_REAL* x, SCRI_REAL* y);

/* Draws (x, y) onto the ellipse, where `where` is set and it lies outside; `both` tells whether
 * both channels slip. */
SCREE_FN void SCRI_ROUND(clip_to_ellipse)(SCRI_ROUND(ellipses) * e, const int both,
                                          SCRI_LANE(mask) where, SCRI_REAL size, SCRI_REAL* x,
                                          SCRI_REAL* y)
{
    SCRI_REAL zero = SCRI_LANE(all)(0), one = SCRI_LANE(all)(1);
    SCRI_REAL square = SCRI_ROUND(square)(e, *x, *y);
    SCRI_LANE(mask) outside = (square > size * size) & where;
    if (!SCRI_LANE(any)(outside)) return;
    SCRI_LANE(mask) slips = outside & (size > zero);
    SCRI_REAL lambda = SCRI_LANE(select)(slips, e->lambda[both], zero);
    SCRI_REAL u = SCRI_LANE(select)(slips, *x, one), v = SCRI_LANE(select)(slips, *y, zero);
    SCRI_REAL most = SCRI_LANE(select)(slips, size, one);
    SCRI_ROUND(slip)(e, most, SCRI_LANE(select)(slips, square, e->c[0]), &lambda, &u, &v);
    e->lambda[both] = SCRI_LANE(select)(slips, lambda, e->lambda[both]);
    *x = SCRI_LANE(select)(slips, u, SCRI_LANE(select)(outside, zero, *x));
    *y = SCRI_LANE(select)(slips, v, SCRI_LANE(select)(outside, zero, *y));
}

/* Draws (x, y) onto the disc where it lies outside. */
SCREE_FN void SCRI_ROUND(draw)(SCRI_REAL size, SCRI_REAL* x, SCRI_REAL* y)
{
    SCRI_REAL one = SCRI_LANE(all)(1), square = *x * *x + *y * *y;
    SCRI_LANE(mask) outside = square > size * size;
    SCRI_REAL length = SCRI_LANE(sqrt)(SCRI_LANE(select)(outside, square, one));
    SCRI_REAL shrink = SCRI_LANE(select)(outside, size / length, one);
    *x *= shrink;
    *y *= shrink;
}

/* The same for a point that seldom does. */
SCREE_FN void SCRI_ROUND(clip)(SCRI_REAL size, SCRI_REAL* x, SCRI_REAL* y)
{
    if (SCRI_LANE(any)(*x * *x + *y * *y > size * size)) SCRI_ROUND(draw)(size, x, y);
}

/* Impulses of sliding, b[0] and b[1], at rest under rolling b[2] and b[3], and the reverse. */
SCREE_FN void SCRI_ROUND(stop_sliding)(const SCRI_ROUND(contact) * c, SCRI_REAL w_tr,
                                       const SCRI_REAL* y, SCRI_REAL* b)
{
    b[0] = c->p[1] - (y[1] + w_tr * (b[3] - c->p[4])) * c->inv_w[1];
    b[1] = c->p[2] - (y[2] - w_tr * (b[2] - c->p[3])) * c->inv_w[1];
}

SCREE_FN void SCRI_ROUND(stop_rolling)(const SCRI_ROUND(contact) * c, SCRI_REAL w_tr,
                                       const SCRI_REAL* y, SCRI_REAL* b)
{
    b[2] = c->p[3] - (y[3] - w_tr * (b[1] - c->p[2])) * c->inv_w[2];
    b[3] = c->p[4] - (y[4] + w_tr * (b[0] - c->p[1])) * c->inv_w[2];
}

/* Takes b for the impulses p of sliding and rolling where the mask is set. */
SCREE_FN void SCRI_ROUND(take)(SCRI_LANE(mask) where, const SCRI_REAL* b, SCRI_REAL* p)
{
    for (int i = 0; i < 4; ++i) p[1 + i] = SCRI_LANE(select)(where, b[i], p[1 + i]);
}

/* Ellipses: sliding drawn onto its own with rolling at rest; else the reverse; else one follows the
 * other. Each is tried where the one before is no solution, and only if that is somewhere. */
SCREE_FN void SCRI_ROUND(slip_in_ellipses)(const SCRI_ROUND(contact) * c, SCRI_REAL w_tr,
                                           SCRI_ROUND(ellipses) * sets, SCRI_LANE(mask) slides,
                                           SCRI_LANE(mask) rolls, const SCRI_REAL* y, SCRI_REAL* p)
{
    SCRI_ROUND(ellipses)* in_slide = sets, *in_roll = sets + 1;
    SCRI_REAL slide = c->mu[0] * p[0], roll = c->mu[1] * p[0];
    SCRI_LANE(mask) open = slides | rolls; /* not settled yet */
    SCRI_REAL b[4] = {p[1], p[2], p[3], p[4]}, d[4] = {p[1], p[2], p[3], p[4]};
    if (SCRI_LANE(any)(slides)) { /* sliding drawn onto its ellipse, rolling at rest */
        SCRI_ROUND(clip_to_ellipse)(in_slide, 0, open, slide, &b[0], &b[1]);
        SCRI_ROUND(stop_rolling)(c, w_tr, y, b);
        SCRI_LANE(mask) good = slides & ~SCRI_ROUND(outside)(in_roll, roll, b[2], b[3]);
        SCRI_ROUND(take)(good, b, p);
        open &= ~good;
        if (!SCRI_LANE(any)(open)) return;
    }
    if (SCRI_LANE(any)(open & rolls)) { /* rolling drawn onto its ellipse, sliding at rest */
        SCRI_ROUND(clip_to_ellipse)(in_roll, 0, open, roll, &d[2], &d[3]);
        SCRI_ROUND(stop_sliding)(c, w_tr, y, d);
        SCRI_LANE(mask)
        good = open & rolls & ~SCRI_ROUND(outside)(in_slide, slide, d[0], d[1]);
        SCRI_ROUND(take)(good, d, p);
        open &= ~good;
        if (!SCRI_LANE(any)(open)) return;
    }
    b[0] = c->p[1] - y[1] * c->inv_w[1];
    b[1] = c->p[2] - y[2] * c->inv_w[1];
    SCRI_ROUND(clip_to_ellipse)(in_slide, 1, open, slide, &b[0], &b[1]);
    SCRI_ROUND(stop_rolling)(c, w_tr, y, b);
    SCRI_ROUND(clip_to_ellipse)(in_roll, 1, open, roll, &b[2], &b[3]);
    SCRI_ROUND(take)(open, b, p);
}

/* Discs: the same, all at once. A root more costs less than a branch that is guessed wrong, or than
 * waiting for one root after the other. */
SCREE_FN void SCRI_ROUND(slip_in_discs)(const SCRI_ROUND(contact) * c, SCRI_REAL w_tr,
                                        SCRI_LANE(mask) slides, SCRI_LANE(mask) rolls,
                                        const SCRI_REAL* y, SCRI_REAL* p)
{
    SCRI_REAL slide = c->mu[0] * p[0], roll = c->mu[1] * p[0];
    SCRI_REAL b[4] = {p[1], p[2], p[3], p[4]}, d[4] = {p[1], p[2], p[3], p[4]}, e[4];
    e[0] = c->p[1] - y[1] * c->inv_w[1];
    e[1] = c->p[2] - y[2] * c->inv_w[1];
    SCRI_ROUND(draw)(slide, &b[0], &b[1]);
    SCRI_ROUND(draw)(roll, &d[2], &d[3]);
    SCRI_ROUND(draw)(slide, &e[0], &e[1]);
    SCRI_ROUND(stop_rolling)(c, w_tr, y, b);
    SCRI_ROUND(stop_sliding)(c, w_tr, y, d);
    SCRI_ROUND(stop_rolling)(c, w_tr, y, e);
    SCRI_ROUND(draw)(roll, &e[2], &e[3]);
    SCRI_ROUND(take)(slides | rolls, e, p);
    SCRI_ROUND(take)(rolls & ~SCRI_ROUND(outside)(NULL, slide, d[0], d[1]), d, p);
    SCRI_ROUND(take)(slides & ~SCRI_ROUND(outside)(NULL, roll, b[2], b[3]), b, p);
}

/* Impulses of sliding and rolling for the normal impulse p[0]. Both stick; or one slips, drawn onto
 * its disc, and the other sticks: these are exact. Where both slip, one follows the other.
 *
 * R is coupled to T by w_TR through (T1, R2) and -w_TR through (T2, R1). With R eliminated, T has
 * the diagonal 1 / stick[0] and the velocity y_T - (w_TR / w_R) y_R; the same with T and R
 * exchanged. */
SCREE_FN void SCRI_ROUND(slide_and_roll)(const SCRI_ROUND(contact) * c,
                                         const SCRI_ROUND(w_block) * k, SCRI_ROUND(ellipses) * sets,
                                         const SCRI_REAL* y, SCRI_REAL* p)
{
    SCRI_ROUND(ellipses)* in_slide = sets, *in_roll = sets ? sets + 1 : NULL;
    SCRI_REAL slide = c->mu[0] * p[0], roll = c->mu[1] * p[0];
    p[1] = c->p[1] - (k->stick[0] * y[1] - k->stick[1] * y[4]);
    p[2] = c->p[2] - (k->stick[0] * y[2] + k->stick[1] * y[3]);
    p[3] = c->p[3] - (k->stick[2] * y[3] + k->stick[1] * y[2]);
    p[4] = c->p[4] - (k->stick[2] * y[4] - k->stick[1] * y[1]);
    SCRI_LANE(mask) slides = SCRI_ROUND(outside)(in_slide, slide, p[1], p[2]);
    SCRI_LANE(mask) rolls = SCRI_ROUND(outside)(in_roll, roll, p[3], p[4]);
    if (!SCRI_LANE(any)(slides | rolls)) return;
    if (sets) {
        SCRI_ROUND(slip_in_ellipses)(c, k->w_tr, sets, slides, rolls, y, p);
    } else {
        SCRI_ROUND(slip_in_discs)(c, k->w_tr, slides, rolls, y, p);
    }
}

/* Relative velocities of the six rows; those of rolling and spinning only when asked for. */
SCREE_FN void SCRI_ROUND(velocity)(const SCRI_ROUND(contact) * c, const SCRI_ROUND(side) * a,
                                   const SCRI_ROUND(side) * b, SCRI_ROUND(vec) t2, const int rolls,
                                   SCRI_REAL* y)
{
    SCRI_ROUND(vec) dv = SCRI_ROUND(sub)(a->v, b->v);
    /* w x (arm n) along t1 is (arm w) . (n x t1) = arm w . t2, along t2 it is -arm w . t1 */
    SCRI_ROUND(vec) lever = SCRI_ROUND(add)(SCRI_ROUND(scale)(c->arm_a, a->w), -c->arm_b, b->w);
    y[0] = c->q[0] + SCRI_ROUND(dot)(c->n, dv);
    y[1] = c->q[1] + SCRI_ROUND(dot)(c->t1, dv) + SCRI_ROUND(dot)(t2, lever);
    y[2] = c->q[2] + SCRI_ROUND(dot)(t2, dv) - SCRI_ROUND(dot)(c->t1, lever);
    if (!rolls) return;
    SCRI_ROUND(vec) dw = SCRI_ROUND(sub)(a->w, b->w);
    y[3] = c->q[3] + SCRI_ROUND(dot)(c->t1, dw);
    y[4] = c->q[4] + SCRI_ROUND(dot)(t2, dw);
    y[5] = c->q[5] + SCRI_ROUND(dot)(c->n, dw);
}

/* Draws p[5] onto its interval. */
SCREE_FN void SCRI_ROUND(spin)(const SCRI_ROUND(contact) * c, SCRI_REAL* p)
{
    SCRI_REAL bound = c->mu[2] * p[0];
    p[5] = SCRI_LANE(select)(p[5] > bound, bound, p[5]);
    p[5] = SCRI_LANE(select)(p[5] < -bound, -bound, p[5]);
}

#include "solvers/round_convex_over_real.h"

/* Impulses p under the velocities y. */
SCREE_FN void SCRI_ROUND(respond)(const SCRI_ROUND(contact) * c, const SCRI_ROUND(w_block) * k,
                                  SCRI_ROUND(ellipses) * sets, const int rolls, const SCRI_REAL* y,
                                  SCRI_REAL* p)
{
    SCRI_REAL zero = SCRI_LANE(all)(0);
    p[0] = c->p[0] - y[0] * c->inv_w[0];
    p[0] = SCRI_LANE(select)(p[0] > zero, p[0], zero);
    if (!rolls) {
        p[1] = c->p[1] - y[1] * c->inv_w[1];
        p[2] = c->p[2] - y[2] * c->inv_w[1];
        if (sets) {
            SCRI_ROUND(clip_to_ellipse)(sets, 0, zero == zero, c->mu[0] * p[0], &p[1], &p[2]);
        } else {
            SCRI_ROUND(clip)(c->mu[0] * p[0], &p[1], &p[2]);
        }
        return;
    }
    SCRI_ROUND(slide_and_roll)(c, k, sets, y, p);
    p[5] = c->p[5] - y[5] * c->inv_w[2];
    SCRI_ROUND(spin)(c, p);
}

/* Squares of the impulses x of all rows, weighted by the diagonal of W. */
SCREE_FN SCRI_REAL SCRI_ROUND(weigh)(const SCRI_ROUND(w_block) * k, const int rolls,
                                     const SCRI_REAL* x)
{
    SCRI_REAL sum = x[0] * x[0] * k->w[0] + (x[1] * x[1] + x[2] * x[2]) * k->w[1];
    if (!rolls) return sum;
    return sum + (x[3] * x[3] + x[4] * x[4] + x[5] * x[5]) * k->w[2];
}

/* One Gauss-Seidel update; the bodies a and b are kept in step with p. sets[2] are the ellipses of
 * sliding and rolling; NULL: discs. `kind` is a constant at each call. `change` and `impulse` grow
 * by squares of those. */
SCREE_FN void SCRI_ROUND(solve)(SCRI_ROUND(contact) * c, SCRI_ROUND(ellipses) * sets,
                                const int kind, SCRI_ROUND(side) * a, SCRI_ROUND(side) * b,
                                SCRI_REAL* change, SCRI_REAL* impulse)
{
    const int rolls = kind & SCRI_ROUND_ROLLS;
    SCRI_ROUND(vec) t2 = SCRI_ROUND(cross)(c->n, c->t1);
    SCRI_ROUND(w_block) k = SCRI_ROUND(w_block_of)(c, a, b);
    SCRI_REAL y[6], p[6], d[6];
    SCRI_ROUND(velocity)(c, a, b, t2, rolls, y);
    if (kind & SCRI_ROUND_LIFTS) {
        SCRI_ROUND(respond_convex)(c, &k, rolls, y, p);
    } else {
        SCRI_ROUND(respond)(c, &k, sets, rolls, y, p);
    }
    for (int i = 0; i < (rolls ? 6 : 3); ++i) {
        d[i] = p[i] - c->p[i];
        c->p[i] = p[i];
    }
    *change += SCRI_ROUND(weigh)(&k, rolls, d);
    *impulse += SCRI_ROUND(weigh)(&k, rolls, p);
    SCRI_ROUND(vec) force = SCRI_ROUND(add)(SCRI_ROUND(scale)(d[0], c->n), d[1], c->t1);
    force = SCRI_ROUND(add)(force, d[2], t2);
    /* arm n x force = arm (d_1 t2 - d_2 t1) */
    SCRI_ROUND(vec) twist = SCRI_ROUND(add)(SCRI_ROUND(scale)(d[1], t2), -d[2], c->t1);
    SCRI_ROUND(vec) on_a = SCRI_ROUND(scale)(c->arm_a, twist);
    SCRI_ROUND(vec) on_b = SCRI_ROUND(scale)(c->arm_b, twist);
    if (rolls) {
        SCRI_ROUND(vec) moment = SCRI_ROUND(add)(SCRI_ROUND(scale)(d[3], c->t1), d[4], t2);
        moment = SCRI_ROUND(add)(moment, d[5], c->n);
        on_a = SCRI_ROUND(add)(moment, c->arm_a, twist);
        on_b = SCRI_ROUND(add)(moment, c->arm_b, twist);
    }
    a->v = SCRI_ROUND(add)(a->v, a->inv_mass, force);
    a->w = SCRI_ROUND(add)(a->w, a->inv_inertia, on_a);
    b->v = SCRI_ROUND(add)(b->v, -b->inv_mass, force);
    b->w = SCRI_ROUND(add)(b->w, -b->inv_inertia, on_b);
}
