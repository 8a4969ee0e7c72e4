/* From placed shapes to contact points. Knows nothing of masses, laws or velocities. */
#ifndef SCRI_COLLIDE_H
#define SCRI_COLLIDE_H

#include "base/arena.h"
#include "base/compiler.h"
#include "base/team.h"
#include "math/vec.h"
#include "scree/shape.h"

/* Shapes in the world, one entry per shape; arrays are borrowed. */
typedef struct scri_placed {
    int32_t n;
    const scree_shape_kind* kind; /* [n] */
    const double* size;           /* [3 n] as scri_shape_sizes() has them */
    const double* rounding;       /* [n] radius of the ball added to each; NULL: 0 */
    const scree_hull* const*
        hull; /* [n] NULL for other kinds; NULL as a whole where there are none */
    const scree_mesh* const* mesh; /* [n] the same */
    const double* position;        /* [3 n] world */
    const double* rotation;        /* [4 n] world, unit quaternions */
    const int32_t* body;           /* [n] shapes of one body never collide */
    const uint8_t* responds;       /* [n] 0: no impulse moves it; two such shapes never collide */
    const uint32_t* category;      /* [n] */
    const uint32_t* collides;      /* [n] */
    const double* reach;           /* [n] added to the margin of each of its pairs; NULL: 0 */
    const double* centre; /* [3 bodies] centres of mass, and what acts on them, by which discs
                           * choose points of their rims; all NULL where that is not known */
    const double *force, *torque;  /* [3 bodies] */
    const int32_t *rank, *by_rank; /* [n] the order of shapes by which pairs are ordered, and shapes
                                    * in it; NULL: their numbers */
    uint32_t ranking;              /* another one where ranks are others than in the last call; 0:
                                    * there are none */
    int32_t n_apart;
    const int32_t* apart; /* [2 n_apart] bodies that never collide, lower first, ordered */
} scri_placed;

SCREE_FN double scri_placed_rounding(const scri_placed* shapes, int32_t i)
{
    return shapes->rounding ? shapes->rounding[i] : 0.0;
}

SCREE_FN int32_t scri_placed_rank(const scri_placed* shapes, int32_t i)
{
    return shapes->rank ? shapes->rank[i] : i;
}

/* One contact point. `a` < `b` are shapes, except that a half-space is always b. The normal points
 * from b to a. `point` lies midway between the surfaces, `gap` is negative when they overlap.
 * `feature` tells the points of one pair apart and stays the same from step to step while the same
 * parts of the shapes touch. `zone` is that of the mesh where the point is, 0 for other shapes. */
typedef struct scri_touch {
    int32_t a, b;
    uint32_t feature;
    int32_t zone;
    double gap;
    double point[3], normal[3];
} scri_touch;

enum { SCRI_MAX_TOUCHES = 16 }; /* of one pair */

/* The points of one pair that are at most `margin` apart; returns their number. Two half-spaces
 * have none. */
int scri_collide_pair(const scri_placed* shapes, int32_t a, int32_t b, double margin,
                      scri_touch out[SCRI_MAX_TOUCHES]);

/* All points of all pairs, ordered by (a, b, feature) whatever the order of the search, so that
 * results do not depend on it; where shapes have ranks, by those of a and b. Memory grows as needed
 * and is kept from call to call. */
typedef struct scri_collider scri_collider;

scree_status scri_collider_create(const scree_env* env, scri_collider** out);
void scri_collider_destroy(scri_collider* collider);
/* Lets a team help from now on; NULL: nobody. */
void scri_collider_share(scri_collider* collider, scri_team* team);

scree_status scri_collider_run(scri_collider* collider, const scri_placed* shapes, double margin,
                               const scri_touch** touches, int32_t* n_touches);

#endif
