#include "math/blocks.h"

#include <math.h>
#include <string.h>

/* Share of the diagonal that is added to it. */
#define SHIFT 1e-10

/* ---- the pattern ----------------------------------------------------------------------------- */

/* Neighbours of a node that are not eliminated yet. */
typedef struct near_list {
    int32_t n, capacity;
    int32_t* node;
} near_list;

typedef struct graph {
    scri_arena* arena;
    int32_t n;
    near_list* near; /* [n] */
    int32_t* mark;   /* [n] */
    int32_t stamp;
} graph;

static int append(graph* g, near_list* list, int32_t node)
{
    if (list->n == list->capacity) {
        int32_t capacity = list->capacity > 0 ? 2 * list->capacity : 4;
        int32_t* more = scri_arena_take(g->arena, (size_t)capacity, sizeof *more);
        if (!more) return 0;
        if (list->n > 0) memcpy(more, list->node, (size_t)list->n * sizeof *more);
        list->node = more;
        list->capacity = capacity;
    }
    list->node[list->n++] = node;
    return 1;
}

/* Adds to the neighbours of `node` those of `more` that it has not, and drops `gone`. */
static int unite(graph* g, int32_t node, const near_list* more, int32_t gone)
{
    near_list* list = &g->near[node];
    int32_t kept = 0;
    g->mark[node] = ++g->stamp;
    for (int32_t k = 0; k < list->n; ++k) {
        if (list->node[k] == gone) continue;
        g->mark[list->node[k]] = g->stamp;
        list->node[kept++] = list->node[k];
    }
    list->n = kept;
    for (int32_t k = 0; k < more->n; ++k) {
        if (more->node[k] == gone || g->mark[more->node[k]] == g->stamp) continue;
        if (!append(g, list, more->node[k])) return 0;
        g->mark[more->node[k]] = g->stamp;
    }
    return 1;
}

static int make_graph(graph* g, int32_t n_pairs, const int32_t* pair)
{
    g->near = scri_arena_take(g->arena, (size_t)g->n, sizeof *g->near);
    g->mark = scri_arena_take(g->arena, (size_t)g->n, sizeof *g->mark);
    if (!g->near || !g->mark) return 0;
    for (int32_t k = 0; k < n_pairs; ++k) {
        int32_t i = pair[2 * (size_t)k], j = pair[2 * (size_t)k + 1];
        near_list one = {1, 1, &j}, other = {1, 1, &i};
        if (i == j) continue;
        if (!unite(g, i, &one, -1) || !unite(g, j, &other, -1)) return 0;
    }
    return 1;
}

/* The node with the fewest neighbours among those without a place. */
static int32_t least(const graph* g, const int32_t* place)
{
    int32_t best = -1;
    for (int32_t i = 0; i < g->n; ++i) {
        if (place[i] < 0 && (best < 0 || g->near[i].n < g->near[best].n)) best = i;
    }
    return best;
}

/* Places; the neighbours that a node has when it gets one are its column. */
static int eliminate(graph* g, scri_blocks* b)
{
    for (int32_t i = 0; i < g->n; ++i) b->place[i] = -1;
    for (int32_t k = 0; k < g->n; ++k) {
        int32_t node = least(g, b->place);
        b->place[node] = k;
        b->node[k] = node;
        for (int32_t i = 0; i < g->near[node].n; ++i) {
            if (!unite(g, g->near[node].node[i], &g->near[node], node)) return 0;
        }
    }
    return 1;
}

static void sort(int32_t* x, int32_t n)
{
    for (int32_t i = 1; i < n; ++i) {
        int32_t value = x[i], j = i;
        for (; j > 0 && x[j - 1] > value; --j) x[j] = x[j - 1];
        x[j] = value;
    }
}

static int write_columns(graph* g, scri_blocks* b)
{
    for (int32_t k = 0; k < g->n; ++k) b->start[k + 1] = b->start[k] + 1 + g->near[b->node[k]].n;
    size_t n_blocks = (size_t)b->start[g->n];
    b->row = scri_arena_take(g->arena, n_blocks + 1, sizeof *b->row);
    b->offset = scri_arena_take(g->arena, n_blocks + 1, sizeof *b->offset);
    if (!b->row || !b->offset) return 0;
    b->offset[0] = 0;
    for (int32_t k = 0; k < g->n; ++k) {
        const near_list* list = &g->near[b->node[k]];
        int32_t* row = b->row + b->start[k];
        row[0] = k;
        for (int32_t i = 0; i < list->n; ++i) row[1 + i] = b->place[list->node[i]];
        sort(row + 1, list->n);
        for (int32_t i = b->start[k]; i < b->start[k + 1]; ++i) {
            b->offset[i + 1] = b->offset[i] + (int64_t)b->width[b->row[i]] * b->width[k];
        }
    }
    b->value = scri_arena_take(g->arena, (size_t)b->offset[n_blocks] + 1, sizeof *b->value);
    return b->value != NULL;
}

