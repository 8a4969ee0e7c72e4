/* Problems for tests: arrays that may be written, random bodies, sparse factors, stacks of spheres,
 * and dense algebra to compare with. */
#ifndef SUPPORT_PROBLEMS_H
#define SUPPORT_PROBLEMS_H

#include "base/arena.h"
#include "scree/scree.h"
#include "support/draw.h"
#include "support/reference.h"
#include "support/test.h"

/* `view` borrows the arrays that follow, which tests may write. */
typedef struct sample {
    scree_problem view;
    scri_arena* arena;
    int32_t* row;
    uint8_t *rows, *law;
    double *coef, *q, *compliance;
    int32_t *w_start, *w_column;
    int64_t* w_offset;
    double* w_value;
    int32_t *m_start, *m_row, *h_start, *h_row;
    double *m_value, *h_value, *force;
    double *inv_mass, *inv_inertia, *frame, *arm;
    int32_t* pair;
} sample;

static inline void* sample_take(sample* s, size_t count, size_t size)
{
    void* memory = scri_arena_take(s->arena, count, size);
    assert_non_null(memory);
    return memory;
}

static inline void sample_end(sample* s)
{
    scri_arena_destroy(s->arena);
    *s = (sample){.arena = NULL};
}

/* Contacts with the rows and laws given, coefficients and free velocities 0. */
static inline sample sample_begin(int32_t n, const int* rows, const int* law)
{
    sample s = {.arena = scri_arena_create(NULL)};
    assert_non_null(s.arena);
    s.row = sample_take(&s, (size_t)n + 1, sizeof *s.row);
    s.rows = sample_take(&s, (size_t)n, 1);
    s.law = sample_take(&s, (size_t)n, 1);
    s.coef = sample_take(&s, 3 * (size_t)n, sizeof *s.coef);
    for (int32_t c = 0; c < n; ++c) {
        s.rows[c] = (uint8_t)rows[c];
        s.law[c] = (uint8_t)law[c];
        s.row[c + 1] = s.row[c] + shape_of(rows[c]).width;
    }
    s.q = sample_take(&s, (size_t)s.row[n], sizeof *s.q);
    s.view = (scree_problem){.n_contacts = n,
                             .first_row = s.row,
                             .rows = s.rows,
                             .law = s.law,
                             .coef = s.coef,
                             .q = s.q};
    return s;
}

static inline void sample_add_compliance(sample* s, scri_random* random, double size)
{
    int32_t n_rows = s->row[s->view.n_contacts];
    s->compliance = sample_take(s, (size_t)n_rows, sizeof(double));
    for (int32_t i = 0; i < n_rows; ++i) s->compliance[i] = size * scri_random_uniform(random);
    s->view.compliance = s->compliance;
}

/* ---- bodies ---- */

static inline void sample_add_bodies(sample* s, int32_t n_bodies)
{
    size_t n = (size_t)s->view.n_contacts;
    s->inv_mass = sample_take(s, (size_t)n_bodies, sizeof(double));
    s->inv_inertia = sample_take(s, 6 * (size_t)n_bodies, sizeof(double));
    s->pair = sample_take(s, 2 * n, sizeof(int32_t));
    s->frame = sample_take(s, 9 * n, sizeof(double));
    s->arm = sample_take(s, 6 * n, sizeof(double));
    s->view.form = SCREE_FORM_BODIES;
    s->view.bodies = (scree_bodies){n_bodies, s->inv_mass, s->inv_inertia, s->pair,
                                    s->frame, s->arm,      NULL,           NULL};
}

/* A symmetric positive definite matrix as xx yy zz xy xz yz. */
static inline void draw_inertia(scri_random* random, double size, double out[6])
{
    double axes[9], full[9] = {0.0};
    draw_frame(random, axes);
    for (int a = 0; a < 3; ++a) {
        double moment = size * draw_power(random, -0.5, 0.5);
        for (int i = 0; i < 9; ++i) full[i] += moment * axes[3 * a + i / 3] * axes[3 * a + i % 3];
    }
    out[0] = full[0], out[1] = full[4], out[2] = full[8];
    out[3] = full[1], out[4] = full[2], out[5] = full[5];
}

