/* Planar sets in extended precision, written from their definitions and sharing no code with the
 * library: membership, and for convex ones the boundary as a curve with its tangent, on which
 * support and projection are found by sampling and bisection. */
#ifndef SETS_SET_REFERENCE_H
#define SETS_SET_REFERENCE_H

#include "scree/set.h"
#include "support/real.h"
#include "support/test.h"

enum { REFERENCE_SAMPLES = 96, REFERENCE_NODES = 80 };

typedef struct reference_set {
    scree_set_def def;
    real slope[REFERENCE_NODES]; /* of a measured curve, at its nodes */
} reference_set;

static inline real reference_scale(const reference_set* set)
{
    return set->def.scale > 0.0 ? (real)set->def.scale : 1;
}

/* ---- a measured curve: periodic cubic pieces with slopes that make r'' continuous ---- */

static inline int polar_next(const scree_set_def* def, int i)
{
    return (i + 1) % def->n;
}

static inline real polar_step(const scree_set_def* def, int i)
{
    real gap = (real)def->points[2 * polar_next(def, i)] - (real)def->points[2 * i];
    return i + 1 < def->n ? gap : gap + 2 * REAL_PI;
}

static inline real polar_rise(const scree_set_def* def, int i)
{
    return (real)def->points[2 * polar_next(def, i) + 1] - (real)def->points[2 * i + 1];
}

/* Gauss-Seidel on the slopes: the system is dominated by its diagonal. */
static inline void polar_prepare(reference_set* set)
{
    const scree_set_def* def = &set->def;
    assert_true(def->n <= REFERENCE_NODES);
    for (int sweep = 0; sweep < 200; ++sweep) {
        for (int i = 0; i < def->n; ++i) {
            int before = (i + def->n - 1) % def->n, after = polar_next(def, i);
            real h = polar_step(def, before), k = polar_step(def, i);
            real right = 3 * (polar_rise(def, before) / (h * h) + polar_rise(def, i) / (k * k));
            right -= set->slope[before] / h + set->slope[after] / k;
            set->slope[i] = right / (2 / h + 2 / k);
        }
    }
}

static inline real polar_radius(const reference_set* set, real angle, real* derivative)
{
    const scree_set_def* def = &set->def;
    real past = angle - (real)def->points[0];
    past -= 2 * REAL_PI * real_floor(past / (2 * REAL_PI));
    int i = 0;
    while (i + 1 < def->n && past >= polar_step(def, i)) past -= polar_step(def, i++);
    real h = polar_step(def, i), t = past / h, s = 1 - t;
    real r0 = (real)def->points[2 * i + 1], r1 = (real)def->points[2 * polar_next(def, i) + 1];
    real d0 = h * set->slope[i], d1 = h * set->slope[polar_next(def, i)];
    *derivative = (6 * s * t * (r1 - r0) + s * (s - 2 * t) * d0 + t * (t - 2 * s) * d1) / h;
    return s * s * (1 + 2 * t) * r0 + t * t * (1 + 2 * s) * r1 + s * t * (s * d0 - t * d1);
}

static inline reference_set reference_of(const scree_set_def* def)
{
    reference_set set = {.def = *def};
    if (def->kind == SCREE_SET_POLAR) polar_prepare(&set);
    return set;
}

/* ---- membership ---- */

static inline real asperity_radius(const scree_set_def* def, real angle, real* derivative)
{
    real c = real_cos(angle), s = real_sin(angle), cb = real_cos((real)def->s),
         sb = real_sin((real)def->s);
    real mu = (real)def->a, w = 1 - (1 + mu * mu) * sb * sb;
    real up = real_sqrt(cb * cb * c * c + s * s), down = s * s + w * c * c;
    real r = mu / cb * up / down;
    *derivative = r * (s * c * (1 - cb * cb) / (up * up) - 2 * s * c * (1 - w) / down);
    return r;
}

