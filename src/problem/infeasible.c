/* The search for a proof among all contacts, then among those that stand out. */
#include "problem/infeasible.h"

#include "base/arena.h"
#include "base/env.h"
#include "problem/least_violation.h"
#include "problem/parting.h"

#include <math.h>
#include <string.h>

/* Contacts that violate less than these times the worst are left out of the closer look. */
static const double shares[] = {1e-2, 1e-5};

/* A closer look takes no more iterations than the search has. */
enum { CLOSE_ITERATIONS = 400 };

/* The bound that scri_infeasible_verify() asks for, SCRI_PROOF, is no more than |t| / |W t|, for
 * -q t is no more than |q| |t| over the rows of t. Rounding is far below the factor of ten. */
#define OUT_OF_REACH (10.0 / SCRI_PROOF)

static int may_prove(scri_descent* d)
{
    double moved, size;
    scri_descent_squares(d, &moved, &size);
    return !(moved > OUT_OF_REACH * OUT_OF_REACH * size);
}

static scree_status judge(const scree_env* env, const scri_scaling* scaling, scri_descent* d,
                          double* give, scree_infeasibility* out)
{
    if (!may_prove(d)) return SCREE_OK;
    scri_descent_give(d, give);
    return scri_infeasible_verify(env, d->rows.full, scaling, give, out);
}

/* Those that stand out alone: a proof among them is one for the whole. */
static scree_status search_closer(const scree_env* env, scri_arena* arena, scri_descent* d,
                                  const scri_scaling* scaling, int32_t iterations, double* give,
                                  scree_infeasibility* out)
{
    scree_status status = SCREE_OK;
    const scree_problem* problem = &d->rows.problem;
    size_t n_rows = (size_t)scree_problem_n_rows(problem);
    double* size = scri_arena_take_raw(arena, (size_t)problem->n_contacts, sizeof *size);
    double* first = scri_arena_take_raw(arena, n_rows, sizeof *first);
    if (!size || !first) return SCREE_ERROR_MEMORY;
    scri_team_copy(d->op.team, first, d->y, n_rows * sizeof *first);
    for (int32_t c = 0; c < problem->n_contacts; ++c) size[c] = scri_descent_size(d, c);
    for (size_t k = 0; k < sizeof shares / sizeof shares[0]; ++k) {
        if (status || out->n_contacts > 0) break;
        scri_descent_narrow(d, shares[k], size, first);
        if (scri_descent_run(d, iterations)) status = judge(env, scaling, d, give, out);
    }
    return status;
}

/* All contacts together, then fewer. */
static scree_status search_for(const scree_env* env, scri_arena* arena,
                               const scree_problem* problem, const scri_scaling* scaling,
                               const scri_search* search, double* give, scree_infeasibility* out)
{
    scri_descent d;
    const scri_shares* all = search->op ? search->op->shares : NULL;
    scree_status status = scri_descent_begin(arena, problem, scaling, all, search->y, &d);
    if (status) return status;
    d.least = search->least * d.worst;
    int32_t close = search->iterations < CLOSE_ITERATIONS ? search->iterations : CLOSE_ITERATIONS;
    if (!scri_descent_run(&d, search->iterations)) return SCREE_OK;
    status = judge(env, scaling, &d, give, out);
    if (status || out->n_contacts > 0) return status;
    return search_closer(env, arena, &d, scaling, close, give, out);
}

scree_status scri_infeasible_find(const scree_env* env, const scree_problem* problem,
                                  const scri_scaling* scaling, const scri_search* search,
                                  double* give, scree_infeasibility* out)
{
    scri_team* team = search->op ? search->op->team : NULL;
    scree_status status = SCREE_OK;
    *out = (scree_infeasibility){.n_contacts = 0};
    if (!scri_parting_opens(problem, team)) {
        scri_arena* arena = scri_arena_create(env);
        status = SCREE_ERROR_MEMORY;
        if (arena) status = search_for(env, arena, problem, scaling, search, give, out);
        scri_arena_destroy(arena);
    }
    if (out->n_contacts == 0) {
        scri_team_clear(team, give, (size_t)scree_problem_n_rows(problem) * sizeof *give);
    }
    return status;
}

/* ---- the public call ------------------------------------------------------------------------- */

enum { ITERATIONS = 1000 };
#define LEAST 1e-6

/* Velocities computed from impulses that are larger than this times the free ones, scaled, tell too
 * little: then the search begins with the free ones. */
#define USELESS 1e8

static int is_useless(const scree_problem* problem, const scri_scaling* scaling, const double* p)
{
    double most_p = 0.0, most_q = 0.0;
    for (int32_t i = 0; i < scree_problem_n_rows(problem); ++i) {
        most_p = fmax(most_p, fabs(p[i]) * (scaling->unit * scaling->scale[i]));
        most_q = fmax(most_q, fabs(problem->q[i]) / scaling->scale[i]);
    }
    return !(most_p <= USELESS * most_q);
}

static scree_status find(const scree_env* env, scri_arena* arena, const scree_problem* problem,
                         const double* p, double* give, scree_infeasibility* out)
{
    size_t n_rows = (size_t)scree_problem_n_rows(problem);
    scri_bump bump = {NULL, 0};
    scri_operator_create(problem, &bump);
    scri_scaling_create(problem, &bump);
    bump = (scri_bump){scri_arena_take(arena, bump.used, 1), 0};
    double* y = scri_arena_take(arena, n_rows, sizeof *y);
    if (!give) give = scri_arena_take(arena, n_rows, sizeof *give);
    if (!bump.memory || !y || !give) return SCREE_ERROR_MEMORY;
    scri_operator op = scri_operator_create(problem, &bump);
    scri_scaling scaling = scri_scaling_create(problem, &bump);
    scri_scaling_compute(&op, &scaling);
    memcpy(y, problem->q, n_rows * sizeof *y);
    if (p && !is_useless(problem, &scaling, p)) scri_operator_apply(&op, p, y);
    scri_search search = {.least = LEAST, .iterations = ITERATIONS, .y = y};
    return scri_infeasible_find(env, problem, &scaling, &search, give, out);
}

scree_status scree_find_infeasible(const scree_env* env, const scree_problem* problem,
                                   const double* p, double* give, scree_infeasibility* out)
{
    scree_problem_store reduced = {.memory = NULL};
    scree_status status = SCREE_OK;
    if (!problem || !out) return SCREE_ERROR_ARGUMENT;
    *out = (scree_infeasibility){.n_contacts = 0};
    if (problem->n_contacts == 0) return SCREE_OK;
    if (problem->form == SCREE_FORM_FACTORED) {
        status = scree_problem_reduce(env, problem, &reduced);
        problem = &reduced.problem;
    }
    scri_arena* arena = status ? NULL : scri_arena_create(env);
    if (!status) status = arena ? find(env, arena, problem, p, give, out) : SCREE_ERROR_MEMORY;
    scri_arena_destroy(arena);
    scree_problem_store_release(&reduced);
    if (status != SCREE_ERROR_MEMORY) return status;
    return scri_fail(env, status, "out of memory for a proof");
}
