/* The joints of a world, and the system of their constraints. */
#ifndef SCRI_WORLD_JOINTS_H
#define SCRI_WORLD_JOINTS_H

#include "base/compiler.h"
#include "joints/curve.h"
#include "joints/joint_kernel.h"
#include "joints/tree.h"
#include "math/blocks.h"
#include "world/table.h"

/* What a joint knows of the past; saved with the state. */
typedef struct scri_joint_memory {
    double coordinate[SCREE_FREEDOMS_MAX]; /* with whole turns */
    double turn[2];                        /* gear, rack, screw: of A and B, the same; curve: u */
    double rate[SCREE_FREEDOMS_MAX];       /* after the last impulses */
    double effort[SCREE_FREEDOMS_MAX];     /* impulse of the last step along freedoms, N s, N m s */
    double impulse[6]; /* of all its rows on A at the point of B in world axes, N s, N m s */
    double hold[6];    /* of its constraints alone */
    double press;      /* N, the force of these in the last step */
} scri_joint_memory;

/* Bodies are slots; -1 is the world. */
typedef struct scri_joint {
    scree_joint_def def; /* bodies as they were given */
    int32_t body[2];
    int32_t carrier; /* gear, rack: a slot; -1: the world */
    uint32_t generation;
    int is_used;
    int ignores;        /* it is what keeps its bodies from colliding */
    double start[2][4]; /* gear, rack: rotation of the frames where turns count from, and the point
                           of */
    double start_point[3]; /* A, as the carrier sees them */
    double stays;
    double* knots; /* of the curve, which views them */
    scri_curve curve;
    scri_joint_memory memory;
} scri_joint;

#define SCRI_JOINTS_FIELDS(X) X(scri_joint, joint, 1)
SCRI_TABLE(scri_joints_table, SCRI_JOINTS_FIELDS)

/* What a row of a joint is to a step. Those up to SCRI_ROW_ARMATURE are equations and belong to the
 * system; others are inequalities. The order is that of `feature` in the list of contacts. */
typedef enum scri_row_kind {
    SCRI_ROW_LINE, /* constraints along lines, of turns, of both */
    SCRI_ROW_TURN,
    SCRI_ROW_COUPLED,
    SCRI_ROW_SPRING,
    SCRI_ROW_ARMATURE,
    SCRI_ROW_MOTOR,
    SCRI_ROW_FRICTION,
    SCRI_ROW_LOWER,
    SCRI_ROW_UPPER,
    SCRI_ROW_KINDS
} scri_row_kind;

/* The bodies of mechanisms without loops, tree after tree. */
typedef struct scri_trees {
    scri_tree tree;
    int32_t n;        /* trees */
    int32_t* first;   /* [n + 1] link of each */
    int32_t* body;    /* [links] slot */
    int32_t* node;    /* [links] of the joint it hangs on; -1: it is free */
    int32_t* side;    /* [links] of that joint */
    int32_t* link;    /* [bodies] -1: in no tree */
    int32_t* link_at; /* [n_nodes] -1: solved in blocks */
    int32_t* tree_of; /* [links] */
    int32_t* member;  /* [links] of one part */
} scri_trees;

/* The equations of all joints as one system, with a node per joint that has any. Nodes up to
 * blocks.n are solved in blocks, later ones in trees, each in the order of slots; scalar rows are
 * in the order of nodes. */
typedef struct scri_joint_system {
    scri_arena* arena;
    int is_made;     /* it is that of the joints at hand */
    int is_placed;   /* rows and errors are those of the poses at hand, */
    int is_factored; /* and so are the factors: 1 of rigid rows, 2 of all */
    int has_soft;    /* rows that are no constraints of positions */
    int has_carried; /* gears or racks on a carrier */
    int32_t n_nodes, n_rows, n_bodies, n_couplings;
    int32_t* joint;     /* [n_nodes] slot */
    int32_t* node;      /* [slots] -1: no equations */
    int32_t* first;     /* [n_nodes + 1] scalar row */
    uint8_t* kind;      /* [n_rows] a scri_row_kind */
    uint8_t* freedom;   /* [n_rows] of springs and armatures */
    uint8_t* is_rigid;  /* [n_rows] a constraint of positions */
    int32_t* node_of;   /* [n_rows] */
    int32_t* coupling;  /* [4 n_couplings] two nodes, the later place first, that share a body, and
                           which side of each it is */
    int64_t* block;     /* [n_couplings] first entry of theirs */
    int32_t* body;      /* [n_bodies] slots of dynamic bodies with joints */
    double fastest;     /* m/s: of these, turning included, before the impulses of a step */
    double work;        /* J: what kinematic bodies do to others through joints while these drift */
    double* row;        /* [12 n_rows] */
    double* answer;     /* [12 n_rows] M^-1 times it */
    double* error;      /* [n_rows] of rigid rows */
    double* limit;      /* [n_rows] what is only rounding of it */
    double* compliance; /* [n_rows] of soft rows in the step at hand */
    double *x, *lambda, *left; /* [n_rows] */
    double* diagonal;          /* [n_rows] of J M^-1 J^T */
    double* arm;               /* [3 n_nodes] from the point of B to the centre of A */
    double* from;              /* [13 n_bodies] state before a drift */
    double* begin;             /* [13 n_bodies + 12 n_nodes] before all of its pieces */
    scri_blocks blocks;
    scri_trees trees;
} scri_joint_system;

/* What can be said of a definition without a world. */
SCRI_SISTERS scree_status scri_joint_check(const scree_env* env, const scree_joint_def* def);

/* The slot of a joint, as scri_world_find() of a body. */
scree_status scri_world_find_joint(const scree_world* world, scree_joint_id id, const char* call,
                                   int32_t* out);

/* What was said of direction i. */
static inline const scree_freedom* scri_joint_freedom_of(const scri_joint* joint, int i)
{
    return &joint->def.freedom[joint->def.kind == SCREE_JOINT_BALL ? 0 : i];
}

/* Both sides of a joint where its bodies are now. */
void scri_joint_sides(const scree_world* world, const scri_joint* joint, scri_joint_side s[2]);

/* What its coupled row needs; whole turns are those next to the memory's. */
scri_joint_terms scri_joint_terms_of(const scree_world* world, const scri_joint* joint,
                                     const scri_joint_side s[2]);

/* The coordinate of freedom i with whole turns, and its row. */
double scri_joint_coordinate(const scri_joint* joint, int i, const scri_joint_side s[2],
                             double* row);

/* Whether the constraints of a joint hold positions: rigid ones, and not a distance that springs or
 * limits free. kind: 0 lines, 1 turns, 2 both. */
int scri_joint_is_rigid(const scri_joint* joint, int kind);

/* Whether a distance is a freedom. */
int scri_joint_is_freed(const scri_joint* joint);

/* Removes the joints of a body, and one joint. */
void scri_world_drop_joints(scree_world* world, int32_t body);
void scri_world_drop_joint(scree_world* world, int32_t index);

/* Nothing of the system is known any more. */
void scri_world_forget_system(scree_world* world);

void scri_world_release_joints(scree_world* world);

#endif
