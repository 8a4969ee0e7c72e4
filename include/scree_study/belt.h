/* A mass between two springs on a moving belt with anisotropic friction: the example with which
 * Walker and Leine (2019), section 4.2, show that such friction alone can excite vibrations. */
#ifndef SCREE_STUDY_BELT_H
#define SCREE_STUDY_BELT_H

#include "scree/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Friction forces lie in an ellipse that is turned by zeta; the mass slides along the normal of an
 * upright ellipse, as large as fits inside. Angles in rad. */
typedef struct scree_belt_def {
    uint32_t struct_size; /* written by scree_default_belt_def() */
    double mass;          /* kg, default 1 */
    double stiffness;     /* N/m in x and in y, default 1 */
    double gravity;       /* m/s^2, default 9.81; the forces below do not depend on it */
    double speed;         /* of the belt, m/s, default 1 */
    double phi;           /* direction that the belt moves in, from x, default 50 degrees */
    double semi_axis[2];  /* of the force set, N, default 30 and 10 */
    double zeta;          /* angle of the force set, default 30 degrees */
    double ratio;         /* of the direction set's semi-axes along x and y, default 3 */
    double start[2];      /* m: displacement from the equilibrium to begin with, default 1e-5, 0 */
    double step;          /* s, default 5e-4 */
    double end;      /* s: a cycle that has not been found by then is given up, default 10000 */
    int32_t discard; /* cycles to wait once they return, default 10 */
    int32_t measure; /* cycles to measure after that, default 4 */
} scree_belt_def;

SCREE_API void scree_belt_def_init(scree_belt_def* def); /* struct_size is set */
SCREE_DEFINE_DEFAULT(scree_belt_def, scree_default_belt_def, scree_belt_def_init)

/* Belt directions in [0, pi), rad, for which the equilibrium is unstable; phi and phi + pi are
 * alike. range[2 i] to range[2 i + 1]. At most n_most are written; *n is how many there are.
 * def->phi is not used. */
SCREE_API SCREE_MUST_USE scree_status scree_belt_ranges(const scree_env* env,
                                                        const scree_belt_def* def, int32_t n_most,
                                                        double* range, int32_t* n);

/* The rotations zeta in (0, pi/2), rad, at which unstable directions appear or disappear; at most
 * n_most are written, *n is how many there are. def->phi and def->zeta are not used. */
SCREE_API SCREE_MUST_USE scree_status scree_belt_critical(const scree_env* env,
                                                          const scree_belt_def* def, int32_t n_most,
                                                          double* zeta, int32_t* n);

/* The equilibrium and its linearisation. */
typedef struct scree_belt_equilibrium {
    double position[2]; /* m */
    double slope;       /* nonzero eigenvalue of the friction's damping matrix, N s/m */
    double growth;      /* 1/s, of the fastest growing mode */
    double frequency;   /* rad/s, of the same */
    double trace;       /* of M^-1 B, 1/s: Proposition 10 */
    int is_unstable;
    int by_trace, by_slope, by_tangent; /* Propositions 10, 11 and Theorem 2 hold */
    double damping[2], gyroscopic;      /* of B, as in scree_sliding_report: eq. (111) */
    double tangency;
    int zero_multiplicity; /* Proposition 8 */
} scree_belt_equilibrium;
SCREE_API SCREE_MUST_USE scree_status scree_belt_analyse(const scree_env* env,
                                                         const scree_belt_def* def,
                                                         scree_belt_equilibrium* out);

/* ---- simulation ------------------------------------------------------------------------------ */

typedef struct scree_belt_sample {
    double time;
    double position[2], velocity[2]; /* of the mass, m and m/s */
    double force[2];                 /* friction on the mass, N */
    double slip[2];                  /* velocity of the mass relative to the belt, m/s */
    int sticks;
    int is_measured; /* the step belongs to the cycles that are measured */
} scree_belt_sample;

/* Called after every step; anything but 0 ends the simulation. */
typedef int scree_belt_watch(void* user, const scree_belt_sample* sample);

typedef enum scree_belt_outcome {
    SCREE_BELT_CYCLE,      /* a limit cycle was found and measured */
    SCREE_BELT_STEADY,     /* the start did not grow */
    SCREE_BELT_UNDECIDED,  /* neither until def.end: it grew, but no up to 8 rounds return */
    SCREE_BELT_INTERRUPTED /* by the watch */
} scree_belt_outcome;

