/* What a collider holds: the shapes of a run, sorted. */
#ifndef SCRI_COLLIDER_H
#define SCRI_COLLIDER_H

#include "collide/grid.h"
#include "collide/regions.h"

/* By shape, for pairs that need no more than this: spheres have their radius, half-spaces -1 and
 * their normal, other kinds -2. */
typedef struct scri_core {
    scri_vec x;
    double radius;
} scri_core;

struct scri_collider {
    scree_env env;
    scri_team* team; /* who helps; NULL: nobody */
    /* by shape */
    scri_buffer cores, starts;
    /* by solid, that is by shape that is no half-space, ascending */
    scri_buffer solids, extents, classes;
    /* by grid and cell */
    scri_buffer keys, spare, cells, balls, tags;
    scri_buffer planes;
    /* Pairs as they are found, in regions with gaps; where those of each shape stand there; and the
     * second shapes by the first, in order. `starts` has the first of each. Where shapes have
     * ranks, these stand for their numbers in all of that. */
    scri_regions pair_regions;
    scri_buffer firsts, seconds, items, item_work, partners;
    /* Points: in regions, and joined. */
    scri_regions touch_regions;
    scri_buffer found, touches;
    /* of the last call: touches, placements, bodies that never collide; and by shape, whether it is
     * still the same */
    scri_buffer last_touches, placements, last_apart, still;
    size_t n_last_touches;
    int32_t n_last, n_last_apart;
    double last_margin;
    uint32_t last_ranking;
    int32_t n_solids, n_planes;
    int is_general; /* some solid is no sphere */
    int n_grids;
    scri_grid grids[SCRI_MAX_GRIDS]; /* from small shapes to large */
};

/* Makes room in a buffer whose contents are not needed; logs when memory is short. */
scree_status scri_collider_reserve(scri_collider* collider, scri_buffer* buffer, size_t count,
                                   size_t item);

/* Makes room, checks every shape, and tells solids from half-spaces. */
scree_status scri_collider_read(scri_collider* collider, const scri_placed* shapes);

/* Half lengths of the bounding box of a shape and all within its reach. */
void scri_collider_half_lengths(const scri_placed* shapes, int32_t i, double half[3]);

SCREE_FN double scri_placed_reach(const scri_placed* shapes, int32_t i)
{
    return shapes->reach ? shapes->reach[i] : 0.0;
}

/* Sorts the solids that were read. */
void scri_collider_build_grids(scri_collider* collider, const scri_placed* shapes, double margin);

/* The pairs that may touch, in `partners` and `starts`: search.c. */
scree_status scri_collider_pairs(scri_collider* collider, const scri_placed* shapes);

/* Their points, in `touches`: points.c. */
scree_status scri_collider_points(scri_collider* collider, const scri_placed* shapes, double margin,
                                  int32_t* n_touches);

#endif
