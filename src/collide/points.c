/* The points of ordered pairs.
 *
 * Pieces of the pairs are looked at side by side and their points joined in the order of the pairs.
 * Two shapes that are where they were touch as they did: their points are copied from the last
 * call. */
#include "base/bits.h"
#include "collide/collider.h"
#include "collide/pair.h"

#include <string.h>

/* What the points of a pair depend on, for either shape. */
typedef struct placement {
    double position[3], rotation[4], size[3], rounding, reach;
    const scree_hull* hull;
    const scree_mesh* mesh;
    scree_shape_kind kind;
    int32_t body;
    uint32_t category, collides, responds;
} placement;

/* Whether other bodies never collide than in the last call. */
static int apart_changes(const scri_collider* c, const scri_placed* s)
{
    size_t bytes = 2 * (size_t)s->n_apart * sizeof *s->apart;
    if (c->n_last_apart != s->n_apart) return 1;
    return bytes > 0 && !scri_same_bits(c->last_apart.data, s->apart, bytes);
}

/* To be compared byte by byte, what is between the members included. */
static void write_placement(const scri_placed* s, int32_t i, placement* out)
{
    memset(out, 0, sizeof *out);
    memcpy(out->position, s->position + 3 * (size_t)i, sizeof out->position);
    memcpy(out->rotation, s->rotation + 4 * (size_t)i, sizeof out->rotation);
    memcpy(out->size, s->size + 3 * (size_t)i, sizeof out->size);
    out->rounding = scri_placed_rounding(s, i);
    out->reach = scri_placed_reach(s, i);
    out->hull = s->hull ? s->hull[i] : NULL;
    out->mesh = s->mesh ? s->mesh[i] : NULL;
    out->kind = s->kind[i];
    out->body = s->body[i];
    out->category = s->category[i];
    out->collides = s->collides[i];
    out->responds = s->responds[i];
}

/* What is done with the shapes and pairs of a call. */
typedef struct call {
    scri_collider* c;
    const scri_placed* shapes;
    double margin;
    int32_t n_last;         /* shapes whose placements of the last call count */
    int32_t n_pairs, piece; /* in all, and of a piece */
    scri_buffer* found;     /* where pieces write their points */
} call;

static void compare_range(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const call* all = context;
    placement* placements = all->c->placements.data;
    uint8_t* still = all->c->still.data;
    (void)worker;
    for (int32_t i = begin; i < end; ++i) {
        placement now;
        write_placement(all->shapes, i, &now);
        still[i] = i < all->n_last && scri_same_bits(&now, &placements[i], sizeof now);
        memcpy(&placements[i], &now, sizeof now);
    }
}

/* Notes placements, and which of them are those of the last call. Spheres are found faster than
 * they are compared. */
static scree_status compare_placements(call* all)
{
    enum { GRAIN = 64 };
    scri_collider* c = all->c;
    const scri_placed* s = all->shapes;
    size_t n = (size_t)s->n, kept = (size_t)c->n_last;
    int is_alike = c->last_margin == all->margin && c->last_ranking == s->ranking;
    all->n_last = is_alike && !apart_changes(c, s) ? c->n_last : 0;
    c->n_last = 0; /* until the points have been found */
    c->last_margin = all->margin;
    c->last_ranking = s->ranking;
    if (!c->is_general) return SCREE_OK;
    if (!scri_buffer_reserve(&c->env, &c->placements, n, sizeof(placement), kept)) {
        return scri_fail(&c->env, SCREE_ERROR_MEMORY, "no memory for %d placements", (int)s->n);
    }
    size_t apart = 2 * (size_t)s->n_apart * sizeof *s->apart;
    scree_status status = scri_collider_reserve(c, &c->still, n, sizeof(uint8_t));
    if (!status && apart > 0) status = scri_collider_reserve(c, &c->last_apart, apart, 1);
    if (status) return status;
    if (apart > 0) memcpy(c->last_apart.data, s->apart, apart);
    c->n_last_apart = s->n_apart;
    scri_team_for(c->team, s->n, GRAIN, compare_range, all);
    return SCREE_OK;
}

