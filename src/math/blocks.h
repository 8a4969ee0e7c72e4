/* Sparse symmetric systems of small blocks, positive definite but for redundancy: A x = b with one
 * block row per node, A = sum of contributions of pairs of nodes.
 *
 * The pattern is ordered by least degree and analysed once; a chain of nodes has no fill, a tree
 * little. Factors are those of A + SHIFT diag(A): rows that others imply, as in closed loops, then
 * cost nothing but a repetition of the solve with what is left of b, which the caller evaluates. In
 * the limit the answer is the one of least norm in the metric of diag(A), and digits of A that are
 * rounding do no harm. */
#ifndef SCRI_BLOCKS_H
#define SCRI_BLOCKS_H

#include "base/arena.h"
#include "scree/base.h"

/* In elimination order ("places"), columns of the lower triangle: the diagonal first, then places
 * that rise. A block is row-major, width of its row by width of its column. */
typedef struct scri_blocks {
    int32_t n;
    int32_t* width;   /* [n] by place */
    int32_t* place;   /* [n] of each node */
    int32_t* node;    /* [n] at each place */
    int32_t* first;   /* [n + 1] scalar row of each node, in the order of nodes */
    int32_t* start;   /* [n + 1] */
    int32_t* row;     /* [start[n]] */
    int64_t* offset;  /* [start[n] + 1] */
    double* value;    /* [offset[start[n]]] */
    double* diagonal; /* [first[n]] of A, by scalar row */
    double unit;      /* 1 or 2: factors are those of A times it */
} scri_blocks;

/* Nodes of width[n], coupled by pair[2 n_pairs], in any order, with repetitions and with nodes that
 * are coupled to themselves. All memory is the arena's. SCREE_ERROR_MEMORY is the only failure. */
SCREE_MUST_USE scree_status scri_blocks_create(scri_arena* arena, int32_t n, const int32_t* width,
                                               int32_t n_pairs, const int32_t* pair,
                                               scri_blocks* out);

/* The first entry of the block of two nodes that are coupled; the node with the later place has its
 * rows. */
int64_t scri_blocks_find(const scri_blocks* b, int32_t i, int32_t j);

/* Sets all entries to zero; entries of `value` are then added to by whoever knows them. */
void scri_blocks_clear(scri_blocks* b);

/* Replaces the entries by the factors. */
void scri_blocks_factor(scri_blocks* b);

/* Solves for the nodes at n places, which rise and among which no other is coupled to; NULL: all. x
 * is by scalar row in the order of nodes. */
void scri_blocks_solve(const scri_blocks* b, int32_t n, const int32_t* places, double* x);

#endif
