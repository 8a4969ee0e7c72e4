/* Which of the touches near enough become contacts of the step.
 *
 * Impulse scheme: those whose gap is closed half way through the step, and of the contacts of
 * the last step also those that the free velocities would close again: a contact that
 * rolls or turns opens by what the step neglects, and must not let go for that. Gap scheme: all
 * that can close within the step. To hand every touch within reach of the fastest body to the
 * solver would more than double its work, so a bound on the approach decides: that of the free
 * velocities, some stir, and what bodies may be given by others that hit them. After the solve the
 * touches left out are looked at again, and the step is solved once more with those that its
 * velocities do close.
 */
#include "base/compiler.h"
#include "base/groups.h"
#include "problem/bodies_kernel.h"
#include "step/overlap.h"
#include "step/step.h"
#include "step/touch.h"
#include "world/ranks.h"

#include <math.h>
#include <string.h>

/* Times that a push is handed on from body to body, and the share that goes on. */
enum { PUSH_ROUNDS = 2 };
#define PUSH_SHARE 0.5

/* Velocity that any body may get from its neighbours, in units of what gravity adds in a step: with
 * less, many steps of a heap have to be solved twice. Where a step may leave overlap, they need not
 * be: LEFT times what closes as much is left out, down to LEAST_STIR. */
#define STIR 3.0
#define LEFT 3.0
#define LEAST_STIR 2.0

/* Overlap that a touch left out may reach: gap scheme, as a share of the distance from point to
 * centre, or what is allowed if that is more; impulse scheme, of the size. There a body that is
 * stopped stops the next one, which is nearly above it, in the same step: one after the other, a
 * step each, those of a stack would fall on for as many steps. In parts of more than FEW_CONTACTS,
 * where every round costs, and where materials bounce, so that the order of impacts matters, more
 * is left to the next step. */
#define MISSED_OVERLAP 1e-3
#define MISSED_SHARE 1e-2
#define FEW_MISSED_SHARE 1e-4
enum { FEW_CONTACTS = 400 };

/* Rounds of a step, and of one whose parts have few contacts. */
enum { ROUNDS = 4, FEW_ROUNDS = 24 };

/* Contacts part with more than this, in units of what gravity gives in a step. */
#define PARTED 1e-3

/* An impulse is none if it changes the velocity by this share, see has_pressed(). */
#define ROUNDING 1e-12

/* Reach of a body at rest that something faster may hit, as a share of its size. */
#define STRUCK_SHARE 0.25

/* Gap of a contact of the last step between bodies that fly past each other, as a share of their
 * size, up to which the plane of the touch still says where they meet. */
#define STILL_SHARE 0.1

/* m; a body that moves farther in one step has gone wild. */
#define MOST_WAY 1e12

/* Normal velocity at a touch, from velocities laid out as the kernels want them. */
static double stepped_velocity(const scree_world* world, const double* lines,
                               const scri_touch* touch)
{
    return scri_touch_normal(world, touch, scri_motion_of(lines, SCRI_BODY_STRIDE));
}

/* What the gap of a resting contact may be off by: rounding, and bodies come to rest on each other
 * only to the tolerance of the solver, however fast they go together. Such a contact must not open
 * for one step: the body would fall by g h^2 and stay there. */
static double slack(const scree_world* world, const scri_touch* touch)
{
    const double* free = world->bodies.free;
    const double* of_a = free + SCRI_BODY_STRIDE * (size_t)world->shapes.body[touch->a];
    const double* of_b = free + SCRI_BODY_STRIDE * (size_t)world->shapes.body[touch->b];
    double speed = 0.0, apart = 2.0 * scri_step_gravity_speed(world);
    for (size_t j = 0; j < 3; ++j) {
        speed += fabs(of_a[j]) + fabs(of_b[j]);
        apart += fabs(of_a[j] - of_b[j]);
    }
    speed = fmin(speed, apart);
    return scri_touch_rounding(world, touch) + world->def.solver.tol * world->def.step * speed;
}

/* Whether bodies fly past each other in the rest of the step. */
static int is_fast(const scree_world* world, const scri_touch* touch)
{
    scri_motion free = scri_motion_of(world->bodies.free, SCRI_BODY_STRIDE);
    return scri_touch_is_fast(world, touch, world->def.theta * world->def.step, free);
}

static double approach_of(const scree_world* world, const scri_touch* touch)
{
    const scri_bodies_table* b = &world->bodies;
    return scri_touch_normal(world, touch, (scri_motion){b->velocity, b->omega, 3});
}

