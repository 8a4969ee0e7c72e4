/* The contacts of round bodies in double precision, SCRI_DOUBLES of one colour at once. They lie in
 * memory as those of round_kernel.h and get the same bits: lanes are only how they are worked on.
 */
#ifndef SCRI_LANES_KERNEL_H
#define SCRI_LANES_KERNEL_H

#include "math/doubles.h"
#include "solvers/round_lanes.h"

#define SCRI_REAL scri_doubles
#define SCRI_REAL_LANES SCRI_DOUBLES
#define SCRI_LANE(name) scri_doubles_##name
#define SCRI_ROUND(name) scri_lanes_##name
#include "solvers/round_over_real.h"
#include "solvers/solid_over_real.h"
#undef SCRI_REAL
#undef SCRI_REAL_LANES
#undef SCRI_LANE
#undef SCRI_ROUND

SCREE_FN void scri_lanes_slip(const scri_lanes_ellipses* e, scri_doubles size, scri_doubles n_0,
                              scri_doubles* lambda, scri_doubles* x, scri_doubles* y)
{
    (void)n_0;
    for (int i = 0; i < SCRI_DOUBLES; ++i) {
        double c[3] = {e->c[0][i], e->c[1][i], e->c[2][i]}, f[2] = {(*x)[i], (*y)[i]};
        double d[3] = {e->d[0][i], e->d[1][i], e->d[2][i]}, rate = (*lambda)[i];
        scri_ellipses_slip(c, d, size[i], &rate, f);
        (*lambda)[i] = rate;
        (*x)[i] = f[0];
        (*y)[i] = f[1];
    }
}

/* A row of numbers behind each address becomes as many vectors. */
SCREE_FN void scri_lanes_read_row(double* const* from, const int begin, scri_doubles* to)
{
    scri_doubles row[SCRI_DOUBLES];
    SCRI_UNROLL
    for (int i = 0; i < SCRI_DOUBLES; ++i) row[i] = scri_doubles_load(from[i] + begin);
    scri_doubles_transpose(row);
    SCRI_UNROLL
    for (int i = 0; i < SCRI_DOUBLES; ++i) to[begin + i] = row[i];
}

/* n numbers; where they do not fill rows the last one begins before the end of the one before. */
SCREE_FN void scri_lanes_read(double* const* from, const int n, scri_doubles* to)
{
    SCRI_UNROLL
    for (int i = 0; i + SCRI_DOUBLES <= n; i += SCRI_DOUBLES) scri_lanes_read_row(from, i, to);
    if (n % SCRI_DOUBLES) scri_lanes_read_row(from, n - SCRI_DOUBLES, to);
}

/* What bodies, pairs of ellipses and the end of a contact have: a multiple of any lanes. */
enum { SCRI_LANES_LINE = 8 };

/* n numbers, and as many more as fill rows. */
#define SCRI_LANES_ROWS(n) (((n) + SCRI_DOUBLES - 1) / SCRI_DOUBLES * SCRI_DOUBLES)

/* The reverse, for n numbers that fill rows, a line at most; where `keep` is zero nothing is
 * written. */
SCREE_FN void scri_lanes_write(const scri_doubles* from, const int n, scri_doubles keep,
                               double* const* to)
{
    scri_doubles rows[SCRI_LANES_LINE];
    SCRI_UNROLL
    for (int first = 0; first < n; first += SCRI_DOUBLES) {
        SCRI_UNROLL
        for (int i = 0; i < SCRI_DOUBLES; ++i) rows[first + i] = from[first + i];
        scri_doubles_transpose(rows + first);
    }
    SCRI_UNROLL
    for (int i = 0; i < SCRI_DOUBLES; ++i) {
        if (keep[i] == 0.0) continue;
        SCRI_UNROLL
        for (int k = 0; k < n; k += SCRI_DOUBLES) scri_doubles_store(rows[k + i], to[i] + k);
    }
}

