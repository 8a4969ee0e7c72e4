/* A world of rigid bodies that moves in time steps.
 *
 *     scree_world_def def = scree_default_world_def();
 *     def.step = 1e-3;
 *     scree_world* world = NULL;
 *     status = scree_world_create(NULL, &def, &world);
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

/* How the equations of joints are solved. Both give the same answer but for rounding. */
typedef enum scree_joints {
    SCREE_JOINTS_ROWS,  /* all of them as one sparse system */
    SCREE_JOINTS_TREES, /* mechanisms without loops along their branches, others as rows */
    SCREE_JOINTS_COUNT
} scree_joints;

/* Force (N) and torque (N m) of a step, added to gravity. Arrays are those of the view, which has
 * the time at the beginning of the step, the poses of its middle and the velocities before its
 * impulses; the callback adds to force[3 n] and torque[3 n]. */
struct scree_world_view;
typedef void scree_force(void* user, const struct scree_world_view* view, double* force,
                         double* torque);

typedef struct scree_world_def {
    uint32_t struct_size;    /* written by scree_default_world_def() */
    double gravity[3];       /* m/s^2, default (0, 0, -9.81) */
    double step;             /* s, default 1e-3 */
    double theta;            /* 1/2 to 1, default 1/2: the share of h after the impulses */
    scree_scheme scheme;     /* default SCREE_SCHEME_IMPULSE */
    scree_law law;           /* exact, convex or coupled; default exact */
    scree_solver_def solver; /* of the contact problem of each step; see below */
    double overlap; /* m, gap scheme: what a step may leave of it beyond tol, and what is not pushed
                       apart at once, up to 0.045 of the smaller shape's size; 0: contacts may leave
                       any, and all is pushed apart (default) */
    double margin;  /* m, gap scheme: all contacts within it; 0: those that can close */
    int32_t workers;    /* threads, default 1; 0: one for each processor */
    scree_force* force; /* may be NULL */
    void* force_user;
    scree_joints joints; /* default SCREE_JOINTS_ROWS */
} scree_world_def;

/* The solver of a world is `auto` by default, in the local measure with tol = 1e-2: every contact
 * is right to a hundredth of what gravity changes in a step, or of what the bodies that meet there
 * change in it. max_iter is 10000, min_iter 1: a body at rest comes to rest exactly. max_time is
 * that of a whole step; it makes results depend on the clock. speed and give are the world's
 * own and not looked at. A step fails with SCREE_ERROR_UNSUPPORTED where a solver that was
 * named does not fit its problem.
 *
 * Bodies about to rest are solved to rounding, which needs factors of a matrix with six rows per
 * body. Up to 32 bodies the engine has its own; where more touch, link the library scree_sparse and
 * say
 *
 *     scree_env env = {.sparse = scree_sparse_mumps()};
 *     status = scree_world_create(&env, &def, &world);
 *
 * Without it large heaps are solved to the tolerance alone: they rest less exactly, and small
 * tolerances take many more sweeps. */

SCREE_API void scree_world_def_init(scree_world_def* def); /* struct_size is set */
SCREE_DEFINE_DEFAULT(scree_world_def, scree_default_world_def, scree_world_def_init)

/* `env` serves the world and its solver, and is copied: NULL is the usual one. A step like those
 * before asks for no memory, but for what the library of sparse matrices keeps to itself, and, of
 * several workers, for what one needs who meets a larger part of the scene than before. */
SCREE_API SCREE_MUST_USE scree_status scree_world_create(const scree_env* env,
                                                         const scree_world_def* def,
                                                         scree_world** out);
SCREE_API void scree_world_destroy(scree_world* world); /* NULL is allowed */

/* Ground of damped springs, per area (docs/foundation.md); all 0: rigid. */
typedef struct scree_ground {
    double stiffness; /* k, kg/m^2/s^2 */
    double damping;   /* gamma, kg/m^2/s */
    double mass;      /* m, kg/m^2, below gamma^2 / (4 k) */
} scree_ground;

