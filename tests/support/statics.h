/* Whether bodies that lie on each other can stand: an independent computation, by a linear program
 * over the points in which they touch. Shares nothing with the library.
 *
 * Equilibrium: the forces at all points, each a sum of edges of a pyramid inscribed in (or
 * circumscribed about) the friction cone with weights >= 0, balance the weights of all bodies. */
#ifndef SUPPORT_STATICS_H
#define SUPPORT_STATICS_H

#include "support/statics_touch.h"

/* ---- linear program: is there x >= 0 with A x = b? ---- */

enum { STATICS_FACETS = 12, STATICS_ROWS = 6 * STATICS_BODIES };
enum { STATICS_COLUMNS = STATICS_FACETS * STATICS_POINTS };

typedef struct statics_program {
    int m, n;
    double load[STATICS_BODIES];
    double given[STATICS_ROWS][STATICS_COLUMNS], right[STATICS_ROWS];
    /* the tableau: columns of A, of the artificial variables, and b */
    double a[STATICS_ROWS + 1][STATICS_COLUMNS + STATICS_ROWS + 1];
    int basis[STATICS_ROWS];
} statics_program;

typedef enum statics_answer { STATICS_YES, STATICS_NO, STATICS_UNSURE } statics_answer;

/* Exchanges the basis of `row` for `column`; row m holds the costs. */
static inline void statics_pivot(statics_program* lp, int row, int column)
{
    double *r = lp->a[row], factor = 1.0 / r[column];
    int width = lp->n + lp->m + 1;
    lp->basis[row] = column;
    for (int j = 0; j < width; ++j) r[j] *= factor;
    for (int i = 0; i <= lp->m; ++i) {
        double *other = lp->a[i], f = other[column];
        if (i == row || f == 0.0) continue;
        for (int j = 0; j < width; ++j) other[j] -= f * r[j];
        other[column] = 0.0;
    }
}

/* The row that leaves: of those that keep all variables >= 0 but for a little, the one with the
 * largest pivot, because small ones make large errors; -1: none. */
static inline int statics_leaving(const statics_program* lp, int column)
{
    int right = lp->n + lp->m, row = -1;
    double most = 1e300;
    for (int i = 0; i < lp->m; ++i) {
        double pivot = lp->a[i][column];
        if (pivot > 1e-9) most = fmin(most, (fmax(lp->a[i][right], 0.0) + 1e-11) / pivot);
    }
    for (int i = 0; i < lp->m; ++i) {
        double pivot = lp->a[i][column];
        if (!(pivot > 1e-9) || fmax(lp->a[i][right], 0.0) / pivot > most) continue;
        if (row < 0 || pivot > lp->a[row][column]) row = i;
    }
    return row;
}

/* Phase one of the simplex method. */
static inline void statics_minimise(statics_program* lp)
{
    int width = lp->n + lp->m + 1;
    for (int j = 0; j < width; ++j) lp->a[lp->m][j] = 0.0;
    for (int i = 0; i < lp->m; ++i) {
        double sign = lp->right[i] < 0.0 ? -1.0 : 1.0;
        for (int j = 0; j < lp->n; ++j) lp->a[i][j] = sign * lp->given[i][j];
        for (int j = 0; j < lp->m; ++j) lp->a[i][lp->n + j] = i == j;
        lp->a[i][width - 1] = sign * lp->right[i];
        lp->basis[i] = lp->n + i;
        for (int j = 0; j < width; ++j) {
            if (j < lp->n || j == width - 1) lp->a[lp->m][j] -= lp->a[i][j];
        }
    }
    for (int k = 0; k < 4000; ++k) {
        const double* cost = lp->a[lp->m];
        int column = -1;
        for (int j = 0; j < lp->n; ++j) {
            if (cost[j] < -1e-11 && (column < 0 || cost[j] < cost[column])) column = j;
            if (column >= 0 && k > 2000) break; /* Bland's rule: no cycles */
        }
        int row = column < 0 ? -1 : statics_leaving(lp, column);
        if (row < 0) break;
        statics_pivot(lp, row, column);
    }
}

/* Forces that balance, if the tableau has them: checked with the numbers that were given. */
static inline int statics_balances(const statics_program* lp)
{
    double worst = 0.0;
    for (int i = 0; i < lp->m; ++i) {
        double sum = -lp->right[i];
        for (int k = 0; k < lp->m; ++k) {
            double x = lp->a[k][lp->n + lp->m];
            if (lp->basis[k] >= lp->n) continue;
            if (!(x >= -1e-9)) return 0;
            sum += lp->given[i][lp->basis[k]] * x;
        }
        worst = fmax(worst, fabs(sum));
        if (isnan(sum)) return 0;
    }
    return worst <= 1e-9;
}

/* A motion that no force resists and that weights drive (Farkas), likewise: z A <= 0, z b > 0. The
 * costs of the artificial variables hold it. */
