#include "solvers/reactions_set.h"

#include "laws/law.h"
#include "problem/natural_map.h"

#include <math.h>
#include <string.h>

/* What counts as rest: a channel at rest may seem to move by the error of the impulses, and may be
 * taken for resting while the residual that this makes is small beside the tolerance. */
#define REST_OF_ERROR 2.0
#define REST_OF_TOLERANCE 0.1

int scri_reactions_fit(const scree_problem* problem)
{
    if (problem->form == SCREE_FORM_FACTORED || problem->set) return 0;
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        if (!scri_law_of(problem, c)->reactions) return 0;
    }
    return 1;
}

static void find_sets(scri_reactions* r, double tol)
{
    const scree_problem* problem = r->problem;
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        int32_t first = problem->first_row[c];
        const double* coef = r->scaling.coef + 3 * (size_t)c;
        r->set[c] = scri_law_of(problem, c)
                        ->reactions(problem->rows[c], coef, r->p + first, r->y + first, tol);
    }
}

scree_status scri_reactions_create(scri_arena* arena, const scree_problem* problem, const double* p,
                                   double tol, scri_reactions* out)
{
    scri_bump count = {NULL, 0};
    (void)scri_operator_create(problem, &count);
    (void)scri_scaling_create(problem, &count);
    size_t n_rows = (size_t)scree_problem_n_rows(problem);
    scri_bump bump = {scri_arena_take(arena, count.used, 1), 0};
    *out = (scri_reactions){.problem = problem, .n_rows = (int32_t)n_rows};
    out->p = scri_arena_take(arena, n_rows, sizeof(double));
    out->y = scri_arena_take(arena, n_rows, sizeof(double));
    out->set = scri_arena_take(arena, (size_t)problem->n_contacts, sizeof *out->set);
    if (!bump.memory || !out->p || !out->y || !out->set) return SCREE_ERROR_MEMORY;
    out->op = scri_operator_create(problem, &bump);
    out->scaling = scri_scaling_create(problem, &bump);
    scri_scaling_compute(&out->op, &out->scaling);
    scri_operator_apply(&out->op, p, out->y);
    scri_natural_map map =
        scri_natural_map_evaluate(NULL, problem, &out->scaling, NULL, p, out->y, NULL);
    double size = fmax(map.norm_q, fmax(map.norm_p, map.norm_y));
    out->residual = scri_natural_map_scaled(&map);
    for (size_t i = 0; i < n_rows; ++i) {
        out->p[i] = p[i] * (out->scaling.unit * out->scaling.scale[i]);
        out->y[i] /= out->scaling.scale[i];
    }
    find_sets(out, fmax(REST_OF_ERROR * map.absolute, REST_OF_TOLERANCE * tol * size));
    return SCREE_OK;
}

double scri_reactions_judge(scri_reactions* r, const double* p, double* raw, double* y)
{
    for (int32_t i = 0; i < r->n_rows; ++i) raw[i] = p[i] / (r->scaling.unit * r->scaling.scale[i]);
    scri_operator_apply(&r->op, raw, y);
    scri_natural_map map =
        scri_natural_map_evaluate(NULL, r->problem, &r->scaling, NULL, raw, y, NULL);
    return scri_natural_map_scaled(&map);
}
