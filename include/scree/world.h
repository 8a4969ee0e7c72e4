/* A world of rigid bodies that moves in time steps.
 *
 *     scree_world_def def = scree_default_world_def();
 *     def.step = 1e-3;
 *     scree_world* world = NULL;
 *     status = scree_world_create(&def, &world);
 *     ... add materials and bodies ...
 *     while (scree_world_time(world) < 10.0) status = scree_world_step(world, &report);
 *     scree_world_destroy(world);
 *
 * One step of the Moreau-Jean scheme: bodies move freely to the middle of the step, q_m = q +
 * (1 - theta) h v; there v+ = v + h M^-1 f + M^-1 H p with impulses p that obey the contact law;
 * then they move freely on, q+ = q_m + theta h v+, to which is added what keeps bodies from lying
 * in each other afterwards. Free motion keeps the angular momentum and the energy of a body to
 * rounding; a body that meets another on its way stops there (docs/decisions/0050-overlap.md). With
 * theta = 1/2 smooth motion, rolling included, is of second order
 * (docs/decisions/0030-impulses-in-the-middle.md). Results depend neither on the number of
 * workers nor on the machine's clock.
 */
#ifndef SCREE_WORLD_H
#define SCREE_WORLD_H

#include "scree/certificate.h"
#include "scree/set.h"
#include "scree/shape.h"
#include "scree/solver.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct scree_world scree_world;

/* How contacts become active. */
typedef enum scree_scheme {
    SCREE_SCHEME_IMPULSE, /* those closed half way through the step; Newton restitution */
    SCREE_SCHEME_GAP,     /* those that can close, with g/h added to u_N; no restitution */
    SCREE_SCHEME_COUNT
} scree_scheme;

/* Force (N) and torque (N m) of a step, added to gravity. Arrays are those of the view, which has
 * the time at the beginning of the step, the poses of its middle and the velocities before its
 * impulses; the callback adds to force[3 n] and torque[3 n]. */
struct scree_world_view;
typedef void scree_force(void* user, const struct scree_world_view* view, double* force,
                         double* torque);

typedef struct scree_world_def {
    uint32_t cookie;     /* written by scree_default_world_def(), checked on creation */
    double gravity[3];   /* m/s^2, default (0, 0, -9.81) */
    double step;         /* s, default 1e-3 */
    double theta;        /* 1/2 to 1, default 1/2: the share of h after the impulses */
    scree_scheme scheme; /* default SCREE_SCHEME_IMPULSE */
    scree_law law;       /* exact, convex or coupled; default exact */
    double tol;          /* of the contact problem of each step, local measure; default 1e-2:
                            every contact is right to a hundredth of what gravity changes in a step,
                            or of what the bodies that meet there change in it */
    double overlap; /* m, gap scheme: what a step may leave of it beyond tol; 0: any (default) */
    int64_t max_sweeps; /* of each step; default 10000 */
    double margin;      /* m, gap scheme: all contacts within it; 0: those that can close */
    int32_t workers;    /* threads, default 1 */
    scree_force* force; /* may be NULL */
    void* force_user;
    scree_env env;
} scree_world_def;

SCREE_API scree_world_def scree_default_world_def(void);
SCREE_API SCREE_MUST_USE scree_status scree_world_create(const scree_world_def* def,
                                                         scree_world** out);
SCREE_API void scree_world_destroy(scree_world* world); /* NULL is allowed */

/* Ground of damped springs, per area (docs/foundation.md); all 0: rigid. */
typedef struct scree_ground {
    double stiffness; /* k, kg/m^2/s^2 */
    double damping;   /* gamma, kg/m^2/s */
    double mass;      /* m, kg/m^2, below gamma^2 / (4 k) */
} scree_ground;