/* Impulse scheme: whether a touch is closed half way through the step. */
static int is_closed_halfway(const scree_world* world, const scri_touch* touch)
{
    double ahead = (world->def.theta - 0.5) * world->def.step;
    return touch->gap + ahead * approach_of(world, touch) <= slack(world, touch);
}

/* Whether contact j of the last step, or a later one to which j moves on, is this touch: they have
 * the same order. */
static int was_contact(const scree_world* world, int32_t* j, const scri_touch* touch)
{
    const scri_contacts_table* last = &world->last;
    const int32_t own[2] = {touch->a, touch->b};
    for (; *j < last->n; ++*j) {
        int differ = scri_ranks_compare(world, own, last->shape + 2 * (size_t)*j);
        uint32_t feature = last->feature[*j];
        if (differ < 0) return 0;
        if (differ == 0 && feature >= touch->feature) return feature == touch->feature;
    }
    return 0;
}

/* Whether a touch that was a contact in the last step, or was none, is one now. Bodies that fly
 * past each other must touch already: the sweep brings them there if they do meet, and so it does
 * where the motion of one of them is given. What has pressed while it was open, and has not parted,
 * has its gap to close. */
static uint8_t choose_closed(const scree_world* world, const scri_touch* touch, int was,
                             int lasting)
{
    double size = scri_pair_size(world, touch->a, touch->b);
    double still = fmax(slack(world, touch), STILL_SHARE * size), near = SCRI_TOUCHING * size;
    int meets = approach_of(world, touch) < 0.0 && touch->gap <= near;
    if (is_fast(world, touch) && !(was && touch->gap <= still)) {
        return meets ? SCRI_CHOSEN : SCRI_LEFT_OUT;
    }
    if (meets && scri_meeting_of(world, touch->a, touch->b)) return SCRI_CHOSEN;
    if (is_closed_halfway(world, touch)) return SCRI_CHOSEN;
    double ahead = world->def.step * stepped_velocity(world, world->bodies.free, touch);
    double parted = PARTED * scri_step_gravity_speed(world);
    if (lasting && approach_of(world, touch) <= parted) {
        int is_open = touch->gap > scri_overlap_tolerance(world, touch);
        return is_open ? SCRI_CHOSEN_OPEN : SCRI_CHOSEN;
    }
    return was && touch->gap + ahead <= 0.0 ? SCRI_CHOSEN_OPEN : SCRI_LEFT_OUT;
}

/* Whether contact j of the last step pressed: by more than the rounding of what its bodies' motion
 * and gravity would take to change. */
static int has_pressed(const scree_world* world, const scri_touch* touch, int32_t j)
{
    const scri_contacts_table* last = &world->last;
    const scri_bodies_table* b = &world->bodies;
    double speed = scri_step_gravity_speed(world), inverse = 0.0;
    for (int side = 0; side < 2; ++side) {
        size_t body = (size_t)scri_touch_body(world, touch, side);
        for (size_t i = 0; i < 3; ++i) speed += fabs(b->velocity[3 * body + i]);
        inverse += b->inv_mass[body];
    }
    return last->p[last->first_row[j]] * inverse > ROUNDING * speed;
}

/* Shapes and touches that are worth handing to another worker, and touches to look for. */
enum { SHAPES_GRAIN = 64, TOUCHES_GRAIN = 64, SEARCH_GRAIN = 512 };

/* How far a shape may move in the time that its reach is for. */
static double way_of(const scree_world* world, int32_t shape)
{
    const scri_bodies_table* b = &world->bodies;
    size_t i = (size_t)world->shapes.body[shape];
    double h = (world->def.scheme == SCREE_SCHEME_GAP ? 2.0 : 1.0) * world->def.step, now[6];
    memcpy(now, b->velocity + 3 * i, 3 * sizeof *now);
    memcpy(now + 3, b->omega + 3 * i, 3 * sizeof *now);
    return h * fmax(scri_sweep_way(world, shape, now),
                    scri_sweep_way(world, shape, b->free + SCRI_BODY_STRIDE * i));
}

/* The longest way, and the ways of all in `reach`. */
static double write_ways(const void* context, int32_t begin, int32_t end)
{
    const scree_world* world = context;
    double fastest = 0.0;
    for (int32_t k = begin; k < end; ++k) {
        double way = world->shapes.reach[k] = way_of(world, k);
        if (!(way < MOST_WAY)) return SCREE_INFINITY;
        fastest = fmax(fastest, way);
    }
    return fastest;
}

