#include "collide/grid.h"

#include "shapes/bounds.h"

#include <string.h>

/* Cells along one axis; what lies outside belongs to the outermost cell, which costs time only. */
#define MAX_CELLS ((uint64_t)1 << 20)

/* What rounding may do to a cell's number, to a radius. */
#define CELL_SLACK 1e-6
#define REACH_SLACK 1e-12

/* ---- memory ---- */

int scri_buffer_reserve(const scree_env* env, scri_buffer* buffer, size_t count, size_t item,
                        size_t kept)
{
    if (count > SIZE_MAX / 4 / item) return 0;
    if (buffer->data && count * item <= buffer->size) return 1;
    size_t size = count * item, grown = buffer->size + buffer->size / 2;
    if (size < grown) size = grown;
    void* data = scri_alloc(env, size);
    if (!data) return 0;
    if (kept && buffer->data) memcpy(data, buffer->data, kept * item);
    scri_release(env, buffer->data);
    *buffer = (scri_buffer){data, size};
    return 1;
}

scree_status scri_pair_list_grow(scri_pair_list* list)
{
    size_t wanted = list->capacity < 32 ? 64 : 2 * list->capacity;
    if (list->n >= SCRI_MAX_PAIRS) {
        return scri_fail(list->env, SCREE_ERROR_INPUT, "more than %d pairs of shapes touch",
                         (int)SCRI_MAX_PAIRS);
    }
    if (wanted > SCRI_MAX_PAIRS) wanted = SCRI_MAX_PAIRS;
    if (!scri_buffer_reserve(list->env, &list->memory, wanted, sizeof *list->pairs, list->n)) {
        return scri_fail(list->env, SCREE_ERROR_MEMORY, "no memory for %zu pairs of shapes",
                         wanted);
    }
    list->pairs = list->memory.data;
    list->capacity = wanted;
    return SCREE_OK;
}

/* ---- cells ---- */

static uint64_t cell_of(const scri_grid* grid, int k, double x)
{
    double t = (x - grid->origin[k]) * grid->per_metre;
    if (!(t > 0.0)) return 0;
    return t < (double)grid->cells[k] ? (uint64_t)t : grid->cells[k] - 1;
}

static uint64_t key_of(const scri_grid* grid, const double* x)
{
    return cell_of(grid, 0, x[0]) + grid->stride[1] * cell_of(grid, 1, x[1]) +
           grid->stride[2] * cell_of(grid, 2, x[2]);
}

/* Where the shapes are, by a sample: far outliers must not count. */
static double sample_median(const scri_grid* grid, const scri_placed* shapes, int k)
{
    enum { SAMPLES = 101 };
    double sorted[SAMPLES];
    int n = grid->n < SAMPLES ? grid->n : SAMPLES;
    for (int i = 0; i < n; ++i) {
        size_t shape = (size_t)grid->keys[(int64_t)grid->n * i / n].shape;
        double x = shapes->position[3 * shape + (size_t)k];
        int at = i;
        for (; at > 0 && sorted[at - 1] > x; --at) sorted[at] = sorted[at - 1];
        sorted[at] = x;
    }
    return sorted[n / 2];
}

static void choose_cells(scri_grid* grid, const scri_placed* shapes)
{
    double lower[3], upper[3];
    for (int k = 0; k < 3; ++k) {
        lower[k] = SCREE_INFINITY;
        upper[k] = -SCREE_INFINITY;
    }
    for (int32_t i = 0; i < grid->n; ++i) {
        const double* x = shapes->position + 3 * (size_t)grid->keys[i].shape;
        for (int k = 0; k < 3; ++k) {
            lower[k] = x[k] < lower[k] ? x[k] : lower[k];
            upper[k] = x[k] > upper[k] ? x[k] : upper[k];
        }
    }
    memcpy(grid->lower, lower, sizeof lower);
    memcpy(grid->upper, upper, sizeof upper);
    double cell = (2.0 * grid->extent + grid->margin) * (1.0 + CELL_SLACK);
    grid->per_metre = 1.0 / cell;
    for (int k = 0; k < 3; ++k) {
        grid->origin[k] = lower[k];
        double n = floor((upper[k] - lower[k]) / cell) + 1.0;
        grid->cells[k] = n < (double)MAX_CELLS ? (uint64_t)n : MAX_CELLS;
        if (n < (double)MAX_CELLS) continue;
        double start = sample_median(grid, shapes, k) - 0.5 * (double)MAX_CELLS * cell;
        if (start > lower[k]) grid->origin[k] = start;
    }
    /* one empty column between rows, so that a step off the end of a row meets nothing */
    grid->stride[0] = 1;
    grid->stride[1] = grid->cells[0] + 1;
    grid->stride[2] = grid->stride[1] * (grid->cells[1] + 1);
}

