/* The state of a world. src/world fills and reads it; src/step alone moves it. */
#ifndef SCRI_WORLD_H
#define SCRI_WORLD_H

#include "base/pool.h"
#include "base/shares.h"
#include "base/team.h"
#include "collide/collide.h"
#include "scree/world.h"
#include "sets/set.h"
#include "shapes/bounds.h"
#include "world/contact_table.h"
#include "world/joints.h"
#include "world/materials.h"
#include "world/table.h"

/* Where a fast body met another in the first part of a step. */
typedef struct scri_meeting {
    double share;     /* of its path; 1: it met none */
    double normal[3]; /* from the second shape to the first */
    int32_t shape[2];
    uint32_t feature; /* of the touch, as of a contact */
} scri_meeting;

#define SCRI_BODY_FIELDS(X)                                                                   \
    X(uint8_t, kind, 1)        /* a free slot is SCREE_BODY_NONE and zero but for this */     \
    X(uint32_t, generation, 1) /* bodies that had the slot before */                          \
    X(void*, user, 1)                                                                         \
    X(double, mass, 1)                                                                        \
    X(double, inv_mass, 1)          /* 0 unless dynamic */                                    \
    X(double, inertia, 6)           /* body axes: xx yy zz xy xz yz */                        \
    X(double, inv_inertia, 6)       /* body axes; 0 unless dynamic */                         \
    X(double, inv_inertia_world, 6) /* of the current rotation */                             \
    X(double, inv_mass_last, 1)     /* at the last solve */                                   \
    X(double, inv_inertia_last, 6)  /* the same at the last solve */                          \
    X(uint8_t, changed, 1)          /* that, since then */                                    \
    X(double, position, 3)                                                                    \
    X(double, rotation, 4)                                                                    \
    X(double, velocity, 3)                                                                    \
    X(double, omega, 3)  /* angular velocity, world axes */                                   \
    X(double, free, 8)   /* both velocities at the end of the step without contacts */        \
    X(double, next, 8)   /* the same with them */                                             \
    X(double, size, 6)   /* sum of the magnitudes that `next` is made of; scratch */          \
    X(double, begin, 13) /* position, rotation, omega, velocity when the step began */        \
    X(double, force, 3)                                                                       \
    X(double, torque, 3)                                                                      \
    X(double, load, 6)          /* force and torque that the host applies in the next step */ \
    X(int32_t, n_contacts, 1)   /* of the step; of those that respond */                      \
    X(int32_t, first_pushed, 2) /* [n + 1] of touch_state.by_root, of each */                 \
    X(double, push, 1)          /* what others may add to its velocity in this step */        \
    X(double, path, 6)          /* displacement of a part of the step, linear and angular */  \
    X(double, shift, 6)         /* what is added to it to undo overlap */                     \
    X(double, stop, 1)          /* share of the path after which it meets another */          \
    X(double, carry, 3)         /* m that a kinematic one takes it along from there on */     \
    X(double, slide, 3)         /* m of the path that is due to going along another */        \
    X(scri_meeting, met, 1)     /* where that one was met */                                  \
    X(int32_t, island, 1)       /* the least of those that it is connected with */            \
    X(_Atomic int32_t, tree, 1) /* towards it while several workers join them */              \
    X(uint64_t, colours, 1)     /* of its contacts, or touches in a large set; scratch */     \
    X(uint8_t, is_due, 1)       /* the set of touches whose root it is has to be swept */     \
    X(uint8_t, moved, 1)        /* in the last of these */                                    \
    X(uint8_t, is_unshifted, 1) /* by the last step that looked for overlap */                \
    X(uint8_t, still_steps, 1)  /* in which it stood still, up to some number */              \
    X(uint8_t, idle, 1)         /* see overlap.c */                                           \
    X(int32_t, part, 1)         /* of the step, see step/islands.h; -1: it touches nothing */ \
    X(int32_t, part_before, 1)                                                                \
    X(int32_t, place, 1)    /* in the list of members of the part at hand */                  \
    X(int32_t, by_part, 1)  /* bodies that touch something, by part and index */              \
    X(double, lost, 1)      /* J, by the contacts of an island in this step */                \
    X(double, cost, 1)      /* J, of its shift */                                             \
    X(uint8_t, is_round, 1) /* inertia is a multiple of the identity: it does not turn */     \
    X(int32_t, n_joints, 1)                                                                   \
    X(int32_t, rank, 1)    /* of slots, where the world is ranked: see world/ranks.h */       \
    X(int32_t, by_rank, 1) /* the slots in that order */