/* Reach of a shape, whose own way stands there. */
static void raise_reach(scree_world* world, int32_t k)
{
    scri_shapes_table* s = &world->shapes;
    double size = scri_shapes_radius(s, k);
    s->reach[k] = fmax(s->reach[k], fmin(0.5 * world->longest_way, STRUCK_SHARE * size));
}

static scree_status fail_of_way(const scree_world* world)
{
    int32_t k = 0;
    while (way_of(world, k) < MOST_WAY) ++k;
    double h = (world->def.scheme == SCREE_SCHEME_GAP ? 2.0 : 1.0) * world->def.step;
    return scri_fail(&world->env, SCREE_ERROR_INPUT, "body %d moves by %g m in a step of %g s",
                     (int)world->shapes.body[k], way_of(world, k), h);
}

/* Every shape reaches as far as its own motion may take its surface; twice that in the gap scheme,
 * where others may make it faster. What may be hit by something faster needs more, so that its
 * neighbours are known: half of what the fastest moves, but no more than a share of its size. A
 * margin that the user has set stands instead of all that. */
scree_status scri_select_reach(scree_world* world, double* margin)
{
    int32_t n = world->shapes.n;
    int is_given = world->def.scheme == SCREE_SCHEME_GAP && world->def.margin > 0.0;
    *margin = is_given ? world->def.margin : 0.0;
    world->longest_way = scri_groups_most(world->team, n, SHAPES_GRAIN, write_ways, world);
    if (!(world->longest_way < MOST_WAY)) return fail_of_way(world);
    if (is_given) {
        memset(world->shapes.reach, 0, (size_t)n * sizeof *world->shapes.reach);
    } else {
        scri_step_each(world, n, SHAPES_GRAIN, raise_reach);
    }
    return SCREE_OK;
}

static double stir_of(const scree_world* world)
{
    double gravity = scri_step_gravity_speed(world), left = world->def.overlap / world->def.step;
    return fmax(STIR * gravity - LEFT * left, LEAST_STIR * gravity);
}

/* Chooses touches whose gap the free velocities and the pushes known so far can close, and notes
 * what their bodies may be pushed by. Looks at the first n that are left, in the first round at
 * all; returns how many are left then. */
static int32_t choose_round(scree_world* world, int round, int32_t n)
{
    const scri_touch_table* s = &world->touch_state;
    double *push = world->bodies.push, stir = stir_of(world);
    enum { AHEAD = 16 };
    int32_t *left = s->left, n_left = 0;
    for (int32_t k = 0; k < n; ++k) {
        if (k < n - AHEAD) {
            const int32_t* next = s->mover + 2 * (size_t)(round ? left[k + AHEAD] : k + AHEAD);
            if (next[0] >= 0) SCRI_PREFETCH(push + next[0]);
            if (next[1] >= 0) SCRI_PREFETCH(push + next[1]);
        }
        int32_t i = round ? left[k] : k;
        int32_t a = s->mover[2 * (size_t)i], b = s->mover[2 * (size_t)i + 1];
        double closing = s->closing[i] + (a < 0 ? 0.0 : push[a]) + (b < 0 ? 0.0 : push[b]);
        if (!(closing + stir >= 0.0)) {
            left[n_left++] = i;
            continue;
        }
        s->chosen[i] = SCRI_CHOSEN;
        /* what cannot be pushed pushes nothing on */
        double on = PUSH_SHARE * closing;
        if (a >= 0 && on > push[a]) push[a] = on;
        if (b >= 0 && on > push[b]) push[b] = on;
    }
    return n_left;
}

/* The touches of a step, and something done with one after the other of a range. */
typedef struct touch_list {
    scree_world* world;
    const scri_touch* touches;
    int round; /* of the step, where that matters */
} touch_list;

/* Chooses those that the free velocities can close; 1 where others are left in a range. */
static double write_closing(const void* context, int32_t begin, int32_t end)
{
    const touch_list* all = context;
    const scree_world* world = all->world;
    const scri_touch_table* s = &world->touch_state;
    double stir = stir_of(world), left = 0.0;
    for (int32_t i = begin; i < end; ++i) {
        const scri_touch* t = &all->touches[i];
        double approach = -stepped_velocity(world, world->bodies.free, t);
        s->closing[i] = approach - t->gap / world->def.step;
        for (int side = 0; side < 2; ++side) {
            int responds = world->shapes.responds[side ? t->b : t->a];
            s->mover[2 * i + side] = responds ? scri_touch_body(world, t, side) : -1;
        }
        if (s->closing[i] + stir >= 0.0) {
            s->chosen[i] = SCRI_CHOSEN;
        } else {
            left = 1.0;
        }
    }
    return left;
}

