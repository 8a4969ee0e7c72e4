#include "solvers/newton_contacts.h"

#include "math/bsr_kernel.h"
#include "math/lists.h"

#include <math.h>
#include <string.h>

static int width_of(const scri_newton_contacts* b, int32_t c)
{
    return b->problem->first_row[c + 1] - b->problem->first_row[c];
}

static void scale_values(const scri_newton_contacts* b, const scri_scaling* scaling)
{
    const scree_bsr* w = &b->problem->w;
    for (int32_t c = 0; c < b->problem->n_contacts; ++c) {
        const double* s = scaling->scale + b->problem->first_row[c];
        int rows = width_of(b, c);
        for (int32_t k = w->start[c]; k < w->start[c + 1]; ++k) {
            const double* t = scaling->scale + b->problem->first_row[w->column[k]];
            int columns = width_of(b, w->column[k]);
            for (int i = 0; i < rows * columns; ++i) {
                int64_t at = w->offset[k] + i;
                b->w[at] = w->value[at] / (scaling->unit * (s[i / columns] * t[i % columns]));
            }
        }
    }
}

/* For every contact those whose blocks with it are stored on either side of the diagonal. */
static scree_status find_near(scri_arena* arena, scri_newton_contacts* b)
{
    const scree_bsr* w = &b->problem->w;
    int32_t n = b->problem->n_contacts;
    size_t n_blocks = (size_t)w->start[n];
    int32_t* fill = scri_arena_take(arena, (size_t)n + 1, sizeof(int32_t));
    b->near_start = scri_arena_take(arena, (size_t)n + 1, sizeof(int32_t));
    b->near = scri_arena_take(arena, 2 * n_blocks + (size_t)n, sizeof(int32_t));
    if (!fill || !b->near_start || !b->near) return SCREE_ERROR_MEMORY;
    for (int32_t c = 0; c < n; ++c) {
        fill[c + 1] += 1 + w->start[c + 1] - w->start[c];
        for (int32_t k = w->start[c]; k < w->start[c + 1]; ++k) ++fill[w->column[k] + 1];
    }
    for (int32_t c = 0; c < n; ++c) fill[c + 1] += fill[c];
    memcpy(b->near_start, fill, ((size_t)n + 1) * sizeof *fill);
    for (int32_t c = 0; c < n; ++c) {
        b->near[fill[c]++] = c;
        for (int32_t k = w->start[c]; k < w->start[c + 1]; ++k) {
            b->near[fill[c]++] = w->column[k];
            b->near[fill[w->column[k]]++] = c;
        }
    }
    scri_lists_unique(n, b->near_start, b->near);
    return SCREE_OK;
}

/* First entry of block (c, d) in the first column of d. */
static int32_t find_place(const scri_newton_contacts* b, int32_t c, int32_t d)
{
    int32_t at = b->start[b->problem->first_row[d]];
    for (int32_t k = b->near_start[d]; b->near[k] != c; ++k) at += width_of(b, b->near[k]);
    return at;
}

static scree_status make_pattern(scri_arena* arena, scri_newton_contacts* b)
{
    const scree_problem* problem = b->problem;
    int64_t n_entries = 0;
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        for (int32_t k = b->near_start[c]; k < b->near_start[c + 1]; ++k) {
            n_entries += (int64_t)width_of(b, c) * width_of(b, b->near[k]);
        }
    }
    if (n_entries > INT32_MAX) return SCREE_ERROR_MEMORY;
    size_t n_blocks = (size_t)problem->w.start[problem->n_contacts];
    b->start = scri_arena_take(arena, (size_t)b->n + 1, sizeof(int32_t));
    b->row = scri_arena_take(arena, (size_t)n_entries, sizeof(int32_t));
    b->value = scri_arena_take(arena, (size_t)n_entries, sizeof(double));
    b->place = scri_arena_take(arena, n_blocks, sizeof(int32_t));
    if (!b->start || !b->row || !b->value || !b->place) return SCREE_ERROR_MEMORY;
    int32_t at = 0;
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        for (int32_t i = problem->first_row[c]; i < problem->first_row[c + 1]; ++i) {
            for (int32_t k = b->near_start[c]; k < b->near_start[c + 1]; ++k) {
                int32_t first = problem->first_row[b->near[k]];
                for (int j = 0; j < width_of(b, b->near[k]); ++j) b->row[at++] = first + j;
            }
            b->start[i + 1] = at;
        }
    }
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        for (int32_t k = problem->w.start[c]; k < problem->w.start[c + 1]; ++k) {
            b->place[k] = find_place(b, c, problem->w.column[k]);
        }
    }
    return SCREE_OK;
}

