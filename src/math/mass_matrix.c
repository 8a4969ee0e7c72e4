#include "math/mass_matrix.h"

#include "base/env.h"

#include <math.h>

static int32_t find_root(int32_t* parent, int32_t i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

/* Connected components by union and find; fills everything but the factors. */
static void find_components(const scree_csc* m, scri_mass_matrix* out)
{
    int32_t* parent = out->position; /* reused below */
    for (int32_t i = 0; i < out->n; ++i) parent[i] = i;
    for (int32_t j = 0; j < m->n_columns; ++j) {
        for (int32_t k = m->start[j]; k < m->start[j + 1]; ++k) {
            int32_t a = find_root(parent, m->row[k]), b = find_root(parent, j);
            if (a < b) {
                parent[b] = a;
            } else {
                parent[a] = b;
            }
        }
    }
    out->n_components = 0;
    for (int32_t i = 0; i < out->n; ++i) { /* a root is the smallest index of its component */
        int32_t root = find_root(parent, i);
        out->component[i] = root == i ? out->n_components++ : out->component[root];
        out->start[out->component[i] + 1]++;
    }
    for (int32_t k = 0; k < out->n_components; ++k) out->start[k + 1] += out->start[k];
    for (int32_t i = out->n - 1; i >= 0; --i) out->pivot[out->component[i]] = 0;
    for (int32_t i = 0; i < out->n; ++i) {
        int32_t k = out->component[i];
        out->position[i] = out->pivot[k]++;
        out->member[out->start[k] + out->position[i]] = i;
    }
}

static int factor_component(int32_t n, double* a, int32_t* pivot)
{
    for (int32_t k = 0; k < n; ++k) {
        int32_t best = k;
        for (int32_t i = k + 1; i < n; ++i) {
            if (fabs(a[(size_t)i * (size_t)n + (size_t)k]) >
                fabs(a[(size_t)best * (size_t)n + (size_t)k])) {
                best = i;
            }
        }
        double *top = a + (size_t)k * (size_t)n, *chosen = a + (size_t)best * (size_t)n;
        pivot[k] = best;
        if (!(fabs(chosen[k]) > 0.0)) return 0;
        for (int32_t j = 0; j < n && best != k; ++j) {
            double swap = top[j];
            top[j] = chosen[j];
            chosen[j] = swap;
        }
        for (int32_t i = k + 1; i < n; ++i) {
            double* row = a + (size_t)i * (size_t)n;
            double factor = row[k] /= top[k];
            if (factor == 0.0) continue;
            for (int32_t j = k + 1; j < n; ++j) row[j] -= factor * top[j];
        }
    }
    return 1;
}

scree_status scri_mass_matrix_create(const scree_env* env, scri_arena* arena, const scree_csc* m,
                                     scri_mass_matrix* out)
{
    size_t n = (size_t)m->n_rows;
    *out = (scri_mass_matrix){.n = m->n_rows};
    out->component = scri_arena_take(arena, n, sizeof(int32_t));
    out->start = scri_arena_take(arena, n + 1, sizeof(int32_t));
    out->member = scri_arena_take(arena, n, sizeof(int32_t));
    out->position = scri_arena_take(arena, n, sizeof(int32_t));
    out->offset = scri_arena_take(arena, n + 1, sizeof(int64_t));
    out->pivot = scri_arena_take(arena, n, sizeof(int32_t));
    if (!out->component || !out->start || !out->member || !out->position || !out->offset ||
        !out->pivot) {
        return SCREE_ERROR_MEMORY;
    }
    find_components(m, out);
    for (int32_t k = 0; k < out->n_components; ++k) {
        int64_t size = out->start[k + 1] - out->start[k];
        out->offset[k + 1] = out->offset[k] + size * size;
    }
    out->factor = scri_arena_take(arena, (size_t)out->offset[out->n_components], sizeof(double));
    if (!out->factor) return SCREE_ERROR_MEMORY;
    for (int32_t j = 0; j < m->n_columns; ++j) {
        int32_t k = out->component[j], size = out->start[k + 1] - out->start[k];
        for (int32_t e = m->start[j]; e < m->start[j + 1]; ++e) {
            int64_t at = (int64_t)out->position[m->row[e]] * size + out->position[j];
            out->factor[out->offset[k] + at] = m->value[e];
        }
    }
    for (int32_t k = 0; k < out->n_components; ++k) {
        int32_t size = out->start[k + 1] - out->start[k];
        if (factor_component(size, out->factor + out->offset[k], out->pivot + out->start[k])) {
            continue;
        }
        return scri_fail(env, SCREE_ERROR_INPUT, "M is singular near degree of freedom %d",
                         (int)out->member[out->start[k]]);
    }
    return SCREE_OK;
}

void scri_mass_matrix_solve_component(const scri_mass_matrix* m, int32_t k, double* x)
{
    int32_t n = m->start[k + 1] - m->start[k];
    const double* a = m->factor + m->offset[k];
    const int32_t* pivot = m->pivot + m->start[k];
    for (int32_t i = 0; i < n; ++i) {
        double swap = x[i];
        x[i] = x[pivot[i]];
        x[pivot[i]] = swap;
    }
    for (int32_t i = 1; i < n; ++i) {
        const double* row = a + (size_t)i * (size_t)n;
        for (int32_t j = 0; j < i; ++j) x[i] -= row[j] * x[j];
    }
    for (int32_t i = n - 1; i >= 0; --i) {
        const double* row = a + (size_t)i * (size_t)n;
        for (int32_t j = i + 1; j < n; ++j) x[i] -= row[j] * x[j];
        x[i] /= row[i];
    }
}

void scri_mass_matrix_solve(const scri_mass_matrix* m, double* x, double* work)
{
    for (int32_t k = 0; k < m->n_components; ++k) {
        int32_t first = m->start[k], size = m->start[k + 1] - first;
        for (int32_t i = 0; i < size; ++i) work[i] = x[m->member[first + i]];
        scri_mass_matrix_solve_component(m, k, work);
        for (int32_t i = 0; i < size; ++i) x[m->member[first + i]] = work[i];
    }
}
