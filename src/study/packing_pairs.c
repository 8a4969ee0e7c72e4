/* The search for neighbours among spheres of about one size: a dense grid of cells. */
#include "base/env.h"
#include "study/packing.h"

#include <math.h>
#include <string.h>

typedef struct cell_grid {
    double origin[3], width;
    int32_t count[3];
    int32_t* start;  /* [cells + 1] */
    int32_t* member; /* [n] spheres by cell, in ascending order within one */
    int32_t* home;   /* [n] cell of each sphere */
} cell_grid;

/* Memory for `count` items of which the first `kept` bytes stay; NULL when it is short. */
static void* resized(const scree_env* env, void* old, size_t size, size_t kept)
{
    void* memory = scri_alloc(env, size);
    if (!memory) return NULL;
    if (kept > 0) memcpy(memory, old, kept);
    scri_release(env, old);
    return memory;
}

static int32_t cells_along(const cell_grid* grid, const double top[3], int axis)
{
    return (int32_t)((top[axis] - grid->origin[axis]) / grid->width) + 1;
}

/* Cells as wide as two spheres reach, or wider where there would be many more cells than spheres.
 */
static void choose_cells(cell_grid* grid, const scri_spheres* s, double reach)
{
    double largest = 0.0, top[3], cells;
    for (int k = 0; k < 3; ++k) grid->origin[k] = top[k] = s->centre[k];
    for (int32_t i = 0; i < s->n; ++i) {
        largest = fmax(largest, s->radius[i]);
        for (int k = 0; k < 3; ++k) {
            double x = s->centre[3 * (size_t)i + (size_t)k];
            grid->origin[k] = fmin(grid->origin[k], x);
            top[k] = fmax(top[k], x);
        }
    }
    grid->width = (2.0 * largest + reach) / 1.25;
    do {
        grid->width *= 1.25;
        cells = 1.0;
        for (int k = 0; k < 3; ++k) cells *= grid->count[k] = cells_along(grid, top, k);
    } while (cells > 4.0 * s->n + 64.0);
}

static int32_t cell_at(const cell_grid* grid, const int32_t at[3])
{
    return (at[2] * grid->count[1] + at[1]) * grid->count[0] + at[0];
}

static void find_cell(const cell_grid* grid, const double* x, int32_t at[3])
{
    for (int k = 0; k < 3; ++k) at[k] = (int32_t)((x[k] - grid->origin[k]) / grid->width);
}

static scree_status build(scri_near_pairs* list, const scri_spheres* s, double reach,
                          cell_grid* grid)
{
    choose_cells(grid, s, reach);
    int32_t cells = grid->count[0] * grid->count[1] * grid->count[2];
    size_t n = (size_t)s->n, wanted = (size_t)cells + 1 + 2 * n;
    if (list->n_cells < wanted) {
        int32_t* memory = resized(list->env, list->cells, 2 * wanted * sizeof(int32_t), 0);
        if (!memory) return SCREE_ERROR_MEMORY;
        list->cells = memory;
        list->n_cells = 2 * wanted;
    }
    grid->start = list->cells;
    grid->member = grid->start + cells + 1;
    grid->home = grid->member + n;
    memset(grid->start, 0, ((size_t)cells + 1) * sizeof(int32_t));
    for (size_t i = 0; i < n; ++i) {
        int32_t at[3];
        find_cell(grid, s->centre + 3 * i, at);
        grid->home[i] = cell_at(grid, at);
        ++grid->start[grid->home[i] + 1];
    }
    for (int32_t c = 0; c < cells; ++c) grid->start[c + 1] += grid->start[c];
    /* from the last sphere on, so that start[c + 1] ends as the beginning of cell c + 1 again */
    for (size_t i = n; i-- > 0;) {
        int32_t c = grid->home[i];
        grid->member[--grid->start[c + 1]] = (int32_t)i;
    }
    for (int32_t c = 0; c < cells; ++c) grid->start[c] = grid->start[c + 1];
    grid->start[cells] = s->n;
    return SCREE_OK;
}

static scree_status add(scri_near_pairs* list, int32_t a, int32_t b)
{
    if (list->n == list->capacity) {
        size_t capacity = 2 * list->capacity + 1024, item = 2 * sizeof(int32_t);
        int32_t* memory = resized(list->env, list->pair, capacity * item, list->n * item);
        if (!memory) return SCREE_ERROR_MEMORY;
        list->pair = memory;
        list->capacity = capacity;
    }
    list->pair[2 * list->n] = a;
    list->pair[2 * list->n++ + 1] = b;
    return SCREE_OK;
}

/* Pairs of sphere a with later ones in one cell. */
static scree_status search_cell(scri_near_pairs* list, const scri_spheres* s, const cell_grid* grid,
                                int32_t a, int32_t cell, double reach)
{
    const double* x = s->centre + 3 * (size_t)a;
    for (int32_t m = grid->start[cell]; m < grid->start[cell + 1]; ++m) {
        int32_t b = grid->member[m];
        if (b <= a) continue;
        const double* y = s->centre + 3 * (size_t)b;
        double dx = x[0] - y[0], dy = x[1] - y[1], dz = x[2] - y[2];
        double far = s->radius[a] + s->radius[b] + reach;
        if (dx * dx + dy * dy + dz * dz >= far * far) continue;
        scree_status status = add(list, a, b);
        if (status) return status;
    }
    return SCREE_OK;
}

scree_status scri_near_pairs_find(scri_near_pairs* list, const scri_spheres* spheres, double reach)
{
    cell_grid grid;
    scree_status status = build(list, spheres, reach, &grid);
    list->n = 0;
    for (int32_t a = 0; a < spheres->n && !status; ++a) {
        int32_t at[3], low[3], high[3], c[3];
        find_cell(&grid, spheres->centre + 3 * (size_t)a, at);
        for (int k = 0; k < 3; ++k) {
            low[k] = at[k] > 0 ? at[k] - 1 : 0;
            high[k] = at[k] + 1 < grid.count[k] ? at[k] + 1 : at[k];
        }
        for (c[2] = low[2]; c[2] <= high[2]; ++c[2]) {
            for (c[1] = low[1]; c[1] <= high[1]; ++c[1]) {
                for (c[0] = low[0]; c[0] <= high[0] && !status; ++c[0]) {
                    status = search_cell(list, spheres, &grid, a, cell_at(&grid, c), reach);
                }
            }
        }
    }
    return status;
}

void scri_near_pairs_release(scri_near_pairs* list)
{
    scri_release(list->env, list->pair);
    scri_release(list->env, list->cells);
    *list = (scri_near_pairs){.env = list->env};
}
