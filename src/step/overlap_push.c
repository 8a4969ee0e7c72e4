#include "problem/bodies_kernel.h"
#include "step/islands.h"
#include "step/overlap.h"
#include "step/step.h"

#include <math.h>
#include <string.h>

enum { SCANS = 8 };

/* Touches that are worth handing to another worker. */
enum { TOUCHES_GRAIN = 64 };

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

/* Puts touches that are due into the list; returns how many are new. */
static int32_t list_touches(scree_world* world, const scri_touch* touches)
{
    scri_touch_table* s = &world->touch_state;
    int32_t before = world->n_pushed;
    for (int32_t i = 0; i < s->n; ++i) {
        if (s->listed[i] != SCRI_DUE) continue;
        size_t at = 12 * (size_t)world->n_pushed;
        s->listed[i] = SCRI_NOT_LISTED;
        s->yield[i] = write_row(world, &touches[i], s->row + at, s->answer + at);
        if (!(s->yield[i] > 0.0)) continue; /* two bodies that cannot respond */
        s->listed[i] = SCRI_LISTED;
        s->limit[world->n_pushed] = scri_overlap_allowed(world, &touches[i]);
        for (int side = 0; side < 2; ++side) {
            int32_t body = scri_touch_body(world, &touches[i], side);
            s->pushed_body[2 * world->n_pushed + side] = body;
        }
        s->pushed[world->n_pushed++] = i;
    }
    return world->n_pushed - before;
}

void scri_overlap_join(scree_world* world, const scri_touch* touch)
{
    scri_bodies_table* b = &world->bodies;
    int32_t one = scri_touch_body(world, touch, 0), two = scri_touch_body(world, touch, 1);
    if (b->inv_mass[one] == 0.0 || b->inv_mass[two] == 0.0) return;
    scri_forest_join(b->island, one, two);
}

void scri_overlap_forget(scree_world* world)
{
    scri_bodies_table* b = &world->bodies;
    for (int32_t i = 0; i < b->n; ++i) b->island[i] = i;
}

/* Worst overlap beyond the tolerance among the listed touches of each set, at its root, before or
 * after the shift. */
static void find_worst(scree_world* world, const scri_touch* touches, int shifted, double* worst)
{
    const scri_touch_table* s = &world->touch_state;
    for (int32_t i = 0; i < world->bodies.n; ++i) worst[i] = 0.0;
    for (int32_t k = 0; k < world->n_pushed; ++k) {
        int32_t i = s->pushed[k], body = scri_overlap_mover(world, &touches[i]);
        double gap = shifted ? shifted_gap(world, touches, i) : s->end_gap[i];
        int32_t root = scri_forest_root(world->bodies.island, body);
        worst[root] = fmax(worst[root], -gap - scri_overlap_allowed(world, &touches[i]));
    }
}

/* A set whose pushes leave no less overlap than there was is held from several sides by what does
 * not give way: it stays where it is. */
static void drop_contradictions(scree_world* world, const scri_touch* touches)
{
    scri_bodies_table* b = &world->bodies;
    double *before = b->lost, *after = b->cost; /* not in use yet */
    find_worst(world, touches, 0, before);
    find_worst(world, touches, 1, after);
    for (int32_t i = 0; i < b->n; ++i) {
        int32_t root = scri_forest_root(b->island, i);
        if (after[root] == 0.0 || after[root] < before[root]) continue;
        memset(b->shift + 6 * (size_t)i, 0, 6 * sizeof *b->shift);
    }
}

void scri_overlap_push(scree_world* world, const scri_touch* touches)
{
    world->n_pushed = 0;
    memset(world->bodies.shift, 0, 6 * (size_t)world->bodies.n * sizeof(double));
    scri_overlap_forget(world);
    for (int scan = 0; scan < SCANS; ++scan) {
        int32_t before = world->n_pushed;
        if (scan > 0) scri_overlap_each(world, touches, look_again);
        if (list_touches(world, touches) == 0) break;
        scri_overlap_sweep(world, touches, before);
    }
    drop_contradictions(world, touches);
}
