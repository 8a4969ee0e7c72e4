#include "solvers/newton_bodies.h"

#include "math/lists.h"
#include "problem/bodies_kernel.h"

#include <math.h>
#include <string.h>

enum { SIDE = 6, ENDS = 2 * SIDE };

/* Lower factor L[9] of the symmetric matrix xx yy zz xy xz yz, over `unit`; directions in which a
 * body cannot turn get a zero column. */
static void root_of_inertia(const double* inverse, double unit, double* l)
{
    double a[6];
    for (int i = 0; i < 6; ++i) a[i] = inverse[i] / unit;
    memset(l, 0, 9 * sizeof *l);
    l[0] = sqrt(fmax(a[0], 0.0));
    if (l[0] > 0.0) l[3] = a[3] / l[0], l[6] = a[4] / l[0];
    l[4] = sqrt(fmax(a[1] - l[3] * l[3], 0.0));
    if (l[4] > 0.0) l[7] = (a[5] - l[6] * l[3]) / l[4];
    l[8] = sqrt(fmax(a[2] - l[6] * l[6] - l[7] * l[7], 0.0));
}

static int32_t number_movers(const scree_bodies* bodies, int32_t* mover)
{
    int32_t n = 0;
    for (int32_t b = 0; b < bodies->n_bodies; ++b) mover[b] = bodies->inv_mass[b] > 0.0 ? n++ : -1;
    return n;
}

/* Adds one side of contact c to its rows of h, at end `at`. */
static void add_rows(const scri_newton_bodies* b, const scri_scaling* scaling, int32_t c, int side,
                     int at)
{
    const scree_problem* problem = b->problem;
    const scree_bodies* bodies = &problem->bodies;
    int32_t body = bodies->pair[2 * (size_t)c + (size_t)side];
    int width = problem->first_row[c + 1] - problem->first_row[c];
    double root = sqrt(bodies->inv_mass[body] / scaling->unit), l[9];
    root_of_inertia(bodies->inv_inertia + 6 * (size_t)body, scaling->unit, l);
    for (int i = 0; i < width; ++i) {
        size_t row = (size_t)problem->first_row[c] + (size_t)i;
        double raw[SIDE], *out = b->h + ENDS * row + (size_t)(SIDE * at);
        double scale = 1.0 / scaling->scale[row];
        scri_bodies_unit_row(bodies, c, side, width, i, raw);
        for (int j = 0; j < 3; ++j) {
            double turn = 0.0;
            for (int k = j; k < 3; ++k) turn += raw[3 + k] * l[3 * k + j];
            out[j] += scale * root * raw[j];
            out[3 + j] += scale * turn;
        }
    }
}

static void fill_rows(scri_newton_bodies* b, const scri_scaling* scaling)
{
    const int32_t* pair = b->problem->bodies.pair;
    for (int32_t c = 0; c < b->problem->n_contacts; ++c) {
        int32_t* end = b->end + 2 * (size_t)c;
        end[0] = end[1] = -1;
        for (int side = 0; side < 2; ++side) {
            int32_t body = pair[2 * (size_t)c + (size_t)side];
            int32_t mover = body < 0 ? -1 : b->mover[body];
            if (mover < 0) continue;
            int at = end[0] < 0 || end[0] == mover ? 0 : 1;
            end[at] = mover;
            add_rows(b, scaling, c, side, at);
        }
    }
}