/* Pushes matter where some touch needs them: they go from touch to touch, by one worker. */
static void choose_closing(scree_world* world, touch_list* all)
{
    int32_t n = world->touch_state.n;
    if (scri_groups_most(world->team, n, TOUCHES_GRAIN, write_closing, all) == 0.0) return;
    scri_team_clear(world->team, world->bodies.push,
                    (size_t)world->bodies.n * sizeof *world->bodies.push);
    for (int round = 0; round < PUSH_ROUNDS && n > 0; ++round) {
        int32_t before = n;
        n = choose_round(world, round, n);
        if (n == before) break;
    }
}

/* Which touches last, and what can be said of each by itself. */
static void choose_alone(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const touch_list* all = context;
    const scree_world* world = all->world;
    const scri_touch_table* state = &world->touch_state;
    int impulse = world->def.scheme == SCREE_SCHEME_IMPULSE, given = world->def.margin > 0.0;
    const int32_t shape[2] = {all->touches[begin].a, all->touches[begin].b};
    int32_t j = scri_step_search(world, shape, all->touches[begin].feature);
    (void)worker;
    for (int32_t i = begin; i < end; ++i) {
        const scri_touch* touch = &all->touches[i];
        int was = was_contact(world, &j, touch);
        state->lasting[i] = (uint8_t)(was && has_pressed(world, touch, j));
        state->chosen[i] = given ? SCRI_CHOSEN : SCRI_LEFT_OUT;
        if (!impulse) continue;
        state->chosen[i] = choose_closed(world, touch, was, state->lasting[i]);
    }
}

scree_status scri_select(scree_world* world, const scri_touch* touches, int32_t n)
{
    scri_touch_table* state = &world->touch_state;
    touch_list all = {world, touches, 0};
    state->n = 0;
    if (!scri_touch_table_reserve(&world->env, state, n)) {
        return scri_fail(&world->env, SCREE_ERROR_MEMORY, "out of memory for %d touches", (int)n);
    }
    state->n = n;
    scri_team_for(world->team, n, SEARCH_GRAIN, choose_alone, &all);
    int is_given = world->def.margin > 0.0;
    if (world->def.scheme == SCREE_SCHEME_GAP && !is_given) choose_closing(world, &all);
    return SCREE_OK;
}

/* Whether a touch is found out late, however little it closes: its parts have few contacts, and its
 * materials do not bounce. */
static int is_among_few(const scree_world* world, const scri_touch* touch)
{
    const scri_parts_table* parts = &world->parts;
    int32_t n = 0;
    for (int side = 0; side < 2; ++side) {
        int32_t part = world->bodies.part[scri_touch_body(world, touch, side)];
        if (part >= 0) n += parts->contact[part + 1] - parts->contact[part];
    }
    return n <= FEW_CONTACTS && scri_touch_pair(world, touch)->material.restitution == 0.0;
}

/* Impulse scheme: the overlap that a touch left out may reach. Where forces alone would close it,
 * nothing but the time of its impact within the step is off. */
static double missed_share(const scree_world* world, const scri_touch* touch, int round)
{
    double size = scri_pair_size(world, touch->a, touch->b);
    double ahead = world->def.theta * world->def.step;
    double free = stepped_velocity(world, world->bodies.free, touch);
    if (is_among_few(world, touch) && touch->gap + ahead * free > 0.0) {
        return FEW_MISSED_SHARE * size;
    }
    return round < ROUNDS ? MISSED_SHARE * size : SCREE_INFINITY;
}

/* Impulse scheme: whether the velocities found close a touch that was left out before the end of
 * the step, because others have pushed its bodies; and not where they fly past each other. */
static int is_closed_late(const scree_world* world, const scri_touch* touch, int round)
{
    double ahead = world->def.theta * world->def.step;
    double next = stepped_velocity(world, world->bodies.next, touch);
    return touch->gap + ahead * next < -missed_share(world, touch, round) &&
           touch->gap + ahead * approach_of(world, touch) > 0.0 && !is_fast(world, touch);
}

static int is_same_pair(const scri_touch* one, const scri_touch* two)
{
    return one->a == two->a && one->b == two->b;
}

/* Two faces meet with all their corners, or a few of them would set the bodies turning: takes in
 * what was left out of the pairs that a touch was taken in of, if it closes at all. Touches of a
 * pair follow each other. Returns how many. */