typedef struct scree_belt_cycle {
    scree_belt_outcome outcome;
    double period;         /* s, mean of the cycles measured; NaN unless there is a cycle */
    int32_t rounds;        /* of a cycle: slips or, where it does not stick, turns; mostly 1 */
    double least[2];       /* smallest and largest x and y, m, of the cycles measured; where the */
    double most[2];        /* end came first, of the second half of the time */
    double stick_fraction; /* of the time, 0 to 1 */
    double slip_speed;     /* largest velocity relative to the belt, m/s */
    double residual;       /* worst certificate of all steps */
    int64_t steps, not_converged;
    double time; /* s, simulated */
} scree_belt_cycle;

/* Begins at rest beside the equilibrium. `watch` may be NULL. */
SCREE_API SCREE_MUST_USE scree_status scree_belt_simulate(const scree_env* env,
                                                          const scree_belt_def* def,
                                                          scree_belt_watch* watch, void* user,
                                                          scree_belt_cycle* out);

/* ---- from slip to slip ----------------------------------------------------------------------- */

/* A mass that sticks has the belt's velocity, so that all there is to know when it begins to slip
 * is where it is: at a point of the edge of the force set over the stiffness, given by an angle a
 * (semi- axes times cos a and sin a, turned by zeta). A motion that sticks in every round is
 * therefore a map of angles to angles. It is found without time steps: sticking and the beginning
 * of slip in closed form, sliding by a method of order 5 with its error held to `tolerance` up to
 * the instant at which the mass sticks again. */
typedef struct scree_belt_slip {
    double angle;    /* rad, of the next slip */
    double duration; /* s, until then */
    double sliding;  /* s of it that it slides; infinite: more than def.end; NaN: it begins nowhere,
                        or can go on in several ways after a halt */
    int sticks;      /* 0: one of these; angle and duration are not said then */
    int32_t halts;   /* instants at which slip vanishes while the springs pull harder than the belt
                        can hold: it goes on in another direction */
} scree_belt_slip;
SCREE_API SCREE_MUST_USE scree_status scree_belt_next_slip(const scree_env* env,
                                                           const scree_belt_def* def,
                                                           double tolerance, double angle,
                                                           scree_belt_slip* out);

typedef enum scree_belt_verdict {
    SCREE_BELT_SLIPS_REPEAT,    /* after `rounds` slips, and attract what is near */
    SCREE_BELT_SLIPS_IRREGULAR, /* they never repeat: what is near parts from them */
    SCREE_BELT_SLIPS_END,       /* it slid on until def.end */
    SCREE_BELT_SLIPS_UNDECIDED  /* more than 128 slips, or an exponent that may be 0 */
} scree_belt_verdict;

typedef struct scree_belt_slips {
    scree_belt_verdict verdict;
    int32_t rounds;        /* slips of a cycle; 0: none */
    double period;         /* s, of the cycle; else the mean from slip to slip */
    double exponent;       /* Lyapunov's: mean of ln |derivative of the map|, per slip */
    double multiplier;     /* of the cycle: what is left of a disturbance after it; NaN: none */
    double least, most;    /* rad, the angles it comes to */
    double exponent_error; /* standard deviation of the exponent, by twenty parts; 0: a cycle */
    double halts;          /* per slip, in the mean */
} scree_belt_slips;

/* Follows slips until they show what they do. The map is evaluated at `nodes` angles (64 or more)
 * over those that the motion comes to, and iterated twenty thousand times from there. def.start is
 * not used: the first slip is that of a mass put on the belt where springs are slack. */
SCREE_API SCREE_MUST_USE scree_status scree_belt_follow_slips(const scree_env* env,
                                                              const scree_belt_def* def,
                                                              double tolerance, int32_t nodes,
                                                              scree_belt_slips* out);

/* ---- two motions (Theorem 1) ----------------------------------------------------------------- */

/* V = (du . M du + dq . K dq) / 2 of the difference of two motions, eq. (78), J. Under an
 * associated law it cannot rise. */
typedef struct scree_belt_pair {
    double first, last; /* V at the beginning and at the end */
    double most;        /* its largest value */
    double rise;        /* its largest value over the least that it had before, less 1 */
    int64_t steps, not_converged;
} scree_belt_pair;

typedef struct scree_belt_pair_def {
    double other[2]; /* m: displacement of the second from the equilibrium; the first has start */
    double duration; /* s */
    int associated;  /* not 0: D is C */
    void (*watch)(void* user, double time, double v); /* after every step; or NULL */
    void* user;
} scree_belt_pair_def;

/* Two masses on one belt, from rest. */
SCREE_API SCREE_MUST_USE scree_status scree_belt_compare(const scree_env* env,
                                                         const scree_belt_def* def,
                                                         const scree_belt_pair_def* pair,
                                                         scree_belt_pair* out);

#ifdef __cplusplus
}
#endif

#endif
