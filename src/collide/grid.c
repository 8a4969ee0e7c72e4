#include "collide/grid.h"

#include "base/groups.h"
#include "shapes/bounds.h"

#include <string.h>

/* Cells along one axis; what lies outside belongs to the outermost cell, which costs time only. */
#define MAX_CELLS ((uint64_t)1 << 20)

/* What rounding may do to a cell's number, to a radius. */
#define CELL_SLACK 1e-6
#define REACH_SLACK 1e-12

/* Shapes that are worth handing to another worker, to be looked at. */
enum { LOOK_GRAIN = 1024 };

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

int scri_buffer_extend(const scree_env* env, scri_buffer* buffer, size_t count, size_t item,
                       size_t kept)
{
    if (buffer->data && count <= buffer->size / item) return 1;
    return scri_buffer_reserve(env, buffer, count + count / 2, item, kept);
}

int scri_buffer_renew(const scree_env* env, scri_buffer* buffer, size_t count, size_t item)
{
    return scri_buffer_extend(env, buffer, count, item, 0);
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
        size_t shape = (size_t)grid->keys[(int64_t)grid->n * i / n].item;
        double x = shapes->position[3 * shape + (size_t)k];
        int at = i;
        for (; at > 0 && sorted[at - 1] > x; --at) sorted[at] = sorted[at - 1];
        sorted[at] = x;
    }
    return sorted[n / 2];
}

/* What holds some points. */
typedef struct box {
    double lower[3], upper[3];
} box;

static box empty_box(void)
{
    return (box){{SCREE_INFINITY, SCREE_INFINITY, SCREE_INFINITY},
                 {-SCREE_INFINITY, -SCREE_INFINITY, -SCREE_INFINITY}};
}

SCREE_FN void grow_box(box* of, const double lower[3], const double upper[3])
{
    for (int k = 0; k < 3; ++k) {
        of->lower[k] = lower[k] < of->lower[k] ? lower[k] : of->lower[k];
        of->upper[k] = upper[k] > of->upper[k] ? upper[k] : of->upper[k];
    }
}

typedef struct box_work {
    const scri_grid* grid;
    const scri_placed* shapes;
    scri_groups groups;
    box of[SCRI_MOST_GROUPS];
} box_work;

static void find_boxes(void* context, int32_t begin, int32_t end, int32_t worker)
{
    box_work* work = context;
    (void)worker;
    for (int32_t g = begin; g < end; ++g) {
        int32_t last = scri_groups_begin(&work->groups, g + 1);
        box all = empty_box();
        for (int32_t i = scri_groups_begin(&work->groups, g); i < last; ++i) {
            const double* x = work->shapes->position + 3 * (size_t)work->grid->keys[i].item;
            grow_box(&all, x, x);
        }
        work->of[g] = all;
    }
}

static box box_of(const scri_grid* grid, const scri_placed* shapes, scri_team* team)
{
    box_work work;
    box all = empty_box();
    work.grid = grid;
    work.shapes = shapes;
    work.groups = scri_groups_of(grid->n);
    scri_team_for(team, work.groups.count, scri_groups_grain(&work.groups, LOOK_GRAIN), find_boxes,
                  &work);
    for (int32_t g = 0; g < work.groups.count; ++g) {
        grow_box(&all, work.of[g].lower, work.of[g].upper);
    }
    return all;
}

