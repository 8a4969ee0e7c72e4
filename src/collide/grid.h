/* The search for neighbours: shapes sorted by the cells of a grid, one grid per class of sizes.
 *
 * A shape lies in the cell that holds its centre. Cells are as wide as the largest shape of the
 * class, so that two shapes of a class touch in neighbouring cells only. Cells exist only as keys
 * of the shapes in them, sorted; memory depends on the number of shapes, not on the space they
 * fill. Keys run along x, then y, then z: the three neighbours along x are one range of the sorted
 * shapes, and while one cell after the other is visited, the ranges of its neighbours move forward
 * only. A larger shape looks up the cells it covers in the grids of the smaller ones.
 */
#ifndef SCRI_GRID_H
#define SCRI_GRID_H

#include "base/env.h"
#include "base/keys.h"
#include "base/team.h"
#include "collide/collide.h"

/* Shapes are numbered as the caller likes, not by place, so a scene that exceeds the caches is read
 * in random order in two places. Asking this many entries ahead nearly halves the time then. */
enum { SCRI_AHEAD = 16 };

/* ---- memory that grows and is kept ---- */

typedef struct scri_buffer {
    void* data;
    size_t size; /* bytes */
} scri_buffer;

/* Room for `count` items of `item` bytes, the first `kept` of which stay; 0 when memory is short,
 * and then the buffer is as before. */
int scri_buffer_reserve(const scree_env* env, scri_buffer* buffer, size_t count, size_t item,
                        size_t kept);

/* The same, and when it grows with room for half as much again: what varies from call to call does
 * not ask for memory every time. The second: of contents that are not needed. */
int scri_buffer_extend(const scree_env* env, scri_buffer* buffer, size_t count, size_t item,
                       size_t kept);
int scri_buffer_renew(const scree_env* env, scri_buffer* buffer, size_t count, size_t item);

/* ---- pairs found ---- */

/* A place for pairs of shapes a < b, or b a half-space. What does not find room is counted. */
typedef struct scri_pair_list {
    int32_t *a, *b; /* [room] */
    size_t n, room;
} scri_pair_list;

SCREE_FN void scri_pair_list_add(scri_pair_list* list, int32_t a, int32_t b)
{
    if (list->n < list->room) {
        list->a[list->n] = a;
        list->b[list->n] = b;
    }
    ++list->n;
}

/* ---- shapes in a grid ---- */

/* What the search touches for every candidate. */
typedef struct scri_ball {
    double x, y, z;
    double reach; /* bounding radius, its reach and half the margin, rounded up */
} scri_ball;

/* What it looks at when two balls touch. */
typedef struct scri_tag {
    int32_t shape, body;
    uint32_t category, collides;
    uint8_t responds;
} scri_tag;

/* One class of sizes. Arrays are parts of the collider's. */
typedef struct scri_grid {
    int32_t n;
    double extent; /* largest half length of a bounding box */
    double margin;
    scri_key* keys;            /* [n], sorted */
    scri_ball* balls;          /* [n], in the order of the keys */
    scri_tag* tags;            /* [n], likewise */
    double lower[3], upper[3]; /* of the centres */
    double origin[3], per_metre;
    uint64_t cells[3], stride[3];
    scri_key* filled; /* [n_filled] cells that are not empty: key and first ball */
    int32_t n_filled;
} scri_grid;

enum { SCRI_SPARE_KEYS = 4 };

/* Chooses the cells and sorts. keys[].item are the shapes of the class, n of them, in ascending
 * order; `spare` has room for n keys. Balls and tags are filled. */
void scri_grid_build(scri_grid* grid, const scri_placed* shapes, scri_key* spare, scri_team* team);

/* Lists the cells that are not empty. `cells` has room for n + SCRI_SPARE_KEYS keys. */
void scri_grid_list_cells(scri_grid* grid, scri_key* cells, scri_team* team);

/* Pairs within the grid whose balls touch and that may collide, each once: those of the listed
 * cells from `begin` to `end` - 1 with themselves and with half of their neighbours. */
void scri_grid_pairs(const scri_grid* grid, int32_t begin, int32_t end, scri_pair_list* list);

/* The same for the shape number i of the grid `coarse` with all of `fine`. `half` are the half
 * lengths of its bounding box. */
void scri_grid_pairs_of(const scri_grid* fine, const scri_grid* coarse, int32_t i,
                        const double half[3], scri_pair_list* list);

/* How far from a coordinate x cells are looked up for a shape at x. */
double scri_grid_room(const scri_grid* grid, double x);

/* Calls visit(user, i) with the balls of the grid that may reach into a box, by number, until it
 * returns nonzero. */
void scri_grid_search(const scri_grid* grid, const double lower[3], const double upper[3],
                      int (*visit)(void* user, int32_t i), void* user);

/* ---- classes of sizes ---- */

enum { SCRI_MAX_GRIDS = 64 };

/* Splits n half lengths into classes, numbered from small to large, so that the expected work is
 * least. Writes the class of each; returns the number of classes. */
int scri_size_classes(const double* extent, int32_t n, uint8_t* class_of, scri_team* team);

#endif
