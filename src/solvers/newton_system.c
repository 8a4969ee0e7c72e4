#include "solvers/newton_system.h"

#include "base/env.h"
#include "math/small_kernel.h"
#include "math/sparse_lu.h"
#include "solvers/newton_bodies.h"
#include "solvers/newton_contacts.h"

#include <string.h>

struct scri_newton_system {
    scri_arena* arena;
    const scree_problem* problem;
    const scri_scaling* scaling;
    int has_bodies;
    scri_newton_bodies bodies;
    scri_newton_contacts contacts;
    scri_sparse_lu* lu;
    int64_t* block;     /* [n_contacts + 1] */
    double* compliance; /* [n_rows] scaled; NULL for none */
    const double* d;    /* of the last factorisation: the caller's */
    double* soft;       /* (I + D C)^-1 D where there is compliance */
    double *x, *z;      /* [unknowns or rows, whichever is more] */
    double *e, *f, *g;  /* [n_rows] of the refinement */
};

static int32_t count_unknowns(const scree_problem* problem)
{
    if (problem->form != SCREE_FORM_BODIES) return scree_problem_n_rows(problem);
    int32_t n = 0;
    for (int32_t b = 0; b < problem->bodies.n_bodies; ++b) n += problem->bodies.inv_mass[b] > 0.0;
    return 6 * n;
}

int scri_newton_system_fits(const scree_env* env, const scree_problem* problem)
{
    return scri_sparse_lu_fits(env, count_unknowns(problem));
}

const char* scri_newton_system_unfit(const scree_env* env, const scree_problem* problem)
{
    if (scri_newton_system_fits(env, problem)) return NULL;
    return "to factor so large a matrix it needs scree_env.sparse";
}

scree_status scri_newton_system_need(const scree_env* env, const scree_problem* problem,
                                     const char* who)
{
    if (scri_newton_system_fits(env, problem)) return SCREE_OK;
    return scri_fail(env, SCREE_ERROR_UNSUPPORTED,
                     "%s has to factor a matrix of %d rows; so large a one needs scree_env.sparse",
                     who, (int)count_unknowns(problem));
}

static scree_status lay_out(scri_newton_system* s)
{
    const scree_problem* problem = s->problem;
    size_t n = (size_t)problem->n_contacts, n_rows = (size_t)scree_problem_n_rows(problem);
    s->block = scri_arena_take(s->arena, n + 1, sizeof(int64_t));
    s->e = scri_arena_take(s->arena, n_rows, sizeof(double));
    s->f = scri_arena_take(s->arena, n_rows, sizeof(double));
    s->g = scri_arena_take(s->arena, n_rows, sizeof(double));
    if (!s->block || !s->e || !s->f || !s->g) return SCREE_ERROR_MEMORY;
    for (size_t c = 0; c < n; ++c) {
        int64_t width = problem->first_row[c + 1] - problem->first_row[c];
        s->block[c + 1] = s->block[c] + width * width;
    }
    if (problem->compliance) {
        s->compliance = scri_arena_take(s->arena, n_rows, sizeof(double));
        s->soft = scri_arena_take(s->arena, (size_t)s->block[n], sizeof(double));
        if (!s->compliance || !s->soft) return SCREE_ERROR_MEMORY;
        for (size_t i = 0; i < n_rows; ++i) {
            double scale = s->scaling->scale[i];
            s->compliance[i] = problem->compliance[i] / (s->scaling->unit * (scale * scale));
        }
    }
    return SCREE_OK;
}