static void choose_cells(scri_grid* grid, const scri_placed* shapes, scri_team* team)
{
    box all = box_of(grid, shapes, team);
    const double *lower = all.lower, *upper = all.upper;
    memcpy(grid->lower, all.lower, sizeof all.lower);
    memcpy(grid->upper, all.upper, sizeof all.upper);
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

/* Counts of keys stand where the balls will. */
_Static_assert(SCRI_KEYS_PIECE * sizeof(scri_ball) >= SCRI_KEYS_COUNTS * sizeof(uint32_t),
               "counts have room");

typedef struct grid_work {
    scri_grid* grid;
    const scri_placed* shapes;
} grid_work;

static void write_keys(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const grid_work* work = context;
    const scri_grid* grid = work->grid;
    (void)worker;
    for (int32_t i = begin; i < end; ++i) {
        const double* x = work->shapes->position + 3 * (size_t)grid->keys[i].item;
        grid->keys[i].key = key_of(grid, x);
    }
}

static void write_balls(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const grid_work* work = context;
    const scri_grid* grid = work->grid;
    const scri_placed* s = work->shapes;
    (void)worker;
    for (int32_t i = begin; i < end; ++i) {
        int32_t shape = grid->keys[i].item;
        if (i < grid->n - SCRI_AHEAD) {
            size_t ahead = (size_t)grid->keys[i + SCRI_AHEAD].item;
            SCRI_PREFETCH(s->position + 3 * ahead);
            SCRI_PREFETCH(s->size + 3 * ahead);
        }
        const double* x = s->position + 3 * (size_t)shape;
        double radius = scri_shape_radius(s->kind[shape], s->size + 3 * (size_t)shape);
        radius += scri_placed_rounding(s, shape);
        if (s->reach) radius += s->reach[shape];
        double reach = (radius + 0.5 * grid->margin) * (1.0 + REACH_SLACK);
        grid->balls[i] = (scri_ball){x[0], x[1], x[2], reach};
        grid->tags[i] = (scri_tag){shape, s->body[shape], s->category[shape], s->collides[shape],
                                   s->responds[shape]};
    }
}

void scri_grid_build(scri_grid* grid, const scri_placed* s, scri_key* spare, scri_team* team)
{
    enum { GRAIN = 256 }; /* shapes that are worth handing to another worker */
    grid_work work = {grid, s};
    choose_cells(grid, s, team);
    uint64_t largest = 0;
    for (int k = 0; k < 3; ++k) largest += grid->stride[k] * (grid->cells[k] - 1);
    scri_team_for(team, grid->n, GRAIN, write_keys, &work);
    scri_keys_sort(grid->keys, spare, grid->n, largest, (uint32_t*)grid->balls, team);
    scri_team_for(team, grid->n, GRAIN, write_balls, &work);
}

/* ---- pairs ---- */

static void add_if_allowed(const scri_tag* a, const scri_tag* b, scri_pair_list* list)
{
    if (a->body == b->body || !(a->responds | b->responds) || !(a->category & b->collides) ||
        !(b->category & a->collides)) {
        return;
    }
    int is_first = a->shape < b->shape;
    scri_pair_list_add(list, is_first ? a->shape : b->shape, is_first ? b->shape : a->shape);
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
static void pairs_with_ranges(const scri_grid* grid, int32_t i, const near_balls* near,
                              scri_pair_list* list)
{
    for (int r = 0; r < N_RANGES; ++r) {
        for (int32_t j = r ? near->first[r] : i + 1; j < near->last[r]; ++j) {
            if (!balls_touch(grid->balls + i, grid->balls + j)) continue;
            add_if_allowed(grid->tags + i, grid->tags + j, list);
        }
    }
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
static void pairs_of_cell(const scri_grid* grid, int32_t end, const near_balls* near,
                          scri_pair_list* list)
{
    int32_t numbers[MAX_NEAR + RUN], touching[MAX_NEAR], total = 0;
    int32_t begin = near->first[0];
    for (int r = 0; r < N_RANGES; ++r) {
        int32_t room = MAX_NEAR - total, count = near->last[r] - near->first[r];
        total += count < room ? count : room;
    }
    if (total == MAX_NEAR) {
        for (int32_t i = begin; i < end; ++i) pairs_with_ranges(grid, i, near, list);
        return;
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
            add_if_allowed(grid->tags + i, grid->tags + touching[k], list);
        }
    }
}

/* Groups of the sorted keys: how many cells begin in each, then the number of the first. */
typedef struct cell_work {
    const scri_key* keys;
    scri_key* cells;
    scri_groups groups;
    int32_t first[SCRI_MOST_GROUPS + 1];
} cell_work;

static uint64_t key_before(const cell_work* work, int32_t i)
{
    return i > 0 ? work->keys[i - 1].key : UINT64_MAX;
}

static void count_cells(void* context, int32_t begin, int32_t end, int32_t worker)
{
    cell_work* work = context;
    (void)worker;
    for (int32_t g = begin; g < end; ++g) {
        int32_t i = scri_groups_begin(&work->groups, g), n = 0;
        uint64_t last = key_before(work, i);
        for (; i < scri_groups_begin(&work->groups, g + 1); ++i) {
            n += work->keys[i].key != last;
            last = work->keys[i].key;
        }
        work->first[g + 1] = n;
    }
}

/* Without a branch that nobody can guess: what is no new cell is written aside. */
static void write_cells(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const cell_work* work = context;
    scri_key aside;
    (void)worker;
    for (int32_t g = begin; g < end; ++g) {
        int32_t i = scri_groups_begin(&work->groups, g), n = work->first[g];
        uint64_t last = key_before(work, i);
        for (; i < scri_groups_begin(&work->groups, g + 1); ++i) {
            int is_new = work->keys[i].key != last;
            scri_key* to = is_new ? &work->cells[n] : &aside;
            *to = (scri_key){work->keys[i].key, i};
            n += is_new;
            last = work->keys[i].key;
        }
    }
}

/* With some more behind that end searches. */
void scri_grid_list_cells(scri_grid* grid, scri_key* cells, scri_team* team)
{
    cell_work work;
    work.keys = grid->keys;
    work.cells = cells;
    work.groups = scri_groups_of(grid->n);
    int32_t grain = scri_groups_grain(&work.groups, LOOK_GRAIN);
    scri_team_for(team, work.groups.count, grain, count_cells, &work);
    int32_t n = scri_groups_add_up(&work.groups, work.first);
    scri_team_for(team, work.groups.count, grain, write_cells, &work);
    for (int k = 0; k < SCRI_SPARE_KEYS; ++k) cells[n + k] = (scri_key){UINT64_MAX, grid->n};
    grid->filled = cells;
    grid->n_filled = n;
}

/* First of n sorted keys from `first` on that is not below, by halving. */
static int32_t search_key(const scri_key* keys, int32_t n, int32_t first, uint64_t key)
{
    int32_t last = n;
    while (first < last) {
        int32_t middle = first + (last - first) / 2;
        if (keys[middle].key < key) {
            first = middle + 1;
        } else {
            last = middle;
        }
    }
    return first;
}

void scri_grid_pairs(const scri_grid* grid, int32_t begin, int32_t end, scri_pair_list* list)
{
    const uint64_t y = grid->stride[1], z = grid->stride[2];
    const uint64_t row[N_RANGES] = {0, y, z - y, z, z + y};
    const scri_key* cells = grid->filled;
    int32_t at[N_RANGES] = {0};
    for (int r = 1; r < N_RANGES && begin < end; ++r) {
        at[r] = search_key(cells, grid->n_filled, 0, cells[begin].key + row[r] - 1);
    }
    for (int32_t c = begin; c < end; ++c) {
        uint64_t key = cells[c].key;
        near_balls near = {.first = {cells[c].item}};
        near.last[0] = cells[c + 1 + (cells[c + 1].key == key + 1)].item;
        for (int r = 1; r < N_RANGES; ++r) {
            /* cells are visited in ascending order, so this only moves forward */
            while (cells[at[r]].key < key + row[r] - 1) ++at[r];
            const scri_key* first = cells + at[r];
            uint64_t last = key + row[r] + 1;
            near.first[r] = first->item;
            near.last[r] =
                first[(first[0].key <= last) + (first[1].key <= last) + (first[2].key <= last)]
                    .item;
        }
        pairs_of_cell(grid, cells[c + 1].item, &near, list);
    }
}

double scri_grid_room(const scri_grid* grid, double x)
{
    return (grid->extent + grid->margin) * (1.0 + CELL_SLACK) + 1e-15 * fabs(x);
}

/* Calls `visit` with the balls in the cells from `from` to `to`, until it returns nonzero; where
 * these are many, with all. */
SCREE_FN void walk_cells(const scri_grid* grid, const uint64_t from[3], const uint64_t to[3],
                         int (*visit)(void* user, int32_t j), void* user)
{
    /* looking up a row costs about as much as looking at 16 shapes */
    double n_rows = (double)(to[1] - from[1] + 1) * (double)(to[2] - from[2] + 1);
    if (16.0 * n_rows >= (double)grid->n) {
        for (int32_t j = 0; j < grid->n && !visit(user, j); ++j) continue;
        return;
    }
    int32_t j = 0;
    for (uint64_t z = from[2]; z <= to[2]; ++z) {
        for (uint64_t y = from[1]; y <= to[1]; ++y) {
            uint64_t row = z * grid->stride[2] + y * grid->stride[1];
            for (j = search_key(grid->keys, grid->n, j, row + from[0]);
                 j < grid->n && grid->keys[j].key <= row + to[0]; ++j) {
                if (visit(user, j)) return;
            }
        }
    }
}

typedef struct box_query {
    const scri_grid* fine;
    const scri_tag* tag;
    scri_ball ball;
    const double* half; /* [3] */
    scri_pair_list* list;
} box_query;

static int query_one(void* user, int32_t j)
{
    const box_query* query = user;
    const scri_ball* b = query->fine->balls + j;
    const scri_ball* q = &query->ball;
    double slack = query->fine->margin + b->reach;
    if (!(fabs(b->x - q->x) <= query->half[0] + slack)) return 0;
    if (!(fabs(b->y - q->y) <= query->half[1] + slack)) return 0;
    if (!(fabs(b->z - q->z) <= query->half[2] + slack) || !balls_touch(b, q)) return 0;
    add_if_allowed(query->tag, query->fine->tags + j, query->list);
    return 0;
}

void scri_grid_pairs_of(const scri_grid* fine, const scri_grid* coarse, int32_t i,
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
    walk_cells(fine, from, to, query_one, &query);
}

void scri_grid_search(const scri_grid* grid, const double lower[3], const double upper[3],
                      int (*visit)(void* user, int32_t i), void* user)
{
    uint64_t from[3], to[3];
    for (int k = 0; k < 3; ++k) {
        from[k] = cell_of(grid, k, lower[k] - scri_grid_room(grid, lower[k]));
        to[k] = cell_of(grid, k, upper[k] + scri_grid_room(grid, upper[k]));
    }
    walk_cells(grid, from, to, visit, user);
}
