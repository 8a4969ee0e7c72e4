/* Spheres in a box, before they become a problem. Lengths are in units of the mean radius. */
#ifndef SCRI_PACKING_H
#define SCRI_PACKING_H

#include "base/arena.h"
#include "base/compiler.h"
#include "scree_study/packing.h"

typedef struct scri_spheres {
    int32_t n;
    double* centre; /* [3 n] */
    double* radius; /* [n] */
    double box[3];  /* the box reaches from 0 to these */
    unsigned walls; /* which of its sides are there, see below */
} scri_spheres;

/* Wall 0 is x = 0, wall 1 x = box[0], wall 2 y = 0, ..., each a bit of `walls`. */
enum {
    SCRI_N_WALLS = 6,
    SCRI_FLOOR = 1 << 4,
    SCRI_OPEN_BOX = 0x1f, /* all but the lid */
    SCRI_CLOSED_BOX = 0x3f
};

/* Distance of the surface of sphere i from a wall; negative in an overlap. */
SCREE_FN double scri_wall_gap(const scri_spheres* spheres, int wall, int32_t i)
{
    double x = spheres->centre[3 * (size_t)i + (size_t)(wall / 2)];
    return (wall % 2 ? spheres->box[wall / 2] - x : x) - spheres->radius[i];
}

/* Pairs whose surfaces are closer than a reach; kept and filled again. Zero it before first use. */
typedef struct scri_near_pairs {
    const scree_env* env;
    int32_t* pair;      /* [2 n], the smaller number first */
    size_t n, capacity; /* pairs */
    int32_t* cells;     /* scratch of the search */
    size_t n_cells;     /* numbers it has room for */
} scri_near_pairs;

/* All pairs within `reach`. SCREE_ERROR_MEMORY leaves the list to be released. */
scree_status scri_near_pairs_find(scri_near_pairs* list, const scri_spheres* spheres, double reach);
void scri_near_pairs_release(scri_near_pairs* list);

/* The spheres of each kind, in memory of the arena. */
scree_status scri_packing_pyramid(scri_arena* arena, const scree_packing_def* def,
                                  scri_spheres* out);
scree_status scri_packing_lattice(scri_arena* arena, const scree_packing_def* def,
                                  scri_spheres* out);
scree_status scri_packing_random(const scree_env* env, scri_arena* arena,
                                 const scree_packing_def* def, scri_spheres* out);

#endif
