/* From sorted solids to pairs that may touch, ordered by (a, b), or by their ranks.
 *
 * The cells of all grids, the shapes of coarser ones, which look into the finer, and the solids
 * that may touch a half-space are numbered through; pieces of these numbers are searched side by
 * side. Which piece has found a pair does not matter, since pairs are ordered. */
#include "base/groups.h"
#include "base/owner_lists.h"
#include "collide/collider.h"
#include "collide/pair.h"

enum { MAX_PAIRS = INT32_MAX / SCRI_MAX_TOUCHES };

/* The largest half length of a range, whose shapes become the keys of the first grid. */
static double fill_keys(const void* context, int32_t begin, int32_t end)
{
    const scri_collider* c = context;
    const int32_t* solids = c->solids.data;
    const double* extents = c->extents.data;
    double largest = 0.0;
    for (int32_t k = begin; k < end; ++k) {
        c->grids[0].keys[k].item = solids[k];
        if (extents[k] > largest) largest = extents[k];
    }
    return largest;
}

/* The shapes of every class, in ascending order. */
static void share_out(scri_collider* c)
{
    enum { GRAIN = 1024 }; /* shapes that are worth handing to another worker */
    const int32_t* solids = c->solids.data;
    const double* extents = c->extents.data;
    const uint8_t* classes = c->classes.data;
    scri_key* keys = c->keys.data;
    if (c->n_grids == 1) { /* the usual case */
        scri_grid* grid = c->grids;
        grid->n = c->n_solids;
        grid->keys = keys;
        grid->balls = c->balls.data;
        grid->tags = c->tags.data;
        grid->extent = scri_groups_most(c->team, grid->n, GRAIN, fill_keys, c);
        return;
    }
    for (int32_t k = 0; k < c->n_solids; ++k) {
        scri_grid* grid = c->grids + classes[k];
        ++grid->n;
        if (extents[k] > grid->extent) grid->extent = extents[k];
    }
    int32_t first = 0;
    for (int g = 0; g < c->n_grids; ++g) {
        scri_grid* grid = c->grids + g;
        grid->keys = keys + first;
        grid->balls = (scri_ball*)c->balls.data + first;
        grid->tags = (scri_tag*)c->tags.data + first;
        first += grid->n;
        grid->n = 0;
    }
    for (int32_t k = 0; k < c->n_solids; ++k) {
        scri_grid* grid = c->grids + classes[k];
        grid->keys[grid->n++].item = solids[k];
    }
}

void scri_collider_build_grids(scri_collider* c, const scri_placed* s, double margin)
{
    int32_t n = c->n_solids;
    c->n_grids = n > 0 ? scri_size_classes(c->extents.data, n, c->classes.data, c->team) : 0;
    for (int g = 0; g < c->n_grids; ++g) c->grids[g] = (scri_grid){.margin = margin};
    share_out(c);
    for (int g = 0; g < c->n_grids; ++g) {
        scri_grid_build(c->grids + g, s, c->spare.data, c->team);
    }
}

/* ---- search ---- */

/* Pieces at most, and numbers of one at least; without a team there is one piece. */
enum { MOST_PIECES = 256, LEAST_PIECE = 32 };

typedef struct search {
    scri_collider* c;
    const scri_placed* shapes;
    int32_t total, piece; /* numbers in all, and of a piece */
} search;

/* The part of [begin, end) within the next n numbers, which begin at *at; *at moves on. */
static int cut(int32_t begin, int32_t end, int32_t n, int32_t* at, int32_t part[2])
{
    int32_t first = *at;
    part[0] = begin > first ? begin - first : 0;
    part[1] = end - first < n ? end - first : n;
    *at += n;
    return part[0] < part[1];
}

static void search_finer(const search* all, int g, const int32_t part[2], scri_pair_list* list)
{
    const scri_grid* grid = all->c->grids + g;
    for (int32_t i = part[0]; i < part[1]; ++i) {
        double half[3];
        scri_collider_half_lengths(all->shapes, grid->tags[i].shape, half);
        for (int fine = 0; fine < g; ++fine) {
            scri_grid_pairs_of(all->c->grids + fine, grid, i, half, list);
        }
    }
}

static void search_plane(const search* all, int32_t plane, const int32_t part[2],
                         scri_pair_list* list)
{
    const scri_collider* c = all->c;
    const scri_placed* s = all->shapes;
    const scri_ball* balls = c->balls.data;
    const scri_tag* tags = c->tags.data;
    scri_vec normal = ((const scri_core*)c->cores.data)[plane].x;
    scri_vec origin = scri_vec_load(s->position + 3 * (size_t)plane);
    /* balls have half of the margin only */
    double room = 0.5 * c->grids[0].margin + scri_placed_reach(s, plane);
    for (int32_t i = part[0]; i < part[1]; ++i) {
        scri_vec x = {balls[i].x, balls[i].y, balls[i].z};
        double slack = 1e-15 * (fabs(x.x) + fabs(x.y) + fabs(x.z));
        double height = scri_vec_dot(normal, scri_vec_sub(x, origin));
        if (height > balls[i].reach + room + slack) continue;
        if (!scri_pair_allowed(s, tags[i].shape, plane)) continue;
        scri_pair_list_add(list, tags[i].shape, plane);
    }
}

static void search_numbers(const search* all, int32_t begin, int32_t end, scri_pair_list* list)
{
    const scri_collider* c = all->c;
    int32_t at = 0, part[2];
    for (int g = 0; g < c->n_grids; ++g) {
        if (cut(begin, end, c->grids[g].n_filled, &at, part)) {
            scri_grid_pairs(c->grids + g, part[0], part[1], list);
        }
    }
    for (int g = 1; g < c->n_grids; ++g) {
        if (cut(begin, end, c->grids[g].n, &at, part)) search_finer(all, g, part, list);
    }
    if (!cut(begin, end, c->n_planes > 0 ? c->n_solids : 0, &at, part)) return;
    for (int32_t k = 0; k < c->n_planes; ++k) {
        search_plane(all, ((const int32_t*)c->planes.data)[k], part, list);
    }
}

