#include "base/groups.h"
#include "problem/bodies_kernel.h"
#include "step/islands.h"
#include "step/overlap.h"
#include "step/step.h"

#include <math.h>
#include <string.h>

enum { SCANS = 8 };

/* Touches that are worth handing to another worker, and bodies. */
enum { TOUCHES_GRAIN = 64, BODIES_GRAIN = 512 };

/* Something done with the touches from `begin` on, before `end`. */
typedef struct touch_pass {
    scree_world* world;
    const scri_touch* touches;
    void (*work)(scree_world* world, const scri_touch* touch, int32_t i);
} touch_pass;

static void do_touches(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const touch_pass* pass = context;
    (void)worker;
    for (int32_t i = begin; i < end; ++i) pass->work(pass->world, &pass->touches[i], i);
}

void scri_overlap_each(scree_world* world, const scri_touch* touches,
                       void (*work)(scree_world* world, const scri_touch* touch, int32_t i))
{
    touch_pass pass = {world, touches, work};
    scri_team_for(world->team, world->touch_state.n, TOUCHES_GRAIN, do_touches, &pass);
}

/* A row of H_N, and of H_N M^-1, for one touch: the normal and its moment at either body. Returns
 * H_N M^-1 H_N^T. */
static double write_row(const scree_world* world, const scri_touch* touch, double row[12],
                        double answer[12])
{
    const scri_bodies_table* b = &world->bodies;
    scri_vec n = scri_vec_load(touch->normal);
    double yield = 0.0;
    for (int side = 0; side < 2; ++side) {
        size_t i = (size_t)scri_touch_body(world, touch, side);
        double *x = side ? row + 6 : row, *y = side ? answer + 6 : answer;
        scri_vec out = scri_vec_scale(side ? -1.0 : 1.0, n);
        scri_vec_store(out, x);
        scri_vec_store(scri_vec_cross(scri_touch_arm(world, touch, side), out), x + 3);
        for (int j = 0; j < 3; ++j) y[j] = b->inv_mass[i] * x[j];
        scri_inertia_multiply(b->inv_inertia_world + 6 * i, x + 3, y + 3);
        yield += scri_dot3(x, y) + scri_dot3(x + 3, y + 3);
    }
    return yield;
}

static double shifted_gap(const scree_world* world, const scri_touch* touches, int32_t i)
{
    scri_motion shift = scri_motion_of(world->bodies.shift, 6);
    return world->touch_state.end_gap[i] + scri_touch_normal(world, &touches[i], shift);
}

/* Whether a body of the touch has been shifted, by the pushes so far. */
static int is_moved(const scree_world* world, const scri_touch* touch)
{
    const uint8_t* moved = world->bodies.moved;
    return moved[scri_touch_body(world, touch, 0)] || moved[scri_touch_body(world, touch, 1)];
}

/* Whether the pushes so far have brought a touch off. */
static void look_again(scree_world* world, const scri_touch* touch, int32_t i)
{
    scri_touch_table* s = &world->touch_state;
    if (s->listed[i] || !is_moved(world, touch)) return;
    scri_motion shift = scri_motion_of(world->bodies.shift, 6);
    double gap = s->end_gap[i] + scri_touch_normal(world, touch, shift);
    if (scri_overlap_is_off(world, touch, gap, i)) s->listed[i] = SCRI_DUE;
}

/* Puts touch i, which is due, into the list as number k. One of its bodies responds, so that its
 * gap yields. */
static void list_touch(const scree_world* world, const scri_touch* touch, int32_t i, int32_t k)
{
    const scri_touch_table* s = &world->touch_state;
    scri_push* push = &world->pushes.push[k];
    s->listed[i] = SCRI_LISTED;
    world->pushes.touch[k] = i;
    push->push = 0.0;
    push->gap = s->end_gap[i];
    push->least = s->least_push[i];
    push->yield = write_row(world, touch, push->row, push->answer);
    push->limit = scri_overlap_allowed(world, touch);
    push->cost = 0.0;
    for (int side = 0; side < 2; ++side) {
        int32_t body = push->body[side] = scri_touch_body(world, touch, side);
        const double* answer = push->answer + 6 * (size_t)side;
        push->cost -= scri_overlap_force_times(&world->bodies, (size_t)body, answer);
    }
}

/* Groups of touches, of which those that are due are counted before they are listed. */
typedef struct listing {
    const scree_world* world;
    const scri_touch* touches;
    scri_groups groups;
    int32_t first[SCRI_MOST_GROUPS + 1];
} listing;

static void count_due(void* context, int32_t begin, int32_t end, int32_t worker)
{
    listing* all = context;
    const uint8_t* listed = all->world->touch_state.listed;
    (void)worker;
    for (int32_t g = begin; g < end; ++g) {
        int32_t count = 0, last = scri_groups_begin(&all->groups, g + 1);
        for (int32_t i = scri_groups_begin(&all->groups, g); i < last; ++i) {
            count += listed[i] == SCRI_DUE;
        }
        all->first[g + 1] = count;
    }
}

static void list_due(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const listing* all = context;
    const scree_world* world = all->world;
    (void)worker;
    for (int32_t g = begin; g < end; ++g) {
        int32_t k = world->pushes.n + all->first[g], last = scri_groups_begin(&all->groups, g + 1);
        for (int32_t i = scri_groups_begin(&all->groups, g); i < last; ++i) {
            if (world->touch_state.listed[i] != SCRI_DUE) continue;
            list_touch(world, &all->touches[i], i, k++);
        }
    }
}