SCRI_TABLE(scri_bodies_table, SCRI_BODY_FIELDS)

#define SCRI_SHAPE_FIELDS(X)                                         \
    X(scree_shape_kind, kind, 1)                                     \
    X(double, size, 3)                                               \
    X(double, rounding, 1)                                           \
    X(const scree_hull*, hull, 1)                                    \
    X(const scree_mesh*, mesh, 1)                                    \
    X(double, offset, 3) /* in the body */                           \
    X(double, turn, 4)   /* in the body */                           \
    X(double, position, 3)                                           \
    X(double, rotation, 4)                                           \
    X(double, reach, 1) /* how far its surface may move in a step */ \
    X(int32_t, body, 1)                                              \
    X(int32_t, material, 1)                                          \
    X(int32_t, n_zones, 1) /* that have materials of their own */    \
    X(const int32_t*, zone_material, 1)                              \
    X(uint8_t, responds, 1) /* to impulses */                        \
    X(uint32_t, category, 1)                                         \
    X(uint32_t, collides, 1)                                         \
    X(void*, user, 1)                                                \
    X(int32_t, rank, 1) /* where the world is ranked */              \
    X(int32_t, by_rank, 1)
SCRI_TABLE(scri_shapes_table, SCRI_SHAPE_FIELDS)

/* Radius of the ball about the middle of a shape that holds it. */
SCREE_FN double scri_shapes_radius(const scri_shapes_table* t, int32_t i)
{
    return scri_shape_radius(t->kind[i], t->size + 3 * (size_t)i) + t->rounding[i];
}

/* The first shape of what is no contact but a joint, whose slot is the second. Joints come last in
 * the order of contacts. */
#define SCRI_JOINT_SHAPE INT32_MAX

/* The rows of the joints in a step: first those of the system, then inequalities. */
#define SCRI_JOINT_ROW_FIELDS(X) X(double, jacobian, 12)
SCRI_TABLE(scri_joint_rows_table, SCRI_JOINT_ROW_FIELDS)

/* Bodies that pass through each other: the lower slot first, ordered. */
#define SCRI_APART_FIELDS(X) X(int32_t, body, 2)
SCRI_TABLE(scri_apart_table, SCRI_APART_FIELDS)

/* The sets of the contacts, where any material has some: numbers in the world's pool. */
#define SCRI_CONTACT_SETS_FIELDS(X) X(int32_t, set, 4)
SCRI_TABLE(scri_contact_sets_table, SCRI_CONTACT_SETS_FIELDS)

/* What a touch is to the step: no contact, one that is closed or has its gap in the law, or one of
 * the impulse scheme that is still open and may close, or that closes later in the step because of
 * what the others do. */
enum { SCRI_LEFT_OUT, SCRI_CHOSEN, SCRI_CHOSEN_OPEN, SCRI_CHOSEN_LATE };

/* A touch that is pushed apart: what a sweep needs of it lies in one piece, in the order in which
 * it is taken. */
typedef struct scri_push {
    double row[12], answer[12]; /* of H_N, and what a unit of push does to its bodies */
    double gap, least;          /* at the end of the step without pushes; bound of the push */
    double push;                /* nu, kg m: see overlap.c */
    double yield, cost;         /* metres of gap, and J that forces do not give, per push */
    double limit;               /* tolerance of the gap */
    int32_t body[2];
} scri_push;