/* Friction of a material against itself. Two different materials meet with the geometric mean of
 * mu, the larger mu_r and mu_s, and the smaller restitution, unless the pair has been set.
 *
 * Where friction depends on the direction, sets say how: C, the forces that a channel can carry in
 * units of its coefficient and the normal force, and D, whose normals are the directions in which
 * it slides under them (scree/set.h, docs/anisotropic.md). Sets lie in the axes of the surface: the
 * first follows the lay, the second is the outward normal times the first, and they say what
 * resists another body that slides over this one.
 *
 * Where one of two surfaces has sets, these count. Where both have, each is taken as the ellipse
 * with the radii of the set along its own axes, and C and D are the geometric means of the two
 * ellipses at the angle that the lays make: A # B of their matrices. Rolling sets of one
 * surface alone count only where its mu_r is not the smaller one.
 *
 * A half-space whose material has a ground resists a cylinder that lies on it by its speed
 * (docs/foundation.md): mu_r of its contacts is F_R(v) R / N, anew in each step, but not less than
 * the mu_r of the materials, which alone holds it at rest. v is R times the rate at which the
 * cylinder turns about its axis relative to the half-space, at the beginning of the step; N is the
 * normal force between the two shapes in the last step over the cylinder's length, or the weight of
 * the body where they did not touch, and counts at most as the largest that the model covers,
 * k R^2 / 12. For other shapes, and for a cylinder that stands, the ground is rigid. */
typedef struct scree_material {
    double mu;                                    /* sliding, a number */
    double mu_r, mu_s;                            /* rolling, spinning: metres */
    double restitution;                           /* Newton's e, 0 to 1; impulse scheme only */
    const scree_set *sliding, *direction;         /* C and D of sliding; NULL for C: the unit disc,
                                                     NULL for D: C, which must then be convex */
    const scree_set *rolling, *rolling_direction; /* the same of rolling */
    scree_ground ground;                          /* instead of sets of rolling */
    double lay[3]; /* in the body's axes, any length; 0: none, and the x axis where sets need one */
} scree_material;

/* Adds a material; its sets are copied. Faults: sets under the law `coupled`, sets that need the
 * extended law under the law `convex`, a C that is not convex without D, a D that is not convex;
 * a ground that the model does not cover, one beside sets of rolling, one under the law `coupled`.
 * Under the law `exact`, contacts with D get SCREE_LAW_EXTENDED. */
SCREE_API SCREE_MUST_USE scree_status scree_world_add_material(scree_world* world,
                                                               const scree_material* material,
                                                               int32_t* out);

/* What two materials do to each other. A channel whose sets are both NULL keeps those of the rule
 * above (a unit disc makes it isotropic); the sets of a pair lie in the axes of the first of the
 * two materials that has a lay. The lay of `pair` is not used. Sets of rolling make the ground
 * rigid; a pair that has neither them nor a ground keeps that of the half-space. */
SCREE_API SCREE_MUST_USE scree_status scree_world_set_pair(scree_world* world, int32_t a, int32_t b,
                                                           const scree_material* pair);

typedef enum scree_body_kind {
    SCREE_BODY_DYNAMIC,   /* obeys forces and impulses */
    SCREE_BODY_KINEMATIC, /* moves with the velocity that it was given, whatever it touches */
    SCREE_BODY_STATIC,    /* does not move */
    SCREE_BODY_KIND_COUNT
} scree_body_kind;

typedef struct scree_body_def {
    uint32_t cookie;
    scree_body_kind kind;
    double position[3];         /* of the centre of mass, m */
    double rotation[4];         /* quaternion w, x, y, z */
    double velocity[3];         /* m/s */
    double angular_velocity[3]; /* rad/s, world axes */
    double mass;                /* kg, > 0 for a dynamic body */
    double inertia[6];          /* about the centre of mass in the body's axes, kg m^2 */
} scree_body_def;

SCREE_API scree_body_def scree_default_body_def(void);

/* Handle of a body: stays valid until the world is destroyed. */
typedef struct scree_body_id {
    int32_t index1; /* index + 1; 0 is no body */
    uint32_t generation;
} scree_body_id;

/* Adds a body with n shapes; their positions count from the centre of mass. Shapes of one body
 * never collide, nor do two bodies of which none is dynamic. A cylinder that could meet a box, a
 * capsule or a cylinder of another body is refused with SCREE_ERROR_INPUT, whichever comes second:
 * there is no collision for these pairs yet, and category and collides can keep them apart. */