/* Puts touches that are due into the list, in their order. */
static scree_status list_touches(scree_world* world, const scri_touch* touches)
{
    enum { COUNT_GRAIN = 8192, LIST_GRAIN = 256 };
    listing all;
    all.world = world;
    all.touches = touches;
    all.groups = scri_groups_of(world->touch_state.n);
    scri_team_for(world->team, all.groups.count, scri_groups_grain(&all.groups, COUNT_GRAIN),
                  count_due, &all);
    int32_t n = scri_groups_add_up(&all.groups, all.first);
    if (n == 0) return SCREE_OK;
    if (!scri_pushes_table_reserve(&world->env, &world->pushes, world->pushes.n + n)) {
        return scri_fail(&world->env, SCREE_ERROR_MEMORY, "out of memory for %d pushes", (int)n);
    }
    scri_team_for(world->team, all.groups.count, scri_groups_grain(&all.groups, LIST_GRAIN),
                  list_due, &all);
    world->pushes.n += n;
    return SCREE_OK;
}

void scri_overlap_join(scree_world* world, const scri_touch* touch)
{
    scri_bodies_table* b = &world->bodies;
    int32_t one = scri_touch_body(world, touch, 0), two = scri_touch_body(world, touch, 1);
    if (b->inv_mass[one] == 0.0 || b->inv_mass[two] == 0.0) return;
    scri_tree_join(b->tree, one, two);
}

static void plant(scree_world* world, int32_t i)
{
    atomic_store_explicit(&world->bodies.tree[i], i, memory_order_relaxed);
}

void scri_overlap_forget(scree_world* world)
{
    scri_step_each(world, world->bodies.n, BODIES_GRAIN, plant);
}

static void find_root(scree_world* world, int32_t i)
{
    world->bodies.island[i] = scri_tree_root(world->bodies.tree, i);
}

void scri_overlap_find_roots(scree_world* world)
{
    scri_step_each(world, world->bodies.n, BODIES_GRAIN, find_root);
}

static void find_contact_root(scree_world* world, int32_t c)
{
    const scri_bodies_table* b = &world->bodies;
    const int32_t* pair = world->contacts.pair + 2 * (size_t)c;
    world->contacts.root[c] = b->island[b->inv_mass[pair[0]] > 0.0 ? pair[0] : pair[1]];
}

void scri_overlap_find_contact_roots(scree_world* world)
{
    scri_step_each(world, world->n_touching, BODIES_GRAIN, find_contact_root);
}

/* The overlap of listed touches beyond the tolerance, before or after the shift, in `closing`, and
 * the roots of their sets. */
typedef struct beyond {
    const scree_world* world;
    const scri_touch* touches;
    int shifted;
} beyond;

static void write_beyond(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const beyond* all = context;
    const scree_world* world = all->world;
    const scri_touch_table* s = &world->touch_state;
    (void)worker;
    for (int32_t k = begin; k < end; ++k) {
        int32_t i = world->pushes.touch[k];
        const scri_touch* touch = &all->touches[i];
        double gap = all->shifted ? shifted_gap(world, all->touches, i) : s->end_gap[i];
        s->closing[k] = -gap - scri_overlap_allowed(world, touch);
        world->pushes.root[k] = world->bodies.island[scri_overlap_mover(world, touch)];
    }
}

/* Worst overlap beyond the tolerance among the listed touches of each set, at its root, before or
 * after the shift. */
static void find_worst(scree_world* world, const scri_touch* touches, int shifted, double* worst)
{
    const scri_pushes_table* s = &world->pushes;
    const double* closing = world->touch_state.closing;
    beyond all = {world, touches, shifted};
    scri_team_for(world->team, s->n, TOUCHES_GRAIN, write_beyond, &all);
    scri_team_clear(world->team, worst, (size_t)world->bodies.n * sizeof *worst);
    for (int32_t k = 0; k < s->n; ++k) {
        if (closing[k] > worst[s->root[k]]) worst[s->root[k]] = closing[k];
    }
}

static void drop_contradiction(scree_world* world, int32_t i)
{
    scri_bodies_table* b = &world->bodies;
    const double *before = b->lost, *after = b->cost;
    int32_t root = b->island[i];
    if (after[root] == 0.0 || after[root] < before[root]) return;
    memset(b->shift + 6 * (size_t)i, 0, 6 * sizeof *b->shift);
}

/* A set whose pushes leave no less overlap than there was is held from several sides by what does
 * not give way: it stays where it is. */
static void drop_contradictions(scree_world* world, const scri_touch* touches)
{
    scri_bodies_table* b = &world->bodies;
    find_worst(world, touches, 0, b->lost); /* neither is in use yet */
    find_worst(world, touches, 1, b->cost);
    scri_step_each(world, b->n, BODIES_GRAIN, drop_contradiction);
}

scree_status scri_overlap_push(scree_world* world, const scri_touch* touches)
{
    scree_status status = SCREE_OK;
    world->pushes.n = 0;
    scri_team_clear(world->team, world->bodies.shift, 6 * (size_t)world->bodies.n * sizeof(double));
    scri_overlap_forget(world);
    for (int scan = 0; scan < SCANS && !status; ++scan) {
        int32_t before = world->pushes.n;
        if (scan > 0) scri_overlap_each(world, touches, look_again);
        status = list_touches(world, touches);
        if (world->pushes.n == before) break;
        if (!status) status = scri_overlap_sweep(world, touches, before);
    }
    if (!status) drop_contradictions(world, touches);
    return status;
}