/* The last n numbers, or as many before them as fill rows, of contacts that have `all`. */
SCREE_FN void scri_lanes_write_end(const scri_doubles* from, const int all, const int n,
                                   double* const* to)
{
    const int begin = all - SCRI_LANES_ROWS(n);
    double* end[SCRI_DOUBLES];
    for (int i = 0; i < SCRI_DOUBLES; ++i) end[i] = to[i] + begin;
    scri_lanes_write(from + begin, SCRI_LANES_ROWS(n), scri_doubles_all(1.0), end);
}

/* One number for each of n contacts. */
SCREE_FN void scri_lanes_put(scri_doubles x, int n, double* to)
{
    if (n == SCRI_DOUBLES) {
        scri_doubles_store(x, to);
        return;
    }
    for (int i = 0; i < n; ++i) to[i] = x[i];
}

/* Where the contacts of an update lie: the numbers of each, its bodies, its ellipses. */
typedef struct scri_lanes_place {
    double *contact[SCRI_DOUBLES], *a[SCRI_DOUBLES], *b[SCRI_DOUBLES];
    double *slide[SCRI_DOUBLES], *roll[SCRI_DOUBLES];
} scri_lanes_place;

SCREE_FN scri_lanes_side scri_lanes_gather(double* const* body)
{
    scri_doubles x[SCRI_LANES_LINE];
    scri_lanes_read(body, SCRI_LANES_LINE, x);
    return SCRI_OF(scri_lanes_side, {x[0], x[1], x[2]}, {x[3], x[4], x[5]}, x[6], x[7]);
}

/* Workers share immovable bodies: those are not written. */
SCREE_FN void scri_lanes_scatter(scri_lanes_side s, double* const* body)
{
    scri_doubles x[SCRI_LANES_LINE] = {s.v.x, s.v.y, s.v.z,      s.w.x,
                                       s.w.y, s.w.z, s.inv_mass, s.inv_inertia};
    scri_lanes_write(x, SCRI_LANES_ROWS(6), s.inv_mass, body);
}

/* As scri_round_update(). Of a contact p is written back. */
SCREE_FN void scri_lanes_work(const scri_lanes_place* at, const int rolls, const int has_sets,
                              const int convex, scri_doubles* change, scri_doubles* impulse)
{
    scri_lanes_contact c;
    scri_lanes_ellipses sets[2];
    scri_doubles one = scri_doubles_all(1.0);
    scri_lanes_side a = scri_lanes_gather(at->a), b = scri_lanes_gather(at->b);
    scri_lanes_read(at->contact, SCRI_ROUND_REALS, &c.n.x);
    if (has_sets) {
        scri_lanes_read(at->slide, SCRI_LANES_LINE, sets[0].c);
        scri_lanes_read(at->roll, SCRI_LANES_LINE, sets[1].c);
    }
    scri_lanes_solve(&c, has_sets ? sets : NULL, SCRI_ROUND_KIND(rolls, convex), &a, &b, change,
                     impulse);
    scri_lanes_write_end(&c.n.x, SCRI_ROUND_REALS, SCRI_ROUND_REALS - SCRI_ROUND_P, at->contact);
    if (has_sets) {
        scri_lanes_write(sets[0].c, SCRI_LANES_LINE, one, at->slide);
        scri_lanes_write(sets[1].c, SCRI_LANES_LINE, one, at->roll);
    }
    scri_lanes_scatter(a, at->a);
    scri_lanes_scatter(b, at->b);
}

/* What lanes without a contact work on: zeros between bodies that do not move. */
typedef struct scri_lanes_nobody {
    scri_round_contact contact;
    scri_round_ellipses sets[2];
    double body[SCRI_LANES_LINE];
} scri_lanes_nobody;

