/* Rolling on a viscous foundation (paper 5): a rigid cylinder on a plane of damped springs.
 *
 *     scree_foundation_def def = scree_default_foundation_def();
 *     def.damping = 4e5;
 *     scree_foundation_contact contact;
 *     status = scree_foundation_resist(&env, &def, 1.5, &contact);    F_R at 1.5 m/s
 *
 * The ground yields to the cylinder, and what it does not give back resists the rolling. The
 * resistance rises with the speed and, as the contact shrinks, falls again; with a drag of the air
 * a cylinder on a slope then has one or two stable speeds, between which noise makes it jump.
 * All quantities of the cylinder and all forces are per length of the cylinder. docs/foundation.md
 * has the equations, and what was wrong in the paper.
 *
 * Every function checks the def and refuses what the model does not cover; the message names the
 * condition that fails.
 */
#ifndef SCREE_STUDY_FOUNDATION_H
#define SCREE_STUDY_FOUNDATION_H

#include "scree/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How the resistance is found. */
typedef enum scree_foundation_model {
    SCREE_FOUNDATION_CONSISTENT,  /* momentum consistent: eq. 9 with 2 m v^2 h / R at its end */
    SCREE_FOUNDATION_PRINTED,     /* eq. 9 as the paper prints it, with m v^2 h / R */
    SCREE_FOUNDATION_APPROXIMATE, /* large damping, eqs. 11 and 12 */
    SCREE_FOUNDATION_CIRCLE,      /* consistent, with the circle of eq. 2, not its parabola */
    SCREE_FOUNDATION_MODEL_COUNT
} scree_foundation_model;

/* "consistent", "printed", "approximate", "circle"; NULL for a value outside the enumeration. */
SCREE_API const char* scree_foundation_model_name(int model);

/* X(symbol, name, value, SI per unit, unit, meaning): the paper's symbol, the member, its default
 * in `unit`. One list makes the struct, the defaults and the program's parameters. */
#define SCREE_FOUNDATION_FIELDS(X)                                                     \
    X(k, stiffness, 1e7, 1.0, "kg/m^2/s^2", "stiffness of the ground per area")        \
    X(gamma, damping, 5e5, 1.0, "kg/m^2/s", "damping of the ground per area")          \
    X(m, ground_mass, 100.0, 1.0, "kg/m^2", "mass of the ground that moves, per area") \
    X(M, mass, 192.08, 1.0, "kg/m", "mass of the cylinder")                            \
    X(R, radius, 0.7, 1.0, "m", "radius of the cylinder")                              \
    X(I, inertia, 0.5, 1.0, "M R^2", "moment of inertia; 0.5 of a solid cylinder")     \
    X(g, gravity, 9.81, 1.0, "m/s^2", "acceleration of gravity")                       \
    X(A, drag_linear, 0.0, 1.0, "kg/m/s", "drag of the air per speed")                 \
    X(B, drag_square, 0.2, 1.0, "kg/m^2", "drag of the air per speed squared")         \
    X(alpha, slope, 2.0, SCREE_DEGREE, "degrees", "slope of the plane, below 90")      \
    X(sigma2, noise, 50.0, 1.0, "kg^2/s^3", "intensity of the random force, <zeta zeta'>")

/* SI units, `slope` in rad; `inertia` is a number. */
typedef struct scree_foundation_def {
    uint32_t struct_size; /* written by scree_default_foundation_def() */
    scree_foundation_model model;
#define SCREE_X(symbol, name, value, si, unit, meaning) double name;
    SCREE_FOUNDATION_FIELDS(SCREE_X)
#undef SCREE_X
} scree_foundation_def;

/* The set of figures 2 to 4. */
SCREE_API void scree_foundation_def_init(scree_foundation_def* def); /* struct_size is set */
SCREE_DEFINE_DEFAULT(scree_foundation_def, scree_default_foundation_def, scree_foundation_def_init)

/* The set of figures 5 and 6: softer ground, slope 4.9 degrees. */
SCREE_API void scree_noisy_foundation_def_init(scree_foundation_def* def); /* struct_size is set */
SCREE_DEFINE_DEFAULT(scree_foundation_def, scree_noisy_foundation_def,
                     scree_noisy_foundation_def_init)

SCREE_API SCREE_MUST_USE scree_status scree_foundation_validate(const scree_env* env,
                                                                const scree_foundation_def* def);

/* ---- resistance ---- */

/* The contact at one speed, in a frame that moves with the cylinder. Of the approximation
 * `xi_minus` is 0. */