static scree_status build(const scree_env* env, scri_newton_system* s)
{
    if (lay_out(s)) return SCREE_ERROR_MEMORY;
    s->has_bodies = s->problem->form == SCREE_FORM_BODIES;
    scree_status status =
        s->has_bodies ? scri_newton_bodies_create(s->arena, s->problem, s->scaling, &s->bodies)
                      : scri_newton_contacts_create(s->arena, s->problem, s->scaling, &s->contacts);
    if (status) return status;
    int32_t n = s->has_bodies ? s->bodies.n : s->contacts.n;
    const int32_t* start = s->has_bodies ? s->bodies.start : s->contacts.start;
    const int32_t* row = s->has_bodies ? s->bodies.row : s->contacts.row;
    size_t n_rows = (size_t)scree_problem_n_rows(s->problem);
    size_t room = (size_t)n > n_rows ? (size_t)n : n_rows;
    s->x = scri_arena_take(s->arena, room, sizeof(double));
    s->z = scri_arena_take(s->arena, room, sizeof(double));
    if (!s->x || !s->z) return SCREE_ERROR_MEMORY;
    return scri_sparse_lu_create(env, n, start, row, SCREE_SPARSE_GENERAL, &s->lu);
}

scree_status scri_newton_system_create(const scree_env* env, const scree_problem* problem,
                                       const scri_scaling* scaling, scri_newton_system** out)
{
    *out = NULL;
    scri_arena* arena = scri_arena_create(env);
    scri_newton_system* s = arena ? scri_arena_take(arena, 1, sizeof *s) : NULL;
    if (!s) {
        scri_arena_destroy(arena);
        return SCREE_ERROR_MEMORY;
    }
    *s = (scri_newton_system){.arena = arena, .problem = problem, .scaling = scaling};
    scree_status status = build(env, s);
    if (status) {
        scri_newton_system_destroy(s);
        return status;
    }
    *out = s;
    return SCREE_OK;
}

void scri_newton_system_destroy(scri_newton_system* s)
{
    if (!s) return;
    scri_sparse_lu_destroy(s->lu);
    scri_arena_destroy(s->arena);
}

int64_t scri_newton_system_block(const scri_newton_system* s, int32_t c)
{
    return s->block[c];
}

/* x = (I + D C)^-1 x for the rows of contact c; 0 when that is singular. */
static int soften(const scri_newton_system* s, int32_t c, int columns, const double* from,
                  double* to)
{
    int width = s->problem->first_row[c + 1] - s->problem->first_row[c];
    const double *d = s->d + s->block[c], *soft = s->compliance + s->problem->first_row[c];
    for (int j = 0; j < columns; ++j) {
        double a[SCRI_MAX_WIDTH * SCRI_MAX_WIDTH] = {0.0}, x[SCRI_MAX_WIDTH] = {0.0};
        for (int i = 0; i < width; ++i) {
            x[i] = from[i * columns + j];
            for (int k = 0; k < width; ++k) {
                a[i * width + k] = (i == k ? 1.0 : 0.0) + d[i * width + k] * soft[k];
            }
        }
        if (!scri_gauss_solve(width, width, a, x)) return 0;
        for (int i = 0; i < width; ++i) to[i * columns + j] = x[i];
    }
    return 1;
}

scree_status scri_newton_system_factor(scri_newton_system* s, const double* d)
{
    s->d = d;
    if (s->compliance) {
        for (int32_t c = 0; c < s->problem->n_contacts; ++c) {
            int width = s->problem->first_row[c + 1] - s->problem->first_row[c];
            if (!soften(s, c, width, d + s->block[c], s->soft + s->block[c])) {
                return SCREE_ERROR_INPUT;
            }
        }
        d = s->soft;
    }
    if (s->has_bodies) {
        scri_newton_bodies_assemble(&s->bodies, d, s->block);
        return scri_sparse_lu_factor(s->lu, s->bodies.value);
    }
    scri_newton_contacts_assemble(&s->contacts, d, s->block);
    return scri_sparse_lu_factor(s->lu, s->contacts.value);
}

