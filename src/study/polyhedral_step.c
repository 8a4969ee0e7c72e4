/* Polyhedral friction at velocity level: the problem of one time step with polygons for discs. */
#include "base/env.h"
#include "laws/law.h"
#include "math/sparse_lu.h"
#include "scree/certificate.h"
#include "study/polyhedral.h"

#include <math.h>
#include <string.h>

enum { MOST_UNKNOWNS = 20000, SPARSE_ABOVE = 192 };

/* Slower than this part of the largest velocity, a contact does not slide. */
#define RESTING 1e-7

static scree_status check(const scree_env* env, const scree_problem* problem, int32_t directions)
{
    if (directions < 2 || directions > 1024) {
        return scri_fail(env, SCREE_ERROR_INPUT, "%d directions: 2 to 1024 are possible",
                         (int)directions);
    }
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        int width = problem->first_row[c + 1] - problem->first_row[c];
        const scri_law* law = scri_law_get(problem->law[c]);
        const int32_t* set = problem->set ? problem->set + 4 * (size_t)c : NULL;
        const char* fault = NULL;
        if (scri_law_is_complementarity(law) && width == 1) continue;
        if (!scri_law_is_coulomb(law)) {
            fault = "its law is not the exact one";
        } else if (problem->rows[c] > SCREE_ROWS_NTT) {
            fault = "it resists rolling or turning; only rows N, NT and NTT are possible";
        } else if (set && set[0] >= 0) {
            fault = "its friction is anisotropic; only discs are possible";
        }
        if (!fault) continue;
        return scri_fail(env, SCREE_ERROR_UNSUPPORTED,
                         "contact %d: no polygon can stand for its friction: %s", (int)c, fault);
    }
    return SCREE_OK;
}

/* The contacts of the corner form; all with two tangential rows share one polygon. */
static scree_status list_contacts(scri_arena* arena, const scree_problem* problem,
                                  int32_t directions, scree_polygon polygon,
                                  scri_corner_contact** out)
{
    double* interval = scri_arena_take(arena, 4, sizeof *interval);
    double* corners = scri_arena_take(arena, 4 * (size_t)directions, sizeof *corners);
    scri_corner_contact* list = scri_arena_take(arena, (size_t)problem->n_contacts, sizeof *list);
    if (!interval || !corners || !list) return SCREE_ERROR_MEMORY;
    scri_polygon_regular(1, 1, polygon, interval);
    scri_polygon_regular(directions, 2, polygon, corners);
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        int32_t row = problem->first_row[c], dim = problem->first_row[c + 1] - row - 1;
        list[c] = (scri_corner_contact){.normal = row,
                                        .tangent = row + 1,
                                        .dim = dim,
                                        .mu = problem->coef[3 * c],
                                        .n_corners = dim == 2 ? 2 * directions : 2 * dim,
                                        .corner = dim == 2 ? corners : interval};
    }
    *out = list;
    return SCREE_OK;
}

/* W + C of an assembled problem as a dense matrix. */
static void spread(const scree_problem* problem, double* g)
{
    const scree_bsr* w = &problem->w;
    size_t rows = (size_t)scree_problem_n_rows(problem);
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        int32_t height = problem->first_row[c + 1] - problem->first_row[c];
        for (int32_t k = w->start[c]; k < w->start[c + 1]; ++k) {
            int32_t d = w->column[k], width = problem->first_row[d + 1] - problem->first_row[d];
            const double* block = w->value + w->offset[k];
            for (int32_t i = 0; i < height; ++i) {
                size_t to = ((size_t)problem->first_row[c] + (size_t)i) * rows +
                            (size_t)problem->first_row[d];
                memcpy(g + to, block + i * width, (size_t)width * sizeof *g);
            }
        }
    }
    for (size_t i = 0; i < rows && problem->compliance; ++i) {
        g[i * (rows + 1)] += problem->compliance[i];
    }
}

/* The problem in assembled form; `reduced` is to be released. */
static scree_status assemble(const scree_env* env, const scree_problem* problem,
                             scree_problem_store* reduced, const scree_problem** out)
{
    *out = problem;
    if (problem->form == SCREE_FORM_ASSEMBLED) return SCREE_OK;
    scree_status status = scree_problem_reduce(env, problem, reduced);
    *out = &reduced->problem;
    return status;
}