scree_status scri_blocks_create(scri_arena* arena, int32_t n, const int32_t* width, int32_t n_pairs,
                                const int32_t* pair, scri_blocks* out)
{
    graph g = {.arena = arena, .n = n};
    size_t size = (size_t)n + 1;
    *out = (scri_blocks){.n = n};
    out->width = scri_arena_take(arena, size, sizeof(int32_t));
    out->place = scri_arena_take(arena, size, sizeof(int32_t));
    out->node = scri_arena_take(arena, size, sizeof(int32_t));
    out->first = scri_arena_take(arena, size, sizeof(int32_t));
    out->start = scri_arena_take(arena, size, sizeof(int32_t));
    if (!out->width || !out->place || !out->node || !out->first || !out->start ||
        !make_graph(&g, n_pairs, pair) || !eliminate(&g, out)) {
        return SCREE_ERROR_MEMORY;
    }
    out->first[0] = out->start[0] = 0;
    for (int32_t i = 0; i < n; ++i) {
        out->first[i + 1] = out->first[i] + width[i];
        out->width[out->place[i]] = width[i];
    }
    out->diagonal = scri_arena_take(arena, (size_t)out->first[n] + 1, sizeof(double));
    return out->diagonal && write_columns(&g, out) ? SCREE_OK : SCREE_ERROR_MEMORY;
}