typedef struct scree_foundation_contact {
    double depth;               /* h, m */
    double xi_minus, xi_plus;   /* rear and front end of the contact, m */
    double resistance;          /* F_R, N/m */
    double resistance_by_speed; /* its derivative, N s/m^2 */
    double resistance_by_load;  /* its derivative in the load, a number */
} scree_foundation_contact;

/* The contact at a speed of either sign; ends and depth are those of |speed|. SCREE_ERROR_INPUT
 * from the speed on at which the ground cannot follow and the cylinder leaves it. */
SCREE_API SCREE_MUST_USE scree_status scree_foundation_resist(const scree_env* env,
                                                              const scree_foundation_def* def,
                                                              double speed,
                                                              scree_foundation_contact* out);

/* The speed at which the contact vanishes, cbrt(gamma R N / m^2) for a load N; infinite without
 * ground mass and in the approximation. */
SCREE_API double scree_foundation_lift_speed(const scree_foundation_def* def);

/* The speed at which the resistance has its first maximum; NaN when it only rises. */
SCREE_API SCREE_MUST_USE scree_status scree_foundation_peak(const scree_env* env,
                                                            const scree_foundation_def* def,
                                                            double* speed);

/* What a contact law takes from the model: the coefficient of rolling friction F_R(v) R / N, a
 * length in m, of a cylinder with a given load per length N (N/m) on ground with `stiffness`,
 * `damping` and `ground_mass` of the def and its `radius`; nothing else of the def is used. Even in
 * the speed, 0 at rest. Above the lift speed of that load the contact is the last that there is,
 * at the lift speed; a load of 0 has a coefficient of 0. */
SCREE_API SCREE_MUST_USE scree_status scree_foundation_rolling(const scree_env* env,
                                                               const scree_foundation_def* def,
                                                               double load, double speed,
                                                               double* out);

/* ---- incline ---- */

/* F = M g sin(alpha) - F_R - F_D at a speed, N/m, and its derivative. */
SCREE_API SCREE_MUST_USE scree_status scree_foundation_drive(const scree_env* env,
                                                             const scree_foundation_def* def,
                                                             double speed, double* force,
                                                             double* force_by_speed);

enum { SCREE_FOUNDATION_MOST = 8 };

typedef struct scree_foundation_rest {
    double speed; /* m/s, the total force is 0 */
    int stable;
} scree_foundation_rest;

/* The speeds at which the cylinder can roll on down the slope of the def, in rising order;
 * *n of them, 0 when nothing holds it before it leaves the ground. */
SCREE_API SCREE_MUST_USE scree_status
scree_foundation_stationary(const scree_env* env, const scree_foundation_def* def,
                            scree_foundation_rest out[SCREE_FOUNDATION_MOST], int32_t* n);

typedef struct scree_foundation_fold {
    double slope; /* rad */
    double speed; /* m/s */
} scree_foundation_fold;

/* The slopes at which a stable and an unstable speed meet and vanish, in rising order of the slope.
 * The slope of the def plays no part. */
SCREE_API SCREE_MUST_USE scree_status
scree_foundation_folds(const scree_env* env, const scree_foundation_def* def,
                       scree_foundation_fold out[SCREE_FOUNDATION_MOST], int32_t* n);

/* The curve of all stationary speeds over slopes from `from` to `to` (rad): `n` points in rising
 * order of the speed, from the lowest one at `from` to the highest one at `to`. A point is stable
 * where the slope rises along the curve. Points outside of the slopes asked for are part of it when
 * the curve leaves them and comes back. */
SCREE_API SCREE_MUST_USE scree_status scree_foundation_curve(const scree_env* env,
                                                             const scree_foundation_def* def,
                                                             const double window[2], int32_t n,
                                                             double* slope, double* speed,
                                                             uint8_t* stable);

/* Slopes around the folds, or around the def's slope where there are none: a window to look at. */
SCREE_API SCREE_MUST_USE scree_status scree_foundation_window(const scree_env* env,
                                                              const scree_foundation_def* def,
                                                              double window[2]);

/* The coefficient of friction T / N that rolling without sliding needs at a speed: the force T
 * along the slope is what resists the rolling and what turns the cylinder faster or slower, T = F_R
 * + (I/R^2) / (M + I/R^2) F. On the curve of stationary speeds it is F_R / N. */
SCREE_API SCREE_MUST_USE scree_status scree_foundation_friction(const scree_env* env,
                                                                const scree_foundation_def* def,
                                                                double speed, double* out);

