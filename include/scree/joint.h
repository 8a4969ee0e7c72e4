/* Joints: what keeps two bodies together, and what drives them.
 *
 *     scree_joint_def def = scree_default_joint_def();
 *     def.kind = SCREE_JOINT_HINGE;
 *     def.body[0] = arm;                        // and body[1] = {0}: the world
 *     status = scree_joint_place(world, &def, point, axis);
 *     def.freedom[0].motor = SCREE_MOTOR_VELOCITY;
 *     def.freedom[0].target = 3.0;              // rad/s
 *     def.freedom[0].max_effort = 20.0;         // N m
 *     status = scree_world_add_joint(world, &def, &joint);
 *
 * A joint has a frame on each body, A and B: a point and three axes, of which x is "the axis". What
 * may move of frame A relative to frame B are its freedoms, each with a coordinate (m or rad) that
 * is zero where the frames coincide, its rate, and an effort (N or N m) along it:
 *
 *     hinge          turn about x
 *     slider         slide along x of B
 *     cylindrical    slide along x of B, turn about it
 *     universal      turn about x of A, turn about y of B, which stay at right angles
 *     planar         slide along y, slide along z of B, turn about x of B
 *     ball           none with a coordinate: friction and springs of freedom[0] hold all turning
 *     distance       the distance of the points, which springs and limits may free
 *     rope           the same, at most `length`
 *     screw          turn about x of B; the slide is `ratio` (m/rad) times it
 *     gear           none: turn of A about its x axis + ratio * turn of B about its own stays, both
 *                    relative to `carrier`
 *     rack           none: slide of A along its x axis - ratio (m/rad) * turn of B about its own
 *                    stays, the same
 *     curve          the way (m) of A's point along a curve of B
 *     fixed          none
 *
 * Joints are rows of the problem that a step solves with its contacts, so that a drive that slips,
 * a wedge that locks and a loop that carries more than it needs are one and the same problem. Where
 * bodies are is kept to rounding: docs/decisions/0120-joints.md.
 */
#ifndef SCREE_JOINT_H
#define SCREE_JOINT_H

#include "scree/world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum scree_joint_kind {
    SCREE_JOINT_FIXED,
    SCREE_JOINT_BALL,
    SCREE_JOINT_HINGE,
    SCREE_JOINT_SLIDER,
    SCREE_JOINT_CYLINDRICAL,
    SCREE_JOINT_UNIVERSAL,
    SCREE_JOINT_PLANAR,
    SCREE_JOINT_DISTANCE,
    SCREE_JOINT_ROPE,
    SCREE_JOINT_SCREW,
    SCREE_JOINT_GEAR,
    SCREE_JOINT_RACK,
    SCREE_JOINT_CURVE,
    SCREE_JOINT_KIND_COUNT
} scree_joint_kind;

/* "hinge"; NULL for what is no kind. */
SCREE_API const char* scree_joint_kind_name(scree_joint_kind kind);

typedef enum scree_motor {
    SCREE_MOTOR_NONE,
    SCREE_MOTOR_EFFORT,   /* `target` is the effort itself, N or N m */
    SCREE_MOTOR_VELOCITY, /* the rate becomes `target` with at most max_effort */
    SCREE_MOTOR_POSITION, /* the coordinate becomes `target` with at most max_effort: by the middle
                             of the next step where that suffices, no faster than it can brake, or
                             over `time` */
    SCREE_MOTOR_COUNT
} scree_motor;

/* One freedom of a joint. All zero but for infinite limits: it moves freely. */
typedef struct scree_freedom {
    double lower, upper; /* m or rad; infinite: none */
    double stiffness;    /* N/m or N m/rad towards `rest`, treated implicitly */
    double damping;      /* N s/m or N m s/rad, implicitly */
    double rest;         /* m or rad */
    double friction;     /* N or N m of dry friction */
    double friction_arm; /* for a turn m, for a slide a number: friction grows by this times the
                            reaction of the joint's constraints */
    scree_motor motor;
    double target;     /* m or rad, their rates, or N or N m */
    double max_effort; /* N or N m; infinite: whatever it takes */
    double time;       /* s, of a position motor: the error decays with it; 0: within a step */
    double backlash;   /* m or rad: gear, rack, screw may be off by half of it to either side */
    double armature;   /* kg or kg m^2 of what turns with the motor, seen from the joint */
} scree_freedom;

enum { SCREE_FREEDOMS_MAX = 3 };

