/* The Lorentz cone head >= |tail| with tails of one or two entries (tail[1] = 0 then), as an
 * interior-point method needs it: Jordan products, Nesterov and Todd's scaling, steps to the
 * boundary. Nothing here loses digits where two points of the boundary are nearly complementary.
 * Host and device. */
#ifndef SCRI_INTERIOR_CONE_KERNEL_H
#define SCRI_INTERIOR_CONE_KERNEL_H

#include "cones/norm_kernel.h"

typedef struct scri_lorentz {
    double head, tail[2];
} scri_lorentz;

/* The scaling of a pair z, s inside the cone: the symmetric matrix S with S z = S^-1 s = lambda,
 * S^2 = eta^2 (2 w w^T - J), w = (head, tail), head^2 - |tail|^2 = 1. The determinant of a vector
 * is head^2 - |tail|^2. */
typedef struct scri_lorentz_scaling {
    double eta, head, tail[2];
    double spread; /* 1 + 2 |tail|^2 */
    scri_lorentz lambda;
    double determinant;                  /* of lambda */
    double z_determinant, s_determinant; /* of z and s */
} scri_lorentz_scaling;

SCREE_FN double scri_lorentz_tails(const scri_lorentz* a, const scri_lorentz* b)
{
    return a->tail[0] * b->tail[0] + a->tail[1] * b->tail[1];
}

/* |a| |b| + a . b of the tails, from their cross product where they point against each other. */
SCREE_FN double scri_lorentz_opening(const scri_lorentz* a, const scri_lorentz* b, double lengths)
{
    double inner = scri_lorentz_tails(a, b);
    if (inner >= 0.0) return lengths + inner;
    double cross = a->tail[0] * b->tail[1] - a->tail[1] * b->tail[0];
    return cross * cross / (lengths - inner);
}

/* z . s */
SCREE_FN double scri_lorentz_inner(const scri_lorentz* z, const scri_lorentz* s)
{
    double z_tail = scri_norm2(z->tail[0], z->tail[1]), s_tail = scri_norm2(s->tail[0], s->tail[1]);
    return (z->head - z_tail) * s->head + z_tail * (s->head - s_tail) +
           scri_lorentz_opening(z, s, z_tail * s_tail);
}

/* Scaling of z and s, whose products are about `tau`: a distance from the boundary that rounding
 * has eaten up is replaced by a thousandth of the one that this product asks for. */
SCREE_FN scri_lorentz_scaling scri_lorentz_scale(const scri_lorentz* z, const scri_lorentz* s,
                                                 double tau)
{
    scri_lorentz_scaling out;
    double z_tail = scri_norm2(z->tail[0], z->tail[1]), s_tail = scri_norm2(s->tail[0], s->tail[1]);
    double z_gap = fmax(z->head - z_tail, 1e-3 * tau / (s->head + s_tail));
    double s_gap = fmax(s->head - s_tail, 1e-3 * tau / (z->head + z_tail));
    out.z_determinant = z_gap * (z->head + z_tail);
    out.s_determinant = s_gap * (s->head + s_tail);
    double z_root = sqrt(out.z_determinant), s_root = sqrt(out.s_determinant), square = 0.0;
    double inner = z_gap * s->head + z_tail * s_gap + scri_lorentz_opening(z, s, z_tail * s_tail);
    out.determinant = z_root * s_root;
    double gamma = sqrt(0.5 * (1.0 + inner / out.determinant));
    double z_head = z->head / z_root, s_head = s->head / s_root;
    double length = sqrt(out.determinant), sum = z_head + s_head + 2.0 * gamma;
    out.lambda.head = length * gamma;
    for (int i = 0; i < 2; ++i) {
        double z_i = z->tail[i] / z_root, s_i = s->tail[i] / s_root;
        out.tail[i] = (s_i - z_i) / (2.0 * gamma);
        square += out.tail[i] * out.tail[i];
        out.lambda.tail[i] = length * ((gamma + z_head) * s_i + (gamma + s_head) * z_i) / sum;
    }
    out.head = sqrt(1.0 + square);
    out.spread = 1.0 + 2.0 * square;
    out.eta = sqrt(s_root / z_root);
    return out;
}