/* ---- potential ---- */

/* One stationary speed as a point of the potential U(v), F = -dU/dv. */
typedef struct scree_foundation_well {
    double speed;     /* m/s */
    int stable;       /* a minimum, else a maximum */
    double potential; /* N/s, 0 at the lowest stationary speed */
    double curvature; /* U'', N s/m^2 */
    double bend;      /* U''', N s^2/m^3: negative where U is steeper towards lower speeds */
    double drift;     /* of the mean speed while the noise is small, m/s for each kg^2/s^3:
                         -U''' / (4 (M + I/R^2) U''^2); NaN at a maximum */
    double friction;  /* that rolling needs there */
} scree_foundation_well;

/* The stationary speeds of the def's slope with what the potential is around them. */
SCREE_API SCREE_MUST_USE scree_status
scree_foundation_wells(const scree_env* env, const scree_foundation_def* def,
                       scree_foundation_well out[SCREE_FOUNDATION_MOST], int32_t* n);

/* U at n speeds in rising order, from 0 on, below the lift speed; 0 at the lowest stationary speed,
 * or at rest where there is none. */
SCREE_API SCREE_MUST_USE scree_status scree_foundation_potential(const scree_env* env,
                                                                 const scree_foundation_def* def,
                                                                 int32_t n, const double* speed,
                                                                 double* potential);

/* ---- the region with two stable speeds ---- */

/* Sets the parameter with the paper's symbol, in the units of SCREE_FOUNDATION_FIELDS. */
SCREE_API SCREE_MUST_USE scree_status scree_foundation_set(const scree_env* env,
                                                           scree_foundation_def* def,
                                                           const char* symbol, double value);

/* The folds over one parameter: slopes (rad) between which there are two stable speeds, NaN where
 * there are none, or where the model does not cover the value. */
SCREE_API SCREE_MUST_USE scree_status scree_foundation_map(const scree_env* env,
                                                           const scree_foundation_def* def,
                                                           const char* symbol, int32_t n,
                                                           const double* value, double* low,
                                                           double* high);

/* Where the folds meet and the region ends: there F, dF/dv and d2F/dv2 are 0. */
typedef struct scree_foundation_cusp {
    double value; /* of the parameter, in its unit */
    double slope; /* rad */
    double speed; /* m/s */
} scree_foundation_cusp;

/* The cusps in a range of a parameter, 0 < range[0] < range[1], in rising order. */
SCREE_API SCREE_MUST_USE scree_status scree_foundation_cusps(
    const scree_env* env, const scree_foundation_def* def, const char* symbol,
    const double range[2], scree_foundation_cusp out[SCREE_FOUNDATION_MOST], int32_t* n);

/* ---- hysteresis ---- */

typedef struct scree_foundation_loop {
    double jump_up, jump_down; /* slopes at which the speed passes the middle between those of the
                                  two folds, rad; NaN where it does not or there are no two */
    double step;               /* s, of the integration */
} scree_foundation_loop;

/* Rolls while the slope rises from window[0] to window[1] within `duration` seconds and falls again
 * as slowly, beginning at the lowest stationary speed. Writes 2 n points, the first half of them on
 * the way up. Fourth-order Runge-Kutta. */
SCREE_API SCREE_MUST_USE scree_status scree_foundation_sweep(
    const scree_env* env, const scree_foundation_def* def, const double window[2], double duration,
    int32_t n, double* points, /* [4 n] slope, speed */
    scree_foundation_loop* out);

/* ---- noise ---- */

/* The stationary density of the speed, by the Fokker-Planck equation: p ~ exp(-2 (M + I/R^2) U /
 * sigma^2) with F = -dU/dv. Arrays have n + 1 entries, at speeds that are `width` apart; outside
 * of them the density is below exp(-80) of that at the nearest stationary one. */
typedef struct scree_foundation_density {
    scree_foundation_def def;
    int32_t n;
    double begin, width; /* m/s */
    double* force;       /* total force, N/m */
    double* force_by_speed;
    double* potential;  /* U, N/s, 0 at its minimum */
    double* density;    /* s/m */
    double* cumulative; /* probability of lower speeds */
    double force_error; /* of cubic interpolation in `force`, N/m, found between all nodes */

    double mean, variance; /* m/s, m^2/s^2 */
    int32_t n_rest;        /* stationary speeds */
    scree_foundation_rest rest[SCREE_FOUNDATION_MOST];
    double low_share; /* probability below the unstable speed; 1 where there is none */
    double dwell[2];  /* mean time from the lowest stable speed to the highest, and back, s;
                         NaN where there are not two */
    scree_env env;    /* for its memory */
} scree_foundation_density;