/* How a coefficient depends on the rate w at which its channel slips, m/s or rad/s, at the
 * beginning of a step (docs/decisions/0140-static-friction.md): at_rest where the contact sticks,
 * else
 *
 *     mu + (at_rest - mu) / (1 + (w / rate)^2) + viscous w
 *
 * All 0: mu throughout. rate 0: the coefficient falls from at_rest to mu as soon as it slips. */
typedef struct scree_slip {
    double at_rest; /* as mu, and not below it; 0: mu */
    double rate;    /* Stribeck's, m/s or rad/s */
    double viscous; /* what a unit of w adds to the coefficient */
} scree_slip;

/* Friction of a material against itself. Two different materials meet with the geometric mean of
 * mu, the larger mu_r and mu_s, and the smaller restitution, unless the pair has been set; what
 * they have at rest is combined by the same rules, of rates and viscous parts the larger counts.
 *
 * Contacts are rigid unless a material has a stiffness, or moduli from which Hertz's and Mindlin's
 * theory makes one: (4/3) E* sqrt(R) d^(3/2) at a depth d, 1/R the sum of the curvatures of spheres
 * and capsules; where both are flat the size of the smaller one stands for R, an estimate. Along
 * the tangents the stiffness is the share 2 (1 - poisson) / (2 - poisson) of it. Two materials
 * yield as springs in series, with the larger damping; where one is rigid the other counts, and a
 * stiffness goes before moduli. Loads of bodies with more supports than they need have one answer
 * then, and bodies pressed between others that do not give way carry a finite force. Restitution is
 * not for them. docs/decisions/0141-contacts-that-yield.md
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
    double mu;         /* sliding, a number */
    double mu_r, mu_s; /* rolling, spinning: metres */
    double
        restitution; /* Newton's e, 0 to 1, less where that would add energy; impulse scheme only */
    const scree_set *sliding, *direction;         /* C and D of sliding; NULL for C: the unit disc,
                                                     NULL for D: that of scree_set_flow(), or
                                                     C, which must then be convex */
    const scree_set *rolling, *rolling_direction; /* the same of rolling */
    scree_ground ground;                          /* instead of sets of rolling */
    double lay[3]; /* in the body's axes, any length; 0: none, and the x axis where sets need one */
    scree_slip slip[3]; /* of sliding, rolling, spinning */
    double stiffness;   /* N/m of a contact along its normal; 0: rigid, or by `young` */
    double damping;     /* N s/m beside it */
    double young;       /* Pa, Young's modulus: stiffness by Hertz and Mindlin; 0: rigid */
    double poisson;     /* Poisson's ratio, 0 to 0.5 */
    double
        mu_r_share; /* rolling and spinning beyond mu_r and mu_s, as shares of the radius of the */
    double mu_s_share; /* smaller of two shapes: f = rho / R of Tasora & Anitescu, grain by grain */
    int contour; /* not 0: mu_r resists the rate at which a contact runs along the contour about the
                    lay, the axis of a disc: its moment is mu_r N over the sine of the angle between
                    lay and normal (docs/decisions/0222-contour-friction.md) */
} scree_material;

/* Adds a material; its sets are copied. Faults: sets under the law `coupled`, sets that need the
 * extended law under the law `convex`, a C that is not convex without D, a D that is not convex;
 * a ground that the model does not cover, one beside sets of rolling, one under the law `coupled`;
 * friction that depends on slip under that law, or that of rolling beside a ground.
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
    SCREE_BODY_NONE,      /* in a view: the slot is free; never that of a body */
    SCREE_BODY_KIND_COUNT
} scree_body_kind;

