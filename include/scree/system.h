/* A mechanical system in generalised coordinates, given by functions of the caller.
 *
 *     M(q) du/dt = h(q, u, t) + W^T p,   dq/dt = Gamma(q, t) u,   y = W(q, t) u + chi(q, t)
 *
 * with contacts that close when their gap does. Stepped by Moreau's scheme with the contact laws,
 * solvers and certificate of scree/problem.h:
 *
 *     q_M = q + (h/2) u;  M (u_E - u) = h f(q_M, u, t_M) + W^T p;  q_E = q_M + (h/2) u_E,
 *
 * (u and u_E as seen by Gamma(q) and Gamma(q_M), which usually is 1) with M, h and W at the
 * midpoint q_M and its time t_M; contacts with gap(q_M) <= 0 take part, with Newton's restitution.
 * A gap that only rounding holds open counts as closed.
 *
 *     scree_system_def def = scree_default_system_def();
 *     def.model = model;
 *     def.n = 3;
 *     ...
 *     status = scree_system_create(NULL, &def, 0.0, q, u, &system);
 *     status = scree_system_step(system, &report);       // again and again
 *     scree_system_view view = scree_system_get_view(system);
 *     scree_system_destroy(system);
 */
#ifndef SCREE_SYSTEM_H
#define SCREE_SYSTEM_H

#include "scree/certificate.h"
#include "scree/solver.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct scree_system scree_system;

/* All arrays are zeroed before the call. Rows of W are those of the contacts in their order
 * (scree_problem.first_row); matrices are row-major. Functions that may be NULL say so. */
typedef struct scree_system_model {
    void* user;
    /* m[n * n], symmetric and positive definite. */
    void (*mass)(void* user, double t, const double* q, double* m);
    /* h[n]; NULL: no forces. */
    void (*force)(void* user, double t, const double* q, const double* u, double* h);
    /* g[n_contacts], m; NULL: every contact is closed all the time. A gap that is not written is 0:
     * the contact of a joint, or of a body that cannot lift off, is closed by that. */
    void (*gap)(void* user, double t, const double* q, double* g);
    /* w[n_rows * n], chi[n_rows] (minus the velocity of a belt, say); NULL without contacts. */
    void (*directions)(void* user, double t, const double* q, double* w, double* chi);
    /* rate[n_rows] = d/dt(W) u + d/dt(chi). Only dynamics at acceleration level ask for it; NULL
     * otherwise. */
    void (*rates)(void* user, double t, const double* q, const double* u, double* rate);
    /* coef[3 n_contacts] at the beginning of a step, where it holds those of the def; NULL: they
     * are constant. */
    void (*coefficients)(void* user, double t, const double* q, const double* u, double* coef);
    /* rate[n] = Gamma(q, t) u, where velocities are not the rates of the coordinates: angular
     * velocities and angles, say. M, h and W are those of u. NULL: Gamma is 1. */
    void (*kinematics)(void* user, double t, const double* q, const double* u, double* rate);
} scree_system_model;

typedef struct scree_system_def {
    uint32_t struct_size; /* written by scree_default_system_def() */
    scree_system_model model;
    int32_t n;                   /* coordinates */
    int32_t n_contacts;          /* may be 0 */
    const uint8_t* rows;         /* [n_contacts] a scree_rows */
    const uint8_t* law;          /* [n_contacts] a scree_law; NULL: exact */
    const double* coef;          /* [3 n_contacts] as in scree_problem; NULL: 0 */
    const scree_set* const* set; /* [4 n_contacts] C and D of sliding, C and D of rolling, NULL for
                                    the unit disc and for D = C; or NULL; copied */
    const double* restitution;   /* [n_contacts] from 0 to 1, or NULL for 0 */
    double step;                 /* s, default 1e-3 */
    double tol;                  /* of each step, scree measure, default 1e-10 */
} scree_system_def;

SCREE_API void scree_system_def_init(scree_system_def* def); /* struct_size is set */
SCREE_DEFINE_DEFAULT(scree_system_def, scree_default_system_def, scree_system_def_init)

/* Copies everything but the sets and what `user` points to. q[n], u[n] are the state at t; NULL is
 * zero. Faults are logged. */
SCREE_API SCREE_MUST_USE scree_status scree_system_create(const scree_env* env,
                                                          const scree_system_def* def, double t,
                                                          const double* q, const double* u,
                                                          scree_system** out);
SCREE_API void scree_system_destroy(scree_system* system); /* NULL is allowed */

typedef struct scree_system_report {
    uint32_t struct_size;
    scree_report solve;
    double residual;  /* of the certificate; 0 without closed contacts */
    int32_t n_closed; /* contacts that took part */
    double kinetic;   /* J, at the end of the step */
} scree_system_report;

/* One step. Memory is taken only while the number of closed contacts reaches a new largest value,
 * and by the methods for hard problems.
 *
 * Laws that are not monotone (SCREE_LAW_EXTENDED) may allow several impulses in one step. The
 * solver begins at the impulses of the last step, so that it finds the answer that continues them
 * where there is one. A step that misses the tolerance is not an error: look at report->solve. An
 * error leaves the state as it was: a mass matrix that is not positive definite, a function of the
 * model that returned something that is not finite, want of memory. */
SCREE_API SCREE_MUST_USE scree_status scree_system_make_step(scree_system* system,
                                                             scree_system_report* report);
static inline SCREE_MUST_USE scree_status scree_system_step(scree_system* system,
                                                            scree_system_report* report)
{
    if (report) report->struct_size = (uint32_t)sizeof *report;
    return scree_system_make_step(system, report);
}

/* The state, borrowed until the next step. p and y of contacts that did not take part are 0. */
typedef struct scree_system_view {
    uint32_t struct_size;
    double time;
    int64_t steps;
    int32_t n, n_contacts, n_rows;
    const double *q, *u;      /* [n] */
    const double *p, *y;      /* [n_rows] impulses and relative velocities of the last step */
    const int32_t* first_row; /* [n_contacts + 1] */
    const uint8_t* closed;    /* [n_contacts] */
} scree_system_view;
SCREE_API void scree_system_fill_view(const scree_system* system, scree_system_view* view);
SCREE_DEFINE_VIEW(scree_system_view, scree_system_get_view, scree_system_fill_view, scree_system)

#ifdef __cplusplus
}
#endif

#endif
