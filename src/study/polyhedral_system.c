/* The model's functions, called for the closed contacts of one moment. */
#include "base/env.h"
#include "math/dense_lu.h"
#include "study/polyhedral.h"

#include <math.h>
#include <string.h>

/* What the model says of all contacts at one moment. */
typedef struct said {
    double *w, *chi, *rate; /* [n_rows * n], [n_rows], [n_rows] */
} said;

static scree_status ask(const scree_polyhedral* p, scri_arena* arena, double t, const double* q,
                        const double* u, said* out)
{
    const scree_system_model* model = &p->def.system.model;
    size_t n = (size_t)p->def.system.n, rows = (size_t)p->n_rows;
    *out = (said){.w = scri_arena_take(arena, rows, n * sizeof(double)),
                  .chi = scri_arena_take(arena, rows, sizeof(double)),
                  .rate = scri_arena_take(arena, rows, sizeof(double))};
    if (!out->w || !out->chi || !out->rate) return SCREE_ERROR_MEMORY;
    model->directions(model->user, t, q, out->w, out->chi);
    model->rates(model->user, t, q, u, out->rate);
    return SCREE_OK;
}

static double row_velocity(const scree_polyhedral* p, const said* s, const double* u, int32_t row)
{
    int32_t n = p->def.system.n;
    double sum = s->chi[row];
    for (int32_t i = 0; i < n; ++i) sum += s->w[(size_t)row * (size_t)n + (size_t)i] * u[i];
    return sum;
}

scree_status scri_poly_measure(const scree_polyhedral* p, double t, const double* q,
                               const double* u, double* velocity, double* gap)
{
    const scree_system_model* model = &p->def.system.model;
    scri_arena* arena = scri_arena_create(&p->env);
    said s;
    scree_status status = arena ? ask(p, arena, t, q, u, &s) : SCREE_ERROR_MEMORY;
    for (int32_t i = 0; !status && velocity && i < p->n_rows; ++i) {
        velocity[i] = row_velocity(p, &s, u, i);
    }
    if (gap) {
        memset(gap, 0, (size_t)p->def.system.n_contacts * sizeof *gap);
        model->gap(model->user, t, q, gap);
    }
    scri_arena_destroy(arena);
    return status;
}

/* Coefficients of the moment: p->coef holds those of the def where the model has no say. */
static void list_closed(const scree_polyhedral* p, const said* a, const double* u,
                        scri_poly_system* s)
{
    const double* kinetic = p->def.kinetic;
    for (int32_t c = 0; c < p->def.system.n_contacts; ++c) {
        if (p->mode[c] == SCREE_CONTACT_OPEN) continue;
        int32_t dim = p->row[c + 1] - p->row[c] - 1;
        scri_closed* x = &s->closed[s->m++];
        *x = (scri_closed){.contact = c, .mu = p->coef[3 * c]};
        if (p->mode[c] == SCREE_CONTACT_STICK) {
            x->dim = dim;
            x->k = p->line[c + 1] - p->line[c];
            x->tangent = s->mt;
            x->line = s->mk;
            x->e = p->e + 2 * (size_t)p->line[c];
            s->mt += x->dim;
            s->mk += x->k;
            continue;
        }
        double v[2] = {0.0, 0.0}, mu = kinetic ? kinetic[c] : x->mu;
        for (int32_t i = 0; i < dim; ++i) v[i] = row_velocity(p, a, u, p->row[c] + 1 + i);
        double speed = hypot(v[0], v[1]);
        for (int i = 0; i < 2 && speed > 0.0; ++i) x->slide[i] = -mu * v[i] / speed;
    }
}

/* Rows of J, of the forces, and the rates, in the order of G. */
static void fill_rows(const scree_polyhedral* p, const said* a, scri_poly_system* s)
{
    size_t n = (size_t)s->n, line = n * sizeof(double);
    for (int32_t i = 0; i < s->m; ++i) {
        scri_closed* x = &s->closed[i];
        int32_t row = p->row[x->contact], dim = p->row[x->contact + 1] - row - 1;
        const double* from = a->w + (size_t)row * n;
        double* push = s->push + (size_t)i * n;
        memcpy(s->j + (size_t)i * n, from, line);
        memcpy(push, from, line);
        s->rate[i] = a->rate[row];
        for (int32_t d = 0; d < dim && x->dim == 0; ++d) { /* sliding */
            x->slip_row = from + n;
            x->slip_rate[d] = a->rate[row + 1 + d];
            const double* along = from + ((size_t)d + 1) * n;
            for (size_t k = 0; k < n; ++k) push[k] += x->slide[d] * along[k];
        }
        for (int32_t d = 0; d < x->dim; ++d) {
            size_t to = (size_t)s->m + (size_t)x->tangent + (size_t)d;
            memcpy(s->j + to * n, from + ((size_t)d + 1) * n, line);
            memcpy(s->push + to * n, from + ((size_t)d + 1) * n, line);
            s->rate[to] = a->rate[row + 1 + d];
        }
    }
}

