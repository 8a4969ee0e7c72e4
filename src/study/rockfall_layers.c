/* From the passages of all blocks to values of cells. */
#include "base/arena.h"
#include "study/rockfall.h"

#include <math.h>
#include <stdlib.h>

/* ---- sorting by cell ---- */

/* Passages of cell c are passage[start[c]] to passage[start[c + 1] - 1], in the order of blocks. */
typedef struct sorted {
    int64_t* start; /* [cells + 1] */
    const scri_passage** passage;
    double* values; /* room for those of the busiest cell */
} sorted;

static scree_status sort_passages(scri_arena* arena, int64_t cells, int32_t n,
                                  const scri_course* courses, sorted* out)
{
    out->start = scri_arena_take(arena, (size_t)cells + 1, sizeof *out->start);
    int64_t* next = scri_arena_take(arena, (size_t)cells + 1, sizeof *next);
    if (!out->start || !next) return SCREE_ERROR_MEMORY;
    for (int32_t b = 0; b < n; ++b) {
        for (int64_t i = 0; i < courses[b].n_passages; ++i) {
            ++out->start[courses[b].passages[i].cell + 1];
        }
    }
    for (int64_t c = 0; c < cells; ++c) {
        out->start[c + 1] += out->start[c];
        next[c + 1] = out->start[c + 1];
    }
    out->passage = scri_arena_take(arena, (size_t)out->start[cells] + 1, sizeof(scri_passage*));
    out->values = scri_arena_take(arena, (size_t)n + 1, sizeof *out->values);
    if (!out->passage || !out->values) return SCREE_ERROR_MEMORY;
    for (int32_t b = 0; b < n; ++b) {
        for (int64_t i = 0; i < courses[b].n_passages; ++i) {
            const scri_passage* p = &courses[b].passages[i];
            out->passage[next[p->cell]++] = p;
        }
    }
    return SCREE_OK;
}

/* ---- values ---- */

static int compare(const void* a, const void* b)
{
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

static double quantile(const double* sorted_values, int64_t n, double p)
{
    double at = p * (double)(n - 1);
    int64_t below = (int64_t)at;
    if (below >= n - 1) return sorted_values[n - 1];
    double share = at - (double)below;
    return sorted_values[below] + share * (sorted_values[below + 1] - sorted_values[below]);
}

static void fill_cell(const sorted* s, int64_t cell, int32_t blocks, double* const* layer)
{
    static const scree_rockfall_layer largest[SCRI_PASSAGE_VALUES] = {
        SCREE_ROCKFALL_SPEED_MAX, SCREE_ROCKFALL_ENERGY_MAX, SCREE_ROCKFALL_JUMP_MAX};
    int64_t first = s->start[cell], n = s->start[cell + 1] - first;
    layer[SCREE_ROCKFALL_PASSAGES][cell] = (double)n;
    layer[SCREE_ROCKFALL_FREQUENCY][cell] = blocks > 0 ? (double)n / blocks : 0.0;
    layer[SCREE_ROCKFALL_DEPOSITS][cell] = 0.0;
    for (int k = 0; k < SCRI_PASSAGE_VALUES; ++k) {
        double* const* three = layer + largest[k]; /* the largest, 90 %, 95 % */
        three[0][cell] = three[1][cell] = three[2][cell] = (double)NAN;
        if (n == 0) continue;
        for (int64_t i = 0; i < n; ++i) s->values[i] = s->passage[first + i]->most[k];
        qsort(s->values, (size_t)n, sizeof *s->values, compare);
        three[0][cell] = s->values[n - 1];
        three[1][cell] = quantile(s->values, n, 0.90);
        three[2][cell] = quantile(s->values, n, 0.95);
    }
}

scree_status scri_rockfall_layers(const scree_env* env, const scree_rockfall_map* map, int32_t n,
                                  const scri_course* courses, double* const* layer)
{
    int64_t cells = (int64_t)map->columns * map->rows;
    scri_arena* arena = scri_arena_create(env);
    sorted s = {0};
    scree_status status = arena ? sort_passages(arena, cells, n, courses, &s) : SCREE_ERROR_MEMORY;
    for (int64_t c = 0; c < cells && !status; ++c) fill_cell(&s, c, n, layer);
    for (int32_t b = 0; b < n && !status; ++b) {
        const scree_rock* rock = &courses[b].rock;
        if (rock->end != SCREE_ROCK_RESTED) continue;
        int32_t cell =
            scri_rockfall_cell(map, rock->last[0] - map->origin[0], rock->last[1] - map->origin[1]);
        layer[SCREE_ROCKFALL_DEPOSITS][cell] += 1.0;
    }
    scri_arena_destroy(arena);
    return status;
}