static inline void reference_turn(const reference_set* set, int out, const real x[2], real y[2])
{
    real c = real_cos((real)set->def.angle), s = real_sin((real)set->def.angle) * (out ? -1 : 1);
    real first = c * x[0] + s * x[1];
    y[1] = c * x[1] - s * x[0];
    y[0] = first;
}

static inline real reference_cross(const real a[2], const real b[2])
{
    return a[0] * b[1] - a[1] * b[0];
}

static inline real reference_dot(const real a[2], const real b[2])
{
    return a[0] * b[0] + a[1] * b[1];
}

static inline void polygon_vertex(const scree_set_def* def, int i, real out[2])
{
    out[0] = (real)def->points[2 * (i % def->n)];
    out[1] = (real)def->points[2 * (i % def->n) + 1];
}

/* In one of the triangles of the origin and an edge. */
static inline int polygon_holds(const scree_set_def* def, const real x[2])
{
    for (int i = 0; i < def->n; ++i) {
        real p[2], q[2];
        polygon_vertex(def, i, p);
        polygon_vertex(def, i + 1, q);
        real edge[2] = {q[0] - p[0], q[1] - p[1]}, rest[2] = {x[0] - p[0], x[1] - p[1]};
        if (reference_cross(p, x) >= 0 && reference_cross(x, q) >= 0 &&
            reference_cross(edge, rest) >= 0) {
            return 1;
        }
    }
    return 0;
}

/* Whether x, in the axes of the set and before its scale, lies in it. */
static inline int reference_holds_own(const reference_set* set, const real x[2])
{
    const scree_set_def* def = &set->def;
    real a = (real)def->a, b = (real)def->b, s = (real)def->s, unused;
    real px = real_abs(x[0]), py = real_abs(x[1]);
    switch (def->kind) {
    case SCREE_SET_DISC:
        return px * px + py * py <= a * a;
    case SCREE_SET_ELLIPSE:
        return px * px / (a * a) + py * py / (b * b) <= 1;
    case SCREE_SET_RECTANGLE:
        return px <= a && py <= b;
    case SCREE_SET_SUPERELLIPSE:
        return real_pow(px / a, s) + real_pow(py / b, s) <= 1;
    case SCREE_SET_RUNNER:
        if (px <= s) return py <= b;
        return (px - s) * (px - s) / (a * a) + py * py / (b * b) <= 1;
    case SCREE_SET_POLYGON:
        return polygon_holds(def, x);
    case SCREE_SET_ASPERITY:
        return real_hypot(px, py) <= asperity_radius(def, real_atan2(x[1], x[0]), &unused);
    default:
        return real_hypot(px, py) <= polar_radius(set, real_atan2(x[1], x[0]), &unused);
    }
}

/* The gauge by bisection on membership. */
static inline real reference_gauge(const reference_set* set, const double x[2])
{
    real wide[2] = {(real)x[0] / reference_scale(set), (real)x[1] / reference_scale(set)};
    reference_turn(set, 0, wide, wide);
    real low = 0, high = 1;
    for (int i = 0; i < 2000; ++i, high *= 2) {
        real y[2] = {wide[0] / high, wide[1] / high};
        if (reference_holds_own(set, y)) break;
        low = high;
    }
    for (int i = 0; i < 80; ++i) {
        real k = (low + high) / 2, y[2] = {wide[0] / k, wide[1] / k};
        if (reference_holds_own(set, y))
            high = k;
        else
            low = k;
    }
    return high;
}

/* ---- the boundary of smooth convex sets as a curve over t in 0 .. 1 ---- */

static inline void runner_curve(const scree_set_def* def, real t, real c[2], real d[2])
{
    real a = (real)def->a, b = (real)def->b, s = (real)def->s;
    int part = (int)real_floor(4 * t) % 4;
    real share = 4 * t - real_floor(4 * t), angle = REAL_PI * (share - 0.5);
    int sign = part < 2 ? 1 : -1;
    if (part % 2 == 0) {
        c[0] = s + a * real_cos(angle), c[1] = b * real_sin(angle);
        d[0] = -a * real_sin(angle), d[1] = b * real_cos(angle);
    } else {
        c[0] = s - 2 * s * share, c[1] = b;
        d[0] = -1, d[1] = 0;
    }
    for (int i = 0; i < 2; ++i) c[i] *= sign, d[i] *= sign;
}