static scree_status build(const scree_env* env, scri_arena* arena, const scree_problem* problem,
                          const scri_corner_contact* contact, scree_lcp* out)
{
    size_t rows = (size_t)scree_problem_n_rows(problem),
           m = (size_t)scri_corner_unknowns(problem->n_contacts, contact);
    double* g = scri_arena_take(arena, rows, rows * sizeof *g);
    double* a = scri_arena_take(arena, m, m * sizeof *a);
    double* b = scri_arena_take(arena, m, sizeof *b);
    if (!g || !a || !b) return SCREE_ERROR_MEMORY;
    scree_problem_store reduced = {.memory = NULL};
    const scree_problem* assembled;
    scree_status status = assemble(env, problem, &reduced, &assembled);
    if (status) return status;
    spread(assembled, g);
    scri_corner_assemble(problem->n_contacts, contact, (int32_t)rows, g, assembled->q, a, b);
    scree_problem_store_release(&reduced);
    *out = (scree_lcp){(int32_t)m, a, b};
    return SCREE_OK;
}

scree_status scree_polyhedral_build(const scree_env* env, const scree_problem* problem,
                                    int32_t directions, scree_polygon polygon, scree_lcp_store* out)
{
    if (!problem || !out) return SCREE_ERROR_ARGUMENT;
    *out = (scree_lcp_store){.memory = NULL};
    scree_status status = check(env, problem, directions);
    if (status) return status;
    scri_arena* arena = scri_arena_create(env);
    scri_corner_contact* contact = NULL;
    status =
        arena ? list_contacts(arena, problem, directions, polygon, &contact) : SCREE_ERROR_MEMORY;
    if (!status) {
        int32_t m = scri_corner_unknowns(problem->n_contacts, contact);
        if (m > MOST_UNKNOWNS) {
            scri_arena_destroy(arena);
            return scri_fail(env, SCREE_ERROR_UNSUPPORTED,
                             "%d unknowns: too many for a dense LCP, %d are possible", (int)m,
                             (int)MOST_UNKNOWNS);
        }
        status = build(env, arena, problem, contact, &out->lcp);
    }
    if (!status) {
        out->memory = arena;
        return SCREE_OK;
    }
    scri_arena_destroy(arena);
    *out = (scree_lcp_store){.memory = NULL};
    if (status != SCREE_ERROR_MEMORY) return status;
    return scri_fail(env, status, "out of memory for a polyhedral problem");
}

scree_status scree_polyhedral_build_sparse(const scree_env* env, const scree_problem* problem,
                                           int32_t directions, scree_polygon polygon,
                                           scree_sparse_lcp_store* out)
{
    if (!problem || !out) return SCREE_ERROR_ARGUMENT;
    *out = (scree_sparse_lcp_store){.memory = NULL};
    scree_status status = check(env, problem, directions);
    if (status) return status;
    scri_arena* arena = scri_arena_create(env);
    scri_corner_contact* contact = NULL;
    scree_problem_store reduced = {.memory = NULL};
    const scree_problem* assembled;
    status =
        arena ? list_contacts(arena, problem, directions, polygon, &contact) : SCREE_ERROR_MEMORY;
    if (!status) status = assemble(env, problem, &reduced, &assembled);
    if (!status) status = scri_corner_assemble_sparse(arena, assembled, contact, &out->lcp);
    scree_problem_store_release(&reduced);
    if (!status) {
        out->memory = arena;
        return SCREE_OK;
    }
    scri_arena_destroy(arena);
    *out = (scree_sparse_lcp_store){.memory = NULL};
    return scri_fail(env, status, "no sparse polyhedral problem");
}

scree_status scree_polyhedral_impulses(const scree_env* env, const scree_problem* problem,
                                       int32_t directions, scree_polygon polygon, const double* z,
                                       double* p)
{
    if (!problem || !z || !p) return SCREE_ERROR_ARGUMENT;
    scree_status status = check(env, problem, directions);
    if (status) return status;
    scri_arena* arena = scri_arena_create(env);
    scri_corner_contact* contact;
    status =
        arena ? list_contacts(arena, problem, directions, polygon, &contact) : SCREE_ERROR_MEMORY;
    if (!status) scri_corner_read(problem->n_contacts, contact, z, p);
    scri_arena_destroy(arena);
    return status;
}

/* ---- polygon against disc ---- */

static double distance(const double* x, const double* y, int32_t n)
{
    double sum = 0.0;
    for (int32_t i = 0; i < n; ++i) {
        double d = x[i] - (y ? y[i] : 0.0);
        sum += d * d;
    }
    return sqrt(sum);
}

/* | |p_T| / (mu p_N) - 1 |, at most over contacts that slide faster than `bound` in both; NaN where
 * there are none. */
