/* Touches are pushed apart set by set: what one set of connected bodies does never depends on
 * another, and each ends by itself. Sets are swept side by side, each by one worker in the order of
 * its touches; large ones one after the other by all workers, colour by colour. Which way a set
 * goes depends on its size alone. */
#include "base/groups.h"
#include "base/owner_lists.h"
#include "solvers/bundles.h"
#include "step/islands.h"
#include "step/overlap.h"

#include <math.h>
#include <string.h>

/* Gauss-Seidel ends when no gap is off by more than this share of the trigger. */
#define ENOUGH 0.1

/* Sweeps at most, and touches from which on a set is large: all workers sweep it. */
enum { SWEEPS = 200, LARGE = 2048 };

/* Touches that are worth handing to another worker: to look at, to join their bodies. */
enum { LOOK_GRAIN = 512, JOIN_GRAIN = 128 };

/* What is_due says of a set, at its root: it has to be swept, and its sweeps have not ended. */
enum { DUE = 1, UNENDED };

/* One update of a touch; whether it still has to move. */
SCREE_FN int push_apart(const scree_world* world, scri_push* p)
{
    const scri_bodies_table* b = &world->bodies;
    double* shift[2] = {b->shift + 6 * (size_t)p->body[0], b->shift + 6 * (size_t)p->body[1]};
    double gap = p->gap;
    for (int j = 0; j < 6; ++j) gap += p->row[j] * shift[0][j] + p->row[6 + j] * shift[1][j];
    gap += 0.5 * p->limit;
    if (p->push == p->least && gap >= 0.0) return 0; /* spares dividing */
    double push = fmax(p->least, p->push - gap / p->yield), change = push - p->push;
    p->push = push;
    for (int side = 0; side < 2 && change != 0.0; ++side) {
        if (b->inv_mass[p->body[side]] == 0.0) continue;
        if (!b->moved[p->body[side]]) b->moved[p->body[side]] = 1; /* others read that line */
        for (int j = 0; j < 6; ++j) shift[side][j] += change * p->answer[6 * side + j];
    }
    return fabs(change) * p->yield > ENOUGH * p->limit;
}

/* What is pushed apart, and the list of touches at hand: numbers in world.pushes. */
typedef struct pushing {
    scree_world* world;
    const int32_t* list;
    int32_t root; /* of the set, where it is one */
} pushing;

/* ---- looks ----------------------------------------------------------------------------------- */

enum { FIRST_LOOK = 5 };

/* Every so often one looks whether impacts pay for the pushes of a set, for the first time early,
 * for then it mostly shows. Where they do not, the shift will be shortened: to find it to the end,
 * or all that it pushes, is in vain. */
static int is_time_to_look(int sweep, int* next)
{
    enum { MOST_BETWEEN = 20 };
    if (sweep < *next) return 0;
    *next += *next < MOST_BETWEEN ? *next : MOST_BETWEEN;
    return 1;
}

/* ---- sets of one worker ---------------------------------------------------------------------- */

/* One sweep over n touches of a list; whether any still has to move. */
static int sweep_list(const scree_world* world, const int32_t* list, int32_t n)
{
    int busy = 0;
    for (int32_t k = 0; k < n; ++k) busy |= push_apart(world, &world->pushes.push[list[k]]);
    return busy;
}

/* Whether the pushes of a list cost more than may be paid: then nobody looks again at what their
 * bodies have come to touch. */
static int is_left(const scree_world* world, const int32_t* list, int32_t n, double paid)
{
    const scri_push* push = world->pushes.push;
    uint8_t* moved = world->bodies.moved;
    double cost = 0.0;
    for (int32_t k = 0; k < n; ++k) cost += push[list[k]].push * push[list[k]].cost;
    for (int32_t k = 0; k < n && cost > paid; ++k) {
        const int32_t* body = push[list[k]].body;
        for (int side = 0; side < 2; ++side) { /* sets share those that do not respond */
            if (moved[body[side]]) moved[body[side]] = 0;
        }
    }
    return cost > paid;
}

/* Those whose roots are in a range of bodies, but for large ones. */
static void sweep_sets(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const pushing* all = context;
    const scree_world* world = all->world;
    const int32_t* first = world->bodies.first_pushed;
    (void)worker;
    for (int32_t root = begin; root < end; ++root) {
        const int32_t *list = all->list + first[root], n = first[root + 1] - first[root];
        int busy = n > 0 && n <= LARGE, look = FIRST_LOOK;
        for (int sweep = 1; sweep <= SWEEPS && busy; ++sweep) {
            busy = sweep_list(world, list, n);
            if (!busy || n <= SCRI_SMALL_SET || !is_time_to_look(sweep, &look)) continue;
            busy = !is_left(world, list, n, scri_overlap_paid(world, root));
        }
        if (busy) world->bodies.is_due[root] = UNENDED;
    }
}

