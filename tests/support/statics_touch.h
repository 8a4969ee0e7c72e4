/* Boxes in layers, and balls: where they touch, for tests that ask whether they can stand. Shares
 * nothing with the library. */
#ifndef SUPPORT_STATICS_TOUCH_H
#define SUPPORT_STATICS_TOUCH_H

#include "support/test.h"

#include <math.h>

enum { STATICS_BODIES = 20, STATICS_POINTS = 256, STATICS_CORNERS = 8 };

/* An upright box, turned by `yaw`; or a ball, if `is_ball`, whose radius all three of `half` are.
 */
typedef struct statics_body {
    double half[3], centre[3], yaw, mass;
    int is_ball;
} statics_body;

/* `high` lies on `low` (-1: the floor z = 0) at x; the normal points to `high`; `middle` is that of
 * the patch. */
typedef struct statics_point {
    int low, high;
    double x[3], normal[3], middle[3];
} statics_point;

typedef struct statics_touching {
    statics_point point[STATICS_POINTS];
    int n;
} statics_touching;

/* ---- patches of boxes ---- */

typedef struct statics_polygon {
    double x[2 * STATICS_CORNERS][2];
    int n;
} statics_polygon;

static inline statics_polygon statics_outline(const statics_body* b)
{
    static const double sx[] = {1, -1, -1, 1}, sy[] = {1, 1, -1, -1};
    statics_polygon p = {.n = 4};
    for (int i = 0; i < 4; ++i) {
        double u = sx[i] * b->half[0], v = sy[i] * b->half[1];
        p.x[i][0] = b->centre[0] + cos(b->yaw) * u - sin(b->yaw) * v;
        p.x[i][1] = b->centre[1] + sin(b->yaw) * u + cos(b->yaw) * v;
    }
    return p;
}

/* What of `p` lies to the left of the line from a to b. */
static inline statics_polygon statics_cut(const statics_polygon* p, const double* a,
                                          const double* b)
{
    statics_polygon kept = {.n = 0};
    for (int i = 0; i < p->n; ++i) {
        const double *s = p->x[i], *e = p->x[(i + 1) % p->n];
        double ds = (b[0] - a[0]) * (s[1] - a[1]) - (b[1] - a[1]) * (s[0] - a[0]);
        double de = (b[0] - a[0]) * (e[1] - a[1]) - (b[1] - a[1]) * (e[0] - a[0]);
        if (ds >= 0.0) memcpy(kept.x[kept.n++], s, sizeof kept.x[0]);
        if ((ds >= 0.0) == (de >= 0.0)) continue;
        double t = ds / (ds - de);
        kept.x[kept.n][0] = s[0] + t * (e[0] - s[0]);
        kept.x[kept.n++][1] = s[1] + t * (e[1] - s[1]);
    }
    return kept;
}

/* The patch of two boxes one upon the other, or of one on the floor. */
static inline statics_polygon statics_patch(const statics_body* low, const statics_body* high)
{
    statics_polygon p = statics_outline(high);
    if (!low) return p;
    statics_polygon by = statics_outline(low);
    for (int i = 0; i < 4 && p.n > 0; ++i) p = statics_cut(&p, by.x[i], by.x[(i + 1) % 4]);
    return p;
}

/* ---- points ---- */

static inline int statics_meet(double a, double b)
{
    return fabs(a - b) <= 1e-9;
}

static inline statics_point* statics_new_point(statics_touching* t, int low, int high)
{
    assert_true(t->n < STATICS_POINTS);
    statics_point* p = &t->point[t->n++];
    *p = (statics_point){.low = low, .high = high, .normal = {0.0, 0.0, 1.0}};
    return p;
}

static inline void statics_boxes_meet(const statics_body* bodies, int low, int high,
                                      statics_touching* t)
{
    const statics_body *l = low < 0 ? NULL : &bodies[low], *h = &bodies[high];
    double top = l ? l->centre[2] + l->half[2] : 0.0, bottom = h->centre[2] - h->half[2];
    if (!statics_meet(top, bottom)) return;
    statics_polygon patch = statics_patch(l, h);
    double middle[2] = {0.0, 0.0};
    for (int i = 0; i < patch.n; ++i) {
        for (int k = 0; k < 2; ++k) middle[k] += patch.x[i][k] / patch.n;
    }
    for (int i = 0; i < patch.n; ++i) {
        statics_point* p = statics_new_point(t, low, high);
        for (int k = 0; k < 2; ++k) p->x[k] = patch.x[i][k], p->middle[k] = middle[k];
        p->x[2] = p->middle[2] = bottom;
    }
}