/* The touches of one step, in the collider's order. */
#define SCRI_TOUCH_FIELDS(X)                                                           \
    X(uint8_t, chosen, 1)                                                              \
    X(int32_t, contact, 1) /* its number; -1: it is none */                            \
    X(uint8_t, lasting, 1) /* it pressed in the last step too */                       \
    X(double, closing, 1)  /* approach minus gap over step, without pushes; scratch */ \
    X(int32_t, mover, 2)   /* its bodies; -1: does not respond */                      \
    X(double, end_gap, 1)  /* at the end of the step, before overlap is undone */      \
    X(double, least_push, 1)                                                           \
    X(int32_t, left, 1)   /* those that are not chosen yet */                          \
    X(uint8_t, listed, 1) /* it is pushed, or due to be: see overlap.c */
SCRI_TABLE(scri_touch_table, SCRI_TOUCH_FIELDS)

/* Those that are pushed, mostly few of them, in the order in which they were found. */
#define SCRI_PUSH_FIELDS(X)                                           \
    X(int32_t, touch, 1)                                              \
    X(scri_push, push, 1)                                             \
    X(int32_t, root, 1)      /* of their sets; or -1 */               \
    X(int32_t, by_root, 1)   /* their numbers in this list, by set */ \
    X(int32_t, root_work, 2) /* to make that */
SCRI_TABLE(scri_pushes_table, SCRI_PUSH_FIELDS)

/* The touches of a large set. */
#define SCRI_PUSH_SET_FIELDS(X)                                                     \
    X(int32_t, pair, 2)      /* their bodies */                                     \
    X(int32_t, head, 2)      /* its bundles, see solvers/bundles.h; [n + 1] used */ \
    X(int32_t, bodies, 2)    /* of each of them */                                  \
    X(int32_t, first, 2)     /* [n + 1] used */                                     \
    X(int32_t, bundle, 1)    /* bundles by colour */                                \
    X(int32_t, colour, 1)    /* of each of them */                                  \
    X(int32_t, by_colour, 1) /* the set by colour, numbers of its list */           \
    X(uint8_t, place, 1)     /* in their bundles, the same */                       \
    X(scri_push, push, 1)    /* in its order */                                     \
    X(uint8_t, busy, 1)      /* the same: it still has to move */
SCRI_TABLE(scri_push_set_table, SCRI_PUSH_SET_FIELDS)

/* The parts of a step: bodies that contacts connect. */
#define SCRI_PART_FIELDS(X)                                                                      \
    X(int32_t, contact, 2)         /* [n + 1] first of contacts.by_part */                       \
    X(int32_t, body, 2)            /* [n + 1] first of bodies.by_part */                         \
    X(_Atomic uint8_t, changed, 1) /* it is not what it was in the last list */                  \
    X(uint8_t, kept, 1)            /* as the last step has solved it, with nothing to improve */ \
    X(uint8_t, settled, 1)         /* its impulses are as right as they can be */                \
    X(uint8_t, held, 1)            /* it rests within the tolerance: see rest.c */               \
    X(double, held_speed, 1)       /* what that leaves out */                                    \
    X(double, held_work, 1)        /* and does, J */                                             \
    X(scree_report, report, 1)                                                                   \
    X(int32_t, due, 1)         /* numbers of the parts that have to be solved */                 \
    X(int32_t, sorted, 1)      /* room to order them in */                                       \
    X(scree_status, status, 1) /* of these, where they are solved side by side */
SCRI_TABLE(scri_parts_table, SCRI_PART_FIELDS)

/* The bodies of one part, those included that do not respond. */
#define SCRI_MEMBER_FIELDS(X) \
    X(int32_t, body, 1)       \
    X(double, inv_mass, 1)    \
    X(double, inv_inertia, 6) \
    X(double, centre, 3)      \
    X(double, velocity, 8)
SCRI_TABLE(scri_members_table, SCRI_MEMBER_FIELDS)