/* Contacts which[0 .. n - 1], as many as there are lanes or fewer. */
SCREE_FN void scri_lanes_find(const scri_round_list* list, const int has_sets, const int32_t* which,
                              int n, scri_lanes_nobody* nobody, scri_lanes_place* at)
{
    if (n < SCRI_DOUBLES) memset(nobody, 0, sizeof *nobody);
    for (int i = 0; i < SCRI_DOUBLES; ++i) {
        int is_there = i < n;
        scri_round_contact* c = is_there ? list->contacts + which[i] : &nobody->contact;
        at->contact[i] = &c->n.x;
        at->a[i] = is_there ? (double*)(list->bodies + c->a[0]) : nobody->body;
        at->b[i] = is_there ? (double*)(list->bodies + c->b[0]) : nobody->body;
        if (!has_sets) continue;
        scri_round_ellipses* sets = is_there ? list->sets + 2 * (size_t)which[i] : nobody->sets;
        at->slide[i] = sets[0].c;
        at->roll[i] = sets[1].c;
    }
}

/* How many contacts ahead of its update one is fetched, and its bodies. */
enum { SCRI_LANES_AHEAD = 8, SCRI_LANES_BODIES_AHEAD = 2 * SCRI_DOUBLES };

/* Contacts lie one behind the other: those of a list that leaves some out are fetched in part. */
SCREE_FN void scri_lanes_fetch(const scri_round_list* list, int32_t i)
{
    enum { LINES = (int)((SCRI_DOUBLES * sizeof(scri_round_contact) + 63) / 64) };
    const char* next = (const char*)(list->contacts + list->which[i]);
    next += SCRI_LANES_AHEAD * sizeof(scri_round_contact);
    SCRI_UNROLL
    for (int k = 0; k < LINES; ++k) SCRI_PREFETCH(next + 64 * k);
    SCRI_UNROLL
    for (int lane = 0; lane < SCRI_DOUBLES; ++lane) {
        int32_t k = i + SCRI_LANES_BODIES_AHEAD + lane;
        const scri_round_contact* c = list->contacts + list->which[k < list->n ? k : list->n - 1];
        SCRI_PREFETCH(list->bodies + c->a[0]);
        SCRI_PREFETCH(list->bodies + c->b[0]);
    }
}

/* All contacts of a list; one that is left over does without lanes. */
SCREE_FN void scri_lanes_update_kind(const scri_round_list* list, const int rolls,
                                     const int has_sets, const int convex, double* change,
                                     double* impulse)
{
    scri_lanes_nobody nobody;
    scri_lanes_place at;
    int i = 0;
    for (; i + 1 < list->n; i += SCRI_DOUBLES) {
        scri_doubles changed = scri_doubles_all(0.0), pressed = changed;
        int n = list->n - i < SCRI_DOUBLES ? list->n - i : SCRI_DOUBLES;
        scri_lanes_find(list, has_sets, list->which + i, n, &nobody, &at);
        scri_lanes_fetch(list, i);
        scri_lanes_work(&at, rolls, has_sets, convex, &changed, &pressed);
        scri_lanes_put(changed, n, change + i);
        scri_lanes_put(pressed, n, impulse + i);
    }
    if (i + 1 == list->n) scri_round_one(list, i, rolls, has_sets, convex, change, impulse);
}

/* A scri_round_lanes. */
SCREE_FN void scri_lanes_update(const scri_round_list* list, double* change, double* impulse)
{
    if (list->convex && list->rolls) {
        scri_lanes_update_kind(list, 1, 0, 1, change, impulse);
    } else if (list->convex) {
        scri_lanes_update_kind(list, 0, 0, 1, change, impulse);
    } else if (list->sets && list->rolls) {
        scri_lanes_update_kind(list, 1, 1, 0, change, impulse);
    } else if (list->sets) {
        scri_lanes_update_kind(list, 0, 1, 0, change, impulse);
    } else if (list->rolls) {
        scri_lanes_update_kind(list, 1, 0, 0, change, impulse);
    } else {
        scri_lanes_update_kind(list, 0, 0, 0, change, impulse);
    }
}

#endif
