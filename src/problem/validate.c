/* The border: what passes here is trusted everywhere else. */
#include "base/compiler.h"
#include "base/env.h"
#include "laws/law.h"
#include "sets/set.h"

#include <math.h>

int32_t scree_problem_n_rows(const scree_problem* problem)
{
    if (!problem || !problem->first_row) return 0;
    return problem->first_row[problem->n_contacts];
}

static scree_status bad(const scree_env* env, const char* what, int64_t contact)
{
    return scri_fail(env, SCREE_ERROR_INPUT, "contact %lld: %s", (long long)contact, what);
}

/* Index of the first entry that is not finite; n if there is none. */
static int64_t first_not_finite(const double* x, int64_t n)
{
    for (int64_t i = 0; i < n; ++i) {
        if (!isfinite(x[i])) return i;
    }
    return n;
}

static scree_status check_coefficients(const scree_env* env, const scri_law* law,
                                       const double* coef, int32_t c)
{
    const char* fault = law->fault ? law->fault(coef) : NULL;
    if (fault) return bad(env, fault, c);
    for (int k = 0; k < 3 && !law->fault; ++k) {
        if (coef[k] >= 0.0 && isfinite(coef[k])) continue;
        return scri_fail(env, SCREE_ERROR_INPUT,
                         "contact %d: %s = %g must be finite and not negative", (int)c,
                         law->coef[k] ? law->coef[k] : "an unused coefficient", coef[k]);
    }
    return SCREE_OK;
}

/* Laws say whether they have sets, and whether they tell D from C and allow any C. */
static scree_status check_sets(const scree_env* env, const scri_law* law, const scree_problem* p,
                               int32_t c)
{
    const int32_t* set = p->set + 4 * (size_t)c;
    for (int k = 0; k < 4; ++k) {
        if (set[k] < -1 || set[k] >= p->sets.n) return bad(env, "there is no set of its number", c);
    }
    if (set[0] < 0 && set[1] < 0 && set[2] < 0 && set[3] < 0) return SCREE_OK;
    if (!scri_law_is(law, SCREE_LAW_MAY_HAVE_SETS)) return bad(env, "this law has no sets", c);
    if (p->rows[c] == SCREE_ROWS_NT || p->rows[c] == SCREE_ROWS_NTR) {
        return bad(env, "planar rows have no sets", c);
    }
    for (int k = 0; k < 4; k += 2) {
        int32_t force = set[k], direction = set[k + 1] >= 0 ? set[k + 1] : force;
        if (direction != force && !scri_law_is(law, SCREE_LAW_MAY_HAVE_DIRECTIONS)) {
            return bad(env, "a set of directions needs the extended law", c);
        }
        if (direction >= 0 && !scri_set_is_convex(&p->sets.value[direction])) {
            return bad(env, "the set that gives the direction is not convex", c);
        }
        int with_spin[2] = {force >= 0 && p->sets.value[force].spin_power > 0.0,
                            direction >= 0 && p->sets.value[direction].spin_power > 0.0};
        if (with_spin[0] != with_spin[1]) {
            return bad(env, "of the sets of forces and of directions one has a spin power", c);
        }
        if (k == 2 && with_spin[0]) return bad(env, "rolling has no spin power", c);
    }
    return SCREE_OK;
}

/* The sets themselves, whoever uses them. */
static scree_status check_pool(const scree_env* env, const scree_sets* sets)
{
    if (sets->n < 0 || sets->n_table < 0) {
        return scri_fail(env, SCREE_ERROR_INPUT, "a number of sets is negative");
    }
    for (int32_t i = 0; i < sets->n; ++i) {
        scree_status status = scri_set_check(env, sets, i);
        if (status) return status;
    }
    return SCREE_OK;
}

static scree_status check_contact(const scree_env* env, const scree_problem* p, int32_t c)
{
    const scri_law* law = scri_law_get(p->law[c]);
    int width = scree_rows_width(p->rows[c]);
    if (width == 0) return bad(env, "unknown kind of rows", c);
    if (!law) return bad(env, "unknown law", c);
    if (!(law->rows >> p->rows[c] & 1u)) return bad(env, "law does not allow these rows", c);
    if ((int64_t)p->first_row[c] + width != p->first_row[c + 1]) {
        return bad(env, "row offsets do not match its rows", c);
    }
    if (p->form == SCREE_FORM_BODIES && !(p->bodies.general && p->bodies.general[c] >= 0) &&
        (p->rows[c] == SCREE_ROWS_NT || p->rows[c] == SCREE_ROWS_NTR)) {
        return bad(env, "the bodies form has no planar rows", c);
    }
    if (p->set) {
        scree_status status = check_sets(env, law, p, c);
        if (status) return status;
    }
    return check_coefficients(env, law, p->coef + 3 * (size_t)c, c);
}