/* Bodies, pairs, frames and arms at random; body 0 does not move, and one contact in seven is
 * between a body and itself. */
static inline void draw_bodies(sample* s, scri_random* random, int32_t n_bodies)
{
    sample_add_bodies(s, n_bodies);
    for (int32_t b = 1; b < n_bodies; ++b) {
        s->inv_mass[b] = draw_power(random, -1.0, 1.0);
        draw_inertia(random, 5.0 * s->inv_mass[b], s->inv_inertia + 6 * b);
    }
    for (int32_t c = 0; c < s->view.n_contacts; ++c) {
        s->pair[2 * c] = draw_below(random, n_bodies + 1) - 1;
        s->pair[2 * c + 1] =
            c % 7 == 6 ? s->pair[2 * c] : (int32_t)draw_below(random, n_bodies + 1) - 1;
        draw_frame(random, s->frame + 9 * c);
        for (int i = 0; i < 6; ++i) s->arm[6 * c + i] = draw_between(random, -1.0, 1.0);
    }
}

/* ---- dense algebra in extended precision ---- */

typedef struct dense {
    int32_t n, m; /* rows, columns */
    real* a;      /* row-major */
} dense;

static inline dense dense_zero(scri_arena* arena, int32_t n, int32_t m)
{
    real* a = scri_arena_take(arena, (size_t)n * (size_t)m + 1, sizeof *a);
    assert_non_null(a);
    return (dense){n, m, a};
}

static inline real* dense_at(const dense* d, int32_t i, int32_t j)
{
    return d->a + (size_t)i * (size_t)d->m + (size_t)j;
}

/* Transpose of H as rows of a dense matrix: row i of a contact holds what its unit impulse does to
 * six velocities per body (linear, angular). Written from the definition of the rows. */
static inline dense dense_rows_of_bodies(scri_arena* arena, const scree_problem* p)
{
    dense h = dense_zero(arena, p->first_row[p->n_contacts], 6 * p->bodies.n_bodies);
    /* axis among n, t1, t2 of the six rows N, T1, T2, R1, R2, S */
    static const int axis_of[6] = {0, 1, 2, 1, 2, 0};
    for (int32_t c = 0; c < p->n_contacts; ++c) {
        for (int i = 0; i < p->first_row[c + 1] - p->first_row[c]; ++i) {
            int kind = p->rows[c] == SCREE_ROWS_NTTS && i == 3 ? 5 : i;
            const double* axis = p->bodies.frame + 9 * c + 3 * axis_of[kind];
            for (int side = 0; side < 2; ++side) {
                int32_t body = p->bodies.pair[2 * c + side];
                if (body < 0) continue;
                const double* r = p->bodies.arm + 6 * c + 3 * side;
                real* out = dense_at(&h, p->first_row[c] + i, 6 * body);
                real sign = side ? -1 : 1;
                for (int k = 0; k < 3; ++k) {
                    int u = (k + 1) % 3, v = (k + 2) % 3;
                    if (kind < 3) {
                        out[k] += sign * (real)axis[k];
                        out[3 + k] +=
                            sign * ((real)r[u] * (real)axis[v] - (real)r[v] * (real)axis[u]);
                    } else {
                        out[3 + k] += sign * (real)axis[k];
                    }
                }
            }
        }
    }
    return h;
}

static inline dense dense_inverse_mass_of_bodies(scri_arena* arena, const scree_problem* p)
{
    static const int place[9] = {0, 3, 4, 3, 1, 5, 4, 5, 2};
    dense m = dense_zero(arena, 6 * p->bodies.n_bodies, 6 * p->bodies.n_bodies);
    for (int32_t b = 0; b < p->bodies.n_bodies; ++b) {
        for (int i = 0; i < 3; ++i) {
            *dense_at(&m, 6 * b + i, 6 * b + i) = (real)p->bodies.inv_mass[b];
            for (int j = 0; j < 3; ++j) {
                *dense_at(&m, 6 * b + 3 + i, 6 * b + 3 + j) =
                    (real)p->bodies.inv_inertia[6 * b + place[3 * i + j]];
            }
        }
    }
    return m;
}