/* ---- sorting ---- */

enum { DIGIT_BITS = 11, N_DIGITS = 1 << DIGIT_BITS };

/* One pass; 0 when all have the same digit and nothing moves. */
static int sort_by_digit(const scri_cell_key* from, scri_cell_key* to, int32_t n, int shift)
{
    uint32_t start[N_DIGITS] = {0};
    for (int32_t i = 0; i < n; ++i) ++start[from[i].key >> shift & (N_DIGITS - 1)];
    if (start[from[0].key >> shift & (N_DIGITS - 1)] == (uint32_t)n) return 0;
    uint32_t sum = 0;
    for (int d = 0; d < N_DIGITS; ++d) {
        uint32_t count = start[d];
        start[d] = sum;
        sum += count;
    }
    for (int32_t i = 0; i < n; ++i) to[start[from[i].key >> shift & (N_DIGITS - 1)]++] = from[i];
    return 1;
}

/* Stable, so shapes of one cell stay in ascending order. */
static void sort_keys(scri_cell_key* keys, scri_cell_key* spare, int32_t n, uint64_t largest)
{
    if (n < 64) {
        for (int32_t i = 1; i < n; ++i) {
            scri_cell_key moved = keys[i];
            int32_t at = i;
            for (; at > 0 && keys[at - 1].key > moved.key; --at) keys[at] = keys[at - 1];
            keys[at] = moved;
        }
        return;
    }
    scri_cell_key *from = keys, *to = spare;
    for (int shift = 0; shift < 64 && largest >> shift; shift += DIGIT_BITS) {
        if (!sort_by_digit(from, to, n, shift)) continue;
        scri_cell_key* kept = from;
        from = to;
        to = kept;
    }
    if (from != keys) memcpy(keys, from, (size_t)n * sizeof *keys);
}

void scri_grid_build(scri_grid* grid, const scri_placed* s, scri_cell_key* spare)
{
    choose_cells(grid, s);
    uint64_t largest = 0;
    for (int32_t i = 0; i < grid->n; ++i) {
        uint64_t key = key_of(grid, s->position + 3 * (size_t)grid->keys[i].shape);
        grid->keys[i].key = key;
        largest = key > largest ? key : largest;
    }
    sort_keys(grid->keys, spare, grid->n, largest);
    for (int32_t i = 0; i < grid->n; ++i) {
        int32_t shape = grid->keys[i].shape;
        if (i < grid->n - SCRI_AHEAD) {
            size_t ahead = (size_t)grid->keys[i + SCRI_AHEAD].shape;
            SCRI_PREFETCH(s->position + 3 * ahead);
            SCRI_PREFETCH(s->size + 3 * ahead);
        }
        const double* x = s->position + 3 * (size_t)shape;
        double radius = scri_shape_radius(s->kind[shape], s->size + 3 * (size_t)shape);
        if (s->reach) radius += s->reach[shape];
        double reach = (radius + 0.5 * grid->margin) * (1.0 + REACH_SLACK);
        grid->balls[i] = (scri_ball){x[0], x[1], x[2], reach};
        grid->tags[i] = (scri_tag){shape, s->body[shape], s->category[shape], s->collides[shape],
                                   s->responds[shape]};
    }
}

/* ---- pairs ---- */

static scree_status add_if_allowed(const scri_tag* a, const scri_tag* b, scri_pair_list* list)
{
    if (a->body == b->body || !(a->responds | b->responds) || !(a->category & b->collides) ||
        !(b->category & a->collides)) {
        return SCREE_OK;
    }
    return a->shape < b->shape ? scri_pair_list_add(list, a->shape, b->shape)
                               : scri_pair_list_add(list, b->shape, a->shape);
}

SCREE_FN int balls_touch(const scri_ball* a, const scri_ball* b)
{
    double x = a->x - b->x, y = a->y - b->y, z = a->z - b->z, reach = a->reach + b->reach;
    return x * x + y * y + z * z <= reach * reach;
}

/* The balls that those of one cell may touch: its own and those of half of its neighbours, namely
 * the next along x and the rows (y + 1), (y - 1, z + 1), (y, z + 1), (y + 1, z + 1) from x - 1 to
 * x + 1. Ranges of the sorted balls; the first begins with the cell's own. */