/* What one who solves a part of a step has to itself. */
typedef struct scri_desk {
    const scree_env* env; /* where its memory comes from */
    scri_team* team;      /* NULL: one of several who solve parts side by side */
    int32_t* place;       /* of bodies: their number among the members; -1: none of them */
    int32_t n_places;
    scri_contacts_table contacts; /* of the part: a view of these two */
    scri_part_pairs_table pairs;
    scri_part_contacts_table copies; /* where there are several parts */
    scri_members_table members;      /* its bodies */
    void* work;                      /* of the contact solver */
    void* known;                     /* what is known of the part, see solvers/known.h */
    size_t work_size, known_size;
} scri_desk;

/* At least `size` bytes of desk->work or desk->known, whose content may be lost. */
scree_status scri_desk_reserve(scri_desk* desk, size_t size);
scree_status scri_desk_reserve_known(scri_desk* desk, size_t size);

/* Room for n of desk->contacts, whose content may be lost; for their numbers of bodies alone. 0
 * when memory is short. */
int scri_desk_reserve_contacts(scri_desk* desk, int32_t n);
int scri_desk_reserve_pairs(scri_desk* desk, int32_t n);
void scri_desk_release_contacts(scri_desk* desk);

struct scree_world {
    scree_env env;
    scree_world_def def;
    double time;
    int64_t steps;
    scri_bodies_table bodies;
    scri_shapes_table shapes;
    int32_t first_free; /* no slot below is free */
    int has_loads;      /* some body's load is not 0 */
    scri_apart_table apart;
    scri_joints_table joints;
    int32_t n_joints; /* without free slots */
    scri_joint_system joint_system;
    scri_joint_rows_table joint_rows, joint_rows_last; /* of `contacts` and `last` */
    int is_steered;       /* the host has set velocities or poses since the last step */
    int has_joint_forces; /* motors whose effort is given are forces of the step */
    int has_compliance;   /* some row of `contacts` yields by itself */
    int32_t n_materials;
    scree_material* materials; /* [n_materials], of materials_room */
    int32_t materials_room;
    scri_pair* pairs; /* [materials_room * materials_room] */
    scri_collider* collider;
    scri_team* team; /* NULL for one worker */
    scri_touch_table touch_state;
    double longest_way; /* of a shape in the time of its reach, m */
    scri_pushes_table pushes;
    scri_push_set_table push_set;       /* the large set at hand */
    int is_stopped;                     /* some body goes a part of its path only */
    int has_met;                        /* some body's `met` is of this step */
    int is_shifted;                     /* the step adds bodies.shift to its displacements */
    scri_contacts_table contacts, last; /* of this step and the one before; joints come last */
    scri_lasting_table lasting, lasting_last; /* what these are views of: of either */
    scri_passing_table passing;               /* and of the former */
    int32_t n_touching;                       /* how many of `contacts` are none of joints */
    scri_parts_table parts, parts_before;     /* of this round of the step and the one before */
    int is_unchanged;                     /* the problem is that of the last step, bit for bit */
    scree_certificate certificate;        /* of the last step */
    scri_desk desk;                       /* of who makes the step, with the team */
    scri_desk* side_desks;                /* [workers] of the team; NULL: not needed so far */
    scri_contact_sets_table contact_sets; /* n: contacts that it has room for */
    scri_set_pool sets;                   /* of the materials; then ellipses made for the step */
    int32_t n_own_sets;                   /* how many are of the materials */
    int has_sets;                         /* some pair of materials has or had sets */
    int is_soft;                          /* the same for contacts that yield */
    int has_slip;                         /* the same for friction that depends on slip */
    scree_problem problem;                /* view of `contacts` */
    int problem_is_current;               /* bodies are those of the problem, where it left them */
    int is_placed;                        /* the collider holds the shapes where they are now */
    int contacts_are_known;               /* `contacts` are those of a step that was made here */
    scri_pool* pool;                      /* what else solvers need */
    scri_shares shares;                   /* of `problem`, in contacts.end and contacts.home */
    int is_coloured;                      /* contacts.colour is what sweeps ask for */
    int has_tubes;                        /* or had */
    int is_ranked;                        /* shapes and bodies have ranks: see world/ranks.h */
    int has_new_shapes;                   /* since shapes were ranked */
    uint32_t ranking;                     /* how many times they were */
    int was_warned;                       /* of long steps */
    int is_unjudged; /* bodies or gravity are new: the length of the step has yet to be looked at */
    double solve_until; /* on the clock, where the solver has a time limit */
};