static inline dense dense_product(scri_arena* arena, const dense* a, const dense* b)
{
    dense out = dense_zero(arena, a->n, b->m);
    for (int32_t i = 0; i < a->n; ++i) {
        for (int32_t k = 0; k < a->m; ++k) {
            real x = *dense_at(a, i, k);
            if (x == 0) continue;
            for (int32_t j = 0; j < b->m; ++j) *dense_at(&out, i, j) += x * *dense_at(b, k, j);
        }
    }
    return out;
}

static inline dense dense_transpose(scri_arena* arena, const dense* a)
{
    dense out = dense_zero(arena, a->m, a->n);
    for (int32_t i = 0; i < a->n; ++i) {
        for (int32_t j = 0; j < a->m; ++j) *dense_at(&out, j, i) = *dense_at(a, i, j);
    }
    return out;
}

/* Inverse by Gauss and Jordan with row exchanges. */
static inline dense dense_inverse(scri_arena* arena, const dense* a)
{
    int32_t n = a->n;
    dense work = dense_zero(arena, n, 2 * n), out = dense_zero(arena, n, n);
    for (int32_t i = 0; i < n; ++i) {
        for (int32_t j = 0; j < n; ++j) *dense_at(&work, i, j) = *dense_at(a, i, j);
        *dense_at(&work, i, n + i) = 1;
    }
    for (int32_t k = 0; k < n; ++k) {
        int32_t best = k;
        for (int32_t i = k; i < n; ++i) {
            if (real_abs(*dense_at(&work, i, k)) > real_abs(*dense_at(&work, best, k))) best = i;
        }
        for (int32_t j = 0; j < 2 * n; ++j) {
            real swap = *dense_at(&work, k, j);
            *dense_at(&work, k, j) = *dense_at(&work, best, j);
            *dense_at(&work, best, j) = swap;
        }
        real pivot = *dense_at(&work, k, k);
        for (int32_t j = 0; j < 2 * n; ++j) *dense_at(&work, k, j) /= pivot;
        for (int32_t i = 0; i < n; ++i) {
            real factor = *dense_at(&work, i, k);
            if (i == k || factor == 0) continue;
            for (int32_t j = 0; j < 2 * n; ++j) {
                *dense_at(&work, i, j) -= factor * *dense_at(&work, k, j);
            }
        }
    }
    for (int32_t i = 0; i < n; ++i) {
        for (int32_t j = 0; j < n; ++j) *dense_at(&out, i, j) = *dense_at(&work, i, n + j);
    }
    return out;
}

static inline dense dense_of_csc(scri_arena* arena, const scree_csc* a)
{
    dense out = dense_zero(arena, a->n_rows, a->n_columns);
    for (int32_t j = 0; j < a->n_columns; ++j) {
        for (int32_t k = a->start[j]; k < a->start[j + 1]; ++k) {
            *dense_at(&out, a->row[k], j) = (real)a->value[k];
        }
    }
    return out;
}

static inline dense dense_of_blocks(scri_arena* arena, const scree_problem* p)
{
    dense out = dense_zero(arena, p->first_row[p->n_contacts], p->first_row[p->n_contacts]);
    for (int32_t c = 0; c < p->n_contacts; ++c) {
        for (int32_t k = p->w.start[c]; k < p->w.start[c + 1]; ++k) {
            int32_t d = p->w.column[k], m = p->first_row[d + 1] - p->first_row[d];
            for (int32_t i = 0; i < p->first_row[c + 1] - p->first_row[c]; ++i) {
                for (int32_t j = 0; j < m; ++j) {
                    *dense_at(&out, p->first_row[c] + i, p->first_row[d] + j) =
                        (real)p->w.value[p->w.offset[k] + i * m + j];
                }
            }
        }
    }
    return out;
}

