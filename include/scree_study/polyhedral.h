/* Polyhedral friction: contact problems in which polygons stand for the friction discs, so that
 * they are linear complementarity problems (scree_study/lcp.h). docs/lcp.md has the equations.
 *
 * Acceleration level (Peiret, Koevecses, Font-Llagunes): a system in minimal coordinates, given by
 * the functions of scree/system.h; contacts that stick and may begin to slide in one of k lines,
 * with phantom inertia rho that makes the matrix regular.
 *
 * Velocity level (Stewart and Trinkle; Anitescu and Potra): any one-step problem of scree/problem.h
 * with contacts of the exact law and one to three rows, so that polygon and disc can be compared.
 */
#ifndef SCREE_STUDY_POLYHEDRAL_H
#define SCREE_STUDY_POLYHEDRAL_H

#include "scree/scene.h"
#include "scree/system.h"
#include "scree_study/lcp.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- acceleration level ---- */

/* What to do about contact forces that the accelerations do not determine (a block on four
 * corners): then J_t has dependent rows and lambda_t cannot be eliminated as it stands. */
typedef enum scree_redundancy {
    SCREE_REDUNDANCY_REFUSE, /* solve only if the rows of J_t are independent */
    SCREE_REDUNDANCY_RELAX,  /* every contact row yields by `compliance` times its force */
    SCREE_REDUNDANCY_LEAST,  /* rigid; of all forces that fit, those with the least norm */
    SCREE_REDUNDANCY_COUNT
} scree_redundancy;

SCREE_API const char* scree_redundancy_name(int redundancy); /* "refuse", "relax", "least", NULL */

typedef enum scree_contact_mode {
    SCREE_CONTACT_OPEN,
    SCREE_CONTACT_STICK, /* closed, tangential velocity 0: may begin to slide */
    SCREE_CONTACT_SLIP   /* closed and sliding: friction is opposite to the velocity */
} scree_contact_mode;

typedef struct scree_polyhedral_def {
    uint32_t struct_size;    /* written by scree_default_polyhedral_def() */
    scree_system_def system; /* model with `rates`; contacts with rows N, NT or NTT, the exact law,
                                no sets; step, tol and restitution are not used */
    int32_t directions;      /* k: lines in the tangent plane, default 8; planar contacts have 1 */
    const int32_t* each;     /* [n_contacts] k_i of every contact; NULL: `directions` of all */
    const double* direction; /* [2 sum of k_i] unit vectors e_j in the axes of T1 and T2, contact
                                by contact, planar ones included; NULL: at angles j pi / k */
    const double* rho;       /* [n_contacts] phantom inertia, 0 allowed; NULL: chosen safely */
    const double* kinetic;   /* [n_contacts] coefficient while sliding; NULL: the static one */
    scree_redundancy redundancy;
    double compliance; /* of SCREE_REDUNDANCY_RELAX, in 1/kg; default 1e-8 */
    int check;         /* not 0: report ranks and singular values, and solve twice to see whether
                          the acceleration is unique */
    scree_lcp_method method;
    double tol; /* of the LCP, default 1e-10 */
} scree_polyhedral_def;

SCREE_API void scree_polyhedral_def_init(scree_polyhedral_def* def); /* struct_size is set */
SCREE_DEFINE_DEFAULT(scree_polyhedral_def, scree_default_polyhedral_def, scree_polyhedral_def_init)

typedef struct scree_polyhedral scree_polyhedral;

/* Copies everything but what `user` points to. q[n], u[n] are the state at t; contacts with a gap
 * up to 1e-9 m that do not separate are closed, those of them slower than 1e-9 m/s stick. */
SCREE_API SCREE_MUST_USE scree_status scree_polyhedral_create(const scree_env* env,
                                                              const scree_polyhedral_def* def,
                                                              double t, const double* q,
                                                              const double* u,
                                                              scree_polyhedral** out);
SCREE_API void scree_polyhedral_destroy(scree_polyhedral* polyhedral); /* NULL is allowed */

typedef struct scree_spectrum {
    int32_t size, rank;       /* rank: singular values above size * 2.2e-16 * largest */
    double smallest, largest; /* singular values */
} scree_spectrum;

typedef struct scree_polyhedral_report {
    int solved; /* not 0: accelerations and forces below are those of a solution */
    scree_lcp_report lcp;
    int by_corners; /* not 0: found in the form of the velocity level, J_t being deficient or
                       the reduced LCP having defeated the method */
    double error;   /* of equation (8), relative to its largest term */
    int32_t n_closed, n_slip;
    int32_t rows, rank; /* of J over the closed contacts; fewer: forces not unique */
    int32_t tangent_rows, tangent_rank; /* of J_t over those that stick */
    double margin; /* smallest |s / rho - 1| over the values s that make (8) singular; large
                      is good, 0 singular, infinite without sticking contacts */
    /* The rest is NaN or 0 unless `check` is set. */
    scree_spectrum lead;        /* of the matrix of (8) */
    scree_spectrum reduced;     /* of the LCP in lambda_n, kappa+, kappa- */
    double acceleration_spread; /* between two solutions found on different ways, relative, in the
                                   norm of the kinetic energy */
    double force_spread;        /* of their contact forces, relative, largest component */
    int unique;                 /* the accelerations agree, to rounding and compliance */
} scree_polyhedral_report;

