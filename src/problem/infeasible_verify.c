/* Judges a proof that there is no solution by what the problem says, whoever found it. */
#include "base/arena.h"
#include "base/env.h"
#include "laws/law.h"
#include "problem/bodies_kernel.h"
#include "problem/infeasible.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* What a body keeps of the impulses on it may be this share of their absolute sum. */
#define UNBALANCED 1e-10

/* A contact whose share in the proof is below this times the largest is not named. */
#define SHARE 1e-9

/* d[n_rows], in units of impulses, from what is given; 0 where it is not in K. */
static int direction(const scree_problem* problem, const scri_scaling* scaling, const double* give,
                     double* d)
{
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        int32_t row = problem->first_row[c];
        int width = problem->first_row[c + 1] - row;
        double own[SCRI_MAX_WIDTH], away = 0.0, size = 0.0;
        for (int i = 0; i < width; ++i) own[i] = give[row + i] / scaling->scale[row + i];
        scri_law_of(problem, c)->recede(scri_terms_of(problem, c, scaling->coef), own);
        for (int i = 0; i < width; ++i) {
            double scaled = give[row + i] / scaling->scale[row + i];
            away += fabs(scaled - own[i]);
            size += fabs(scaled);
            d[row + i] = own[i] / (scaling->unit * scaling->scale[row + i]);
        }
        if (!(away <= 16.0 * DBL_EPSILON * size)) return 0;
    }
    return 1;
}

/* out = W^T d + C d. W of bodies is symmetric; an assembled one need not be. */
static void multiply_transposed(const scree_problem* problem, scri_operator* op, const double* d,
                                double* out)
{
    if (problem->form == SCREE_FORM_BODIES) {
        scri_operator_apply(op, d, out);
        return;
    }
    const scree_bsr* w = &problem->w;
    for (int32_t i = 0; i < scree_problem_n_rows(problem); ++i) {
        out[i] = problem->compliance ? problem->compliance[i] * d[i] : 0.0;
    }
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        int32_t row = problem->first_row[c], height = problem->first_row[c + 1] - row;
        for (int32_t k = w->start[c]; k < w->start[c + 1]; ++k) {
            int32_t column = problem->first_row[w->column[k]];
            int32_t width = problem->first_row[w->column[k] + 1] - column;
            const double* block = w->value + w->offset[k];
            for (int32_t i = 0; i < height * width; ++i) {
                out[column + i % width] += block[i] * d[row + i / width];
            }
        }
    }
}

/* Adds force and moment of contact c to its bodies: sums [6 n_bodies] and sizes [2 n_bodies]. */
static void add_contact(const scree_problem* problem, int32_t c, const double* d, double* sum,
                        double* size)
{
    const scree_bodies* b = &problem->bodies;
    int width = problem->first_row[c + 1] - problem->first_row[c];
    for (int side = 0; side < 2; ++side) {
        int32_t body = b->pair[2 * (size_t)c + (size_t)side];
        const double* arm = b->arm + 6 * (size_t)c + 3 * (size_t)side;
        if (body < 0 || b->inv_mass[body] == 0.0) continue;
        for (int i = 0; i < width; ++i) {
            double row[6], x = d[problem->first_row[c] + i];
            scri_bodies_unit_row(b, c, side, width, i, row);
            for (int j = 0; j < 6; ++j) sum[6 * (size_t)body + (size_t)j] += row[j] * x;
            if (scri_bodies_general(b, c)) {
                size[2 * (size_t)body] += sqrt(scri_dot3(row, row)) * fabs(x);
                size[2 * (size_t)body + 1] += sqrt(scri_dot3(row + 3, row + 3)) * fabs(x);
                continue;
            }
            double reach = i < 3 ? sqrt(scri_dot3(arm, arm)) : 1.0;
            if (i < 3) size[2 * (size_t)body] += fabs(x);
            size[2 * (size_t)body + 1] += reach * fabs(x);
        }
    }
}

