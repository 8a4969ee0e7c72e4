/* Maps of one contact that are zero exactly where its law holds, with their derivatives, besides
 * that of Alart and Curnier: what a semismooth Newton method may solve instead (remark 2 of Acary &
 * Bourrier). */
#ifndef SCRI_NEWTON_MAPS_H
#define SCRI_NEWTON_MAPS_H

#include "laws/law.h"

typedef struct scri_newton_map {
    double f[SCRI_MAX_WIDTH];
    double by_p[SCRI_MAX_WIDTH * SCRI_MAX_WIDTH]; /* row-major, width x width */
    double by_y[SCRI_MAX_WIDTH * SCRI_MAX_WIDTH];
} scri_newton_map;

/* Why a problem has no such map; NULL when it has one. The natural map is there for friction with
 * discs, exact or convex; that of Fischer and Burmeister where a contact has one channel at most,
 * since the cone of several is no symmetric one, to which its Jordan algebra could belong. */
const char* scri_newton_map_unfit(const scree_problem* problem, scree_newton_map map);

/* Evaluates at p, y [width] in scaled variables. */
void scri_newton_map_evaluate(scree_newton_map kind, const scri_law* law, scri_terms terms,
                              const double* p, const double* y, scri_newton_map* out);

#endif
