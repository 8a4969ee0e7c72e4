/* One evaluation: accelerations and contact forces of a state, and what is reported about them. */
#include "base/env.h"
#include "study/polyhedral.h"

#include <math.h>
#include <string.h>

/* Error of (8) that a solution by the reduced LCP may have. */
#define ACCURATE 1e-9

static double* take(scri_arena* arena, size_t n, int* failed)
{
    double* x = scri_arena_take(arena, n, sizeof *x);
    if (!x) *failed = 1;
    return x;
}

static scree_status take_solution(scri_arena* arena, const scri_poly_system* s,
                                  scri_poly_solution* x)
{
    int failed = 0;
    *x = (scri_poly_solution){.force = take(arena, scri_poly_rows(s), &failed),
                              .kappa = take(arena, 2 * (size_t)s->mk, &failed),
                              .acceleration = take(arena, (size_t)s->n, &failed)};
    return failed ? SCREE_ERROR_MEMORY : SCREE_OK;
}

/* By the reduced LCP. */
static scree_status solve_reduced(const scree_polyhedral* p, const scri_poly_system* s,
                                  scri_arena* arena, const scree_lcp* lcp, scri_poly_solution* x,
                                  scree_lcp_report* report)
{
    double* z = scri_arena_take(arena, (size_t)lcp->n, sizeof *z);
    if (!z) return SCREE_ERROR_MEMORY;
    scree_lcp_def def = scree_default_lcp_def();
    def.tol = p->def.tol;
    def.method = p->def.method;
    def.max_iter = 200 + 20 * lcp->n; /* one attempt of Lemke's method: there is another way */
    scree_status status = scree_lcp_solve(&p->env, lcp, &def, z, report);
    if (!status) status = scri_poly_recover(s, arena, z, x);
    return status;
}

/* One of two ways to a solution, and its error in (8), infinite if it has none. */
static scree_status solve_by(const scree_polyhedral* p, const scri_poly_system* s,
                             scri_arena* arena, const scree_lcp* lcp, scri_poly_solution* x,
                             scree_lcp_report* report, double* error)
{
    double* sigma = scri_arena_take(arena, 2 * (size_t)s->mk, sizeof *sigma);
    scree_status status = take_solution(arena, s, x);
    *error = SCREE_INFINITY;
    if (status || !sigma) return SCREE_ERROR_MEMORY;
    status = lcp ? solve_reduced(p, s, arena, lcp, x, report)
                 : scri_poly_corners(p, s, arena, 0, x, report);
    if (status || report->outcome != SCREE_LCP_SOLVED) return status;
    status = scri_poly_polish(s, arena, x);
    if (!status) status = scri_poly_error(s, arena, x, sigma, error);
    return status;
}

/* The reduced LCP first, unless J_t is deficient and the inverse of G_tt large; the corner form
 * where that does not do, or the other way round. */
static scree_status solve_both(const scree_polyhedral* p, scri_arena* arena,
                               const scri_poly_system* s, const scree_lcp* lcp,
                               scri_poly_solution* x, scree_polyhedral_report* report)
{
    double error, other;
    scri_poly_solution y;
    scree_lcp_report second = {.iterations = 0};
    int corners = report->tangent_rank < s->mt;
    scree_status status = solve_by(p, s, arena, corners ? NULL : lcp, x, &report->lcp, &error);
    report->by_corners = corners;
    if (!status && !(error <= ACCURATE)) {
        status = solve_by(p, s, arena, corners ? lcp : NULL, &y, &second, &other);
        second.iterations += report->lcp.iterations;
        second.exhausted += report->lcp.exhausted;
        if (!status && other < error) {
            *x = y;
            error = other;
            report->lcp = second;
            report->by_corners = !corners;
        }
    }
    report->solved = !status && isfinite(error);
    return status;
}

