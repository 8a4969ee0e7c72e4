#include "base/env.h"
#include "io/number_text.h"
#include "io/siconos.h"
#include "io/siconos_matrix.h"
#include "math/bsr_build.h"

#include <inttypes.h>
#include <math.h>

static void write_number(FILE* file, double value, char end)
{
    char text[SCRI_NUMBER_SIZE];
    int n = scri_number_print(value, text);
    text[n] = end;
    fwrite(text, 1, (size_t)n + 1, file);
}

/* A vector, `per_line` numbers to a line. */
static void write_vector(FILE* file, int32_t count, const double* value, int32_t per_line)
{
    for (int32_t k = 0; k < count; ++k) {
        write_number(file, value[k], (k + 1) % per_line == 0 ? '\n' : ' ');
    }
}

static void write_coef(FILE* file, const scree_problem* p, int which)
{
    for (int32_t c = 0; c < p->n_contacts; ++c) {
        write_number(file, p->coef[3 * (int64_t)c + which], '\n');
    }
}

static void write_head(FILE* file, int storage, int32_t n_rows, int32_t n_columns)
{
    fprintf(file, "%d\n%" PRId32 "\n%" PRId32 "\n", storage, n_rows, n_columns);
}

/* Sparse blocks, one block row per contact; block sizes are cumulative, blocks column by column. */
static void write_blocks(FILE* file, const scri_writable* writable)
{
    const scree_problem* p = &writable->problem;
    const scree_bsr* w = &p->w;
    int32_t n = p->n_contacts, width = writable->width, n_blocks = w->start[n];
    write_head(file, SCRI_SICONOS_BLOCKS, p->first_row[n], p->first_row[n]);
    fprintf(file, "%" PRId32 "\n%" PRId32 "\n%" PRId32 "\n", n_blocks, n, n);
    for (int side = 0; side < 2; ++side) {
        for (int32_t c = 0; c < n; ++c) fprintf(file, "%" PRId32 "\n", p->first_row[c + 1]);
    }
    fprintf(file, "%" PRId32 "\n%" PRId32 "\n", n + 1, n_blocks);
    for (int32_t c = 0; c <= n; ++c) fprintf(file, "%" PRId32 "\n", w->start[c]);
    for (int32_t k = 0; k < n_blocks; ++k) fprintf(file, "%" PRId32 "\n", w->column[k]);
    for (int32_t k = 0; k < n_blocks; ++k) {
        const double* block = w->value + w->offset[k];
        fprintf(file, "%" PRId32 "\n", k);
        for (int32_t j = 0; j < width; ++j) {
            for (int32_t i = 0; i < width; ++i) {
                write_number(file, block[i * width + j], i + 1 < width ? ' ' : '\n');
            }
        }
    }
}

static double one_norm(const scree_csc* m)
{
    double norm = 0.0;
    for (int32_t j = 0; j < m->n_columns; ++j) {
        double sum = 0.0;
        for (int32_t k = m->start[j]; k < m->start[j + 1]; ++k) sum += fabs(m->value[k]);
        norm = fmax(norm, sum);
    }
    return norm;
}

/* Compressed columns. Siconos reads this line by line and skips the second one. */
static void write_columns(FILE* file, const scree_csc* m)
{
    int32_t n_entries = m->start[m->n_columns];
    write_head(file, SCRI_SICONOS_SPARSE, m->n_rows, m->n_columns);
    fprintf(file, "2\nCSparse columns, written by Scree\n");
    fprintf(file,
            "%" PRId32 "-by-%" PRId32 ", nzmax: %" PRId32 " nnz: %" PRId32 ", 1-norm: ", m->n_rows,
            m->n_columns, n_entries > 0 ? n_entries : 1, n_entries);
    write_number(file, one_norm(m), '\n');
    for (int32_t j = 0; j < m->n_columns; ++j) {
        fprintf(file, "    col %" PRId32 " : locations %" PRId32 " to %" PRId32 "\n", j,
                m->start[j], m->start[j + 1] - 1);
        for (int32_t k = m->start[j]; k < m->start[j + 1]; ++k) {
            fprintf(file, "      %" PRId32 " : ", m->row[k]);
            write_number(file, m->value[k], '\n');
        }
    }
}

/* An LCP's matrix as all its columns, a line each. */
static scree_status write_dense(const scree_env* env, FILE* file, const scree_problem* p)
{
    scri_arena* arena = scri_arena_create(env);
    if (!arena) return SCREE_ERROR_MEMORY;
    scree_csc m;
    int32_t n = p->first_row[p->n_contacts];
    double* column = scri_arena_take(arena, (size_t)n, sizeof *column);
    scree_status status = column ? SCREE_OK : SCREE_ERROR_MEMORY;
    if (!status) status = scri_csc_from_bsr(arena, p->n_contacts, p->first_row, &p->w, &m);
    if (!status) {
        write_head(file, SCRI_SICONOS_DENSE, n, n);
        fprintf(file, "%" PRId32 " %" PRId32 "\n", n, n);
        for (int32_t j = 0; j < n; ++j) {
            for (int32_t k = m.start[j]; k < m.start[j + 1]; ++k) column[m.row[k]] = m.value[k];
            write_vector(file, n, column, n);
            for (int32_t k = m.start[j]; k < m.start[j + 1]; ++k) column[m.row[k]] = 0.0;
        }
    }
    scri_arena_destroy(arena);
    return status;
}

/* Siconos's rolling solvers take diagonal blocks from dense and sparse matrices, not from blocks.
 */
static scree_status write_sparse(const scree_env* env, FILE* file, const scree_problem* p)
{
    scri_arena* arena = scri_arena_create(env);
    scree_csc m;
    scree_status status = arena ? scri_csc_from_bsr(arena, p->n_contacts, p->first_row, &p->w, &m)
                                : SCREE_ERROR_MEMORY;
    if (!status) write_columns(file, &m);
    scri_arena_destroy(arena);
    return status;
}

static int rolls(const scri_writable* writable)
{
    return writable->rows == SCREE_ROWS_NTTRR || writable->rows == SCREE_ROWS_NTR;
}

scree_status scri_siconos_write(const scree_env* env, const scri_writable* writable, FILE* file)
{
    const scree_problem* p = &writable->problem;
    int32_t n_rows = p->first_row[p->n_contacts], width = writable->width;
    if (writable->rows == SCREE_ROWS_N) {
        fprintf(file, "%" PRId32 "\n", n_rows);
        scree_status status = write_dense(env, file, p);
        if (!status) write_vector(file, n_rows, p->q, 1);
        return status;
    }
    fprintf(file, "%" PRId32 "\n%" PRId32 "\n", width, p->n_contacts);
    if (p->form == SCREE_FORM_FACTORED) {
        write_columns(file, &p->factored.mass);
        write_columns(file, &p->factored.h);
        write_vector(file, p->factored.mass.n_rows, p->factored.force, 1);
    } else if (rolls(writable)) {
        scree_status status = write_sparse(env, file, p);
        if (status) return status;
    } else {
        write_blocks(file, writable);
    }
    write_vector(file, n_rows, p->q, width);
    write_coef(file, p, 0);
    if (rolls(writable)) write_coef(file, p, 1);
    return SCREE_OK;
}
