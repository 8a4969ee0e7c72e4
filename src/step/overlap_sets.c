/* Touches are pushed apart set by set: what one set of connected bodies does never depends on
 * another, and each ends by itself. Sets are swept side by side, each by one worker in the order of
 * its touches; large ones one after the other by all workers, colour by colour. Which way a set
 * goes depends on its size alone. */
#include "base/groups.h"
#include "base/owner_lists.h"
#include "solvers/colouring.h"
#include "step/islands.h"
#include "step/overlap.h"

#include <math.h>
#include <string.h>

/* Gauss-Seidel ends when no gap is off by more than this share of the trigger. */
#define ENOUGH 0.1

/* Touches from which on a set is large. */
enum { SWEEPS = 200, LARGE = 2048 };

/* Touches that are worth handing to another worker: to look at, to join their bodies. */
enum { LOOK_GRAIN = 512, JOIN_GRAIN = 128 };

/* What is_due says of a set, at its root: it has to be swept, and its sweeps have not ended. */
enum { DUE = 1, UNENDED };

/* One update of touch k of the list; whether it still has to move. */
SCREE_FN int push_touch(const scree_world* world, int32_t k)
{
    const scri_touch_table* s = &world->touch_state;
    const scri_bodies_table* b = &world->bodies;
    int32_t i = s->pushed[k];
    const double *row = s->row + 12 * (size_t)k, *answer = s->answer + 12 * (size_t)k;
    const int32_t* body = s->pushed_body + 2 * (size_t)k;
    double* shift[2] = {b->shift + 6 * (size_t)body[0], b->shift + 6 * (size_t)body[1]};
    double gap = s->end_gap[i], limit = s->limit[k];
    for (int j = 0; j < 6; ++j) gap += row[j] * shift[0][j] + row[6 + j] * shift[1][j];
    if (s->push[i] == s->least_push[i] && gap + 0.5 * limit >= 0.0) return 0; /* spares dividing */
    double push = fmax(s->least_push[i], s->push[i] - (gap + 0.5 * limit) / s->yield[i]);
    double change = push - s->push[i];
    s->push[i] = push;
    for (int side = 0; side < 2 && change != 0.0; ++side) {
        if (b->inv_mass[body[side]] == 0.0) continue;
        b->moved[body[side]] = 1;
        for (int j = 0; j < 6; ++j) shift[side][j] += change * answer[6 * side + j];
    }
    return fabs(change) * s->yield[i] > ENOUGH * limit;
}

/* What is pushed apart, and the list of touches at hand: numbers in touch_state.pushed. */
typedef struct pushing {
    scree_world* world;
    const int32_t* list;
} pushing;

/* ---- small sets ------------------------------------------------------------------------------ */

/* Those whose roots are in a range of bodies. */
static void sweep_sets(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const pushing* all = context;
    const int32_t *first = all->world->bodies.first_pushed, *list = all->list;
    (void)worker;
    for (int32_t root = begin; root < end; ++root) {
        int32_t n = first[root + 1] - first[root];
        int busy = n > 0 && n <= LARGE;
        for (int sweep = 0; sweep < SWEEPS && busy; ++sweep) {
            busy = 0;
            for (int32_t k = first[root]; k < first[root + 1]; ++k) {
                busy |= push_touch(all->world, list[k]);
            }
        }
        if (busy) all->world->bodies.is_due[root] = UNENDED;
    }
}

/* ---- large sets ------------------------------------------------------------------------------ */

/* Touches of one colour, which share no body; whether each still has to move is noted. */
static void push_range(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const pushing* all = context;
    uint8_t* busy = all->world->touch_state.busy;
    (void)worker;
    for (int32_t i = begin; i < end; ++i) {
        int32_t k = all->list[i];
        busy[k] = (uint8_t)push_touch(all->world, k);
    }
}

/* 1 where there is one of a range. */
static double are_busy(const void* context, int32_t begin, int32_t end)
{
    const pushing* all = context;
    for (int32_t i = begin; i < end; ++i) {
        if (all->world->touch_state.busy[all->list[i]]) return 1.0;
    }
    return 0.0;
}

static void copy_pairs(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const pushing* all = context;
    const scri_touch_table* s = &all->world->touch_state;
    (void)worker;
    for (size_t i = (size_t)begin; i < (size_t)end; ++i) {
        memcpy(s->set_pair + 2 * i, s->pushed_body + 2 * (size_t)all->list[i],
               2 * sizeof *s->set_pair);
    }
}

/* Numbers of a list become those of `pushed`. */
static void name_touches(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const pushing* all = context;
    int32_t* by_colour = all->world->touch_state.by_colour;
    (void)worker;
    for (int32_t i = begin; i < end; ++i) by_colour[i] = all->list[by_colour[i]];
}

/* Colours of the n touches of a list, which is then ordered by them. */
static void colour_set(pushing* all, int32_t n, scri_colouring* colouring)
{
    const scri_bodies_table* b = &all->world->bodies;
    const scri_touch_table* s = &all->world->touch_state;
    scri_team_for(all->world->team, n, LOOK_GRAIN, copy_pairs, all);
    scree_problem set = {
        .n_contacts = n,
        .bodies = {.n_bodies = b->n, .inv_mass = b->inv_mass, .pair = s->set_pair}};
    scri_colouring_compute(&set, colouring, all->world->team);
    scri_team_for(all->world->team, n, LOOK_GRAIN, name_touches, all);
}

