/* How well impulses solve a problem: recomputed from the problem alone, by code that knows no
 * solver.
 */
#ifndef SCREE_CERTIFICATE_H
#define SCREE_CERTIFICATE_H

#include "scree/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Three scalar measures. `scree` is the natural map in variables scaled per contact and channel (it
 * does not change with units, mass or size), relative to the whole problem; `siconos` is that
 * package's own relative error; `local` is the worst contact's share of `scree`, relative to the
 * velocities that this contact and its two bodies have to do with, so that a light body below a
 * heavy one is judged by what it feels (docs/decisions/0040-local-certificate.md). */
typedef enum scree_measure {
    SCREE_MEASURE_SCREE,
    SCREE_MEASURE_SICONOS,
    SCREE_MEASURE_LOCAL,
    SCREE_MEASURE_COUNT
} scree_measure;

typedef struct scree_certificate {
    double residual;         /* scree measure; what a tolerance asks for. NaN if p holds a NaN */
    double residual_siconos; /* relative, for comparison with peers; NaN in the report of a step, as
                                the next, unless the world is solved by this measure */
    double absolute_siconos; /* the same before division, in raw units */
    double normal_violation; /* worst negative normal velocity, m/s */
    double cone_violation;   /* worst distance of p to its cone, N s (moments: N s per metre) */
    double complementarity;  /* worst |p . yhat| of one contact, J */
    double dissipation[3];   /* energy taken out by sliding, rolling, spinning, J */
    int32_t worst_contact;   /* the contact with the largest share of `residual`; -1 if none */
    double local;            /* local measure */
    int32_t local_contact;   /* where; -1 if none */
} scree_certificate;

/* That no impulses solve a problem, and how nearly they could. */
typedef struct scree_infeasibility {
    int32_t n_contacts; /* that contradict each other; 0: no proof was found */
    double approach;    /* m/s: the fastest that remains of them when as little as possible does */
    double bound; /* what the proof says in full: a solution would need impulses so many times as
                     large as the free velocities of these contacts, both scaled; at least 1e9 */
} scree_infeasibility;

/* Looks for a proof that a valid problem has no solution, by code that knows no solver. Every law
 * promises something of the velocities whatever the impulses are: y_N >= 0, or y = 0 in a joint. If
 * contacts can press against each other without moving anything (W d = 0 with impulses d that may
 * grow without limit) while q . d < 0, no impulses keep these promises (Farkas). p[n_rows] says
 * where to look first, NULL: nowhere. give[n_rows], unless it is NULL, receives the smallest change
 * of q that mends it, in scaled variables, and zeros where nothing is wrong; divided by the square
 * of the scale it is also the d of the proof. No proof is not a proof of the contrary. */
SCREE_API SCREE_MUST_USE scree_status scree_find_infeasible(const scree_env* env,
                                                            const scree_problem* problem,
                                                            const double* p, double* give,
                                                            scree_infeasibility* out);

/* Evaluates p[n_rows] against a valid problem. */
SCREE_API SCREE_MUST_USE scree_status scree_certify_sized(const scree_env* env,
                                                          const scree_problem* problem,
                                                          const double* p, scree_certificate* out,
                                                          size_t size);
static inline SCREE_MUST_USE scree_status scree_certify(const scree_env* env,
                                                        const scree_problem* problem,
                                                        const double* p, scree_certificate* out)
{
    return scree_certify_sized(env, problem, p, out, sizeof *out);
}

/* What a contact does: the modes of equation (21) of Acary & Bourrier, with spinning. Those of
 * channels may be or'ed: a contact that slides and rolls has SCREE_MODE_SLIDE | SCREE_MODE_ROLL. */
typedef enum scree_friction_mode {
    SCREE_MODE_STICK = 0, /* it presses and no channel that it has moves */
    SCREE_MODE_SLIDE = 1,
    SCREE_MODE_ROLL = 2,
    SCREE_MODE_SPIN = 4,
    SCREE_MODE_OPEN = 8, /* take-off: it does not press */
    SCREE_MODE_NONE = 9, /* it has no channels by its law (joints, limits), or holds a NaN */
    SCREE_MODE_COUNT
} scree_friction_mode;

/* "stick", "slide", "slide+roll", ..., "take-off", "none"; NULL for a number that is no mode. */
SCREE_API const char* scree_friction_mode_name(int mode);

/* The mode of one contact with impulse p[width] and velocity y[width] after it; w, row-major
 * [width * width], is how it answers impulses, `law` and `coef` as in scree_problem.
 *
 * (p, y) is hardly ever a solution to the last bit. One application of the reaction map R of the
 * law, in variables in which the diagonal of w is 1, makes it one: r = R(p - y) and r - (p - y)
 * obey the law. A channel moves where the latter is above `tol` times max(|p|, |y|), so that an
 * impulse within its disc always sticks; a contact takes off where r_N is not above that. */
SCREE_API scree_friction_mode scree_one_contact_mode(scree_rows rows, scree_law law,
                                                     const double coef[3], const double* w,
                                                     const double* y, const double* p, double tol);

/* The tolerance of modes where nobody asks for another one. */
#define SCREE_MODE_TOL 1e-6

/* One contact of a certificate. */
typedef struct scree_contact_certificate {
    int32_t mode;            /* a scree_friction_mode; sizes are those of `residual` */
    double residual;         /* its share of the local measure */
    double normal_violation; /* m/s */
    double cone_violation;   /* N s: distance of p to its cone K */
    double dual_violation; /* m/s: distance of yhat to the dual cone K*, scaled to the normal; under
                              the exact law zero exactly where y_N >= 0 */

    /* J: the bipotential b(-y, p) + y . p of Prop. 4.2 of Acary & Bourrier without its indicators,
     * which are the last two violations: P_K(p) . P_K*(yhat). Never negative; it and those two are
     * zero exactly where the law holds. For the associated laws yhat is y. NaN, as dual_violation,
     * where a law has no cone (interval, extended). */
    double bipotential;
} scree_contact_certificate;

/* Evaluates p[n_rows] contact by contact, out[n_contacts]; `tol` is that of modes. */
SCREE_API SCREE_MUST_USE scree_status scree_certify_contacts_sized(const scree_env* env,
                                                                   const scree_problem* problem,
                                                                   const double* p, double tol,
                                                                   scree_contact_certificate* out,
                                                                   size_t size);
static inline SCREE_MUST_USE scree_status scree_certify_contacts(const scree_env* env,
                                                                 const scree_problem* problem,
                                                                 const double* p, double tol,
                                                                 scree_contact_certificate* out)
{
    return scree_certify_contacts_sized(env, problem, p, tol, out, sizeof *out);
}

/* The residual of a certificate in one of the measures. */
SCREE_API double scree_certificate_residual(const scree_certificate* certificate,
                                            scree_measure measure);

/* J: p W p / 2 + q p, with compliance, of p[n_rows]: what the associated laws make least over
 * admissible impulses, (42) of Tasora & Anitescu. */
SCREE_API SCREE_MUST_USE scree_status scree_problem_objective(const scree_env* env,
                                                              const scree_problem* problem,
                                                              const double* p, double* out);

/* The relative velocities y[n_rows] that p[n_rows] leads to. */
SCREE_API SCREE_MUST_USE scree_status scree_problem_velocity(const scree_env* env,
                                                             const scree_problem* problem,
                                                             const double* p, double* y);

#ifdef __cplusplus
}
#endif

#endif