static double force_error(const scree_problem* problem, const double* p, const double* y,
                          const double* y_exact, double bound)
{
    double most = SCREE_NAN;
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        int32_t at = problem->first_row[c], width = problem->first_row[c + 1] - at;
        double limit = problem->coef[3 * c] * p[at];
        if (width < 2 || !(limit > 0.0)) continue;
        double force = hypot(p[at + 1], width > 2 ? p[at + 2] : 0.0);
        double speed = hypot(y[at + 1], width > 2 ? y[at + 2] : 0.0);
        double speed_exact = hypot(y_exact[at + 1], width > 2 ? y_exact[at + 2] : 0.0);
        if (!(fmin(speed, speed_exact) > bound)) continue;
        most = fmax(most, fabs(force / limit - 1.0));
    }
    return most;
}

/* One problem, in the form that suits its size. */
typedef struct polygons {
    scree_polygon kind;
    scree_lcp_store dense;
    scree_sparse_lcp_store sparse;
} polygons;

static scree_status compare(const scree_env* env, scri_arena* arena, const scree_problem* problem,
                            const double* p_exact, const scree_lcp_def* def, const polygons* lcp,
                            scree_polyhedral_difference* out)
{
    int32_t rows = scree_problem_n_rows(problem);
    double* z = scri_arena_take(arena, (size_t)out->unknowns, sizeof *z);
    double* p = scri_arena_take(arena, (size_t)rows, sizeof *p);
    double* y = scri_arena_take(arena, (size_t)rows, sizeof *y);
    double* y_exact = scri_arena_take(arena, (size_t)rows, sizeof *y_exact);
    double* y_free = scri_arena_take(arena, (size_t)rows, sizeof *y_free);
    if (!z || !p || !y || !y_exact || !y_free) return SCREE_ERROR_MEMORY;
    scree_status status = scree_problem_velocity(env, problem, p, y_free); /* p is 0 yet */
    if (!status && lcp->sparse.memory) {
        status = scree_sparse_lcp_solve(env, &lcp->sparse.lcp, def, z, &out->lcp);
    } else if (!status) {
        status = scree_lcp_solve(env, &lcp->dense.lcp, def, z, &out->lcp);
    }
    if (!status) status = scree_polyhedral_impulses(env, problem, out->directions, lcp->kind, z, p);
    if (!status) status = scree_problem_velocity(env, problem, p, y);
    if (!status) status = scree_problem_velocity(env, problem, p_exact, y_exact);
    if (status) return status;
    double force = distance(p_exact, NULL, rows), bound = 0.0;
    double speed = fmax(distance(y_exact, NULL, rows), distance(y_free, NULL, rows));
    for (int32_t i = 0; i < rows; ++i) {
        bound = fmax(bound, RESTING * fmax(fabs(y_exact[i]), fabs(y_free[i])));
    }
    out->impulse = distance(p, p_exact, rows) / (force > 0.0 ? force : 1.0);
    out->velocity = distance(y, y_exact, rows) / (speed > 0.0 ? speed : 1.0);
    out->force = force_error(problem, p, y, y_exact, bound);
    return SCREE_OK;
}

scree_status scree_polyhedral_compare(const scree_env* env, const scree_problem* problem,
                                      const double* p_exact, int32_t directions,
                                      scree_polygon polygon, const scree_lcp_def* def,
                                      scree_polyhedral_difference* out)
{
    if (!problem || !p_exact || !def || !out) return SCREE_ERROR_ARGUMENT;
    polygons lcp = {.kind = polygon};
    *out = (scree_polyhedral_difference){
        .directions = directions, .impulse = SCREE_NAN, .velocity = SCREE_NAN, .force = SCREE_NAN};
    scree_status status = SCREE_OK;
    if (def->method == SCREE_LCP_LEMKE) {
        status = scree_polyhedral_build_sparse(env, problem, directions, polygon, &lcp.sparse);
        out->unknowns = lcp.sparse.lcp.n;
    }
    if (!status && !(out->unknowns > SPARSE_ABOVE && scri_sparse_lu_fits(env, out->unknowns))) {
        scree_sparse_lcp_store_release(&lcp.sparse);
        status = scree_polyhedral_build(env, problem, directions, polygon, &lcp.dense);
        out->unknowns = lcp.dense.lcp.n;
    }
    scri_arena* arena = status ? NULL : scri_arena_create(env);
    if (!status) {
        status = arena ? compare(env, arena, problem, p_exact, def, &lcp, out) : SCREE_ERROR_MEMORY;
    }
    scri_arena_destroy(arena);
    scree_lcp_store_release(&lcp.dense);
    scree_sparse_lcp_store_release(&lcp.sparse);
    return status;
}