/* Whether a touch comes before those of a pair, by ranks. */
static int is_before(const scri_placed* s, const scri_touch* t, int32_t a, int32_t b)
{
    int32_t first = scri_placed_rank(s, t->a);
    return first < a || (first == a && scri_placed_rank(s, t->b) < b);
}

/* The first point of the last call that does not come before those of a pair. */
static size_t search_last(const scri_collider* c, const scri_placed* s, int32_t a, int32_t b)
{
    const scri_touch* last = c->last_touches.data;
    size_t low = 0, high = c->n_last_touches;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (is_before(s, &last[middle], a, b)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Copies the points of the pair from the last call; *at moves on to it. Pairs have the same order
 * there, and one that is missing did not touch. */
static int copy_points(const call* all, size_t* at, int32_t a, int32_t b, scri_touch* out)
{
    const scri_collider* c = all->c;
    const scri_placed* s = all->shapes;
    const scri_touch* last = c->last_touches.data;
    int n = 0;
    for (; *at < c->n_last_touches; ++*at) {
        const scri_touch* t = last + *at;
        if (t->a == a && t->b == b) {
            out[n++] = *t;
        } else if (!is_before(s, t, scri_placed_rank(s, a), scri_placed_rank(s, b))) {
            break;
        }
    }
    return n;
}

/* Whether the bodies of two shapes are in the list of those that never collide. */
static int are_apart(const scri_placed* s, int32_t a, int32_t b)
{
    int32_t x = s->body[a], y = s->body[b], low = 0, high = s->n_apart;
    if (y < x) {
        int32_t kept = x;
        x = y;
        y = kept;
    }
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        const int32_t* pair = s->apart + 2 * (size_t)middle;
        if (pair[0] == x && pair[1] == y) return 1;
        if (pair[0] < x || (pair[0] == x && pair[1] < y)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return 0;
}

static int collide_two(const scri_core* cores, const scri_placed* s, int32_t a, int32_t b,
                       double margin, scri_touch* out)
{
    double radius_a = cores[a].radius, radius_b = cores[b].radius;
    int n;
    if (s->n_apart > 0 && are_apart(s, a, b)) return 0;
    if (radius_a >= 0.0 && radius_b >= 0.0) {
        n = scri_touch_spheres(cores[a].x, radius_a, cores[b].x, radius_b, margin, out);
    } else if (radius_a >= 0.0 && radius_b == -1.0) {
        n = scri_touch_sphere_plane(cores[a].x, radius_a,
                                    scri_vec_load(s->position + 3 * (size_t)b), cores[b].x, margin,
                                    out);
    } else {
        return scri_collide_pair(s, a, b, margin, out);
    }
    out->a = a;
    out->b = b;
    out->zone = 0;
    return n;
}

/* The first shape whose pairs begin behind pair k, less one: the first shape of pair k, by rank. */
static int32_t first_of(const scri_collider* c, int32_t n, int32_t k)
{
    const int32_t* starts = c->starts.data;
    int32_t low = 0, high = n;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (starts[middle + 1] <= k) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Points of pair (a, b); *last moves on to it in the points of the last call. */
static int points_of(const call* all, int32_t a, int32_t b, size_t* last, scri_touch* out)
{
    const scri_collider* c = all->c;
    const scri_placed* s = all->shapes;
    const uint8_t* still = c->still.data;
    if (c->is_general && still[a] && still[b]) return copy_points(all, last, a, b, out);
    double apart = all->margin + scri_placed_reach(s, a) + scri_placed_reach(s, b);
    return collide_two(c->cores.data, s, a, b, apart, out);
}

/* Where room may not be enough, points go through a place of their own. */
static size_t find_piece(void* context, int32_t piece, size_t begin, size_t room)
{
    const call* all = context;
    const scri_collider* c = all->c;
    const int32_t *starts = c->starts.data, *partners = c->partners.data;
    const int32_t* shape = all->shapes->rank ? all->shapes->by_rank : NULL;
    const scri_core* cores = c->cores.data;
    scri_touch* out = (scri_touch*)all->found->data + begin;
    int32_t k = piece * all->piece, left = all->n_pairs - k;
    int32_t end = left < all->piece ? all->n_pairs : k + all->piece;
    int32_t a = first_of(c, all->shapes->n, k);
    size_t n = 0, last = c->is_general ? search_last(c, all->shapes, a, partners[k]) : 0;
    for (; k < end; ++k) {
        while (starts[a + 1] <= k) ++a;
        int32_t ahead = partners[k + SCRI_AHEAD < all->n_pairs ? k + SCRI_AHEAD : k];
        SCRI_PREFETCH(cores + (shape ? shape[ahead] : ahead));
        int32_t first = shape ? shape[a] : a, second = shape ? shape[partners[k]] : partners[k];
        if (n + SCRI_MAX_TOUCHES <= room) {
            n += (size_t)points_of(all, first, second, &last, out + n);
            continue;
        }
        scri_touch own[SCRI_MAX_TOUCHES];
        int count = points_of(all, first, second, &last, own);
        for (int i = 0; i < count; ++i, ++n) {
            if (n < room) out[n] = own[i];
        }
    }
    return n;
}

static size_t expect_points(const void* context, int32_t k)
{
    enum { ROUND = 5, GENERAL = 8 }; /* quarters of a point for each pair */
    const call* all = context;
    size_t each = all->c->is_general ? GENERAL : ROUND;
    (void)k;
    return (size_t)all->piece * each / 4 + SCRI_MAX_TOUCHES;
}

static int reserve_points(void* context, size_t total, size_t kept)
{
    const call* all = context;
    return scri_buffer_extend(&all->c->env, all->found, total, sizeof(scri_touch), kept);
}

static void join_regions(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const scri_collider* c = context;
    const scri_touch* found = c->found.data;
    scri_touch* touches = c->touches.data;
    (void)worker;
    for (int32_t k = begin; k < end; ++k) {
        const scri_region* r = &c->touch_regions.region[k];
        if (r->n > 0) memcpy(touches + r->place, found + r->begin, r->n * sizeof *touches);
    }
}

/* Pieces of pairs: those of general shapes take longer. Without a team there is one, which writes
 * its points where they belong. */
static int32_t cut_pieces(call* all)
{
    enum { ROUND = 512, GENERAL = 32, MOST = 1024 };
    scri_collider* c = all->c;
    int32_t least = c->is_general ? GENERAL : ROUND;
    all->n_pairs = ((const int32_t*)c->starts.data)[all->shapes->n];
    all->piece = all->n_pairs / MOST + 1;
    if (all->piece < least) all->piece = least;
    if (scri_team_size(c->team) == 1 && all->n_pairs > 0) all->piece = all->n_pairs;
    int32_t pieces = (all->n_pairs + all->piece - 1) / all->piece;
    all->found = pieces == 1 ? &c->touches : &c->found;
    return pieces;
}

static scree_status find_points(call* all, int32_t* n_touches)
{
    scri_collider* c = all->c;
    scri_regions* r = &c->touch_regions;
    int32_t pieces = cut_pieces(all);
    scri_region_work work = {all, expect_points, reserve_points, find_piece, NULL};
    if (c->is_general) {
        scri_buffer swap = c->last_touches;
        c->last_touches = c->touches;
        c->touches = swap;
    }
    scree_status status = scri_regions_run(&c->env, c->team, r, pieces, &work);
    if (!status && pieces != 1) {
        int has_room = scri_buffer_renew(&c->env, &c->touches, r->n_found, sizeof(scri_touch));
        status = has_room ? SCREE_OK : SCREE_ERROR_MEMORY;
    }
    if (status) return scri_fail(&c->env, status, "no memory for contacts");
    if (pieces != 1) scri_team_for(c->team, pieces, 1, join_regions, c);
    /* the two change places: both have the room that is needed now */
    if (c->is_general) status = scri_collider_reserve(c, &c->last_touches, c->touches.size, 1);
    *n_touches = status ? 0 : (int32_t)r->n_found;
    return status;
}

scree_status scri_collider_points(scri_collider* c, const scri_placed* s, double margin,
                                  int32_t* n_touches)
{
    call all = {.c = c, .shapes = s, .margin = margin};
    scree_status status = compare_placements(&all);
    if (!status) status = find_points(&all, n_touches);
    if (status) return status;
    c->n_last_touches = (size_t)*n_touches;
    c->n_last = s->n;
    return SCREE_OK;
}
