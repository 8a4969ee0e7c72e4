/* Solving a problem: a table of methods, one options struct, one report.
 *
 *     scree_solver_def def = scree_default_solver_def();
 *     def.tol = 1e-8;
 *     status = scree_solve_certified(NULL, &problem, &def, p, &report, &certificate);
 *
 * NULL: the usual env. It lends memory and sparse factors to the methods that need them, messages,
 * and the clock of max_time. p: first guess in, answer out. Who solves one problem after another
 * lends memory instead:
 *
 *     void* work = malloc(scree_solve_work_size(NULL, &problem, &def));
 *     status = scree_solve(NULL, &problem, &def, work, p, &report);
 */
#ifndef SCREE_SOLVER_H
#define SCREE_SOLVER_H

#include "scree/certificate.h"
#include "scree/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum scree_sweep {
    SCREE_SWEEP_FORWARD,   /* contacts in their order */
    SCREE_SWEEP_SYMMETRIC, /* forward and backward in turn */
    SCREE_SWEEP_SHUFFLED,  /* a new random order each time, reproducible from `seed` */
    SCREE_SWEEP_COUNT
} scree_sweep;

/* How a Gauss-Seidel method solves one contact with the others held. */
typedef enum scree_local {
    SCREE_LOCAL_EXACT,      /* to rounding, by the solver of scree_one_contact_solve() */
    SCREE_LOCAL_PROJECTION, /* fixed point of the natural map, (64) of Acary & Bourrier, by `rho` */
    SCREE_LOCAL_COUNT
} scree_local;

/* What a semismooth Newton method makes zero. */
typedef enum scree_newton_map {
    SCREE_MAP_ALART_CURNIER,      /* p - R(p - y), R channel by channel */
    SCREE_MAP_NATURAL,            /* p - P_K(p - yhat) */
    SCREE_MAP_FISCHER_BURMEISTER, /* x + u - (x^2 + u^2)^(1/2) in the Jordan algebra of one cone */
    SCREE_MAP_COUNT
} scree_newton_map;

/* X(type, name, default, meaning). One list makes the struct, the defaults and the help text. */
#define SCREE_SOLVER_FIELDS(X)                                                                  \
    X(const char*, solver, "auto", "a name that scree_solver_get() lists")                      \
    X(scree_measure, measure, SCREE_MEASURE_SCREE, "which residual `tol` is compared with")     \
    X(double, tol, 1e-8, "converged when the residual is not above it")                         \
    X(double, normal_tol, 1e30, "and no contact approaches faster than this, m/s")              \
    X(double, speed, 0.0, "m/s: the local measure judges no contact by less than this")         \
    X(int64_t, max_iter, 100000, "sweeps or iterations")                                        \
    X(int64_t, min_iter, 0,                                                                     \
      "iterations to make even if the first guess is good enough, unless it is so to rounding") \
    X(double, max_time, 1e30, "wall-clock limit in seconds")                                    \
    X(scree_sweep, sweep, SCREE_SWEEP_FORWARD, "order of the contacts in a Gauss-Seidel sweep") \
    X(uint64_t, seed, 0, "of the shuffled order")                                               \
    X(double, rho, 0.0, "step length in scaled variables, fixed; 0: the method's own rule")     \
    X(double, rho_slide, 0.0, "of the sliding channel alone; 0: rho")                           \
    X(double, rho_roll, 0.0, "of the rolling channel alone; 0: rho")                            \
    X(double, rho_spin, 0.0, "of the spinning channel alone; 0: rho")                           \
    X(double, relaxation, 1.0, "share of the new iterate in the next, above 0, up to 1")        \
    X(scree_local, local, SCREE_LOCAL_EXACT, "how nsgs solves one contact")                     \
    X(scree_newton_map, map, SCREE_MAP_ALART_CURNIER, "what newton-dense makes zero")

/* Called about ten times a second with the best residual so far; return 0 to go on, anything else
 * to stop with SCREE_OUTCOME_INTERRUPTED. */
typedef int scree_progress(void* user, int64_t iterations, double residual);