typedef struct scree_body_def {
    uint32_t struct_size; /* written by scree_default_body_def() */
    scree_body_kind kind;
    double position[3];         /* of the centre of mass, m */
    double rotation[4];         /* quaternion w, x, y, z */
    double velocity[3];         /* m/s */
    double angular_velocity[3]; /* rad/s, world axes */
    double mass;                /* kg, > 0 for a dynamic body */
    double inertia[6];          /* about the centre of mass in the body's axes, kg m^2 */
    void* user;                 /* the host's, handed back and never looked at */
} scree_body_def;

SCREE_API void scree_body_def_init(scree_body_def* def); /* struct_size is set */
SCREE_DEFINE_DEFAULT(scree_body_def, scree_default_body_def, scree_body_def_init)

/* Handle of a body, valid until the body is removed. Slots are used again, the lowest free one
 * first, with a generation that is one higher: the handle of a body that is gone is refused with
 * SCREE_ERROR_ARGUMENT by every call. {0} is no body. */
typedef struct scree_body_id {
    int32_t index1;      /* slot + 1 */
    uint32_t generation; /* bodies that had this slot before */
} scree_body_id;

/* Adds a body with n shapes; their positions count from the centre of mass. Shapes of one body
 * never collide, nor do two bodies of which none is dynamic. */
SCREE_API SCREE_MUST_USE scree_status scree_world_add_body(scree_world* world,
                                                           const scree_body_def* def, int32_t n,
                                                           const scree_shape* shapes,
                                                           scree_body_id* out);

/* Takes a body and its shapes out. Its contacts are gone with it; those of the others keep what
 * the next step begins with. Takes time in proportion to the shapes and contacts of the world. */
SCREE_API SCREE_MUST_USE scree_status scree_world_remove_body(scree_world* world,
                                                              scree_body_id body);

/* Whether the handle is that of a body which is there now; 0 for a NULL world. */
SCREE_API int scree_world_body_is_valid(const scree_world* world, scree_body_id body);

/* The handle of what is in a slot now; {0} where it is free or not there. */
SCREE_API scree_body_id scree_world_body_at(const scree_world* world, int32_t index);

/* ---- one body -------------------------------------------------------------------------------- */

typedef struct scree_body_state {
    double position[3];         /* of the centre of mass, m */
    double rotation[4];         /* unit quaternion w, x, y, z */
    double velocity[3];         /* m/s */
    double angular_velocity[3]; /* rad/s, world axes */
} scree_body_state;

SCREE_API SCREE_MUST_USE scree_status scree_world_get_body(const scree_world* world,
                                                           scree_body_id body,
                                                           scree_body_state* out);

/* Puts a body of any kind somewhere else, at once and through whatever lies between. It has no
 * velocity from it, and its next contacts are new ones. What is to push others on its way is a
 * kinematic body with a velocity. */
SCREE_API SCREE_MUST_USE scree_status scree_world_set_pose(scree_world* world, scree_body_id body,
                                                           const double position[3],
                                                           const double rotation[4]);

/* Velocities of a kinematic or dynamic body from now on. */
SCREE_API SCREE_MUST_USE scree_status scree_world_set_velocity(scree_world* world,
                                                               scree_body_id body,
                                                               const double velocity[3],
                                                               const double angular_velocity[3]);

/* A force (N) at the centre of mass, a torque (N m), a force at a point of the world: they act on a
 * dynamic body over the next step, beside those of gravity and of the callback, and are gone after
 * it. Those of several calls add up. A step that fails leaves them in place. */
SCREE_API SCREE_MUST_USE scree_status scree_world_apply_force(scree_world* world,
                                                              scree_body_id body,
                                                              const double force[3]);
SCREE_API SCREE_MUST_USE scree_status scree_world_apply_torque(scree_world* world,
                                                               scree_body_id body,
                                                               const double torque[3]);
SCREE_API SCREE_MUST_USE scree_status scree_world_apply_force_at(scree_world* world,
                                                                 scree_body_id body,
                                                                 const double force[3],
                                                                 const double point[3]);

