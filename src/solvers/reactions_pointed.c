/* Whether impulses can press on each other and move nothing: (45) of Tasora & Anitescu.
 *
 * With q = -1 in the normal row of every contact, scaled, the convex law asks for the least of
 * p W p / 2 - sum p_N over the cone Y. If some d in Y has W d = 0 and any normal impulse, this
 * falls along d for ever and there is no solution: scree_find_infeasible() finds d, which is the
 * self-stress. If there is a solution, its velocities W p = y + 1 with y in the dual cone satisfy
 * d . W p >= sum d_N > 0 for every d in Y that presses, so that none has W d = 0. */
#include "base/arena.h"
#include "base/env.h"
#include "problem/scaling.h"
#include "scree/reactions.h"
#include "scree/solver.h"

#include <math.h>
#include <string.h>

#define TOL 1e-6

/* What the velocities of a solution may lack of opening every contact at the speed 1. */
#define LACK 0.5

typedef struct examined {
    scri_arena* arena;
    scree_problem problem; /* relaxed, with its own laws and q */
    scri_scaling scaling;
    double *p, *y; /* [n_rows] */
} examined;

static scree_status relax(const scree_env* env, const scree_problem* problem, examined* e)
{
    size_t n = (size_t)problem->n_contacts;
    uint8_t* law = scri_arena_take(e->arena, n, 1);
    if (!law) return SCREE_ERROR_MEMORY;
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        const scri_law* own = scri_law_of(problem, c);
        int relaxed = scri_law_relaxed(problem->law[c]);
        if (!scri_law_is(own, SCREE_LAW_IS_INCLUSION)) {
            return scri_fail(env, SCREE_ERROR_UNSUPPORTED, "contact %d has the extended law",
                             (int)c);
        }
        law[c] = relaxed < 0 ? problem->law[c] : (uint8_t)relaxed;
    }
    e->problem = *problem;
    e->problem.law = law;
    e->problem.compliance = NULL;
    return SCREE_OK;
}

/* The scales of the relaxed problem, and q. */
static scree_status prepare(examined* e)
{
    scri_bump count = {NULL, 0};
    scri_operator_create(&e->problem, &count);
    scri_scaling_create(&e->problem, &count);
    scri_bump bump = {scri_arena_take(e->arena, count.used, 1), 0};
    size_t n_rows = (size_t)scree_problem_n_rows(&e->problem);
    double* q = scri_arena_take(e->arena, n_rows, sizeof(double));
    e->p = scri_arena_take(e->arena, n_rows, sizeof(double));
    e->y = scri_arena_take(e->arena, n_rows, sizeof(double));
    if (!bump.memory || !q || !e->p || !e->y) return SCREE_ERROR_MEMORY;
    scri_operator op = scri_operator_create(&e->problem, &bump);
    e->scaling = scri_scaling_create(&e->problem, &bump);
    scri_scaling_compute(&op, &e->scaling);
    memset(q, 0, n_rows * sizeof *q);
    memset(e->p, 0, n_rows * sizeof *e->p);
    for (int32_t c = 0; c < e->problem.n_contacts; ++c) {
        int32_t row = e->problem.first_row[c];
        if (scri_law_is(scri_law_of(&e->problem, c), SCREE_LAW_HAS_NORMAL)) {
            q[row] = -e->scaling.scale[row];
        }
    }
    e->problem.q = q;
    return SCREE_OK;
}

/* Self-stress from what the proof gives, with the largest normal impulse 1. */
static void write_stress(const examined* e, const double* give, double* stress)
{
    double most = 0.0;
    for (int32_t c = 0; c < e->problem.n_contacts; ++c) {
        for (int32_t i = e->problem.first_row[c]; i < e->problem.first_row[c + 1]; ++i) {
            double s = e->scaling.scale[i];
            stress[i] = give[i] / (e->scaling.unit * s * s);
        }
        most = fmax(most, stress[e->problem.first_row[c]]);
    }
    for (int32_t i = 0; most > 0.0 && i < scree_problem_n_rows(&e->problem); ++i) stress[i] /= most;
}

/* Whether the velocities of p open every contact into its dual cone: y + 1 in scaled variables. */
static int opens(const examined* e)
{
    for (int32_t c = 0; c < e->problem.n_contacts; ++c) {
        const scri_law* law = scri_law_of(&e->problem, c);
        int32_t row = e->problem.first_row[c];
        int width = e->problem.first_row[c + 1] - row;
        double outside[SCRI_MAX_WIDTH], square = 0.0;
        for (int i = 0; i < width; ++i) outside[i] = -e->y[row + i] / e->scaling.scale[row + i];
        law->recede(scri_terms_of(&e->problem, c, e->scaling.coef), outside);
        for (int i = 0; i < width; ++i) square += outside[i] * outside[i];
        if (!(sqrt(square) <= LACK)) return 0;
    }
    return 1;
}

static scree_status solve(const scree_env* env, examined* e, scree_pointed* out)
{
    scree_solver_def def = scree_default_solver_def();
    scree_report report;
    scree_certificate certificate;
    def.tol = TOL;
    scree_status status =
        scree_solve_certified(env, &e->problem, &def, e->p, &report, &certificate);
    if (!status) status = scree_problem_velocity(env, &e->problem, e->p, e->y);
    if (status) return status;
    int solved = report.outcome == SCREE_OUTCOME_CONVERGED && opens(e);
    *out = solved ? SCREE_POINTED : SCREE_POINTED_UNKNOWN;
    return SCREE_OK;
}

static scree_status examine(const scree_env* env, examined* e, double* stress, scree_pointed* out)
{
    scree_infeasibility proof;
    scree_status status = prepare(e);
    if (!status) status = scree_find_infeasible(env, &e->problem, NULL, e->y, &proof);
    if (status) return status;
    if (proof.n_contacts == 0) return solve(env, e, out);
    *out = SCREE_NOT_POINTED;
    if (stress) write_stress(e, e->y, stress);
    return SCREE_OK;
}

scree_status scree_reactions_pointed(const scree_env* env, const scree_problem* problem,
                                     double* stress, scree_pointed* out)
{
    if (!problem || !out) return SCREE_ERROR_ARGUMENT;
    examined e = {.arena = NULL};
    *out = SCREE_POINTED_UNKNOWN;
    if (problem->form == SCREE_FORM_FACTORED) {
        return scri_fail(env, SCREE_ERROR_UNSUPPORTED, "the problem is factored: reduce it first");
    }
    for (int32_t i = 0; stress && i < scree_problem_n_rows(problem); ++i) stress[i] = 0.0;
    if (problem->n_contacts == 0) {
        *out = SCREE_POINTED;
        return SCREE_OK;
    }
    e.arena = scri_arena_create(env);
    scree_status status = e.arena ? relax(env, problem, &e) : SCREE_ERROR_MEMORY;
    if (!status) status = examine(env, &e, stress, out);
    scri_arena_destroy(e.arena);
    if (status != SCREE_ERROR_MEMORY) return status;
    return scri_fail(env, status, "out of memory for a test of pointedness");
}
