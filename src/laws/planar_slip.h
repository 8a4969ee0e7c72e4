/* One channel of two rows whose forces lie in C and which slides along the normal of D. */
#ifndef SCRI_PLANAR_SLIP_H
#define SCRI_PLANAR_SLIP_H

#include "sets/set.h"

/* y = b - a f, f the friction force that resists (minus the impulse on A) and y the velocity. */
typedef struct scri_planar {
    scri_set c, d;
    double size; /* f lies in size * C, size > 0 */
    double a[4]; /* row-major */
    double b[2];
    const double* near; /* [2] of several answers, the one in the direction nearest to this force;
                           NULL: in the direction of b */
} scri_planar;

/* The force of a channel that slips: on the boundary of size * C, with y along the normal of D at
 * the point of D in its direction. There always is one unless sticking is possible. */
void scri_planar_slip(const scri_planar* at, double f[2]);

/* 1 and such a force where Newton's method finds one from at->near on. It may be there although
 * sticking is possible too: where y points into C, which only the extended law allows. */
int scri_planar_slip_near(const scri_planar* at, double f[2]);

/* How far outside of the set that carries it a force lies, as a share of its length, for the ratio
 * of its gauge to the size: 0 on the boundary, 1 where nothing is carried. */
SCREE_FN double scri_slip_share(double ratio)
{
    return 1.0 - 1.0 / ratio;
}

/* For a = 1: the force f of a channel that sticks or slips when b = g, where f = g inside size * C;
 * the projection of g on size * C along the normals of D. Unless NULL, d[0..3] receives df/dg,
 * row-major, and d[4..5] df/dsize; size may be 0. Returns 0 where it sticks, and more where it
 * slips: the share of g outside of size * C, or some share where it slips though g lies inside. */
double scri_planar_react(scri_set c, scri_set d, double size, const double g[2], const double* near,
                         double f[2], double* derivative);

#endif