/* W of any form, without compliance; for the factored form also the free velocity
 * H^T M^-1 force + q in `q` (may be NULL). */
static inline dense dense_w(scri_arena* arena, const scree_problem* p, real* q)
{
    int32_t n_rows = p->first_row[p->n_contacts];
    for (int32_t i = 0; i < n_rows && q; ++i) q[i] = (real)p->q[i];
    if (p->form == SCREE_FORM_ASSEMBLED) return dense_of_blocks(arena, p);
    if (p->form == SCREE_FORM_BODIES) {
        dense h = dense_rows_of_bodies(arena, p), m = dense_inverse_mass_of_bodies(arena, p);
        dense half = dense_product(arena, &h, &m), t = dense_transpose(arena, &h);
        return dense_product(arena, &half, &t);
    }
    dense m = dense_of_csc(arena, &p->factored.mass), h = dense_of_csc(arena, &p->factored.h);
    dense inverse = dense_inverse(arena, &m), t = dense_transpose(arena, &h);
    dense half = dense_product(arena, &t, &inverse);
    for (int32_t i = 0; i < n_rows && q; ++i) {
        for (int32_t k = 0; k < m.n; ++k)
            q[i] += *dense_at(&half, i, k) * (real)p->factored.force[k];
    }
    return dense_product(arena, &half, &h);
}

static inline real dense_largest(const dense* a)
{
    real largest = 0;
    for (size_t i = 0; i < (size_t)a->n * (size_t)a->m; ++i) {
        if (!(real_abs(a->a[i]) <= largest)) largest = real_abs(a->a[i]);
    }
    return largest;
}

/* Largest difference over the largest entry. */
static inline real dense_difference(const dense* a, const dense* b)
{
    real worst = 0, size = dense_largest(a);
    for (size_t i = 0; i < (size_t)a->n * (size_t)a->m; ++i) {
        if (!(real_abs(a->a[i] - b->a[i]) <= worst)) worst = real_abs(a->a[i] - b->a[i]);
    }
    return size > 0 ? worst / size : worst;
}

/* ---- sparse matrices ---- */

/* Stores the entries of `a` that are not zero. */
static inline scree_csc sample_csc(sample* s, const dense* a, int32_t** start, int32_t** row,
                                   double** value)
{
    size_t room = (size_t)a->n * (size_t)a->m;
    *start = sample_take(s, (size_t)a->m + 1, sizeof(int32_t));
    *row = sample_take(s, room, sizeof(int32_t));
    *value = sample_take(s, room, sizeof(double));
    int32_t k = 0;
    for (int32_t j = 0; j < a->m; ++j) {
        for (int32_t i = 0; i < a->n; ++i) {
            if (*dense_at(a, i, j) == 0) continue;
            (*row)[k] = i;
            (*value)[k++] = (double)*dense_at(a, i, j);
        }
        (*start)[j + 1] = k;
    }
    return (scree_csc){a->n, a->m, *start, *row, *value};
}

static inline void sample_add_factors(sample* s, const dense* mass, const dense* h)
{
    s->force = sample_take(s, (size_t)mass->n, sizeof(double));
    s->view.form = SCREE_FORM_FACTORED;
    s->view.factored.mass = sample_csc(s, mass, &s->m_start, &s->m_row, &s->m_value);
    s->view.factored.h = sample_csc(s, h, &s->h_start, &s->h_row, &s->h_value);
    s->view.factored.force = s->force;
}

/* M of several components of 1 to `largest` unknowns in a shuffled order, not symmetric, well
 * conditioned; H with a few entries per column; everything random. */