SCREE_API SCREE_MUST_USE scree_status scree_world_add_body(scree_world* world,
                                                           const scree_body_def* def, int32_t n,
                                                           const scree_shape* shapes,
                                                           scree_body_id* out);

/* Velocities of a kinematic or dynamic body from now on. */
SCREE_API SCREE_MUST_USE scree_status scree_world_set_velocity(scree_world* world,
                                                               scree_body_id body,
                                                               const double velocity[3],
                                                               const double angular_velocity[3]);

/* The state, borrowed until the next call that changes the world. Bodies by index (index1 - 1). */
typedef struct scree_world_view {
    double time; /* s */
    int64_t steps;
    int32_t n_bodies;
    const uint8_t* kind;            /* [n] a scree_body_kind */
    const double* mass;             /* [n] */
    const double* position;         /* [3 n] */
    const double* rotation;         /* [4 n] */
    const double* velocity;         /* [3 n] */
    const double* angular_velocity; /* [3 n] */
    int32_t n_contacts;             /* of the last step */
    const scree_problem* problem;   /* of the last step, bodies form; NULL before the first
                                      and after a body was added */
    const double* impulse;          /* [n_rows of problem] */
    const double* give;             /* [n_rows of problem] what was added to q where contacts
                                      contradict each other (scree_report); 0 elsewhere */
    const double* gap;              /* [n_contacts] m, in the middle of the step */
    const double* point;            /* [3 n_contacts] m */
    int32_t n_shapes;
    const scree_shape_kind* shape_kind; /* [n_shapes] */
    const double* shape_size;           /* [3 n_shapes] */
    const double* shape_offset;         /* [3 n_shapes] in the frame of the body */
    const double* shape_turn;           /* [4 n_shapes] the same */
    const int32_t* shape_body;          /* [n_shapes] rising */
    const int32_t* shape_material;      /* [n_shapes] */
} scree_world_view;

SCREE_API scree_world_view scree_world_get_view(const scree_world* world);
SCREE_API double scree_world_time(const scree_world* world);

/* What one step was. Energies in J. */
typedef struct scree_step_report {
    int32_t n_contacts;
    int32_t n_parts;               /* sets of bodies that contacts connect; each is solved alone */
    int32_t worst_body;            /* a body of the part with the worst `local`; -1: none */
    scree_report solve;            /* outcome and method of the worst part, its residual; the sweeps
                                      of the part that took the most of them; updates of all */
    scree_certificate certificate; /* recomputed from the problem, with `give` of the view, and the
                                      impulses */
    double approach;               /* fastest that contacts still approach, those that gave way
                                      included, m/s: the next overlap is this times the step */
    double penetration;            /* worst overlap in the middle of the step, m */
    double overlap_share;          /* worst that contacts leave, over the smaller shape's radius */
    int32_t n_stopped;             /* times that bodies met another on their way and stopped */
    int32_t overlap_body[2];       /* indices of the bodies it is between; -1: none overlap */
    double kinetic, potential;     /* at its end */
    double contact_work;           /* of the contacts on dynamic bodies */
    double overlap_work;           /* the part of it that takes overlap out; impacts pay for it */
    double force_work;             /* of the callback's forces over the step */
    double time_contacts, time_solve, time_certify, time_move; /* wall clock, s */
} scree_step_report;

/* One step. Contacts that contradict each other give way (scree_report) and the rest of the world
 * is solved as if they were not in each other's way. Not converged is an outcome in report->solve,
 * not an error; the world has moved on. */
SCREE_API SCREE_MUST_USE scree_status scree_world_step(scree_world* world,
                                                       scree_step_report* report);

/* The state that determines what comes next: poses, velocities, the contacts of the last step, the
 * time. Bodies, shapes and materials are not in it: loading needs a world to which the same have
 * been added, and then goes on bit for bit. */
SCREE_API size_t scree_world_state_size(const scree_world* world);
SCREE_API void scree_world_save(const scree_world* world, void* state);
SCREE_API SCREE_MUST_USE scree_status scree_world_load(scree_world* world, const void* state,
                                                       size_t size);

#ifdef __cplusplus
}
#endif

#endif