scree_status scri_newton_contacts_create(scri_arena* arena, const scree_problem* problem,
                                         const scri_scaling* scaling, scri_newton_contacts* out)
{
    size_t n_values = (size_t)problem->w.offset[problem->w.start[problem->n_contacts]];
    *out = (scri_newton_contacts){.problem = problem, .n = scree_problem_n_rows(problem)};
    out->w = scri_arena_take(arena, n_values, sizeof(double));
    out->weight = scri_arena_take(arena, (size_t)out->n, sizeof(double));
    if (!out->w || !out->weight || find_near(arena, out)) return SCREE_ERROR_MEMORY;
    scale_values(out, scaling);
    return make_pattern(arena, out);
}

static void find_weights(scri_newton_contacts* b, const double* d, const int64_t* block)
{
    for (int32_t c = 0; c < b->problem->n_contacts; ++c) {
        int width = width_of(b, c);
        for (int i = 0; i < width; ++i) {
            double most = 0.0;
            for (int j = 0; j < width; ++j) most = fmax(most, fabs(d[block[c] + i * width + j]));
            b->weight[b->problem->first_row[c] + i] = 1.0 / (1.0 + most);
        }
    }
}

void scri_newton_contacts_assemble(scri_newton_contacts* b, const double* d, const int64_t* block)
{
    const scree_bsr* w = &b->problem->w;
    const int32_t* row = b->problem->first_row;
    memset(b->value, 0, (size_t)b->start[b->n] * sizeof *b->value);
    find_weights(b, d, block);
    for (int32_t c = 0; c < b->problem->n_contacts; ++c) {
        int rows = width_of(b, c);
        for (int32_t k = w->start[c]; k < w->start[c + 1]; ++k) {
            int32_t other = w->column[k], first = row[other];
            int columns = width_of(b, other);
            int32_t stride = b->start[first + 1] - b->start[first];
            const double* from = b->w + w->offset[k];
            double* to = b->value + b->place[k];
            for (int i = 0; i < rows; ++i) {
                const double* line = d + block[c] + (size_t)(i * rows);
                for (int j = 0; j < columns; ++j) {
                    double sum = 0.0;
                    for (int m = 0; m < rows; ++m) sum += line[m] * from[m * columns + j];
                    to[(size_t)j * (size_t)stride + (size_t)i] = sum * b->weight[row[c] + i];
                }
            }
        }
        int32_t own = find_place(b, c, c), side = b->start[row[c] + 1] - b->start[row[c]];
        for (int i = 0; i < rows; ++i) b->value[own + i * (side + 1)] += b->weight[row[c] + i];
    }
}

void scri_newton_contacts_multiply(const scri_newton_contacts* b, const double* x, double* y)
{
    const scree_bsr* w = &b->problem->w;
    const int32_t* row = b->problem->first_row;
    memset(y, 0, (size_t)b->n * sizeof *y);
    for (int32_t c = 0; c < b->problem->n_contacts; ++c) {
        for (int32_t k = w->start[c]; k < w->start[c + 1]; ++k) {
            scri_block_multiply_add(width_of(b, c), width_of(b, w->column[k]), b->w + w->offset[k],
                                    x + row[w->column[k]], y + row[c]);
        }
    }
}
