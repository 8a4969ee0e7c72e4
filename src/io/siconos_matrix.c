#include "io/siconos_matrix.h"

#include <inttypes.h>
#include <stdio.h>

typedef struct reader {
    scri_text* text;
    const char* what;
    scri_arena* scratch;
    scri_triplets* entries;
} reader;

static scree_status take_entries(reader* r, int64_t count)
{
    scree_status status = scri_text_room(r->text, r->what, count);
    if (status) return status;
    if (count > INT32_MAX) {
        return scri_text_fail(r->text, SCREE_ERROR_UNSUPPORTED, "%s has more than %d entries",
                              r->what, INT32_MAX);
    }
    return scri_triplets_take(r->scratch, count, r->entries);
}

/* Reads `height` x `width` numbers, column after column, whose first stands at (row, column). */
static scree_status read_rectangle(reader* r, int32_t row, int32_t column, int32_t height,
                                   int32_t width)
{
    scri_triplets* t = r->entries;
    int64_t count = (int64_t)height * width;
    scree_status status = scri_text_numbers(r->text, r->what, count, t->value + t->count);
    if (status) return status;
    for (int32_t j = 0; j < width; ++j) {
        for (int32_t i = 0; i < height; ++i) {
            t->row[t->count] = row + i;
            t->column[t->count++] = column + j;
        }
    }
    return SCREE_OK;
}

static scree_status read_dense(reader* r)
{
    int32_t n_rows, n_columns;
    scree_status status = scri_text_integer(r->text, "the number of rows, repeated",
                                            r->entries->n_rows, r->entries->n_rows, &n_rows);
    if (!status) {
        status = scri_text_integer(r->text, "the number of columns, repeated",
                                   r->entries->n_columns, r->entries->n_columns, &n_columns);
    }
    if (!status) status = take_entries(r, (int64_t)r->entries->n_rows * r->entries->n_columns);
    if (!status) status = read_rectangle(r, 0, 0, r->entries->n_rows, r->entries->n_columns);
    return status;
}

/* Sparse blocks: block k of block row b lies in block column `column[k]`. */
typedef struct block_pattern {
    int32_t n_blocks, n_block_rows, n_block_columns;
    int32_t *row_end, *column_end; /* cumulative sizes, first entry 0 added in front */
    int32_t* start;                /* [n_block_rows + 1] */
    int32_t* column;               /* [n_blocks] */
} block_pattern;

/* The ends of the block rows or columns: they rise and end at `size`. Puts a 0 in front. */
static scree_status read_ends(reader* r, int32_t count, int32_t size, int32_t** out)
{
    scree_status status = scri_text_room(r->text, r->what, count);
    if (status) return status;
    int32_t* ends = scri_arena_take(r->scratch, (size_t)count + 1, sizeof *ends);
    if (!ends) return SCREE_ERROR_MEMORY;
    for (int32_t k = 0; k < count && !status; ++k) {
        status = scri_text_integer(r->text, "the end of a block", (int64_t)ends[k] + 1, size,
                                   &ends[k + 1]);
    }
    if (status) return status;
    if (ends[count] != size) {
        return scri_text_fail(r->text, SCREE_ERROR_FORMAT,
                              "the blocks of %s end at %" PRId32 ", not at its size %" PRId32,
                              r->what, ends[count], size);
    }
    *out = ends;
    return SCREE_OK;
}

/* Pointers of the block rows. A file may leave out trailing block rows that are empty. */
static scree_status read_block_starts(reader* r, int32_t n_given, block_pattern* p)
{
    p->start = scri_arena_take(r->scratch, (size_t)p->n_block_rows + 1, sizeof *p->start);
    if (!p->start) return SCREE_ERROR_MEMORY;
    scree_status status = scri_text_integer(r->text, "the first block pointer", 0, 0, &p->start[0]);
    for (int32_t b = 1; b < n_given && !status; ++b) {
        status = scri_text_integer(r->text, "a block pointer", p->start[b - 1], p->n_blocks,
                                   &p->start[b]);
    }
    if (status) return status;
    if (p->start[n_given - 1] != p->n_blocks) {
        return scri_text_fail(r->text, SCREE_ERROR_FORMAT,
                              "the last block pointer is %" PRId32 ", not the %" PRId32 " blocks",
                              p->start[n_given - 1], p->n_blocks);
    }
    for (int32_t b = n_given; b <= p->n_block_rows; ++b) p->start[b] = p->n_blocks;
    return SCREE_OK;
}

static scree_status read_block_columns(reader* r, block_pattern* p)
{
    p->column = scri_arena_take(r->scratch, (size_t)p->n_blocks, sizeof *p->column);
    if (!p->column) return SCREE_ERROR_MEMORY;
    scree_status status = SCREE_OK;
    for (int32_t k = 0; k < p->n_blocks && !status; ++k) {
        status =
            scri_text_integer(r->text, "a block column", 0, p->n_block_columns - 1, &p->column[k]);
    }
    return status;
}