enum { N_RANGES = 5 };

typedef struct near_balls {
    int32_t first[N_RANGES], last[N_RANGES];
} near_balls;

/* Ball i with ranges of any length. */
static scree_status pairs_with_ranges(const scri_grid* grid, int32_t i, const near_balls* near,
                                      scri_pair_list* list)
{
    for (int r = 0; r < N_RANGES; ++r) {
        for (int32_t j = r ? near->first[r] : i + 1; j < near->last[r]; ++j) {
            if (!balls_touch(grid->balls + i, grid->balls + j)) continue;
            scree_status status = add_if_allowed(grid->tags + i, grid->tags + j, list);
            if (status) return status;
        }
    }
    return SCREE_OK;
}

/* Numbers written at once without asking how many are needed. */
enum { RUN = 8, MAX_NEAR = 248 };

static int32_t list_ranges(const near_balls* near, int32_t* numbers)
{
    int32_t n = 0;
    for (int r = 0; r < N_RANGES; ++r) {
        int32_t first = near->first[r], count = near->last[r] - first;
        for (int32_t k = 0; k < RUN; ++k) numbers[n + k] = first + k;
        for (int32_t k = RUN; k < count; ++k) numbers[n + k] = first + k;
        n += count;
    }
    return n;
}

/* The balls of one cell with all near ones. The usual case, and where the time goes: a few short
 * ranges, whose lengths no branch can guess, so they are joined into one list; and what touches is
 * written down without a branch too. */
static scree_status pairs_of_cell(const scri_grid* grid, int32_t end, const near_balls* near,
                                  scri_pair_list* list)
{
    int32_t numbers[MAX_NEAR + RUN], touching[MAX_NEAR], total = 0;
    int32_t begin = near->first[0];
    for (int r = 0; r < N_RANGES; ++r) {
        int32_t room = MAX_NEAR - total, count = near->last[r] - near->first[r];
        total += count < room ? count : room;
    }
    if (total == MAX_NEAR) {
        for (int32_t i = begin; i < end; ++i) {
            scree_status status = pairs_with_ranges(grid, i, near, list);
            if (status) return status;
        }
        return SCREE_OK;
    }
    list_ranges(near, numbers);
    for (int32_t i = begin; i < end; ++i) {
        scri_ball ball = grid->balls[i];
        int n = 0;
        for (int32_t k = i - begin + 1; k < total; ++k) {
            touching[n] = numbers[k];
            n += balls_touch(&ball, grid->balls + numbers[k]);
        }
        for (int k = 0; k < n; ++k) {
            scree_status status = add_if_allowed(grid->tags + i, grid->tags + touching[k], list);
            if (status) return status;
        }
    }
    return SCREE_OK;
}

/* Cells that are not empty: their keys and first balls, with three more behind that end searches.
 */
static int32_t list_cells(const scri_grid* grid, scri_cell_key* cells)
{
    int32_t n = 0;
    uint64_t last = UINT64_MAX;
    for (int32_t i = 0; i < grid->n; ++i) {
        cells[n] = (scri_cell_key){grid->keys[i].key, i};
        n += grid->keys[i].key != last;
        last = grid->keys[i].key;
    }
    for (int k = 0; k < SCRI_SPARE_KEYS; ++k) cells[n + k] = (scri_cell_key){UINT64_MAX, grid->n};
    return n;
}

scree_status scri_grid_pairs(const scri_grid* grid, scri_cell_key* cells, scri_pair_list* list)
{
    const uint64_t y = grid->stride[1], z = grid->stride[2];
    const uint64_t row[N_RANGES] = {0, y, z - y, z, z + y};
    int32_t n = list_cells(grid, cells), at[N_RANGES] = {0};
    for (int32_t c = 0; c < n; ++c) {
        uint64_t key = cells[c].key;
        near_balls near = {.first = {cells[c].shape}};
        near.last[0] = cells[c + 1 + (cells[c + 1].key == key + 1)].shape;
        for (int r = 1; r < N_RANGES; ++r) {
            /* cells are visited in ascending order, so this only moves forward */
            while (cells[at[r]].key < key + row[r] - 1) ++at[r];
            const scri_cell_key* first = cells + at[r];
            uint64_t end = key + row[r] + 1;
            near.first[r] = first->shape;
            near.last[r] =
                first[(first[0].key <= end) + (first[1].key <= end) + (first[2].key <= end)].shape;
        }
        scree_status status = pairs_of_cell(grid, cells[c + 1].shape, &near, list);
        if (status) return status;
    }
    return SCREE_OK;
}