/* Whether no body that can respond is pushed or turned, whatever its mass. work[8 n_bodies]. */
static int is_balanced(const scree_problem* problem, const double* d, double* work)
{
    if (problem->form != SCREE_FORM_BODIES) return 1;
    size_t n = (size_t)problem->bodies.n_bodies;
    double *sum = work, *size = work + 6 * n;
    memset(work, 0, 8 * n * sizeof *work);
    for (int32_t c = 0; c < problem->n_contacts; ++c) add_contact(problem, c, d, sum, size);
    for (size_t b = 0; b < n; ++b) {
        const double *force = sum + 6 * b, *moment = force + 3;
        if (!(sqrt(scri_dot3(force, force)) <= UNBALANCED * size[2 * b])) return 0;
        if (!(sqrt(scri_dot3(moment, moment)) <= UNBALANCED * size[2 * b + 1])) return 0;
    }
    return 1;
}

/* The bound, in scaled variables: w is W^T d in units of q. */
static double bound_of(const scree_problem* problem, const scri_scaling* scaling, const double* d,
                       const double* w)
{
    double work = 0.0, moved = 0.0, sum = 0.0, free_speed = 0.0;
    for (int32_t i = 0; i < scree_problem_n_rows(problem); ++i) {
        double s = scaling->scale[i];
        work -= scaling->unit * problem->q[i] * d[i];
        moved += w[i] / s * (w[i] / s);
        sum += fabs(d[i]) * (scaling->unit * s);
        if (d[i] != 0.0) free_speed += problem->q[i] / s * (problem->q[i] / s);
    }
    double rounding = DBL_EPSILON * sum;
    if (!(work > 0.0)) return 0.0;
    return work / ((sqrt(moved) + rounding) * sqrt(free_speed));
}

static void describe(const scree_problem* problem, const double* give, const double* d,
                     scree_infeasibility* out)
{
    double most = 0.0;
    for (int pass = 0; pass < 2; ++pass) {
        for (int32_t c = 0; c < problem->n_contacts; ++c) {
            double own = 0.0;
            for (int32_t i = problem->first_row[c]; i < problem->first_row[c + 1]; ++i) {
                own += fabs(give[i] * d[i]);
                out->approach = fmax(out->approach, fabs(give[i]));
            }
            out->n_contacts += pass == 1 && sqrt(own) > SHARE * most;
            if (pass == 0) most = fmax(most, sqrt(own));
        }
    }
}

scree_status scri_infeasible_verify(const scree_env* env, const scree_problem* problem,
                                    const scri_scaling* scaling, const double* give,
                                    scree_infeasibility* out)
{
    *out = (scree_infeasibility){.n_contacts = 0};
    size_t n_rows = (size_t)scree_problem_n_rows(problem);
    size_t n_bodies = problem->form == SCREE_FORM_BODIES ? (size_t)problem->bodies.n_bodies : 0;
    scree_problem still = *problem; /* without free velocity */
    scri_bump bump = {NULL, 0};
    scri_operator_create(problem, &bump);
    scri_arena* arena = scri_arena_create(env);
    double* d = arena ? scri_arena_take(arena, 3 * n_rows + 8 * n_bodies, sizeof *d) : NULL;
    bump = (scri_bump){d ? scri_arena_take(arena, bump.used, 1) : NULL, 0};
    if (bump.memory) {
        double *w = d + n_rows, *work = w + 2 * n_rows;
        still.q = w + n_rows;
        scri_operator op = scri_operator_create(&still, &bump);
        if (direction(problem, scaling, give, d) && is_balanced(problem, d, work)) {
            multiply_transposed(&still, &op, d, w);
            out->bound = bound_of(problem, scaling, d, w);
        }
        if (out->bound >= SCRI_PROOF) describe(problem, give, d, out);
    }
    scri_arena_destroy(arena);
    return bump.memory ? SCREE_OK : SCREE_ERROR_MEMORY;
}