static inline int statics_moves(const statics_program* lp)
{
    double z[STATICS_ROWS], driven = 0.0;
    for (int i = 0; i < lp->m; ++i) {
        double sign = lp->right[i] < 0.0 ? -1.0 : 1.0;
        z[i] = sign * (1.0 - lp->a[lp->m][lp->n + i]);
        driven += z[i] * lp->right[i];
    }
    for (int j = 0; j < lp->n; ++j) {
        double along = 0.0;
        for (int i = 0; i < lp->m; ++i) along += z[i] * lp->given[i][j];
        if (!(along <= 1e-9)) return 0;
    }
    return driven > 1e-4;
}

static inline statics_answer statics_solve(statics_program* lp)
{
    statics_minimise(lp);
    return statics_balances(lp) ? STATICS_YES : statics_moves(lp) ? STATICS_NO : STATICS_UNSURE;
}

/* ---- bodies ---- */

/* Adds what a force f at x on body `i` is in its rows, in units of its load and size: no entry is
 * then much larger than 1, whatever the masses. */
static inline void statics_add(statics_program* lp, const statics_body* b, int i, int column,
                               const double* x, const double* f, double sign)
{
    double arm[3], size = b->half[0] + b->half[1] + b->half[2];
    for (int k = 0; k < 3; ++k) arm[k] = (x[k] - b->centre[k]) / size;
    for (int k = 0; k < 3; ++k) {
        int u = (k + 1) % 3, v = (k + 2) % 3;
        lp->given[6 * i + k][column] += sign * f[k] / lp->load[i];
        lp->given[6 * i + 3 + k][column] += sign * (arm[u] * f[v] - arm[v] * f[u]) / lp->load[i];
    }
}

/* Forces at one point, one column per edge of its pyramid. */
static inline void statics_add_point(statics_program* lp, const statics_body* bodies,
                                     const statics_point* p, double mu, double grow)
{
    double load = lp->load[p->high], t[2][3], x[3];
    statics_tangents(p->normal, t);
    for (int k = 0; k < 3; ++k) x[k] = p->middle[k] + grow * (p->x[k] - p->middle[k]);
    for (int e = 0; e < STATICS_FACETS; ++e) {
        double angle = 2.0 * SCREE_PI * e / STATICS_FACETS, f[3];
        for (int k = 0; k < 3; ++k) {
            f[k] = load * (p->normal[k] + mu * (cos(angle) * t[0][k] + sin(angle) * t[1][k]));
        }
        for (int i = 0; i < lp->m; ++i) lp->given[i][lp->n] = 0.0;
        statics_add(lp, &bodies[p->high], p->high, lp->n, x, f, 1.0);
        if (p->low >= 0) statics_add(lp, &bodies[p->low], p->low, lp->n, x, f, -1.0);
        ++lp->n;
    }
}

/* Whether forces can balance, with friction and patches as given. */
static inline statics_answer statics_balance(const statics_body* bodies, int n,
                                             const statics_touching* touching,
                                             const double gravity[3], double mu, double grow)
{
    static statics_program lp;
    double g = sqrt(gravity[0] * gravity[0] + gravity[1] * gravity[1] + gravity[2] * gravity[2]);
    lp.m = 6 * n;
    lp.n = 0;
    for (int i = 0; i < n; ++i) {
        lp.load[i] = statics_load(bodies, n, touching, i);
        for (int k = 0; k < 3; ++k) {
            lp.right[6 * i + k] = -gravity[k] / g * bodies[i].mass / lp.load[i];
            lp.right[6 * i + 3 + k] = 0.0;
        }
    }
    for (int i = 0; i < touching->n; ++i) {
        statics_add_point(&lp, bodies, &touching->point[i], mu, grow);
    }
    return statics_solve(&lp);
}

typedef enum statics_verdict { STATICS_STANDS, STATICS_FALLS, STATICS_NEAR } statics_verdict;

/* Stands with 10 % less friction and patches, or falls with 10 % more of both, while gravity leans
 * by 0.1 % to any side: what balances on a point is no test. Else too near, or not decided. */
static inline statics_verdict statics_judge(const statics_body* bodies, int n,
                                            const double gravity[3], double mu)
{
    static statics_touching touching;
    static const double lean[5][2] = {
        {0.0, 0.0}, {1e-3, 0.0}, {-1e-3, 0.0}, {0.0, 1e-3}, {0.0, -1e-3}};
    double circumscribed = 1.0 / cos(SCREE_PI / STATICS_FACETS);
    int stands = 1, falls = 1;
    statics_find(bodies, n, &touching);
    for (int k = 0; k < 5 && (stands || falls); ++k) {
        double g[3] = {gravity[0] + lean[k][0] * gravity[2], gravity[1] + lean[k][1] * gravity[2],
                       gravity[2]};
        stands = stands && statics_balance(bodies, n, &touching, g, 0.9 * mu, 0.9) == STATICS_YES;
        falls = falls && statics_balance(bodies, n, &touching, g, 1.1 * mu * circumscribed, 1.1) ==
                             STATICS_NO;
    }
    return stands ? STATICS_STANDS : falls ? STATICS_FALLS : STATICS_NEAR;
}

#endif
