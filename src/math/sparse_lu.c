#include "math/sparse_lu.h"

#include "base/env.h"
#include "math/dense_ldl.h"
#include "math/dense_lu.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Measured on body graphs: up to here a dense factorisation is the faster one. */
enum { DENSE_ROWS = 192 };

struct scri_sparse_lu {
    const scree_env* env;
    const int32_t *start, *row;
    int32_t n;
    scree_sparse_kind kind;
    /* dense */
    double* value;       /* [n*n], the matrix and then its factors */
    int32_t* pivot;      /* [n] */
    scri_extent* extent; /* [n] */
    /* the host's */
    const scree_sparse* table; /* NULL: dense */
    void* factors;
};

static const scree_sparse* table_of(const scree_env* env, int32_t n)
{
    const scree_sparse* table = n > DENSE_ROWS && env ? env->sparse : NULL;
    return table && table->size >= sizeof *table ? table : NULL;
}

int scri_sparse_lu_fits(const scree_env* env, int32_t n)
{
    return n <= DENSE_ROWS || table_of(env, n) != NULL;
}

/* Where the entries of column j are. */
static scri_extent extent_of(const scri_sparse_lu* lu, int32_t j)
{
    scri_extent e = {lu->n, 0};
    for (int32_t k = lu->start[j]; k < lu->start[j + 1]; ++k) {
        if (lu->row[k] < e.top) e.top = lu->row[k];
        if (lu->row[k] >= e.end) e.end = lu->row[k] + 1;
    }
    return e;
}

static scree_status create_dense(scri_sparse_lu* lu)
{
    size_t n = (size_t)lu->n;
    lu->value = scri_alloc(lu->env, n * n * sizeof *lu->value);
    lu->pivot = scri_alloc(lu->env, n * sizeof *lu->pivot);
    lu->extent = scri_alloc(lu->env, n * sizeof *lu->extent);
    if (!lu->value || !lu->pivot || !lu->extent) return SCREE_ERROR_MEMORY;
    for (int32_t j = 0; j < lu->n; ++j) lu->extent[j] = extent_of(lu, j);
    return SCREE_OK;
}

scree_status scri_sparse_lu_create(const scree_env* env, int32_t n, const int32_t* start,
                                   const int32_t* row, scree_sparse_kind kind, scri_sparse_lu** out)
{
    *out = NULL;
    if (!scri_sparse_lu_fits(env, n)) return SCREE_ERROR_UNSUPPORTED;
    scri_sparse_lu* lu = scri_alloc(env, sizeof *lu);
    if (!lu) return SCREE_ERROR_MEMORY;
    *lu = (scri_sparse_lu){.env = env, .start = start, .row = row, .n = n, .kind = kind};
    lu->table = table_of(env, n);
    scree_status status =
        lu->table ? lu->table->create(env, n, start, row, kind, &lu->factors) : create_dense(lu);
    if (status) {
        scri_sparse_lu_destroy(lu);
        return status;
    }
    *out = lu;
    return SCREE_OK;
}

void scri_sparse_lu_destroy(scri_sparse_lu* lu)
{
    if (!lu) return;
    if (lu->factors) lu->table->destroy(lu->factors);
    const scree_env* env = lu->env;
    scri_release(env, lu->extent);
    scri_release(env, lu->pivot);
    scri_release(env, lu->value);
    scri_release(env, lu);
}

static bool are_finite(const scri_sparse_lu* lu, const double* value)
{
    bool finite = true;
    for (int32_t j = 0; j < lu->n; ++j) {
        for (int32_t k = lu->start[j]; k < lu->start[j + 1]; ++k) {
            bool read = lu->kind == SCREE_SPARSE_GENERAL || lu->row[k] >= j;
            finite &= !read || isfinite(value[k]) != 0;
        }
    }
    return finite;
}

static void spread_entries(scri_sparse_lu* lu, const double* value)
{
    size_t n = (size_t)lu->n;
    memset(lu->value, 0, n * n * sizeof *lu->value);
    for (int32_t j = 0; j < lu->n; ++j) {
        for (int32_t k = lu->start[j]; k < lu->start[j + 1]; ++k) {
            lu->value[(size_t)lu->row[k] + n * (size_t)j] = value[k];
        }
    }
}

scree_status scri_sparse_lu_factor(scri_sparse_lu* lu, const double* value)
{
    if (!are_finite(lu, value)) return SCREE_ERROR_INPUT;
    if (lu->table) return lu->table->factor(lu->factors, value);
    spread_entries(lu, value);
    return scri_dense_lu_factor(lu->kind, lu->n, lu->value, lu->extent, lu->pivot);
}

void scri_sparse_lu_solve(scri_sparse_lu* lu, double* x)
{
    if (lu->table) {
        lu->table->solve(lu->factors, x);
    } else {
        scri_dense_lu_solve(lu->kind, lu->n, lu->value, lu->extent, lu->pivot, x);
    }
}

int32_t scri_sparse_lu_negative(const scri_sparse_lu* lu)
{
    if (lu->table) return lu->table->negative(lu->factors);
    return scri_dense_ldl_negative(lu->n, lu->value, lu->pivot);
}