/* out = c - D y, blockwise; c may be NULL for zero. */
static void subtract_product(const scri_newton_system* s, const double* d, const double* c,
                             const double* y, double* out)
{
    for (int32_t k = 0; k < s->problem->n_contacts; ++k) {
        int32_t first = s->problem->first_row[k];
        int width = s->problem->first_row[k + 1] - first;
        for (int i = 0; i < width; ++i) {
            double sum = c ? c[first + i] : 0.0;
            const double* line = d + s->block[k] + (size_t)(i * width);
            for (int j = 0; j < width; ++j) sum -= line[j] * y[first + j];
            out[first + i] = sum;
        }
    }
}

/* W without compliance. */
static void multiply_rigid(scri_newton_system* s, const double* x, double* out)
{
    if (s->has_bodies) {
        scri_newton_bodies_gather(&s->bodies, x, s->bodies.velocity);
        scri_newton_bodies_relative(&s->bodies, s->bodies.velocity, out);
    } else {
        scri_newton_contacts_multiply(&s->contacts, x, out);
    }
}

void scri_newton_system_multiply(scri_newton_system* s, const double* x, double* out)
{
    int32_t n_rows = scree_problem_n_rows(s->problem);
    multiply_rigid(s, x, out);
    for (int32_t i = 0; s->compliance && i < n_rows; ++i) out[i] += s->compliance[i] * x[i];
}

/* One solve: e = c - D a (softened) to unknowns, and back. a, c may be NULL. */
static void solve_once(scri_newton_system* s, const double* c, const double* a, double* dp,
                       double* dy)
{
    int32_t n_rows = scree_problem_n_rows(s->problem);
    const double* d = s->soft ? s->soft : s->d;
    double* right = s->z; /* c, softened */
    for (int32_t i = 0; i < n_rows; ++i) right[i] = c ? c[i] : 0.0;
    for (int32_t k = 0; s->soft && k < s->problem->n_contacts; ++k) {
        soften(s, k, 1, right + s->problem->first_row[k], right + s->problem->first_row[k]);
    }
    if (a) {
        subtract_product(s, d, right, a, s->x);
    } else {
        memcpy(s->x, right, (size_t)n_rows * sizeof *right);
    }
    if (s->has_bodies) {
        scri_newton_bodies_gather(&s->bodies, s->x, s->bodies.velocity);
        scri_sparse_lu_solve(s->lu, s->bodies.velocity);
        scri_newton_bodies_relative(&s->bodies, s->bodies.velocity, dy);
        for (int32_t i = 0; a && i < n_rows; ++i) dy[i] += a[i];
        subtract_product(s, d, right, dy, dp);
    } else {
        for (int32_t i = 0; i < n_rows; ++i) s->x[i] *= s->contacts.weight[i];
        scri_sparse_lu_solve(s->lu, s->x);
        memcpy(dp, s->x, (size_t)n_rows * sizeof *dp);
        scri_newton_contacts_multiply(&s->contacts, dp, dy);
        for (int32_t i = 0; a && i < n_rows; ++i) dy[i] += a[i];
    }
    for (int32_t i = 0; s->soft && i < n_rows; ++i) dy[i] += s->compliance[i] * dp[i];
}

void scri_newton_system_solve(scri_newton_system* s, const double* c, const double* a, int refine,
                              double* dp, double* dy)
{
    int32_t n_rows = scree_problem_n_rows(s->problem);
    solve_once(s, c, a, dp, dy);
    for (int k = 0; k < refine && s->has_bodies; ++k) {
        scri_newton_system_multiply(s, dp, s->e);
        for (int32_t i = 0; i < n_rows; ++i) s->e[i] += (a ? a[i] : 0.0) - dy[i];
        solve_once(s, NULL, s->e, s->f, s->g);
        for (int32_t i = 0; i < n_rows; ++i) dp[i] += s->f[i], dy[i] += s->g[i];
    }
}

void scri_newton_system_free_velocity(const scri_newton_system* s, double* out)
{
    int32_t n_rows = scree_problem_n_rows(s->problem);
    for (int32_t i = 0; i < n_rows; ++i) out[i] = s->problem->q[i] / s->scaling->scale[i];
}
