/* A block on a plane that may move: coordinates x, y and height z, one contact N, T1, T2. */
#ifndef SCRI_PLANAR_BLOCK_H
#define SCRI_PLANAR_BLOCK_H

#include "scree/set.h"
#include "scree/system.h"

typedef struct scri_planar_block {
    double mass, gravity;
    double stiffness;        /* of springs from the origin along x and y; 0 for none */
    double belt[2];          /* velocity of the plane */
    const scree_set* forces; /* C, friction over normal force */
    const scree_set* flow;   /* D, or NULL: C itself */
    double step, tol;
} scri_planar_block;

/* At position q[2] with velocity u[2] on the plane. `block` is borrowed as long as the system
 * lives. */
scree_status scri_planar_block_create(const scree_env* env, scri_planar_block* block,
                                      const double q[2], const double u[2], scree_system** out);

/* The superellipse with these semi-axes, turned by `angle`; with a roundness of 2 the ellipse. */
scree_set_def scri_planar_shape(const double axes[2], double roundness, double angle);

/* The set `def` as large as fits inside `outer`. */
scree_status scri_planar_fit(const scree_env* env, scree_set_def def, const scree_set* outer,
                             scree_set** out);

#endif