static inline void draw_factors(sample* s, scri_random* random, int32_t n_dof, int32_t largest)
{
    dense m = dense_zero(s->arena, n_dof, n_dof);
    dense h = dense_zero(s->arena, n_dof, s->row[s->view.n_contacts]);
    int32_t* order = sample_take(s, (size_t)n_dof, sizeof *order);
    for (int32_t i = 0; i < n_dof; ++i) {
        int32_t j = draw_below(random, i + 1);
        order[i] = order[j];
        order[j] = i;
    }
    for (int32_t first = 0, size; first < n_dof; first += size) {
        size = 1 + draw_below(random, largest);
        if (size > n_dof - first) size = n_dof - first;
        for (int32_t i = first; i < first + size; ++i) {
            double scale = draw_power(random, -1.0, 1.0);
            for (int32_t j = first; j < first + size; ++j) {
                int linked = i == j + 1 || draw_chance(random, 40.0);
                double entry = i == j ? 2.0 : linked ? draw_between(random, -1.0, 1.0) : 0.0;
                *dense_at(&m, order[i], order[j]) = (real)(scale * entry / (i == j ? 1 : size));
            }
        }
    }
    for (int32_t j = 0; j < h.m; ++j) {
        for (int32_t k = 0; k < 4; ++k) {
            *dense_at(&h, draw_below(random, n_dof), j) = (real)draw_between(random, -1.0, 1.0);
        }
    }
    sample_add_factors(s, &m, &h);
    for (int32_t i = 0; i < n_dof; ++i) s->force[i] = draw_between(random, -1.0, 1.0);
}

/* ---- stacks of spheres ---- */

#define PILE_RADIUS 0.1
#define PILE_DENSITY 1000.0
#define PILE_DROP 0.01 /* speed of free fall at the end of a step, m/s */

typedef struct sphere_pile {
    int nx, ny, nz;     /* spheres along each axis of the lattice */
    int pyramid;        /* each layer is smaller by one and sits in the hollows of the one below */
    double jitter;      /* of the radii, relative; contacts stay */
    double noise;       /* of the free velocities, relative to that of the fall */
    int rows, law;      /* of all contacts */
    double coef[3];     /* mu; mu_r and mu_s in radii */
    int ground_is_body; /* an immovable one, instead of -1 */
} sphere_pile;

/* A pyramid that is pushed at random, on a ground that is a body: all contacts are round. */
static inline sphere_pile pyramid_of(int side, int layers, int law, int rows, double mu)
{
    return (sphere_pile){.nx = side,
                         .ny = side,
                         .nz = layers,
                         .pyramid = 1,
                         .jitter = 0.05,
                         .noise = 1.0,
                         .rows = rows,
                         .law = law,
                         .coef = {mu, 0.3 * mu, 0.2 * mu},
                         .ground_is_body = 1};
}

/* Centre of the sphere at (i, j) of a layer. */
static inline void pile_centre(const sphere_pile* pile, int i, int j, int layer, double x[3])
{
    double d = 2.0 * PILE_RADIUS;
    x[0] = d * (i + (pile->pyramid ? 0.5 * layer : 0.0));
    x[1] = d * (j + (pile->pyramid ? 0.5 * layer : 0.0));
    x[2] = PILE_RADIUS + d * layer * (pile->pyramid ? sqrt(0.5) : 1.0);
}

