/* Parts of a step: side by side, or one after the other. */
#ifndef SCRI_STEP_BESIDE_H
#define SCRI_STEP_BESIDE_H

#include "world/world.h"

/* Solves one part at a desk. */
typedef scree_status scri_solve_part(scree_world* world, scri_desk* desk, int32_t part);

/* Solves the first n of parts.due, which may change their order. Some failure is returned where
 * there is one; not all have been solved then. */
scree_status scri_beside_solve(scree_world* world, int32_t n, scri_solve_part* solve);

#endif
