/* How many impulses the velocities determine: eigenvalues counted by Sylvester's law of inertia.
 *
 * With delta just above zero, the rank of A = W + C between some unknowns is the number of positive
 * eigenvalues of A - delta. Rigid bodies: W = H H^T, and eliminating either block of
 *
 *     [ -I    H^T       ]
 *     [  H    C - delta ]
 *
 * shows that number to be that of C_i > delta plus the negative eigenvalues of
 * I + H^T (C - delta)^-1 H: a matrix with six unknowns per body, one sparse factorisation.
 */
#include "base/env.h"
#include "math/sparse_lu.h"
#include "scree/reactions.h"
#include "solvers/newton_bodies.h"
#include "solvers/newton_contacts.h"
#include "solvers/newton_system.h"
#include "solvers/reactions_set.h"

#include <string.h>

enum { TRIES = 4 };      /* a pivot may be zero by chance: with another floor it is not */
#define TRY_FACTOR 1.375 /* from one floor to the next */

typedef struct counting {
    const scree_env* env;
    scri_arena* arena;
    const scri_reactions* at;
    int tied;        /* unknowns rather than active rows */
    double floor;    /* delta */
    int32_t columns; /* unknowns or rows counted */
    int32_t found;
} counting;

static double compliance_of(const scri_reactions* at, int32_t row)
{
    if (!at->problem->compliance) return 0.0;
    double s = at->scaling.scale[row];
    return at->problem->compliance[row] / (at->scaling.unit * (s * s));
}

static int has_axis(const counting* count, const scri_reaction_set* set)
{
    return count->tied &&
           (set->kind == SCRI_REACTION_SET_CONE || set->kind == SCRI_REACTION_SET_ELLIPSOID);
}

/* Rows that are unknowns by themselves. */
static unsigned own_rows(const counting* count, const scri_reaction_set* set)
{
    return count->tied ? set->free : set->loaded;
}

/* Compliance along the axis of contact c. */
static double axis_compliance(const scri_reactions* at, int32_t c)
{
    double sum = 0.0;
    int32_t first = at->problem->first_row[c];
    for (int i = 0; i < at->problem->first_row[c + 1] - first; ++i) {
        double share = at->set[c].axis[i];
        sum += share * share * compliance_of(at, first + i);
    }
    return sum;
}

/* ---- rigid bodies ---- */

/* B (C - delta)^-1 B^T of contact c, where the columns of B are its unknowns. */
static void invert_block(counting* count, int32_t c, double* d)
{
    const scri_reactions* at = count->at;
    const scri_reaction_set* set = at->set + c;
    int32_t first = at->problem->first_row[c];
    int width = at->problem->first_row[c + 1] - first;
    memset(d, 0, (size_t)(width * width) * sizeof *d);
    for (int i = 0; i < width; ++i) {
        if (!(own_rows(count, set) >> i & 1U)) continue;
        double soft = compliance_of(at, first + i) - count->floor;
        ++count->columns;
        count->found += soft > 0.0;
        d[i * width + i] += 1.0 / soft;
    }
    if (!has_axis(count, set)) return;
    double soft = axis_compliance(at, c) - count->floor;
    ++count->columns;
    count->found += soft > 0.0;
    for (int i = 0; i < width * width; ++i) {
        d[i] += set->axis[i / width] * set->axis[i % width] / soft;
    }
}

