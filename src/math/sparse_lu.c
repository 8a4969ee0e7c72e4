/* MUMPS, the build without MPI, behind scri_sparse_lu; small matrices are dense ones of LAPACK,
 * because a call of MUMPS costs 50 microseconds before it does anything.
 *
 * MUMPS keeps state in variables of its own: every call of it is made under a lock. Its memory
 * comes from malloc, ours from the environment.
 */
#include "math/sparse_lu.h"

#include "base/env.h"
#include "base/lock.h"
#include "math/dense_lu.h"

#include <dmumps_c.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Measured on body graphs: up to here a dense factorisation is the faster one. */
enum { DENSE_ROWS = 192 };

enum { JOB_BEGIN = -1, JOB_END = -2, JOB_ANALYSE = 1, JOB_FACTOR = 2, JOB_SOLVE = 3 };

/* Codes of failures. */
enum {
    SPACE_OF_INTEGERS = -8, /* more pivots were put off than the analysis allowed for */
    SPACE_OF_NUMBERS = -9,
    ZERO_PIVOT = -10
};

enum { MOST_EXTRA_SPACE = 1000 }; /* percent of what the analysis expects */

struct scri_sparse_lu {
    const scree_env* env;
    const int32_t *start, *row;
    int32_t n;
    scri_sparse_kind kind;
    int32_t negative; /* of the last factored matrix */
    int sign;
    double* value; /* dense: [n*n], the matrix and then its factors; else [nnz] */
    /* dense */
    int32_t* pivot; /* [n] */
    double* work;
    /* MUMPS */
    bool begun;
    MUMPS_INT *entry_row, *entry_column; /* [nnz], counted from 1 */
    DMUMPS_STRUC_C mumps;
};

static bool is_dense(const scri_sparse_lu* lu)
{
    return lu->n <= DENSE_ROWS;
}

static bool is_read(const scri_sparse_lu* lu, int32_t row, int32_t column)
{
    return lu->kind == SCRI_SPARSE_GENERAL || row >= column;
}

/* ---- MUMPS ------------------------------------------------------------------------------------
 */

static MUMPS_INT run_job(scri_sparse_lu* lu, MUMPS_INT job)
{
    lu->mumps.job = job;
    scri_lock_foreign();
    dmumps_c(&lu->mumps);
    scri_unlock_foreign();
    return lu->mumps.infog[0];
}

/* What the manual counts from 1. */
static void set_control(scri_sparse_lu* lu, int number, MUMPS_INT value)
{
    lu->mumps.icntl[number - 1] = value;
}

static void set_controls(scri_sparse_lu* lu)
{
    for (int number = 1; number <= 4; ++number) set_control(lu, number, 0); /* print nothing */
    set_control(lu, 6, 0);  /* leave columns where they are: the diagonal is there */
    set_control(lu, 7, 2);  /* minimum fill; other good orderings draw random numbers */
    set_control(lu, 8, 0);  /* no scaling: pivots are compared within their row */
    set_control(lu, 13, 1); /* the last front is one like the others */
    set_control(lu, 33, 1); /* determinant */
    lu->mumps.cntl[0] = lu->kind == SCRI_SPARSE_POSITIVE ? 0.0 : 0.01; /* threshold of pivots */
}

static int64_t list_entries(scri_sparse_lu* lu)
{
    int64_t count = 0;
    for (int32_t j = 0; j < lu->n; ++j) {
        for (int32_t k = lu->start[j]; k < lu->start[j + 1]; ++k) {
            if (!is_read(lu, lu->row[k], j)) continue;
            lu->entry_row[count] = lu->row[k] + 1;
            lu->entry_column[count++] = j + 1;
        }
    }
    return count;
}

static scree_status create_sparse(scri_sparse_lu* lu)
{
    size_t count = (size_t)lu->start[lu->n];
    lu->value = scri_alloc(lu->env, count * sizeof *lu->value);
    lu->entry_row = scri_alloc(lu->env, count * sizeof *lu->entry_row);
    lu->entry_column = scri_alloc(lu->env, count * sizeof *lu->entry_column);
    if (!lu->value || !lu->entry_row || !lu->entry_column) return SCREE_ERROR_MEMORY;

    DMUMPS_STRUC_C* mumps = &lu->mumps;
    mumps->comm_fortran = -987654; /* MUMPS's name for "all processes" */
    mumps->par = 1;
    mumps->sym = lu->kind == SCRI_SPARSE_GENERAL ? 0 : lu->kind == SCRI_SPARSE_POSITIVE ? 1 : 2;
    if (run_job(lu, JOB_BEGIN) < 0) return SCREE_ERROR_MEMORY;
    lu->begun = true;
    set_controls(lu);
    mumps->n = lu->n;
    mumps->nnz = list_entries(lu);
    mumps->irn = lu->entry_row;
    mumps->jcn = lu->entry_column;
    mumps->a = lu->value;
    return run_job(lu, JOB_ANALYSE) < 0 ? SCREE_ERROR_MEMORY : SCREE_OK;
}

/* False when an entry is not finite. */
static bool take_entries(scri_sparse_lu* lu, const double* value)
{
    bool finite = true;
    int64_t count = 0;
    for (int32_t j = 0; j < lu->n; ++j) {
        for (int32_t k = lu->start[j]; k < lu->start[j + 1]; ++k) {
            if (!is_read(lu, lu->row[k], j)) continue;
            finite &= isfinite(value[k]) != 0;
            lu->value[count++] = value[k];
        }
    }
    return finite;
}