static double dot(size_t n, const double* x, const double* y)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; ++i) sum += x[i] * y[i];
    return sum;
}

static void fill_operator(scri_poly_system* s)
{
    size_t n = (size_t)s->n, rows = scri_poly_rows(s);
    for (size_t i = 0; i < rows; ++i) {
        memcpy(s->reach + i * n, s->push + i * n, n * sizeof(double));
        scri_dense_lu_solve(SCREE_SPARSE_POSITIVE, s->n, s->factor, NULL, NULL, s->reach + i * n);
    }
    for (size_t i = 0; i < rows; ++i) {
        for (size_t k = 0; k < rows; ++k) {
            s->g[i * rows + k] = dot(n, s->j + i * n, s->reach + k * n);
        }
        s->g[i * (rows + 1)] += s->compliance;
        s->b[i] = dot(n, s->j + i * n, s->free) + s->rate[i];
    }
}

static scree_status allocate(scri_arena* arena, scri_poly_system* s, int32_t n_contacts,
                             int32_t n_rows)
{
    size_t n = (size_t)s->n, rows = (size_t)n_rows;
    s->closed = scri_arena_take(arena, (size_t)n_contacts, sizeof *s->closed);
    s->mass = scri_arena_take(arena, n, n * sizeof(double));
    s->factor = scri_arena_take(arena, n, n * sizeof(double));
    s->force = scri_arena_take(arena, n, sizeof(double));
    s->free = scri_arena_take(arena, n, sizeof(double));
    s->j = scri_arena_take(arena, rows, n * sizeof(double));
    s->push = scri_arena_take(arena, rows, n * sizeof(double));
    s->reach = scri_arena_take(arena, rows, n * sizeof(double));
    s->rate = scri_arena_take(arena, rows, sizeof(double));
    s->g = scri_arena_take(arena, rows, rows * sizeof(double));
    s->b = scri_arena_take(arena, rows, sizeof(double));
    return s->closed && s->mass && s->factor && s->force && s->free && s->j && s->push &&
                   s->reach && s->rate && s->g && s->b
               ? SCREE_OK
               : SCREE_ERROR_MEMORY;
}

/* M, its factors, and the acceleration without contacts. */
static scree_status fill_mass(const scree_polyhedral* p, double t, const double* q, const double* u,
                              scri_poly_system* s)
{
    const scree_system_model* model = &p->def.system.model;
    size_t n = (size_t)s->n;
    model->mass(model->user, t, q, s->mass);
    model->force(model->user, t, q, u, s->force);
    memcpy(s->factor, s->mass, n * n * sizeof(double));
    memcpy(s->free, s->force, n * sizeof(double));
    if (scri_dense_lu_factor(SCREE_SPARSE_POSITIVE, s->n, s->factor, NULL, NULL)) {
        return scri_fail(&p->env, SCREE_ERROR_INPUT,
                         "the mass matrix at %g s is not positive definite", t);
    }
    scri_dense_lu_solve(SCREE_SPARSE_POSITIVE, s->n, s->factor, NULL, NULL, s->free);
    return SCREE_OK;
}

scree_status scri_poly_system_create(const scree_polyhedral* p, scri_arena* arena, double t,
                                     const double* q, const double* u, scri_poly_system* out)
{
    said a;
    *out = (scri_poly_system){.n = p->def.system.n};
    if (p->def.redundancy == SCREE_REDUNDANCY_RELAX) out->compliance = p->def.compliance;
    scree_status status = allocate(arena, out, p->def.system.n_contacts, p->n_rows);
    if (!status) status = ask(p, arena, t, q, u, &a);
    if (!status) status = fill_mass(p, t, q, u, out);
    if (status) return status;
    list_closed(p, &a, u, out);
    fill_rows(p, &a, out);
    fill_operator(out);
    return SCREE_OK;
}

void scri_poly_accelerate(const scri_poly_system* s, const double* force, double* acceleration)
{
    size_t n = (size_t)s->n, rows = scri_poly_rows(s);
    memcpy(acceleration, s->free, n * sizeof(double));
    for (size_t i = 0; i < rows; ++i) {
        for (size_t k = 0; k < n; ++k) acceleration[k] += force[i] * s->reach[i * n + k];
    }
}
