/* The table of methods, the way in and out of scaled variables, and the certificate. */
#include "base/clock.h"
#include "base/env.h"
#include "base/fill.h"
#include "lcp/lcp.h"

#include <math.h>
#include <string.h>

typedef struct entry {
    const char* name;
    scri_lcp_method* solve;
} entry;

static const entry table[SCREE_LCP_METHOD_COUNT] = {
    [SCREE_LCP_LEMKE] = {"lemke", scri_lcp_lemke},
    [SCREE_LCP_PIVOT] = {"pivot", scri_lcp_pivot},
    [SCREE_LCP_NEWTON] = {"newton", scri_lcp_newton},
    [SCREE_LCP_PGS] = {"pgs", scri_lcp_pgs},
};

static const char* const outcome_texts[SCREE_LCP_OUTCOME_COUNT] = {
    [SCREE_LCP_SOLVED] = "solved",         [SCREE_LCP_RAY] = "ray",
    [SCREE_LCP_INFEASIBLE] = "infeasible", [SCREE_LCP_ITERATION_LIMIT] = "iteration limit",
    [SCREE_LCP_TIME_LIMIT] = "time limit", [SCREE_LCP_STALLED] = "stalled",
};

const char* scree_lcp_method_name(int method)
{
    return method >= 0 && method < SCREE_LCP_METHOD_COUNT ? table[method].name : NULL;
}

const char* scree_lcp_outcome_text(int outcome)
{
    return outcome >= 0 && outcome < SCREE_LCP_OUTCOME_COUNT ? outcome_texts[outcome] : NULL;
}

void scree_lcp_def_init(scree_lcp_def* def)
{
    if (!def) return;
    const scree_lcp_def usual = {
        .struct_size = sizeof usual, .method = SCREE_LCP_LEMKE, .tol = 1e-10, .max_time = 1e30};
    scri_fill(def, def->struct_size, &usual, sizeof usual);
}

static scree_status check(const scree_env* env, const scree_lcp* lcp)
{
    if (!lcp || lcp->n < 0 || (lcp->n > 0 && (!lcp->a || !lcp->b))) {
        return scri_fail(env, SCREE_ERROR_ARGUMENT, "an LCP without matrix or vector");
    }
    size_t n = (size_t)lcp->n;
    for (size_t i = 0; i < n * n; ++i) {
        if (!isfinite(lcp->a[i])) {
            return scri_fail(env, SCREE_ERROR_INPUT, "row %d, column %d of A is not finite",
                             (int)(i / n), (int)(i % n));
        }
    }
    for (size_t i = 0; i < n; ++i) {
        if (!isfinite(lcp->b[i])) {
            return scri_fail(env, SCREE_ERROR_INPUT, "row %d of b is not finite", (int)i);
        }
    }
    return SCREE_OK;
}

scree_status scri_lcp_check_def(const scree_env* env, int32_t n, const scree_lcp_def* def)
{
    if (def->struct_size != sizeof *def) { /* nothing is known of what it holds */
        return scri_check_size(env, def->struct_size, sizeof *def, "scree_default_lcp_def");
    }
    if ((int)def->method < 0 || def->method >= SCREE_LCP_METHOD_COUNT || !(def->tol >= 0.0) ||
        def->max_iter < 0 || !(def->max_time >= 0.0)) {
        return scri_fail(env, SCREE_ERROR_ARGUMENT,
                         "unknown LCP method, or bad tolerance or limit");
    }
    for (int32_t i = 0; def->cover && i < n; ++i) {
        if (!(def->cover[i] > 0.0) || !isfinite(def->cover[i])) {
            return scri_fail(env, SCREE_ERROR_INPUT, "entry %d of the covering vector: %g", (int)i,
                             def->cover[i]);
        }
    }
    return SCREE_OK;
}

/* cover and z in scaled variables. */
static scree_status enter(scri_arena* arena, const scri_lcp* lcp, const scree_lcp_def* def,
                          const double* z, scri_lcp_run* run)
{
    size_t n = (size_t)lcp->n;
    double* cover = scri_arena_take(arena, n, sizeof *cover);
    run->z = scri_arena_take(arena, n, sizeof *run->z);
    if (!cover || !run->z) return SCREE_ERROR_MEMORY;
    int finite = 1;
    for (size_t i = 0; i < n; ++i) finite &= isfinite(z[i]) != 0;
    for (size_t i = 0; i < n; ++i) {
        if (def->cover) cover[i] = def->cover[i] * lcp->scale[i];
        run->z[i] = finite && z[i] > 0.0 ? z[i] / lcp->scale[i] : 0.0;
    }
    run->cover = def->cover ? cover : NULL;
    return SCREE_OK;
}

int scri_lcp_is_late(const scri_lcp_run* run)
{
    if (run->progress && run->progress(run->progress_user, run->report->iterations)) return 1;
    return scri_clock_seconds(run->env) >= run->until;
}