/* Lists of movers that share a contact, each sorted and without repetition. */
static scree_status find_near(scri_arena* arena, scri_newton_bodies* b)
{
    int32_t movers = b->n / SIDE, n_contacts = b->problem->n_contacts;
    int32_t* fill = scri_arena_take(arena, (size_t)movers + 1, sizeof(int32_t));
    b->near_start = scri_arena_take(arena, (size_t)movers + 1, sizeof(int32_t));
    b->near = scri_arena_take(arena, (size_t)movers + 2 * (size_t)n_contacts, sizeof(int32_t));
    if (!fill || !b->near_start || !b->near) return SCREE_ERROR_MEMORY;
    for (int32_t c = 0; c < n_contacts; ++c) {
        const int32_t* end = b->end + 2 * (size_t)c;
        if (end[1] >= 0) ++fill[end[0]], ++fill[end[1]];
    }
    for (int32_t i = 0, at = 0; i < movers; ++i) {
        int32_t size = fill[i] + 1;
        b->near[at] = i;
        fill[i] = at + 1;
        at += size;
        b->near_start[i + 1] = at;
    }
    for (int32_t c = 0; c < n_contacts; ++c) {
        const int32_t* end = b->end + 2 * (size_t)c;
        if (end[1] < 0) continue;
        b->near[fill[end[0]]++] = end[1];
        b->near[fill[end[1]]++] = end[0];
    }
    scri_lists_unique(movers, b->near_start, b->near);
    return SCREE_OK;
}

static int32_t find_slot(const scri_newton_bodies* b, int32_t of, int32_t in)
{
    int32_t low = b->near_start[in], high = b->near_start[in + 1] - 1;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (b->near[middle] < of) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low - b->near_start[in];
}

static scree_status make_pattern(scri_arena* arena, scri_newton_bodies* b)
{
    int32_t movers = b->n / SIDE;
    size_t n_entries = (size_t)(SIDE * SIDE) * (size_t)b->near_start[movers];
    if (n_entries > INT32_MAX) return SCREE_ERROR_MEMORY;
    b->start = scri_arena_take(arena, (size_t)b->n + 1, sizeof(int32_t));
    b->row = scri_arena_take(arena, n_entries, sizeof(int32_t));
    b->value = scri_arena_take(arena, n_entries, sizeof(double));
    b->slot = scri_arena_take(arena, 4 * (size_t)b->problem->n_contacts, sizeof(int32_t));
    if (!b->start || !b->row || !b->value || !b->slot) return SCREE_ERROR_MEMORY;
    int32_t at = 0;
    for (int32_t i = 0; i < b->n; ++i) {
        for (int32_t k = b->near_start[i / SIDE]; k < b->near_start[i / SIDE + 1]; ++k) {
            for (int32_t j = 0; j < SIDE; ++j) b->row[at++] = SIDE * b->near[k] + j;
        }
        b->start[i + 1] = at;
    }
    for (int32_t c = 0; c < b->problem->n_contacts; ++c) {
        const int32_t* end = b->end + 2 * (size_t)c;
        for (int k = 0; k < 4; ++k) {
            int32_t of = end[k / 2], in = end[k % 2];
            b->slot[4 * (size_t)c + (size_t)k] = of < 0 || in < 0 ? -1 : find_slot(b, of, in);
        }
    }
    return SCREE_OK;
}

scree_status scri_newton_bodies_create(scri_arena* arena, const scree_problem* problem,
                                       const scri_scaling* scaling, scri_newton_bodies* out)
{
    size_t n_rows = (size_t)scree_problem_n_rows(problem);
    *out = (scri_newton_bodies){.problem = problem};
    out->mover = scri_arena_take(arena, (size_t)problem->bodies.n_bodies, sizeof(int32_t));
    out->end = scri_arena_take(arena, 2 * (size_t)problem->n_contacts, sizeof(int32_t));
    out->h = scri_arena_take(arena, ENDS * n_rows, sizeof(double));
    if (!out->mover || !out->end || !out->h) return SCREE_ERROR_MEMORY;
    out->n = SIDE * number_movers(&problem->bodies, out->mover);
    out->velocity = scri_arena_take(arena, (size_t)out->n, sizeof(double));
    fill_rows(out, scaling);
    if (!out->velocity || find_near(arena, out)) return SCREE_ERROR_MEMORY;
    return make_pattern(arena, out);
}

