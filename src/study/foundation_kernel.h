/* One step of one cylinder under a random force, and the normal numbers that it takes. */
#ifndef SCRI_FOUNDATION_KERNEL_H
#define SCRI_FOUNDATION_KERNEL_H

#include "base/compiler.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* Grouped so that its two halves can be computed at once. */
SCREE_FN double scri_cubic(const double c[4], double t)
{
    return (c[0] + t * c[1]) + t * t * (c[2] + t * c[3]);
}

/* ---- normal numbers ----
 *
 * 32 random bits are a sign and a probability p = n / 2^33 of the tail, n odd. The quantile z(p) is
 * a cubic on each of 32 equal parts of every octave of n, with its values and derivatives at the
 * ends: within 2e-8 everywhere, up to the largest |z| of 6.3. No branch, no rejection: one number
 * takes 32 bits, whatever they are.
 */
enum { SCRI_NORMAL_OCTAVES = 32, SCRI_NORMAL_PARTS = 32 };

typedef struct scri_normal {
    double part[SCRI_NORMAL_OCTAVES * SCRI_NORMAL_PARTS][4];
} scri_normal;

/* In foundation_ensemble.c. */
void scri_normal_prepare(scri_normal* normal);

SCREE_FN double scri_normal_from(const scri_normal* normal, uint32_t bits)
{
    double n = 2.0 * (bits & 0x7fffffffu) + 1.0;
    /* of a double, the exponent and 5 more bits are the part; what follows is the place in it */
    uint64_t code;
    memcpy(&code, &n, sizeof code);
    const double* c = normal->part[(code >> 47) - (1023u << 5)];
    code = (code & ((UINT64_C(1) << 47) - 1)) << 5 | UINT64_C(1023) << 52;
    memcpy(&n, &code, sizeof n);
    double z = scri_cubic(c, n - 1.0);
    return bits >> 31 ? -z : z;
}

/* ---- steps ----
 *
 * The state is the place x in the grid of speeds, in cells, from 0 to n; the drift is a cubic in
 * every cell, in cells per step. Both ends reflect: there the density is nothing.
 */
typedef struct scri_walk {
    double n;                /* cells */
    const double (*cell)[4]; /* [n + 1], the last for x = n alone */
    double kick; /* standard deviation of the random force's effect in one step, cells */
} scri_walk;

SCREE_FN double scri_walk_drift(const scri_walk* walk, double x)
{
    int32_t i = (int32_t)x;
    return scri_cubic(walk->cell[i], x - i);
}

/* What leaves the grid is reflected. Branches that are never taken cost less here than minima and
 * maxima, for which the next step would have to wait. */
SCREE_FN double scri_walk_reflect(const scri_walk* walk, double x)
{
    if (x < 0.0) x = -x;
    if (x > walk->n) x = walk->n - fmod(x, walk->n);
    return x;
}

/* The stochastic Heun method: strong order 1, weak order 2 for additive noise. */
SCREE_FN double scri_walk_step(const scri_walk* walk, double x, double z)
{
    double drift = scri_walk_drift(walk, x), kick = walk->kick * z, base = x + kick;
    double guess = scri_walk_reflect(walk, base + drift);
    return scri_walk_reflect(walk, base + 0.5 * (drift + scri_walk_drift(walk, guess)));
}

#endif
