#include "math/csc_build.h"

/* start[k] becomes the first slot of key k; start has n_keys + 1 entries, zero on entry. */
static void count_keys(int64_t n, const int32_t* key, int32_t n_keys, int32_t* start)
{
    for (int64_t k = 0; k < n; ++k) ++start[key[k] + 1];
    for (int32_t k = 0; k < n_keys; ++k) start[k + 1] += start[k];
}

/* order[] lists the triplets by increasing row, equal rows in the order given. `next` is scratch.
 */
static void order_by_row(int64_t n, const int32_t* row, int32_t* next, int32_t* order)
{
    for (int64_t k = 0; k < n; ++k) order[next[row[k]]++] = (int32_t)k;
}

/* Adds up neighbours that share a row, in place, and closes the gaps. */
static void sum_repeated(int32_t n_columns, int32_t* start, int32_t* row, double* value)
{
    int32_t to = 0, from = 0;
    for (int32_t j = 0; j < n_columns; ++j) {
        int32_t first = to, end = start[j + 1];
        start[j] = to;
        for (; from < end; ++from) {
            if (to > first && row[to - 1] == row[from]) {
                value[to - 1] += value[from];
            } else {
                row[to] = row[from];
                value[to++] = value[from];
            }
        }
    }
    start[n_columns] = to;
}

scree_status scri_csc_from_triplets(scri_arena* arena, const scri_triplets* t, scree_csc* out)
{
    if (t->count > INT32_MAX) return SCREE_ERROR_UNSUPPORTED;
    size_t count = (size_t)t->count;
    int32_t* start = scri_arena_take(arena, (size_t)t->n_columns + 1, sizeof *start);
    int32_t* row = scri_arena_take(arena, count, sizeof *row);
    double* value = scri_arena_take(arena, count, sizeof *value);
    int32_t* order = scri_arena_take(arena, count, sizeof *order);
    int32_t* next_in_row = scri_arena_take(arena, (size_t)t->n_rows + 1, sizeof *next_in_row);
    int32_t* next = scri_arena_take(arena, (size_t)t->n_columns + 1, sizeof *next);
    if (!start || !row || !value || !order || !next_in_row || !next) return SCREE_ERROR_MEMORY;

    count_keys(t->count, t->row, t->n_rows, next_in_row);
    order_by_row(t->count, t->row, next_in_row, order);
    count_keys(t->count, t->column, t->n_columns, start);
    for (int32_t j = 0; j < t->n_columns; ++j) next[j] = start[j];
    for (int64_t k = 0; k < t->count; ++k) {
        int32_t from = order[k], to = next[t->column[from]]++;
        row[to] = t->row[from];
        value[to] = t->value[from];
    }
    sum_repeated(t->n_columns, start, row, value);
    *out = (scree_csc){t->n_rows, t->n_columns, start, row, value};
    return SCREE_OK;
}
