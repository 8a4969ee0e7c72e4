/* MUMPS, the build without MPI, as a table for scree_env.
 *
 * MUMPS keeps state in variables of its own: every call of it is made under one lock, never held
 * while code of the host is called. Its memory comes from malloc, ours from the environment.
 */
#include "base/compiler.h"
#include "base/env.h"
#include "base/threads.h"
#include "scree_sparse/scree_sparse.h"

#include <dmumps_c.h>
#include <math.h>
#include <stdbool.h>

enum { JOB_BEGIN = -1, JOB_END = -2, JOB_ANALYSE = 1, JOB_FACTOR = 2, JOB_SOLVE = 3 };

/* Codes of failures. */
enum {
    SPACE_OF_INTEGERS = -8, /* more pivots were put off than the analysis allowed for */
    SPACE_OF_NUMBERS = -9,
    ZERO_PIVOT = -10
};

enum { MOST_EXTRA_SPACE = 1000 }; /* percent of what the analysis expects */

typedef struct factors {
    const scree_env* env;
    const int32_t *start, *row;
    int32_t n;
    scree_sparse_kind kind;
    int32_t negative;                    /* of the last factored matrix */
    double* value;                       /* [nnz] */
    MUMPS_INT *entry_row, *entry_column; /* [nnz], counted from 1 */
    bool begun;
    DMUMPS_STRUC_C mumps;
} factors;

/* The state that it guards is one per process, so the lock is too. */
static scri_mutex lock = SCRI_MUTEX_INIT;

static MUMPS_INT run_job(factors* f, MUMPS_INT job)
{
    f->mumps.job = job;
    scri_mutex_lock(&lock);
    dmumps_c(&f->mumps);
    scri_mutex_unlock(&lock);
    return f->mumps.infog[0];
}

/* What the manual counts from 1. */
static void set_control(factors* f, int number, MUMPS_INT value)
{
    f->mumps.icntl[number - 1] = value;
}

static void set_controls(factors* f)
{
    for (int number = 1; number <= 4; ++number) set_control(f, number, 0); /* print nothing */
    set_control(f, 6, 0);  /* leave columns where they are: the diagonal is there */
    set_control(f, 7, 2);  /* minimum fill; other good orderings draw random numbers */
    set_control(f, 8, 0);  /* no scaling: pivots are compared within their row */
    set_control(f, 13, 1); /* the last front is one like the others */
    set_control(f, 33, 1); /* determinant: 0 or NaN where a pivot is */
    f->mumps.cntl[0] = f->kind == SCREE_SPARSE_POSITIVE ? 0.0 : 0.01; /* threshold of pivots */
}

static bool is_read(const factors* f, int32_t row, int32_t column)
{
    return f->kind == SCREE_SPARSE_GENERAL || row >= column;
}

static int64_t list_entries(factors* f)
{
    int64_t count = 0;
    for (int32_t j = 0; j < f->n; ++j) {
        for (int32_t k = f->start[j]; k < f->start[j + 1]; ++k) {
            if (!is_read(f, f->row[k], j)) continue;
            f->entry_row[count] = f->row[k] + 1;
            f->entry_column[count++] = j + 1;
        }
    }
    return count;
}

static scree_status analyse(factors* f)
{
    size_t count = (size_t)f->start[f->n];
    f->value = scri_alloc(f->env, count * sizeof *f->value);
    f->entry_row = scri_alloc(f->env, count * sizeof *f->entry_row);
    f->entry_column = scri_alloc(f->env, count * sizeof *f->entry_column);
    if (!f->value || !f->entry_row || !f->entry_column) return SCREE_ERROR_MEMORY;

    DMUMPS_STRUC_C* mumps = &f->mumps;
    mumps->comm_fortran = -987654; /* MUMPS's name for "all processes" */
    mumps->par = 1;
    mumps->sym = f->kind == SCREE_SPARSE_GENERAL ? 0 : f->kind == SCREE_SPARSE_POSITIVE ? 1 : 2;
    if (run_job(f, JOB_BEGIN) < 0) return SCREE_ERROR_MEMORY;
    f->begun = true;
    set_controls(f);
    mumps->n = f->n;
    mumps->nnz = list_entries(f);
    mumps->irn = f->entry_row;
    mumps->jcn = f->entry_column;
    mumps->a = f->value;
    return run_job(f, JOB_ANALYSE) < 0 ? SCREE_ERROR_MEMORY : SCREE_OK;
}

static void destroy(void* opaque)
{
    factors* f = opaque;
    if (!f) return;
    if (f->begun) run_job(f, JOB_END);
    const scree_env* env = f->env;
    scri_release(env, f->entry_column);
    scri_release(env, f->entry_row);
    scri_release(env, f->value);
    scri_release(env, f);
}

static scree_status create(const scree_env* env, int32_t n, const int32_t* start,
                           const int32_t* row, scree_sparse_kind kind, void** out)
{
    *out = NULL;
    factors* f = scri_alloc(env, sizeof *f);
    if (!f) return SCREE_ERROR_MEMORY;
    *f = (factors){.env = env, .start = start, .row = row, .n = n, .kind = kind};
    scree_status status = analyse(f);
    if (status) {
        destroy(f);
        return status;
    }
    *out = f;
    return SCREE_OK;
}

static scree_status factor(void* opaque, const double* value)
{
    factors* f = opaque;
    int64_t count = 0;
    for (int32_t j = 0; j < f->n; ++j) {
        for (int32_t k = f->start[j]; k < f->start[j + 1]; ++k) {
            if (is_read(f, f->row[k], j)) f->value[count++] = value[k];
        }
    }
    MUMPS_INT* extra = &f->mumps.icntl[14 - 1];
    MUMPS_INT code = run_job(f, JOB_FACTOR);
    while ((code == SPACE_OF_INTEGERS || code == SPACE_OF_NUMBERS) && *extra < MOST_EXTRA_SPACE) {
        *extra *= 2;
        code = run_job(f, JOB_FACTOR);
    }
    if (code == ZERO_PIVOT) return SCREE_ERROR_INPUT;
    if (code < 0) return SCREE_ERROR_MEMORY;
    double determinant = f->mumps.rinfog[12 - 1]; /* its mantissa */
    if (!isfinite(determinant) || determinant == 0.0) return SCREE_ERROR_INPUT;
    f->negative = f->mumps.infog[12 - 1];
    if (f->kind == SCREE_SPARSE_POSITIVE && f->negative > 0) return SCREE_ERROR_INPUT;
    return SCREE_OK;
}

static void solve(void* opaque, double* x)
{
    factors* f = opaque;
    f->mumps.rhs = x;
    if (run_job(f, JOB_SOLVE) >= 0) return;
    for (int32_t i = 0; i < f->n; ++i) x[i] = SCREE_NAN; /* no memory */
}

static int32_t negative(const void* opaque)
{
    const factors* f = opaque;
    return f->negative;
}

const scree_sparse* scree_sparse_mumps(void)
{
    static const scree_sparse table = {.size = sizeof table,
                                       .name = "MUMPS",
                                       .create = create,
                                       .destroy = destroy,
                                       .factor = factor,
                                       .solve = solve,
                                       .negative = negative};
    return &table;
}