static scree_status check_vector(const scree_env* env, const scree_problem* p, const double* x,
                                 const char* name)
{
    int64_t n = p->first_row[p->n_contacts], at = first_not_finite(x, n);
    if (at == n) return SCREE_OK;
    return scri_fail(env, SCREE_ERROR_INPUT, "%s[%lld] is not finite", name, (long long)at);
}

/* First of n groups that goes backwards, n if none does, -1 if they do not begin at 0. Only after
 * this do all indices lie within the length that the last one states. */
static int32_t first_backwards(const int32_t* start, int32_t n)
{
    if (start[0] != 0) return -1;
    for (int32_t i = 0; i < n; ++i) {
        if (start[i + 1] < start[i]) return i;
    }
    return n;
}

static scree_status check_assembled(const scree_env* env, const scree_problem* p)
{
    const scree_bsr* w = &p->w;
    int32_t at = first_backwards(w->start, p->n_contacts);
    if (at != p->n_contacts) {
        return bad(env, "block rows of W go backwards or do not begin at 0", at < 0 ? 0 : at);
    }
    if (w->offset[0] != 0) return bad(env, "blocks of W do not begin at 0", 0);
    for (int32_t c = 0; c < p->n_contacts; ++c) {
        int64_t height = p->first_row[c + 1] - p->first_row[c];
        for (int32_t k = w->start[c]; k < w->start[c + 1]; ++k) {
            int32_t d = w->column[k];
            if (d < 0 || d >= p->n_contacts) return bad(env, "block column of W out of range", c);
            if (k > w->start[c] && d <= w->column[k - 1]) {
                return bad(env, "block columns of W do not increase", c);
            }
            int64_t size = height * (p->first_row[d + 1] - p->first_row[d]);
            if (w->offset[k + 1] - w->offset[k] != size) {
                return bad(env, "a block of W has the wrong size", c);
            }
            if (first_not_finite(w->value + w->offset[k], size) != size) {
                return bad(env, "W is not finite", c);
            }
        }
    }
    return SCREE_OK;
}

static scree_status check_sparse(const scree_env* env, const scree_csc* a, const char* name)
{
    if (a->n_rows < 0 || a->n_columns < 0) {
        return scri_fail(env, SCREE_ERROR_INPUT, "%s: bad sizes", name);
    }
    int32_t at = first_backwards(a->start, a->n_columns);
    if (at != a->n_columns) {
        return scri_fail(env, SCREE_ERROR_INPUT, "%s: column %d goes backwards", name,
                         (int)(at < 0 ? 0 : at));
    }
    for (int32_t j = 0; j < a->n_columns; ++j) {
        for (int32_t k = a->start[j]; k < a->start[j + 1]; ++k) {
            int increasing = k == a->start[j] || a->row[k] > a->row[k - 1];
            if (a->row[k] < 0 || a->row[k] >= a->n_rows || !increasing || !isfinite(a->value[k])) {
                return scri_fail(env, SCREE_ERROR_INPUT,
                                 "%s: column %d holds an entry that is not finite, out of range or "
                                 "out of order",
                                 name, (int)j);
            }
        }
    }
    return SCREE_OK;
}

static scree_status check_factored(const scree_env* env, const scree_problem* p)
{
    const scree_factored* f = &p->factored;
    int32_t n_dof = f->mass.n_rows;
    scree_status status = check_sparse(env, &f->mass, "M");
    if (!status) status = check_sparse(env, &f->h, "H");
    if (status) return status;
    if (f->mass.n_columns != n_dof) return scri_fail(env, SCREE_ERROR_INPUT, "M is not square");
    if (f->h.n_rows != n_dof || f->h.n_columns != p->first_row[p->n_contacts]) {
        return scri_fail(env, SCREE_ERROR_INPUT, "H is %d x %d, not %d x %d", (int)f->h.n_rows,
                         (int)f->h.n_columns, (int)n_dof, (int)p->first_row[p->n_contacts]);
    }
    if (first_not_finite(f->force, n_dof) == n_dof) return SCREE_OK;
    return scri_fail(env, SCREE_ERROR_INPUT, "the force is not finite");
}

