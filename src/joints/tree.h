/* Forests of bodies that joints hold, solved along their branches.
 *
 * A link is a body with the joint by which it hangs on another, its parent, or on what does not
 * respond. Motions are (velocity of the centre of mass, angular velocity), loads (force, moment
 * about it), in world axes. With X the parent's motion carried to the centre of the link, its joint
 * lets it move as
 *
 *     v = X v_parent + H b + S u
 *
 * The columns of H are motions that the rigid rows J of the joint (their halves for the link) hold,
 * those of S its freedoms: J H = 1, J S = 0. b are the rates that are asked of the rows, u those of
 * the freedoms. Rows that yield, J v + C x = b, stiffen the freedoms. What hangs on a link is felt
 * there as inertia (Featherstone 1983), from the last link to the first:
 *
 *     A = M + sum of X^T (A - A S D^-1 S^T A) X of its children,   D = S^T (A + J^T C^-1 J) S
 *
 * This solves (J M^-1 J^T + C) x = b, and gives the answer of all links to a load on one, in time
 * proportional to their number and without that matrix. */
#ifndef SCRI_TREE_H
#define SCRI_TREE_H

#include "base/arena.h"
#include "scree/base.h"

/* Rows that a joint may have. */
enum { SCRI_LINK_ROWS = 12 };

typedef struct scri_link {
    int32_t parent; /* a link before it; -1: what does not respond */
    int32_t row;    /* the first of its joint's rows */
    int32_t n_rows, n_held;
    int32_t n_soft; /* rows that yield and are there */
    uint8_t is_rigid[SCRI_LINK_ROWS];
    double arm[3];                   /* from the centre of the parent to its own */
    double articulated[36];          /* A */
    double basis[36];                /* six motions: H, in the order of the rigid rows, then S */
    double push[36];                 /* A S L^-T with D = L P L^T, by freedom */
    double lower[36];                /* L below 1 / P, as many rows as freedoms, six columns */
    double firm[SCRI_LINK_ROWS];     /* 1 / C of a row that yields; 0: it is not there */
    double soft[6 * SCRI_LINK_ROWS]; /* of each such row: rates of the six motions */
    double own[36];                  /* M */
} scri_link;

/* Motion j of those that are free. */
static inline const double* scri_link_free(const scri_link* link, int j)
{
    return link->basis + 6 * ((size_t)link->n_held + (size_t)j);
}

typedef struct scri_tree {
    int32_t n;
    scri_link* link; /* [n] */
    double* load;    /* [6 n] minus what acts on a link, from outside and from its children */
    double* along;   /* [6 n] of that along the freedoms, L^-1 S^T */
    double* motion;  /* [6 n] */
} scri_tree;

/* Memory for n links, all zero. */
SCREE_MUST_USE scree_status scri_tree_create(scri_arena* arena, int32_t n, scri_tree* out);

/* M of a link, inertia xx yy zz xy xz yz in world axes. */
void scri_link_set_mass(scri_link* link, double mass, const double inertia[6]);

/* Factors of the links from `first` up to `end`, whole trees. `own`, `arm`, `basis`, `soft` and
 * `firm` must be there. */
void scri_tree_factor(scri_tree* t, int32_t first, int32_t end);

/* (J M^-1 J^T + C) x = b for the rows of these links; x[] has b and becomes the answer. Rows that
 * yield and are not there get 0. */
void scri_tree_solve(scri_tree* t, int32_t first, int32_t end, double* x);

/* `motion` of these links with that x, M^-1 J^T x, without x itself. */
void scri_tree_follow(scri_tree* t, int32_t first, int32_t end, const double* b);

/* Accelerations of all links under `load`, with `motion` asked of each and efforts [6 n] along its
 * freedoms: `motion` becomes them, `effort` those of the freedoms. Factors without soft rows. */
void scri_tree_accelerate(scri_tree* t, double* effort);

/* What the accelerations `motion` of all links need: efforts [6 n] along the freedoms under `load`,
 * which becomes what each joint carries. */
void scri_tree_need(scri_tree* t, double* effort);

/* The mass matrix [rates rates] of the freedoms by composite inertias; rate[n + 1] is the first of
 * each link. Overwrites `articulated`. */
void scri_tree_mass_matrix(scri_tree* t, const int32_t* rate, double* out);

/* `motion` of these links under the loads [6] of two of them (or of one: -1). */
void scri_tree_respond(scri_tree* t, int32_t first, int32_t end, const int32_t at[2],
                       const double* load);

#endif