/* An impulse (N s) at the centre of mass, an angular impulse (N m s), an impulse at a point of the
 * world: they change the velocities of a dynamic body at once. */
SCREE_API SCREE_MUST_USE scree_status scree_world_apply_impulse(scree_world* world,
                                                                scree_body_id body,
                                                                const double impulse[3]);
SCREE_API SCREE_MUST_USE scree_status scree_world_apply_angular_impulse(scree_world* world,
                                                                        scree_body_id body,
                                                                        const double impulse[3]);
SCREE_API SCREE_MUST_USE scree_status scree_world_apply_impulse_at(scree_world* world,
                                                                   scree_body_id body,
                                                                   const double impulse[3],
                                                                   const double point[3]);

/* What the host keeps with a body; NULL for a handle that is not valid. */
SCREE_API void* scree_world_get_user(const scree_world* world, scree_body_id body);
SCREE_API SCREE_MUST_USE scree_status scree_world_set_user(scree_world* world, scree_body_id body,
                                                           void* user);

/* Whether two bodies pass through each other (`on` not 0) or collide as their shapes say (0, as at
 * the beginning). Removal of one of them ends it. */
SCREE_API SCREE_MUST_USE scree_status scree_world_ignore_pair(scree_world* world, scree_body_id a,
                                                              scree_body_id b, int on);

/* m/s^2 */
SCREE_API void scree_world_get_gravity(const scree_world* world, double out[3]);
SCREE_API SCREE_MUST_USE scree_status scree_world_set_gravity(scree_world* world,
                                                              const double gravity[3]);

/* ---- the whole ------------------------------------------------------------------------------- */

/* The state, borrowed until the next call that changes the world. Bodies by slot (index1 - 1); a
 * free slot has the kind SCREE_BODY_NONE, zeros and no shapes. */
typedef struct scree_world_view {
    uint32_t struct_size;
    double time; /* s */
    int64_t steps;
    int32_t n_bodies;               /* slots, free ones included */
    const uint8_t* kind;            /* [n] a scree_body_kind */
    const uint32_t* generation;     /* [n] tells a slot that was used again from the body before */
    void* const* user;              /* [n] */
    const double* mass;             /* [n] */
    const double* position;         /* [3 n] */
    const double* rotation;         /* [4 n] */
    const double* velocity;         /* [3 n] */
    const double* angular_velocity; /* [3 n] */
    int32_t n_contacts;             /* of the last step */
    const scree_problem* problem;   /* of the last step, bodies form; NULL before the first and
                                      after a body was added, removed or put elsewhere */
    const double* impulse;          /* [n_rows of problem] */
    const double* give;             /* [n_rows of problem] what was added to q where contacts
                                      contradict each other (scree_report); 0 elsewhere */
    const double* gap;              /* [n_contacts] m, in the middle of the step */
    const double* point;            /* [3 n_contacts] m */
    int32_t n_shapes;
    const scree_shape_kind* shape_kind;  /* [n_shapes] */
    const double* shape_half_size;       /* [3 n_shapes] */
    const double* shape_offset;          /* [3 n_shapes] in the frame of the body */
    const double* shape_turn;            /* [4 n_shapes] the same */
    const int32_t* shape_body;           /* [n_shapes] rising */
    const int32_t* shape_material;       /* [n_shapes] */
    void* const* shape_user;             /* [n_shapes] */
    const scree_hull* const* shape_hull; /* [n_shapes] NULL for other kinds */
    const scree_mesh* const* shape_mesh; /* the same */
    const double* shape_rounding;        /* [n_shapes] */
} scree_world_view;

SCREE_API void scree_world_fill_view(const scree_world* world, scree_world_view* view);
SCREE_DEFINE_VIEW(scree_world_view, scree_world_get_view, scree_world_fill_view, scree_world)

SCREE_API double scree_world_time(const scree_world* world);