/* One evaluation of the residual, which is expensive: sweeps make it rarely. */
typedef struct scree_check {
    const char* solver;    /* the method at work; "guess" before the first */
    int64_t iterations;    /* of all methods so far */
    double residual, best; /* of the impulses at hand, and the smallest so far */
    double time_s;         /* since the beginning */
} scree_check;

/* Called at every evaluation: the history of a solve. */
typedef void scree_watch(void* user, const scree_check* check);

/* What one method of `auto` did. */
typedef struct scree_stage {
    const char* solver;
    int64_t iterations;
    double residual; /* the best so far when it ended */
    double time_s;
} scree_stage;

enum { SCREE_STAGES_MAX = 13 };

typedef struct scree_solver_def {
    uint32_t cookie; /* written by scree_default_solver_def(), checked by scree_solve() */
#define SCREE_X(type, name, value, meaning) type name;
    SCREE_SOLVER_FIELDS(SCREE_X)
#undef SCREE_X
    scree_progress* progress; /* may be NULL */
    void* progress_user;
    scree_watch* watch; /* may be NULL */
    void* watch_user;
    double* give;        /* [n_rows] or NULL: receives what was added to q, see scree_report */
    scree_stage* stages; /* [stages_room] or NULL: receives what the methods of `auto` did */
    int32_t stages_room; /* SCREE_STAGES_MAX is enough */
} scree_solver_def;

typedef enum scree_outcome {
    SCREE_OUTCOME_CONVERGED,       /* residual <= tol, recomputed for the impulses returned */
    SCREE_OUTCOME_STALLED,         /* the method stopped getting closer */
    SCREE_OUTCOME_ITERATION_LIMIT, /* max_iter was reached */
    SCREE_OUTCOME_TIME_LIMIT,      /* max_time was reached */
    SCREE_OUTCOME_INTERRUPTED,     /* the progress callback asked to stop */
    SCREE_OUTCOME_INFEASIBLE,      /* there is no solution, with a proof: see scree_report */
    SCREE_OUTCOME_COUNT
} scree_outcome;

/* "converged", "stalled", "iteration limit", ... */
SCREE_API const char* scree_outcome_text(int outcome);

/* Where a proof is found that there is no solution (scree_find_infeasible()), the contacts in it
 * give way: as little as possible is added to their q, so that the rest can be solved as if they
 * were not in each other's way, with bounded impulses. The outcome is then
 * SCREE_OUTCOME_INFEASIBLE, and `residual` is that of the problem so relaxed: compare it with the
 * tolerance. */
typedef struct scree_report {
    scree_outcome outcome;
    double residual;                /* of the returned impulses, in the measure asked for */
    scree_infeasibility infeasible; /* all zero unless there is a proof */
    int64_t iterations;             /* of all methods that ran */
    double time_s;
    const char* solver; /* the method that made the returned impulses; "guess" when none made better
                           ones than those given */
    int64_t updates;    /* one-contact problems solved; 0 for methods that solve none */
    int64_t fail_safe;  /* one-contact problems on which Newton gave way to bisection */
    int32_t n_stages;   /* methods that `auto` tried; 0 for any other solver */
} scree_report;

/* Says with which headers a def was made: the sizes of what passes between caller and library. A
 * library with others refuses it. */
#define SCREE_SOLVER_COOKIE                                                              \
    ((uint32_t)sizeof(scree_solver_def) * 31u + (uint32_t)sizeof(scree_report) * 1009u + \
     (uint32_t)sizeof(scree_certificate) * 10007u)

/* Writes the defaults; nothing but a cookie of 0 when `cookie` is not that of the running library.
 */
SCREE_API void scree_solver_def_init(scree_solver_def* def, uint32_t cookie);

static inline scree_solver_def scree_default_solver_def(void)
{
    scree_solver_def def;
    scree_solver_def_init(&def, SCREE_SOLVER_COOKIE);
    return def;
}

/* NULL when the method that def names can solve the problem as def asks; otherwise a few words that
 * say why not, such as "the tolerance is below 1e-5". No method takes the factored form. */