typedef struct scree_joint_def {
    uint32_t struct_size; /* written by scree_default_joint_def() */
    scree_joint_kind kind;
    scree_body_id body[2]; /* A and B; {0}: the world, for one of them */
    double position[2][3]; /* of the frames, from the centres of mass in the bodies' axes, m; of the
                              world in its own */
    double rotation[2][4]; /* quaternions w, x, y, z, in the bodies' axes */
    double length;         /* distance, rope: m */
    double ratio;          /* screw, rack: m/rad; gear: a number */
    scree_body_id carrier; /* gear, rack: the body on which A and B are held, by other joints, each
                              at its frame's point; turns and slides count from it. {0}: the world,
                              and axes must keep their direction */
    int32_t n_curve;       /* curve: points of a closed or open chain in frame B, three or more, */
    const double* curve;   /* [3 n_curve] copied, and joined by a smooth curve */
    int closed;            /* curve: the last point is followed by the first */
    scree_freedom freedom[SCREE_FREEDOMS_MAX];
    double compliance[2]; /* of the constraints: m/N for points, rad/(N m) for turns; 0: rigid */
    double damping[2];    /* the same: N s/m, N m s/rad, beside compliance */
    double break_force;   /* N; infinite by default: a reaction beyond it removes the joint after */
    double break_torque;  /* N m; the step, and the report counts it */
    int collide;          /* whether the two bodies collide; default no */
    void* user;           /* the host's, handed back and never looked at */
} scree_joint_def;

SCREE_API void scree_joint_def_init(scree_joint_def* def); /* struct_size is set */
SCREE_DEFINE_DEFAULT(scree_joint_def, scree_default_joint_def, scree_joint_def_init)

/* Writes both frames of `def` so that they coincide now: at `point`, with x along `axis` (of any
 * length, world coordinates; NULL: the world's x axis). A distance or rope gets point on A and the
 * centre of B, and their distance as its length, which may be changed afterwards. */
SCREE_API SCREE_MUST_USE scree_status scree_joint_place(const scree_world* world,
                                                        scree_joint_def* def, const double point[3],
                                                        const double axis[3]);

typedef struct scree_joint_id {
    int32_t index1;
    uint32_t generation;
} scree_joint_id; /* as scree_body_id */

/* Bodies may be a little apart: the first step brings them together if it can. Faults: a joint of a
 * body with itself or of two that cannot move, axes of no length, limits the wrong way round, what
 * is negative or not finite. Removing a body removes its joints. */
SCREE_API SCREE_MUST_USE scree_status scree_world_add_joint(scree_world* world,
                                                            const scree_joint_def* def,
                                                            scree_joint_id* out);
SCREE_API SCREE_MUST_USE scree_status scree_world_remove_joint(scree_world* world,
                                                               scree_joint_id joint);
SCREE_API int scree_world_joint_is_valid(const scree_world* world, scree_joint_id joint);
SCREE_API int32_t scree_world_count_joints(const scree_world* world); /* slots, free ones too */
SCREE_API scree_joint_id scree_world_joint_at(const scree_world* world, int32_t index);

typedef struct scree_joint_state {
    uint32_t struct_size;
    scree_joint_kind kind;
    scree_body_id body[2];
    int32_t n_freedoms;
    double coordinate[SCREE_FREEDOMS_MAX]; /* m or rad; turns are counted on beyond pi */
    double rate[SCREE_FREEDOMS_MAX];
    double effort[SCREE_FREEDOMS_MAX]; /* N or N m along it in the last step: motor, spring,
                                          friction and limits together, on A */
    double force[3], torque[3];        /* on A in the last step at frame B's point, in its axes */
    double error[2];                   /* m, rad: how far the constraints are off */
    double frame[2][7];                /* point and rotation of both frames in the world */
} scree_joint_state;

SCREE_API SCREE_MUST_USE scree_status scree_world_fill_joint(const scree_world* world,
                                                             scree_joint_id joint,
                                                             scree_joint_state* out);
static inline SCREE_MUST_USE scree_status scree_world_get_joint(const scree_world* world,
                                                                scree_joint_id joint,
                                                                scree_joint_state* out)
{
    if (out) out->struct_size = (uint32_t)sizeof *out;
    return scree_world_fill_joint(world, joint, out);
}

/* What the host keeps with a joint; NULL for a handle that is not valid. */
SCREE_API void* scree_world_get_joint_user(const scree_world* world, scree_joint_id joint);

