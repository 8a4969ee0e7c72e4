#include "math/anderson.h"

#include <math.h>
#include <string.h>

enum { WINDOW = SCRI_ANDERSON_WINDOW };

/* In double precision. */
#define LEAST_PIVOT 1e-10

scri_anderson scri_anderson_create(int32_t n, const double* scale, scri_bump* bump)
{
    scri_anderson a = {.n = n, .scale = scale};
    a.change = scri_bump_take(bump, (size_t)n, sizeof(double));
    a.image = scri_bump_take(bump, (size_t)n, sizeof(double));
    for (int k = 0; k < WINDOW; ++k) {
        a.d_change[k] = scri_bump_take(bump, (size_t)n, sizeof(double));
        a.d_image[k] = scri_bump_take(bump, (size_t)n, sizeof(double));
    }
    return a;
}

void scri_anderson_begin(scri_anderson* a)
{
    size_t size = (size_t)a->n * sizeof(double);
    memset(a->change, 0, size);
    memset(a->image, 0, size);
    for (int k = 0; k < WINDOW; ++k) {
        memset(a->d_change[k], 0, size);
        memset(a->d_image[k], 0, size);
    }
    scri_anderson_forget(&a->products);
}

void scri_anderson_forget(scri_anderson_products* a)
{
    a->used = a->next = a->has_last = 0;
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

/* All sums run side by side: one after the other each would wait for its own additions. */
static void multiply(scri_anderson* a)
{
    double with_last[WINDOW] = {0.0}, with_change[WINDOW] = {0.0};
    const double* difference = a->d_change[a->products.next];
    for (int32_t i = 0; i < a->n; ++i) {
        for (int k = 0; k < WINDOW; ++k) {
            with_last[k] += difference[i] * a->d_change[k][i];
            with_change[k] += a->change[i] * a->d_change[k][i];
        }
    }
    scri_anderson_note(&a->products, with_last, with_change);
}

void scri_anderson_take(scri_anderson* a, const double* start, const double* image)
{
    int next = a->products.next;
    double *d_change = a->d_change[next], *d_image = a->d_image[next];
    for (int32_t i = 0; i < a->n; ++i) {
        double change = a->scale[i] * (image[i] - start[i]);
        d_change[i] = change - a->change[i];
        d_image[i] = a->scale[i] * (image[i] - a->image[i]);
        a->change[i] = change;
        a->image[i] = image[i];
    }
    multiply(a);
}

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

double scri_anderson_mix(const scri_anderson* a, double* x)
{
    double weight[WINDOW], along = 0.0, way = 0.0, size = 0.0;
    scri_anderson_weights(&a->products, LEAST_PIVOT, weight);
    for (int32_t i = 0; i < a->n; ++i) {
        double more = 0.0, change = a->change[i];
        for (int k = 0; k < WINDOW; ++k) more -= weight[k] * a->d_image[k][i];
        x[i] = a->image[i] + more / a->scale[i];
        along += (change + more) * change;
        way += (change + more) * (change + more);
        size += change * change;
    }
    return way > 0.0 && size > 0.0 ? along / sqrt(way * size) : 1.0;
}
