/* Random draws for tests and benchmarks, from the library's counter-based generator. */
#ifndef SUPPORT_DRAW_H
#define SUPPORT_DRAW_H

#include "base/random.h"

#include <math.h>
#include <stdint.h>

/* Uniform in [lo, hi). */
static inline double draw_between(scri_random* random, double lo, double hi)
{
    return lo + (hi - lo) * scri_random_uniform(random);
}

/* 10^x with x uniform in [lo, hi). */
static inline double draw_power(scri_random* random, double lo, double hi)
{
    return pow(10.0, draw_between(random, lo, hi));
}

/* 1 in `percent` of 100 cases. */
static inline int draw_chance(scri_random* random, double percent)
{
    return 100.0 * scri_random_uniform(random) < percent;
}

static inline double draw_sign(scri_random* random)
{
    return scri_random_below(random, 2) ? 1.0 : -1.0;
}

static inline int draw_below(scri_random* random, int n)
{
    return (int)scri_random_below(random, (uint32_t)n);
}

/* A direction, uniform on the sphere. */
static inline void draw_direction(scri_random* random, double x[3])
{
    double square;
    do {
        square = 0.0;
        for (int i = 0; i < 3; ++i) {
            x[i] = draw_between(random, -1.0, 1.0);
            square += x[i] * x[i];
        }
    } while (!(square > 0.01 && square <= 1.0));
    for (int i = 0; i < 3; ++i) x[i] /= sqrt(square);
}

/* A right-handed orthonormal frame, its axes one after the other. */
static inline void draw_frame(scri_random* random, double frame[9])
{
    double *n = frame, *t = frame + 3, *b = frame + 6, along, length;
    draw_direction(random, n);
    do {
        draw_direction(random, t);
        along = n[0] * t[0] + n[1] * t[1] + n[2] * t[2];
    } while (fabs(along) > 0.9);
    for (int pass = 0; pass < 2; ++pass) {
        along = n[0] * t[0] + n[1] * t[1] + n[2] * t[2];
        for (int i = 0; i < 3; ++i) t[i] -= along * n[i];
        length = sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]);
        for (int i = 0; i < 3; ++i) t[i] /= length;
    }
    b[0] = n[1] * t[2] - n[2] * t[1];
    b[1] = n[2] * t[0] - n[0] * t[2];
    b[2] = n[0] * t[1] - n[1] * t[0];
}

#endif