/* The spheres of a pile in the bodies form, standing on the ground z = 0; neighbours touch. */
static inline sample sample_pile(const sphere_pile* pile, scri_random* random)
{
    enum { MOST = 400 };
    static double centre[MOST][3];
    int32_t n_bodies = 0, n_contacts = 0;
    for (int layer = 0; layer < pile->nz; ++layer) {
        int less = pile->pyramid ? layer : 0;
        for (int i = 0; i < pile->nx - less; ++i) {
            for (int j = 0; j < pile->ny - less; ++j) {
                assert_true(n_bodies < MOST);
                pile_centre(pile, i, j, layer, centre[n_bodies++]);
            }
        }
    }
    static int pairs[8 * MOST][2];
    for (int a = 0; a < n_bodies; ++a) {
        if (centre[a][2] < 1.01 * PILE_RADIUS) {
            pairs[n_contacts][0] = a;
            pairs[n_contacts++][1] = -1;
        }
        for (int b = 0; b < a; ++b) {
            double square = 0.0;
            for (int k = 0; k < 3; ++k) {
                square += (centre[a][k] - centre[b][k]) * (centre[a][k] - centre[b][k]);
            }
            if (square > 4.04 * PILE_RADIUS * PILE_RADIUS) continue;
            pairs[n_contacts][0] = a;
            pairs[n_contacts++][1] = b;
        }
    }
    static int rows[8 * MOST], law[8 * MOST];
    for (int c = 0; c < n_contacts; ++c) rows[c] = pile->rows, law[c] = pile->law;
    sample s = sample_begin(n_contacts, rows, law);
    sample_add_bodies(&s, n_bodies + pile->ground_is_body);
    double* velocity = sample_take(&s, 6 * (size_t)(n_bodies + 1), sizeof(double));
    double* radius = sample_take(&s, (size_t)n_bodies, sizeof(double));
    for (int32_t b = 0; b < n_bodies; ++b) {
        radius[b] = PILE_RADIUS * (1.0 + pile->jitter * draw_between(random, -1.0, 1.0));
        double mass = PILE_DENSITY * 4.0 / 3.0 * SCREE_PI * (radius[b] * radius[b] * radius[b]);
        s.inv_mass[b] = 1.0 / mass;
        for (int k = 0; k < 3; ++k) {
            s.inv_inertia[6 * b + k] = 2.5 / (mass * radius[b] * radius[b]);
            velocity[6 * b + k] = PILE_DROP * pile->noise * draw_between(random, -1.0, 1.0);
            velocity[6 * b + 3 + k] =
                PILE_DROP * pile->noise * draw_between(random, -1.0, 1.0) / radius[b];
        }
        velocity[6 * b + 2] -= PILE_DROP;
    }
    for (int32_t c = 0; c < n_contacts; ++c) {
        int a = pairs[c][0], b = pairs[c][1];
        double *n = s.frame + 9 * c, length = 0.0, helper[3] = {0.3, 0.5, 0.8};
        for (int k = 0; k < 3; ++k) n[k] = b < 0 ? (k == 2) : centre[a][k] - centre[b][k];
        for (int k = 0; k < 3; ++k) length += n[k] * n[k];
        for (int k = 0; k < 3; ++k) n[k] /= sqrt(length);
        double *t = n + 3, *u = n + 6, along;
        for (int pass = 0; pass < 2; ++pass) {
            const double* from = pass ? t : helper;
            along = from[0] * n[0] + from[1] * n[1] + from[2] * n[2];
            for (int k = 0; k < 3; ++k) t[k] = from[k] - along * n[k];
            length = sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]);
            for (int k = 0; k < 3; ++k) t[k] /= length;
        }
        for (int k = 0; k < 3; ++k) {
            u[k] = n[(k + 1) % 3] * t[(k + 2) % 3] - n[(k + 2) % 3] * t[(k + 1) % 3];
            s.arm[6 * c + k] = -radius[a] * n[k];
            s.arm[6 * c + 3 + k] = b < 0 ? 0.0 : radius[b] * n[k];
        }
        s.pair[2 * c] = a;
        s.pair[2 * c + 1] = b < 0 && pile->ground_is_body ? n_bodies : b;
        s.coef[3 * c] = pile->coef[0];
        s.coef[3 * c + 1] = pile->coef[1] * PILE_RADIUS;
        s.coef[3 * c + 2] = pile->coef[2] * PILE_RADIUS;
    }
    /* q = H^T v of the free velocities */
    scri_arena* scratch = scri_arena_create(NULL);
    dense h = dense_rows_of_bodies(scratch, &s.view);
    for (int32_t i = 0; i < h.n; ++i) {
        real sum = 0;
        for (int32_t k = 0; k < h.m; ++k) sum += *dense_at(&h, i, k) * (real)velocity[k];
        s.q[i] = (double)sum;
    }
    scri_arena_destroy(scratch);
    return s;
}

#endif
