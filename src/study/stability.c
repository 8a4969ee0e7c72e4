/* Modes of M x'' + B x' + K x = 0: eigenvalues of its first-order form, eq. (113). */
#include "study/stability.h"

#include "base/env.h"
#include "lapack/eigen.h"
#include "math/dense_lu.h"

#include <math.h>
#include <string.h>

enum { MOST = 1000 };

typedef struct factors {
    int32_t n;
    double* lu; /* column-major */
    int32_t* pivot;
} factors;

static scree_status factor(scri_arena* arena, int32_t n, const double* a, factors* out)
{
    size_t count = (size_t)n;
    *out = (factors){n, scri_arena_take(arena, count * count, sizeof(double)),
                     scri_arena_take(arena, count, sizeof(int32_t))};
    if (!out->lu || !out->pivot) return SCREE_ERROR_MEMORY;
    for (size_t i = 0; i < count * count; ++i) {
        if (!isfinite(a[i])) return SCREE_ERROR_INPUT;
        out->lu[i % count * count + i / count] = a[i];
    }
    return scri_dense_lu_factor(SCREE_SPARSE_GENERAL, n, out->lu, NULL, out->pivot);
}

scree_status scri_solve_dense(scri_arena* arena, int32_t n, const double* a, double* x)
{
    factors f;
    scree_status status = factor(arena, n, a, &f);
    if (!status) scri_dense_lu_solve(SCREE_SPARSE_GENERAL, n, f.lu, NULL, f.pivot, x);
    return status;
}

/* Columns of -M^-1 a into the lower half of the first-order matrix, from its column `first` on. */
static void write_columns(const factors* mass, const double* a, double* system, size_t first)
{
    size_t n = (size_t)mass->n;
    for (size_t j = 0; a && j < n; ++j) {
        double* column = system + (first + j) * 2 * n + n;
        for (size_t i = 0; i < n; ++i) column[i] = -a[i * n + j];
        scri_dense_lu_solve(SCREE_SPARSE_GENERAL, mass->n, mass->lu, NULL, mass->pivot, column);
    }
}

/* The fastest growing first; of equal ones, the faster oscillation. */
static void sort_modes(scree_mode* modes, int32_t n)
{
    for (int32_t i = 1; i < n; ++i) {
        scree_mode mode = modes[i];
        int32_t j = i;
        for (; j > 0 &&
               (modes[j - 1].growth < mode.growth ||
                (modes[j - 1].growth == mode.growth && modes[j - 1].frequency < mode.frequency));
             --j) {
            modes[j] = modes[j - 1];
        }
        modes[j] = mode;
    }
}

scree_status scri_linear_modes(scri_arena* arena, const scree_linear* linear, scree_mode* modes)
{
    size_t n = (size_t)linear->n;
    int32_t order = 2 * linear->n;
    factors mass;
    scree_status status = factor(arena, linear->n, linear->mass, &mass);
    if (status) return status;
    double* system = scri_arena_take(arena, 4 * n * n, sizeof(double));
    double* value = scri_arena_take(arena, 4 * n, sizeof(double));
    double* work = scri_arena_take(arena, scri_eigen_work(order), sizeof(double));
    if (!system || !value || !work) return SCREE_ERROR_MEMORY;
    for (size_t i = 0; i < n; ++i) system[(n + i) * 2 * n + i] = 1.0;
    write_columns(&mass, linear->stiffness, system, 0);
    write_columns(&mass, linear->damping, system, n);
    status = scri_eigen(order, system, work, value);
    for (int32_t i = 0; i < order; ++i) {
        modes[i] = (scree_mode){value[i], fabs(value[order + i])};
    }
    if (!status) sort_modes(modes, order);
    return status;
}

scree_status scree_linear_modes(const scree_env* env, const scree_linear* linear, scree_mode* modes)
{
    if (!linear || !modes) return SCREE_ERROR_ARGUMENT;
    if (linear->n < 1 || linear->n > MOST || !linear->mass || !linear->stiffness) {
        return scri_fail(env, SCREE_ERROR_ARGUMENT,
                         "a linear system needs mass, stiffness and 1 to %d coordinates", MOST);
    }
    scri_arena* arena = scri_arena_create(env);
    scree_status status = arena ? scri_linear_modes(arena, linear, modes) : SCREE_ERROR_MEMORY;
    scri_arena_destroy(arena);
    if (status == SCREE_ERROR_MEMORY) return scri_fail(env, status, "out of memory for modes");
    if (status) return scri_fail(env, status, "the mass matrix is singular, or not all is finite");
    return SCREE_OK;
}
