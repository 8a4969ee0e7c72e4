#include "math/anderson.h"

#include "base/groups.h"

#include <math.h>

enum { WINDOW = SCRI_ANDERSON_WINDOW };

/* Numbers that are worth handing to another worker. */
enum { GRAIN = 1024 };

/* In double precision. */
#define LEAST_PIVOT 1e-10

scri_anderson scri_anderson_create(scri_team* team, int32_t n, const double* scale, scri_bump* bump)
{
    scri_anderson a = {.team = team, .n = n, .scale = scale};
    a.change = scri_bump_take(bump, (size_t)n, sizeof(double));
    a.image = scri_bump_take(bump, (size_t)n, sizeof(double));
    for (int k = 0; k < WINDOW; ++k) {
        a.d_change[k] = scri_bump_take(bump, (size_t)n, sizeof(double));
        a.d_image[k] = scri_bump_take(bump, (size_t)n, sizeof(double));
    }
    return a;
}

void scri_anderson_forget(scri_anderson_products* a)
{
    a->used = a->next = a->has_last = 0;
}

int scri_anderson_differences(const scri_anderson_products* a)
{
    if (!a->has_last) return 0;
    return a->used < WINDOW ? a->used + 1 : WINDOW;
}

void scri_anderson_note(scri_anderson_products* a, const double* with_last,
                        const double* with_change)
{
    int last = a->next;
    if (a->has_last) {
        a->next = (last + 1) % WINDOW;
        if (a->used < WINDOW) a->used++;
        for (int k = 0; k < WINDOW; ++k) {
            a->gram[last][k] = a->gram[k][last] = with_last[k];
            a->slope[k] = with_change[k];
        }
    }
    a->has_last = 1;
}

/* ---- a step that has ended ------------------------------------------------------------------- */

/* The products of a group of numbers. */
typedef struct products {
    double with_last[WINDOW], with_change[WINDOW];
} products;

typedef struct taking {
    scri_anderson* a;
    const double *start, *image;
    scri_groups groups;
    products* of;
} taking;

/* Numbers of a step that differs from none. */
static void take_first(const taking* t, int32_t begin, int32_t end)
{
    scri_anderson* a = t->a;
    for (int32_t i = begin; i < end; ++i) {
        a->change[i] = a->scale[i] * (t->image[i] - t->start[i]);
        a->image[i] = t->image[i];
    }
}

/* All sums run side by side: one after the other each would wait for its own additions. */
SCREE_FN void take_numbers(const taking* t, int32_t begin, int32_t end, int kept, products* sums)
{
    scri_anderson* a = t->a;
    int next = a->products.next;
    double *d_change = a->d_change[next], *d_image = a->d_image[next];
    for (int32_t i = begin; i < end; ++i) {
        double change = a->scale[i] * (t->image[i] - t->start[i]);
        d_change[i] = change - a->change[i];
        d_image[i] = a->scale[i] * (t->image[i] - a->image[i]);
        a->change[i] = change;
        a->image[i] = t->image[i];
        for (int k = 0; k < kept; ++k) {
            sums->with_last[k] += d_change[i] * a->d_change[k][i];
            sums->with_change[k] += change * a->d_change[k][i];
        }
    }
}

static void take_groups(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const taking* t = context;
    (void)worker;
    int kept = scri_anderson_differences(&t->a->products);
    for (int32_t g = begin; g < end; ++g) {
        int32_t first = scri_groups_begin(&t->groups, g),
                last = scri_groups_begin(&t->groups, g + 1);
        t->of[g] = (products){.with_last = {0.0}};
        if (kept == WINDOW) { /* the usual case, with a length that is known here */
            take_numbers(t, first, last, WINDOW, &t->of[g]);
        } else if (kept > 0) {
            take_numbers(t, first, last, kept, &t->of[g]);
        } else {
            take_first(t, first, last);
        }
    }
}