static scree_status read_block_pattern(reader* r, block_pattern* p)
{
    scri_text* text = r->text;
    int32_t n_starts = 0, n_columns = 0;
    scree_status status = scri_text_integer(text, "the number of block rows", 1, r->entries->n_rows,
                                            &p->n_block_rows);
    if (!status) {
        status = scri_text_integer(text, "the number of block columns", 1, r->entries->n_columns,
                                   &p->n_block_columns);
    }
    if (!status) status = read_ends(r, p->n_block_rows, r->entries->n_rows, &p->row_end);
    if (!status) status = read_ends(r, p->n_block_columns, r->entries->n_columns, &p->column_end);
    if (!status) {
        status = scri_text_integer(text, "the number of block pointers", 1,
                                   (int64_t)p->n_block_rows + 1, &n_starts);
    }
    if (!status) {
        status = scri_text_integer(text, "the number of block columns listed", p->n_blocks,
                                   p->n_blocks, &n_columns);
    }
    if (!status) status = scri_text_room(text, r->what, (int64_t)n_starts + n_columns);
    if (!status) status = read_block_starts(r, n_starts, p);
    if (!status) status = read_block_columns(r, p);
    return status;
}

static int32_t size_of(const int32_t* end, int32_t block)
{
    return end[block + 1] - end[block];
}

/* Numbers in all blocks; stops counting where the file could not hold them anyway. */
static int64_t count_numbers(const reader* r, const block_pattern* p)
{
    int64_t count = 0, limit = r->text->end - r->text->at;
    for (int32_t b = 0; b < p->n_block_rows && count <= limit; ++b) {
        for (int32_t k = p->start[b]; k < p->start[b + 1] && count <= limit; ++k) {
            count += (int64_t)size_of(p->row_end, b) * size_of(p->column_end, p->column[k]);
        }
    }
    return count;
}

static scree_status read_blocks(reader* r)
{
    block_pattern p = {0};
    scree_status status =
        scri_text_integer(r->text, "the number of blocks", 0, INT32_MAX, &p.n_blocks);
    if (status || p.n_blocks == 0) return status;
    status = read_block_pattern(r, &p);
    if (!status) status = take_entries(r, count_numbers(r, &p));
    for (int32_t b = 0; b < p.n_block_rows && !status; ++b) {
        for (int32_t k = p.start[b]; k < p.start[b + 1] && !status; ++k) {
            int32_t number, j = p.column[k];
            status = scri_text_integer(r->text, "the number of a block", k, k, &number);
            if (!status) {
                status = read_rectangle(r, p.row_end[b], p.column_end[j], size_of(p.row_end, b),
                                        size_of(p.column_end, j));
            }
        }
    }
    return status;
}

/* "M-by-N," must repeat the sizes. */
static scree_status read_by_size(reader* r)
{
    char expected[48];
    snprintf(expected, sizeof expected, "%" PRId32 "-by-%" PRId32 ",", r->entries->n_rows,
             r->entries->n_columns);
    return scri_text_word(r->text, expected);
}

/* An integer that may carry a comma: "nnz: 12,". */
static scree_status read_listed(scri_text* text, const char* what, int32_t* out)
{
    scri_text ahead = *text;
    if (scri_text_next(&ahead) && ahead.length > 1 && ahead.token[ahead.length - 1] == ',') {
        ahead = (scri_text){.env = text->env,
                            .name = text->name,
                            .at = ahead.token,
                            .end = ahead.token + ahead.length - 1,
                            .line = ahead.token_line};
        scree_status status = scri_text_integer(&ahead, what, 0, INT32_MAX, out);
        if (!status) scri_text_next(text);
        return status;
    }
    return scri_text_integer(text, what, 0, INT32_MAX, out);
}

/* After the rest of the present line and one line of free text: "M-by-N, nzmax: X nnz: Y[, ...]",
 * with `kind` in front ("triplet:" or "csr:") where `required`; else it may be missing. */
static scree_status read_sparse_head(reader* r, const char* kind, bool required, int32_t* n_entries)
{
    scri_text* text = r->text;
    scri_text_skip_line(text);
    scri_text_skip_line(text);
    int32_t n_max;
    scri_text ahead = *text;
    scree_status status = SCREE_OK;
    if (required || (scri_text_next(&ahead) && scri_text_is(&ahead, kind))) {
        status = scri_text_word(text, kind);
    }
    if (!status) status = read_by_size(r);
    if (!status) status = scri_text_word(text, "nzmax:");
    if (!status) status = read_listed(text, "nzmax", &n_max);
    if (!status) status = scri_text_word(text, "nnz:");
    if (!status) status = read_listed(text, "nnz", n_entries);
    if (!status) scri_text_skip_line(text);
    if (!status) status = take_entries(r, *n_entries);
    return status;
}