/* What one step was. Energies in J. */
typedef struct scree_step_report {
    uint32_t struct_size;
    int32_t n_contacts;
    scree_report solve;            /* outcome and method of the worst part, its residual; the sweeps
                                      of the part that took the most of them; updates of all */
    scree_certificate certificate; /* recomputed from the problem, with `give` of the view, and the
                                      impulses; `local` counts what impulses leave of the speed of
                                      large parts at rest, too */
    double approach;               /* fastest that contacts still approach, those that gave way
                                      included, m/s: the next overlap is this times the step */
    double penetration;            /* worst overlap in the middle of the step, m */
    double overlap_share;          /* worst that contacts leave, over the smaller shape's radius */
    int32_t n_stopped;             /* times that bodies met another on their way and stopped */
    int32_t overlap_body[2];       /* indices of the bodies it is between; -1: none overlap */
    double kinetic, potential;     /* at its end */
    double contact_work;           /* of the contacts on dynamic bodies */
    double overlap_work;           /* the part of it that takes overlap out; impacts pay for it */
    double force_work;             /* of the forces besides gravity over the step */
    double time_contacts, time_solve, time_certify, time_move; /* wall clock, s */
    int32_t n_parts;            /* sets of bodies that contacts connect; each is solved alone */
    int32_t worst_body;         /* index of a body of the part with the worst `local`; -1: none */
    int32_t n_joints, n_broken; /* joints before the step; those that it broke */
    double joint_gap;           /* worst error of the constraints of joints at its end, m */
    double joint_turn;          /* the same of turns, rad */
    int32_t n_in_trees;         /* of the joints, those whose equations were solved along trees */
} scree_step_report;

/* One step. Contacts that contradict each other give way (scree_report) and the rest of the world
 * is solved as if they were not in each other's way. Not converged is an outcome in report->solve,
 * not an error; the world has moved on. `report` may be NULL. */
SCREE_API SCREE_MUST_USE scree_status scree_world_make_step(scree_world* world,
                                                            scree_step_report* report);
static inline SCREE_MUST_USE scree_status scree_world_step(scree_world* world,
                                                           scree_step_report* report)
{
    if (report) report->struct_size = (uint32_t)sizeof *report;
    return scree_world_make_step(world, report);
}

/* ---- contacts of the last step --------------------------------------------------------------- */

/* In world axes. A and B are the two sides; what is said of A holds for B with the other sign. */
typedef struct scree_contact {
    uint32_t struct_size;
    scree_body_id body[2];     /* A, B */
    int32_t shape[2];          /* of A and of B, as numbered in the view */
    double point[3];           /* m, midway between the surfaces, in the middle of the step */
    double normal[3];          /* from B to A */
    double gap;                /* m, negative where they overlap */
    double impulse[3];         /* N s, on A in the step */
    double angular_impulse[3]; /* N m s, of rolling and spinning friction */
    double force[3];           /* N, impulse / step */
    double torque[3];          /* N m, angular_impulse / step */
    double slip[3];            /* m/s, of A over B along the surface, after the impulses */
    int32_t material[2];       /* of A and of B there: zones of a mesh have their own */
} scree_contact;

/* How many; 0 before the first step and after a load. Contacts of bodies that were removed or put
 * elsewhere since are gone. */
SCREE_API int32_t scree_world_contact_count(const scree_world* world);
SCREE_API SCREE_MUST_USE scree_status scree_world_fill_contact(const scree_world* world,
                                                               int32_t index, scree_contact* out);
static inline SCREE_MUST_USE scree_status scree_world_get_contact(const scree_world* world,
                                                                  int32_t index, scree_contact* out)
{
    if (out) out->struct_size = (uint32_t)sizeof *out;
    return scree_world_fill_contact(world, index, out);
}

/* Those of one body: *n of them, of which the first `capacity` go to out[capacity]. The first has
 * the struct_size of all. */