/* Orthonormal and right-handed. */
static int frame_is_valid(const double* frame)
{
    double triple = 0.0;
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        triple += frame[6 + i] * (frame[j] * frame[3 + k] - frame[k] * frame[3 + j]);
    }
    if (!(triple > 0.0)) return 0;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            double dot = 0.0;
            for (int k = 0; k < 3; ++k) dot += frame[3 * i + k] * frame[3 * j + k];
            if (!(fabs(dot - (i == j)) <= 1e-9)) return 0;
        }
    }
    return 1;
}

static scree_status check_centres(const scree_env* env, const scree_problem* p)
{
    int64_t n = p->centre ? 3 * (int64_t)p->bodies.n_bodies : 0;
    int64_t at = first_not_finite(p->centre, n);
    if (at == n) return SCREE_OK;
    return scri_fail(env, SCREE_ERROR_INPUT, "body %d: centre is not finite", (int)(at / 3));
}

static scree_status check_bodies(const scree_env* env, const scree_problem* p)
{
    const scree_bodies* b = &p->bodies;
    if (check_centres(env, p)) return SCREE_ERROR_INPUT;
    for (int32_t i = 0; i < b->n_bodies; ++i) {
        const double* inertia = b->inv_inertia + 6 * (size_t)i;
        int turns = inertia[0] != 0.0 || inertia[1] != 0.0 || inertia[2] != 0.0;
        if (b->inv_mass[i] >= 0.0 && isfinite(b->inv_mass[i]) &&
            first_not_finite(inertia, 6) == 6 && (b->inv_mass[i] > 0.0 || !turns)) {
            continue;
        }
        return scri_fail(env, SCREE_ERROR_INPUT, "body %d: mass or inertia is not valid", (int)i);
    }
    for (int32_t c = 0; c < p->n_contacts; ++c) {
        for (int side = 0; side < 2; ++side) {
            int32_t body = b->pair[2 * (size_t)c + (size_t)side];
            if (body < -1 || body >= b->n_bodies) return bad(env, "body out of range", c);
        }
        if (b->general && b->general[c] >= 0) {
            int64_t n = 12 * (int64_t)(p->first_row[c + 1] - p->first_row[c]);
            const double* rows = b->jacobian + 12 * (size_t)b->general[c];
            if (first_not_finite(rows, n) != n) return bad(env, "a row is not finite", c);
            continue;
        }
        if (first_not_finite(b->arm + 6 * (size_t)c, 6) != 6) {
            return bad(env, "arm is not finite", c);
        }
        if (!frame_is_valid(b->frame + 9 * (size_t)c)) {
            return bad(env, "frame is not orthonormal and right-handed", c);
        }
    }
    return SCREE_OK;
}

scree_status scree_problem_validate(const scree_env* env, const scree_problem* problem)
{
    if (!problem) return scri_fail(env, SCREE_ERROR_ARGUMENT, "no problem was given");
    for (size_t i = 0; i < sizeof problem->reserved / sizeof problem->reserved[0]; ++i) {
        if (!problem->reserved[i]) continue;
        return scri_fail(env, SCREE_ERROR_INPUT,
                         "the problem says something that this version does not know: zero it");
    }
    if (problem->n_contacts < 0) {
        return scri_fail(env, SCREE_ERROR_INPUT, "the number of contacts is negative");
    }
    if (problem->first_row[0] != 0) return bad(env, "row offsets do not begin at 0", 0);
    scree_status pool = check_pool(env, &problem->sets);
    if (pool) return pool;
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        scree_status status = check_contact(env, problem, c);
        if (status) return status;
    }
    scree_status status = check_vector(env, problem, problem->q, "q");
    if (status) return status;
    if (problem->compliance) {
        status = check_vector(env, problem, problem->compliance, "compliance");
        for (int32_t i = 0; !status && i < problem->first_row[problem->n_contacts]; ++i) {
            if (problem->compliance[i] >= 0.0) continue;
            status = scri_fail(env, SCREE_ERROR_INPUT, "compliance[%d] is negative", (int)i);
        }
        if (status) return status;
    }
    switch (problem->form) {
    case SCREE_FORM_ASSEMBLED:
        return check_assembled(env, problem);
    case SCREE_FORM_FACTORED:
        return check_factored(env, problem);
    case SCREE_FORM_BODIES:
        return check_bodies(env, problem);
    }
    return scri_fail(env, SCREE_ERROR_INPUT, "unknown form of the problem");
}