static scree_status solve(const scree_polyhedral* p, scri_arena* arena, const scri_poly_system* s,
                          scree_lcp* lcp, scri_poly_solution* x, scree_polyhedral_report* report)
{
    scree_status status;
    if (p->def.redundancy == SCREE_REDUNDANCY_LEAST) {
        status = take_solution(arena, s, x);
        if (!status) status = scri_poly_corners(p, s, arena, 0, x, &report->lcp);
        report->by_corners = 1;
        report->solved = !status && report->lcp.outcome == SCREE_LCP_SOLVED;
        if (!report->solved) return status;
        return scri_poly_least(&p->env, s, arena, x);
    }
    int refused = p->def.redundancy == SCREE_REDUNDANCY_REFUSE && report->tangent_rank < s->mt;
    if (refused) return SCREE_OK; /* not solved */
    status = scri_poly_reduce(s, arena, lcp);
    return status ? status : solve_both(p, arena, s, lcp, x, report);
}

scree_status scri_poly_solve(const scree_polyhedral* p, scri_arena* arena, scri_poly_state state,
                             scri_poly_system* s, scri_poly_solution* x,
                             scree_polyhedral_report* report)
{
    scree_lcp lcp = {0};
    *report = (scree_polyhedral_report){.error = SCREE_NAN};
    scree_status status = scri_poly_system_create(p, arena, state.t, state.q, state.u, s);
    if (!status) status = scri_poly_inertia(p, arena, s, report);
    if (!status) status = solve(p, arena, s, &lcp, x, report);
    return status;
}

/* ---- the check ---- */

/* A second solution, by the corner form with another covering vector. */
static scree_status solve_again(const scree_polyhedral* p, scri_arena* arena, scri_poly_system* s,
                                scri_poly_solution* x, int* solved)
{
    scree_lcp_report report;
    scree_status status = take_solution(arena, s, x);
    if (status) return status;
    size_t rows = scri_poly_rows(s);
    for (size_t i = 0; i < rows; ++i) { /* another compliance for every row */
        s->g[i * (rows + 1)] += s->compliance * (double)(i % 4);
    }
    status = scri_poly_corners(p, s, arena, 3, x, &report);
    *solved = !status && report.outcome == SCREE_LCP_SOLVED;
    return status;
}

/* sqrt(x . M x) of the difference of two accelerations, or of one. */
static double energy_norm(const scri_poly_system* s, const double* x, const double* y)
{
    double sum = 0.0;
    for (int32_t i = 0; i < s->n; ++i) {
        for (int32_t k = 0; k < s->n; ++k) {
            double a = x[i] - (y ? y[i] : 0.0), b = x[k] - (y ? y[k] : 0.0);
            sum += a * s->mass[(size_t)i * (size_t)s->n + (size_t)k] * b;
        }
    }
    return sqrt(sum);
}

/* How far two solutions differ. Compliance moves accelerations by so much times the force. */
static void compare(const scri_poly_system* s, const scri_poly_solution* x,
                    const scri_poly_solution* y, scree_polyhedral_report* report)
{
    double force = 0.0, most = 0.0, fast = 0.0;
    for (int32_t i = 0; i < s->m + s->mt; ++i) {
        force = fmax(force, fabs(x->force[i] - y->force[i]));
        most = fmax(most, fabs(x->force[i]));
        fast = fmax(fast, fabs(s->b[i]));
    }
    double size = fmax(energy_norm(s, s->free, NULL), energy_norm(s, x->acceleration, NULL));
    double apart = energy_norm(s, x->acceleration, y->acceleration);
    report->force_spread = most > 0.0 ? force / most : 0.0;
    report->acceleration_spread = size > 0.0 ? apart / size : apart;
    double allowed = 1e-9 + (fast > 0.0 ? 100.0 * s->compliance * most / fast : 0.0);
    report->unique = report->acceleration_spread <= allowed;
}

static scree_status check(const scree_polyhedral* p, scri_arena* arena, scri_poly_system* s,
                          const scri_poly_solution* x, scree_polyhedral_report* report)
{
    size_t size = (size_t)scri_poly_lead_size(s);
    int failed = 0, again = 0;
    double* a = take(arena, size * size, &failed);
    double* b = take(arena, size, &failed);
    if (failed) return SCREE_ERROR_MEMORY;
    scri_poly_lead(s, a, b);
    scree_status status = scri_poly_spectrum(arena, (int32_t)size, a, &report->lead);
    report->acceleration_spread = report->force_spread = SCREE_NAN;
    if (status || !report->solved) return status;
    if (p->lcp.a) status = scri_poly_spectrum(arena, p->lcp.n, p->lcp.a, &report->reduced);
    scri_poly_solution y;
    if (!status) status = solve_again(p, arena, s, &y, &again);
    if (!status && again) compare(s, x, &y, report);
    return status;
}

