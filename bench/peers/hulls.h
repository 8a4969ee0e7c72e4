/* The pile of bench/hulls.py, the same in every engine: hulls of 32 points on a ball fall into a
 * box from a grid. Valid C and C++. */
#ifndef HULLS_H
#define HULLS_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { POINTS = 32, FORMS = 64, SIDE = 16 };
static const double RADIUS = 0.05, SPACING = 0.115, DENSITY = 2000.0, FRICTION = 0.5;

typedef struct {
    int count, iterations;
    double duration, step;
} hull_job;

/* Arguments: hulls, duration, step in s, iterations. */
static hull_job read_job(int n_arguments, char** arguments)
{
    if (n_arguments != 5) {
        fprintf(stderr, "usage: %s HULLS DURATION STEP ITERATIONS\n", arguments[0]);
        exit(2);
    }
    hull_job job = {atoi(arguments[1]), atoi(arguments[4]), atof(arguments[2]), atof(arguments[3])};
    return job;
}

/* Half the width of the box. */
static double room(void)
{
    return 0.5 * SIDE * SPACING + 0.02;
}

static double draw(uint64_t* state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) / 9007199254740992.0;
}

/* The points of a form, about its middle. */
static void form_points(int form, double out[3 * POINTS])
{
    uint64_t state = 1000 + (uint64_t)form;
    for (int i = 0; i < POINTS; ++i) {
        double x[3], square;
        do {
            square = 0.0;
            for (int k = 0; k < 3; ++k) {
                x[k] = 2.0 * draw(&state) - 1.0;
                square += x[k] * x[k];
            }
        } while (!(square > 0.01 && square < 1.0));
        for (int k = 0; k < 3; ++k) out[3 * i + k] = RADIUS * x[k] / sqrt(square);
    }
}

static void start_place(int i, double out[3])
{
    out[0] = (i % SIDE - 0.5 * (SIDE - 1)) * SPACING;
    out[1] = (i / SIDE % SIDE - 0.5 * (SIDE - 1)) * SPACING;
    out[2] = RADIUS + 0.01 + i / (SIDE * SIDE) * SPACING;
}

static double processor_seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

/* One line for bench/hulls.py: CPU seconds of all steps, their number, mean height of the middles,
 * and hulls below the floor or beyond a wall. */
static void print_result(double seconds, long steps, double height, int lost)
{
    printf("%.6g %ld %.6g %d\n", seconds, steps, height, lost);
}

#endif