/* x = a r cos t, y = b r sin t, with r from |cos|^s + |sin|^s = r^-s; the tangent is across the
 * gradient of |x/a|^s + |y/b|^s. */
static inline void superellipse_curve(const scree_set_def* def, real t, real c[2], real d[2])
{
    real a = (real)def->a, b = (real)def->b, s = (real)def->s, angle = 2 * REAL_PI * t;
    real u[2] = {real_cos(angle), real_sin(angle)}, x = real_abs(u[0]), y = real_abs(u[1]);
    real most = x > y ? x : y,
         r = 1 / (most * real_pow(real_pow(x / most, s) + real_pow(y / most, s), 1 / s));
    d[0] = -real_copysign(real_pow(y / most, s - 1) / b, u[1]);
    d[1] = real_copysign(real_pow(x / most, s - 1) / a, u[0]);
    c[0] = a * r * u[0], c[1] = b * r * u[1];
}

static inline void reference_curve(const reference_set* set, real t, real c[2], real d[2])
{
    const scree_set_def* def = &set->def;
    real angle = 2 * REAL_PI * t, u[2] = {real_cos(angle), real_sin(angle)}, slope = 0, r;
    switch (def->kind) {
    case SCREE_SET_DISC:
    case SCREE_SET_ELLIPSE:
        r = def->kind == SCREE_SET_DISC ? (real)def->a : (real)def->b;
        c[0] = (real)def->a * u[0], c[1] = r * u[1];
        d[0] = -(real)def->a * u[1], d[1] = r * u[0];
        break;
    case SCREE_SET_RUNNER:
        runner_curve(def, t, c, d);
        break;
    case SCREE_SET_SUPERELLIPSE:
        superellipse_curve(def, t, c, d);
        break;
    default:
        if (def->kind == SCREE_SET_ASPERITY) { /* it may be long and thin */
            real wide = asperity_radius(def, 0.5 * REAL_PI, &slope);
            angle = real_atan2(wide * u[1], asperity_radius(def, 0, &slope) * u[0]);
            u[0] = real_cos(angle), u[1] = real_sin(angle);
        }
        r = def->kind == SCREE_SET_ASPERITY ? asperity_radius(def, angle, &slope)
                                            : polar_radius(set, angle, &slope);
        c[0] = r * u[0], c[1] = r * u[1];
        d[0] = slope * u[0] - r * u[1], d[1] = slope * u[1] + r * u[0];
    }
}

/* (z - c) . d, or v . d, at t. */
static inline real reference_along(const reference_set* set, real t, const real z[2], int near,
                                   real c[2])
{
    real d[2];
    reference_curve(set, t, c, d);
    return (z[0] - (near ? c[0] : 0)) * d[0] + (z[1] - (near ? c[1] : 0)) * d[1];
}