/* ---- results ---- */

static void publish(scree_polyhedral* p, const scri_poly_system* s, const scri_poly_solution* x,
                    const double* sigma)
{
    size_t n_contacts = (size_t)p->def.system.n_contacts, lines = (size_t)p->n_lines;
    memset(p->force, 0, (size_t)p->n_rows * sizeof *p->force);
    memset(p->rho, 0, n_contacts * sizeof *p->rho);
    double* all[] = {p->kappa_plus, p->kappa_minus, p->sigma_minus, p->sigma_plus};
    for (int i = 0; i < 4; ++i) memset(all[i], 0, lines * sizeof(double));
    memcpy(p->acceleration, x->acceleration, (size_t)s->n * sizeof(double));
    for (int32_t i = 0; i < s->m; ++i) {
        const scri_closed* c = &s->closed[i];
        double* force = p->force + p->row[c->contact];
        int32_t dim = p->row[c->contact + 1] - p->row[c->contact] - 1, to = p->line[c->contact];
        force[0] = x->force[i];
        p->rho[c->contact] = c->rho;
        for (int32_t d = 0; d < dim; ++d) {
            force[1 + d] = c->dim ? x->force[s->m + c->tangent + d] : c->slide[d] * x->force[i];
        }
        for (int32_t j = 0; j < c->k; ++j) {
            p->kappa_plus[to + j] = x->kappa[c->line + j];
            p->kappa_minus[to + j] = x->kappa[s->mk + c->line + j];
            p->sigma_minus[to + j] = sigma[c->line + j];
            p->sigma_plus[to + j] = sigma[s->mk + c->line + j];
        }
    }
}

void scri_poly_coefficients(scree_polyhedral* p)
{
    const scree_system_model* model = &p->def.system.model;
    size_t m = (size_t)p->def.system.n_contacts;
    if (m > 0) memcpy(p->coef, p->def.system.coef, 3 * m * sizeof(double));
    if (model->coefficients) model->coefficients(model->user, p->t, p->q, p->u, p->coef);
}

static scree_status evaluate(scree_polyhedral* p, scri_arena* arena,
                             scree_polyhedral_report* report)
{
    scri_poly_system s;
    scri_poly_solution x;
    scri_poly_coefficients(p);
    *report = (scree_polyhedral_report){.error = SCREE_NAN};
    scree_status status = scri_poly_system_create(p, arena, p->t, p->q, p->u, &s);
    if (!status) status = scri_poly_inertia(p, arena, &s, report);
    if (!status) status = solve(p, arena, &s, &p->lcp, &x, report);
    if (!status) status = scri_poly_measure(p, p->t, p->q, p->u, p->velocity, NULL);
    double* sigma = scri_arena_take(arena, 2 * (size_t)s.mk, sizeof *sigma);
    if (status || !sigma) return status ? status : SCREE_ERROR_MEMORY;
    report->n_closed = s.m;
    for (int32_t i = 0; i < s.m; ++i) {
        report->n_slip += p->mode[s.closed[i].contact] == SCREE_CONTACT_SLIP;
    }
    if (report->solved) status = scri_poly_error(&s, arena, &x, sigma, &report->error);
    if (!status && report->solved) publish(p, &s, &x, sigma);
    if (!status && p->def.check) status = check(p, arena, &s, &x, report);
    return status;
}

scree_status scree_polyhedral_evaluate(scree_polyhedral* polyhedral,
                                       scree_polyhedral_report* report)
{
    if (!polyhedral || !report) return SCREE_ERROR_ARGUMENT;
    scree_polyhedral* p = polyhedral;
    const scree_env* env = &p->env;
    scri_arena_destroy(p->last);
    p->lcp = (scree_lcp){0};
    p->last = scri_arena_create(env);
    scree_status status = p->last ? evaluate(p, p->last, report) : SCREE_ERROR_MEMORY;
    if (status != SCREE_ERROR_MEMORY) return status;
    return scri_fail(env, status, "out of memory for the accelerations of a system");
}
