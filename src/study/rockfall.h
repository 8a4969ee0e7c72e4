/* A rockfall study from within. Coordinates count from the first point of the map: maps of a
 * country begin millions of metres from their origin. */
#ifndef SCRI_ROCKFALL_H
#define SCRI_ROCKFALL_H

#include "base/random.h"
#include "scree/world.h"
#include "scree_study/rockfall.h"

/* Random numbers of one block, each for one purpose. */
typedef enum scri_block_stream {
    SCRI_BLOCK_FORM,
    SCRI_BLOCK_SIZE,
    SCRI_BLOCK_PLACE,
    SCRI_BLOCK_TURN,
    SCRI_BLOCK_CORNERS,
    SCRI_BLOCK_STREAMS
} scri_block_stream;

SCREE_FN scri_random scri_block_random(uint64_t seed, int32_t number, scri_block_stream stream)
{
    uint64_t of_block = (uint64_t)number * SCRI_BLOCK_STREAMS + (uint64_t)stream;
    return SCRI_OF(scri_random, seed, of_block, 0);
}

/* ---- the ground: rockfall_map.c ---- */

/* Height and slope (dz/dx, dz/dy) of the ground below a point; beyond the rim those of the triangle
 * next to it. */
typedef struct scri_ground_point {
    double height, slope[2];
} scri_ground_point;

scri_ground_point scri_rockfall_ground(const scree_rockfall_map* map, double x, double y);

/* The cell that a point of the map is in. */
int32_t scri_rockfall_cell(const scree_rockfall_map* map, double x, double y);

/* Whether the square about a disc lies within the outermost points, and over no hole. */
int scri_rockfall_holds(const scree_rockfall_map* map, double x, double y, double radius);

/* ---- one block: rockfall_block.c draws it, rockfall_course.c follows it ---- */

/* A block before it falls. */
typedef struct scri_block {
    scree_block_form form;
    double diameter, mass, inertia[6];
    scree_hull* hull; /* of diameter 1; NULL: a sphere */
    double reach;     /* farthest part from the centre of mass, m */
    double position[3], rotation[4], velocity[3];
} scri_block;

/* `map` is that of the def with its first point at 0, 0. SCREE_ERROR_INPUT, without a word, where
 * the block does not lie on it. Release the block in any case. */
scree_status scri_block_draw(const scree_env* env, const scree_rockfall_def* def,
                             const scree_rockfall_map* map, int32_t number, scri_block* out);
void scri_block_release(scri_block* block);

/* The release at which a block begins. */
int32_t scri_block_release_of(const scree_rockfall_def* def, int32_t number);

/* Height of the lowest part of a block above the ground below it; negative within. */
double scri_block_clearance(const scri_block* block, const scree_rockfall_map* map,
                            const double position[3], const double rotation[4]);

/* A block's way through a cell: the largest of each on it. */
enum { SCRI_PASSAGE_SPEED, SCRI_PASSAGE_ENERGY, SCRI_PASSAGE_JUMP, SCRI_PASSAGE_VALUES };

typedef struct scri_passage {
    int32_t cell;
    double most[SCRI_PASSAGE_VALUES];
} scri_passage;

/* What comes of following a block. */
typedef struct scri_course {
    scree_status status;
    int is_done; /* else it failed, or was not followed to its end */
    scree_rock rock;
    int64_t n_passages, passages_room;
    scri_passage* passages; /* cells rise, each once */
    int64_t n_points, points_room;
    scree_rock_point* points;
} scri_course;

typedef struct scri_rockfall_study {
    scree_env env; /* of blocks: silent, without threads */
    const scree_rockfall_def* def;
    scree_rockfall_map map;   /* with its first point at 0, 0 */
    const scree_mesh* ground; /* the same as a surface */
    int32_t n_grounds;        /* that it has */
    int32_t* materials;       /* [n_grounds] of them in the world of a block */
    scri_course* courses;     /* [def->blocks] */
    int32_t first;            /* block of this round */
} scri_rockfall_study;

/* Leaves status and what was found in courses[number]. */
void scri_block_follow(const scri_rockfall_study* study, int32_t number);

/* ---- layers: rockfall_layers.c ---- */

/* Fills layer[k][cells] from the courses of n blocks, in their order. */
scree_status scri_rockfall_layers(const scree_env* env, const scree_rockfall_map* map, int32_t n,
                                  const scri_course* courses, double* const* layer);

#endif