/* Accelerations and contact forces of the present state. SCREE_OK with solved == 0 when the LCP has
 * no solution, or J_t is deficient and redundancies are refused. */
SCREE_API SCREE_MUST_USE scree_status scree_polyhedral_evaluate(scree_polyhedral* polyhedral,
                                                                scree_polyhedral_report* report);

/* The matrices of the formulations that the paper names, for the present state, each as it stands
 * (unknown accelerations and all) and after the accelerations have been eliminated. Of those in
 * kappa the latter has size 0 where the rows of J_t depend on each other. */
typedef struct scree_polyhedral_ranks {
    scree_spectrum glocker[2];         /* kappa, rho = 0 [1] */
    scree_spectrum stewart_trinkle[2]; /* corners, gaps at the end of a step [2] */
    scree_spectrum anitescu_potra[2];  /* corners, normal velocities [3] */
    scree_spectrum phantom[2];         /* equation (8) with its rho */
} scree_polyhedral_ranks;

/* `step`, in s, is that of [2]; it only scales rows. */
SCREE_API SCREE_MUST_USE scree_status scree_polyhedral_find_ranks(scree_polyhedral* polyhedral,
                                                                  double step,
                                                                  scree_polyhedral_ranks* out);

/* Moves on by h seconds: the midpoint rule between events. Where a sliding contact stops or an
 * open one closes, the state of that moment is found, and an impulse (the polyhedral problem at
 * velocity level, no restitution) brings the velocities in line. Then evaluates. */
SCREE_API SCREE_MUST_USE scree_status scree_polyhedral_advance(scree_polyhedral* polyhedral,
                                                               double h,
                                                               scree_polyhedral_report* report);

/* Borrowed until the next call. Contact arrays are 0 where a contact is open. Unknowns and slacks
 * of (8) belong to the evaluation last made. */
typedef struct scree_polyhedral_view {
    uint32_t struct_size;
    double time;
    int32_t n, n_contacts, n_rows, n_lines; /* n_lines: sum of k over the contacts */
    const int32_t *row, *line;              /* [n_contacts + 1] first row and line of a contact */
    const double *q, *u, *acceleration;     /* [n] */
    const double* force;                    /* [n_rows] lambda_n, lambda_t */
    const double* velocity;                 /* [n_rows] relative velocity of the contacts */
    const double* rho;                      /* [n_contacts] */
    const double *kappa_plus, *kappa_minus; /* [n_lines] m/s^2 */
    const double *sigma_minus, *sigma_plus; /* [n_lines] N; complementary to the two above */
    const uint8_t* mode;                    /* [n_contacts] a scree_contact_mode */
    int64_t n_events;                       /* impulses since the beginning */
    const scree_lcp* lcp;                   /* of the evaluation; NULL for redundancy "least" */
} scree_polyhedral_view;
SCREE_API void scree_polyhedral_fill_view(const scree_polyhedral* polyhedral,
                                          scree_polyhedral_view* view);
SCREE_DEFINE_VIEW(scree_polyhedral_view, scree_polyhedral_get_view, scree_polyhedral_fill_view,
                  scree_polyhedral)

/* ---- velocity level ---- */

/* The 2k-gon that stands for the unit disc. The circumscribed one is that of the acceleration
 * level; its friction is too large by up to 1 / cos(pi / 2k) - 1. */
typedef enum scree_polygon {
    SCREE_POLYGON_CIRCUMSCRIBED,
    SCREE_POLYGON_INSCRIBED, /* as in the papers; friction too small by up to 1 - cos(pi / 2k) */
    SCREE_POLYGON_COUNT
} scree_polygon;

/* The LCP of a valid problem with k lines: unknowns p_N of every contact, then the multipliers of
 * the polygon's corners, then one bound per contact with friction. Half-line rows are taken as they
 * are. SCREE_ERROR_UNSUPPORTED for other laws, wider contacts, or more than 20000 unknowns. */
SCREE_API SCREE_MUST_USE scree_status scree_polyhedral_build(const scree_env* env,
                                                             const scree_problem* problem,
                                                             int32_t directions,
                                                             scree_polygon polygon,
                                                             scree_lcp_store* out);

/* The same as a sparse problem, of any size. */
SCREE_API SCREE_MUST_USE scree_status scree_polyhedral_build_sparse(const scree_env* env,
                                                                    const scree_problem* problem,
                                                                    int32_t directions,
                                                                    scree_polygon polygon,
                                                                    scree_sparse_lcp_store* out);

