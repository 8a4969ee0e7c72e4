/* The contact of two bodies, round or of any inertia, in double precision. Host and device. */
#ifndef SCRI_ROUND_KERNEL_H
#define SCRI_ROUND_KERNEL_H

#include "cones/ellipses_kernel.h"

#include <stddef.h>
#include <stdint.h>

/* A real of one number. */
typedef double scri_one;
typedef int scri_one_mask;

SCREE_FN scri_one scri_one_all(double x)
{
    return x;
}

SCREE_FN scri_one scri_one_sqrt(scri_one x)
{
    return sqrt(x);
}

SCREE_FN scri_one scri_one_select(scri_one_mask mask, scri_one yes, scri_one no)
{
    return mask ? yes : no;
}

SCREE_FN int scri_one_any(scri_one_mask mask)
{
    return mask;
}

#define SCRI_REAL scri_one
#define SCRI_REAL_LANES 1
#define SCRI_LANE(name) scri_one_##name
#define SCRI_ROUND(name) scri_round_##name
#include "solvers/round_over_real.h"
#include "solvers/solid_over_real.h"
#undef SCRI_REAL
#undef SCRI_REAL_LANES
#undef SCRI_LANE
#undef SCRI_ROUND

SCREE_FN void scri_round_slip(const scri_round_ellipses* e, double size, double n_0, double* lambda,
                              double* x, double* y)
{
    double f[2] = {*x, *y};
    (void)n_0;
    scri_ellipses_slip(e->c, e->d, size, lambda, f);
    *x = f[0];
    *y = f[1];
}

/* One cache line per body, laid out as SCRI_BODY_STRIDE says. */
typedef struct scri_round_body {
    double velocity[3], omega[3];
    double inv_mass, inv_inertia;
} scri_round_body;

typedef struct scri_round_size {
    double change, impulse; /* sums of squares, weighted by the diagonal of W */
} scri_round_size;

SCREE_FN scri_round_side scri_round_gather(const scri_round_body* body)
{
    const double *v = body->velocity, *w = body->omega;
    return SCRI_OF(scri_round_side, {v[0], v[1], v[2]}, {w[0], w[1], w[2]}, body->inv_mass,
                   body->inv_inertia);
}

/* Workers share immovable bodies: those are not written. */
SCREE_FN void scri_round_scatter(scri_round_side s, scri_round_body* body)
{
    if (s.inv_mass == 0.0) return;
    body->velocity[0] = s.v.x;
    body->velocity[1] = s.v.y;
    body->velocity[2] = s.v.z;
    body->omega[0] = s.w.x;
    body->omega[1] = s.w.y;
    body->omega[2] = s.w.z;
}

/* One update. Immovable bodies are there too, with zero inverse mass. */
SCREE_FN void scri_round_update(scri_round_contact* c, scri_round_ellipses* sets, const int rolls,
                                const int convex, scri_round_body* bodies, scri_round_size* size)
{
    scri_round_body *a = bodies + c->a[0], *b = bodies + c->b[0];
    scri_round_side on_a = scri_round_gather(a), on_b = scri_round_gather(b);
    scri_round_solve(c, sets, SCRI_ROUND_KIND(rolls, convex), &on_a, &on_b, &size->change,
                     &size->impulse);
    scri_round_scatter(on_a, a);
    scri_round_scatter(on_b, b);
}

/* The same for bodies of any inertia; *change is -1 where no impulse was found. */
SCREE_FN void scri_round_update_solid(scri_round_solid* c, double tolerance,
                                      scri_round_body* bodies, double* change, double* impulse)
{
    scri_round_body *a = bodies + c->a[0], *b = bodies + c->b[0];
    scri_round_side on_a = scri_round_gather(a), on_b = scri_round_gather(b);
    scri_round_solve_solid(c, tolerance, &on_a, &on_b, change, impulse);
    scri_round_scatter(on_a, a);
    scri_round_scatter(on_b, b);
}

#endif