/* Another motor, target or limit from now on. */
SCREE_API SCREE_MUST_USE scree_status scree_world_set_freedom(scree_world* world,
                                                              scree_joint_id joint, int32_t which,
                                                              const scree_freedom* freedom);
SCREE_API SCREE_MUST_USE scree_status scree_world_get_freedom(const scree_world* world,
                                                              scree_joint_id joint, int32_t which,
                                                              scree_freedom* out);

/* ---- mechanisms in the rates of their joints ---- */

/* A mechanism without loops in the rates of its joints: what a controller asks for.
 *
 *     scree_tree* arm = NULL;
 *     status = scree_tree_create(world, upper_arm, &arm);       // all that joints connect with it
 *     int32_t n = scree_tree_n_rates(arm);
 *     status = scree_tree_efforts(arm, acceleration, effort);   // [n]: inverse dynamics
 *     ...
 *     status = scree_tree_update(arm, world);                   // after a step
 *     scree_tree_destroy(arm);
 *
 * With u the rates of the freedoms,
 *
 *     M(q) u' + bias(q, u) = effort,
 *
 * bias being the centrifugal and gyroscopic forces and minus that of gravity. All of it belongs to
 * the bodies alone, where they are and as they move at the last update: contacts, limits, springs,
 * friction, motors and armatures are not in it, nor what the host applies. Constraints are taken as
 * rigid.
 *
 * Rates are those of the joints' freedoms (scree_joint_state.rate); a ball has three, the angular
 * velocity of A against B in the axes of frame B. Of a tree that hangs on nothing the first six are
 * those of its first body: the velocity of its centre of mass, and its angular velocity in world
 * axes.
 */
typedef struct scree_tree scree_tree;

/* The mechanism of a body, with everything at hand now. SCREE_ERROR_UNSUPPORTED and a line in the
 * log: it has a loop (everything that does not respond counts as one body), a gear, a rack, a curve
 * or a distance. A body without joints is a tree of one. */
SCREE_API SCREE_MUST_USE scree_status scree_tree_create(const scree_world* world,
                                                        scree_body_id body, scree_tree** out);
SCREE_API void scree_tree_destroy(scree_tree* tree); /* NULL is allowed */

/* Takes poses, velocities and gravity from the same world. SCREE_ERROR_ARGUMENT: one of its bodies
 * or joints is gone. */
SCREE_API SCREE_MUST_USE scree_status scree_tree_update(scree_tree* tree, const scree_world* world);

/* Bodies, each after the one that it hangs on; {0} for a number that is none. */
SCREE_API int32_t scree_tree_n_bodies(const scree_tree* tree);
SCREE_API scree_body_id scree_tree_body(const scree_tree* tree, int32_t number);

/* Rates. */
SCREE_API int32_t scree_tree_n_rates(const scree_tree* tree);

/* Whose rate number k is: its joint ({0}: of the first body itself) and which of the freedoms. */
SCREE_API SCREE_MUST_USE scree_status scree_tree_rate_of(const scree_tree* tree, int32_t k,
                                                         scree_joint_id* joint, int32_t* freedom);

/* u[n_rates] */
SCREE_API SCREE_MUST_USE scree_status scree_tree_rates(const scree_tree* tree, double* u);

/* M[n_rates n_rates], symmetric. */
SCREE_API SCREE_MUST_USE scree_status scree_tree_mass_matrix(scree_tree* tree, double* m);

/* The efforts [n_rates] that accelerations [n_rates] need; without any (NULL) they hold what
 * gravity pulls at and motion throws off. */
SCREE_API SCREE_MUST_USE scree_status scree_tree_efforts(scree_tree* tree,
                                                         const double* acceleration,
                                                         double* effort);

/* The accelerations [n_rates] under efforts [n_rates] (NULL: none), in time proportional to the
 * number of bodies. */
SCREE_API SCREE_MUST_USE scree_status scree_tree_accelerations(scree_tree* tree,
                                                               const double* effort,
                                                               double* acceleration);

/* What an impulse (N s) at a point (m, world axes) of a body adds to the velocity of that point:
 * out[9] times it, 1/kg. Its inverse is the mass that is felt there. */
SCREE_API SCREE_MUST_USE scree_status scree_tree_response(scree_tree* tree, scree_body_id body,
                                                          const double point[3], double out[9]);

#ifdef __cplusplus
}
#endif

#endif
