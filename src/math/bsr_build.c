#include "math/bsr_build.h"

/* Everything here walks block columns from left to right, so that the blocks of a block row come
 * out with increasing columns and no sorting is needed. */
typedef struct walk {
    int32_t n_contacts;
    const int32_t* row;     /* [n_contacts + 1] first scalar row of each contact */
    const int32_t* contact; /* [row[n_contacts]] the contact a scalar row belongs to */
    int32_t* seen;          /* [n_contacts] last block column that touched a block row, plus one */
    int32_t* next;          /* [n_contacts] next free block of a block row */
} walk;

static scree_status start_walk(scri_arena* arena, int32_t n_contacts, const int32_t* row, walk* out)
{
    size_t n = (size_t)n_contacts;
    int32_t* contact = scri_arena_take(arena, (size_t)row[n_contacts], sizeof *contact);
    int32_t* seen = scri_arena_take(arena, n, sizeof *seen);
    int32_t* next = scri_arena_take(arena, n, sizeof *next);
    if (!contact || !seen || !next) return SCREE_ERROR_MEMORY;
    for (int32_t c = 0; c < n_contacts; ++c) {
        for (int32_t r = row[c]; r < row[c + 1]; ++r) contact[r] = c;
    }
    *out = (walk){n_contacts, row, contact, seen, next};
    return SCREE_OK;
}

static int32_t width(const int32_t* row, int32_t contact)
{
    return row[contact + 1] - row[contact];
}

/* Counts block (c, j) once, in start[c + 1]. */
static void count_block(walk* w, int32_t c, int32_t j, int64_t* n_blocks, int32_t* start)
{
    if (w->seen[c] == j + 1) return;
    w->seen[c] = j + 1;
    ++start[c + 1];
    ++*n_blocks;
}

/* start[] of the block rows, diagonal blocks included; returns the number of blocks. */
static int64_t count_blocks(walk* w, const scree_csc* matrix, int32_t* start)
{
    int64_t n_blocks = 0;
    for (int32_t j = 0; j < w->n_contacts; ++j) {
        count_block(w, j, j, &n_blocks, start);
        for (int32_t k = matrix->start[w->row[j]]; k < matrix->start[w->row[j + 1]]; ++k) {
            count_block(w, w->contact[matrix->row[k]], j, &n_blocks, start);
        }
    }
    for (int32_t c = 0; c < w->n_contacts; ++c) start[c + 1] += start[c];
    return n_blocks;
}

static void rewind_walk(walk* w, const int32_t* start)
{
    for (int32_t c = 0; c < w->n_contacts; ++c) {
        w->seen[c] = 0;
        w->next[c] = start[c];
    }
}

static void name_block(walk* w, int32_t c, int32_t j, int32_t* column)
{
    if (w->seen[c] == j + 1) return;
    w->seen[c] = j + 1;
    column[w->next[c]++] = j;
}

static void name_blocks(walk* w, const scree_csc* matrix, const int32_t* start, int32_t* column)
{
    rewind_walk(w, start);
    for (int32_t j = 0; j < w->n_contacts; ++j) {
        name_block(w, j, j, column);
        for (int32_t k = matrix->start[w->row[j]]; k < matrix->start[w->row[j + 1]]; ++k) {
            name_block(w, w->contact[matrix->row[k]], j, column);
        }
    }
}

static void place_blocks(const walk* w, const int32_t* start, const int32_t* column,
                         int64_t* offset)
{
    for (int32_t c = 0; c < w->n_contacts; ++c) {
        for (int32_t k = start[c]; k < start[c + 1]; ++k) {
            offset[k + 1] = offset[k] + (int64_t)width(w->row, c) * width(w->row, column[k]);
        }
    }
}

/* next[c] is the block of block row c that is filled now or comes next: its column is never below
 * the block column walked, because every stored block is named in the same order. */
