/* What a collider holds: the shapes of a run, sorted. */
#ifndef SCRI_COLLIDER_H
#define SCRI_COLLIDER_H

#include "collide/grid.h"

struct scri_collider {
    scree_env env;
    /* by shape */
    scri_buffer cores, starts;
    /* by solid, that is by shape that is no half-space, ascending */
    scri_buffer solids, extents, classes;
    /* by grid and cell */
    scri_buffer keys, spare, balls, tags;
    scri_buffer planes, partners, by_partner, touches;
    /* of the last call: touches, placements, bodies that never collide; and by shape, whether it is
     * still the same */
    scri_buffer last_touches, placements, last_apart, still;
    size_t n_last_touches;
    int32_t n_last, n_last_apart;
    double last_margin;
    scri_pair_list list;
    int32_t n_solids, n_planes;
    int is_general; /* some solid is no sphere */
    int n_grids;
    scri_grid grids[SCRI_MAX_GRIDS]; /* from small shapes to large */
};

/* Makes room, checks every shape, and tells solids from half-spaces. */
scree_status scri_collider_read(scri_collider* collider, const scri_placed* shapes);

/* Sorts the solids that were read. */
void scri_collider_build_grids(scri_collider* collider, const scri_placed* shapes, double margin);

#endif