/* ---- large sets ------------------------------------------------------------------------------ */

/* Bundles of one colour, which share no body, in the order of the set. */
typedef struct pushing_colour {
    scree_world* world;
    const int32_t* first; /* touch of each */
    int32_t n;
} pushing_colour;

/* Bundles by as many as are taken together; whether each touch still has to move is noted. */
static void push_range(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const pushing_colour* all = context;
    const scri_push_set_table* s = &all->world->push_set;
    int32_t last = end * SCRI_CHUNK;
    (void)worker;
    if (last > all->n) last = all->n;
    for (int32_t i = all->first[begin * SCRI_CHUNK]; i < all->first[last]; ++i) {
        s->busy[i] = (uint8_t)push_apart(all->world, &s->push[i]);
    }
}

/* 1 where there is one of a range. */
static double are_busy(const void* context, int32_t begin, int32_t end)
{
    const scri_push_set_table* s = context;
    return memchr(s->busy + begin, 1, (size_t)(end - begin)) ? 1.0 : 0.0;
}

static void copy_pairs(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const pushing* all = context;
    const scri_push* push = all->world->pushes.push;
    int32_t* pair = all->world->push_set.pair;
    (void)worker;
    for (size_t i = (size_t)begin; i < (size_t)end; ++i) {
        memcpy(pair + 2 * i, push[all->list[i]].body, 2 * sizeof *pair);
    }
}

/* Into the order of the set. */
static void take_pushes(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const pushing* all = context;
    const scri_push_set_table* s = &all->world->push_set;
    const scri_push* push = all->world->pushes.push;
    (void)worker;
    for (int32_t i = begin; i < end; ++i) s->push[i] = push[all->list[s->by_colour[i]]];
}

static void return_pushes(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const pushing* all = context;
    const scri_push_set_table* s = &all->world->push_set;
    scri_push* push = all->world->pushes.push;
    (void)worker;
    for (int32_t i = begin; i < end; ++i) {
        push[all->list[s->by_colour[i]]].push = s->push[i].push;
    }
}

/* Bundles of the n touches of a list, by colour. */
static scri_bundles colour_set(pushing* all, int32_t n)
{
    const scri_bodies_table* b = &all->world->bodies;
    const scri_push_set_table* s = &all->world->push_set;
    scri_team_for(all->world->team, n, LOOK_GRAIN, copy_pairs, all);
    scree_problem set = {.n_contacts = n,
                         .bodies = {.n_bodies = b->n, .inv_mass = b->inv_mass, .pair = s->pair}};
    scri_bundles bundles = {
        .colouring = {.contact = s->bundle, .used = b->colours, .room = s->colour},
        .head = s->head,
        .pair = s->bodies,
        .first = s->first,
        .contact = s->by_colour,
        .place = s->place,
    };
    scri_bundles_compute(&set, &bundles, all->world->team);
    return bundles;
}

static int sweep_colours(scree_world* world, const scri_bundles* bundles, int32_t n)
{
    const int32_t* start = bundles->colouring.start;
    for (int colour = 0; colour <= SCRI_COLOURS; ++colour) {
        pushing_colour one = {world, bundles->first + start[colour],
                              start[colour + 1] - start[colour]};
        scri_team* team = colour < SCRI_COLOURS ? world->team : NULL;
        scri_team_for(team, (one.n + SCRI_CHUNK - 1) / SCRI_CHUNK, 1, push_range, &one);
    }
    return scri_groups_most(world->team, n, LOOK_GRAIN, are_busy, &world->push_set) > 0.0;
}

static double cost_of(const void* context, int32_t begin, int32_t end)
{
    const scri_push_set_table* s = context;
    double cost = 0.0;
    for (int32_t i = begin; i < end; ++i) cost += s->push[i].push * s->push[i].cost;
    return cost;
}

/* Nobody looks again at what the bodies of a set have come to touch. */
static void leave(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const pushing* all = context;
    const scri_bodies_table* b = &all->world->bodies;
    (void)worker;
    for (int32_t i = begin; i < end; ++i) {
        if (b->island[i] == all->root) b->moved[i] = 0;
    }
}