static int32_t choose_beside(scree_world* world, const scri_touch* touches)
{
    scri_touch_table* s = &world->touch_state;
    int32_t missed = 0, end;
    for (int32_t i = 0; i < s->n; i = end) {
        int is_late = 0;
        for (end = i; end < s->n && is_same_pair(&touches[i], &touches[end]); ++end) {
            is_late |= s->chosen[end] == SCRI_CHOSEN_LATE;
        }
        for (int32_t j = i; j < end && is_late; ++j) {
            if (s->chosen[j] != SCRI_LEFT_OUT) continue;
            if (!(scri_overlap_end_gap(world, &touches[j]) < 0.0)) continue;
            s->chosen[j] = SCRI_CHOSEN_LATE;
            missed++;
        }
    }
    return missed;
}

/* 1 where there is one of a range. */
static double are_closed_late(const void* context, int32_t begin, int32_t end)
{
    const touch_list* all = context;
    const uint8_t* chosen = all->world->touch_state.chosen;
    for (int32_t i = begin; i < end; ++i) {
        if (chosen[i] != SCRI_LEFT_OUT) continue;
        if (is_closed_late(all->world, &all->touches[i], all->round)) return 1.0;
    }
    return 0.0;
}

/* Those bodies are not where their velocities lead them where overlap is undone, or the impulse
 * comes when they meet: what stops in the air goes on until then, and so do those behind it. */
static scree_status choose_late(scree_world* world, const scri_touch* touches, int round,
                                int32_t* chosen)
{
    scri_touch_table* s = &world->touch_state;
    touch_list all = {world, touches, round};
    int32_t missed = 0;
    *chosen = 0;
    if (scri_groups_most(world->team, s->n, SEARCH_GRAIN, are_closed_late, &all) == 0.0) {
        return SCREE_OK;
    }
    scree_status status = scri_overlap_find(world, touches);
    if (status) return status;
    for (int32_t i = 0; i < s->n; ++i) {
        if (s->chosen[i] != SCRI_LEFT_OUT || !is_closed_late(world, &touches[i], round)) continue;
        double share = missed_share(world, &touches[i], round);
        if (!(scri_overlap_end_gap(world, &touches[i]) < -share)) continue;
        s->chosen[i] = SCRI_CHOSEN_LATE;
        missed++;
    }
    if (missed > 0) *chosen = missed + choose_beside(world, touches);
    return SCREE_OK;
}

/* Gap scheme: whether the velocities found close a touch that was left out, before the middle of
 * the next step. */
static int is_closed(const scree_world* world, const scri_touch* touch)
{
    double next = stepped_velocity(world, world->bodies.next, touch);
    scri_vec arm = scri_vec_sub(scri_vec_load(touch->point),
                                scri_vec_load(world->shapes.position + 3 * (size_t)touch->a));
    double most = fmax(MISSED_OVERLAP * scri_vec_length(arm), scri_overlap_allowed(world, touch));
    return touch->gap + world->def.step * next < -most;
}

/* Gap scheme: chooses them, and says how many they are. */
static double choose_missed(const void* context, int32_t begin, int32_t end)
{
    const touch_list* all = context;
    uint8_t* chosen = all->world->touch_state.chosen;
    int32_t missed = 0;
    for (int32_t i = begin; i < end; ++i) {
        if (chosen[i] || !is_closed(all->world, &all->touches[i])) continue;
        chosen[i] = SCRI_CHOSEN;
        missed++;
    }
    return missed;
}

/* Gap scheme. */
static int32_t choose_all_missed(scree_world* world, const scri_touch* touches, int round)
{
    uint8_t* chosen = world->touch_state.chosen;
    int32_t n = world->touch_state.n;
    if (world->def.margin > 0.0 || round >= ROUNDS) return 0;
    touch_list list = {world, touches, round};
    int32_t missed = (int32_t)scri_groups_sum(world->team, n, SEARCH_GRAIN, choose_missed, &list);
    if (missed == 0 || round + 1 < ROUNDS) return missed;
    for (int32_t i = 0; i < n;
         ++i) { /* what is chosen here must be written: only with the others */
        missed += !chosen[i];
        if (!chosen[i]) chosen[i] = SCRI_CHOSEN;
    }
    return missed;
}

scree_status scri_select_missed(scree_world* world, const scri_touch* touches, int round,
                                int32_t* missed)
{
    *missed = 0;
    if (world->def.scheme != SCREE_SCHEME_IMPULSE) {
        *missed = choose_all_missed(world, touches, round);
    } else if (round < FEW_ROUNDS) {
        return choose_late(world, touches, round, missed);
    }
    return SCREE_OK;
}