/* Whether (x, y) lies within the outline of a box. */
static inline int statics_covers(const statics_body* box, const double* x)
{
    double c = cos(box->yaw), s = sin(box->yaw);
    double dx = x[0] - box->centre[0], dy = x[1] - box->centre[1];
    return fabs(c * dx + s * dy) <= box->half[0] && fabs(c * dy - s * dx) <= box->half[1];
}

/* A ball with a ball, or with a level face or the floor below or above it. */
static inline void statics_balls_meet(const statics_body* bodies, int low, int high,
                                      statics_touching* t)
{
    const statics_body *l = low < 0 ? NULL : &bodies[low], *h = &bodies[high];
    const statics_body* ball = h->is_ball ? h : l;
    statics_point p = {.low = low, .high = high, .normal = {0.0, 0.0, 1.0}};
    double top = l ? l->centre[2] + l->half[2] : 0.0, d[3] = {0.0, 0.0, 0.0}, square = 0.0;
    if (l && l->is_ball && h->is_ball) {
        for (int k = 0; k < 3; ++k) d[k] = h->centre[k] - l->centre[k], square += d[k] * d[k];
        if (!statics_meet(sqrt(square), l->half[0] + h->half[0])) return;
        for (int k = 0; k < 3; ++k) {
            p.normal[k] = d[k] / sqrt(square);
            p.x[k] = l->centre[k] + l->half[0] * p.normal[k];
        }
    } else {
        const statics_body* other = h->is_ball ? l : h;
        if (!statics_meet(top, h->centre[2] - h->half[2])) return;
        if (other && !statics_covers(other, ball->centre)) return;
        for (int k = 0; k < 2; ++k) p.x[k] = ball->centre[k];
        p.x[2] = top;
    }
    memcpy(p.middle, p.x, sizeof p.x);
    *statics_new_point(t, low, high) = p;
}

/* All points in which bodies, each listed after those it lies on, touch. */
static inline void statics_find(const statics_body* bodies, int n, statics_touching* t)
{
    t->n = 0;
    for (int high = 0; high < n; ++high) {
        for (int low = -1; low < high; ++low) {
            if (bodies[high].is_ball || (low >= 0 && bodies[low].is_ball)) {
                statics_balls_meet(bodies, low, high, t);
            } else {
                statics_boxes_meet(bodies, low, high, t);
            }
        }
    }
}

/* The mass of body i and of all that lies on it, bodies between them included: what it carries. */
static inline double statics_load(const statics_body* bodies, int n, const statics_touching* t,
                                  int i)
{
    int above[STATICS_BODIES] = {0};
    double load = 0.0;
    above[i] = 1;
    for (int k = 0; k < t->n; ++k) { /* points come in the order of what lies high */
        if (t->point[k].low >= 0) above[t->point[k].high] |= above[t->point[k].low];
    }
    for (int k = 0; k < n; ++k) load += above[k] ? bodies[k].mass : 0.0;
    return load;
}

/* Two directions across a unit normal and each other. */
static inline void statics_tangents(const double n[3], double t[2][3])
{
    int least = fabs(n[0]) <= fabs(n[1]) && fabs(n[0]) <= fabs(n[2]) ? 0
                : fabs(n[1]) <= fabs(n[2])                           ? 1
                                                                     : 2;
    double length = sqrt(1.0 - n[least] * n[least]);
    for (int k = 0; k < 3; ++k) t[0][k] = ((k == least) - n[least] * n[k]) / length;
    for (int k = 0; k < 3; ++k) {
        int u = (k + 1) % 3, v = (k + 2) % 3;
        t[1][k] = n[u] * t[0][v] - n[v] * t[0][u];
    }
}

#endif
