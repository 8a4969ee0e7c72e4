/* Sets and cones of friction: what forces are possible in the tangent plane (C), and which way a
 * contact slides under them (D); with a spin power, sets over both forces and the moment about the
 * normal.
 *
 *     scree_set_def def = {.kind = SCREE_SET_ELLIPSE, .a = 0.5, .b = 0.3};
 *     scree_set* set = NULL;
 *     status = scree_set_create(&env, &def, &set);
 *     double k = scree_set_gauge(set, x);          // <= 1 inside
 *     scree_set_destroy(set);
 *
 * Every set is compact and star-shaped with the origin in its interior. Coordinates are those of
 * the contact's tangents t1, t2; a channel of a contact may carry the forces coef * p_N * C. See
 * docs/anisotropic.md for the laws.
 *
 * A model of friction may bring its own set of directions with it: wedges (scree_set_flow()), a
 * flow rule (scree_set_create_from_flow()), a tensor law after Zmitrowicz
 * (scree_set_create_tensor()).
 */
#ifndef SCREE_SET_H
#define SCREE_SET_H

#include "scree/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct scree_set scree_set; /* never changes after its creation: share it at will */

/* Problems hold sets as plain data, see scree_sets: without pointers, so that a problem can be
 * written, sent and copied to a device. Worlds, systems and problem builders take objects and make
 * the data themselves. */

typedef enum scree_set_kind {
    SCREE_SET_DISC,         /* radius a */
    SCREE_SET_ELLIPSE,      /* semi-axes a, b */
    SCREE_SET_RECTANGLE,    /* half sides a, b */
    SCREE_SET_SUPERELLIPSE, /* |x/a|^s + |y/b|^s <= 1, s in 0.01 .. 1e4; convex for s >= 1 */
    SCREE_SET_RUNNER,       /* rectangle with half sides s, b and half-ellipses with semi-axes a, b
                               at its ends x = +-s: the runner of a bobsleigh */
    SCREE_SET_POLYGON,  /* vertices, counter-clockwise about the origin, which sees every edge */
    SCREE_SET_ASPERITY, /* parallel wedges: friction a, inclination s in rad, eq. (50) */
    SCREE_SET_POLAR,    /* a measured curve: radius against angle, periodic cubic spline */
    SCREE_SET_KIND_COUNT
} scree_set_kind;

typedef struct scree_set_def {
    scree_set_kind kind;
    double a, b, s;
    double angle;         /* rad: the set is turned by it, counter-clockwise from t1 to t2 */
    double scale;         /* the set is enlarged by it; 0 counts as 1 */
    int32_t n;            /* of points */
    const double* points; /* [2 n] polygon: x, y; polar: angle in rad (rising, over less than a full
                             turn), radius; copied */
    double spin_power; /* 0: of forces alone. Otherwise sliding and spinning have one set in three
                          dimensions, { (x, m) : k(x)^spin_power + |m|^spin_power <= 1 } with the
                          gauge k of this set: 2 makes an ellipsoid of an ellipse; 1.1 .. 100, or
                          0.2 .. 0.9 for a set that is star-shaped but not convex */
} scree_set_def;

/* "disc", "ellipse", ...; NULL for a value outside the enumeration. */
SCREE_API const char* scree_set_kind_name(int kind);

/* Checks the def and makes the set. Faults are logged with the value at fault: sizes that are not
 * within 1e-15 .. 1e15, a polygon or curve that is not star-shaped about the origin, wedges with
 * a >= cot s. Destroy it when nothing uses it any more. */
SCREE_API SCREE_MUST_USE scree_status scree_set_create_sized(const scree_env* env,
                                                             const scree_set_def* def, size_t size,
                                                             scree_set** out);
static inline SCREE_MUST_USE scree_status scree_set_create(const scree_env* env,
                                                           const scree_set_def* def,
                                                           scree_set** out)
{
    return scree_set_create_sized(env, def, sizeof *def, out);
}
SCREE_API void scree_set_destroy(scree_set* set); /* NULL is allowed */

/* The set of directions that belongs to a set by the model that it comes from: of wedges the
 * largest ellipse inside it with the ratio cos(beta) of its semi-axes, eq. (52). *out is NULL for
 * all other kinds, whose directions may be any. Worlds take it where a material has no set of
 * directions of its own. */
SCREE_API SCREE_MUST_USE scree_status scree_set_flow(const scree_env* env, const scree_set* set,
                                                     scree_set** out);

/* The force that resists sliding in the direction phi (rad from t1), over the normal force: `force`
 * has the sign of the velocity, as C has. */
typedef void scree_flow_rule(void* user, double phi, double force[2]);

/* C and D of a flow rule, as measured curves: D by eq. (71). Fails where the force does not resist,
 * where it does not turn on as the sliding does, and where no convex D has such normals. */
SCREE_API SCREE_MUST_USE scree_status scree_set_create_from_flow(const scree_env* env,
                                                                 scree_flow_rule* rule, void* user,
                                                                 scree_set** force,
                                                                 scree_set** direction);

/* Sliding along the unit vector u meets second u + fourth (u1^3, u1^2 u2, u1 u2^2, u2^3), in axes
 * that are turned by `angle` (rad). The tensor of fourth order may be 0. */
typedef struct scree_tensor_law {
    double second[2][2], fourth[2][4];
    double angle;
} scree_tensor_law;

/* C and D of a tensor law. A symmetric tensor of second order has ellipses: C with its eigenvalues
 * as semi-axes, D with their roots. One that is not symmetric has no D. */