static scree_status factor_sparse(scri_sparse_lu* lu)
{
    MUMPS_INT* extra = &lu->mumps.icntl[14 - 1];
    MUMPS_INT code = run_job(lu, JOB_FACTOR);
    while ((code == SPACE_OF_INTEGERS || code == SPACE_OF_NUMBERS) && *extra < MOST_EXTRA_SPACE) {
        *extra *= 2;
        code = run_job(lu, JOB_FACTOR);
    }
    if (code == ZERO_PIVOT) return SCREE_ERROR_INPUT;
    if (code < 0) return SCREE_ERROR_MEMORY;
    double determinant = lu->mumps.rinfog[12 - 1]; /* its mantissa */
    if (!isfinite(determinant) || determinant == 0.0) return SCREE_ERROR_INPUT;
    lu->negative = lu->mumps.infog[12 - 1];
    if (lu->kind == SCRI_SPARSE_POSITIVE && lu->negative > 0) return SCREE_ERROR_INPUT;
    lu->sign = determinant < 0.0 ? -1 : 1;
    return SCREE_OK;
}

/* ---- dense ------------------------------------------------------------------------------------
 */

static scree_status create_dense(scri_sparse_lu* lu)
{
    size_t n = (size_t)lu->n;
    lu->value = scri_alloc(lu->env, n * n * sizeof *lu->value);
    lu->pivot = scri_alloc(lu->env, n * sizeof *lu->pivot);
    lu->work = scri_alloc(lu->env, scri_dense_lu_work(lu->n) * sizeof *lu->work);
    return lu->value && lu->pivot && lu->work ? SCREE_OK : SCREE_ERROR_MEMORY;
}

/* False when an entry is not finite. */
static bool spread_entries(scri_sparse_lu* lu, const double* value)
{
    bool finite = true;
    size_t n = (size_t)lu->n;
    memset(lu->value, 0, n * n * sizeof *lu->value);
    for (int32_t j = 0; j < lu->n; ++j) {
        for (int32_t k = lu->start[j]; k < lu->start[j + 1]; ++k) {
            if (!is_read(lu, lu->row[k], j)) continue;
            finite &= isfinite(value[k]) != 0;
            lu->value[(size_t)lu->row[k] + n * (size_t)j] = value[k];
        }
    }
    return finite;
}

static scree_status factor_dense(scri_sparse_lu* lu)
{
    scree_status status =
        scri_dense_lu_factor(lu->kind, lu->n, lu->value, lu->pivot, lu->work, &lu->negative);
    lu->sign = lu->negative % 2 ? -1 : 1;
    return status;
}

/* ---- both -------------------------------------------------------------------------------------
 */

scree_status scri_sparse_lu_create(const scree_env* env, int32_t n, const int32_t* start,
                                   const int32_t* row, scri_sparse_kind kind, scri_sparse_lu** out)
{
    *out = NULL;
    scri_sparse_lu* lu = scri_alloc(env, sizeof *lu);
    if (!lu) return SCREE_ERROR_MEMORY;
    memset(lu, 0, sizeof *lu);
    lu->env = env;
    lu->start = start;
    lu->row = row;
    lu->n = n;
    lu->kind = kind;
    scree_status status = is_dense(lu) ? create_dense(lu) : create_sparse(lu);
    if (status != SCREE_OK) {
        scri_sparse_lu_destroy(lu);
        return status;
    }
    *out = lu;
    return SCREE_OK;
}

void scri_sparse_lu_destroy(scri_sparse_lu* lu)
{
    if (!lu) return;
    if (lu->begun) run_job(lu, JOB_END);
    const scree_env* env = lu->env;
    scri_release(env, lu->entry_column);
    scri_release(env, lu->entry_row);
    scri_release(env, lu->work);
    scri_release(env, lu->pivot);
    scri_release(env, lu->value);
    scri_release(env, lu);
}

scree_status scri_sparse_lu_factor(scri_sparse_lu* lu, const double* value)
{
    bool finite = is_dense(lu) ? spread_entries(lu, value) : take_entries(lu, value);
    if (!finite) return SCREE_ERROR_INPUT;
    return is_dense(lu) ? factor_dense(lu) : factor_sparse(lu);
}

void scri_sparse_lu_solve(scri_sparse_lu* lu, double* x)
{
    if (is_dense(lu)) {
        scri_dense_lu_solve(lu->kind, lu->n, lu->value, lu->pivot, x);
        return;
    }
    lu->mumps.rhs = x;
    if (run_job(lu, JOB_SOLVE) >= 0) return;
    for (int32_t i = 0; i < lu->n; ++i) x[i] = SCREE_NAN; /* no memory */
}

int scri_sparse_lu_sign(const scri_sparse_lu* lu)
{
    return lu->sign;
}

int32_t scri_sparse_lu_negative(const scri_sparse_lu* lu)
{
    return lu->negative;
}

int64_t scri_sparse_lu_entries(const scri_sparse_lu* lu)
{
    if (is_dense(lu)) return (int64_t)lu->n * lu->n;
    int64_t entries = lu->mumps.infog[20 - 1]; /* in millions when negative */
    return entries < 0 ? -entries * 1000000 : entries;
}
