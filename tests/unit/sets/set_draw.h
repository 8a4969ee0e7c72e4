/* Random sets for tests. */
#ifndef SETS_SET_DRAW_H
#define SETS_SET_DRAW_H

#include "scree/set.h"
#include "support/draw.h"
#include "support/test.h"

#define TEST_PI SCREE_PI

enum { DRAW_POINTS = 40 };

typedef struct drawn_set {
    scree_set_def def;
    double points[2 * DRAW_POINTS];
    scree_set* set;
    double inner, outer; /* bounds of its radius */
} drawn_set;

/* Angles all around, no gap wider than about 100 degrees. */
static inline void draw_angles(scri_random* random, int n, double* points)
{
    for (int i = 0; i < n; ++i) {
        points[2 * i] = 2.0 * TEST_PI * (i + draw_between(random, 0.05, 0.6)) / n - 1.0;
    }
}

static inline void draw_polygon(scri_random* random, int convex, drawn_set* d)
{
    d->def.n = 4 + draw_below(random, 9);
    draw_angles(random, d->def.n, d->points);
    double a = draw_power(random, -1.0, 1.0), b = draw_power(random, -1.0, 1.0);
    for (int i = 0; i < d->def.n; ++i) {
        double angle = d->points[2 * i], r = convex ? 1.0 : draw_between(random, 0.3, 1.0);
        d->points[2 * i] = a * (r * cos(angle) + (convex ? 0.1 : 0.0));
        d->points[2 * i + 1] = b * r * sin(angle);
    }
}

/* A circle with waves, low enough for a convex curve where asked for. */
static inline void draw_polar(scri_random* random, int convex, drawn_set* d)
{
    d->def.n = convex ? 12 + draw_below(random, DRAW_POINTS - 11) : 7 + draw_below(random, 30);
    draw_angles(random, d->def.n, d->points);
    double high = convex ? 0.06 : 0.3, size = draw_power(random, -2.0, 2.0);
    double two = draw_between(random, 0.0, high), three = draw_between(random, 0.0, high / 3.0);
    double phase = draw_between(random, 0.0, 3.0);
    for (int i = 0; i < d->def.n; ++i) {
        double angle = d->points[2 * i];
        d->points[2 * i + 1] =
            size * (1.0 + two * cos(2.0 * angle) + three * cos(3.0 * angle + phase));
    }
}

static inline double draw_exponent(scri_random* random, int convex)
{
    static const double known[] = {1.0, 1.2, 1.5, 2.0, 2.51, 2.94, 8.0, 50.0};
    if (!convex) return draw_between(random, 0.3, 3.0);
    if (draw_chance(random, 60.0)) return known[draw_below(random, 8)];
    return 1.0 + draw_power(random, -2.0, 1.0);
}

static inline void draw_sizes(scri_random* random, scree_set_def* def)
{
    def->a = draw_power(random, -2.0, 2.0);
    def->b = def->a * (draw_chance(random, 15.0) ? 1e-3 : draw_power(random, -1.0, 1.0));
    def->s = draw_power(random, -2.0, 2.0);
}

/* A set of a kind; convex ones only where asked for, else any. */
static inline drawn_set draw_set(scri_random* random, scree_set_kind kind, int convex)
{
    drawn_set d;
    do {
        memset(&d, 0, sizeof d);
        d.def.kind = kind;
        draw_sizes(random, &d.def);
        d.def.angle = draw_chance(random, 30.0) ? 0.0 : draw_between(random, -7.0, 7.0);
        d.def.scale = draw_chance(random, 50.0) ? 0.0 : draw_power(random, -1.0, 1.0);
        if (kind == SCREE_SET_SUPERELLIPSE) d.def.s = draw_exponent(random, convex);
        if (kind == SCREE_SET_POLYGON) draw_polygon(random, convex, &d);
        if (kind == SCREE_SET_POLAR) draw_polar(random, convex, &d);
        if (kind == SCREE_SET_ASPERITY) {
            d.def.a = draw_power(random, -2.0, 0.3);
            d.def.s = atan(draw_between(random, 0.0, convex ? 0.7 : 0.99) / d.def.a);
            if (draw_chance(random, 50.0)) d.def.s *= draw_between(random, 0.0, 1.0);
        }
        d.def.points = d.points;
        assert_int_equal(scree_set_create(NULL, &d.def, &d.set), SCREE_OK);
        if (!convex || scree_set_is_convex(d.set)) break;
        scree_set_destroy(d.set);
    } while (1);
    d.inner = d.outer = scree_set_radius(d.set, 0.0);
    for (int i = 0; i < 64; ++i) { /* the axes of the set are among them */
        double r = scree_set_radius(d.set, d.def.angle + 2.0 * TEST_PI * i / 64);
        d.inner = fmin(d.inner, r);
        d.outer = fmax(d.outer, r);
    }
    return d;
}

/* The points move with the struct. */
static inline scree_set_def drawn_def(const drawn_set* d)
{
    scree_set_def def = d->def;
    def.points = d->points;
    return def;
}

/* A point near the set, inside or outside, sometimes far away or on an axis of the set. */
static inline void draw_near(scri_random* random, const drawn_set* d, double size, double z[2])
{
    double angle = draw_between(random, 0.0, 2.0 * TEST_PI), far = draw_power(random, -0.5, 1.0);
    int choice = draw_below(random, 8);
    if (choice == 0) far = draw_power(random, 1.0, 6.0);
    if (choice == 1) far = 1.0 + draw_power(random, -12.0, -1.0);
    if (choice == 2) angle = d->def.angle + 0.5 * TEST_PI * draw_below(random, 4);
    double r = size * far * (choice == 1 ? scree_set_radius(d->set, angle) : d->outer);
    z[0] = r * cos(angle);
    z[1] = r * sin(angle);
    if (choice == 3) z[draw_below(random, 2)] *= draw_power(random, -20.0, 0.0);
}

#endif
