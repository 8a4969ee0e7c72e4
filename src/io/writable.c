#include "io/writable.h"

#include "base/env.h"
#include "io/fclib.h"
#include "laws/law.h"
#include "math/bsr_build.h"

#include <inttypes.h>
#include <string.h>

static scree_status check_contacts(const scree_env* env, const char* name, bool hdf5,
                                   const scree_problem* p)
{
    for (int32_t c = 0; c < p->n_contacts; ++c) {
        if (p->rows[c] != p->rows[0]) {
            return scri_fail(env, SCREE_ERROR_UNSUPPORTED,
                             "%s: contact %" PRId32 " has other rows than contact 0, but all "
                             "contacts of a problem file have the same",
                             name, c);
        }
        bool one_row = scri_law_is_complementarity(scri_law_get(p->law[c]));
        if (!one_row && !scri_fclib_holds_law(p->law[c])) {
            return scri_fail(env, SCREE_ERROR_UNSUPPORTED,
                             "%s: contact %" PRId32 " has the law '%s', which no problem file "
                             "can hold",
                             name, c, scree_law_name(p->law[c]));
        }
        bool has_sets = p->set && (p->set[4 * (size_t)c] >= 0 || p->set[4 * (size_t)c + 2] >= 0);
        if (!hdf5 && (has_sets || (!one_row && p->law[c] >= SCREE_LAW_WORLD_COUNT))) {
            return scri_fail(env, SCREE_ERROR_UNSUPPORTED,
                             "%s: contact %" PRId32 " has friction that is not the same in all "
                             "directions, which Siconos text cannot hold; write HDF5 instead (a "
                             "name that ends in .hdf5 or .h5)",
                             name, c);
        }
    }
    return SCREE_OK;
}

static scree_status check_rows(const scree_env* env, const char* name, bool hdf5, scree_rows rows)
{
    if (hdf5 && rows == SCREE_ROWS_N) {
        return scri_fail(env, SCREE_ERROR_UNSUPPORTED,
                         "%s: FCLIB HDF5 has no place for an LCP; write Siconos text instead (a "
                         "name without .hdf5 or .h5)",
                         name);
    }
    if (!hdf5 && (rows == SCREE_ROWS_NTTS || rows == SCREE_ROWS_NTTRRS)) {
        return scri_fail(env, SCREE_ERROR_UNSUPPORTED,
                         "%s: Siconos text has no place for spinning rows; write HDF5 instead (a "
                         "name that ends in .hdf5 or .h5)",
                         name);
    }
    return SCREE_OK;
}

/* The block (c, c), or -1. */
static int32_t find_diagonal(const scree_bsr* w, int32_t c)
{
    int32_t low = w->start[c], high = w->start[c + 1];
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (w->column[middle] < c) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < w->start[c + 1] && w->column[low] == c ? low : -1;
}

/* Solvers look diagonal blocks up, so that files must have all of them. */
static scree_status complete_diagonal(scri_arena* arena, scree_problem* p)
{
    int32_t c = 0;
    while (c < p->n_contacts && find_diagonal(&p->w, c) >= 0) ++c;
    if (c == p->n_contacts) return SCREE_OK;
    scree_csc w;
    scree_status status = scri_csc_from_bsr(arena, p->n_contacts, p->first_row, &p->w, &w);
    if (!status) status = scri_bsr_from_csc(arena, p->n_contacts, p->first_row, &w, &p->w);
    return status;
}

static scree_status fold_compliance(scri_arena* arena, scree_problem* p)
{
    size_t n = (size_t)p->w.offset[p->w.start[p->n_contacts]];
    double* value = scri_arena_take(arena, n, sizeof *value);
    if (!value) return SCREE_ERROR_MEMORY;
    memcpy(value, p->w.value, n * sizeof *value);
    for (int32_t c = 0; c < p->n_contacts; ++c) {
        double* block = value + p->w.offset[find_diagonal(&p->w, c)];
        int32_t width = p->first_row[c + 1] - p->first_row[c];
        for (int32_t i = 0; i < width; ++i) {
            block[i * (width + 1)] += p->compliance[p->first_row[c] + i];
        }
    }
    p->w.value = value;
    p->compliance = NULL;
    return SCREE_OK;
}

static scree_status make(const scree_env* env, scri_writable* out)
{
    scree_problem* p = &out->problem;
    bool reduce = p->form == SCREE_FORM_BODIES ||
                  (p->form == SCREE_FORM_FACTORED && (p->compliance || out->rows == SCREE_ROWS_N));
    if (reduce) {
        scree_status status = scree_problem_reduce(env, p, &out->reduced);
        if (status) return status;
        *p = out->reduced.problem;
    }
    if (p->form != SCREE_FORM_ASSEMBLED) return SCREE_OK;
    out->arena = scri_arena_create(env);
    if (!out->arena) return SCREE_ERROR_MEMORY;
    scree_status status = complete_diagonal(out->arena, p);
    if (!status && p->compliance) status = fold_compliance(out->arena, p);
    return status;
}

scree_status scri_writable_make(const scree_env* env, const char* name, bool hdf5,
                                const scree_problem* problem, scri_writable* out)
{
    *out = (scri_writable){.problem = *problem};
    if (problem->n_contacts < 1) {
        return scri_fail(env, SCREE_ERROR_UNSUPPORTED, "%s: the problem has no contacts", name);
    }
    out->rows = (scree_rows)problem->rows[0];
    out->width = scree_rows_width(problem->rows[0]);
    scree_status status = check_contacts(env, name, hdf5, problem);
    if (!status) status = check_rows(env, name, hdf5, out->rows);
    if (!status) status = make(env, out);
    if (status) scri_writable_release(out);
    return status;
}

void scri_writable_release(scri_writable* writable)
{
    scri_arena_destroy(writable->arena);
    scree_problem_store_release(&writable->reduced);
    *writable = (scri_writable){0};
}