static scree_status sweep_large(pushing* all, int32_t n)
{
    scri_team* team = all->world->team;
    const scree_env* env = &all->world->env;
    if (!scri_push_set_table_reserve(env, &all->world->push_set, n + 1)) {
        return scri_fail(env, SCREE_ERROR_MEMORY, "out of memory for %d pushes", (int)n);
    }
    scri_bundles bundles = colour_set(all, n);
    double paid = scri_overlap_paid(all->world, all->root);
    int look = FIRST_LOOK;
    scri_team_for(team, n, LOOK_GRAIN, take_pushes, all);
    for (int sweep = 1; sweep <= SWEEPS; ++sweep) {
        if (!sweep_colours(all->world, &bundles, n)) break;
        if (!is_time_to_look(sweep, &look)) continue;
        if (!(scri_groups_sum(team, n, LOOK_GRAIN, cost_of, &all->world->push_set) > paid)) {
            continue;
        }
        scri_team_for(team, all->world->bodies.n, LOOK_GRAIN, leave, all);
        break;
    }
    scri_team_for(team, n, LOOK_GRAIN, return_pushes, all);
    return SCREE_OK;
}

/* ---- all ------------------------------------------------------------------------------------- */

/* The listed touches, and the first that is new. */
typedef struct listed_touches {
    scree_world* world;
    const scri_touch* touches;
    int32_t before;
} listed_touches;

static void join_new(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const listed_touches* all = context;
    const int32_t* pushed = all->world->pushes.touch + all->before;
    (void)worker;
    for (int32_t k = begin; k < end; ++k) {
        scri_overlap_join(all->world, &all->touches[pushed[k]]);
    }
}

static void write_roots(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const listed_touches* all = context;
    const scri_pushes_table* s = &all->world->pushes;
    const int32_t* island = all->world->bodies.island;
    (void)worker;
    for (int32_t k = begin; k < end; ++k) {
        s->root[k] = island[scri_overlap_mover(all->world, &all->touches[s->touch[k]])];
    }
}

static void drop_undue(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const listed_touches* all = context;
    int32_t* root = all->world->pushes.root;
    (void)worker;
    for (int32_t k = begin; k < end; ++k) {
        if (!all->world->bodies.is_due[root[k]]) root[k] = -1;
    }
}

/* Lists the touches of the sets that have one listed since `before`, by set. */
static void list_sets(scree_world* world, const scri_touch* touches, int32_t before)
{
    scri_bodies_table* b = &world->bodies;
    scri_pushes_table* s = &world->pushes;
    listed_touches all = {world, touches, before};
    scri_team_for(world->team, s->n - before, JOIN_GRAIN, join_new, &all);
    scri_overlap_find_roots(world);
    scri_team_for(world->team, s->n, LOOK_GRAIN, write_roots, &all);
    memset(b->is_due, 0, (size_t)b->n);
    for (int32_t k = before; k < s->n; ++k) b->is_due[s->root[k]] = DUE;
    scri_team_for(world->team, s->n, LOOK_GRAIN, drop_undue, &all);
    scri_owner_lists lists = {s->n, b->n, s->root, b->first_pushed, s->by_root, s->root_work};
    scri_owner_lists_fill(world->team, &lists);
}

scree_status scri_overlap_sweep(scree_world* world, const scri_touch* touches, int32_t before)
{
    enum { GRAIN = 128 }; /* bodies, of which some are roots */
    const scri_bodies_table* b = &world->bodies;
    const int32_t* first = b->first_pushed;
    list_sets(world, touches, before);
    memset(b->moved, 0, (size_t)b->n);
    pushing all = {world, world->pushes.by_root, -1};
    int32_t largest = 0;
    for (int32_t i = 0; i < b->n; ++i) {
        if (first[i + 1] - first[i] > largest) largest = first[i + 1] - first[i];
    }
    if (largest > SCRI_SMALL_SET) scri_overlap_find_losses(world);
    scri_team_for(world->team, b->n, GRAIN, sweep_sets, &all);
    for (int32_t i = 0; i < b->n && largest > LARGE; ++i) {
        int32_t n = first[i + 1] - first[i];
        if (n <= LARGE) continue;
        scree_status status = sweep_large(&(pushing){world, all.list + first[i], i}, n);
        if (status) return status;
    }
    int32_t *unended = world->pushes.root, n_unended = 0; /* no more than pushes */
    for (int32_t i = 0; i < b->n; ++i) {
        if (b->is_due[i] == UNENDED) unended[n_unended++] = i;
    }
    scri_overlap_solve(world, touches, unended, n_unended);
    return SCREE_OK;
}