SCREE_API const char* scree_solver_unfit(const scree_env* env, const scree_problem* problem,
                                         const scree_solver_def* def);

/* Bytes that scree_solve() needs; 0 when def names no solver, or one that does not fit. */
SCREE_API size_t scree_solve_work_size(const scree_env* env, const scree_problem* problem,
                                       const scree_solver_def* def);

/* Solves a valid problem with at least one contact. p[n_rows] holds the first guess (zeros will do)
 * and receives the best iterate found, whatever the outcome; a guess that is not finite, or leads
 * to velocities that are not, is replaced by zeros. `work` is aligned as by malloc; nothing in it
 * is kept. SCREE_ERROR_UNSUPPORTED when the method named does not fit, with scree_solver_unfit() in
 * the log: no other takes its place. */
SCREE_API SCREE_MUST_USE scree_status scree_solve(const scree_env* env,
                                                  const scree_problem* problem,
                                                  const scree_solver_def* def, void* work,
                                                  double* p, scree_report* report);

/* Solves a valid problem of any form, in memory of `env`, and lets the certificate of the
 * problem as it is stated have the last word. A factored problem is reduced first; its measures
 * differ a little from those of its reduced form, so the solver goes on to a smaller tolerance, a
 * few times if need be and within max_iter and max_time of all rounds together, until the
 * certificate agrees. The outcome is SCREE_OUTCOME_CONVERGED only when it does, and
 * SCREE_OUTCOME_STALLED where the solver alone was content. `report` adds up over the rounds. */
SCREE_API SCREE_MUST_USE scree_status scree_solve_certified(const scree_env* env,
                                                            const scree_problem* problem,
                                                            const scree_solver_def* def, double* p,
                                                            scree_report* report,
                                                            scree_certificate* certificate);

/* What scree_solve_alloc() finds. Zero it before first use. */
typedef struct scree_solution {
    double* p; /* [n_rows] impulses */
    double* y; /* [n_rows] the velocities they lead to */
    scree_report report;
    scree_certificate certificate;
    scree_env env; /* private: whose memory it is */
} scree_solution;

/* scree_solve_certified() from zero impulses, with memory of `env` for the answer too; def may be
 * NULL for the defaults. Release the solution; on failure it is
 * zeroed. */
SCREE_API SCREE_MUST_USE scree_status scree_solve_alloc_sized(const scree_env* env,
                                                              const scree_problem* problem,
                                                              const scree_solver_def* def,
                                                              scree_solution* out, size_t size);
static inline SCREE_MUST_USE scree_status scree_solve_alloc(const scree_env* env,
                                                            const scree_problem* problem,
                                                            const scree_solver_def* def,
                                                            scree_solution* out)
{
    return scree_solve_alloc_sized(env, problem, def, out, sizeof *out);
}
SCREE_API void scree_solution_release(scree_solution* solution);

/* The table, in the order that `scree solvers` lists. */
typedef struct scree_solver_info {
    const char* name;
    const char* summary; /* what it is, one line */
    const char* fits;    /* which problems it is for, one line */
} scree_solver_info;
SCREE_API int scree_solver_count(void);
SCREE_API scree_solver_info scree_solver_get(int index);

/* One contact alone: y = w p + q with w row-major [width * width], under `law` with `coef` as in
 * scree_problem. p[width] is the first guess and receives the answer. Returns how it was found. */
typedef enum scree_one_contact_way {
    SCREE_ONE_CONTACT_NEWTON,    /* take-off, stick or Newton */
    SCREE_ONE_CONTACT_FAIL_SAFE, /* bisection on the normal impulse */
    SCREE_ONE_CONTACT_NONE       /* no solution: the contact approaches and w_NN is not positive */
} scree_one_contact_way;
SCREE_API scree_one_contact_way scree_one_contact_solve(scree_rows rows, scree_law law,
                                                        const double coef[3], const double* w,
                                                        const double* q, double* p);

#ifdef __cplusplus
}
#endif

#endif