static scree_status count_bodies(counting* count)
{
    const scree_problem* problem = count->at->problem;
    size_t n = (size_t)problem->n_contacts;
    scri_newton_bodies bodies;
    int64_t* block = scri_arena_take(count->arena, n + 1, sizeof *block);
    if (!block) return SCREE_ERROR_MEMORY;
    for (size_t c = 0; c < n; ++c) {
        int64_t width = problem->first_row[c + 1] - problem->first_row[c];
        block[c + 1] = block[c] + width * width;
    }
    double* d = scri_arena_take(count->arena, (size_t)block[n], sizeof *d);
    if (!d || scri_newton_bodies_create(count->arena, problem, &count->at->scaling, &bodies)) {
        return SCREE_ERROR_MEMORY;
    }
    count->columns = count->found = 0;
    for (int32_t c = 0; c < problem->n_contacts; ++c) invert_block(count, c, d + block[c]);
    if (bodies.n == 0) return SCREE_OK;
    scri_newton_bodies_assemble(&bodies, d, block);
    scri_sparse_lu* lu = NULL;
    scree_status status = scri_sparse_lu_create(count->env, bodies.n, bodies.start, bodies.row,
                                                SCREE_SPARSE_SYMMETRIC, &lu);
    if (!status) status = scri_sparse_lu_factor(lu, bodies.value);
    if (!status) count->found += scri_sparse_lu_negative(lu);
    scri_sparse_lu_destroy(lu);
    return status;
}

/* ---- assembled operator ---- */

/* Column i of B in contact c into column[width]; 0 when row i is no unknown. */
static int basis_column(const counting* count, int32_t c, int i, double* column)
{
    const scri_reaction_set* set = count->at->set + c;
    int width = count->at->problem->first_row[c + 1] - count->at->problem->first_row[c];
    for (int k = 0; k < width; ++k) column[k] = k == i ? 1.0 : 0.0;
    if (own_rows(count, set) >> i & 1U) return 1;
    if (i > 0 || !has_axis(count, set)) return 0;
    memcpy(column, set->axis, (size_t)width * sizeof *column);
    return 1;
}

/* First entry of block (c, d) in the first column of d. */
static int32_t find_place(const scri_newton_contacts* w, int32_t c, int32_t d)
{
    const int32_t* row = w->problem->first_row;
    int32_t at = w->start[row[d]];
    for (int32_t k = w->near_start[d]; w->near[k] != c; ++k) {
        at += row[w->near[k] + 1] - row[w->near[k]];
    }
    return at;
}

/* Subtracts half of B_c^T W_cd B_d, block k of W, at (c, d) and its transpose at (d, c). */
static void subtract_block(const counting* count, scri_newton_contacts* w, int32_t c, int32_t k)
{
    const int32_t* row = w->problem->first_row;
    int32_t d = w->problem->w.column[k];
    int rows = row[c + 1] - row[c], columns = row[d + 1] - row[d];
    const double* from = w->w + w->problem->w.offset[k];
    double* here = w->value + w->place[k];
    double* there = w->value + find_place(w, d, c);
    size_t stride = (size_t)(w->start[row[d] + 1] - w->start[row[d]]);
    size_t other_stride = (size_t)(w->start[row[c] + 1] - w->start[row[c]]);
    for (int i = 0; i < rows; ++i) {
        double left[SCRI_MAX_WIDTH], right[SCRI_MAX_WIDTH];
        if (!basis_column(count, c, i, left)) continue;
        for (int j = 0; j < columns; ++j) {
            if (!basis_column(count, d, j, right)) continue;
            double sum = 0.0;
            for (int m = 0; m < rows * columns; ++m) {
                sum += left[m / columns] * from[m] * right[m % columns];
            }
            here[(size_t)j * stride + (size_t)i] -= 0.5 * sum;
            there[(size_t)i * other_stride + (size_t)j] -= 0.5 * sum;
        }
    }
}

/* Adds to the diagonal of contact c: delta - C for unknowns, 1 for rows that are none. */
static void add_diagonal(counting* count, scri_newton_contacts* w, int32_t c)
{
    const scri_reactions* at = count->at;
    int32_t first = w->problem->first_row[c], place = find_place(w, c, c);
    int width = w->problem->first_row[c + 1] - first;
    for (int i = 0; i < width; ++i) {
        double column[SCRI_MAX_WIDTH], entry = 1.0;
        if (basis_column(count, c, i, column)) {
            int own = (int)(own_rows(count, at->set + c) >> i & 1U);
            entry = count->floor - (own ? compliance_of(at, first + i) : axis_compliance(at, c));
            ++count->columns;
        }
        w->value[place + i * (w->start[first + 1] - w->start[first]) + i] += entry;
    }
}

