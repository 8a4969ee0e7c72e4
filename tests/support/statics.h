/* Whether boxes in layers can stand: an independent computation, by a linear program over the
 * polygons in which they touch. Shares nothing with the library.
 *
 * Equilibrium: the forces at the corners of all patches, each a sum of edges of a pyramid inscribed
 * in (or circumscribed about) the friction cone with weights >= 0, balance the weights of all
 * boxes. */
#ifndef SUPPORT_STATICS_H
#define SUPPORT_STATICS_H

#include "support/test.h"

#include <math.h>

enum { STATICS_BOXES = 24, STATICS_CORNERS = 8, STATICS_FACETS = 12 };
enum { STATICS_ROWS = 6 * STATICS_BOXES, STATICS_COLUMNS = 8192 };

typedef struct statics_box {
    double half[3], centre[3], yaw, mass;
} statics_box;

/* ---- geometry ---- */

typedef struct statics_polygon {
    double x[2 * STATICS_CORNERS][2];
    int n;
} statics_polygon;

static inline statics_polygon statics_outline(const statics_box* b)
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

static inline double statics_area(const statics_polygon* p)
{
    double sum = 0.0;
    for (int i = 0; i < p->n; ++i) {
        const double *s = p->x[i], *e = p->x[(i + 1) % p->n];
        sum += 0.5 * (s[0] * e[1] - s[1] * e[0]);
    }
    return sum;
}

/* The patch of two boxes one upon the other; its corners moved from its middle by `grow`. */
static inline statics_polygon statics_patch(const statics_box* low, const statics_box* high,
                                            double grow)
{
    statics_polygon p = statics_outline(high);
    if (low) {
        statics_polygon by = statics_outline(low);
        for (int i = 0; i < 4 && p.n > 0; ++i) p = statics_cut(&p, by.x[i], by.x[(i + 1) % 4]);
    }
    double middle[2] = {0.0, 0.0};
    for (int i = 0; i < p.n; ++i) {
        for (int k = 0; k < 2; ++k) middle[k] += p.x[i][k] / p.n;
    }
    for (int i = 0; i < p.n; ++i) {
        for (int k = 0; k < 2; ++k) p.x[i][k] = middle[k] + grow * (p.x[i][k] - middle[k]);
    }
    return p;
}

/* ---- linear program: is there x >= 0 with A x = b? ---- */

typedef struct statics_program {
    int m, n;
    double load[STATICS_BOXES];
    double a[STATICS_ROWS][STATICS_COLUMNS + 1]; /* the last column in use is b */
} statics_program;

/* Exchanges the basis of `row` for `column`. */
static inline void statics_pivot(statics_program* lp, double* cost, int row, int column)
{
    double* r = lp->a[row];
    double factor = 1.0 / r[column];
    for (int j = 0; j <= lp->n; ++j) r[j] *= factor;
    for (int i = 0; i <= lp->m; ++i) {
        double* other = i < lp->m ? lp->a[i] : cost;
        double f = other[column];
        if (i == row || f == 0.0) continue;
        for (int j = 0; j <= lp->n; ++j) other[j] -= f * r[j];
    }
}

/* Phase one of the simplex method, artificial variables not stored: they never come back. Returns
 * what is left of the sum of violations, in units of the right side. */
static inline double statics_solve(statics_program* lp)
{
    static double cost[STATICS_COLUMNS + 1];
    double begin = 0.0;
    for (int j = 0; j <= lp->n; ++j) cost[j] = 0.0;
    for (int i = 0; i < lp->m; ++i) {
        double sign = lp->a[i][lp->n] < 0.0 ? -1.0 : 1.0;
        for (int j = 0; j <= lp->n; ++j) {
            lp->a[i][j] *= sign;
            cost[j] -= lp->a[i][j];
        }
        begin += lp->a[i][lp->n];
    }
    for (int k = 0; k < 4000; ++k) {
        int column = -1, row = -1;
        for (int j = 0; j < lp->n; ++j) {
            if (cost[j] < -1e-11 && (column < 0 || cost[j] < cost[column])) column = j;
            if (column >= 0 && k > 2000) break; /* Bland's rule: no cycles */
        }
        if (column < 0) break;
        for (int i = 0; i < lp->m; ++i) {
            if (!(lp->a[i][column] > 1e-9)) continue;
            double now = lp->a[i][lp->n] / lp->a[i][column];
            if (row < 0 || now < lp->a[row][lp->n] / lp->a[row][column]) row = i;
        }
        if (row < 0) break;
        statics_pivot(lp, cost, row, column);
    }
    return -cost[lp->n] / begin;
}