void scri_anderson_take(scri_anderson* a, const double* start, const double* image)
{
    products of[SCRI_MOST_GROUPS], all = {.with_last = {0.0}};
    taking t = {a, start, image, scri_groups_of(a->n), of};
    scri_team_for(a->team, t.groups.count, scri_groups_grain(&t.groups, GRAIN), take_groups, &t);
    for (int32_t g = 0; g < t.groups.count; ++g) {
        for (int k = 0; k < WINDOW; ++k) {
            all.with_last[k] += of[g].with_last[k];
            all.with_change[k] += of[g].with_change[k];
        }
    }
    scri_anderson_note(&a->products, all.with_last, all.with_change);
}

/* ---- the combination ------------------------------------------------------------------------- */

void scri_anderson_weights(const scri_anderson_products* a, double least_pivot, double* weight)
{
    double lower[WINDOW][WINDOW], y[WINDOW], length[WINDOW];
    int column[WINDOW], rank = 0;
    for (int age = 1; age <= a->used; ++age) {
        int k = (a->next + WINDOW - age) % WINDOW;
        double* row = lower[rank];
        double pivot = 1.0;
        length[rank] = sqrt(a->gram[k][k]);
        if (!(length[rank] > 0.0)) continue;
        for (int j = 0; j < rank; ++j) {
            row[j] = a->gram[k][column[j]] / (length[rank] * length[j]);
            for (int i = 0; i < j; ++i) row[j] -= row[i] * lower[j][i];
            row[j] /= lower[j][j];
            pivot -= row[j] * row[j];
        }
        if (!(pivot > least_pivot)) continue;
        row[rank] = sqrt(pivot);
        y[rank] = a->slope[k] / length[rank];
        for (int j = 0; j < rank; ++j) y[rank] -= row[j] * y[j];
        y[rank] /= row[rank];
        column[rank++] = k;
    }
    for (int k = 0; k < WINDOW; ++k) weight[k] = 0.0;
    for (int j = rank - 1; j >= 0; --j) {
        for (int i = j + 1; i < rank; ++i) y[j] -= lower[i][j] * y[i];
        y[j] /= lower[j][j];
        weight[column[j]] = y[j] / length[j];
    }
}

/* Products of the way to the combination, and of the last change. */
typedef struct angle {
    double along, way, size;
} angle;

typedef struct mixing {
    const scri_anderson* a;
    const double* weight;
    double* x;
    scri_groups groups;
    angle* of;
} mixing;

SCREE_FN angle mix_numbers(const mixing* m, int32_t begin, int32_t end, int used)
{
    const scri_anderson* a = m->a;
    angle sums = {0.0, 0.0, 0.0};
    for (int32_t i = begin; i < end; ++i) {
        double more = 0.0, change = a->change[i];
        for (int k = 0; k < used; ++k) more -= m->weight[k] * a->d_image[k][i];
        m->x[i] = a->image[i] + more / a->scale[i];
        sums.along += (change + more) * change;
        sums.way += (change + more) * (change + more);
        sums.size += change * change;
    }
    return sums;
}

static void mix_groups(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const mixing* m = context;
    (void)worker;
    int used = m->a->products.used;
    for (int32_t g = begin; g < end; ++g) {
        int32_t first = scri_groups_begin(&m->groups, g),
                last = scri_groups_begin(&m->groups, g + 1);
        m->of[g] = used == WINDOW ? mix_numbers(m, first, last, WINDOW)
                                  : mix_numbers(m, first, last, used);
    }
}

double scri_anderson_mix(const scri_anderson* a, double* x)
{
    double weight[WINDOW];
    angle of[SCRI_MOST_GROUPS], all = {0.0, 0.0, 0.0};
    mixing m = {.a = a, .weight = weight, .groups = scri_groups_of(a->n), .of = of};
    m.x = x;
    scri_anderson_weights(&a->products, LEAST_PIVOT, weight);
    scri_team_for(a->team, m.groups.count, scri_groups_grain(&m.groups, GRAIN), mix_groups, &m);
    for (int32_t g = 0; g < m.groups.count; ++g) {
        all.along += of[g].along;
        all.way += of[g].way;
        all.size += of[g].size;
    }
    return all.way > 0.0 && all.size > 0.0 ? all.along / sqrt(all.way * all.size) : 1.0;
}
