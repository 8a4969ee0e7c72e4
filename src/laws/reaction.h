/* The reaction map of each law, with its derivative: what Newton methods need. */
#ifndef SCRI_REACTION_H
#define SCRI_REACTION_H

#include "laws/law.h"

/* All write p[width] from z[width] and, unless `d` is NULL, dp/dz into d[width * width], row-major.
 * p(z) with z = p - y is a fixed point exactly where the law holds. Where the map has a kink, the
 * derivative is that of one side; with `blur` > 0 the exact law blends both sides within about that
 * distance of the kink, so that a Newton step foresees the change. */
void scri_reaction_exact(scri_terms t, const double* z, double blur, double* p, double* d);
void scri_reaction_convex(scri_terms t, const double* z, double blur, double* p, double* d);
void scri_reaction_bilateral(scri_terms t, const double* z, double blur, double* p, double* d);
void scri_reaction_interval(scri_terms t, const double* z, double blur, double* p, double* d);
void scri_reaction_half_line(scri_terms t, const double* z, double blur, double* p, double* d);

#endif