SCREE_API SCREE_MUST_USE scree_status scree_world_fill_body_contacts(
    const scree_world* world, scree_body_id body, int32_t capacity, scree_contact* out, int32_t* n);
static inline SCREE_MUST_USE scree_status scree_world_get_body_contacts(
    const scree_world* world, scree_body_id body, int32_t capacity, scree_contact* out, int32_t* n)
{
    if (capacity > 0 && out) out->struct_size = (uint32_t)sizeof *out;
    return scree_world_fill_body_contacts(world, body, capacity, out, n);
}

/* Force (N) of all contacts on a body, and their torque (N m) about its centre of mass, each where
 * it is not NULL. */
SCREE_API SCREE_MUST_USE scree_status scree_world_get_contact_force(const scree_world* world,
                                                                    scree_body_id body,
                                                                    double force[3],
                                                                    double torque[3]);

/* ---- questions about what is where ----------------------------------------------------------- */

/* The first question after bodies have moved sorts all shapes, as a step does; others find them
 * sorted. Functions that are called with an answer return 0 for the next one and anything else to
 * end the search, and must not change the world. The order of the answers is that of places, not of
 * distances, and the same in every run. */

/* Where a ray enters a shape: origin + share * way. */
typedef struct scree_ray_hit {
    scree_body_id body; /* {0}: nothing was met */
    int32_t shape;      /* as numbered in the view; -1: none */
    double share;       /* 0 to 1 */
    double point[3], normal[3];
} scree_ray_hit;

typedef int scree_ray_visit(void* user, const scree_ray_hit* hit);

/* The nearest shape, or all shapes, of these categories between origin and origin + way. A ray that
 * begins inside a shape meets it at once: share 0, with the normal against the ray. */
SCREE_API SCREE_MUST_USE scree_status scree_world_cast_ray(scree_world* world,
                                                           const double origin[3],
                                                           const double way[3], uint32_t categories,
                                                           scree_ray_hit* out);
SCREE_API SCREE_MUST_USE scree_status scree_world_cast_ray_all(scree_world* world,
                                                               const double origin[3],
                                                               const double way[3],
                                                               uint32_t categories,
                                                               scree_ray_visit* visit, void* user);

typedef int scree_overlap_visit(void* user, scree_body_id body, int32_t shape);

/* Shapes of these categories whose bounding boxes, along the world's axes, meet a box; half-spaces
 * that reach into it. */
SCREE_API SCREE_MUST_USE scree_status
scree_world_overlap_box(scree_world* world, const double lower[3], const double upper[3],
                        uint32_t categories, scree_overlap_visit* visit, void* user);

/* Shapes that touch this one, which need not belong to any body: its pose is in the world, its
 * material is not looked at, and its `category` and `collides` say what counts.
 * SCREE_ERROR_UNSUPPORTED where its bounding box meets that of a shape for which there is no
 * collision with it (see scree_world_add_body()). */
SCREE_API SCREE_MUST_USE scree_status scree_world_overlap_shape(scree_world* world,
                                                                const scree_shape* shape,
                                                                scree_overlap_visit* visit,
                                                                void* user);

/* ---- saving ---------------------------------------------------------------------------------- */

/* The state that determines what comes next: poses, velocities, forces yet to act, the contacts of
 * the last step, gravity, the time. Bodies, shapes, materials and ignored pairs are not in it:
 * loading needs a world with the same, in the same slots and of the same generations, and then goes
 * on bit for bit. SCREE_ERROR_INPUT where they differ. Of joints it needs all that there ever were;
 * those that had broken by then break. */
SCREE_API size_t scree_world_state_size(const scree_world* world);
SCREE_API void scree_world_save(const scree_world* world, void* state);
SCREE_API SCREE_MUST_USE scree_status scree_world_load(scree_world* world, const void* state,
                                                       size_t size);

#ifdef __cplusplus
}
#endif

#endif