/* The mass of box i and of all that lies on it, boxes between them included: what it carries. */
static inline double statics_load(const statics_box* boxes, int n, int i)
{
    int above[STATICS_BOXES] = {0};
    double load = boxes[i].mass;
    above[i] = 1;
    for (int high = i + 1; high < n; ++high) {
        double bottom = boxes[high].centre[2] - boxes[high].half[2];
        for (int low = i; low < high && !above[high]; ++low) {
            double top = boxes[low].centre[2] + boxes[low].half[2];
            if (!above[low] || fabs(top - bottom) > 1e-9) continue;
            above[high] = statics_patch(&boxes[low], &boxes[high], 1.0).n > 0;
        }
        if (above[high]) load += boxes[high].mass;
    }
    return load;
}

/* Adds what a force f at x on box `i` is in its rows, in units of its load and size: no entry is
 * then much larger than 1, whatever the masses. */
static inline void statics_add(statics_program* lp, const statics_box* b, int i, int column,
                               const double* x, const double* f, double sign)
{
    double arm[3], size = b->half[0] + b->half[1] + b->half[2];
    for (int k = 0; k < 3; ++k) arm[k] = (x[k] - b->centre[k]) / size;
    for (int k = 0; k < 3; ++k) {
        int u = (k + 1) % 3, v = (k + 2) % 3;
        lp->a[6 * i + k][column] += sign * f[k] / lp->load[i];
        lp->a[6 * i + 3 + k][column] += sign * (arm[u] * f[v] - arm[v] * f[u]) / lp->load[i];
    }
}

/* Forces at one corner between `low` (-1: the floor) and `high`, one column per edge. */
static inline void statics_corner(statics_program* lp, const statics_box* boxes, int low, int high,
                                  const double* x, double mu)
{
    double load = lp->load[high];
    for (int k = 0; k < STATICS_FACETS; ++k) {
        double angle = 2.0 * 3.14159265358979323846 * k / STATICS_FACETS;
        double f[3] = {load * mu * cos(angle), load * mu * sin(angle), load};
        assert_true(lp->n < STATICS_COLUMNS);
        for (int i = 0; i < lp->m; ++i) lp->a[i][lp->n] = 0.0;
        statics_add(lp, &boxes[high], high, lp->n, x, f, 1.0);
        if (low >= 0) statics_add(lp, &boxes[low], low, lp->n, x, f, -1.0);
        ++lp->n;
    }
}

/* What is left of the imbalance (0: stands) with friction and patches as given. Box i lies on all
 * boxes below it whose patch with it is not empty, or on the floor z = 0. */
static inline double statics_imbalance(const statics_box* boxes, int n, const double gravity[3],
                                       double mu, double grow)
{
    static statics_program lp;
    lp.m = 6 * n;
    lp.n = 0;
    for (int i = 0; i < n; ++i) lp.load[i] = statics_load(boxes, n, i);
    for (int high = 0; high < n; ++high) {
        double bottom = boxes[high].centre[2] - boxes[high].half[2];
        for (int low = -1; low < high; ++low) {
            double top = low < 0 ? 0.0 : boxes[low].centre[2] + boxes[low].half[2];
            if (fabs(top - bottom) > 1e-9) continue;
            statics_polygon p = statics_patch(low < 0 ? NULL : &boxes[low], &boxes[high], grow);
            for (int i = 0; i < p.n; ++i) {
                double x[3] = {p.x[i][0], p.x[i][1], bottom};
                statics_corner(&lp, boxes, low, high, x, mu);
            }
        }
    }
    double g = sqrt(gravity[0] * gravity[0] + gravity[1] * gravity[1] + gravity[2] * gravity[2]);
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < 3; ++k) {
            lp.a[6 * i + k][lp.n] = -gravity[k] / g * boxes[i].mass / lp.load[i];
            lp.a[6 * i + 3 + k][lp.n] = 0.0;
        }
    }
    return statics_solve(&lp);
}

typedef enum statics_verdict { STATICS_STANDS, STATICS_FALLS, STATICS_NEAR } statics_verdict;

/* Stands with 10 % less friction and patches, or falls with 10 % more of both; else too near. */
static inline statics_verdict statics_judge(const statics_box* boxes, int n,
                                            const double gravity[3], double mu)
{
    double circumscribed = 1.0 / cos(3.14159265358979323846 / STATICS_FACETS);
    if (statics_imbalance(boxes, n, gravity, 0.9 * mu, 0.9) <= 1e-9) return STATICS_STANDS;
    if (statics_imbalance(boxes, n, gravity, 1.1 * mu * circumscribed, 1.1) > 1e-4) {
        return STATICS_FALLS;
    }
    return STATICS_NEAR;
}

#endif