/* The t between two others where the product falls through 0. */
static inline real reference_bisect(const reference_set* set, const real z[2], int near, real low,
                                    real high)
{
    for (int k = 0; k < 80; ++k) {
        real middle = (low + high) / 2, c[2];
        if (reference_along(set, middle, z, near, c) >= 0)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* A superellipse may be as good as pointed at its axes; in one quadrant there is only one t. */
static inline void superellipse_find(const reference_set* set, const real z[2], int near, real c[2])
{
    real folded[2] = {real_abs(z[0]), real_abs(z[1])}, d[2];
    reference_curve(set, reference_bisect(set, folded, near, 0, 0.25), c, d);
    for (int i = 0; i < 2; ++i) c[i] = real_copysign(c[i], z[i]);
}

/* The place where the product falls through 0 and z lies before the boundary, not behind it. */
static inline void reference_find(const reference_set* set, const real z[2], int near, real c[2])
{
    real step = (real)1 / REFERENCE_SAMPLES, start = 0.1234 * step, d[2];
    if (set->def.kind == SCREE_SET_SUPERELLIPSE) {
        superellipse_find(set, z, near, c);
        return;
    }
    real before = reference_along(set, start, z, near, c);
    for (int i = 0; i < REFERENCE_SAMPLES; ++i) {
        real low = start + (real)i * step, high = low + step;
        real after = reference_along(set, high, z, near, c);
        int falls = before >= 0 && after < 0;
        before = after;
        if (!falls) continue;
        reference_curve(set, reference_bisect(set, z, near, low, high), c, d);
        real rest[2] = {z[0] - (near ? c[0] : 0), z[1] - (near ? c[1] : 0)};
        if (reference_cross(rest, d) > 0) return;
    }
    fail_msg("the reference found nothing");
}

/* ---- sets with corners ---- */

static inline int reference_corners(const reference_set* set, real out[][2])
{
    const scree_set_def* def = &set->def;
    if (def->kind == SCREE_SET_POLYGON) {
        for (int i = 0; i < def->n; ++i) polygon_vertex(def, i, out[i]);
        return def->n;
    }
    real a = (real)def->a, b = (real)def->b;
    int rhombus = def->kind == SCREE_SET_SUPERELLIPSE && def->s == 1.0;
    if (def->kind != SCREE_SET_RECTANGLE && !rhombus) return 0;
    real box[4][2] = {{a, b}, {-a, b}, {-a, -b}, {a, -b}};
    real tips[4][2] = {{a, 0}, {0, b}, {-a, 0}, {0, -b}};
    memcpy(out, rhombus ? tips : box, sizeof box);
    return 4;
}

/* Closest of all points of all edges. */
static inline void corners_project(int n, real corner[][2], const real z[2], real out[2])
{
    real best = -1;
    for (int i = 0; i < n; ++i) {
        const real *p = corner[i], *q = corner[(i + 1) % n];
        real edge[2] = {q[0] - p[0], q[1] - p[1]}, rest[2] = {z[0] - p[0], z[1] - p[1]};
        real share = reference_dot(rest, edge) / reference_dot(edge, edge);
        share = share < 0 ? 0 : share > 1 ? 1 : share;
        real at[2] = {p[0] + share * edge[0], p[1] + share * edge[1]};
        real gap = real_hypot(z[0] - at[0], z[1] - at[1]);
        if (best >= 0 && !(gap < best)) continue;
        best = gap;
        memcpy(out, at, sizeof at);
    }
}

static inline real corners_support(int n, real corner[][2], const real v[2])
{
    real most = reference_dot(corner[0], v);
    for (int i = 1; i < n; ++i) {
        real value = reference_dot(corner[i], v);
        if (value > most) most = value;
    }
    return most;
}

/* ---- what the tests ask for ---- */

static inline real reference_support(const reference_set* set, const double v[2])
{
    real wide[2] = {(real)v[0], (real)v[1]}, corner[REFERENCE_NODES][2], c[2];
    reference_turn(set, 0, wide, wide);
    int n = reference_corners(set, corner);
    if (n > 0) return reference_scale(set) * corners_support(n, corner, wide);
    reference_find(set, wide, 0, c);
    return reference_scale(set) * reference_dot(c, wide);
}

static inline void reference_project(const reference_set* set, double size, const double z[2],
                                     real out[2])
{
    real by = reference_scale(set) * (real)size, corner[REFERENCE_NODES][2];
    real wide[2] = {(real)z[0] / by, (real)z[1] / by};
    reference_turn(set, 0, wide, wide);
    memcpy(out, wide, sizeof wide);
    int n = reference_corners(set, corner);
    if (!reference_holds_own(set, wide)) {
        if (n > 0)
            corners_project(n, corner, wide, out);
        else
            reference_find(set, wide, 1, out);
    }
    reference_turn(set, 1, out, out);
    for (int i = 0; i < 2; ++i) out[i] *= by;
}

#endif
