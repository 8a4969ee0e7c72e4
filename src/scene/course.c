/* How a drive goes in the course of time: a cosine, or a table. */
#include "scene/scene.h"

#include <math.h>

/* The table at a time: straight between its points, constant outside. */
static double look_up(int32_t n, const double* table, double time)
{
    int32_t low = 0, high = n - 1;
    if (!(time > table[0])) return table[1];
    if (time >= table[2 * (size_t)high]) return table[2 * (size_t)high + 1];
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        if (time < table[2 * (size_t)middle]) {
            high = middle;
        } else {
            low = middle;
        }
    }
    const double *a = table + 2 * (size_t)low, *b = table + 2 * (size_t)high;
    return a[1] + (b[1] - a[1]) * ((time - a[0]) / (b[0] - a[0]));
}

static double value_of(const scri_course* c, double time)
{
    if (c->n_table > 0) return look_up(c->n_table, c->table, time - c->begin);
    return cos(2.0 * SCREE_PI * (c->frequency * (time - c->begin)) + c->phase);
}

double scri_course_at(const scri_course* c, double time)
{
    return time >= c->begin && time < c->end ? value_of(c, time) : 0.0;
}

double scri_course_between(const scri_course* c, double from, double to)
{
    double first = fmin(fmax(from, c->begin), c->end), last = fmin(fmax(to, c->begin), c->end);
    return last > first ? value_of(c, last) - value_of(c, first) : 0.0;
}

int scri_course_is_table(int32_t n, const double* table)
{
    int good = n == 0 || (n > 0 && table);
    for (int32_t k = 0; good && k < n; ++k) {
        const double* row = table + 2 * (size_t)k;
        good = isfinite(row[0]) && isfinite(row[1]) && (k == 0 || row[0] > row[-2]);
    }
    return good;
}
