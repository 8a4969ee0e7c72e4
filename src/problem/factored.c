#include "problem/factored.h"

#include <string.h>

scree_status scri_factored_create(const scree_env* env, scri_arena* arena,
                                  const scree_problem* problem, scri_factored* out)
{
    size_t n_dof = (size_t)problem->factored.mass.n_rows;
    *out = (scri_factored){.problem = problem};
    out->column = scri_arena_take(arena, n_dof, sizeof(double));
    out->work = scri_arena_take(arena, n_dof, sizeof(double));
    if (!out->column || !out->work) return SCREE_ERROR_MEMORY;
    return scri_mass_matrix_create(env, arena, &problem->factored.mass, &out->mass);
}

/* out += a x */
static void multiply_add(const scree_csc* a, const double* x, double* out)
{
    for (int32_t j = 0; j < a->n_columns; ++j) {
        for (int32_t k = a->start[j]; k < a->start[j + 1]; ++k) {
            out[a->row[k]] += a->value[k] * x[j];
        }
    }
}

void scri_factored_multiply_h(const scri_factored* f, const double* p, double* out)
{
    memset(out, 0, (size_t)f->mass.n * sizeof *out);
    multiply_add(&f->problem->factored.h, p, out);
}

void scri_factored_multiply_mass(const scri_factored* f, const double* v, double* out)
{
    memset(out, 0, (size_t)f->mass.n * sizeof *out);
    multiply_add(&f->problem->factored.mass, v, out);
}

void scri_factored_solve(scri_factored* f, const double* p, double* v)
{
    memcpy(v, f->problem->factored.force, (size_t)f->mass.n * sizeof *v);
    if (p) multiply_add(&f->problem->factored.h, p, v);
    scri_mass_matrix_solve(&f->mass, v, f->work);
}

void scri_factored_velocity(const scri_factored* f, const double* v, double* y)
{
    const scree_csc* h = &f->problem->factored.h;
    for (int32_t j = 0; j < h->n_columns; ++j) {
        double sum = 0.0;
        for (int32_t k = h->start[j]; k < h->start[j + 1]; ++k) sum += h->value[k] * v[h->row[k]];
        y[j] = sum + f->problem->q[j];
    }
}

void scri_factored_response(scri_factored* f, int32_t k, int32_t j, double* x)
{
    const scree_csc* h = &f->problem->factored.h;
    const scri_mass_matrix* m = &f->mass;
    memset(x, 0, (size_t)(m->start[k + 1] - m->start[k]) * sizeof *x);
    for (int32_t e = h->start[j]; e < h->start[j + 1]; ++e) {
        int32_t dof = h->row[e];
        if (m->component[dof] == k) x[m->position[dof]] = h->value[e];
    }
    scri_mass_matrix_solve_component(m, k, x);
}

double scri_factored_dot(const scri_factored* f, int32_t k, int32_t i, const double* x)
{
    const scree_csc* h = &f->problem->factored.h;
    double sum = 0.0;
    for (int32_t e = h->start[i]; e < h->start[i + 1]; ++e) {
        int32_t dof = h->row[e];
        if (f->mass.component[dof] == k) sum += h->value[e] * x[f->mass.position[dof]];
    }
    return sum;
}

/* Whether an earlier entry of column j lies in the component of entry e. */
static int seen_before(const scri_factored* f, int32_t j, int32_t e)
{
    const scree_csc* h = &f->problem->factored.h;
    for (int32_t i = h->start[j]; i < e; ++i) {
        if (f->mass.component[h->row[i]] == f->mass.component[h->row[e]]) return 1;
    }
    return 0;
}

void scri_factored_diagonal(scri_factored* f, double* diagonal)
{
    const scree_csc* h = &f->problem->factored.h;
    for (int32_t j = 0; j < h->n_columns; ++j) {
        diagonal[j] = 0.0;
        for (int32_t e = h->start[j]; e < h->start[j + 1]; ++e) {
            if (seen_before(f, j, e)) continue;
            int32_t k = f->mass.component[h->row[e]];
            scri_factored_response(f, k, j, f->column);
            diagonal[j] += scri_factored_dot(f, k, j, f->column);
        }
    }
}