/* The impulses p[n_rows] that its solution z stands for. */
SCREE_API SCREE_MUST_USE scree_status scree_polyhedral_impulses(const scree_env* env,
                                                                const scree_problem* problem,
                                                                int32_t directions,
                                                                scree_polygon polygon,
                                                                const double* z, double* p);

/* How far polygons lead from discs on the same problem. */
typedef struct scree_polyhedral_difference {
    int32_t directions, unknowns;
    scree_lcp_report lcp;
    double impulse;  /* |p - p_exact|_2 / |p_exact|_2; says little where impulses are not unique */
    double velocity; /* |y - y_exact|_2 / max(|y_exact|_2, |y without impulses|_2) */
    double force;    /* largest | |p_T| / (mu p_N) - 1 | over contacts that slide in both; NaN
                        where none does */
} scree_polyhedral_difference;

SCREE_API SCREE_MUST_USE scree_status scree_polyhedral_compare(
    const scree_env* env, const scree_problem* problem, const double* p_exact, int32_t directions,
    scree_polygon polygon, const scree_lcp_def* def, scree_polyhedral_difference* out);

/* ---- examples ---- */

typedef enum scree_polyhedral_example {
    SCREE_EXAMPLE_MASS,  /* a point mass pushed along a plane */
    SCREE_EXAMPLE_BLOCK, /* a block on four corners, pushed ever harder, then let go */
    SCREE_EXAMPLE_CHAIN, /* four links that stand on three feet, knees driven: it crawls */
    SCREE_EXAMPLE_COUNT
} scree_polyhedral_example;

SCREE_API const char* scree_polyhedral_example_name(int example); /* NULL outside */

/* Parameters by name, in SI units. X(name, default, meaning) */
#define SCREE_EXAMPLE_FIELDS(X)                                                        \
    X(mu, 0.5, "coefficient of friction")                                              \
    X(kinetic, 0.4, "the same while sliding")                                          \
    X(mass, 5.0, "of mass or block, or of each link, kg")                              \
    X(force, 32.0, "mass and block: largest push, N; chain: torque at the knees, N m") \
    X(angle, 20.0, "of the push, from T1, degrees; chain: not used")                   \
    X(period, 2.0, "of the drive, s")                                                  \
    X(gravity, 9.81, "m/s^2")

typedef struct scree_example_parameters {
#define SCREE_X(name, value, meaning) double name;
    SCREE_EXAMPLE_FIELDS(SCREE_X)
#undef SCREE_X
} scree_example_parameters;

SCREE_API scree_example_parameters scree_default_example_parameters(int example);

/* A system with its first state, in memory of its own. Zero it before first use. */
typedef struct scree_example_store {
    scree_polyhedral_def def;
    const double *q, *u; /* [n] */
    void* memory;        /* private */
} scree_example_store;

SCREE_API SCREE_MUST_USE scree_status
scree_polyhedral_example_make(const scree_env* env, int example,
                              const scree_example_parameters* parameters, scree_example_store* out);
SCREE_API void scree_example_store_release(scree_example_store* store); /* zeroed: allowed */

/* The bodies of a scene at its beginning as such a system: gravity and the scene's forces are
 * integrated, contact forces come from (8). Coordinates are position and quaternion of every
 * dynamic body, in the order of the scene; velocities v, omega and a 0. Spheres touch each other
 * and half-spaces, capsules, boxes and hulls half-spaces; materials have mu, mu_static and nothing
 * else. SCREE_ERROR_UNSUPPORTED for what is none of this. The scene is borrowed until the
 * release; def.redundancy is SCREE_REDUNDANCY_LEAST. */
SCREE_API SCREE_MUST_USE scree_status scree_polyhedral_scene_make(const scree_env* env,
                                                                  const scree_scene* scene,
                                                                  scree_example_store* out);

/* The same scene under the exact law, stepped as the scene says, and at acceleration level. */
typedef struct scree_scene_difference {
    int32_t directions, n_contacts; /* k; contacts that were closed at the beginning */
    double acceleration; /* largest difference of a body's first acceleration over g, or over the
                            largest under the exact law without gravity */
    double position;     /* largest distance of a body at the end over the longest way */
    double way;          /* that way under the exact law, m */
    double error;        /* of (8), worst */
    int64_t n_events;    /* impulses */
    int solved;
} scree_scene_difference;

SCREE_API SCREE_MUST_USE scree_status scree_polyhedral_scene_compare(const scree_env* env,
                                                                     const scree_scene* scene,
                                                                     int32_t directions,
                                                                     double until,
                                                                     scree_scene_difference* out);

/* The push or torque that drives an example at time t. */
SCREE_API double
scree_polyhedral_example_drive(int example, const scree_example_parameters* parameters, double t);

#ifdef __cplusplus
}
#endif

#endif