static scree_status count_contacts(counting* count)
{
    const scree_problem* problem = count->at->problem;
    scri_newton_contacts w;
    if (scri_newton_contacts_create(count->arena, problem, &count->at->scaling, &w)) {
        return SCREE_ERROR_MEMORY;
    }
    count->columns = 0;
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        add_diagonal(count, &w, c);
        for (int32_t k = problem->w.start[c]; k < problem->w.start[c + 1]; ++k) {
            subtract_block(count, &w, c, k);
        }
    }
    scri_sparse_lu* lu = NULL;
    scree_status status =
        scri_sparse_lu_create(count->env, w.n, w.start, w.row, SCREE_SPARSE_SYMMETRIC, &lu);
    if (!status) status = scri_sparse_lu_factor(lu, w.value);
    if (!status) count->found = scri_sparse_lu_negative(lu);
    scri_sparse_lu_destroy(lu);
    return status;
}

static scree_status count_once(const scree_env* env, const scri_reactions* at, int tied,
                               int32_t* columns, int32_t* rank)
{
    scree_status status = SCREE_ERROR_INPUT;
    double floor = SCREE_RANK_FLOOR;
    for (int i = 0; i < TRIES && status == SCREE_ERROR_INPUT; ++i) {
        scri_arena* arena = scri_arena_create(env);
        counting count = {.env = env, .arena = arena, .at = at, .tied = tied, .floor = floor};
        int bodies = at->problem->form == SCREE_FORM_BODIES;
        status = !arena   ? SCREE_ERROR_MEMORY
                 : bodies ? count_bodies(&count)
                          : count_contacts(&count);
        *columns = count.columns;
        *rank = count.found;
        scri_arena_destroy(arena);
        floor *= TRY_FACTOR;
    }
    return status;
}

/* Where no channel slips the unknowns are the active rows. */
static int none_is_tied(const scri_reactions* at)
{
    for (int32_t c = 0; c < at->problem->n_contacts; ++c) {
        const scri_reaction_set* set = at->set + c;
        unsigned axis =
            set->kind == SCRI_REACTION_SET_CONE || set->kind == SCRI_REACTION_SET_ELLIPSOID ? 1U
                                                                                            : 0U;
        if ((set->free | axis) != set->loaded) return 0;
    }
    return 1;
}

static scree_status count_both(const scree_env* env, const scri_reactions* at, scree_rank* out)
{
    scree_status status = count_once(env, at, 0, &out->active_rows, &out->rank);
    if (!status && none_is_tied(at)) {
        out->unknowns = out->active_rows;
        out->determined = out->rank;
        return SCREE_OK;
    }
    return status ? status : count_once(env, at, 1, &out->unknowns, &out->determined);
}

scree_status scree_reactions_rank(const scree_env* env, const scree_problem* problem, double tol,
                                  const double* p, scree_rank* out)
{
    if (!problem || !p || !out || !(tol >= 0.0)) return SCREE_ERROR_ARGUMENT;
    *out = (scree_rank){.active_rows = 0};
    if (!scri_reactions_fit(problem)) return SCREE_ERROR_UNSUPPORTED;
    if (problem->n_contacts == 0) return SCREE_OK;
    if (scri_newton_system_need(env, problem, "counting the rank")) {
        return SCREE_ERROR_UNSUPPORTED;
    }
    scri_reactions at;
    scri_arena* arena = scri_arena_create(env);
    scree_status status =
        arena ? scri_reactions_create(arena, problem, p, tol, &at) : SCREE_ERROR_MEMORY;
    if (!status) status = count_both(env, &at, out);
    scri_arena_destroy(arena);
    if (status == SCREE_ERROR_MEMORY) return scri_fail(env, status, "out of memory for a rank");
    if (status) return scri_fail(env, status, "the rank cannot be counted: numbers are not finite");
    return SCREE_OK;
}