static scree_status solve(const scree_env* env, scri_arena* arena, const scree_lcp* asked,
                          const scree_lcp_def* def, double* z, scree_lcp_report* report)
{
    scri_lcp lcp;
    scri_lcp_run run = {.lcp = &lcp,
                        .arena = arena,
                        .tol = def->tol,
                        .max_iter = def->max_iter,
                        .env = env,
                        .until = scri_clock_seconds(env) + def->max_time,
                        .report = report,
                        .progress = def->progress,
                        .progress_user = def->progress_user};
    scree_status status = scri_lcp_create(arena, asked, &lcp);
    if (!status) status = enter(arena, &lcp, def, z, &run);
    if (!status) status = table[def->method].solve(&run);
    if (status) return status;
    if (report->outcome == SCREE_LCP_RAY) status = scri_lcp_prove_infeasible(&run);
    double* w = scri_arena_take(arena, (size_t)lcp.n, sizeof *w);
    if (status || !w) return SCREE_ERROR_MEMORY;
    report->residual = scri_lcp_residual(&lcp, run.z, w);
    if (report->outcome == SCREE_LCP_SOLVED && !(report->residual <= def->tol)) {
        report->outcome = SCREE_LCP_STALLED;
    }
    for (int32_t i = 0; i < lcp.n; ++i) z[i] = run.z[i] * lcp.scale[i];
    return SCREE_OK;
}

scree_status scree_lcp_solve(const scree_env* env, const scree_lcp* lcp, const scree_lcp_def* def,
                             double* z, scree_lcp_report* report)
{
    if (!def || !z || !report) return SCREE_ERROR_ARGUMENT;
    *report = (scree_lcp_report){.outcome = SCREE_LCP_STALLED, .residual = SCREE_NAN};
    scree_status status = check(env, lcp);
    if (!status) status = scri_lcp_check_def(env, lcp->n, def);
    if (status) return status;
    double began = scri_clock_seconds(env);
    scri_arena* arena = scri_arena_create(env);
    status = arena ? solve(env, arena, lcp, def, z, report) : SCREE_ERROR_MEMORY;
    scri_arena_destroy(arena);
    report->time_s = scri_clock_seconds(env) - began;
    if (status == SCREE_ERROR_MEMORY) {
        return scri_fail(env, status, "out of memory for an LCP of %d rows", (int)lcp->n);
    }
    if (status == SCREE_ERROR_UNSUPPORTED) {
        return scri_fail(env, status, "projected Gauss-Seidel needs a positive diagonal");
    }
    return status;
}

/* ---- the certificate: everything from the problem as it was given ---- */

void scri_lcp_judge(int32_t n, const double* b, const double* z, const double* s, const double* w,
                    scree_lcp_certificate* out)
{
    double natural = 0.0, b_norm = 0.0, size = 0.0, most = 0.0;
    *out = (scree_lcp_certificate){.worst = -1};
    for (int32_t i = 0; i < n; ++i) {
        double zi = z[i] / s[i], wi = w[i] * s[i], part = zi < wi ? fabs(zi) : fabs(wi);
        double raw = z[i] < w[i] ? z[i] : w[i];
        if (isnan(zi) || isnan(wi)) part = SCREE_INFINITY;
        if (part > most) {
            most = part;
            out->worst = i;
        }
        size = fmax(size, fmax(fabs(b[i] * s[i]), fmax(fabs(zi), fabs(wi))));
        natural += raw * raw;
        b_norm += b[i] * b[i];
        out->z_violation = fmax(out->z_violation, -z[i]);
        out->w_violation = fmax(out->w_violation, -w[i]);
        out->complementarity = fmax(out->complementarity, fabs(z[i] * w[i]));
    }
    out->residual = isinf(most) ? SCREE_NAN : size > 0.0 ? most / size : most;
    out->residual_siconos = b_norm > 0.0 ? sqrt(natural) / sqrt(b_norm) : sqrt(natural);
}

scree_status scree_lcp_certify(const scree_env* env, const scree_lcp* lcp, const double* z,
                               scree_lcp_certificate* out)
{
    scree_status status = check(env, lcp);
    if (status || !z || !out) return status ? status : SCREE_ERROR_ARGUMENT;
    double* s = scri_alloc(env, 2 * ((size_t)lcp->n + 1) * sizeof *s);
    if (!s) return scri_fail(env, SCREE_ERROR_MEMORY, "out of memory for a certificate");
    scri_lcp_scale(lcp->n, lcp->a, s);
    scri_lcp_slack(lcp->n, lcp->a, lcp->b, z, s + lcp->n);
    scri_lcp_judge(lcp->n, lcp->b, z, s, s + lcp->n, out);
    scri_release(env, s);
    return SCREE_OK;
}

void scree_lcp_store_release(scree_lcp_store* store)
{
    if (!store) return;
    scri_arena_destroy(store->memory);
    *store = (scree_lcp_store){.memory = NULL};
}