SCREE_API SCREE_MUST_USE scree_status scree_set_create_tensor(const scree_env* env,
                                                              const scree_tensor_law* law,
                                                              scree_set** force,
                                                              scree_set** direction);

/* A set as plain data. `scree_set_store()` writes it; `scree_problem_validate()` checks it. */
typedef struct scree_set_value {
    int32_t kind;      /* a scree_set_kind; a superellipse with s = 2 is an ellipse */
    int32_t is_convex; /* 0 or 1: of the planar set */
    double a, b, s;    /* as in the def, with the scale in them; a disc has b = a. Of an asperity,
                          with mu, beta and a scale: mu scale / cos(beta), cos(beta)^2 and
                          1 - (1 + mu^2) sin(beta)^2 */
    double turn[2];    /* cosine and sine of the angle */
    double spin_power; /* as in the def */
    int32_t n;         /* points of a polygon or a curve, 0 for other kinds */
    int32_t table;     /* where they begin in the table of the pool. Polygon: x, y and the gradient
                          of the gauge over the edge that begins there; curve: angle, radius and its
                          second derivative, of the periodic cubic spline */
} scree_set_value;

/* A pool of sets: one table holds the points of all of them. */
typedef struct scree_sets {
    int32_t n, n_table;
    const scree_set_value* value; /* [n] */
    const double* table;          /* [n_table] */
} scree_sets;

/* Doubles that a set needs in a table: 4 n for a polygon, 3 n for a curve, else 0. */
SCREE_API int32_t scree_set_table_size(const scree_set* set);

/* Writes a set into *value, and its points into table[first] and on. */
SCREE_API void scree_set_store(const scree_set* set, int32_t first, scree_set_value* value,
                               double* table);

/* Whether the set is convex (a superellipse or a curve may not be, nor is one with a spin power
 * below 1). All functions below are about the planar set. */
SCREE_API int scree_set_is_convex(const scree_set* set);

/* The smallest k with x in k times the set: the gauge (Minkowski function), 1 on the boundary.
 * Here and below, an argument that is not finite gives NaN. */
SCREE_API double scree_set_gauge(const scree_set* set, const double x[2]);

/* Distance from the origin to the boundary at the angle theta (rad) from t1. */
SCREE_API double scree_set_radius(const scree_set* set, double theta);

/* Unit outward normal of the boundary at the point that x points to. Where the boundary has a
 * corner, one of its normals; x = 0 gives (0, 0). */
SCREE_API void scree_set_normal(const scree_set* set, const double x[2], double normal[2]);

/* max v . x over the set, for a convex set; where `point` is not NULL, a point that attains it
 * (0 for v = 0). NaN for a set that is not convex. */
SCREE_API double scree_set_support(const scree_set* set, const double v[2], double point[2]);

/* Closest point of `size` times a convex set to z; NaN for a set that is not convex. */
SCREE_API void scree_set_project(const scree_set* set, double size, const double z[2],
                                 double out[2]);

/* The bipotential of the law with the force set `forces` (NULL: the unit disc) and the set of
 * directions `directions` (NULL: that of the forces), for a force s against the sliding v, over the
 * normal force. Not below s . v, and equal to it exactly where s and v obey the law; infinite for s
 * outside of the force set; NaN for a set of directions that is not convex. */
SCREE_API double scree_set_bipotential(const scree_set* forces, const scree_set* directions,
                                       const double s[2], const double v[2]);

/* The largest k with k * inner inside `outer`: min over theta of the ratio of the radii. */
SCREE_API double scree_set_fit(const scree_set* inner, const scree_set* outer);

/* ---- cones ---- */

/* The friction cones: Euclidean projections and distances, as pure functions on a few doubles.
 *
 *   K      = { p : p_N >= 0, |p_k| <= mu_k p_N for every channel k }   (sliding, rolling, spinning)
 *   K*     = { y : y_N >= sum_k mu_k |y_k| }                           its dual cone
 *   K_ell  = { p : p_N >= 0, sum_k |p_k|^2 / mu_k^2 <= p_N^2 }         the coupled ellipsoid
 *
 * width: 1 = N, 2 = N T, 3 = N T1 T2, 4 = N T1 T2 S, 5 = N T1 T2 R1 R2, 6 = N T1 T2 R1 R2 S.
 * mu    = { slide, roll, spin }; those of channels that the width lacks are ignored; any may be 0.
 * Entries may range from 1e-150 to 1e150; a NaN in the input gives NaN in every row of the output,
 * never a silent zero.
 */

/* Replaces p[width] by the closest point of K. An unknown width fills nothing and does nothing. */
SCREE_API void scree_cone_project(int width, const double mu[3], double* p);

/* The same for the planar rows N, T, R (mu[2] is ignored). */
SCREE_API void scree_cone_project_planar(const double mu[3], double p[3]);

/* Replaces p[width] by the closest point of the coupled ellipsoid K_ell. */
SCREE_API void scree_cone_project_coupled(int width, const double mu[3], double* p);

/* Euclidean distance of p[width] to K, and of y[width] to the dual cone K*. 0 inside. */
SCREE_API double scree_cone_distance(int width, const double mu[3], const double* p);
SCREE_API double scree_cone_dual_distance(int width, const double mu[3], const double* y);

/* y_N - sum_k mu_k |y_k|: not negative exactly when y[width] lies in K*. */
SCREE_API double scree_cone_dual_margin(int width, const double mu[3], const double* y);

#ifdef __cplusplus
}
#endif

#endif