static scree_status read_value(reader* r)
{
    scree_status status = scri_text_word(r->text, ":");
    if (!status) {
        status = scri_text_numbers(r->text, r->what, 1, r->entries->value + r->entries->count);
    }
    if (!status) ++r->entries->count;
    return status;
}

/* "ROW COLUMN : VALUE" */
static scree_status read_triplets(reader* r)
{
    int32_t n = 0;
    scree_status status = read_sparse_head(r, "triplet:", true, &n);
    for (int32_t k = 0; k < n && !status; ++k) {
        status = scri_text_integer(r->text, "a row", 0, (int64_t)r->entries->n_rows - 1,
                                   &r->entries->row[k]);
        if (!status) {
            status = scri_text_integer(r->text, "a column", 0, (int64_t)r->entries->n_columns - 1,
                                       &r->entries->column[k]);
        }
        if (!status) status = read_value(r);
    }
    return status;
}

/* "col J : locations LO to HI" or "row ...". `end` goes from LO to HI + 1. */
static scree_status read_line_head(scri_text* text, bool by_row, int32_t number, int32_t n_entries,
                                   int32_t* end)
{
    scri_text ahead = *text;
    bool other = by_row && scri_text_next(&ahead) && scri_text_is(&ahead, "col");
    int32_t seen, last;
    scree_status status = scri_text_word(text, by_row && !other ? "row" : "col");
    if (!status) status = scri_text_integer(text, "the number of a line", number, number, &seen);
    if (!status) status = scri_text_word(text, ":");
    if (!status) status = scri_text_word(text, "locations");
    if (!status) status = scri_text_integer(text, "a first location", *end, *end, &seen);
    if (!status) status = scri_text_word(text, "to");
    if (!status) {
        status = scri_text_integer(text, "a last location", (int64_t)*end - 1,
                                   (int64_t)n_entries - 1, &last);
    }
    if (!status) *end = last + 1;
    return status;
}

/* Compressed columns, or rows: a heading for each, then "INDEX : VALUE". */
static scree_status read_compressed(reader* r, bool by_row)
{
    int32_t n = 0, end = 0;
    scree_status status = read_sparse_head(r, by_row ? "csr:" : "csc:", false, &n);
    int32_t n_lines = by_row ? r->entries->n_rows : r->entries->n_columns;
    int32_t n_across = by_row ? r->entries->n_columns : r->entries->n_rows;
    int32_t* line = by_row ? r->entries->row : r->entries->column;
    int32_t* across = by_row ? r->entries->column : r->entries->row;
    for (int32_t j = 0; j < n_lines && !status; ++j) {
        status = read_line_head(r->text, by_row, j, n, &end);
        while (!status && r->entries->count < end) {
            line[r->entries->count] = j;
            status = scri_text_integer(r->text, by_row ? "a column" : "a row", 0,
                                       (int64_t)n_across - 1, &across[r->entries->count]);
            if (!status) status = read_value(r);
        }
    }
    if (!status && end != n) {
        return scri_text_fail(r->text, SCREE_ERROR_FORMAT,
                              "%s has %" PRId32 " entries, but announces %" PRId32, r->what, end,
                              n);
    }
    return status;
}

static scree_status read_sparse(reader* r)
{
    enum { TRIPLET = 1, COLUMNS = 2, ROWS = 3 };
    int32_t origin;
    scree_status status =
        scri_text_integer(r->text, "the kind of sparse storage", TRIPLET, ROWS, &origin);
    if (status) return status;
    return origin == TRIPLET ? read_triplets(r) : read_compressed(r, origin == ROWS);
}

scree_status scri_siconos_matrix_read(scri_text* text, const char* what, scri_arena* scratch,
                                      scri_triplets* out)
{
    *out = (scri_triplets){0};
    reader r = {.text = text, .what = what, .scratch = scratch, .entries = out};
    int32_t storage = SCRI_SICONOS_DENSE;
    scree_status status = scri_text_integer(text, "the storage of a matrix", SCRI_SICONOS_DENSE,
                                            SCRI_SICONOS_SPARSE, &storage);
    if (!status) status = scri_text_integer(text, "the number of rows", 0, INT32_MAX, &out->n_rows);
    if (!status) {
        status = scri_text_integer(text, "the number of columns", 0, INT32_MAX, &out->n_columns);
    }
    /* Each row and column has a number of its own in the vectors that follow the matrices. */
    if (!status) status = scri_text_room(text, what, out->n_rows);
    if (!status) status = scri_text_room(text, what, out->n_columns);
    if (status) return status;
    if (storage == SCRI_SICONOS_DENSE) return read_dense(&r);
    return storage == SCRI_SICONOS_BLOCKS ? read_blocks(&r) : read_sparse(&r);
}
