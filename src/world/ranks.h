/* An order of bodies in which neighbours are not far from each other, where the order of their
 * slots is not one: contacts, and the bodies of a part, then come in the order of the ranks, and
 * what is near in space is near in memory.
 *
 * A world that is not ranked goes by slots. Ranks belong to slots and are part of the state; those
 * of shapes follow from them. */
#ifndef SCRI_RANKS_H
#define SCRI_RANKS_H

#include "world/world.h"

/* The rank of a body's slot. */
SCREE_FN int32_t scri_body_rank(const scree_world* world, int32_t body)
{
    return world->is_ranked ? world->bodies.rank[body] : body;
}

/* Compares the shapes of two contacts by rank: below 0 where those of x come first, 0 where they
 * are the same. Joints come last. */
SCREE_FN int scri_ranks_compare(const scree_world* world, const int32_t x[2], const int32_t y[2])
{
    int k = x[0] == y[0];
    int32_t a = x[k], b = y[k];
    if (a == b) return 0;
    int are_shapes = x[0] != SCRI_JOINT_SHAPE && y[0] != SCRI_JOINT_SHAPE;
    if (world->is_ranked && are_shapes) a = world->shapes.rank[a], b = world->shapes.rank[b];
    return a < b ? -1 : 1;
}

/* Ranks the shapes by those of their bodies, if some have come or gone, or `anew`: those of a body
 * follow each other, and the order of all that stay is what it was. */
void scri_world_rank_shapes(scree_world* world, int anew);

#endif