/* What material a does to material b. */
static inline const scri_pair* scri_world_pair(const scree_world* world, int32_t a, int32_t b)
{
    return world->pairs + (size_t)a * (size_t)world->materials_room + (size_t)b;
}

/* The material of a shape at a point of this zone. */
static inline int32_t scri_shapes_material(const scri_shapes_table* t, int32_t shape, int32_t zone)
{
    return zone < t->n_zones[shape] ? t->zone_material[shape][zone] : t->material[shape];
}

/* What the materials of two shapes do to each other there. */
static inline const scri_pair* scri_world_pair_at(const scree_world* world, const int32_t shape[2],
                                                  int32_t zone)
{
    return scri_world_pair(world, scri_shapes_material(&world->shapes, shape[0], zone),
                           scri_shapes_material(&world->shapes, shape[1], zone));
}

static inline const scri_pair* scri_contact_pair(const scree_world* world, int32_t c)
{
    const scri_contacts_table* t = &world->contacts;
    return scri_world_pair_at(world, t->shape + 2 * (size_t)c, t->zone[c]);
}

/* Room for n of world->contacts, or of the last ones; 0 when memory is short. The first keeps what
 * is there also then; with the others it may be lost. */
int scri_world_reserve_contacts(scree_world* world, int32_t n);
int scri_world_renew_contacts(scree_world* world, int32_t n);
int scri_world_renew_last(scree_world* world, int32_t n);

/* world->contacts become the last ones; what was last is written anew. */
void scri_world_swap_contacts(scree_world* world);

void scri_world_release_contacts(scree_world* world);

/* Desks for all of the team, with room for a part of so many contacts and bodies each. */
scree_status scri_world_reserve_desks(scree_world* world, int32_t n_contacts, int32_t n_bodies);

/* Gives them back, and what the first desk has. */
void scri_world_release_desks(scree_world* world);

/* Gives materials, pairs and their sets back. */
void scri_world_release_materials(scree_world* world);

/* Whether no contacts are known of two kinds of shapes, so that bodies of these must not meet. */
int scri_world_refuses(scree_shape_kind a, scree_shape_kind b);

/* The slot of a body. SCREE_ERROR_ARGUMENT for NULL worlds and for handles that are not valid, with
 * a message that names what was asked for. */
scree_status scri_world_find(const scree_world* world, scree_body_id id, const char* call,
                             int32_t* out);

/* Takes out the contacts of a body; those of the others stay as they are. */
void scri_world_drop_contacts(scree_world* world, int32_t body);

/* The same for the rows of a joint. */
void scri_world_drop_joint_contacts(scree_world* world, int32_t joint);

/* World-axes inertia [6] of body i from its rotation; its inverse; that in
 * bodies.inv_inertia_world. */
void scri_world_inertia(const scree_world* world, int32_t i, double* out);
void scri_world_inverse_inertia(const scree_world* world, int32_t i, double* out);
void scri_world_turn_inertia(scree_world* world, int32_t i);

SCREE_FN int scri_are_finite(const double* x, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; ++i) sum += x[i] * 0.0;
    return sum == 0.0;
}

/* Whether q [4] can be taken for a rotation. */
SCREE_FN int scri_is_rotation(const double* q)
{
    double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    return square >= 1.0 - 1e-6 && square <= 1.0 + 1e-6;
}

/* Moves shapes to where their bodies are, and hands them out as the collider wants them. */
scri_placed scri_world_place_shapes(scree_world* world);

/* The shapes where they were placed last. */
scri_placed scri_world_placed(const scree_world* world);

#endif