static void fill_blocks(walk* w, const scree_csc* matrix, const int32_t* start,
                        const int32_t* column, const int64_t* offset, double* value)
{
    rewind_walk(w, start);
    for (int32_t j = 0; j < w->n_contacts; ++j) {
        int32_t n = width(w->row, j);
        for (int32_t s = w->row[j]; s < w->row[j + 1]; ++s) {
            for (int32_t k = matrix->start[s]; k < matrix->start[s + 1]; ++k) {
                int32_t r = matrix->row[k], c = w->contact[r];
                while (column[w->next[c]] < j) ++w->next[c];
                int64_t at = (int64_t)(r - w->row[c]) * n + (s - w->row[j]);
                value[offset[w->next[c]] + at] = matrix->value[k];
            }
        }
    }
}

scree_status scri_bsr_from_csc(scri_arena* arena, int32_t n_contacts, const int32_t* row,
                               const scree_csc* matrix, scree_bsr* out)
{
    int64_t n_entries = matrix->start[matrix->n_columns];
    if (n_entries > INT32_MAX - n_contacts) return SCREE_ERROR_UNSUPPORTED;
    walk w;
    if (start_walk(arena, n_contacts, row, &w)) return SCREE_ERROR_MEMORY;
    int32_t* start = scri_arena_take(arena, (size_t)n_contacts + 1, sizeof *start);
    if (!start) return SCREE_ERROR_MEMORY;
    size_t n_blocks = (size_t)count_blocks(&w, matrix, start);
    int32_t* column = scri_arena_take(arena, n_blocks, sizeof *column);
    int64_t* offset = scri_arena_take(arena, n_blocks + 1, sizeof *offset);
    if (!column || !offset) return SCREE_ERROR_MEMORY;
    name_blocks(&w, matrix, start, column);
    place_blocks(&w, start, column, offset);
    double* value = scri_arena_take(arena, (size_t)offset[n_blocks], sizeof *value);
    if (!value) return SCREE_ERROR_MEMORY;
    fill_blocks(&w, matrix, start, column, offset, value);
    *out = (scree_bsr){start, column, offset, value};
    return SCREE_OK;
}

/* start[] of the scalar columns. */
static void count_entries(int32_t n_contacts, const int32_t* row, const scree_bsr* matrix,
                          int32_t* start)
{
    for (int32_t c = 0; c < n_contacts; ++c) {
        int32_t height = width(row, c);
        for (int32_t k = matrix->start[c]; k < matrix->start[c + 1]; ++k) {
            int32_t j = matrix->column[k];
            for (int32_t s = row[j]; s < row[j + 1]; ++s) start[s + 1] += height;
        }
    }
    for (int32_t s = 0; s < row[n_contacts]; ++s) start[s + 1] += start[s];
}

scree_status scri_csc_from_bsr(scri_arena* arena, int32_t n_contacts, const int32_t* row,
                               const scree_bsr* matrix, scree_csc* out)
{
    int64_t count = matrix->offset[matrix->start[n_contacts]];
    if (count > INT32_MAX) return SCREE_ERROR_UNSUPPORTED;
    size_t n = (size_t)row[n_contacts];
    int32_t* start = scri_arena_take(arena, n + 1, sizeof *start);
    int32_t* next = scri_arena_take(arena, n + 1, sizeof *next);
    int32_t* entry_row = scri_arena_take(arena, (size_t)count, sizeof *entry_row);
    double* value = scri_arena_take(arena, (size_t)count, sizeof *value);
    if (!start || !next || !entry_row || !value) return SCREE_ERROR_MEMORY;

    count_entries(n_contacts, row, matrix, start);
    for (size_t s = 0; s < n; ++s) next[s] = start[s];
    for (int32_t c = 0; c < n_contacts; ++c) {
        for (int32_t r = row[c]; r < row[c + 1]; ++r) {
            for (int32_t k = matrix->start[c]; k < matrix->start[c + 1]; ++k) {
                int32_t j = matrix->column[k];
                const double* block_row =
                    matrix->value + matrix->offset[k] + (int64_t)(r - row[c]) * width(row, j);
                for (int32_t s = row[j]; s < row[j + 1]; ++s) {
                    entry_row[next[s]] = r;
                    value[next[s]++] = block_row[s - row[j]];
                }
            }
        }
    }
    *out = (scree_csc){row[n_contacts], row[n_contacts], start, entry_row, value};
    return SCREE_OK;
}
