#include "problem/coupling.h"

#include <stdlib.h>

static scree_status invert_touch(scri_arena* arena, scri_coupling* k)
{
    int32_t n_touch = k->touch_start[k->n_contacts];
    k->group_start = scri_arena_take(arena, (size_t)k->n_groups + 2, sizeof(int32_t));
    k->member = scri_arena_take(arena, (size_t)n_touch, sizeof(int32_t));
    if (!k->group_start || !k->member) return SCREE_ERROR_MEMORY;
    for (int32_t i = 0; i < n_touch; ++i) k->group_start[k->touch[i] + 2]++;
    for (int32_t g = 0; g < k->n_groups; ++g) k->group_start[g + 2] += k->group_start[g + 1];
    for (int32_t c = 0; c < k->n_contacts; ++c) {
        for (int32_t i = k->touch_start[c]; i < k->touch_start[c + 1]; ++i) {
            k->member[k->group_start[k->touch[i] + 1]++] = c;
        }
    }
    return SCREE_OK;
}

/* Contacts that share a group with c, c itself included; unordered. `mark` must not hold c yet. */
static int64_t neighbours(const scri_coupling* k, int32_t c, int32_t* mark, int32_t* list)
{
    int64_t n = 0;
    mark[c] = c + 1;
    if (list) list[n] = c;
    ++n;
    for (int32_t i = k->touch_start[c]; i < k->touch_start[c + 1]; ++i) {
        int32_t g = k->touch[i];
        for (int32_t j = k->group_start[g]; j < k->group_start[g + 1]; ++j) {
            int32_t d = k->member[j];
            if (mark[d] == c + 1) continue;
            mark[d] = c + 1;
            if (list) list[n] = d;
            ++n;
        }
    }
    return n;
}

static int compare(const void* a, const void* b)
{
    int32_t x = *(const int32_t*)a, y = *(const int32_t*)b;
    return (x > y) - (x < y);
}

scree_status scri_coupling_pattern(scri_arena* arena, const int32_t* row, scri_coupling* k,
                                   scree_bsr* w, double** value)
{
    size_t n = (size_t)k->n_contacts;
    int32_t* mark = scri_arena_take(arena, n, sizeof(int32_t));
    int32_t* start = scri_arena_take(arena, n + 1, sizeof(int32_t));
    if (invert_touch(arena, k) || !mark || !start) return SCREE_ERROR_MEMORY;
    int64_t total = 0;
    for (int32_t c = 0; c < k->n_contacts; ++c) {
        total += neighbours(k, c, mark, NULL);
        if (total > INT32_MAX) return SCREE_ERROR_MEMORY;
        start[c + 1] = (int32_t)total;
    }
    int32_t* column = scri_arena_take(arena, (size_t)total, sizeof(int32_t));
    int64_t* offset = scri_arena_take(arena, (size_t)total + 1, sizeof(int64_t));
    if (!column || !offset) return SCREE_ERROR_MEMORY;
    for (size_t c = 0; c < n; ++c) mark[c] = 0;
    for (int32_t c = 0; c < k->n_contacts; ++c) {
        int32_t *first = column + start[c], size = start[c + 1] - start[c];
        neighbours(k, c, mark, first);
        qsort(first, (size_t)size, sizeof *first, compare);
        for (int32_t i = start[c]; i < start[c + 1]; ++i) {
            int64_t columns = row[column[i] + 1] - row[column[i]];
            offset[i + 1] = offset[i] + (int64_t)(row[c + 1] - row[c]) * columns;
        }
    }
    *value = scri_arena_take(arena, (size_t)offset[total], sizeof(double));
    if (!*value) return SCREE_ERROR_MEMORY;
    *w = (scree_bsr){start, column, offset, *value};
    return SCREE_OK;
}

int64_t scri_coupling_find(const scree_bsr* w, int32_t c, int32_t d)
{
    int32_t low = w->start[c], high = w->start[c + 1] - 1;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (w->column[middle] < d) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return w->offset[low];
}