/* product[width][12] = D H of contact c. */
static void multiply_block(const double* d, const double* h, int width, double* product)
{
    memset(product, 0, (size_t)(width * ENDS) * sizeof *product);
    for (int i = 0; i < width; ++i) {
        for (int k = 0; k < width; ++k) {
            double entry = d[i * width + k];
            if (entry == 0.0) continue;
            for (int j = 0; j < ENDS; ++j) product[i * ENDS + j] += entry * h[k * ENDS + j];
        }
    }
}

/* The 6 x 6 block of ends (i, j): H_i^T times the columns of `product` that belong to j. */
static void add_block(const double* h, const double* product, int width, double* first,
                      int32_t stride)
{
    for (int j = 0; j < SIDE; ++j) {
        double* column = first + (size_t)j * (size_t)stride;
        for (int k = 0; k < width; ++k) {
            double factor = product[k * ENDS + j];
            for (int i = 0; i < SIDE; ++i) column[i] += h[k * ENDS + i] * factor;
        }
    }
}

void scri_newton_bodies_assemble(scri_newton_bodies* b, const double* d, const int64_t* block)
{
    memset(b->value, 0, (size_t)b->start[b->n] * sizeof *b->value);
    for (int32_t c = 0; c < b->problem->n_contacts; ++c) {
        const int32_t *end = b->end + 2 * (size_t)c, *slot = b->slot + 4 * (size_t)c;
        const double* h = b->h + ENDS * (size_t)b->problem->first_row[c];
        int width = b->problem->first_row[c + 1] - b->problem->first_row[c];
        double product[SCRI_MAX_WIDTH * ENDS];
        multiply_block(d + block[c], h, width, product);
        for (int k = 0; k < 4; ++k) {
            if (slot[k] < 0) continue;
            int32_t column = SIDE * end[k % 2], stride = b->start[column + 1] - b->start[column];
            double* first = b->value + b->start[column] + (size_t)(SIDE * slot[k]);
            add_block(h + (size_t)(SIDE * (k / 2)), product + (size_t)(SIDE * (k % 2)), width,
                      first, stride);
        }
    }
    for (int32_t i = 0; i < b->n; ++i) {
        int32_t at = b->start[i] + SIDE * find_slot(b, i / SIDE, i / SIDE) + i % SIDE;
        b->value[at] += 1.0;
    }
}

void scri_newton_bodies_gather(const scri_newton_bodies* b, const double* x, double* v)
{
    memset(v, 0, (size_t)b->n * sizeof *v);
    for (int32_t c = 0; c < b->problem->n_contacts; ++c) {
        for (int side = 0; side < 2; ++side) {
            int32_t end = b->end[2 * (size_t)c + (size_t)side];
            if (end < 0) continue;
            double* out = v + SIDE * (size_t)end;
            for (int32_t i = b->problem->first_row[c]; i < b->problem->first_row[c + 1]; ++i) {
                const double* h = b->h + ENDS * (size_t)i + (size_t)(SIDE * side);
                for (int j = 0; j < SIDE; ++j) out[j] += h[j] * x[i];
            }
        }
    }
}

void scri_newton_bodies_relative(const scri_newton_bodies* b, const double* v, double* y)
{
    for (int32_t c = 0; c < b->problem->n_contacts; ++c) {
        for (int32_t i = b->problem->first_row[c]; i < b->problem->first_row[c + 1]; ++i) {
            y[i] = 0.0;
        }
        for (int side = 0; side < 2; ++side) {
            int32_t end = b->end[2 * (size_t)c + (size_t)side];
            if (end < 0) continue;
            const double* from = v + SIDE * (size_t)end;
            for (int32_t i = b->problem->first_row[c]; i < b->problem->first_row[c + 1]; ++i) {
                const double* h = b->h + ENDS * (size_t)i + (size_t)(SIDE * side);
                for (int j = 0; j < SIDE; ++j) y[i] += h[j] * from[j];
            }
        }
    }
}