/* The block of place `row` in the column `column`. */
static int32_t block_at(const scri_blocks* b, int32_t row, int32_t column)
{
    int32_t low = b->start[column], high = b->start[column + 1] - 1;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (b->row[middle] < row) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

int64_t scri_blocks_find(const scri_blocks* b, int32_t i, int32_t j)
{
    int32_t x = b->place[i], y = b->place[j];
    return b->offset[x > y ? block_at(b, x, y) : block_at(b, y, x)];
}

/* ---- factors --------------------------------------------------------------------------------- */

void scri_blocks_clear(scri_blocks* b)
{
    memset(b->value, 0, (size_t)b->offset[b->start[b->n]] * sizeof *b->value);
}

/* The rows of a place in x, which is by scalar row in the order of nodes. */
static double* part_of(const scri_blocks* b, int32_t place, double* x)
{
    return x + b->first[b->node[place]];
}

/* Lower factor of a[w w] in place. `diagonal` is that of A: no pivot falls below half its shift. */
static void factor_diagonal(int w, double* a, const double* diagonal, double unit)
{
    for (int k = 0; k < w; ++k) {
        double pivot = a[k * w + k], least_pivot = 0.5 * SHIFT * unit * diagonal[k];
        for (int j = 0; j < k; ++j) pivot -= a[k * w + j] * a[k * w + j];
        double root = sqrt(pivot > least_pivot ? pivot : least_pivot > 0.0 ? least_pivot : 1.0);
        a[k * w + k] = root;
        for (int i = k + 1; i < w; ++i) {
            double sum = a[i * w + k];
            for (int j = 0; j < k; ++j) sum -= a[i * w + j] * a[k * w + j];
            a[i * w + k] = sum / root;
        }
    }
}

/* rows of x[h w] := x L^-T */
static void divide(int h, int w, const double* l, double* x)
{
    for (int i = 0; i < h; ++i) {
        double* row = x + (size_t)(i * w);
        for (int k = 0; k < w; ++k) {
            for (int j = 0; j < k; ++j) row[k] -= row[j] * l[k * w + j];
            row[k] /= l[k * w + k];
        }
    }
}

/* out[h g] -= x[h w] y[g w]^T */
static void subtract_product(int h, int g, int w, const double* x, const double* y, double* out)
{
    for (int i = 0; i < h; ++i) {
        for (int j = 0; j < g; ++j) {
            double sum = 0.0;
            for (int k = 0; k < w; ++k) sum += x[i * w + k] * y[j * w + k];
            out[i * g + j] -= sum;
        }
    }
}

/* Takes column k from the columns of the places below it. */
static void spread(scri_blocks* b, int32_t k)
{
    int32_t begin = b->start[k] + 1, end = b->start[k + 1];
    int w = b->width[k];
    for (int32_t j = begin; j < end; ++j) {
        int32_t column = b->row[j], at = b->start[column];
        for (int32_t i = j; i < end; ++i) {
            while (b->row[at] != b->row[i]) ++at;
            subtract_product(b->width[b->row[i]], b->width[column], w, b->value + b->offset[i],
                             b->value + b->offset[j], b->value + b->offset[at]);
        }
    }
}

/* 2 where the first number on the diagonal has an odd exponent, else 1: twice the matrix then has
 * the square roots of the matrix itself, and no unit of mass that is a power of two is special. */
static double choose_unit(const scri_blocks* b)
{
    int exponent = 0;
    for (int32_t i = 0; i < b->first[b->n]; ++i) {
        if (!(b->diagonal[i] > 0.0)) continue;
        frexp(b->diagonal[i], &exponent);
        break;
    }
    return exponent % 2 ? 2.0 : 1.0;
}

void scri_blocks_factor(scri_blocks* b)
{
    for (int32_t k = 0; k < b->n; ++k) { /* before anything is taken from it */
        double *a = b->value + b->offset[b->start[k]], *diagonal = part_of(b, k, b->diagonal);
        int w = b->width[k];
        for (int i = 0; i < w; ++i) {
            diagonal[i] = a[i * w + i];
            a[i * w + i] *= 1.0 + SHIFT;
        }
    }
    b->unit = choose_unit(b);
    for (int64_t i = 0; i < b->offset[b->start[b->n]]; ++i) b->value[i] *= b->unit;
    for (int32_t k = 0; k < b->n; ++k) {
        double* a = b->value + b->offset[b->start[k]];
        int w = b->width[k];
        factor_diagonal(w, a, part_of(b, k, b->diagonal), b->unit);
        for (int32_t i = b->start[k] + 1; i < b->start[k + 1]; ++i) {
            divide(b->width[b->row[i]], w, a, b->value + b->offset[i]);
        }
        spread(b, k);
    }
}

static void solve_down(const scri_blocks* b, int32_t k, double* x)
{
    const double* l = b->value + b->offset[b->start[k]];
    double* own = part_of(b, k, x);
    int w = b->width[k];
    for (int i = 0; i < w; ++i) {
        for (int j = 0; j < i; ++j) own[i] -= l[i * w + j] * own[j];
        own[i] /= l[i * w + i];
    }
    for (int32_t at = b->start[k] + 1; at < b->start[k + 1]; ++at) {
        const double* block = b->value + b->offset[at];
        double* other = part_of(b, b->row[at], x);
        for (int i = 0; i < b->width[b->row[at]]; ++i) {
            for (int j = 0; j < w; ++j) other[i] -= block[i * w + j] * own[j];
        }
    }
}

static void solve_up(const scri_blocks* b, int32_t k, double* x)
{
    const double* l = b->value + b->offset[b->start[k]];
    double* own = part_of(b, k, x);
    int w = b->width[k];
    for (int32_t at = b->start[k] + 1; at < b->start[k + 1]; ++at) {
        const double* block = b->value + b->offset[at];
        const double* other = part_of(b, b->row[at], x);
        for (int i = 0; i < b->width[b->row[at]]; ++i) {
            for (int j = 0; j < w; ++j) own[j] -= block[i * w + j] * other[i];
        }
    }
    for (int i = w - 1; i >= 0; --i) {
        for (int j = i + 1; j < w; ++j) own[i] -= l[j * w + i] * own[j];
        own[i] /= l[i * w + i];
    }
}

void scri_blocks_solve(const scri_blocks* b, int32_t n, const int32_t* places, double* x)
{
    if (!places) n = b->n;
    for (int32_t k = 0; k < n; ++k) {
        double* own = part_of(b, places ? places[k] : k, x);
        for (int i = 0; i < b->width[places ? places[k] : k]; ++i) own[i] *= b->unit;
    }
    for (int32_t k = 0; k < n; ++k) solve_down(b, places ? places[k] : k, x);
    for (int32_t k = n; k-- > 0;) solve_up(b, places ? places[k] : k, x);
}