SCREE_API SCREE_MUST_USE scree_status scree_foundation_density_create(
    const scree_env* env, const scree_foundation_def* def, scree_foundation_density* out);
SCREE_API void scree_foundation_density_release(scree_foundation_density* density);

/* Called by one worker now and then with the steps that all cylinders have made; other than 0 stops
 * the ensemble, which then is as long as that. */
typedef int scree_foundation_progress(void* user, int64_t steps);

/* X(type, name, default, meaning). */
#define SCREE_ENSEMBLE_FIELDS(X)                                                      \
    X(int32_t, cylinders, 1000, "that roll, each with a random force of its own")     \
    X(int64_t, steps, 200000, "of each cylinder")                                     \
    X(int64_t, discard, 50000, "steps before the statistics begin")                   \
    X(int32_t, sample, 5, "steps from one entry in the statistics to the next")       \
    X(double, step, 0.0, "s; 0: a quarter of the fastest relaxation")                 \
    X(double, start, -1.0, "speed, m/s; below 0: they take turns at the stable ones") \
    X(uint64_t, seed, 1, "of the random forces")

typedef struct scree_ensemble_def {
    uint32_t struct_size; /* written by scree_default_ensemble_def() */
#define SCREE_X(type, name, value, meaning) type name;
    SCREE_ENSEMBLE_FIELDS(SCREE_X)
#undef SCREE_X
    int32_t workers;                     /* threads, default 1; results do not depend on them */
    scree_foundation_progress* progress; /* may be NULL */
    void* progress_user;
} scree_ensemble_def;

SCREE_API void scree_ensemble_def_init(scree_ensemble_def* def); /* struct_size is set */
SCREE_DEFINE_DEFAULT(scree_ensemble_def, scree_default_ensemble_def, scree_ensemble_def_init)

/* How long cylinders stay near a stable speed until they reach the other one. */
typedef struct scree_dwell {
    int64_t n;          /* stays that ended while the statistics were made */
    double mean, error; /* s; all time in such stays, ended or not, over n; standard error */
} scree_dwell;

/* The moment at which a cylinder reaches the other stable speed. */
typedef struct scree_jump {
    int32_t cylinder;
    int32_t up;  /* whether it reaches the highest stable speed, or the lowest */
    double time; /* s */
} scree_jump;

typedef struct scree_ensemble {
    int64_t steps;           /* of each cylinder; fewer than asked for when stopped */
    double step;             /* s */
    int64_t n_samples;       /* speeds in the statistics */
    double mean, mean_error; /* m/s; the standard error is that between cylinders */
    double variance;         /* m^2/s^2 */
    double distance;         /* Kolmogorov-Smirnov, to the stationary density */
    scree_dwell dwell[2];    /* near the lowest and near the highest stable speed */
    int64_t* histogram;      /* [n of the density] samples in each of its cells */
    int64_t n_jumps;         /* of all cylinders, from the beginning on */
    int64_t n_listed;        /* the first few of every cylinder: */
    scree_jump* jumps;       /* [n_listed] ordered by cylinder, then by time */
    int64_t n_trace;         /* speeds of the first cylinder, from the beginning on: */
    double* trace;           /* [n_trace] m/s, `sample` steps apart */
    double* speeds;          /* [cylinders] at the end, m/s */
    scree_env env;           /* for its memory */
} scree_ensemble;

/* Langevin equation (13) for many cylinders by the stochastic Heun method, see docs/foundation.md.
 * The noise is additive, so that the readings of Ito and Stratonovich are one. Random numbers are a
 * function of seed, cylinder and step. */
SCREE_API SCREE_MUST_USE scree_status scree_ensemble_run(const scree_foundation_density* density,
                                                         const scree_ensemble_def* def,
                                                         scree_ensemble* out);
SCREE_API void scree_ensemble_release(scree_ensemble* ensemble);

/* Both densities in at most `most` bins of one width, whole cells each, from the lowest speed to
 * the highest that are rarer than one in two million: middles of the bins (m/s), the probability of
 * each over its width, and the share of samples over it (s/m; NaN where there are no samples). How
 * many bins there are; 0 where nothing is given. */
SCREE_API int32_t scree_ensemble_bins(const scree_foundation_density* density,
                                      const scree_ensemble* ensemble, int32_t most, double* middle,
                                      double* exact, double* counted);

#ifdef __cplusplus
}
#endif

#endif