static int sweep_colours(const pushing* all, const scri_colouring* colouring, int32_t n)
{
    enum { GRAIN = 32 };
    for (int colour = 0; colour <= SCRI_COLOURS; ++colour) {
        int32_t first = colouring->start[colour], count = colouring->start[colour + 1] - first;
        scri_team* team = colour < SCRI_COLOURS ? all->world->team : NULL;
        pushing part = {all->world, colouring->contact + first};
        scri_team_for(team, count, GRAIN, push_range, &part);
    }
    pushing set = {all->world, colouring->contact};
    return scri_groups_most(all->world->team, n, LOOK_GRAIN, are_busy, &set) > 0.0;
}

/* Nobody looks again at what the bodies of a set have come to touch. */
static void leave(const scree_world* world, int32_t root)
{
    const scri_bodies_table* b = &world->bodies;
    for (int32_t i = 0; i < b->n; ++i) {
        if (b->island[i] == root) b->moved[i] = 0;
    }
}

/* Every so many sweeps one looks whether impacts pay for the pushes. Where they do not, the shift
 * will be shortened: to find it to the end, or all that it pushes, is in vain. */
static void sweep_large(pushing* all, int32_t root, int32_t n)
{
    enum { LOOK = 20 };
    const scri_touch_table* s = &all->world->touch_state;
    scri_colouring colouring = {.contact = s->by_colour,
                                .used = all->world->bodies.colours,
                                .colour = s->colour,
                                .scratch = s->root_work};
    colour_set(all, n, &colouring);
    double paid = scri_overlap_paid(all->world, root);
    for (int sweep = 1; sweep <= SWEEPS; ++sweep) {
        if (!sweep_colours(all, &colouring, n)) return;
        if (sweep % LOOK != 0 || !(scri_overlap_cost(all->world, root) > paid)) continue;
        leave(all->world, root);
        return;
    }
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
    const int32_t* pushed = all->world->touch_state.pushed + all->before;
    (void)worker;
    for (int32_t k = begin; k < end; ++k) {
        scri_overlap_join(all->world, &all->touches[pushed[k]]);
    }
}

static void write_roots(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const listed_touches* all = context;
    const scri_touch_table* s = &all->world->touch_state;
    const int32_t* island = all->world->bodies.island;
    (void)worker;
    for (int32_t k = begin; k < end; ++k) {
        s->root[k] = island[scri_overlap_mover(all->world, &all->touches[s->pushed[k]])];
    }
}

static void drop_undue(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const listed_touches* all = context;
    int32_t* root = all->world->touch_state.root;
    (void)worker;
    for (int32_t k = begin; k < end; ++k) {
        if (!all->world->bodies.is_due[root[k]]) root[k] = -1;
    }
}

/* Lists the touches of the sets that have one listed since `before`, by set. */
static void list_sets(scree_world* world, const scri_touch* touches, int32_t before)
{
    scri_bodies_table* b = &world->bodies;
    scri_touch_table* s = &world->touch_state;
    listed_touches all = {world, touches, before};
    scri_team_for(world->team, world->n_pushed - before, JOIN_GRAIN, join_new, &all);
    scri_overlap_find_roots(world);
    scri_team_for(world->team, world->n_pushed, LOOK_GRAIN, write_roots, &all);
    memset(b->is_due, 0, (size_t)b->n);
    for (int32_t k = before; k < world->n_pushed; ++k) b->is_due[s->root[k]] = DUE;
    scri_team_for(world->team, world->n_pushed, LOOK_GRAIN, drop_undue, &all);
    scri_owner_lists lists = {world->n_pushed, b->n,       s->root,
                              b->first_pushed, s->by_root, s->root_work};
    scri_owner_lists_fill(world->team, &lists);
}

void scri_overlap_sweep(scree_world* world, const scri_touch* touches, int32_t before)
{
    enum { GRAIN = 128 }; /* bodies, of which some are roots */
    const scri_bodies_table* b = &world->bodies;
    const int32_t* first = b->first_pushed;
    list_sets(world, touches, before);
    memset(b->moved, 0, (size_t)b->n);
    pushing all = {world, world->touch_state.by_root};
    int knows_contacts = 0; /* which sets they belong to */
    scri_team_for(world->team, b->n, GRAIN, sweep_sets, &all);
    for (int32_t i = 0; i < b->n && world->n_pushed > LARGE; ++i) {
        int32_t n = first[i + 1] - first[i];
        pushing set = {world, world->touch_state.by_root + first[i]};
        if (n <= LARGE) continue;
        if (!knows_contacts) scri_overlap_find_contact_roots(world);
        knows_contacts = 1;
        sweep_large(&set, i, n);
    }
    int32_t *unended = world->touch_state.root, n_unended = 0; /* no more than touches */
    for (int32_t i = 0; i < b->n; ++i) {
        if (b->is_due[i] == UNENDED) unended[n_unended++] = i;
    }
    scri_overlap_solve(world, touches, unended, n_unended);
}