/* First number in [first, n) whose key is not below, by halving. */
static int32_t search_key(const scri_grid* grid, int32_t first, uint64_t key)
{
    int32_t last = grid->n;
    while (first < last) {
        int32_t middle = first + (last - first) / 2;
        if (grid->keys[middle].key < key) {
            first = middle + 1;
        } else {
            last = middle;
        }
    }
    return first;
}

double scri_grid_room(const scri_grid* grid, double x)
{
    return (grid->extent + grid->margin) * (1.0 + CELL_SLACK) + 1e-15 * fabs(x);
}

/* Calls `visit` with the balls in the cells from `from` to `to`; where these are many, with all. */
SCREE_FN scree_status walk_cells(const scri_grid* grid, const uint64_t from[3],
                                 const uint64_t to[3], scree_status (*visit)(void* user, int32_t j),
                                 void* user)
{
    /* looking up a row costs about as much as looking at 16 shapes */
    double n_rows = (double)(to[1] - from[1] + 1) * (double)(to[2] - from[2] + 1);
    if (16.0 * n_rows >= (double)grid->n) {
        for (int32_t j = 0; j < grid->n; ++j) {
            scree_status status = visit(user, j);
            if (status) return status;
        }
        return SCREE_OK;
    }
    int32_t j = 0;
    for (uint64_t z = from[2]; z <= to[2]; ++z) {
        for (uint64_t y = from[1]; y <= to[1]; ++y) {
            uint64_t row = z * grid->stride[2] + y * grid->stride[1];
            for (j = search_key(grid, j, row + from[0]);
                 j < grid->n && grid->keys[j].key <= row + to[0]; ++j) {
                scree_status status = visit(user, j);
                if (status) return status;
            }
        }
    }
    return SCREE_OK;
}

typedef struct box_query {
    const scri_grid* fine;
    const scri_tag* tag;
    scri_ball ball;
    const double* half; /* [3] */
    scri_pair_list* list;
} box_query;

static scree_status query_one(void* user, int32_t j)
{
    const box_query* query = user;
    const scri_ball* b = query->fine->balls + j;
    const scri_ball* q = &query->ball;
    double slack = query->fine->margin + b->reach;
    if (!(fabs(b->x - q->x) <= query->half[0] + slack)) return SCREE_OK;
    if (!(fabs(b->y - q->y) <= query->half[1] + slack)) return SCREE_OK;
    if (!(fabs(b->z - q->z) <= query->half[2] + slack) || !balls_touch(b, q)) return SCREE_OK;
    return add_if_allowed(query->tag, query->fine->tags + j, query->list);
}

scree_status scri_grid_pairs_of(const scri_grid* fine, const scri_grid* coarse, int32_t i,
                                const double half[3], scri_pair_list* list)
{
    box_query query = {fine, coarse->tags + i, coarse->balls[i], half, list};
    const double x[3] = {query.ball.x, query.ball.y, query.ball.z};
    uint64_t from[3], to[3];
    for (int k = 0; k < 3; ++k) {
        double reach = (half[k] + fine->extent + fine->margin) * (1.0 + CELL_SLACK);
        reach += 1e-15 * fabs(x[k]);
        from[k] = cell_of(fine, k, x[k] - reach);
        to[k] = cell_of(fine, k, x[k] + reach);
    }
    return walk_cells(fine, from, to, query_one, &query);
}

typedef struct visitor {
    int (*visit)(void* user, int32_t i);
    void* user;
} visitor;

/* Any status but SCREE_OK ends the walk. */
static scree_status visit_one(void* user, int32_t j)
{
    const visitor* v = user;
    return v->visit(v->user, j) ? SCREE_STATUS_COUNT : SCREE_OK;
}

void scri_grid_search(const scri_grid* grid, const double lower[3], const double upper[3],
                      int (*visit)(void* user, int32_t i), void* user)
{
    visitor v = {visit, user};
    uint64_t from[3], to[3];
    for (int k = 0; k < 3; ++k) {
        from[k] = cell_of(grid, k, lower[k] - scri_grid_room(grid, lower[k]));
        to[k] = cell_of(grid, k, upper[k] + scri_grid_room(grid, upper[k]));
    }
    (void)walk_cells(grid, from, to, visit_one, &v);
}