static int32_t count_numbers(const scri_collider* c)
{
    int32_t total = c->n_planes > 0 ? c->n_solids : 0;
    for (int g = 0; g < c->n_grids; ++g) {
        total += c->grids[g].n_filled + (g > 0 ? c->grids[g].n : 0);
    }
    return total;
}

static size_t expect_pairs(const void* context, int32_t k)
{
    enum { EACH = 3, LEAST = 64 };
    const search* all = context;
    (void)k;
    return (size_t)EACH * (size_t)all->piece + LEAST;
}

static int reserve_pairs(void* context, size_t total, size_t kept)
{
    scri_collider* c = ((const search*)context)->c;
    size_t item = sizeof(int32_t);
    return scri_buffer_extend(&c->env, &c->firsts, total, item, kept) &&
           scri_buffer_extend(&c->env, &c->seconds, total, item, kept) &&
           scri_buffer_renew(&c->env, &c->items, total, item) &&
           scri_buffer_renew(&c->env, &c->item_work, 2 * total, item) &&
           scri_buffer_renew(&c->env, &c->partners, total, item);
}

/* Room that is left over, or left for more, belongs to nobody. */
static void leave_pairs(void* context, size_t begin, size_t room)
{
    int32_t* first = (int32_t*)((const search*)context)->c->firsts.data + begin;
    for (size_t i = 0; i < room; ++i) first[i] = -1;
}

/* Ranks stand for numbers from here on. */
static void rank_pairs(const scri_placed* s, const scri_pair_list* list)
{
    size_t n = list->n < list->room ? list->n : list->room;
    for (size_t i = 0; s->rank && i < n; ++i) {
        list->a[i] = s->rank[list->a[i]];
        list->b[i] = s->rank[list->b[i]];
    }
}

static size_t search_piece(void* context, int32_t k, size_t begin, size_t room)
{
    const search* all = context;
    int32_t first = k * all->piece, left = all->total - first;
    scri_pair_list list = {.a = (int32_t*)all->c->firsts.data + begin,
                           .b = (int32_t*)all->c->seconds.data + begin,
                           .room = room};
    search_numbers(all, first, left < all->piece ? all->total : first + all->piece, &list);
    rank_pairs(all->shapes, &list);
    if (list.n < room) leave_pairs(context, begin + list.n, room - list.n);
    return list.n;
}

static scree_status find_pairs(scri_collider* c, const scri_placed* s)
{
    scri_key* cells = c->cells.data;
    for (int g = 0; g < c->n_grids; ++g) {
        scri_grid_list_cells(c->grids + g, cells, c->team);
        cells += c->grids[g].n_filled + SCRI_SPARE_KEYS;
    }
    search all = {c, s, count_numbers(c), 0};
    all.piece = all.total / MOST_PIECES + 1;
    if (all.piece < LEAST_PIECE) all.piece = LEAST_PIECE;
    if (scri_team_size(c->team) == 1) all.piece = all.total > 0 ? all.total : 1;
    int32_t pieces = (all.total + all.piece - 1) / all.piece;
    scri_region_work work = {&all, expect_pairs, reserve_pairs, search_piece, leave_pairs};
    scree_status status = scri_regions_run(&c->env, c->team, &c->pair_regions, pieces, &work);
    if (status) return scri_fail(&c->env, status, "no memory for pairs of shapes");
    if (c->pair_regions.n_found <= MAX_PAIRS && c->pair_regions.total <= INT32_MAX) {
        return SCREE_OK;
    }
    return scri_fail(&c->env, SCREE_ERROR_INPUT, "more than %d pairs of shapes touch",
                     (int)MAX_PAIRS);
}

/* ---- order ---- */

/* By Shell's method: lists are short but for those of large floors. */
static void sort_short(int32_t* list, int32_t n)
{
    int32_t gap = 1;
    while (gap < n / 9) gap = 3 * gap + 1;
    for (; gap > 0; gap /= 3) {
        for (int32_t i = gap; i < n; ++i) {
            int32_t moved = list[i], at = i;
            for (; at >= gap && list[at - gap] > moved; at -= gap) list[at] = list[at - gap];
            list[at] = moved;
        }
    }
}

/* The second shapes of the pairs of some first ones, in order. */
static void order_partners(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const scri_collider* c = context;
    const int32_t *starts = c->starts.data, *items = c->items.data, *seconds = c->seconds.data;
    int32_t* partners = c->partners.data;
    (void)worker;
    for (int32_t a = begin; a < end; ++a) {
        for (int32_t k = starts[a]; k < starts[a + 1]; ++k) partners[k] = seconds[items[k]];
        sort_short(partners + starts[a], starts[a + 1] - starts[a]);
    }
}

scree_status scri_collider_pairs(scri_collider* c, const scri_placed* s)
{
    enum { GRAIN = 256 }; /* shapes that are worth handing to another worker */
    scree_status status = find_pairs(c, s);
    if (status) return status;
    scri_owner_lists lists = {(int32_t)c->pair_regions.total,
                              s->n,
                              c->firsts.data,
                              c->starts.data,
                              c->items.data,
                              c->item_work.data};
    scri_owner_lists_fill(c->team, &lists);
    scri_team_for(c->team, s->n, GRAIN, order_partners, c);
    return SCREE_OK;
}