/* S x for sign = 1, S^-1 x for sign = -1. */
SCREE_FN scri_lorentz scri_lorentz_apply(const scri_lorentz_scaling* s, double sign,
                                         const scri_lorentz* x)
{
    double scale = sign > 0.0 ? s->eta : 1.0 / s->eta;
    double inner = s->tail[0] * x->tail[0] + s->tail[1] * x->tail[1];
    double along = sign * x->head + inner / (1.0 + s->head);
    scri_lorentz out = {scale * (s->head * x->head + sign * inner), {0.0, 0.0}};
    for (int i = 0; i < 2; ++i) out.tail[i] = scale * (x->tail[i] + along * s->tail[i]);
    return out;
}

/* Jordan product. */
SCREE_FN scri_lorentz scri_lorentz_product(const scri_lorentz* a, const scri_lorentz* b)
{
    scri_lorentz out = {a->head * b->head + scri_lorentz_tails(a, b), {0.0, 0.0}};
    for (int i = 0; i < 2; ++i) out.tail[i] = a->head * b->tail[i] + b->head * a->tail[i];
    return out;
}

/* The x whose product with lambda is `a`. */
SCREE_FN scri_lorentz scri_lorentz_divide(const scri_lorentz_scaling* s, const scri_lorentz* a)
{
    const scri_lorentz* lambda = &s->lambda;
    scri_lorentz out;
    out.head = (lambda->head * a->head - scri_lorentz_tails(lambda, a)) / s->determinant;
    for (int i = 0; i < 2; ++i) {
        out.tail[i] = (a->tail[i] - out.head * lambda->tail[i]) / lambda->head;
    }
    return out;
}

/* Largest t <= limit with x + t d in the cone; x has this determinant. */
SCREE_FN double scri_lorentz_reach(const scri_lorentz* x, double determinant, const scri_lorentz* d,
                                   double limit)
{
    double square = d->head * d->head - scri_lorentz_tails(d, d);
    double half = x->head * d->head - scri_lorentz_tails(x, d);
    double root = half * half - square * determinant;
    if (root < 0.0) return limit;
    double below = sqrt(root) - half;
    return below * limit > determinant ? determinant / below : limit;
}

/* What to add to `a` so that both its eigenvalues head +- |tail| lie in [lo, hi]; no more than hi
 * is taken away from either. */
SCREE_FN scri_lorentz scri_lorentz_push(const scri_lorentz* a, double lo, double hi)
{
    double length = scri_norm2(a->tail[0], a->tail[1]);
    double more = fmax(fmin(fmax(a->head + length, lo), hi) - (a->head + length), -hi);
    double less = fmax(fmin(fmax(a->head - length, lo), hi) - (a->head - length), -hi);
    double along = length > 0.0 ? 0.5 * (more - less) / length : 0.0;
    scri_lorentz out = {0.5 * (more + less), {along * a->tail[0], along * a->tail[1]}};
    return out;
}

/* z with this head and s with z o s = tau e and s - z = d in the tails. These lie against each
 * other, and |z| + |s| = |d|. */
SCREE_FN void scri_lorentz_start(double head, const double* d, double tau, scri_lorentz* z,
                                 scri_lorentz* s)
{
    double length = scri_norm2(d[0], d[1]), low = 0.0, high = fmin(head, length);
    for (int i = 0; i < 60; ++i) { /* (length - a) (head^2 - a^2) = tau a has one root, a = |z| */
        double a = 0.5 * (low + high);
        if ((length - a) * (head - a) * (head + a) > tau * a) {
            low = a;
        } else {
            high = a;
        }
    }
    double share = length > 0.0 ? low / length : 0.0;
    z->head = head;
    s->head = (tau + low * (length - low)) / head;
    for (int i = 0; i < 2; ++i) {
        z->tail[i] = -share * d[i];
        s->tail[i] = (1.0 - share) * d[i];
    }
}

#endif
